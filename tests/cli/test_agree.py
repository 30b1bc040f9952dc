"""`roadrater agree`."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from app.cli.agree import register
from app.errors import Invalid

SHARED = Path(__file__).parents[2].parent / "shared" / "data" / "ratings"
RATINGS = """\
clip,rater,rating
a,ann,1
a,bob,1
b,ann,5
b,bob,5
"""


@pytest.fixture
def run():
    commands = typer.Typer()
    register(commands)
    return lambda *words: CliRunner().invoke(commands, [str(word) for word in words])


@pytest.fixture
def ratings(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text(RATINGS)
    return path


def test_json_is_one_document_and_nothing_else(run, ratings):
    result = run(ratings, "--json")
    assert result.exit_code == 0
    answer = json.loads(result.output)
    assert answer["standard"]["kappa"] == 1
    assert answer["published"]["kappa"] == 3
    assert answer["n_raters"] == 2


def test_the_table_shows_both_kappas_and_why_the_published_one_has_no_band(run, ratings):
    output = run(ratings).output
    assert "1.0000" in output
    assert "3.0000" in output
    assert "Almost perfect" in output
    assert "counts every rater as a pair with themselves" in output
    assert "Too few clips for an interval" in output


def test_undefined_values_are_dashes_with_a_reason(run, tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("clip,rater,rating\na,ann,3\na,bob,3\nb,ann,3\nb,bob,3\n")
    assert "Not defined: every rating is 3." in run(path).output
    assert json.loads(run(path, "--json").output)["status"] == "NO_VARIATION"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("clip,rater,rating\na,ann,6\n", "line 2: rating 6 is outside 1..5"),
        ("clip,rater\na,ann\n", "line 1: columns missing: rating"),
        ("", "line 1: the file is empty"),
        ("clip,rater,rating\na,ann,1\na,ann,2\n", "line 3: rater ann has rated clip a before"),
    ],
)
def test_bad_input_is_one_sentence_with_the_line(run, tmp_path, text, sentence):
    path = tmp_path / "ratings.csv"
    path.write_text(text)
    result = run(path)
    assert isinstance(result.exception, Invalid)
    assert sentence in str(result.exception)


def test_a_file_that_is_no_text_or_not_there_is_told_so(run, tmp_path):
    binary = tmp_path / "ratings.csv"
    binary.write_bytes(b"\xff\xfe\x00clip")
    assert "not text in UTF-8" in str(run(binary).exception)
    assert "folder" in str(run(tmp_path).exception)
    assert "no file" in str(run(tmp_path / "none.csv").exception)


def test_a_scale_needs_two_to_eleven_categories(run, ratings):
    assert "categories" in str(run(ratings, "--categories", "1").exception)


@pytest.mark.skipif(not SHARED.exists(), reason="the shared rating tables are not here")
@pytest.mark.parametrize(
    ("name", "published", "standard", "low", "high"),
    [
        ("nflx_public.csv", 0.9132914299, 0.7416500344, 0.6805999759, 0.8027000930),
        ("vqeg_hd3.csv", 0.8722087554, 0.6564293287, 0.5978316417, 0.7150270157),
    ],
)
def test_public_tables_give_their_reference_values(run, name, published, standard, low, high):
    answer = json.loads(run(SHARED / name, "--json").output)
    assert answer["published"]["kappa"] == pytest.approx(published, abs=1e-9)
    assert answer["standard"]["kappa"] == pytest.approx(standard, abs=1e-9)
    assert answer["standard"]["ci_low"] == pytest.approx(low, abs=1e-8)
    assert answer["standard"]["ci_high"] == pytest.approx(high, abs=1e-8)
