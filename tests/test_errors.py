"""Each kind of error knows its status."""

import pytest

from app.errors import AppError, Conflict, Invalid, NotFound, Refused


@pytest.mark.parametrize(
    ("kind", "status"), [(NotFound, 404), (Refused, 403), (Conflict, 409), (Invalid, 422)]
)
def test_an_error_carries_its_status_and_sentence(kind, status):
    error = kind("There is no study called x.")
    assert isinstance(error, AppError)
    assert (error.status, str(error)) == (status, "There is no study called x.")
