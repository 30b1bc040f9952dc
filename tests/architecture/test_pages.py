"""A page is a dataclass, and its template mentions exactly its fields."""

from dataclasses import fields

import pytest
from jinja2 import meta

import app.main  # noqa: F401  every room's pages are loaded
from app.web import Page, templates

EVERYWHERE = {"static"}


def subclasses(kind: type[Page]) -> list[type[Page]]:
    """Pages at any depth that have a template of their own."""
    below = [page for child in kind.__subclasses__() for page in [child, *subclasses(child)]]
    return [page for page in below if "template" in vars(page)]


def mentioned(name: str) -> set[str]:
    """Names a template uses, through its layout and parts."""
    engine = templates()
    tree = engine.parse(engine.loader.get_source(engine, name)[0])
    names = meta.find_undeclared_variables(tree)
    for other in meta.find_referenced_templates(tree):
        names |= mentioned(other)
    return names


@pytest.mark.parametrize("page", subclasses(Page), ids=lambda page: page.__name__)
def test_a_page_gives_its_template_exactly_what_it_mentions(page):
    assert mentioned(page.template) - EVERYWHERE == {field.name for field in fields(page)}


def test_every_template_belongs_to_a_page_or_is_a_part_or_layout():
    whole = {name for name in templates().list_templates() if "/_" not in name}
    pages = {page.template for page in subclasses(Page)}
    assert {name for name in whole - pages if not name.startswith("layouts/")} == set()


@pytest.mark.parametrize("name", templates().list_templates())
def test_a_template_compiles(name):
    templates().get_template(name)
