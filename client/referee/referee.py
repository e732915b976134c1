"""Plays a series of games between two engines, some at the same time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import trio
from attrs import evolve, field, frozen

from quoridor_net.match import (
    Event,
    GameEnded,
    Listener,
    MatchSettings,
    MoveMade,
    MoveRequested,
    PlayerOut,
    play_match,
)
from quoridor_net.match.recording import ReplayListener
from quoridor_net.notation.athens import COLOUR_OF_PLAYER, format_move
from quoridor_net.notation.lan import rewrite
from quoridor_net.outcome import Result
from quoridor_net.players.athens import AthensPlayer
from quoridor_net.programs.source import EngineSource, open_engines
from quoridor_net.rules import Termination

from .games import GamePlan, GameRecord, Part, Side
from .settings import RefereeSettings

#: How often a game that the machine prevented is tried.
TRIES = 2

#: Told of every event of every game, and which game it belongs to.
GameListener = Callable[[GamePlan, Event], None]

#: Told of every game that is over.
RecordListener = Callable[[GameRecord], None]


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

    async def run(
        self, listeners: tuple[GameListener, ...] = (), record_listeners: tuple[RecordListener, ...] = ()
    ) -> None:
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
                        nursery.start_soon(self._work, plans, sources, listeners, record_listeners)
            finally:
                for side, source in sources.items():
                    self.names[side] = source.name
                    self.remarks.extend(f"{side.value}: {remark}" for remark in source.remarks)

    async def _work(
        self,
        plans: Iterator[GamePlan],
        sources: dict[Side, EngineSource],
        listeners: tuple[GameListener, ...],
        record_listeners: tuple[RecordListener, ...],
    ) -> None:
        for plan in plans:
            for _ in range(TRIES):
                record = await self._play(plan, sources, listeners)
                if not record.result.termination.is_void:
                    break
            self.records.append(record)
            for listener in record_listeners:
                listener(record)

    async def _play(
        self, plan: GamePlan, sources: dict[Side, EngineSource], listeners: tuple[GameListener, ...]
    ) -> GameRecord:
        settings = self.settings
        position = settings.start
        for move in plan.opening:
            position.push(move)
        outs: list[PlayerOut] = []
        clocks = _Clocks()

        def listen(event: Event) -> None:
            clocks.note(event)
            if isinstance(event, PlayerOut):
                outs.append(event)
            elif isinstance(event, GameEnded):
                event = evolve(event, result=self._in_athens_words(event.result))
            for listener in listeners:
                listener(plan, event)

        match = MatchSettings(position, settings.move_time, settings.ply_limit, game_time=settings.game_time)
        players = [
            AthensPlayer(
                sources[plan.side_of(number)],
                f"{settings.label(plan.side_of(number))}({colour})",
                asks_winner=True,
            )
            for number, colour in COLOUR_OF_PLAYER.items()
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
        black, white = (
            Part(player.seed, clocks.thought[number], player.agrees, player.claim)
            for number, player in enumerate(players, 1)
        )
        return GameRecord(
            plan,
            result,
            trio.current_time() - started,
            line=outs[-1].line if outs else "",
            replay="" if replay is None else str(replay),
            parts=(black, white),
            repeat=settings.repeating(plan, (black, white)),
        )

    def _in_athens_words(self, result: Result) -> Result:
        """Return ``result`` with squares and walls named as the engines name them."""
        words = rewrite(result.sentence, lambda move: format_move(move, self.settings.size))
        return evolve(result, sentence=words)

    def _replay_path(self, plan: GamePlan) -> Path | None:
        if self.settings.save is None:
            return None
        width = len(str(self.settings.games))
        return self.settings.save / f"game-{plan.number:0{width}}.qtp"


class _Clocks:
    """How long each player thought, by number."""

    def __init__(self) -> None:
        self.thought = {1: 0.0, 2: 0.0}
        self._asked: tuple[int, float] | None = None

    def note(self, event: Event) -> None:
        """Begin with a request for a move; end with whatever comes of it."""
        if isinstance(event, MoveRequested):
            self._asked = (event.player, trio.current_time())
        elif self._asked is not None and isinstance(event, MoveMade | PlayerOut | GameEnded):
            player, since = self._asked
            self.thought[player] += trio.current_time() - since
            self._asked = None
