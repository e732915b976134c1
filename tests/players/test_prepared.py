"""The engine of a program that begins to play before its kernels are compiled."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
import trio
from trio.testing import MockClock

from quoridor_net import clobber
from quoridor_net.engine import Limits
from quoridor_net.match import MatchSettings, play_match
from quoridor_net.players import Clock, Seating
from quoridor_net.players.engine import ClobberEnginePlayer, EnginePlayer
from quoridor_net.players.preparation import LONGEST_WAIT, Preparation
from quoridor_net.players.prepared import PreparedClobberPlayer, PreparedPlayer
from quoridor_net.players.simple import MobilityPlayer, SimplePlayer
from quoridor_net.rules import Move, Orientation, Position, Wall

ENGINES_MOVE = Wall(0, 0, Orientation.HORIZONTAL)


@pytest.fixture
def boards(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the boards for which an engine was made; it always places the same wall."""
    sizes: list[int] = []

    async def begin(_player: EnginePlayer, seating: Seating[Position]) -> None:
        sizes.append(seating.position.size)

    async def choose(_player: EnginePlayer, _position: Position, _clock: Clock) -> Move:
        return ENGINES_MOVE

    monkeypatch.setattr(EnginePlayer, "begin", begin)
    monkeypatch.setattr(EnginePlayer, "choose", choose)
    return sizes


@pytest.fixture
def compiled() -> threading.Event:
    return threading.Event()


@pytest.fixture
def begun_to_compile() -> threading.Event:
    return threading.Event()


@pytest.fixture
def preparation(compiled: threading.Event, begun_to_compile: threading.Event) -> Preparation:
    def warm_up(progress: Callable[[str], None], /, *_players: int) -> None:
        begun_to_compile.set()
        assert compiled.wait(60)
        progress("ready")

    return Preparation(warm_up=warm_up)


async def begun(preparation: Preparation, size: int = 5) -> tuple[PreparedPlayer, Position]:
    player, position = PreparedPlayer(preparation, 1, Limits(time=1)), Position(size, 2, 3)
    await player.begin(Seating(1, ("one", "two"), position))
    return player, position


@pytest.mark.threads
async def test_the_simple_player_moves_until_the_engine_is_ready(
    preparation: Preparation, compiled: threading.Event, boards: list[int], autojump_clock: MockClock
) -> None:
    player, position = await begun(preparation)
    expected = await SimplePlayer(1).choose(position.copy(), Clock())
    assert await player.choose(position.copy(), Clock()) == expected
    assert boards == []
    compiled.set()
    assert await preparation.wait_for(None)
    assert await player.choose(position.copy(), Clock()) == ENGINES_MOVE
    assert await player.choose(position.copy(), Clock()) == ENGINES_MOVE
    assert boards == [5]
    await player.leave()


async def test_known_openings_need_no_engine(
    preparation: Preparation,
    boards: list[int],
    begun_to_compile: threading.Event,
    compiled: threading.Event,
    autojump_clock: MockClock,
) -> None:
    player, _ = await begun(preparation, 9)
    opening = Position()
    assert await player.choose(opening, Clock()) == preparation.known(opening)
    assert not begun_to_compile.is_set()
    compiled.set()


async def test_no_move_waits_for_longer_than_a_part_of_its_time(
    preparation: Preparation, compiled: threading.Event, boards: list[int], autojump_clock: MockClock
) -> None:
    players = [PreparedPlayer(preparation, seed, Limits(time=1)) for seed in (1, 2)]
    settings = MatchSettings(Position(5, 2, 3), move_time=LONGEST_WAIT, ply_limit=100)
    result = await play_match(players, settings)
    assert result.winner is not None
    compiled.set()


@pytest.mark.threads
async def test_a_game_of_two_does_not_wait_for_what_four_players_need(
    boards: list[int], autojump_clock: MockClock
) -> None:
    compiled = threading.Event()
    asked: list[int] = []

    def warm_up(_progress: Callable[[str], None], /, *players: int) -> None:
        asked.extend(players)
        assert 4 not in players or compiled.wait(60)

    preparation = Preparation(warm_up=warm_up, players=(2, 4))
    assert await preparation.wait_for(None, 2)
    assert not await preparation.wait_for(0.1, 4)
    assert (preparation.is_ready(2), preparation.is_ready(4)) == (True, False)
    compiled.set()
    assert await preparation.wait_for(None, 4)
    assert asked == [2, 4]


async def test_a_clobber_engine_that_is_not_ready_has_a_stand_in(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, compiled: threading.Event
) -> None:
    position = clobber.Position.start(4, 4)
    engines_move = position.legal_moves[0]
    reports: list[str] = []

    async def choose(*_: object) -> clobber.Move:
        return engines_move

    monkeypatch.setattr(ClobberEnginePlayer, "warm_up", lambda _self: compiled.wait())
    monkeypatch.setattr(ClobberEnginePlayer, "choose", choose)
    player = PreparedClobberPlayer(ClobberEnginePlayer(1), reports.append, seed=1)
    stand_in = await MobilityPlayer(1).choose(position.copy(), Clock())
    started = trio.current_time()
    assert await player.choose(position, Clock(move_time=5.0)) == stand_in
    assert trio.current_time() - started <= 5.0 / 2
    assert reports == [
        "being prepared, which takes minutes the first time on a machine",
        "not ready yet: the mobility player moves until then",
    ]
    compiled.set()
    player.preparation._thread.join()
    assert await player.choose(position, Clock()) == engines_move
    assert reports[2:] == ["ready"]
