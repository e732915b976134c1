"""Plays a series of games between two engines, some at the same time."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import trio
from attrs import evolve, field, frozen

from quoridor_net.match import Event, GameEnded, Listener, MatchSettings, PlayerOut, Result, play_match
from quoridor_net.match.match import DEFAULT_PLY_LIMIT
from quoridor_net.match.replay_listener import ReplayListener
from quoridor_net.notation.athens import format_move
from quoridor_net.notation.lan import rewrite
from quoridor_net.players.engine_link import EngineAddress
from quoridor_net.players.engine_source import EngineSettings, EngineSource, open_engines
from quoridor_net.players.process import Limits
from quoridor_net.players.qtp import QtpPlayer
from quoridor_net.qtp import default_walls
from quoridor_net.referee.games import GamePlan, GameRecord, Side
from quoridor_net.referee.openings import Opening
from quoridor_net.rules import STANDARD_SIZE, Jumps, Position, Termination

#: Seconds of processor time for each game and processor beyond the time limits, for a program to start in.
SPARE_CPU_TIME = 60

#: How often a game that the machine prevented is tried.
TRIES = 2

#: Told of every event of every game, and which game it belongs to.
GameListener = Callable[[GamePlan, Event], None]


@frozen
class RefereeSettings:
    """What is played. Defaults are those of the course's referee.

    Attributes:
        white: the engine that plays white, or begins as white with ``swap``.
        black: its opponent.
        size: squares on a side.
        walls: walls of each player.
        games: how many games.
        game_time: seconds each engine has for a whole game.
        move_time: seconds each has for a move.
        start_time: seconds for the first answer of a program.
        memory: MiB of address space for each process of an engine; None for no limit.
        seed: given to the engines as ``-seed N``; None to give them none.
        jumps: the jump rule.
        ply_limit: a game of so many plies is drawn.
        swap: change colours after every game.
        openings: with their numbers; each is played once, or with ``swap`` twice, before the next.
        concurrency: how many games at the same time.
        is_kept: whether a program plays more than one game.
        save: the directory for replay files; None to keep none.
        log: the directory for transcripts, one file for each process; None to keep none.
    """

    white: EngineAddress
    black: EngineAddress
    size: int = STANDARD_SIZE
    walls: int = default_walls(STANDARD_SIZE)
    games: int = 1
    game_time: float = 20.0 * STANDARD_SIZE
    move_time: float = 30.0
    start_time: float = 30.0
    memory: int | None = 950
    seed: int | None = None
    jumps: Jumps = Jumps.OFFICIAL
    ply_limit: int = DEFAULT_PLY_LIMIT
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

    def plans(self) -> Iterator[GamePlan]:
        """Yield the games in order."""
        for index in range(self.games):
            black = Side.WHITE if self.swap and index % 2 else Side.BLACK
            if not self.openings:
                yield GamePlan(index + 1, black)
                continue
            round_number = index // 2 if self.swap else index
            number, opening = self.openings[round_number % len(self.openings)]
            yield GamePlan(index + 1, black, opening, number)

    def engine(self, side: Side) -> EngineSettings:
        """Return how the engine of ``side`` is started."""
        each = self.game_time + self.start_time + SPARE_CPU_TIME
        games = self.games if self.is_kept else 1
        # A backstop that also holds if this program is gone; the clock of the match is far stricter.
        cpu = math.ceil(each * games * (os.cpu_count() or 1))
        address = self.white if side is Side.WHITE else self.black
        return EngineSettings(
            address,
            Limits(self.memory, cpu),
            self.seed,
            self.is_kept,
            self.start_time,
            log=None if self.log is None else self.log / side.value,
        )


@frozen
class Referee:
    """Plays the games of ``settings``.

    Attributes:
        settings: what is played.
        records: the games that are over, in the order in which they ended.
        names: what the engines call themselves; empty if they do not say.
        remarks: what was noticed about the engines that cost no game.
    """

    settings: RefereeSettings
    records: list[GameRecord] = field(factory=list)
    names: dict[Side, str] = field(factory=dict)
    remarks: list[str] = field(factory=list)

    async def run(self, listeners: tuple[GameListener, ...] = ()) -> None:
        """Play all games. When this is cancelled, the games that are over stay in ``records``.

        Raises:
            OSError: a replay cannot be written.
        """
        settings = self.settings
        async with (
            open_engines(settings.engine(Side.WHITE)) as white,
            open_engines(settings.engine(Side.BLACK)) as black,
        ):
            sources = {Side.WHITE: white, Side.BLACK: black}
            plans = settings.plans()
            try:
                async with trio.open_nursery() as nursery:
                    for _ in range(min(settings.concurrency, settings.games)):
                        nursery.start_soon(self._work, plans, sources, listeners)
            finally:
                for side, source in sources.items():
                    self.names[side] = source.name
                    self.remarks.extend(f"{side.value}: {remark}" for remark in source.remarks)

    async def _work(
        self,
        plans: Iterator[GamePlan],
        sources: dict[Side, EngineSource],
        listeners: tuple[GameListener, ...],
    ) -> None:
        for plan in plans:
            for _ in range(TRIES):
                record = await self._play(plan, sources, listeners)
                if not record.result.termination.is_void:
                    break
            self.records.append(record)

    async def _play(
        self, plan: GamePlan, sources: dict[Side, EngineSource], listeners: tuple[GameListener, ...]
    ) -> GameRecord:
        settings = self.settings
        position = settings.start
        for move in plan.opening:
            position.push(move)
        outs: list[PlayerOut] = []

        def listen(event: Event) -> None:
            if isinstance(event, PlayerOut):
                outs.append(event)
            elif isinstance(event, GameEnded):
                event = evolve(event, result=self._in_athens_words(event.result))
            for listener in listeners:
                listener(plan, event)

        match = MatchSettings(position, settings.move_time, settings.ply_limit, game_time=settings.game_time)
        players = [
            QtpPlayer(sources[side], f"{sources[side].settings.address.label}({side.value})")
            for side in (plan.black, plan.black.other)
        ]
        started = trio.current_time()
        with ExitStack() as stack:
            everybody: list[Listener] = [listen]
            replay = self._replay_path(plan)
            if replay is not None:
                file = stack.enter_context(replay.open("w", encoding="utf-8"))
                everybody.append(ReplayListener(file))
            try:
                result = await play_match(players, match, everybody)
            except* OSError as group:
                # The machine could not start a process: nobody's fault, and the game does not count.
                sentence = f"The game does not count: {group.exceptions[0]}."
                result = Result(None, Termination.ABORTED, sentence, 0)
        result = self._in_athens_words(result)
        record = GameRecord(plan, result, trio.current_time() - started, outs[-1].line if outs else "")
        return record if replay is None else evolve(record, replay=str(replay))

    def _in_athens_words(self, result: Result) -> Result:
        """Return ``result`` with squares and walls named as the engines name them."""
        words = rewrite(result.sentence, lambda move: format_move(move, self.settings.size))
        return evolve(result, sentence=words)

    def _replay_path(self, plan: GamePlan) -> Path | None:
        if self.settings.save is None:
            return None
        width = len(str(self.settings.games))
        return self.settings.save / f"game-{plan.number:0{width}}.qtp"
