"""Answers ``genmove`` with a player of this project, within the time that private commands set."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING

import trio

from quoridor_net.engine.time_management import allotted_time
from quoridor_net.players import Clock, Player, Seating
from quoridor_net.players.preparation import Preparation
from quoridor_net.players.registry import FACTORIES, PlayerFactory
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.protocols.athens import AthensGame, MoveWanted
from quoridor_net.rules import Move, Position

from .move_source import MoveSource

if TYPE_CHECKING:
    from quoridor_net.engine import Analysis

#: The name of the one player that has to be made ready.
ENGINE = "engine"


class Thinker(MoveSource):
    """Holds one player for each colour that was asked for, from one beginning of a game to the next.

    As long as the engine is not ready, its moves are those of the known openings, or the simple player's if
    it does not become ready within a small part of the time for the move. Where the move is to depend on the
    settings alone, as under a limit of nodes or depth without one of time, it waits for the engine instead.
    They also move where there is no memory for a search.

    Args:
        player: the name of a player.
        factories: the players there are, by name; those of the registry unless given.
        seed: for the same games in the same order, which differ from each other; None for others every time.
        move_time: seconds for a move; None leaves it to the player.
        preparation: makes the engine ready, if it is to play; one of its own unless given.
        most_time: seconds that no move may take longer than, whatever private commands ask for.

    Attributes:
        player: likewise; so is ``move_time``.
        left: seconds each colour has for the rest of the game, by player number; None without a limit.
    """

    def __init__(
        self,
        player: str,
        seed: int | None = None,
        move_time: float | None = None,
        factories: Mapping[str, PlayerFactory] = FACTORIES,
        preparation: Preparation | None = None,
        most_time: float | None = None,
    ) -> None:
        self.player = player
        self.factories = factories
        self.move_time = move_time
        self._own_move_time = move_time
        self.left: dict[int, float | None] = {1: None, 2: None}
        self._most_time = most_time
        self._game_time: float | None = None
        self._seeds = None if seed is None else random.Random(seed)
        self._preparation = Preparation() if preparation is None else preparation
        self._seats: dict[int, Player[Position, Move]] = {}
        self._stand_ins: dict[int, Player[Position, Move]] = {}
        self._drawn: dict[int, int | None] = {}
        self._game_number: int | None = None

    async def choose(self, wanted: MoveWanted, game: AthensGame) -> Move:
        """Return the player's move, and take the time it needed from its clock."""
        await self.meet(game)
        started = trio.current_time()
        move = await self._think(wanted.player, wanted.position)
        left = self.left[wanted.player]
        if left is not None:
            self.left[wanted.player] = max(0.0, left - (trio.current_time() - started))
        return move

    async def prepare(self) -> None:
        """Wait a moment for the engine if the moves will have limited time."""
        if self.player == ENGINE and (self.move_time is not None or self._game_time is not None):
            await self._preparation.linger()

    async def meet(self, game: AthensGame) -> None:
        """Begin anew, with full clocks, if the game did."""
        if game.number == self._game_number:
            return
        self._game_number = game.number
        self.left = {1: self._game_time, 2: self._game_time}
        await self.leave()

    async def suggest(self, player: int, position: Position) -> tuple[Move, Analysis | None]:
        """Return the move that ``player`` would make in ``position``, and its reasons.

        No clock runs, so this waits until the engine is ready, if it is the player.
        """
        if self.player == ENGINE and not await self._preparation.wait_for(None):
            return await self._without_engine(player, position), None
        move = await self._with_player(player, position, self._clock_for(player))
        # Most players have none, and where a stand-in moved there is no player.
        return move, getattr(self._seats.get(player), "analysis", None)

    async def _think(self, number: int, position: Position) -> Move:
        clock = self._clock_for(number)
        if self.player == ENGINE and not self._preparation.is_ready():
            move = self._preparation.known(position)
            if move is not None:
                return move
            started = trio.current_time()
            time = allotted_time(clock.move_time, clock.game_time, clock.increment, position.ply // 2)
            if not await self._preparation.wait(time):
                self._preparation.tell_who_moves()
                return await self._without_engine(number, position)
            clock = clock.after(trio.current_time() - started)
        return await self._with_player(number, position, clock)

    async def _without_engine(self, number: int, position: Position) -> Move:
        move = self._preparation.known(position)
        if move is not None:
            return move
        if number not in self._stand_ins:
            self._stand_ins[number] = SimplePlayer(self._seed_for(number))
        return await self._stand_ins[number].choose(position, self._clock_for(number))

    async def _with_player(self, number: int, position: Position, clock: Clock) -> Move:
        try:
            return await self._ask_player(number, position, clock)
        except MemoryError:
            self._seats.pop(number, None)
            self._preparation.tell_no_room()
            return await self._without_engine(number, position)

    async def _ask_player(self, number: int, position: Position, clock: Clock) -> Move:
        player = self._seats.get(number)
        if player is None:
            player = self.factories[self.player](self._seed_for(number))
            names = ("black", "white")
            await player.begin(Seating(number, names, position.copy()))
            self._seats[number] = player
        return await player.choose(position, clock)

    def _seed_for(self, number: int) -> int | None:
        """Return the seed of a colour: the same for whoever moves, so that others' do not depend on it."""
        if number not in self._drawn:
            self._drawn[number] = None if self._seeds is None else self._seeds.randrange(2**31)
        return self._drawn[number]

    def _clock_for(self, number: int) -> Clock:
        left = self.left[number]
        if self.move_time is None and left is None:
            # Whatever limits the player itself has.
            return Clock()
        limits = [limit for limit in (self.move_time, self._most_time) if limit is not None]
        return Clock(min(limits, default=None), left)

    async def set_times(self, game_time: float | None, move_time: float | None) -> None:
        """Limit the time of each colour: seconds for a whole game and for a move; None for no limit.

        The time for a move that the player was started with stays the most it takes.
        """
        self._game_time = game_time
        self.left = {1: game_time, 2: game_time}
        limits = [limit for limit in (move_time, self._own_move_time) if limit is not None]
        self.move_time = min(limits, default=None)

    async def seed(self, seed: int) -> None:
        """Begin anew with ``seed``."""
        self._seeds = random.Random(seed)
        await self.leave()

    async def replace(self, player: str) -> None:
        """Let another player answer from now on."""
        if player == ENGINE:
            self._preparation.start()
        self.player = player
        await self.leave()

    async def leave(self) -> None:
        """Let the players go."""
        seats, self._seats = self._seats, {}
        self._stand_ins, self._drawn = {}, {}
        for player in seats.values():
            await player.leave()
