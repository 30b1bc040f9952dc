"""`roadrater film`."""

import io

import av
import numpy as np
import pytest
from typer.testing import CliRunner

from app.cli.commands import commands
from app.errors import Invalid
from app.rendering.film import film
from app.rendering.style import FilmStyle
from app.scenes.formats.canonical import encode_scene
from tests.factories.scenes import roundabout_scene, straight_road_scene

SMALL = ("--size", "160x90", "--fps", "10", "--duration-s", "0.5")
STYLE = FilmStyle(width_px=160, height_px=90, fps=10, duration_s=0.5)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "straight.json").write_bytes(encode_scene(straight_road_scene()))
    (tmp_path / "round.json.gz").write_bytes(encode_scene(roundabout_scene(), compress=True))
    (tmp_path / "broken.json").write_text("{")
    return tmp_path


def run(*words):
    return CliRunner().invoke(commands, ["film", *map(str, words)], catch_exceptions=True)


def refusal(*words) -> str:
    error = run(*words).exception
    assert isinstance(error, Invalid)
    return str(error)


def frames(path):
    with av.open(io.BytesIO(path.read_bytes())) as container:
        return [frame.to_ndarray() for frame in container.decode(video=0)]


def test_a_scene_becomes_the_film_that_raters_would_see(folder):
    result = run(folder / "straight.json", "-o", folder / "a.mp4", *SMALL)
    assert result.exit_code == 0
    assert f"Written: {folder / 'a.mp4'}" in result.output
    assert (folder / "a.mp4").read_bytes() == film(straight_road_scene(), STYLE).data


def test_several_scenes_go_to_a_folder_that_is_made(folder):
    out = folder / "new" / "films"
    result = run(folder / "straight.json", folder / "round.json.gz", "-o", out, *SMALL)
    assert result.exit_code == 0
    assert sorted(path.name for path in out.iterdir()) == ["round.mp4", "straight.mp4"]
    assert "2 of 2 films" in result.output


def test_one_bad_file_does_not_stop_the_others(folder):
    sources = (folder / "straight.json", folder / "broken.json", folder / "round.json.gz")
    result = run(*sources, "-o", folder / "films", *SMALL)
    assert result.exit_code == 2
    assert "roadrater: broken.json" in result.stderr
    assert "2 of 3 films" in result.stdout
    assert len(list((folder / "films").iterdir())) == 2


def test_a_single_scene_can_go_to_a_folder_too(folder):
    run(folder / "round.json.gz", "-o", folder / "films", *SMALL)
    assert (folder / "films" / "round.mp4").exists()


def test_figures_are_written_on_it_if_asked_for(folder):
    for name, words in (("plain.mp4", ()), ("figures.mp4", ("--overlay",))):
        run(folder / "straight.json", "-o", folder / name, *SMALL, *words)
    plain, figures = frames(folder / "plain.mp4")[7], frames(folder / "figures.mp4")[7]
    assert np.abs(figures[:30].astype(int) - plain[:30]).max() > 50


def test_window_and_colours_are_the_ones_asked_for(folder):
    words = ("--size", "160x90", "--fps", "20", "--start-s", "1", "--duration-s", "2")
    colours = ("--colours", "#009E73,#CC79A7")
    run(folder / "straight.json", "-o", folder / "a.mp4", *words, *colours)
    style = FilmStyle(
        width_px=160, height_px=90, fps=20, start_s=1.0, duration_s=2.0,
        ego_colour="#009E73", other_colour="#CC79A7",
    )  # fmt: skip
    assert (folder / "a.mp4").read_bytes() == film(straight_road_scene(), style).data


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--size", "big"), "--size big: expected WIDTHxHEIGHT"),
        (("--size", "161x90"), "even"),
        (("--fps", "0"), "frames per second"),
        (("--colours", "#D55E00"), "expected two colours"),
        (("--colours", "red,blue"), "'red'"),
        (("--start-s", "99"), "straight.json: the window from 99 s"),
        (("--ego", "ghost"), "ghost"),
    ],
)
def test_what_cannot_be_filmed_is_one_sentence(folder, words, sentence):
    assert sentence in refusal(folder / "straight.json", "-o", folder / "a.mp4", *words)
    assert not (folder / "a.mp4").exists()


def test_a_missing_file_is_named(folder):
    assert "there is no file" in refusal(folder / "gone.json", "-o", folder / "a.mp4")


def test_two_films_never_share_a_file(folder):
    both = folder / "straight.json", folder / "round.json.gz"
    assert "give a folder" in refusal(*both, "-o", folder / "a.mp4")
    (folder / "twin").mkdir()
    twin = folder / "twin" / "straight.json"
    assert "would both become" in refusal(both[0], twin, "-o", folder / "films")


def test_a_folder_that_cannot_be_made_is_named(folder):
    words = folder / "round.json.gz", "-o", folder / "straight.json" / "films"
    assert "cannot be made" in refusal(*words)


def test_the_help_has_an_example():
    assert "roadrater film cross.json.gz" in run("--help").output
