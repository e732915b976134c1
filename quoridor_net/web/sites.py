"""The sites of the commands."""

from __future__ import annotations

from quoridor_net.engine import Limits
from quoridor_net.replay import Replay
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.web.analyses import Analyses
from quoridor_net.web.application import Site
from quoridor_net.web.engine_lines import EngineLines
from quoridor_net.web.game_analysis import GameAnalysis, analysis_route
from quoridor_net.web.games import LiveGames
from quoridor_net.web.live import LiveGame
from quoridor_net.web.play import OwnGames
from quoridor_net.web.remote import RemoteSeats
from quoridor_net.web.replays import RecordedGame
from quoridor_net.web.signup import Gathering
from quoridor_net.web.tournament import TournamentFeed


def watch(live: LiveGame) -> Site:
    """Return the site of a display client, for watching one game."""
    return Site("watch", "Quoridor", LiveGames({1: live}), picture=BoardPicture.LAN)


def seats(places: RemoteSeats) -> Site:
    """Return the site of a move server whose moves people make."""
    return Site("play", "Quoridor", places.games, frozenset({"seats"}), picture=BoardPicture.LAN)


def play(games: OwnGames, lines: EngineLines | None = None, limits: Limits | None = None) -> Site:
    """Return the site for starting games against the engine.

    Args:
        games: the games.
        lines: analyses finished games; None if nothing does.
        limits: limits of each search in the analysis of a game.
    """
    abilities, defaults = frozenset({"seats"}), games.usual.as_object()
    if lines is None:
        return Site("play", "Quoridor", games, abilities, games.routes, defaults)
    routes = (*games.routes, *lines.routes, *Analyses(games, lines, limits).routes)
    return Site("play", "Quoridor", games, abilities | {"analysis"}, routes, defaults)


def replay(game: Replay, lines: EngineLines) -> Site:
    """Return the site for viewing a recorded game with the engine."""
    return Site("replay", "Quoridor", RecordedGame(game), frozenset({"analysis"}), lines.routes)


def analysis(analysed: GameAnalysis, lines: EngineLines) -> Site:
    """Return the site for viewing a recorded game with its analysis and the engine."""
    routes = (analysis_route({1: analysed}.get), *lines.routes)
    return Site("analysis", "Quoridor", RecordedGame(analysed.replay), frozenset({"analysis"}), routes)


def tournament(view: TournamentFeed, gathering: Gathering | None = None) -> Site:
    """Return the site of a tournament, where teams may sign up before it starts."""
    title = view.title
    if gathering is None:
        return Site("tournament", title, view, routes=view.routes)
    routes = (*view.routes, *gathering.routes)
    return Site("tournament", title, view, routes=routes, signs_up=lambda: gathering.is_open)
