"""Recorded games of four of the five class programs, whose parts players of the league take."""

from __future__ import annotations

from pathlib import Path

from quoridor_net.engine import Limits
from quoridor_net.replay import Replay, Setting, format_game
from quoridor_net.rules import Position
from training.league import KINDS, play

#: The kind of the league that plays each program.
PARTS = {"A": "simple", "B": "front", "C": "careless", "D": "fickle", "E": "runner"}
_GAMES = 11


def write_games(folder: Path) -> None:
    """Write games to ``folder``: in each ten another program misses the first one."""
    setting = Setting(size=7, players=4, walls=3)
    for number in range(_GAMES):
        missing = "ABCDE"[(number + number // 10) % len(PARTS)]
        names = [name for name in PARTS if name != missing]
        players = [KINDS[PARTS[name]](7, Limits(nodes=5), number, {}) for name in names]
        start = Position(7, 4, 3)
        *_, last = play(players, start)
        seated = (names[last.order.index(seat)] for seat in sorted(last.order))
        replay = Replay(setting, tuple(last.history), (("Players", " vs ".join(seated)),))
        (folder / f"{number:03}.qtp").write_text(format_game(replay), "ascii")
