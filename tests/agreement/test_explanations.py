"""Every statistic that is shown is explained."""

import pytest

from app.agreement.explanations import EXPLANATIONS, find_explanation


@pytest.mark.parametrize("explanation", EXPLANATIONS, ids=lambda e: e.slug)
def test_an_explanation_is_complete_and_says_what_the_number_does_not_mean(explanation):
    assert explanation.question.endswith("?")
    assert explanation.formula
    for sentence in (explanation.means, explanation.does_not_mean, explanation.source):
        assert sentence.endswith(".")


def test_an_explanation_is_found_by_its_name():
    assert find_explanation("kappa").name.startswith("Fleiss")
    assert find_explanation("nonsense") is None


def test_names_are_unique():
    assert len({e.slug for e in EXPLANATIONS}) == len(EXPLANATIONS)
