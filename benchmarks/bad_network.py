"""Games between two network namespaces whose connection delays, loses packets, or is cut.

``python -m benchmarks.bad_network`` needs Linux, root and ``ip``; delay and loss also need ``tc`` and the
kernel module ``sch_netem``. Without one of them it says so and leaves that out. Both namespaces are removed
at the end; the networks of this machine are not touched.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO

import click
from attrs import frozen

from benchmarks.table import print_table

#: Addresses in the namespaces, which nobody else sees (RFC 5737, for documentation).
SERVER_ADDRESS, CLIENT_ADDRESS = "192.0.2.1", "192.0.2.2"

#: Seconds for a move, and for a whole game.
MOVE_TIME = 8
PATIENCE = 120

#: Plies after which the cable is pulled, and seconds until it is put back.
PLIES_BEFORE_CUT = 10
CUT_TIME = 2.0


@frozen
class Namespaces:
    """Two namespaces with a cable between them.

    Attributes:
        server: the name of the one with the move servers, and of its end of the cable.
        client: likewise, with the display client.
    """

    server: str
    client: str

    def run(self, name: str, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command in a namespace to its end."""
        return _run("ip", "netns", "exec", name, *words)

    def plug(self, *, is_in: bool) -> None:
        """Put the cable in, or pull it."""
        self.run(self.server, "ip", "link", "set", self.server, "up" if is_in else "down").check_returncode()

    def disturb(self, *words: str) -> bool:
        """Have both directions delayed or lose packets; return whether the kernel can."""
        return all(
            self.run(name, "tc", "qdisc", "replace", "dev", name, "root", "netem", *words).returncode == 0
            for name in (self.server, self.client)
        )


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, check=False)


def why_impossible() -> str:
    """Return why there can be no namespaces here; empty if there can."""
    if sys.platform != "linux":
        return "network namespaces exist on Linux only"
    if os.geteuid() != 0:
        return "network namespaces need root"
    if shutil.which("ip") is None:
        return "the command ip is not installed (Debian: apt install iproute2)"
    name = f"qn{os.getpid()}t"
    tried = _run("ip", "netns", "add", name)
    _run("ip", "netns", "delete", name)
    return "" if tried.returncode == 0 else f"no network namespace can be made: {tried.stderr.strip()}"


@contextmanager
def namespaces() -> Iterator[Namespaces]:
    """Make two namespaces that are connected, and remove them at the end."""
    made = Namespaces(f"qn{os.getpid()}s", f"qn{os.getpid()}c")
    sides = ((made.server, SERVER_ADDRESS), (made.client, CLIENT_ADDRESS))
    try:
        for name, _ in sides:
            _run("ip", "netns", "add", name).check_returncode()
        cable = ("type", "veth", "peer", "name", made.client, "netns", made.client)
        made.run(made.server, "ip", "link", "add", made.server, *cable).check_returncode()
        for name, address in sides:
            made.run(name, "ip", "address", "add", f"{address}/24", "dev", name).check_returncode()
            made.run(name, "ip", "link", "set", name, "up").check_returncode()
        yield made
    finally:
        for name, _ in sides:
            _run("ip", "netns", "delete", name)


@contextmanager
def _started(namespace: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    command = ["ip", "netns", "exec", namespace, sys.executable, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@frozen
class Played:
    """A game between the namespaces.

    Attributes:
        termination: how it ended; what the client said last where it did not.
        status: of the display client.
    """

    termination: str
    winner: int | None
    plies: int
    seconds: float
    status: int


def play(
    made: Namespaces,
    at_cut: Callable[[], None] | None = None,
    seed: int = 1,
    move_time: float = MOVE_TIME,
) -> Played:
    """Play a game between two servers; after some plies, ``at_cut`` is called."""
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
    with _started(made.server, *serve) as server:
        assert server.stdout is not None
        ready = re.search(r"port (\d+)", server.stdout.readline())
        assert ready is not None, "the move server did not start"
        address = f"{SERVER_ADDRESS}:{ready[1]}"
        options = ("--gap", "0", "--json", "--move-time", str(move_time))
        begun = time.monotonic()
        with _started(made.client, "-m", "client", address, address, *options) as client:
            assert client.stdout is not None
            lines = list(_lines(client.stdout, at_cut))
            status = client.wait(PATIENCE)
    ended = json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {}
    return Played(
        ended.get("termination", lines[-1].strip() if lines else "nothing was said"),
        ended.get("winner"),
        ended.get("plies", 0),
        time.monotonic() - begun,
        status,
    )


def _lines(file: IO[str], at_cut: Callable[[], None] | None) -> Iterator[str]:
    plies = 0
    for line in file:
        yield line
        plies += '"move_made"' in line
        if plies == PLIES_BEFORE_CUT and at_cut is not None:
            at_cut()
            at_cut = None


def scenarios(made: Namespaces) -> Iterator[tuple[str, Played | None]]:
    """Yield each scenario and its game; None where the kernel cannot do that."""

    def cut_for_a_while() -> None:
        made.plug(is_in=False)
        time.sleep(CUT_TIME)
        made.plug(is_in=True)

    yield "undisturbed", play(made)
    for name, words in (
        ("delay of 40 ms, ± 20 ms", ("delay", "20ms", "10ms")),
        ("5 % of the packets lost", ("loss", "5%")),
        ("both", ("delay", "20ms", "10ms", "loss", "5%")),
    ):
        yield name, play(made) if made.disturb(*words) else None
    for side in (made.server, made.client):
        made.run(side, "tc", "qdisc", "delete", "dev", side, "root")
    yield f"cable pulled for {CUT_TIME:g} s", play(made, cut_for_a_while)
    yield "cable pulled for good", play(made, lambda: made.plug(is_in=False), move_time=2)


def show(found: Sequence[tuple[str, Played | None]]) -> None:
    """Print the games."""
    rows = []
    for name, played in found:
        if played is None:
            rows.append([name, "-", "-", "not possible: the kernel has no netem"])
        else:
            rows.append([name, str(played.plies), f"{played.seconds:.1f}", played.termination])
    print_table("Games", ["connection", "plies", "seconds", "end"], rows)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Play games over bad connections; status 1 if one does not end as it should."""
    reason = why_impossible()
    if reason:
        raise click.ClickException(f"{reason}.")
    with namespaces() as made:
        found = list(scenarios(made))
    show(found)
    bad = [name for name, played in found if played is not None and played.status != 0]
    if bad:
        raise click.ClickException(f"not decided: {', '.join(bad)}.")


if __name__ == "__main__":
    main()
