"""A match in a window: the board beside a panel with players, verdicts, last moves and result."""

from __future__ import annotations

import math

from attrs import frozen

from quoridor_net.match import Event, GameEnded, GameStarted, MoveMade, MoveRequested, PlayerOut, TurnPassed
from quoridor_net.outcome import Result, Termination
from quoridor_net.rules import Move, Position
from quoridor_net.rules.diagram import PAWN_LOOKS, Glyphs, Line, Look, Span, width_of
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.text import count_things, cut
from quoridor_net.ui.layout import arrange, scoreboard
from quoridor_net.ui.wording import (
    describe_limits,
    fold,
    format_clock,
    format_duration,
    pad_move,
    shorten,
)

#: Maximum lines of a sentence; otherwise a hostile name or answer could fill the screen.
LONGEST_SENTENCE = 5

#: Columns of a name in a sentence.
NAME_WIDTH = 16


@frozen
class Asked:
    """The thinking player, and its start time on the clock of the display, in seconds."""

    player: int
    since: float


class Scene:
    """The state of one match, from its first event on.

    Args:
        started: the first event.
        picture: the picture of the board.
    """

    def __init__(self, started: GameStarted[Position], picture: BoardPicture) -> None:
        self.picture = picture
        self.names = started.names
        # Owned by the match.
        self.position: Position = started.position
        self.limits = describe_limits(started) or "no time limit"
        # Time left on each player's clock, in seconds, for those with a clock; and those whose first move,
        # still to come, does not run it.
        self.left = {
            player: clock.seconds for player, clock in enumerate(started.clocks, 1) if clock is not None
        }
        self.first = set() if started.first_move_time is None else set(self.left)
        self.plies = 0
        # The thinking player; None between moves and after the end.
        self.asked: Asked | None = None
        self.happened: list[MoveMade[Position, Move] | TurnPassed] = []
        self.outs: list[PlayerOut[Position]] = []
        # The illegal move of the last event; None after any other event.
        self.refused: Move | None = None
        self.result: Result | None = None
        # A note to show during the game; empty for none.
        self.note = ""

    def take(self, event: Event, now: float) -> None:
        """Process the next event, which happened at ``now``."""
        match event:
            case MoveRequested(player, left=left):
                self.asked = Asked(player, now)
                self._set_clock(player, left)
            case MoveMade():
                self._set_clock(event.player, event.left)
                self.first.discard(event.player)
                self.position, self.plies, self.asked = event.position, event.ply, None
                self.refused = None
                self.happened.append(event)
            case TurnPassed():
                self.happened.append(event)
            case PlayerOut():
                self.position, self.refused = event.position, event.fault.move
                self.outs.append(event)
                if self.asked is not None and self.asked.player == event.player:
                    self._stop_clock(now)
            case GameEnded(result, position=position):
                self.result, self.position = result, position
                self._stop_clock(now)
            case GameStarted():
                raise AssertionError("one scene shows one match")

    def _set_clock(self, player: int, left: float | None) -> None:
        if left is not None:
            self.left[player] = left

    def _stop_clock(self, now: float) -> None:
        """Note that the thinking player makes no move; otherwise the time spent would come back."""
        if self.asked is not None and self.asked.player in self.left:
            self.left[self.asked.player] = self.left_at(self.asked.player, now)
        self.asked = None

    def left_at(self, player: int, now: float) -> float:
        """Return the time left on the clock of ``player`` at ``now``, in seconds."""
        asked = self.asked
        runs = asked is not None and asked.player == player and player not in self.first
        return max(0.0, self.left[player] - (now - asked.since if runs and asked is not None else 0.0))


def match_view(scene: Scene, now: float, width: int, height: int, glyphs: Glyphs) -> list[Line]:
    """Return the board and the panel of ``scene`` for a window of ``width`` columns and ``height`` lines.

    ``now`` is the time on the clock of the display, in seconds.
    """
    return arrange(
        scene.position,
        lambda room, lines: _panel(scene, now, room, int(lines), glyphs),
        width,
        height,
        glyphs,
        scene.picture,
        scene.refused,
    )


def _panel(scene: Scene, now: float, width: int, height: int, glyphs: Glyphs) -> list[Line]:
    """Return at most ``height`` lines of at most ``width`` characters, which are 28 or more.

    If space is short, the last moves are dropped first, then the blank lines, then the title.
    """
    title = _title(scene, width, glyphs)
    table = scoreboard(scene.position, scene.names, width, glyphs, scene.picture)
    status = _status(scene, now, width, glyphs)
    outs = _outs(scene, width, glyphs)
    clocks = _clocks(scene, now, width, glyphs)
    sections = [title, [*table, *clocks], status, outs]
    lines = _join(sections, blank_between=True)
    room = height - len(lines) - 2
    if room >= 1 and scene.happened:
        moves = [_describe_event(scene, event, width, glyphs) for event in scene.happened[-room:]]
        return [*lines, (), (Span("Last moves", Look.FAINT),), *moves]
    for candidate in (lines, _join(sections, blank_between=False)):
        if len(candidate) <= height:
            return candidate
    return [*status, *table[1:], *clocks, *outs][:height]


def _join(sections: list[list[Line]], *, blank_between: bool) -> list[Line]:
    lines: list[Line] = []
    for section in filter(None, sections):
        if lines and blank_between:
            lines.append(())
        lines += section
    return lines


def _title(scene: Scene, width: int, glyphs: Glyphs) -> list[Line]:
    size = scene.position.size
    board = "" if size == 9 else f" {size}x{size}"
    rules = f"{scene.position.jumps} jumps, {scene.limits}"
    return [
        (Span(f"Quoridor{board}", Look.STRONG), Span(f", {count_things(scene.plies, 'move')}", Look.FAINT)),
        (Span(shorten(rules, width, glyphs), Look.FAINT),),
    ]


def _clocks(scene: Scene, now: float, width: int, glyphs: Glyphs) -> list[Line]:
    """Return the clocks of all players that have one, in order of play; two in a line if they fit."""
    lines: list[Line] = []
    for player in scene.position.order:
        if player not in scene.left:
            continue
        runs = scene.asked is not None and scene.asked.player == player
        left = scene.left_at(player, now)
        # Rounded up, so that 0 s appears only when no time is left.
        shown = format_clock(math.ceil(left))
        label = glyphs.label(player, scene.picture)
        line = (
            Span("  "),
            Span(label, PAWN_LOOKS[player]),
            Span(f" {shown:<8}", Look.STRONG if runs else Look.TEXT),
        )
        if lines and width_of((*lines[-1], *line)) <= width:
            lines[-1] = (*lines[-1], *line)
        else:
            lines.append(line)
    return lines


def _status(scene: Scene, now: float, width: int, glyphs: Glyphs) -> list[Line]:
    """Return the player to move with its thinking time, or the result."""
    if scene.result is not None:
        reason = f"{scene.result.termination} after {count_things(scene.result.plies, 'move')}"
        lines = _wrap(scene.result.sentence, width, glyphs, Look.STRONG)
        return [*lines, (Span(shorten(reason, width, glyphs), Look.FAINT),)]
    if scene.asked is not None:
        player, doing = scene.asked.player, f" thinks: {format_clock(int(now - scene.asked.since))}"
    elif scene.position.turn is not None:
        player, doing = scene.position.turn, " is next"
    else:
        return [()]
    label = glyphs.label(player, scene.picture)
    name = shorten(scene.names[player - 1], width - len(label) - 1 - len(doing), glyphs)
    line = (Span(label, PAWN_LOOKS[player]), Span(f" {name}", Look.STRONG), Span(doing))
    return [line, (Span(shorten(scene.note, width, glyphs), Look.FAINT),)] if scene.note else [line]


def _outs(scene: Scene, width: int, glyphs: Glyphs) -> list[Line]:
    """Return the players who are out with the reason; players with the same fault share a line."""
    alike: dict[tuple[Termination, str], list[PlayerOut[Position]]] = {}
    for out in scene.outs:
        alike.setdefault((out.fault.termination, out.fault.sentence), []).append(out)
    lines: list[Line] = []
    for (termination, sentence), outs in alike.items():
        names = ", ".join(
            f"{glyphs.label(out.player, scene.picture)}"
            f" {shorten(scene.names[out.player - 1], NAME_WIDTH, glyphs)}"
            for out in outs
        )
        said = f"{names} {'is' if len(outs) == 1 else 'are'} out ({termination})"
        # The result already names the fault that decided the game.
        if scene.result is None or not scene.result.sentence.endswith(f" {sentence}."):
            said += f": {sentence}"
        lines += _wrap(said, width, glyphs, Look.TEXT)
        for hint in dict.fromkeys(out.fault.hint for out in outs if out.fault.hint):
            lines += _wrap(hint, width, glyphs, Look.FAINT)
    return lines


def _describe_event(
    scene: Scene, event: MoveMade[Position, Move] | TurnPassed, width: int, glyphs: Glyphs
) -> Line:
    label = glyphs.label(event.player, scene.picture)
    if isinstance(event, TurnPassed):
        return (Span(f"     {label} has no legal move", Look.FAINT),)
    move = pad_move(event.move, scene.picture, event.position.size)
    line: Line = (
        Span(f"{event.ply:>4} ", Look.FAINT),
        Span(label, PAWN_LOOKS[event.player]),
        Span(f" {move}"),
        Span(f"{format_duration(event.seconds):>8}", Look.FAINT),
    )
    # Large squares leave less room than a whole line needs.
    return line if width_of(line) <= width else line[:-1]


def _wrap(text: str, width: int, glyphs: Glyphs, look: Look) -> list[Line]:
    parts = fold(text, width)
    if len(parts) > LONGEST_SENTENCE:
        last = cut(parts[LONGEST_SENTENCE - 1], width - len(glyphs.ellipsis), "") + glyphs.ellipsis
        parts = [*parts[: LONGEST_SENTENCE - 1], last]
    return [(Span(part, look),) for part in parts]
