"""An analysed game as text: a row for each ply, a graph of winning chances, a summary."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from quoridor_net.analysis import BestLine as LineOfPlay
from quoridor_net.analysis import Mark, PlyAnalysis, accuracy_of
from quoridor_net.engine.scores import DECIDED
from quoridor_net.notation.standard import format_move
from quoridor_net.rules.diagram import ASCII, PAWN_LOOKS, Glyphs, Line, Look, Span
from quoridor_net.text import pad
from quoridor_net.ui.wording import shorten

#: Columns of a row before its line of play, columns of a name, and columns of a score.
_FIXED = 44
_NAME = 10
_SCORE = 8

#: Columns of a count of marked moves in the summary.
_COUNT = 17

#: Columns before the axis of a graph, and minimum number of columns after it.
_AXIS = 8
_LEAST_WIDTH = 20
#: Lines of a single graph, and of each graph if every player has one.
_TALL, _SHORT = 8, 3
#: Maximum number of columns of a ply, which keeps the graph of a short game narrow.
_WIDEST_PLY = 3

#: Cells filled from below by increasing amounts, and the characters of the axis and of the middle line.
_BLOCKS, _TICK, _MIDDLE = " ▁▂▃▄▅▆▇█", "┤", "┈"
_ASCII_BLOCKS, _ASCII_TICK, _ASCII_MIDDLE = " .:#", "|", "-"


def heading() -> Line:
    """Return the headings of the rows."""
    text = f"{'ply':>4}  {'player':<{_NAME + 3}} {'move':<8}{'score':>{_SCORE}}  chance  best line"
    return (Span(text, Look.FAINT),)


def rows(ply: PlyAnalysis, names: Sequence[str], width: int, glyphs: Glyphs, lines: int = 1) -> list[Line]:
    """Return the rows of one ply in at most ``width`` columns.

    Args:
        ply: the ply.
        names: names in order of player number.
        width: columns.
        glyphs: the characters to draw with.
        lines: number of requested lines of play. A single line is shown only if another move was played.
    """
    name = shorten(names[ply.player - 1], _NAME, glyphs)
    label = glyphs.label(ply.player)
    start: Line = (
        Span(f"{ply.ply:>4}  ", Look.FAINT),
        Span(label, PAWN_LOOKS[ply.player]),
        Span(f"{'':<{3 - len(label)}}{pad(name, _NAME)} "),
    )
    if ply.move is None or ply.played is None:
        return [(*start, Span("is out"))]
    mark = "" if ply.mark is None else ply.mark.symbol
    look = Look.TEXT if ply.mark is None else Look.STRONG
    row: Line = (
        *start,
        Span(f"{format_move(ply.move):<5}{mark:<3}", look),
        Span(f"{score_text(ply.played):>{_SCORE}}{_percent(ply.played.chance):>8}", look),
    )
    if lines > 1:
        return [row, *(_number_line(number, line, width, glyphs) for number, line in enumerate(ply.best, 1))]
    if not ply.best or ply.best[0].moves[0] == ply.move:
        return [row]
    return [(*row, Span(f"  {_moves_text(ply.best[0], width - _FIXED - 2, glyphs)}", Look.FAINT))]


def _number_line(number: int, line: LineOfPlay, width: int, glyphs: Glyphs) -> Line:
    start = f"{number:>20}. {'':<7}{score_text(line):>{_SCORE}}{_percent(line.chance):>6}  "
    return (Span(f"{start}{_moves_text(line, width - len(start), glyphs)}", Look.FAINT),)


def _moves_text(line: LineOfPlay, width: int, glyphs: Glyphs) -> str:
    """Return as many moves of a line as fit, with an ellipsis for the rest."""
    text = ""
    for number, move in enumerate(line.moves):
        longer = f"{text} {format_move(move)}" if text else format_move(move)
        room = width if number == len(line.moves) - 1 else width - 2
        if len(longer) > room:
            return f"{text} {glyphs.ellipsis}" if text else ""
        text = longer
    return text


def score_text(line: LineOfPlay) -> str:
    """Return a score in steps, ``+1.25``, or a proven result in plies, ``win 3`` or ``loss 4``.

    A race decided by distances is a ``win`` or ``loss`` without a number.
    """
    if line.wins_in is not None:
        return f"win {line.wins_in}" if line.wins_in > 0 else f"loss {-line.wins_in}"
    if abs(line.score) > DECIDED:
        return "win" if line.score > 0 else "loss"
    return f"{line.score / 100:+.2f}"


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f} %"


def graphs(plies: Sequence[PlyAnalysis], names: Sequence[str], width: int, glyphs: Glyphs) -> list[Line]:
    """Return graphs of the winning chances of player 1, or of each of four players."""
    if not any(ply.played for ply in plies):
        return []
    players = range(1, len(names) + 1)
    heights = {1: _TALL} if len(names) == 2 else dict.fromkeys(players, _SHORT)
    room = max(width - _AXIS, _LEAST_WIDTH)
    found: list[Line] = []
    for player, height in heights.items():
        found += [(), _title(player, names, glyphs)]
        found += _graph(_columns(_chances(plies, player, len(names)), room), height, glyphs)
    return [*found, _numbers(plies, room), *_mistakes(plies, len(names), room, glyphs)]


def _title(player: int, names: Sequence[str], glyphs: Glyphs) -> Line:
    name = shorten(names[player - 1], 40, glyphs)
    return (
        Span("Winning chance of "),
        Span(glyphs.label(player), PAWN_LOOKS[player]),
        Span(f" {name}", Look.STRONG),
    )


def _chances(plies: Sequence[PlyAnalysis], player: int, players: int) -> list[float]:
    """Return the chance of ``player`` after each ply; an unknown chance repeats the previous one."""
    found: list[float] = []
    now = 1 / players
    for ply in plies:
        if ply.played is None:
            now = 0.0 if ply.player == player else now
        elif ply.player == player:
            now = ply.played.chance
        elif players == 2:
            now = 1 - ply.played.chance
        found.append(now)
    return found


def _ply_width(plies: int, room: int) -> int:
    return min(max(room // max(plies, 1), 1), _WIDEST_PLY)


def _columns(chances: Sequence[float], room: int) -> list[float]:
    """Fit the chances into ``room`` columns, with several columns per ply or several plies per column."""
    if len(chances) > room:
        return [chances[(number + 1) * len(chances) // room - 1] for number in range(room)]
    return [chance for chance in chances for _ in range(_ply_width(len(chances), room))]


def _graph(columns: Sequence[float], height: int, glyphs: Glyphs) -> list[Line]:
    blocks, tick, middle = (
        (_ASCII_BLOCKS, _ASCII_TICK, _ASCII_MIDDLE) if glyphs is ASCII else (_BLOCKS, _TICK, _MIDDLE)
    )
    parts = len(blocks) - 1
    named = {height - 1: "100 %", height // 2: " 50 %", 0: "  0 %"}
    lines: list[Line] = []
    for level in reversed(range(height)):
        empty = middle if level == height // 2 else " "
        cells = ""
        for chance in columns:
            # Rounding half down keeps a chance just above 0 empty.
            part = min(max(math.ceil((chance * height - level) * parts - 0.5), 0), parts)
            cells += blocks[part] if part else empty
        lines.append((Span(f"{named.get(level, ''):>5} {tick} ", Look.FAINT), Span(cells)))
    return lines


def _numbers(plies: Sequence[PlyAnalysis], room: int) -> Line:
    """Return the numbers of the first and the last ply below a graph."""
    width = len(_columns([0.0] * len(plies), room))
    first, last = str(plies[0].ply), str(plies[-1].ply)
    if len(plies) == 1:
        return (Span(f"{'ply':>5}   {first}", Look.FAINT),)
    return (Span(f"{'ply':>5}   {first}{last:>{max(width - len(first), len(last) + 1)}}", Look.FAINT),)


def _mistakes(plies: Sequence[PlyAnalysis], players: int, room: int, glyphs: Glyphs) -> list[Line]:
    """Return a line below the graph for each player with mistakes or blunders, marking their places."""
    lines: list[Line] = []
    for player in range(1, players + 1):
        bad = [ply.player == player and ply.mark in {Mark.MISTAKE, Mark.BLUNDER} for ply in plies]
        if not any(bad):
            continue
        width = _ply_width(len(plies), room)
        if len(plies) > room:
            edges = [number * len(plies) // room for number in range(room + 1)]
            text = "".join("?" if any(bad[edges[at] : edges[at + 1]]) else " " for at in range(room))
        else:
            text = "".join(("?" if each else " ").ljust(width) for each in bad)
        label = glyphs.label(player)
        lines.append((Span(f"{'':>{5 - len(label)}}"), Span(label, PAWN_LOOKS[player]), Span(f"   {text}")))
    return [(*line[:-1], Span(line[-1].text.rstrip())) for line in lines]


def summary(plies: Sequence[PlyAnalysis], names: Sequence[str], glyphs: Glyphs) -> list[Line]:
    """Return a row for each player with its accuracy and the counts of its marked moves."""
    heads = "".join(f"{f'{_plural(mark)} {mark.symbol}':>{_COUNT}}" for mark in Mark)
    lines: list[Line] = [(), (Span(f"{'player':<16}{'accuracy':>9}{heads}", Look.FAINT),)]
    for player, full_name in enumerate(names, 1):
        own = [ply for ply in plies if ply.player == player]
        accuracy = accuracy_of([ply.loss for ply in own if ply.loss is not None])
        counts = Counter(ply.mark for ply in own)
        numbers = "".join(f"{counts[mark]:>{_COUNT}}" for mark in Mark)
        shown = "" if accuracy is None else f"{accuracy:.0f} %"
        label = glyphs.label(player)
        name = shorten(full_name, _NAME + 2, glyphs)
        lines.append(
            (
                Span(label, PAWN_LOOKS[player]),
                Span(f"{'':<{3 - len(label)}}{pad(name, 13)}{shown:>9}{numbers}"),
            )
        )
    return lines


def _plural(mark: Mark) -> str:
    return "inaccuracies" if mark is Mark.INACCURACY else f"{mark}s"
