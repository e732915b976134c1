"""Tournaments for browsers, in memory, with games from a journal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from quoridor_net.events import MatchListener
from quoridor_net.match import GameEnded, GameStarted, MatchSettings, play_match
from quoridor_net.outcome import Result, Termination
from quoridor_net.players import Clock
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.replay import parse_replay
from quoridor_net.rules import Move, Position
from quoridor_net.tournament.events import GameEvent, RoundPaired, TournamentStarted, TournamentStopping
from quoridor_net.tournament.journal import Journal
from quoridor_net.tournament.quoridor.plan import RULES, Plan
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.tournament.requirements import AwaitedPhrase
from quoridor_net.tournament.runner import Tournament
from quoridor_net.tournament.schedule import Pairing
from quoridor_net.tournament.state import TournamentState
from quoridor_net.web import tournament as module
from quoridor_net.web.budget import LONGEST_WAIT
from quoridor_net.web.live_ratings import LiveRatings
from quoridor_net.web.sites import tournament as site_of
from quoridor_net.web.tournament import PACE, TournamentFeed
from tests.support.browser import Browser, in_memory

NAMES = ("ann", "bob", "cid")
PLAN = Plan(games=2, terms=GameTerms(size=5, walls=2))


class Played:
    """A tournament of simple players on a small board, and its feed."""

    def __init__(self, path: Path, delay: float = 0.0) -> None:
        self.state = TournamentState()
        self.view = TournamentFeed(self.state, path, "class 4b", "round-robin")
        self.browser = Browser(in_memory(site_of(self.view)))
        self._path = path
        self._delay = delay

    async def play_one(self, pairing: Pairing, listener: MatchListener[Any, Any]) -> Result:
        settings = MatchSettings(PLAN.terms.position(pairing), delay=self._delay)
        players = [SimplePlayer(pairing.number), SimplePlayer(pairing.number + 100)]
        for player, entrant in zip(players, pairing.seats, strict=True):
            player.name = NAMES[entrant - 1]
        return await play_match(players, settings, [listener])

    async def run(self) -> None:
        with Journal.create(self._path) as journal:
            start = TournamentStarted(RULES, NAMES, PLAN.settings(), ("simple",) * 3)
            form = PLAN.format
            await Tournament(
                start, form, self.play_one, [self.view], state=self.state, record=journal, concurrency=2
            ).run()


@pytest.mark.threads
async def test_a_page_sees_the_tournament_and_can_replay_every_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEPT", 1)
    played = Played(tmp_path / "t.db")
    before = (await played.browser.get("/tournament.json")).json
    assert (before["title"], before["standings"], before["total"]) == ("class 4b", [], 0)
    await played.run()
    # A document made a moment ago is not rebuilt.
    await trio.sleep(PACE)
    document = (await played.browser.get("/tournament.json")).json
    assert document["finished"]
    assert (document["done"], document["total"]) == (6, 6)
    assert document["running"] == []
    assert sorted(row["name"] for row in document["standings"]) == [*NAMES]
    assert sum(row["points"] for row in document["standings"]) == 6
    cells = document["crosstable"]["cells"]
    assert [cells[row][row] for row in range(3)] == [None, None, None]
    assert all(len(cells[0][column]) == 2 for column in (1, 2))
    assert [game["status"] for game in document["games"]] == ["finished"] * 6
    for game in document["games"]:
        events = (await played.browser.get(f"/games/{game['number']}/events.json")).json["events"]
        assert events[0]["names"] == game["seats"]
        ended = events[-1]
        assert (ended["event"], ended["termination"], ended["plies"]) == (
            "game_ended",
            game["termination"],
            game["plies"],
        )
        assert ended["sentence"].endswith("it reached its goal line.")
        assert sum(event["event"] == "move_made" for event in events) == game["plies"]
        saved = await played.browser.get(f"/games/{game['number']}/replay.txt")
        assert len(parse_replay(saved.body.decode()).plies) == game["plies"]
    # Only the last game is still in memory; the others are read from the journal.
    async with played.browser.tab("/games/1/live") as tab:
        assert (await tab.receive()) == (await played.browser.get("/games/1/events.json")).json
    for path in ("events.json", "replay.txt"):
        assert (await played.browser.get(f"/games/7/{path}")).status == 404


@pytest.mark.threads
async def test_pages_get_changes_only(tmp_path: Path) -> None:
    played = Played(tmp_path / "t.db")
    async with played.browser.tab("/tournament/live") as tab:
        first = (await tab.receive())["reset"]
        assert first["games"] == []
        await played.run()
        seen = dict(first)
        # Ratings may arrive after the end; the document is rebuilt only after PACE.
        while not seen["finished"] or seen != (await played.browser.get("/tournament.json")).json:
            with trio.move_on_after(PACE):
                changed = (await tab.receive())["changed"]
                assert "title" not in changed or changed["title"] == "class 4b"
                seen |= changed


@pytest.mark.threads
async def test_the_ratings_follow_the_results(tmp_path: Path) -> None:
    played = Played(tmp_path / "t.db")
    assert (await played.browser.get("/tournament.json")).json["ratings"] == []
    await played.run()
    await trio.sleep(PACE)
    ratings = (await played.browser.get("/tournament.json")).json["ratings"]
    assert [each["name"] for each in ratings] == [*NAMES]
    assert all(each["elo"].keys() == {"value", "low", "high"} for each in ratings)


@pytest.mark.threads
async def test_ratings_stay_within_their_time_budget(autojump_clock: MockClock) -> None:
    state, told = TournamentState(), []
    for event in (
        TournamentStarted(RULES, ("ann", "bob"), PLAN.settings(), ("a", "b")),
        RoundPaired(1, (Pairing(1, 1, (1, 2), 1), Pairing(2, 1, (2, 1), 1))),
        GameEvent(1, GameStarted(("ann", "bob"), Position(5), None, 1000)),
        GameEvent(1, GameEnded(Result(1, Termination.GOAL, "", 0), ("ann", "bob"), Position(5))),
    ):
        state.apply(event)
    # A computation takes a second on this clock.
    seconds = iter(range(100))
    ratings = LiveRatings(state, lambda: told.append(trio.current_time()), lambda: float(next(seconds)))
    begun = trio.current_time()
    for _ in range(200):
        ratings.are_old = True
        await ratings.refresh()
        await trio.sleep(1)
    assert ratings.known is not None
    assert [each.entrant for each in ratings.known.entrants] == [1, 2]
    assert [round(moment - begun) for moment in told] == [0, 50, 100, 150]


async def test_pages_show_that_the_tournament_is_stopping() -> None:
    state = TournamentState()
    view = TournamentFeed(state, Path("none.db"), "t", "round-robin")
    browser = Browser(in_memory(site_of(view)))
    async with browser.tab("/tournament/live") as tab:
        assert (await tab.receive())["reset"]["stopping"] is False
        view(TournamentStopping())
        assert (await tab.receive())["changed"]["stopping"] is True


async def test_pages_say_what_the_first_game_waits_for() -> None:
    state = TournamentState()
    view = TournamentFeed(state, Path("none.db"), "t", "league")
    browser = Browser(in_memory(site_of(view)))
    view.note_awaited(AwaitedPhrase.ENGINE())
    async with browser.tab("/tournament/live") as tab:
        awaited = (await tab.receive())["reset"]["awaited"]
        assert awaited["phrase"] == {"code": "awaited.engine", "values": {}}
        assert "engine is being prepared" in awaited["sentence"]
        began = TournamentStarted(RULES, ("ann", "bob"), PLAN.settings(), ("a", "b"))
        state.apply(began)
        view(began)
        assert (await tab.receive())["changed"]["awaited"] is None


async def test_pages_get_at_most_four_messages_a_second(autojump_clock: MockClock) -> None:
    state = TournamentState()
    view = TournamentFeed(state, Path("none.db"), "t", "round-robin")
    seen: list[Any] = []
    async with (
        Browser(in_memory(site_of(view))).tab("/tournament/live") as tab,
        trio.open_nursery() as nursery,
    ):

        async def look() -> None:
            while True:
                seen.append((trio.current_time(), await tab.receive()))

        nursery.start_soon(look)
        began = TournamentStarted(RULES, ("ann", "bob"), PLAN.settings(), ("a", "b"))
        paired = RoundPaired(1, (Pairing(1, 1, (1, 2), 1),))
        started = GameEvent(1, GameStarted(("ann", "bob"), Position(5), None, 1000))
        for event in (began, paired, started):
            state.apply(event)
            view(event)
        for number in range(1000):
            view(GameEvent(1, GameStarted((f"ann{number}", "bob"), Position(5), None, 1000)))
            await trio.sleep(0.01)
        await trio.sleep(LONGEST_WAIT)
        nursery.cancel_scope.cancel()
    assert "reset" in seen[0][1]
    assert seen[-1][1]["changed"]["running"][0]["names"] == ["ann999", "bob"]
    assert len(seen) > 3
    assert len(seen) <= (10 + LONGEST_WAIT) / PACE + 2


@pytest.mark.parametrize(
    ("query", "numbers"),
    [("", [1, 2]), ("?offset=1", [2]), ("?limit=1", [1]), ("?offset=-5&limit=-1", []), ("?offset=9", [])],
)
async def test_all_games_can_be_requested(query: str, numbers: list[int]) -> None:
    state = TournamentState()
    state.apply(TournamentStarted(RULES, ("ann", "bob"), PLAN.settings(), ("a", "b")))
    state.apply(RoundPaired(1, (Pairing(1, 1, (1, 2), 1), Pairing(2, 1, (2, 1), 1))))
    browser = Browser(in_memory(site_of(TournamentFeed(state, Path("none.db"), "t", "round-robin"))))
    answer = (await browser.get(f"/tournament/games.json{query}")).json
    assert [game["number"] for game in answer["games"]] == numbers
    assert answer["total"] == 2


async def test_an_offset_that_is_not_a_number_is_refused() -> None:
    view = TournamentFeed(TournamentState(), Path("none.db"), "t", "round-robin")
    answer = await Browser(in_memory(site_of(view))).get("/tournament/games.json?offset=x")
    assert answer.status == 400


async def test_a_running_game_has_a_live_board(autojump_clock: MockClock) -> None:
    state = TournamentState()
    view = TournamentFeed(state, Path("none.db"), "t", "round-robin")
    browser = Browser(in_memory(site_of(view)))
    state.apply(TournamentStarted(RULES, ("ann", "bob"), PLAN.settings(), ("a", "b")))
    state.apply(RoundPaired(1, (Pairing(1, 1, (1, 2), 1),)))

    may_end = trio.Event()

    class Patient(SimplePlayer):
        """A player that waits before each move, because the clock jumps while a thread works."""

        async def choose(self, position: Position, clock: Clock) -> Move:
            if position.history:
                await may_end.wait()
            return await super().choose(position, clock)

    async def play() -> None:
        def listen(event: Any) -> None:
            happened = GameEvent(1, event)
            state.apply(happened)
            view(happened)

        await play_match([Patient(1), SimplePlayer(2)], MatchSettings(Position(5)), [listen])

    async with trio.open_nursery() as nursery:
        nursery.start_soon(play)
        await trio.sleep(1.5)
        (board,) = (await browser.get("/tournament.json")).json["running"]
        assert board == {
            "number": 1,
            "names": ["qnt:simple", "qnt:simple"],
            "jumps": "official",
            "position": board["position"],
            "owners": board["owners"],
            "ply": 2,
            "move": board["move"],
        }
        async with browser.tab("/games/1/live") as tab:
            # On a busy machine spectators see the first events a little later.
            events = (await tab.receive())["reset"] or await tab.receive()
            assert events[0]["event"] == "game_started"
            may_end.set()
            await tab.until("game_ended")
    await trio.sleep(PACE)
    document = (await browser.get("/tournament.json")).json
    assert document["running"] == []
    assert document["remarks"][0].startswith("1. ")
