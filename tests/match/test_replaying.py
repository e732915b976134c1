"""Recorded games become events, and events recorded games."""

from __future__ import annotations

import pytest
from attrs import evolve

from quoridor_net.match import GameEnded, GameStarted, MoveMade, PlayerOut
from quoridor_net.match.encoding import as_object
from quoridor_net.match.replaying import GameKeeper, events_of
from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.replay import Outcome, parse_game
from quoridor_net.rules import Position, Square, Step
from quoridor_net.verdicts import VerdictPhrase

BEGUN = "# Players: ann vs bob\nP 1 E2\nP 2 E8\n"
LOST = f"# Result: P1-win\n# Termination: too_slow\n{BEGUN}"
OF_FOUR = "# Extension: players 4\n# Extension: size 3\n# Extension: walls 0\nP 1 A1\nX 4\nP 2 A3\n"


@pytest.mark.parametrize("text", [BEGUN, LOST, OF_FOUR], ids=["begun", "lost", "four"])
def test_a_game_is_kept_as_it_was_recorded(text: str) -> None:
    recorded = parse_game(text, partial=True)
    keeper = GameKeeper()
    assert keeper.replay() is None
    for event in events_of(recorded):
        keeper(event)
    kept = keeper.replay()
    assert kept is not None
    assert (kept.plies, kept.outcome, kept.setting) == (recorded.plies, recorded.outcome, recorded.setting)
    assert kept.value("Players") == " vs ".join(recorded.names)


def test_the_events_of_a_recorded_game_are_numbered_by_moves() -> None:
    kinds = [
        (type(event), getattr(event, "ply", None)) for event in events_of(parse_game(OF_FOUR, partial=True))
    ]
    assert kinds == [(GameStarted, None), (MoveMade, 1), (PlayerOut, 1), (MoveMade, 2)]
    *_, ended = events_of(parse_game(LOST))
    assert isinstance(ended, GameEnded)
    assert (ended.result.winner, ended.result.termination, ended.result.plies) == (1, "too_slow", 2)
    assert ended.result.sentence == "ann (player 1) wins (too_slow)."
    assert parse_game(LOST).outcome == Outcome(1, "too_slow")


def test_the_fault_that_ends_a_game_of_two_is_not_kept_as_a_ply() -> None:
    keeper = GameKeeper()
    *begun, ended = events_of(parse_game(LOST))
    assert isinstance(ended, GameEnded)
    position = ended.position.copy()
    position.eliminate(2)
    for event in (*begun, evolve(ended, position=position)):
        keeper(event)
    kept = keeper.replay()
    assert kept is not None
    assert (len(kept.plies), kept.outcome) == (2, Outcome(1, "too_slow"))


@pytest.mark.parametrize("move", [None, Step(Square(4, 4))])
def test_an_illegal_move_is_shown_if_there_was_one(move: Step | None) -> None:
    fault = ForfeitError(Termination.ILLEGAL_MOVE, VerdictPhrase.MOVE_REFUSED(), "MOVE (4, 4)", move=move)
    shown = as_object(PlayerOut(2, fault, Position(), 3))
    assert shown["move"] == (None if move is None else "(4, 4)")
    assert (shown["player"], shown["ply"], shown["line"]) == (2, 3, "MOVE (4, 4)")
    assert shown["termination"] == "illegal_move"
    assert as_object(PlayerOut(2, fault, Position()))["ply"] == 0
