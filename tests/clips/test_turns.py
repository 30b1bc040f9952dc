"""Nobody holds all turns."""

import asyncio

from app.clips.turns import ReadingTurns
from tests.factories.waiting import run_async


async def hold(turns, user_id, name, entered, leave):
    async with turns.turn(user_id):
        entered.append(name)
        await leave.wait()


async def let_them_start():
    for _ in range(10):
        await asyncio.sleep(0)


def test_who_has_sent_two_reads_one_and_leaves_the_other_turn_to_others():
    async def act():
        turns, entered, leave = ReadingTurns(2), [], asyncio.Event()
        people = [(1, "ada"), (1, "ada again"), (2, "bob"), (3, "eve")]
        tasks = [asyncio.create_task(hold(turns, *one, entered, leave)) for one in people]
        await let_them_start()
        first = list(entered)
        leave.set()
        await asyncio.gather(*tasks)
        return first, entered

    first, entered = run_async(act())
    assert first == ["ada", "bob"]
    assert sorted(entered) == ["ada", "ada again", "bob", "eve"]
