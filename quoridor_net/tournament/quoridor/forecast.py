"""What a tournament will be like, before it is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from quoridor_net.players.spec import PlayerSpec
from quoridor_net.tournament.formats import Field, Format, Meeting, Round
from quoridor_net.tournament.quoridor.plan import Plan

#: Plies of a usual game; between engines they are some 60 to 80, in a class fewer.
PLIES = 60

#: Seconds that a move server or a program usually thinks about a move, if it may.
THINKING = 1.0

#: The same of the players that need no time.
AT_ONCE = 0.0005

#: Games of the schedule that are listed.
LISTED = 12

#: Most games of a schedule.
MAX_GAMES = 10**6


def forecast(plan: Plan, entrants: Sequence[PlayerSpec]) -> list[str]:
    """Return lines for people: one about number and duration of the games, then the first games.

    Raises:
        ValueError: there are more games than :data:`MAX_GAMES`.
    """
    names = [entrant.name or entrant.address for entrant in entrants]
    if plan.sprt is not None:
        return [f"At most {plan.games} games between {' and '.join(names)}, until the test is decided."]
    form = plan.format
    rounds = list(islice(_schedule(form, len(entrants)), MAX_GAMES + 1))
    schedule = [seats for _, seats in rounds]
    if len(schedule) > MAX_GAMES:
        raise ValueError(f"that makes more than {MAX_GAMES} games: give fewer games or rounds")
    seconds = sum(_seconds(plan, entrants[entrant - 1]) for seats in schedule for entrant in seats)
    # Entrants at one server share it.
    places = [entrant.server or number for number, entrant in enumerate(entrants, 1)]
    games = Counter(places[entrant - 1] for seats in schedule for entrant in seats)
    # Neither the machine nor the busiest entrant plays more at once.
    busiest = max(
        games[place] / _at_once(plan, entrant) for place, entrant in zip(places, entrants, strict=True)
    )
    slots = max(len(schedule) / plan.concurrency, busiest)
    expected = seconds / max(len(schedule), 1) * slots
    count = f"{len(schedule)} game{'s' * (len(schedule) != 1)}"
    sizes = f"{count} of {len(entrants)} entrants, {plan.concurrency} at once"
    usual = f"if games have {PLIES} plies and moves take their usual time"
    lines = [f"{sizes}: about {_duration(expected)}, {usual}."]
    known = [seats for number, seats in rounds if number == 1 or not form.needs_results]
    for number, seats in enumerate(known[:LISTED], 1):
        lines.append(f"game {number}: {' - '.join(names[entrant - 1] for entrant in seats)}")
    more = len(schedule) - min(len(known), LISTED)
    if more:
        by_results = ", of which those after round 1 are paired by the results"
        lines.append(
            f"and {more} more game{'s' * (more != 1)}{by_results if len(known) < len(schedule) else ''}"
        )
    return lines


def _schedule(form: Format, entrants: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield round and seats of all games; where results decide, as if the lower number always won."""
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
    """Return how long an entrant thinks in a game."""
    if entrant.kind.is_instant:
        return PLIES / plan.terms.players * AT_ONCE
    most = plan.terms.move_time
    usual = entrant.thinking.think or THINKING
    return PLIES / plan.terms.players * (usual if most is None else min(usual, most))


def _at_once(plan: Plan, entrant: PlayerSpec) -> int:
    return min(entrant.games or plan.concurrency, plan.concurrency)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"
