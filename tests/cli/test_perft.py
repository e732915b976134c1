"""``quoridor perft``, used by a person."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from quoridor_net.cli.perft import perft


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(perft, arguments)
    return result.exit_code, result.output


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        # tests/data/perft.json
        (["0"], 1),
        (["1"], 131),
        (["2"], 16677),
        (["2", "--players", "4"], 16677),
        (["3", "--size", "3", "--walls", "1"], 316),
        (["2", "--position", "a1e5a8 /  / e4 e5 / 8 9 / 1"], 14448),
        (["1", "--walls", "0"], 3),
        (["1", "--position", " /  / e4 e5 / 0 0 / 1"], 4),
        (["1", "--position", " /  / e4 e5 / 0 0 / 1", "--jumps", "classroom"], 6),
        (["3", "--position", " /  / e9 e5 / 0 0 / 0"], 0),
    ],
)
def test_counts_match_the_reference(arguments: list[str], count: int) -> None:
    assert run(*arguments) == (0, f"{count}\n")


def test_divide_prints_each_first_move() -> None:
    assert run("2", "--size", "3", "--walls", "0", "--divide") == (0, "a1 3\nc1 3\nb2 3\n9\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing argument 'DEPTH'"),
        (["-1"], "No such option"),
        (["--", "-1"], "Invalid value for 'DEPTH': -1 is not in the range 0<=x<=100."),
        (["two"], "Invalid value for 'DEPTH': 'two' is not a valid integer."),
        (["1", "--players", "3"], "Invalid value for '--players': '3' is not one of '2', '4'."),
        (["1", "--size", "2"], "Invalid value for '--size': 2 is not in the range 3<=x<=25."),
        (["1", "--size", "26"], "Invalid value for '--size': 26 is not in the range 3<=x<=25."),
        (["1", "--walls", "-1"], "Invalid value for '--walls': -1 is not in the range 0<=x<="),
        (
            ["1", "--jumps", "free"],
            "Invalid value for '--jumps': 'free' is not one of 'official', 'classroom'.",
        ),
        (
            ["1", "--position", "nothing"],
            "Invalid value for '--position': a position has 5 or 6 fields, not 1",
        ),
        (
            ["1", "--position", " /  / e1 e1 / 3 3 / 1"],
            "Invalid value for '--position': impossible position: two pawns cannot both stand on e1.",
        ),
        (
            ["1", "--position", " /  / e1 e9 / 3 3 / 1", "--size", "9"],
            "--size and --position exclude each other.",
        ),
        (
            ["1", "--position", " /  / e1 e9 / 3 3 / 1", "--walls", "0"],
            "--walls and --position exclude each other.",
        ),
        (["0", "--divide"], "--divide needs a DEPTH of 1 or more."),
    ],
)
def test_usage_errors_are_explained(arguments: list[str], message: str) -> None:
    code, output = run(*arguments)
    assert code == 2
    assert message in output
    assert "Traceback" not in output
