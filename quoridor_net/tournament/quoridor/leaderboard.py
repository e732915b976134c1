"""The leaderboard of a league, and the record of each entrant, read from the tables of the journal.

Only the games that ratings rest on are read one by one, so that time and memory hardly grow with the league.
"""

from __future__ import annotations

import datetime as dt
import enum
import json
import math
import sqlite3
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Self

from attrs import field, frozen

from quoridor_net.outcome import Termination
from quoridor_net.players.ladder import extrapolate_level
from quoridor_net.players.spec import parse_spec
from quoridor_net.tournament.columns import INTERVAL_PARTS, interval
from quoridor_net.tournament.formats.league import NEWCOMER
from quoridor_net.tournament.journal.errors import JournalError
from quoridor_net.tournament.journal.reading import explain_errors, open_to_read
from quoridor_net.tournament.quoridor.plan import RULES, LeagueTerms, Plan
from quoridor_net.tournament.quoridor.references import find_references
from quoridor_net.tournament.ratings import Ratings, Scale, rate_on_scale
from quoridor_net.tournament.standings import EloDifference

Document = dict[str, Any]

#: Time before now whose places the movement on the leaderboard compares with, in hours.
MOVEMENT = 24

#: Maximum number of points of a rating over time, and of last games of an entrant.
POINTS = 30
LAST_GAMES = 50

#: Maximum number of ratings in the past that are kept.
KEPT = 200

#: Points of each entrant. Without a date, the table of games is not needed, which saves most of the time.
_TOTALS = """
SELECT entrant, sum(points = 1.0), sum(points = 0.5), sum(points = 0.0)
FROM seats NOT INDEXED WHERE points IS NOT NULL GROUP BY entrant
"""
_TOTALS_UNTIL = """
SELECT entrant, sum(points = 1.0), sum(points = 0.5), sum(points = 0.0)
FROM seats JOIN games ON number = game WHERE points IS NOT NULL AND ended_at <= ? GROUP BY entrant
"""

#: Games that an entrant lost in another way than at the goal. The join is crosswise so that games come first.
_LOST = """
SELECT entrant, termination, count(*) FROM games CROSS JOIN seats ON game = number
WHERE termination <> 'goal' AND points = 0.0 AND ended_at <= ? GROUP BY entrant, termination
"""

#: Games that are among the last ones of one of their entrants, each once. ``since`` has the first of these
#: for each entrant.
_WINDOW = """
WITH since AS (
    SELECT number AS entrant, coalesce((
        SELECT game FROM seats WHERE entrant = number AND points IS NOT NULL AND game <= :last {}
        ORDER BY game DESC LIMIT 1 OFFSET :window - 1
    ), 0) AS game
    FROM entrants
)
SELECT own.game, one.entrant, other.entrant, one.points, other.points
FROM since JOIN seats AS own ON own.entrant = since.entrant AND own.game BETWEEN since.game AND :last
JOIN seats AS one ON one.game = own.game AND one.seat = 1
JOIN seats AS other ON other.game = own.game AND other.seat = 2
WHERE one.points IS NOT NULL {}
AND (own.seat = 1 OR own.game < (SELECT game FROM since WHERE entrant = one.entrant))
"""
_ENDED = "AND (SELECT ended_at FROM games WHERE number = {game}) <= :until"

#: What ``Leaderboard.games`` tells of each game.
GAME_FACTS = (
    "number",
    "round",
    "started_at",
    "ended_at",
    "termination",
    "plies",
    "sentence",
    "seats",
    "points",
)

#: What ``Leaderboard.versions`` tells of each version.
VERSION_FACTS = ("name", "version", "time", "first_game", "elo")

#: The columns of the leaderboard in CSV, with the fields of ``Row.document`` except those for pages.
ROW_FACTS = (
    *("number", "name", "rank", "movement"),
    *(f"elo.{name}" for name in INTERVAL_PARTS),
    *("level.value", "level.error", "reference"),
    *("played", "won", "drawn", "lost", "forfeited", "rated"),
    *("version", "presence", "since", "reason"),
)

#: Later than any time in a journal.
ALWAYS = "9999"


_SEATS = (1, 2)


class Presence(enum.StrEnum):
    """Whether an entrant answers. JSON contains the values."""

    HERE = "here"
    AWAY = "away"
    LEFT = "left"


@frozen
class Row:
    """An entrant on the leaderboard.

    Attributes:
        entrant: its number, from 1.
        rank: its place among the entrants that have not left; None for those and for entrants without games.
        movement: places gained in the last day; None if it had none.
        elo: its rating, with a 95 % interval.
        level: the same on the scale of levels, continued beyond its ends, see
            ``quoridor_net.players.ladder``; None without references.
        is_reference: whether its rating is fixed.
        played: number of its games.
        forfeited: number of games lost by a fault.
        rated: number of games that its rating rests on: those in its own window or in that of its opponent.
        version: the name of its current version; empty for the first one.
        presence: whether it answers.
        since: when it went away or left, ISO 8601; None if it is here.
        reason: why it is away, as a clause without a subject; empty otherwise.
        phrase: the data to translate ``reason``; None without any.
        history: its rating in the past, oldest first; None where it had no games.
    """

    entrant: int
    name: str
    rank: int | None
    movement: int | None
    elo: EloDifference
    level: EloDifference | None
    is_reference: bool
    played: int
    won: int
    drawn: int
    lost: int
    forfeited: int
    rated: int
    version: str
    presence: Presence
    since: str | None
    reason: str
    phrase: Document | None
    history: Sequence[float | None] = ()

    def document(self) -> Document:
        """Return the row as a JSON object."""
        return {
            "number": self.entrant,
            "name": self.name,
            "rank": self.rank,
            "movement": self.movement,
            "elo": interval(self.elo),
            "level": None if self.level is None else {"value": self.level_value, "error": self.level_error},
            "reference": self.is_reference,
            "played": self.played,
            "won": self.won,
            "drawn": self.drawn,
            "lost": self.lost,
            "forfeited": self.forfeited,
            "rated": self.rated,
            "version": self.version,
            "presence": self.presence,
            "since": self.since,
            "reason": self.reason,
            "phrase": self.phrase,
            "history": list(self.history),
        }

    @property
    def level_value(self) -> float | None:
        """Its level with one decimal; None without one."""
        # Minus zero becomes zero.
        return None if self.level is None else round(self.level.value, 1) + 0.0

    @property
    def level_error(self) -> float | None:
        """Half the width of the interval of its level; None without one."""
        return None if self.level is None else round((self.level.high - self.level.low) / 2, 1)


@frozen
class _Entrant:
    number: int
    name: str
    address: str
    version: str = ""
    presence: Presence = Presence.HERE
    since: str | None = None
    reason: str = ""
    phrase: Document | None = None


@frozen
class _Version:
    entrant: int
    first_game: int
    name: str
    elo: float | None


@frozen
class Leaderboard:
    """The journal of a league, open for reading. Use :meth:`open`.

    Attributes:
        title: of the league; empty if it has none.
        terms: its terms.
    """

    _connection: sqlite3.Connection
    title: str
    terms: LeagueTerms
    _ratings: dict[str, Ratings] = field(factory=dict)

    @classmethod
    @contextmanager
    def open(cls, path: Path, past: dict[str, Ratings] | None = None) -> Iterator[Self]:
        """Open a journal, also while it is written; all reads see the same moment.

        Args:
            path: the journal.
            past: keeps ratings in the past from one call to the next, by time.

        Raises:
            JournalError: it cannot be read, or is not the journal of a league.
        """
        with explain_errors(path), closing(open_to_read(path)) as connection:
            connection.execute("BEGIN")
            row = connection.execute("SELECT rules, settings FROM tournaments").fetchone()
            if row is None:
                raise JournalError(f"{path} is damaged: it contains no tournament")
            if row[0] != RULES:
                raise JournalError(f"{path} is not the journal of a league")
            try:
                plan = Plan.of(json.loads(row[1]))
                for (address,) in connection.execute("SELECT address FROM entrants WHERE address <> ''"):
                    parse_spec(address)
            except ValueError as error:
                raise JournalError(f"{path} is damaged: {error}") from None
            if not plan.format.is_open_ended:
                raise JournalError(f"{path} is not the journal of a league")
            ratings = {} if past is None else past
            ratings.pop(ALWAYS, None)
            yield cls(connection, plan.title or "", plan.league, ratings)
            while len(ratings) > KEPT:
                del ratings[next(iter(ratings))]

    def read(self, until: str = ALWAYS, *, points: int = 0) -> list[Row]:
        """Return the leaderboard, best first; entrants that left come last.

        Args:
            until: last time that counts, ISO 8601 in UTC.
            points: number of points of each rating over time.
        """
        entrants = self._read_entrants(until)
        ratings = self._rate(until)
        fixed = find_references([each.address for each in entrants])
        totals = self._count(until)
        places = self._place(entrants, until)
        earlier = self._place(entrants, self._earlier(until))
        history = self._read_history(len(entrants), until, points)
        rows = []
        for each in entrants:
            rating = ratings.entrants[each.number - 1]
            held = fixed.get(each.number)
            elo = rating.elo if held is None else EloDifference(held, held, held)
            counts = totals[each.number]
            before, now = earlier.get(each.number), places.get(each.number)
            rows.append(
                Row(
                    each.number,
                    each.name,
                    now,
                    None if before is None or now is None else before - now,
                    elo,
                    _level_of(elo) if fixed else None,
                    each.number in fixed,
                    counts.total(),
                    counts["won"],
                    counts["drawn"],
                    counts["lost"] + counts["forfeited"],
                    counts["forfeited"],
                    rating.games,
                    each.version,
                    each.presence,
                    each.since,
                    each.reason,
                    each.phrase,
                    [None if old is None else old if held is None else held for old in history[each.number]],
                )
            )
        return sorted(
            rows, key=lambda row: (row.rank or math.inf, row.presence == Presence.LEFT, -row.played)
        )

    def rating(self, entrant: int) -> float | None:
        """Return the current rating of an entrant, in Elo; None without games of any version."""
        found = self._rate(ALWAYS).entrants[entrant - 1]
        # Without games, a version still has the rating that it started with.
        has_start = any(each.elo is not None for each in self._read_versions(ALWAYS)[entrant][-1:])
        return round(found.elo.value, 1) if found.games or has_start else None

    def describe(self, entrant: int) -> Document | None:
        """Return the record of an entrant; None if there is none with this number."""
        rows = {row.entrant: row for row in self.read(points=POINTS)}
        if entrant not in rows:
            return None
        names = {number: row.name for number, row in rows.items()}
        (address,) = self._connection.execute(
            "SELECT address FROM entrants WHERE number = ?", (entrant,)
        ).fetchone()
        versions = [
            {"version": version, "time": time, "first_game": first_game, "elo": elo}
            for version, time, first_game, elo in self._connection.execute(
                "SELECT version, time, first_game, elo FROM versions WHERE entrant = ? ORDER BY rowid",
                (entrant,),
            )
        ]
        return {
            "entrant": rows[entrant].document(),
            "times": self._choose_times(ALWAYS, POINTS),
            "versions": versions,
            "opponents": self._read_opponents(entrant, rows),
            "games": self._read_last_games(entrant, names),
            "losses": self._read_losses(entrant, names),
            "check": _write_check(address),
        }

    def names(self) -> list[str]:
        """Return the names of all entrants, by number."""
        return [name for (name,) in self._connection.execute("SELECT name FROM entrants ORDER BY number")]

    def games(self, until: str = ALWAYS) -> Iterator[Document]:
        """Yield the games with a result, by number."""
        query = (
            "SELECT games.number, round, started_at, ended_at, termination, plies, sentence, seat, name,"
            " points FROM games JOIN seats ON game = games.number JOIN entrants ON entrants.number = entrant"
            " WHERE termination IS NOT NULL AND ended_at <= ? ORDER BY games.number, seat"
        )
        told: Document = {}
        for *values, seat, name, points in self._connection.execute(query, (until,)):
            if seat == 1:
                told = dict(zip(GAME_FACTS, [*values, [], []], strict=True))
            told["seats"].append(name)
            told["points"].append(points)
            if seat == len(_SEATS):
                yield told

    def versions(self, until: str = ALWAYS) -> Iterator[tuple[Any, ...]]:
        """Yield the new versions of entrants in order; ``VERSION_FACTS`` names the values."""
        query = (
            "SELECT name, version, time, first_game, elo FROM versions"
            " JOIN entrants ON entrants.number = entrant WHERE time <= ? ORDER BY versions.rowid"
        )
        yield from self._connection.execute(query, (until,))

    def _earlier(self, until: str) -> str:
        """Return the time a day before ``until``, or before now."""
        now = dt.datetime.now(dt.UTC) if until == ALWAYS else dt.datetime.fromisoformat(until)
        return format_time(now - dt.timedelta(hours=MOVEMENT))

    def _read_entrants(self, until: str) -> list[_Entrant]:
        versions = dict(
            self._connection.execute(
                "SELECT entrant, version FROM versions WHERE time <= ? ORDER BY rowid", (until,)
            )
        )
        absences = {
            entrant: (away, sentence)
            for entrant, away, sentence in self._connection.execute(
                "SELECT entrant, away_at, sentence FROM absences"
                " WHERE away_at <= ? AND (back_at IS NULL OR back_at > ?) ORDER BY rowid",
                (until, until),
            )
        }
        found = []
        for number, name, address, left in self._connection.execute(
            "SELECT entrants.number, name, address, withdrawn_at FROM entrants"
            " LEFT JOIN rounds ON rounds.number = joined_round"
            " WHERE joined_round = 1 OR ? = ? OR paired_at <= ? ORDER BY entrants.number",
            (until, ALWAYS, until),
        ):
            presence, since, reason, phrase = Presence.HERE, None, "", None
            if left is not None and left <= until:
                presence, since = Presence.LEFT, left
            elif number in absences:
                since, reason = absences[number]
                presence = Presence.AWAY if reason else Presence.LEFT
                if reason:
                    phrase = self._read_event("entrant_away", since, entrant=number).get("phrase")
            version = versions.get(number, "")
            found.append(_Entrant(number, name, address, version, presence, since, reason, phrase))
        return found

    def _count(self, until: str) -> defaultdict[int, Counter[str]]:
        """Return the numbers of games of each entrant that it won, drew, lost and forfeited."""
        counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
        query = _TOTALS if until == ALWAYS else _TOTALS_UNTIL
        for entrant, *numbers in self._connection.execute(query, () if until == ALWAYS else (until,)):
            counts[entrant].update(dict(zip(("won", "drawn", "lost"), numbers, strict=True)))
        for entrant, termination, count in self._connection.execute(_LOST, (until,)):
            if Termination(termination).is_fault:
                counts[entrant]["forfeited"] += count
                counts[entrant]["lost"] -= count
        return counts

    def _place(self, entrants: Sequence[_Entrant], until: str) -> dict[int, int]:
        """Return the places of the entrants that have not left and have games."""
        ratings, versions = self._rate(until), self._read_versions(until)
        rated = [
            (-ratings.entrants[each.number - 1].elo.value, each.number)
            for each in entrants
            if each.presence != Presence.LEFT and each.number <= len(ratings.entrants)
            if ratings.entrants[each.number - 1].games or each.number in versions
        ]
        return {number: place for place, (_, number) in enumerate(sorted(rated), 1)}

    def _read_history(self, entrants: int, until: str, points: int) -> defaultdict[int, list[float | None]]:
        history: defaultdict[int, list[float | None]] = defaultdict(list)
        for time in self._choose_times(until, points):
            ratings = self._rate(time)
            for number in range(1, entrants + 1):
                rating = ratings.entrants[number - 1] if number <= len(ratings.entrants) else None
                is_known = rating is not None and rating.games > 0
                history[number].append(round(rating.elo.value) if rating is not None and is_known else None)
        return history

    def _choose_times(self, until: str, points: int) -> list[str]:
        """Return the times of the points of ratings over time: those of games at equal distances."""
        (last,) = self._connection.execute(
            "SELECT max(number) FROM games WHERE ended_at <= ?", (until,)
        ).fetchone()
        if not last or not points:
            return []
        # Numbers that stay the same while the league continues, so that earlier ratings can be kept.
        step = 1
        while last / step > points:
            step *= 2
        numbers = range(step, last + 1, step)
        times = []
        for number in numbers:
            (time,) = self._connection.execute(
                "SELECT max(ended_at) FROM games WHERE number BETWEEN ? AND ?", (number - step + 1, number)
            ).fetchone()
            if time is not None and time <= until:
                times.append(time)
        return sorted(times)

    def _rate(self, until: str) -> Ratings:
        """Return the ratings; old versions of entrants have numbers of their own behind all entrants."""
        if until not in self._ratings:
            self._ratings[until] = self._rate_now(until)
        return self._ratings[until]

    def _rate_now(self, until: str) -> Ratings:
        entrants = self._read_entrants(until)
        versions = self._read_versions(until)
        old: dict[tuple[int, int], int] = {}
        highest = max((each.number for each in entrants), default=0)

        def number_of(entrant: int, game: int) -> int:
            """Return the number of the version of an entrant that played a game."""
            if entrant not in versions:
                return entrant
            later = sum(version.first_game > game for version in versions[entrant])
            return old.setdefault((entrant, later), highest + 1 + len(old)) if later else entrant

        scores: Counter[tuple[int, int, float]] = Counter()
        for game, first, second, points, others in self._read_window(until):
            # Without points for either, both are at fault.
            if points or others:
                scores[number_of(first, game), number_of(second, game), points] += 1
        fixed = find_references([each.address for each in entrants])
        starts = {
            entrant: known[-1].elo
            for entrant, known in versions.items()
            if known[-1:] and entrant not in fixed
        }
        known_starts = {entrant: elo for entrant, elo in starts.items() if elo is not None}
        scale = Scale(fixed, known_starts, NEWCOMER if fixed else 0.0)
        return rate_on_scale(highest + len(old), scores, scale)

    def _read_versions(self, until: str) -> defaultdict[int, list[_Version]]:
        found: defaultdict[int, list[_Version]] = defaultdict(list)
        for row in self._connection.execute(
            "SELECT entrant, first_game, version, elo FROM versions WHERE time <= ? ORDER BY rowid", (until,)
        ):
            found[row[0]].append(_Version(*row))
        return found

    def _read_window(self, until: str) -> Iterator[tuple[int, int, int, float, float]]:
        """Yield the games that ratings rest on, with their entrants and the points of each."""
        # Most games end about in order, so that the search for the last one and the window read few games.
        last = self._connection.execute(
            "SELECT number FROM games WHERE ended_at <= ? ORDER BY number DESC LIMIT 1", (until,)
        ).fetchone()
        if last is None:
            return
        ended = ["" if until == ALWAYS else _ENDED.format(game=game) for game in ("game", "own.game")]
        query = _WINDOW.format(*ended)
        yield from self._connection.execute(
            query, {"last": last[0], "until": until, "window": self.terms.window}
        )

    def _read_opponents(self, entrant: int, rows: Mapping[int, Row]) -> list[Document]:
        found = [
            {"number": other, "name": rows[other].name, "elo": round(rows[other].elo.value)}
            | {"won": won, "drawn": drawn, "lost": lost}
            for other, won, drawn, lost in self._connection.execute(
                "SELECT theirs.entrant, sum(own.points = 1.0), sum(own.points = 0.5), sum(own.points = 0.0)"
                " FROM seats AS own"
                " JOIN seats AS theirs ON theirs.game = own.game AND theirs.seat <> own.seat"
                " WHERE own.entrant = ? AND own.points IS NOT NULL GROUP BY theirs.entrant",
                (entrant,),
            )
        ]
        return sorted(found, key=lambda row: -row["elo"])

    def _read_last_games(self, entrant: int, names: Mapping[int, str]) -> list[Document]:
        return [
            {"number": number, "time": ended, "opponent": names[other], "seat": seat, "points": points}
            | {"termination": termination, "plies": plies}
            for number, ended, other, seat, points, termination, plies in self._connection.execute(
                "SELECT games.number, ended_at, theirs.entrant, own.seat, own.points, termination, plies"
                " FROM seats AS own JOIN games ON games.number = own.game"
                " JOIN seats AS theirs ON theirs.game = own.game AND theirs.seat <> own.seat"
                " WHERE own.entrant = ? AND own.points IS NOT NULL ORDER BY own.game DESC LIMIT ?",
                (entrant, LAST_GAMES),
            )
        ]

    def _read_losses(self, entrant: int, names: Mapping[int, str]) -> list[Document]:
        """Return why games were lost: each reason with its number of games and its last one."""
        found = []
        for termination, count, last in self._connection.execute(
            "SELECT termination, count(*), max(game) FROM seats JOIN games ON games.number = game"
            " WHERE entrant = ? AND points = 0.0 GROUP BY termination ORDER BY count(*) DESC",
            (entrant,),
        ):
            sentence, line, ended, seat = self._connection.execute(
                "SELECT sentence, line, ended_at, seat FROM games JOIN seats ON game = number"
                " WHERE number = ? AND entrant = ?",
                (last, entrant),
            ).fetchone()
            fault = self._connection.execute(
                "SELECT sentence, line, hint, time FROM faults WHERE game = ? AND seat = ?"
                " ORDER BY rowid DESC LIMIT 1",
                (last, seat),
            ).fetchone()
            transcript = self._connection.execute(
                "SELECT text FROM transcripts WHERE game = ? AND seat = ?", (last, seat)
            ).fetchone()
            is_fault = Termination(termination).is_fault
            kind, time = ("player_out", fault[3]) if fault and is_fault else ("game_ended", ended)
            event = self._read_event(kind, time, game=last)
            found.append(
                {
                    "termination": termination,
                    "count": count,
                    "fault": is_fault,
                    "game": last,
                    "sentence": fault[0] if fault and is_fault else sentence,
                    "line": fault[1] if fault and is_fault else line,
                    "phrase": event.get("phrase"),
                    "hint": fault[2] if fault and is_fault else "",
                    "hint_phrase": event.get("hint_phrase"),
                    "lines": transcript[0].splitlines()[-LINES:] if transcript and is_fault else [],
                }
            )
        return found

    def _read_event(
        self, kind: str, time: str, *, game: int | None = None, entrant: int | None = None
    ) -> Document:
        """Return an event, whose phrases the tables do not hold; empty if the clock was turned back then.

        Events have no index by game or entrant, but their times ascend.
        """
        (last,) = self._connection.execute("SELECT coalesce(max(number), 0) FROM events").fetchone()

        def read_time(number: int) -> str:
            query = "SELECT time FROM events WHERE number >= ? ORDER BY number LIMIT 1"
            return str(self._connection.execute(query, (number,)).fetchone()[0])

        first = bisect_left(range(last + 1), time, key=read_time) if last else 0
        query = "SELECT object FROM events WHERE number BETWEEN ? AND ? AND event = ? AND game IS ?"
        for (line,) in self._connection.execute(query, (first, first + _AT_ONCE, kind, game)):
            found = json.loads(line)
            if isinstance(found, dict) and found.get("entrant") == entrant:
                return found
        return {}


#: Maximum number of events with the same time that are searched for one.
_AT_ONCE = 1000

#: Number of last lines of a transcript that a loss shows.
LINES = 12


def _level_of(elo: EloDifference) -> EloDifference:
    return EloDifference(*(extrapolate_level(each) for each in (elo.value, elo.low, elo.high)))


def _write_check(address: str) -> str:
    """Return the command that checks the program at an address; empty for built-in players."""
    spec = parse_spec(address) if address else None
    if spec is None or spec.kind.is_built_in:
        return ""
    if spec.endpoint is not None:
        return f"quoridor check server {spec.endpoint}"
    # The command may contain paths of the machine of the league.
    return "quoridor check qtp -- COMMAND"


def is_league(path: Path) -> bool:
    """Return whether a journal is that of a league.

    Raises:
        JournalError: it cannot be read.
    """
    with explain_errors(path), closing(open_to_read(path)) as connection:
        row = connection.execute("SELECT rules, settings FROM tournaments").fetchone()
    if row is None or row[0] != RULES:
        return False
    try:
        return Plan.of(json.loads(row[1])).format.is_open_ended
    except ValueError as error:
        raise JournalError(f"{path} is damaged: {error}") from None


def format_time(moment: dt.datetime) -> str:
    """Return a time as journals contain it."""
    return moment.astimezone(dt.UTC).isoformat(timespec="milliseconds")
