"""INSERT that knows what to do when the row is already there, on both databases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.db import Base
from app.participants.models import ClipCount


def insert_unless_there(
    db: Session, table: type[Base], values: Mapping[str, Any], unique: InstrumentedAttribute[Any]
) -> bool:
    """Insert the row; False if the unique column's value was there first, also in a race."""
    statement = _insert(db, table).values(values).on_conflict_do_nothing(index_elements=[unique])
    return db.scalar(statement.returning(unique)) is not None


def add_to_count(db: Session, study_clip_id: int, answer: int) -> None:
    """One more rater gave this clip this answer."""
    values = {"study_clip_id": study_clip_id, "answer": answer, "n": 1}
    db.execute(
        _insert(db, ClipCount)
        .values(values)
        .on_conflict_do_update(
            index_elements=[ClipCount.study_clip_id, ClipCount.answer],
            set_={"n": ClipCount.n + 1},
        )
    )


def _insert(db: Session, table: type[Base]) -> postgresql.Insert | sqlite.Insert:
    if db.get_bind().dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)
