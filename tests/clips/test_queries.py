"""Finding clips."""

import pytest

from app.clips.queries import get_clip
from app.errors import NotFound
from tests.factories.platform import make_clip


def test_a_clip_is_found_by_its_id(database):
    with database.write.begin() as db:
        clip = make_clip(db)
        assert get_clip(db, clip.id) is clip


def test_a_clip_that_is_not_there_is_said_so(database):
    with database.read.begin() as db, pytest.raises(NotFound, match="no clip 4711"):
        get_clip(db, 4711)
