"""Start-up time of every command: ``python -m benchmarks.startup``.

Each command prints its help. The ratio compares it with a Python that only imports the command line library.
"""

from __future__ import annotations

import subprocess
import sys
import time

import click

from benchmarks.table import print_table
from quoridor_net.cli.main import main as quoridor

#: Runs per command. The best time counts, because other programs can only add to it.
TRIES = 7


def commands(group: click.Group, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the paths of all commands below ``group``, including subgroups."""
    context = click.Context(group)
    found: list[tuple[str, ...]] = []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        found.append((*path, name))
        if isinstance(command, click.Group):
            found += commands(command, (*path, name))
    return found


def best_time(*arguments: str) -> float:
    """Return the time of the fastest of several runs of Python with ``arguments``, in seconds."""
    best = float("inf")
    for _ in range(TRIES):
        begun = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - begun)
    return best


def main() -> None:
    """Start every command, and print a table."""
    bare = best_time("-c", "import click")
    rows = [("python -c 'import click'", f"{bare * 1000:.0f}", "1.0")]
    programs: list[tuple[str, ...]] = [
        ("-m", "server"),
        ("-m", "client"),
        ("-m", "server.clobber"),
        ("-m", "client.clobber"),
    ]
    programs += [("-m", "quoridor_net", *path) for path in commands(quoridor)]
    for program in programs:
        seconds = best_time(*program, "--help")
        name = f"python {' '.join(program)}".replace("python -m quoridor_net", "quoridor")
        rows.append((name, f"{seconds * 1000:.0f}", f"{seconds / bare:.1f}"))
    print_table("Start-up, with --help", ("command", "ms", "ratio"), rows)


if __name__ == "__main__":
    main()
