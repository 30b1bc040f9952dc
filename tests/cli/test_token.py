"""`roadrater token`."""

import pytest
from typer.testing import CliRunner

from app.auth.models import Role
from app.auth.queries import find_api_token
from app.cli.token import commands
from app.errors import AppError
from tests.factories.platform import make_user


@pytest.fixture
def run(settings, monkeypatch):
    monkeypatch.setenv("ROADRATER_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("ROADRATER_DATABASE_URL", settings.database_url)
    return lambda *words: CliRunner().invoke(commands, words)


def test_a_token_is_printed_alone_on_standard_output_and_opens_the_api(run, database, client):
    with database.write.begin() as db:
        make_user(db, email="ada@example.org", role=Role.admin)
    result = run("add", "nightly", "--scope", "read")
    assert result.exit_code == 0
    token = result.stdout.strip()
    assert token.startswith("rr_")
    assert "cannot be shown again" in result.stderr
    answer = client.get("/api/v1/studies", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200


def test_a_token_acts_for_the_user_that_was_named(run, database):
    with database.write.begin() as db:
        make_user(db, email="ada@example.org")
    result = run("add", "nightly", "--scope", "write", "--user", "ada@example.org")
    with database.read.begin() as db:
        found = find_api_token(db, result.stdout.strip())
        assert (found.user.email, found.scope) == ("ada@example.org", "write")


@pytest.mark.parametrize(
    ("n_admins", "sentence"), [(0, "roadrater user add EMAIL"), (2, "--user EMAIL")]
)
def test_unless_there_is_one_admin_the_user_must_be_named(run, database, n_admins, sentence):
    with database.write.begin() as db:
        for _ in range(n_admins):
            make_user(db, role=Role.admin)
    result = run("add", "nightly", "--scope", "read")
    assert isinstance(result.exception, AppError)
    assert sentence in str(result.exception)
