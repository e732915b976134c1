"""A grade as one self-contained HTML page without scripts: a table for each part, and boards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from xml.sax.saxutils import quoteattr

from quoridor_net.grading.encoding import visible_lines
from quoridor_net.grading.grade import Grade, Mistake
from quoridor_net.grading.positions import lines_to
from quoridor_net.grading.rubric import Award
from quoridor_net.grading.text_report import (
    advise,
    causes_of,
    checks_passed,
    describe_ending,
    describe_level,
    describe_mistake,
    describe_time,
)
from quoridor_net.rules.svg import board_svg
from quoridor_net.text import visible
from quoridor_net.web.standalone import document

#: Style sheets of the pages.
_STYLES = ("base.css", "grade.css")


def html_report(grade: Grade, award: Award) -> str:
    """Return the page on a grade and its points."""
    name = visible(grade.name or grade.subject)
    parts = (
        _card("Points", _points(award)),
        _card("Conformance", _conformance(grade)),
        _card("Strength", _strength(grade)),
        _card("Time and faults", _faults(grade)),
        _card("Remarks", _list(f"It {visible(remark)}." for remark in grade.remarks)),
        _card("Next", [f"<p>{_text(advise(grade))}</p>"]),
        _card("Costly moves", _mistakes(grade)),
    )
    head = f"<h1>Grade of {_text(name)}</h1>\n<p>{_text(grade.subject)}; seed {grade.seed}</p>"
    if grade.is_partial:
        head += f'\n<p class="card partial">{_text(describe_ending(grade))}</p>'
    return document(f"Grade of {name}", f"<main>\n{head}\n{''.join(parts)}</main>", _STYLES)


def _card(title: str, lines: Iterable[str]) -> str:
    body = "\n".join(lines)
    return f'<section class="card">\n<h2>{title}</h2>\n{body}\n</section>\n' if body else ""


def _points(award: Award) -> Iterator[str]:
    yield f'<p class="total">{award.points:g} of {award.maximum:g}</p>'
    rows = (
        f'<tr><th scope="row">{part.name}</th><td class="number">{part.points:g} of {part.maximum:g}</td>'
        f"<td>{_text(part.reason)}</td></tr>"
        for part in award.parts
    )
    yield from _table(("Part", "Points", "Reason"), rows)


def _conformance(grade: Grade) -> Iterator[str]:
    report = grade.report
    if report is None or not report.is_checked:
        yield f"<p>{_text(describe_ending(grade))}</p>"
        return
    yield f"<p>{_text(checks_passed(grade))}.</p>"
    rows = (
        f'<tr><th scope="row">{finding.code}</th><td class="{finding.severity}">{finding.severity}</td>'
        f"<td>The {report.noun} {_text(finding.rule.title)}.<br>{_text(finding.rule.hint)}</td></tr>"
        for finding in report.findings
    )
    if report.findings:
        yield from _table(("Code", "Severity", "Finding and fix"), rows)


def _strength(grade: Grade) -> Iterator[str]:
    placement = grade.placement
    if placement is None:
        return
    yield f"<p>{_text(describe_level(grade))} {_text(describe_ending(grade))}</p>"
    yield _scale(placement.level, placement.low, placement.high, grade.ladder[-1].level or 10)
    rows = (
        f'<tr><th scope="row">{_text(rung.name)}</th><td class="number">{won}</td>'
        f'<td class="number">{drawn}</td><td class="number">{lost}</td></tr>'
        for rung, won, drawn, lost in grade.scores()
    )
    yield from _table(("Opponent", "Won", "Drawn", "Lost"), rows)


def _scale(level: float, low: float, high: float, top: int) -> str:
    """Return a drawing of the interval on the scale of levels."""
    pitch, left, height = 100, 20, 60
    width = top * pitch + 2 * left

    def at(value: float) -> str:
        return f"{left + pitch * value:.0f}"

    marks = "".join(f'<text x="{at(number)}" y="52">{number}</text>' for number in range(top + 1))
    label = quoteattr(f"level {level:.1f}, between {low:.1f} and {high:.1f}")
    return (
        f'<svg class="scale" viewBox="0 0 {width} {height}" role="img" aria-label={label}>'
        f'<line x1="{at(0)}" x2="{at(top)}" y1="20" y2="20" stroke="currentColor" opacity="0.4"/>'
        f'<line x1="{at(low)}" x2="{at(high)}" y1="20" y2="20" stroke="currentColor" stroke-width="8"/>'
        f'<circle cx="{at(level)}" cy="20" r="12" fill="currentColor"/>{marks}</svg>'
    )


def _faults(grade: Grade) -> Iterator[str]:
    if not grade.games:
        return
    if grade.times.moves:
        yield f"<p>{_text(describe_time(grade))}</p>"
    causes = causes_of(grade.faults)
    if causes:
        yield from _list(causes)
    else:
        yield "<p>No game was lost by a fault.</p>"


def _mistakes(grade: Grade) -> Iterator[str]:
    if not grade.mistakes:
        return
    yield (
        "<p>The engine found better moves in these positions. Red: the move played. Green: the better move."
        " Yellow: the last wall before it. The triangles are the pawns; each points to its goal line.</p>"
    )
    yield '<div class="boards">'
    for number, mistake in enumerate(grade.mistakes, 1):
        caption = _text(f"Position {number}. {describe_mistake(mistake, grade)}")
        lines = _text("\n".join(lines_to(mistake, grade.picture)))
        sent = f"<details><summary>The position as lines to send</summary><pre>{lines}</pre></details>"
        yield f"<figure><figcaption>{caption}</figcaption>{_board(mistake, grade)}{sent}</figure>"
    yield "</div>"


def _board(mistake: Mistake, grade: Grade) -> str:
    played, better = [mistake.played], [mistake.better]
    return board_svg(mistake.position, refused=played, suggested=better, picture=grade.picture)


def _table(headings: Iterable[str], rows: Iterable[str]) -> Iterator[str]:
    cells = "".join(f'<th scope="col">{heading}</th>' for heading in headings)
    yield f"<table>\n<thead><tr>{cells}</tr></thead>\n<tbody>"
    yield from rows
    yield "</tbody>\n</table>"


def _list(items: Iterable[str]) -> list[str]:
    lines = [f"<li>{_text(item)}</li>" for item in items]
    return ["<ul>", *lines, "</ul>"] if lines else []


def _text(text: str) -> str:
    return escape(visible_lines(text))
