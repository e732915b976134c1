"""The page about the engine states its actual levels, book and network."""

from __future__ import annotations

import ast
import re
from importlib import resources
from pathlib import Path

from quoridor_net import engine
from quoridor_net.engine.levels import LEVELS
from tests.docs.pages import DOCS, section

PAGE = DOCS / "engine.md"
PACKAGE = Path(engine.__file__).parents[1]


def test_the_table_of_levels_matches_the_engine() -> None:
    rows = re.findall(r"^\| (\d.*) \|$", section(PAGE, "Levels"), re.MULTILINE)
    documented = [tuple(cell.strip().replace(",", "") for cell in row.split("|")) for row in rows]
    assert documented == [
        (
            str(number),
            "" if level.depth is None else str(level.depth),
            str(level.nodes),
            str(level.multipv),
            f"{level.error / 100:g}",
            "" if level.wall_distance is None else f"{level.wall_distance:g}",
        )
        for number, level in LEVELS.items()
    ]


def test_the_book_and_the_network_have_the_stated_sizes() -> None:
    text = PAGE.read_text(encoding="utf-8")
    book = resources.files(engine).joinpath("book.txt").read_text("ascii")
    assert f"{len(book.splitlines()):,} positions" in text
    network = resources.files(engine).joinpath("evaluation/network.npz").read_bytes()
    assert f"{round(len(network) / 1000)} kB" in text


def definitions(file: str) -> set[str]:
    tree = ast.parse((PACKAGE / file).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def test_every_function_is_in_the_module_on_the_page() -> None:
    rows = re.findall(
        r"^\| ([^|]*) \| ([^|]*`) \| ([^|]*) \|$", section(PAGE, "Where to find it"), re.MULTILINE
    )
    assert len(rows) > 20
    for what, functions, files in rows:
        defined = set().union(*(definitions(file) for file in re.findall(r"`([^`]*)`", files)))
        assert set(re.findall(r"`([^`]*)`", functions)) <= defined, what
