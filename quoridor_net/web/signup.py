"""Sign-up for a tournament on its page, with an immediate test of each team's server."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import trio
from attrs import define, evolve
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from quoridor_net.match import Event, MatchSettings, PlayerOut, play_match
from quoridor_net.net.addresses import LOCALHOST, find_hosts, is_this_machine
from quoridor_net.net.endpoint import Endpoint, parse_endpoint
from quoridor_net.net.networks import EVERYBODY, Networks
from quoridor_net.output import ignore
from quoridor_net.phrases import Translatable, text_of
from quoridor_net.players.greeting import Greeting, GreetingError, greet_all
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.players.spec import PlayerSpec, parse_spec
from quoridor_net.text import normal
from quoridor_net.tournament.journal.requests import REFUSED
from quoridor_net.web.messages import address_of, read_object
from quoridor_net.web.refusals import RefusalPhrase, RefusedError, refusal
from quoridor_net.web.seat import TOKEN_BYTES

#: Timeouts for connecting, for the name and for one move, in seconds.
GREETING = Greeting(connect_time=3.0, hello_time=5.0, gap=0.05)
MOVE_TIME = 10.0

#: Maximum numbers of teams, of characters in a name, and of concurrent tests.
MAX_TEAMS = 200
MAX_NAME = 40
MAX_TRIALS = 4

#: Tests whether a server can play, and returns its own name; raises RefusedError otherwise. The second
#: argument says whether the team may use loopback addresses.
Trial = Callable[[Endpoint, bool], Awaitable[str]]


async def try_server(endpoint: Endpoint, has_loopback: bool, networks: Networks = EVERYBODY) -> str:
    """Test a move server with a greeting and one move; return its own name.

    Args:
        endpoint: address of the server.
        has_loopback: whether the address may be a loopback address.
        networks: the networks in which servers are allowed.

    Raises:
        RefusedError: the server cannot be reached, or makes a mistake that would lose a game.
    """
    try:
        # Checked again when connecting, because a name can get another address meanwhile.
        allowed = evolve(networks, has_loopback=has_loopback)
        players = await greet_all([endpoint], evolve(GREETING, networks=allowed))
    except GreetingError as error:
        ((_, did),) = error.failures
        sentence = RefusalPhrase.UNGREETED(address=str(endpoint), did=did)
        raise RefusedError("server", _with_hint(sentence, error.hint)) from None
    outs: list[PlayerOut[Any]] = []

    def note(event: Event) -> None:
        if isinstance(event, PlayerOut):
            outs.append(event)

    name = players[0].name
    # With a limit of one ply, the game is drawn after the first move.
    await play_match([*players, SimplePlayer(0)], MatchSettings(move_time=MOVE_TIME, ply_limit=1), [note])
    if outs:
        fault = outs[0].fault
        known = {"address": str(endpoint), "name": name, "did": fault.sentence}
        sentence = (
            RefusalPhrase.UNFIT_ANSWER(**known, line=repr(fault.line))
            if fault.line
            else RefusalPhrase.UNFIT(**known)
        )
        raise RefusedError("server", _with_hint(sentence, fault.hint))
    return name


def _port_of(entrant: PlayerSpec) -> int | None:
    return None if entrant.endpoint is None else entrant.endpoint.port


def _with_hint(sentence: Translatable, hint: str) -> Translatable:
    return RefusalPhrase.WITH_HINT(sentence=sentence, hint=hint) if hint else sentence


@define
class _Team:
    """A team that signed up."""

    entrant: PlayerSpec
    hosts: frozenset[str]
    is_confirmed: bool = False


class Gathering:
    """The sign-up phase of a tournament. The holder of the lecturer's link confirms teams and starts it.

    Args:
        check: raises ValueError if these entrants cannot play; its result is ignored.
        others: entrants besides the teams.
        trial: tests a server.
        tell: called whenever the list of teams has changed.
        ask: passes a request, ``add`` or ``withdraw``, and its argument to a league, and returns the answer.
            None for other tournaments, whose sign-up ends at the start.
    """

    def __init__(
        self,
        check: Callable[[Sequence[PlayerSpec]], object],
        others: Sequence[PlayerSpec] = (),
        trial: Trial = try_server,
        tell: Callable[[], None] = lambda: ignore(None),
        ask: Callable[[str, str], Awaitable[str]] | None = None,
    ) -> None:
        self._ask = ask
        self._check = check
        self._others = tuple(others)
        self._trial = trial
        self.tell = tell
        #: Part of the lecturer's link after ``#/signup/``.
        self.token = secrets.token_urlsafe(TOKEN_BYTES)
        self._teams: dict[str, _Team] = {}
        self._started = trio.Event()
        self._trials = trio.CapacityLimiter(MAX_TRIALS)
        self._trying: set[str] = set()

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """The routes for teams and for the lecturer."""
        return (
            Route("/signup", self._sign_up, methods=["POST"]),
            Route("/signup/confirm", self._confirm, methods=["POST"]),
            Route("/signup/remove", self._remove, methods=["POST"]),
            Route("/start", self._start, methods=["POST"]),
            Route("/signup.json", self._teams_with_addresses),
        )

    @property
    def is_open(self) -> bool:
        """Whether teams can sign up."""
        return not self._started.is_set() or self._ask is not None

    def begin(self) -> None:
        """Record that the tournament has started."""
        self._started.set()

    def list_teams(self) -> dict[str, Any]:
        """Return the public list of teams, without their addresses."""
        teams = self._documents(with_addresses=False)
        return {"open": self.is_open, "started": self._started.is_set(), "teams": teams}

    async def wait(self) -> tuple[PlayerSpec, ...]:
        """Wait until the lecturer starts the tournament; return the entrants."""
        await self._started.wait()
        return self._field()

    def _field(self) -> tuple[PlayerSpec, ...]:
        return (*self._others, *(team.entrant for team in self._teams.values() if team.is_confirmed))

    def _documents(self, *, with_addresses: bool) -> list[dict[str, Any]]:
        others = [
            {"name": each.name or each.address, "confirmed": True, "fixed": True, "address": each.address}
            for each in self._others
        ]
        teams = [
            {"name": name, "confirmed": team.is_confirmed, "fixed": False, "address": team.entrant.address}
            for name, team in self._teams.items()
        ]
        found = others + teams
        return found if with_addresses else [{**each, "address": None} for each in found]

    async def _sign_up(self, request: Request) -> Response:
        try:
            entrant = self._entrant(await read_object(request))
            assert entrant.endpoint is not None, "only servers sign up"
            hosts = await find_hosts(entrant.endpoint.host)
            is_local = is_this_machine(address_of(request))
            if LOCALHOST in hosts and not is_local:
                # Strangers could find out which ports of this machine are open.
                raise RefusedError("not_local", RefusalPhrase.NOT_LOCAL(address=entrant.address))
            await self._check_place(entrant, hosts)
            called = await self._try(entrant, is_local)
            await self._check_place(entrant, hosts)
        except RefusedError as error:
            return refusal(error.sentence, 400)
        self._teams[entrant.name] = _Team(entrant, hosts)
        self.tell()
        return JSONResponse({"ok": True, "name": entrant.name, "called": called})

    def _entrant(self, message: Mapping[str, Any]) -> PlayerSpec:
        """Parse the name and address that a team sent.

        Raises:
            RefusedError: they are not valid, or already taken.
        """
        if not self.is_open:
            raise RefusedError("late", RefusalPhrase.BEGUN())
        name, address = message.get("name"), message.get("address")
        if not isinstance(name, str) or not isinstance(address, str):
            raise RefusedError("malformed", RefusalPhrase.TEAM())
        name = normal("_".join(name.split()))
        if not 1 <= len(name) <= MAX_NAME or not name.isprintable() or {"=", ","} & {*name}:
            raise RefusedError("malformed", RefusalPhrase.NAME(most=MAX_NAME))
        try:
            parse_endpoint(address.strip())
            entrant = evolve(parse_spec(address.strip()), name=name)
        except ValueError as error:
            raise RefusedError("malformed", RefusalPhrase.BAD_ADDRESS(reason=text_of(error))) from None
        if entrant.endpoint is None:
            # The journal would read the name of this machine as a program or the engine.
            raise RefusedError("malformed", RefusalPhrase.RESERVED(address=entrant.address))
        return entrant

    async def _check_place(self, entrant: PlayerSpec, hosts: frozenset[str]) -> None:
        """Raise RefusedError if there is no place for ``entrant``, or it has signed up already.

        Checked again after the test of the server, because all of this may have changed.
        """
        own = [(each, await self._hosts_of(each)) for each in self._others]
        if not self.is_open:
            raise RefusedError("late", RefusalPhrase.BEGUN())
        for each, its_hosts in (*own, *((team.entrant, team.hosts) for team in self._teams.values())):
            name = each.name or each.address
            if self._started.is_set() and (name, each.server) == (entrant.name, entrant.server):
                # A team of a league that left may come back.
                continue
            if name == entrant.name:
                raise RefusedError("taken", RefusalPhrase.NAME_TAKEN(name=name))
            if _port_of(each) == _port_of(entrant) and its_hosts & hosts:
                raise RefusedError("taken", RefusalPhrase.ADDRESS_TAKEN(address=each.address, name=name))
        if len(self._teams) >= MAX_TEAMS:
            raise RefusedError("full", RefusalPhrase.MANY_TEAMS(most=MAX_TEAMS))

    async def _hosts_of(self, entrant: PlayerSpec) -> frozenset[str]:
        return frozenset[str]() if entrant.endpoint is None else await find_hosts(entrant.endpoint.host)

    async def _try(self, entrant: PlayerSpec, is_local: bool) -> str:
        """Test the server of a team on this machine or another; return its own name.

        Raises:
            RefusedError: it cannot play, or it or too many others are being tested.
        """
        address = entrant.address
        if address in self._trying:
            raise RefusedError("busy", RefusalPhrase.BEING_TRIED(address=address))
        try:
            self._trials.acquire_on_behalf_of_nowait(entrant)
        except trio.WouldBlock:
            raise RefusedError("busy", RefusalPhrase.BUSY()) from None
        self._trying.add(address)
        try:
            assert entrant.endpoint is not None, "only servers sign up"
            return await self._trial(entrant.endpoint, is_local)
        finally:
            self._trying.discard(address)
            self._trials.release_on_behalf_of(entrant)

    async def _confirm(self, request: Request) -> Response:
        async def confirm(name: str) -> None:
            if self._started.is_set():
                await self._request("add", f"{name}={self._teams[name].entrant.address}")
            self._teams[name].is_confirmed = True

        return await self._change(request, confirm)

    async def _remove(self, request: Request) -> Response:
        async def remove(name: str) -> None:
            if self._started.is_set() and self._teams[name].is_confirmed:
                await self._request("withdraw", name)
            del self._teams[name]

        return await self._change(request, remove)

    async def _request(self, request: str, argument: str) -> None:
        """Pass a request to the league that is played.

        Raises:
            RefusedError: it is refused.
        """
        assert self._ask is not None, "only leagues change after the start"
        answer = await self._ask(request, argument)
        reason = answer.removeprefix(REFUSED)
        if reason != answer:
            raise RefusedError("unfit", RefusalPhrase.UNFIT_FIELD(reason=reason))

    async def _change(self, request: Request, change: Callable[[str], Awaitable[None]]) -> Response:
        try:
            self._check_lecturer(request)
            name = (await read_object(request)).get("name")
            if not isinstance(name, str) or name not in self._teams:
                raise RefusedError("malformed", RefusalPhrase.NO_TEAM())
            if not self.is_open:
                raise RefusedError("late", RefusalPhrase.BEGUN())
            await change(name)
        except RefusedError as error:
            return refusal(error.sentence, 403 if error.code == "lecturer" else 400)
        self.tell()
        return JSONResponse({"ok": True})

    async def _start(self, request: Request) -> Response:
        try:
            self._check_lecturer(request)
        except RefusedError as error:
            return refusal(error.sentence, 403)
        try:
            if len(self._field()) < 2:
                raise RefusedError("few", RefusalPhrase.FEW_TEAMS())
            self._check(self._field())
        except RefusedError as error:
            return refusal(error.sentence, 400)
        except ValueError as error:
            return refusal(RefusalPhrase.UNFIT_FIELD(reason=text_of(error)), 400)
        self._started.set()
        self.tell()
        return JSONResponse({"ok": True})

    async def _teams_with_addresses(self, request: Request) -> Response:
        try:
            self._check_lecturer(request)
        except RefusedError as error:
            return refusal(error.sentence, 403)
        teams = {"teams": self._documents(with_addresses=True)}
        return JSONResponse(teams, headers={"cache-control": "no-store"})

    def _check_lecturer(self, request: Request) -> None:
        given = request.headers.get("authorization", "")
        if not secrets.compare_digest(given.encode(), f"Bearer {self.token}".encode()):
            raise RefusedError("lecturer", RefusalPhrase.NOT_LECTURER())
