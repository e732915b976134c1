"""Files given to commands: settings of tournaments, and replays to check."""

from __future__ import annotations

import io
import random
import tempfile
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path

import click

from benchmarks.fuzz import samples
from benchmarks.fuzz.target import Target, refusing
from quoridor_net.check.replay import check_replay
from quoridor_net.check.text_report import format_finding
from quoridor_net.cli.tournament.run import run
from quoridor_net.replay import RecordFormat, ReplayError, decode


def feed_settings(data: bytes) -> None:
    """Read the settings of a tournament and make its schedule, without playing a game."""
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(io.StringIO()):
        path = Path(folder) / "a.toml"
        path.write_bytes(data)
        words = [str(path.with_name("a.db")), "--config", str(path), "--dry-run"]
        try:
            with run.make_context("run", words) as context:
                run.invoke(context)
        except click.ClickException as error:
            for line in error.format_message().replace(folder, "").split("\n"):
                check_terminal_line(line)
        assert sorted(Path(folder).iterdir()) == [path]


def feed_replay_check(data: bytes) -> None:
    """Check a replay, and format the report."""
    with refusing(ReplayError):
        text = decode(data)
        for extended in (False, True):
            report = check_replay(text, "a file", extended=extended)
            assert len(report.outcomes) == 1
            for finding in report.findings:
                for line in format_finding(finding, "file"):
                    check_terminal_line(click.unstyle(line))


def check_terminal_line(line: str) -> None:
    """Check that a line has no control characters and a readable length."""
    assert line.isprintable(), ascii(line[:200])
    assert len(line) < 1000, f"{len(line)} characters"


_SETTINGS_WORDS = (
    b"entrants format rounds games concurrency size walls jumps move-time ply-limit gap no-show-time openings"
    b' sprt dask seed quiet json web allow gather config dry-run = [ ] [[ { } , . " "simple" "random"'
    b' "a=random" "localhost:5858" "qtp:./e" "engine:level=3" "swiss" "knockout" "gauntlet" "four-player"'
    b' "round-robin" "classroom" "balanced" "local:2" "10.0.0.0/8" true false 0 1 -1 2 9 25 2.5 1e999 nan inf'
    b" 0x7f 1_000 40000 2026-03-15 13:02:10 ''' \"\"\" # x"
).split(b" ")

_SETTINGS = (
    b'entrants = ["simple", "a=random"]\ngames = 4\nsize = 5\n',
    b'entrants = ["simple", "random", "h:5858"]\nformat = "swiss"\nrounds = 3\nseed = 1\n',
    b'entrants = ["simple", "random"]\nsprt = [0, 5.5]\nopenings = "balanced"\nconcurrency = 3\n',
    b'entrants = ["simple", "a=simple", "random", "b=random"]\nformat = "four-player"\nwalls = 2\nsize = 7\n',
    b'entrants = ["simple", "random"]\nmove-time = 2.5\nply-limit = 100\ngap = 0.0\nno-show-time = 1\n',
    b'entrants = ["simple", "random", "c=random"]\nformat = "knockout"\njumps = "classroom"\nquiet = true\n',
    b'format = "gauntlet"\nallow = ["10.0.0.0/8"]\n[x]\ny = [1, {a = 2}]\n',
)


def _games(source: random.Random) -> Sequence[bytes]:
    return samples.games(RecordFormat.REPLAY, source)


_REPLAY_WORDS = (
    b"P W 1 2 3 4 E2 E8 A1 I9 E3 h v # Result: Termination: Extension: P1-win draw goal size players walls"
    b" jumps start classroom 5 / -"
).split(b" ")

TARGETS = (
    Target("tournament-settings", feed_settings, lambda _: _SETTINGS, _SETTINGS_WORDS),
    Target("replay-check", feed_replay_check, _games, _REPLAY_WORDS),
)
