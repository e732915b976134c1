"""The sites of the commands: what each offers."""

from __future__ import annotations

from quoridor_net.web.application import Site
from quoridor_net.web.games import LiveGames
from quoridor_net.web.live import LiveGame


def watch(live: LiveGame) -> Site:
    """Return the site of a display client, where one game is looked at."""
    return Site("watch", "Quoridor", LiveGames({1: live}))
