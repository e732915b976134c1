"""Sources that create a player for each game from one player spec."""

from __future__ import annotations

import abc
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, TextIO

import trio
from attrs import field, frozen

from quoridor_net.clocks import GameClock
from quoridor_net.net.networks import EVERYBODY, Networks
from quoridor_net.output import ignore
from quoridor_net.players.base import Player
from quoridor_net.players.spec import KINDS, PlayerSpec, parse_spec
from quoridor_net.programs.process import MEMORY_LIMIT, START_TIME
from quoridor_net.rules import Move, Position

if TYPE_CHECKING:
    from quoridor_net.engine import Limits

#: Creates a player for one game from a seed; None for a random seed.
MakePlayer = Callable[[int | None], Player[Position, Move]]


@frozen
class SourceSettings:
    """Settings of an application for starting and reaching players.

    Attributes:
        patience: how long to wait for a program or move server, in seconds.
        gap: minimum delay between messages to a move server that has sent nothing in between, in seconds.
        networks: the networks in which move servers are allowed.
        threads: threads for each search of the project's engine, unless its spec sets them.
        is_kept: whether a program without a fault also plays the next game.
        memory_limit: maximum address space of each process of a program, in MiB; None for no limit.
        seed: passed to a program's first process as ``-seed N``, to the next as N + 1; None for no option.
        start: start position for checking programs.
        report: gets a line for each remark about a program.
        engine: returns a factory of engine players for these limits; None if the application prepares the
            engine before the first game.
        times: clock and time limit of a move, in seconds, for programs that have a command for them; None for
            no limit.
        own: factories for the kinds without a source, by word.
    """

    patience: float = START_TIME
    gap: float = 0.0
    networks: Networks = EVERYBODY
    threads: int = 1
    is_kept: bool = True
    memory_limit: int | None = MEMORY_LIMIT
    seed: int | None = None
    start: Position = field(factory=Position)
    report: Callable[[str], None] = ignore
    engine: Callable[[Limits], MakePlayer] | None = None
    times: tuple[GameClock | None, float | None] = (None, None)
    own: Mapping[str, MakePlayer] = field(factory=dict)


class PlayerSource(abc.ABC):
    """The source of the players of one spec.

    Attributes:
        spec: the spec.
        name: name of the players; unless the spec has one, it is empty before :meth:`check`.
    """

    def __init__(self, spec: PlayerSpec, settings: SourceSettings) -> None:
        self.spec = spec
        self.settings = settings
        self.name = spec.name

    @classmethod  # noqa: B027 - most share nothing
    async def warm_up(cls, report: Callable[[str], None]) -> None:
        """Prepare what all players of this kind share; ``report`` gets a line for each step.

        Raises:
            MemoryError: the limit on the address space is too low.
        """

    async def open(self, nursery: trio.Nursery) -> None:  # noqa: B027 - most need nothing beside the games
        """Start background tasks in ``nursery``, which run until :meth:`close`."""

    async def check(self) -> None:  # noqa: B027 - most are sound and know their names
        """Check the player before the first game and ask for its name.

        Raises:
            ForfeitError: it is missing or at fault.
            OSError: the machine cannot start it.
        """

    async def arrive(self) -> None:  # noqa: B027 - most are always there
        """Wait for the player, in a game that begins when all players are present.

        Raises:
            ForfeitError: it is missing.
            OSError: this machine has no descriptors or memory for it.
        """

    @abc.abstractmethod
    async def player(self, seed: int | None, transcript: TextIO | None = None) -> Player[Position, Move]:
        """Return the player of one game; ``transcript`` records its lines on the LAN.

        Raises:
            ForfeitError: it is missing or at fault.
            OSError: the machine cannot start it.
        """

    async def retire(self) -> None:
        """Release what no running game needs, because no other game follows."""
        await self.close()

    async def close(self) -> None:  # noqa: B027 - most have nothing to close
        """Stop the background tasks."""


class InstantSource(PlayerSource):
    """A source that creates players without waiting."""

    @abc.abstractmethod
    def make(self, seed: int | None) -> Player[Position, Move]:
        """Return the player of one game."""

    async def player(self, seed: int | None, transcript: TextIO | None = None) -> Player[Position, Move]:
        """Return the player of one game."""
        return self.make(seed)


class MadeSource(InstantSource):
    """A source that calls a class or function with the seed."""

    def __init__(self, spec: PlayerSpec, settings: SourceSettings, make: MakePlayer) -> None:
        super().__init__(spec, settings)
        self._make = make

    def make(self, seed: int | None) -> Player[Position, Move]:
        """Return the player of one game."""
        return self._make(seed)


def source_of(spec: PlayerSpec, settings: SourceSettings | None = None) -> PlayerSource:
    """Return the source for ``spec``; the caller opens and closes it."""
    settings = settings or SourceSettings()
    if spec.word in settings.own:
        return MadeSource(spec, settings, settings.own[spec.word])
    found = pkgutil.resolve_name(spec.kind.source)
    if issubclass(found, Player):
        return MadeSource(spec, settings, found)
    source: PlayerSource = found(spec, settings)
    return source


async def warm_up(specs: Iterable[PlayerSpec], report: Callable[[str], None]) -> None:
    """Prepare resources shared by the players of ``specs``, before any clock runs.

    Args:
        specs: the players.
        report: gets a line for each step.

    Raises:
        MemoryError: the limit on the address space is too low.
    """
    for path in dict.fromkeys(spec.kind.source for spec in specs):
        found = pkgutil.resolve_name(path) if path else None
        if found is not None and issubclass(found, PlayerSource):
            await found.warm_up(report)


async def open_source(
    spec: PlayerSpec, nursery: trio.Nursery, settings: SourceSettings | None = None
) -> PlayerSource:
    """Return an open source for ``spec``; the caller closes it.

    Programs start when needed and run in ``nursery``.
    """
    source = source_of(spec, settings)
    await source.open(nursery)
    return source


def list_built_in() -> dict[str, MakePlayer]:
    """Return factories of this project's own players, by word."""
    words = (kind.word for kind in KINDS.values() if kind.is_built_in and kind.source)
    return {word: partial(make_player, word) for word in words}


def make_player(spec: str, seed: int | None = None) -> Player[Position, Move]:
    """Return one of this project's players for one game: ``"engine:level=3"``, ``"simple"`` or ``"random"``.

    Args:
        spec: the player, written as on the command line.
        seed: for reproducible moves; None for a random seed.

    Raises:
        TypeError: the seed is not a number.
        ValueError: no player of this project has that name.
    """
    if not isinstance(seed, int | None):
        raise TypeError(f"a seed is a whole number or None, not {seed!r}")
    word, _, _ = spec.partition(":")
    kind = KINDS.get(word)
    if kind is None or not kind.is_built_in or not kind.source:
        raise ValueError(f"unknown player {spec!r}: choose from {', '.join(list_built_in())}")
    source = source_of(parse_spec(spec))
    assert isinstance(source, InstantSource), "this project's players need no waiting"
    return source.make(seed)
