"""The API's answers carry what the rows have."""

from app.clips.answers import upload_answer
from app.clips.models import Upload
from tests.factories.platform import NOW

FACTS = {
    "width_px": 320,
    "height_px": 180,
    "frames_per_s": 24.0,
    "duration_s": 2.0,
    "n_frames": 48,
    "codec": "h264",
    "has_sound": False,
    "size_bytes": 1234,
}


def test_a_film_has_facts_and_no_report():
    upload = Upload(
        key="0" * 32,
        owner_id=1,
        name="film.mp4",
        format="h264",
        files=[{"name": "film.mp4", "size_bytes": 1234, "sha256": "ab"}],
        options={},
        report=FACTS,
        suggestions=[],
        footage_id=1,
        created_at=NOW,
    )
    answer = upload_answer(upload, [])
    assert answer.footage is not None
    assert answer.footage.model_dump() == FACTS
    assert answer.report is None
    assert answer.scenes == []
