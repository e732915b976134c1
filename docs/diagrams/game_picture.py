"""The picture of a game that the README and the front page show: ``make pages`` draws it.

``docs/pictures/game.qtp`` is a game that two move servers of this project played on loopback. Its plies are
fed as the events of a match into the scene of the terminal display, and rich exports the view after ``PLY``
of them. Box-drawing characters become shapes, because in many fonts those of neighbouring lines do not meet.
"""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape

from attrs import frozen
from rich.console import Console
from rich.terminal_theme import TerminalTheme

from quoridor_net.match import GameStarted, MoveMade, MoveRequested
from quoridor_net.replay import Replay, parse_replay
from quoridor_net.rules.diagram import UNICODE, Look
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.ui.match_view import Scene, match_view
from quoridor_net.ui.theme import STYLES, colour_lines

FOLDER = Path(__file__).parents[1] / "pictures"

#: The number of moves in the picture, and how long the next player has thought, in seconds.
PLY = 30
THINKING = 2.0
#: Columns and lines of the window.
WIDTH, HEIGHT = 116, 39
TITLE = "python -m client localhost:5858 localhost:9685 --move-time 30"
LABEL = "A game of Quoridor in the terminal: the board, the players and the last moves"
#: Seconds a player has for each move.
MOVE_TIME = 30.0

THEME = TerminalTheme(
    (27, 22, 19),
    (236, 226, 216),
    # The eight colours of a terminal, which the display does not use: it names its own.
    [(59, 50, 45)] * 8,
)
FONT = "ui-monospace, 'SF Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace"


#: The template that rich fills in; its own loads a font from the network.
TEMPLATE = (
    '<svg xmlns="http://www.w3.org/2000/svg"><style>{styles}</style>'
    "<g>{backgrounds}</g><g>{matrix}</g><defs>{lines}</defs></svg>"
)
#: Width and height of a character in rich's drawing, and the padding around the window, in pixels.
ADVANCE, PITCH = 12.2, 24.4
PADDING, TITLE_HEIGHT = 20, 56
#: How thick walls and frames are drawn, in pixels.
WALL, FRAME = 7.0, 1.5
BLANK = "\N{NO-BREAK SPACE}"
NAMESPACE = "{http://www.w3.org/2000/svg}"


@frozen
class Run:
    """Characters of one class beside each other: where the first stands, by column and line."""

    column: int
    line: int
    style: str
    text: str


def main() -> None:
    """Write ``pictures/game.svg``."""
    replay = parse_replay((FOLDER / "game.qtp").read_text(encoding="ascii"))
    (FOLDER / "game.svg").write_text(draw_picture(replay, PLY), encoding="utf-8")


def scene_of(replay: Replay, plies: int) -> Scene:
    """Return the state of the terminal display after ``plies`` moves of a recorded game."""
    positions = list(replay.positions())
    seconds = [float(number) for number in (replay.value("Seconds") or "").split()]
    scene = Scene(GameStarted(replay.names, positions[0], MOVE_TIME, len(replay.plies)), BoardPicture.LAN)
    for number, ply in enumerate(replay.plies[:plies], 1):
        assert ply.move is not None, "nobody is eliminated in this game"
        scene.take(MoveMade(ply.player, ply.move, number, seconds[number - 1], positions[number]), 0.0)
    assert scene.position.turn is not None, "the game is not over yet"
    scene.take(MoveRequested(scene.position.turn, plies), 0.0)
    return scene


def draw_picture(replay: Replay, plies: int) -> str:
    """Return the terminal view of a recorded game after ``plies`` moves as SVG."""
    console = Console(
        file=io.StringIO(),
        record=True,
        width=WIDTH,
        height=HEIGHT,
        force_terminal=True,
        color_system="truecolor",
    )
    lines = match_view(scene_of(replay, plies), THINKING, WIDTH, HEIGHT, UNICODE)
    console.print(colour_lines(lines), crop=False)
    svg = console.export_svg(theme=THEME, code_format=TEMPLATE, unique_id="q")
    # Exported two lines above, so it can be trusted.
    exported = ET.fromstring(svg)  # noqa: S314
    style = exported.findtext(f"{NAMESPACE}style", "")
    rectangles, texts = exported.findall(f"{NAMESPACE}g")
    runs = [run for text in texts for run in runs_of(text)]
    colours = dict(re.findall(r"\.([\w-]+) \{ fill: (#\w+)", style))
    return draw_window(style, [*find_backgrounds(rectangles), *draw_shapes(runs, colours), *draw_words(runs)])


def runs_of(text: ET.Element) -> Iterator[Run]:
    """Yield the words and the box-drawing characters of a text, without the spaces around them."""
    column = round(float(text.attrib["x"]) / ADVANCE)
    line = int(float(text.attrib["y"]) / PITCH)
    content = (text.text or "").replace(BLANK, " ")
    for found in re.finditer(r"[━─]+|[┃│╭╮╰╯]|[^━─┃│╭╮╰╯ ]+(?: [^━─┃│╭╮╰╯ ]+)*", content):
        yield Run(column + found.start(), line, text.attrib["class"], found[0])


def find_backgrounds(rectangles: Iterable[ET.Element]) -> Iterator[str]:
    """Yield the coloured areas: one below the whole board, then squares and labels, a rectangle each."""
    gap = STYLES[Look.GAP].removeprefix("on ")
    areas: dict[tuple[int, int, str], list[int]] = {}
    for found in rectangles:
        left, width = (round(float(found.attrib[name]) / ADVANCE) for name in ("x", "width"))
        areas.setdefault((left, width, found.attrib["fill"]), []).append(
            int(float(found.attrib["y"]) / PITCH)
        )
    board = [(left, left + width, lines) for (left, width, fill), lines in areas.items() if fill == gap]
    left, right = min(part[0] for part in board), max(part[1] for part in board)
    top, bottom = (choose(line for part in board for line in part[2]) for choose in (min, max))
    yield draw_rectangle(
        left * ADVANCE, top * PITCH, (right - left) * ADVANCE, (bottom + 1 - top) * PITCH, gap, 10
    )
    for (left, width, fill), lines in areas.items():
        for first, last in find_stretches(lines):
            if fill != gap:
                size = (width * ADVANCE, (last + 1 - first) * PITCH)
                yield draw_rectangle(left * ADVANCE, first * PITCH, *size, fill, 3)


def find_stretches(lines: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last of each row of numbers that follow each other."""
    for _, group in groupby(enumerate(sorted(lines)), key=lambda pair: pair[1] - pair[0]):
        found = [line for _, line in group]
        yield found[0], found[-1]


def draw_shapes(runs: Sequence[Run], colours: dict[str, str]) -> Iterator[str]:
    """Yield walls as bars, the middles of squares as dots, and frames as rectangles with round corners."""
    upright: dict[tuple[int, str], list[int]] = {}
    for run in runs:
        middle = (run.line + 0.5) * PITCH
        if run.text[0] == "━":
            size = (len(run.text) * ADVANCE, WALL)
            yield draw_rectangle(run.column * ADVANCE, middle - WALL / 2, *size, run.style, WALL / 2)
        elif run.text == "┃":
            upright.setdefault((run.column, run.style), []).append(run.line)
        elif run.text == "·":
            place = f'cx="{(run.column + 0.5) * ADVANCE:g}" cy="{middle:g}"'
            yield f'<circle class="{run.style}" {place} r="1.6"/>'
    for (column, style), lines in upright.items():
        for first, last in find_stretches(lines):
            left = (column + 0.5) * ADVANCE - WALL / 2
            yield draw_rectangle(left, first * PITCH, WALL, (last + 1 - first) * PITCH, style, WALL / 2)
    yield from draw_frames(runs, colours)


def draw_frames(runs: Sequence[Run], colours: dict[str, str]) -> Iterator[str]:
    """Yield the outlines of the board and of the pawns: from each top left corner to the nearest others."""
    for start in (run for run in runs if run.text == "╭"):
        right = min(
            run.column
            for run in runs
            if run.text == "╮" and run.line == start.line and run.column > start.column
        )
        low = min(
            run.line
            for run in runs
            if run.text == "╰" and run.column == start.column and run.line > start.line
        )
        place = f'x="{(start.column + 0.5) * ADVANCE:g}" y="{(start.line + 0.5) * PITCH:g}"'
        size = f'width="{(right - start.column) * ADVANCE:g}" height="{(low - start.line) * PITCH:g}"'
        stroke = f'stroke="{colours[start.style]}" stroke-width="{FRAME:g}"'
        yield f'<rect fill="none" {stroke} {place} {size} rx="7"/>'


def draw_words(runs: Iterable[Run]) -> Iterator[str]:
    """Yield all other text; each run is as wide as its columns in any font."""
    for run in runs:
        if re.match(r"[━─┃│╭╮╰╯·]", run.text):
            continue
        length = f' textLength="{len(run.text) * ADVANCE:g}"' if len(run.text) > 1 else ""
        place = f'x="{run.column * ADVANCE:g}" y="{run.line * PITCH + 19:g}"'
        yield f'<text class="{run.style}" {place}{length}>{escape(run.text)}</text>'


def draw_rectangle(x: float, y: float, width: float, height: float, fill: str, radius: float) -> str:
    """Return a rectangle; ``fill`` is a colour, or the class that has it."""
    coloured_by = "fill" if fill.startswith("#") else "class"
    size = f'width="{width:g}" height="{height:g}" rx="{radius:g}"'
    return f'<rect {coloured_by}="{fill}" x="{x:g}" y="{y:g}" {size}/>'


def draw_window(style: str, parts: Iterable[str]) -> str:
    """Return the picture of a terminal window with ``parts`` in it."""
    width, height = WIDTH * ADVANCE + 2 * PADDING, HEIGHT * PITCH + TITLE_HEIGHT + PADDING
    buttons = "".join(
        f'<circle cx="{26 + 22 * number}" cy="26" r="7" fill="{colour}"/>'
        for number, colour in enumerate(("#ff5f57", "#febc2e", "#28c840"))
    )
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{LABEL}">
<style>
text {{ font: 20px {FONT}; }}
{style.strip()}
</style>
<rect width="{width:g}" height="{height:g}" rx="12" fill="{THEME.background_color.hex}"/>
{buttons}<text x="{width / 2:g}" y="32" text-anchor="middle" fill="#b8aca2">{TITLE}</text>
<g transform="translate({PADDING} {TITLE_HEIGHT})">
{chr(10).join(parts)}
</g>
</svg>
"""


if __name__ == "__main__":
    main()
