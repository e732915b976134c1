"""Athens engines as players."""

from __future__ import annotations

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
    Response,
    is_understood,
    parse_boolean_answer,
    parse_genmove_answer,
)
from quoridor_net.rules import Move, Position, Termination
from quoridor_net.shortage import lack_of
from quoridor_net.text import UnparsableError, wire_name
from quoridor_net.verdicts import VerdictPhrase, reason_of

#: Delay between attempts to connect to a listening engine, in seconds.
RETRY = 1.0


class AthensPlayer(Player[Position, Move]):
    """Plays one game with an engine of ``source``; black is player 1, white player 2.

    Args:
        source: provides the engine, and takes it back unless it was at fault.
        name: name of the player; by default that of the program.
        asks_winner: whether to ask the engine for the winner of a game that ended on the board.

    Attributes:
        seed: the engine's ``-seed`` option; None if it has none, or before the game.
        is_new: whether this is the first game of its process; True before the game.
        agrees: whether it named the right winner; None without a readable answer.
        claim: its answer about the winner, printable.
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
        # The command for the opponent's last move, while its answer is due.
        self._sent = ""

    async def begin(self, seating: Seating[Position]) -> None:
        """Acquire an engine, set up the game and replay the moves made so far.

        Raises:
            ForfeitError: the engine is at fault, or the protocol cannot describe the game.
            NotStartedError: its program cannot be started.
            OSError: the machine lacks the resources for another program.
        """
        self._number = seating.player
        self._size = seating.position.size
        start, walls = _start_of(seating.position)
        try:
            self._engine = await self._source.acquire(start, walls, self._note_seed)
        except OSError as error:
            if lack_of(error) is not None:
                raise
            did = VerdictPhrase.NOT_STARTED(reason=reason_of(error))
            raise NotStartedError(Termination.ENGINE_CRASH, did) from error
        self.is_new = self._engine.games == 1
        self._has_begun.set()
        for ply in seating.position.history:
            assert ply.move is not None, "an elimination ends a game of two"
            await self._send(ply.player, ply.move)
            await self._confirm()

    def _note_seed(self, engine: RunningEngine) -> None:
        """Remember the seed of an engine, which may end at its setup because of it."""
        self.seed = engine.seed

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return the engine's answer to ``genmove``. The match limits the time.

        Raises:
            ForfeitError: the engine resigns, fails, or does not answer with a move.
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
        if isinstance(answer, str):
            raise ForfeitError(Termination.RESIGNED, VerdictPhrase.RESIGNED(), response.line)
        return answer

    async def hear_out(self) -> None:
        """Return at once, because the next command first reads everything after the answer."""

    async def send_ahead(self, event: Event) -> None:
        """Send the opponent's moves to the engine, which can answer while others learn of the event.

        Raises:
            ForfeitError: the engine failed before.
        """
        match event:
            case MoveMade(player, move) if player != self._number and self._engine is not None:
                await self._send(player, move)

    async def notify(self, event: Event) -> None:
        """Send the opponent's moves to the engine; it has already made its own.

        Raises:
            ForfeitError: the engine refuses a legal move, or does not answer.
        """
        match event:
            case MoveMade(player, move) if player != self._number and self._engine is not None:
                if not self._sent:
                    await self._send(player, move)
                await self._confirm()
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

    async def _ask(self, command: str) -> Response:
        assert self._engine is not None
        try:
            return await self._engine.link.ask(command)
        except ForfeitError as fault:
            raise self._source.judge(self._engine, fault) from None

    async def _send(self, player: int, move: Move) -> None:
        assert self._engine is not None
        line = format_play(player, move, self._size)
        try:
            await self._engine.link.send(line, self._source.settings.reply_time)
        except ForfeitError as fault:
            raise self._source.judge(self._engine, fault) from None
        self._sent = line

    async def _confirm(self) -> None:
        """Wait until the engine has accepted the move that was sent to it."""
        assert self._engine is not None
        line, self._sent = self._sent, ""
        try:
            response = await self._engine.link.answer()
        except ForfeitError as fault:
            raise self._source.judge(self._engine, fault) from None
        if not response.is_success:
            is_read = is_understood(response.text)
            phrase = VerdictPhrase.REFUSED_MOVE if is_read else VerdictPhrase.MOVE_NOT_UNDERSTOOD
            raise ForfeitError(Termination.REFUSED_MOVE, phrase(command=repr(line)), response.line)

    async def watch(self) -> ForfeitError:
        """Return the engine's fault between commands: it exits or floods."""
        await self._has_begun.wait()
        assert self._engine is not None
        engine = self._engine
        return self._source.judge(engine, await engine.link.watch())

    async def leave(self) -> None:
        """Return the engine to its source."""
        if self._engine is not None:
            self._source.release(self._engine)
            self._engine = None


class ProgramSource(InstantSource):
    """An engine of the Athens protocol; each process or connection plays one or more games."""

    async def open(self, nursery: trio.Nursery) -> None:
        """Prepare ``nursery`` for its processes; the first one starts when it is needed."""
        settings = self.settings
        program = self.spec.program
        assert program is not None
        # A missing program is noticed when it is started, and makes games void.
        with suppress(ValueError):
            program = locate(program)
        engine_settings = EngineSettings(
            program,
            ProgramLimits(settings.memory_limit),
            settings.seed,
            is_kept=settings.is_kept,
            start_time=settings.patience,
            times=(self.spec.clock or settings.times[0], settings.times[1]),
        )
        self._closed = trio.Event()
        self._engines: EngineSource = await nursery.start(
            _hold_engines, engine_settings, settings.report, self._closed
        )

    async def check(self) -> None:
        """Start the program and ask for its name.

        Raises:
            ForfeitError: the program is at fault.
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
        # The LAN protocol does not allow the spaces that names of programs contain.
        own = wire_name("_".join(self._engines.name.split()))
        self.name = self.name or own or address.label

    async def arrive(self) -> None:
        """Wait for a connection to a listening engine. A program is not started before its game.

        Raises:
            ForfeitError: no engine listens there.
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
        """Return the player of one game; ``seed`` is unused, because each process has its own."""
        return AthensPlayer(self._engines, self.name)

    async def retire(self) -> None:
        """Stop the idle processes."""
        self._engines.close()

    async def close(self) -> None:
        """Stop the processes."""
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
