"""The floors of docs/architecture.md: imports only ever go down, read from the sources."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

#: From the ground up. A package imports from itself and from those before it.
FLOORS = (
    "quoridor_net.lazy",
    "quoridor_net.system",
    "quoridor_net.advice",
    "quoridor_net.text",
    "quoridor_net.phrases",
    "quoridor_net.output",
    "quoridor_net.shortage",
    "quoridor_net.moves",
    "quoridor_net.text_file",
    "quoridor_net.outcome",
    "quoridor_net.clocks",
    "quoridor_net.verdicts",
    "quoridor_net.notation",
    "quoridor_net.rules",
    "quoridor_net.events",
    "quoridor_net.jit",
    "quoridor_net.engine",
    "quoridor_net.clobber",
    "quoridor_net.protocols.common",
    "quoridor_net.protocols.lan",
    "quoridor_net.protocols.athens",
    "quoridor_net.protocols.olympiad",
    "quoridor_net.replay",
    "quoridor_net.analysis",
    "quoridor_net.net",
    "quoridor_net.programs",
    "quoridor_net.players",
    "quoridor_net.match",
    "quoridor_net.tournament",
    "quoridor_net.tournament.quoridor",
    "quoridor_net.ui",
    "quoridor_net.web",
    "quoridor_net.check",
    "quoridor_net.grading",
    "quoridor_net.testing",
    "quoridor_net.cli",
    "server",
    "client",
    "quoridor_net.__main__",
)
#: The first floor that may import trio.
FIRST_WITH_TRIO = FLOORS.index("quoridor_net.net")
#: What a floor may import besides the standard library; the others may import anything installed.
THIRD_PARTY = {
    floor: {"attrs"}
    for floor in FLOORS[:FIRST_WITH_TRIO]
    if floor not in ("quoridor_net.jit", "quoridor_net.engine", "quoridor_net.clobber")
}
EVENT_LOOPS = {"trio", "anyio", "asyncio", "hypercorn", "starlette", "selectors"}
#: A stream of analyses can be iterated over under any event loop, and loads none for plain code.
LOOP_AGNOSTIC = ("quoridor_net.engine.stream", "anyio")

#: Packages of a clone that are not installed.
BESIDE = {"benchmarks", "training", "tests"}

#: Packages that import from themselves relatively.
APPLICATIONS = ("server", "client")


def floor_of(module: str) -> str | None:
    floors = [floor for floor in FLOORS if f"{module}.".startswith(f"{floor}.")]
    return max(floors, key=len, default=None)


@cache
def imports_of(path: Path) -> list[tuple[int, str]]:
    """Return the line and full name of every import in a file, those inside functions included."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            # "from quoridor_net import rules" imports a floor by its last part.
            found += [(node.lineno, f"{_source(node, path)}.{alias.name}") for alias in node.names]
    return found


def _source(node: ast.ImportFrom, path: Path) -> str:
    """Return the module that names are imported from."""
    parts = path.relative_to(ROOT).parts
    # The applications have one name in a clone and another where they are installed.
    if node.level == 0:
        assert node.module is not None
        assert node.module.split(".")[0] not in APPLICATIONS, f"{path}:{node.lineno}: absolute import"
        return node.module
    assert parts[0] in APPLICATIONS, f"{path}:{node.lineno}: relative import"
    return ".".join([*parts[: -node.level], *([node.module] if node.module else [])])


def sources() -> list[tuple[str, Path]]:
    found = []
    for folder in ("quoridor_net", "server", "client"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            found.append((module, path))
    return found


SOURCES = sources()


def test_every_module_is_on_a_floor() -> None:
    astray = [module for module, _ in SOURCES if floor_of(module) is None]
    assert astray == ["quoridor_net", "quoridor_net.protocols"]


def test_modules_do_not_import_each_other_in_circles() -> None:
    """Imports for type checking and those inside functions count, too."""
    modules = {module for module, _ in SOURCES}
    graph = {}
    for module, path in SOURCES:
        # What is imported is a module, or a name in one.
        names = {name if name in modules else name.rpartition(".")[0] for _, name in imports_of(path)}
        graph[module] = names & modules - {module}
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("floor", FLOORS)
def test_imports_only_go_down(floor: str) -> None:
    height = FLOORS.index(floor)
    upward = []
    for module, path in SOURCES:
        if floor_of(module) != floor:
            continue
        for line, name in imports_of(path):
            imported = floor_of(name)
            if imported is not None and FLOORS.index(imported) > height:
                upward.append(f"{path.relative_to(ROOT)}:{line} imports {name}")
    assert upward == []


def test_no_module_imports_benchmarks_training_or_tests() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for _, path in SOURCES
        for line, name in imports_of(path)
        if name.split(".")[0] in BESIDE
    ]
    assert found == []


@pytest.mark.parametrize("protocol", ["lan", "athens", "olympiad"])
def test_protocols_do_not_import_each_other(protocol: str) -> None:
    package = f"quoridor_net.protocols.{protocol}"
    found = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for module, path in SOURCES
        if floor_of(module) == package
        for line, name in imports_of(path)
        if name.startswith("quoridor_net.protocols.")
        and floor_of(name) not in {package, "quoridor_net.protocols.common"}
    ]
    assert found == []


@pytest.mark.parametrize("floor", FLOORS[:FIRST_WITH_TRIO])
def test_modules_below_the_net_import_no_event_loop(floor: str) -> None:
    found = []
    for module, path in SOURCES:
        if floor_of(module) != floor:
            continue
        for line, name in imports_of(path):
            library = name.split(".")[0]
            if library in EVENT_LOOPS and (module, library) != LOOP_AGNOSTIC:
                found.append(f"{path.relative_to(ROOT)}:{line} imports {name}")
    assert found == []


@pytest.mark.parametrize(("floor", "allowed"), THIRD_PARTY.items())
def test_the_ground_floors_need_attrs_only(floor: str, allowed: set[str]) -> None:
    found = []
    for module, path in SOURCES:
        if floor_of(module) != floor:
            continue
        for line, name in imports_of(path):
            top = name.split(".")[0]
            if top not in sys.stdlib_module_names and top not in allowed | {"quoridor_net"}:
                found.append(f"{path.relative_to(ROOT)}:{line} imports {name}")
    assert found == []


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        # docs/decisions.md, Dependencies: numba is "imported only when an engine searches".
        ("quoridor_net.cli.main", ("numba", "numpy", "matplotlib")),
        ("server.command", ("numba", "numpy", "matplotlib")),
        ("client.command", ("numba", "numpy", "matplotlib")),
        # A single game needs no tournament, and the checks of one kind of program not those of others.
        ("quoridor_net.cli.play", ("quoridor_net.tournament.formats", "quoridor_net.tournament.events")),
        ("quoridor_net.cli.check.server", ("quoridor_net.check.athens", "quoridor_net.check.olympiad")),
        ("quoridor_net.cli.check.qtp", ("quoridor_net.check.lan_server", "quoridor_net.check.olympiad")),
    ],
)
def test_commands_start_without_what_they_may_not_need(module: str, heavy: tuple[str, ...]) -> None:
    program = f"import sys, {module}; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
