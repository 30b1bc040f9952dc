"""Downloads."""

from app.auth.models import Role
from tests.factories.answers import rate_study
from tests.factories.platform import make_study
from tests.factories.signed_in import sign_in_new_user

PATH = "/api/v1/studies/test-study/responses.csv"


def test_the_responses_are_a_file_with_the_study_s_name(client, database):
    with database.write.begin() as db:
        rate_study(db, make_study(db, n_clips=2), [[1, 5]])
    sign_in_new_user(client, database, Role.viewer)
    answer = client.get(PATH)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/csv; charset=utf-8")
    assert 'filename="test-study-responses.csv"' in answer.headers["content-disposition"]
    assert answer.headers["cache-control"] == "no-store"
    assert answer.text.count("\r\n") == 3


def test_who_is_not_signed_in_gets_nothing(client, database):
    with database.write.begin() as db:
        make_study(db)
    assert client.get(PATH).status_code == 401


def test_a_download_gives_its_connection_back(client, database):
    with database.write.begin() as db:
        rate_study(db, make_study(db, n_clips=2), [[1, 5]])
    sign_in_new_user(client, database)
    for _ in range(25):  # more than the pool has
        assert client.get(PATH).status_code == 200
