"""`roadrater plan`."""

import json

import pytest
from typer.testing import CliRunner

from app.cli.commands import commands
from app.cli.plan import width_text
from app.errors import Invalid


def plan(*arguments: str):
    return CliRunner().invoke(commands, ["plan", *arguments])


def test_the_widths_of_the_usual_study_are_those_of_the_specification():
    result = json.loads(plan("--clips", "36", "--raters", "20", "--json").stdout)
    assert result["expected"]["kappa_width"] == pytest.approx(0.247, abs=0.03)
    assert result["expected"]["n_ratings"] == 720


def test_more_clips_narrow_the_interval_of_kappa_more_than_more_raters_do():
    def width(clips: int, raters: int) -> float:
        answer = plan("--clips", str(clips), "--raters", str(raters), "--json").stdout
        return json.loads(answer)["expected"]["kappa_width"]

    assert width(200, 20) < width(36, 50) < width(36, 20)


def test_a_target_width_says_how_many_more():
    arguments = ("--clips", "36", "--raters", "20", "--mos-width", "0.8", "--json")
    needed = json.loads(plan(*arguments).stdout)["needed"]["raters_for_mos"]
    assert needed["needed"] == 20 + needed["more"] or needed["more"] == 0
    assert needed["width"] <= 0.8


def test_the_table_states_its_model():
    output = plan("--clips", "36", "--raters", "30").output
    assert "expected width of κ" in output
    assert "simulation" in output


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--clips", "1", "--raters", "20"), "two clips"),
        (("--clips", "36", "--raters", "20", "--kappa", "1.5"), "below 1"),
        (("--clips", "36", "--raters", "20", "--categories", "1"), "1"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused_with_a_sentence(arguments, sentence):
    result = plan(*arguments)
    assert isinstance(result.exception, Invalid)
    assert sentence in str(result.exception)


def test_a_width_that_is_not_defined_is_a_dash():
    assert width_text(float("nan")) == "–"
