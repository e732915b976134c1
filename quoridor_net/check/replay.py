"""Checks replay files: turns an error of the replay parser into a report."""

from __future__ import annotations

from quoridor_net.check.catalogue import catalogue, report_on
from quoridor_net.check.findings import CheckOutcome, CheckVerdict, Finding, Report, WireLine
from quoridor_net.moves import Jumps
from quoridor_net.replay import Fault, ReplayError, parse_replay
from quoridor_net.text import count_things

#: The code of each fault, and the description of what belongs in its place.
_CODES = {
    Fault.SYNTAX: ("RPL-101", "a command such as P 1 E2 or W 1 E3 h, with one space between its parts"),
    Fault.EXTENSION: ("RPL-102", "a game of two on a 9x9 board"),
    Fault.WRONG_TURN: ("RPL-103", "a command by the other player"),
    Fault.ILLEGAL: ("RPL-104", "a legal move"),
    Fault.GAME_OVER: ("RPL-105", "nothing after the end of the game"),
    Fault.UNFINISHED: ("RPL-106", "the rest of the game, or a comment that states its result"),
    Fault.CONTRADICTION: ("RPL-107", "the result that the moves lead to"),
}


def check_replay(
    text: str,
    subject: str,
    *,
    before: int = 0,
    partial: bool = False,
    extended: bool = False,
    jumps: Jumps = Jumps.OFFICIAL,
) -> Report:
    """Check a replay file against the grammar and the rules.

    Args:
        text: the contents of the file, or one game of several in it.
        subject: the name of the file or the game.
        before: number of lines before the text in the file.
        partial: whether to accept an unfinished game.
        extended: whether to accept announced extensions.
        jumps: the jump rule.
    """
    report = report_on("replay", subject)
    try:
        game = parse_replay(text, strict=not extended, partial=partial, jumps=jumps)
    except ReplayError as error:
        code, expected = _CODES[error.fault]
        lines = text.splitlines(keepends=True)
        shown = tuple(WireLine(False, line.encode()) for line in lines[max(0, error.line - 4) : error.line])
        received = shown[-1].data if shown else b""
        detail = f"{subject}, line {before + error.line}, column {error.column}: {error.sentence}."
        report.add(Finding(catalogue("replay").rules[code], expected, b"", received, shown, detail=detail))
        report.outcomes.append(CheckOutcome("replay", subject, CheckVerdict.FAILED, "", (code,)))
    else:
        report.outcomes.append(
            CheckOutcome("replay", subject, CheckVerdict.PASSED, count_things(len(game.plies), "ply"))
        )
    return report
