"""Pictures of positions, and the rows of tables that show them.

``docs/pictures/positions.toml`` lists them by name: the position line, the moves to show, and a caption.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from docs.diagrams.pictured_position import PicturedPosition, pictured_position
from docs.parts.markdown import table
from quoridor_net.rules import Illegality, Step
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.rules.svg import board_svg

PICTURES = Path(__file__).parents[1] / "pictures"
POSITIONS: Mapping[str, Mapping[str, str]] = tomllib.loads(
    (PICTURES / "positions.toml").read_text(encoding="utf-8")
)


def load_picture(name: str) -> PicturedPosition:
    """Return the position called ``name`` and the moves to show in it."""
    return pictured_position(POSITIONS[name]["position"], POSITIONS[name])


def draw_position(name: str) -> str:
    """Return the picture of the position called ``name`` as SVG."""
    found = load_picture(name)
    steps = [move.square for move in found.steps if isinstance(move, Step)]
    return board_svg(found.position, steps, found.illegal, BoardPicture.LAN) + "\n"


def write_positions(*names: str) -> str:
    """Return a table with a picture and an explanation in each row."""
    return table(("Position", "Explanation"), [(_write_image(name), _explain(name)) for name in names])


def _write_image(name: str) -> str:
    return f"![{describe_picture(load_picture(name))}](pictures/positions/{name}.svg)"


def describe_picture(found: PicturedPosition) -> str:
    """Return a description of a picture: pawns and walls."""
    position = found.position
    parts = [f"player {player} on {position.pawn(player)}" for player in position.alive]
    parts += [f"wall {wall}" for wall in position.walls]
    # Brackets would end the text.
    text = "; ".join(parts).replace("[", "").replace("]", "")
    return f"{position.size} × {position.size} squares: {text}"


def _explain(name: str) -> str:
    found = load_picture(name)
    lines = [POSITIONS[name].get("caption", "")]
    if found.steps:
        lines.append(f"Steps: {', '.join(f'`{move}`' for move in found.steps)}")
    by_reason: dict[Illegality, list[str]] = {}
    for move, kind in found.illegal.items():
        by_reason.setdefault(kind, []).append(f"`{move}`")
    lines += [f"Illegal: {', '.join(moves)} ({kind.value})" for kind, moves in by_reason.items()]
    return "<br>".join(filter(None, lines))
