"""Matches written as replay files while they are played."""

from __future__ import annotations

import datetime as dt
import errno
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

import pytest
import trio
from trio.testing import MockClock

from quoridor_net.clocks import GameClock
from quoridor_net.match import (
    Event,
    GameEnded,
    GameStarted,
    MatchSettings,
    MoveMade,
    MoveRequested,
    MovesTakenBack,
    play_match,
)
from quoridor_net.match.recording import ReplayListener
from quoridor_net.notation.standard import parse_move
from quoridor_net.outcome import ForfeitError, Result
from quoridor_net.phrases import Translatable
from quoridor_net.players import Clock, Player
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.replay import Fault, Outcome, Replay, ReplayError, parse_replay
from quoridor_net.rules import Jumps, Move, Position, Termination


class Scripted(Player[Position, Move]):
    """Plays the given moves; then it is at fault."""

    def __init__(self, name: str, moves: str = "") -> None:
        self.name = name
        self._moves = [parse_move(word) for word in moves.split()]

    async def choose(self, position: Position, clock: Clock) -> Move:
        await trio.lowlevel.checkpoint()
        if not self._moves:
            raise ForfeitError(Termination.UNPARSABLE_MOVE, Translatable("said nothing sensible"))
        return self._moves.pop(0)


async def record(
    players: Sequence[Player[Position, Move]], position: Position | None = None, ply_limit: int = 300
) -> tuple[str, Result]:
    file = io.StringIO()
    listener = ReplayListener(file, "game-1", dt.date(2026, 11, 21))
    events: list[Event] = []

    def readable_so_far(event: Event) -> None:
        events.append(event)
        if isinstance(event, MoveRequested):
            # A crash now leaves a readable file, with every ply in it.
            replay = parse_replay(file.getvalue(), partial=True)
            assert replay.position().turn == event.player

    settings = MatchSettings(position, ply_limit=ply_limit)
    result = await play_match(players, settings, [listener, readable_so_far])
    last = events[-1]
    assert isinstance(last, GameEnded)
    text = file.getvalue()
    if result.termination is not Termination.ABORTED:
        replay = parse_replay(text)
        assert replay.outcome == Outcome(result.winner, str(result.termination))
        if last.position.players > 2 or result.termination is Termination.GOAL:
            assert replay.position() == last.position
    return text, result


async def test_a_short_game_is_played() -> None:
    start = Position.from_line(" /  / b1 b3 / 1 1 / 1 / 3")
    text, _ = await record([Scripted("ann", "c1 a1v c2 c3"), Scripted("bob", "b2v a3 b3")], start)
    assert text.split("\n") == [
        "# Game-ID: game-1",
        "# Date: 2026-11-21",
        "# Players: ann vs bob",
        "# Extension: size 3",
        "# Extension: walls 1",
        "P 1 C1",
        "W 2 B2 v",
        "W 1 A1 v",
        "P 2 A3",
        "P 1 C2",
        "P 2 B3",
        "P 1 C3",
        "# Result: P1-win",
        "# Termination: goal",
        "",
    ]


class Judging(Scripted):
    """Thinks for some seconds and values its moves."""

    async def choose(self, position: Position, clock: Clock) -> Move:
        self.last_score = -35
        await trio.sleep(1.5)
        return await super().choose(position, clock)


async def test_a_game_with_limits_has_comments_with_times_and_scores(autojump_clock: MockClock) -> None:
    file = io.StringIO()
    settings = MatchSettings(Position(3, walls=0), 5, clock=GameClock(60, 1), own_clocks={2: GameClock(9)})
    players = [Judging("ann", "b2"), Scripted("bob", "b1")]
    await play_match(players, settings, [ReplayListener(file)])
    text = file.getvalue()
    assert "P 1 B2\n# 1.500 s, 59.500 s left, score -0.35\nP 2 B1\n# 0.000 s, 9.000 s left\n" in text
    assert parse_replay(text).outcome == Outcome(2, "goal")


async def test_a_game_is_recorded_as_version_1() -> None:
    text, _ = await record(
        [Scripted("ann", "e2 e3 e4 e6 e7 e8 d8 d9"), Scripted("bob", "e8 e7 e6 e5 e4 e3 e2")],
    )
    assert text.startswith("# Game-ID: game-1\n# Date: 2026-11-21\n# Players: ann vs bob\nP 1 E2\nP 2 E8\n")
    parse_replay(text, strict=True)


async def test_the_metadata_record_a_fault_in_a_game_of_two() -> None:
    text, _ = await record([Scripted("ann", "e2"), Scripted("bob")])
    assert text.endswith("P 1 E2\n# Result: P1-win\n# Termination: unparsable_move\n")
    replay = parse_replay(text, strict=True)
    assert replay.complete
    assert replay.names == ("ann", "bob")


async def test_a_ply_limit_is_a_draw() -> None:
    text, _ = await record([Scripted("ann", "e2 e1"), Scripted("bob", "e8 e9")], ply_limit=3)
    assert text.endswith("# Result: draw\n# Termination: ply_limit\n")
    assert parse_replay(text, strict=True).outcome == Outcome(None, "ply_limit")


async def test_three_resignations_of_four_players_are_recorded() -> None:
    players = [Scripted("a", "e2"), Scripted("b"), Scripted("c"), Scripted("d", "h5")]
    text, _ = await record(players)
    assert (
        "# Extension: players 4\nP 1 E2\nP 4 H5\nX 2\nX 3\nX 1\n"
        "# Result: P4-win\n# Termination: last_player\n" in text
    )
    with pytest.raises(ReplayError) as caught:
        parse_replay(text, strict=True)
    assert caught.value.fault is Fault.EXTENSION


async def test_an_opening_is_part_of_the_game() -> None:
    opening = Position()
    for word in ("e2", "e8", "e3h"):
        opening.push(parse_move(word))
    text, _ = await record([Scripted("ann"), Scripted("bob")], opening)
    assert "P 1 E2\nP 2 E8\nW 1 E3 h\n# Result: P1-win" in text


async def test_an_aborted_game_is_partial() -> None:
    class Sleeper(Player[Position, Move]):
        name = "zzz"

        async def choose(self, position: Position, clock: Clock) -> Move:
            await trio.sleep_forever()
            raise AssertionError("unreachable")

    file = io.StringIO()
    with trio.CancelScope() as scope:

        def cancel(event: Event) -> None:
            if isinstance(event, MoveRequested) and event.player == 2:
                scope.cancel()

        await play_match([Scripted("ann", "e2"), Sleeper()], listeners=[ReplayListener(file), cancel])
    assert file.getvalue().endswith("P 1 E2\n# Result: void\n# Termination: aborted\n")
    with pytest.raises(ReplayError, match="the game is unfinished"):
        parse_replay(file.getvalue())
    replay: Replay = parse_replay(file.getvalue(), partial=True)
    assert (len(replay.plies), replay.complete) == (1, False)


@pytest.fixture
def full_disk() -> Iterator[TextIO]:
    path = Path("/dev/full")
    if not path.exists():
        pytest.skip("this system has no /dev/full")
    with path.open("w", encoding="utf-8") as file:
        yield file


async def test_a_full_disk_ends_the_recording_and_not_the_game(
    full_disk: TextIO, caplog: pytest.LogCaptureFixture
) -> None:
    players = [Scripted("ann", "e2"), Scripted("bob")]
    result = await play_match(players, listeners=[ReplayListener(full_disk)])
    assert result.termination is Termination.UNPARSABLE_MOVE
    assert caplog.messages == ["cannot write /dev/full: No space left on device. The game is not recorded."]


class BrieflyFullFile(io.StringIO):
    """A file on a disk that has no room for one line."""

    def write(self, text: str) -> int:
        if "P 1" in text:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(text)


async def test_a_recording_with_a_gap_does_not_go_on() -> None:
    file = BrieflyFullFile()
    await play_match([Scripted("ann", "e2"), Scripted("bob", "e8")], listeners=[ReplayListener(file)])
    assert "P 2" not in file.getvalue()


async def test_a_move_taken_back_is_removed_from_the_file(tmp_path: Path) -> None:
    start, position = Position(), Position()
    position.push_text("e2")
    names = ("ann", "bob")
    texts = []
    with (tmp_path / "game").open("w+", encoding="utf-8") as file:
        listener = ReplayListener(file, "game-1", dt.date(2026, 11, 21))
        for event in (
            GameStarted(names, start, None, 300),
            MoveMade(1, parse_move("e2"), 1, 0.0, position),
            MovesTakenBack(1, 1, start),
        ):
            listener(event)
            texts.append((tmp_path / "game").read_bytes())
    assert texts[0] == texts[2] != texts[1]


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("size", [3, 6, 11])
@pytest.mark.parametrize("jumps", list(Jumps))
async def test_games_on_any_board_are_recorded(players: int, size: int, jumps: Jumps) -> None:
    position = Position(size, players, 4, jumps)
    text, result = await record([SimplePlayer(number) for number in range(players)], position)
    assert result.termination in {Termination.GOAL, Termination.PLY_LIMIT}
    assert parse_replay(text).setting.jumps is jumps
