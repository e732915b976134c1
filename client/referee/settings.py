"""The settings of the referee, and the command line that repeats a game."""

from __future__ import annotations

import math
import os
from pathlib import Path

from attrs import evolve, field, frozen

from quoridor_net.clocks import GameClock
from quoridor_net.match.match_game import DEFAULT_PLY_LIMIT
from quoridor_net.notation.standard import format_move
from quoridor_net.programs.address import EngineAddress
from quoridor_net.programs.process import MEMORY_LIMIT, START_TIME, ProgramLimits
from quoridor_net.programs.source import EngineSettings
from quoridor_net.rules import STANDARD_SIZE, Jumps, Position, default_walls
from quoridor_net.system import command_line
from quoridor_net.tournament import Pairing
from quoridor_net.tournament.quoridor.openings import Opening

from .games import Side

#: Processor time beyond the time limits, for each game and processor, in seconds, for the start of a program.
SPARE_CPU_TIME = 60


@frozen
class RefereeSettings:
    """The settings of a series. Defaults are those of the course's referee.

    Attributes:
        white: the engine that plays white; with ``swap``, only in odd games.
        black: its opponent.
        size: squares on a side.
        walls: number of walls of each player.
        games: number of games.
        clock: time of each engine for all its moves of a game.
        move_time: time limit per move, in seconds.
        first_move_time: time limit of each engine's first move, instead of the others; None for no such rule.
        start_time: timeout for the first answer of a program, in seconds.
        memory: address space of each process of an engine, in MiB; None for no limit.
        seed: passed to the engines as ``-seed N``; None for none.
        jumps: the jump rule.
        ply_limit: number of plies after which a game is drawn.
        repetition: number of occurrences of a position that draws a game; None for no such rule.
        swap: whether engines change colours after every game.
        openings: with their numbers; each is played once (with ``swap``, twice) before the next.
        concurrency: maximum number of games at once.
        is_kept: whether a process plays more than one game.
        save: the folder for replay files; None to keep none.
        log: the folder for transcripts, one file for each process; None to keep none.
    """

    white: EngineAddress
    black: EngineAddress
    size: int = STANDARD_SIZE
    walls: int = default_walls(STANDARD_SIZE)
    games: int = 1
    clock: GameClock = field(default=GameClock(20.0 * STANDARD_SIZE))
    move_time: float = 30.0
    first_move_time: float | None = None
    start_time: float = START_TIME
    memory: int | None = MEMORY_LIMIT
    seed: int | None = None
    jumps: Jumps = Jumps.OFFICIAL
    ply_limit: int = DEFAULT_PLY_LIMIT
    repetition: int | None = None
    swap: bool = False
    openings: tuple[tuple[int, Opening], ...] = ()
    concurrency: int = 1
    is_kept: bool = True
    save: Path | None = None
    log: Path | None = None

    @property
    def start(self) -> Position:
        """The position before the opening."""
        return Position(self.size, 2, self.walls, self.jumps)

    @property
    def names(self) -> tuple[str, str]:
        """The names of the entrants: the engine of ``white``, then that of ``black``."""
        return self.label(Side.WHITE), self.label(Side.BLACK)

    def opening(self, pairing: Pairing) -> tuple[int, Opening]:
        """Return the opening of a game and its number; 0 and no moves without openings."""
        if not self.openings:
            return 0, ()
        return self.openings[(pairing.round - 1) % len(self.openings)]

    def engine(self, side: Side) -> EngineSettings:
        """Return the settings of the engine of ``side``."""
        each = self.clock.seconds + self.clock.increment * self.ply_limit
        each += (self.first_move_time or 0.0) + self.start_time + SPARE_CPU_TIME
        games = self.games if self.is_kept else 1
        # A backstop that works even without this program; the clock of the match is far stricter.
        cpu = math.ceil(each * games * (os.cpu_count() or 1))
        return EngineSettings(
            self.address(side),
            ProgramLimits(self.memory, cpu),
            self.seed,
            self.is_kept,
            self.start_time,
            log=None if self.log is None else self.log / str(side),
            times=(self.clock, self.move_time),
        )

    def address(self, side: Side) -> EngineAddress:
        """Return the address of the engine of ``side``."""
        return self.white if side is Side.WHITE else self.black

    def label(self, side: Side) -> str:
        """Return the name of the engine of ``side``: its program, with a number if both are the same."""
        label = self.address(side).label
        return f"{label}#{side:d}" if self.white.label == self.black.label else label

    def repeat_command(self, pairing: Pairing, seeds: tuple[int | None, int | None]) -> str:
        """Return the command that plays the game again; ``seeds`` are those of the engines, by player."""
        commands = {player: self.address(Side(side)) for player, side in enumerate(pairing.seats, 1)}
        if seeds[0] == seeds[1]:
            seeding = ["--no-seed"] if seeds[0] is None else ["--seed", str(seeds[0])]
        else:
            seeding = ["--no-seed"]
            commands = {
                player: evolve(address, command=(*address.command, "-seed", str(seeds[player - 1])))
                if address.command and seeds[player - 1] is not None
                else address
                for player, address in commands.items()
            }
        words = ["quoridor", "referee", "--white", str(commands[2]), "--black", str(commands[1])]
        usual = RefereeSettings(self.white, self.black, size=self.size)
        for option, value, default in (
            ("--size", self.size, STANDARD_SIZE),
            ("--walls", self.walls, default_walls(self.size)),
            ("--maximum_time", self.clock, GameClock(20.0 * self.size)),
            ("--move_time", self.move_time, usual.move_time),
            ("--first-move-time", self.first_move_time, None),
            ("--memory_limit", self.memory or 0, usual.memory),
            ("--start-time", self.start_time, usual.start_time),
            ("--ply-limit", self.ply_limit, usual.ply_limit),
            ("--repetition", self.repetition, None),
            ("--jumps", self.jumps, usual.jumps),
        ):
            if value != default:
                words += [option, f"{value:g}" if isinstance(value, float) else str(value)]
        _, opening = self.opening(pairing)
        if opening:
            words += ["--opening", " ".join(format_move(move) for move in opening)]
        return command_line([*words, *seeding])
