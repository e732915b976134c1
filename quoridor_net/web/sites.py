"""The sites of the commands: what each offers."""

from __future__ import annotations

from quoridor_net.web.application import Site
from quoridor_net.web.games import LiveGames
from quoridor_net.web.live import LiveGame
from quoridor_net.web.remote import RemoteSeats


def watch(live: LiveGame) -> Site:
    """Return the site of a display client, where one game is looked at."""
    return Site("watch", "Quoridor", LiveGames({1: live}))


def seats(places: RemoteSeats) -> Site:
    """Return the site of a move server, where people answer for its player."""
    return Site("play", "Quoridor", places.games, frozenset({"seats"}))
