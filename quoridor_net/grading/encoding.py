"""A grade as one JSON object (docs/grading.md), and as JUnit XML for continuous integration."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape, quoteattr

from quoridor_net.check import encoding as check_encoding
from quoridor_net.check.findings import CheckVerdict
from quoridor_net.grading.grade import Grade, GradedGame, Mistake
from quoridor_net.grading.positions import lines_to
from quoridor_net.grading.rubric import Award, AwardedPart
from quoridor_net.grading.text_report import causes_of, describe_ending, describe_level
from quoridor_net.notation.standard import format_move
from quoridor_net.text import visible

#: Version of the object. A new field keeps it; a renamed, removed or redefined one changes it.
VERSION = 1

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def as_object(grade: Grade, award: Award) -> dict[str, Any]:
    """Return the grade as JSON types."""
    placement, times, checks = grade.placement, grade.times, grade.checks
    return {
        "version": VERSION,
        "subject": visible(grade.subject),
        "name": visible(grade.name),
        "seed": grade.seed,
        "partial": grade.is_partial,
        "ending": str(grade.ending),
        "detail": visible(grade.detail),
        "points": {
            "points": award.points,
            "maximum": award.maximum,
            "parts": [
                {"name": part.name, "points": part.points, "maximum": part.maximum, "reason": part.reason}
                for part in award.parts
            ],
        },
        "conformance": None
        if grade.report is None
        else {
            "counts": {str(verdict): checks[verdict] for verdict in CheckVerdict},
            **check_encoding.as_object(grade.report),
        },
        "strength": placement
        and {
            name: round(getattr(placement, name), 2)
            for name in ("level", "low", "high", "elo", "elo_low", "elo_high", "games")
        },
        "opponents": [
            {
                "name": rung.name,
                "player": rung.spec,
                "elo": rung.elo,
                "level": rung.level,
                "won": won,
                "drawn": drawn,
                "lost": lost,
            }
            for rung, won, drawn, lost in grade.scores()
        ],
        "time": {
            "moves": times.moves,
            "seconds": round(times.seconds, 3),
            "mean": round(times.seconds / times.moves, 4) if times.moves else None,
            "longest": round(times.longest, 4) if times.moves else None,
        },
        "mistakes": [_encode_mistake(mistake, grade) for mistake in grade.mistakes],
        "games": [_encode_game(game) for game in grade.games],
        "remarks": [visible(remark) for remark in grade.remarks],
    }


def _encode_mistake(mistake: Mistake, grade: Grade) -> dict[str, Any]:
    write = grade.notation.format_move
    return {
        "game": mistake.game.number,
        "opponent": mistake.game.opponent.name,
        "ply": mistake.ply,
        "position": mistake.position.to_line(),
        "played": format_move(mistake.played),
        "better": format_move(mistake.better),
        "played_as_sent": write(mistake.played),
        "better_as_sent": write(mistake.better),
        "lines": lines_to(mistake, grade.picture),
        "chance": round(mistake.chance, 4),
        "loss": round(mistake.loss, 4),
    }


def _encode_game(game: GradedGame) -> dict[str, Any]:
    return {
        "number": game.number,
        "opponent": game.opponent.name,
        "player": game.seat,
        "points": game.points,
        "termination": str(game.result.termination),
        "sentence": visible(game.result.sentence),
        "lost_by_fault": game.is_lost_by_fault,
        "fault": visible(game.fault),
        "opening": game.opening,
        "moves": [format_move(ply.move) for ply in game.plies if ply.move is not None],
    }


def as_junit(grade: Grade, award: Award) -> str:
    """Return the grade as JUnit XML: a suite of the checks, and one of the games."""
    suites = []
    if grade.report is not None:
        suites.append(check_encoding.as_junit(grade.report).partition("\n")[2])
    is_lost, faults = not grade.games, grade.faults
    cases = [
        _case("a level on the ladder", describe_ending(grade) if is_lost else "", describe_level(grade)),
        _case("games without faults", "\n".join(causes_of(faults)), ""),
        *(_case(f"points for {part.name}", "", _describe_part(part)) for part in award.parts),
    ]
    counts = f'tests="{len(cases)}" failures="{is_lost + bool(faults)}" skipped="0"'
    suites.append(f"<testsuite name={_quote(grade.subject)} {counts}>\n{''.join(cases)}</testsuite>\n")
    return f"{_HEAD}<testsuites>\n{''.join(suites)}</testsuites>\n"


def _describe_part(part: AwardedPart) -> str:
    return f"{part.points:g} of {part.maximum:g} points: {part.reason}"


def _case(name: str, failure: str, output: str) -> str:
    lines = [f'  <testcase classname="grade" name={_quote(name)}>']
    if failure:
        first = visible(failure.partition("\n")[0])
        lines.append(f"    <failure message={_quote(first)}>{escape(visible_lines(failure))}</failure>")
    if output:
        lines.append(f"    <system-out>{escape(visible_lines(output))}</system-out>")
    return "\n".join([*lines, "  </testcase>", ""])


def visible_lines(text: str) -> str:
    """Return a text without characters that XML or a terminal does not allow, its line ends kept."""
    return "\n".join(map(visible, text.split("\n")))


def _quote(text: str) -> str:
    return quoteattr(visible(text))
