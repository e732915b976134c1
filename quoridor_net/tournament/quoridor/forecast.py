"""The schedule and expected duration of a tournament, before it is played."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import TYPE_CHECKING

from attrs import frozen

from quoridor_net.players.spec import PlayerSpec, processors
from quoridor_net.text import count_things
from quoridor_net.tournament.formats import Field, Format, Meeting, Round, Swiss
from quoridor_net.tournament.quoridor.plan import Plan
from quoridor_net.tournament.schedule import parse_chosen, unique_names
from quoridor_net.tournament.sprt import Sprt

if TYPE_CHECKING:
    from quoridor_net.engine import Limits

#: Plies of a typical game: about 60 to 80 between engines, fewer in a class.
PLIES = 60

#: Guess of the seconds that a move server or a program takes for a move, if its limits allow as much.
THINKING = 1.0

#: Positions that the engine searches in a second, at least on most machines.
NODES_PER_SECOND = 200_000

#: Seconds that built-in players take for a move if they do not search.
AT_ONCE = 0.0005

#: Maximum number of games listed.
LISTED = 12

#: Maximum number of games of a schedule.
MAX_GAMES = 10**6


@frozen
class Forecast:
    """The size and the duration of a tournament before it is played, in lines to print.

    Attributes:
        summary: the number of games and their expected duration.
        hint: that the entrants could play more games at once; empty if they cannot.
        games: the first games.
        byes: that entrants kept apart cannot all have opponents; empty if they can.
    """

    summary: str
    hint: str
    games: tuple[str, ...] = ()
    byes: str = ""

    def announcement(self, *, is_limited: bool) -> str:
        """Return what to print before the first game, without the hint if ``--concurrency`` sets no limit."""
        return "\n".join(filter(None, (self.summary, self.byes, self.hint if is_limited else "")))


def forecast(plan: Plan, entrants: Sequence[PlayerSpec]) -> Forecast:
    """Return the number and duration of the games, and the first games.

    Raises:
        ValueError: the entrants do not fit the plan, or there are more games than :data:`MAX_GAMES`.
    """
    plan.check(entrants)
    names = unique_names(entrant.name or entrant.address for entrant in entrants)
    if plan.sprt is not None:
        most = _fit(entrants, [(1, 2)] * plan.games)
        return Forecast(_forecast_test(plan, plan.sprt, entrants, names, most), _hint(plan, entrants, most))
    form = plan.format
    if form.is_open_ended:
        field, at_once = count_things(len(entrants), "entrant"), count_things(plan.concurrency, "game")
        quiet = plan.league.quiet
        paused = "" if quiet is None else f" No game starts in the quiet hours {quiet}."
        return Forecast(
            f"A league of {field}, {at_once} at once, until you stop it.{paused}",
            _hint(plan, entrants, _fit_without_end(entrants)),
        )
    chosen = () if plan.pairings is None else parse_chosen(plan.pairings)[1]
    rounds = list(islice(_schedule(form, len(entrants), chosen), MAX_GAMES + 1))
    schedule = [seats for _, seats in rounds]
    if len(schedule) > MAX_GAMES:
        raise ValueError(f"the schedule has more than {MAX_GAMES} games: reduce --games or --rounds")
    seconds = sum(thinking_time(plan, entrants[entrant - 1]) for seats in schedule for entrant in seats)
    # Both the machine and the busiest entrant limit the games at once.
    slots = min(plan.concurrency, _fit(entrants, schedule))
    expected = seconds / slots if schedule else 0.0
    count = count_things(len(schedule), "game")
    known = [seats for number, seats in rounds if number == 1 or not form.needs_results]
    lines = [
        f"game {number}: {' - '.join(names[entrant - 1] for entrant in seats)}"
        for number, seats in enumerate(known[:LISTED], 1)
    ]
    more = len(schedule) - min(len(known), LISTED)
    if more:
        by_results = "; after round 1, results decide the pairings"
        lines.append(
            f"and {count_things(more, 'more game')}{by_results if len(known) < len(schedule) else ''}"
        )
    together = groupby(rounds, key=lambda game: game[0] if form.needs_results else 0)
    most = max((_fit(entrants, [seats for _, seats in games]) for _, games in together), default=1.0)
    return Forecast(
        f"{count} of {len(entrants)} entrants, {plan.concurrency} at once:"
        f" about {_format_duration(expected)}, {_assume(plan, entrants)}.",
        _hint(plan, entrants, most),
        tuple(lines),
        _foresee_byes(form, len(entrants)),
    )


def _fit(entrants: Sequence[PlayerSpec], games: Sequence[tuple[int, ...]]) -> float:
    """Return how many of these games the entrants can play at once on average, however they are ordered."""
    # Entrants at one server share it.
    places = [entrant.server or number for number, entrant in enumerate(entrants, 1)]
    played = Counter(places[entrant - 1] for seats in games for entrant in seats)
    busiest = max(
        (
            played[place] / entrant.games
            for place, entrant in zip(places, entrants, strict=True)
            if entrant.games
        ),
        default=0.0,
    )
    return len(games) / max(busiest, 1.0)


def _fit_without_end(entrants: Sequence[PlayerSpec]) -> float:
    """Return how many games the entrants can play at once if any two that are free meet."""
    # Entrants at one server share it.
    most = {entrant.server: entrant.games for entrant in entrants if entrant.games}
    total = sum(most.values())
    if all(entrant.games for entrant in entrants):
        return min(total // 2, total - max(most.values(), default=0))
    return total or math.inf


def _hint(plan: Plan, entrants: Sequence[PlayerSpec], possible: float) -> str:
    """Return a hint if the entrants could play more games at once; empty otherwise.

    Each game of programs or of the engine needs a processor. Move servers have machines of their own, and
    games of players that move at once gain nothing.
    """
    if all(entrant.kind.is_instant for entrant in entrants):
        return ""
    if any(entrant.endpoint is None and not entrant.kind.is_instant for entrant in entrants):
        possible = min(possible, processors())
    if int(possible) <= plan.concurrency:
        return ""
    return f"{int(possible)} games could run at once: add --concurrency {int(possible)}."


def _foresee_byes(form: Format, entrants: int) -> str:
    """Return a sentence if entrants kept apart cannot all have opponents; empty otherwise."""
    least = form.count_least_byes(entrants) if isinstance(form, Swiss) else 0
    if least <= entrants % 2:
        return ""
    return (
        f"In each round, at least {least} of {entrants} entrants have byes: --apart leaves them no opponents."
    )


def _forecast_test(
    plan: Plan, test: Sprt, entrants: Sequence[PlayerSpec], names: Sequence[str], most: float
) -> str:
    """Return a line about a match with a test: its numbers of games and their duration.

    Args:
        plan: of the match.
        test: its test.
        entrants: both of them.
        names: theirs.
        most: number of games that they can play at once.
    """
    numbers = [
        min(plan.games, 2 * math.ceil(test.expected_pairs(elo)))
        for elo in (test.elo0, (test.elo0 + test.elo1) / 2)
    ]
    seconds = sum(thinking_time(plan, entrant) for entrant in entrants)
    slots = min(plan.concurrency, most)
    times = [_format_duration(number * seconds / slots) for number in numbers]
    return (
        f"Up to {count_things(plan.games, 'game')} between {' and '.join(names)}, until the test is decided:"
        f" about {numbers[0]} ({times[0]}) if the difference is {test.elo0:g} or {test.elo1:g},"
        f" {numbers[1]} ({times[1]}) if it is in the middle; times hold {_assume(plan, entrants)}."
    )


def _schedule(
    form: Format, entrants: int, chosen: tuple[tuple[int, int], ...]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield round and seats of all games; where results matter, the lower number is assumed to win.

    ``chosen`` are the pairings of the first round that the organiser chose.
    """
    meetings: list[Meeting] = []
    rounds = 0
    while True:
        field = Field(entrants, meetings=meetings, rounds=rounds, chosen=() if rounds else chosen)
        made: Round | None = form.next_round(field)
        if made is None:
            return
        rounds += 1
        for seats, pair in zip(made.games, made.pairs, strict=True):
            points = tuple(float(seat == min(seats)) for seat in seats)
            meetings.append(Meeting(rounds, seats, points, pair))
            yield rounds, seats


def thinking_time(plan: Plan, entrant: PlayerSpec) -> float:
    """Return the seconds that an entrant thinks in a game."""
    if entrant.kind.is_instant:
        return PLIES / plan.terms.players * AT_ONCE
    return PLIES / plan.terms.players * _guess(plan, entrant)


def _is_known(entrant: PlayerSpec) -> bool:
    """Return whether the time of an entrant for a move is known rather than guessed."""
    if entrant.kind.is_instant or not entrant.kind.is_built_in:
        return entrant.kind.is_instant
    limits = _find_limits(entrant)
    # The speed of a search by depth alone depends on the position.
    return limits.depth is None or (limits.time, limits.nodes) != (None, None)


def _find_limits(entrant: PlayerSpec) -> Limits:
    """Return the limits of the engine, with those of its level."""
    # Imported here, because most tournaments need no engine.
    from quoridor_net.engine.levels import limits_of_level

    return limits_of_level(entrant.thinking.limits())


def _assume(plan: Plan, entrants: Sequence[PlayerSpec]) -> str:
    """Return the assumptions of an expected duration, as a clause."""
    guesses = {
        _format_duration(_guess(plan, entrant)): None
        for entrant in sorted(entrants, key=lambda entrant: _guess(plan, entrant))
        if not _is_known(entrant)
    }
    speed = f", and entrants of unknown speed {' to '.join([*guesses][:: max(len(guesses) - 1, 1)])} per move"
    return f"if a game takes {PLIES} plies{speed if guesses else ''}"


def _guess(plan: Plan, entrant: PlayerSpec) -> float:
    """Return the seconds that an entrant thinks about a move, on average."""
    moves = PLIES // plan.terms.players
    if entrant.kind.is_built_in and _is_known(entrant):
        return _time_engine(plan, entrant, moves) / moves
    limits = [] if plan.terms.move_time is None else [plan.terms.move_time]
    clock = entrant.clock or plan.terms.clock
    if clock is not None:
        limits.append(clock.seconds / moves + clock.increment)
    return min([THINKING, *limits])


def _time_engine(plan: Plan, entrant: PlayerSpec, moves: int) -> float:
    """Return the seconds that the engine thinks about its first ``moves`` moves of a game."""
    from quoridor_net.engine.time_management import search_time
    from quoridor_net.players.base import Clock
    from quoridor_net.players.engine import limits_within

    limits = _find_limits(entrant)
    longest = math.inf if limits.nodes is None else limits.nodes / NODES_PER_SECOND
    clock = entrant.clock or plan.terms.clock
    left = None if clock is None else clock.seconds
    increment = 0.0 if clock is None else clock.increment
    total = 0.0
    for played in range(moves):
        seconds = search_time(limits_within(Clock(plan.terms.move_time, left, increment), limits), played)
        spent = longest if seconds is None else min(seconds, longest)
        total += spent
        left = None if left is None else left - spent + increment
    return total


def _format_duration(seconds: float) -> str:
    if seconds < 9.5:
        return f"{seconds:.2g} s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"
