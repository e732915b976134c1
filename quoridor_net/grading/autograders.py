"""A grade in the JSON formats that Gradescope and GitHub Classroom read.

Gradescope reads ``results.json``: https://gradescope-autograders.readthedocs.io/en/latest/specs/, section
"Output format". GitHub Classroom's reporter reads one object for each step of a workflow, encoded in base64:
https://github.com/classroom-resources/autograding-grading-reporter.
"""

from __future__ import annotations

from typing import Any

import click

from quoridor_net.check.text_report import format_finding
from quoridor_net.grading.encoding import visible_lines
from quoridor_net.grading.grade import Grade
from quoridor_net.grading.rubric import Award, AwardedPart
from quoridor_net.grading.text_report import causes_of, describe_ending, describe_level, page


def as_gradescope(grade: Grade, award: Award, seconds: float) -> dict[str, Any]:
    """Return the contents of ``results.json``.

    Args:
        grade: the grade.
        award: its points; each part is a test.
        seconds: duration of the grading, in seconds.
    """
    return {
        "score": award.points,
        "execution_time": round(seconds),
        "output": _page_of(grade, award),
        "output_format": "text",
        "visibility": "visible",
        "tests": [
            {
                "name": part.name,
                "number": str(number),
                "score": part.points,
                "max_score": part.maximum,
                "status": _status_of(part, "passed", "failed"),
                "output": _describe(part, grade),
                "output_format": "text",
                "visibility": "visible",
            }
            for number, part in enumerate(award.parts, 1)
        ],
    }


def as_classroom(grade: Grade, award: Award, seconds: float) -> dict[str, Any]:
    """Return the result of a workflow's step for GitHub Classroom; arguments as for :func:`as_gradescope`."""
    is_complete = award.points >= award.maximum
    return {
        "version": 1,
        "status": "error" if grade.is_partial else "pass" if is_complete else "fail",
        "max_score": award.maximum,
        "tests": [
            {
                "name": part.name,
                "status": _status_of(part, "pass", "fail"),
                "score": part.points,
                "message": _describe(part, grade),
                "test_code": "quoridor grade",
                "filename": "",
                "line_no": 0,
                "execution_time": f"{seconds:.0f}s" if number == 1 else "0s",
            }
            for number, part in enumerate(award.parts, 1)
        ],
    }


def _status_of(part: AwardedPart, passed: str, failed: str) -> str:
    return passed if part.points >= part.maximum else failed


def _describe(part: AwardedPart, grade: Grade) -> str:
    """Return what the author of the program should know about the points of a part."""
    lines = [f"{part.points:g} of {part.maximum:g} points: {part.reason}."]
    match part.name:
        case "conformance" if grade.report is not None:
            for finding in grade.report.findings:
                lines += ["", *format_finding(finding, grade.report.noun)]
        case "strength":
            lines += [describe_level(grade), describe_ending(grade)]
        case "reliability":
            lines += causes_of(grade.faults)
    return visible_lines(click.unstyle("\n".join(lines)))


def _page_of(grade: Grade, award: Award) -> str:
    return visible_lines(click.unstyle("\n".join(page(grade, award))))
