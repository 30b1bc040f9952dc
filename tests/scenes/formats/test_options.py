from dataclasses import fields

from app.scenes.formats.options import ReadOptions


def test_who_says_nothing_leaves_everything_to_the_reader():
    assert all(not getattr(ReadOptions(), field.name) for field in fields(ReadOptions))
