"""The schedule of a tournament to print: results, and the expected times of games still to be played."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence

from quoridor_net.players.spec import PlayerSpec, parse_spec
from quoridor_net.tournament.columns import format_points
from quoridor_net.tournament.quoridor.forecast import thinking_time
from quoridor_net.tournament.quoridor.plan import Plan
from quoridor_net.tournament.schedule import Pairing
from quoridor_net.tournament.standings import points_of
from quoridor_net.tournament.state import TournamentState


def format_schedule(state: TournamentState, plan: Plan, now: dt.datetime) -> list[str]:
    """Return lines to print: the title, and every round with its games, byes, results and expected times.

    Args:
        state: of the tournament.
        plan: its settings.
        now: the local time; the remaining games are expected from then on.
    """
    specs = [parse_spec(address) for address in state.addresses]
    starts, end = _expect_starts(state, plan, specs)
    width = len(str(state.last_game))
    lines = [plan.title] if plan.title else []
    for number in range(1, state.rounds + 1):
        lines += ["", f"Round {number}"] if lines else [f"Round {number}"]
        for game in range(1, state.last_game + 1):
            pairing = state.pairing(game)
            if pairing.round == number:
                names = " - ".join(state.entrants[entrant - 1] for entrant in pairing.seats)
                lines.append(f"{game:>{width + 2}}  {_tell(state, pairing, starts, now):<8}  {names}")
        # One for each game of a meeting.
        for bye, count in Counter(bye for bye in state.byes if bye.round == number).items():
            points = format_points(bye.points * count)
            lines.append(f"{'-':>{width + 2}}  {points:<8}  {state.entrants[bye.entrant - 1]} has a bye")
    lines += [""] if lines else []
    unpaired = plan.format.count_unpaired(state.field())
    if unpaired is None:
        return [*lines, "A test decides how many games follow."]
    if unpaired:
        lines.append(f"Results decide the pairings of about {unpaired} more games.")
    if starts or unpaired:
        end += unpaired * _expect_length(state, plan, specs) / plan.concurrency
        lines.append(f"Expected end: {_format_time(now, end)}.")
    return lines


def _tell(state: TournamentState, pairing: Pairing, starts: dict[int, float], now: dt.datetime) -> str:
    """Return the result of a game, or when it starts."""
    result = state.decided.get(pairing.number)
    if result is not None:
        return ":".join(format_points(points) for points in points_of(pairing, result))
    if pairing.number in state.running:
        return "running"
    start = starts.get(pairing.number)
    return "-" if start is None else _format_time(now, start)


def _format_time(now: dt.datetime, seconds: float) -> str:
    """Return a time of day, with the date unless it is today."""
    at = now + dt.timedelta(seconds=seconds)
    return f"{at:%H:%M}" if at.date() == now.date() else f"{at:%m-%d %H:%M}"


def _expect_length(state: TournamentState, plan: Plan, specs: Sequence[PlayerSpec]) -> float:
    """Return the expected duration of a game in seconds: the mean so far, or else a typical one."""
    if state.played:
        return sum(times.seconds for times in state.times.values()) / state.played
    return sum(thinking_time(plan, spec) for spec in specs) / len(specs) * plan.terms.players


def _expect_starts(
    state: TournamentState, plan: Plan, specs: Sequence[PlayerSpec]
) -> tuple[dict[int, float], float]:
    """Return when each game that waits is expected to start, in seconds, and the end of the last of them."""
    length = _expect_length(state, plan, specs)
    # When each of the places of the machine and of each entrant is free.
    machine = [0.0] * plan.concurrency
    free = {
        number: [0.0] * min(spec.games or plan.concurrency, plan.concurrency)
        for number, spec in enumerate(specs, 1)
    }
    starts: dict[int, float] = {}
    ends = [0.0]
    order = sorted(state.pending, key=lambda pairing: (pairing.number not in state.running, pairing.number))
    for pairing in order:
        places = [machine, *(free[entrant] for entrant in pairing.seats)]
        start = max(min(place) for place in places)
        for place in places:
            place[place.index(min(place))] = start + length
        ends.append(start + length)
        if pairing.number not in state.running:
            starts[pairing.number] = start
    return starts, max(ends)
