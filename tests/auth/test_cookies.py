"""The cookie is out of reach of scripts and other sites."""

import pytest
from fastapi import Response

from app.auth.cookies import clear_session_cookie, cookie_name, set_session_cookie
from app.config import Settings


@pytest.mark.parametrize("secure", [False, True])
def test_no_script_reads_the_cookie_and_no_other_site_sends_it(tmp_path, secure):
    response = Response()
    settings = Settings(data_dir=tmp_path, secure_cookies=secure, session_hours=2)
    set_session_cookie(response, settings, "secret")
    words = response.headers["set-cookie"].split("; ")
    assert words[0] == f"{cookie_name(settings)}=secret"
    assert {"HttpOnly", "SameSite=lax", "Path=/", "Max-Age=7200"} <= set(words)
    assert ("Secure" in words) == secure
    assert cookie_name(settings).startswith("__Host-") == secure


def test_clearing_takes_the_cookie_away(tmp_path):
    response = Response()
    clear_session_cookie(response, Settings(data_dir=tmp_path))
    assert "Max-Age=0" in response.headers["set-cookie"]
