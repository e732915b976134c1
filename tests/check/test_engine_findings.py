"""The explanations of findings in engines: the board, the step, and causes that fit what happened before."""

from __future__ import annotations

import click
import pytest
import trio
from trio.testing import MockClock

from quoridor_net.check.athens.board import draw_refused
from quoridor_net.check.athens.run import check_engine
from quoridor_net.check.catalogue import catalogue
from quoridor_net.check.findings import Finding, WireLine
from quoridor_net.check.text_report import WIDTH, format_finding
from tests.support.engine_bugs import KnowsNoJumps
from tests.support.small_engine import SmallEngine, launch_engine


class HangsInItsFifthMove(SmallEngine):
    """Never answers the fifth genmove, or, in shorter checks, the first playwall."""

    moves = 0

    async def take(self, line: str) -> None:
        self.moves += line.startswith("genmove")
        if self.moves == 5 or line.startswith("playwall"):
            await trio.sleep_forever()
        await super().take(line)


async def find(engine: type[SmallEngine], code: str) -> Finding:
    report = await check_engine(launch_engine(engine))
    return next(finding for finding in report.findings if finding.code == code)


async def test_missing_jump_is_drawn_and_explained(autojump_clock: MockClock) -> None:
    finding = await find(KnowsNoJumps, "QTP-131")
    assert " jumps " in finding.detail
    assert " over the pawn on " in finding.detail or "behind the pawn on " in finding.detail
    text = click.unstyle("\n".join(format_finding(finding, "engine")))
    assert "A   B   C   D   E   F   G   H   I" in text
    assert "▼ black; ▲ white; × the move sent" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= WIDTH
    assert "Allow" in finding.rule.hint


async def test_engine_that_answered_before_is_not_said_to_need_a_flush(autojump_clock: MockClock) -> None:
    finding = await find(HangsInItsFifthMove, "QTP-101")
    assert "commands before, so its output arrives: the last command ends in an endless loop" in (
        finding.rule.cause
    )
    assert "flush" not in finding.rule.hint


def test_crash_is_to_be_reproduced_by_a_script() -> None:
    assert "--repeat" in catalogue("athens").rules["QTP-102"].hint


def converse(*commands: str) -> tuple[WireLine, ...]:
    """Return a conversation where every command but the last has succeeded."""
    *done, last = commands
    lines = [
        line
        for command in done
        for line in (
            WireLine(True, f"{command}\n".encode()),
            WireLine(False, b"= \n"),
            WireLine(False, b"\n"),
        )
    ]
    return (*lines, WireLine(True, f"{last}\n".encode()), WireLine(False, b"? illegal move\n"))


@pytest.mark.parametrize(
    ("commands", "sentence"),
    [
        (("playmove white E2",), "White steps from E1 to E2: the square is free, and no wall is in the way."),
        (
            ("playmove black E8", "playmove black E7", "playmove black E6", "playmove black E5",
             "playmove white E2", "playmove white E3", "playmove white E4", "playmove white E6"),
            "White jumps straight from E4 to E6 over the pawn on E5: the square behind it is free.",
        ),
        (
            ("playmove black E8", "clear_board", "playmove black E2", "undo", "playmove black E7"),
            "",
        ),
        (("playmove black E5", "playmove white E4", "playwall black E6 horizontal", "playmove white D5"),
         "White jumps to the side from E4 to D5: a wall or the edge is behind the pawn on E5."),
        (("playwall white E3 horizontal",), ""),
    ],
)  # fmt: skip
def test_step_is_explained_on_the_board_so_far(commands: tuple[str, ...], sentence: str) -> None:
    drawing, why = draw_refused(converse(*commands))
    assert why == sentence
    assert drawing


def test_other_commands_have_no_drawing() -> None:
    assert draw_refused(converse("boardsize 9", "name")) == ((), "")
    assert draw_refused(()) == ((), "")
