"""The settings of a series determine its games, openings and limits."""

from __future__ import annotations

import os

import pytest
from attrs import evolve

from client.referee.games import Side
from client.referee.settings import RefereeSettings
from quoridor_net.clocks import GameClock
from quoridor_net.notation.standard import parse_move
from quoridor_net.programs.address import parse_address
from quoridor_net.system import command_line
from quoridor_net.tournament import Pairing, RoundPaired
from quoridor_net.tournament.formats import Series
from tests.support.engine_programs import sloppy
from tests.support.tournament_events import pair_all


def pairings(settings: RefereeSettings) -> list[Pairing]:
    """Return the games of a series."""
    rounds = pair_all(Series(settings.games, settings.swap), 2)
    return [pairing for made in rounds if isinstance(made, RoundPaired) for pairing in made.pairings]


def blacks(settings: RefereeSettings) -> list[int]:
    """Return the side that moves first in each game."""
    return [pairing.seats[0] for pairing in pairings(settings)]


class TestPlans:
    def settings(self, **settings: object) -> RefereeSettings:
        return RefereeSettings(sloppy("a"), sloppy("b"), **settings)  # type: ignore[arg-type]

    def test_colours_stay_without_swap(self) -> None:
        assert blacks(self.settings(games=3)) == [Side.BLACK] * 3
        assert blacks(self.settings(games=3, swap=True)) == [Side.BLACK, Side.WHITE, Side.BLACK]

    def test_openings_come_in_turn_and_in_pairs_when_swapped(self) -> None:
        openings = ((3, (parse_move("e2"),)), (5, (parse_move("d1"),)))
        for swap, expected in ((False, [3, 5, 3, 5, 3]), (True, [3, 3, 5, 5, 3])):
            settings = self.settings(games=5, openings=openings, swap=swap)
            assert [settings.opening(pairing)[0] for pairing in pairings(settings)] == expected


@pytest.mark.parametrize(
    ("seeds", "white", "black", "seeding"),
    [
        ((None, None), "white", "black", "--no-seed"),
        ((7, 7), "white", "black", "--seed 7"),
        ((7, 8), "white -seed 8", "black -seed 7", "--no-seed"),
        # A program that was not started has none.
        ((None, 8), "white -seed 8", "black", "--no-seed"),
        ((7, 8), "tcp:host:1", "black -seed 7", "--no-seed"),
    ],
)
def test_a_game_is_repeated_with_the_seeds_of_its_programs(
    seeds: tuple[int | None, int | None], white: str, black: str, seeding: str
) -> None:
    first, second = (parse_address(text.partition(" ")[0]) for text in (white, black))
    settings = RefereeSettings(first, second)
    assert settings.repeat_command(pairings(settings)[0], seeds) == command_line(
        ["quoridor", "referee", "--white", white, "--black", black, *seeding.split()]
    )


def test_the_limit_of_processor_time_allows_for_all_games_of_a_process() -> None:
    settings = RefereeSettings(sloppy("a"), sloppy("b"), games=7, clock=GameClock(100), start_time=30)
    processors = os.cpu_count() or 1
    assert settings.engine(Side.WHITE).limits.cpu == 7 * (100 + 30 + 60) * processors
    restarting = evolve(settings, is_kept=False)
    assert restarting.engine(Side.WHITE).limits.cpu == (100 + 30 + 60) * processors
