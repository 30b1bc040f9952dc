"""The pages share one hub and one queue with the application."""

from fastapi import Request

from app.dashboard.access import get_hub, get_jobs


def test_a_page_gets_the_application_s_hub_and_queue(client):
    request = Request({"type": "http", "app": client.app})
    assert get_hub(request) is client.app.state.hub
    assert get_jobs(request) is client.app.state.jobs
