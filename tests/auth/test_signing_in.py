"""Signing in by password or by a one-time link, and signing out."""

import time
from datetime import timedelta
from threading import Barrier, Thread

import pytest
from sqlalchemy import func, select

from app.auth.accounts import add_user
from app.auth.models import LoginSession, Role, SignInLink
from app.auth.passwords import few_at_a_time
from app.auth.queries import find_signed_in_user
from app.auth.signing_in import (
    LinkNotUsable,
    WrongSignIn,
    end_session,
    make_sign_in_link,
    sign_in,
    start_session,
    use_sign_in_link,
)
from tests.factories.platform import NOW, make_user


def test_the_right_password_signs_in(database):
    with database.write.begin() as db:
        add_user(db, "ada@example.org", Role.admin, "correct horse", NOW)
    assert sign_in(database, "Ada@example.org", "correct horse").email == "ada@example.org"


def test_a_wrong_password_an_unknown_user_and_a_user_without_password_are_told_the_same(database):
    with database.write.begin() as db:
        add_user(db, "ada@example.org", Role.admin, "correct horse", NOW)
        add_user(db, "bob@example.org", Role.admin, None, NOW)
    sentences = set()
    for email in ("ada@example.org", "bob@example.org", "nobody@example.org"):
        with pytest.raises(WrongSignIn) as refused:
            sign_in(database, email, "wrong horse")
        sentences.add(str(refused.value))
    assert len(sentences) == 1


def test_who_waits_for_a_comparison_holds_no_connection(database):
    with database.write.begin() as db:
        add_user(db, "ada@example.org", Role.admin, "correct horse", NOW)
    people = [
        Thread(target=sign_in, args=(database, "ada@example.org", "correct horse"))
        for _ in range(5)
    ]
    with few_at_a_time, few_at_a_time:
        for person in people:
            person.start()
        time.sleep(0.5)
        assert all(person.is_alive() for person in people)
        assert [engine.pool.checkedout() for engine in database.engines] == [
            0 for _ in database.engines
        ]
    for person in people:
        person.join()


def test_a_session_ends_when_it_is_ended_and_no_other(database):
    with database.write.begin() as db:
        user = make_user(db)
        here, there = (start_session(db, user, NOW, hours=1) for _ in range(2))
    with database.write.begin() as db:
        end_session(db, here)
    with database.read.begin() as db:
        assert find_signed_in_user(db, here, NOW) is None
        assert find_signed_in_user(db, there, NOW).id == user.id


def test_expired_sessions_and_links_are_swept_away(database):
    with database.write.begin() as db:
        user = make_user(db)
        start_session(db, user, NOW, hours=1)
        make_sign_in_link(db, user, NOW, minutes=1)
    later = NOW + timedelta(hours=2)
    with database.write.begin() as db:
        start_session(db, user, later, hours=1)
        make_sign_in_link(db, user, later, minutes=1)
    with database.read.begin() as db:
        assert db.scalar(select(func.count()).select_from(LoginSession)) == 1
        assert db.scalar(select(func.count()).select_from(SignInLink)) == 1


def test_a_link_signs_in_once(database):
    with database.write.begin() as db:
        user = make_user(db)
        token = make_sign_in_link(db, user, NOW, minutes=5)
    with database.write.begin() as db:
        assert use_sign_in_link(db, token, NOW).id == user.id
    with database.write.begin() as db, pytest.raises(LinkNotUsable, match="has been used"):
        use_sign_in_link(db, token, NOW)


def test_a_link_that_has_expired_or_was_guessed_signs_nobody_in(database):
    with database.write.begin() as db:
        token = make_sign_in_link(db, make_user(db), NOW, minutes=5)
    for attempt, now in ((token, NOW + timedelta(minutes=6)), ("guessed", NOW)):
        with database.write.begin() as db, pytest.raises(LinkNotUsable):
            use_sign_in_link(db, attempt, now)


def test_of_two_that_race_for_a_link_one_gets_it(database):
    with database.write.begin() as db:
        token = make_sign_in_link(db, make_user(db), NOW, minutes=5)
    outcomes = []
    together = Barrier(2)

    def race() -> None:
        together.wait()
        try:
            with database.write.begin() as db:
                use_sign_in_link(db, token, NOW)
            outcomes.append("in")
        except LinkNotUsable:
            outcomes.append("out")

    threads = [Thread(target=race) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["in", "out"]
