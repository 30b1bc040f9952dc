import pytest
from fastapi.responses import Response

from app.config import Settings
from app.participants.cookies import forget_sitting, remember_sitting
from app.participants.models import Sitting
from app.studies.models import Study

SITTING = Sitting(token="t" * 43, study=Study(slug="my-study"))


@pytest.mark.parametrize("secure", [True, False])
def test_the_cookie_is_for_the_start_page_of_its_study_and_out_of_reach_of_scripts(secure):
    answer = Response()
    remember_sitting(answer, Settings(secure_cookies=secure), SITTING)
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"sitting={SITTING.token};")
    assert "Path=/study/my-study;" in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert ("Secure" in cookie) == secure


def test_a_forgotten_sitting_leaves_no_token():
    answer = Response()
    forget_sitting(answer, Settings(), SITTING)
    cookie = answer.headers["set-cookie"]
    assert SITTING.token not in cookie
    assert "Max-Age=0" in cookie
