"""`roadrater user`."""

import re

import pytest
from typer.testing import CliRunner

from app.auth.queries import find_user
from app.auth.signing_in import sign_in
from app.cli.user import commands
from app.errors import AppError

ADDRESS = re.compile(r"http://127\.0\.0\.1:8000(/admin/sign-in/\S+)")


@pytest.fixture
def run(settings, monkeypatch):
    monkeypatch.setenv("ROADRATER_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("ROADRATER_DATABASE_URL", settings.database_url)

    def run(*words: str, stdin: str = ""):
        return CliRunner().invoke(commands, words, input=stdin)

    return run


def test_a_new_user_signs_in_by_the_printed_link(run, database, client):
    result = run("add", "Ada@example.org", "--role", "admin")
    assert result.exit_code == 0
    assert "ada@example.org is now an admin." in result.output
    link = ADDRESS.search(result.output).group(1)
    assert client.post(link).headers["location"] == "/admin"
    with database.read.begin() as db:
        assert find_user(db, "ada@example.org").password_hash is None


def test_a_password_comes_through_standard_input_and_is_not_printed(run, database):
    result = run(
        "add", "ada@example.org", "--role", "viewer", "--password-stdin", stdin="correct horse\n"
    )
    assert "correct horse" not in result.output
    assert sign_in(database, "ada@example.org", "correct horse").role == "viewer"


@pytest.mark.parametrize(
    ("words", "stdin", "sentence"),
    [
        (("add", "ada", "--role", "admin"), "", "not an e-mail address"),
        (("add", "a@b.org", "--role", "admin", "--password-stdin"), "x\n", "at least 8"),
        (("link", "nobody@example.org"), "", "no user nobody@example.org"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(run, database, words, stdin, sentence):
    result = run(*words, stdin=stdin)
    assert isinstance(result.exception, AppError)
    assert sentence in str(result.exception)
    with database.read.begin() as db:
        assert find_user(db, "a@b.org") is None


def test_an_unknown_role_is_a_usage_error(run):
    assert run("add", "ada@example.org", "--role", "king").exit_code == 2


def test_another_link_signs_the_same_user_in(run, client):
    run("add", "ada@example.org", "--role", "researcher")
    link = ADDRESS.search(run("link", "ada@example.org").output).group(1)
    assert client.post(link).status_code == 303
