"""One agreement, whoever asks."""

from math import isnan

import pytest

from app.agreement.report import agreement_report
from app.dashboard.live_agreement import summarise_now, summarise_study
from app.dashboard.queries import read_study_now
from app.studies.queries import document_of, get_current_version
from tests.factories.answers import rate_study
from tests.factories.platform import make_study

PEOPLE = [[1, 5, 3, 2], [1, 4, 3, 2], [2, 5, 4], [1, 5, 2, 3]]


def test_counts_and_ratings_give_the_same_numbers(database):
    with database.write.begin() as db:
        study = make_study(db, n_clips=4)
        rate_study(db, study, PEOPLE)
        live = agreement_report(summarise_now(read_study_now(db, study.id)))
        document = document_of(get_current_version(db, study))
        whole = agreement_report(summarise_study(db, study, document))
    assert live["n_raters"] == 4
    for key in ("status", "n_clips", "n_raters", "n_ratings", "published", "standard", "alpha"):
        assert live[key] == whole[key]


def test_two_clips_with_full_agreement_have_the_spec_s_two_kappas(database):
    with database.write.begin() as db:
        study = make_study(db, n_clips=2)
        rate_study(db, study, [[1, 5], [1, 5]])
        summary = summarise_now(read_study_now(db, study.id))
    assert summary.standard.kappa == pytest.approx(1)
    assert summary.published.kappa == pytest.approx(3)


def test_a_study_without_ratings_has_a_reason_instead_of_a_number(database):
    with database.write.begin() as db:
        study = make_study(db)
        summary = summarise_now(read_study_now(db, study.id))
    assert summary.status == "NO_RATINGS"
    assert isnan(summary.standard.kappa)
