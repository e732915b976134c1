"""The lobby of a league: which entrants may start a game, and when to try those that are away again."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping

import trio
from attrs import frozen

from quoridor_net.outcome import Result, Termination
from quoridor_net.text import UnparsableError, quote
from quoridor_net.tournament.formats.league import PATIENCE
from quoridor_net.tournament.schedule import Pairing

#: Seconds until an entrant that is away is tried again: at first and at most; each pause is twice the last.
FIRST_PAUSE = 15.0
LONGEST_PAUSE = 600.0

#: An entrant rests after losing this number of games in a row by faults of its own.
FAULTS = 3

#: Seconds between two looks at entrants that wait for better opponents.
_LOOK = 10.0
_MOMENT = 0.001

_HOUR, _DAY = 3600.0, 86400.0


@frozen
class QuietHours:
    """Hours of the day, in local time, without new games. They may include midnight."""

    start: dt.time
    end: dt.time

    @classmethod
    def parse(cls, text: str) -> QuietHours:
        """Parse ``22:00-06:00``.

        Raises:
            UnparsableError: it has another form.
        """
        try:
            start, end = (dt.datetime.strptime(part, "%H:%M").time() for part in text.split("-"))
        except ValueError:
            start = end = dt.time()
        if start == end:
            raise UnparsableError(f"expected two different times such as 22:00-06:00, not {quote(text)}")
        return cls(start, end)

    def __str__(self) -> str:
        return f"{self.start:%H:%M}-{self.end:%H:%M}"

    def include(self, moment: dt.datetime) -> bool:
        """Return whether a moment in local time is quiet."""
        time = moment.time()
        if self.start < self.end:
            return self.start <= time < self.end
        return time >= self.start or time < self.end

    def count_seconds_left(self, moment: dt.datetime) -> float:
        """Return the seconds from a quiet moment in local time until the end of the hours, at least 1."""
        end = moment.replace(hour=self.end.hour, minute=self.end.minute, second=0, microsecond=0)
        left = (end - moment).total_seconds()
        return max(1.0, left if left > 0 else left + _DAY)


def _local_time() -> dt.datetime:
    return dt.datetime.now().astimezone()


def _double(times: int) -> float:
    """Return the first pause, doubled this number of times, but at most the longest one."""
    # No power that a float cannot hold.
    return min(FIRST_PAUSE * 2.0 ** min(times, 10), LONGEST_PAUSE)


class Lobby:
    """The entrants of a league between their games.

    Args:
        call: tries an entrant that is away, by number, and returns whether it answers.
        find_fixed: returns the ratings of the reference entrants, in Elo, by number.
        rate: maximum number of games per hour of an entrant, unless it is a reference; None for no limit.
        quiet: hours without games; None for none.
        now: returns the local time.
    """

    def __init__(
        self,
        call: Callable[[int], Awaitable[bool]],
        find_fixed: Callable[[], Mapping[int, float]] = dict,
        rate: float | None = None,
        quiet: QuietHours | None = None,
        now: Callable[[], dt.datetime] = _local_time,
    ) -> None:
        self._call = call
        self._find_fixed = find_fixed
        self._pause = 0.0 if rate is None else _HOUR / rate
        self._quiet = quiet
        self._now = now
        # The time when each entrant began to wait, and the time when its rate allows another game.
        self._since: dict[int, float] = {}
        self._allowed: dict[int, float] = {}
        # Number of games that each entrant has lost in a row by its own faults.
        self._faults: Counter[int] = Counter()
        # What ends the pauses of entrants that are away.
        self._calling: dict[int, trio.Event] = {}
        # Number of void games in a row, and the time until which no game starts because of them.
        self._voids = 0
        self._resumes = -math.inf

    @property
    def fixed(self) -> Mapping[int, float]:
        """The ratings of the reference entrants, in Elo, by number."""
        return self._find_fixed()

    @property
    def is_quiet(self) -> bool:
        """Whether no game may start now."""
        is_paused = trio.current_time() < self._resumes
        return is_paused or (self._quiet is not None and self._quiet.include(self._now()))

    def find_free(self, present: Collection[int]) -> Iterator[tuple[int, float]]:
        """Yield the entrants that rate and hour allow to play, with the seconds that each has waited."""
        if self.is_quiet:
            return
        now, fixed = trio.current_time(), self.fixed
        for entrant in present:
            if entrant in fixed or now >= self._allowed.get(entrant, now):
                yield entrant, now - self._since.setdefault(entrant, now)

    def note(self, entrants: Collection[int], *, has_begun: bool) -> None:
        """Record that a game of these entrants begins or is over."""
        now = trio.current_time()
        for entrant in entrants:
            self._since[entrant] = now
            if has_begun:
                self._allowed[entrant] = max(now, self._allowed.get(entrant, now)) + self._pause

    def find_rests(self, pairing: Pairing, result: Result) -> dict[int, tuple[int, float]]:
        """Record a result; return the entrants that are to rest, with the number of faults and the seconds.

        A win by a fault of the opponent says nothing about the winner.
        """
        if result.is_void:
            return {}
        self._voids = 0
        # An entrant that resigns has played by the rules.
        if not result.termination.is_fault or result.termination is Termination.RESIGNED:
            for entrant in pairing.seats:
                self._faults.pop(entrant, None)
            return {}
        faulty = [entrant for seat, entrant in enumerate(pairing.seats, 1) if seat != result.winner]
        self._faults.update(faulty)
        rests = {}
        for entrant in faulty:
            count = self._faults[entrant]
            if count >= FAULTS:
                rests[entrant] = count, _double(count - FAULTS)
        return rests

    def pause(self) -> None:
        """Record that this machine could not play a game: no game starts for a while."""
        now = trio.current_time()
        if now >= self._resumes:
            self._resumes = now + _double(self._voids)
            self._voids += 1

    def call_soon(self, entrant: int) -> None:
        """Forget the faults of an entrant, and try it now if it is away, because its program is another."""
        self._faults.pop(entrant, None)
        if entrant in self._calling:
            self._calling[entrant].set()

    def find_next_change(self, present: Collection[int]) -> float:
        """Return the time, on trio's clock, at which others of these entrants become free or may meet."""
        now = trio.current_time()
        if now < self._resumes:
            return self._resumes
        if self._quiet is not None and self.is_quiet:
            return now + self._quiet.count_seconds_left(self._now())
        moments = [self._allowed.get(entrant, now) for entrant in present]
        # Reference entrants do not wait.
        for entrant in set(present) - self.fixed.keys():
            waited = now - self._since.get(entrant, now)
            if waited < PATIENCE:
                # A moment later, because sums of times are rounded.
                moments.append(now - waited + _LOOK * ((waited + _MOMENT) // _LOOK + 1) + _MOMENT)
        return min((moment for moment in moments if moment > now), default=math.inf)

    async def wait_for(self, entrant: int, pause: float = FIRST_PAUSE) -> None:
        """Try an entrant that is away again and again, first after ``pause``, and return once it answers."""
        while True:
            called = self._calling[entrant] = trio.Event()
            with trio.move_on_after(pause):
                await called.wait()
            if await self._call(entrant):
                return
            pause = min(max(2 * pause, FIRST_PAUSE), LONGEST_PAUSE)
