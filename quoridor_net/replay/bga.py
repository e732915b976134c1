"""Read games from the logs of Board Game Arena: the site's JSON, or a saved page with ``g_gamelogs``.

The logs are packets of notifications. ``playToken`` and ``playWall`` contain moves in standard notation; the
first player to move starts at e1. A notification may be repeated in another packet.
"""

from __future__ import annotations

import re
from typing import Any

from attrs import define, field

from quoridor_net.moves import Orientation, Square, Step, Wall
from quoridor_net.notation.standard import STANDARD, parse_move
from quoridor_net.phrases import text_of
from quoridor_net.replay.errors import Fault, RecordPhrase, ReplayError
from quoridor_net.replay.json_text import Occurrences, end_of, objects_in, parse_json, text_in
from quoridor_net.replay.record import Place, Record
from quoridor_net.replay.replay import Outcome, Replay
from quoridor_net.replay.setting import Setting
from quoridor_net.rules import STANDARD_SIZE, Jumps, Move, Ply, Termination
from quoridor_net.text import UnparsableError, quote

_NOTATION = "quoridorstrats_notation"
_PLAYS = ("playToken", "playWall")
_CONCESSION = "playerConcedeGame"

_IN_PAGE = re.compile(r"\bg_gamelogs\s*=\s*")

# Maximum depth of the list of packets: the site wraps its answers in objects with ``data``.
_WRAPPINGS = 8


def is_bga(text: str) -> bool:
    """Return whether ``text`` looks like such logs."""
    is_json = text.lstrip()[:1] in {"{", "["}
    return (is_json and any(f'"{play}"' in text for play in _PLAYS)) or _IN_PAGE.search(text) is not None


def read_bga(text: str, jumps: Jumps, partial: bool) -> Replay:
    """Return the game of such logs; see :func:`parse_game`."""
    page = _IN_PAGE.search(text)
    start = 0 if page is None else page.end()
    logs = parse_json(text, start, None if page is None else end_of(text, start))
    told = _Told(Record(Setting(jumps=jumps), lambda _size: STANDARD), Occurrences(text, start))
    for packet in _packets(logs):
        for notification in objects_in(packet, "data"):
            told.take(notification, text_in(packet, "move_id"))
    if not told.record.plies:
        sentence = RecordPhrase.NO_RECORD(reason="no playToken or playWall")
        raise ReplayError(Fault.SYNTAX, sentence, 1, 1)
    return told.finish(partial)


def _packets(logs: Any) -> list[dict[str, Any]]:
    for _ in range(_WRAPPINGS):
        if isinstance(logs, list):
            return [packet for packet in logs if isinstance(packet, dict)]
        if not isinstance(logs, dict):
            break
        logs = logs.get("data", logs.get("logs"))
    return []


@define
class _Told:
    """The game of the notifications so far.

    Attributes:
        record: the game.
        places: the places of its moves.
        players: the names of the players by identifier, in the order of their first moves.
        seen: the moves so far by the site's number, to recognise repetitions.
        conceded: identifier of the player that resigned; empty if none did.
        end: place of the last move.
    """

    record: Record
    places: Occurrences
    players: dict[str, str] = field(factory=dict)
    seen: dict[str, tuple[str, Move]] = field(factory=dict)
    conceded: str = ""
    end: Place = field(factory=lambda: Place(1))

    def take(self, notification: dict[str, Any], number: str) -> None:
        kind, arguments = text_in(notification, "type"), notification.get("args")
        if kind == _CONCESSION:
            self.conceded = text_in(arguments, "player_id")
        if kind not in _PLAYS or not isinstance(arguments, dict):
            return
        self.end = self.places.next(_NOTATION if _NOTATION in arguments else kind)
        identifier = text_in(arguments, "player_id")
        is_again = number in self.seen
        try:
            move = _move(arguments, is_wall=kind == "playWall")
            if number and self.seen.setdefault(number, (identifier, move)) != (identifier, move):
                raise UnparsableError(f"move {quote(number)} of the site occurs twice, differently")
        except UnparsableError as error:
            raise self._at_ply(
                ReplayError(Fault.SYNTAX, text_of(error), self.end.line, self.end.move)
            ) from None
        if not is_again:
            self._add(identifier, text_in(arguments, "player_name"), move)

    def _add(self, identifier: str, name: str, move: Move) -> None:
        player = self.record.position.turn or 1
        if identifier:
            self.players.setdefault(identifier, name)
            player = list(self.players).index(identifier) + 1
        try:
            if player > 2:
                sentence = RecordPhrase.NO_RECORD(reason="a game of more than two players")
                raise ReplayError(Fault.SYNTAX, sentence, self.end.line, self.end.move)
            self.record.add(Ply(player, move), self.end)
        except ReplayError as error:
            raise self._at_ply(error) from None

    def _at_ply(self, error: ReplayError) -> ReplayError:
        sentence = RecordPhrase.AT_PLY(ply=len(self.record.plies) + 1, reason=error.sentence)
        return ReplayError(error.fault, sentence, error.line, error.column, error.reason)

    def finish(self, partial: bool) -> Replay:
        metadata = self.record.metadata
        names = list(self.players.values())
        if len(names) == 2 and all(names):
            metadata.add("Players", " vs ".join(names), 1)
        if self.conceded in self.players and self.record.position.ending is None:
            winner = 2 - list(self.players).index(self.conceded)
            for key, value in Outcome(winner, str(Termination.RESIGNED)).metadata:
                metadata.add(key, value, self.end.line)
        return self.record.finish(self.end, partial=partial)


def _move(arguments: dict[str, Any], *, is_wall: bool) -> Move:
    """Return the move of a notification, from its standard notation or the columns and rows of the page.

    Raises:
        UnparsableError: it has neither.
    """
    written = text_in(arguments, _NOTATION)
    if written:
        return parse_move(written, STANDARD_SIZE)
    column, row = text_in(arguments, "x"), text_in(arguments, "y")
    numbers = {str(number) for number in range(1, STANDARD_SIZE + 1)}
    way = text_in(arguments, "orientation")[:1]
    if not {column, row} <= numbers or (is_wall and way not in {"h", "v"}):
        raise UnparsableError(f"no {_NOTATION}")
    # The page counts from 1, with rows from the top.
    if is_wall:
        return Wall(int(column) - 1, STANDARD_SIZE - 1 - int(row), Orientation(way))
    return Step(Square(int(column) - 1, STANDARD_SIZE - int(row)))
