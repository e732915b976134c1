"""The commands of entrants, which journals keep and which must run wherever a tournament is resumed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from attrs import evolve

from quoridor_net.players.spec import PlayerSpec


def from_folder(entrant: PlayerSpec, folder: Path) -> PlayerSpec:
    """Return ``entrant`` with a command that runs in ``folder``, or in its own folder relative to that."""
    program = entrant.program
    if program is None or not program.command:
        return entrant
    return evolve(entrant, program=evolve(program, folder=str(folder / program.folder)))


def commands_of(entrants: Iterable[PlayerSpec]) -> list[str]:
    """Return the commands that entrants need to play."""
    return [
        entrant.lasting_address
        for entrant in entrants
        if entrant.program is not None and entrant.program.command
    ]
