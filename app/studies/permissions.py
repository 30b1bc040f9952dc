"""Who may do what: admins everything, researchers with their own studies, viewers look at all."""

from __future__ import annotations

from app.auth.models import Role, User
from app.studies.models import Study


def may_read(user: User, study: Study) -> bool:
    """Whether the study exists for this user."""
    return user.role in (Role.admin, Role.viewer) or study.owner_id == user.id


def may_write(user: User, study: Study) -> bool:
    """Whether this user may change, open and close the study."""
    return user.role == Role.admin or (user.role == Role.researcher and study.owner_id == user.id)
