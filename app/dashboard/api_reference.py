"""The page of the API, drawn from the same description that programs read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

MEANINGS = {"slug": "The study's name in its address.", "key": "The upload's key."}


@dataclass(frozen=True, slots=True)
class Parameter:
    """What an address needs or takes."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One thing to ask."""

    anchor: str
    method: str
    path: str
    summary: str
    description: str
    answer: str
    parameters: tuple[Parameter, ...]
    example: str


def list_endpoints(schema: Mapping[str, Any], base_url: str) -> list[Endpoint]:
    """Every operation of an OpenAPI description, with a line for curl."""
    return list(_endpoints(schema, base_url.rstrip("/")))


def _endpoints(schema: Mapping[str, Any], base_url: str) -> Iterator[Endpoint]:
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            yield Endpoint(
                anchor=operation["operationId"],
                method=method.upper(),
                path=path,
                summary=operation["summary"],
                description=operation.get("description", ""),
                answer=", ".join(_success(operation).get("content", {})),
                parameters=tuple(_parameter(part) for part in operation.get("parameters", ())),
                example=_example(method.upper(), base_url + path, operation),
            )


def _success(operation: Mapping[str, Any]) -> Mapping[str, Any]:
    """What is answered if all is well: 200, or 201 where something was made."""
    answers: Mapping[str, Any] = operation["responses"]
    return next(answer for status, answer in answers.items() if status.startswith("2"))


def _parameter(part: Mapping[str, Any]) -> Parameter:
    return Parameter(part["name"], part.get("description") or MEANINGS.get(part["name"], ""))


def _example(method: str, address: str, operation: Mapping[str, Any]) -> str:
    words = ["curl"]
    if method != "GET":
        words.append(f"-X {method}")
    if "security" in operation:
        words.append('-H "Authorization: Bearer $ROADRATER_TOKEN"')
    for kind in operation.get("requestBody", {}).get("content", {}):
        if kind == "multipart/form-data":
            words.append("-F files=@tracks.csv -F files=@map.osm")
        else:
            words.append(f'-H "Content-Type: {kind}" --data-binary @ratings.csv')
    return " ".join([*words, address.replace("{slug}", "my-study")])
