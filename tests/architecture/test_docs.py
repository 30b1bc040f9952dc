"""The docs are true: generated pages are current, files exist, commands explain themselves."""

import importlib.util
import re
from pathlib import Path

import pytest
import typer

from app.cli.commands import commands
from app.scenes.formats.canonical import decode_scene
from app.scenes.formats.files import SourceFile
from app.scenes.formats.kinds import FileKind
from app.scenes.formats.reader import TRACK_READERS, read_road_map, read_scene
from app.scenes.formats.recognition import recognise

ROOT = Path(__file__).parents[2]


def load_generator():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATED = load_generator().PAGES


@pytest.mark.parametrize("name", GENERATED)
def test_a_generated_page_is_current(name):
    written = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert written == GENERATED[name](), "run `make docs`"


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))], ids=lambda p: p.name
)
def test_every_file_and_link_that_a_page_names_exists(page):
    text = page.read_text(encoding="utf-8")
    paths = re.findall(r"`((?:app|templates|static|tests|migrations|bench|docs)/[\w./-]+)`", text)
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    missing = [path for path in paths if not (ROOT / path).exists()]
    missing += [link for link in links if not (page.parent / link).exists()]
    assert missing == []


def every_command(group, path=("roadrater",)):
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from every_command(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


COMMANDS = dict(every_command(typer.main.get_command(commands)))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_explains_itself_with_an_example_of_its_own(name):
    assert "Example:" in COMMANDS[name].help
    assert name in COMMANDS[name].help
    for parameter in COMMANDS[name].params:
        assert getattr(parameter, "help", "x"), f"{name} {parameter.name}"


def test_the_example_of_a_scene_file_is_one():
    page = (ROOT / "docs" / "scene_file.md").read_text(encoding="utf-8")
    example = page.partition("```json\n")[2].partition("```")[0]
    assert decode_scene(example.encode()).ego_id == "ego"


EXAMPLES = re.findall(
    r"```(csv|xml)\n(.*?)```", (ROOT / "docs" / "formats.md").read_text(encoding="utf-8"), re.DOTALL
)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example[1][:30])
def test_the_example_of_a_format_is_one(example):
    file = SourceFile.holding(f"example.{example[0]}", example[1].encode())
    if recognise(file) == FileKind.lanelet2:
        assert len(read_road_map(file).road_map.lanes) == 1
    else:
        assert read_scene([file]).scene.tracks


def test_every_format_that_is_read_has_an_example():
    kinds = {recognise(SourceFile.holding("x", text.encode())) for _, text in EXAMPLES}
    assert kinds >= set(TRACK_READERS) | {FileKind.lanelet2}
