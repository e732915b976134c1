"""The state of one game, without players and without an event loop."""

from __future__ import annotations

from typing import Any

import pytest

from quoridor_net import clobber
from quoridor_net.clocks import GameClock
from quoridor_net.match import MoveMade
from quoridor_net.match.encoding import as_object
from quoridor_net.match.match_game import MatchGame, MatchSettings
from quoridor_net.notation.standard import parse_move
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.phrases import Translatable
from quoridor_net.players import Clock
from quoridor_net.rules import Move, Position

BLITZ = GameClock(60, 1)
LOST = ForfeitError(Termination.DISCONNECTED, Translatable("lost the connection"), "said this")


def game_of(
    players: int = 2, move_time: float | None = None, clock: GameClock | None = None, **others: Any
) -> MatchGame[Position, Move]:
    names = ("ann", "bob", "cid", "dee")[:players]
    settings = MatchSettings(move_time=move_time, clock=clock, **others)
    return MatchGame(names, Position(players=players), settings)


def clobber_game(columns: int, rows: int) -> MatchGame[clobber.ClobberPosition, clobber.Move]:
    return MatchGame(
        ("ann", "bob"), clobber.ClobberPosition.start(columns, rows), MatchSettings(ends_at_fault=True)
    )


def test_the_clock_shows_the_rest_of_the_game_time() -> None:
    game = game_of(move_time=30, clock=GameClock(60))
    assert game.clock(1) == Clock(30, 60)
    assert game.play(1, parse_move("e2"), 45, "") == []
    assert (game.clock(1), game.clock(2)) == (Clock(30, 15), Clock(30, 60))
    game.play(2, parse_move("e8"), 0, "")
    game.play(1, parse_move("e3"), 16, "")
    assert game.clock(1) == Clock(30, 0)


def test_each_move_adds_the_increment() -> None:
    game = game_of(clock=GameClock(60, 2), own_clocks={2: GameClock(5.5, 0.5)})
    assert (game.clock(1), game.clock(2)) == (Clock(None, 60, 2), Clock(None, 5.5, 0.5))
    game.play(1, parse_move("e2"), 10, "")
    game.play(2, parse_move("e8"), 5.25, "")
    assert (game.left(1), game.left(2)) == (52, 0.75)
    assert (game.limit(1), game.limit(2)) == (52, 0.75)


def test_an_answer_found_with_its_timeout_leaves_the_increment() -> None:
    game = game_of(clock=GameClock(3, 1))
    game.play(1, parse_move("e2"), 3.2, "")
    assert game.left(1) == 1


def test_the_first_move_has_its_own_limit_and_does_not_run_the_clock() -> None:
    game = game_of(move_time=5, clock=GameClock(60, 2), first_move_time=30)
    assert (game.limit(1), game.clock(1)) == (30, Clock(5, 60, 2)), "nobody plans a longer move"
    game.play(1, parse_move("e2"), 25, "")
    assert game.limit(2) == 30
    game.play(2, parse_move("e8"), 0, "")
    assert (game.left(1), game.limit(1)) == (60, 5)
    assert game_of(move_time=5, first_move_time=1).clock(1) == Clock(1)
    assert game_of().limit(1) is None


def test_the_last_of_the_allowed_occurrences_of_a_position_draws() -> None:
    game = game_of(repetition=3)
    for ply, word in enumerate(("e2", "e8", "e1", "e9") * 2):
        assert game.turn == 1 + ply % 2
        game.play(1 + ply % 2, parse_move(word), 0, "")
    assert game.turn is None
    assert game.result() == Result(None, Termination.REPETITION, "Drawn: the position occurred 3 times.", 8)
    assert game_of().turn == 1


def test_moves_taken_back_do_not_count_as_occurrences() -> None:
    game = game_of(repetition=2, takes_back=True)
    for word in ("e2", "e8", "e1"):
        game.play(game.turn or 0, parse_move(word), 0, "")
    assert game.take_back(1) == 1
    game.play(1, parse_move("e1"), 0, "")
    assert game.turn == 2
    game.play(2, parse_move("e9"), 0, "")
    assert game.turn is None


@pytest.mark.parametrize(
    ("move_time", "clock", "first_move_time", "sentence"),
    [
        (5, None, None, "did not answer within 5 s"),
        (5, GameClock(4), None, "used up its clock of 4 s"),
        (None, GameClock(4, 0.5), None, "used up its clock of 4+0.5 s"),
        (5, GameClock(5), None, "did not answer within 5 s"),
        (5, GameClock(4), 3, "did not make its first move within 3 s"),
    ],
)
def test_a_silent_player_loses_on_time(
    move_time: float | None, clock: GameClock | None, first_move_time: float | None, sentence: str
) -> None:
    game = game_of(2, move_time, clock, first_move_time=first_move_time)
    game.note_silence(1)
    announced = game.announce()
    assert announced is not None
    assert (announced[0], announced[1].sentence) == (1, sentence)
    assert game.result().sentence == f"bob (player 2) wins: ann (player 1) {sentence}."


def test_the_fault_of_a_player_that_is_not_on_turn_waits_unless_it_decides() -> None:
    game = game_of(4)
    game.thinking = 1
    assert not game.note(2, LOST)
    assert not game.note(3, LOST)
    assert game.note(4, LOST), "nobody is left but the player that thinks"
    assert not game.note(4, LOST), "it is known already"
    game = game_of(4)
    game.thinking = 1
    assert game.note(1, LOST)
    assert game_of().note(1, LOST) is False, "nobody thinks"


def test_a_lost_connection_is_reported_with_the_thinking_player() -> None:
    game = game_of()
    game.thinking = 1
    game.note(2, LOST)
    game.announce()
    assert game.result().sentence.endswith("lost the connection, while player 1 was thinking.")
    assert (game.result().termination, game.result().line) == (Termination.DISCONNECTED, "said this")
    # Other faults are reported without the thinking player.
    game = game_of()
    game.thinking = 1
    game.note(2, ForfeitError(Termination.FLOODING, Translatable("sent too much")))
    game.announce()
    assert game.result().sentence.endswith("bob (player 2) sent too much.")


def test_faults_of_four_players_are_announced_in_order() -> None:
    game = game_of(4)
    for player in (3, 1, 2):
        game.note(player, LOST)
    announced = []
    while (fault := game.announce()) is not None:
        announced.append(fault[0])
    assert announced == [3, 1, 2]
    assert (game.result().winner, game.result().termination) == (4, Termination.LAST_PLAYER)


def test_a_winning_clobber_move_counts_despite_a_later_fault() -> None:
    game = clobber_game(1, 2)
    game.note(1, LOST)
    before = game.is_silenced
    game.play(1, clobber.parse_move("a1a2"), 0, "")
    assert (before, game.is_silenced) == (True, False)
    assert game.announce() is None
    assert game.result().sentence == "ann (black) wins: bob (white) has no move."


def test_a_lost_connection_decides_a_clobber_game_without_moves() -> None:
    game = clobber_game(1, 1)
    game.note(2, LOST)
    announced = game.announce()
    assert announced is not None
    assert game.result().sentence == "ann (black) wins: bob (white) lost the connection."
    assert clobber_game(1, 1).result().winner == 2


ABORTED = ForfeitError(Termination.ABORTED, Translatable("stopped"))


def test_a_fault_that_costs_nothing_makes_only_an_undecided_game_void() -> None:
    undecided, decided, lost = clobber_game(1, 2), clobber_game(1, 2), clobber_game(1, 2)
    decided.play(1, clobber.parse_move("a1a2"), 0, "")
    lost.note(1, LOST)
    for game in (undecided, decided, lost):
        assert not game.note(2, ABORTED)
        game.announce()
    assert undecided.result().sentence == "The game does not count: bob (white) stopped."
    assert [game.result().winner for game in (undecided, decided, lost)] == [None, 1, 2]


def test_a_thinking_player_stops_when_the_game_becomes_void() -> None:
    game = game_of()
    assert not game.note(2, ABORTED)
    game.thinking = 1
    assert game.note(1, ABORTED)


def test_a_game_announces_the_clock_of_each_player_if_any_has_one() -> None:
    position = Position(players=2)
    settings = [MatchSettings(), MatchSettings(clock=BLITZ), MatchSettings(own_clocks={2: BLITZ})]
    clocks = [each.announce(("ann", "bob"), position).clocks for each in settings]
    assert clocks == [(), (BLITZ, BLITZ), (None, BLITZ)]
    games: list[MatchGame[Position, Move]]
    games = [MatchGame(("ann", "bob"), position, each) for each in settings]
    assert [[game.left(player) for player in (1, 2)] for game in games] == [
        [None, None], [60, 60], [None, 60],
    ]  # fmt: skip


def test_events_of_clobber_have_its_columns_and_rows_and_the_time_left() -> None:
    position = clobber.ClobberPosition.start(3, 2)
    start = as_object(MatchSettings().announce(("ann", "bob"), position))
    assert (start["columns"], start["rows"]) == (3, 2)
    move = as_object(MoveMade(1, clobber.parse_move("a1a2"), 1, 0.25, position, 59.12345678))
    assert (move["seconds"], move["left"]) == (0.25, 59.123457)


def test_a_refused_move_is_kept_with_its_reason() -> None:
    game = clobber_game(2, 2)
    move = clobber.parse_move("a1b2")
    assert game.play(1, move, 0, "a 1 b 2") is None
    announced = game.announce()
    assert announced is not None
    fault = announced[1]
    assert (fault.termination, fault.move, fault.line) == (Termination.ILLEGAL_MOVE, move, "a 1 b 2")
    assert fault.sentence.startswith("played a1b2, which is illegal: ")
