"""A grade as one page of text, 80 columns wide."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator

import click

from quoridor_net.check.findings import CheckVerdict, Severity
from quoridor_net.check.launching import PORT
from quoridor_net.grading.grade import Ending, Grade, GradedGame, Mistake
from quoridor_net.grading.placement import FEWEST_GAMES
from quoridor_net.grading.positions import draw_mistake, explain_mistake, lines_to
from quoridor_net.grading.rubric import Award
from quoridor_net.text import count_things, visible

WIDTH = 80
_LABEL = 13

#: Maximum number of findings of the checker on the page.
_FINDINGS = 6

#: The reason why the placement ended, as a sentence about the program.
ENDINGS = {
    Ending.KNOWN: "The level is known to half a level.",
    Ending.GAMES: "All games were played before the level was known to half a level.",
    Ending.TIME: "The time was up before the level was known to half a level.",
    Ending.FAULTS: "No more games were played, because it lost all of them by faults.",
    Ending.GONE: "Partial grade: it could not play on.",
    Ending.INTERRUPTED: "Partial grade: the grading was interrupted.",
    Ending.UNAVAILABLE: "No grade: the program could not be checked.",
}


def page(grade: Grade, award: Award) -> Iterator[str]:
    """Yield the lines of the page on a grade and its points."""
    name = f"{visible(grade.name)}, " if grade.name else ""
    yield from _wrap(click.style(f"Grade of {name}{visible(grade.subject)}", bold=True), WIDTH)
    yield ""
    yield from _row("Points", f"{award.points:g} of {award.maximum:g}")
    for part in award.parts:
        yield from _indent(f"{part.name:<12} {part.points:>5g} of {part.maximum:<4g} {part.reason}")
    yield from _describe_conformance(grade)
    yield from _describe_strength(grade)
    yield from _row("Time", describe_time(grade))
    yield from _describe_faults(grade)
    yield from _describe_mistakes(grade)
    yield from _row("Remarks", *(f"It {visible(remark)}." for remark in grade.remarks))
    yield from _row("Next", advise(grade))
    yield from _show_position(grade)


def _describe_conformance(grade: Grade) -> Iterator[str]:
    report = grade.report
    if report is None or not report.is_checked:
        why = f"It {visible(grade.detail)}." if grade.detail else ""
        yield from _row("Conformance", f"{ENDINGS[grade.ending]} {why}".rstrip())
        return
    severities = ", ".join(f"{grade.severities[severity]} {severity}" for severity in Severity)
    yield from _row("Conformance", f"{checks_passed(grade)}; findings: {severities}.")
    for finding in report.findings[:_FINDINGS]:
        yield from _indent(f"{finding.code}  {finding.severity}  The {report.noun} {finding.rule.title}.")
    more = len(report.findings) - _FINDINGS
    if more > 0:
        yield from _indent(f"and {more} more; quoridor check shows all with their fixes.")


def checks_passed(grade: Grade) -> str:
    """Return how many checks were passed, as a clause."""
    checks = grade.checks
    skipped = checks[CheckVerdict.SKIPPED]
    clause = f"{checks[CheckVerdict.PASSED]} of {count_things(checks.total(), 'check')} passed"
    return f"{clause}, {skipped} skipped" if skipped else clause


def _describe_strength(grade: Grade) -> Iterator[str]:
    if grade.report is None or not grade.report.is_checked:
        return
    yield from _row("Strength", describe_level(grade), describe_ending(grade))
    for rung, won, drawn, lost in grade.scores():
        yield from _indent(f"against {rung.name:<9} {won:>3} won {drawn:>3} drawn {lost:>3} lost")


def describe_level(grade: Grade) -> str:
    """Return the level with its interval as a sentence."""
    placement = grade.placement
    if placement is None:
        return "No game was played."
    games = count_things(placement.games, "game")
    few = "" if placement.games >= FEWEST_GAMES else " These are few games."
    return (
        f"Level {placement.level:.1f} on a scale from 0 (random moves) to 10; between {placement.low:.1f} and"
        f" {placement.high:.1f} with 95 % confidence, after {games} of two players.{few}"
    )


def describe_ending(grade: Grade) -> str:
    """Return why the placement ended, as one or two sentences."""
    why = f" It {visible(grade.detail)}." if grade.detail else ""
    return f"{ENDINGS[grade.ending]}{why}"


def describe_time(grade: Grade) -> str:
    """Return the times of its moves as a sentence; empty without moves."""
    times = grade.times
    if not times.moves:
        return ""
    mean = times.seconds / times.moves
    return f"{mean:.2g} s per move on average, {times.longest:.2g} s at most; {times.seconds:.0f} s in all."


def _describe_faults(grade: Grade) -> Iterator[str]:
    if not grade.games:
        return
    faults = grade.faults
    if not faults:
        yield from _row("Faults", "No game was lost by a fault.")
        return
    lost = "1 game was lost by a fault" if len(faults) == 1 else f"{len(faults)} games were lost by faults"
    yield from _row("Faults", f"{lost}; docs/verdicts.md explains each verdict.")
    for cause in causes_of(faults):
        yield from _indent(cause)


def causes_of(faults: Iterable[GradedGame]) -> list[str]:
    """Return a line for each verdict, the most frequent first, with the first game that it decided."""
    faults = list(faults)
    counts = Counter(game.result.termination for game in faults)
    lines = []
    for termination, count in counts.most_common():
        first = next(game for game in faults if game.result.termination is termination)
        place = f"game {first.number} against {first.opponent.name}"
        place = place if count == 1 else f"first in {place}"
        lines.append(f"{count} x {termination}, {place}: it {first.fault}")
    return lines


def _describe_mistakes(grade: Grade) -> Iterator[str]:
    if not grade.mistakes:
        return
    yield from _row("Costly moves", "The engine found better ones in these positions of lost games:")
    for number, mistake in enumerate(grade.mistakes, 1):
        yield from _indent(f"{number}. {describe_mistake(mistake, grade)}")
        yield from _indent(f"   {mistake.position.to_line()}")


def _show_position(grade: Grade) -> Iterator[str]:
    """Yield the first of the costly positions, drawn and as lines to send."""
    if not grade.mistakes:
        return
    first, indent = grade.mistakes[0], " " * _LABEL
    yield ""
    yield from _row("Position 1", explain_mistake(first, grade.picture))
    yield from (f"{indent}{line}" for line in draw_mistake(first, grade.picture))
    yield from _indent("Send these lines to your program to see which move it chooses:")
    yield from (f"{indent}{line}" for line in lines_to(first, grade.picture))


def describe_mistake(mistake: Mistake, grade: Grade) -> str:
    """Return a sentence about the move that was played and the better one."""
    write = grade.notation.format_move
    game, after = mistake.game, max(0.0, mistake.chance - mistake.loss)
    return (
        f"Game {game.number} against {game.opponent.name}, ply {mistake.ply}: it played"
        f" {write(mistake.played)}; {write(mistake.better)} was better. Winning chance {after:.0%} instead of"
        f" {mistake.chance:.0%}."
    )


def advise(grade: Grade) -> str:
    """Return a sentence that tells the author of the program what to do next."""
    report = grade.report
    if grade.ending is Ending.UNAVAILABLE:
        return "Start the program by hand, see that it runs, and grade it again."
    musts = [finding for finding in (report.findings if report else ()) if finding.severity is Severity.MUST]
    if musts:
        return f"Fix {musts[0].code} first; quoridor check shows the lines, the usual cause and a fix."
    if grade.faults:
        return "Fix the most frequent cause of lost games first."
    shoulds = [
        finding for finding in (report.findings if report else ()) if finding.severity is Severity.SHOULD
    ]
    if grade.ending is Ending.GONE and report is not None and report.is_cut_short:
        first = f"Accept connections in a loop ({shoulds[0].code}), or grade" if shoulds else "Grade"
        return f"{first} it by its command: quoridor grade server -- COMMAND ARGUMENTS {PORT}"
    if grade.is_partial:
        return "Grade it again to complete the grade."
    if shoulds:
        return f"Fix {shoulds[0].code}, a should; quoridor check shows the lines, the usual cause and a fix."
    if grade.mistakes:
        better = grade.notation.format_move(grade.mistakes[0].better)
        return f"Send your program the lines of position 1 below, and improve it until it plays {better}."
    return "Grade it again after a change; the same seed makes the grades comparable."


def _row(label: str, *sentences: str) -> Iterator[str]:
    """Yield a label and sentences beside it; nothing without sentences."""
    text = " ".join(sentence for sentence in sentences if sentence)
    if not text:
        return
    first, *more = textwrap.wrap(text, WIDTH - _LABEL, break_on_hyphens=False)
    yield click.style(f"{label:<{_LABEL}}", dim=True) + first
    yield from (" " * _LABEL + line for line in more)


def _indent(text: str) -> Iterator[str]:
    """Yield the lines of a text beside the label above; its own indentation continues."""
    hang = " " * (len(text) - len(text.lstrip()) + 2)
    yield from textwrap.wrap(
        text,
        WIDTH,
        initial_indent=" " * _LABEL,
        subsequent_indent=" " * _LABEL + hang,
        break_on_hyphens=False,
        drop_whitespace=True,
    )


def _wrap(text: str, width: int) -> Iterator[str]:
    yield from textwrap.wrap(text, width, break_on_hyphens=False)
