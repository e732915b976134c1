"""The checks of ``quoridor tournament run --check``: the fast ones of all entrants, before the first game."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import trio

from quoridor_net.advice import format_command
from quoridor_net.check.athens.run import check_engine
from quoridor_net.check.findings import CheckVerdict, Report, Severity
from quoridor_net.check.lan_server.run import check_server
from quoridor_net.check.lan_server.server import Patience
from quoridor_net.check.launching import LaunchError, launch_engine
from quoridor_net.check.pace import Pace
from quoridor_net.net.networks import Networks
from quoridor_net.players.greeting import connect
from quoridor_net.players.spec import PlayerSpec
from quoridor_net.programs.process import ProgramLimits
from quoridor_net.system import command_line
from quoridor_net.text import count_things
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.tournament.schedule import unique_names

#: Time limit for answers without a limit on moves, in seconds.
USUAL_TIME = 10.0


async def check_entrants(
    entrants: Sequence[PlayerSpec], terms: GameTerms, networks: Networks, tell: Callable[[str], None]
) -> bool:
    """Make the fast checks of all move servers and engine programs; return whether none breaks a game.

    Args:
        entrants: the entrants; others than move servers and commands are not checked.
        terms: of the games.
        networks: allowed networks of move servers.
        tell: gets a line about each checked entrant.
    """
    names = unique_names(entrant.name or entrant.address for entrant in entrants)
    lines: dict[int, str] = {}
    faulty: list[int] = []

    async def check(number: int, entrant: PlayerSpec) -> None:
        name = names[number - 1]
        try:
            report = await _check(entrant, terms, networks)
        except LaunchError as error:
            faulty.append(number)
            lines[number] = f"{name}: {error}."
            return
        if report is None:
            return
        musts = [each for each in report.findings if each.severity is Severity.MUST]
        if musts or not report.is_checked:
            faulty.append(number)
        lines[number] = f"{name}: {_describe(report)}"
        if report.findings:
            lines[number] += f" For details: {_advise(entrant)}"

    async with trio.open_nursery() as nursery:
        for number, entrant in enumerate(entrants, 1):
            nursery.start_soon(check, number, entrant)
    for _, text in sorted(lines.items()):
        tell(text)
    return not faulty


async def _check(entrant: PlayerSpec, terms: GameTerms, networks: Networks) -> Report | None:
    """Return the report on the first pass of checks; None for an entrant that cannot be checked.

    Raises:
        LaunchError: the program cannot be started.
    """
    seconds = terms.move_time or USUAL_TIME
    # Nobody waits for a first line, so a busy machine makes the checks late instead of fewer.
    pace = Pace(first_pass=math.inf)
    found: list[Report] = []
    stop = trio.CancelScope()

    def end(report: Report) -> None:
        found.append(report)
        stop.cancel()

    if entrant.endpoint is not None:
        dial = partial(connect, entrant.endpoint, terms.no_show_time, networks)
        patience = Patience(seconds, terms.gap)
        whole = await check_server(dial, entrant.address, patience, stop=stop, pace=pace, after_first=end)
    elif entrant.program is not None and entrant.program.command:
        start = launch_engine(entrant.program.command, limits=ProgramLimits(terms.memory_limit))
        whole = await check_engine(start, entrant.address, seconds, stop=stop, pace=pace, after_first=end)
    else:
        return None
    # A program that is gone has no first pass.
    return found[0] if found else whole


def _describe(report: Report) -> str:
    """Return a sentence about the checks and the findings."""
    made = [each for each in report.outcomes if each.verdict is not CheckVerdict.SKIPPED]
    if not made:
        reasons = dict.fromkeys(each.remark for each in report.outcomes if each.remark)
        return f"no check could be made: {'; '.join(reasons)}."
    checks = count_things(len(made), "quick check")
    if not report.findings:
        return f"{checks}, nothing found."
    codes = ", ".join(f"{each.code} ({each.severity}) {each.rule.title}" for each in report.findings)
    return f"{checks}: {codes}."


def _advise(entrant: PlayerSpec) -> str:
    """Return the command that makes all checks."""
    if entrant.program is not None:
        return f"{format_command('check', 'qtp', '--')} {command_line(entrant.program.command)}"
    return format_command("check", "server", str(entrant.endpoint))
