"""The demo study is an example that people copy."""

from collections import Counter

import pytest

from app.config import ROOT
from app.studies.demo_study import demo_yaml
from app.studies.document import StudyDocument, Texts, VideoSettings
from app.studies.scene_entries import SimulatedScene
from app.studies.yaml_reader import read_study


def test_the_demo_study_asks_in_the_words_of_the_commissioning_study():
    document = read_study(demo_yaml(2))
    assert document.slug == "demo"
    assert document.texts == Texts()
    assert document.video == VideoSettings(width_m=90)  # nearer, for phones
    assert document.scale == StudyDocument.model_fields["scale"].default


def test_half_of_the_clips_are_attentive_and_half_aggressive_in_pairs():
    clips = read_study(demo_yaml(36)).clips
    assert Counter(clip.condition for clip in clips) == {"attentive": 18, "aggressive": 18}
    for clip, partner in zip(clips[::2], clips[1::2], strict=True):
        assert isinstance(clip.scene, SimulatedScene)
        assert isinstance(partner.scene, SimulatedScene)
        assert clip.scene.seed == partner.scene.seed
        assert clip.scene.model == clip.condition != partner.scene.model


@pytest.mark.parametrize("n_clips", [1, 5, 500])
def test_the_demo_study_has_as_many_clips_as_wanted(n_clips):
    assert len(read_study(demo_yaml(n_clips)).clips) == n_clips


def test_a_demo_study_without_clips_is_refused():
    with pytest.raises(ValueError, match="at least one clip"):
        demo_yaml(0)


def test_the_example_in_the_documentation_is_the_demo_study():
    assert (ROOT / "docs" / "examples" / "demo.yaml").read_text() == demo_yaml(6)
