"""``--allow``: the connections that are accepted and made, and the reports about others."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import click
import pytest
import trio
from click.testing import CliRunner

from client.clobber.command import main as play_clobber
from client.command import main as display
from quoridor_net.cli.main import main
from quoridor_net.net import addresses
from quoridor_net.net.accepting import serve_connections
from quoridor_net.net.addresses import own_addresses
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.net.networks import EVERYBODY, MOST_NAMED, Doorkeeper, Networks, parse_network
from quoridor_net.players.greeting import connect
from server.athens.command import qtp
from server.clobber.command import main as serve_clobber
from server.command import main as serve
from tests.docs.pages import ROOT
from tests.support import preloaded
from tests.support.loopback import HOST, listen_on_loopback
from tests.support.patience import PATIENCE


def networks(*texts: str) -> Networks:
    return Networks(tuple(map(parse_network, texts)))


@pytest.mark.parametrize(
    ("network", "inside", "outside"),
    [
        ("192.168.1.0/24", "192.168.1.7", "192.168.2.7"),
        ("192.168.1.9/24", "192.168.1.7", "192.168.2.7"),
        ("192.168.1.7", "192.168.1.7", "192.168.1.8"),
        ("192.168.1.0/24", "::ffff:192.168.1.7", "::ffff:192.168.2.7"),
        ("::ffff:192.168.1.0/120", "192.168.1.7", "192.168.2.7"),
        ("::ffff:192.168.1.0/120", "::ffff:192.168.1.7", "::ffff:192.168.2.7"),
        ("fd00::/8", "fd00::2", "fe80::2%eth0"),
        ("fe80::/10", "fe80::2%eth0", "192.168.1.7"),
        ("fe80::1", "fe80::1%eth0", "fe80::2%eth0"),
        ("fe80::1%eth0", "fe80::1%eth0", "fe80::1%eth1"),
        ("fe80::7%eth0/64", "fe80::1%eth0", "fe80::1%eth1"),
        ("0.0.0.0/0", "8.8.8.8", "fd00::2"),
        ("10.0.0.0/8", "127.0.0.1", ""),
        ("10.0.0.0/8", "127.9.9.9", "not an address"),
        ("10.0.0.0/8", "::1", "::2"),
        ("10.0.0.0/8", "::ffff:127.0.0.1", "::ffff:0:0"),
    ],
)
def test_only_addresses_of_the_network_are_admitted(network: str, inside: str, outside: str) -> None:
    allowed = networks(network)
    assert allowed.admit(inside)
    assert not allowed.admit(outside)
    assert EVERYBODY.admit(outside)


def test_several_networks_are_allowed() -> None:
    allowed = networks("10.0.0.0/8", "fd00::/8")
    assert [allowed.admit(address) for address in ("10.1.2.3", "fd00::1", "11.0.0.1")] == [True, True, False]
    assert str(allowed) == "10.0.0.0/8, fd00::/8"


@pytest.mark.parametrize(
    "text", ["", "lan", "192.168.1", "10.0.0.0/33", "10.0.0.0/-1", "fd00::/129", "\x1b[2J"]
)
@pytest.mark.parametrize("command", [display, serve, qtp, serve_clobber, play_clobber], ids=lambda c: c.name)
def test_an_invalid_network_is_refused_with_an_example(text: str, command: click.Command) -> None:
    # The client looks at its arguments first.
    servers = ["localhost:1", "localhost:2"] if command is display else []
    result = CliRunner().invoke(command, [*servers, "--allow", text])
    assert result.exit_code == 2
    assert "is not a network: expected an address and the length of its network, as in 192.168.1.0/24." in (
        " ".join(result.output.split())
    )
    assert "\x1b" not in result.output


def test_each_refused_address_is_named_once_and_not_too_many() -> None:
    said: list[str] = []
    doorkeeper = Doorkeeper(networks("10.0.0.0/8"), said.append)
    for _ in range(3):
        assert not doorkeeper.admit("192.168.1.7")
    assert doorkeeper.admit("10.1.1.1")
    assert said == ["refused 192.168.1.7: not in 10.0.0.0/8 (--allow)"]
    for number in range(2 * MOST_NAMED):
        assert not doorkeeper.admit(f"192.168.{number % 256}.{number // 256}")
    assert len(said) == MOST_NAMED
    assert said[-1].endswith("; further refusals are not reported")


@pytest.fixture
def own_address() -> str:
    """An address of this machine that is not one of its loopback addresses."""
    for address in own_addresses():
        with socket.socket() as probe:
            try:
                probe.bind((address, 0))
            except OSError:
                continue
            return address
    pytest.skip("this machine has no network")


async def test_a_server_closes_a_refused_connection_without_reading(own_address: str) -> None:
    served: list[str] = []
    said: list[str] = []

    async def greet(stream: trio.SocketStream) -> None:
        served.append(stream.socket.getpeername()[0])
        await stream.send_all(b"welcome\n")

    listeners = await trio.open_tcp_listeners(0, host="0.0.0.0")
    port = listeners[0].socket.getsockname()[1]
    allowed = networks("203.0.113.0/24")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve_connections, greet, listeners, said.append, None, allowed)
        for host in (HOST, own_address, own_address):
            stream = await trio.open_tcp_stream(host, port)
            try:
                received = await stream.receive_some()
            except trio.BrokenResourceError:
                received = b""
            assert received == (b"welcome\n" if host == HOST else b"")
            await stream.aclose()
        nursery.cancel_scope.cancel()
    assert served == [HOST]
    assert said == [f"refused {own_address}: not in 203.0.113.0/24 (--allow)"]


async def test_a_client_leaves_a_server_that_is_elsewhere(own_address: str) -> None:
    async def never(stream: trio.SocketStream) -> None:
        assert await stream.receive_some() == b"", "nothing is sent"

    async with listen_on_loopback(never) as endpoint:
        stream = await connect(endpoint, 1, networks("203.0.113.0/24"))
        await stream.aclose()
    listeners = await trio.open_tcp_listeners(0, host=own_address)
    endpoint = Endpoint(own_address, listeners[0].socket.getsockname()[1])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, never, listeners)
        with pytest.raises(OSError, match="is not in 203") as failed:
            await connect(endpoint, 10, networks("203.0.113.0/24"))
        nursery.cancel_scope.cancel()
    assert failed.value.strerror == f"its address {own_address} is not in 203.0.113.0/24 (--allow)"


SERVERS = {
    "move server": ["serve", "--player", "simple"],
    "Athens engine": ["qtp", "--player", "simple", "--host", "0.0.0.0"],
    "Clobber server": ["clobber", "serve", "--entrants", "2", "--journal", "games.db"],
}


@pytest.mark.end_to_end
@pytest.mark.parametrize("name", SERVERS)
def test_every_server_refuses_addresses_that_are_not_allowed(
    name: str, own_address: str, tmp_path: Path
) -> None:
    words = [*SERVERS[name], "--port", "0", "--allow", "203.0.113.0/24"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with preloaded.Popen(
        [sys.executable, "-m", "quoridor_net", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=environment,
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        ready = re.search(r" port (\d+)", server.stdout.readline())
        assert ready is not None
        address = own_address, int(ready[1])
        with socket.create_connection(address, PATIENCE) as stream, suppress(ConnectionResetError):
            assert stream.recv(100) == b""
        said = server.stderr.readline()
        server.terminate()
    assert f"refused {own_address}: not in 203.0.113.0/24 (--allow)" in said


CLIENTS = {
    "display client": (["display", "{address}", "{address}"], 3),
    "game": (["play", "{address}", "simple", "--no-show-time", "1"], 3),
    "tournament": (["tournament", "run", "t.db", "{address}", "simple", "--no-show-time", "1"], 3),
    "bridge": (["qtp", "--player", "{address}"], 0),
    "bridge by its other name": (["qtp", "--lan", "{address}"], 0),
}


@pytest.mark.end_to_end
@pytest.mark.parametrize("name", CLIENTS)
def test_every_client_says_which_server_is_elsewhere(name: str, own_address: str, tmp_path: Path) -> None:
    words, status = CLIENTS[name]
    with socket.create_server((own_address, 0)) as listener:
        address = f"{own_address}:{listener.getsockname()[1]}"
        done = preloaded.run(
            [sys.executable, "-m", "quoridor_net"]
            + [word.format(address=address) for word in words]
            + ["--allow", "203.0.113.0/24"],
            sent="genmove black\nquit\n",
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
    assert done.returncode == status, done.stderr
    said = f"its address {own_address} is not in 203.0.113.0/24 (--allow)"
    assert said in done.stdout + done.stderr


@pytest.mark.end_to_end
def test_a_page_refuses_addresses_that_are_not_allowed(own_address: str, tmp_path: Path) -> None:
    (tmp_path / "game.qtp").write_text("P 1 E2\n", encoding="utf-8")
    words = ["replay", "show", "game.qtp", "--web", "0.0.0.0:0", "--allow", "203.0.113.0/24"]
    with preloaded.Popen(
        [sys.executable, "-m", "quoridor_net", *words],
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as program:
        assert program.stderr is not None
        ready = re.search(r":(\d+)/", program.stderr.readline())
        assert ready is not None
        request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        address = own_address, int(ready[1])
        with socket.create_connection(address, PATIENCE) as stream, suppress(ConnectionResetError):
            assert stream.recv(100) == b""
        said = program.stderr.readline()
        with socket.create_connection((HOST, int(ready[1])), PATIENCE) as stream:
            stream.sendall(request)
            assert stream.recv(8) == b"HTTP/1.1"
        program.terminate()
    assert f"refused {own_address}: not in 203.0.113.0/24 (--allow)" in said


def test_allowing_browsers_needs_a_page(tmp_path: Path) -> None:
    game = tmp_path / "game.qtp"
    game.write_text("P 1 E2\n", encoding="utf-8")
    done = CliRunner().invoke(main, ["replay", "show", str(game), "--allow", "10.0.0.0/8"])
    assert done.exit_code == 2
    assert "--allow needs --web." in done.output


def test_the_own_address_is_that_of_the_route_to_other_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    # The loopback interface has a route on every machine.
    monkeypatch.setattr(addresses, "_ELSEWHERE", ((socket.AF_INET, "127.0.0.1"),))
    assert addresses.own_addresses() == ("127.0.0.1",)
    assert addresses.own_address() == "127.0.0.1"
    assert addresses.own_addresses(socket.AF_INET6) == ()
    assert addresses.own_address(socket.AF_INET6) == "::1"
