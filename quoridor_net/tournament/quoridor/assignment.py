"""One game of a tournament, with all that another machine needs to play it."""

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

#: Seconds between two looks whether a game is still wanted.
POLL = 1.0

#: Folders that are beside the package in a clone and inside it where it is installed; no game needs them.
_APPLICATIONS = {"client", "server"}


class SourceError(Exception):
    """The machine has another version of this program; the message names both."""


@frozen
class Assignment:
    """One game. It can be pickled.

    Attributes:
        pairing: the game; its seats are numbered as ``entrants`` is, from 1.
        terms: how it is played, with no other opening than its own.
        entrants: who plays, by seat, named.
        source: the program that decides about the game, see :func:`source`.
    """

    pairing: Pairing
    terms: GameTerms
    entrants: tuple[PlayerSpec, ...]
    source: str

    @classmethod
    def of(cls, pairing: Pairing, terms: GameTerms, entrants: tuple[PlayerSpec, ...]) -> Assignment:
        """Return the assignment of a game of the tournament that is played here."""
        opening = terms.opening(pairing)
        seats = tuple(range(1, len(entrants) + 1))
        # Every game has new programs there, which have to differ as those of one machine do.
        terms = evolve(terms, openings=(opening,) if opening else (), programs=pairing.number)
        return cls(evolve(pairing, seats=seats), terms, entrants, source())

    def play(self, is_wanted: Callable[[], bool]) -> tuple[Event, ...]:
        """Play the game and return its events.

        It runs an event loop of its own, and ends soon after ``is_wanted`` returned False.

        Raises:
            SourceError: this is another program than that of the tournament.
        """
        if self.source != source():
            raise SourceError(f"has {source()}, and this program is {self.source}")
        events: list[Event] = []

        async def play() -> None:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_cancel_when_unwanted, is_wanted, nursery.cancel_scope)
                async with open_roster(self.terms) as roster:
                    for entrant in self.entrants:
                        await roster.add(_found_here(entrant), entrant.name)
                    await warm_up(self.entrants, ignore)
                    await roster.play(self.pairing, events.append)
                nursery.cancel_scope.cancel()

        clock.run(play)
        return tuple(events)


def _found_here(entrant: PlayerSpec) -> PlayerSpec:
    """Return an entrant whose command runs in the current folder if this machine lacks the one it names."""
    program = entrant.program
    if program is None or not program.folder or Path(program.folder).is_dir():
        return entrant
    return evolve(entrant, program=evolve(program, folder=""))


async def _cancel_when_unwanted(is_wanted: Callable[[], bool], scope: trio.CancelScope) -> None:
    while is_wanted():  # noqa: ASYNC110 - nobody says it from within this event loop
        await trio.sleep(POLL)
    scope.cancel()


def play_on_worker(assignment: Assignment) -> tuple[Event, ...]:
    """Play a game in a task; see :meth:`Assignment.play`."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def is_wanted() -> bool:
        # The library cancels no task that runs; it notes only that nobody waits for it.
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing"

    return assignment.play(is_wanted)


@functools.cache
def source() -> str:
    """Return the version of this program and a checksum of its files, all that can change how a game goes."""
    checksum = 0
    for path in _files(resources.files(quoridor_net)):
        checksum = zlib.crc32(path.read_bytes(), zlib.crc32(path.name.encode(), checksum))
    return f"quoridor-net {quoridor_net.__version__} ({checksum:08x})"


def _files(folder: Traversable) -> list[Traversable]:
    """Return the sources and data below a folder, in an order that is the same everywhere."""
    found: list[Traversable] = []
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.is_dir():
            if path.name not in _APPLICATIONS:
                found += _files(path)
        elif path.name.endswith((".py", ".npz", ".txt", ".sql")):
            found.append(path)
    return found
