"""Runs all checks of an engine of the Athens protocol."""

from __future__ import annotations

from collections.abc import Callable

import trio

from quoridor_net.check.athens.checks import checks
from quoridor_net.check.athens.engine import EngineUnderTest, Start
from quoridor_net.check.athens.seed import SEED_CHECK
from quoridor_net.check.catalogue import report_on
from quoridor_net.check.checklist import run_checks
from quoridor_net.check.findings import CheckOutcome, Report
from quoridor_net.check.pace import Pace
from quoridor_net.output import ignore
from quoridor_net.protocols.common.transcript import Transcript


async def check_engine(
    start: Start,
    subject: str = "the engine",
    seconds: float = 10.0,
    progress: Callable[[CheckOutcome], None] = ignore,
    only: str | None = None,
    transcript: Transcript | None = None,
    stop: trio.CancelScope | None = None,
    pace: Pace | None = None,
    after_first: Callable[[Report], None] = ignore,
    start_with_seed: Start | None = None,
) -> Report:
    """Check an engine of the Athens protocol.

    Args:
        start: starts the engine, once for every check.
        subject: name of the engine in the report.
        seconds: time limit for each response, in seconds.
        progress: called with the outcome of every check.
        only: the only code to look for; None for all.
        transcript: log of all lines.
        stop: cancelled to end early, with the findings so far.
        pace: time limit for all answers together.
        after_first: called with the report so far after the fast first pass.
        start_with_seed: starts the engine with ``-seed 1`` as a further argument; None if nothing can.

    Raises:
        LaunchError: the engine cannot be started.
    """
    report = report_on("athens", subject)
    pace = Pace() if pace is None else pace
    engine = EngineUnderTest(start, report, seconds, transcript, pace, start_with_seed)
    chosen = checks() if start_with_seed is None else [*checks(), SEED_CHECK]
    await run_checks(chosen, engine, report, progress, only, stop, pace, after_first)
    return report if only is None else report.only(only)
