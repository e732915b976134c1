"""Grades to write in all formats."""

from __future__ import annotations

from attrs import evolve

from quoridor_net.check.catalogue import catalogue, report_on
from quoridor_net.check.findings import CheckOutcome, CheckVerdict, Finding
from quoridor_net.events import MoveTimes
from quoridor_net.grading.grade import Ending, Grade, GradedGame, Mistake
from quoridor_net.outcome import Result, Termination
from quoridor_net.players.ladder import LADDER
from quoridor_net.rules import Ply, Position, Square, Step
from quoridor_net.rules.picture import BoardPicture

_PLIES = (Ply(1, Step(Square(4, 1))), Ply(2, Step(Square(4, 7))), Ply(1, Step(Square(4, 2))))


def end_game(
    number: int, opponent: int, winner: int | None, ending: Termination, fault: str = ""
) -> GradedGame:
    """Return a game, in which the program has the first move in odd games."""
    sentence = f"somebody wins: {ending}."
    result = Result(winner, ending, sentence, len(_PLIES))
    return GradedGame(number, LADDER[opponent], 1 if number % 2 else 2, result, _PLIES, 1, fault)


def whole_grade() -> Grade:
    """Return a grade with everything in it."""
    report = report_on("lan_server", "move server ann:5858")
    rules = catalogue("lan_server").rules
    report.findings = [Finding(rules["LAN-141"], "a legal move"), Finding(rules["LAN-171"], "another game")]
    report.outcomes = [
        CheckOutcome("greeting", "HELLO and IAM", CheckVerdict.PASSED),
        CheckOutcome("two", "a game of two", CheckVerdict.FAILED, "", ("LAN-141",)),
        CheckOutcome("four", "a game of four", CheckVerdict.SKIPPED, "after LAN-141"),
        CheckOutcome("slow", "a long game", CheckVerdict.SKIPPED, "to save time", is_late=True),
    ]
    games = [
        end_game(1, 3, 2, Termination.GOAL),
        end_game(2, 3, 1, Termination.ILLEGAL_MOVE, "played (0, 0), which is illegal"),
        end_game(3, 2, 1, Termination.GOAL),
        end_game(4, 2, None, Termination.PLY_LIMIT),
    ]
    position = Position()
    mistake = Mistake(games[0], 1, position, Step(Square(4, 1)), Step(Square(3, 0)), 0.75, 0.5)
    return Grade(
        "move server ann:5858", BoardPicture.LAN, 7, LADDER, Ending.GAMES, "ann:bot", "", report, games,
        MoveTimes(20, 3.0, 1.5), [mistake], ["ended with exit status 1"],
    )  # fmt: skip


def empty_grade() -> Grade:
    """Return the grade of a program that could not be started."""
    why = "cannot be started: No such file or directory"
    return Grade("engine ./missing", BoardPicture.LAN, 1, LADDER, Ending.UNAVAILABLE, detail=why)


def partial_grade() -> Grade:
    """Return a grade that was interrupted."""
    grade = whole_grade()
    return evolve(grade, ending=Ending.INTERRUPTED, games=grade.games[:1])
