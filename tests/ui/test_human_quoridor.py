"""A person at the console: whole games, refusals, prompts that vanish, and games that share a console."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing

import pytest
import trio
import trio.testing

from quoridor_net.clocks import GameClock
from quoridor_net.match import GameEnded, MatchSettings, MoveMade, PlayerOut, play_match
from quoridor_net.outcome import ForfeitError, Result
from quoridor_net.phrases import Translatable
from quoridor_net.players import Clock, Player, Seating
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Jumps, Move, Orientation, Position, Square, Step, Termination, Wall
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.ui.console import Console
from quoridor_net.ui.human import HumanCommand, read_command
from quoridor_net.ui.local_player import LocalPlayer
from quoridor_net.verdicts import VerdictPhrase
from tests.support.terminal import Terminal, person

UNEXPLAINED = ForfeitError(Termination.PUT_OUT, VerdictPhrase.PUT_OUT())


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    monkeypatch.setenv("COLUMNS", "80")
    with closing(Terminal()) as terminal:
        yield terminal


class Desk:
    """A person who types through a pipe, and the console's output."""

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe()
        self.output = io.StringIO()
        self.console = Console(self._reader, self.output)

    def type(self, *lines: str) -> None:
        os.write(self._writer, "".join(f"{line}\n" for line in lines).encode())

    def end(self) -> None:
        if self._writer >= 0:
            os.close(self._writer)
            self._writer = -1

    def read(self) -> str:
        """Return the output since the last call."""
        text = self.output.getvalue()
        self.output.seek(0)
        self.output.truncate()
        return text

    def close(self) -> None:
        self.end()
        os.close(self._reader)


@pytest.fixture
def desk() -> Iterator[Desk]:
    with closing(Desk()) as desk:
        yield desk


class Runner(Player[Position, Move]):
    """A player that makes the given moves, then any step."""

    def __init__(self, *moves: Move) -> None:
        self.name = "runner"
        self._moves = list(moves)

    async def choose(self, position: Position, clock: Clock) -> Move:
        return self._moves.pop(0) if self._moves else position.legal_steps[0]


def away() -> list[Move]:
    """Return steps of player 2 that keep out of the way of player 1."""
    return [Step(Square(column, 8)) for column in (5, 6, 7, 8, 7, 8, 7)]


async def play(
    *players: Player[Position, Move],
    position: Position | None = None,
    move_time: float | None = None,
    clock: GameClock | None = None,
) -> Result:
    return await play_match(players, MatchSettings(position or Position(), move_time, clock=clock))


async def test_a_script_plays_a_whole_game_and_reads_the_result(desk: Desk) -> None:
    desk.type("e2", "(4, 2)", "4 3", "e5", "e6", "e7", "e8", "e9")
    result = await play(person(desk.console, "me"), Runner(*away()))
    assert (result.winner, result.termination) == (1, Termination.GOAL)
    text = desk.read()
    assert "Game 1: you are ▼1 me, against ▲2 runner.\n" in text
    assert "Game 1: your pawn is ▼1 and goes down to row 8.\n" in text
    assert text.endswith("Game 1: the game is over: you win and reached your goal.\n")
    # The start, and the board after each of 15 plies.
    assert text.count("╭") == 16


async def test_the_goal_of_another_player_is_reported(desk: Desk) -> None:
    human = person(desk.console, "me")
    position = Position.setup([Square(0, 4), Square(4, 1)], [0, 0], turn=2)
    await human.begin(Seating(1, ("me", "you"), position))
    after = position.copy()
    after.push(Step(Square(4, 0)))
    await human.notify(MoveMade(2, Step(Square(4, 0)), 1, 0.0, after))
    await human.notify(GameEnded(Result(2, Termination.GOAL, "", 1), ("me", "you"), after))
    await human.leave()
    assert desk.read().endswith("Game 1: the game is over: ▲2 you wins and reached its goal.\n")


async def test_a_draw_is_reported(desk: Desk) -> None:
    human = person(desk.console)
    await human.begin(Seating(1, ("me", "you"), Position()))
    drawn = Result(None, Termination.PLY_LIMIT, "", 0)
    await human.notify(GameEnded(drawn, ("me", "you"), Position()))
    assert desk.read().endswith("Game 1: the game is over: a draw.\n")


async def test_an_illegal_move_is_explained_and_never_returned(desk: Desk) -> None:
    desk.type("e8", "(4, 0)", "z", "e10", "e3h", "(4, 1)")
    human = person(desk.console, "me")
    position = Position.setup([Square(4, 0), Square(4, 8)], [9, 10], [Wall(3, 2, Orientation.HORIZONTAL)])
    await human.begin(Seating(1, ("me", "you"), position))
    assert await human.choose(position.copy(), Clock()) == Step(Square(4, 1))
    said = [line for line in desk.read().split("\n") if line.startswith(("You cannot", "'"))]
    assert said == [
        "You cannot play (4, 7): the pawn on (4, 0) cannot get to (4, 7) in one move.",
        "You cannot play (4, 0): player 1 already stands on (4, 0).",
        (
            "'z' is not a move: type a square like e2 or (4, 1), or a wall like e3h or h (4, 2)."
            " Type ? for help."
        ),
        "'e10' is off the board: squares go from a1 to i9. Type ? for help.",
        "You cannot play [(4, 2), h]: it would overlap the wall [(3, 2), h].",
    ]


async def test_a_jump_of_the_classroom_rule_is_explained(desk: Desk) -> None:
    position = Position.setup([Square(4, 4), Square(4, 5)], [0, 0])
    desk.type("d6", "e7")
    human = person(desk.console)
    await human.begin(Seating(1, ("me", "you"), position))
    assert await human.choose(position.copy(), Clock()) == Step(Square(4, 6))
    assert "the classroom jump rule (--jumps classroom) would" in desk.read()
    classroom = Position.setup([Square(4, 4), Square(4, 5)], [0, 0], jumps=Jumps.CLASSROOM)
    desk.type("d6")
    assert await human.choose(classroom, Clock()) == Step(Square(3, 5))


async def test_help_board_and_moves_are_shown(desk: Desk) -> None:
    human = person(desk.console)
    position = Position(5, walls=1)
    position.push(Wall(1, 1, Orientation.HORIZONTAL))
    await human.begin(Seating(2, ("one", "two"), position))
    desk.read()
    desk.type("?", "moves", "board", "b5")
    assert await human.choose(position.copy(), Clock()) == Step(Square(1, 4))
    text = desk.read()
    assert "Your pawn is ▲2 and goes up to row 0.\n  step:  (4, 1) or 4 1\n" in text
    assert text.count("╭") == 3
    start, _, after = text.partition("moves\n")
    assert "○" not in start
    assert after.split("\n")[:15] == [
        "    0   1   2   3   4    Game 1, after 1 move",
        "  ╭───────────────────╮",
        "0 │ ·   ·   ▼   ·   · │       player            walls   to go",
        "  │                   │    ▼1 one                   0       5",
        "1 │ ·   ·   ·   ·   · │  > ▲2 two (you)             1       5",
        "  │    ━━━━━━━        │",
        "2 │ ·   ·   ·   ·   · │  Steps: (2,3) (1,4) (3,4)",
        "  │                   │",
        "3 │ ·   ·   ○   ·   · │  Walls h: (0,0)-(3,0) (3,1)",
        "  │                   │  (0,2)-(3,2) (0,3)-(3,3)",
        "4 │ ·   ○   ▲   ○   · │",
        "  ╰───────────────────╯  Walls v: (0,0)-(3,0) (0,1)",
        "                         (2,1)-(3,1) (0,2)-(3,2) (0,3)-(3,3)",
        "",
        "                         ? help, hint, board, resign",
    ]


async def test_a_person_in_standard_notation_sees_rank_1_at_the_bottom(desk: Desk) -> None:
    human = person(desk.console, picture=BoardPicture.STANDARD)
    position = Position(5, walls=1)
    position.push(Wall(1, 1, Orientation.HORIZONTAL))
    await human.begin(Seating(2, ("one", "two"), position))
    desk.read()
    desk.type("?", "moves", "b2h", "b5")
    assert await human.choose(position.copy(), Clock()) == Step(Square(1, 4))
    text = desk.read()
    assert "Your pawn is ▼2 and goes down to rank 1.\n  step:  e2\n  wall:  e3h, above e3 and f3;\n" in text
    assert "You cannot play b2h: " in text
    assert text.partition("moves\n")[2].split("\n")[:13] == [
        "  ╭───────────────────╮  Game 1, after 1 move",
        "5 │ ·   ○   ▼   ○   · │",
        "  │                   │       player            walls   to go",
        "4 │ ·   ·   ○   ·   · │    ▲1 one                   0       5",
        "  │                   │  > ▼2 two (you)             1       5",
        "3 │ ·   ·   ·   ·   · │",
        "  │    ━━━━━━━        │  Steps: c4 b5 d5",
        "2 │ ·   ·   ·   ·   · │",
        "  │                   │  Walls h: a1-d1 d2 a3-d3 a4-d4",
        "1 │ ·   ·   ▲   ·   · │",
        "  ╰───────────────────╯  Walls v: a1-d1 a2 c2-d2 a3-d3 a4-d4",
        "    a   b   c   d   e",
        "                         ? help, hint, board, resign",
    ]


async def test_a_wide_board_has_its_panel_below(desk: Desk) -> None:
    human = person(desk.console)
    await human.begin(Seating(1, ("one", "two"), Position(25)))
    desk.type("m2")
    await human.choose(Position(25), Clock())
    lines = desk.read().split("\n")
    assert max(map(len, lines)) <= 80
    assert lines[2].split() == [str(column) for column in range(0, 25, 2)]
    assert "Game 1, after 0 moves" in lines


@pytest.mark.parametrize(
    ("columns", "lines", "first", "panel"),
    [
        (80, 24, "    0   1   2   3   4   5   6   7   8    Game 1, after 0 moves", 0),
        (60, 40, "    0   1   2   3   4   5   6   7   8", 20),
        # People type coordinates, so they stay even if the text scrolls.
        (60, 20, "   0 1 2 3 4 5 6 7 8   Game 1, after 0 moves", 0),
        (30, 20, "   0 1 2 3 4 5 6 7 8", 20),
    ],
)
async def test_the_board_and_the_help_fit_the_terminal(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, columns: int, lines: int, first: str, panel: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", str(lines))
    monkeypatch.setenv("NO_COLOR", "1")
    human = person(terminal.console)
    await human.begin(Seating(1, ("me", "you"), Position()))
    terminal.type(b"?\ne2\n")
    await human.choose(Position(), Clock())
    rows = re.split(r"[\r\n]+", re.sub(r"\x1b\[[0-9;]*m", "", terminal.wait_for_output("): e2\r\n")))
    assert max(map(len, rows)) <= columns
    rows = [row.rstrip() for row in rows]
    start = rows.index(first)
    assert "Game 1, after 0 moves" in rows[start + panel]
    if columns == 60:
        assert "  moves  shows your legal moves  board   draws the board (b)" in rows


async def test_the_end_of_input_resigns(desk: Desk) -> None:
    desk.type("e2")
    desk.end()
    result = await play(person(desk.console, "me"), Runner())
    assert (result.winner, result.termination) == (2, Termination.RESIGNED)
    assert result.sentence == "runner (player 2) wins: me (player 1) resigned: end of input."
    assert desk.read().endswith(
        "your move (▼1): \nGame 1: you are out of the game: you resigned, which closes the connection.\n"
    )


async def test_resigning_ends_the_game(desk: Desk) -> None:
    desk.type("resign")
    human = person(desk.console)
    await human.begin(Seating(1, ("one", "two"), Position()))
    with pytest.raises(ForfeitError) as caught:
        await human.choose(Position(), Clock())
    assert (caught.value.termination, caught.value.sentence) == (Termination.RESIGNED, "resigned")
    assert not desk.console.lock.locked()


async def test_a_hint_can_be_played_and_undo_is_explained(desk: Desk) -> None:
    human = person(desk.console)
    await human.begin(Seating(1, ("one", "two"), Position()))
    desk.type("hint", "undo", "b", "e2")
    await human.choose(Position(), Clock())
    text = desk.read()
    assert "Perhaps (4, 1): the hint looks only one move ahead.\n" in text
    assert "A move cannot be taken back, because the other players have already received it.\n" in text
    # The board, drawn at the start and for "b", does not show the hint.
    assert text.count("Game 1, after 0 moves") == 2


async def test_the_adviser_of_a_local_player_is_there_for_the_whole_game(desk: Desk) -> None:
    class Adviser(SimplePlayer):
        has_left = False

        async def leave(self) -> None:
            self.has_left = True

    local = LocalPlayer(desk.console, takes_back=False)
    adviser = local.adviser = Adviser(1)
    await local.begin(Seating(1, ("one", "two"), Position()))
    desk.type("hint", "e2")
    await local.choose(Position(), Clock())
    assert "Perhaps e2" in desk.read()
    assert not adviser.has_left
    await local.leave()
    assert adviser.has_left


async def test_the_end_of_the_server_is_reported(desk: Desk) -> None:
    human = person(desk.console)
    await human.begin(Seating(1, ("me", "you"), Position()))
    end = ForfeitError(Termination.DISCONNECTED, Translatable("was shut down"))
    await human.notify(PlayerOut(1, end, Position()))
    await human.leave()
    assert desk.read().endswith("Game 1: you are out of the game: this server is shutting down.\n")


@pytest.mark.parametrize("giving_up", [b"resign\n", b"q\n", b"\x04"])
@pytest.mark.parametrize(
    ("answer", "gives_up"), [(b"y\n", True), (b"\x04", True), (b"n\n", False), (b"\n", False)]
)
async def test_resigning_at_a_terminal_needs_confirmation(
    terminal: Terminal, giving_up: bytes, answer: bytes, gives_up: bool
) -> None:
    human = person(terminal.console)
    await human.begin(Seating(1, ("one", "two"), Position(3)))
    outcomes: list[object] = []

    async def choose() -> None:
        try:
            outcomes.append(await human.choose(Position(3), Clock()))
        except ForfeitError as fault:
            outcomes.append(fault.termination)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(choose)
        for typed, prompt in (
            (giving_up, "Game 1, your move (▼1):"),
            (answer, "Give up the game? y/n:"),
            *(() if gives_up else ((b"b2\n", "Game 1, your move (▼1):"),)),
        ):
            await terminal.see(prompt)
            terminal.type(typed)
    assert outcomes == [Termination.RESIGNED if gives_up else Step(Square(1, 1))]


async def test_a_prompt_vanishes_when_time_is_up(desk: Desk, autojump_clock: trio.testing.MockClock) -> None:
    result = await play(person(desk.console, "me"), Runner(), move_time=30)
    assert (result.winner, result.termination) == (2, Termination.TOO_SLOW)
    assert desk.read().endswith(
        "Game 1, your move (▼1): \nGame 1: you are out of the game: your move took too long.\n"
    )


async def test_the_prompt_shows_the_clock(desk: Desk, autojump_clock: trio.testing.MockClock) -> None:
    result = await play(person(desk.console, "me"), Runner(), clock=GameClock(75, 2))
    assert result.sentence.endswith("(player 1) used up its clock of 75+2 s.")
    assert "Game 1, your move (▼1), 1:15 left: \n" in desk.read()


async def test_a_prompt_vanishes_when_the_opponent_leaves(
    desk: Desk, autojump_clock: trio.testing.MockClock
) -> None:
    class Leaver(Runner):
        async def watch(self) -> ForfeitError:
            await trio.sleep(3)
            return ForfeitError(Termination.DISCONNECTED, Translatable("closed the connection"))

    result = await play(person(desk.console, "me"), Leaver())
    assert (result.winner, result.termination) == (1, Termination.DISCONNECTED)
    text = desk.read()
    assert "Game 1, your move (▼1): \n    0   1   2" in text
    assert "▲2 runner is out of the game." in text
    assert text.endswith("Game 1: the game is over: you win, everybody else is out.\n")


async def test_a_prompt_vanishes_when_the_game_is_aborted(
    desk: Desk, autojump_clock: trio.testing.MockClock
) -> None:
    with trio.move_on_after(7):
        await play(person(desk.console), Runner())
    assert desk.read().endswith("(▼1): \nGame 1: the game ended without a winner: it was aborted or drawn.\n")


async def test_refused_and_late_moves_have_different_messages(desk: Desk) -> None:
    desk.type("e2")
    human = person(desk.console)
    position = Position(players=4)
    await human.begin(Seating(1, ("a", "b", "c", "d"), position))
    await human.choose(position, Clock())
    await human.notify(PlayerOut(1, UNEXPLAINED, position))
    await human.leave()
    assert desk.read().endswith("Game 1: you are out of the game: your last move was refused.\n")


async def test_eliminated_players_are_reported_in_a_game_of_four(desk: Desk) -> None:
    human = person(desk.console)
    await human.begin(Seating(4, ("a", "b", "c", "d"), Position(players=4)))
    position = Position(players=4)
    position.eliminate(2)
    await human.notify(PlayerOut(2, UNEXPLAINED, position))
    text = desk.read()
    assert "Game 1: you are ◄4 d, against ▼1 a, ▲2 b and ►3 c.\n" in text
    assert "▲2 b is out of the game." in text
    assert re.search(r"▲2 b +out\n", text)


async def test_games_share_the_console_one_prompt_at_a_time(
    desk: Desk, autojump_clock: trio.testing.MockClock
) -> None:
    answers: dict[str, Move] = {}

    async def one(name: str) -> None:
        human = person(desk.console, name)
        await human.begin(Seating(1, (name, "x"), Position()))
        answers[name] = await human.choose(Position(), Clock())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(one, "first")
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(one, "second")
        await trio.testing.wait_all_tasks_blocked()
        text = desk.read()
        waiting = "Game 2: it is your turn. Answer the other game first."
        assert f"{waiting}\nGame 1, your move (▼1): " in text
        assert "Game 2, your move" not in text
        desk.type("e2", "d1h")
    assert answers == {"first": Step(Square(4, 1)), "second": Wall(3, 0, Orientation.HORIZONTAL)}
    assert "Game 2, your move (▼1): d1h\n" in desk.read()


async def test_one_game_resigning_leaves_the_other_alone(
    desk: Desk, autojump_clock: trio.testing.MockClock
) -> None:
    results: list[Result] = []

    async def one() -> None:
        results.append(await play(person(desk.console), Runner(), position=Position(3, walls=0)))

    desk.type("resign")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one)
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(one)
        await trio.testing.wait_all_tasks_blocked()
        desk.type("a1", "a2", "a3")
    assert [result.termination for result in results] == [Termination.RESIGNED, Termination.GOAL]


async def test_a_person_against_a_person_on_one_console(desk: Desk) -> None:
    desk.type("b2", "a3", "b3")
    players = person(desk.console, "top"), person(desk.console, "bottom")
    result = await play(*players, position=Position(3))
    assert (result.winner, result.plies) == (1, 3)
    text = desk.read()
    # The first player to move is the last to hear that the game starts.
    assert "Game 2: the game is over: you win and reached your goal." in text
    assert "Game 1: the game is over: ▼1 top wins and reached its goal." in text


def test_a_person_needs_no_rich_without_a_terminal() -> None:
    program = "import sys, quoridor_net.ui.human_quoridor; sys.exit('rich' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("?", HumanCommand.HELP),
        ("help", HumanCommand.HELP),
        (" Moves ", HumanCommand.MOVES),
        ("board", HumanCommand.BOARD),
        ("RESIGN", HumanCommand.RESIGN),
        ("q", HumanCommand.RESIGN),
        ("quit", HumanCommand.RESIGN),
        ("b", HumanCommand.BOARD),
        ("h", HumanCommand.HELP),
        ("m", HumanCommand.MOVES),
        ("hint", HumanCommand.HINT),
        ("undo", HumanCommand.UNDO),
        ("u", HumanCommand.UNDO),
    ],
)
def test_commands_ignore_case_and_spaces(text: str, command: HumanCommand) -> None:
    assert read_command(text) is command
