"""Mutation testing of a package of two functions, of which one is tested."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import mutants
from benchmarks.mutants import find_mutants

_SOURCE = '''
"""Numbers."""
from functools import cache as kernel
LIMIT: int = 3

@kernel
def compiled(number):
    return number + 1

def is_small(number):
    """Return whether a number is at most 3."""
    if not isinstance(number, int):
        raise TypeError(f"{number + 1} is not a number")
    return number <= LIMIT

def is_big(number):
    return number > 9
'''
_TESTS = """
import pytest
from small import is_small

def test_border():
    assert is_small(3) and not is_small(4)

def test_broken():
    assert not is_small(3)
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "small.py"
    path.write_text(_SOURCE, encoding="utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_small.py").write_text(_TESTS, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\npythonpath = ["."]\n', encoding="utf-8"
    )
    return path


def test_mutants_change_one_place_each_and_leave_kernels_annotations_and_texts_alone(source: Path) -> None:
    found = find_mutants(source)
    assert [(mutant.line, mutant.old, mutant.new) for mutant in found] == [
        (4, "3", "4"),
        (12, "not isinstance(number, int)", "(isinstance(number, int))"),
        (13, 'raise TypeError(f"{number + 1} is not a number")', "pass"),
        (14, "return number <= LIMIT", "return None"),
        (14, "number <= LIMIT", "(number < LIMIT)"),
        (17, "return number > 9", "return None"),
        (17, "number > 9", "(number >= 9)"),
        (17, "9", "10"),
    ]
    assert {mutant.function for mutant in found[1:5]} == {(10, 14)}
    for mutant in found:
        assert ast.unparse(ast.parse(mutant.source)) != ast.unparse(ast.parse(_SOURCE))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a < b <= c", ["(a <= b <= c)", "(a < b < c)"]),
        ("a and b", ["(a or b)"]),
        ("a % b", ["(a // b)"]),
        ("'%d' % a", []),
        ("-a", ["(a)"]),
        ("a += b", ["a -= b"]),
        ("a if b() else c", ["(not (b()))"]),
        ("await a()", ["pass"]),
        ("return None", []),
        ("while True:\n    break", ["False", "continue"]),
        ("assert a > b", []),
        ("if TYPE_CHECKING:\n    a()", []),
    ],
)
def test_each_kind_of_place_has_its_mutants(tmp_path: Path, old: str, new: list[str]) -> None:
    path = tmp_path / "place.py"
    path.write_text(old, encoding="utf-8")
    assert [mutant.new for mutant in find_mutants(path)] == new


@pytest.mark.end_to_end
def test_survivors_are_listed_and_no_file_changes(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "ROOT", source.parent)
    done = CliRunner().invoke(mutants.main, ["small.py", "--tests", "tests", "--jobs", "3"])
    assert done.exit_code == 0, done.output
    assert sorted(done.output.splitlines()) == [
        "left out, because it fails without mutants: tests/test_small.py::test_broken",
        "small.py: 4 of 8 mutants killed",
        'small.py:13: raise TypeError(f"{number + 1} is not a number") → pass (1 tests pass)',
        "small.py:17: 9 → 10 (no test calls it)",
        "small.py:17: number > 9 → (number >= 9) (no test calls it)",
        "small.py:17: return number > 9 → return None (no test calls it)",
    ]
    assert source.read_text(encoding="utf-8") == _SOURCE


def test_a_room_without_tests_needs_some(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "ROOT", source.parent)
    done = CliRunner().invoke(mutants.main, ["small.py"])
    assert done.exit_code == 2
    assert "The folder tests/small.py is missing. Choose tests with --tests." in done.output


def test_unknown_rooms_are_rejected() -> None:
    done = CliRunner().invoke(mutants.main, ["nowhere"])
    assert done.exit_code == 2
    assert "No package nowhere. Choose a folder of quoridor_net, server or client." in done.output
