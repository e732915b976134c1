"""The one-line form of a position (docs/decisions.md, Rules), both ways, and everything that is none."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.notation.standard import parse_move, parse_square
from quoridor_net.rules import Jumps, Position, Termination
from quoridor_net.text import UnparsableError


@pytest.mark.parametrize(
    ("line", "position"),
    [
        (" /  / e1 e9 / 10 10 / 1", Position()),
        (" /  / e1 e9 a5 i5 / 5 5 5 5 / 1", Position(players=4)),
        (" /  / c1 c5 / 3 3 / 1 / 5", Position(5, walls=3)),
        (" /  / m1 m24 / 36 36 / 1 / 24", Position(24)),
    ],
)
def test_starts_are_written_as_in_the_design(line: str, position: Position) -> None:
    assert position.to_line() == line
    assert Position.from_line(line) == position


def test_fields_describe_the_position() -> None:
    position = Position.from_line("d4f7 / a2a8 / e4 e6 / 7 8 / 2")
    assert set(position.walls) == {parse_move(name) for name in ("d4h", "f7h", "a2v", "a8v")}
    assert [position.pawn(player) for player in (1, 2)] == [parse_square("e4"), parse_square("e6")]
    assert (position.turn, position.walls_left(1), position.walls_left(2)) == (2, 7, 8)


def test_walls_are_written_by_rank_and_file() -> None:
    shuffled = "a8 d4 c1 h1 / b2 / E4 e6 / 7 8 / 2\n"
    assert Position.from_line(shuffled).to_line() == "c1h1d4a8 / b2 / e4 e6 / 7 8 / 2"


def test_capitals_are_read() -> None:
    assert Position.from_line("D4 / A2 / E4 E6 / 7 8 / 2") == Position.from_line("d4 / a2 / e4 e6 / 7 8 / 2")


def test_the_jump_rule_is_not_part_of_the_line() -> None:
    line = " /  / e4 e5 / 7 8 / 2"
    assert Position.from_line(line).jumps is Jumps.OFFICIAL
    assert Position.from_line(line, Jumps.CLASSROOM).jumps is Jumps.CLASSROOM
    assert Position.from_line(line, Jumps.CLASSROOM).to_line() == line


@pytest.mark.parametrize(
    ("line", "winner", "ending"),
    [
        (" /  / e9 e5 / 7 8 / 0", 1, Termination.GOAL),
        (" /  / e5 e1 / 7 8 / 0", 2, Termination.GOAL),
        (" /  / - e5 / 0 8 / 0", 2, Termination.LAST_PLAYER),
        (" /  / - - a5 - / 0 0 3 0 / 0", 3, Termination.LAST_PLAYER),
        (" /  / - e9 i5 - / 0 5 3 0 / 0", 3, Termination.GOAL),
    ],
)
def test_finished_games_have_no_turn(line: str, winner: int, ending: Termination) -> None:
    position = Position.from_line(line)
    assert (position.turn, position.winner, position.ending) == (None, winner, ending)
    assert position.to_line() == line


def test_eliminated_players_are_written_as_dashes() -> None:
    position = Position(players=4)
    position.eliminate(4)
    assert position.to_line() == " /  / e1 e9 a5 - / 5 5 5 0 / 1"
    assert Position.from_line(position.to_line()) == position


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "a position has 5 or 6 fields, not 1: horizontal walls / vertical walls / pawns / walls left"),
        (" / e1 e9 / 10 10 / 1", "a position has 5 or 6 fields, not 4"),
        (" /  / e1 e9 / 10 10 / 1 / 9 / 9", "a position has 5 or 6 fields, not 7"),
        (" /  / e1 e9 / 10 10 / 1 / nine", "'nine' is not a size"),
        (" /  / e1 e9 / 10 10 / 1 / 2", "the size of a board is 3 to 25, not 2"),
        (" /  / e1 e9 / 10 10 / 1 / 26", "the size of a board is 3 to 25, not 26"),
        ("d /  / e1 e9 / 10 10 / 1", "'d' is not a list of wall anchors: expected one like d4f7"),
        ("d4h /  / e1 e9 / 10 10 / 1", "'d4h' is not a list of wall anchors"),
        (" / d4,e5 / e1 e9 / 10 10 / 1", "'d4,e5' is not a list of wall anchors"),
        ("z1 /  / e1 e9 / 10 10 / 1", "'z1' is not a list of wall anchors"),
        ("j1 /  / e1 e9 / 10 10 / 1", "'j1' is off the board: squares go from a1 to i9"),
        ("a10 /  / e1 e9 / 10 10 / 1", "'a10' is off the board"),
        ("i1 /  / e1 e9 / 10 10 / 1", "i1h: no wall can lie there: walls go from a1h to h8v"),
        ("e3f3 /  / e1 e9 / 10 10 / 1", "impossible position: f3h: it would overlap the wall e3h"),
        ("e3e3 /  / e1 e9 / 10 10 / 1", "impossible position: .*it would overlap"),
        ("e3 / e3 / e1 e9 / 10 10 / 1", "impossible position: .*it would cross"),
        ("a1 / b1 / a1 c3 / 1 1 / 1 / 3", "impossible position: the walls leave player 1 without a path"),
        (" /  / e1 / 10 / 1", "a position has 2 or 4 pawns, not 1"),
        (" /  / e1 e9 a5 / 5 5 5 / 1", "a position has 2 or 4 pawns, not 3"),
        (" /  / e1 e10 / 10 10 / 1", "'e10' is off the board"),
        (" /  / e1 e9h / 10 10 / 1", "'e9h' is not a square"),
        (" /  / e1 x / 10 10 / 1", "'x' is not a move"),
        (" /  / e1 e1 / 10 10 / 1", "impossible position: two pawns cannot both stand on e1"),
        (" /  / e9 e1 / 10 10 / 1", "impossible position: only one player can have reached its goal"),
        (" /  / - - / 0 0 / 0", "impossible position: at least one player must still be in the game"),
        (" /  / e1 e9 / 10 / 1", "impossible position: 2 pawns but 1 numbers of walls left"),
        (" /  / e1 e9 / ten 10 / 1", "'ten' is not a number of walls left"),
        (" /  / e1 e9 / -1 10 / 1", "'-1' is not a number of walls left"),
        (" /  / - e9 / 1 10 / 2", "impossible position: player 1 is eliminated and cannot have walls left"),
        (" /  / e1 e9 / 10 10 / x", "'x' is not a player to move"),
        (" /  / e1 e9 / 10 10 / ", "'' is not a player to move"),
        (" /  / e1 e9 / 10 10 / 3", "impossible position: it cannot be the turn of player 3"),
        (" /  / e1 - a5 i5 / 1 0 1 1 / 2", "impossible position: it cannot be the turn of player 2"),
        (" /  / e1 e9 / 10 10 / 0", "impossible position: the game is not over, so somebody must be to move"),
    ],
)  # fmt: skip
def test_invalid_lines_are_rejected(line: str, message: str) -> None:
    with pytest.raises(UnparsableError, match=message) as caught:
        Position.from_line(line)
    assert "\n" not in str(caught.value)


@given(
    st.integers(0, 2**32), st.integers(3, 25), st.sampled_from([2, 4]), st.integers(0, 12),
    st.sampled_from(list(Jumps)),
)  # fmt: skip
def test_positions_survive_a_round_trip(seed: int, size: int, players: int, walls: int, jumps: Jumps) -> None:
    chance = random.Random(seed)
    position = Position(size, players, walls, jumps)
    for _ in range(chance.randrange(30)):
        if position.turn is None:
            break
        if chance.random() < 0.1:
            position.eliminate(chance.choice(position.alive))
        else:
            walls_first = chance.random() < 0.5 and position.legal_walls
            position.push(chance.choice(walls_first or position.legal_steps or position.legal_moves))
    line = position.to_line()
    again = Position.from_line(line, jumps)
    assert again == position
    assert (again.winner, again.ending) == (position.winner, position.ending)
    assert again.to_line() == line


@given(st.text(alphabet="abi19/ -\t\n0", max_size=40) | st.text(max_size=40))
def test_any_text_is_a_position_or_unparsable(text: str) -> None:
    try:
        position = Position.from_line(text)
    except UnparsableError:
        return
    assert Position.from_line(position.to_line()) == position


def test_a_player_can_have_9999_walls() -> None:
    line = " /  / e1 e9 / 9999 0 / 1"
    assert Position.from_line(line).walls_left(1) == 9999
    with pytest.raises(ValueError, match="10000"):
        Position.from_line(line.replace("9999", "10000"))
