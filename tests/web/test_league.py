"""The page of a league has its leaderboard and records of entrants; teams sign up while it is played."""

from __future__ import annotations

from pathlib import Path

import pytest
from trio.testing import MockClock

from quoridor_net.tournament import EntrantAway, state
from quoridor_net.web.live_league import LiveLeague
from quoridor_net.web.signup import Gathering
from quoridor_net.web.sites import tournament as site_of
from quoridor_net.web.tournament import TournamentFeed
from tests.support.browser import Browser, in_memory
from tests.tournament.quoridor.test_leaderboard import Course
from tests.web.test_signup import ANN, Class


async def test_the_page_of_a_league_has_its_leaderboard(tmp_path: Path) -> None:
    course = Course(tmp_path / "league.db")
    course.play(2, 3, 1)
    course.apply(EntrantAway(3, "It does not answer."))
    told: list[None] = []
    league = LiveLeague(course.path, lambda: told.append(None))
    await league.refresh()
    # Nothing is new.
    await league.refresh()
    assert len(told) == 1
    assert league.known is not None
    rows = {row["name"]: row for row in league.known}
    assert rows["bob"]["presence"] == "away"
    assert rows["level 1"]["reference"]
    record = await league.describe(2)
    assert record is not None
    assert record["entrant"]["name"] == "ann"
    assert len(record["games"]) == 1
    assert await league.describe(9) is None


@pytest.mark.threads
async def test_old_games_of_a_league_are_read_from_its_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "RECENT", 2)
    course = Course(tmp_path / "league.db")
    for winner in (1, 2) * 4:
        course.play(2, 3, winner)
    assert len(course.state.decided) < 4
    browser = Browser(in_memory(site_of(TournamentFeed(course.state, course.path, "t", "league"))))
    answer = (await browser.get("/tournament/games.json?limit=7")).json
    assert [game["points"] for game in answer["games"]] == [[1, 0], [0, 1]] * 3 + [[1, 0]]
    assert {(game["sentence"], game["plies"], game["status"]) for game in answer["games"]} == {
        ("It is over.", 9, "finished")
    }


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
