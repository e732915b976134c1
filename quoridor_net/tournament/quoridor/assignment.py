"""One game of a tournament, with everything that another machine needs to play it."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Callable
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import trio
from attrs import evolve, frozen

import quoridor_net
from quoridor_net.match import Event
from quoridor_net.net import clock
from quoridor_net.output import ignore
from quoridor_net.players.source import warm_up
from quoridor_net.players.spec import PlayerSpec
from quoridor_net.tournament.quoridor.roster import open_roster
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.tournament.schedule import Pairing

#: Seconds between two checks whether a game is still wanted.
POLL = 1.0

#: Folders that an installed package contains and a clone has next to the package; no game needs them.
_APPLICATIONS = {"client", "server"}


class SourceError(Exception):
    """The machine has another version of this program; the message names both."""


@frozen
class Assignment:
    """One game. It can be pickled.

    Attributes:
        pairing: the game; its seats are numbered like ``entrants``, from 1.
        terms: the terms of the game, with only its own opening.
        entrants: the entrants by seat, with their names.
        source: the version of the program that manages the tournament, see :func:`source`.
    """

    pairing: Pairing
    terms: GameTerms
    entrants: tuple[PlayerSpec, ...]
    source: str

    @classmethod
    def of(cls, pairing: Pairing, terms: GameTerms, entrants: tuple[PlayerSpec, ...]) -> Assignment:
        """Return the assignment of a game of this tournament."""
        opening = terms.opening(pairing)
        seats = tuple(range(1, len(entrants) + 1))
        # Workers start new programs for every game, so the game number keeps their seeds different.
        terms = evolve(terms, openings=(opening,) if opening else (), programs=pairing.number)
        return cls(evolve(pairing, seats=seats), terms, entrants, source())

    def play(self, is_wanted: Callable[[], bool]) -> tuple[Event, ...]:
        """Play the game in an event loop of its own, and return its events.

        The game ends soon after ``is_wanted`` returns False.

        Raises:
            SourceError: the program of the tournament has another version.
        """
        if self.source != source():
            raise SourceError(f"has {source()}, but this program is {self.source}")
        events: list[Event] = []

        async def play() -> None:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_cancel_when_unwanted, is_wanted, nursery.cancel_scope)
                async with open_roster(self.terms) as roster:
                    for entrant in self.entrants:
                        await roster.add(_adapt_folder(entrant), entrant.name)
                    await warm_up(self.entrants, ignore)
                    await roster.play(self.pairing, events.append)
                nursery.cancel_scope.cancel()

        clock.run(play)
        return tuple(events)


def _adapt_folder(entrant: PlayerSpec) -> PlayerSpec:
    """Return the entrant; if this machine lacks the folder of its command, it runs in the current one."""
    program = entrant.program
    if program is None or not program.folder or Path(program.folder).is_dir():
        return entrant
    return evolve(entrant, program=evolve(program, folder=""))


async def _cancel_when_unwanted(is_wanted: Callable[[], bool], scope: trio.CancelScope) -> None:
    while is_wanted():  # noqa: ASYNC110 - the news comes from outside of this event loop
        await trio.sleep(POLL)
    scope.cancel()


def play_on_worker(assignment: Assignment) -> tuple[Event, ...]:
    """Play a game in a Dask task; see :meth:`Assignment.play`."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def is_wanted() -> bool:
        # Dask never stops a running task; it only records that the task is no longer wanted.
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing"

    return assignment.play(is_wanted)


@functools.cache
def source() -> str:
    """Return the version of this program, and a checksum of all files that can affect a game."""
    checksum = 0
    for path in _files(resources.files(quoridor_net)):
        checksum = zlib.crc32(path.read_bytes(), zlib.crc32(path.name.encode(), checksum))
    return f"quoridor-net {quoridor_net.__version__} ({checksum:08x})"


def _files(folder: Traversable) -> list[Traversable]:
    """Return the sources and data below a folder, in the same order on all machines."""
    found: list[Traversable] = []
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.is_dir():
            if path.name not in _APPLICATIONS:
                found += _files(path)
        elif path.name.endswith((".py", ".npz", ".txt", ".sql")):
            found.append(path)
    return found
