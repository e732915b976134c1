"""The schedule and expected duration of a tournament, before it is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from quoridor_net.players.spec import PlayerSpec
from quoridor_net.tournament.formats import Field, Format, Meeting, Round
from quoridor_net.tournament.quoridor.plan import Plan

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
        return [f"Up to {plan.games} games between {' and '.join(names)}, until the test is decided."]
    form = plan.format
    rounds = list(islice(_schedule(form, len(entrants)), MAX_GAMES + 1))
    schedule = [seats for _, seats in rounds]
    if len(schedule) > MAX_GAMES:
        raise ValueError(f"the schedule has more than {MAX_GAMES} games: reduce --games or --rounds")
    seconds = sum(_seconds(plan, entrants[entrant - 1]) for seats in schedule for entrant in seats)
    # Entrants at one server share it.
    places = [entrant.server or number for number, entrant in enumerate(entrants, 1)]
    games = Counter(places[entrant - 1] for seats in schedule for entrant in seats)
    # Both the machine and the busiest entrant limit the games at once.
    busiest = max(
        games[place] / _at_once(plan, entrant) for place, entrant in zip(places, entrants, strict=True)
    )
    slots = max(len(schedule) / plan.concurrency, busiest)
    expected = seconds / max(len(schedule), 1) * slots
    count = f"{len(schedule)} game{'s' * (len(schedule) != 1)}"
    sizes = f"{count} of {len(entrants)} entrants, {plan.concurrency} at once"
    # Programs and move servers without a time of their own are usually faster.
    guesses = [_guess(plan, entrant) for entrant in entrants if not _is_known(entrant)]
    duration, usual = f"about {_format_duration(expected)}", f"assuming {PLIES} plies per game"
    if guesses:
        duration, usual = (
            f"up to {_format_duration(expected)}",
            f"{usual} and at most {max(guesses):g} s per move",
        )
    lines = [f"{sizes}: {duration}, {usual}."]
    known = [seats for number, seats in rounds if number == 1 or not form.needs_results]
    for number, seats in enumerate(known[:LISTED], 1):
        lines.append(f"game {number}: {' - '.join(names[entrant - 1] for entrant in seats)}")
    more = len(schedule) - min(len(known), LISTED)
    if more:
        by_results = "; after round 1, results decide the pairings"
        lines.append(
            f"and {more} more game{'s' * (more != 1)}{by_results if len(known) < len(schedule) else ''}"
        )
    return lines


def _schedule(form: Format, entrants: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield round and seats of all games; where results matter, the lower number is assumed to win."""
    meetings: list[Meeting] = []
    rounds = 0
    while True:
        made: Round | None = form.next_round(Field(entrants, meetings=meetings, rounds=rounds))
        if made is None:
            return
        rounds += 1
        for seats, pair in zip(made.games, made.pairs, strict=True):
            points = tuple(float(seat == min(seats)) for seat in seats)
            meetings.append(Meeting(rounds, seats, points, pair))
            yield rounds, seats


def _seconds(plan: Plan, entrant: PlayerSpec) -> float:
    """Return the seconds that an entrant thinks in a game."""
    if entrant.kind.is_instant:
        return PLIES / plan.terms.players * AT_ONCE
    return PLIES / plan.terms.players * _guess(plan, entrant)


def _is_known(entrant: PlayerSpec) -> bool:
    """Return whether the time of an entrant for a move is known rather than guessed."""
    return entrant.kind.is_instant or entrant.thinking.think is not None


def _guess(plan: Plan, entrant: PlayerSpec) -> float:
    """Return the seconds that an entrant thinks about a move."""
    most = plan.terms.move_time
    usual = entrant.thinking.think or THINKING
    return usual if most is None else min(usual, most)


def _at_once(plan: Plan, entrant: PlayerSpec) -> int:
    return min(entrant.games or plan.concurrency, plan.concurrency)


def _format_duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"
