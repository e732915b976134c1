"""The output of the referee: lines during the games, a summary, and a JSON document."""

from __future__ import annotations

import math
from collections.abc import Callable

from quoridor_net.advice import format_command
from quoridor_net.match import Event, GameEnded, GameStarted, MoveMade, PlayerOut
from quoridor_net.match.encoding import VERSION, as_object
from quoridor_net.notation.athens import COLOUR_OF_PLAYER, format_move
from quoridor_net.protocols.athens.drawing import draw_board
from quoridor_net.rules import Move, Position
from quoridor_net.text import count_things
from quoridor_net.tournament import Event as TournamentEvent
from quoridor_net.tournament import GameEvent, Standing
from quoridor_net.tournament.columns import Section, format_counts, format_interval

from .games import GameRecord, Side
from .referee import Referee


class LiveReport:
    """A listener that prints events line by line.

    Args:
        write: prints a line.
        verbosity: 0 for results, 1 for moves as well, 2 for boards as well.
    """

    def __init__(self, write: Callable[[str], None], verbosity: int = 0) -> None:
        self._write = write
        self._verbosity = verbosity

    def __call__(self, event: TournamentEvent) -> None:
        """Write the lines of an event."""
        if isinstance(event, GameEvent):
            self._write_event(event.game, event.event)

    def _write_event(self, game: int, event: Event) -> None:
        match event:
            case GameStarted() if self._verbosity:
                black, white = event.names
                self._write(f"game {game}: {black} moves first, {white} second")
                self._board(event)
            case MoveMade() if self._verbosity:
                move = format_move(event.move, event.position.size)
                colour = COLOUR_OF_PLAYER[event.player]
                self._write(f"game {game}: {event.ply:3} {colour} {move} ({event.seconds:.3f} s)")
                self._board(event)
            case PlayerOut(fault=fault) if fault.line:
                colour = COLOUR_OF_PLAYER[event.player]
                self._write(f"game {game}: the last line of {colour} was '{fault.line}'")
            case GameEnded():
                result, plies = event.result, count_things(event.result.plies, "ply")
                self._write(f"game {game}: {result.sentence} [{result.termination}, {plies}]")

    def record(self, record: GameRecord) -> None:
        """Write the lines after a game: disagreement about the winner, and how to play it again."""
        game = f"game {record.pairing.number}"
        for part, colour in zip(record.parts, COLOUR_OF_PLAYER.values(), strict=True):
            if part.agrees is False:
                self._write(f"{game}: {colour} disagrees: it answered {part.claim!r} to winner")
        if self._verbosity or record.at_fault is not None:
            command = f"{format_command()}{record.repeat.removeprefix('quoridor')}"
            self._write(f"{game}: {_introduce_repeat(record)}: {command}")

    def _board(self, event: GameStarted[Position] | MoveMade[Position, Move]) -> None:
        if self._verbosity > 1:
            for line in draw_board(event.position):
                self._write(line)


def _introduce_repeat(record: GameRecord) -> str:
    if record.is_repeatable:
        return "to play it again"
    used = [COLOUR_OF_PLAYER[player] for player, part in enumerate(record.parts, 1) if not part.is_new]
    whose = "both processes" if len(used) == 2 else f"the process of {used[0]}"
    return f"it may go differently, because {whose} had played before; to play it with new processes"


def summary(referee: Referee) -> list[str]:
    """Return the lines of the summary."""
    results = referee.results
    score, counts = results.score, results.pentanomial.counts
    assert score is not None, "a series has two entrants"
    lines = []
    for side, won, lost in ((Side.WHITE, score.won, score.lost), (Side.BLACK, score.lost, score.won)):
        points = f"{won + score.drawn / 2:g}/{score.games}"
        lines.append(f"{points:>9}  {won} won, {score.drawn} drawn, {lost} lost: {_describe(referee, side)}")
    lines.append(
        f"Elo difference {format_interval(score.elo)}, likelihood of superiority {score.superiority:.1%}"
    )
    if any(counts):
        label = referee.settings.label(Side.WHITE)
        lines.append(f"pairs with 0, ½, 1, 1½, 2 points of {label}: {', '.join(map(str, counts))}")
    if results.terminations:
        lines.append(f"ended by {format_counts(results.terminations)}")
    moves = [
        f"{referee.settings.label(Side(row.entrant))} {row.average_time:.3f} s on average,"
        f" {row.longest_time:.3f} s at most"
        for row in _rows(referee)
        if row.moves
    ]
    if moves:
        lines.append(f"time per move {'; '.join(moves)}")
    times = [f"{referee.settings.label(side)} {_sum_thought(referee, side):.3f} s" for side in Side]
    lines.append(f"total time {', '.join(times)}")
    lines += _agreement(referee)
    if score.void:
        lines.append(f"not counted: {count_things(score.void, 'game')}")
    lines += [f"note: {remark}" for remark in referee.remarks]
    return lines


def _rows(referee: Referee) -> list[Standing]:
    """Return the rows of the tables in the order of the sides."""
    return sorted(referee.results.table.rows, key=lambda row: row.entrant)


def _describe(referee: Referee, side: Side) -> str:
    settings = referee.settings
    name = referee.names.get(side)
    label = f"{settings.label(side)}, {name}" if name else settings.label(side)
    return f"{label} (--{side} {settings.address(side)})"


def _sum_thought(referee: Referee, side: Side) -> float:
    return math.fsum(record.part(side).thought for record in referee.records)


def _agreement(referee: Referee) -> list[str]:
    """Return lines about the engines' answers to ``winner``."""
    lines = []
    for side in Side:
        said = [record.part(side).agrees for record in referee.records]
        asked = len(said) - said.count(None)
        if asked:
            label = referee.settings.label(side)
            lines.append(
                f"{label} agrees on the winner of {said.count(True)} of {count_things(asked, 'game')}"
            )
    return lines


def document(referee: Referee) -> dict[str, object]:
    """Return the JSON document of the series (docs/reference/events.md); infinite numbers are null."""
    settings = referee.settings
    known, rows = referee.results.summary(), _rows(referee)
    columns = [column for column in referee.results.columns if column.section is Section.PLAY]
    return {
        "version": VERSION,
        "settings": {
            "size": settings.size,
            "walls": settings.walls,
            "games": settings.games,
            "maximum_time": settings.clock.seconds,
            "increment": settings.clock.increment,
            "first_move_time": settings.first_move_time,
            "move_time": settings.move_time,
            "memory_limit": settings.memory,
            "seed": settings.seed,
            "jumps": str(settings.jumps),
            "swap": settings.swap,
            "concurrency": settings.concurrency,
        },
        "engines": {
            str(side): {
                "command": str(settings.address(side)),
                "name": referee.names.get(side, ""),
                "total_time": round(_sum_thought(referee, side), 3),
                **{column.name: column.data(row) for column in columns},
            }
            for side, row in zip(Side, rows, strict=True)
        },
        "games": [_game(record) for record in referee.records],
        **{name: known["duel"][name] for name in ("score", "elo", "superiority", "pentanomial")},
        "terminations": known["terminations"],
        "remarks": referee.remarks,
    }


def _game(record: GameRecord) -> dict[str, object]:
    return {
        **as_object(record.ended),
        "game": record.pairing.number,
        "black": str(Side(record.pairing.seats[0])),
        "won_by": None if record.winner is None else str(record.winner),
        "at_fault": None if record.at_fault is None else str(record.at_fault),
        "opening": record.opening or None,
        "seconds": round(record.seconds, 3),
        "total_time": {str(side): round(record.part(side).thought, 3) for side in Side},
        "agrees": {str(side): record.part(side).agrees for side in Side},
        "replay": record.replay or None,
        "repeat": record.repeat,
        "is_repeatable": record.is_repeatable,
    }
