"""The checker of replay files: what the reader of the format says, as a report."""

from __future__ import annotations

from quoridor_net.check.catalogue import catalogue, report_on
from quoridor_net.check.findings import CheckOutcome, CheckVerdict, Finding, Report, WireLine
from quoridor_net.moves import Jumps
from quoridor_net.replay import Fault, ReplayError, parse_replay

#: The code of each fault, and what is expected where it is found.
_CODES = {
    Fault.SYNTAX: ("RPL-101", "a command such as P 1 E2 or W 1 E3 h, with one blank between its parts"),
    Fault.EXTENSION: ("RPL-102", "a game of two on a board of 9x9"),
    Fault.WRONG_TURN: ("RPL-103", "a command of the other player"),
    Fault.ILLEGAL: ("RPL-104", "a legal move"),
    Fault.GAME_OVER: ("RPL-105", "nothing after the end of the game"),
    Fault.UNFINISHED: ("RPL-106", "the rest of the game, or a comment that tells its result"),
    Fault.CONTRADICTION: ("RPL-107", "the result that the moves lead to"),
}


def check_replay(
    text: str, subject: str, *, partial: bool = False, extended: bool = False, jumps: Jumps = Jumps.OFFICIAL
) -> Report:
    """Check a replay file by the grammar and the rules.

    Args:
        text: what is in it.
        subject: what it is called.
        partial: whether the game need not be played to its end.
        extended: whether announced extensions are accepted.
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
        detail = f"{subject}, line {error.line}, column {error.column}: {error.sentence}."
        report.add(Finding(catalogue("replay").rules[code], expected, b"", received, shown, detail=detail))
        report.outcomes.append(CheckOutcome("replay", subject, CheckVerdict.FAILED, "", (code,)))
    else:
        report.outcomes.append(
            CheckOutcome("replay", subject, CheckVerdict.PASSED, f"{len(game.plies)} plies")
        )
    return report
