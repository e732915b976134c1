"""Recorded games dropped on the page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from benchmarks.fuzz.foreign import WRITERS
from quoridor_net.match import Event, GameStarted, MatchSettings, play_match
from quoridor_net.match.encoding import as_object
from quoridor_net.match.replaying import GameKeeper, events_of
from quoridor_net.players import Player
from quoridor_net.players.engine import SharedEngine
from quoridor_net.players.random import RandomPlayer
from quoridor_net.replay import RecordFormat, Replay, format_game, parse_game
from quoridor_net.rules import Move, Position
from quoridor_net.web import replays
from quoridor_net.web.application import Site
from quoridor_net.web.budget import Budget, set_asking
from quoridor_net.web.engine_lines import EngineLines
from quoridor_net.web.sites import replay
from tests.support.browser import Browser, in_memory

TEN_PLIES = "e2 e8 e3 e7 e4 e6 d2h d7h a1v h8v"

pytestmark = pytest.mark.threads


def site_of(game: Replay) -> Site:
    return replay(game, EngineLines(SharedEngine()))


def open_browser() -> Browser:
    return Browser(in_memory(site_of(Replay())))


async def test_a_file_in_any_format_becomes_events() -> None:
    game = parse_game(TEN_PLIES, partial=True)
    for form in RecordFormat:
        if form in WRITERS:
            text = WRITERS[form](game)
        else:
            text = format_game(game, form if form is not RecordFormat.LAN else RecordFormat.REPLAY)
        answer = await open_browser().post("/replay", text.encode())
        assert answer.status == 200, answer.body
        events = answer.json["events"]
        assert [event["event"] for event in events] == ["game_started", *["move_made"] * 10]
        assert events[-1]["position"] == game.position().to_line()


async def test_the_game_of_the_command_is_number_one() -> None:
    game = parse_game(TEN_PLIES, partial=True)
    browser = Browser(in_memory(site_of(game)))
    assert (await browser.get("/site.json")).json["mode"] == "replay"
    assert len((await browser.get("/games/1/events.json")).json["events"]) == 11
    assert (await browser.get("/games/2/events.json")).status == 404


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "the text is empty: it contains no game"),
        (b"\xff", "the file is not text (UTF-8)"),
        (b"\xff\xfeP\0", "the file is encoded in UTF-16: save it as UTF-8"),
        (b"# Players: J\xfcrgen\ne2\n", "probably Latin-1"),
        (b"e2 e8 e5", "Line 1, column 7, read as standard: illegal pawn move: "),
        (b"e2 e2", "Line 1"),
        (b"<script>alert(1)</script>", "unknown format: expected one of replay, standard, "),
        (b"[" * 100_000, "Line 1"),
    ],
)
async def test_an_unreadable_file_is_explained_in_a_sentence(data: bytes, sentence: str) -> None:
    answer = await open_browser().post("/replay", data)
    assert answer.status == 400
    assert sentence in answer.json["error"]
    assert "\n" not in answer.json["error"]


async def test_files_that_are_too_long_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = await open_browser().post("/replay", b"#" * (replays.MAX_FILE + 1))
    assert answer.status == 413
    monkeypatch.setattr(replays, "MAX_PLIES", 9)
    answer = await open_browser().post("/replay", TEN_PLIES.encode())
    assert answer.status == 400
    assert "more than 9 plies" in answer.json["error"]


async def test_files_from_a_busy_address_wait(mock_clock: MockClock) -> None:
    """Reading files has a limited share of a processor; a file that waits too long is refused."""
    budget = Budget(share=1e-9, saved=0.0, longest_wait=replays.TURN_TIME + 1)
    set_asking(budget)
    browser, statuses = open_browser(), list[int]()

    async def drop() -> None:
        statuses.append((await browser.post("/replay", TEN_PLIES.encode())).status)

    await drop()
    assert budget.free_at > trio.current_time() + replays.TURN_TIME
    async with trio.open_nursery() as nursery:
        nursery.start_soon(drop)
        await trio.testing.wait_all_tasks_blocked()
        mock_clock.jump(replays.TURN_TIME)
    mock_clock.jump(1)
    await drop()
    assert statuses == [200, 503, 200]


async def test_a_program_does_not_wait_for_a_file_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, browser = trio.Event(), open_browser()

    def endless(_replay: Replay) -> Iterator[Event]:
        trio.from_thread.run_sync(begun.set)
        while True:
            yield GameStarted(("ann", "bob"), Position(3), None, 1000)

    monkeypatch.setattr(replays, "events_of", endless)
    with trio.fail_after(10):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(browser.post, "/replay", TEN_PLIES.encode())
            await begun.wait()
            nursery.cancel_scope.cancel()


@pytest.mark.parametrize("players", [2, 4])
async def test_a_saved_match_is_read_back_with_the_same_events(players: int) -> None:
    keeper, events = GameKeeper(), list[dict[str, Any]]()
    seats: list[Player[Position, Move]] = [RandomPlayer(seed) for seed in range(players)]
    await play_match(
        seats,
        MatchSettings(Position(5, players)),
        [keeper, lambda event: events.append(as_object(event))],
    )
    kept = keeper.replay()
    assert kept is not None
    again = parse_game(format_game(kept))
    told = [as_object(event) for event in events_of(again)]
    shown = {"move_made", "game_ended"}
    for event in [*told, *events]:
        event.pop("seconds", None)
        event.pop("times", None)
        event.pop("sentence", None)
        event.pop("phrase", None)
    assert [event for event in told if event["event"] in shown] == [
        event for event in events if event["event"] in shown
    ]


async def test_names_in_a_file_are_not_markup(tmp_path: Path) -> None:
    name = "<img src=x onerror=alert(1)>"
    text = format_game(parse_game(TEN_PLIES, partial=True)).replace("P 1", "P 1", 1)
    lines = text.split("\n")
    lines.insert(1, f"# Players: {name} vs b")
    answer = await open_browser().post("/replay", "\n".join(lines).encode())
    assert answer.headers["content-type"] == "application/json"
    assert json.loads(answer.body)["events"][0]["names"] == [name, "b"]
