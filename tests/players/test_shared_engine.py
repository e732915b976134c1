"""The engine of a program that begins to play before its kernels are compiled, or without memory."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from quoridor_net import clobber
from quoridor_net.clobber.engine import ClobberEngine
from quoridor_net.clocks import GameClock
from quoridor_net.engine import Limits, book
from quoridor_net.match import MatchEvent, MatchSettings, MoveMade, play_match
from quoridor_net.outcome import Termination
from quoridor_net.output import ignore
from quoridor_net.players import Clock, Player, Seating
from quoridor_net.players.engine import (
    LONGEST_WAIT,
    SHARE_OF_TIME,
    START_TIME,
    BackgroundEngine,
    ClobberEnginePlayer,
    EnginePlayer,
    SharedEngine,
    find_affordable_wait,
)
from quoridor_net.players.simple import MobilityPlayer, SimplePlayer
from quoridor_net.rules import Move, Orientation, Position, Wall

ENGINES_MOVE = Wall(0, 0, Orientation.HORIZONTAL)


@pytest.fixture
def boards(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Records the board sizes of its searches; always places the same wall."""
    sizes: list[int] = []

    async def search(_player: EnginePlayer, position: Position, _clock: Clock) -> Move:
        sizes.append(position.size)
        return ENGINES_MOVE

    monkeypatch.setattr(EnginePlayer, "_search", search)
    return sizes


@pytest.fixture
def compilation_ended() -> threading.Event:
    return threading.Event()


@pytest.fixture
def compilation_began() -> threading.Event:
    return threading.Event()


@pytest.fixture
def engine(compilation_ended: threading.Event, compilation_began: threading.Event) -> SharedEngine:
    def prepare(progress: Callable[[str], None], /, *_players: int) -> None:
        compilation_began.set()
        assert compilation_ended.wait(60)
        progress("ready")

    return SharedEngine(Limits(time=1), report=ignore, prepare=prepare)


async def begin_game(engine: SharedEngine, size: int = 5) -> tuple[EnginePlayer, Position]:
    player, position = engine.player(1), Position(size, 2, 3)
    await player.begin(Seating(1, ("one", "two"), position))
    return player, position


def test_a_lack_of_memory_is_reported_once() -> None:
    lines: list[str] = []
    engine = SharedEngine(Limits(time=1), report=lines.append)
    engine.tell_no_memory()
    engine.tell_no_memory()
    assert [line.partition(":")[0] for line in lines] == ["engine"]
    assert lines[0].startswith("engine: out of memory for a search: ")


@pytest.mark.threads
async def test_the_simple_player_moves_until_the_engine_is_ready(
    engine: SharedEngine, compilation_ended: threading.Event, boards: list[int], autojump_clock: MockClock
) -> None:
    player, position = await begin_game(engine)
    expected = await SimplePlayer(1).choose(position.copy(), Clock())
    assert await player.choose(position.copy(), Clock()) == expected
    assert boards == []
    compilation_ended.set()
    assert await engine.settle()
    assert await player.choose(position.copy(), Clock()) == ENGINES_MOVE
    assert await player.choose(position.copy(), Clock()) == ENGINES_MOVE
    assert boards == [5, 5]
    await player.leave()


async def test_known_openings_need_no_engine(
    engine: SharedEngine,
    boards: list[int],
    compilation_began: threading.Event,
    compilation_ended: threading.Event,
    autojump_clock: MockClock,
) -> None:
    player, _ = await begin_game(engine, 9)
    opening = Position()
    listed = book.probe(opening)
    assert listed is not None
    assert await player.choose(opening, Clock()) == listed[0].move
    assert not compilation_began.is_set()
    compilation_ended.set()


async def test_no_move_waits_for_longer_than_a_part_of_its_time(
    engine: SharedEngine, compilation_ended: threading.Event, boards: list[int], autojump_clock: MockClock
) -> None:
    players = [engine.player(seed) for seed in (1, 2)]
    settings = MatchSettings(Position(5, 2, 3), move_time=LONGEST_WAIT, ply_limit=100)
    result = await play_match(players, settings)
    assert result.winner is not None
    compilation_ended.set()


@pytest.mark.threads
async def test_commands_and_moves_wait_briefly_for_the_engine(
    engine: SharedEngine, compilation_ended: threading.Event, autojump_clock: MockClock
) -> None:
    started = trio.current_time()
    for _ in range(20):
        await engine.linger()
    assert trio.current_time() - started == pytest.approx(START_TIME)
    started = trio.current_time()
    assert not await engine.wait(4.0)
    assert trio.current_time() - started == pytest.approx(SHARE_OF_TIME * 4)
    compilation_ended.set()
    assert await engine.settle()


@pytest.mark.parametrize(
    ("clock", "waited", "seconds"),
    [
        (Clock(), 0, 0),
        (Clock(move_time=60), 0, 30),
        (Clock(move_time=60), 200, 30),
        # Some seconds always remain for the move itself.
        (Clock(move_time=3), 0, 1),
        (Clock(move_time=2), 0, 0),
        (Clock(move_time=0), 0, 0),
        # All moves of a game share a part of its time.
        (Clock(game_time=300), 0, 75),
        (Clock(game_time=250), 50, 25),
        (Clock(game_time=225), 75, 0),
        (Clock(game_time=20), 75, 0),
        (Clock(game_time=2.5), 0, 0.5),
        (Clock(60, 40), 0, 10),
        (Clock(10, 300, 5), 0, 5),
    ],
)
def test_a_move_waits_as_long_as_its_clock_can_afford(clock: Clock, waited: float, seconds: float) -> None:
    assert find_affordable_wait(clock, waited) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("clock", "compiles_for", "waits"),
    [(GameClock(300), 12.0, 12.0), (GameClock(300), 1000.0, 75.0), (GameClock(10), 12.0, 2.5)],
)
async def test_a_game_with_a_clock_waits_for_the_compiler_and_is_not_lost_on_time(
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
    clock: GameClock,
    compiles_for: float,
    waits: float,
) -> None:
    ready_at = trio.current_time() + compiles_for
    searches: list[float] = []
    reports: list[str] = []

    def is_ready(_engine: BackgroundEngine, _players: int = 2) -> bool:
        return trio.current_time() >= ready_at

    async def settle(engine: BackgroundEngine, players: int = 2, seconds: float | None = None) -> bool:
        assert seconds is not None
        await trio.sleep(min(seconds, max(0.0, ready_at - trio.current_time())))
        return engine.is_ready(players)

    async def search(_player: EnginePlayer, position: Position, _clock: Clock) -> Move:
        searches.append(trio.current_time())
        return position.legal_steps[0]

    monkeypatch.setattr(BackgroundEngine, "is_ready", is_ready)
    monkeypatch.setattr(BackgroundEngine, "settle", settle)
    monkeypatch.setattr(EnginePlayer, "_search", search)
    events: list[MatchEvent[Position, Move]] = []
    settings = MatchSettings(Position(5, 2, 3), clock=clock, ply_limit=30)
    players = [SharedEngine(Limits(time=1), report=reports.append).player(1), SimplePlayer(1)]
    result = await play_match(players, settings, [events.append])
    assert result.termination is not Termination.TOO_SLOW
    moves = [event for event in events if isinstance(event, MoveMade) and event.player == 1]
    assert moves[0].seconds == pytest.approx(waits)
    assert moves[-1].left is not None
    assert moves[-1].left > 0.7 * clock.seconds
    is_patient_enough = waits == compiles_for
    assert (len(searches) == len(moves)) is is_patient_enough
    not_ready = "engine: not ready yet: known openings and the simple player move until then"
    waiting = "engine: not ready yet: moves wait as long as their clock allows"
    assert reports == ([waiting] if is_patient_enough else [waiting, not_ready])


@pytest.mark.parametrize("kind", [EnginePlayer, ClobberEnginePlayer])
async def test_a_search_has_the_time_that_is_left_after_waiting(
    kind: type[EnginePlayer | ClobberEnginePlayer],
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left: list[float | None] = []

    async def search(_player: Player[Any, Any], _position: object, clock: Clock) -> None:
        left.append(clock.move_time)

    async def wait(
        _engine: BackgroundEngine, _time: float | None, _players: int = 2, *, affordable: float
    ) -> bool:
        await trio.sleep(1)
        return True

    monkeypatch.setattr(kind, "_search", search)
    monkeypatch.setattr(BackgroundEngine, "wait", wait)
    await trio.sleep(3)
    if kind is EnginePlayer:
        player, position = await begin_game(SharedEngine())
        await player.choose(position, Clock(move_time=8.0))
    else:
        await ClobberEnginePlayer(1).choose(clobber.ClobberPosition.start(4, 4), Clock(move_time=8.0))
    assert left == [7.0]


@pytest.mark.threads
async def test_a_game_of_two_does_not_wait_for_the_engine_of_four(
    boards: list[int], autojump_clock: MockClock
) -> None:
    compiled = threading.Event()
    asked: list[int] = []

    def prepare(_progress: Callable[[str], None], /, *players: int) -> None:
        asked.extend(players)
        assert 4 not in players or compiled.wait(60)

    engine = SharedEngine(players=(2, 4), report=ignore, prepare=prepare)
    assert await engine.settle(2)
    assert not await engine.settle(4, 0.1)
    assert (engine.is_ready(2), engine.is_ready(4)) == (True, False)
    compiled.set()
    assert await engine.settle(4)
    assert asked == [2, 4]


@pytest.mark.threads
async def test_a_clobber_engine_that_is_not_ready_has_a_stand_in(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, compilation_ended: threading.Event
) -> None:
    position = clobber.ClobberPosition.start(4, 4)
    engines_move = position.legal_moves[0]
    reports: list[str] = []

    async def choose(*_: object) -> clobber.Move:
        return engines_move

    monkeypatch.setattr(ClobberEngine, "warm_up", lambda _self: compilation_ended.wait())
    monkeypatch.setattr(ClobberEnginePlayer, "_search", choose)
    player = ClobberEnginePlayer(1, report=reports.append)
    stand_in = await MobilityPlayer(1).choose(position.copy(), Clock())
    started = trio.current_time()
    assert await player.choose(position, Clock(move_time=5.0)) == stand_in
    assert trio.current_time() - started <= 5.0 / 2
    compilation_ended.set()
    assert await player.settle()
    assert await player.choose(position, Clock()) == engines_move
    # The first line comes from another thread, at any time before it is done.
    assert sorted(reports[:-1]) == [
        "engine: compiling or loading (compiling takes minutes, once on each machine)",
        "engine: not ready yet: moves wait as long as their clock allows",
        "engine: not ready yet: the mobility player moves until then",
    ]
    assert reports[-1] == "engine: ready"
