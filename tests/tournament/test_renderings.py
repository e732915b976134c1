"""All outputs show the same facts about a tournament."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
import trio
from click.testing import CliRunner

from quoridor_net.cli.main import main
from quoridor_net.events import MoveTimes
from quoridor_net.match import GameEnded, GameStarted, MoveMade, PlayerOut
from quoridor_net.notation.standard import parse_move
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.phrases import Translatable
from quoridor_net.tournament import (
    EntrantWithdrawn,
    Event,
    GameEvent,
    Pairing,
    RoundPaired,
    TournamentStarted,
    read_journal,
)
from quoridor_net.tournament.columns import COLUMNS
from quoridor_net.tournament.quoridor.plan import RULES, Plan, format_of
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.tournament.results import ENTRANT_FACTS, SUMMARY_FACTS, Results, rate_entrants
from quoridor_net.web.sites import tournament as site_of
from quoridor_net.web.tournament import TournamentFeed
from tests.support.browser import Browser, in_memory
from tests.support.tournament_events import state_after, write_journal

OPENINGS = tuple(tuple(map(parse_move, line.split())) for line in ("c2 c4", "b1"))
PLAN = Plan(games=2, terms=GameTerms(size=5, walls=2, ply_limit=2, openings=OPENINGS, seed=1))
DRAWN = Result(None, Termination.PLY_LIMIT, "Drawn.", 2)
VOID = Result(None, Termination.ABORTED, "The disk was full.", 0)

#: Patterns of the facts in tables, in CSV and in documents.
Fact = tuple[str, str, str]
THREE: dict[str, Fact] = {
    "an entrant that left and whose games do not count": (
        r"cid \(left, not counted\)",
        r"cid,3,3,yes,1,4,2,no,no,",
        r'"name": "cid", .*?"left": {"played": 1, "games": 4, "round": 2, "counted": false}',
    ),
    "a game that will not be played": (
        r"will not be played.*ann - cid",
        r"ann cid,.*,unplayed",
        r'"seats": \["ann", "cid"\], "points": null, .*?"status": "unplayed"',
    ),
    "why it had no result before": (
        r"ann - cid: The disk was full",
        r"ann cid,,,,The disk was full\.,\d,[^,]*,no,cid,unplayed",
        r'"sentence": "The disk was full\.",[^{}]* "counted": false, "left": \["cid"\], "status": "unplayed"',
    ),
    "a void game and why": (
        r"Void games.*bob - ann: The disk was full",
        r"bob ann,,,,The disk was full\.,\d,[^,]*,yes,,void",
        r'"sentence": "The disk was full\.",[^{}]* "counted": true, "left": \[\], "status": "void"',
    ),
    "a forfeit": (r"too\\?_slow 1", r"faults\.too_slow", r'"faults": {"too_slow": 1}'),
    "points and games": (
        r"ann +(\| )?1½ +(\| )?2 +(\| )?1",
        r"ann,1,1,no,,,,,yes,1\.5,2,1",
        r'"name": "ann", .*?"points": 1\.5, "played": 2, "won": 1',
    ),
    "a tie-break": (r"S-B", r"sonneborn_berger", r'"sonneborn_berger": 0\.'),
    "a cell of the crosstable": (r"½", r"0\.5", r'"cells": .*?\[0\.5\]'),
    "a rating with its interval": (
        r"Elo \(95 % interval\)",
        r"elo\.value,elo\.low,elo\.high",
        r'"elo": {"value"',
    ),
    "the average and the longest time of a move": (
        r"0\.875 s( \||) +1\.500 s",
        r"0\.875,1\.5,",
        r'"average_time": 0\.875, "longest_time": 1\.5',
    ),
    "the score with and without the first move": (
        r"1/1( \||) +½/1",
        r"as_first\.points,as_first\.played,as_later\.points,as_later\.played",
        r'"as_first": {"points": 1\.0, "played": 1}, "as_later": {"points": 0\.5, "played": 1}',
    ),
    "the likelihood of superiority over the next": (
        r"LOS.*\d\d\.\d%",
        r",superiority\n.*,0\.\d",
        r'"superiority": 0\.\d+',
    ),
    "the score of an opening": (
        r"Opening.*\n.*b1 +(\| )?\d +(\| )?½?1?½?/\d",
        r"opening,played,first\n.*b1,\d,\d",
        r'"openings": .*{"opening": "b1", "played": \d, "first": \d\.\d}',
    ),
    "how all games ended": (
        r"Games ended by: .*too\\?_slow 1",
        r"terminations\.too_slow,1",
        r'"terminations": {"ply_limit": 2, "aborted": 2, "too_slow": 1}',
    ),
}
TWO: dict[str, Fact] = {
    "the Elo difference with its interval": (
        r"ann: Elo difference \+120 \(-?\+?\d+ to \+\d+\)",
        r"duel\.elo\.difference,120\.4",
        r'"elo": {"difference": 120\.4, "low": -\d+\.\d, "high": \d+\.\d}',
    ),
    "the likelihood of superiority": (
        r"likelihood of superiority 84\.1%",
        r"duel\.superiority,0\.841",
        r'"superiority": 0\.841',
    ),
    "the pentanomial counts": (
        r"½, 1, 1½ and 2 points: 0, 0, 0, 1, 0",
        r"duel\.pentanomial,0 0 0 1 0",
        r'"pentanomial": \[0, 0, 0, 1, 0\]',
    ),
    "the pairs of games of each entrant": (
        r"0, 0, 0, 1, 0( \||) +\d.*0, 1, 0, 0, 0",
        r",0 1 0 0 0,",
        r'"pairs": \[0, 1, 0, 0, 0\]',
    ),
    "normalised Elo": (
        r"normalised Elo \+inf \(open to open\)",
        r"duel\.pentanomial,0 0 0 1 0",
        r'"normalised_elo": {"value": null, "low": null, "high": null}',
    ),
    "void games": (r"aborted 1", r"duel\.score\.void,1", r'"void": 1'),
}
TABLES = ["games", "unfinished", "standings", "crosstable", "openings", "summary"]
RENDERINGS = ["text", "markdown", "csv", "json", "html", "live"]


def game(pairing: Pairing, names: tuple[str, ...], result: Result) -> Iterator[Event]:
    """Yield a game with legal moves that took 0.25 and 1.5 seconds alternately."""
    number = pairing.number
    position = PLAN.terms.position(pairing)
    times = [MoveTimes()] * 2
    yield GameEvent(number, GameStarted(names, position.copy(), None, 2))
    for ply, seconds in zip(range(1, result.plies + 1), cycle((0.25, 1.5))):
        player, move = position.turn, next(iter(position.legal_moves))
        assert player is not None
        position.push(move)
        times[player - 1] += MoveTimes(1, seconds, seconds)
        yield GameEvent(number, MoveMade(player, move, ply, seconds, position.copy()))
    if result.termination.is_fault:
        fault = ForfeitError(result.termination, Translatable("it was late"))
        yield GameEvent(number, PlayerOut(3 - (result.winner or 0), fault, position, result.plies))
    yield GameEvent(number, GameEnded(result, names, position, tuple(times)))


def tournament_of(
    entrants: tuple[str, ...], games: list[tuple[tuple[int, int], Result | None]], *last: Event
) -> list[Event]:
    """Return the events of a tournament whose games have these seats and results, or do not start."""
    events: list[Event] = [TournamentStarted(RULES, entrants, PLAN.settings(), entrants)]
    results = [
        (Pairing(number, 1, seats, 1 + (number - 1) // 2), result)
        for number, (seats, result) in enumerate(games, 1)
    ]
    events.append(RoundPaired(1, tuple(pairing for pairing, _ in results)))
    for pairing, result in results:
        if result is not None:
            events += game(pairing, tuple(entrants[seat - 1] for seat in pairing.seats), result)
    return [*events, *last]


def late(winner: int) -> Result:
    return Result(winner, Termination.TOO_SLOW, "It was late.", 1)


EVENTS = {
    "three": tournament_of(
        ("ann", "bob", "cid"),
        [
            ((1, 2), late(1)), ((2, 1), DRAWN), ((2, 1), VOID), ((2, 3), DRAWN),
            ((1, 3), VOID), ((3, 2), None), ((3, 1), None),
        ],
        EntrantWithdrawn(3),
    ),
    "two": tournament_of(
        ("ann", "bob"), [((1, 2), DRAWN), ((2, 1), late(2)), ((1, 2), DRAWN), ((2, 1), VOID)]
    ),
    "shutout": tournament_of(("ann", "bob"), [((1, 2), late(1)), ((2, 1), late(2)), ((1, 2), late(1))]),
}  # fmt: skip


@pytest.fixture(scope="module", params=["three", "two"])
def sample(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Return the name of a tournament and its journal."""
    path = tmp_path_factory.mktemp("renderings") / "t.db"
    write_journal(path, *EVENTS[request.param])
    return request.param, path


def show(path: Path, *options: str) -> str:
    result = CliRunner().invoke(main, ["tournament", "show", str(path), *options])
    assert result.exit_code == 0, result.output
    return result.output


async def look(path: Path) -> str:
    """Return the document for a page."""
    view = TournamentFeed(read_journal(path), path, "t", "round-robin")
    answer = await Browser(in_memory(site_of(view))).get("/tournament.json")
    return json.dumps(answer.json, ensure_ascii=False)


def render(path: Path, rendering: str) -> str:
    match rendering:
        case "csv":
            return "".join(show(path, "--format", "csv", "--table", table) for table in TABLES)
        case "html":
            data = re.findall(r"<script[^>]*>(.*?)</script>", show(path, "--format", "html"), re.DOTALL)[0]
            return json.dumps(json.loads(data)["tournament"], ensure_ascii=False)
        case "live":
            return trio.run(look, path)
    return show(path, "--format", rendering)


@pytest.mark.threads
@pytest.mark.parametrize("rendering", RENDERINGS)
def test_every_output_shows_every_fact(sample: tuple[str, Path], rendering: str) -> None:
    which, path = sample
    shown = render(path, rendering)
    kind = {"text": 0, "markdown": 0, "csv": 1}.get(rendering, 2)
    facts = THREE if which == "three" else TWO
    lacking = [fact for fact, looks in facts.items() if not re.search(looks[kind], shown, re.DOTALL)]
    assert not lacking, shown


@pytest.mark.threads
@pytest.mark.parametrize("which", ["two", "shutout"])
def test_every_output_has_the_same_difference_of_two_entrants(which: str, tmp_path: Path) -> None:
    path = tmp_path / "two.db"
    write_journal(path, *EVENTS[which])
    found = json.loads(render(path, "json"))
    duel = found["duel"]["elo"]
    value, low, high = (math.inf if each is None else each for each in duel.values())
    # Each entrant is half the difference above or below the mean.
    halves = [[each / 2 for each in (value, low, high)], [-each / 2 for each in (value, high, low)]]
    table = [[*row["elo"].values()] for row in found["entrants"]]
    for row, half in zip(table, halves, strict=True):
        expected = [each if math.isfinite(each) else None for each in half]
        assert row == [None if each is None else pytest.approx(each, abs=0.051) for each in expected]
    difference = say_interval(value, low, high)
    cells = [say_interval(*half) for half in halves]
    for rendering in ("text", "markdown"):
        shown = render(path, rendering)
        assert f"Elo difference {difference}" in shown
        assert all(cell in shown for cell in cells)
    for rendering in ("html", "live"):
        page = json.loads(render(path, rendering))
        assert page["duel"]["elo"] == duel
        assert any(f"Elo difference {difference}" in fact["sentence"] for fact in page["facts"])
        assert [[*rating["elo"].values()] for rating in page["ratings"]] == table
        # Pages get the parts of an interval.
        sheet = json.dumps(page["sheets"]["strength"])
        assert all(json.dumps(cell.partition(" ")[0]) in sheet for cell in cells)
    summary = dict(csv.reader(show(path, "--format", "csv", "--table", "summary").splitlines()))
    assert [read_cell(summary[f"duel.elo.{name}"]) for name in duel] == [*duel.values()]
    rows = csv.DictReader(show(path, "--format", "csv", "--table", "standings").splitlines())
    assert [[read_cell(row[f"elo.{end}"]) for end in ("value", "low", "high")] for row in rows] == table


def say_interval(value: float, low: float, high: float) -> str:
    def say(elo: float, infinite: str) -> str:
        return f"{round(elo):+d}" if math.isfinite(elo) else infinite

    return f"{say(value, f'{value:+}')} ({say(low, 'open')} to {say(high, 'open')})"


def read_cell(cell: str) -> float | None:
    return float(cell) if cell else None


def test_a_journal_and_its_events_give_the_same_results(sample: tuple[str, Path]) -> None:
    which, path = sample
    documents = [
        Results.of(state, format_of(state), ratings=rate_entrants(state)).document()
        for state in (state_after(EVENTS[which]), read_journal(path))
    ]
    assert documents[0] == documents[1]


def test_every_column_is_in_json_and_csv(sample: tuple[str, Path]) -> None:
    _, path = sample
    (row, *_) = json.loads(show(path, "--format", "json"))["entrants"]
    headings = show(path, "--format", "csv", "--table", "standings").splitlines()[0].split(",")
    # Only a Swiss has this tie-break.
    names = {column.name for column in COLUMNS} - {"buchholz"}
    assert names <= row.keys()
    assert names <= {heading.partition(".")[0] for heading in headings}


def test_the_table_option_works_only_with_csv(sample: tuple[str, Path]) -> None:
    _, path = sample
    refused = CliRunner().invoke(main, ["tournament", "show", str(path), "--table", "standings"])
    assert refused.exit_code == 2
    assert "--table needs --format csv" in refused.output


@pytest.mark.parametrize("table", TABLES)
def test_csv_has_the_same_fields_whatever_happened(table: str, tmp_path: Path) -> None:
    headings = set()
    formats = {name: list(events) for name, events in EVENTS.items()}
    formats["empty"] = tournament_of(("ann", "bob"), [])
    formats["swiss"] = [TournamentStarted(RULES, ("ann", "bob"), Plan("swiss").settings(), ("simple",) * 2)]
    for which, events in formats.items():
        path = tmp_path / f"{which}.db"
        write_journal(path, *events)
        rows = [*csv.reader(show(path, "--format", "csv", "--table", table).splitlines())]
        match table:
            case "crosstable":
                headings.add((len(rows[0]) == len(rows),))
            case "summary":
                headings.add(tuple(row[0] for row in rows))
            case _:
                headings.add(tuple(rows[0]))
        assert {len(row) for row in rows} == {len(rows[0])}
    assert len(headings) == 1


def test_every_field_is_in_csv(sample: tuple[str, Path]) -> None:
    _, path = sample
    document = json.loads(render(path, "json"))
    summary = {
        name: document[name] for name in ("finished", "first_move", "groups", "sprt", "duel", "terminations")
    }
    assert set(list_fields(summary)) <= set(SUMMARY_FACTS)
    for row in document["entrants"]:
        assert set(list_fields(row)) <= set(ENTRANT_FACTS)


def list_fields(document: dict[str, Any], name: str = "") -> Iterator[str]:
    for key, value in document.items():
        if isinstance(value, dict):
            yield from list_fields(value, f"{name}{key}.")
        elif value is not None:
            yield name + key
