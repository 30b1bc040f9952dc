"""What is wrong is told in one sentence that names line and field."""

from app.errors import Invalid
from app.studies.problems import MAX_TOLD, Problem, StudyFormatError, field_name


def test_a_problem_names_its_line_and_field():
    problem = Problem(12, "clips[3].scene.seed", "Input should be a valid integer")
    assert str(problem) == "line 12, clips[3].scene.seed: Input should be a valid integer"


def test_a_problem_of_the_whole_document_names_its_line():
    assert str(Problem(1, "", "the document is empty")) == "line 1: the document is empty"


def test_problems_are_told_in_the_order_of_their_lines():
    error = StudyFormatError([Problem(9, "b", "wrong"), Problem(2, "a", "wrong")])
    assert str(error) == "line 2, a: wrong; line 9, b: wrong"
    assert [problem.line for problem in error.problems] == [2, 9]


def test_an_error_answers_with_the_status_of_bad_input():
    assert isinstance(StudyFormatError([]), Invalid)


def test_a_flood_of_problems_is_cut_but_counted():
    error = StudyFormatError([Problem(line, "x", "wrong") for line in range(1, 101)])
    assert len(error.problems) == 100
    assert str(error).count("wrong") == MAX_TOLD
    assert str(error).endswith(f"; and {100 - MAX_TOLD} more")


def test_a_strange_key_is_shown_in_quotes_and_cut():
    assert field_name(("a b",)) == "'a b'"
    assert field_name(("\n",)) == r"'\n'"
    assert len(field_name(("x" * 1000,))) < 60
