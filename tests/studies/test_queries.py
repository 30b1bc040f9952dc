"""Studies are found by name; their documents are checked once."""

import pytest
from sqlalchemy import select

from app.auth.models import Role
from app.errors import NotFound
from app.studies.models import Study, StudyVersion
from app.studies.queries import (
    count_versions,
    document_of,
    find_study,
    get_current_version,
    get_study,
    list_studies,
    list_study_clips,
)
from tests.factories.platform import NOW, make_document, make_study, make_user


def test_a_study_is_found_by_its_slug(database):
    with database.write.begin() as db:
        study = make_study(db, slug="one")
        assert find_study(db, "one") is study
        assert find_study(db, "one", lock=True) is study
        assert get_study(db, "one") is study


@pytest.mark.parametrize("slug", ["other", "", "ONE", "one\0", "one ", "o" * 10_000, "'--", "ö"])
def test_an_unknown_slug_is_not_found_whatever_it_holds(database, slug):
    with database.write.begin() as db:
        make_study(db, slug="one")
        assert find_study(db, slug) is None
        with pytest.raises(NotFound, match="There is no study"):
            get_study(db, slug)


def test_studies_are_listed_newest_first_with_their_owners(database):
    with database.write.begin() as db:
        for slug in ("one", "two"):
            make_study(db, slug=slug, owner=make_user(db, f"{slug}@example.org"))
    with database.read.begin() as db:
        assert [(s.slug, s.owner.email) for s in list_studies(db)] == [
            ("two", "two@example.org"),
            ("one", "one@example.org"),
        ]


def test_a_researcher_is_listed_only_their_own_studies(database):
    with database.write.begin() as db:
        researcher = make_user(db)
        make_study(db, owner=researcher, slug="mine")
        make_study(db, slug="other")
        assert [study.slug for study in list_studies(db, researcher)] == ["mine"]
        for role in (Role.admin, Role.viewer):
            assert len(list_studies(db, make_user(db, role=role))) == 2


def test_the_current_version_is_the_newest(database):
    with database.write.begin() as db:
        study, other = make_study(db, slug="one"), make_study(db, slug="two")
        document = make_document()
        for number in (3, 2):
            db.add(
                StudyVersion(
                    study_id=study.id,
                    number=number,
                    yaml="",
                    document=document.model_dump(mode="json"),
                    document_hash=document.document_hash(),
                    created_at=NOW,
                )
            )
        db.flush()
        assert get_current_version(db, study).number == 3
        assert get_current_version(db, other).number == 1
        assert (count_versions(db, study), count_versions(db, other)) == (3, 1)


def test_clips_are_listed_in_the_documents_order_with_their_films(database):
    with database.write.begin() as db:
        make_study(db, n_clips=12)
    with database.read.begin() as db:
        rows = list_study_clips(db, db.scalars(select(Study)).one())
        assert [row.name for row in rows] == [f"clip-{n}" for n in range(1, 13)]
        assert all(row.clip.state == "ready" for row in rows)


def test_a_stored_document_is_the_one_that_was_written(database):
    with database.write.begin() as db:
        make_study(db, texts={"question": "Is it — real?"}, minutes=4)
    with database.read.begin() as db:
        version = db.scalars(select(StudyVersion)).one()
        document = document_of(version)
        assert document == make_document(texts={"question": "Is it — real?"}, minutes=4)
        assert document.document_hash() == version.document_hash
        assert document_of(version) is document
