"""``quoridor doctor``: on one screen, whether this machine can play and what prevents it."""

from __future__ import annotations

import enum
import os
import platform
import re
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import click
import trio
from attrs import frozen

from quoridor_net.advice import format_command, format_install
from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.net.addresses import own_addresses
from quoridor_net.net.listening import listen
from quoridor_net.programs.unix import NO_PROGRAMS, can_limit_programs
from quoridor_net.rules import STANDARD_SIZE
from quoridor_net.rules.diagram import ASCII, STANDARD_CELL, glyphs_for
from quoridor_net.system import limit_of
from quoridor_net.text import visible

#: The distribution of this project.
_PROJECT = "quoridor-net"
#: Parts of a line of the project's requirements.
_LIBRARY = re.compile(r"[\w.-]+", re.ASCII)
_EXTRA = re.compile(r"extra == ['\"](\w+)", re.ASCII)
#: Extras that users do not need.
_FOR_DEVELOPMENT = frozenset({"dev", "docs", "release", "test"})
#: The port of move servers in all examples.
_PORT = 5858
#: MiB that compiled code, replays and journals of a class may need.
_MIN_SPACE = 500
#: Connections, files and pipes of a tournament with a few dozen programs.
_MIN_FILES = 256
#: Columns of the screen, and of the grade and name before a finding.
_WIDTH, _INDENT = 80, 19


class Grade(enum.Enum):
    """The severity of a finding."""

    FINE = "ok"
    #: Play is possible with a restriction.
    NOTE = "note"
    #: Something will not work.
    PROBLEM = "FAIL"


@frozen
class Diagnosis:
    """The result of one examination.

    Attributes:
        grade: its severity.
        what: the finding, in a few words.
        advice: what to do about it; empty if there is nothing to do.
    """

    grade: Grade
    what: str
    advice: str = ""


@command()
@options.port("Port to test for listening.", default=_PORT, show_default=True)
def doctor(port: int) -> None:
    """Check whether this machine is ready to play, and say what to do if it is not.

    This changes nothing and sends nothing. The exit status is 0 when the machine is ready, 1 otherwise.
    """
    examinations: dict[str, Callable[[], Diagnosis]] = {
        "Python": _python,
        "Versions": _versions,
        "Extras": _extras,
        "Compiled code": _check_compiled,
        "Terminal": _terminal,
        f"Port {port}": lambda: _port(port),
        "Addresses": _addresses,
        "Firewall": lambda: _firewall(port),
        "Programs": _programs,
        "Open files": _open_files,
        "Disk": _disk,
    }
    findings = {name: _safely(examine) for name, examine in examinations.items()}
    for name, finding in findings.items():
        for line in _lines(name, finding):
            click.echo(line)
    problems = [name for name, finding in findings.items() if finding.grade is Grade.PROBLEM]
    click.echo()
    if problems:
        click.echo(_truncate(f"Not ready: {', '.join(problems)}."))
        sys.exit(ExitStatus.FAILED)
    click.echo("Ready to play.")


def _safely(examine: Callable[[], Diagnosis]) -> Diagnosis:
    try:
        return examine()
    except Exception as error:
        # A broken installation can fail in any way, and this command is there to report it.
        return Diagnosis(Grade.PROBLEM, f"cannot be examined: {_reason(error)}")


def _reason(error: Exception) -> str:
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def _lines(name: str, finding: Diagnosis) -> Iterator[str]:
    """Yield the line of a finding, cut to the screen, and its advice, which must stay whole."""
    yield _truncate(f"{finding.grade.value:<5}{name:<{_INDENT - 5}}{visible(finding.what)}")
    if finding.advice:
        yield f"{'':<{_INDENT}}{visible(finding.advice)}"


def _truncate(line: str) -> str:
    return line if len(line) < _WIDTH else f"{line[: _WIDTH - 4]}..."


def _python() -> Diagnosis:
    system = f"{platform.system()} {platform.release()} ({platform.machine()})"
    return Diagnosis(Grade.FINE, f"{platform.python_version()} on {system}")


def _versions() -> Diagnosis:
    names = [_PROJECT, "trio", "numba", "numpy", "rich"]
    missing = []
    found = []
    for name in names:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            missing.append(name)
    if missing:
        return Diagnosis(Grade.PROBLEM, f"not installed: {', '.join(missing)}", _install_again())
    return Diagnosis(Grade.FINE, ", ".join(found).removeprefix(f"{_PROJECT} "))


def _install_again() -> str:
    return f"In the project's folder: {format_install('.')}"


def _extras() -> Diagnosis:
    """List the optional dependencies, except those for developers."""
    absent: set[str] = set()
    names: set[str] = set()
    for line in metadata.requires(_PROJECT) or []:
        library, extra = _LIBRARY.match(line), _EXTRA.search(line)
        if library is None or extra is None or extra[1] in _FOR_DEVELOPMENT:
            continue
        names.add(extra[1])
        if not _is_installed(library[0]):
            absent.add(extra[1])
    have = [name for name in sorted(names) if name not in absent]
    said = f"with {', '.join(have)}" if have else "none"
    if not absent:
        return Diagnosis(Grade.FINE, said)
    requirement = f".[{','.join(sorted(absent))}]"
    return Diagnosis(Grade.FINE, said, f"More: {format_install(requirement)}")


def _is_installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _check_compiled() -> Diagnosis:
    if find_spec("numba") is None:
        return Diagnosis(Grade.PROBLEM, "numba is not installed", _install_again())
    # Imported here because numba takes a second, and may be broken.
    from quoridor_net.engine.compilation import use_of
    from quoridor_net.engine.jit import CACHE

    if all(CACHE.is_complete(use_of(players)) for players in (2, 4)):
        return Diagnosis(Grade.FINE, "the engine is compiled")
    advice = f"Compile it now, in about 15 seconds: {format_command('warmup')}"
    return Diagnosis(Grade.NOTE, "the engine is not compiled yet; the first game compiles it", advice)


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _terminal() -> Diagnosis:
    encoding = sys.stdout.encoding or "ascii"
    if not _is_terminal():
        return Diagnosis(Grade.FINE, f"none: output goes to a file or a pipe, in {encoding}")
    # Imported here because nothing else needs it.
    from quoridor_net.ui.theme import PipedConsole

    console = PipedConsole()
    colours = {None: "no colours", "standard": "8 colours", "256": "256 colours"}
    said = colours.get(console.color_system, "all colours")
    columns, lines = console.size
    what = f"{columns} columns, {lines} lines, {said}, {encoding}"
    width, height = (of(STANDARD_SIZE) for of in (STANDARD_CELL.board_width, STANDARD_CELL.board_height))
    if columns < width or lines < height:
        return Diagnosis(Grade.NOTE, what, f"The board needs {width} columns and {height} lines.")
    if glyphs_for(encoding) is ASCII:
        return Diagnosis(Grade.NOTE, what, "The board is drawn in ASCII; with UTF-8 it looks better.")
    return Diagnosis(Grade.FINE, what)


def _port(port: int) -> Diagnosis:
    try:
        trio.run(_listen_once, port)
    except OSError as error:
        advice = f"Use another --port, or find the program there: {_list_listeners(port)}"
        return Diagnosis(Grade.PROBLEM, f"not available: {error.strerror or error}", advice)
    return Diagnosis(Grade.FINE, "available")


async def _listen_once(port: int) -> None:
    for listener in await listen(None, port):
        await listener.aclose()


def _list_listeners(port: int) -> str:
    """Return a command of this system that shows which program listens on ``port``."""
    ours = f"ss -ltnp 'sport = :{port}'" if shutil.which("ss") else f"lsof -i :{port}"
    return f"netstat -ano | findstr :{port}" if sys.platform == "win32" else ours


def _addresses() -> Diagnosis:
    found = own_addresses()
    if not found:
        what = "loopback only: this machine has no network"
        return Diagnosis(Grade.NOTE, what, "Connect it to play with others. Local games work.")
    return Diagnosis(Grade.FINE, f"{', '.join(found)}, as {socket.gethostname()}")


def _firewall(port: int) -> Diagnosis:
    """Explain how to open the port. Only other machines can see whether a firewall blocks it."""
    if sys.platform == "win32":
        how = "allow Python when Windows asks"
    elif sys.platform == "darwin":
        how = "allow Python in System Settings"
    elif shutil.which("firewall-cmd"):
        how = f"sudo firewall-cmd --add-port={port}/tcp"
    else:
        how = f"sudo ufw allow {port}/tcp"
    return Diagnosis(Grade.FINE, f"if others cannot connect: {how}")


def _programs() -> Diagnosis:
    if can_limit_programs():
        return Diagnosis(Grade.FINE, "engine programs can run under limits")
    what, _, advice = NO_PROGRAMS.partition(": ")
    return Diagnosis(Grade.NOTE, what, f"For referee and qtp:COMMAND {advice}.")


def _open_files() -> Diagnosis:
    limit = limit_of("RLIMIT_NOFILE")
    if limit is None:
        return Diagnosis(Grade.FINE, "no limit")
    if limit < _MIN_FILES:
        return Diagnosis(
            Grade.NOTE, f"at most {limit}", f"For a tournament, raise it: ulimit -n {_MIN_FILES}"
        )
    return Diagnosis(Grade.FINE, f"at most {limit}")


def _disk() -> Diagnosis:
    here = Path.cwd()
    space = shutil.disk_usage(here).free // 2**20
    what = f"{space} MiB free in this folder"
    if not os.access(here, os.W_OK):
        return Diagnosis(Grade.NOTE, f"{what}, but it is read-only", "Change to a folder you can write to.")
    if space < _MIN_SPACE:
        return Diagnosis(Grade.PROBLEM, what, f"A class needs {_MIN_SPACE} MiB. Free some space.")
    return Diagnosis(Grade.FINE, what)
