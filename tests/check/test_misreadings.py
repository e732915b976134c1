"""The misreadings of moves that the checker of move servers recognises."""

from __future__ import annotations

from trio.testing import MockClock

from quoridor_net.check import Severity, check_launched_server
from quoridor_net.check.lan_server.views import MISREADINGS
from quoridor_net.rules import Move, Orientation, Square, Step, Wall
from tests.support.walker_server import Board, WalkerServer, launch_server

_WALL = Wall(2, 1, Orientation.HORIZONTAL)
_STEP = Step(Square(4, 1))


def _readings(code: str, move: Move) -> set[str]:
    """Return how servers with the misreadings of a code read a move of another player."""
    return {str(kind.others(move)) for kind in MISREADINGS if kind.code == code}


def test_walls_are_misread_as_the_checker_says() -> None:
    # Rows from the bottom, with the anchor above or below the wall's middle.
    assert _readings("LAN-143", _WALL) == {"[(2, 6), h]", "[(2, 7), h]"}
    assert _readings("LAN-141", _WALL) == {"[(1, 2), h]", "[(1, 2), v]"}
    assert _readings("LAN-142", _WALL) == {"[(1, 0), h]"}
    assert _readings("LAN-144", _WALL) == {"[(2, 0), h]", "[(2, 1), h]"}
    assert _readings("LAN-145", _WALL) == {"[(1, 1), h]", "[(2, 1), h]"}
    assert _readings("LAN-146", _WALL) == {"[(2, 1), v]"}
    assert _readings("LAN-149", _WALL) == {"[(3, 1), h]", "[(2, 2), h]", "[(3, 2), h]", "[(5, 1), h]"}
    assert _readings("LAN-154", _WALL) == {"[(1, 2), h]", "[(2, 6), h]", "[(1, 0), h]", "[(2, 1), h]"}


def test_squares_are_misread_as_the_checker_says() -> None:
    assert _readings("LAN-151", _STEP) == {"(1, 4)", "(4, 7)"}
    assert _readings("LAN-154", _STEP) == {"(1, 4)", "(4, 7)", "(3, 0)"}
    assert _readings("LAN-143", _STEP) == {"(4, 1)"}


def test_own_walls_are_misread_like_those_of_others_or_not_at_all() -> None:
    read = {str(kind.own(_WALL)) for kind in MISREADINGS if kind.code == "LAN-143"}
    assert read == {"[(2, 1), h]", "[(2, 6), h]", "[(2, 7), h]"}


class BoardForTwo(Board):
    """A board of arrays with room for four players, but only two pawns."""

    def __init__(self, players: int) -> None:
        super().__init__(2)
        self.pawns |= {3: (0, 0), 4: (0, 0)}
        self.left |= {3: 10, 4: 10}

    def steps(self, player: int) -> set[tuple[int, int]]:
        pawns = self.pawns
        self.pawns = {number: pawn for number, pawn in pawns.items() if number in {1, 2, player}}
        try:
            return super().steps(player)
        finally:
            self.pawns = pawns


class SetsUpTwoPawns(WalkerServer):
    """Plays every game as if for two."""

    wall_every = 1000

    def make_board(self, players: int) -> Board:
        return BoardForTwo(players)


async def test_server_that_sets_up_two_pawns_learns_so_first(autojump_clock: MockClock) -> None:
    report = await check_launched_server(launch_server(SetsUpTwoPawns))
    first, *others = report.findings
    assert first.code == "LAN-114"
    assert "as if for two" in first.rule.title
    assert {finding.follows for finding in others if finding.severity is Severity.MUST} <= {"LAN-114"}


async def test_generic_fault_is_offered_as_no_explanation(autojump_clock: MockClock) -> None:
    report = await check_launched_server(launch_server(SetsUpTwoPawns), only="LAN-114")
    assert all("LAN-139" not in finding.detail for finding in report.findings)
