"""Blind spots: the shipped positions, their mining, and the measurement."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.engine_blind_spots import (
    HALVES,
    SHIPPED,
    Spot,
    is_decided,
    main,
    measure,
    read_spots,
    write_spots,
)
from quoridor_net.engine import Engine
from quoridor_net.notation.standard import parse_move
from quoridor_net.rules import Position

compiled = pytest.mark.compiled("engine")


def run(*arguments: object) -> str:
    done = CliRunner().invoke(main, [str(each) for each in arguments])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_recorded_answers_are_legal_and_the_halves_share_no_game() -> None:
    spots = read_spots(SHIPPED)
    for spot in spots:
        assert Position.from_line(spot.position).is_legal(parse_move(spot.move)), spot
        assert 0 <= spot.chance <= 1, spot
        assert spot.half == ("named" if spot.game == 0 else HALVES[spot.game % 2]), spot
    assert len({spot.position for spot in spots}) == len(spots)


def test_rows_are_appended_and_read_back(tmp_path: Path) -> None:
    file = tmp_path / "spots.csv"
    assert read_spots(file) == []
    spots = [Spot("tuning", game, Position().to_line(), "e2", 0.525) for game in (2, 4)]
    for spot in spots:
        write_spots(file, [spot])
    assert read_spots(file) == spots


@pytest.mark.parametrize(
    ("short", "long", "decided"),
    [(0.95, 0.99, True), (0.05, 0.01, True), (0.95, 0.05, False), (0.95, 0.8, False), (0.5, 0.5, False)],
)
def test_a_position_is_decided_if_both_searches_agree_on_the_winner(
    short: float, long: float, decided: bool
) -> None:
    assert is_decided(short, long) is decided


@compiled
def test_an_interrupted_run_mines_the_same_positions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.engine_blind_spots.PLAYED_NODES", 100)
    monkeypatch.setattr("benchmarks.engine_blind_spots.SHORT_NODES", 100)
    whole, parts = tmp_path / "whole.csv", tmp_path / "parts.csv"
    options = ("--nodes", 300, "--seed", 2)
    run("mine", "--file", whole, "--games", 4, *options)
    for games in (1, 4):
        output = run("mine", "--file", parts, "--games", games, *options)
    assert "game 1:" not in output
    assert whole.read_text() == parts.read_text()
    assert {spot.half for spot in read_spots(whole)} == {"named", *HALVES}


@compiled
def test_the_table_compares_each_half_with_the_long_search(tmp_path: Path) -> None:
    file = tmp_path / "spots.csv"
    start = Position().to_line()
    write_spots(file, [Spot("tuning", 2, start, "a1h", 0.5), Spot("held-out", 1, start, "e2", 1.0)])
    rows = run("measure", "--file", file, "--nodes", "300,600").splitlines()[-4:]
    assert [row.split()[:2] for row in rows] == [
        ["tuning", "300"],
        ["tuning", "600"],
        ["held-out", "300"],
        ["held-out", "600"],
    ]
    assert [row.split()[-3:] for row in rows[::2]] == [["1", "100.0%", "0.0%"], ["1", "0.0%", "100.0%"]]


@compiled
def test_each_position_is_searched_from_nothing() -> None:
    spot = Spot("tuning", 2, Position().to_line(), "e2", 0.5)
    [one, two] = measure(Engine(table_mb=8), [spot, spot], 300)
    assert (one.is_other_move, one.is_misjudged) == (two.is_other_move, two.is_misjudged)


@pytest.mark.parametrize("nodes", ["0", "x", "100,", "-5"])
def test_wrong_node_limits_are_refused(nodes: str) -> None:
    done = CliRunner().invoke(main, ["measure", "--nodes", nodes])
    assert done.exit_code == 2
    assert "is not a list of node limits" in done.output


def test_an_empty_file_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.engine_blind_spots.warm_up", lambda: None)
    done = CliRunner().invoke(main, ["measure", "--file", str(tmp_path / "none.csv")])
    assert done.exit_code == 1
    assert "has no positions. Run the command mine first." in done.output
