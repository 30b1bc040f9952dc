"""Files are where a newcomer looks for them, under names that say what is inside."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BANNED = {"utils", "helpers", "common", "misc", "base", "manager", "handler", "data", "info", "tmp"}
MODULES = sorted(p.relative_to(ROOT / "app") for p in (ROOT / "app").rglob("*.py"))
# Tables, pages and forms are proved by the acts and routes that use them.
WITHOUT_OWN_TEST = {"__init__.py", "__main__.py", "models.py", "pages.py", "forms.py"}


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_a_module_is_not_called_something_that_says_nothing(module):
    assert module.stem not in BANNED


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_a_module_fits_on_a_few_screens(module):
    lines = (ROOT / "app" / module).read_text().count("\n")
    assert lines <= 320, f"{module} has {lines} lines"


@pytest.mark.parametrize("module", [m for m in MODULES if m.name not in WITHOUT_OWN_TEST], ids=str)
def test_a_module_has_its_test_at_the_same_place(module):
    assert (ROOT / "tests" / module.parent / f"test_{module.name}").is_file()


def test_a_test_of_a_room_tests_a_module_of_that_room():
    rooms = {p.name for p in (ROOT / "app").iterdir() if p.is_dir()}
    for test in (ROOT / "tests").rglob("test_*.py"):
        place = test.relative_to(ROOT / "tests")
        if place.parts[0] in rooms and place.name not in ACROSS_MODULES:
            module = ROOT / "app" / place.parent / place.name.removeprefix("test_")
            assert module.is_file(), f"{place} tests nothing that is there"


# Tests of a whole room: invariances, cross-checks against other libraries, attacks.
ACROSS_MODULES = {
    "test_against_libraries.py",
    "test_hostile.py",
    "test_invariances.py",
    "test_published.py",
    "test_samples.py",
}
