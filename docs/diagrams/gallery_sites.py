"""The sites that :mod:`docs.diagrams.gallery` takes pictures of: games, an analysis, a tournament."""

from __future__ import annotations

import atexit
import json
import math
import random
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import trio
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket

from docs.diagrams.gallery_league import PicturedLeague
from quoridor_net.events import MatchListener
from quoridor_net.match import Event, GameEnded, MatchSettings, MoveRequested, PlayerOut, play_match
from quoridor_net.moves import Move, Square, Step
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.notation.lan import LAN
from quoridor_net.notation.standard import format_move
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.phrases import place
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.players.spec import parse_spec
from quoridor_net.replay import parse_replay
from quoridor_net.rules import Position, explain
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.tournament.events import TournamentStarted
from quoridor_net.tournament.journal import Journal
from quoridor_net.tournament.quoridor.plan import RULES, Plan, format_of
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.tournament.results import Results, rate_entrants
from quoridor_net.tournament.runner import Tournament
from quoridor_net.tournament.schedule import Pairing
from quoridor_net.tournament.state import TournamentState
from quoridor_net.verdicts import VerdictPhrase
from quoridor_net.web.application import Site
from quoridor_net.web.games import LiveGames
from quoridor_net.web.live import LiveGame
from quoridor_net.web.messages import converse, refuse_all
from quoridor_net.web.play import OwnGames
from quoridor_net.web.refusals import RefusalPhrase, RefusedError
from quoridor_net.web.report import html_report
from quoridor_net.web.seat import Seat, WebPlayer
from quoridor_net.web.signup import Gathering
from quoridor_net.web.sites import play as site_of_play
from quoridor_net.web.sites import tournament as site_of_tournament
from quoridor_net.web.tournament import TournamentFeed
from tests.support.site import events_of, seat_people

ROOT = Path(__file__).parents[1]

#: Moves made in the pictures of a running game.
PLIES = 30
MOVE_TIME = 30.0

# The games.

_REPLAY = parse_replay((ROOT / "pictures" / "game.qtp").read_text(encoding="ascii"))
_SECONDS = [float(number) for number in (_REPLAY.value("Seconds") or "").split()]
MOVES = [ply.move for ply in _REPLAY.plies if ply.move is not None]
NAMES = ("mcts:nightingale", "abc:marcy")


def game(plies: int | None = None) -> list[Event]:
    """Return the events of the game that the README shows, or of its first ``plies``."""
    moves = MOVES if plies is None else MOVES[:plies]
    return events_of(moves, _REPLAY.setting.position(), NAMES, lambda ply: _SECONDS[ply - 1], MOVE_TIME)


def four_players() -> list[Event]:
    """Return the events of a four-player game with one player out for an illegal move."""
    position = Position(players=4)
    chance = random.Random(4)
    moves: list[Move] = []
    for _ in range(22):
        walls, steps = position.legal_walls, position.legal_steps
        choices: Sequence[Move] = walls if walls and chance.random() < 0.4 else steps
        move = chance.choice(choices)
        moves.append(move)
        position.push(move)
    names = ("ann:bot", "bob:a_bot_with_a_very_long_name", "cid:bot", "dan:bot")
    events = events_of(moves, Position(players=4), names, lambda ply: ply % 7 / 3)
    out = position.turn
    assert out is not None
    own = position.pawn(out)
    assert own is not None
    refused = Step(Square((own.column + 4) % 9, own.row))
    reason = position.why_illegal(refused)
    assert reason is not None
    sentence = VerdictPhrase.ILLEGAL_MOVE(move=place(str(refused), str(refused)), reason=explain(reason, LAN))
    position.eliminate(out)
    fault = ForfeitError(Termination.ILLEGAL_MOVE, sentence, f"TESUJI {refused}", move=refused)
    events.append(PlayerOut(out, fault, position))
    return events


def four_players_going_on() -> list[Event]:
    """Return the same, with the next player thinking."""
    events = four_players()
    last = events[-1]
    assert isinstance(last, PlayerOut)
    assert last.position.turn is not None
    return [*events, MoveRequested(last.position.turn, 22)]


def fault() -> list[Event]:
    """Return the events of a game that a slow player lost."""
    position = _REPLAY.position(PLIES)
    did = VerdictPhrase.NO_ANSWER(seconds=MOVE_TIME)
    winner, loser = (
        VerdictPhrase.SEAT(name=name, seat=seat)
        for name, seat in zip(NAMES, Position.seat_names, strict=False)
    )
    sentence = VerdictPhrase.FAULT(winner=winner, loser=loser, did=did)
    events = game(PLIES + 1)
    final = _REPLAY.position(PLIES + 1)
    final.eliminate(2)
    out = PlayerOut(2, ForfeitError(Termination.TOO_SLOW, did), final.copy())
    end = GameEnded(Result(1, Termination.TOO_SLOW, sentence, PLIES + 1), NAMES, position)
    return [*events, out, end]


#: Winning chances that some moves lose, by ply.
_MISTAKES = {13: 0.1, 22: 0.3, 31: 0.2}


def analysis() -> list[dict[str, Any]]:
    """Return an analysis that knows nothing but distances: a picture needs no engine."""
    found: list[dict[str, Any]] = []
    before = 0.5
    for ply, move in enumerate(MOVES, 1):
        position = _REPLAY.position(ply - 1)
        player = position.turn
        assert player is not None
        first = chance_of_first(_REPLAY.position(ply))
        first -= _MISTAKES.get(ply, 0.0) * (1 if player == 1 else -1)
        own, earlier = (first, before) if player == 1 else (1 - first, 1 - before)
        loss = max(0.0, earlier - own)
        mark = next(
            (
                name
                for least, name in ((0.22, "blunder"), (0.15, "mistake"), (0.08, "inaccuracy"))
                if loss >= least
            ),
            None,
        )
        better = [Step(square) for square in position.shortest_path(player)[1:5]]
        moves = [format_move(each) for each in (better if mark else [move])]
        found.append(
            {
                "ply": ply,
                "player": player,
                "move": format_move(move),
                "score": 0,
                "chance": own,
                "wins_in": None,
                "best": [{"moves": moves, "score": 0, "chance": earlier, "wins_in": None}],
                "loss": loss,
                "mark": mark,
            }
        )
        before = first
    return found


def chance_of_first(position: Position) -> float:
    """Return a winning chance of player 1 that looks plausible."""
    own, other = position.distance(1), position.distance(2)
    assert own is not None
    assert other is not None
    walls = position.walls_left(1) - position.walls_left(2)
    return 1 / (1 + math.exp((own - other) / 3 - walls / 4))


# The sites.


def site_of(
    mode: str, make_events: Callable[[], Sequence[Event]], routes: Sequence[BaseRoute] = ()
) -> Callable[[trio.Nursery], Site]:
    """Return a maker of a site with one game."""

    def make(_nursery: trio.Nursery) -> Site:
        live = LiveGame()
        for event in make_events():
            live(event)
        abilities = frozenset({"analysis"} if routes else ())
        picture = BoardPicture.LAN if mode == "watch" else BoardPicture.STANDARD
        return Site(mode, "Quoridor", LiveGames({1: live}), abilities, routes, picture=picture)

    return make


async def tell_analysis(socket: WebSocket) -> None:
    """Send the whole analysis."""
    await socket.accept()
    await socket.send_text(json.dumps({"reset": analysis()}))
    await socket.send_text(json.dumps({"accuracy": [87.4, 92.1]}))
    await converse(socket, refuse_all)


async def think(socket: WebSocket) -> None:
    """Send lines for every position: along the shortest paths."""
    await socket.accept()

    async def answer(message: Mapping[str, Any]) -> None:
        if "position" in message:
            await socket.send_text(json.dumps(lines_of(message)))

    await converse(socket, answer)


def lines_of(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return three lines of play in a position."""
    position = Position.from_line(message["position"])
    lines = []
    for number, move in enumerate(position.legal_moves[:3]):
        after = position.copy()
        after.push(move)
        line = [move]
        while len(line) < 6 and after.turn is not None:
            line.append(after.legal_steps[0])
            after.push(line[-1])
        lines.append({"moves": list(map(format_move, line)), "score": 0, "chance": 0.63 - number / 9})
    return {"position": message["position"], "depth": 14, "nodes": 1482311, "lines": lines}


SEAT, WAITING_SEAT = Seat(1), Seat(1)


def seat_against(seat: Seat, rival: Callable[[], SimplePlayer], plies: int) -> Callable[[trio.Nursery], Site]:
    """Return a maker of the site of a seat in the middle of a game."""

    def make(nursery: trio.Nursery) -> Site:
        games, live = seat_people(seat)
        person = WebPlayer("person", takes_back=True)
        seat.take(person, 1)
        settings = MatchSettings(_REPLAY.position(plies), takes_back=True)
        nursery.start_soon(play_match, [person, rival()], settings, [live])
        return Site("play", "Quoridor", games, frozenset({"seats"}))

    return make


def own_games(nursery: trio.Nursery) -> Site:
    """Return the site for starting games, with simple players as the engine."""
    return site_of_play(OwnGames(nursery, SimplePlayer))


def new_game(_nursery: trio.Nursery) -> Site:
    """Return the site that starts games."""
    return Site("play", "Quoridor", LiveGames({}), frozenset({"seats"}), (), DEFAULTS)


def played(_nursery: trio.Nursery) -> Site:
    """Return the site that starts games, with the analysis of one that is over."""
    live = LiveGame()
    for event in game():
        live(event)
    games = LiveGames({1: live})
    return Site("play", "Quoridor", games, frozenset({"seats", "analysis"}), ANALYSED, DEFAULTS)


DEFAULTS = {"level": 5, "side": "random", "size": 9, "walls": None, "players": 2, "jumps": "official"}
ANALYSED = (WebSocketRoute("/games/1/analysis", tell_analysis), WebSocketRoute("/analysis", think))

# A tournament of a class.

ENTRANTS = (
    "ada:walls",
    "bea:runner",
    "cem:snake",
    "dan:shadow",
    "eva:beaver",
    "fay:hare",
    "gus:gate",
    "ida:fox",
)
TERMS = GameTerms(size=7, walls=6)
PLAN = Plan(games=1, terms=TERMS)

#: A larger class, whose number is odd and which has a long name.
CLASS = (
    *ENTRANTS,
    "jan:mole",
    "kim:owl",
    "leo:newt",
    "mia:the_gate_that_nobody_has_passed_so_far",
    "ned:elk",
)
SWISS = Plan("swiss", rounds=5, games=1, terms=TERMS, rests=((3, 2), (12, 1)))
KNOCKOUT = Plan("knockout", games=1, terms=TERMS)
FOUR_PLAYERS = Plan("four-player", rounds=4, terms=GameTerms(size=7, walls=3, players=4))

#: Games that are played to their ends before the others stop, at how many moves of each player they do, and
#: how many are played at once.
FINISHED, STOPS_AT, AT_ONCE = 11, 6, 4
ALL_GAMES = 1000

_SCRATCH = Path(tempfile.mkdtemp(prefix="gallery"))
atexit.register(shutil.rmtree, _SCRATCH, ignore_errors=True)


class _Stopping(SimplePlayer):
    """Plays this many moves."""

    def __init__(self, seed: int, moves: int) -> None:
        super().__init__(seed)
        self._moves = moves

    async def choose(self, position: Any, clock: Any) -> Any:
        """Return the simple player's move, or wait for ever."""
        self._moves -= 1
        if self._moves < 0:
            await trio.sleep_forever()
        return await super().choose(position, clock)


async def _run(
    path: Path,
    state: TournamentState,
    view: TournamentFeed,
    plan: Plan,
    entrants: Sequence[str],
    finished: int,
) -> None:
    async def play(pairing: Pairing, listener: MatchListener[Any, Any]) -> Result:
        moves = 1000 if pairing.number <= finished else STOPS_AT + pairing.number % 4
        players = [_Stopping(pairing.number + 100 * seat, moves) for seat, _ in enumerate(pairing.seats)]
        for player, entrant in zip(players, pairing.seats, strict=True):
            player.name = entrants[entrant - 1]
        return await play_match(players, MatchSettings(plan.terms.position(pairing)), [listener])

    with Journal.create(path) as journal:
        start = TournamentStarted(RULES, tuple(entrants), plan.settings(), ("simple",) * len(entrants))
        await Tournament(
            start, plan.format, play, [view], state=state, record=journal, concurrency=AT_ONCE
        ).run()


def tournament(
    plan: Plan, entrants: Sequence[str], finished: int = ALL_GAMES
) -> Callable[[trio.Nursery], Site]:
    """Return a maker of the site of a tournament."""

    def make(nursery: trio.Nursery) -> Site:
        state, path = TournamentState(), Path(tempfile.mkdtemp(dir=_SCRATCH)) / "tournament.db"
        view = TournamentFeed(state, path, "Class 4b", plan.form)
        nursery.start_soon(_run, path, state, view, plan, entrants, finished)
        return site_of_tournament(view)

    return make


def league(nursery: trio.Nursery) -> Site:
    """Return the site of a league."""
    running = [game(plies) for plies in (PLIES, PLIES + 7, PLIES - 12)]
    pictured = PicturedLeague(Path(tempfile.mkdtemp(dir=_SCRATCH)) / "league.db", running)
    nursery.start_soon(pictured.play)
    return site_of_tournament(pictured.feed, pictured.teams)


#: Part of the lecturer's link, and the host of servers that make a mistake when they are tested.
LECTURER, BROKEN = "lecturer", "192.168.1.99"


async def _try_server(endpoint: Endpoint, _has_loopback: bool) -> str:
    if endpoint.host == BROKEN:
        did = VerdictPhrase.UNREADABLE(reason="a move looks like (4, 1) or [(3, 1), h]")
        known = {"address": str(endpoint), "name": "new:comer", "did": did}
        raise RefusedError("server", RefusalPhrase.UNFIT_ANSWER(**known, line="'TESUJI 4, 1'"))
    return "new:comer"


def sign_up(has_started: bool = False) -> Callable[[trio.Nursery], Site]:
    """Return a maker of the site of a tournament that gathers its teams, or has."""

    def make(_nursery: trio.Nursery) -> Site:
        fixed = [parse_spec(f"{name.split(':')[1]}=simple") for name in ENTRANTS[:4]]
        teams = Gathering(lambda _: None, fixed, _try_server)
        teams.token = LECTURER
        view = TournamentFeed(TournamentState(), _SCRATCH / "none.db", "Class 4b", "swiss", teams.list_teams)
        teams.tell = lambda: view.change({"signup"})
        if has_started:
            teams.begin()
        return site_of_tournament(view, teams)

    return make


def report() -> str:
    """Return the address of the report of a finished tournament."""
    state, path = TournamentState(), _SCRATCH / "finished.db"
    feed = TournamentFeed(state, path, "Class 4b", PLAN.form)
    trio.run(_run, path, state, feed, PLAN, ENTRANTS, ALL_GAMES)
    written = _SCRATCH / "report.html"
    results = Results.of(state, format_of(state), ratings=rate_entrants(state))
    written.write_text(html_report(results, path, "Class 4b"), encoding="utf-8")
    return written.as_uri()


SITES: dict[str, Callable[[trio.Nursery], Site]] = {
    "waiting": site_of("watch", list),
    "live": site_of("watch", partial(game, PLIES)),
    "over": site_of("watch", game),
    "fault": site_of("watch", fault),
    "four": site_of("watch", four_players_going_on),
    "seat": seat_against(SEAT, partial(SimplePlayer, 0), PLIES),
    "waiting-seat": seat_against(WAITING_SEAT, partial(_Stopping, 0, 0), PLIES + 1),
    "new": new_game,
    "own": own_games,
    "played": played,
    "replay": site_of("replay", game),
    "analysis": site_of("analysis", game, ANALYSED),
    "tournament": tournament(PLAN, ENTRANTS, FINISHED),
    "finished": tournament(PLAN, ENTRANTS),
    "swiss": tournament(SWISS, CLASS, 14),
    "knockout": tournament(KNOCKOUT, CLASS[:11], 5),
    "four-player": tournament(FOUR_PLAYERS, CLASS[:9], 2),
    "league": league,
    "sign-up": sign_up(),
    "sign-up-closed": sign_up(has_started=True),
}
