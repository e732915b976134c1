"""Where the players of one spec come from, one for each game: opened, checked, asked for players, closed."""

from __future__ import annotations

import abc
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, TextIO

import trio
from attrs import field, frozen

from quoridor_net.net.networks import EVERYBODY, Networks
from quoridor_net.output import ignore
from quoridor_net.players.base import Player
from quoridor_net.players.spec import KINDS, PlayerSpec, parse_spec
from quoridor_net.programs.process import MEMORY_LIMIT
from quoridor_net.programs.source import START_TIME
from quoridor_net.rules import Move, Position

if TYPE_CHECKING:
    from quoridor_net.engine import Limits

#: Makes a player for one game from a seed; None for other moves every time.
MakePlayer = Callable[[int | None], Player[Position, Move]]


@frozen
class SourceSettings:
    """How an application starts and reaches the players that it opens.

    Attributes:
        patience: seconds that a program or a move server may take to come.
        gap: minimum delay between two messages to a move server that said nothing in between, in seconds.
        networks: where move servers may be.
        threads: of each search of the project's engine, unless its spec says so.
        is_kept: whether a program that did nothing wrong plays the next game too.
        memory_limit: MiB of address space for each process of a program; None for no limit.
        seed: given to the first process of a program as ``-seed N``, to the next one as N + 1; None for none.
        start: the start position of the game that programs are tried with.
        report: gets a line for each remark about a program.
        engine: gives what makes the project's engine for these limits; None where the application makes the
            engine ready before the first game.
        own: makes the players of kinds without a source, by word.
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
    own: Mapping[str, MakePlayer] = field(factory=dict)


class PlayerSource(abc.ABC):
    """Where the players of one spec come from.

    Attributes:
        spec: who.
        name: of the players; empty until :meth:`check` has learnt it from them.
    """

    def __init__(self, spec: PlayerSpec, settings: SourceSettings) -> None:
        self.spec = spec
        self.settings = settings
        self.name = spec.name

    @classmethod  # noqa: B027 - most share nothing
    async def warm_up(cls, report: Callable[[str], None]) -> None:
        """Prepare what all players of this kind share; ``report`` gets a line for each step.

        Raises:
            MemoryError: the address space is limited to less than that takes.
        """

    async def open(self, nursery: trio.Nursery) -> None:  # noqa: B027 - most need nothing beside the games
        """Begin what runs in ``nursery`` beside the games, until :meth:`close`."""

    async def check(self) -> None:  # noqa: B027 - most are sound and know their names
        """Try the player and learn its own name, before anything begins.

        Raises:
            ForfeitError: it does not come.
            OSError: the machine cannot start it.
        """

    async def arrive(self) -> None:  # noqa: B027 - most are always there
        """Wait for the player, where a game begins when everybody is there.

        Raises:
            ForfeitError: it does not come.
            OSError: this machine has no descriptors or memory for it.
        """

    @abc.abstractmethod
    async def player(self, seed: int | None, transcript: TextIO | None = None) -> Player[Position, Move]:
        """Return the player of one game; ``transcript`` gets the lines that it exchanges on the LAN.

        Raises:
            ForfeitError: it does not come.
            OSError: the machine cannot start it.
        """

    async def retire(self) -> None:
        """Close what no running game needs: there will be no other game."""
        await self.close()

    async def close(self) -> None:  # noqa: B027 - most have nothing to close
        """End what :meth:`open` began."""


class InstantSource(PlayerSource):
    """A source whose players are made without waiting for anything."""

    @abc.abstractmethod
    def make(self, seed: int | None) -> Player[Position, Move]:
        """Return the player of one game."""

    async def player(self, seed: int | None, transcript: TextIO | None = None) -> Player[Position, Move]:
        """Return the player of one game."""
        return self.make(seed)


class MadeSource(InstantSource):
    """Players that a class or function makes from a seed."""

    def __init__(self, spec: PlayerSpec, settings: SourceSettings, make: MakePlayer) -> None:
        super().__init__(spec, settings)
        self._make = make

    def make(self, seed: int | None) -> Player[Position, Move]:
        """Return the player of one game."""
        return self._make(seed)


def source_of(spec: PlayerSpec, settings: SourceSettings | None = None) -> PlayerSource:
    """Return the source of the players that ``spec`` names; the caller opens and closes it."""
    settings = settings or SourceSettings()
    if spec.word in settings.own:
        return MadeSource(spec, settings, settings.own[spec.word])
    found = pkgutil.resolve_name(spec.kind.source)
    if issubclass(found, Player):
        return MadeSource(spec, settings, found)
    source: PlayerSource = found(spec, settings)
    return source


async def warm_up(specs: Iterable[PlayerSpec], report: Callable[[str], None]) -> None:
    """Prepare what the players that ``specs`` name share, before any clock runs.

    Args:
        specs: the players.
        report: gets a line for each step.

    Raises:
        MemoryError: the address space is limited to less than that takes.
    """
    for path in dict.fromkeys(spec.kind.source for spec in specs):
        found = pkgutil.resolve_name(path) if path else None
        if found is not None and issubclass(found, PlayerSource):
            await found.warm_up(report)


async def open_source(
    spec: PlayerSpec, nursery: trio.Nursery, settings: SourceSettings | None = None
) -> PlayerSource:
    """Return an open source of the players that ``spec`` names; the caller closes it.

    Programs are started when they are needed, and live in ``nursery``.
    """
    source = source_of(spec, settings)
    await source.open(nursery)
    return source


def built_in() -> dict[str, MakePlayer]:
    """Return what makes the players of this project, by word."""
    words = (kind.word for kind in KINDS.values() if kind.is_built_in and kind.source)
    return {word: partial(make_player, word) for word in words}


def make_player(spec: str, seed: int | None = None) -> Player[Position, Move]:
    """Return a player of this project for one game: ``"engine:level=3"``, ``"simple"`` or ``"random"``.

    Args:
        spec: which one, written as on the command line.
        seed: for the same moves every time; None for others.

    Raises:
        TypeError: the seed is not a number.
        ValueError: no player of this project has that name.
    """
    if not isinstance(seed, int | None):
        raise TypeError(f"a seed is a whole number or None, not {seed!r}")
    word, _, _ = spec.partition(":")
    kind = KINDS.get(word)
    if kind is None or not kind.is_built_in or not kind.source:
        raise ValueError(f"there is no player {spec!r}: choose from {', '.join(built_in())}")
    source = source_of(parse_spec(spec))
    assert isinstance(source, InstantSource), "players of this project are made at once"
    return source.make(seed)
