"""Runs every command in a process that looks like Windows, and prints the outcomes as JSON.

``tests/end_to_end/test_windows.py`` runs it with the port of a move server.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from collections.abc import Iterator
from typing import Any

import click
from click.testing import CliRunner

from tests.support.like_windows import ROOT, pretend

#: Imported before the process looks like Windows, because their kernels are compiled for the real system.
KERNELS = ("quoridor_net.jit", "quoridor_net.engine", "quoridor_net.clobber")
#: Imported early too, because they adapt to the system when imported.
LIBRARIES = ("hypercorn.trio", "starlette.applications", "starlette.routing", "segno", "networkx")

#: A client of the 2016 protocol that disconnects at once.
CLIENT = "import socket, sys; [socket.create_connection(a.split(':')).close() for a in sys.argv[1:]]"


def modules_of(*packages: str) -> Iterator[str]:
    """Yield the names of ``packages`` and of all modules in them."""
    for package in packages:
        yield package
        for found in pkgutil.walk_packages([str(ROOT / package.replace(".", "/"))], f"{package}."):
            if not found.name.endswith("__main__"):
                yield found.name


def commands_of(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words of each command below ``group``."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        yield (*path, name)
        if isinstance(found, click.Group):
            yield from commands_of(found, (*path, name))


def main() -> None:
    pretend(*LIBRARIES, *modules_of(*KERNELS))
    failed: dict[str, str] = {}
    for name in modules_of("quoridor_net", "server", "client"):
        try:
            importlib.import_module(name)
        except Exception as error:
            failed[name] = repr(error)

    from quoridor_net.cli.main import main as quoridor

    done: dict[str, Any] = {"platform": sys.platform, "failed": failed, "helps": {}, "runs": {}}

    def run(*words: str, typed: str | None = None) -> tuple[int, str]:
        result = CliRunner().invoke(quoridor, words, input=typed, prog_name="quoridor")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            return -1, repr(result.exception)
        return result.exit_code, result.output

    for words in commands_of(quoridor):
        done["helps"][" ".join(words)] = run(*words, "--help")
    server = f"127.0.0.1:{sys.argv[1]}"
    for name, words in {
        "referee": ("referee", "--white", r"C:\engines\a.exe", "--black", "tcp:127.0.0.1:1"),
        "play with a program": ("play", "simple", r"qtp:C:\engines\a.exe"),
        "tournament with a program": ("tournament", "run", "no.db", "simple", "qtp:engine"),
        "serve a program": ("serve", "--port", "0", "--player", "qtp", "--command", "engine"),
        "check a program": ("check", "qtp", "--", "engine"),
        "referee without processes": ("referee", "--white", "tcp:127.0.0.1:1", "--black", "tcp:127.0.0.1:1"),
        "display": ("display", server, server, "--save", "shown.qtp", "--log", "shown.log"),
        "tournament": (
            *("tournament", "run", "some.db", f"net={server},games=2", "simple", "random"),
            *("--games", "1", "--quiet", "--seed", "1"),
        ),
        "tournament show": ("tournament", "show", "some.db"),
        "tournament games": ("tournament", "games", "some.db", "--save", "games"),
        "tournament verify": ("tournament", "verify", "some.db"),
        "play": ("play", server, "random", "--seed", "1", "--save", "played.qtp"),
        "replay": ("replay", "show", "shown.qtp"),
        "check replay": ("check", "replay", "shown.qtp", "played.qtp"),
        "check server": ("check", "server", server, "--only", "LAN-101"),
        "check client": ("check", "client", "--", sys.executable, "-c", CLIENT, "{addresses}"),
        "perft": ("perft", "2"),
        "doctor": ("doctor", "--port", "0"),
    }.items():
        done["runs"][name] = run(*words)
    print(json.dumps(done))


if __name__ == "__main__":
    main()
