"""Sign-up of teams: refusals, and the rights of the lecturer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.abc import Stream
from trio.testing import MockClock

from quoridor_net.net.endpoint import Endpoint
from quoridor_net.net.networks import Networks, parse_network
from quoridor_net.phrases import Translatable
from quoridor_net.players.greeting import Greeting
from quoridor_net.players.spec import PlayerSpec, parse_spec
from quoridor_net.tournament.state import TournamentState
from quoridor_net.web import signup
from quoridor_net.web.application import qr_code
from quoridor_net.web.refusals import RefusedError
from quoridor_net.web.signup import Gathering, try_server
from quoridor_net.web.sites import tournament as site_of
from quoridor_net.web.tournament import TournamentFeed
from tests.support.browser import Answer, Browser, in_memory
from tests.support.linked_game import simple_server
from tests.support.loopback import listen_on_loopback, reserve_port

ANN = {"name": "ann", "address": "laptop1:5858"}


class Class:
    """A tournament before its start, with a test of servers that needs no network."""

    def __init__(self, check: Callable[[Sequence[PlayerSpec]], None] = lambda _: None, *others: str) -> None:
        self.tried: list[Endpoint] = []
        self.go_on = trio.Event()
        self.go_on.set()
        self.gathering = Gathering(check, [*map(parse_spec, others)], self.trial)
        state = TournamentState()
        view = TournamentFeed(state, Path("none.db"), "t", "round-robin", self.gathering.list_teams)
        self.gathering.tell = lambda: view.change({"signup"})
        self.browser = Browser(in_memory(site_of(view, self.gathering)))

    async def trial(self, endpoint: Endpoint, has_loopback: bool) -> str:
        self.tried.append(endpoint)
        await self.go_on.wait()
        if endpoint.host == "broken":
            raise RefusedError("server", Translatable("broken:1 did not answer HELLO within 5 s."))
        return "qnt:team"

    async def sign_up(self, **team: Any) -> Answer:
        return await self.browser.post("/signup", team)

    async def lecturer(self, path: str, **message: Any) -> Answer:
        return await self.browser.post(path, message, authorization=f"Bearer {self.gathering.token}")

    @property
    def teams(self) -> dict[str, bool]:
        return {team["name"]: team["confirmed"] for team in self.gathering.list_teams()["teams"]}


async def test_a_team_signs_up_is_confirmed_and_plays(autojump_clock: MockClock) -> None:
    a_class = Class(lambda _: None, "simple")
    assert (await a_class.browser.get("/site.json")).json["signup"] is True
    assert (await a_class.browser.get("/qr.svg")).body == qr_code("http://localhost/#/signup")
    async with a_class.browser.tab("/tournament/live") as tab:
        assert (await tab.receive())["reset"]["signup"]["teams"] == [
            {"name": "simple", "confirmed": True, "fixed": True, "address": None}
        ]
        answer = await a_class.sign_up(**ANN)
        assert answer.json == {"ok": True, "name": "ann", "called": "qnt:team"}
        changed = (await tab.receive())["changed"]["signup"]
        assert changed["teams"][1] == {"name": "ann", "confirmed": False, "fixed": False, "address": None}
    assert a_class.tried == [Endpoint("laptop1", 5858)]
    refused = await a_class.lecturer("/start")
    assert refused.json["error"] == "A tournament needs at least 2 confirmed entrants."
    assert (await a_class.lecturer("/signup/confirm", name="ann")).json == {"ok": True}
    assert (await a_class.lecturer("/start")).json == {"ok": True}
    field = await a_class.gathering.wait()
    assert [(entrant.name, entrant.address) for entrant in field] == [("", "simple"), ("ann", "laptop1:5858")]
    assert (await a_class.sign_up(name="late", address="laptop2:5858")).json[
        "error"
    ] == "The tournament has already started."


async def test_a_team_is_late_if_the_tournament_starts_during_the_test_of_its_server(
    autojump_clock: MockClock,
) -> None:
    a_class = Class(lambda _: None, "simple", "random")
    a_class.go_on = trio.Event()
    answers: list[Answer] = []

    async def sign_up() -> None:
        answers.append(await a_class.sign_up(**ANN))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(sign_up)
        await trio.testing.wait_all_tasks_blocked()
        assert (await a_class.lecturer("/start")).json == {"ok": True}
        a_class.go_on.set()
    assert [answer.json["error"] for answer in answers] == ["The tournament has already started."]
    assert a_class.teams == {"simple": True, "random": True}


async def test_one_server_signs_up_once_however_its_address_is_spelled(autojump_clock: MockClock) -> None:
    a_class = Class(lambda _: None, "localhost:7001")
    assert (await a_class.sign_up(name="ann", address="127.0.0.1:7000")).json["ok"]
    for address in ("localhost:7000", "LOCALHOST:7000", "127.0.0.2:7000", "[::1]:7000", "0.0.0.0:7000"):
        refused = await a_class.sign_up(name="bob", address=address)
        assert refused.json["error"] == "127.0.0.1:7000 has already signed up, as ann."
    refused = await a_class.sign_up(name="bob", address="[::ffff:127.0.0.1]:7001")
    assert refused.json["error"] == "localhost:7001 has already signed up, as localhost:7001."
    assert (await a_class.sign_up(name="bob", address="Laptop1:7000")).json["ok"]
    refused = await a_class.sign_up(name="cid", address="laptop1:7000")
    assert refused.json["error"] == "Laptop1:7000 has already signed up, as bob."


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "[::ffff:127.0.0.1]"])
async def test_strangers_cannot_probe_ports_of_the_tournaments_machine(
    autojump_clock: MockClock, address: str
) -> None:
    a_class = Class()
    stranger = Browser(a_class.browser._app, address="192.0.2.7")
    refused = await stranger.post("/signup", {"name": "eve", "address": f"{address}:22"})
    assert refused.json["error"].startswith(f"{address}:22 is the tournament's own machine.")
    assert a_class.tried == []


@pytest.mark.parametrize(
    ("team", "sentence"),
    [
        ({"name": "ann"}, "Enter a name and an address."),
        ({"name": 1, "address": "a:1"}, "Enter a name and an address."),
        ({"name": "", "address": "a:1"}, "A name must have 1 to 40 visible characters"),
        ({"name": "x" * 41, "address": "a:1"}, "A name must have 1 to 40 visible characters"),
        ({"name": "a=b", "address": "a:1"}, "A name must have 1 to 40 visible characters"),
        ({"name": "a\x1b[2J", "address": "a:1"}, "A name must have 1 to 40 visible characters"),
        ({"name": "a\u202eb", "address": "a:1"}, "A name must have 1 to 40 visible characters"),
        ({"name": "simple", "address": "a:1"}, "simple has already signed up"),
        ({"name": "ann", "address": "laptop1"}, "address without a port"),
        ({"name": "ann", "address": "qtp:rm -rf /"}, "is not an address"),
        ({"name": "ann", "address": "engine"}, "address without a port"),
        ({"name": "ann", "address": "a:1,games=9"}, "is not an address"),
        ({"name": "ann", "address": "qtp:5858"}, "can also mean a program"),
        ({"name": "ann", "address": "engine:5858"}, "unknown option"),
        ({"name": "qtp:x", "address": "broken:1"}, "did not answer HELLO"),
        ({"name": "ann", "address": "broken:1"}, "did not answer HELLO"),
    ],
)
async def test_a_refusal_is_explained_in_one_sentence(team: dict[str, Any], sentence: str) -> None:
    a_class = Class(lambda _: None, "simple")
    answer = await a_class.sign_up(**team)
    assert answer.status == 400
    assert sentence in answer.json["error"]
    assert a_class.teams == {"simple": True}


async def test_a_server_signs_up_once() -> None:
    a_class = Class()
    await a_class.sign_up(**ANN)
    again = await a_class.sign_up(**(ANN | {"name": "ann2"}))
    assert again.json["error"] == "laptop1:5858 has already signed up, as ann."
    assert len(a_class.tried) == 1


async def test_spaces_in_a_name_become_underscores() -> None:
    a_class = Class()
    assert (await a_class.sign_up(name="  the  red team ", address="a:1")).json["name"] == "the_red_team"


async def test_a_team_whose_server_failed_can_try_again() -> None:
    a_class = Class()
    for _ in range(2):
        answer = await a_class.sign_up(name="ann", address="broken:1")
        assert answer.json["error"] == "broken:1 did not answer HELLO within 5 s."
    assert len(a_class.tried) == 2


@pytest.mark.parametrize("path", ["/signup/confirm", "/signup/remove", "/start"])
@pytest.mark.parametrize("token", [None, "", "Bearer", "Bearer guessed", "Bearer \u20ac"])
async def test_only_the_lecturer_confirms_removes_and_starts(path: str, token: str | None) -> None:
    a_class = Class()
    await a_class.sign_up(**ANN)
    headers = {} if token is None else {"authorization": token}
    assert (await a_class.browser.post(path, {"name": "ann"}, **headers)).status == 403
    assert (await a_class.browser.get("/signup.json", **headers)).status == 403
    assert a_class.teams == {"ann": False}


async def test_the_lecturer_sees_addresses_and_removes_teams() -> None:
    a_class = Class()
    await a_class.sign_up(**ANN)
    answer = await a_class.browser.get("/signup.json", authorization=f"Bearer {a_class.gathering.token}")
    assert answer.json == {
        "teams": [{"name": "ann", "confirmed": False, "fixed": False, "address": "laptop1:5858"}]
    }
    assert (await a_class.lecturer("/signup/remove", name="bob")).json["error"] == "This team does not exist."
    assert (await a_class.lecturer("/signup/remove", name="ann")).json == {"ok": True}
    assert a_class.teams == {}


async def test_a_tournament_with_unsuitable_entrants_does_not_start() -> None:
    def check(entrants: Sequence[PlayerSpec]) -> None:
        raise ValueError(f"{len(entrants)} are too few")

    a_class = Class(check, "simple", "random")
    assert (await a_class.lecturer("/start")).json["error"] == "The tournament cannot start: 2 are too few."


async def test_pages_of_other_sites_cannot_sign_teams_up() -> None:
    a_class = Class()
    foreign = Browser(in_memory(site_of_class(a_class)), "http://evil.example")
    assert (await foreign.post("/signup", ANN)).status == 403
    assert a_class.tried == []


def site_of_class(a_class: Class) -> Any:
    list_teams = a_class.gathering.list_teams
    view = TournamentFeed(TournamentState(), Path("none.db"), "t", "round-robin", list_teams)
    return site_of(view, a_class.gathering)


async def test_the_number_of_concurrent_server_tests_is_limited(autojump_clock: MockClock) -> None:
    a_class = Class()
    a_class.go_on = trio.Event()
    async with trio.open_nursery() as nursery:

        async def sign_up(number: int) -> None:
            await a_class.sign_up(name=f"team{number}", address=f"laptop:{number}")

        for number in range(1, signup.MAX_TRIALS + 1):
            nursery.start_soon(sign_up, number)
        # Names are looked up first.
        await trio.sleep(10)
        busy = await a_class.sign_up(name="another", address="laptop:99")
        assert "Try again in a moment" in busy.json["error"]
        same = await a_class.sign_up(name="another", address="laptop:1")
        assert "is already being tested" in same.json["error"]
        a_class.go_on.set()
    assert len(a_class.teams) == signup.MAX_TRIALS


async def serve_simply(stream: Stream) -> None:
    await simple_server()(stream)


async def give_a_name_only(stream: Stream) -> None:
    await stream.receive_some()
    await stream.send_all(b"IAM abc:def\n")
    # Read everything, and answer with an illegal move.
    while b"MYOUSHU" not in await stream.receive_some():
        pass
    await stream.send_all(b"TESUJI (8, 8)\n")
    await stream.receive_some()


@pytest.mark.end_to_end
async def test_a_server_is_greeted_and_makes_one_move() -> None:
    async with listen_on_loopback(serve_simply) as endpoint:
        assert await try_server(endpoint, True) == "qnt:test"


@pytest.mark.end_to_end
async def test_a_server_in_another_network_cannot_sign_up(monkeypatch: pytest.MonkeyPatch) -> None:
    # Loopback addresses are always allowed.
    monkeypatch.setattr(Networks, "admit", lambda _self, _address: False)
    async with listen_on_loopback(serve_simply) as endpoint:
        with pytest.raises(RefusedError, match=r"is not in 203\.0\.113\.0/24 \(--allow\)"):
            await try_server(endpoint, True, Networks((parse_network("203.0.113.0/24"),)))


@pytest.mark.end_to_end
async def test_a_name_that_leads_to_this_machine_after_all_is_refused() -> None:
    async with listen_on_loopback(serve_simply) as endpoint:
        with pytest.raises(RefusedError, match=r"its address 127\.0\.0\.1 is not in"):
            await try_server(endpoint, has_loopback=False)


@pytest.mark.end_to_end
async def test_a_server_that_cannot_move_is_refused() -> None:
    async with listen_on_loopback(give_a_name_only) as endpoint:
        with pytest.raises(RefusedError, match=r"abc:def, but then it played .*TESUJI"):
            await try_server(endpoint, True)


@pytest.mark.end_to_end
async def test_a_port_without_a_server_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signup, "GREETING", Greeting(connect_time=0.0))
    # With what to do about it.
    sentence = "127.0.0.1:{} cannot be reached: .*\\. A server may still be starting\\."
    with reserve_port() as port, pytest.raises(RefusedError, match=sentence.format(port)):
        await try_server(Endpoint("127.0.0.1", port), True)
