"""Invented tournament events for tests."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import trio

from quoridor_net.match import GameEnded, GameStarted, MoveMade
from quoridor_net.moves import Square, Step
from quoridor_net.outcome import Result
from quoridor_net.rules import Position
from quoridor_net.tournament import (
    Event,
    GameEvent,
    Journal,
    Pairing,
    RoundPaired,
    TournamentStarted,
    TournamentState,
)
from quoridor_net.tournament.formats import Format, RoundRobin

NAMES = ("ann", "bob")


def start_game(game: int) -> GameEvent:
    """Return the start of a game."""
    return GameEvent(game, GameStarted(NAMES, Position(), 30.0, 1000))


def make_move(game: int, player: int = 1, ply: int = 1) -> GameEvent:
    """Return a move."""
    return GameEvent(game, MoveMade(player, Step(Square(4, 1)), ply, 0.25, Position(), left=9.75, score=35))


def end_game(game: int, result: Result) -> GameEvent:
    """Return the end of a game."""
    return GameEvent(game, GameEnded(result, NAMES, Position()))


def state_after(events: Iterable[Event]) -> TournamentState:
    """Return the state after events."""
    state = TournamentState()
    for event in events:
        state.apply(event)
    return state


def pair_all(form: Format, entrants: int) -> list[Event]:
    """Return all rounds of a format that needs no results."""
    state = state_after([TournamentStarted("hex", tuple(f"e{number}" for number in range(entrants)))])
    rounds: list[Event] = []
    while (made := form.next_round(state.field())) is not None:
        number = state.rounds + 1
        seats = zip(made.games, made.pairs, strict=True)
        pairings = tuple(
            Pairing(game, number, each, pair) for game, (each, pair) in enumerate(seats, state.last_game + 1)
        )
        rounds.append(RoundPaired(number, pairings, made.byes))
        state.apply(rounds[-1])
    return rounds


def round_robin(entrants: int, games: int) -> tuple[Pairing, ...]:
    """Return the games of a round robin."""
    return tuple(
        pairing
        for made in pair_all(RoundRobin(games), entrants)
        if isinstance(made, RoundPaired)
        for pairing in made.pairings
    )


def write_journal(path: Path, *events: Event) -> None:
    """Write a journal with these events."""

    async def write() -> None:
        with Journal.create(path) as journal:
            for event in events:
                journal.append(event)
            await journal.flush()

    trio.run(write)
