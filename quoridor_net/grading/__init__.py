"""Grading of programs: conformance by the checker, and a place on the ladder of reference players.

:func:`grade_program` grades one program, whatever it does. A :class:`Rubric` turns the grade into points.
"""

from quoridor_net.grading.grade import Ending, Grade, GradedGame, Mistake
from quoridor_net.grading.placement import Placement, place
from quoridor_net.grading.rubric import Award, Rubric, RubricError, default_rubric, parse_rubric
from quoridor_net.grading.run import GradeSettings, grade_program
from quoridor_net.grading.subjects import Allowance, EngineProgram, RunningServer, StartedServer, Subject
from quoridor_net.players.ladder import LADDER, Rung, level_at

__all__ = [
    "LADDER",
    "Allowance",
    "Award",
    "Ending",
    "EngineProgram",
    "Grade",
    "GradeSettings",
    "GradedGame",
    "Mistake",
    "Placement",
    "Rubric",
    "RubricError",
    "Rung",
    "RunningServer",
    "StartedServer",
    "Subject",
    "default_rubric",
    "grade_program",
    "level_at",
    "parse_rubric",
    "place",
]
