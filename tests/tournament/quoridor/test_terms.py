"""The opening of a game and the seeds of its players depend only on its number."""

from __future__ import annotations

import pytest
from attrs import evolve

from quoridor_net.players.spec import parse_spec
from quoridor_net.tournament import Pairing
from quoridor_net.tournament.quoridor.openings import parse_openings, read_balanced_openings
from quoridor_net.tournament.quoridor.terms import GameTerms

OPENINGS = tuple(opening for _, opening in parse_openings(read_balanced_openings(), GameTerms().start())[:5])
TERMS = GameTerms(openings=OPENINGS, seed=7)


def test_the_games_of_a_pair_have_one_opening() -> None:
    there, back = Pairing(1, 1, (1, 2), 1), Pairing(2, 2, (2, 1), 1)
    assert TERMS.position(there) == TERMS.position(back)
    assert TERMS.position(there).ply == len(TERMS.opening(there)) > 0


def test_all_openings_come_once_before_one_comes_again() -> None:
    chosen = [TERMS.opening(Pairing(number, 1, (1, 2), number)) for number in range(1, 11)]
    assert sorted(chosen[:5], key=OPENINGS.index) == list(OPENINGS)
    assert chosen[5:] == chosen[:5]
    # A single game has an opening by its own number.
    assert TERMS.opening(Pairing(3, 1, (1, 2))) == chosen[2]


def test_the_seed_orders_the_openings_and_seeds_the_players() -> None:
    pairings = [Pairing(number, 1, (1, 2), number) for number in range(1, 6)]
    orders = {tuple(map(evolve(TERMS, seed=seed).opening, pairings)) for seed in range(20)}
    assert len(orders) > 10
    seeds = {TERMS.seed_of(pairing, seat) for pairing in pairings for seat in (1, 2)}
    assert len(seeds) == 10
    assert TERMS.seed_of(pairings[0], 1) == evolve(TERMS).seed_of(pairings[0], 1)
    assert evolve(TERMS, seed=None).seed_of(pairings[0], 1) is None


def test_games_without_openings_start_as_usual() -> None:
    terms = GameTerms(size=7, walls=3)
    assert terms.position(Pairing(1, 1, (1, 2))) == terms.start()
    assert (terms.start().size, terms.start().walls_left(1)) == (7, 3)


def test_a_server_on_this_machine_is_one_by_any_name() -> None:
    entrants = tuple(map(parse_spec, ("localhost:1", "a=127.0.0.1:1", "b=[::1]:1", "c=[::1]:2")))
    with pytest.raises(ValueError, match=r"address of a, b,.*localhost:1,games=3 for"):
        GameTerms().check(entrants)
    GameTerms().check(entrants[2:])


@pytest.mark.parametrize(
    ("texts", "refused"),
    [
        (("h:1", "h:2"), False),
        (("h:1", "b=h:1"), True),
        (("h:1,games=2", "h:1"), True),
        (("h:1,games=2", "b=h:1,games=2"), False),
        (("h:1,games=2", "b=H:1"), True),
        (("simple", "simple"), False),
    ],
)
def test_a_server_is_given_as_often_as_it_plays_games_at_once(texts: tuple[str, ...], refused: bool) -> None:
    entrants = tuple(map(parse_spec, texts))
    if not refused:
        GameTerms().check(entrants)
        return
    with pytest.raises(ValueError, match=r"(?i)h:1 is .*: write h:1,games=2 "):
        GameTerms().check(entrants)
