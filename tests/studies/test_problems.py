"""What is wrong is told in one sentence that names line and field."""

from app.errors import Invalid
from app.studies.problems import (
    MAX_TOLD,
    Problem,
    Remark,
    StudyFormatError,
    field_name,
    told_once,
)


def test_a_problem_names_its_line_and_field():
    problem = Problem(12, "clips[3].scene.seed", "Input should be a valid integer")
    assert str(problem) == "line 12, clips[3].scene.seed: Input should be a valid integer"


def test_a_problem_of_the_whole_document_names_its_line():
    assert str(Problem(1, "", "the document is empty")) == "line 1: the document is empty"


def test_problems_are_told_in_the_order_of_their_lines():
    error = StudyFormatError([Problem(9, "b", "wrong"), Problem(2, "a", "wrong")])
    assert str(error) == (
        "2 problems in the study document:\n  line 2, a: wrong\n  line 9, b: wrong"
    )
    assert [problem.line for problem in error.problems] == [2, 9]


def test_one_problem_is_one_line():
    assert str(StudyFormatError([Problem(2, "a", "wrong")])) == "line 2, a: wrong"


def remark(clip, message, n=1):
    return Remark(clip, Problem(5, f"clips[{clip}]", message), n)


def test_a_remark_on_one_clip_names_its_line_and_how_often():
    assert told_once([remark("a", "Odd.", 4)]) == ["line 5, clips[a]: Odd. (× 4)"]


def test_a_remark_on_many_clips_is_told_once_with_some_of_their_names():
    remarks = [remark(clip, "Odd.") for clip in "abcde"] + [remark("b", "Even.")]
    assert told_once(remarks) == [
        "5 clips (a, b, c and 2 more): Odd.",
        "line 5, clips[b]: Even.",
    ]


def test_a_remark_counts_over_all_its_clips():
    assert told_once([remark("a", "Odd.", 3), remark("b", "Odd.")]) == [
        "2 clips (a, b): Odd. (× 4)"
    ]


def test_an_error_answers_with_the_status_of_bad_input():
    assert isinstance(StudyFormatError([]), Invalid)


def test_a_flood_of_problems_is_cut_but_counted():
    error = StudyFormatError([Problem(line, "x", "wrong") for line in range(1, 101)])
    assert len(error.problems) == 100
    assert str(error).count("wrong") == MAX_TOLD
    assert str(error).endswith(f"\n  and {100 - MAX_TOLD} more")


def test_a_strange_key_is_shown_in_quotes_and_cut():
    assert field_name(("a b",)) == "'a b'"
    assert field_name(("\n",)) == r"'\n'"
    assert len(field_name(("x" * 1000,))) < 60
