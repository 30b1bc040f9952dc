"""From the commit of a rating to its event on an open live page, by the size of the study.

Prints milliseconds beside the interval at which a watched study is looked at, which is the floor
that waiting for the next look sets: on average half of it, at most the whole.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from app.cli.context import prepare  # noqa: E402
from app.config import Settings  # noqa: E402
from app.dashboard.events import Hub  # noqa: E402
from app.dashboard.live_agreement import summarise_now  # noqa: E402
from app.db import Database, open_database  # noqa: E402
from tests.factories.answers import answer_clips, rate_study, sit_down  # noqa: E402
from tests.factories.platform import make_study  # noqa: E402

SIZES = ((36, 30), (36, 300), (1000, 30))
RATINGS = 20


async def main() -> None:
    print("| clips | ratings before | median ms | slowest ms | interval ms |")
    print("|---|---|---|---|---|")
    for n_clips, n_people in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            settings = Settings(data_dir=Path(folder))
            prepare(settings)
            database = open_database(settings.database)
            delays_ms = await measure(database, settings.live_interval_s, n_clips, n_people)
            database.close()
        print(
            f"| {n_clips:,} | {n_clips * n_people:,} | {statistics.median(delays_ms):.0f} | "
            f"{max(delays_ms):.0f} | {settings.live_interval_s * 1000:.0f} |"
        )


async def measure(
    database: Database, interval_s: float, n_clips: int, n_people: int
) -> list[float]:
    """Milliseconds from each commit until a listener has the new kappa."""
    with database.write.begin() as db:
        study = make_study(db, n_clips=n_clips)
        rate_study(db, study, [[1 + (i + j) % 5 for j in range(n_clips)] for i in range(n_people)])
        sitting = sit_down(db, study)
    hub = Hub(database, interval_s)
    states = hub.listen(study.id)
    await anext(states)
    delays_ms = []
    for number in range(RATINGS):
        await asyncio.sleep(0.137 * (number % 3))  # not in step with the looks
        with database.write.begin() as db:
            answer_clips(db, sitting, [3])
        committed_s = time.monotonic()
        summarise_now(await anext(states))
        delays_ms.append((time.monotonic() - committed_s) * 1000)
    await states.aclose()
    await hub.close()
    return delays_ms


asyncio.run(main())
