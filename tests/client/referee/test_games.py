"""Records of games name the winner and the engine at fault, whatever its colour."""

from __future__ import annotations

import pytest

from client.referee.games import GameRecord, Side
from quoridor_net.match import GameEnded
from quoridor_net.outcome import Result, Termination
from quoridor_net.rules import Position
from quoridor_net.tournament import Pairing


@pytest.mark.parametrize(
    ("black", "winner", "termination", "won_by", "at_fault"),
    [
        (Side.BLACK, 1, Termination.GOAL, Side.BLACK, None),
        (Side.WHITE, 1, Termination.GOAL, Side.WHITE, None),
        (Side.BLACK, 2, Termination.TOO_SLOW, Side.WHITE, Side.BLACK),
        (Side.WHITE, 2, Termination.ILLEGAL_MOVE, Side.BLACK, Side.WHITE),
        (Side.BLACK, 2, Termination.RESIGNED, Side.WHITE, None),
        (Side.BLACK, None, Termination.PLY_LIMIT, None, None),
        (Side.BLACK, None, Termination.ABORTED, None, None),
    ],
)
def test_wins_and_faults_belong_to_engines_not_to_colours(
    black: Side, winner: int | None, termination: Termination, won_by: Side | None, at_fault: Side | None
) -> None:
    pairing = Pairing(1, 1, (black, 3 - black))
    ended = GameEnded(Result(winner, termination, "", 10), ("a", "b"), Position())
    record = GameRecord(pairing, ended, 1.0)
    assert (record.winner, record.at_fault) == (won_by, at_fault)
