"""responses.csv."""

from app.exports.responses import COLUMNS, responses_csv
from tests.factories.answers import rate_study
from tests.factories.platform import make_study

EXPECTED = """\
study,version,participant,clip,condition,position,rating,rating_label,sitting_started_at,\
consented_at,answered_at,watched_s,on_page_s,finished
test-study,1,{ada},clip-1,b,1,1,Very unrealistic,2026-11-18T12:00:00.000Z,\
2026-11-18T12:00:00.000Z,2026-11-18T12:00:10.000Z,9.5,12.25,true
test-study,1,{ada},clip-2,a,2,5,Very realistic,2026-11-18T12:00:00.000Z,\
2026-11-18T12:00:00.000Z,2026-11-18T12:00:20.000Z,9.5,12.25,true
test-study,1,{bob},clip-1,b,1,3,Neutral,2026-11-18T12:00:00.000Z,\
2026-11-18T12:00:00.000Z,2026-11-18T12:00:10.000Z,9.5,12.25,false
"""


def test_known_ratings_give_a_known_text(database):
    with database.write.begin() as db:
        study = make_study(db, n_clips=2)
        ada, bob = rate_study(db, study, [[1, 5], [3]])
        rate_study(db, make_study(db, slug="other", n_clips=2), [[2, 2]])
    with database.read.begin() as db:
        text = "".join(responses_csv(db, study))
    expected = EXPECTED.format(ada=ada.pseudonym, bob=bob.pseudonym)
    assert text == expected.replace("\n", "\r\n")


def test_a_study_without_ratings_has_a_header_only(database):
    with database.write.begin() as db:
        study = make_study(db)
        rate_study(db, study, [[]])
        text = "".join(responses_csv(db, study))
    assert text == ",".join(column.name for column in COLUMNS) + "\r\n"


def test_an_answer_worded_like_a_formula_is_harmless(database):
    with database.write.begin() as db:
        study = make_study(db, n_clips=1, scale=["=cmd|' /C calc'!A0", "fine"])
        rate_study(db, study, [[1]])
        text = "".join(responses_csv(db, study))
    assert ",'=cmd|" in text
    assert ",=cmd|" not in text


def test_more_rows_than_are_read_at_a_time_all_arrive_in_order(database):
    with database.write.begin() as db:
        study = make_study(db, n_clips=60)
        rate_study(db, study, [[1 + n % 5 for n in range(60)]] * 20)
    with database.read.begin() as db:
        lines = "".join(responses_csv(db, study)).splitlines()
    assert len(lines) == 1 + 60 * 20
    positions = [int(line.split(",")[5]) for line in lines[1:]]
    assert positions == list(range(1, 61)) * 20


def test_every_column_is_described():
    assert all(column.description.endswith(".") for column in COLUMNS)
    assert len({column.name for column in COLUMNS}) == len(COLUMNS)
