"""The results of a tournament follow its format."""

from __future__ import annotations

import json

import pytest
from attrs import evolve

from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament import (
    Crosstable,
    EntrantReturned,
    EntrantWithdrawn,
    Pairing,
    RoundPaired,
    TournamentEnded,
    TournamentStarted,
    TournamentState,
)
from quoridor_net.tournament.quoridor.plan import Plan, format_of
from quoridor_net.tournament.results import Document, Results, rate_entrants
from quoridor_net.tournament.sprt import Sprt
from quoridor_net.tournament.standings import EloDifference
from tests.support.tournament_events import end_game, state_after

NAMES = ("ann", "bob", "cid", "dan")


def table_of(state: TournamentState) -> Crosstable:
    return Results.of(state, format_of(state)).table


def document(state: TournamentState) -> Document:
    return Results.of(state, format_of(state), ratings=rate_entrants(state)).document()


def play_plan(plan: Plan, entrants: int = 4) -> TournamentState:
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
            state.apply(end_game(pairing.number, Result(winner, Termination.GOAL, "It won.", 20)))
    return state


@pytest.mark.parametrize("form", ["round-robin", "gauntlet", "swiss", "knockout"])
def test_the_best_entrant_is_first(form: str) -> None:
    table = table_of(play_plan(Plan(form)))
    assert table.rows[0].name == "ann"
    assert table.rows[0].rank == 1


def test_a_knockout_has_its_own_places() -> None:
    rows = table_of(play_plan(Plan("knockout", games=1))).rows
    # A loser of the first stage can still take the third place.
    assert [(row.rank, row.name) for row in rows] == [(1, "ann"), (2, "bob"), (3, "cid"), (4, "dan")]


def test_byes_score_a_point() -> None:
    rows = table_of(play_plan(Plan("swiss", rounds=1, games=1), entrants=3)).rows
    assert sorted((row.points, row.byes) for row in rows) == [(0, 0), (1, 0), (1, 1)]


def test_the_document_is_complete() -> None:
    found = document(play_plan(Plan(games=2)))
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert [entrant["name"] for entrant in found["entrants"]] == list(NAMES)
    assert found["entrants"][0]["elo"]["high"] is None
    assert found["entrants"][0]["elo"]["value"] > found["entrants"][3]["elo"]["value"]
    assert found["games"][0] == {
        "number": 1, "round": 1, "seats": ["ann", "dan"], "points": [1.0, 0.0],
        "termination": "goal", "plies": 20, "sentence": "It won.", "pair": 4, "opening": None,
        "counted": True, "left": [], "status": "finished",
    }  # fmt: skip
    assert (found["finished"], found["sprt"], len(found["groups"])) == (False, None, 1)


def test_the_document_has_the_tie_breaks() -> None:
    state = play_plan(Plan("swiss", rounds=1, games=1), entrants=3)
    state.apply(EntrantWithdrawn(2))
    entrants = {entrant["name"]: entrant for entrant in document(state)["entrants"]}
    assert {name: entrant["withdrawn"] for name, entrant in entrants.items()} == {
        "ann": False, "bob": True, "cid": False,
    }  # fmt: skip
    assert all(
        {"buchholz", "sonneborn_berger", "head_to_head"} <= entrant.keys() for entrant in entrants.values()
    )
    assert "buchholz" not in document(play_plan(Plan()))["entrants"][0]


def leave_after(form: str, games: int) -> TournamentState:
    """Return a tournament that "bob" leaves after this many of its six games."""
    plan = Plan(form, games=2)
    state = state_after([TournamentStarted("quoridor", NAMES, plan.settings())])
    while (made := plan.format.next_round(state.field())) is not None:
        pairings = tuple(
            Pairing(state.last_game + at, state.rounds + 1, each) for at, each in enumerate(made.games, 1)
        )
        state.apply(RoundPaired(state.rounds + 1, pairings))
    own = [pairing for pairing in state.pending if 2 in pairing.seats]
    for pairing in own[:games]:
        state.apply(
            end_game(pairing.number, Result(pairing.seats.index(2) + 1, Termination.GOAL, "It won.", 20))
        )
    state.apply(EntrantWithdrawn(2))
    return state


def test_games_of_an_entrant_that_left_early_do_not_count() -> None:
    state = leave_after("round-robin", 2)
    table = table_of(state)
    *others, last = table.rows
    assert (last.name, last.has_left, last.is_counted) == ("bob", True, False)
    assert all((row.points, row.played, row.rank) == (0, 0, 1) for row in others)
    assert (last.points, last.played, last.rank) == (0, 0, 4)
    assert sum(len(table.cell(2, opponent)) for opponent in (1, 3, 4)) == 2
    found = document(state)
    assert found["entrants"][3]["left"] == {"round": 3, "played": 2, "games": 6, "counted": False}
    assert found["entrants"][0]["left"] is None
    assert [(game["counted"], game["left"]) for game in found["games"]] == 2 * [(False, ["bob"])]
    # They still count for its strength.
    assert found["entrants"][3]["elo"]["value"] > 0
    state.apply(EntrantReturned(2))
    assert table_of(state).rows[0].points == 2
    assert document(state)["games"][0]["counted"]


def test_games_of_an_entrant_that_left_late_count() -> None:
    table = table_of(leave_after("round-robin", 3))
    assert (table.rows[0].name, table.rows[0].points, table.rows[0].has_left) == ("bob", 3, True)
    assert all(row.is_counted for row in table.rows)
    assert sum(row.played for row in table.rows) == 6


def test_a_no_show_does_not_count_as_played() -> None:
    state = leave_after("round-robin", 2)
    state.apply(EntrantReturned(2))
    game = next(pairing for pairing in state.pending if 2 in pairing.seats)
    lost = Result(2 - game.seats.index(2), Termination.DISCONNECTED, "It did not come.", 0)
    state.apply(end_game(game.number, lost))
    assert state.games_of(2) == (2, 6)


@pytest.mark.parametrize(("form", "is_counted"), [("gauntlet", False), ("swiss", True), ("knockout", True)])
def test_each_format_decides_whether_games_of_one_that_left_count(form: str, is_counted: bool) -> None:
    plan = Plan(form, rounds=2 if form == "swiss" else None, games=4)
    state = state_after([TournamentStarted("quoridor", NAMES, plan.settings())])
    made = plan.format.next_round(state.field())
    assert made is not None
    pairings = tuple(Pairing(game, 1, seats) for game, seats in enumerate(made.games, 1))
    state.apply(RoundPaired(1, pairings))
    entrant = max(pairings[0].seats)
    state.apply(end_game(1, Result(1, Termination.GOAL, "It won.", 20)))
    state.apply(EntrantWithdrawn(entrant))
    if form == "gauntlet":
        assert state.has_played_half(entrant)
        state.apply(RoundPaired(2, tuple(Pairing(4 + at, 2, seats) for at, seats in enumerate(made.games))))
        state.apply(RoundPaired(3, tuple(Pairing(7 + at, 3, seats) for at, seats in enumerate(made.games))))
    row = next(row for row in table_of(state).rows if row.entrant == entrant)
    assert row.is_counted == is_counted


def test_results_have_the_state_of_a_test() -> None:
    plan = Plan(games=100, sprt=Sprt(0.0, 50.0))
    state = play_plan(plan, entrants=2)
    verdict = Results.of(state, format_of(state)).verdict
    assert verdict is not None
    assert document(state)["sprt"]["decision"] == "accepted"
    assert len(state.decided) < 100
    state = play_plan(evolve(plan, sprt=None, games=2), entrants=2)
    assert Results.of(state, format_of(state)).verdict is None


def test_two_entrants_have_one_likelihood_of_superiority() -> None:
    found = document(play_plan(Plan(games=2), entrants=2))
    best, other = found["entrants"]
    assert (best["superiority"], other["superiority"]) == (round(found["duel"]["superiority"], 4), None)


@pytest.mark.parametrize("points", [[1, 1, 1, 0.5], [0, 0], [1, 1, 1], [0.5], [None, 1, 0, 1, 1], [None], []])
def test_two_entrants_have_one_difference(points: list[float | None]) -> None:
    state = state_after([TournamentStarted("quoridor", NAMES[:2], Plan().settings())])
    pairings = tuple(Pairing(game, 1, (1, 2)) for game in range(1, len(points) + 1))
    state.apply(RoundPaired(1, pairings))
    for pairing, score in zip(pairings, points, strict=True):
        winner = {1.0: 1, 0.0: 2}.get(0.5 if score is None else score)
        # A game lost by both does not count.
        termination = Termination.DISCONNECTED if score is None else Termination.GOAL
        if score == 0.5:
            termination = Termination.PLY_LIMIT
        state.apply(end_game(pairing.number, Result(winner, termination, "It ended.", 20)))
    results = Results.of(state, format_of(state), ratings=rate_entrants(state))
    assert results.score is not None
    duel = results.score.elo
    first, second = sorted(results.table.rows, key=lambda row: row.entrant)
    assert first.elo is not None
    assert second.elo is not None
    assert first.elo == EloDifference(*(each / 2 for each in (duel.value, duel.low, duel.high)))
    assert second.elo == EloDifference(*(-each / 2 for each in (duel.value, duel.high, duel.low)))
    assert first.rated == second.rated == len([each for each in points if each is not None])
    stronger, weaker = (first, second) if duel.value >= 0 else (second, first)
    expected = results.score.superiority
    assert (stronger.superiority, weaker.superiority) == (
        expected if stronger is first else 1 - expected,
        None,
    )


def test_scores_with_and_without_the_first_move_add_up() -> None:
    for row in document(play_plan(Plan(games=2)))["entrants"]:
        parts = [row["as_first"], row["as_later"]]
        assert sum(part["played"] for part in parts) == row["played"] == 2 * parts[0]["played"]
        assert sum(part["points"] for part in parts) == row["points"]


def winner_of(state: TournamentState) -> str | None:
    state.apply(TournamentEnded())
    return Results.of(state, format_of(state)).winner


def test_the_final_decides_a_knockout() -> None:
    # An entrant that loses a game on its way can have more points than the winner.
    assert winner_of(play_plan(Plan("knockout", games=1))) == "ann wins the final and the tournament."


@pytest.mark.parametrize("games", [0, 1])
def test_a_gauntlet_whose_first_entrant_left_early_has_no_winner(games: int) -> None:
    plan = Plan("gauntlet", games=2)
    state = state_after([TournamentStarted("quoridor", NAMES, plan.settings())])
    made = plan.format.next_round(state.field())
    assert made is not None
    pairings = tuple(Pairing(number, 1, seats) for number, seats in enumerate(made.games, 1))
    state.apply(RoundPaired(1, pairings))
    for number in range(1, games + 1):
        state.apply(end_game(number, Result(1, Termination.GOAL, "It won.", 20)))
    state.apply(EntrantWithdrawn(1))
    assert winner_of(state) == "Nobody wins the tournament: ann left early, and no other games count."


def test_byes_alone_make_no_winner() -> None:
    plan = Plan("swiss", rounds=1, games=1)
    state = state_after([TournamentStarted("quoridor", NAMES[:2], plan.settings())])
    state.apply(RoundPaired(1, (), (1,), (2,)))
    assert winner_of(state) == "Nobody wins the tournament: no games were played."


def test_the_winner_is_named_once_all_games_are_played() -> None:

    state = play_plan(Plan(games=2))
    assert Results.of(state, format_of(state)).winner is None
    state.apply(TournamentEnded())
    results = Results.of(state, format_of(state))
    assert results.winner == "ann wins the tournament with 6 points."
    assert results.facts[0] == results.winner
    shared = state_after([TournamentStarted("quoridor", NAMES[:2], Plan(games=1).settings())])
    shared.apply(RoundPaired(1, (Pairing(1, 1, (1, 2), 1),)))
    shared.apply(end_game(1, Result(None, Termination.PLY_LIMIT, "Drawn.", 20)))
    shared.apply(TournamentEnded())
    assert Results.of(shared, format_of(shared)).winner == "ann, bob share first place with ½ points."


def test_nothing_is_said_about_the_first_move_if_it_is_unknown() -> None:
    state = play_plan(Plan(games=4))
    results = Results.of(state, format_of(state), ratings=rate_entrants(state))
    assert not any("first move" in fact for fact in results.facts)
    first_move = results.document()["first_move"]
    assert (first_move["low"], first_move["high"]) == (None, None)


def test_an_open_end_of_the_value_of_the_first_move_is_called_open() -> None:
    state = play_plan(Plan(), entrants=2)
    # The second game goes to bob, who has the first move.
    state.decided[2] = evolve(state.decided[2], winner=1)
    (fact,) = (
        fact
        for fact in Results.of(state, format_of(state), ratings=rate_entrants(state)).facts
        if "first move" in fact
    )
    assert fact.endswith(" to open).")
