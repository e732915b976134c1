"""The terms of the games of a Quoridor tournament."""

from __future__ import annotations

import random
import zlib
from collections import defaultdict
from collections.abc import Iterable, Sequence

from attrs import evolve, frozen

from quoridor_net.clocks import GameClock
from quoridor_net.match import MatchSettings
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.phrases import Translatable
from quoridor_net.players.spec import PlayerSpec
from quoridor_net.programs.process import MEMORY_LIMIT, START_TIME
from quoridor_net.rules import STANDARD_SIZE, Jumps, Position, default_walls
from quoridor_net.tournament.quoridor.openings import Opening
from quoridor_net.tournament.requirements import RequirementPhrase
from quoridor_net.tournament.schedule import Pairing


@frozen
class GameTerms:
    """The terms of every game.

    Attributes:
        size: squares on a side.
        players: 2 or 4.
        walls: number of walls of each player; None for the default.
        jumps: the jump rule.
        move_time: time limit per move, in seconds; None for no limit.
        ply_limit: number of plies after which a game is drawn.
        gap: minimum delay between two messages to a move server that sent nothing in between, in seconds.
        no_show_time: timeout for an entrant before a game and for the first answer of a program, in seconds.
        memory_limit: address space of each process of a program, in MiB; None for no limit.
        openings: the openings, one for each pair of games in turn; empty for the usual start.
        seed: of built-in players, of the order of openings, and, as ``-seed N``, of the first program of each
            entrant; None for random ones.
        programs: number of earlier programs of each entrant, which the seeds of programs continue from.
        clock: time of each player for all its moves of a game; None for no limit.
        first_move_time: time limit of each player's first move in seconds, instead of all others; None for no
            such rule.
        repetition: number of occurrences of a position that draws the game; None for no such rule.
    """

    size: int = 9
    players: int = 2
    walls: int | None = None
    jumps: Jumps = Jumps.OFFICIAL
    move_time: float | None = 10.0
    ply_limit: int = 1000
    gap: float = 0.0
    no_show_time: float = START_TIME
    memory_limit: int | None = MEMORY_LIMIT
    openings: tuple[Opening, ...] = ()
    seed: int | None = None
    programs: int = 0
    clock: GameClock | None = None
    first_move_time: float | None = None
    repetition: int | None = None

    @property
    def has_usual_board(self) -> bool:
        """Whether move servers know the board: the 2016 protocol cannot express its size or the walls."""
        return self.size == STANDARD_SIZE and self.walls in {None, self._usual_walls}

    @property
    def _usual_walls(self) -> int:
        return default_walls(STANDARD_SIZE, self.players)

    def check(self, entrants: Iterable[PlayerSpec]) -> None:
        """Refuse entrants whose protocol cannot express these terms, or whose server has no place for them.

        The Athens protocol has only two players.

        Raises:
            ValueError: the message names the entrant and what to do.
        """
        entrants = tuple(entrants)
        for entrant in entrants:
            if entrant.server is not None and not self.has_usual_board:
                walls = self._usual_walls
                raise ValueError(RequirementPhrase.STANDARD_BOARD(size=STANDARD_SIZE, walls=walls))
            if entrant.program is not None and self.players > 2:
                raise ValueError(RequirementPhrase.ATHENS(address=entrant.address))
        check_servers(entrants)

    def check_newcomer(self, newcomer: PlayerSpec, others: Iterable[PlayerSpec]) -> None:
        """Refuse an entrant that does not fit, or whose server has no place for it beside ``others``.

        Faults among ``others`` do not matter.

        Raises:
            ValueError: the message names the entrants that have the server, or says what to do.
        """
        sharing = [other for other in others if other.server is not None and other.server == newcomer.server]
        self.check([evolve(newcomer, name=""), *sharing])

    def start(self) -> Position:
        """Return the position before the opening."""
        walls = default_walls(self.size, self.players) if self.walls is None else self.walls
        return Position(self.size, self.players, walls, self.jumps)

    def position(self, pairing: Pairing) -> Position:
        """Return the position of a game after its opening."""
        position = self.start()
        for move in self.opening(pairing):
            position.push(move)
        return position

    def settings(self, start: Position, entrants: Sequence[PlayerSpec]) -> MatchSettings:
        """Return the settings of a game from ``start`` between ``entrants``, by seat."""
        own = {seat: each.clock for seat, each in enumerate(entrants, 1) if each.clock is not None}
        return MatchSettings(
            start,
            self.move_time,
            self.ply_limit,
            clock=self.clock,
            first_move_time=self.first_move_time,
            own_clocks=own,
            repetition=self.repetition,
        )

    def opening(self, pairing: Pairing) -> Opening:
        """Return the opening of a game; empty for the usual start."""
        if not self.openings:
            return ()
        # A single game has an opening of its own.
        which = (pairing.pair or pairing.number) - 1
        order = random.Random(self.seed or 0).sample(range(len(self.openings)), len(self.openings))
        return self.openings[order[which % len(order)]]

    def seed_of(self, pairing: Pairing, seat: int) -> int | None:
        """Return the seed of a built-in player; it depends on game and seat, so that games are repeatable."""
        if self.seed is None:
            return None
        return zlib.crc32(f"{self.seed} {pairing.number} {seat}".encode()) & 0x7FFFFFFF


def check_servers(entrants: Iterable[PlayerSpec]) -> None:
    """Refuse entrants that share a server which has no place for all of them.

    Raises:
        ValueError: the message names them, if they have names.
    """
    sharing: defaultdict[Endpoint, list[PlayerSpec]] = defaultdict(list)
    for entrant in entrants:
        if entrant.server is not None:
            sharing[entrant.server].append(entrant)
    for each in sharing.values():
        if len(each) > min(entrant.games or 1 for entrant in each):
            raise ValueError(_describe_shared(each))


def _describe_shared(entrants: Sequence[PlayerSpec]) -> Translatable:
    """Return the reason why a server has no place for all of its entrants, with the known names."""
    address, games = str(entrants[0].endpoint), len(entrants)
    names = tuple(entrant.name for entrant in entrants if entrant.name)
    if not names:
        return RequirementPhrase.ONE_GAME(address=address, games=games)
    return RequirementPhrase.SHARED(address=address, games=games, holders=names)
