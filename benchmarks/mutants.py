"""Change random places of one package and list the changes that its tests do not notice.

    python -m benchmarks.mutants rules --number 60 --seed 1

No file changes: a ``sitecustomize`` module in a temporary folder replaces the source of one module as it is
imported, also in programs that tests start. In a first run of the tests, it lets each function record which
tests call it.
Each mutant then meets only the tests that call its function, the fastest first. Compiled kernels, type
checks, assertions, annotations, decorators and strings stay as they are.
"""

from __future__ import annotations

import ast
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click
from attrs import frozen

ROOT = Path(__file__).parents[1]
#: Runs at the start of each Python process that has its folder in PYTHONPATH.
_HOOK = """
'Also a plugin of pytest: PYTEST_DONT_REWRITE'
import ast, os, re
from importlib.machinery import SourceFileLoader

target, log = os.environ.get("MUTANTS_TARGET"), os.environ.get("MUTANTS_LOG")
original = SourceFileLoader.get_code
if target:
    def get_code(loader, name):
        if loader.path != target:
            return original(loader, name)
        with open(os.environ["MUTANTS_SOURCE"], "rb") as file:
            return loader.source_to_code(file.read(), target)
    SourceFileLoader.get_code = get_code
if log:
    # The mapping below os.environ, because each call of a function reads it.
    sources, seen, variables = os.environ["MUTANTS_SOURCES"], set(), os.environ._data
    file = os.open(log, os.O_WRONLY | os.O_APPEND)
    def note(path, line):
        key = path, line, variables.get(b"PYTEST_CURRENT_TEST")
        if key not in seen:
            seen.add(key)
            test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
            os.write(file, f"{path}\\t{line}\\t{test}\\n".encode())
    def mark(path, parent, line):
        # A function that numba compiles can call no other.
        decorators = map(ast.unparse, getattr(parent, "decorator_list", ()))
        if any(re.match(r"COMPILED", each) for each in decorators):
            return
        body = getattr(parent, "body", None)
        for child in ast.iter_child_nodes(parent):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                mark(path, child, min(part.lineno for part in (child, *child.decorator_list)))
            else:
                mark(path, child, 0)
        if line:
            is_later = [isinstance(each, ast.ImportFrom) and each.module == "__future__" for each in body]
            place = max((number for number, later in enumerate(is_later, 1) if later), default=0)
            if not place:
                place = int(ast.get_docstring(parent) is not None)
            [call] = ast.parse(f"__import__('sitecustomize').note({path!r}, {line})").body
            for part in ast.walk(call):
                ast.copy_location(part, body[place - 1])
            body.insert(place, call)
    def get_code(loader, name):
        if not loader.path.startswith(sources):
            return original(loader, name)
        with open(loader.path, "rb") as text:
            tree = ast.parse(text.read())
        mark(loader.path, tree, 1)
        return compile(tree, loader.path, "exec", dont_inherit=True)
    SourceFileLoader.get_code = get_code
    # A test that calls no function of the package can still use its constants.
    def pytest_runtest_call(item):
        os.write(file, f"\\t0\\t{item.nodeid}\\n".encode())
"""
_PYTEST = (sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider")
#: Operators that take each other's place.
_PAIRS: tuple[tuple[type[ast.AST], type[ast.AST]], ...] = (
    (ast.Eq, ast.NotEq), (ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Is, ast.IsNot), (ast.In, ast.NotIn),
    (ast.And, ast.Or), (ast.Add, ast.Sub), (ast.Mult, ast.FloorDiv), (ast.LShift, ast.RShift),
    (ast.BitAnd, ast.BitOr),
)  # fmt: skip
_SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    **{one: other for pair in _PAIRS for one, other in (pair, pair[::-1])},
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
}
#: Decorators of functions that numba compiles.
_COMPILED = r"(kernel|compiled|recursive|shared|overload|intrinsic|extending)\b"
#: The folder of compiled kernels beside the hook.
_KERNELS = "kernels"
#: Seconds of tests per mutant, as measured without the mutant.
_BUDGET = 40.0

#: The tests that call each function, by the function's file and first line, with "" for calls outside of
#: tests; and the seconds of each test.
Calls = dict[tuple[Path, int], set[str]]
Durations = dict[str, float]


@frozen
class Mutant:
    """One changed place.

    Attributes:
        path: the changed file.
        line: the line of the change.
        function: the lines of the innermost function around it, or of the file if there is none.
        old: the source that changes.
        new: its replacement.
        source: the whole file with the replacement.
    """

    path: Path
    line: int
    function: tuple[int, int]
    old: str
    new: str
    source: bytes


def find_mutants(path: Path) -> list[Mutant]:
    """Return every mutant of one file."""
    source = path.read_bytes()
    starts = [0]
    for text in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(text))
    found = []
    whole = (1, len(starts))
    for node, new, function in _find_changes(ast.parse(source), whole):
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        changed = source[:begin] + new.encode() + source[end:]
        found.append(Mutant(path, node.lineno, function, source[begin:end].decode(), new, changed))
    return found


def _find_changes(
    parent: ast.AST, function: tuple[int, int]
) -> Iterator[tuple[ast.expr | ast.stmt, str, tuple[int, int]]]:
    """Yield each node below ``parent`` to change, its replacement, and the lines of its function."""
    for name, value in ast.iter_fields(parent):
        # Places in f-strings are known only since Python 3.12.
        if name in ("annotation", "returns", "decorator_list") or isinstance(parent, ast.JoinedStr):
            continue
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST) or _is_left_out(node):
                continue
            if isinstance(node, ast.expr | ast.stmt):
                for new in _replace(node, parent):
                    yield node, new, function
            inner = function
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = min(part.lineno for part in (node, *node.decorator_list))
                inner = (first, node.end_lineno or first)
            yield from _find_changes(node, inner)


def _is_left_out(node: ast.AST) -> bool:
    """Return whether nothing inside this node is changed."""
    if isinstance(node, ast.FunctionDef):
        return any(re.match(_COMPILED, ast.unparse(part)) for part in node.decorator_list)
    if isinstance(node, ast.If):
        return ast.unparse(node.test) in ("TYPE_CHECKING", "__name__ == '__main__'")
    return isinstance(node, ast.Assert | ast.Import | ast.ImportFrom)


def _replace(node: ast.AST, parent: ast.AST) -> Iterator[str]:
    """Yield the source of each replacement of one node."""
    match node:
        case ast.Return(value) if value is not None and ast.unparse(value) != "None":
            yield "return None"
        case ast.Expr(ast.Call() | ast.Await()) | ast.Raise():
            yield "pass"
        case ast.Continue():
            yield "break"
        case ast.Break():
            yield "continue"
        case ast.AugAssign(target, operator, value) if type(operator) in _SWAPS:
            yield ast.unparse(ast.AugAssign(target, _swap(operator), value))
        case ast.Constant(bool() as truth):
            yield str(not truth)
        case ast.Constant(int() | float() as number) if not isinstance(parent, ast.UnaryOp):
            yield str(number + 1)
        case ast.Compare() | ast.BoolOp() | ast.BinOp() | ast.UnaryOp():
            yield from (f"({ast.unparse(new)})" for new in _replace_operator(node))
        case ast.expr() if isinstance(parent, ast.If | ast.While | ast.IfExp) and node is parent.test:
            yield f"(not ({ast.unparse(node)}))"


def _replace_operator(node: ast.expr) -> Iterator[ast.expr]:
    """Yield a copy of an expression for each operator of it, with another operator or none."""
    match node:
        case ast.Compare(left, operators, others):
            for place, operator in enumerate(operators):
                yield ast.Compare(
                    left, [*operators[:place], _swap(operator), *operators[place + 1 :]], others
                )
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(_swap(operator), values)
        case ast.BinOp(left, operator, right) if type(operator) in _SWAPS and not _is_text(left):
            yield ast.BinOp(left, _swap(operator), right)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand


def _swap(operator: ast.AST) -> Any:
    # Of the same kind as the operator: an ast.cmpop, ast.boolop or ast.operator.
    return _SWAPS[type(operator)]()


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def record_calls(folder: Path, sources: Path, tests: list[str]) -> tuple[Calls, Durations]:
    """Run all tests once; return which functions each passing test calls, and how long it takes."""
    log = folder / "calls"
    log.touch()
    environment = _environment(folder, folder / _KERNELS, MUTANTS_LOG=log, MUTANTS_SOURCES=sources)
    command = [*_PYTEST, "-p", "sitecustomize", "--durations=0", "-rfE", *tests]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    broken = set(re.findall(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", done.stdout, re.MULTILINE))
    if done.returncode not in (0, 1) or not done.stdout:
        raise click.ClickException(f"The tests did not run:\n{done.stdout}{done.stderr}")
    for test in sorted(broken):
        click.echo(f"left out, because it fails without mutants: {test}")
    durations: Durations = defaultdict(float)
    for seconds, test in re.findall(r"^([\d.]+)s (?:call|setup|teardown) +(.*)$", done.stdout, re.MULTILINE):
        durations[test] += float(seconds)
    calls: Calls = defaultdict(set)
    for line in log.read_text(encoding="utf-8").splitlines():
        path, number, test = line.split("\t")
        if test not in broken:
            calls[Path(path), int(number)].add(test)
    return calls, durations


def choose_tests(mutant: Mutant, calls: Calls, durations: Durations) -> list[str]:
    """Return the tests that call the function of a mutant, or all, the fastest first, within _BUDGET."""
    callers = _find_callers(mutant, calls)
    if "" in callers:
        # Code that runs during imports can affect every test.
        callers = set[str]().union(*calls.values())
    callers.discard("")
    chosen: list[str] = []
    seconds = 0.0
    for test in sorted(callers, key=lambda test: (durations[test], test)):
        seconds += durations[test]
        if chosen and seconds > _BUDGET:
            break
        chosen.append(test)
    return chosen


def _find_callers(mutant: Mutant, calls: Calls) -> set[str]:
    first, last = mutant.function
    groups = [calls[path, line] for path, line in calls if path == mutant.path and first <= line <= last]
    return set[str]().union(*groups)


def is_killed(mutant: Mutant, tests: list[str], seconds: float, kernels: Path | None) -> bool:
    """Return whether a test fails with the mutant, or exceeds a limit of ``seconds``.

    The tests load compiled kernels from the folder ``kernels``. They compile those that are missing there,
    and all if it is None.
    """
    if not tests:
        return False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "sitecustomize.py").write_text(_HOOK.replace("COMPILED", _COMPILED), encoding="utf-8")
        source = folder / "mutant"
        source.write_bytes(mutant.source)
        if kernels is not None and kernels.exists():
            # Their files are replaced, never changed. The folder rejects kernels of others.
            shutil.copytree(kernels, folder / _KERNELS, copy_function=os.link)
        environment = _environment(folder, kernels, MUTANTS_TARGET=mutant.path, MUTANTS_SOURCE=source)
        with (folder / "output").open("wb") as output:
            process = subprocess.Popen(
                [*_PYTEST, "-x", *tests],
                cwd=ROOT,
                env=environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
            try:
                return process.wait(seconds) != 0
            except subprocess.TimeoutExpired:
                return True
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()


def _environment(folder: Path, kernels: Path | None, **variables: Path) -> dict[str, str]:
    """Return the environment of tests that load ``kernels``; their hook in ``folder`` reads the variables."""
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    # The identity of the run lets those with the same kernels compile them only once.
    run = {"PYTHONPATH": path, "PYTEST_XDIST_TESTRUNUID": str(kernels or folder)}
    # A kernel compiled under a mutant must not serve as the real one later.
    run["NUMBA_CACHE_DIR"] = str(folder / _KERNELS)
    return {**os.environ, **run, **{name: str(value) for name, value in variables.items()}}


def find_room(room: str) -> tuple[Path, str]:
    """Return the sources and the tests of a room.

    Args:
        room: a package or module of ``quoridor_net``, or an application.
    """
    names = (f"quoridor_net/{room}", f"quoridor_net/{room}.py", room)
    sources = next((ROOT / name for name in names if (ROOT / name).exists()), None)
    tests = next((name for name in (f"tests/{room}", f"tests/test_{room}.py") if (ROOT / name).exists()), "")
    if sources is None:
        raise click.BadParameter(f"No package {room}. Choose a folder of quoridor_net, server or client.")
    return sources, tests


@click.command()
@click.argument("room")
@click.option(
    "--number", type=click.IntRange(min=1), default=60, show_default=True, help="Number of mutants."
)
@click.option("--seed", default=1, show_default=True, help="Random seed of the choice.")
@click.option("--jobs", type=click.IntRange(min=1), default=2, show_default=True, help="Mutants at a time.")
@click.option("--tests", multiple=True, help="Tests to run instead of those of the room. May be repeated.")
def main(room: str, number: int, seed: int, jobs: int, tests: tuple[str, ...]) -> None:
    """Change random places of ROOM and list the changes that no test notices."""
    sources, own = find_room(room)
    if not (own or tests):
        raise click.UsageError(f"The folder tests/{room} is missing. Choose tests with --tests.")
    files = sorted(sources.rglob("*.py")) if sources.is_dir() else [sources]
    mutants = [mutant for path in files for mutant in find_mutants(path)]
    mutants = random.Random(seed).sample(mutants, min(number, len(mutants)))
    has_kernels = any(b"quoridor_net.jit" in path.read_bytes() for path in files)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "sitecustomize.py").write_text(_HOOK.replace("COMPILED", _COMPILED), encoding="utf-8")
        began = time.monotonic()
        calls, durations = record_calls(folder, sources, list(tests) or [own])
        # Compiling included.
        preparation = time.monotonic() - began - sum(durations.values())

        def test(mutant: Mutant) -> bool:
            chosen = choose_tests(mutant, calls, durations)
            limit = 30 + 5 * (preparation + sum(durations[test] for test in chosen))
            # Constants and what functions return during imports are parts of kernels.
            can_change_kernels = has_kernels and "" in _find_callers(mutant, calls)
            killed = is_killed(mutant, chosen, limit, None if can_change_kernels else folder / _KERNELS)
            if not killed:
                place = f"{mutant.path.relative_to(ROOT)}:{mutant.line}"
                reason = f"{len(chosen)} tests pass" if chosen else "no test calls it"
                click.echo(f"{place}: {' '.join(mutant.old.split())} → {mutant.new} ({reason})")
            return killed

        pool = ThreadPoolExecutor(jobs)
        try:
            killed = sum(pool.map(test, mutants))
        finally:
            # Ctrl-C waits only for the mutants that are being tested.
            pool.shutdown(cancel_futures=True)
    click.echo(f"{room}: {killed} of {len(mutants)} mutants killed")


if __name__ == "__main__":
    main()
