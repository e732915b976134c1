"""The engine log: both data files parse, and their figures are possible."""

from __future__ import annotations

import csv
import re
import tomllib
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

import benchmarks

FOLDER = Path(benchmarks.__file__).parent
MATCHES = FOLDER / "engine_log.csv"
MEASUREMENTS = FOLDER / "engine_log.toml"
FIELDS = (
    "row,recorded,topic,board,walls,change,against,budget,games,elo,elo_low,elo_high,"
    "pairs_won,pairs_even,pairs_lost,decision,note"
)
DECISIONS = {"", "accepted", "rejected", "adopted", "not adopted", "undecided"}


def read_matches() -> list[dict[str, str]]:
    with MATCHES.open(encoding="ascii", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        assert reader.fieldnames == FIELDS.split(",")
        return list(reader)


def read_measurements() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(MEASUREMENTS.read_text(encoding="ascii"))


def check_time(text: str) -> None:
    assert re.fullmatch(r"\d{4}-\d\d-\d\d(T\d\d:\d\dZ)?", text), text
    assert datetime.fromisoformat(text.removesuffix("Z")) >= datetime(2026, 11, 21), text


def test_matches_are_numbered_without_gaps() -> None:
    numbers = [int(match["row"]) for match in read_matches()]
    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(1, max(numbers) + 1))


def test_every_match_states_its_conditions() -> None:
    for match in read_matches():
        check_time(match["recorded"])
        assert match["topic"], match
        assert match["change"], match
        assert match["against"], match
        assert 3 <= int(match["board"]) <= 15, match
        assert 0 <= int(match["walls"]) <= 20, match
        assert re.search(r"^[\d.]+ .*(nodes|s)$", match["budget"]), match
        assert match["decision"] in DECISIONS, match


def test_every_match_has_a_possible_result() -> None:
    for match in read_matches():
        if not match["games"]:
            assert match["note"], match
            continue
        games = int(match["games"])
        assert games > 0, match
        assert games % 2 == 0, match
        if match["pairs_won"]:
            pairs = sum(int(match[f"pairs_{result}"]) for result in ("won", "even", "lost"))
            assert 2 * pairs == games, match
        if not match["elo"]:
            assert match["note"] == "all games won", match
            continue
        elo = int(match["elo"])
        assert abs(elo) <= 700, match
        assert match["elo_low"] or "interval not recorded" in match["note"], match
        assert int(match["elo_low"] or elo) <= elo <= int(match["elo_high"] or 2000), match


@pytest.mark.parametrize("table", read_measurements()["table"], ids=lambda table: table["name"])
def test_every_estimate_of_a_table_lies_in_its_interval(table: dict[str, Any]) -> None:
    assert set(table) == {"name", "about", "columns", "rows"}
    assert table["rows"]
    for cells in table["rows"]:
        row = dict(zip(table["columns"], cells, strict=True))
        if "recorded" in row:
            check_time(row["recorded"])
        for column, value in row.items():
            low, high = row.get(f"{column}_low", ""), row.get(f"{column}_high", "")
            assert (low == "") == (high == ""), row
            if low != "":
                assert low <= value <= high, row
        for column in {"games", "positions", "moves", "nodes", "won", "drawn", "lost"} & set(row):
            assert row[column] == "" or row[column] >= 0, row
        if {"won", "games"} <= set(row):
            assert row["won"] <= row["games"], row


def test_every_note_has_a_topic_and_a_text() -> None:
    for note in read_measurements()["note"]:
        assert set(note) - {"recorded"} == {"topic", "text"}
        check_time(note.get("recorded", "2026-11-21"))
        assert note["topic"]
        assert note["text"]


def test_the_summary_names_tables_that_exist() -> None:
    text = (FOLDER / "ENGINE-LOG.md").read_text(encoding="utf-8")
    named = re.findall(r'table\s"([^"]+)"', text)
    assert named
    assert set(named) <= {table["name"] for table in read_measurements()["table"]}
