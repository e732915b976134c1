"""The game loop with local players: endings, events, time, faults (docs/decisions.md, Rules and Verdicts)."""

from __future__ import annotations

import errno
from collections.abc import Iterable

import pytest
import trio
from trio.testing import MockClock

from quoridor_net.clocks import GameClock
from quoridor_net.events import MoveTimes
from quoridor_net.match import (
    Event,
    GameEnded,
    GameStarted,
    MatchSettings,
    MoveMade,
    MoveRequested,
    PlayerOut,
    TurnPassed,
    play_match,
)
from quoridor_net.notation.standard import parse_move
from quoridor_net.outcome import ForfeitError, Result
from quoridor_net.phrases import Translatable
from quoridor_net.players import Clock, DrawAgreedError, Player, Seating
from quoridor_net.players.random import RandomPlayer
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Move, Position, Termination


class Scripted(Player[Position, Move]):
    """Plays given moves, each after some seconds, and records its notifications."""

    def __init__(self, moves: str = "", seconds: float = 0.0, name: str = "test:scripted") -> None:
        self.name = name
        self.seating: Seating[Position] | None = None
        self.news: list[Event] = []
        self.departures = 0
        self._moves = iter(moves.split())
        self._seconds = seconds

    async def begin(self, seating: Seating[Position]) -> None:
        self.seating = seating

    async def choose(self, position: Position, clock: Clock) -> Move:
        await trio.sleep(self._seconds)
        word = next(self._moves, None)
        if word is None:
            raise ForfeitError(Termination.RESIGNED, Translatable("resigned"))
        self.last_answer = word
        return parse_move(word)

    async def notify(self, event: Event) -> None:
        self.news.append(event)

    async def leave(self) -> None:
        self.departures += 1


async def play(
    players: Iterable[Player[Position, Move]], settings: MatchSettings | None = None
) -> tuple[Result, list[Event]]:
    events: list[Event] = []
    result = await play_match(list(players), settings, [events.append])
    ended, moves = events[-1], [event for event in events if isinstance(event, MoveMade)]
    assert isinstance(ended, GameEnded)
    assert ended.result == result
    assert ended.times == tuple(
        sum(
            (MoveTimes(1, move.seconds, move.seconds) for move in moves if move.player == player),
            MoveTimes(0, 0.0, 0.0),
        )
        for player, _ in enumerate(ended.names, 1)
    )
    return result, events


async def test_a_whole_game_works_step_by_step() -> None:
    first, second = Scripted("e8 e9"), Scripted("e2")
    start = Position.from_line(" /  / e7 e3 / 0 0 / 1")
    result, events = await play([first, second], MatchSettings(start))
    assert (result.winner, result.termination, result.plies) == (1, Termination.GOAL, 3)
    assert result.sentence == "test:scripted (player 1) wins: it reached its goal line."
    assert [type(event) for event in events] == [
        GameStarted,
        *[MoveRequested, MoveMade] * 3,
        GameEnded,
    ]
    # Players get the events of listeners, without those that only spectators need.
    assert first.news == second.news == [*events[2:7:2], events[-1]]
    assert [(event.player, event.move) for event in first.news if isinstance(event, MoveMade)] == [
        (1, parse_move("e8")),
        (2, parse_move("e2")),
        (1, parse_move("e9")),
    ]
    assert (first.departures, second.departures) == (1, 1)
    assert second.seating is not None
    assert (second.seating.player, second.seating.names) == (2, ("test:scripted",) * 2)


async def test_others_are_sent_a_move_before_spectators_learn_of_it() -> None:
    log: list[tuple[int, str]] = []

    class Sending(Scripted):
        def __init__(self, number: int, moves: str) -> None:
            super().__init__(moves)
            self._number = number

        async def send_ahead(self, event: Event) -> None:
            log.append((self._number, "sent"))

        async def notify(self, event: Event) -> None:
            log.append((self._number, type(event).__name__))

    def watch(event: Event) -> None:
        if isinstance(event, MoveMade):
            log.append((0, "MoveMade"))

    start = Position.from_line(" /  / e7 e3 / 0 0 / 1")
    await play_match([Sending(1, "e8 e9"), Sending(2, "e2")], MatchSettings(start), [watch])
    told = [(1, "MoveMade"), (2, "MoveMade")]
    moves = [[(other, "sent"), (0, "MoveMade"), *told] for other in (2, 1, 2)]
    assert log == [*moves[0], *moves[1], *moves[2], (1, "GameEnded"), (2, "GameEnded")]


async def test_the_given_position_is_not_changed() -> None:
    start = Position()
    await play([RandomPlayer(1), RandomPlayer(2)], MatchSettings(start, ply_limit=5))
    assert start == Position()


async def test_a_ply_limit_draws_the_game() -> None:
    """Games can be endless: a match has a ply limit, which draws (docs/decisions.md, Rules)."""
    players = [Scripted("e2 e1 e2 e1"), Scripted("e8 e9 e8 e9")]
    result, events = await play(players, MatchSettings(ply_limit=6))
    assert (result.winner, result.termination, result.plies) == (None, Termination.PLY_LIMIT, 6)
    assert result.is_drawn
    assert players[0].news[-1] == events[-1]


async def test_a_decision_on_the_last_ply_counts() -> None:
    start = Position.from_line(" /  / e8 e3 / 0 0 / 1")
    result, _ = await play([Scripted("e9"), Scripted()], MatchSettings(start, ply_limit=1))
    assert result.termination is Termination.GOAL


async def test_a_player_that_is_too_slow_loses(autojump_clock: MockClock) -> None:
    result, events = await play([Scripted("e2", seconds=3), Scripted()], MatchSettings(move_time=2.5))
    assert (result.winner, result.termination) == (2, Termination.TOO_SLOW)
    assert result.sentence.endswith("(player 1) did not answer within 2.5 s.")
    assert trio.current_time() == pytest.approx(2.5, abs=0.01)
    assert [event.player for event in events if isinstance(event, PlayerOut)] == [1]


async def test_the_time_for_a_game_is_a_sum(autojump_clock: MockClock) -> None:
    moves = "e2 e3 e4 e5 e6"
    result, _ = await play(
        [Scripted(moves, seconds=1), SimplePlayer(1)], MatchSettings(move_time=10, clock=GameClock(4.5))
    )
    assert (result.winner, result.termination, result.plies) == (2, Termination.TOO_SLOW, 8)
    assert result.sentence.endswith("used up its clock of 4.5 s.")
    result, _ = await play(
        [Scripted(moves, seconds=1), SimplePlayer(1)], MatchSettings(move_time=0.5, clock=GameClock(4.5))
    )
    assert result.sentence.endswith("did not answer within 0.5 s.")


async def test_the_clock_restarts_for_each_move(autojump_clock: MockClock) -> None:
    players = [Scripted("e2 e3", seconds=2), Scripted("e8 e7", seconds=2)]
    result, events = await play(players, MatchSettings(move_time=2.5))
    assert result.termination is Termination.RESIGNED
    assert [event.seconds for event in events if isinstance(event, MoveMade)] == [pytest.approx(2)] * 4


async def test_a_delay_between_moves_is_nobodys_time(autojump_clock: MockClock) -> None:
    players = [Scripted("e2 e3"), Scripted("e8 e7")]
    _, events = await play(players, MatchSettings(move_time=1, delay=10))
    assert trio.current_time() == pytest.approx(40, abs=0.1)
    assert [event.seconds for event in events if isinstance(event, MoveMade)] == [0.0] * 4


async def test_no_delay_follows_the_last_move(autojump_clock: MockClock) -> None:
    start = Position(3, walls=0)
    result, _ = await play([Scripted("b2 b3"), Scripted("a3 a2")], MatchSettings(start, delay=10))
    assert (result.winner, result.plies) == (1, 3)
    assert trio.current_time() == pytest.approx(20, abs=0.1)


async def test_an_illegal_move_is_explained() -> None:
    result, events = await play([Scripted("e1h e3h"), Scripted("e1v")])
    assert (result.winner, result.termination) == (1, Termination.ILLEGAL_MOVE)
    out = next(event for event in events if isinstance(event, PlayerOut))
    assert out.fault.sentence == ("played [(4, 0), v], which is illegal: it would cross the wall [(4, 0), h]")
    assert out.fault.line == "e1v"


async def test_a_rejection_says_that_the_classroom_rule_would_allow_it() -> None:
    """A rejection under official that classroom would allow says so (docs/decisions.md, Rules)."""
    start = Position.from_line(" /  / e5 e6 / 0 0 / 1")
    result, _ = await play([Scripted("d6"), Scripted()], MatchSettings(start))
    assert result.termination is Termination.ILLEGAL_MOVE
    assert "--jumps classroom" in result.sentence


async def test_with_four_players_the_reason_is_the_last_player() -> None:
    players = [Scripted(), Scripted(), Scripted("b5 c5"), Scripted()]
    result, events = await play(players)
    assert (result.winner, result.termination) == (3, Termination.LAST_PLAYER)
    outs = [event for event in events if isinstance(event, PlayerOut)]
    # Clockwise from player 1: 1, 4, 2; player 3 never has to move.
    assert [event.player for event in outs] == [1, 4, 2]
    assert players[2].news == [*outs, events[-1]]
    assert players[0].news == [outs[0]]
    assert [player.departures for player in players] == [1, 1, 1, 1]


async def test_a_player_without_a_move_is_passed_over() -> None:
    """A player with no legal move is passed over (docs/decisions.md, Rules)."""
    # Player 2 on a9 has a wall beside it and the pawns of players 3 and 1 in a row before it.
    start = Position.from_line(" / a8 / a7 a9 a8 i5 / 0 0 0 0 / 4")
    players = [Scripted(), Scripted(), Scripted("a6"), Scripted("h5")]
    _, events = await play(players, MatchSettings(start, ply_limit=2))
    assert [event.player for event in events if isinstance(event, TurnPassed)] == [2]
    assert [event.player for event in events if isinstance(event, MoveMade)] == [4, 3]


async def test_an_abort_voids_the_game(autojump_clock: MockClock) -> None:
    players = [Scripted("e2", seconds=100), Scripted()]
    events: list[Event] = []
    with trio.move_on_after(5) as scope:
        await play_match(players, None, [events.append])
    assert scope.cancelled_caught
    ended = events[-1]
    assert isinstance(ended, GameEnded)
    assert (ended.result.winner, ended.result.termination) == (None, Termination.ABORTED)
    assert ended.result.termination.is_void
    assert not ended.result.is_drawn
    assert [player.departures for player in players] == [1, 1]
    # No notification names a winner.
    assert not [event for event in players[1].news if isinstance(event, GameEnded)]


class SlowToLeave(Scripted):
    """Needs a second to release its resources."""

    async def leave(self) -> None:
        await trio.sleep(1)
        await super().leave()


async def test_an_abort_lets_players_finish_leaving(autojump_clock: MockClock) -> None:
    players = [SlowToLeave("e2", seconds=100), SlowToLeave()]
    with trio.move_on_after(5) as scope:
        await play_match(players)
    assert scope.cancelled_caught
    assert [player.departures for player in players] == [1, 1]
    assert trio.current_time() == pytest.approx(6, abs=0.01)


@pytest.mark.parametrize(("move_time", "game_time"), [(2.0, 60.0), (60.0, 2.0)])
async def test_the_smaller_of_two_limits_counts(
    move_time: float, game_time: float, autojump_clock: MockClock
) -> None:
    settings = MatchSettings(move_time=move_time, clock=GameClock(game_time))
    result, _ = await play([Scripted("e2", seconds=30), Scripted()], settings)
    assert result.termination is Termination.TOO_SLOW
    assert trio.current_time() == pytest.approx(2, abs=0.01)


class Leaver(Scripted):
    """Is lost after some seconds, whoever's turn it is."""

    def __init__(self, after: float) -> None:
        super().__init__("e8 e7 e6", seconds=1000)
        self._after = after

    async def watch(self) -> ForfeitError:
        await trio.sleep(self._after)
        return ForfeitError(Termination.DISCONNECTED, Translatable("lost the connection"))


@pytest.mark.parametrize(
    ("after", "meanwhile"),
    [(0.0, ", while player 1 was thinking"), (1.0, ", while player 1 was thinking"), (2.5, "")],
)
async def test_a_player_that_loses_its_connection_loses_the_game(
    after: float, meanwhile: str, autojump_clock: MockClock
) -> None:
    result, _ = await play([Scripted("e2 e3 e4", seconds=2), Leaver(after)])
    assert (result.winner, result.termination) == (1, Termination.DISCONNECTED)
    assert result.sentence.endswith(f"(player 2) lost the connection{meanwhile}.")
    assert trio.current_time() == pytest.approx(after, abs=0.01)


async def test_a_fault_does_not_hide_that_another_is_too_slow(autojump_clock: MockClock) -> None:
    players = [Scripted("e2", seconds=10), Leaver(1), Scripted("b5"), Scripted("h5")]
    result, events = await play(players, MatchSettings(move_time=5))
    outs = [(event.player, event.fault.termination) for event in events if isinstance(event, PlayerOut)]
    assert outs[:2] == [(2, Termination.DISCONNECTED), (1, Termination.TOO_SLOW)]
    assert result.winner in {3, 4}


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("seed", range(5))
async def test_simple_players_finish_their_games(players: int, seed: int) -> None:
    result, _ = await play([SimplePlayer(seed * 4 + number) for number in range(players)])
    assert result.termination is Termination.GOAL


async def test_a_player_that_returns_no_move_raises_a_type_error() -> None:
    class Forgetful(SimplePlayer):
        async def choose(self, position: Position, clock: Clock) -> Move:
            await super().choose(position, clock)
            return None  # type: ignore[return-value]

    with pytest.raises(ExceptionGroup) as raised:
        await play_match([Forgetful(1), SimplePlayer(2)])
    assert raised.group_contains(TypeError, match="chose None")


async def test_a_wrong_number_of_players_is_rejected() -> None:
    with pytest.raises(ValueError, match="2 players cannot play a game for 4"):
        await play([Scripted(), Scripted()], MatchSettings(Position(players=4)))


class Hesitant(Scripted):
    """May be asked only three seconds after anything else."""

    async def ready(self) -> None:
        await trio.sleep(3)


async def test_waiting_before_a_request_takes_no_time_off_a_clock(autojump_clock: MockClock) -> None:
    players = [Hesitant("e2 e3"), Scripted("e8")]
    result, events = await play(players, MatchSettings(move_time=1))
    assert [event.seconds for event in events if isinstance(event, MoveMade)] == [0.0] * 3
    assert result.termination is Termination.RESIGNED


async def test_a_player_lost_before_its_request_is_not_asked(autojump_clock: MockClock) -> None:
    class Lost(Leaver, Hesitant):
        pass

    result, events = await play([Lost(1), Scripted()])
    assert (result.winner, result.termination) == (2, Termination.DISCONNECTED)
    assert not [event for event in events if isinstance(event, MoveRequested)]


async def test_a_player_is_heard_out_after_each_of_its_moves_before_the_move_is_announced() -> None:
    told: list[object] = []

    class Talkative(Scripted):
        async def choose(self, position: Position, clock: Clock) -> Move:
            told.append("asked")
            return await super().choose(position, clock)

        async def hear_out(self) -> None:
            told.append("heard")

        async def notify(self, event: Event) -> None:
            if isinstance(event, MoveMade):
                told.append(event.player)

    await play([Talkative("e2 e3"), Scripted("e8")])
    assert told == ["asked", "heard", 1, 2, "asked", "heard", 1]


async def test_players_can_agree_to_a_draw_once_a_position_occurred_twice() -> None:
    class Peaceful(Scripted):
        wishes = 0

        async def choose(self, position: Position, clock: Clock) -> Move:
            self.wishes += 1
            # Asked again as long as the wish is not granted.
            if self.wishes == 2 or position.ply == 4:
                raise DrawAgreedError
            return await super().choose(position, clock)

    settings = MatchSettings(agrees_draws=True)
    result, events = await play([Peaceful("e2 e1"), Scripted("e8 e9")], settings)
    assert result.sentence == "Drawn by agreement: the position occurred 2 times."
    assert len([event for event in events if isinstance(event, MoveMade)]) == 4


async def test_a_game_that_the_machine_stops_says_what_was_missing() -> None:
    class Starving(Scripted):
        async def choose(self, position: Position, clock: Clock) -> Move:
            raise OSError(errno.EMFILE, "too many")

    events: list[Event] = []
    with pytest.RaisesGroup(OSError):
        await play_match([Starving(), Scripted()], listeners=[events.append])
    assert isinstance(events[-1], GameEnded)
    reason = "too many open files and connections: raise the limit (ulimit -n)"
    assert events[-1].result.sentence == f"The game does not count: {reason}."
