"""Connect to all move servers and greet them before a game."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable, Sequence

import trio
from attrs import frozen

from quoridor_net.net import deadlines, sockets
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.net.networks import EVERYBODY, Networks
from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.phrases import Translatable
from quoridor_net.players.lan import LanPlayer
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.shortage import lack_of
from quoridor_net.verdicts import VerdictPhrase, reason_of

#: Delay between attempts to connect, in seconds.
RETRY = 0.2

#: Delay before the user is told which servers are missing, in seconds.
WAIT = 0.5

#: Minimum timeout of the first attempt, in seconds.
ATTEMPT = 1.0


@frozen
class Greeting:
    """Settings for connecting to servers and greeting them.

    Attributes:
        connect_time: how long to retry connecting, in seconds.
        hello_time: time limit for the answer to HELLO, in seconds.
        gap: minimum delay between messages to a server that has sent nothing in between, in seconds.
        networks: the networks in which servers are allowed.
    """

    connect_time: float = 10.0
    hello_time: float = 10.0
    gap: float = 0.0
    networks: Networks = EVERYBODY


class GreetingError(Exception):
    """At least one server could not be reached or did not give its name.

    Args:
        failures: each such server and its fault, a clause without a subject.
        hint: a whole sentence about the usual cause; empty if unknown.
    """

    def __init__(self, failures: Sequence[tuple[Endpoint, Translatable]], hint: str = "") -> None:
        self.failures = tuple(failures)
        #: One sentence for each server, without a full stop.
        self.reasons = tuple(f"{endpoint} {did}" for endpoint, did in failures)
        super().__init__("; ".join(self.reasons))
        alike: dict[str, list[str]] = {}
        for endpoint, did in failures:
            alike.setdefault(did, []).append(str(endpoint))
        #: The same, with one sentence for all servers with the same fault.
        self.summary = tuple(f"{join_words(endpoints)} {did}" for did, endpoints in alike.items())
        self.hint = hint


def join_words(words: Sequence[str]) -> str:
    """Join ``words``, at least one, for people: ``a``, ``a and b``, ``a, b and c``."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


async def greet_all(
    endpoints: Sequence[Endpoint],
    greeting: Greeting,
    transcript: Transcript | None = None,
    report: Callable[[str], None] = lambda _sentence: None,
) -> list[LanPlayer]:
    """Connect to all servers at once and exchange HELLO and IAM with each.

    Args:
        endpoints: by player number, from player 1.
        greeting: time limits.
        transcript: records all lines.
        report: gets a sentence that names the missing servers.

    Returns:
        The players, in the same order; the caller must call ``leave`` on each.

    Raises:
        GreetingError: at least one server failed; the connections to the others are closed.
    """
    players: dict[int, LanPlayer] = {}
    failures: dict[int, Translatable] = {}
    is_refused = False

    async def greet_one(number: int, endpoint: Endpoint) -> None:
        nonlocal is_refused
        try:
            players[number] = await greet(endpoint, greeting, number, transcript)
        except ForfeitError as fault:
            did = fault.sentence
            failures[number] = VerdictPhrase.WITH_LINE(did=did, line=fault.line) if fault.line else did
            cause = fault.__cause__
            is_refused |= isinstance(cause, OSError) and cause.errno == errno.ECONNREFUSED
        except OSError as error:
            failures[number] = VerdictPhrase.UNREACHABLE(reason=reason_of(error))

    async def name_the_missing() -> None:
        await trio.sleep(WAIT)
        settled = players.keys() | failures.keys()
        missing = [str(endpoint) for number, endpoint in enumerate(endpoints, 1) if number not in settled]
        # The last server may have answered just now.
        if missing:
            report(f"Waiting for {join_words(missing)}.")

    try:
        async with trio.open_nursery() as waiting:
            waiting.start_soon(name_the_missing)
            async with trio.open_nursery() as nursery:
                for number, endpoint in enumerate(endpoints, 1):
                    nursery.start_soon(greet_one, number, endpoint)
            waiting.cancel_scope.cancel()
        if failures:
            in_order = [(endpoints[number - 1], failures[number]) for number in sorted(failures)]
            # One hint for all servers that refused: four of five tried programs exit after one game.
            raise GreetingError(in_order, VerdictPhrase.ONE_GAME() if is_refused else "")
    except BaseException:
        async with trio.open_nursery() as nursery:
            nursery.cancel_scope.shield = True
            for player in players.values():
                nursery.start_soon(player.leave)
        raise
    return [players[number] for number in sorted(players)]


async def greet(
    endpoint: Endpoint, greeting: Greeting, number: int = 1, transcript: Transcript | None = None
) -> LanPlayer:
    """Connect to one server and exchange HELLO and IAM with it.

    Args:
        endpoint: the server's address.
        greeting: time limits.
        number: its player number, for the transcript.
        transcript: records all lines.

    Returns:
        The player; the caller must call ``leave``.

    Raises:
        ForfeitError: the server does not give its name, or cannot be reached; the OSError is then the cause.
        OSError: this machine has no descriptors or memory for a connection.
    """
    try:
        stream = await connect(endpoint, greeting.connect_time, greeting.networks)
    except OSError as error:
        if lack_of(error) is not None:
            # A shortage on this machine is not the server's fault.
            raise
        sentence = VerdictPhrase.UNREACHABLE(reason=reason_of(error))
        raise ForfeitError(Termination.DISCONNECTED, sentence) from error
    return await greet_on(stream, greeting, number, transcript)


async def greet_on(
    stream: trio.SocketStream, greeting: Greeting, number: int = 1, transcript: Transcript | None = None
) -> LanPlayer:
    """Exchange HELLO and IAM with a server on a new connection; arguments and result as for :func:`greet`.

    Raises:
        ForfeitError: the server does not give its name; the connection is closed.
    """
    player = LanPlayer(stream, number, greeting.gap, transcript)
    try:
        with deadlines.fail_after(greeting.hello_time):
            await player.greet()
    except BaseException as error:
        with trio.CancelScope(shield=True):
            await player.leave()
        if isinstance(error, trio.TooSlowError):
            sentence = VerdictPhrase.NO_HELLO(seconds=greeting.hello_time)
            raise ForfeitError(Termination.TOO_SLOW, sentence) from None
        if isinstance(error, ForfeitError):
            sentence = VerdictPhrase.NO_NAME(did=error.sentence)
            raise ForfeitError(error.termination, sentence, error.line, error.hint) from None
        raise
    return player


async def connect(
    endpoint: Endpoint, connect_time: float, networks: Networks = EVERYBODY
) -> trio.SocketStream:
    """Return a connection to ``endpoint``, retrying for ``connect_time`` seconds.

    Raises:
        OSError: the last attempt failed. An unknown name and an address outside ``networks`` fail at once.
    """
    deadline = trio.current_time() + connect_time
    # There is always a first attempt.
    attempt_time = max(connect_time, ATTEMPT)
    last_error: OSError | None = None
    while True:
        try:
            stream = await sockets.connect(endpoint.host, endpoint.port, attempt_time)
        except TimeoutError as error:
            # The reason for an earlier failure is more specific.
            last_error = last_error or error
        except socket.gaierror as error:
            if error.errno == socket.EAI_NONAME:
                raise OSError(None, VerdictPhrase.UNKNOWN_HOST()) from None
            last_error = error
        except OSError as error:
            last_error = error
        else:
            address = sockets.address_of(stream)
            if networks.admit(address):
                return stream
            await trio.aclose_forcefully(stream)
            if address:
                raise OSError(None, VerdictPhrase.OTHER_NETWORK(address=address, networks=str(networks)))
            raise OSError(None, VerdictPhrase.UNKNOWN_ADDRESS(networks=str(networks)))
        if trio.current_time() + RETRY >= deadline:
            raise last_error
        await trio.sleep(RETRY)
        # No time may be left if this process was stopped meanwhile.
        attempt_time = max(deadline - trio.current_time(), RETRY)
