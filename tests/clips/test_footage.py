"""A finished film is kept once, as it came."""

from app.clips.footage import import_footage
from app.clips.models import Footage
from app.rendering.footage import inspect_footage
from tests.factories.footage import make_film
from tests.factories.platform import NOW


def test_a_film_is_kept_with_its_facts(database, storage, tmp_path):
    path = make_film(tmp_path / "a.mp4", size_px=(320, 240))
    with database.write.begin() as db:
        footage = import_footage(db, storage, path, inspect_footage(path), NOW)
    assert (footage.name, footage.width_px, footage.height_px) == ("a.mp4", 320, 240)
    assert footage.file_key == f"footage/{footage.content_hash}.mp4"
    assert storage.get(footage.file_key) == path.read_bytes()


def test_the_same_film_under_another_name_is_kept_once(database, storage, tmp_path):
    path = make_film(tmp_path / "a.mp4")
    copy = tmp_path / "b.mp4"
    copy.write_bytes(path.read_bytes())
    with database.write.begin() as db:
        ids = {import_footage(db, storage, p, inspect_footage(p), NOW).id for p in (path, copy)}
        assert len(ids) == db.query(Footage).count() == 1
