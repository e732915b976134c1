"""Two people who play each other in the browser: the invitation, and the offers between them."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import trio

from quoridor_net.events import Event, GameEnded, GameStarted, MoveMade, MovesTakenBack
from quoridor_net.players import DrawAgreedError, TakeBackError
from quoridor_net.web.live import encode
from quoridor_net.web.refusals import RefusalPhrase, RefusedError
from quoridor_net.web.seat import TOKEN_BYTES, Seat, WebPlayer

#: The subjects of offers.
TAKEBACK, DRAW, REMATCH = SUBJECTS = ("takeback", "draw", "rematch")

#: Shortest and longest key of a browser that accepts an invitation, in characters.
LEAST_KEY, MOST_KEY = 16, 64


class PairedPlayer(WebPlayer):
    """A person who plays another person, without hints; moves are taken back only by agreement."""

    gives_hints = False


class Pair:
    """Two people who play one game after another at one board. It listens to the events of their games.

    The host has a seat from the start. The guest gets the other one with an invitation.

    Args:
        board: number of the board.
        rematch: starts another game, with sides swapped.
    """

    def __init__(self, board: int, rematch: Callable[[], None]) -> None:
        self.host = Seat(board, pair=self)
        self.guest = Seat(board, pair=self)
        #: Set when the guest has accepted the invitation.
        self.accepted = trio.Event()
        self._rematch = rematch
        self._invitation = f"{board}-{secrets.token_urlsafe(TOKEN_BYTES)}"
        # The secret of the browser that accepted the invitation.
        self._key: str | None = None
        # The browsers at each seat.
        self._present = {self.host: 0, self.guest: 0}
        # The seat that makes each open offer, and the offers declined since the last move.
        self._offers: dict[str, Seat] = {}
        self._declined: set[tuple[str, Seat]] = set()
        # The positions of the game so far, as lines.
        self._lines: list[str] = []
        self._is_over = False
        self._news = trio.Event()

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """Both seats, the host's first."""
        return self.host, self.guest

    @property
    def invitation(self) -> str:
        """The part of the invitation's link after ``#/join/``."""
        return self._invitation

    def accept_invitation(self, invitation: str, key: str) -> Seat | None:
        """Return the guest's seat; None if another browser has it.

        Args:
            invitation: the invitation.
            key: a secret of the browser. With it, a browser that lost the answer can accept again.

        Raises:
            RefusedError: the invitation is not valid.
        """
        if not _is_same(invitation, self._invitation):
            raise RefusedError("no_seat", RefusalPhrase.NO_INVITATION())
        if self._key is None:
            self._key = key
            self.accepted.set()
            self._tell()
        return self.guest if _is_same(key, self._key) else None

    def offer(self, seat: Seat, subject: str) -> None:
        """Offer something, or accept it if the other person offers the same.

        Raises:
            RefusedError: it cannot be offered now.
        """
        if subject not in SUBJECTS:
            raise RefusedError("malformed", RefusalPhrase.NO_SUCH_OFFER())
        by = self._offers.get(subject)
        if by is not None and by is not seat:
            self.accept(seat, subject)
            return
        self._check(seat, subject)
        if (subject, seat) in self._declined:
            raise RefusedError("not_possible", RefusalPhrase.DECLINED())
        self._offers[subject] = seat
        self._tell()

    def accept(self, seat: Seat, subject: str) -> None:
        """Accept an offer of the other person.

        Raises:
            RefusedError: there is no such offer, or it is not possible any more.
        """
        by = self._offers.get(subject)
        if by is None or by is seat:
            raise RefusedError("not_possible", RefusalPhrase.NO_OFFER())
        del self._offers[subject]
        self._tell()
        self._check(by, subject)
        if subject == REMATCH:
            self._rematch()
            return
        asked = next((player for player in self._players if player.is_asked), None)
        if asked is None:
            raise RefusedError("stale", RefusalPhrase.STALE())
        asked.agree(DrawAgreedError() if subject == DRAW else TakeBackError(_player_of(by).number))

    def decline(self, seat: Seat, subject: str) -> None:
        """Decline an offer, or withdraw one's own.

        Raises:
            RefusedError: there is no such offer.
        """
        by = self._offers.pop(subject, None)
        if by is None:
            raise RefusedError("not_possible", RefusalPhrase.NO_OFFER())
        if by is not seat:
            self._declined.add((subject, by))
        self._tell()

    @contextmanager
    def presence(self, seat: Seat) -> Iterator[None]:
        """Count a browser at ``seat`` while the block lasts."""
        self._present[seat] += 1
        self._tell()
        try:
            yield
        finally:
            self._present[seat] -= 1
            self._tell()

    async def follow(self, seat: Seat, send: Callable[[str], Awaitable[None]]) -> None:
        """Send the state for ``seat``, then each new one, until cancelled."""
        told: Mapping[str, Any] | None = None
        while True:
            news, state = self._news, self._state(seat)
            if state != told:
                told = state
                await send(encode({"pair": state}))
            await news.wait()

    def __call__(self, event: Event) -> None:
        """Note an event of the game. Offers belong to a position, so a move ends them."""
        match event:
            case GameStarted(position=position):
                self._lines, self._is_over = [position.to_line()], False
            case MoveMade(position=position):
                self._lines.append(position.to_line())
            case MovesTakenBack(plies=plies):
                del self._lines[-plies:]
            case GameEnded():
                self._is_over = True
            case _:
                return
        self._offers.clear()
        self._declined.clear()
        self._tell()

    @property
    def _players(self) -> list[WebPlayer]:
        return [seat.player for seat in self.seats if seat.player is not None]

    @property
    def _can_draw(self) -> bool:
        """Whether the position has occurred before."""
        return not self._is_over and bool(self._lines) and self._lines.count(self._lines[-1]) > 1

    def _check(self, by: Seat, subject: str) -> None:
        """Check that ``by`` can offer ``subject`` now.

        Raises:
            RefusedError: it cannot.
        """
        if subject == REMATCH:
            if not self._is_over:
                raise RefusedError("not_possible", RefusalPhrase.NO_REMATCH())
            return
        if self._is_over:
            raise RefusedError("game_over", RefusalPhrase.NO_GAME_NOW())
        player = _player_of(by)
        if subject == TAKEBACK and not player.has_moved:
            raise RefusedError("not_possible", RefusalPhrase.NOTHING_TO_TAKE_BACK())
        if subject == DRAW and not self._can_draw:
            raise RefusedError("not_possible", RefusalPhrase.NO_DRAW())

    def _state(self, seat: Seat) -> Mapping[str, Any]:
        other = self.guest if seat is self.host else self.host
        return {
            "invitation": None if self.accepted.is_set() else self._invitation,
            "is_here": self._present[other] > 0,
            "offers": {subject: by is seat for subject, by in self._offers.items()},
            "declined": [subject for subject in SUBJECTS if (subject, seat) in self._declined],
            "can_draw": self._can_draw,
        }

    def _tell(self) -> None:
        self._news.set()
        self._news = trio.Event()


def _player_of(seat: Seat) -> WebPlayer:
    if seat.player is None:
        raise RefusedError("game_over", RefusalPhrase.NO_GAME_NOW())
    return seat.player


def _is_same(first: str, second: str) -> bool:
    """Compare two secrets in constant time. JSON can contain lone surrogates."""
    return secrets.compare_digest(*(text.encode("utf-8", "surrogatepass") for text in (first, second)))
