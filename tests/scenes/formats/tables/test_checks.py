from __future__ import annotations

import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.tables.blocks import read_table
from app.scenes.formats.tables.checks import (
    check_finite,
    check_named,
    check_not_infinite,
    check_sizes,
)
from tests.factories.tables import table

FILE = table("id,x\n1,0\n\n,nan\n3,-inf\n4,-2")
BLOCK = read_table(FILE, ["x"], ["id"])


@pytest.mark.parametrize(
    ("check", "sentence"),
    [
        (lambda: check_finite(FILE, BLOCK, ["x"]), "line 4: column 'x': there is no number"),
        (lambda: check_not_infinite(FILE, BLOCK, ["x"]), "line 5: column 'x': -inf is not finite"),
        (lambda: check_sizes(FILE, BLOCK, ["x"]), "line 5: column 'x': -inf is not finite"),
        (lambda: check_named(FILE, BLOCK, "id"), "line 4: column 'id': there is no id"),
    ],
)
def test_the_first_wrong_cell_is_named_with_its_line(check, sentence):
    with pytest.raises(SceneFormatError) as caught:
        check()
    assert str(caught.value) == f"tracks.csv: {sentence}"


def test_rows_that_do_not_count_may_be_empty():
    check_finite(FILE, BLOCK, ["x"], BLOCK.numbers["x"] == 0)
