"""Addresses of engines: programs and their arguments, or hosts and ports."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

from attrs import evolve, frozen

from quoridor_net.net.endpoint import MAX_PORT, Endpoint, check_zone
from quoridor_net.programs.unix import NO_PROGRAMS, can_limit_programs
from quoridor_net.text import UnparsableError, parse_number, quote


@frozen
class EngineAddress:
    """A program and its arguments or, without a command, the host and port of an engine reached over TCP.

    Attributes:
        folder: working folder of the program, to which paths in the command are relative; empty for the
            current folder.
    """

    command: tuple[str, ...] = ()
    host: str = ""
    port: int = 0
    folder: str = ""

    def __str__(self) -> str:
        if not self.command:
            return f"tcp:{Endpoint(self.host, self.port)}"
        command = shlex.join(self.command)
        return f"cd {shlex.quote(self.folder)} && {command}" if self.folder else command

    @property
    def label(self) -> str:
        """A short name without spaces, for results."""
        name = self.command[0].rpartition("/")[2] if self.command else str(self)
        return "".join(letter if "!" <= letter <= "~" else "_" for letter in name)[:40]


def parse_address(text: str) -> EngineAddress:
    """Parse the address of an engine: a command line, or ``tcp:host:port``.

    A command line of the form ``cd FOLDER && COMMAND`` runs in that folder.

    Raises:
        ValueError: ``text`` is neither; the message says why.
    """
    if text.startswith("tcp:"):
        host, _, port = text.removeprefix("tcp:").rpartition(":")
        try:
            number = parse_number(port, 1, MAX_PORT)
        except UnparsableError:
            number = 0
        if not host or not number:
            raise ValueError(f"{quote(text)} is not an address: expected tcp:HOST:PORT")
        host = host.strip("[]")
        check_zone(host)
        return EngineAddress(host=host, port=number)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ValueError(f"{quote(text)} is not a command line: {error}") from None
    folder = ""
    if words[:1] == ["cd"] and words[2:3] == ["&&"]:
        folder, words = words[1], words[3:]
    if not words:
        raise ValueError("the command is empty")
    if "\0" in text:
        raise ValueError(f"{quote(text)} is not a command line: it contains a NUL character")
    return EngineAddress(tuple(words), folder=folder)


class NoProgramsError(ValueError):
    """This system cannot run engine programs."""


def check_system(address: EngineAddress) -> None:
    """Check that this system can limit, watch and kill the program of ``address``, if it has one.

    Raises:
        NoProgramsError: it cannot; the message says what to do.
    """
    if address.command and not can_limit_programs():
        raise NoProgramsError(f"{NO_PROGRAMS}, or an engine that listens at tcp:HOST:PORT")


def locate(address: EngineAddress, *, is_limited: bool = True) -> EngineAddress:
    """Return ``address`` with a runnable program; ``./`` may be omitted for a program in its folder.

    The search path has priority. TCP addresses are returned unchanged.

    Args:
        address: address of an engine.
        is_limited: whether the program must be limited and killed with all its children, as engines must.

    Raises:
        ValueError: the program is missing, is not executable, or cannot be limited on this system; the
            message says what to do.
    """
    if not address.command:
        return address
    if is_limited:
        check_system(address)
    program, *arguments = address.command
    # Absolute, because Path drops a leading "./", without which which() searches the search path.
    here = Path(address.folder, program).absolute()
    # As in a shell, a path is relative to the folder, and a bare name is looked up in the search path.
    if shutil.which(here if Path(program).name != program else program) is not None:
        return address
    if not here.is_file():
        place = f" in {quote(address.folder)}" if address.folder else ""
        raise ValueError(f"there is no program {program!r} that can be run{place}")
    if not os.access(here, os.X_OK):
        raise ValueError(f"{program!r} is not executable: try chmod +x {program}")
    return evolve(address, command=(f"./{program}", *arguments))
