"""No regular expression takes more than linear time, whatever it is given: each one in the sources is proved.

Everything that reaches a pattern may come from a peer, an engine or a file, so no pattern is exempt.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator

import pytest

from tests.support.ambiguity import why_slow
from tests.test_floors import SOURCES

Pattern = re.Pattern[str] | re.Pattern[bytes]

#: Patterns that are searched for, and why they are linear although the proof does not see it.
PROVED_BY_HAND = {
    "quoridor_net.replay.move_list._WORD": "what its first branch lost is read by the second",
}


def calls_of(tree: ast.AST) -> Iterator[tuple[str, str, int]]:
    """Yield the object, the method and the line of every call of a method of a named object."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
        ):
            yield node.func.value.id, node.func.attr, node.lineno


def patterns_of(value: object, name: str) -> Iterator[tuple[str, Pattern]]:
    if isinstance(value, re.Pattern):
        yield name, value
    elif isinstance(value, list | tuple | set | frozenset):
        for index, each in enumerate(value):
            yield from patterns_of(each, f"{name}[{index}]")
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from patterns_of(each, f"{name}[{key!r}]")


def every_pattern() -> Iterator[tuple[str, Pattern, bool]]:
    """Yield the name of every pattern, the pattern, and whether it is searched for."""
    for module, path in SOURCES:
        text = path.read_text(encoding="utf-8")
        if "\nimport re\n" not in text:
            continue
        tree = ast.parse(text)
        at_start = {"fullmatch", "match"}
        searched = {name for name, method, _ in calls_of(tree) if method not in at_start}
        for name, value in vars(importlib.import_module(module)).items():
            for full_name, pattern in patterns_of(value, f"{module}.{name}"):
                yield full_name, pattern, name in searched


PATTERNS = list(every_pattern())


def test_the_patterns_are_found() -> None:
    assert len(PATTERNS) > 25
    assert {
        "quoridor_net.protocols.athens.controller_role._ANSWER",
        "quoridor_net.notation.reading._SHAPES[0]",
    } <= {name for name, _, _ in PATTERNS}
    assert {name for name, _, is_searched in PATTERNS if is_searched} >= set(PROVED_BY_HAND)


def test_patterns_are_compiled_where_this_test_finds_them() -> None:
    """Patterns are module-level names: no ``re.match(...)`` and no ``re.compile`` inside functions."""
    astray = []
    for module, path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        calls = [call for call in calls_of(tree) if call[0] == "re" and call[1] not in {"compile", "escape"}]
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                calls += [call for call in calls_of(function) if call[0] == "re"]
        astray += [f"{module}:{line} re.{method}" for _, method, line in calls]
    assert astray == []


@pytest.mark.parametrize("name", [name for name, _, _ in PATTERNS])
def test_no_pattern_takes_more_than_linear_time(name: str) -> None:
    [(pattern, is_searched)] = [(each[1], each[2]) for each in PATTERNS if each[0] == name]
    why = why_slow(pattern, is_searched=is_searched)
    if name in PROVED_BY_HAND:
        assert why, "the proof sees it now"
    else:
        assert why == "", f"{pattern.pattern!r}: {why}"


@pytest.mark.parametrize(
    ("pattern", "is_searched"),
    [
        # An earlier pattern for engines' answers: "> > > > > > > > > > > > x" kept it busy for minutes.
        (r" *(?:[\w .-]*[>$] *)*([=?])(.*)", False),
        (r"(?:a*b?)*c", False),
        (r"(a|ab|b)*c", False),
        (r"(?:a+)+c", False),
        (r"([a-z])\s*-?\s*([a-z])", False),
        (r"x*y?x*?z", False),
        (r"\s+$", True),
        (r"a*b|a", True),
    ],
)
def test_slow_patterns_are_noticed(pattern: str, is_searched: bool) -> None:
    assert why_slow(re.compile(pattern), is_searched=is_searched)


@pytest.mark.parametrize(
    "pattern",
    [r"(?:[\w .>$-]*[>$])? *([=?])(.*)", r"a*", r"(?:ab*c)*", r"0*([1-9][0-9]{1,9})", r"#[ \t]*(\w+):(.*)"],
)
def test_quick_patterns_are_not_accused(pattern: str) -> None:
    assert why_slow(re.compile(pattern), is_searched=False) == ""
