"""A scene is kept once, whatever brought it in."""

from app.clips.importing import import_scene
from app.clips.models import SceneRecord
from app.scenes.formats.canonical import decode_scene, encode_scene
from tests.factories.platform import NOW
from tests.factories.scenes import straight_road_scene


def test_an_imported_scene_has_its_row_and_its_file(database, storage):
    scene = straight_road_scene()
    with database.write.begin() as db:
        record = import_scene(db, storage, scene, NOW)
    assert encode_scene(decode_scene(storage.get(record.file_key))) == encode_scene(scene)
    assert record.n_tracks == len(scene.tracks)
    assert record.duration_s == scene.duration_s


def test_the_same_scene_twice_is_one_row(database, storage):
    with database.write.begin() as db:
        first = import_scene(db, storage, straight_road_scene(), NOW)
        assert import_scene(db, storage, straight_road_scene(), NOW).id == first.id
        assert db.query(SceneRecord).count() == 1
