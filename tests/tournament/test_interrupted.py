"""A tournament interrupted between any two writes ends like an undisturbed one, in every table and move."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trio
from attrs import evolve

from quoridor_net.clocks import GameClock
from quoridor_net.players.spec import parse_spec
from quoridor_net.rules import Position
from quoridor_net.tournament.journal import Journal, read_journal
from quoridor_net.tournament.journal.errors import NotBegunError
from quoridor_net.tournament.quoridor.archive import read_games, verify
from quoridor_net.tournament.quoridor.manager import Manager
from quoridor_net.tournament.quoridor.openings import parse_openings
from quoridor_net.tournament.quoridor.plan import Plan, format_of
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.tournament.results import Results
from quoridor_net.tournament.sprt import Sprt
from quoridor_net.tournament.state import TournamentState

OPENINGS = tuple(opening for _, opening in parse_openings("e2 e8\ne2 d9\nd1 e8 d2\n", Position()))
SMALL = GameTerms(size=5, seed=11, ply_limit=60)
FIELD = ("simple", "random", "ann=random", "bob=simple", "cid=random")

PLANS = {
    "round-robin": (Plan("round-robin", games=2, terms=SMALL, concurrency=3), 4),
    "gauntlet": (Plan("gauntlet", games=3, terms=SMALL), 4),
    "swiss": (Plan("swiss", rounds=3, games=3, terms=SMALL, concurrency=2), 5),
    "wishes": (
        Plan(
            "swiss",
            rounds=4,
            games=1,
            terms=evolve(SMALL, clock=GameClock(60, 1), first_move_time=90.0, repetition=2),
            concurrency=2,
            rests=((2, 1), (5, 3)),
            apart=((1, 3), (2, 4)),
            pairings="1: 4-1",
        ),
        5,
    ),
    "knockout": (Plan("knockout", games=1, terms=SMALL, concurrency=2), 5),
    "four-player": (Plan("four-player", rounds=9, terms=GameTerms(5, 4, 2, seed=4, ply_limit=99)), 5),
    "openings": (Plan("round-robin", games=9, terms=GameTerms(seed=3, openings=OPENINGS), concurrency=2), 2),
    "sprt": (Plan("round-robin", games=60, terms=SMALL, concurrency=3, sprt=Sprt(0.0, 190.0)), 2),
}

#: Sizes of the header of the log, of the header of a page in it, and of a page, in bytes.
LOG, FRAME, PAGE = 32, 24, 4096


def play(path: Path, plan: Plan, entrants: int) -> tuple[bytes, bytes]:
    """Play a tournament; return the file and the log of all later writes, page by page."""
    journal = Journal.create(path)
    with journal:
        journal._connection.execute("PRAGMA wal_autocheckpoint = 0")
        field = tuple(map(parse_spec, FIELD[:entrants]))
        assert trio.run(Manager(journal, TournamentState(), plan, field).run, [])
        return path.read_bytes(), path.with_name(f"{path.name}-wal").read_bytes()


def resume(path: Path) -> None:
    """Play the remaining games."""
    journal, state = Journal.resume(path)
    with journal:
        if not state.is_over:
            assert trio.run(Manager(journal, state, Plan.of(state.settings)).run, [])


def read_contents(path: Path) -> Any:
    """Return everything in the journal about the tournament, except times."""
    assert verify(path) == []
    state = read_journal(path)
    moves = [[move[:2] for move in game.moves] for game in read_games(path, state)]
    document = Results.of(state, format_of(state)).document()
    for entrant in document["entrants"]:
        # Times differ between runs.
        del entrant["average_time"], entrant["longest_time"]
    return document, moves, state.pending


def transactions(log: bytes) -> Iterator[int]:
    """Yield the lengths of the log after each complete transaction."""
    for start in range(LOG, len(log), FRAME + PAGE):
        (pages,) = struct.unpack_from(">I", log, start + 4)
        if pages:
            yield start + FRAME + PAGE


def create_leftovers(path: Path, data: bytes, log: bytes) -> None:
    """Create the files that a killed program leaves behind."""
    for name in path.parent.glob(f"{path.name}*"):
        name.unlink()
    path.write_bytes(data)
    path.with_name(f"{path.name}-wal").write_bytes(log)


def read_if_begun(path: Path) -> dict[str, Any] | None:
    """Return the contents of a journal; None before the start of the tournament."""
    try:
        return vars(read_journal(path))
    except NotBegunError:
        return None


def check(form: str, folder: Path, at_most: int | None = None) -> None:
    """Cut a tournament off after each transaction, or after ``at_most`` of them, and play it to its end."""
    whole, path = folder / "whole.db", folder / "cut.db"
    data, log = play(whole, *PLANS[form])
    expected = read_contents(whole)
    ends = list(transactions(log))
    assert len(ends) >= 9
    step = 1 if at_most is None else -(-len(ends) // at_most)
    for end in ends[::step]:
        create_leftovers(path, data, log[:end])
        if read_if_begun(path) is not None:
            resume(path)
            assert read_contents(path) == expected


@pytest.mark.parametrize("form", PLANS)
def test_a_tournament_cut_off_between_two_transactions_is_resumed(form: str, tmp_path: Path) -> None:
    check(form, tmp_path, at_most=4)


@pytest.mark.slow
@pytest.mark.parametrize("form", PLANS)
def test_a_tournament_cut_off_between_any_two_transactions_is_resumed(form: str, tmp_path: Path) -> None:
    check(form, tmp_path)


def test_a_tournament_cut_off_within_a_transaction_is_resumed(tmp_path: Path) -> None:
    """An incomplete transaction has no effect."""
    data, log = play(tmp_path / "whole.db", *PLANS["gauntlet"])
    path = tmp_path / "cut.db"
    before = None
    ends = set(transactions(log))
    for start in range(LOG, len(log), FRAME + PAGE):
        for length in (start, start + FRAME + PAGE // 2):
            create_leftovers(path, data, log[:length])
            found = read_if_begun(path)
            assert start in ends or found == before
            before = found
