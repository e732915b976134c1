"""The runner plays games concurrently, each once, and replays void games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

import attrs
import pytest
import trio
from trio.testing import MockClock

from quoridor_net.match import GameEnded, GameStarted
from quoridor_net.match import Listener as GameListener
from quoridor_net.outcome import Result, Termination
from quoridor_net.rules import Position
from quoridor_net.tournament import (
    EntrantJoined,
    EntrantWithdrawn,
    Event,
    GameEvent,
    GameResult,
    Listener,
    Pairing,
    Play,
    RoundPaired,
    Tournament,
    TournamentEnded,
    TournamentResumed,
    TournamentStarted,
    TournamentState,
    TournamentStopping,
)
from quoridor_net.tournament.errors import ShortageError
from quoridor_net.tournament.formats import Field, Format, FourPlayer, Round, RoundRobin
from quoridor_net.tournament.schedule import ATTEMPTS
from tests.support.tournament_events import NAMES, end_game, round_robin, start_game

FIRST_WINS = Result(1, Termination.NO_MOVES, "The first wins.", 1)
VOID = Result(None, Termination.ABORTED, "The game was aborted.", 0)


def begin(listener: GameListener) -> None:
    listener(GameStarted(NAMES, Position(), 30.0, 1000))


def end(listener: GameListener, result: Result) -> Result:
    listener(GameEnded(result, NAMES, Position()))
    return result


async def play_tournament(
    entrants: int, games: int, play: Play, listeners: Iterable[Listener] = (), **settings: Any
) -> list[GameResult]:
    """Play a round robin and return its results."""
    names = tuple(f"e{number}" for number in range(entrants))
    start = TournamentStarted("hex", names)
    tournament = Tournament(start, RoundRobin(games), play, listeners, **settings)
    assert await tournament.run()
    return tournament.state.results()


async def test_tables_run_concurrently_without_shared_entrants(autojump_clock: MockClock) -> None:
    playing: set[int] = set()
    most = 0
    events: list[Event] = []

    async def play(pairing: Pairing, listener: GameListener) -> Result:
        nonlocal most
        begin(listener)
        assert playing.isdisjoint(pairing.seats)
        playing.update(pairing.seats)
        most = max(most, len(playing))
        await trio.sleep(1)
        playing.difference_update(pairing.seats)
        return end(listener, FIRST_WINS)

    results = await play_tournament(8, 2, play, [events.append])
    assert most == 8
    assert trio.current_time() < 14 + 1
    assert isinstance(events[0], TournamentStarted)
    assert events[-1] == TournamentEnded()
    games = [event for event in events if isinstance(event, GameEvent)]
    assert Counter(type(event.event) for event in games) == {GameStarted: 56, GameEnded: 56}
    assert len(events) == 2 + 14 + len(games)
    assert results == [(pairing, FIRST_WINS) for pairing in round_robin(8, 2)]


@pytest.mark.parametrize(
    ("concurrency", "capacities", "most"),
    [(None, {}, 1), (None, {1: 3, 2: 3}, 3), (2, {1: 3, 2: 3}, 2), (4, {1: 4}, 1)],
)
async def test_entrants_and_machine_limit_the_games_at_once(
    concurrency: int | None, capacities: dict[int, int], most: int, autojump_clock: MockClock
) -> None:
    running: list[int] = []
    seen = 0

    async def play(pairing: Pairing, listener: GameListener) -> Result:
        nonlocal seen
        begin(listener)
        running.append(pairing.number)
        seen = max(seen, len(running))
        # Games that start later end sooner.
        await trio.sleep(10 - pairing.number)
        running.remove(pairing.number)
        return end(listener, FIRST_WINS)

    results = await play_tournament(2, 6, play, concurrency=concurrency, capacities=capacities)
    assert seen == most
    assert [pairing.number for pairing, _ in results] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("capacities", "servers", "most"),
    [
        ((2, 2, 9, 9), {1: "s", 2: "s"}, 2),
        ((2, 3, 9, 9), {1: "s", 2: "s"}, 2),
        ((4, 4, 9, 9), {1: "s", 2: "s"}, 4),
        ((2, 2, 9, 9), {1: "s", 2: "t"}, 4),
        # Their games are played too, because leaving them out would gain nothing.
        ((1, 1, 9, 9), {1: "s", 2: "s"}, 2),
    ],
)
async def test_entrants_at_one_server_share_its_capacity(
    capacities: tuple[int, ...], servers: dict[int, str], most: int, autojump_clock: MockClock
) -> None:
    seats: Counter[int] = Counter()
    seen = 0

    async def play(pairing: Pairing, listener: GameListener) -> Result:
        nonlocal seen
        begin(listener)
        seats.update(pairing.seats)
        seen = max(seen, seats[1] + seats[2])
        await trio.sleep(pairing.number)
        seats.subtract(pairing.seats)
        return end(listener, FIRST_WINS)

    shared: dict[str, Any] = {"capacities": dict(enumerate(capacities, 1)), "servers": servers}
    assert len(await play_tournament(4, 4, play, **shared)) == 24
    assert seen == most


async def test_an_entrant_that_joins_shares_a_server_and_one_that_left_does_not(
    autojump_clock: MockClock,
) -> None:
    most: dict[bool, int] = {False: 0, True: 0}
    seats: Counter[int] = Counter()

    async def play(pairing: Pairing, listener: GameListener) -> Result:
        begin(listener)
        seats.update(pairing.seats)
        has_left = tournament.state.is_withdrawn(1)
        most[has_left] = max(most[has_left], sum(seats[entrant] for entrant in (1, 3)))
        await trio.sleep(1)
        seats.subtract(pairing.seats)
        return end(listener, FIRST_WINS)

    start = TournamentStarted("hex", ("ann", "bob"))
    tournament = Tournament(start, RoundRobin(20), play, capacities={1: 1, 2: 9}, servers={1: "s"})
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_after, 0.5, tournament.join, "cid", "host:1", 4, "s")
        nursery.start_soon(_after, 10.5, tournament.withdraw, 1)
        assert await tournament.run()
    assert most == {False: 1, True: 4}


async def test_a_server_that_an_entrant_left_is_free(autojump_clock: MockClock) -> None:
    at_once: list[int] = []

    async def play(pairing: Pairing, listener: GameListener) -> Result:
        begin(listener)
        at_once.append(tournament._running)
        await trio.sleep(1)
        return end(listener, FIRST_WINS)

    start = TournamentStarted("hex", ("ann", "bob", "cid", "dan"))
    tournament = Tournament(start, RoundRobin(8), play, servers={1: "s", 2: "s", 3: "s"})
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_after, 10.5, tournament.renew, 1, "2.0", "host:2", None, 1, "t")
        nursery.start_soon(_after, 10.5, tournament.renew, 2, "2.0", "host:3", None, 1, "u")
        assert await tournament.run()
    assert (max(at_once[:10]), max(at_once[-10:])) == (1, 2)


async def test_games_do_not_wait_for_the_slowest_table(autojump_clock: MockClock) -> None:
    async def play(pairing: Pairing, listener: GameListener) -> Result:
        begin(listener)
        await trio.sleep(100 if 1 in pairing.seats else 1)
        return end(listener, FIRST_WINS)

    started = trio.current_time()
    await play_tournament(6, 1, play)
    assert trio.current_time() - started < 5 * 100 + 5


async def test_a_void_game_is_replayed_only_a_few_times(autojump_clock: MockClock) -> None:
    events: list[Event] = []

    async def play(pairing: Pairing, listener: GameListener) -> Result:
        begin(listener)
        await trio.sleep(1)
        begun = events.count(start_game(pairing.number))
        return end(listener, VOID if pairing.number == 1 or begun == 1 else FIRST_WINS)

    start = TournamentStarted("hex", ("e0", "e1"))
    tournament = Tournament(start, RoundRobin(2), play, [events.append])
    assert not await tournament.run()
    assert events.count(end_game(1, VOID)) == ATTEMPTS
    assert events.count(end_game(2, VOID)) == 1
    assert tournament.undecided == {1: VOID.sentence}
    assert not tournament.state.is_over

    async def play_soundly(_pairing: Pairing, listener: GameListener) -> Result:
        begin(listener)
        return end(listener, FIRST_WINS)

    again = Tournament(start, RoundRobin(2), play_soundly, state=tournament.state)
    assert await again.run()
    assert [result for _, result in again.state.results()] == [FIRST_WINS] * 2


async def test_a_machine_without_room_plays_fewer_games_at_once(autojump_clock: MockClock) -> None:
    running, most = 0, 0
    told: list[str] = []

    async def play(_pairing: Pairing, listener: GameListener) -> Result:
        nonlocal running, most
        if running == 3:
            end(listener, VOID)
            raise ShortageError("no chairs are left")
        begin(listener)
        running += 1
        most = max(most, running)
        await trio.sleep(1)
        running -= 1
        return end(listener, FIRST_WINS)

    names = tuple(f"e{number}" for number in range(20))
    capacities = dict.fromkeys(range(1, 21), 100)
    start = TournamentStarted("hex", names)
    report = told.append
    tournament = Tournament(start, RoundRobin(1), play, concurrency=40, capacities=capacities, report=report)
    assert await tournament.run()
    assert len(tournament.state.decided) == 190
    assert most == 3
    # Many games fail, but it is reported once.
    assert len(told) == 1
    assert told[0].endswith(" games at once: no chairs are left. Running fewer for now.")


async def test_a_machine_that_had_no_room_is_tried_again(autojump_clock: MockClock) -> None:
    running: set[int] = set()
    at_start: list[int] = []
    told: list[str] = []

    async def play(pairing: Pairing, listener: GameListener) -> Result:
        if not at_start:
            at_start.append(0)
            end(listener, VOID)
            raise ShortageError("no chairs are left")
        begin(listener)
        running.add(pairing.number)
        at_start.append(len(running))
        await trio.sleep(100)
        running.remove(pairing.number)
        return end(listener, FIRST_WINS)

    start = TournamentStarted("hex", ("ann", "bob"))
    tournament = Tournament(
        start, RoundRobin(30), play, concurrency=4, capacities={1: 4, 2: 4}, report=told.append
    )
    assert await tournament.run()
    assert told == ["This machine cannot run 4 games at once: no chairs are left. Running fewer for now."]
    # One more after ten minutes, or six games each.
    assert (max(at_start[: 1 + 6 * 3]), max(at_start)) == (3, 4)


async def test_a_machine_without_room_for_one_game_stops_retrying(autojump_clock: MockClock) -> None:
    async def play(_pairing: Pairing, listener: GameListener) -> Result:
        end(listener, VOID)
        await trio.lowlevel.checkpoint()
        raise ShortageError("no chairs are left")

    tournament = Tournament(TournamentStarted("hex", ("e0", "e1")), RoundRobin(4), play, concurrency=4)
    assert not await tournament.run()
    assert tournament.undecided == dict.fromkeys(range(1, 5), "no chairs are left")


async def test_games_of_missing_entrants_come_last(autojump_clock: MockClock) -> None:
    played: list[tuple[int, ...]] = []

    async def play(pairing: Pairing, listener: GameListener) -> Result:
        begin(listener)
        played.append(pairing.seats)
        await trio.sleep(1)
        return end(listener, FIRST_WINS)

    await play_tournament(3, 2, play, concurrency=1, missing={1: "It is absent."})
    assert [1 in seats for seats in played] == [False] * 2 + [True] * 4


async def test_a_void_game_is_played_again_though_no_other_game_waits(autojump_clock: MockClock) -> None:
    attempts: Counter[int] = Counter()

    async def play(pairing: Pairing, listener: GameListener) -> Result:
        begin(listener)
        attempts[pairing.number] += 1
        await trio.sleep(pairing.number)
        return end(listener, VOID if attempts[pairing.number] == 1 else FIRST_WINS)

    results = await play_tournament(4, 1, play, attempts=2)
    assert [result for _, result in results] == [FIRST_WINS] * 6
    assert set(attempts.values()) == {2}


async def test_played_games_are_kept_and_the_rest_is_played_later(
    autojump_clock: MockClock,
) -> None:
    state = TournamentState()
    played: list[int] = []

    async def play(pairing: Pairing, listener: GameListener) -> Result:
        begin(listener)
        await trio.sleep(1)
        played.append(pairing.number)
        return end(listener, FIRST_WINS)

    with trio.move_on_after(2.5):
        await play_tournament(2, 4, play, state=state)
    assert list(state.decided) == [1, 2]
    events: list[Event] = []
    results = await play_tournament(2, 4, play, [events.append], state=state)
    assert events[0] == TournamentResumed()
    assert played == [1, 2, 3, 4]
    assert len(results) == 4


@attrs.frozen
class Ladder(Format):
    """Rounds of the same two entrants, alternating colours; each round waits for the one before it."""

    rounds: int
    needs_results = True

    def next_round(self, field: Field) -> Round | None:
        assert all(meeting.points is not None for meeting in field.meetings)
        if field.rounds == self.rounds:
            return None
        return Round(((1, 2),), (0,), byes=(3,))


async def test_a_void_game_that_is_awarded_later_is_decided(autojump_clock: MockClock) -> None:
    async def play(pairing: Pairing, listener: GameListener) -> Result:
        begin(listener)
        await trio.sleep(1 if 2 in pairing.seats else 60)
        return end(listener, VOID if 2 in pairing.seats else FIRST_WINS)

    def award(pairing: Pairing, _gone: object, listener: GameListener) -> None:
        end(listener, FIRST_WINS)

    start = TournamentStarted("hex", ("e0", "e1", "e2"))
    tournament = Tournament(start, RoundRobin(2), play, award=award, concurrency=3)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_after, 30, tournament.withdraw, 2)
        is_over = await tournament.run()
    assert (is_over, tournament.undecided) == (True, {})


async def test_a_round_that_depends_on_results_is_paired_when_they_are_known(
    autojump_clock: MockClock,
) -> None:
    events: list[Event] = []

    async def play(pairing: Pairing, listener: GameListener) -> Result:
        begin(listener)
        await trio.sleep(1)
        return end(listener, VOID if pairing.number == 2 else FIRST_WINS)

    start = TournamentStarted("hex", ("ann", "bob", "cid"))
    tournament = Tournament(start, Ladder(3), play, [events.append], attempts=2)
    assert not await tournament.run()
    kinds = [type(event) for event in events if not isinstance(event, GameEvent)]
    assert kinds == [TournamentStarted, *[RoundPaired] * 3]
    # A game that stays void scores no points and delays no round. It can be played later.
    assert tournament.undecided.keys() == {2}
    meetings = tournament.state.field().meetings
    assert [meeting.points for meeting in meetings] == [(1.0, 0.0), (0.0, 0.0), (1.0, 0.0)]
    assert [bye.entrant for bye in tournament.state.byes] == [3, 3, 3]


async def slow(pairing: Pairing, listener: GameListener) -> Result:
    """Play a game that lasts a second."""
    begin(listener)
    await trio.sleep(1)
    return end(listener, FIRST_WINS)


def four(listeners: Iterable[Listener] = (), **settings: Any) -> Tournament:
    """Return a round robin of four, one game each."""
    start = TournamentStarted("hex", ("ann", "bob", "cid", "dan"), {"concurrency": None})
    return Tournament(start, RoundRobin(1), slow, listeners, **settings)


async def test_a_tournament_that_is_stopped_plays_the_running_games_to_their_end(
    autojump_clock: MockClock,
) -> None:
    events: list[Event] = []
    tournament = four([events.append])
    async with trio.open_nursery() as nursery:
        for seconds in (1.5, 1.6):
            nursery.start_soon(_after, seconds, tournament.stop)
        assert not await tournament.run()
    assert events.count(TournamentStopping()) == 1
    state = tournament.state
    assert (len(state.decided), state.is_over, state.running) == (4, False, {})
    again = four(state=state)
    assert await again.run()
    assert len(state.decided) == 6


async def test_a_lower_concurrency_waits_for_the_running_games(autojump_clock: MockClock) -> None:
    running: set[int] = set()
    at_start: list[int] = []

    async def play(pairing: Pairing, listener: GameListener) -> Result:
        begin(listener)
        running.add(pairing.number)
        at_start.append(len(running))
        await trio.sleep(pairing.number)
        running.remove(pairing.number)
        return end(listener, FIRST_WINS)

    start = TournamentStarted("hex", ("ann", "bob"), {"concurrency": 3})
    tournament = Tournament(start, RoundRobin(6), play, concurrency=3, capacities={1: 9, 2: 9})
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_after, 0.5, tournament.set_concurrency, 1)
        assert await tournament.run()
    assert at_start == [1, 2, 3, 1, 1, 1]


async def test_concurrency_can_be_changed(autojump_clock: MockClock) -> None:
    tournament = four(concurrency=1)
    started = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_after, 1.5, tournament.set_concurrency, 2)
        assert await tournament.run()
    # One game, then two that overlap by half a second, then two at a time.
    assert trio.current_time() - started < 4.5
    # The setting is kept for when the tournament is resumed.
    assert tournament.state.settings == {"concurrency": 2}


async def test_an_entrant_that_leaves_plays_its_game_and_no_other(autojump_clock: MockClock) -> None:
    events: list[Event] = []
    tournament = four([events.append])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_after, 0.5, tournament.withdraw, 2)
        assert await tournament.run()
    assert EntrantWithdrawn(2) in events
    played = [pairing.seats for pairing, _ in tournament.state.results()]
    assert len(played) == 4
    assert sum(2 in seats for seats in played) == 1
    assert tournament.state.games == 4


async def test_a_returning_entrant_plays_all_its_games(autojump_clock: MockClock) -> None:
    tournament = four()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_after, 0.5, tournament.withdraw, 2)
        nursery.start_soon(_after, 1.5, tournament.bring_back, 2, "host:2", 1)
        assert await tournament.run()
    assert len(tournament.state.decided) == 6
    assert tournament.state.addresses[1] == "host:2"


@pytest.mark.parametrize(("left_at", "awarded"), [(0.5, 0), (1.5, 1)])
async def test_opponents_of_a_late_leaver_win_when_a_round_robin_ends(
    left_at: float, awarded: int, autojump_clock: MockClock
) -> None:
    events: list[Event] = []
    left = Result(1, Termination.RESIGNED, "e2 left.", 0)

    def award(pairing: Pairing, gone: Collection[int], listener: GameListener) -> None:
        assert set(gone) == {2}
        end(listener, left if pairing.seats[1] == 2 else attrs.evolve(left, winner=2))

    tournament = four([events.append], award=award)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_after, left_at, tournament.withdraw, 2)
        assert await tournament.run()
    last = events[-1 - awarded : -1]
    ways = [each.termination for each in tournament.state.decided.values()]
    assert ways.count(Termination.RESIGNED) == awarded
    assert all(isinstance(event, GameEvent) for event in last)


async def test_a_returning_entrant_does_not_wait_for_the_games_of_others(autojump_clock: MockClock) -> None:
    began: dict[int, float] = {}

    async def play(pairing: Pairing, listener: GameListener) -> Result:
        began[pairing.number] = trio.current_time()
        begin(listener)
        await trio.sleep(1 if 2 in pairing.seats else 100)
        return end(listener, FIRST_WINS)

    start = TournamentStarted("hex", ("ann", "bob", "cid", "dan"))
    tournament = Tournament(start, RoundRobin(2), play)
    started = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_after, 0.5, tournament.withdraw, 2)
        # The opponent of bob's first game is free again, and the two others still play.
        nursery.start_soon(_after, 20, tournament.bring_back, 2, "")
        assert await tournament.run()
    assert started + 20 in began.values()


async def test_a_late_entrant_meets_all_others(autojump_clock: MockClock) -> None:
    events: list[Event] = []
    tournament = four([events.append])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_after, 0.5, tournament.join, "eve", "host:1")
        assert await tournament.run()
    assert EntrantJoined("eve", "host:1") in events
    assert len(tournament.state.decided) == 10


async def test_tables_of_four_are_paired_from_present_entrants(autojump_clock: MockClock) -> None:
    async def play(pairing: Pairing, listener: GameListener) -> Result:
        begin(listener)
        await trio.sleep(1)
        return end(listener, FIRST_WINS)

    start = TournamentStarted("hex", tuple("abcde"))
    tournament = Tournament(start, FourPlayer(40), play, concurrency=1, capacities=dict.fromkeys(range(9), 9))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_after, 9.5, tournament.join, "f", "host:1", 9)
        nursery.start_soon(_after, 19.5, tournament.withdraw, 1)
        nursery.start_soon(_after, 29.5, tournament.withdraw, 2)
        assert await tournament.run()
    seats = [pairing.seats for pairing, _ in tournament.state.results()]
    assert len(seats) == 40
    assert 6 in seats[10]
    assert not any(1 in each for each in seats[20:])
    assert all(sorted(each) == [3, 4, 5, 6] for each in seats[30:])


async def test_a_postponed_table_of_four_comes_after_all_others(autojump_clock: MockClock) -> None:
    begun: list[int] = []

    async def play(pairing: Pairing, listener: GameListener) -> Result:
        begun.append(pairing.number)
        begin(listener)
        await trio.sleep(1)
        return end(listener, VOID if begun.count(2) == 1 and pairing.number == 2 else FIRST_WINS)

    tournament = Tournament(TournamentStarted("hex", tuple("abcd")), FourPlayer(6), play)
    assert await tournament.run()
    assert begun == [1, 2, 3, 4, 5, 6, 2]


async def _after(seconds: float, do: Any, *arguments: Any) -> None:
    await trio.sleep(seconds)
    done = do(*arguments)
    if done is not None:
        await done


class Book:
    """A slow record."""

    def __init__(self) -> None:
        self.appended: list[Event] = []
        self.kept: list[Event] = []

    def append(self, event: Event) -> None:
        self.appended.append(event)

    async def flush(self) -> None:
        count = len(self.appended)
        await trio.sleep(0.1)
        self.kept = self.appended[: max(count, len(self.kept))]


async def test_a_result_is_announced_when_it_is_kept(autojump_clock: MockClock) -> None:
    book = Book()
    announced: list[Event] = []

    def announce(event: Event) -> None:
        announced.append(event)
        if not isinstance(event, GameEvent) or isinstance(event.event, GameEnded):
            assert event in book.kept

    tournament = four([announce], record=book)
    assert await tournament.run()
    assert Counter(map(repr, announced)) == Counter(map(repr, book.kept))


class FullDisk(Book):
    """A record that fails after two results."""

    async def flush(self) -> None:
        if (
            sum(
                isinstance(event, GameEvent) and isinstance(event.event, GameEnded) for event in self.appended
            )
            > 2
        ):
            raise OSError("full")
        await super().flush()


async def test_results_that_cannot_be_recorded_are_not_announced(autojump_clock: MockClock) -> None:
    announced: list[Event] = []
    tournament = four([announced.append], record=FullDisk())
    with pytest.raises(ExceptionGroup) as caught:
        await tournament.run()
    assert caught.value.split(OSError)[1] is None
    assert len(tournament.state.decided) == 2


async def test_a_stop_in_the_last_game_of_a_round_does_not_end_the_tournament() -> None:
    class TwoRounds(Format):
        name = "two-rounds"
        needs_results = True

        def next_round(self, field: Field) -> Round | None:
            return None if field.rounds == 2 else Round(((1, 2),), (0,), ())

    async def play(pairing: Pairing, listener: GameListener) -> Result:
        begin(listener)
        tournament.stop()
        return end(listener, FIRST_WINS)

    tournament = Tournament(TournamentStarted("hex", NAMES), TwoRounds(), play)
    assert not await tournament.run()
    state = tournament.state
    assert not state.is_over
    again = Tournament(TournamentStarted("hex", NAMES), TwoRounds(), play, state=state)
    tournament = again
    assert await again.run()
    assert len(state.decided) == 2
