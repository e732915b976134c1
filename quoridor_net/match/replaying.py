"""Convert recorded games to the events of a match, and matches to recorded games."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from quoridor_net.events import Event, GameEnded, GameStarted, MoveMade, MovesTakenBack, PlayerOut
from quoridor_net.match.match_game import DEFAULT_PLY_LIMIT
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.phrases import Translatable
from quoridor_net.replay import Outcome, Replay, Setting
from quoridor_net.replay.replay import apply
from quoridor_net.rules import Position
from quoridor_net.text import visible
from quoridor_net.verdicts import VerdictPhrase

#: The terminations that can be translated; other programs may write others.
_TERMINATIONS = frozenset(map(str, Termination))


def events_of(replay: Replay) -> Iterator[Event]:
    """Yield the events of a recorded game, with moves that take no time and without unrecorded events.

    An unfinished game has no :class:`GameEnded`.
    """
    names = tuple(map(visible, replay.names))
    position = replay.setting.position()
    yield GameStarted(names, position.copy(), None, DEFAULT_PLY_LIMIT)
    moves = 0
    for ply in replay.plies:
        apply(position, ply)
        if ply.move is None:
            fault = ForfeitError(Termination.PUT_OUT, VerdictPhrase.PUT_OUT())
            yield PlayerOut(ply.player, fault, position.copy(), moves)
        else:
            moves += 1
            yield MoveMade(ply.player, ply.move, moves, 0.0, position.copy())
    outcome = replay.outcome
    if outcome is not None:
        yield GameEnded(_result(outcome, names, moves), names, position.copy())


def _result(outcome: Outcome, names: tuple[str, ...], plies: int) -> Result:
    reason = visible(outcome.termination)
    if outcome.termination in _TERMINATIONS:
        reason = Translatable(reason, {"code": f"termination.{reason}", "values": {}})
    if outcome.winner is None:
        sentence = VerdictPhrase.RECORDED_DRAW(termination=reason)
    else:
        seat = Position.seat_names[outcome.winner - 1]
        winner = VerdictPhrase.SEAT(name=names[outcome.winner - 1], seat=seat)
        sentence = VerdictPhrase.RECORDED_WIN(winner=winner, termination=reason)
    try:
        termination = Termination(outcome.termination)
    except ValueError:
        # A word of another program.
        termination = Termination.ABORTED if outcome.winner is None else Termination.LAST_PLAYER
    return Result(outcome.winner, termination, sentence, plies)


class GameKeeper:
    """A listener that can return the current match as a recorded game at any time."""

    def __init__(self) -> None:
        self._names: tuple[str, ...] = ()
        self._position: Position | None = None
        self._result: Result | None = None

    def __call__(self, event: Event) -> None:
        """Keep the position after ``event``, which contains the moves that led to it."""
        match event:
            case GameStarted(names, position):
                self._names, self._position, self._result = names, position, None
            case GameEnded(result, names, position):
                self._names, self._position, self._result = names, position, result
            case MoveMade() | MovesTakenBack() | PlayerOut():
                self._position = event.position

    def replay(self) -> Replay | None:
        """Return the game so far; None before the first game."""
        position = self._position
        if position is None:
            return None
        metadata = (
            ("Date", dt.datetime.now(tz=dt.UTC).date().isoformat()),
            ("Players", " vs ".join(self._names)),
        )
        # In a game of two, the metadata contain the fault that ended it.
        plies = tuple(ply for ply in position.history if position.players > 2 or ply.move is not None)
        replay = Replay(Setting.of(position.root()), plies, metadata)
        result = self._result
        return replay.finish(None if result is None else Outcome(result.winner, str(result.termination)))
