"""Tables printed in the literature, with the values their sources or exact fractions give."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from app.agreement.ratings import RatingTable, read_ratings_csv

RATINGS = Path(__file__).parents[2].parent / "shared" / "data" / "ratings"

# Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological
# Bulletin 76(5), 378-382, table 1: 30 patients, 6 psychiatrists, 5 diagnoses.
FLEISS_1971: NDArray[np.int64] = np.array(
    [
        [0, 0, 0, 6, 0],
        [0, 3, 0, 0, 3],
        [0, 1, 4, 0, 1],
        [0, 0, 0, 0, 6],
        [0, 3, 0, 3, 0],
        [2, 0, 4, 0, 0],
        [0, 0, 4, 0, 2],
        [2, 0, 3, 1, 0],
        [2, 0, 0, 4, 0],
        [0, 0, 0, 0, 6],
        [1, 0, 0, 5, 0],
        [1, 1, 0, 4, 0],
        [0, 3, 3, 0, 0],
        [1, 0, 0, 5, 0],
        [0, 2, 0, 3, 1],
        [0, 0, 5, 0, 1],
        [3, 0, 0, 1, 2],
        [5, 1, 0, 0, 0],
        [0, 2, 0, 4, 0],
        [1, 0, 2, 0, 3],
        [0, 0, 0, 0, 6],
        [0, 1, 0, 5, 0],
        [0, 2, 0, 1, 3],
        [2, 0, 0, 4, 0],
        [1, 0, 0, 4, 1],
        [0, 5, 0, 1, 0],
        [4, 0, 0, 0, 2],
        [0, 2, 0, 4, 0],
        [1, 0, 5, 0, 0],
        [0, 0, 0, 0, 6],
    ]
)

# The worked example of the article "Fleiss' kappa" in Wikipedia: 10 subjects, 14 raters,
# 5 categories; it prints P̄ = 0.378, P_e = 0.213 and kappa = 0.210.
WIKIPEDIA: NDArray[np.int64] = np.array(
    [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]
)

# Krippendorff, K. (2011). Computing Krippendorff's Alpha-Reliability, example C, and Gwet,
# K. L. (2014), Handbook of Inter-Rater Reliability, 4th ed., table 2.10 ("four raters and
# 12 subjects"): the same 12 units, rows are units, columns raters, 0 where missing.
FOUR_RATERS: NDArray[np.int64] = np.array(
    [
        [1, 1, 0, 1],
        [2, 2, 3, 2],
        [3, 3, 3, 3],
        [3, 3, 3, 3],
        [2, 2, 2, 2],
        [1, 2, 3, 4],
        [4, 4, 4, 4],
        [1, 1, 2, 1],
        [2, 2, 2, 2],
        [0, 5, 5, 5],
        [0, 0, 1, 1],
        [0, 3, 0, 0],
    ]
)

# Shrout, P. E. and Fleiss, J. L. (1979). Intraclass correlations: uses in assessing rater
# reliability. Psychological Bulletin 86(2), 420-428, table 2: 6 targets, 4 judges.
SHROUT_FLEISS_1979: NDArray[np.int64] = np.array(
    [
        [9, 2, 5, 8],
        [6, 1, 3, 2],
        [8, 4, 6, 8],
        [7, 1, 2, 6],
        [10, 5, 6, 9],
        [6, 2, 4, 7],
    ]
)


def real_ratings(name: str) -> RatingTable:
    """One of the two real sets, or a skip where they are not at hand."""
    path = RATINGS / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"the sample ratings {path.name} are not beside this checkout")
    with path.open(newline="") as lines:
        return read_ratings_csv(lines, categories=5)


def long_csv(table: RatingTable) -> list[str]:
    """The table as the lines of a CSV file."""
    return ["clip,rater,rating"] + [
        f"{table.clips[c]},{table.raters[r]},{x}"
        for c, r, x in zip(table.clip_index, table.rater_index, table.rating, strict=True)
    ]
