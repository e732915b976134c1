"""Games over connections that delay packets, lose them or are cut: ``python -m benchmarks.bad_network``.

Needs Linux, root, ``ip`` and TUN devices. Client and servers run in two network namespaces, and
:mod:`benchmarks.cable` carries the packets between them. Both namespaces are removed at the end; the networks
of this machine stay unchanged.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO

import click
from attrs import frozen

from benchmarks.cable import DEVICE, Cable, Disturbance
from benchmarks.table import print_table

#: Addresses in the namespaces, invisible outside them (RFC 5737, for documentation).
SERVER_ADDRESS, CLIENT_ADDRESS = "192.0.2.1", "192.0.2.2"

#: Time limits of a move and of a whole game, in seconds.
MOVE_TIME = 8
PATIENCE = 120

#: Number of plies before the cable is pulled, and seconds until it is plugged in again.
PLIES_BEFORE_CUT = 10
CUT_TIME = 2.0

#: Seed of the disturbances.
SEED = 20

#: Disturbances, in both directions.
DISTURBANCES = {
    "undisturbed": Disturbance(),
    "packets 20 ms late, ± 10 ms": Disturbance(delay=0.02, spread=0.01),
    "5 % of the packets lost": Disturbance(lost=0.05),
    "late, lost and 5 % doubled": Disturbance(delay=0.02, spread=0.01, lost=0.05, doubled=0.05),
    "10 % of the packets lost": Disturbance(lost=0.1),
}


@frozen
class Namespaces:
    """Two namespaces connected by a cable.

    Attributes:
        server: name of the namespace with the move servers, and of its end of the cable.
        client: name of the namespace with the display client, and of its end of the cable.
        cable: the cable.
    """

    server: str
    client: str
    cable: Cable

    def run(self, name: str, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command in a namespace, and wait for its end."""
        return _run("ip", "netns", "exec", name, *words)

    def plug(self, *, is_in: bool) -> None:
        """Plug the cable in, or pull it."""
        self.run(self.server, "ip", "link", "set", self.server, "up" if is_in else "down").check_returncode()


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, check=False)


def why_impossible() -> str:
    """Return the reason why namespaces cannot be used here; empty if they can."""
    if sys.platform != "linux":
        return "network namespaces need Linux"
    if os.geteuid() != 0:
        return "network namespaces need root"
    if shutil.which("ip") is None:
        return "the command ip is not installed (Debian: apt install iproute2)"
    if not os.access(DEVICE, os.R_OK | os.W_OK):
        return f"{DEVICE} is missing (load the kernel module tun)"
    name = f"qn{os.getpid()}t"
    tried = _run("ip", "netns", "add", name)
    _run("ip", "netns", "delete", name)
    return "" if tried.returncode == 0 else f"cannot create a network namespace: {tried.stderr.strip()}"


@contextmanager
def namespaces() -> Iterator[Namespaces]:
    """Create two connected namespaces, and remove them at the end."""
    server, client = (f"qn{os.getpid()}{letter}" for letter in "sc")
    sides = ((server, SERVER_ADDRESS), (client, CLIENT_ADDRESS))
    try:
        for name, _ in sides:
            _run("ip", "netns", "add", name).check_returncode()
        with Cable((server, client), random.Random(SEED)) as cable:
            made = Namespaces(server, client, cable)
            for name, address in sides:
                _run("ip", "link", "set", name, "netns", name).check_returncode()
                made.run(name, "ip", "address", "add", f"{address}/24", "dev", name).check_returncode()
                made.run(name, "ip", "link", "set", name, "up").check_returncode()
            yield made
    finally:
        for name, _ in sides:
            _run("ip", "netns", "delete", name)


@contextmanager
def _start(namespace: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    command = ["ip", "netns", "exec", namespace, sys.executable, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@frozen
class NetworkGame:
    """A game between the namespaces.

    Attributes:
        termination: termination of the game; the last line of the client if it did not end.
        status: exit status of the display client.
        packets: packets by fate.
    """

    termination: str
    winner: int | None
    plies: int
    seconds: float
    status: int
    packets: Counter[str]


def play(
    made: Namespaces,
    at_cut: Callable[[], None] | None = None,
    seed: int = 1,
    move_time: float = MOVE_TIME,
) -> NetworkGame:
    """Play a game between two servers; call ``at_cut`` after PLIES_BEFORE_CUT plies."""
    serve = (
        "-m",
        "server",
        "--player",
        "simple",
        "--host",
        SERVER_ADDRESS,
        "--port",
        "0",
        "--seed",
        str(seed),
    )
    made.cable.packets.clear()
    with _start(made.server, *serve) as server:
        assert server.stdout is not None
        ready = re.search(r"port (\d+)", server.stdout.readline())
        assert ready is not None, "the move server did not start"
        address = f"{SERVER_ADDRESS}:{ready[1]}"
        options = ("--gap", "0", "--json", "--move-time", str(move_time))
        begun = time.monotonic()
        with _start(made.client, "-m", "client", address, address, *options) as client:
            assert client.stdout is not None
            lines = list(_lines(client.stdout, at_cut))
            status = client.wait(PATIENCE)
    ended = json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {}
    return NetworkGame(
        ended.get("termination", lines[-1].strip() if lines else "no output"),
        ended.get("winner"),
        ended.get("plies", 0),
        time.monotonic() - begun,
        status,
        made.cable.packets.copy(),
    )


def _lines(file: IO[str], at_cut: Callable[[], None] | None) -> Iterator[str]:
    plies = 0
    for line in file:
        yield line
        plies += '"move_made"' in line
        if plies == PLIES_BEFORE_CUT and at_cut is not None:
            at_cut()
            at_cut = None


def scenarios(made: Namespaces) -> Iterator[tuple[str, NetworkGame]]:
    """Yield each scenario and its game."""

    def cut_for_a_while() -> None:
        made.plug(is_in=False)
        time.sleep(CUT_TIME)
        made.plug(is_in=True)

    for name, disturbance in DISTURBANCES.items():
        made.cable.disturbance = disturbance
        yield name, play(made)
    made.cable.disturbance = Disturbance()
    yield f"cable pulled for {CUT_TIME:g} s", play(made, cut_for_a_while)
    yield "cable pulled for good", play(made, lambda: made.plug(is_in=False), move_time=2)


def show(found: Sequence[tuple[str, NetworkGame]]) -> None:
    """Print a table of the games."""
    rows = []
    for name, played in found:
        packets = [f"{played.packets[fate]:,}" for fate in ("carried", "lost", "doubled")]
        rows.append([name, *packets, str(played.plies), f"{played.seconds:.1f}", played.termination])
    print_table("Games", ["connection", "packets", "lost", "doubled", "plies", "seconds", "end"], rows)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Play games over bad connections; exit with status 1 if one is not decided."""
    reason = why_impossible()
    if reason:
        raise click.ClickException(f"{reason}.")
    with namespaces() as made:
        found = list(scenarios(made))
    show(found)
    bad = [name for name, played in found if played.status != 0]
    if bad:
        raise click.ClickException(f"not decided: {', '.join(bad)}.")


if __name__ == "__main__":
    main()
