from app.participants.access import find_known_sitting
from app.participants.consent import decline
from tests.factories.platform import NOW, make_study


def test_a_browser_is_known_in_the_study_of_its_sitting_only(database, study, make_sitting):
    with database.write.begin() as db:
        other = make_study(db, slug="other-study")
        sitting = make_sitting(db, study)
        assert find_known_sitting(db, study, sitting.token) is sitting
        assert find_known_sitting(db, other, sitting.token) is None


def test_an_invented_cookie_is_nobody(database, study):
    with database.read.begin() as db:
        assert find_known_sitting(db, study, "") is None
        assert find_known_sitting(db, study, "x" * 43) is None


def test_who_declined_may_think_again(database, study, make_sitting):
    with database.write.begin() as db:
        sitting = make_sitting(db, study, consented=False)
        decline(db, sitting, NOW)
        assert find_known_sitting(db, study, sitting.token) is None
