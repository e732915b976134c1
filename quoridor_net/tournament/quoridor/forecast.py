"""The schedule and expected duration of a tournament, before it is played."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from quoridor_net.players.spec import PlayerSpec, processors
from quoridor_net.text import count_things
from quoridor_net.tournament.formats import Field, Format, Meeting, Round, Swiss
from quoridor_net.tournament.quoridor.plan import Plan
from quoridor_net.tournament.schedule import parse_chosen
from quoridor_net.tournament.sprt import Sprt

#: Plies of a typical game: about 60 to 80 between engines, fewer in a class.
PLIES = 60

#: Seconds that a move server or a program is expected to take for a move at most, within its limit.
THINKING = 1.0

#: The same for built-in players that do not search.
AT_ONCE = 0.0005

#: Maximum number of games listed.
LISTED = 12

#: Maximum number of games of a schedule.
MAX_GAMES = 10**6


def forecast(plan: Plan, entrants: Sequence[PlayerSpec]) -> list[str]:
    """Return lines to print: the number and duration of the games, then the first games.

    Raises:
        ValueError: there are more games than :data:`MAX_GAMES`.
    """
    names = [entrant.name or entrant.address for entrant in entrants]
    if plan.sprt is not None:
        return [_forecast_test(plan, plan.sprt, entrants, names)]
    form = plan.format
    if form.is_open_ended:
        field, at_once = count_things(len(entrants), "entrant"), count_things(plan.concurrency, "game")
        quiet = plan.league.quiet
        paused = "" if quiet is None else f" No game starts in the quiet hours {quiet}."
        return [f"A league of {field}, {at_once} at once, until you stop it.{paused}"]
    chosen = () if plan.pairings is None else parse_chosen(plan.pairings)[1]
    rounds = list(islice(_schedule(form, len(entrants), chosen), MAX_GAMES + 1))
    schedule = [seats for _, seats in rounds]
    if len(schedule) > MAX_GAMES:
        raise ValueError(f"the schedule has more than {MAX_GAMES} games: reduce --games or --rounds")
    seconds = sum(thinking_time(plan, entrants[entrant - 1]) for seats in schedule for entrant in seats)
    # Entrants at one server share it.
    places = [entrant.server or number for number, entrant in enumerate(entrants, 1)]
    games = Counter(places[entrant - 1] for seats in schedule for entrant in seats)
    # Both the machine and the busiest entrant limit the games at once.
    busiest = max(
        games[place] / _at_once(plan, entrant) for place, entrant in zip(places, entrants, strict=True)
    )
    slots = max(len(schedule) / plan.concurrency, busiest)
    expected = seconds / max(len(schedule), 1) * slots
    count = count_things(len(schedule), "game")
    sizes = f"{count} of {len(entrants)} entrants, {plan.concurrency} at once"
    # Programs and move servers without a time of their own are usually faster.
    guesses = [_guess(plan, entrant) for entrant in entrants if not _is_known(entrant)]
    duration, usual = f"about {_format_duration(expected)}", f"assuming {PLIES} plies per game"
    if guesses:
        duration, usual = (
            f"up to {_format_duration(expected)}",
            f"{usual} and at most {_format_duration(max(guesses))} per move",
        )
    lines = [f"{sizes}: {duration}, {usual}."]
    known = [seats for number, seats in rounds if number == 1 or not form.needs_results]
    for number, seats in enumerate(known[:LISTED], 1):
        lines.append(f"game {number}: {' - '.join(names[entrant - 1] for entrant in seats)}")
    more = len(schedule) - min(len(known), LISTED)
    if more:
        by_results = "; after round 1, results decide the pairings"
        lines.append(
            f"and {count_things(more, 'more game')}{by_results if len(known) < len(schedule) else ''}"
        )
    return lines


def more_at_once(plan: Plan, entrants: Sequence[PlayerSpec]) -> str:
    """Return a hint if the entrants could play more games at once; empty otherwise.

    Each game of programs or of the engine needs a processor. Move servers have machines of their own, and
    games of players that move at once gain nothing.
    """
    servers = [entrant for entrant in entrants if entrant.endpoint is not None]
    searching = [entrant for entrant in entrants if entrant.endpoint is None and not entrant.kind.is_instant]
    possible = sum(entrant.games or 1 for entrant in servers) // plan.terms.players
    if searching:
        possible = processors() if not servers else min(possible, processors())
    if possible <= plan.concurrency:
        return ""
    return f"{possible} games could run at once: add --concurrency {possible}."


def foresee_byes(plan: Plan, entrants: int) -> str:
    """Return a sentence if entrants kept apart cannot all have opponents; empty otherwise."""
    form = plan.format
    least = form.count_least_byes(entrants) if isinstance(form, Swiss) else 0
    if least <= entrants % 2:
        return ""
    return (
        f"In each round, at least {least} of {entrants} entrants have byes: --apart leaves them no opponents."
    )


def _forecast_test(plan: Plan, test: Sprt, entrants: Sequence[PlayerSpec], names: Sequence[str]) -> str:
    """Return a line about a match with a test: its numbers of games and their duration."""
    numbers = [
        min(plan.games, 2 * math.ceil(test.expected_pairs(elo)))
        for elo in (test.elo0, (test.elo0 + test.elo1) / 2)
    ]
    seconds = sum(thinking_time(plan, entrant) for entrant in entrants)
    slots = min(_at_once(plan, entrant) for entrant in entrants)
    times = [_format_duration(number * seconds / slots) for number in numbers]
    return (
        f"Up to {count_things(plan.games, 'game')} between {' and '.join(names)}, until the test is decided:"
        f" about {numbers[0]} ({times[0]}) if the difference is {test.elo0:g} or {test.elo1:g},"
        f" {numbers[1]} ({times[1]}) if it is in the middle; assuming {PLIES} plies per game."
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
    return entrant.kind.is_instant or entrant.thinking.think is not None


def _guess(plan: Plan, entrant: PlayerSpec) -> float:
    """Return the seconds that an entrant thinks about a move."""
    moves = PLIES / plan.terms.players
    limits = [] if plan.terms.move_time is None else [plan.terms.move_time]
    clock = entrant.clock or plan.terms.clock
    if clock is not None:
        limits.append(clock.seconds / moves + clock.increment)
    return min([entrant.thinking.think or THINKING, *limits])


def _at_once(plan: Plan, entrant: PlayerSpec) -> int:
    return min(entrant.games or plan.concurrency, plan.concurrency)


def _format_duration(seconds: float) -> str:
    if seconds < 9.5:
        return f"{seconds:.2g} s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"
