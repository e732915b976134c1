"""The runner plays side by side what can be, everything once, and void games again."""

from __future__ import annotations

from collections import Counter

import trio
from trio.testing import MockClock

from quoridor_net.rules import Termination
from quoridor_net.tournament import Began, Event, Finished, Pairing, Verdict, play_schedule, round_robin
from quoridor_net.tournament.runner import ATTEMPTS

FIRST_WINS = Verdict((1.0, 0.0), Termination.NO_MOVES, "The first wins.", 1)
VOID = Verdict((0.0, 0.0), Termination.ABORTED, "The game was aborted.")


def ignore(event: Event) -> None:
    pass


async def test_tables_play_side_by_side_and_nobody_twice_at_once(autojump_clock: MockClock) -> None:
    playing: set[int] = set()
    most = 0
    events: list[Event] = []

    async def play(pairing: Pairing) -> Verdict:
        nonlocal most
        assert playing.isdisjoint(pairing.seats)
        playing.update(pairing.seats)
        most = max(most, len(playing))
        await trio.sleep(1)
        playing.difference_update(pairing.seats)
        return FIRST_WINS

    await play_schedule(round_robin(8, 2), play, events.append)
    assert most == 8
    assert trio.current_time() < 14 + 1
    assert Counter(type(event) for event in events) == {Began: 56, Finished: 56}
    assert {event.game for event in events if isinstance(event, Finished)} == set(range(1, 57))


async def test_nobody_waits_for_the_slowest_table(autojump_clock: MockClock) -> None:
    async def play(pairing: Pairing) -> Verdict:
        await trio.sleep(100 if 1 in pairing.seats else 1)
        return FIRST_WINS

    started = trio.current_time()
    await play_schedule(round_robin(6, 1), play, ignore)
    assert trio.current_time() - started < 5 * 100 + 5


async def test_a_void_game_is_played_again_but_not_for_ever(autojump_clock: MockClock) -> None:
    events: list[Event] = []

    async def play(pairing: Pairing) -> Verdict:
        await trio.sleep(1)
        begun = sum(event == Began(pairing.number) for event in events)
        return VOID if pairing.number == 1 or begun == 1 else FIRST_WINS

    await play_schedule(round_robin(2, 2), play, events.append)
    assert events.count(Finished(1, VOID)) == ATTEMPTS
    assert events.count(Finished(2, VOID)) == 1
    assert events.count(Finished(2, FIRST_WINS)) == 1


async def test_nothing_to_play() -> None:
    async def play(pairing: Pairing) -> Verdict:
        raise AssertionError(pairing)

    await play_schedule((), play, ignore)
