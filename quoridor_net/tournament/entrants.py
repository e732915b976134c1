"""Who takes part in a tournament of Quoridor, as written on the command line."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from quoridor_net.net.endpoint import Endpoint, parse_endpoint
from quoridor_net.programs import address as program_address
from quoridor_net.programs.address import EngineAddress, parse_address
from quoridor_net.text import UnparsableError, name_fault, normal, parse_number, quoted

#: The level of full strength.
_STRONGEST = 10
#: The most threads of a search.
_MOST_THREADS = 256

_NAME = re.compile(r"([^=,]+)=(.*)", re.DOTALL)
_SECONDS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?", re.ASCII)

#: What an entrant's address may be.
EXPECTED = "HOST:PORT, qtp:COMMAND, engine[:level=5,think=0.1], simple or random"


class Kind(enum.Enum):
    """Where an entrant's moves come from."""

    SERVER = "server"
    PROGRAM = "qtp"
    ENGINE = "engine"
    SIMPLE = "simple"
    RANDOM = "random"
    #: At the terminal of ``quoridor play``, the only command that takes one.
    PERSON = "human"


@frozen
class Entrant:
    """One entrant.

    Attributes:
        address: as written, without a name.
        name: what it is called; empty for what it calls itself.
        endpoint: of a move server.
        program: of an engine of the Athens protocol.
        games: how many games it plays at once; None for as many as this machine does.
        level: of the project's engine, 1 to 10; likewise its limits for a move, None for none.
        threads: that the project's engine searches in; None for the usual number.
    """

    kind: Kind
    address: str
    name: str = ""
    endpoint: Endpoint | None = None
    program: EngineAddress | None = None
    games: int | None = None
    level: int = _STRONGEST
    think: float | None = None
    nodes: int | None = None
    depth: int | None = None
    threads: int | None = None

    @property
    def server(self) -> Endpoint | None:
        """The move server that it plays at, which others may share; None for an entrant of another kind."""
        return None if self.endpoint is None else self.endpoint.canonical

    @property
    def lasting_address(self) -> str:
        """The address that means the same in any folder: a command comes with its folder."""
        return self.address if self.program is None else f"qtp:{self.program}"

    @property
    def is_portable(self) -> bool:
        """Whether any machine that has this program, and the entrant's own, can make its moves."""
        if self.program is not None:
            return bool(self.program.command)
        return self.kind in {Kind.ENGINE, Kind.SIMPLE, Kind.RANDOM}


def parse_entrant(text: str) -> Entrant:
    """Return the entrant that ``text`` describes, ``[NAME=]ADDRESS``.

    Raises:
        ValueError: it describes none; the message says what is wrong.
    """
    name, address = split_name(text)
    return _parse_address(address, name)


def check_system(entrants: Iterable[Entrant]) -> None:
    """Refuse entrants that are programs on a system that cannot run engine programs.

    Raises:
        ValueError: there is one; the message says what to do.
    """
    for entrant in entrants:
        if entrant.program is not None:
            program_address.check_system(entrant.program)


def from_folder(entrant: Entrant, folder: Path) -> Entrant:
    """Return ``entrant`` with a command that runs in ``folder``, unless it names a folder itself."""
    program = entrant.program
    if program is None or not program.command:
        return entrant
    return evolve(entrant, program=evolve(program, folder=str(folder / program.folder)))


def commands_of(entrants: Iterable[Entrant]) -> list[str]:
    """Return the commands that have to run so that entrants can play."""
    return [
        entrant.lasting_address
        for entrant in entrants
        if entrant.program is not None and entrant.program.command
    ]


def split_name(text: str) -> tuple[str, str]:
    """Return the name, empty where there is none, and the address in ``[NAME=]ADDRESS``.

    Raises:
        ValueError: that is no name; the message says why.
    """
    # A name may have a colon, as the 2016 class demands. Options of engines have the same sign.
    named = None if text.startswith(("qtp:", "engine:")) else _NAME.fullmatch(text)
    if named is None:
        name, address = "", text
    else:
        name, address = normal(named[1]), named[2]
        if fault := name_fault(name):
            # Perhaps it is the command of an engine, with an option.
            _check_address(address, text)
            raise ValueError(fault)
        if not name.isprintable():
            raise ValueError(f"the name {quoted(name)} has a character in it that cannot be shown")
    return name, address


def _check_address(address: str, text: str) -> None:
    """Raise ValueError about ``text`` if the address at its end is not an address."""
    if address != Kind.PERSON.value:
        try:
            _parse_address(address, "")
        except ValueError:
            raise ValueError(f"{quoted(text)} is not an entrant: expected {EXPECTED}") from None


def _parse_address(address: str, name: str) -> Entrant:
    if address.startswith("qtp:"):
        program = parse_address(address.removeprefix("qtp:").strip())
        return Entrant(Kind.PROGRAM, address, name, program=program)
    word, _, options = address.partition(":")
    if word == Kind.ENGINE.value:
        return Entrant(Kind.ENGINE, address, name, **_options(options, _ENGINE_OPTIONS))
    if address in {Kind.SIMPLE.value, Kind.RANDOM.value}:
        return Entrant(Kind(address), address, name)
    endpoint, _, options = address.partition(",")
    if ":" not in endpoint:
        raise ValueError(f"{quoted(address)} is not an entrant: expected {EXPECTED}")
    # One connection plays one game: a server plays several only if it says so.
    chosen = {"games": 1} | _options(options, {"games": _games})
    return Entrant(Kind.SERVER, address, name, endpoint=parse_endpoint(endpoint), **chosen)


def _options(text: str, known: Mapping[str, Callable[[str], float]]) -> dict[str, Any]:
    """Return what ``text``, words of the form ``option=value`` between commas, says."""
    found: dict[str, Any] = {}
    for word in filter(None, text.split(",")):
        option, _, value = word.partition("=")
        if option not in known:
            raise ValueError(f"{quoted(option)} is not an option here: expected {', '.join(known)}")
        if option in found:
            raise ValueError(f"{option} is given twice")
        try:
            found[option] = known[option](value)
        except UnparsableError as error:
            raise ValueError(f"{option}: {error}") from None
    return found


def _seconds(text: str) -> float:
    if not _SECONDS.fullmatch(text) or not float(text):
        raise UnparsableError(f"expected a number of seconds, not {quoted(text)}")
    return float(text)


def _games(text: str) -> int:
    return parse_number(text, 1, 1000)


_ENGINE_OPTIONS: dict[str, Callable[[str], float]] = {
    "level": lambda text: parse_number(text, 1, _STRONGEST),
    "think": _seconds,
    "nodes": lambda text: parse_number(text, 1, 10**9),
    "depth": lambda text: parse_number(text, 1, 100),
    "threads": lambda text: parse_number(text, 1, _MOST_THREADS),
}
