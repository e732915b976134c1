"""The board and its panel in windows of all sizes."""

from __future__ import annotations

from typing import Any

import pytest

from quoridor_net.clocks import GameClock
from quoridor_net.match import GameEnded, GameStarted, MoveMade, MoveRequested, PlayerOut, TurnPassed
from quoridor_net.outcome import ForfeitError, Result
from quoridor_net.phrases import Translatable
from quoridor_net.rules import Move, Orientation, Position, Square, Step, Termination, Wall
from quoridor_net.rules.diagram import ASCII, UNICODE, Look, plain, width_of
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.ui.match_view import Scene, match_view

HORIZONTAL, VERTICAL = Orientation.HORIZONTAL, Orientation.VERTICAL


def out(
    player: int, termination: Termination, did: str, position: Position, **known: Any
) -> PlayerOut[Position]:
    return PlayerOut(player, ForfeitError(termination, Translatable(did), **known), position)


def scene_of(
    moves: tuple[Move, ...] = (),
    players: int = 2,
    size: int = 9,
    move_time: float | None = None,
    clocks: tuple[GameClock | None, ...] = (),
    first_move_time: float | None = None,
) -> Scene:
    """Return the scene after ``moves``, with the next player thinking since second 100."""
    position = Position(size, players)
    names = ("anna", "bob", "cyd", "dan")[:players]
    started = GameStarted(names, position.copy(), move_time, 1000, clocks, first_move_time)
    scene = Scene(started, BoardPicture.LAN)
    for ply, move in enumerate(moves, 1):
        player = position.turn or 0
        position.push(move)
        scene.take(MoveMade(player, move, ply, ply / 10, position.copy()), 0)
    scene.take(MoveRequested(position.turn or 0, len(moves)), 100)
    return scene


def text_of(scene: Scene, now: float = 112.9, width: int = 80, height: int = 24) -> list[str]:
    return plain(match_view(scene, now, width, height, UNICODE))


OPENING: tuple[Move, ...] = (
    Step(Square(4, 1)),
    Wall(3, 1, HORIZONTAL),
    Wall(5, 6, VERTICAL),
)


def test_the_clock_of_the_thinking_player_runs() -> None:
    scene = scene_of(OPENING, clocks=(GameClock(300, 2), GameClock(300, 2)))
    panel = [line[41:].rstrip() for line in text_of(scene, now=110.5)]
    assert panel[1] == "official jumps, clock 300+2 s"
    assert panel[6] == "  ▼1 5:00      ▲2 4:50"
    scene.take(MoveMade(2, Step(Square(4, 7)), 4, 11.2, scene.position, left=290.8), 111.2)
    scene.take(MoveRequested(1, 4, 298.5), 111.2)
    assert text_of(scene, now=113.2)[6].endswith("  ▼1 4:57      ▲2 4:51"), "rounded up"


def test_the_clock_does_not_go_back_at_the_end() -> None:
    scene = scene_of(OPENING, clocks=(GameClock(300, 2), GameClock(300, 2)))
    # The other player resigns.
    scene.take(out(1, Termination.RESIGNED, "resigned", scene.position), 110.5)
    result = Result(2, Termination.RESIGNED, Translatable("bob wins"), 3)
    scene.take(GameEnded(result, scene.names, scene.position), 110.5)
    assert scene.left_at(2, 200) == 289.5
    assert scene.left_at(1, 200) == 300


def test_the_clock_of_the_thinking_player_stands_out() -> None:
    scene = scene_of(OPENING, clocks=(GameClock(300, 2), GameClock(200, 2)))
    looks = {
        span.text.strip(): span.look
        for line in match_view(scene, 100, 80, 24, UNICODE)
        for span in line
        if span.text.strip() in {"5:00", "3:20"}
    }
    assert looks == {"5:00": Look.TEXT, "3:20": Look.STRONG}


def test_the_clock_stands_still_during_a_first_move_with_its_own_limit() -> None:
    clocks = (GameClock(60), None, GameClock(5), GameClock(60))
    scene = scene_of(players=4, clocks=clocks, first_move_time=30)
    panel = [line[41:].rstrip() for line in text_of(scene, now=110.5, width=90)]
    assert panel[8] == "  ▼1 1:00      ◄4 1:00      ►3 5 s"


def test_a_tall_window_has_wide_squares_and_the_panel_below() -> None:
    lines = text_of(scene_of(OPENING), width=60, height=36)
    assert lines[2] == "0 │ ·   ·   ·   ·   ·   ·   ·   ·   · │"
    assert lines.index("Quoridor, 3 moves") > 20


def test_the_panel_is_beside_the_board_in_80_columns_and_24_lines() -> None:
    assert text_of(scene_of(OPENING, move_time=30)) == [
        "    0   1   2   3   4   5   6   7   8    Quoridor, 3 moves",
        "  ╭───────────────────────────────────╮  official jumps, 30 s a move",
        "0 │ ·   ·   ·   ·   ·   ·   ·   ·   · │",
        "  │                                   │       player               walls   to go",
        "1 │ ·   ·   ·   ·   ▼   ·   ·   ·   · │    ▼1 anna                     9       8",
        "  │            ━━━━━━━                │  > ▲2 bob                      9       9",
        "2 │ ·   ·   ·   ·   ·   ·   ·   ·   · │",
        "  │                                   │  ▲2 bob thinks: 12 s",
        "3 │ ·   ·   ·   ·   ·   ·   ·   ·   · │",
        "  │                                   │  Last moves",
        "4 │ ·   ·   ·   ·   ·   ·   ·   ·   · │     1 ▼1 (4, 1)       0.10 s",
        "  │                                   │     2 ▲2 [(3, 1), h]  0.20 s",
        "5 │ ·   ·   ·   ·   ·   ·   ·   ·   · │     3 ▼1 [(5, 6), v]  0.30 s",
        "  │                                   │",
        "6 │ ·   ·   ·   ·   ·   · ┃ ·   ·   · │",
        "  │                       ┃           │",
        "7 │ ·   ·   ·   ·   ·   · ┃ ·   ·   · │",
        "  │                                   │",
        "8 │ ·   ·   ·   ·   ▲   ·   ·   ·   · │",
        "  ╰───────────────────────────────────╯",
    ]


def test_the_panel_shows_moves_passes_and_eliminations() -> None:
    scene = scene_of((Step(Square(4, 1)),), players=4)
    position = scene.position.copy()
    position.eliminate(4)
    scene.take(out(4, Termination.TOO_SLOW, "did not answer within 30 s", position.copy()), 130)
    assert scene.asked is None
    scene.take(TurnPassed(2), 130)
    scene.take(MoveRequested(3, 1), 130)
    panel = [line[41:] for line in text_of(scene, now=190)]
    assert panel == [
        "Quoridor, 1 move",
        "official jumps, no time limit",
        "",
        "     player               walls   to go",
        "  ▼1 anna                     5       7",
        "  ◄4 dan                            out",
        "> ▲2 bob                      5       8",
        "  ►3 cyd                      5       8",
        "",
        "►3 cyd thinks: 1:00",
        "",
        "◄4 dan is out (too_slow): did not",
        "answer within 30 s",
        "",
        "Last moves",
        "   1 ▼1 (4, 1)       0.10 s",
        "     ▲2 has no legal move",
        *[""] * 3,
    ]


def test_between_moves_the_next_player_is_named() -> None:
    scene = scene_of()
    position = Position()
    position.push(Step(Square(4, 1)))
    scene.take(MoveMade(1, Step(Square(4, 1)), 1, 0.1, position), 0)
    assert "▲2 bob is next" in text_of(scene)[7]


def test_the_end_shows_the_winner_and_the_reason() -> None:
    scene = scene_of(OPENING)
    sentence = "anna (player 1) wins: bob (player 2) lost the connection."
    result = Result(1, Termination.DISCONNECTED, sentence, 3)
    scene.take(GameEnded(result, scene.names, scene.position), 130)
    assert [line[41:] for line in text_of(scene)[7:10]] == [
        "anna (player 1) wins: bob (player 2)",
        "lost the connection.",
        "disconnected after 3 moves",
    ]


def test_players_with_the_same_fault_share_a_line() -> None:
    scene = scene_of(players=4)
    position = scene.position.copy()
    for player, sentence in ((1, "was mute"), (4, "was mute"), (2, "was loud")):
        position.eliminate(player)
        scene.take(out(player, Termination.TOO_SLOW, sentence, position.copy()), 130)
    panel = [line[41:] for line in text_of(scene)]
    told = " ".join(line for line in panel if line)
    assert "▼1 anna, ◄4 dan are out (too_slow): was mute ▲2 bob is out (too_slow): was loud" in told


def test_the_fault_in_the_result_is_not_repeated() -> None:
    scene = scene_of()
    scene.take(out(2, Termination.DISCONNECTED, "was lost", scene.position, hint="Try again."), 130)
    sentence = "anna (player 1) wins: bob (player 2) was lost."
    scene.take(GameEnded(Result(1, Termination.DISCONNECTED, sentence, 0), scene.names, scene.position), 130)
    text = "\n".join(line[41:] for line in text_of(scene))
    assert text.count("was lost") == 1
    assert "▲2 bob is out (disconnected)\nTry again." in text


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        (Step(Square(4, 4)), ["4 │ ►   ·   ·   ·  ×××  ·   ·   ·   ◄ │"]),
        (Step(Square(4, 8)), ["8 │ ·   ·   ·   ·  ×▲×  ·   ·   ·   · │"]),
        (Wall(3, 1, HORIZONTAL), ["  │            ×××××××                │"]),
        (
            Wall(5, 6, VERTICAL),
            [
                "6 │ ·   ·   ·   ·   ·   · × ·   ·   · │",
                "  │                       ×           │",
                "7 │ ·   ·   ·   ·   ·   · × ·   ·   · │",
            ],
        ),
        # A move off the board cannot be marked.
        (Step(Square(9, 3)), []),
        (Wall(8, 8, HORIZONTAL), []),
    ],
)
def test_a_refused_move_is_crossed_out_on_the_board(move: Move, expected: list[str]) -> None:
    scene = scene_of(players=4)
    position = scene.position.copy()
    position.eliminate(1)
    scene.take(out(1, Termination.ILLEGAL_MOVE, "played it", position.copy(), move=move), 130)
    drawn = [line[:39].rstrip() for line in text_of(scene) if "×" in line[:39]]
    assert drawn == expected
    step = Step(Square(7, 4))
    position.push(step)
    scene.take(MoveMade(4, step, 1, 0.1, position.copy()), 131)
    assert not [line for line in text_of(scene) if "×" in line]


@pytest.mark.parametrize(
    ("width", "height", "start"),
    [
        # Large squares on a large screen.
        (120, 40, "      0       1       2"),
        # All other boards keep their coordinates while they fit, ...
        (100, 30, "    0   1   2"),
        (71, 24, "    0   1   2"),
        # ... below each other in a tall window, with small squares in a narrow one.
        (50, 40, "    0   1   2"),
        (60, 31, "    0   1   2"),
        (60, 30, "   0 1 2"),
        (60, 24, "   0 1 2"),
        (36, 30, "   0 1 2"),
        # Then the coordinates are dropped, and finally the board.
        (80, 19, " ·   ·   ·"),
        (48, 17, "· · · · ▼"),
        (40, 22, "· · · · ▼"),
        (40, 21, "Quoridor"),
        (30, 5, "▼1 anna thinks"),
    ],
)
def test_each_window_gets_the_best_arrangement(width: int, height: int, start: str) -> None:
    lines = match_view(scene_of(), 112.9, width, height, UNICODE)
    assert plain(lines)[0].startswith(start)
    assert max(map(width_of, lines)) <= width
    assert len(lines) <= height


@pytest.mark.parametrize("size", [3, 9, 10, 25])
@pytest.mark.parametrize("players", [2, 4])
def test_nothing_is_larger_than_the_window(size: int, players: int) -> None:
    scene = scene_of(players=players, size=size)
    for width in range(30, 150, 7):
        for height in range(5, 60, 3):
            lines = match_view(scene, 112.9, width, height, ASCII)
            assert max(map(width_of, lines)) <= width
            assert len(lines) <= height
            assert all(line.isascii() for line in plain(lines))


def test_a_small_window_shows_the_size_that_the_board_needs() -> None:
    assert text_of(scene_of(size=25))[-1] == "The board needs 49 x 54."


def test_hostile_names_and_answers_do_not_fill_the_screen() -> None:
    names = ("a" * 200, "b" * 200, "c" * 200, "d" * 200)
    scene = Scene(GameStarted(names, Position(players=4), None, 1000), BoardPicture.LAN)
    position = Position(players=4)
    position.eliminate(2)
    scene.take(out(2, Termination.UNPARSABLE_MOVE, "said " + "x" * 900, position, line="x"), 0)
    scene.take(MoveRequested(1, 0), 0)
    lines = match_view(scene, 1, 80, 24, UNICODE)
    assert max(map(width_of, lines)) <= 80
    assert len(lines) <= 24
    assert "▼1 aaaaaaaaaaaaaaaaaaaaaaa… thinks: 1 s" in "\n".join(plain(lines))


def test_lines_of_moves_fit_beside_large_squares() -> None:
    scene = scene_of((Step(Square(2, 1)), Wall(0, 3, HORIZONTAL)), size=5)
    lines = text_of(scene)
    assert max(map(len, lines)) <= 80
    assert any(line.endswith("2 ▲2 [(0, 3), h]  0.20 s") for line in lines)
    # Names of moves on a board of 25 are longer.
    assert all(len(line) <= 28 for line in text_of(scene_of((Wall(22, 22, HORIZONTAL),), size=25), width=28))
