"""A drawing fits its frame, and its names can be read."""

from app.clips.drawing import EDGE, TALLEST, WIDTH, draw_plan
from app.clips.plan import Plan, PlanTrack


def track(track_id, *points):
    return PlanTrack(track_id, "car", [list(point) for point in points])


def draw(*tracks, ego="1", roles=None, window_s=(0.0, 10.0)):
    return draw_plan(
        Plan(list(tracks), [[[0, 0], [9, 0], [9, 3]]], [], 0), ego, roles or {}, window_s
    )


def corners(path):
    return [tuple(float(part) for part in point.split(",")) for point in path.split()]


def test_the_drawing_fits_its_frame_with_north_up():
    drawing = draw(track("1", (0, 0, 0), (10, 100, 50)))
    (x0, y0), (x1, y1) = corners(drawing.tracks[0].path)
    assert (x0, x1) == (EDGE, WIDTH - EDGE)
    assert y0 > y1  # further north is further up
    high = draw(track("1", (0, 0, 0), (10, 1, 500)))
    assert high.view_box == f"0 0 {WIDTH:.0f} {TALLEST:.0f}"


def test_the_ego_is_drawn_last_and_in_its_colour():
    drawing = draw(track("1", (0, 0, 0), (1, 9, 9)), track("2", (0, 5, 0), (1, 5, 9)))
    assert [one.id for one in drawing.tracks] == ["2", "1"]
    assert drawing.tracks[-1].css_class == "plan__track--ego"


def test_only_what_is_in_the_window_is_strong():
    drawing = draw(
        track("1", (0, 0, 0), (4, 4, 0), (6, 6, 0), (9, 9, 0)),
        track("2", (8, 0, 1), (9, 1, 1)),
        window_s=(3, 7),
    )
    other, ego = drawing.tracks
    assert len(corners(ego.path)) == 4
    assert len(corners(ego.window_path)) == 2
    assert other.window_path == ""


def test_names_do_not_cover_each_other_and_the_egos_is_there():
    crowd = [track(str(k), (0, k, 0), (1, 50 + k / 100, 20)) for k in range(9)]
    drawing = draw(*crowd, ego="5")
    assert [one.name for one in drawing.tracks if one.name] == ["5"]


def test_a_name_at_the_right_edge_stays_inside():
    drawing = draw(track("a-long-name", (0, 0, 0), (1, 100, 0)), ego="a-long-name")
    assert float(drawing.tracks[0].name_x) < WIDTH - EDGE - 50


def test_a_track_says_what_it_is_and_which_part_it_plays():
    drawing = draw(
        track("1", (0, 0, 0), (1, 1, 1)), track("2", (0.5, 0, 0), (2, 1, 1)), roles={"T": "2"}
    )
    assert [one.title for one in drawing.tracks] == [
        "2 · T · car · 0.5 to 2 s",
        "1 · ego · car · 0 to 1 s",
    ]


def test_nobody_and_one_place_can_be_drawn():
    assert draw().tracks == ()
    assert draw(track("1", (0, 3, 3))).tracks[0].end_x == "500.0"


def test_times_that_count_from_1970_are_told_in_full():
    drawing = draw(track("1", (1.7e9, 0, 0), (1.7e9 + 10.5, 9, 9)))
    assert drawing.tracks[0].title.endswith("1700000000 to 1700000010.5 s")
