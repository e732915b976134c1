"""A proxy that is named forwards the addresses of browsers; no other peer can pretend one."""

from __future__ import annotations

import ipaddress
from typing import Any

import click
import pytest
import trio
from click.testing import CliRunner
from starlette.types import Receive, Scope, Send

from quoridor_net.cli.replay import show
from quoridor_net.net.listening import listen
from quoridor_net.net.networks import Networks
from quoridor_net.output import ignore
from quoridor_net.web.address import WebAddress
from quoridor_net.web.live import LiveGame
from quoridor_net.web.proxies import ON_THIS_MACHINE, Forwarded, PublicPlace, parse_public_url
from quoridor_net.web.sites import watch
from tests.docs.pages import DOCS
from tests.support.loopback import HOST

ELSEWHERE = Networks((ipaddress.ip_network("10.0.0.0/24"),), has_loopback=False)


async def find_client(peer: str | None, headers: list[str], proxies: Networks = ON_THIS_MACHINE) -> Any:
    """Return the address of the browser that an application sees."""
    seen: list[Any] = []

    async def note(scope: Scope, receive: Receive, send: Send) -> None:
        await trio.lowlevel.checkpoint()
        seen.append(scope["client"])

    scope = {
        "type": "http",
        "client": None if peer is None else (peer, 1234),
        "headers": [(b"x-forwarded-for", each.encode()) for each in headers],
    }
    await Forwarded(note, proxies)(scope, None, None)  # type: ignore[arg-type]  # unused
    (client,) = seen
    return client and client[0]


@pytest.mark.parametrize(
    ("peer", "headers", "expected"),
    [
        ("127.0.0.1", ["192.0.2.7"], "192.0.2.7"),
        ("::1", ["2001:db8::7"], "2001:db8::7"),
        ("127.0.0.1", ["1.2.3.4, 192.0.2.7"], "192.0.2.7"),
        ("127.0.0.1", ["127.0.0.1", "192.0.2.7, 127.0.0.1"], "192.0.2.7"),
        ("127.0.0.1", [], None),
        ("127.0.0.1", ["192.0.2.7, unknown"], None),
        ("127.0.0.1", ["127.0.0.1"], None),
        ("127.0.0.1", ["::ffff:192.0.2.7"], "192.0.2.7"),
        ("::ffff:127.0.0.1", ["192.0.2.7"], "192.0.2.7"),
        # No address, or more than one: the browser is unknown rather than believed.
        ("127.0.0.1", ["192.0.2.7:4711"], None),
        ("127.0.0.1", ["[2001:db8::7]:4711"], None),
        ("127.0.0.1", ["\u00ff\x7f, \x00"], None),
        ("127.0.0.1", ["192.0.2.7,"], None),
        ("127.0.0.1", ["127.0.0.1, " * 2000 + "192.0.2.7"], "192.0.2.7"),
        ("127.0.0.1", ["192.0.2.7" + ", 127.0.0.1" * 2000], "192.0.2.7"),
        ("127.0.0.1", ["192.0.2.7", "198.51.100.4"], "198.51.100.4"),
        ("127.0.0.1", ["for=192.0.2.7;proto=https"], None),
        ("192.0.2.9", ["127.0.0.1"], "192.0.2.9"),
        (None, ["192.0.2.7"], None),
    ],
)
async def test_the_last_address_before_the_proxies_counts(
    peer: str | None, headers: list[str], expected: str | None
) -> None:
    assert await find_client(peer, headers) == expected


async def test_only_named_proxies_are_believed() -> None:
    assert await find_client("10.0.0.5", ["192.0.2.7, 10.0.0.6"], ELSEWHERE) == "192.0.2.7"
    assert await find_client("10.0.1.5", ["192.0.2.7"], ELSEWHERE) == "10.0.1.5"
    assert await find_client("127.0.0.1", ["192.0.2.7"], ELSEWHERE) == "127.0.0.1"


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://example.org", "https://example.org/"),
        ("https://example.org/quoridor", "https://example.org/quoridor/"),
        ("http://[::1]:8080/a/b/", "http://[::1]:8080/a/b/"),
    ],
)
def test_public_addresses_end_with_a_slash(text: str, url: str) -> None:
    assert parse_public_url(text) == url


@pytest.mark.parametrize(
    "text", ["example.org", "ftp://example.org/", "https://", "https://a b/", "https://a/?x", "https://a:x/"]
)
def test_other_addresses_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not the address of a site like https:"):
        parse_public_url(text)


async def ask(address: WebAddress, host: str) -> bytes:
    """Return the status line of a request for the page."""
    port = address.listeners[0].socket.getsockname()[1]
    stream = await trio.open_tcp_stream(HOST, port)
    async with stream:
        await stream.send_all(
            f"GET / HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n".encode()
        )
        return bytes(await stream.receive_some(4096)).partition(b"\r\n")[0]


@pytest.mark.end_to_end
async def test_a_site_answers_to_its_public_name() -> None:
    place = PublicPlace("https://Quoridor.example.org/class/")
    address = WebAddress(HOST, await listen(HOST, 0), public=place)
    assert address.url == "https://Quoridor.example.org/class/"
    async with address.open(watch(LiveGame()), ignore):
        assert await ask(address, "quoridor.example.org") == b"HTTP/1.1 200 "
        assert await ask(address, "evil.example.org") == b"HTTP/1.1 421 "


@pytest.mark.parametrize(
    ("words", "proxies"),
    [
        ((), ON_THIS_MACHINE),
        (("--proxy", "10.0.0.0/24"), ELSEWHERE),
        (("--proxy", "127.0.0.1"), Networks((ipaddress.ip_network("127.0.0.1"),))),
    ],
)
def test_proxies_are_on_this_machine_unless_others_are_named(
    words: tuple[str, ...], proxies: Networks, monkeypatch: pytest.MonkeyPatch
) -> None:
    places: list[PublicPlace] = []

    def note(_endpoint: object, _networks: object, place: PublicPlace) -> None:
        places.append(place)
        raise click.Abort

    monkeypatch.setattr("quoridor_net.cli.web.listen_for_browsers", note)
    command: click.Command = show
    public = ("--web", "localhost:0", "--web-url", "https://a.example/")
    CliRunner().invoke(command, [str(DOCS / "pictures" / "game.qtp"), *public, *words])
    assert places == [PublicPlace("https://a.example/", proxies)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--web-url", "https://example.org/"), "--web-url needs --web."),
        (("--proxy", "10.0.0.1"), "--proxy needs --web."),
        (("--web", "localhost:0", "--proxy", "10.0.0.1"), "--proxy needs --web-url"),
        (("--web", "localhost:0", "--web-url", "example.org"), "is not the address of a site"),
        (("--web", "localhost:0", "--web-url", "https://a/", "--proxy", "x"), "is not a network"),
    ],
)
def test_wrong_usage_is_one_line(words: tuple[str, ...], expected: str) -> None:
    command: click.Command = show
    done = CliRunner().invoke(command, [str(DOCS / "pictures" / "game.qtp"), *words])
    assert (done.exit_code, expected in done.stderr) == (2, True), done.stderr
