from app.scenes.formats.draft import SceneDraft


def test_a_draft_without_a_map_lets_another_file_bring_it():
    assert SceneDraft("a", 0.1, ()).road_map is None
