"""The plan of a Quoridor tournament: its format and the terms of its games, from options or a journal."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from attrs import evolve, field, frozen

from quoridor_net.clocks import parse_clock
from quoridor_net.notation.standard import format_move
from quoridor_net.players.spec import PlayerSpec
from quoridor_net.rules import TURN_ORDER, Jumps
from quoridor_net.tournament.encoding import MAX_NUMBER
from quoridor_net.tournament.events import Setting
from quoridor_net.tournament.formats import FORMATS, Format, SprtMatch, make_format
from quoridor_net.tournament.lobby import QuietHours
from quoridor_net.tournament.quoridor.openings import parse_openings
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.tournament.schedule import Pairing, parse_chosen, unique_names
from quoridor_net.tournament.sprt import EloModel, Sprt
from quoridor_net.tournament.state import TournamentState

#: The name of the game in journals.
RULES = "quoridor"

#: Largest absolute value of a seed.
MAX_SEED = 2**63 - 1

#: Maximum number of rounds, and of games of a pairing: all are paired at once and kept in memory.
MAX_ROUNDS = 100_000

#: Maximum number of games at once, because each needs programs or connections.
MAX_AT_ONCE = 10_000

#: Maximum length of a title, in characters.
MAX_TITLE = 100

#: Maximum number of games per hour of an entrant of a league, and of games that its rating rests on.
MAX_RATE = 3600
MAX_WINDOW = 10_000

#: Maximum of all timeouts, in seconds.
MAX_SECONDS = 1e6

T = TypeVar("T")

_ENTRANT = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)


class PlanError(ValueError):
    """The settings are not a valid plan; the message says why."""


@frozen
class LeagueTerms:
    """The terms of a league.

    Attributes:
        rate: maximum number of games per hour of each entrant; None for no limit.
        quiet: hours without new games; None for none.
        window: ratings rest on games that are among this many last ones of either entrant.
    """

    rate: int | None = None
    quiet: QuietHours | None = None
    window: int = 200

    def settings(self) -> dict[str, Setting]:
        """Return the terms as settings for a journal."""
        quiet = None if self.quiet is None else str(self.quiet)
        return {"rate": self.rate, "quiet_hours": quiet, "window": self.window}

    @classmethod
    def of(cls, settings: Mapping[str, Setting]) -> LeagueTerms:
        """Return the terms from the settings of a journal; a missing or invalid one raises an error.

        Raises:
            KeyError: a setting is missing.
            ValueError: a setting is invalid.
        """
        return cls(
            _optional(settings, "rate", lambda: _whole(settings, "rate", 1, MAX_RATE)),
            _optional(settings, "quiet_hours", lambda: QuietHours.parse(str(settings["quiet_hours"]))),
            _whole(settings, "window", 1, MAX_WINDOW),
        )


@frozen
class Plan:
    """The settings of a tournament, without its entrants.

    Attributes:
        form: the name of the format.
        rounds: number of rounds, for formats that leave it open; None for the default.
        games: number of games of each pairing.
        terms: the terms of each game.
        concurrency: maximum number of games at once.
        sprt: the test of a match of two; None for no test.
        title: title of the tournament; None for that of its file.
        rests: entrants of a Swiss, by number, and the rounds of their requested byes, with half a point.
        apart: groups of entrants of a Swiss that never meet each other.
        helps_late: whether late entrants of a Swiss get half a point for each round that they missed.
        pairings: pairings of a round of a Swiss that the organiser chose, see
            :func:`~quoridor_net.tournament.schedule.parse_chosen`; None for none.
        league: the terms of a league; unused by other formats.
    """

    form: str = "round-robin"
    rounds: int | None = None
    games: int = 2
    terms: GameTerms = field(factory=GameTerms)
    concurrency: int = 1
    sprt: Sprt | None = None
    title: str | None = None
    rests: tuple[tuple[int, int], ...] = ()
    apart: tuple[tuple[int, ...], ...] = ()
    helps_late: bool = False
    pairings: str | None = None
    league: LeagueTerms = LeagueTerms()

    @property
    def format(self) -> Format:
        """The format with its numbers; a test has a format of its own, whatever ``form`` is."""
        if self.sprt is not None:
            return SprtMatch(self.sprt, self.games, 2 * self.concurrency)
        if self.form != "swiss":
            return make_format(self.form, self.rounds, self.games, self.terms.seed or 0)
        return make_format(
            self.form,
            self.rounds,
            self.games,
            self.terms.seed or 0,
            rests=self.rests,
            apart=self.apart,
            helps_late=self.helps_late,
        )

    def check_settings(self) -> None:
        """Refuse numbers that :meth:`of` would refuse in a journal.

        Raises:
            ValueError: the message names the number.
        """
        # Without the openings, which have been parsed already.
        _read(self.settings() | {"openings": ""})

    def check(self, entrants: Sequence[PlayerSpec]) -> None:
        """Refuse entrants that do not fit this tournament.

        Raises:
            ValueError: the message says what it needs.
        """
        self.format.check(unique_names(entrant.name or entrant.address for entrant in entrants))
        self.terms.check(entrants)

    def settings(self) -> dict[str, Setting]:
        """Return the plan as settings for a journal; :meth:`of` reads them back."""
        terms = self.terms
        openings = "\n".join(" ".join(map(format_move, opening)) for opening in terms.openings)
        return {
            "title": self.title,
            "format": self.form,
            "rounds": self.rounds,
            "games": self.games,
            "concurrency": self.concurrency,
            "elo0": None if self.sprt is None else self.sprt.elo0,
            "elo1": None if self.sprt is None else self.sprt.elo1,
            "alpha": None if self.sprt is None else self.sprt.alpha,
            "beta": None if self.sprt is None else self.sprt.beta,
            "elo_model": None if self.sprt is None else self.sprt.model.value,
            "half_byes": _join_groups(self.rests),
            "apart": _join_groups(self.apart),
            "late_half_byes": self.helps_late,
            "pairings": self.pairings,
            "size": terms.size,
            "players": terms.players,
            "walls": terms.walls,
            "jumps": str(terms.jumps),
            "move_time": terms.move_time,
            "clock": None if terms.clock is None else str(terms.clock),
            "first_move_time": terms.first_move_time,
            "ply_limit": terms.ply_limit,
            "repetition": terms.repetition,
            "gap": terms.gap,
            "no_show_time": terms.no_show_time,
            "memory_limit": terms.memory_limit,
            "seed": terms.seed,
            "openings": openings,
            **(self.league.settings() if self.format.is_open_ended else {}),
        }

    @classmethod
    def of(cls, settings: Mapping[str, Setting]) -> Plan:
        """Return the plan from the settings of a journal.

        Raises:
            PlanError: they are not a valid plan.
        """
        try:
            return _read(settings)
        except (KeyError, ValueError) as error:
            raise PlanError(f"this is not the journal of a Quoridor tournament: {error}") from None

    @classmethod
    def of_state(cls, state: TournamentState) -> Plan:
        """Return the plan of a tournament from its journal, after checking that its games fit.

        Raises:
            PlanError: it has no valid plan, or its entrants or games do not fit it.
        """
        plan = cls.of(state.settings)
        try:
            plan.format.check(state.entrants)
        except ValueError as error:
            raise PlanError(f"this is not the journal of a Quoridor tournament: {error}") from None
        for game in range(1, state.last_game + 1):
            if len(state.pairing(game).seats) != plan.terms.players:
                raise PlanError(f"game {game} does not have {plan.terms.players} entrants")
        return plan


def format_of(state: TournamentState) -> Format | None:
    """Return the format of a tournament of Quoridor; None for another game.

    Raises:
        PlanError: the settings are not those of a tournament of Quoridor.
    """
    return _plan(json.dumps(dict(state.settings))).format if state.rules == RULES else None


def openings_of(state: TournamentState) -> Callable[[Pairing], str] | None:
    """Return a function that names the opening of a game, in standard notation; None without openings.

    Raises:
        PlanError: the settings are not those of a tournament of Quoridor.
    """
    if state.rules != RULES or not state.settings.get("openings"):
        return None
    terms = _plan(json.dumps(dict(state.settings))).terms
    return lambda pairing: " ".join(map(format_move, terms.opening(pairing)))


@lru_cache(maxsize=1)
def _plan(settings: str) -> Plan:
    """Return the plan; displays ask several times a second, and openings take long to parse."""
    return Plan.of(json.loads(settings))


def _read(settings: Mapping[str, Setting]) -> Plan:
    """Return the plan; a missing or invalid setting raises KeyError or ValueError."""
    size, players = _whole(settings, "size", 3, 25), _whole(settings, "players", 2, 4)
    if players not in TURN_ORDER:
        raise ValueError("players is not 2 or 4")
    form = str(settings["format"])
    if form in FORMATS and FORMATS[form].players != players:
        raise ValueError(f"the format {form} is not for {players} players")
    walls = _optional(settings, "walls", lambda: _whole(settings, "walls", 0, MAX_NUMBER))
    terms = GameTerms(
        size=size,
        players=players,
        walls=walls,
        jumps=Jumps(str(settings["jumps"])),
        move_time=_optional(settings, "move_time", lambda: _seconds(settings, "move_time")),
        ply_limit=_whole(settings, "ply_limit", 1, MAX_NUMBER),
        repetition=None
        if settings.get("repetition") is None
        else _whole(settings, "repetition", 2, MAX_NUMBER),
        gap=_seconds(settings, "gap"),
        no_show_time=_seconds(settings, "no_show_time"),
        memory_limit=_optional(
            settings, "memory_limit", lambda: _whole(settings, "memory_limit", 1, MAX_NUMBER)
        ),
        seed=_optional(settings, "seed", lambda: _whole(settings, "seed", -MAX_SEED, MAX_SEED)),
        clock=None if settings.get("clock") is None else parse_clock(str(settings["clock"])),
        first_move_time=None
        if settings.get("first_move_time") is None
        else _seconds(settings, "first_move_time"),
    )
    openings = str(settings["openings"])
    if openings:
        found = parse_openings(openings, terms.start())
        terms = evolve(terms, openings=tuple(opening for _, opening in found))
    plan = Plan(
        form,
        _optional(settings, "rounds", lambda: _whole(settings, "rounds", 1, MAX_ROUNDS)),
        _whole(settings, "games", 1, MAX_ROUNDS),
        terms,
        _whole(settings, "concurrency", 1, MAX_AT_ONCE),
        _optional(settings, "elo0", lambda: _test(settings)),
        None if settings.get("title") is None else _title(settings),
        tuple((entrant, number) for entrant, number in _groups(settings, "half_byes", 2)),
        _groups(settings, "apart"),
        bool(settings.get("late_half_byes")),
        _pairings(settings),
    )
    if plan.format.is_open_ended:
        plan = evolve(plan, league=LeagueTerms.of(settings))
    # Raises for an unknown format.
    _ = plan.format
    return plan


def _optional(settings: Mapping[str, Setting], name: str, read: Callable[[], T]) -> T | None:
    return None if settings[name] is None else read()


def _join_groups(groups: Iterable[tuple[int, ...]]) -> str:
    return " ".join("-".join(map(str, group)) for group in groups)


def _groups(
    settings: Mapping[str, Setting], name: str, size: int | None = None
) -> tuple[tuple[int, ...], ...]:
    """Return groups of numbers, written like ``1-2 3-5``."""
    text = settings.get(name) or ""
    if not isinstance(text, str):
        raise ValueError(f"{name} is not a text")  # noqa: TRY004 - as for all other settings
    groups = [word.split("-") for word in text.split(" ")] if text else []
    for group in groups:
        if len(group) < 2 or len(group) != (size or len(group)) or not all(map(_ENTRANT.fullmatch, group)):
            raise ValueError(f"{name} has no groups of numbers like 1-2 3-5")
    return tuple(tuple(map(int, group)) for group in groups)


def _pairings(settings: Mapping[str, Setting]) -> str | None:
    text = settings.get("pairings")
    if text is None:
        return None
    parse_chosen(str(text))
    return str(text)


def _test(settings: Mapping[str, Setting]) -> Sprt:
    test = Sprt(_number(settings, "elo0"), _number(settings, "elo1"), model=_model(settings))
    if settings.get("alpha") is None:
        return test
    return evolve(test, alpha=_number(settings, "alpha"), beta=_number(settings, "beta"))


def _model(settings: Mapping[str, Setting]) -> EloModel:
    return EloModel(settings.get("elo_model") or EloModel.NORMALISED.value)


def _title(settings: Mapping[str, Setting]) -> str:
    title = settings["title"]
    if not isinstance(title, str) or not 1 <= len(title) <= MAX_TITLE or not title.isprintable():
        raise ValueError(f"title is not a text of 1 to {MAX_TITLE} visible characters")
    return title


def _whole(settings: Mapping[str, Setting], name: str, least: int, most: int) -> int:
    value = settings[name]
    # isinstance() would accept bool.
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{name} is not an integer from {least} to {most}")
    return value


def _number(settings: Mapping[str, Setting], name: str) -> float:
    value = settings[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{name} is not a number")
    return float(value)


def _seconds(settings: Mapping[str, Setting], name: str) -> float:
    if not 0 <= _number(settings, name) <= MAX_SECONDS:
        raise ValueError(f"{name} is not a number of seconds from 0 to {MAX_SECONDS:g}")
    return _number(settings, name)
