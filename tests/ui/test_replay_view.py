"""The panel beside the board of a recorded game."""

from __future__ import annotations

import pytest

from quoridor_net.replay import parse_game
from quoridor_net.rules.diagram import ASCII, plain
from quoridor_net.ui.replay_view import ReplayView

BEGUN = "# Players: ann vs bob\nP 1 E2\nP 2 E8\nW 1 A1 h\n"


@pytest.mark.parametrize(
    ("metadata", "ending"),
    [
        ("", "The game was not finished."),
        ("# Result: P2-win\n# Termination: resigned\n", "bob wins [resigned]"),
        ("# Result: draw\n# Termination: agreement\n", "Drawn [agreement]"),
    ],
)
def test_the_last_ply_shows_how_the_game_ended(metadata: str, ending: str) -> None:
    view = ReplayView(parse_game(metadata + BEGUN, partial=True), ASCII)
    lines: list[list[str]] = []
    for ply in range(4):
        view.ply = ply
        lines.append([line[41:].strip() for line in plain(view.lines(80))])
    assert [panel[0] for panel in lines] == [f"Ply {ply} of 3" for ply in range(4)]
    assert [ending in panel for panel in lines] == [False, False, False, True]


def test_the_current_ply_is_marked() -> None:
    view = ReplayView(parse_game(BEGUN, partial=True), ASCII)
    view.ply = 2
    panel = [line[41:].rstrip() for line in plain(view.lines(80))]
    assert [line for line in panel if "e8" in line] == [">    2 2 e8"]
    assert [line for line in panel if "a1h" in line] == ["     3 1 a1h"]
