"""``quoridor check qtp``: check an engine of the Athens protocol."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from quoridor_net.advice import format_command
from quoridor_net.check.athens.run import check_engine
from quoridor_net.check.athens.seed import SEED, SEED_CHECK
from quoridor_net.check.findings import Finding, Report
from quoridor_net.check.launching import launch_engine
from quoridor_net.check.repeat import write_engine_script
from quoridor_net.check.text_report import NextSteps
from quoridor_net.check.watching import FileWatch
from quoridor_net.cli import options
from quoridor_net.cli.check.programs import ANSWER_TIME, ENGINE
from quoridor_net.cli.check.reporting import Reporting, reports, run, run_by_hand
from quoridor_net.cli.command import command
from quoridor_net.programs.process import ProgramLimits


@command()
@ENGINE
@ANSWER_TIME
@options.memory_limit()
@reports("athens")
def qtp(words: tuple[str, ...], move_time: float, memory_limit: int | None, reporting: Reporting) -> None:
    """Check an engine. COMMAND starts it, once for every check.

    Put -- before COMMAND: quoridor check qtp -- ./engine -seed 1
    """
    files = FileWatch(words)

    async def check(**others: Any) -> Report:
        files.mark()
        limits = ProgramLimits(memory_limit)
        return await check_engine(
            launch_engine(words, reporting.hear, limits),
            f"engine {words[0]}",
            move_time,
            reporting.progress,
            reporting.only,
            reporting.transcript,
            start_with_seed=launch_engine((*words, *SEED), limits=limits),
            **others,
        )

    opponent = format_command("qtp", "--level", "1")
    referee = format_command("referee", "--white", shlex.join(words), "--black", opponent)
    # Until the engine is compiled, a simpler player makes its moves.
    trial = f"play it against level 1: {format_command('warmup')}, and then {referee}"
    run(
        "Checking the engine against the Athens document of 2015:",
        check,
        reporting,
        files,
        lambda finding: write_engine_script(finding, _start_of(finding, words), move_time),
        NextSteps(trial, run_by_hand(words)),
    )


def _start_of(finding: Finding, words: Sequence[str]) -> list[str]:
    """Return the program and its arguments at the start that shows ``finding``."""
    return [*words, *SEED] if finding.code.startswith(SEED_CHECK.codes) else [*words]
