"""A tournament in the browser: live tables, boards of running games, finished games to replay."""

from __future__ import annotations

import datetime as dt
import math
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import trio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from quoridor_net.match import GameEnded, GameStarted, MoveMade, PlayerOut
from quoridor_net.match.encoding import line, owners
from quoridor_net.outcome import Result
from quoridor_net.phrases import Translatable
from quoridor_net.replay import Replay
from quoridor_net.tournament.events import Event, GameEvent, TournamentResumed, TournamentStopping
from quoridor_net.tournament.formats import FORMATS
from quoridor_net.tournament.journal import JournalError
from quoridor_net.tournament.quoridor.archive import GameError, JournalGame, read_games, read_results
from quoridor_net.tournament.quoridor.plan import Plan, PlanError, format_of, openings_of
from quoridor_net.tournament.results import Results
from quoridor_net.tournament.state import TournamentState
from quoridor_net.web import tournament_document
from quoridor_net.web.budget import Budget, run_in_thread
from quoridor_net.web.games import Games
from quoridor_net.web.live import LiveGame, Send, encode
from quoridor_net.web.live_league import LiveLeague
from quoridor_net.web.live_ratings import LiveRatings
from quoridor_net.web.messages import converse, refuse_all, sender
from quoridor_net.web.path_numbers import NUMBER
from quoridor_net.web.refusals import RefusalPhrase, refusal
from quoridor_net.web.replays import document_in_thread

T = TypeVar("T")

#: Minimum time between messages to a spectator, in seconds.
PACE = 0.25

#: Maximum numbers of boards shown, of results kept as lines, and of finished games kept in memory; older
#: games are read from the journal.
BOARDS = 32
REMARKS = 8
KEPT = 32

#: Maximum number of games in a response.
MOST_GAMES = 500

# Parts of the document that an event changes, besides the boards.
_ON_RESULT = frozenset({"tables", "progress", "games", "remarks"})
_ALL = _ON_RESULT | {"running", "signup", "head", "league"}

_OnBoard = GameStarted[Any] | MoveMade[Any, Any] | PlayerOut[Any]


class TournamentFeed(Games):
    """A listener that shows a tournament to browsers.

    Everything is computed only while there are spectators, and only as often as the time budget allows,
    however fast the games are.

    Args:
        state: state of the tournament; includes an event before this object is called with it.
        journal: file with the finished games.
        title: title of the page.
        form: name of the format.
        signup: returns the teams that signed up; None without sign-up.
    """

    def __init__(
        self,
        state: TournamentState,
        journal: Path,
        title: str,
        form: str,
        signup: Callable[[], Any] | None = None,
    ) -> None:
        self._state = state
        self._journal = journal
        self._head = {"title": title, "format": form}
        # None if a result or a change of the entrants made it out of date.
        self._results: Results | None = None
        self._signup = signup
        self._games: dict[int, LiveGame] = {}
        self._ended: deque[int] = deque()
        # By running game: its start, the last change of its board, and its last move.
        self._boards: dict[int, tuple[GameStarted[Any], _OnBoard, MoveMade[Any, Any] | None]] = {}
        self._remarks: deque[str] = deque(maxlen=REMARKS)
        self._played = 0
        self._begun_at: float | None = None
        # By part: the version of the document that changed it last, and its JSON; and the parts out of date.
        self._parts: dict[str, tuple[int, str]] = {}
        self._stale: set[str] = set(_ALL)
        self._version = 0
        self._refreshed_at = -math.inf
        self._budget = Budget()
        self._ratings = LiveRatings(state, lambda: self.change({"tables"}))
        is_league = FORMATS[form].is_open_ended
        self._league = LiveLeague(journal, lambda: self.change({"league"})) if is_league else None
        self._is_stopping = False
        # What the first game waits for.
        self._awaited: Translatable | None = None
        self._news = trio.Event()
        self._reader = trio.CapacityLimiter(1)

    @property
    def title(self) -> str:
        """The title of the page."""
        return self._head["title"]

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """The routes of the tournament."""
        return (
            Route("/tournament.json", self._whole),
            Route("/tournament/games.json", self._more_games),
            Route(f"/tournament/entrants/{NUMBER}.json", self._entrant),
            WebSocketRoute("/tournament/live", self._live),
        )

    def __call__(self, event: Event) -> None:
        """Record an event."""
        if self._begun_at is None:
            self._begun_at = trio.current_time()
        self._awaited = None
        if not isinstance(event, GameEvent):
            if isinstance(event, TournamentResumed):
                self._boards.clear()
                self._is_stopping = False
            self._is_stopping |= isinstance(event, TournamentStopping)
            self._note_news()
            self.change(_ALL)
            return
        number, inner = event.game, event.event
        self._games.setdefault(number, LiveGame(self._budget))(inner)
        match inner:
            case GameStarted() | MoveMade() | PlayerOut():
                self._note_board(number, inner)
                self.change({"running", "games"} if isinstance(inner, GameStarted) else {"running"})
            case GameEnded(result=result):
                self._boards.pop(number, None)
                self._played += not result.is_void
                self._remarks.append(f"{number}. {result.sentence}")
                self._forget_old_games(number)
                self._note_news()
                self.change(_ON_RESULT | {"running"})

    def note_awaited(self, sentence: Translatable) -> None:
        """Show what the first game waits for, until the next event."""
        self._awaited = sentence
        self.change({"progress"})

    def _note_news(self) -> None:
        if self._league is None:
            self._ratings.are_old = True
        else:
            self._league.is_old = True

    def change(self, parts: set[str] | frozenset[str]) -> None:
        """Mark parts of the document as out of date."""
        if "tables" in parts:
            self._results = None
        self._stale |= parts
        self._news.set()
        self._news = trio.Event()

    def find(self, number: int) -> LiveGame | None:
        """Return a running or recently finished game; None for others."""
        return self._games.get(number)

    async def document(self, number: int) -> str | None:
        """Return the events of a game as one JSON object; None if it has not begun."""
        document = await super().document(number)
        if document is not None:
            return document
        return await self._read(number, lambda game, plan: document_in_thread(game.events(plan)))

    async def replay(self, number: int) -> Replay | None:
        """Return a game so far; None if it has not begun."""
        replay = await super().replay(number)
        return await self._read(number, JournalGame.replay) if replay is None else replay

    async def _read(self, number: int, convert: Callable[[JournalGame, Plan], T]) -> T | None:
        """Return a finished game of the journal, converted in a thread; None if there is no such game."""
        if not self._state.is_decided(number):
            return None

        def read() -> T | None:
            try:
                plan = Plan.of(self._state.settings)
                for game in read_games(self._journal, self._state, number):
                    return convert(game, plan)
            except (PlanError, JournalError, GameError):
                # The command that verifies journals reports the fault.
                return None
            return None

        # In a thread, because reading a game takes milliseconds, and more in a large journal.
        return await run_in_thread(read, self._reader)

    async def _read_old_results(self, numbers: range) -> dict[int, Result]:
        """Return the results of a league that its state has forgotten."""
        decided = self._state.decided
        if all(number in decided for number in filter(self._state.is_decided, numbers)):
            return {}
        try:
            return await run_in_thread(partial(read_results, self._journal, numbers), self._reader)
        except JournalError:
            # The command that verifies journals reports the fault.
            return {}

    def _board(self, number: int) -> dict[str, Any]:
        """Return the data of a running game for a small board."""
        start, last, move = self._boards[number]
        return {
            "number": number,
            "names": list(start.names),
            "jumps": str(start.position.jumps),
            "position": line(last.position),
            "owners": owners(last.position),
            "ply": 0 if move is None else move.ply,
            "move": None if move is None else str(move.move),
        }

    def _note_board(self, number: int, event: _OnBoard) -> None:
        if isinstance(event, GameStarted):
            self._boards[number] = event, event, None
        elif number in self._boards:
            start, _, move = self._boards[number]
            self._boards[number] = start, event, event if isinstance(event, MoveMade) else move

    def _forget_old_games(self, number: int) -> None:
        self._ended.append(number)
        if len(self._ended) > KEPT:
            oldest = self._ended.popleft()
            # A void game may be running again.
            if oldest not in self._boards and oldest not in self._ended:
                self._games.pop(oldest, None)

    def _part(self, name: str) -> dict[str, Any]:
        state = self._state
        match name:
            case "head":
                return self._head
            case "tables":
                # The leaderboard takes the place of these tables.
                found = self._find_results() if self._league is None else None
                return tournament_document.tables(found)
            case "league":
                return {"league": None if self._league is None else self._league.known}
            case "progress":
                seconds = 0.0 if self._begun_at is None else trio.current_time() - self._begun_at
                now = dt.datetime.now(dt.UTC)
                known = tournament_document.progress(state, self._played, seconds, now)
                awaited = tournament_document.translatable(self._awaited) if self._awaited else None
                return known | {"stopping": self._is_stopping, "awaited": awaited}
            case "games":
                listed = tournament_document.list_games(state)
                return tournament_document.games(self._find_results(), listed)
            case "running":
                return {"running": [self._board(number) for number in sorted(self._boards)[:BOARDS]]}
            case "remarks":
                return {"remarks": list(self._remarks)}
        return {"signup": None if self._signup is None else self._signup()}

    def _find_results(self) -> Results | None:
        """Return the results, cached until one changes; None before the tournament."""
        if self._results is None and self._state.has_started:
            self._results = Results.of(
                self._state,
                format_of(self._state),
                ratings=self._ratings.known,
                opening_of=openings_of(self._state),
            )
        return self._results

    @property
    def _due(self) -> float:
        """Time from which the document may be updated again, on trio's clock."""
        return max(self._refreshed_at + PACE, self._budget.free_at)

    def _refresh(self) -> None:
        """Update the parts that are out of date, if the time budget allows it."""
        now = trio.current_time()
        if not self._stale or now < self._due:
            return
        self._refreshed_at = now
        self._version += 1
        stale, self._stale = self._stale, set()
        with self._budget.charge_block():
            for name in stale:
                text = encode(self._part(name))
                if name not in self._parts or self._parts[name][1] != text:
                    self._parts[name] = (self._version, text)

    def _since(self, version: int) -> str:
        """Return the parts that changed after ``version`` as one JSON object."""
        texts = [text[1:-1] for changed_at, text in self._parts.values() if changed_at > version]
        return f"{{{','.join(texts)}}}"

    @property
    def _is_out_of_date(self) -> bool:
        return self._ratings.are_old if self._league is None else self._league.is_old

    async def _refresh_ratings(self) -> None:
        await (self._ratings.refresh() if self._league is None else self._league.refresh())

    async def _follow(self, send: Send) -> None:
        seen = -1
        while True:
            news = self._news
            self._refresh()
            if seen < self._version:
                name = "reset" if seen < 0 else "changed"
                text, seen = self._since(seen), self._version
                if text != "{}":
                    await self._budget.charge(send(f'{{"{name}":{text}}}'))
            elif not self._stale and not self._is_out_of_date:
                await news.wait()
            await self._refresh_ratings()
            await trio.sleep(max(PACE, self._due - trio.current_time()))

    async def _live(self, socket: WebSocket) -> None:
        await socket.accept()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._follow, sender(socket))
            await converse(socket, refuse_all)
            nursery.cancel_scope.cancel()

    async def _whole(self, _request: Request) -> Response:
        await self._refresh_ratings()
        self._refresh()
        return Response(self._since(-1), media_type="application/json", headers={"cache-control": "no-store"})

    async def _entrant(self, request: Request) -> Response:
        """Send the record of an entrant of a league."""
        number = request.path_params["number"]
        record = None if self._league is None else await self._league.describe(number)
        if record is None:
            return refusal(RefusalPhrase.NO_ENTRANT(), 404)
        return JSONResponse(record, headers={"cache-control": "no-store"})

    async def _more_games(self, request: Request) -> Response:
        try:
            offset = int(request.query_params.get("offset", "0")[:10])
            limit = int(request.query_params.get("limit", str(MOST_GAMES))[:10])
        except ValueError:
            return refusal(RefusalPhrase.GAMES_RANGE(), 400)
        numbers = range(1, self._state.last_game + 1)[max(offset, 0) :][: max(0, min(limit, MOST_GAMES))]
        old = await self._read_old_results(numbers)
        found = tournament_document.games(self._find_results(), numbers, old)
        return JSONResponse(found | {"total": self._state.last_game})
