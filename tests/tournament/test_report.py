"""What is shown of a tournament follows its format."""

from __future__ import annotations

import json

import pytest
from attrs import evolve

from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament import EntrantWithdrawn, Pairing, RoundPaired, TournamentStarted, TournamentState
from quoridor_net.tournament.plan import Plan
from quoridor_net.tournament.report import document, table_of, verdict_of
from tests.support.tournament_events import ended, state_after

NAMES = ("ann", "bob", "cid", "dan")


def played(plan: Plan, entrants: int = 4) -> TournamentState:
    """Return a tournament in which the entrant with the lower number always wins."""
    form = plan.format
    state = state_after([TournamentStarted("quoridor", NAMES[:entrants], plan.settings())])
    while (made := form.next_round(state.field())) is not None:
        seats = zip(made.games, made.pairs, strict=True)
        pairings = tuple(
            Pairing(game, state.rounds + 1, each, pair)
            for game, (each, pair) in enumerate(seats, state.last_game + 1)
        )
        state.apply(RoundPaired(state.rounds + 1, pairings, made.byes))
        for pairing in pairings:
            winner = pairing.seats.index(min(pairing.seats)) + 1
            state.apply(ended(pairing.number, Result(winner, Termination.GOAL, "It won.", 20)))
    return state


@pytest.mark.parametrize("form", ["round-robin", "gauntlet", "swiss", "knockout"])
def test_the_best_one_is_first(form: str) -> None:
    table = table_of(played(Plan(form)))
    assert table.rows[0].name == "ann"
    assert table.rows[0].rank == 1


def test_a_knockout_has_its_own_places() -> None:
    rows = table_of(played(Plan("knockout", games=1))).rows
    # The one that lost to the winner in the first stage took the third place all the same.
    assert [(row.rank, row.name) for row in rows] == [(1, "ann"), (2, "bob"), (3, "cid"), (4, "dan")]


def test_byes_count() -> None:
    rows = table_of(played(Plan("swiss", rounds=1, games=1), entrants=3)).rows
    assert sorted((row.points, row.byes) for row in rows) == [(0, 0), (1, 0), (1, 1)]


def test_the_document() -> None:
    found = document(played(Plan(games=2)))
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert [entrant["name"] for entrant in found["entrants"]] == list(NAMES)
    assert found["entrants"][0]["elo"]["high"] is None
    assert found["entrants"][0]["elo"]["value"] > found["entrants"][3]["elo"]["value"]
    assert found["games"][0] == {
        "number": 1, "round": 1, "seats": ["ann", "dan"], "points": [1.0, 0.0],
        "termination": "goal", "plies": 20, "sentence": "It won.",
    }  # fmt: skip
    assert (found["finished"], found["sprt"], len(found["groups"])) == (False, None, 1)


def test_the_document_has_what_separates_equal_entrants() -> None:
    state = played(Plan("swiss", rounds=1, games=1), entrants=3)
    state.apply(EntrantWithdrawn(2))
    entrants = {entrant["name"]: entrant for entrant in document(state)["entrants"]}
    assert {name: entrant["withdrawn"] for name, entrant in entrants.items()} == {
        "ann": False, "bob": True, "cid": False,
    }  # fmt: skip
    assert all(
        {"buchholz", "sonneborn_berger", "head_to_head"} <= entrant.keys() for entrant in entrants.values()
    )
    assert "buchholz" not in document(played(Plan()))["entrants"][0]


def test_the_state_of_a_test() -> None:
    plan = Plan(games=100, sprt=(0.0, 50.0))
    state = played(plan, entrants=2)
    verdict = verdict_of(state)
    assert verdict is not None
    assert document(state)["sprt"]["decision"] == "accepted"
    assert len(state.decided) < 100
    assert verdict_of(played(evolve(plan, sprt=None, games=2), entrants=2)) is None
