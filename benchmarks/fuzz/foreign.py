"""Writers of foreign formats that the project only reads, for games of two from the standard start."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from quoridor_net.moves import STANDARD_SIZE, Move, Step
from quoridor_net.notation.standard import format_move
from quoridor_net.replay import RecordFormat, Replay
from quoridor_net.rules.symmetry import reflect


def _moves(replay: Replay) -> Iterator[Move]:
    for ply in replay.plies:
        assert ply.move is not None, "a game of two has an elimination"
        yield ply.move


def _number_rounds(words: list[str]) -> str:
    rounds = [" ".join(words[start : start + 2]) for start in range(0, len(words), 2)]
    return "\n".join(f"{number}. {moves}" for number, moves in enumerate(rounds, 1)) + "\n"


def write_comma(replay: Replay) -> str:
    """Write moves separated by commas, in one line."""
    return ",".join(map(format_move, _moves(replay))) + "\n"


def write_each_numbered(replay: Replay) -> str:
    """Write moves, each prefixed with the number of its round."""
    words = [f"{number // 2 + 1}.{format_move(move)}" for number, move in enumerate(_moves(replay))]
    return "\n".join(" ".join(words[start : start + 2]) for start in range(0, len(words), 2)) + "\n"


def _format_prefixed(move: Move) -> str:
    written = format_move(move)
    return written if isinstance(move, Step) else written[-1] + written[:-1]


def write_barricade(replay: Replay) -> str:
    """Write numbered rounds in which the letter of a wall comes first."""
    return _number_rounds(list(map(_format_prefixed, _moves(replay))))


def write_barricade_json(replay: Replay) -> str:
    """Write the answer of barricade.gg about a game."""
    answer = {
        "player1Username": "ann",
        "player2Username": "bob",
        "boardSize": replay.setting.size,
        "historyCsv": ",".join(map(_format_prefixed, _moves(replay))),
        "winner": str(replay.outcome.winner) if replay.outcome is not None else None,
    }
    return json.dumps(answer, indent=2)


def write_top(replay: Replay) -> str:
    """Write numbered rounds with ranks counted from the far end."""
    size = replay.setting.size
    return _number_rounds([format_move(reflect(move, size, rows=True)) for move in _moves(replay)])


def write_tq1(replay: Replay) -> str:
    """Write a replay code."""
    return f'tq1#{{"game": 1}} {" ".join(map(format_move, _moves(replay)))}\n'


def write_compact(replay: Replay) -> str:
    """Write rounds of plies with colours and coordinates from 0; a wall is named by its higher row."""
    words = []
    for number, move in enumerate(_moves(replay)):
        if isinstance(move, Step):
            place = f"{move.square.column}{move.square.row}"
        else:
            place = f"{move.column}{move.row + 1}{move.orientation}"
        words.append(f"{number // 2 + 1}{'bw'[number % 2]}.{place}")
    return "\n".join(";".join(words[start : start + 2]) for start in range(0, len(words), 2)) + "\n"


def write_bga(replay: Replay) -> str:
    """Write logs of Board Game Arena, in which every move appears for the table and for a player."""
    packets: list[dict[str, object]] = []
    for number, move in enumerate(_moves(replay), 2):
        player = number % 2
        notification = {
            "type": "playToken" if isinstance(move, Step) else "playWall",
            "args": {
                "player_id": str(71 + player),
                "player_name": ("ann", "bob")[player],
                "quoridorstrats_notation": format_move(move),
            },
        }
        packets += [
            {"channel": channel, "move_id": str(number), "data": [notification]}
            for channel in ("/table/t1", "/player/p71")
        ]
    return json.dumps({"status": 1, "data": {"valid": 1, "data": packets}})


def write_arena(replay: Replay) -> str:
    """Write the record of an arena of engines."""
    actions = []
    for number, move in enumerate(_moves(replay)):
        place = move.square if isinstance(move, Step) else move
        kind = "pawn" if isinstance(move, Step) else f"{move.orientation}wall"
        player = f"P{number % 2 + 1}"
        actions.append(
            {
                "turn_index": number,
                "player_id": player,
                "action_type": kind,
                "x": place.column,
                "y": place.row,
                "actor_name": f"engine-{player}",
            }
        )
    winner = None if replay.outcome is None else f"P{replay.outcome.winner}"
    record = {"schema_version": "eval_replay_v1", "winner": winner, "actions": actions}
    return json.dumps(record, indent=1)


WRITERS: dict[RecordFormat, Callable[[Replay], str]] = {
    RecordFormat.COMMA: write_comma,
    RecordFormat.NUMBERED: write_each_numbered,
    RecordFormat.BARRICADE: write_barricade,
    RecordFormat.TOP: write_top,
    RecordFormat.TQ1: write_tq1,
    RecordFormat.COMPACT: write_compact,
    RecordFormat.BGA: write_bga,
    RecordFormat.ARENA: write_arena,
}


def can_write(replay: Replay) -> bool:
    """Return whether these formats can express the game."""
    setting = replay.setting
    return setting.players == 2 and setting.size == STANDARD_SIZE and setting.start is None
