"""Reaching and greeting servers: if one fails, none gets GAME.

See docs/decisions.md, Protocol.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from quoridor_net.net.endpoint import Endpoint
from quoridor_net.outcome import ForfeitError
from quoridor_net.phrases import phrase_of
from quoridor_net.players.greeting import WAIT, Greeting, GreetingError, connect, greet, greet_all
from quoridor_net.players.lan import LanPlayer
from quoridor_net.verdicts import VerdictPhrase
from tests.support.loopback import HOST, Handler, listen_on_loopback, reserve_port

QUICK = Greeting(connect_time=5, hello_time=15)


@pytest.fixture
def closed_places() -> Iterator[list[Endpoint]]:
    """Three places where nobody listens."""
    with ExitStack() as stack:
        yield [Endpoint(HOST, stack.enter_context(reserve_port())) for _ in range(3)]


@pytest.fixture
def virtual_time(autojump_clock: MockClock) -> MockClock:
    """Time jumps once nothing has moved for a moment: what goes through a real socket is never late."""
    autojump_clock.autojump_threshold = 0.02
    return autojump_clock


async def good(stream: trio.SocketStream) -> None:
    """Answers HELLO; whatever follows must be the end."""
    await stream.receive_some(100)
    await stream.send_all(b"IAM good:server\n")
    assert await stream.receive_some(100) == b"", "nobody gets GAME when a server failed"


def says(data: bytes) -> Handler:
    async def handler(stream: trio.SocketStream) -> None:
        await stream.receive_some(100)
        await stream.send_all(data)
        await stream.receive_some(100)

    return handler


async def closes(stream: trio.SocketStream) -> None:
    await stream.receive_some(100)


async def silent(stream: trio.SocketStream) -> None:
    while await stream.receive_some(100):
        pass


@pytest.mark.parametrize(
    ("handler", "reason"),
    [
        (silent, "did not answer HELLO within 15 s"),
        (closes, "did not give its name: it closed the connection"),
        (says(b"HELLO\n"), "when its name (IAM) was expected"),
        (
            says(b"hello there\n"),
            (
                "did not give its name: it sent an unreadable line: nothing may follow HELLO;"
                " the answer was 'hello there'"
            ),
        ),
        (says(b"IAM two words\n"), "IAM needs exactly one name without spaces, not 2 words"),
        (says(b"IAM\n"), "not 0 words"),
        (says(b"IAM " + b"x" * 300 + b"\n"), "at most 200 bytes"),
        (says(b"x" * 3000), "more than 1024 bytes"),
    ],
)
async def test_a_failed_greeting_is_reported_with_its_reason(
    handler: Handler, reason: str, virtual_time: MockClock
) -> None:
    async with listen_on_loopback(good) as first, listen_on_loopback(handler) as second:
        with pytest.raises(GreetingError) as caught:
            await greet_all([first, second], QUICK)
    assert len(caught.value.reasons) == 1
    assert caught.value.reasons[0].startswith(f"{second} ")
    assert reason in caught.value.reasons[0]


async def test_servers_that_cannot_be_reached_are_all_named(
    closed_places: list[Endpoint], virtual_time: MockClock
) -> None:
    endpoints = closed_places[:2]
    with pytest.raises(GreetingError) as caught:
        await greet_all(endpoints, QUICK)
    assert [reason.split()[0] for reason in caught.value.reasons] == [str(end) for end in endpoints]
    assert "refused" in caught.value.reasons[0]


async def test_missing_servers_are_reported_while_waiting(
    closed_places: list[Endpoint], virtual_time: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quoridor_net.players.greeting.WAIT", 0.02)
    missing, told = closed_places[0], list[str]()
    async with listen_on_loopback(good) as first, listen_on_loopback(silent) as mute:
        with pytest.raises(GreetingError):
            await greet_all([first, missing, mute], Greeting(5, 15), report=told.append)
    assert told == [f"Waiting for {missing} and {mute}."]


async def test_the_last_name_may_come_when_the_missing_are_about_to_be_named(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async def greet(*_arguments: object) -> LanPlayer:
        await trio.sleep(WAIT)
        ours, _ = trio.testing.memory_stream_pair()
        return LanPlayer(ours, 1)

    monkeypatch.setattr("quoridor_net.players.greeting.greet", greet)
    endpoint = Endpoint(HOST, 1)
    # Which of both comes first changes from one time to the next.
    for _ in range(20):
        told: list[str] = []
        assert len(await greet_all([endpoint], QUICK, report=told.append)) == 1
        assert told in ([], [f"Waiting for {endpoint}."])


@pytest.mark.parametrize("host", ["a..b", "x" * 64])
async def test_a_name_that_no_machine_can_have_is_not_found(host: str) -> None:
    with pytest.raises(GreetingError) as caught:
        await greet_all([Endpoint(host, 1)], QUICK)
    assert caught.value.reasons == (f"{host}:1 cannot be reached: unknown host name",)


async def test_a_shortage_of_this_machine_is_no_fault_of_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def lack(*_: object) -> trio.SocketStream:
        await trio.lowlevel.checkpoint()
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("quoridor_net.players.greeting.connect", lack)
    with pytest.raises(OSError, match="Too many open files"):
        await greet(Endpoint(HOST, 1), QUICK)


@pytest.mark.parametrize(
    ("failures", "reported"),
    [
        ([TimeoutError, TimeoutError], TimeoutError),
        # A refused connection says more than silence.
        ([ConnectionRefusedError, TimeoutError], ConnectionRefusedError),
        ([TimeoutError, ConnectionRefusedError], ConnectionRefusedError),
    ],
)
async def test_the_most_specific_failure_of_all_attempts_is_reported(
    failures: list[type[OSError]],
    reported: type[OSError],
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: MockClock,
) -> None:
    left = iter(failures)

    async def fail(*_: object) -> trio.SocketStream:
        await trio.lowlevel.checkpoint()
        raise next(left)

    monkeypatch.setattr("quoridor_net.net.sockets.connect", fail)
    with pytest.raises(OSError) as caught:
        await connect(Endpoint(HOST, 1), 0.3)
    assert type(caught.value) is reported
    assert next(left, None) is None


async def test_servers_that_did_the_same_are_named_together(
    closed_places: list[Endpoint], virtual_time: MockClock
) -> None:
    async with listen_on_loopback(silent) as mute:
        with pytest.raises(GreetingError) as caught:
            await greet_all([*closed_places, mute], QUICK)
    first, second, third = map(str, closed_places)
    assert caught.value.summary == (
        f"{first}, {second} and {third} cannot be reached: Connection refused",
        f"{mute} did not answer HELLO within 15 s",
    )
    assert len(caught.value.reasons) == 4
    assert "exit after one game" in caught.value.hint


async def test_only_a_refused_connection_hints_at_servers_for_one_game(virtual_time: MockClock) -> None:
    async with listen_on_loopback(silent) as mute:
        with pytest.raises(GreetingError) as caught:
            await greet_all([mute], QUICK)
    assert caught.value.hint == ""


async def test_pages_can_translate_why_a_server_cannot_be_reached(
    closed_places: list[Endpoint], virtual_time: MockClock
) -> None:
    with pytest.raises(ForfeitError) as caught:
        await greet(closed_places[0], QUICK)
    reason = VerdictPhrase.REFUSED_CONNECTION()
    assert phrase_of(caught.value.sentence) == phrase_of(VerdictPhrase.UNREACHABLE(reason=reason))


async def test_a_client_that_was_stopped_while_it_waited_tries_once_more(
    closed_places: list[Endpoint], mock_clock: MockClock
) -> None:
    attempts: list[OSError] = []

    async def reach() -> None:
        with pytest.raises(OSError, match="refused") as caught:
            await connect(closed_places[0], 5.0)
        attempts.append(caught.value)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(reach)
        # The first attempt is over when nothing has moved for so long.
        await trio.testing.wait_all_tasks_blocked(0.1)
        mock_clock.jump(1000)
    assert len(attempts) == 1


async def test_a_server_that_starts_late_is_reached(
    closed_places: list[Endpoint], virtual_time: MockClock
) -> None:
    late = closed_places[0]
    greeted: list[LanPlayer] = []

    async def start_late(task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        await trio.serve_tcp(says(b"IAM late:server\n"), late.port, host=late.host)

    async with trio.open_nursery() as nursery, listen_on_loopback(says(b"IAM early:server\n")) as early:

        async def greet() -> None:
            greeted.extend(await greet_all([early, late], Greeting(connect_time=10)))
            for player in greeted:
                await player.leave()
            nursery.cancel_scope.cancel()

        nursery.start_soon(greet)
        await trio.sleep(0.1)
        nursery.start_soon(start_late)
    assert [player.name for player in greeted] == ["early:server", "late:server"]
