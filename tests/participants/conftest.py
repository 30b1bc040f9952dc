"""A study to take part in, and a person who takes part over HTTP without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape

import pytest
from fastapi.testclient import TestClient
from httpx import Response
from sqlalchemy.orm import Session

from app.db import Database
from app.participants.consent import agree
from app.participants.enrolment import enrol
from app.participants.models import Sitting
from app.studies.models import Study
from app.studies.queries import get_current_version
from tests.factories.platform import NOW, make_study


@pytest.fixture
def study(database: Database) -> Study:
    """An open study of three clips in fixed order."""
    with database.write.begin() as db:
        return make_study(db)


@pytest.fixture
def make_sitting() -> Callable[..., Sitting]:
    """A sitting that has consented, unless told otherwise."""

    def make(db: Session, study: Study, consented: bool = True) -> Sitting:
        sitting = enrol(db, study, get_current_version(db, study), NOW)
        if consented:
            agree(db, sitting, True, NOW)
            db.flush()  # the assignments get their ids
        return sitting

    return make


@dataclass
class Person:
    """Reads pages and sends their forms."""

    client: TestClient
    link: str = ""

    def start(self, slug: str = "test-study") -> Response:
        page = self.client.get(f"/study/{slug}").text
        answer = self.client.post(f"/study/{slug}/start", data={"key": hidden(page, "key")})
        self.link = answer.headers["location"]
        return answer

    def agree(self) -> Response:
        return self.client.post(f"{self.link}/consent", data={"decision": "agree", "agree": "true"})

    def decline(self) -> Response:
        return self.client.post(f"{self.link}/consent", data={"decision": "decline"})

    def look(self) -> Response:
        return self.client.get(self.link)

    def waiting_for(self) -> str:
        return hidden(self.look().text, "assignment_id")

    def rate(self, answer: object = 4, assignment_id: object = None, **more: object) -> Response:
        assignment_id = assignment_id or self.waiting_for()
        form = {"assignment_id": assignment_id, "answer": answer, **more}
        return self.client.post(f"{self.link}/ratings", data=form)


@pytest.fixture
def person(client: TestClient, study: Study) -> Person:
    """Somebody who has started and consented."""
    someone = Person(client)
    someone.start()
    someone.agree()
    return someone


@pytest.fixture
def newcomer(client: TestClient, study: Study) -> Person:
    """Somebody who has not been here yet."""
    return Person(client)


def hidden(page: str, name: str) -> str:
    """The value of a hidden field."""
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found, f"no field {name} in {page}"
    return unescape(found.group(1))
