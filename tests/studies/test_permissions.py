"""Who may look at and change whose studies."""

import pytest

from app.auth.models import Role, User
from app.studies.models import Study
from app.studies.permissions import may_read, may_write

OWN, FOREIGN = Study(owner_id=1), Study(owner_id=2)


@pytest.mark.parametrize(
    ("role", "study", "reads", "writes"),
    [
        (Role.admin, OWN, True, True),
        (Role.admin, FOREIGN, True, True),
        (Role.researcher, OWN, True, True),
        (Role.researcher, FOREIGN, False, False),
        (Role.viewer, OWN, True, False),
        (Role.viewer, FOREIGN, True, False),
    ],
)
def test_admins_may_all_researchers_their_own_and_viewers_look(role, study, reads, writes):
    user = User(id=1, role=role)
    assert (may_read(user, study), may_write(user, study)) == (reads, writes)
