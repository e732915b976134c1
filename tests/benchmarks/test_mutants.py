"""Mutation testing of a module with two functions and two kernels; one of each has tests."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import mutants
from benchmarks.mutants import find_affected, find_mutants, is_killed, list_statements

_SOURCE = '''
"""Numbers."""
from functools import cache as shared
from compiler import kernel
LIMIT: int = 3

@shared
def compiled(number):
    return number + 1

@kernel
def cap(number):
    return min(number, LIMIT)

def is_small(number):
    """Return whether a number is at most 3."""
    if not isinstance(number, int):
        raise TypeError(f"{number + 1} is not a number")
    return number <= LIMIT

def is_big(number):
    return number > 9
'''
_COMPILER = """
class kernel:
    def __init__(self, function):
        self.py_func = function

    def __call__(self, number):
        return self.py_func(number)
"""
_TESTS = """
import pytest
from small import cap, is_small

def test_border():
    assert is_small(3) and not is_small(4)

def test_kernel():
    assert cap(3) == cap(4) == 3

def test_broken():
    assert not is_small(3)
"""
#: Functions that are and are not compiled.
_KERNELS = """
from limits import LIMIT as most

@kernel
def cap(number):
    return min(number, most)

@kernel
def cap_sum(one, other):
    return cap(one + other)

def make_table():
    return [7]

TABLE = make_table()

@kernel
def look_up(number):
    return TABLE[number]

def use(number):
    return cap_sum(number, number)

def use_twice(number):
    return use(use(number))
"""
#: Passes if the kernel ``cap`` must be compiled, and nothing else.
_FOLDER = """
import os
from pathlib import Path

def test_folder():
    folder = Path(os.environ["NUMBA_CACHE_DIR"])
    assert {path.name for path in folder.iterdir()} == {"complete-all", "small.cap_sum-20.py311.nbi"}
    assert (folder / "complete-all").read_text() == "4 small.cap_sum-20.py311.nbi"
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "small.py"
    path.write_text(_SOURCE, encoding="utf-8")
    (tmp_path / "compiler.py").write_text(_COMPILER, encoding="utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_small.py").write_text(_TESTS, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\npythonpath = ["."]\n', encoding="utf-8"
    )
    return path


def test_mutants_change_one_place_each_and_leave_annotations_and_texts_alone(source: Path) -> None:
    found = find_mutants(source)
    assert [(mutant.line, mutant.old, mutant.new) for mutant in found] == [
        (5, "3", "4"),
        (13, "return min(number, LIMIT)", "return None"),
        (17, "not isinstance(number, int)", "(isinstance(number, int))"),
        (18, 'raise TypeError(f"{number + 1} is not a number")', "pass"),
        (19, "return number <= LIMIT", "return None"),
        (19, "number <= LIMIT", "(number < LIMIT)"),
        (22, "return number > 9", "return None"),
        (22, "number > 9", "(number >= 9)"),
        (22, "9", "10"),
    ]
    assert {mutant.function for mutant in found[2:6]} == {(15, 19)}
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
        "small.py: 5 of 9 mutants killed",
        'small.py:18: raise TypeError(f"{number + 1} is not a number") → pass (1 tests pass)',
        "small.py:22: 9 → 10 (no test calls it)",
        "small.py:22: number > 9 → (number >= 9) (no test calls it)",
        "small.py:22: return number > 9 → return None (no test calls it)",
    ]
    assert source.read_text(encoding="utf-8") == _SOURCE


def test_kernels_include_the_kernels_and_constants_that_they_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    (tmp_path / "limits.py").write_text("LIMIT = 3\nOTHER = 4\n", encoding="utf-8")
    (tmp_path / "kernels.py").write_text(_KERNELS, encoding="utf-8")
    statements = list(list_statements([tmp_path / "limits.py", tmp_path / "kernels.py"]))
    changed, unused = find_mutants(tmp_path / "limits.py")
    affected = find_affected(changed, statements)
    assert [name for each in affected for _module, name in each.defined] == [
        "LIMIT", "cap", "cap_sum", "use",
    ]  # fmt: skip
    assert len(find_affected(unused, statements)) == 1
    computed = next(each for each in find_mutants(tmp_path / "kernels.py") if each.old == "7")
    affected = find_affected(computed, statements)
    assert [name for each in affected for _module, name in each.defined] == ["make_table", "TABLE", "look_up"]


@pytest.mark.end_to_end
def test_only_kernels_that_a_mutant_changes_are_compiled_again(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutants, "ROOT", source.parent)
    kernels = source.parent / "kernels"
    kernels.mkdir()
    files = ["bitcode-small.cap-11.py311.1.nbc", "small.cap-11.py311.nbi", "small.cap_sum-20.py311.nbi"]
    for name in files:
        (kernels / name).write_text("code", encoding="utf-8")
    (kernels / "complete-all").write_text("\n".join(f"4 {name}" for name in files), encoding="utf-8")
    (source.parent / "tests" / "test_folder.py").write_text(_FOLDER, encoding="utf-8")
    mutant = find_mutants(source)[1]
    assert not is_killed(mutant, ["tests/test_folder.py"], 60.0, kernels, {"small.cap"})
    assert is_killed(mutant, ["tests/test_folder.py"], 60.0, kernels, set())
    assert len(list(kernels.iterdir())) == 4


def test_a_room_without_tests_needs_some(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "ROOT", source.parent)
    done = CliRunner().invoke(mutants.main, ["small.py"])
    assert done.exit_code == 2
    assert "The folder tests/small.py is missing. Choose tests with --tests." in done.output


def test_unknown_rooms_are_rejected() -> None:
    done = CliRunner().invoke(mutants.main, ["nowhere"])
    assert done.exit_code == 2
    assert "No package nowhere. Choose a folder of quoridor_net, server or client." in done.output
