"""The game loop of Clobber with players in this process."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
import trio
from trio.testing import MockClock

from quoridor_net.clobber import ClobberPosition, Move, parse_move
from quoridor_net.match import (
    GameEnded,
    GameStarted,
    MatchEvent,
    MatchListener,
    MatchSettings,
    MoveMade,
    MoveRequested,
    PlayerOut,
    play_match,
)
from quoridor_net.outcome import ForfeitError, Result
from quoridor_net.phrases import Translatable
from quoridor_net.players import Clock, Player
from quoridor_net.players.random import RandomPlayer
from quoridor_net.players.simple import MobilityPlayer
from quoridor_net.rules import Termination

Event = MatchEvent[ClobberPosition, Move]


async def play_clobber(
    black: Player[ClobberPosition, Move],
    white: Player[ClobberPosition, Move],
    position: ClobberPosition,
    move_time: float | None = None,
    listeners: Iterable[MatchListener[ClobberPosition, Move]] = (),
) -> Result:
    """Play by the rules of the 2006 referee."""
    return await play_match([black, white], MatchSettings(position, move_time, ends_at_fault=True), listeners)


class Scripted(Player[ClobberPosition, Move]):
    """Makes the moves it is given, then raises or sleeps."""

    def __init__(self, *moves: str, then: ForfeitError | None = None) -> None:
        self.name = "scripted"
        self.news: list[Event] = []
        self._moves = [parse_move(move) for move in moves]
        self._then = then

    async def choose(self, position: ClobberPosition, clock: Clock) -> Move:
        if self._moves:
            return self._moves.pop(0)
        if self._then is not None:
            raise self._then
        await trio.sleep_forever()
        raise AssertionError("unreachable")

    async def notify(self, event: Event) -> None:
        self.news.append(event)


class Uneasy(Scripted):
    """Breaks the rules while the other thinks."""

    async def watch(self) -> ForfeitError:
        await trio.sleep(1)
        return ForfeitError(
            Termination.OUT_OF_TURN, Translatable("sent a line when it was not its turn"), "hello"
        )


async def test_a_player_without_a_move_loses() -> None:
    events: list[Event] = []
    black, white = Scripted("a1a2"), Scripted()
    result = await play_clobber(black, white, ClobberPosition.start(1, 2), listeners=[events.append])
    assert (result.winner, result.termination, result.plies) == (1, Termination.NO_MOVES, 1)
    assert result.sentence == "scripted (black) wins: scripted (white) has no move."
    assert [type(event) for event in events] == [GameStarted, MoveRequested, MoveMade, GameEnded]
    assert white.news == black.news == events[2:]


@pytest.mark.parametrize(
    ("black", "termination", "sentence"),
    [
        (Scripted("b2a2"), Termination.ILLEGAL_MOVE, "played b2a2, which is illegal: b2 is off the board"),
        (Scripted("a2a1"), Termination.ILLEGAL_MOVE, "it is black's turn and the stone on a2 is white"),
        (Scripted(), Termination.TOO_SLOW, "did not answer within 5 s"),
        (
            Scripted(then=ForfeitError(Termination.RESIGNED, Translatable("gave up"))),
            Termination.RESIGNED,
            "gave up",
        ),
    ],
)
async def test_faults_end_the_game(
    black: Scripted, termination: Termination, sentence: str, autojump_clock: MockClock
) -> None:
    white = Scripted()
    events: list[Event] = []
    result = await play_clobber(black, white, ClobberPosition.start(1, 3), 5, [events.append])
    assert (result.winner, result.termination) == (2, termination)
    assert sentence in result.sentence
    *_, out, end = events
    assert isinstance(out, PlayerOut)
    assert (out.player, out.fault.termination) == (1, termination)
    assert (black.news, white.news) == ([out], [out, end])


async def test_a_fault_of_the_waiting_player_ends_the_game_at_once(autojump_clock: MockClock) -> None:
    events: list[Event] = []
    result = await play_clobber(
        Scripted(), Uneasy(), ClobberPosition.start(), move_time=100, listeners=[events.append]
    )
    assert (result.winner, result.termination) == (1, Termination.OUT_OF_TURN)
    assert trio.current_time() < 50
    assert isinstance(events[-2], PlayerOut)
    assert events[-2].fault.line == result.line == "hello"


class Hasty(Scripted):
    """Breaks the protocol at the same moment as it answers."""

    def __init__(self, *moves: str) -> None:
        super().__init__(*moves)
        self._asked = trio.Event()

    async def choose(self, position: ClobberPosition, clock: Clock) -> Move:
        self._asked.set()
        with trio.CancelScope(shield=True):
            await trio.sleep(1)
        return await super().choose(position, clock)

    async def watch(self) -> ForfeitError:
        await self._asked.wait()
        return ForfeitError(
            Termination.OUT_OF_TURN, Translatable("sent a line when it was not its turn"), "hello"
        )


class Slow(Scripted):
    """Answers at the same moment as the other player breaks the rules."""

    async def choose(self, position: ClobberPosition, clock: Clock) -> Move:
        with trio.CancelScope(shield=True):
            await trio.sleep(2)
        return await super().choose(position, clock)


async def test_a_winner_that_offends_after_its_last_move_is_not_blamed(autojump_clock: MockClock) -> None:
    black, white = Hasty("a1a2"), Scripted()
    result = await play_clobber(black, white, ClobberPosition.start(1, 2))
    assert (result.winner, result.termination) == (1, Termination.NO_MOVES)
    assert white.news == black.news
    assert [type(event) for event in black.news] == [MoveMade, GameEnded]


async def test_no_move_reaches_a_game_that_a_fault_ended(autojump_clock: MockClock) -> None:
    """White offends while black thinks, and black still answers: white is notified only of the fault."""
    black, white = Slow("a1a2"), Uneasy()
    result = await play_clobber(black, white, ClobberPosition.start())
    assert (result.winner, result.termination) == (1, Termination.OUT_OF_TURN)
    assert [type(event) for event in black.news] == [PlayerOut, GameEnded]
    assert white.news == black.news[:1]


async def test_black_loses_if_it_has_no_first_move() -> None:
    result = await play_clobber(Scripted(), Scripted(), ClobberPosition.start(1, 1))
    assert (result.winner, result.termination, result.plies) == (2, Termination.NO_MOVES, 0)


class Absent(Scripted):
    """Does not come."""

    async def ready(self) -> None:
        raise ForfeitError(Termination.DISCONNECTED, Translatable("did not come back"))


async def test_a_disconnected_white_loses_even_if_black_has_no_move() -> None:
    result = await play_clobber(Scripted(), Absent(), ClobberPosition.start(1, 1))
    assert (result.winner, result.termination) == (1, Termination.DISCONNECTED)


async def test_a_cancelled_game_is_void(autojump_clock: MockClock) -> None:
    events: list[Event] = []
    with trio.move_on_after(1):
        await play_clobber(Scripted(), Scripted(), ClobberPosition.start(), listeners=[events.append])
    assert isinstance(events[-1], GameEnded)
    assert events[-1].result.termination is Termination.ABORTED


@pytest.mark.parametrize("seed", range(20))
async def test_simple_players_make_legal_moves_to_the_end(seed: int) -> None:
    mobile: Player[ClobberPosition, Move] = MobilityPlayer(seed)
    accidental: Player[ClobberPosition, Move] = RandomPlayer(seed)
    for black, white in ((mobile, accidental), (accidental, mobile)):
        result = await play_clobber(black, white, ClobberPosition.start(6, 6))
        assert result.termination is Termination.NO_MOVES


async def test_a_seed_repeats_a_game() -> None:
    def moves(events: list[Event]) -> list[Move]:
        return [event.move for event in events if isinstance(event, MoveMade)]

    games: list[list[Event]] = [[], []]
    for events in games:
        await play_clobber(
            MobilityPlayer(7), RandomPlayer(7), ClobberPosition.start(5, 5), listeners=[events.append]
        )
    assert moves(games[0]) == moves(games[1])
