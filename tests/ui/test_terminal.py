"""The display on a terminal: the alternate screen during the game, the final picture afterwards."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import threading

import pytest
import trio
import trio.testing
from rich.console import Console

from quoridor_net.match import GameEnded, GameStarted, MatchSettings, MoveRequested, play_match
from quoridor_net.outcome import Result
from quoridor_net.players import Clock, Player
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Move, Position, Termination
from quoridor_net.ui import DisplayKind, open_display
from quoridor_net.ui.terminal import TerminalDisplay

ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"


class Window:
    """A terminal in memory and a display on it."""

    def __init__(self, width: int = 80, height: int = 24) -> None:
        self.file = io.StringIO()
        self.console = Console(
            file=self.file, force_terminal=True, color_system=None, width=width, height=height
        )
        self.display = TerminalDisplay(self.console)

    def take_output(self) -> str:
        """Return the output since the last call."""
        text = self.file.getvalue()
        self.file.seek(0)
        self.file.truncate()
        return text


def start_event() -> GameStarted[Position]:
    return GameStarted(("anna", "bob"), Position(), None, 1000)


def end_event() -> GameEnded[Position]:
    sentence = "anna (player 1) wins: it reached its goal line."
    return GameEnded(Result(1, Termination.GOAL, sentence, 15), ("anna", "bob"), Position())


async def test_a_game_uses_the_alternate_screen_and_leaves_the_final_picture() -> None:
    window = Window()
    assert window.take_output() == ""
    window.display.listen(start_event())
    assert ENTER in window.take_output()
    window.display.listen(end_event())
    game, picture = window.take_output().split(LEAVE)
    assert ENTER not in game
    lines = [line.rstrip() for line in picture.split("\n")]
    assert any(line.endswith("anna (player 1) wins: it reached its") for line in lines)
    assert any(line.endswith("goal after 15 moves") for line in lines)
    # The winner in large letters comes last.
    assert lines[-8] == "    a   b   c   d   e   f   g   h   i"
    assert lines[-6].startswith(" ███  █   █ █   █  ███        █   █ █████")


async def test_the_final_picture_has_the_board_even_in_a_small_window() -> None:
    window = Window(80, 10)
    window.display.listen(start_event())
    window.display.listen(end_event())
    assert "    a   b   c   d   e   f   g   h   i" in window.take_output().split(LEAVE)[1]


async def test_nothing_is_drawn_in_another_thread() -> None:
    window, before = Window(), set(threading.enumerate())
    window.display.listen(start_event())
    assert set(threading.enumerate()) <= before
    window.display.close()


async def test_the_clock_ticks_only_when_a_second_passed(autojump_clock: trio.testing.MockClock) -> None:
    window = Window()
    window.display.listen(start_event())
    window.display.listen(MoveRequested(1, 0))
    assert "anna thinks: 0 s" in window.take_output()
    await trio.sleep(0.5)
    window.display.tick()
    assert window.take_output() == ""
    await trio.sleep(11.5)
    window.display.tick()
    assert "anna thinks: 12 s" in window.take_output()
    window.display.close()


async def test_a_new_size_is_drawn_at_once(autojump_clock: trio.testing.MockClock) -> None:
    window = Window()
    window.display.listen(start_event())
    assert "  ╭───────────────────────────────────╮" in window.take_output()
    window.console.size = (60, 24)
    window.display.tick()
    assert "  ╭─────────────────╮" in window.take_output()
    window.display.close()


async def test_several_games_are_shown_one_after_another() -> None:
    window = Window()
    for _ in range(2):
        window.display.listen(start_event())
        window.display.listen(end_event())
    text = window.take_output()
    assert text.count(ENTER) == text.count(LEAVE) == 2


async def test_closing_without_a_game_draws_nothing() -> None:
    window = Window()
    window.display.close()
    window.display.tick()
    assert window.take_output() == ""


class Thinker(SimplePlayer):
    """A slow player."""

    async def choose(self, position: Position, clock: Clock) -> Move:
        await trio.sleep(2.5)
        return await super().choose(position, clock)


class Screen:
    """A pseudo-terminal. A thread reads its output, because programs block on a full terminal."""

    def __init__(self) -> None:
        self._person, program = pty.openpty()
        self.file = os.fdopen(program, "w", encoding="utf-8")
        self._drawn = b""
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        # Reading fails once the program closed its side and all output was read.
        with contextlib.suppress(OSError):
            while data := os.read(self._person, 65536):
                self._drawn += data

    def close(self) -> str:
        """Close the terminal and return everything that was drawn on it."""
        self.file.close()
        self._thread.join()
        os.close(self._person)
        return self._drawn.decode()


@pytest.fixture
def _usual_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.delenv("NO_COLOR", raising=False)


async def play_on_terminal(*players: Player[Position, Move]) -> str:
    """Play on a pseudo-terminal and return its output."""
    screen = Screen()
    try:
        async with open_display(DisplayKind.USUAL, screen.file) as listener:
            await play_match(players, MatchSettings(Position(3, walls=0)), [listener])
    finally:
        drawn = screen.close()
    return drawn


@pytest.mark.usefixtures("_usual_terminal")
async def test_a_whole_game_is_shown_on_a_terminal(autojump_clock: trio.testing.MockClock) -> None:
    text = await play_on_terminal(Thinker(1), Thinker(2))
    assert text.count(ENTER) == text.count(LEAVE) == 1
    assert "thinks: 2 s" in text
    assert "wins: it" in text.split(LEAVE)[1]
    assert "\x1b[1;" in text


@pytest.mark.usefixtures("_usual_terminal")
async def test_a_terminal_gets_no_colour_with_no_color(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    text = await play_on_terminal(Thinker(1), Thinker(2))
    assert not any(f"\x1b[{code}" in text for code in ("38;", "48;", "1;38", "1;48", "3", "4"))


@pytest.mark.usefixtures("_usual_terminal")
async def test_a_simple_terminal_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    text = await play_on_terminal(SimplePlayer(1), SimplePlayer(2))
    assert text.startswith("Game on 3x3")
    assert "\x1b" not in text


@pytest.mark.usefixtures("_usual_terminal")
async def test_exceptions_propagate_and_the_screen_is_restored() -> None:
    screen = Screen()
    with pytest.raises(RuntimeError, match="the network burns"):
        async with open_display(DisplayKind.USUAL, screen.file) as listener:
            listener(start_event())
            raise RuntimeError("the network burns")
    assert LEAVE in screen.close()


async def test_a_note_is_shown_below_the_next_player_while_it_lasts() -> None:
    window, notes = Window(), ["engine: compiling 1 of 4: the search for 2 players (a minute)", ""]
    window.display = TerminalDisplay(window.console, lambda: notes[0])
    window.display.listen(start_event())
    assert "engine: compiling 1 of 4: the se" in window.take_output()
    del notes[0]
    window.display.tick()
    assert "engine" not in window.take_output()
