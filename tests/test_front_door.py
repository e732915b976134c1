"""What users of the library meet first: ``from quoridor_net import ...``."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import pytest
import trio
from trio.testing import MockClock

import quoridor_net
from quoridor_net import (
    Analysis,
    Choice,
    Clock,
    IllegalMoveError,
    Jumps,
    Limits,
    Orientation,
    Ply,
    Position,
    Result,
    Square,
    Step,
    Termination,
    UnparsableError,
    Wall,
    make_player,
    parse_move,
    play_match,
    replay,
)
from quoridor_net.notation import athens, lan, standard
from tests.test_floors import SOURCES, imports_of

HEAVY = ("numba", "numpy", "trio", "rich", "click", "attrs", "quoridor_net.rules")


def test_importing_the_package_loads_nothing_else() -> None:
    program = f"import sys, quoridor_net; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_positions_load_neither_an_engine_nor_an_event_loop() -> None:
    program = f"import sys; from quoridor_net import Position, Limits, Engine; Engine(); \
print([name for name in {HEAVY[:4]} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.parametrize("name", quoridor_net.__all__)
def test_every_public_name_exists_and_is_listed(name: str) -> None:
    assert getattr(quoridor_net, name) is not None
    assert name in dir(quoridor_net)
    # Loaded once, and from then on as fast as any name of a module.
    assert name in vars(quoridor_net)


def test_other_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="module 'quoridor_net' has no attribute 'Board'"):
        quoridor_net.Board  # type: ignore[attr-defined]  # noqa: B018


def test_the_version_is_that_of_the_installed_package() -> None:
    assert quoridor_net.__version__ == version("quoridor-net")


def test_the_package_itself_does_not_use_its_front_door() -> None:
    names = {f"quoridor_net.{name}" for name in quoridor_net.__all__} - {"quoridor_net.replay"}
    through = [module for module, path in SOURCES for _, name in imports_of(path) if name in names]
    assert through == []


def test_texts_in_any_notation_are_played() -> None:
    position = Position()
    assert position.push_text("e2") == Step(Square(4, 1))
    assert position.push_text("E3 horizontal") == Wall(4, 6, Orientation.HORIZONTAL)
    assert position.push_text("[(3, 1), h]") in position.walls
    assert position.peek().move == parse_move("d2h")
    assert (position.is_over, position.outcome(), len(position.history)) == (False, None, 3)
    assert position.root() == Position()
    assert not position.root().history
    assert position.ply == 3
    assert Step(Square(4, 6)) not in position.legal_moves
    assert Step(Square(3, 8)) in position.legal_moves


def test_an_engine_refuses_values_that_are_not_positions() -> None:
    engine: Any = quoridor_net.Engine()
    for ask in (engine.play, engine.analyse, engine.analysis):
        with pytest.raises(TypeError, match="the position must be a Position, not 'e2'"):
            ask("e2")


def test_moves_and_legal_moves_agree() -> None:
    position = Position(3)
    assert position.legal_moves
    assert len(position.legal_moves) == len(list(position.legal_moves)) == position.perft(1)
    assert all(position.is_legal(move) for move in position.legal_moves)
    assert not Position.from_line(" /  / e9 e5 / 7 8 / 0").legal_moves


@pytest.mark.parametrize(
    ("text", "error"), [("e5 north", UnparsableError), ("E2", UnparsableError), ("e3", IllegalMoveError)]
)
def test_a_refused_text_leaves_the_position_as_it_was(text: str, error: type[Exception]) -> None:
    position = Position()
    with pytest.raises(error):
        position.push_text(text)
    assert position == Position()
    assert position.ply == 0


def test_a_named_notation_decides() -> None:
    position = Position()
    assert position.push_text("E8", notation="athens") == Step(Square(4, 1))
    assert position.push_text("E8", notation="standard") == Step(Square(4, 7))


@pytest.mark.parametrize(
    "value",
    [
        Position(),
        Position(5, 4, 3, Jumps.CLASSROOM),
        Position.from_line("d4f7h7 / a2a8 / e4 e6 / 7 8 / 2"),
        Position.from_line(" /  / - e5 / 0 8 / 0"),
        Step(Square(4, 1)),
        Wall(3, 1, Orientation.VERTICAL),
        Wall(0, 7, Orientation.HORIZONTAL),
        Ply(1, Step(Square(4, 1))),
        Ply(2, None),
        Jumps.CLASSROOM,
        Termination.GOAL,
        Result(1, Termination.GOAL, "Player 1 wins.", 17),
        Position.from_line(" /  / e9 e5 / 7 8 / 0").outcome(),
        Limits(time=1.5, level=3),
        Clock(move_time=2.0),
        Choice(Step(Square(4, 1)), 12, None, (Step(Square(4, 1)),)),
        Analysis((Choice(Wall(3, 1, "h"), 12, None, (Wall(3, 1, "h"),)),), 3, 1000),
    ],
)
def test_repr_can_be_evaluated_with_the_exported_names(value: object) -> None:
    exported = {name: getattr(quoridor_net, name) for name in quoridor_net.__all__}
    assert eval(repr(value), exported) == value


def test_printing_draws_the_board() -> None:
    lines = str(Position(3)).splitlines()
    assert lines == [
        "  ╭───────────╮",
        "3 │ ·   ▼   · │",
        "  │           │",
        "2 │ ·   ·   · │",
        "  │           │",
        "1 │ ·   ▲   · │",
        "  ╰───────────╯",
        "    a   b   c",
    ]


def test_a_finished_game_has_an_outcome() -> None:
    position = Position.from_line(" /  / e8 a5 / 0 0 / 1")
    position.push_text("e9")
    result = position.outcome()
    assert result == Result(1, Termination.GOAL, "Player 1 wins: it reached its goal line.", 1)
    position = Position()
    position.push_text("e2")
    position.eliminate(1)
    result = position.outcome()
    assert result == Result(2, Termination.LAST_PLAYER, "Player 2 wins: all other players are out.", 1)


def test_there_is_nothing_to_peek_at_before_the_first_move() -> None:
    with pytest.raises(IndexError, match="no move was played"):
        Position().peek()


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [(Wall, (3, 1, "x")), (Wall, ("3", 1, Orientation.HORIZONTAL)), (Step, ("e2",)), (Square, (4.0, 1))],
)
def test_values_of_another_kind_are_refused(kind: Any, arguments: tuple[object, ...]) -> None:
    with pytest.raises(TypeError, match="must be a"):
        kind(*arguments)


@pytest.mark.parametrize("move", ["e2", Square(4, 1), None])
def test_a_value_that_is_not_a_move_is_refused(move: Any) -> None:
    with pytest.raises(TypeError, match="a move must be a Step or a Wall, not"):
        Position().push(move)


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda wrong: Position().pawn(wrong("1")), TypeError, "a player is a number, not '1'"),
        (lambda _wrong: Position().walls_left(3), ValueError, "there is no player 3 in a game of 2"),
        (
            lambda wrong: make_player("simple", seed=wrong("x")),
            TypeError,
            "a seed is a whole number or None, not 'x'",
        ),
        (
            lambda wrong: Limits(time=wrong("1")),
            TypeError,
            "time must be a number of seconds, 0 or more, not '1'",
        ),
        (
            lambda wrong: trio.run(play_match, wrong(["a", "b"])),
            TypeError,
            "players must be Player objects, as make_player returns, not 'a'",
        ),
    ],
)
def test_arguments_of_another_kind_are_refused(
    call: Callable[[Callable[[Any], Any]], Any], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=f"^{sentence}$"):
        call(lambda value: value)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (parse_move, "a written move must be a str"),
        (lambda wrong: parse_move("e2", wrong), "the board size must be an int"),
        (lan.parse_move, "a written move must be a str"),
        (standard.parse_move, "a written move must be a str"),
        (athens.parse_move, "a written move must be a str"),
        (athens.parse_vertex, "a vertex must be a str"),
        (athens.parse_colour, "a word must be a str"),
        (Position.from_line, "the line of a position must be a str"),
        (lambda wrong: Position().push_text(wrong), "a written move must be a str"),
        (lambda wrong: Position().perft(wrong), "the depth must be an int"),
        (lambda wrong: Position().divide(wrong), "the depth must be an int"),
        (replay.parse_game, "the text of a game must be a str"),
        (replay.parse_replay, "the text of a game must be a str"),
        (replay.format_game, "the game must be a Replay"),
        (replay.decode, "the contents of a file must be bytes"),
    ],
)
@pytest.mark.parametrize("wrong", [None, 5.0])
def test_texts_and_depths_of_another_kind_are_refused(
    call: Callable[[Any], object], sentence: str, wrong: Any
) -> None:
    with pytest.raises(TypeError) as caught:
        call(wrong)
    assert str(caught.value) == f"{sentence}, not {wrong!r}"


def test_an_error_about_a_file_object_is_short() -> None:
    wrong: Any = b"P 1 E2\n" * 1000
    with pytest.raises(TypeError) as caught:
        replay.parse_game(wrong)
    assert len(str(caught.value)) < 150


async def test_players_given_by_name_play_a_match(autojump_clock: MockClock) -> None:
    result = await play_match([make_player("simple", seed=1), make_player("random", seed=1)])
    assert result.winner in (1, 2)
    assert result.termination is Termination.GOAL


def test_an_unknown_player_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown player 'stockfish': choose from engine, simple"):
        make_player("stockfish")
