"""Reaching and greeting all move servers before a game."""

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

#: Seconds between two attempts to connect.
RETRY = 0.2

#: Seconds after which people are told for whom they wait.
WAIT = 0.5

#: Seconds that the first attempt has at least.
ATTEMPT = 1.0


@frozen
class Greeting:
    """How servers are reached and greeted.

    Attributes:
        connect_time: seconds for which connecting is tried again and again.
        hello_time: seconds a server has to answer HELLO with IAM.
        gap: least seconds between two messages to a server that said nothing in between.
        networks: where servers may be.
    """

    connect_time: float = 10.0
    hello_time: float = 10.0
    gap: float = 0.0
    networks: Networks = EVERYBODY


class GreetingError(Exception):
    """At least one server could not be reached or did not give its name.

    Args:
        failures: each such server, and what it did, without a subject.
        hint: a whole sentence about what usually causes this; empty when nothing is known.
    """

    def __init__(self, failures: Sequence[tuple[Endpoint, Translatable]], hint: str = "") -> None:
        self.failures = tuple(failures)
        #: One sentence for each such server, without a full stop.
        self.reasons = tuple(f"{endpoint} {did}" for endpoint, did in failures)
        super().__init__("; ".join(self.reasons))
        alike: dict[str, list[str]] = {}
        for endpoint, did in failures:
            alike.setdefault(did, []).append(str(endpoint))
        #: The same with one sentence for all servers that did the same.
        self.summary = tuple(f"{join_words(endpoints)} {did}" for did, endpoints in alike.items())
        self.hint = hint


def join_words(words: Sequence[str]) -> str:
    """Return ``words``, at least one, as people list them: ``a``, ``a and b``, ``a, b and c``."""
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
        transcript: where all lines are noted.
        report: gets a sentence that names the servers that keep the others waiting.

    Returns:
        The players, in the same order; the caller lets them leave.

    Raises:
        GreetingError: some server failed; the others were left without a game.
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
        # The last of them may have come in this very moment.
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
            told = [(endpoints[number - 1], failures[number]) for number in sorted(failures)]
            # Said once, however many refused: four of five programs of that class that were tried do so.
            raise GreetingError(told, VerdictPhrase.ONE_GAME() if is_refused else "")
    except BaseException:
        with trio.CancelScope(shield=True):
            async with trio.open_nursery() as nursery:
                for player in players.values():
                    nursery.start_soon(player.leave)
        raise
    return [players[number] for number in sorted(players)]


async def greet(
    endpoint: Endpoint, greeting: Greeting, number: int = 1, transcript: Transcript | None = None
) -> LanPlayer:
    """Connect to one server and exchange HELLO and IAM with it.

    Args:
        endpoint: where it listens.
        greeting: time limits.
        number: its player number, for the transcript.
        transcript: where all lines are noted.

    Returns:
        The player; the caller lets it leave.

    Raises:
        ForfeitError: it cannot be reached, which is the cause then, or does not give its name.
        OSError: this machine has no descriptors or memory for a connection.
    """
    try:
        stream = await connect(endpoint, greeting.connect_time, greeting.networks)
    except OSError as error:
        if lack_of(error) is not None:
            # This machine has no room for a connection, which is not the server's fault.
            raise
        sentence = VerdictPhrase.UNREACHABLE(reason=reason_of(error))
        raise ForfeitError(Termination.DISCONNECTED, sentence) from error
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
    """Return a connection to ``endpoint``, tried until it succeeds or the time is up.

    Raises:
        OSError: the last attempt failed; or the name is unknown or the machine not in ``networks``, which is
            not tried again.
    """
    deadline = trio.current_time() + connect_time
    # The first attempt is made however little time there is for more.
    attempt_time = max(connect_time, ATTEMPT)
    last_error: OSError | None = None
    while True:
        try:
            stream = await sockets.connect(endpoint.host, endpoint.port, attempt_time)
        except TimeoutError as error:
            # Why an earlier attempt failed says more.
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
        # Nothing is left of the time when this process was stopped meanwhile.
        attempt_time = max(deadline - trio.current_time(), RETRY)
