"""The whole application: probes, static files, limits, headers."""

import pytest


def test_the_process_says_that_it_lives(client):
    assert client.get("/healthz").json() == {"status": "alive"}


def test_ready_means_that_the_database_answers(client):
    assert client.get("/readyz").json() == {"status": "ready"}


def test_a_static_file_with_its_hash_may_be_kept_for_ever(client):
    answer = client.get("/static/css/tokens.css?v=abc")
    assert "immutable" in answer.headers["cache-control"]
    assert "immutable" not in client.get("/static/css/tokens.css").headers["cache-control"]


def test_an_oversized_body_is_refused_before_anything_reads_it(client):
    answer = client.post("/study/x/start", content=b"x" * 1_000_001)
    assert answer.status_code == 413


def test_every_page_carries_the_content_security_policy(client):
    for path in ("/admin/login", "/study/nowhere", "/static/css/base.css", "/healthz"):
        assert "default-src 'none'" in client.get(path).headers["content-security-policy"]


def test_the_bare_address_leads_to_the_desk(client):
    assert client.get("/").headers["location"] == "/admin"


@pytest.mark.parametrize("path", ["/docs", "/redoc", "/openapi.json"])
def test_pages_that_would_load_from_other_hosts_are_not_there(client, path):
    assert client.get(path).status_code == 404
