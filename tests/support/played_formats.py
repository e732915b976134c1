"""Whole tournaments without games: formats with results invented by a test."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from quoridor_net.tournament.formats import Bye, Field, Format, Meeting

#: More rounds than any format of these tests has.
MANY = 1000

Score = Callable[[tuple[int, ...]], tuple[float, ...]]


def play_format(
    form: Format,
    entrants: int,
    score: Score,
    *,
    withdrawn: Mapping[int, int] | None = None,
    joined: Mapping[int, int] | None = None,
) -> Field:
    """Play all rounds of a format, and return the final field.

    Args:
        form: the format.
        entrants: number of entrants in the end.
        score: returns the points of a game by its seats.
        withdrawn: the first round without an entrant, by entrant.
        joined: the first round of each late entrant, by entrant; late entrants have the last numbers.
    """
    withdrawn, joined = withdrawn or {}, joined or {}
    meetings: list[Meeting] = []
    byes: list[Bye] = []
    for rounds in range(MANY):
        field = Field(
            entrants - sum(first > rounds + 1 for first in joined.values()),
            {entrant: first for entrant, first in joined.items() if first <= rounds + 1},
            {entrant: first for entrant, first in withdrawn.items() if first <= rounds + 1},
            tuple(meetings),
            tuple(byes),
            rounds,
        )
        made = form.next_round(field)
        # Pairing takes long, so not every round is paired again.
        assert rounds % 3 or made == form.next_round(field)
        if made is None:
            return field
        assert len(made.games) == len(made.pairs)
        for seats, pair in zip(made.games, made.pairs, strict=True):
            assert len(set(seats)) == len(seats)
            assert field.withdrawn.keys().isdisjoint(seats)
            assert max(seats) <= field.entrants
            meetings.append(Meeting(rounds + 1, seats, score(seats), pair))
        byes += [Bye(rounds + 1, entrant) for entrant in made.byes]
        byes += [Bye(rounds + 1, entrant, 0.5) for entrant in made.half_byes]
    raise AssertionError("it never ends")
