"""No source raises inside ``except*``: before Python 3.11.4 a group is raised instead."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

#: Folders with Python sources.
FOLDERS = ("quoridor_net", "server", "client", "benchmarks", "training", "tests", "docs", "examples")

#: What ends a program or a test, besides the functions that are declared to do so.
ENDING = {"abort", "exit", "fail", "quit", "skip", "xfail"}


@cache
def sources() -> dict[Path, str]:
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    return {path: path.read_text(encoding="utf-8") for path in paths}


@cache
def never_returning() -> set[str]:
    """Return the names of the functions that end a program or raise, as their annotations say."""
    return ENDING | {
        node.name
        for text in sources().values()
        if "NoReturn" in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
        if isinstance(node.returns, ast.Name) and node.returns.id == "NoReturn"
    }


def handlers(tree: ast.AST) -> Iterator[ast.ExceptHandler]:
    for node in ast.walk(tree):
        if isinstance(node, ast.TryStar):
            yield from node.handlers


def run_here(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield what runs as part of ``nodes``, without the functions that are only defined there."""
    for node in nodes:
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from run_here(ast.iter_child_nodes(node))


def find_raises(text: str) -> list[int]:
    """Return the lines on which ``text`` raises inside ``except*``."""
    lines = []
    for handler in handlers(ast.parse(text)):
        for node in run_here(handler.body):
            if isinstance(node, ast.Raise | ast.Assert):
                lines.append(node.lineno)
            elif isinstance(node, ast.Expr | ast.Return | ast.Assign) and isinstance(node.value, ast.Call):
                # A player's leave() is awaited, the one that ends programs is not.
                called = node.value.func
                name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
                if name in never_returning():
                    lines.append(node.lineno)
    return lines


def test_nothing_raises_in_except_star() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path, text in sources().items()
        if "except*" in text and path != Path(__file__)
        for line in find_raises(text)
    ]
    assert found == []


@pytest.mark.parametrize(
    "statement",
    [
        "raise",
        "raise ValueError",
        "assert group",
        "sys.exit(3)",
        "context.exit(3)",
        "leave(status)",
        "leaving.leave(status)",
        "pytest.fail('no')",
        "if group:\n            raise",
    ],
)
def test_every_way_of_raising_is_found(statement: str) -> None:
    text = f"try:\n    work()\nexcept* OSError as group:\n    if True:\n        {statement}\n"
    assert len(find_raises(text)) == 1


@pytest.mark.parametrize("statement", ["status = 3", "await player.leave()", "def fail(): raise group"])
def test_other_statements_are_allowed(statement: str) -> None:
    assert (
        find_raises(f"async def run():\n  try:\n    work()\n  except* OSError as group:\n    {statement}\n")
        == []
    )
