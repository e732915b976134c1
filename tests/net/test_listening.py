"""Listening on all addresses of both families, with one port that can be announced."""

from __future__ import annotations

import errno
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import click
import pytest
import trio
from click.testing import CliRunner

from client.clobber.command import main as play_clobber
from client.command import main as display
from quoridor_net.cli.play import play
from quoridor_net.cli.web import listen_for_browsers
from quoridor_net.net.addresses import is_this_machine, numeric_host, own_address
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.net.listening import ATTEMPTS, cannot_listen, listen, port_of
from quoridor_net.web.address import WebAddress
from server.athens.command import qtp
from server.athens.listener import serve_sessions
from server.clobber.command import main as serve_clobber
from server.command import main as serve


def has_ipv6() -> bool:
    """Return whether this machine has the loopback address of IPv6."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


needs_ipv6 = pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")


async def close(listeners: list[trio.SocketListener]) -> None:
    for listener in listeners:
        await listener.aclose()


@needs_ipv6
@pytest.mark.parametrize("host", [None, "localhost"])
async def test_a_free_port_is_the_same_for_both_families(
    host: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = socket.getaddrinfo

    def find_both(host: Any, *arguments: Any, **options: Any) -> list[Any]:
        """Find both loopback addresses of ``localhost``, which has only one on some machines."""
        hosts = ("127.0.0.1", "::1") if host == "localhost" else (host,)
        return [info for each in hosts for info in find(each, *arguments, **options)]

    monkeypatch.setattr(socket, "getaddrinfo", find_both)
    listeners = await listen(host, 0)
    assert {listener.socket.family for listener in listeners} == {socket.AF_INET, socket.AF_INET6}
    (port,) = {port_of(listener) for listener in listeners}
    for address in ("127.0.0.1", "::1"):
        await (await trio.open_tcp_stream(address, port)).aclose()
    await close(listeners)


@needs_ipv6
async def test_a_port_that_is_taken_in_one_family_is_not_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program may get the port between two attempts to bind it."""
    bind = trio.open_tcp_listeners
    refusals = 0

    async def scarce(port: int, *, host: str | None, backlog: int) -> list[trio.SocketListener]:
        nonlocal refusals
        if port != 0 and refusals < 3:
            refusals += 1
            raise OSError(errno.EADDRINUSE, "taken")
        return await bind(port, host=host, backlog=backlog)

    monkeypatch.setattr(trio, "open_tcp_listeners", scarce)
    listeners = await listen(None, 0)
    assert len({port_of(listener) for listener in listeners}) == 1
    assert refusals == 3
    await close(listeners)
    refusals = -ATTEMPTS
    with pytest.raises(OSError, match="in use"):
        await listen(None, 0)


async def test_a_port_that_is_taken_is_refused() -> None:
    listeners = await listen("127.0.0.1", 0)
    with pytest.raises(OSError) as caught:
        await listen("127.0.0.1", port_of(listeners[0]))
    assert caught.value.errno == errno.EADDRINUSE
    await close(listeners)


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (OSError(errno.EADDRINUSE, "taken"), "port"),
        (OSError(errno.EADDRNOTAVAIL, "not here"), "host"),
        (socket.gaierror(socket.EAI_NONAME, "no such name"), "host"),
    ],
)
def test_the_advice_on_listening_names_what_is_wrong(error: OSError, advice: str) -> None:
    sentence = cannot_listen("a.example", 5858, error, "Change the port.", "Change the host.")
    assert sentence == f"cannot listen on a.example, port 5858: {error.strerror}. Change the {advice}."


@pytest.mark.parametrize(
    ("address", "is_own"),
    [("127.0.0.1", True), ("::1", True), ("0.0.0.0", True), ("192.0.2.7", False), ("marcy", False)],
)
def test_addresses_of_this_machine_are_recognised(address: str, is_own: bool) -> None:
    assert is_this_machine(address) is is_own


@needs_ipv6
async def test_athens_sessions_listen_on_all_addresses_of_a_name() -> None:
    async def never() -> None:
        raise AssertionError("nobody says anything")

    async with trio.open_nursery() as nursery:
        make: Callable[[], Awaitable[None]] = never
        port = await nursery.start(serve_sessions, make, 0, None)
        for address in ("127.0.0.1", "::1"):
            await (await trio.open_tcp_stream(address, port)).aclose()
        nursery.cancel_scope.cancel()


@needs_ipv6
@pytest.mark.parametrize(
    ("host", "family"), [("::", socket.AF_INET6), ("0::0", socket.AF_INET6), ("0.0.0.0", socket.AF_INET)]
)
def test_the_announced_address_of_a_page_is_of_a_family_that_is_listened_on(
    host: str, family: socket.AddressFamily
) -> None:
    web = listen_for_browsers(Endpoint(host, 0))
    assert web.url == f"http://{Endpoint(own_address(family), port_of(web.listeners[0]))}/"
    trio.run(web.aclose)


def test_without_a_network_ipv6_has_the_loopback_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENETUNREACH, "no network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert own_address(socket.AF_INET6) == "::1"
    assert own_address(socket.AF_INET) == socket.gethostname()


def test_a_zone_is_shown_with_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "if_indextoname", {3: "eth0"}.__getitem__)
    assert numeric_host(("fe80::1", 5858, 0, 3)) == "fe80::1%eth0"
    assert numeric_host(("::1", 5858, 0, 0)) == "::1"
    assert numeric_host(("10.0.0.7", 5858)) == "10.0.0.7"

    def find_no_interface(_index: int) -> str:
        raise OSError(errno.ENXIO, "no such device")

    monkeypatch.setattr(socket, "if_indextoname", find_no_interface)
    assert numeric_host(("fe80::1", 5858, 0, 3)) == "fe80::1%3"


async def test_the_link_to_a_page_escapes_the_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    listeners = await listen("127.0.0.1", 0)
    port = port_of(listeners[0])
    address = WebAddress("fe80::1%eth0", listeners)
    assert address.url == f"http://[fe80::1%25eth0]:{port}/"
    assert address.seat("1-abc") == f"http://[fe80::1%25eth0]:{port}/#/seat/1-abc"
    await close(listeners)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (serve, ["--port", "0", "--host", "fe80::1"]),
        (qtp, ["--port", "0", "--host", "[fe80::1]"]),
        (serve_clobber, ["--port", "0", "--entrants", "2", "--host", "fe80::1"]),
        (display, ["[fe80::1]:5858", "[fe80::1]:5859"]),
        (play_clobber, ["[fe80::1]:5858"]),
        (play, ["--web", "[fe80::1]:0"]),
        (play, ["simple", "[fe80::1]:5858"]),
        (play, ["simple", "qtp:tcp:[fe80::1]:5858"]),
    ],
)
def test_a_link_local_address_needs_a_zone(command: click.Command, words: list[str]) -> None:
    result = CliRunner().invoke(command, words)
    assert result.exit_code == 2
    sentence = "'fe80::1' is a link-local address, which needs the name of a network interface as its zone"
    assert f"{sentence}: fe80::1%eth0." in " ".join(result.output.split())
