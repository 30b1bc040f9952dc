"""The document says exactly what a study is; nothing in it is guessed."""

import time
from dataclasses import asdict

import pytest
from pydantic import ValidationError

from app.rendering.style import CHASE_LIMITS, FilmStyle, View, check_style
from app.studies.document import StudyDocument, Texts, VideoSettings
from tests.factories.platform import make_document

SCENE = {"simulate": "highway", "model": "attentive", "seed": 1}


def document(**changes):
    fields = {"slug": "a", "title": "T", "clips": [{"name": "a", "scene": SCENE}]}
    return StudyDocument.model_validate(fields | changes)


def test_the_default_wording_is_the_commissioning_studys():
    texts = Texts()
    assert texts.heading.format(number=1) == "Video 1"
    assert texts.progress.format(section=2, sections=37) == "Section 2 of 37"
    assert texts.direct_link == "If the video is not shown, use the following link:"
    assert texts.instruction == (
        "The vehicle at the center is the ego vehicle; others are surrounding vehicles. "
        "Please watch the video and answer the question below."
    )
    assert texts.question == "How realistic is the surrounding vehicle's trajectory in this video?"
    assert texts.definition == (
        "(A trajectory is realistic if it could plausibly happen in the real world, "
        "even if it is uncommon.)"
    )
    assert document().scale == (
        "Very unrealistic",
        "Slightly unrealistic",
        "Neutral",
        "Slightly realistic",
        "Very realistic",
    )


def test_the_default_video_is_the_renderers_default_but_for_its_length():
    expected = asdict(FilmStyle(duration_s=10.0))
    assert asdict(VideoSettings().style()) == expected


def test_every_video_that_a_document_allows_can_be_filmed():
    check_style(VideoSettings(width_px=160, height_px=90, fps=10, duration_s=0.1).style(0.0))
    check_style(VideoSettings(width_px=1920, height_px=1080, fps=60, duration_s=60).style(5.0))
    check_style(VideoSettings(width_m=20, lead_in_s=0).style())
    check_style(VideoSettings(width_m=1000, lead_in_s=5, fade_s=2).style())
    for end in (0, 1):
        chase = {name: limits[end] for name, limits in CHASE_LIMITS.items()}
        check_style(VideoSettings(view=View.chase, **chase).style())


def test_a_document_survives_its_own_json():
    written = document(texts={"welcome": "Hello — 你好"}, minutes=3)
    assert StudyDocument.model_validate_json(written.canonical_json()) == written


def test_the_hash_changes_with_a_word_and_only_then():
    same = document(title=" T ", order="random")
    assert same.document_hash() == document().document_hash()
    assert document(title="U").document_hash() != document().document_hash()


@pytest.mark.parametrize(
    "changes",
    [
        {"slug": "Upper"},
        {"slug": "a\nb"},
        {"slug": "a" * 61},
        {"title": "   "},
        {"title": "a\0b"},
        {"title": "a\x1bb"},
        {"titel": "x"},
        {"minutes": True},
        {"minutes": "5"},
        {"minutes": 0},
        {"language": "english"},
        {"scale": ["one"]},
        {"scale": ["one", "two", "one"]},
        {"scale": [str(i) for i in range(12)]},
        {"order": "latin"},
        {"roadrater": 2},
        {"completion_code": "x" * 101},
        {"texts": {"heading": "Video {nr}"}},
        {"texts": {"heading": "Video {number"}},
        {"texts": {"progress": "{number} of {sections}"}},
        {"video": {"width_px": 641}},
        {"video": {"fps": 30.5}},
        {"video": {"duration_s": float("nan")}},
        {"video": {"duration_s": 61}},
        {"video": {"ego_colour": "red"}},
        {"clips": []},
        {"clips": [{"name": "", "scene": SCENE}]},
        {"clips": [{"name": "=1+1", "scene": SCENE}]},
        {"clips": [{"name": "a", "scene": SCENE}, {"name": "a", "scene": SCENE}]},
        {"clips": [{"name": "a", "scene": SCENE | {"seed": -1}}]},
        {"clips": [{"name": "a", "scene": SCENE | {"file": "x.json"}}]},
        {"clips": [{"name": "a", "scene": {}}]},
        {"clips": [{"name": "a", "scene": {"file": "x.json", "start_s": float("inf")}}]},
    ],
    ids=str,
)
def test_what_is_not_allowed_is_refused(changes):
    with pytest.raises(ValidationError) as caught:
        document(**changes)
    assert {error["loc"][0] for error in caught.value.errors()} == set(changes)


def test_the_stated_minutes_win_over_the_estimate():
    assert document(minutes=7).estimated_minutes() == 7
    assert make_document(36).estimated_minutes() == 15
    assert make_document(1).estimated_minutes() == 2


def test_ten_thousand_clips_are_checked_in_no_time():
    began = time.perf_counter()
    assert len(make_document(10_000).clips) == 10_000
    assert time.perf_counter() - began < 2.0
