"""Who watches a study hears of every change."""

import asyncio
import time

import pytest

from app.dashboard.events import Hub
from tests.factories.answers import answer_clips, rate_study, sit_down
from tests.factories.platform import make_study
from tests.factories.waiting import run_async

INTERVAL_S = 0.05
SOON_S = 5.0


@pytest.fixture
def study(database):
    with database.write.begin() as db:
        study = make_study(db, n_clips=2)
        rate_study(db, study, [[1, 5], [2, 5]])
    return study


def rate_once_more(database, study) -> None:
    with database.write.begin() as db:
        answer_clips(db, sit_down(db, study), [1])


async def next_of(states):
    return await asyncio.wait_for(anext(states), SOON_S)


def test_a_listener_gets_the_state_at_once_and_every_change_soon_after(database, study):
    async def watch():
        hub = Hub(database, INTERVAL_S)
        states = hub.listen(study.id)
        assert (await next_of(states)).n_ratings == 4
        await asyncio.to_thread(rate_once_more, database, study)
        committed_s = time.monotonic()
        assert (await next_of(states)).n_ratings == 5
        assert time.monotonic() - committed_s < 5.0  # bench/bench_live.py measures it
        await states.aclose()

    run_async(watch())


def test_nothing_is_sent_while_nothing_happens(database, study):
    async def watch():
        states = Hub(database, INTERVAL_S).listen(study.id)
        await next_of(states)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(anext(states), 5 * INTERVAL_S)

    run_async(watch())


def test_a_study_is_looked_at_once_for_all_listeners_and_only_while_there_are_any(database, study):
    async def watch():
        hub = Hub(database, INTERVAL_S)
        assert hub.watched == frozenset()
        first, second = hub.listen(study.id), hub.listen(study.id)
        assert await next_of(first) is await next_of(second)
        await first.aclose()
        assert hub.watched == {study.id}
        await second.aclose()
        assert hub.watched == frozenset()

    run_async(watch())


def test_who_is_slow_misses_states_but_never_the_last(database, study):
    async def watch():
        states = Hub(database, INTERVAL_S).listen(study.id)
        await next_of(states)
        for _ in range(3):
            await asyncio.to_thread(rate_once_more, database, study)
            await asyncio.sleep(3 * INTERVAL_S)
        assert (await next_of(states)).n_ratings == 7
        await states.aclose()

    run_async(watch())


def test_closing_ends_every_stream(database, study):
    async def watch():
        hub = Hub(database, INTERVAL_S)
        states = hub.listen(study.id)
        await next_of(states)
        waiting = asyncio.ensure_future(anext(states, "ended"))
        await asyncio.sleep(0)
        await hub.close()
        assert await asyncio.wait_for(waiting, SOON_S) == "ended"

    run_async(watch())


def test_a_stream_ends_after_a_while_so_that_the_reader_is_asked_again_who_it_is(database, study):
    async def watch():
        states = Hub(database, INTERVAL_S).listen(study.id, stream_s=2.0)
        return [state.n_ratings async for state in states]

    assert run_async(watch()) == [4]


def test_when_looking_fails_the_streams_end_instead_of_waiting_for_ever(database, study):
    async def watch():
        hub = Hub(database, INTERVAL_S)
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        return [state async for state in hub.listen(study_id=999_999)]

    assert run_async(watch()) == []
