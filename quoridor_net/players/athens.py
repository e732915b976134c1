"""An Athens engine as a player."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress

import trio

from quoridor_net.events import Event, GameEnded, MoveMade
from quoridor_net.notation.athens import COLOUR_OF_PLAYER, format_play, parse_colour
from quoridor_net.outcome import ForfeitError, NotStartedError, Result
from quoridor_net.phrases import text_of
from quoridor_net.players.base import Clock, Player, Seating
from quoridor_net.players.source import InstantSource
from quoridor_net.programs.address import locate
from quoridor_net.programs.process import ProgramLimits
from quoridor_net.programs.source import (
    NAME_TIME,
    EngineSettings,
    EngineSource,
    RunningEngine,
    open_engines,
)
from quoridor_net.protocols.athens import (
    RESIGN,
    Response,
    is_understood,
    parse_boolean_answer,
    parse_genmove_answer,
)
from quoridor_net.rules import Move, Position, Termination
from quoridor_net.shortage import lack_of
from quoridor_net.text import UnparsableError, wire_name
from quoridor_net.verdicts import VerdictPhrase, reason_of

#: Seconds between two attempts to connect to an engine that listens.
RETRY = 1.0


class AthensPlayer(Player[Position, Move]):
    """Plays one game with an engine of ``source``; black is player 1, white player 2.

    Args:
        source: where the engine comes from, and returns to when it did nothing wrong.
        name: how the player is called; after the program unless given.
        asks_winner: whether the engine is asked who won a game that ended on the board.

    Attributes:
        seed: what the engine was given as ``-seed``; None if nothing, or before the game.
        is_new: whether this is the first game of its process; True before the game.
        agrees: whether it named the winner; None if it was not asked, or gave no answer that can be read.
        claim: its answer, printable.
    """

    def __init__(self, source: EngineSource, name: str = "", *, asks_winner: bool = False) -> None:
        self.name = name or source.settings.address.label
        self._source = source
        self._engine: RunningEngine | None = None
        self._asks_winner = asks_winner
        self.seed: int | None = None
        self.is_new = True
        self.agrees: bool | None = None
        self.claim = ""
        self._number = 0
        self._size = 0
        self._has_begun = trio.Event()

    async def begin(self, seating: Seating[Position]) -> None:
        """Get an engine, set up the game, and make the moves that were made already.

        Raises:
            ForfeitError: the engine does not play along, or the game cannot be told in this protocol.
            NotStartedError: its program cannot be started.
            OSError: the machine has no room for another program.
        """
        self._number = seating.player
        self._size = seating.position.size
        start, walls = _start_of(seating.position)
        try:
            self._engine = await self._source.acquire(start, walls)
        except OSError as error:
            if lack_of(error) is not None:
                raise
            did = VerdictPhrase.NOT_STARTED(reason=reason_of(error))
            raise NotStartedError(Termination.ENGINE_CRASH, did) from error
        self.seed = self._engine.seed
        self.is_new = self._engine.games == 1
        self._has_begun.set()
        for ply in seating.position.history:
            assert ply.move is not None, "an elimination ends a game of two"
            await self._tell(ply.player, ply.move)

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Ask ``genmove``. The match limits the time.

        Raises:
            ForfeitError: the engine resigns, fails, or answers with no move.
        """
        response = await self._ask(f"genmove {COLOUR_OF_PLAYER[self._number]}")
        self.last_answer = response.line
        if not response.is_success:
            raise ForfeitError(Termination.UNPARSABLE_MOVE, VerdictPhrase.NO_MOVE(), response.line)
        try:
            answer = parse_genmove_answer(response.text, position.size)
        except UnparsableError as error:
            sentence = VerdictPhrase.ANSWERED_NO_MOVE(reason=text_of(error))
            raise ForfeitError(Termination.UNPARSABLE_MOVE, sentence, response.line) from None
        if answer == RESIGN:
            raise ForfeitError(Termination.RESIGNED, VerdictPhrase.RESIGNED(), response.line)
        return answer

    async def hear_out(self) -> None:
        """Return at once: the next question reads first whatever came behind the answer."""

    async def notify(self, event: Event) -> None:
        """Tell the engine the moves of the other side; it made its own when it was asked for them.

        Raises:
            ForfeitError: the engine refuses a legal move, or does not answer.
        """
        match event:
            case MoveMade(player, move) if player != self._number and self._engine is not None:
                await self._tell(player, move)
            case GameEnded(Result(int(winner), ending)) if self._asks_winner and not ending.is_fault:
                await self._ask_winner(winner)

    async def _ask_winner(self, winner: int) -> None:
        if self._engine is None or not self._engine.link.is_sound or not self._source.answers_winner:
            return
        try:
            response = await self._engine.link.ask("winner", NAME_TIME)
        except ForfeitError as fault:
            self._source.answers_winner = False
            self._source.remark(f"{fault.sentence} at the end of a game")
            return
        self.claim = response.line
        if response.is_success:
            with suppress(UnparsableError):
                truth, *colours = response.text.split() or [""]
                named = [parse_colour(colour) for colour in colours[:1]] or [winner]
                self.agrees = parse_boolean_answer(truth) and named == [winner]

    async def _ask(self, command: str, seconds: float = math.inf) -> Response:
        assert self._engine is not None
        try:
            return await self._engine.link.ask(command, seconds)
        except ForfeitError as fault:
            raise self._source.judge(self._engine, fault) from None

    async def _tell(self, player: int, move: Move) -> None:
        line = format_play(player, move, self._size)
        response = await self._ask(line, self._source.settings.reply_time)
        if not response.is_success:
            is_read = is_understood(response.text)
            phrase = VerdictPhrase.REFUSED_MOVE if is_read else VerdictPhrase.MOVE_NOT_UNDERSTOOD
            raise ForfeitError(Termination.REFUSED_MOVE, phrase(command=repr(line)), response.line)

    async def watch(self) -> ForfeitError:
        """Return what the engine does wrong when it is not asked: it ends, or floods."""
        await self._has_begun.wait()
        assert self._engine is not None
        engine = self._engine
        return self._source.judge(engine, await engine.link.watch())

    async def leave(self) -> None:
        """Give the engine back."""
        if self._engine is not None:
            self._source.release(self._engine)
            self._engine = None
        await trio.lowlevel.checkpoint()


class ProgramSource(InstantSource):
    """An engine of the Athens protocol; its processes, or connections to it, play one game or many."""

    async def open(self, nursery: trio.Nursery) -> None:
        """Keep a place for its processes in ``nursery``; the first is started when it is needed."""
        settings = self.settings
        program = self.spec.program
        assert program is not None
        # A program that is missing is noticed when it is tried, and makes games void after that.
        with suppress(ValueError):
            program = locate(program)
        engine_settings = EngineSettings(
            program,
            ProgramLimits(settings.memory_limit),
            settings.seed,
            is_kept=settings.is_kept,
            start_time=settings.patience,
        )
        self._closed = trio.Event()
        self._engines: EngineSource = await nursery.start(
            _hold_engines, engine_settings, settings.report, self._closed
        )

    async def check(self) -> None:
        """Start the program, and learn its own name.

        Raises:
            ForfeitError: it does not play along.
            OSError: the machine cannot start it.
        """
        address = self._engines.settings.address
        try:
            locate(address)
        except ValueError as error:
            did = VerdictPhrase.NOT_STARTED(reason=str(error))
            raise NotStartedError(Termination.ENGINE_CRASH, did) from None
        start = self.settings.start
        await self._engines.introduce(start, start.walls_left(1))
        # Names of programs have spaces, and the LAN protocol does not allow them.
        own = wire_name("_".join(self._engines.name.split()))
        self.name = self.name or own or address.label

    async def arrive(self) -> None:
        """Wait for a connection to an engine that listens; a program is started for the game.

        Raises:
            ForfeitError: nothing listens there.
            OSError: this machine has no descriptors or memory for it.
        """
        deadline = trio.current_time() + self.settings.patience
        while not (self._engines.settings.address.command or self._engines.has_spare):
            try:
                await self._engines.prepare()
            except ForfeitError:
                if trio.current_time() + RETRY >= deadline:
                    raise
                await trio.sleep(RETRY)

    def make(self, seed: int | None) -> AthensPlayer:
        """Return the player of one game; ``seed`` is not used, as each process gets its own."""
        return AthensPlayer(self._engines, self.name)

    async def retire(self) -> None:
        """End the processes that play no game."""
        self._engines.close()

    async def close(self) -> None:
        """End the processes."""
        self._closed.set()


async def _hold_engines(
    settings: EngineSettings,
    report: Callable[[str], None],
    closed: trio.Event,
    task_status: trio.TaskStatus[EngineSource],
) -> None:
    async with open_engines(settings, lambda sentence: report(f"note: {sentence}")) as source:
        task_status.started(source)
        await closed.wait()


def _start_of(position: Position) -> tuple[Position, int]:
    """Return the position before the first move and the number of walls of each player.

    Raises:
        ForfeitError: the protocol cannot set up such a start.
    """
    start = position.root()
    if start.players == 2 and start == Position(start.size, 2, start.walls_left(1), start.jumps):
        return start, start.walls_left(1)
    if start.players > 2:
        sentence = VerdictPhrase.TWO_PLAYERS_ONLY(players=start.players)
        raise ForfeitError(Termination.REFUSED_GAME, sentence)
    raise ForfeitError(Termination.REFUSED_GAME, VerdictPhrase.UNKNOWN_START())
