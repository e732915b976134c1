"""Change random places of one package and list the changes that its tests do not notice.

    python -m benchmarks.mutants rules --number 60 --seed 1

No file changes: a ``sitecustomize`` module in a temporary folder replaces the source of one module as it is
imported, also in programs that tests start. In a first run of the tests, it lets each function record which
tests call it.
Each mutant then meets only the tests that call its function, the fastest first. Type checks, assertions,
annotations, decorators and strings stay as they are.

Kernels include the code of the kernels and constants they use, and record no calls of one another. A mutant
of a kernel or constant meets the tests that call whatever includes it. Only those kernels are compiled again,
when a test needs them.
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
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click
from attrs import frozen

ROOT = Path(__file__).parents[1]
#: Runs at the start of each Python process that has its folder in PYTHONPATH.
_HOOK = """
'Also a plugin of pytest: PYTEST_DONT_REWRITE'
import ast, os, re, sys
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
        # The program that compiles all kernels before the first test says nothing about tests.
        if key not in seen and (key[2] or "pytest" in sys.modules):
            seen.add(key)
            test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
            os.write(file, f"{path}\\t{line}\\t{test}\\n".encode())
    def note_calls(path, line):
        def decorate(kernel):
            if not hasattr(kernel, "py_func"):
                return kernel
            class Noted(type(kernel)):
                def __call__(self, *arguments):
                    note(path, line)
                    return super().__call__(*arguments)
            # Not an object around it, because numba knows kernels by their type.
            kernel.__class__ = Noted
            return kernel
        return decorate
    def parse(call, neighbour):
        [statement] = ast.parse(f"__import__('sitecustomize').{call}").body
        for part in ast.walk(statement):
            ast.copy_location(part, neighbour)
        return statement
    def mark(path, parent, line):
        body = getattr(parent, "body", None)
        # A function that numba compiles can call no other. Its calls from outside are noted.
        decorators = getattr(parent, "decorator_list", ())
        if any(re.match(r"COMPILED", ast.unparse(each)) for each in decorators):
            call = parse(f"note_calls({path!r}, {line})", parent)
            decorators.insert(0, call.value)
            return
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
            body.insert(place, parse(f"note({path!r}, {line})", body[place - 1]))
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
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
#: Decorators of functions that numba compiles, and of those among them that stay as they are because they
#: become parts of other packages' kernels.
_COMPILED = r"(kernel|compiled|recursive|shared|overload|intrinsic|extending)\b"
_LEFT_OUT = r"(shared|overload|intrinsic|extending)\b"
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
        function: the first and last line of the innermost function around it, zeros if there is none.
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
    for node, new, function in _find_changes(ast.parse(source), (0, 0)):
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
            if isinstance(node, _FUNCTIONS):
                inner = _lines_of(node)
            yield from _find_changes(node, inner)


def _is_left_out(node: ast.AST) -> bool:
    """Return whether nothing inside this node is changed."""
    if isinstance(node, ast.FunctionDef):
        return _has_decorator(node, _LEFT_OUT)
    if isinstance(node, ast.If):
        return ast.unparse(node.test) in ("TYPE_CHECKING", "__name__ == '__main__'")
    return isinstance(node, ast.Assert | ast.Import | ast.ImportFrom)


def _has_decorator(node: ast.AST, pattern: str) -> bool:
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return any(re.match(pattern, ast.unparse(each)) for each in decorators)


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


#: A name of a module, after the module.
Name = tuple[str, str]


@frozen
class Statement:
    """A statement of a module, outside of functions and classes.

    Attributes:
        path: the file.
        lines: its first and last line, decorators included.
        defined: the names that it defines.
        used: the names that it uses, imported ones as those of their own modules.
        is_kernel: whether it is a function that numba compiles.
        is_python: whether it is or contains another function.
    """

    path: Path
    lines: tuple[int, int]
    defined: frozenset[Name]
    used: frozenset[Name]
    is_kernel: bool
    is_python: bool


def list_statements(files: Sequence[Path]) -> Iterator[Statement]:
    """Yield the statements of files that import names from one another."""
    trees = {path: ast.parse(path.read_bytes()) for path in files}
    origins: dict[Name, Name] = {}
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    origins[_module_of(path), alias.asname or alias.name] = (node.module or "", alias.name)

    def find_origin(name: Name) -> Name:
        while name in origins:
            name = origins[name]
        return name

    for path, tree in trees.items():
        module = _module_of(path)
        for statement in tree.body:
            names = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
            used = frozenset(find_origin((module, name.id)) for name in names)
            if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
                defined = frozenset({(module, statement.name)})
            else:
                defined = frozenset((module, name.id) for name in names if isinstance(name.ctx, ast.Store))
            is_kernel = _has_decorator(statement, _COMPILED)
            is_python = not is_kernel and any(isinstance(node, _FUNCTIONS) for node in ast.walk(statement))
            yield Statement(path, _lines_of(statement), defined, used, is_kernel, is_python)


def _module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _lines_of(statement: ast.stmt) -> tuple[int, int]:
    first = min(part.lineno for part in (statement, *getattr(statement, "decorator_list", ())))
    return first, statement.end_lineno or first


def find_affected(mutant: Mutant, statements: Sequence[Statement]) -> list[Statement]:
    """Return the statement of a mutant, and those that include it, directly or through others.

    Functions that are not compiled do not include one another, because they record their calls.
    """
    affected = [
        statement
        for statement in statements
        if statement.path == mutant.path and statement.lines[0] <= mutant.line <= statement.lines[1]
    ]
    for statement in affected:
        affected += (
            other
            for other in statements
            if other.used & statement.defined
            and not (statement.is_python and other.is_python)
            and other not in affected
        )
    return affected


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


def choose_tests(mutant: Mutant, callers: set[str], calls: Calls, durations: Durations) -> list[str]:
    """Return ``callers``, or all tests after them, the fastest first, within _BUDGET."""
    # Code that runs during imports can affect every test.
    is_global = "" in callers or not any(mutant.function)
    tests = set[str]().union(*calls.values()) if is_global else callers
    chosen: list[str] = []
    seconds = 0.0
    for test in sorted(tests - {""}, key=lambda test: (test not in callers, durations[test], test)):
        seconds += durations[test]
        if chosen and seconds > _BUDGET:
            break
        chosen.append(test)
    return chosen


def find_callers(mutant: Mutant, affected: Sequence[Statement], calls: Calls) -> set[str]:
    """Return the tests that call the function of a mutant, or what includes it."""
    places = [(statement.path, *statement.lines) for statement in affected]
    if any(mutant.function):
        places[0] = (mutant.path, *mutant.function)
    groups = (
        tests
        for (path, line), tests in calls.items()
        if any(path == place and first <= line <= last for place, first, last in places)
    )
    return set[str]().union(*groups)


def is_killed(mutant: Mutant, tests: list[str], seconds: float, kernels: Path, changed: set[str]) -> bool:
    """Return whether a test fails with the mutant, or exceeds a limit of ``seconds``.

    The tests load compiled kernels from the folder ``kernels``, except those with ``changed`` names, as in
    the names of their files.
    """
    if not tests:
        return False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "sitecustomize.py").write_text(_HOOK.replace("COMPILED", _COMPILED), encoding="utf-8")
        source = folder / "mutant"
        source.write_bytes(mutant.source)
        if kernels.exists():
            _link_kernels(kernels, folder / _KERNELS, changed)
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


def _link_kernels(kernels: Path, folder: Path, changed: set[str]) -> None:
    """Provide compiled kernels in a folder of their own, without those that a mutant changes."""

    def is_changed(name: str) -> bool:
        return name.removeprefix("bitcode-").rpartition("-")[0] in changed

    def link(source: str, target: str) -> None:
        if not Path(source).name.startswith("complete-"):
            # Their files are replaced, never written to.
            os.link(source, target)
            return
        # Programs take the rest as complete. Otherwise they would compile all that is missing at once.
        lines = Path(source).read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [line for line in lines if not is_changed(Path(line.partition(" ")[2]).name)]
        Path(target).write_text("".join(kept), encoding="utf-8")

    def leave_out(_folder: str, names: list[str]) -> list[str]:
        return [name for name in names if is_changed(name)]

    shutil.copytree(kernels, folder, copy_function=link, ignore=leave_out)


def _environment(folder: Path, kernels: Path, **variables: Path) -> dict[str, str]:
    """Return the environment of tests that load ``kernels``; their hook in ``folder`` reads the variables."""
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    # The identity of the run lets those with the same kernels compile them only once.
    run = {"PYTHONPATH": path, "PYTEST_XDIST_TESTRUNUID": str(kernels)}
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
    statements = list(list_statements(files))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "sitecustomize.py").write_text(_HOOK.replace("COMPILED", _COMPILED), encoding="utf-8")
        began = time.monotonic()
        calls, durations = record_calls(folder, sources, list(tests) or [own])
        # Compiling included.
        preparation = time.monotonic() - began - sum(durations.values())

        def test(mutant: Mutant) -> bool:
            affected = find_affected(mutant, statements)
            callers = find_callers(mutant, affected, calls)
            chosen = choose_tests(mutant, callers, calls, durations)
            limit = 30 + 5 * (preparation + sum(durations[test] for test in chosen))
            changed = {
                f"{statement.path.stem}.{name}"
                for statement in affected
                for _module, name in statement.defined
                if statement.is_kernel
            }
            killed = is_killed(mutant, chosen, limit, folder / _KERNELS, changed)
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
