"""Player specs: one grammar for all commands, pages and files that take a player."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from attrs import frozen

from quoridor_net.clocks import GameClock, parse_clock
from quoridor_net.net.endpoint import Endpoint, parse_endpoint
from quoridor_net.programs import address as program_address
from quoridor_net.programs.address import EngineAddress, parse_address
from quoridor_net.text import UnparsableError, name_fault, normal, parse_number, quote

if TYPE_CHECKING:
    from quoridor_net.engine import Limits

_NAME = re.compile(r"([^=,]+)=(.*)", re.DOTALL)
_SECONDS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?", re.ASCII)


@frozen
class Thinking:
    """Search options of the project's engine; None for the engine's default.

    Attributes:
        level: playing strength, from 1 for a beginner to the engine's full strength.
        think: time for each move, in seconds.
        nodes: positions for each move.
        depth: search depth, in plies.
        threads: number of threads that search one tree.
    """

    level: int | None = None
    think: float | None = None
    nodes: int | None = None
    depth: int | None = None
    threads: int | None = None

    def limits(self, usual_threads: int = 1) -> Limits:
        """Return the limits of a search, with ``usual_threads`` as the default number of threads."""
        from quoridor_net.engine import Limits
        from quoridor_net.engine.limits import STRONGEST

        level, threads = self.level or STRONGEST, self.threads or usual_threads
        return Limits(time=self.think, nodes=self.nodes, depth=self.depth, level=level, threads=threads)

    def limits_for_people(self) -> Limits:
        """Return the limits of a search that a person waits for, which may use the whole machine.

        With a limit on nodes or depth it uses one thread, so that results are reproducible.
        """
        return self.limits(1 if self.nodes or self.depth else processors())


def processors() -> int:
    """Return the number of threads that can search at once on this machine."""
    from quoridor_net.engine.limits import MOST_THREADS

    return min(os.cpu_count() or 1, MOST_THREADS)


@frozen
class PlayerKind:
    """A kind of player: its spelling, and the properties that all its players share.

    Attributes:
        word: the word before the colon; empty for bare addresses.
        form: form of its specs, for messages and help.
        source: the class of its players as ``module:Class``, so that unused ones are not imported: a
            :class:`~quoridor_net.players.base.Player` that takes only a seed, or a
            :class:`~quoridor_net.players.source.PlayerSource`. Empty if the application creates the players.
        read: parses the text after the colon into attributes of a :class:`PlayerSpec`; None if the word takes
            none.
        is_built_in: whether it moves in this process, so that no other program keeps a copy of the game.
        is_instant: whether its moves take no time.
    """

    word: str
    form: str
    source: str = ""
    read: Callable[[str], dict[str, Any]] | None = None
    is_built_in: bool = True
    is_instant: bool = False


@frozen
class PlayerSpec:
    """A parsed player spec.

    Attributes:
        word: the word of its kind.
        address: the spec as written, without the name.
        name: name of the player; empty if the player provides it.
        endpoint: address of a move server.
        program: an engine of the Athens protocol.
        games: maximum number of games at once; None for no limit of its own.
        thinking: search options of the project's engine.
        clock: its own clock, instead of that of the other players; None for the same.
    """

    word: str
    address: str
    name: str = ""
    endpoint: Endpoint | None = None
    program: EngineAddress | None = None
    games: int | None = None
    thinking: Thinking = Thinking()
    clock: GameClock | None = None

    @property
    def kind(self) -> PlayerKind:
        """The kind of the player."""
        return KINDS[self.word]

    @property
    def server(self) -> Endpoint | None:
        """The player's move server, which several specs may share; None for other kinds."""
        return None if self.endpoint is None else self.endpoint.canonical

    @property
    def lasting_address(self) -> str:
        """The address in a form that works from any folder: a command includes its folder."""
        if self.program is None:
            return self.address
        if self.program.command:
            return f"qtp:{self.program}"
        return str(self.program) if self.clock is None else f"{self.program},clock={self.clock}"

    @property
    def is_portable(self) -> bool:
        """Whether the player can run on any machine that has the necessary programs."""
        return self.kind.is_built_in or (self.program is not None and bool(self.program.command))


def check_system(players: Iterable[PlayerSpec]) -> None:
    """Check that this system can run the engine programs among ``players``.

    Raises:
        ValueError: it cannot; the message says what to do.
    """
    for player in players:
        if player.program is not None:
            program_address.check_system(player.program)


def parse_spec(text: str, own: Collection[str] = ()) -> PlayerSpec:
    """Parse a player spec, ``[NAME=]ADDRESS``.

    Args:
        text: as written by the user.
        own: words of the kinds without a source that the application creates itself.

    Raises:
        ValueError: ``text`` is not a player spec; the message says why.
    """
    try:
        return _parse(text, own)
    except ValueError:
        # With options, a kind without any reads like a host or, before "=", like a name.
        for part in (text, text.partition("=")[2]):
            word, colon, _ = part.partition(":")
            if colon and word in KINDS and _is_taken(KINDS[word], own) and KINDS[word].read is None:
                raise ValueError(f"{word} takes no options") from None
        raise


def _parse(text: str, own: Collection[str]) -> PlayerSpec:
    # Look for a kind first, because engine options contain "=" too, and names may contain a colon.
    kind = _kind_of(text, own)
    named = None if kind is not None and kind.word else _NAME.fullmatch(text)
    if named is None:
        return _parse_address(text, "", own)
    name, address = normal(named[1]), named[2]
    if fault := name_fault(name):
        # It may be an engine's command with an option.
        try:
            _parse_address(address, "", own)
        except ValueError:
            raise ValueError(f"{quote(text)} is not a player: expected {list_forms(own)}") from None
        raise ValueError(fault)
    if not name.isprintable():
        raise ValueError(f"the name {quote(name)} contains an unprintable character")
    return _parse_address(address, name, own)


def list_forms(own: Collection[str] = ()) -> str:
    """Join the forms of an address for a message; ``own`` as for :func:`parse_spec`."""
    *forms, last = (kind.form for kind in KINDS.values() if _is_taken(kind, own))
    return f"{', '.join(forms)} or {last}"


def _is_taken(kind: PlayerKind, own: Collection[str]) -> bool:
    return bool(kind.source) or kind.word in own


def _kind_of(address: str, own: Collection[str]) -> PlayerKind | None:
    word, colon, _ = address.partition(":")
    kind = KINDS.get(word)
    # A host may have the same name as a kind without options.
    if kind is not None and _is_taken(kind, own) and (kind.read is not None or not colon):
        return kind
    return KINDS[""] if colon else None


def _parse_address(address: str, name: str, own: Collection[str]) -> PlayerSpec:
    kind = _kind_of(address, own)
    if kind is None:
        raise ValueError(f"{quote(address)} is not a player: expected {list_forms(own)}")
    if kind.read is None:
        return PlayerSpec(kind.word, address, name)
    rest = address.removeprefix(kind.word).removeprefix(":") if kind.word else address
    return PlayerSpec(kind.word, address, name, **kind.read(rest))


def _read_options(text: str, known: Mapping[str, Callable[[str], Any]]) -> dict[str, Any]:
    """Parse comma-separated ``option=value`` pairs."""
    found: dict[str, Any] = {}
    for word in filter(None, text.split(",")):
        option, _, value = word.partition("=")
        if option not in known:
            raise ValueError(f"unknown option {quote(option)}: expected {', '.join(known)}")
        if option in found:
            raise ValueError(f"{option} is given twice")
        try:
            found[option] = known[option](value)
        except UnparsableError as error:
            raise ValueError(f"{option}: {error}") from None
    return found


def _read_server(text: str) -> dict[str, Any]:
    endpoint, _, options = text.partition(",")
    if ":" not in endpoint:
        raise ValueError(f"{quote(text)} is not a player: expected {KINDS[''].form}")
    # One game at a time unless the spec says that the server can play several.
    known = {"games": lambda value: parse_number(value, 1, 1000), "clock": parse_clock}
    return {"endpoint": parse_endpoint(endpoint), "games": 1, **_read_options(options, known)}


def _read_command(text: str) -> dict[str, Any]:
    return {"program": parse_address(text.strip())}


def _read_tcp(text: str) -> dict[str, Any]:
    endpoint, _, options = text.partition(",")
    return {"program": parse_address(f"tcp:{endpoint}"), **_read_options(options, {"clock": parse_clock})}


def _read_thinking(text: str) -> dict[str, Any]:
    if not text:
        return {}
    # Imported here, because most players need no engine.
    from quoridor_net.engine.limits import MOST_THREADS, STRONGEST

    known: dict[str, Callable[[str], Any]] = {
        "level": lambda value: parse_number(value, 1, STRONGEST),
        "think": _read_seconds,
        "nodes": lambda value: parse_number(value, 1, 10**9),
        "depth": lambda value: parse_number(value, 1, 100),
        "threads": lambda value: parse_number(value, 1, MOST_THREADS),
        "clock": parse_clock,
    }
    found = _read_options(text, known)
    clock = found.pop("clock", None)
    return {"thinking": Thinking(**found), "clock": clock}


def _read_seconds(text: str) -> float:
    if not _SECONDS.fullmatch(text) or not float(text):
        raise UnparsableError(f"expected a number of seconds, not {quote(text)}")
    return float(text)


_SERVER = "quoridor_net.players.server:ServerSource"
_PROGRAM = "quoridor_net.players.athens:ProgramSource"
_ENGINE = "quoridor_net.players.engine:SearchSource"
_SIMPLE = "quoridor_net.players.simple:SimplePlayer"
_RANDOM = "quoridor_net.players.random:RandomPlayer"

#: All kinds of players by word, in the order of messages. To add a kind, add an entry here and a class.
KINDS: Mapping[str, PlayerKind] = {
    kind.word: kind
    for kind in (
        PlayerKind("human", "human"),
        PlayerKind("web", "web"),
        PlayerKind("", "HOST:PORT", _SERVER, _read_server, is_built_in=False),
        PlayerKind("tcp", "tcp:HOST:PORT", _PROGRAM, _read_tcp, is_built_in=False),
        PlayerKind("qtp", "qtp:COMMAND", _PROGRAM, _read_command, is_built_in=False),
        PlayerKind("engine", "engine[:level=5,think=0.1]", _ENGINE, _read_thinking),
        PlayerKind("simple", "simple", _SIMPLE, is_instant=True),
        PlayerKind("random", "random", _RANDOM, is_instant=True),
    )
}

#: The default player of commands.
DEFAULT_PLAYER = "engine"

#: The default level of the engine against a person: no beginner, but far from full strength.
LEVEL_FOR_PEOPLE = 4
