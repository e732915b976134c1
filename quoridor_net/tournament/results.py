"""The results of a tournament in one object, which every table, page and file is made from.

``columns`` defines the columns of its tables.
"""

from __future__ import annotations

import enum
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from attrs import asdict, evolve, fields, frozen

from quoridor_net.events import MoveTimes
from quoridor_net.outcome import Result, Termination
from quoridor_net.phrases import Phrase, Value
from quoridor_net.tournament.columns import (
    COLUMNS,
    ENDINGS,
    INTERVAL_PARTS,
    Column,
    Section,
    Sheet,
    format_counts,
    format_ends,
    format_interval,
    format_number,
    format_pentanomial,
    format_points,
    format_share,
    interval,
)
from quoridor_net.tournament.formats import Format, Knockout, SprtMatch
from quoridor_net.tournament.ratings import Ratings, Score, rate
from quoridor_net.tournament.schedule import Pairing
from quoridor_net.tournament.sprt import EloModel, Pentanomial, Verdict, count_pairs
from quoridor_net.tournament.standings import (
    BYE,
    ROUND_ROBIN_TIE_BREAKS,
    Crosstable,
    OpeningScore,
    Standing,
    TieBreak,
    crosstable,
    points_of,
    score_openings,
)
from quoridor_net.tournament.state import TournamentState

Document = dict[str, Any]

#: The columns of the entrants in CSV, with the fields of ``Results.entrants``.
ENTRANT_FACTS = (
    *("name", "number", "rank", "withdrawn"),
    *(f"left.{name}" for name in ("played", "games", "round", "counted")),
    "counted",
    *(name for column in COLUMNS for name in column.fields),
)

#: The rows of the summary in CSV, with the fields of ``Results.summary``.
SUMMARY_FACTS = (
    "finished",
    *(f"first_move.{name}" for name in INTERVAL_PARTS),
    "groups",
    *(f"sprt.{name}" for name in ("llr", "lower", "upper", "decision")),
    "duel.names",
    *(f"duel.score.{each.name}" for each in fields(Score)),
    *(f"duel.elo.{name}" for name in ("difference", "low", "high")),
    *("duel.superiority", "duel.pentanomial"),
    *(f"duel.normalised_elo.{name}" for name in INTERVAL_PARTS),
    *(f"terminations.{name}" for name in ENDINGS),
)


class FactPhrase(Phrase):
    """Sentences next to the tables."""

    RUNNING = "SPRT: LLR {llr} ({lower} to {upper}): undecided between {elo0} and {elo1} {unit}."
    ACCEPTED = (
        "SPRT: LLR {llr} ({lower} to {upper}): H1 accepted, {name} is better by {elo1} {unit}, not by {elo0}."
    )
    REJECTED = (
        "SPRT: LLR {llr} ({lower} to {upper}): H0 accepted, {name} is better by {elo0} {unit}, not by {elo1}."
    )
    NORMALISED = "normalised Elo"
    LOGISTIC = "logistic Elo"
    ELO = "{name}: Elo difference {elo}, likelihood of superiority {superiority}."
    PAIRS = "Pairs with 0, ½, 1, 1½ and 2 points: {counts}; normalised Elo {elo}."
    FIRST_MOVE = "The first move is worth {value} Elo ({low} to {high})."
    GROUPS = "Games do not connect all entrants: compare only within a group."
    APART = "Round {round}: {names} have byes: --apart leaves them no opponents."
    ENDED_BY = "Games ended by: {counts}."
    WON = "{name} wins the tournament with {count} points.", "{name} wins the tournament with {count} point."
    WON_FINAL = "{name} wins the final and the tournament."
    NONE_COUNT = "Nobody wins the tournament: {names} left early, and no other games count."
    NONE_PLAYED = "Nobody wins the tournament: no games were played."
    SHARED = "{names} share first place with {count} points.", "{names} share first place with {count} point."


class GameStatus(enum.StrEnum):
    """The state of a game."""

    FINISHED = "finished"
    RUNNING = "running"
    PLANNED = "planned"
    #: Its attempts so far were void; it can still be played.
    VOID = "void"
    #: Cancelled, because one of its entrants left.
    UNPLAYED = "unplayed"


@frozen
class ListedGame:
    """One game of a tournament, with its fields in JSON and CSV.

    Attributes:
        seats: the names of its entrants, by seat.
        points: the points of each entrant, by seat; None without a result.
        plies: number of moves so far; None before the first.
        sentence: how it ended or, without a result, why its last attempt was void; None without either.
        pair: games with the same number above 0 have the same opening and swapped colours.
        opening: its moves in standard notation; None without openings.
        counted: whether its points count; they do not if an entrant left early.
        left: the names of its entrants that left.
    """

    number: int
    round: int
    seats: list[str]
    points: list[float] | None
    termination: Termination | None
    plies: int | None
    sentence: str | None
    pair: int
    opening: str | None
    counted: bool
    left: list[str]
    status: GameStatus

    def document(self) -> Document:
        """Return the game as a JSON object."""
        return asdict(self, recurse=False)


@frozen
class ListedBye:
    """A round without an opponent, with its fields in JSON and CSV.

    Attributes:
        games: number of games that it stands for.
        points: for all of them.
    """

    round: int
    name: str
    games: int
    points: float


@frozen
class Results:
    """The results of a tournament so far.

    Attributes:
        state: of the tournament, which games are looked up in on request.
        games_in_all: expected total number of games; None if a test decides.
        table: the crosstable.
        terminations: number of games that ended in each way, including void ones.
        score: the score of the first of two entrants; None with more entrants.
        pentanomial: their pairs of games; empty with more entrants.
        verdict: the state of the sequential test; None without one.
        ratings: the strengths; None if they were not requested.
        openings: the score of each opening; empty if they were not requested, or without openings.
        opening_of: returns the opening of a game; None if they were not requested, or without openings.
        is_knockout: whether the final decides who wins, rather than points.
    """

    state: TournamentState
    games_in_all: int | None
    table: Crosstable
    terminations: Counter[Termination]
    score: Score | None
    pentanomial: Pentanomial
    verdict: Verdict | None
    ratings: Ratings | None
    openings: tuple[OpeningScore, ...] = ()
    opening_of: Callable[[Pairing], str] | None = None
    is_knockout: bool = False

    @classmethod
    def of(
        cls,
        state: TournamentState,
        form: Format | None,
        *,
        ratings: Ratings | None = None,
        opening_of: Callable[[Pairing], str] | None = None,
    ) -> Results:
        """Return the results of a tournament in this state.

        Args:
            state: of the tournament.
            form: its format; None if the game has formats of its own.
            ratings: the strengths, which take long to compute; see ``rate_entrants``.
            opening_of: returns the opening of a game; None if the games have no openings.
        """
        table = _table_of(state, form, ratings)
        results = state.results()
        score = None
        attempts = results + [(state.pairing(game), result) for game, result in state.void.items()]
        if len(state.entrants) == 2:
            score = Score.of(attempts, 1)
            _compare_two([row for row in table.rows if row.elo is not None], score)
        return cls(
            state,
            games_in_all(state, form),
            table,
            Counter(result.termination for _, result in attempts),
            score,
            Pentanomial.of(results if len(state.entrants) == 2 else (), 1),
            form.verdict(state.field()) if isinstance(form, SprtMatch) else None,
            ratings,
            () if opening_of is None else score_openings(results, opening_of),
            opening_of,
            isinstance(form, Knockout),
        )

    @property
    def open(self) -> Iterator[ListedGame]:
        """Games without a result, by number."""
        numbers = range(1, self.state.last_game + 1)
        return self.games(number for number in numbers if not self.state.is_decided(number))

    def games(self, numbers: Iterable[int], old: Mapping[int, Result] | None = None) -> Iterator[ListedGame]:
        """Yield the games with these numbers; ``old`` has those results that its state has forgotten."""
        state, decided = self.state, {**(old or {}), **self.state.decided}
        uncounted = {row.entrant for row in self.table.rows if not row.is_counted}
        for number in numbers:
            pairing, result = state.pairing(number), decided.get(number)
            told = result or state.void.get(number)
            names = {entrant: state.entrants[entrant - 1] for entrant in pairing.seats}
            yield ListedGame(
                number,
                pairing.round,
                list(names.values()),
                None if result is None else list(points_of(pairing, result)),
                None if result is None else result.termination,
                state.running.get(number) if result is None else result.plies,
                None if told is None else told.sentence,
                pairing.pair,
                None if self.opening_of is None else self.opening_of(pairing),
                uncounted.isdisjoint(names),
                [name for entrant, name in names.items() if state.is_withdrawn(entrant)],
                _status(state, number),
            )

    @property
    def byes(self) -> list[ListedBye]:
        """The byes and half-point byes, by round."""
        names = self.state.entrants
        found = Counter(sorted(self.state.byes, key=lambda bye: bye.round))
        return [
            ListedBye(bye.round, names[bye.entrant - 1], games, bye.points * games)
            for bye, games in found.items()
        ]

    @property
    def columns(self) -> list[Column]:
        """The columns of its tables, without unused tie-breaks and missing ratings."""
        unused = {tie_break.value for tie_break in TieBreak if tie_break not in self.table.tie_breaks}
        has_ratings = self.ratings is not None
        return [
            column
            for column in COLUMNS
            if column.name not in unused and (has_ratings or column.section is not Section.STRENGTH)
        ]

    def sheet(self, section: Section) -> Sheet:
        """Return a table of entrants for display; the table of strengths has the strongest first."""
        rows = [(row.rank, row) for row in self.table.rows]
        if section is Section.STRENGTH:
            rated = [row for row in self.table.rows if row.elo is not None]
            rows = list(enumerate(sorted(rated, key=strength_of), 1))
        columns = [
            column
            for column in self.columns
            if column.section is section
            and not (column.is_rare and not any(getattr(row, column.name) for row in self.table.rows))
        ]
        cells = [(place, row, [column.text(row) for column in columns]) for place, row in rows]
        return Sheet(str(section).capitalize(), [column.heading for column in columns], cells)

    @property
    def title(self) -> str:
        """The title of the tournament; empty if it has none."""
        return str(self.state.settings.get("title") or "")

    @property
    def winner(self) -> str | None:
        """A sentence that names the winner, or those who share first place; None before the end.

        It agrees with the table, so an entrant can win by its byes, but not if nobody has played.
        """
        rows = self.table.rows
        best = [row for row in rows if row.rank == 1]
        if not self.state.is_over:
            return None
        if not any(row.played for row in rows):
            gone = ", ".join(row.name for row in rows if not row.is_counted)
            return FactPhrase.NONE_COUNT(names=gone) if gone else FactPhrase.NONE_PLAYED()
        if self.is_knockout and len(best) == 1:
            return FactPhrase.WON_FINAL(name=best[0].name)
        points = best[0].points
        count = int(points) if points.is_integer() else format_points(points)
        if len(best) == 1:
            return FactPhrase.WON(name=best[0].name, count=count)
        return FactPhrase.SHARED(names=", ".join(row.name for row in best), count=count)

    @property
    def match_facts(self) -> list[str]:
        """Sentences about the test, the Elo difference of two entrants, byes by --apart and the winner."""
        facts: list[str] = []
        name, verdict, score = "".join(self.state.entrants[:1]), self.verdict, self.score
        if verdict is not None:
            bounds = (verdict.ratio, verdict.lower, verdict.upper)
            ratio, lower, upper = (format_number(each, 2) for each in bounds)
            # As numbers, which each language writes in its own way.
            values: dict[str, Value] = {
                elo: float(f"{self.state.settings[elo]:g}") for elo in ("elo0", "elo1")
            }
            model = EloModel(self.state.settings.get("elo_model") or EloModel.NORMALISED.value)
            values |= {"name": name, "llr": ratio, "lower": lower, "upper": upper}
            values["unit"] = FactPhrase[model.name]()
            phrase = FactPhrase[verdict.decision.name]
            facts.append(phrase(**{each: values[each] for each in phrase.places}))
        if score is not None and score.games:
            elo, superiority = format_interval(score.elo), format_share(score.superiority)
            facts.append(FactPhrase.ELO(name=name, elo=elo, superiority=superiority))
            if self.pentanomial.pairs:
                elo = format_interval(self.pentanomial.normalised_elo)
                facts.append(FactPhrase.PAIRS(counts=format_pentanomial(self.pentanomial.counts), elo=elo))
        for number in range(1, self.state.rounds + 1) if self.state.settings.get("apart") else ():
            facts += filter(None, [explain_byes(self.state, number)])
        return facts if self.winner is None else [*facts, self.winner]

    @property
    def facts(self) -> list[str]:
        """Sentences about the match, the ratings and how games ended."""
        facts = self.match_facts
        if self.ratings is not None and len(self.ratings.groups) > 1:
            facts.append(FactPhrase.GROUPS())
        elif self.ratings is not None:
            worth = self.ratings.first_move
            # Nothing is known if one entrant won all games.
            if math.isfinite(worth.low) or math.isfinite(worth.high):
                facts.append(FactPhrase.FIRST_MOVE(**format_ends(worth)))
        if self.terminations:
            facts.append(FactPhrase.ENDED_BY(counts=format_counts(self.terminations)))
        return facts

    def document(self) -> Document:
        """Return everything as one JSON object (docs/tournament.md)."""
        return {
            "finished": self.state.is_over,
            "settings": dict(self.state.settings),
            "entrants": self.entrants(),
            "crosstable": self.crosstable(),
            **self.summary(),
            "openings": [asdict(score) for score in self.openings],
            "games": [game.document() for game in self.games(sorted(self.state.decided))],
            "unfinished": [game.document() for game in self.open],
            "byes": [asdict(bye) for bye in self.byes],
        }

    def entrants(self) -> list[Document]:
        """Return the rows of the tables, best first, for JSON."""
        columns = self.columns
        return [
            {
                "name": row.name,
                "number": row.entrant,
                "rank": row.rank,
                "withdrawn": row.has_left,
                "left": row.leaving and {**row.leaving, "counted": row.is_counted},
                "counted": row.is_counted,
                **{column.name: column.data(row) for column in columns},
            }
            for row in self.table.rows
        ]

    def crosstable(self) -> Document:
        """Return names, best first, and the points of each against each other, for JSON."""
        rows = self.table.rows
        cells = [
            [None if row is other else list(self.table.cell(row.entrant, other.entrant)) for other in rows]
            for row in rows
        ]
        return {"names": [row.name for row in rows], "cells": cells}

    def summary(self) -> Document:
        """Return the data of the facts next to the tables, for JSON."""
        names, ratings, verdict, score = self.state.entrants, self.ratings, self.verdict, self.score
        duel = sprt = None
        if verdict is not None:
            bounds = {"llr": verdict.ratio, "lower": verdict.lower, "upper": verdict.upper}
            sprt = bounds | {"decision": verdict.decision.value}
        if score is not None:
            elo = interval(score.elo)
            duel = {
                "names": list(names),
                "score": asdict(score),
                "elo": {"difference": elo.pop("value"), **elo},
                "superiority": score.superiority,
                "pentanomial": list(self.pentanomial.counts),
                "normalised_elo": interval(self.pentanomial.normalised_elo),
            }
        return {
            "first_move": None if ratings is None else interval(ratings.first_move),
            "groups": [
                [names[entrant - 1] for entrant in group] for group in (ratings.groups if ratings else ())
            ],
            "sprt": sprt,
            "duel": duel,
            "terminations": {str(reason): count for reason, count in self.terminations.most_common()},
        }


def explain_byes(state: TournamentState, number: int) -> str:
    """Return why a round has more byes than an odd number of entrants needs; empty if it has not."""
    resting = dict.fromkeys(bye.entrant for bye in state.byes if bye.round == number and bye.points == BYE)
    if not state.settings.get("apart") or len(resting) < 2:
        return ""
    return FactPhrase.APART(round=number, names=", ".join(state.entrants[each - 1] for each in resting))


def _status(state: TournamentState, game: int) -> GameStatus:
    if state.is_decided(game):
        return GameStatus.FINISHED
    if game in state.running:
        return GameStatus.RUNNING
    if not state.is_open(state.pairing(game)):
        return GameStatus.UNPLAYED
    return GameStatus.VOID if game in state.void else GameStatus.PLANNED


def rate_entrants(state: TournamentState) -> Ratings:
    """Return the strengths of the entrants."""
    return rate(len(state.entrants), state.results())


def games_in_all(state: TournamentState, form: Format | None) -> int | None:
    """Return the expected total number of games; None if a test decides."""
    if form is None or state.is_over:
        return state.games
    unpaired = form.count_unpaired(state.field())
    return None if unpaired is None else state.games + unpaired


def _table_of(state: TournamentState, form: Format | None, ratings: Ratings | None) -> Crosstable:
    """Return the crosstable with the tie-breaks and places of the format, and complete rows."""
    tie_breaks = ROUND_ROBIN_TIE_BREAKS if form is None else form.tie_breaks
    results = state.results()
    table = crosstable(state.entrants, results, state.byes, tie_breaks, _find_left(state, form))
    pairs = count_pairs(results)
    rows = [_complete(row, state, form, ratings, pairs) for row in table.rows]
    if ratings is not None:
        _compare_neighbours(rows, ratings)
    places = None if form is None else form.places(state.field())
    if places is not None:
        # Rank 1 for entrants that are not out, because they may still win.
        rows = sorted(
            (evolve(row, rank=places.get(row.entrant, 1)) for row in rows), key=lambda row: row.rank
        )
    return evolve(table, rows=tuple(rows))


def _compare_neighbours(rows: Iterable[Standing], ratings: Ratings) -> None:
    """Set the likelihood that each entrant is stronger than the next in the table of strengths."""
    rated = [row for row in rows if row.elo is not None]
    for row, after in pairwise(sorted(rated, key=strength_of)):
        row.superiority = ratings.superiority(row.entrant, after.entrant)


def _compare_two(rows: Sequence[Standing], score: Score) -> None:
    """Rate two entrants half their difference above and below their mean.

    So all outputs have one number. Maximum likelihood would give another one, because it has a prior and
    estimates the value of the first move.
    """
    elo, superiority = score.elo.halved, score.superiority
    values = {1: (elo, superiority), 2: (elo.reversed, 1 - superiority)}
    for row in rows:
        row.elo, _ = values[row.entrant]
        row.rated = score.games
        row.superiority = None
    for row in sorted(rows, key=strength_of)[:1]:
        _, row.superiority = values[row.entrant]


def strength_of(row: Standing) -> tuple[float, int]:
    """Return the sort key of the table of strengths."""
    assert row.elo is not None, "only entrants with a rating have a place in it"
    return -row.elo.value, row.entrant


def _complete(
    row: Standing,
    state: TournamentState,
    form: Format | None,
    ratings: Ratings | None,
    pairs: Mapping[int, Pentanomial],
) -> Standing:
    """Return a row with the values that need more than the results of its games."""
    times = state.times.get(row.entrant, MoveTimes())
    # Ratings may be older than an entrant that has just joined.
    rated = ratings.entrants[row.entrant - 1 : row.entrant] if ratings is not None else ()
    return evolve(
        row,
        moves=times.moves,
        average_time=times.seconds / times.moves if times.moves else None,
        longest_time=times.longest if times.moves else None,
        pairs=None if row.entrant not in pairs else pairs[row.entrant].counts,
        elo=rated[0].elo if rated else None,
        rated=rated[0].games if rated else None,
        leaving=_describe_leaving(row.entrant, state, form) if row.has_left else None,
    )


def _describe_leaving(entrant: int, state: TournamentState, form: Format | None) -> dict[str, int]:
    played, games = state.games_of(entrant)
    field = state.field()
    first = field.withdrawn[entrant]
    if form is not None and form.is_round_robin:
        # All its rounds are paired at the start.
        own = (each for each in field.meetings if entrant in each.seats)
        last = max((each.round for each in own if each.is_played and each.points is not None), default=0)
        first = min(first, last + 1)
    return {"played": played, "games": games, "round": first}


def _find_left(state: TournamentState, form: Format | None) -> dict[int, bool]:
    """Return the entrants that left, each with whether its games count."""
    is_counted = form is None or not form.is_round_robin
    return {entrant: is_counted or state.has_played_half(entrant) for entrant in state.field().withdrawn}
