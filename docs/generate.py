"""Writes the pages of docs/ that are made from the code: `make docs`."""

import json
from pathlib import Path

from app.config import Settings
from app.scenes.formats.canonical import CANONICAL_SCHEMA
from app.studies.schema import field_tables, schema_text

DOCS = Path(__file__).parent

FIELDS_START = "<!-- fields: written by `make docs` -->"
FIELDS_END = "<!-- end of fields -->"

SETTINGS_HEAD = """\
# Settings

Every setting is an environment variable; a command's own options (`--host`, `--port`, `--data` …)
win over it. Made from `app/config.py` by `make docs`.

| variable | default | meaning |
|---|---|---|
"""


def settings_page() -> str:
    """One row per setting."""
    rows = [
        f"| `ROADRATER_{name.upper()}` | `{field.default}` | {field.description} |"
        for name, field in Settings.model_fields.items()
    ]
    return SETTINGS_HEAD + "\n".join(rows) + "\n"


def study_document_page() -> str:
    """The page as it is, with the tables of fields made anew."""
    page = (DOCS / "study_document.md").read_text(encoding="utf-8")
    before, _, rest = page.partition(FIELDS_START)
    after = rest.partition(FIELDS_END)[2]
    return f"{before}{FIELDS_START}\n\n{field_tables()}\n{FIELDS_END}{after}"


def scene_schema_text() -> str:
    """The canonical scene file, for editors and programs."""
    return json.dumps(CANONICAL_SCHEMA, indent=2, ensure_ascii=False) + "\n"


PAGES = {
    "scene.schema.json": scene_schema_text,
    "settings.md": settings_page,
    "study.schema.json": schema_text,
    "study_document.md": study_document_page,
}

if __name__ == "__main__":
    for name, make in PAGES.items():
        (DOCS / name).write_text(make(), encoding="utf-8")
