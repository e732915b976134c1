"""``quoridor grade qtp``: grade an engine of the Athens protocol."""

from __future__ import annotations

from quoridor_net.cli import options
from quoridor_net.cli.check.programs import ENGINE
from quoridor_net.cli.command import command
from quoridor_net.cli.grade.grading import Grading, grades
from quoridor_net.grading.subjects import EngineProgram


@command()
@ENGINE
@options.memory_limit()
@grades
def qtp(words: tuple[str, ...], grading: Grading) -> None:
    """Grade an engine. COMMAND starts it.

    Put -- before COMMAND: quoridor grade qtp -- ./engine -seed 1
    """
    grading.run(EngineProgram(words, grading.allowance))
