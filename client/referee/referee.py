"""A series of games between two engines: a tournament with two entrants."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import trio
from attrs import field, frozen

from quoridor_net.match import (
    Event,
    GameEnded,
    Listener,
    MatchSettings,
    MoveMade,
    MoveRequested,
    PlayerOut,
)
from quoridor_net.match.recording import ReplayListener
from quoridor_net.notation.athens import COLOUR_OF_PLAYER, notation
from quoridor_net.outcome import ForfeitError, Result
from quoridor_net.players.athens import AthensPlayer
from quoridor_net.programs.source import EngineSource, open_engines
from quoridor_net.rules import Position
from quoridor_net.tournament import Listener as TournamentListener
from quoridor_net.tournament import Pairing, Tournament, TournamentStarted, TournamentState, unique_names
from quoridor_net.tournament.errors import ShortageError
from quoridor_net.tournament.formats import Series
from quoridor_net.tournament.quoridor.roster import play_game
from quoridor_net.tournament.results import Results

from .games import GameRecord, Part, Side
from .settings import RefereeSettings

#: Called with every finished game.
RecordListener = Callable[[GameRecord], None]


class UnreachableError(Exception):
    """An engine behind TCP cannot be reached; the message names its option and the reason."""


@frozen
class Referee:
    """A series of games.

    Attributes:
        settings: of the series.
        names: the names that the engines give, made unique; empty if an engine gives none.
        remarks: harmless quirks of the engines.
    """

    settings: RefereeSettings
    names: dict[Side, str] = field(factory=dict)
    remarks: list[str] = field(factory=list)
    _state: TournamentState = field(factory=TournamentState)
    _records: dict[int, GameRecord] = field(factory=dict)

    @property
    def records(self) -> list[GameRecord]:
        """The finished games, by number."""
        return [self._records[game] for game in sorted(self._records)]

    @property
    def results(self) -> Results:
        """The results so far, also of a series that was stopped before its start."""
        state = self._state
        if not state.has_started:
            state = TournamentState()
            state.apply(self._start)
        return Results.of(state, self._form)

    @property
    def _form(self) -> Series:
        return Series(self.settings.games, self.settings.swap)

    @property
    def _start(self) -> TournamentStarted:
        return TournamentStarted("quoridor", self.settings.names)

    async def run(
        self, listeners: Iterable[TournamentListener] = (), record_listeners: Iterable[RecordListener] = ()
    ) -> None:
        """Play all games. If this is cancelled, finished games stay in ``records``.

        Raises:
            UnreachableError: an engine cannot be reached before the first game.
            OSError: a replay cannot be written.
        """
        settings = self.settings
        async with (
            open_engines(settings.engine(Side.WHITE)) as white,
            open_engines(settings.engine(Side.BLACK)) as black,
        ):
            sources = {Side.WHITE: white, Side.BLACK: black}

            async def play(pairing: Pairing, listener: Listener) -> Result:
                return await self._play(pairing, sources, listener, record_listeners)

            for side, source in sources.items():
                await _connect(side, source)
            try:
                await Tournament(
                    self._start,
                    self._form,
                    play,
                    listeners,
                    state=self._state,
                    concurrency=settings.concurrency,
                    capacities=dict.fromkeys(Side, settings.concurrency),
                ).run()
            finally:
                names = unique_names(source.name for source in sources.values())
                for (side, source), name in zip(sources.items(), names, strict=True):
                    self.names[side] = name if source.name else ""
                    self.remarks.extend(f"{side}: {remark}" for remark in source.remarks)

    async def _play(
        self,
        pairing: Pairing,
        sources: dict[Side, EngineSource],
        listener: Listener,
        record_listeners: Iterable[RecordListener],
    ) -> Result:
        settings = self.settings
        opening_number, opening = settings.opening(pairing)
        position = settings.start
        for move in opening:
            position.push(move)
        observer = _Observer(listener)
        match = MatchSettings(
            position,
            settings.move_time,
            settings.ply_limit,
            clock=settings.clock,
            first_move_time=settings.first_move_time,
            repetition=settings.repetition,
            notation=notation(settings.size),
        )
        players = [
            AthensPlayer(sources[Side(side)], f"{self._state.entrants[side - 1]}({colour})", asks_winner=True)
            for side, colour in zip(pairing.seats, COLOUR_OF_PLAYER.values(), strict=True)
        ]
        lack: ShortageError | None = None
        started = trio.current_time()
        with ExitStack() as stack:
            listeners: list[Listener] = [observer]
            replay = self._replay_path(pairing)
            if replay is not None:
                file = stack.enter_context(replay.open("w", encoding="utf-8", newline="\n"))
                listeners.append(ReplayListener(file))
            try:
                await play_game(players, match, listeners)
            except ShortageError as error:
                lack = error
        black, white = (
            Part(player.seed, player.is_new, observer.thought[number], player.agrees, player.claim)
            for number, player in enumerate(players, 1)
        )
        self._keep(
            GameRecord(
                pairing,
                observer.ended,
                trio.current_time() - started,
                opening_number,
                "" if replay is None else str(replay),
                (black, white),
                partial(settings.repeat_command, pairing, (black.seed, white.seed)),
            ),
            record_listeners,
        )
        if lack is not None:
            raise lack
        return observer.ended.result

    def _keep(self, record: GameRecord, listeners: Iterable[RecordListener]) -> None:
        self._records[record.pairing.number] = record
        for tell in listeners:
            tell(record)

    def _replay_path(self, pairing: Pairing) -> Path | None:
        if self.settings.save is None:
            return None
        width = len(str(self.settings.games))
        return self.settings.save / f"game-{pairing.number:0{width}}.qtp"


async def _connect(side: Side, source: EngineSource) -> None:
    """Connect to an engine behind TCP, so that a wrong address is reported instead of losing games."""
    if source.settings.address.command:
        return
    try:
        await source.prepare()
    except ForfeitError as fault:
        raise UnreachableError(f"--{side}: {source.settings.address} {fault.sentence}") from None


class _Observer:
    """A listener that measures thinking times and passes events on.

    Attributes:
        thought: thinking time of each player, by number, in seconds.
        ended: the last event.
    """

    ended: GameEnded[Position]

    def __init__(self, listener: Listener) -> None:
        self.thought = {1: 0.0, 2: 0.0}
        self._listener = listener
        self._asked: tuple[int, float] | None = None

    def __call__(self, event: Event) -> None:
        if isinstance(event, MoveRequested):
            self._asked = (event.player, trio.current_time())
        elif isinstance(event, MoveMade):
            self.thought[event.player] += event.seconds
            self._asked = None
        elif self._asked is not None and isinstance(event, PlayerOut | GameEnded):
            player, since = self._asked
            self.thought[player] += trio.current_time() - since
            self._asked = None
        if isinstance(event, GameEnded):
            self.ended = event
        self._listener(event)
