"""Whole tournaments without games: formats, given results that a test makes up."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from quoridor_net.tournament.formats import Bye, Field, Format, Meeting

#: More rounds than any format of these tests has.
MANY = 1000

Score = Callable[[tuple[int, ...]], tuple[float, ...]]


def played(
    form: Format,
    entrants: int,
    score: Score,
    *,
    withdrawn: Mapping[int, int] | None = None,
    joined: Mapping[int, int] | None = None,
) -> Field:
    """Return everything that was played when the format has no more rounds.

    Args:
        form: the format.
        entrants: how many there are in the end.
        score: gives the points of a game by its seats.
        withdrawn: the first round without an entrant, by entrant.
        joined: the first round with a late entrant, by entrant; those are the last ones.
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
        assert made == form.next_round(field)
        if made is None:
            return field
        assert len(made.games) == len(made.pairs)
        for seats, pair in zip(made.games, made.pairs, strict=True):
            assert len(set(seats)) == len(seats)
            assert field.withdrawn.keys().isdisjoint(seats)
            assert max(seats) <= field.entrants
            meetings.append(Meeting(rounds + 1, seats, score(seats), pair))
        byes += [Bye(rounds + 1, entrant) for entrant in made.byes]
    raise AssertionError("it never ends")
