"""The lobby of a Clobber tournament: handshakes, and the clients present when it begins."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from contextlib import ExitStack

import trio
from attrs import frozen
from trio.abc import Stream

from quoridor_net.net import deadlines
from quoridor_net.net.errors import first_error
from quoridor_net.net.places import MAX_WAITING, Strangers
from quoridor_net.net.sockets import address_of
from quoridor_net.outcome import ForfeitError
from quoridor_net.output import ignore
from quoridor_net.players.olympiad import OlympiadPlayer
from quoridor_net.protocols.common.transcript import OpenTranscript, Transcript, no_transcript
from quoridor_net.text import normal

from .tournament import Terms

#: Timeout for the handshake of a client, in seconds.
HELLO_TIME = 10.0

#: Maximum number of entrants of a tournament; they play tens of thousands of games.
MAX_ENTRANTS = 200


@frozen(eq=False)
class _Stranger:
    """A connection whose client is not admitted yet; turning it away cancels ``scope``."""

    address: str
    scope: trio.CancelScope
    report: Callable[[], None]
    is_idle: bool = False

    def turn_away(self, _sentence: str) -> None:
        """End the connection."""
        self.scope.cancel()
        self.report()


class Lobby:
    """Admits clients until it is closed.

    Args:
        terms: the terms of the games.
        places: number of entrants to wait for in a new tournament; None for any number.
        expected: unique names of the entrants to wait for in a resumed tournament; a client takes the first
            free place of its name. None in a new tournament, which any client may enter.
        report: called with lines for the person at the server.
        open_transcript: opens the transcript of each connection.

    Attributes:
        places: number of entrants to wait for; None for any number.
        present: connected clients by place, from 0. In a new tournament places follow the order of arrival.
    """

    def __init__(
        self,
        terms: Terms,
        places: int | None = None,
        expected: Sequence[str] | None = None,
        *,
        report: Callable[[str], None] = ignore,
        open_transcript: OpenTranscript = no_transcript,
    ) -> None:
        self.present: dict[int, OlympiadPlayer] = {}
        self.places = places if expected is None else len(expected)
        self._terms = terms
        self._report = report
        self._open_transcript = open_transcript
        self._expected = expected
        self._connections = itertools.count(1)
        self._strangers = Strangers()
        self._is_crowded = False
        self._is_closed = False
        self._full = trio.Event()

    async def wait_until_full(self) -> None:
        """Wait until all places are taken; for ever if their number is open."""
        await self._full.wait()

    def close(self) -> list[OlympiadPlayer | None]:
        """Stop admitting clients; return the entrants by place, with None for missing ones."""
        self._is_closed = True
        if self._expected is None:
            return [self.present[place] for place in sorted(self.present)]
        return [self.present.get(place) for place in range(len(self._expected))]

    async def leave(self) -> None:
        """Close all connections, which tells the clients that the tournament is over (step 2)."""
        async with trio.open_nursery() as nursery:
            for player in self.present.values():
                nursery.start_soon(player.close)

    async def serve_connection(self, stream: Stream, address: str | None = None) -> None:
        """Greet one client and listen to it through the whole tournament, until it is gone.

        Args:
            stream: the connection, which this closes.
            address: address of the client, for a fair share of the room; by default that of the socket.
        """
        number = next(self._connections)
        address = address_of(stream) if address is None else address
        with ExitStack() as stack:
            try:
                transcript = stack.enter_context(self._open_transcript(number))
                admitted = await self._greet(stream, number, address, transcript)
            except Exception as error:
                # The client has no opponent yet, so the tournament can continue without it.
                cause = first_error(error)
                self._report(f"connection {number} was closed after an internal error: {cause!r}")
                return
            if admitted is not None:
                await self._listen(*admitted)

    async def _greet(
        self, stream: Stream, number: int, address: str, transcript: Transcript | None
    ) -> tuple[int, OlympiadPlayer] | None:
        """Greet one client and return its place and the client; None if it gets no place."""
        player = OlympiadPlayer(
            stream,
            number,
            move_time=self._terms.move_time,
            rows_first=self._terms.rows_first,
            transcript=transcript,
            report=self._report,
        )
        place = None
        scope = trio.CancelScope()
        stranger = _Stranger(address, scope, self._report_crowd)
        self._strangers.enter(stranger)
        try:
            with scope:
                place = await self._place_of(player, number)
                if place is None:
                    await player.refuse()
        finally:
            self._strangers.leave(stranger)
            if place is None:
                await player.close()
        return None if place is None else (place, player)

    async def _listen(self, place: int, player: OlympiadPlayer) -> None:
        """Admit a client to its place and listen to it until it is gone."""
        self._admit(place, player)
        await player.listen()
        assert player.gone is not None, "listening ends only when the client is gone"
        self._report(f"{player.name} is gone: it {player.gone.sentence}")
        if not self._is_closed:
            del self.present[place]

    def _report_crowd(self) -> None:
        # Reported once, so that a flood does not fill the screen.
        if not self._is_crowded:
            self._is_crowded = True
            crowd = f"more than {MAX_WAITING} connections without a handshake"
            self._report(f"{crowd}: closing the oldest from the busiest address")

    async def _place_of(self, player: OlympiadPlayer, number: int) -> int | None:
        """Receive the handshake and return the client's place; None if it gets none."""
        try:
            with deadlines.fail_after(HELLO_TIME):
                await player.greet()
        except trio.TooSlowError:
            self._report(f"connection {number} was closed: no handshake within {HELLO_TIME:g} s")
            return None
        except ForfeitError as fault:
            line = f": '{fault.line}'" if fault.line else ""
            self._report(f"connection {number} was closed: the client {fault.sentence}{line}")
            return None
        place = self._place_for(player.name)
        if isinstance(place, int):
            return place
        self._report(f"{player.name} was refused: {place}")
        return None

    def _admit(self, place: int, player: OlympiadPlayer) -> None:
        self.present[place] = player
        of = "" if self.places is None else f" of {self.places}"
        self._report(f"{player.name} has joined, {len(self.present)}{of}")
        if self.places is not None and len(self.present) >= self.places:
            # Closed at once, before another client can be admitted or this one can leave.
            self._is_closed = True
            self._full.set()

    def _place_for(self, name: str) -> int | str:
        """Return the place of a client of that name, or the reason to refuse it."""
        if self._is_closed:
            return "the tournament has begun"
        if self._expected is None:
            if len(self.present) >= MAX_ENTRANTS:
                return f"the tournament already has {MAX_ENTRANTS} entrants, the maximum"
            return max(self.present, default=-1) + 1
        for place, entrant in enumerate(map(normal, self._expected)):
            # Equal names were made unique: name#2.
            shared, _, number = entrant.rpartition("#")
            is_theirs = entrant == name or (shared == name and number.isdigit())
            if place not in self.present and is_theirs:
                return place
        return "the resumed tournament has no free place of that name"
