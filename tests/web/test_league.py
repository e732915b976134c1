"""The page of a league has its leaderboard and records of entrants; teams sign up while it is played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import trio
from trio.testing import MockClock

from quoridor_net.players.spec import parse_spec
from quoridor_net.tournament import Event, Journal, TournamentState
from quoridor_net.tournament.quoridor.manager import Manager
from quoridor_net.tournament.quoridor.plan import Plan
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.web.signup import Gathering
from quoridor_net.web.tournament import TournamentFeed
from tests.web.test_signup import ANN, Class

PLAN = Plan("league", terms=GameTerms(size=9, seed=3, no_show_time=0.2), title="Class 4b")


async def play_some(path: Path) -> tuple[TournamentState, dict[str, Any], Any]:
    """Play a league for a moment; return its state, the document of its page and the record of an entrant."""
    state = TournamentState()
    feed = TournamentFeed(state, path, "Class 4b", "league")
    entrants = tuple(map(parse_spec, ("simple", "random", "ann=random", "bob=127.0.0.1:1")))
    with Journal.create(path) as journal, trio.CancelScope() as scope:

        def listen(_: Event) -> None:
            if len(state.decided) >= 4:
                scope.cancel()

        await Manager(journal, state, PLAN, entrants).run([feed, listen])
    assert feed._league is not None
    await feed._league.refresh()
    parts = {name: feed._part(name) for name in ("head", "league", "tables", "games")}
    return state, parts, await feed._league.describe(1)


async def test_the_page_of_a_league_has_its_leaderboard(tmp_path: Path) -> None:
    state, parts, record = await play_some(tmp_path / "a.db")
    rows = {row["name"]: row for row in parts["league"]["league"]}
    assert parts["head"] == {"title": "Class 4b", "format": "league"}
    assert rows.keys() == set(state.entrants)
    assert rows["bob"]["presence"] == "away"
    assert rows["simple"]["reference"]
    assert rows["simple"]["level"]["value"] == 2.4
    # The leaderboard takes the place of the other tables.
    assert parts["tables"]["standings"] == []
    assert len(parts["games"]["games"]) >= 4
    assert record["entrant"]["name"] == "simple"
    assert record["games"]
    assert record["check"] == ""


async def test_teams_of_a_league_enter_and_leave_after_its_start(autojump_clock: MockClock) -> None:
    asked: list[tuple[str, str]] = []

    async def ask(request: str, argument: str) -> str:
        asked.append((request, argument))
        return "refused: it cannot" if "eve" in argument else "It plays"

    a_class = Class()
    a_class.gathering._ask = ask
    a_class.gathering.begin()
    listed = a_class.gathering.list_teams()
    assert (listed["open"], listed["started"]) == (True, True)
    assert (await a_class.sign_up(**ANN)).json["ok"]
    assert (await a_class.sign_up(name="eve", address="laptop2:5858")).json["ok"]
    # Nobody enters before the lecturer confirms.
    assert asked == []
    assert (await a_class.lecturer("/signup/confirm", name="ann")).json == {"ok": True}
    assert asked == [("add", "ann=laptop1:5858")]
    refused = await a_class.lecturer("/signup/confirm", name="eve")
    assert (refused.status, "it cannot" in refused.json["error"]) == (400, True)
    assert a_class.teams == {"ann": True, "eve": False}
    assert (await a_class.lecturer("/signup/remove", name="eve")).json == {"ok": True}
    assert (await a_class.lecturer("/signup/remove", name="ann")).json == {"ok": True}
    assert asked[-1] == ("withdraw", "ann")
    # It comes back.
    assert (await a_class.sign_up(**ANN)).json["ok"]


async def test_sign_up_of_other_tournaments_ends_at_their_start() -> None:
    gathering = Gathering(lambda _: None)
    gathering.begin()
    assert not gathering.is_open
