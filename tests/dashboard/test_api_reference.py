"""The API's page is drawn from its description."""

from app.config import Settings
from app.dashboard.api_reference import list_endpoints
from app.main import create_app


def endpoints(tmp_path):
    schema = create_app(Settings(data_dir=tmp_path)).openapi()
    return {endpoint.path: endpoint for endpoint in list_endpoints(schema, "https://rate.example/")}


def test_every_address_has_a_summary_a_description_an_answer_and_an_example(tmp_path):
    found = endpoints(tmp_path)
    assert "/api/v1/studies/{slug}/responses.csv" in found
    for endpoint in found.values():
        assert endpoint.path.startswith("/api/v1/")
        assert all((endpoint.summary, endpoint.description, endpoint.answer))
        assert endpoint.example.endswith(endpoint.path.replace("{slug}", "my-study"))
        assert all(parameter.description for parameter in endpoint.parameters)


def test_the_example_carries_a_token_where_one_is_needed(tmp_path):
    found = endpoints(tmp_path)
    assert "Authorization: Bearer" in found["/api/v1/studies"].example
    assert "Authorization" not in found["/api/v1/study.schema.json"].example


def test_the_example_sends_a_file_where_one_is_asked_for(tmp_path):
    example = endpoints(tmp_path)["/api/v1/agreement"].example
    assert "-X POST" in example
    assert '-H "Content-Type: text/csv" --data-binary @ratings.csv' in example
    assert "Authorization: Bearer" in example


def test_the_example_of_a_form_sends_files_together(tmp_path):
    schema = create_app(Settings(data_dir=tmp_path)).openapi()
    (example,) = [
        endpoint.example
        for endpoint in list_endpoints(schema, "https://rate.example/")
        if (endpoint.method, endpoint.path) == ("POST", "/api/v1/scenes")
    ]
    assert "-X POST" in example
    assert "-F files=@tracks.csv -F files=@map.osm https://rate.example/api/v1/scenes" in example
