"""Writes the pages of docs/ that are made from the code: `python docs/generate.py` or `make docs`."""

from pathlib import Path

from app.config import Settings
from app.studies.schema import schema_text

DOCS = Path(__file__).parent

SETTINGS_HEAD = """\
# Settings

Every setting is an environment variable; nothing else configures Roadrater. Made from `app/config.py` by `make docs`.

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


PAGES = {"settings.md": settings_page, "study.schema.json": schema_text}

if __name__ == "__main__":
    for name, make in PAGES.items():
        (DOCS / name).write_text(make(), encoding="utf-8")
