"""The referee with engines of the tests, as real processes, and the command line around it."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import trio
from attrs import evolve
from trio.testing import MockClock

from client.referee.games import GameRecord, Side
from client.referee.referee import Referee
from client.referee.report import LiveReport, summary
from client.referee.settings import RefereeSettings
from quoridor_net.match import GameEnded, MatchSettings, MoveMade, play_match
from quoridor_net.notation.standard import parse_move
from quoridor_net.outcome import Result, Termination
from quoridor_net.players import Clock, Player
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.programs.address import EngineAddress
from quoridor_net.programs.process import MARK, EngineProcess, start_process
from quoridor_net.replay import parse_replay
from quoridor_net.rules import Move, Position
from quoridor_net.tournament import Event, GameEvent, Pairing, Score
from tests.docs.pages import DOCS, section

ENGINE = Path(__file__).parents[2] / "players" / "sloppy_engine.py"
PYTHON = (sys.executable, "-S", "-E")
OURS = f"{sys.executable} -m server.athens.command --player simple"


#: How an engine of the tests is called by its program.
PROGRAM = Path(sys.executable).name


def sloppy(habit: str) -> EngineAddress:
    return EngineAddress((*PYTHON, str(ENGINE), habit))


def command(habit: str) -> str:
    return f"{' '.join(PYTHON)} {ENGINE} {habit}"


def run(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "quoridor_net", "referee", *options],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


async def referee(white: str, black: str, **settings: object) -> Referee:
    judge = Referee(RefereeSettings(sloppy(white), sloppy(black), **settings))  # type: ignore[arg-type]
    with trio.fail_after(60):
        await judge.run()
    return judge


class Slow(Player[Position, Move]):
    """Takes a second for each move of a simple player."""

    def __init__(self) -> None:
        self.name = "slow"
        self._simple = SimplePlayer(1)

    async def choose(self, position: Position, clock: Clock) -> Move:
        await trio.sleep(1)
        return await self._simple.choose(position, Clock())


async def test_the_time_for_a_game_is_a_sum(autojump_clock: MockClock) -> None:
    result = await play_match([Slow(), SimplePlayer(1)], MatchSettings(move_time=10, game_time=4.5))
    assert (result.winner, result.termination, result.plies) == (2, Termination.TOO_SLOW, 8)
    assert result.sentence.endswith("used up its 4.5 s for the game.")
    result = await play_match([Slow(), SimplePlayer(1)], MatchSettings(move_time=0.5, game_time=4.5))
    assert result.sentence.endswith("did not answer within 0.5 s.")


def blacks(settings: RefereeSettings) -> list[int]:
    """Return who moves first in each game."""
    return [pairing.seats[0] for pairing in settings.plan().pairings]


def score(judge: Referee) -> Score:
    return Score.of(judge.results, Side.WHITE)


@pytest.mark.parametrize(
    ("black", "winner", "termination", "won_by", "at_fault"),
    [
        (Side.BLACK, 1, Termination.GOAL, Side.BLACK, None),
        (Side.WHITE, 1, Termination.GOAL, Side.WHITE, None),
        (Side.BLACK, 2, Termination.TOO_SLOW, Side.WHITE, Side.BLACK),
        (Side.WHITE, 2, Termination.ILLEGAL_MOVE, Side.BLACK, Side.WHITE),
        (Side.BLACK, 2, Termination.RESIGNED, Side.WHITE, None),
        (Side.BLACK, None, Termination.PLY_LIMIT, None, None),
        (Side.BLACK, None, Termination.ABORTED, None, None),
    ],
)
def test_wins_and_faults_belong_to_engines_not_to_colours(
    black: Side, winner: int | None, termination: Termination, won_by: Side | None, at_fault: Side | None
) -> None:
    pairing = Pairing(1, 1, (black, 3 - black))
    ended = GameEnded(Result(winner, termination, "", 10), ("a", "b"), Position())
    record = GameRecord(pairing, ended, 1.0)
    assert (record.winner, record.at_fault) == (won_by, at_fault)


class TestPlans:
    def settings(self, **settings: object) -> RefereeSettings:
        return RefereeSettings(sloppy("a"), sloppy("b"), **settings)  # type: ignore[arg-type]

    def test_colours_stay_unless_swapped(self) -> None:
        assert blacks(self.settings(games=3)) == [Side.BLACK] * 3
        assert blacks(self.settings(games=3, swap=True)) == [Side.BLACK, Side.WHITE, Side.BLACK]

    def test_openings_come_in_turn_and_in_pairs_when_swapped(self) -> None:
        openings = ((3, (parse_move("e2"),)), (5, (parse_move("d1"),)))
        for swap, expected in ((False, [3, 5, 3, 5, 3]), (True, [3, 3, 5, 5, 3])):
            settings = self.settings(games=5, openings=openings, swap=swap)
            assert [settings.opening(pairing)[0] for pairing in settings.plan().pairings] == expected


def test_the_limit_of_processor_time_allows_for_all_games_of_a_process() -> None:
    settings = RefereeSettings(sloppy("a"), sloppy("b"), games=7, game_time=100, start_time=30)
    processors = os.cpu_count() or 1
    assert settings.engine(Side.WHITE).limits.cpu == 7 * (100 + 30 + 60) * processors
    restarting = evolve(settings, is_kept=False)
    assert restarting.engine(Side.WHITE).limits.cpu == (100 + 30 + 60) * processors


@pytest.mark.end_to_end
class TestSeries:
    async def test_games_at_the_same_time(self) -> None:
        judge = await referee("sane", "lower_case", games=10, concurrency=4, swap=True)
        assert [record.pairing.number for record in judge.records] == list(range(1, 11))
        # White wins every game of these two, so the engines win in turn.
        assert score(judge) == Score(5, 0, 5)
        assert judge.names == {Side.WHITE: "Sloppy", Side.BLACK: "Sloppy"}

    async def test_a_name_cannot_paint_the_terminal(self) -> None:
        judge = await referee("paints_name", "sane")
        name = judge.names[Side.WHITE]
        assert name.startswith(r"\xc2\x9b2J Sloppyyyyy")
        assert len(name) == 80

    async def test_a_broken_engine_loses_and_the_series_goes_on(self) -> None:
        judge = await referee("sane", "raises", games=3)
        assert score(judge) == Score(3, 0, 0)
        assert {record.at_fault for record in judge.records} == {Side.BLACK}
        assert {record.result.line for record in judge.records} == {"RuntimeError: I give up"}

    async def test_openings_are_told_to_the_engines(self, tmp_path: Path) -> None:
        opening = tuple(parse_move(word) for word in ("a1h", "h8v"))
        start = RefereeSettings(sloppy("sane"), sloppy("sane")).start
        for move in opening:
            start.push(move)
        moves: list[Move] = []

        def listen(event: Event) -> None:
            match event:
                case GameEvent(1, MoveMade(move=move)):
                    moves.append(move)

        settings = RefereeSettings(
            sloppy("sane"), sloppy("sane"), openings=((1, opening),), save=tmp_path, seed=3
        )
        judge = Referee(settings)
        await judge.run((listen,))
        [record] = judge.records
        assert record.result.plies == len(moves) == 16
        replay = parse_replay(await trio.Path(record.replay).read_text(encoding="ascii"))
        assert [ply.move for ply in replay.plies] == [*opening, *moves]

    async def test_verdicts_name_squares_as_the_engines_do(self) -> None:
        told: list[str] = []

        def listen(event: Event) -> None:
            match event:
                case GameEvent(1, GameEnded(result=result)):
                    told.append(result.sentence)

        judge = Referee(RefereeSettings(sloppy("sane"), sloppy("illegal")))
        await judge.run((listen,))
        sentence = judge.records[0].result.sentence
        assert sentence.endswith("played E5, which is illegal: the pawn on E9 cannot get to E5 in one move.")
        assert told == [sentence]

    async def test_what_the_machine_prevents_does_not_count(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*arguments: object) -> None:
            raise OSError(11, "Resource temporarily unavailable")

        monkeypatch.setattr("quoridor_net.programs.link.start_process", refuse)
        judge = await referee("sane", "sane", games=2)
        assert score(judge) == Score(0, 0, 0, void=2)
        assert judge.records[0].result.sentence.startswith("The game does not count: [Errno 11] Resource")

    async def test_a_void_game_is_played_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        starts = []

        def refuse_once(*arguments: Any, **named: Any) -> EngineProcess:
            starts.append(arguments)
            if len(starts) == 1:
                raise OSError(11, "Resource temporarily unavailable")
            return start_process(*arguments, **named)

        monkeypatch.setattr("quoridor_net.programs.link.start_process", refuse_once)
        judge = await referee("sane", "sane", games=2)
        assert score(judge) == Score(2, 0, 0)
        assert len(starts) == 3

    async def test_what_the_engines_say_about_the_winner(self) -> None:
        told: list[str] = []
        judge = Referee(RefereeSettings(sloppy("sane"), sloppy("says_black")))
        await judge.run((), (LiveReport(told.append).record,))
        [record] = judge.records
        assert [part.agrees for part in record.parts] == [False, True]
        assert told == ["game 1: black does not agree: it answered winner by '= true black'"]
        assert f"{PROGRAM}#2 agrees on the winner of 0 of 1 games" in summary(judge)

    @pytest.mark.parametrize(("habit", "agrees"), [("says_true", True), ("no_blank", True), ("raises", None)])
    async def test_agreement(self, habit: str, agrees: bool | None) -> None:
        judge = await referee("sane", habit)
        assert judge.records[0].part(Side.BLACK).agrees is agrees

    async def test_an_engine_that_ignores_winner_is_asked_once(self) -> None:
        judge = await referee("sane", "silent_on_winner", games=3)
        assert score(judge) == Score(3, 0, 0)
        assert [remark.partition("winner ")[2] for remark in judge.remarks] == [
            "did not answer 'winner' within 2 s at the end of a game"
        ]

    async def test_engines_that_know_the_command_learn_their_limits(self, tmp_path: Path) -> None:
        await referee("sane", "knows_limits", log=tmp_path, game_time=50, move_time=0.5)
        sent = [
            await trio.Path(tmp_path / f"{side}-1.log").read_text(encoding="ascii")
            for side in ("black", "white")
        ]
        assert [text.count(r"C->S1 b'qn-time_settings 50 1\n'") for text in sent] == [1, 0]

    async def test_names_tell_the_colour_of_the_game(self) -> None:
        judge = await referee("raises", "raises", games=2, swap=True)
        first, second = (record.result.sentence for record in judge.records)
        assert first.startswith(f"{PROGRAM}#1(white) (player 2) wins: {PROGRAM}#2(black) (player 1) ended")
        assert second.startswith(f"{PROGRAM}#2(white) (player 2) wins: {PROGRAM}#1(black) (player 1) ended")

    async def test_transcripts(self, tmp_path: Path) -> None:
        await referee("sane", "raises", games=2, log=tmp_path)
        names = sorted(path.name for path in [*tmp_path.iterdir()])  # noqa: ASYNC240 - a handful of names
        assert names == ["black-1.log", "black-2.log", "white-1.log"]
        lines = (await trio.Path(tmp_path / "white-1.log").read_text(encoding="ascii")).splitlines()
        assert lines[0].endswith(r"C->S1 b'boardsize 9\n'")
        assert lines[1].endswith(r"S1->C b'=\n'")

    async def test_cancelled_games_keep_their_records_and_kill_the_engines(self) -> None:
        judge = Referee(RefereeSettings(sloppy("sane"), sloppy("hangs")))
        with trio.move_on_after(0.5) as scope:
            await judge.run()
        assert scope.cancelled_caught
        assert judge.records == []


@pytest.mark.end_to_end
class TestCommand:
    def test_a_series_of_our_own_engine(self, tmp_path: Path) -> None:
        done = run(
            "--white", OURS, "--black", f"{OURS} --player random", "--games", "2", "--swap", "--seed", "7",
            "--size", "5", "--json", "--save", str(tmp_path / "new" / "games"),
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        document = json.loads(done.stdout)
        assert document["version"] == 3
        assert document["settings"]["walls"] == 3
        assert document["settings"]["maximum_time"] == 100
        assert document["engines"]["white"]["name"] == "Quoridor Net"
        assert document["score"] == {"won": 2, "drawn": 0, "lost": 0, "void": 0}
        assert document["elo"]["difference"] is None
        assert [game["black"] for game in document["games"]] == ["black", "white"]
        assert [game["winner"] for game in document["games"]] == [2, 1]
        assert {game["won_by"] for game in document["games"]} == {"white"}
        page = DOCS / "reference" / "events.md"
        cells = re.findall(r"^\| (`.*?) \|", section(page, "The document of the referee"), re.MULTILINE)
        ended = re.search(r"^\| `game_ended` \|.*", section(page, "Games"), re.MULTILINE)
        assert ended is not None
        fields = {name for cell in cells for name in re.findall(r"\w+", cell)}
        for game in document["games"]:
            assert fields < set(game)
            assert all(f"`{name}`" in ended[0] for name in set(game) - fields - {"event"})
            text = Path(game["replay"]).read_text(encoding="ascii")
            assert parse_replay(text).complete

    def test_the_spellings_of_the_original_and_moves(self) -> None:
        done = run(
            *("--white", command("sane"), "--black", command("sane"), "--verbose", "1", "--size", "3"),
            *("--walls", "1", "--games", "1", "--maximum_time", "5", "--move_time", "5"),
            *("--memory_limit", "500", "--seed", "1"),
        )
        lines = done.stdout.splitlines()
        assert lines[0] == f"game 1: {PROGRAM}#2(black) moves first, {PROGRAM}#1(white) second"
        assert lines[1].startswith("game 1:   1 black A3 (")
        assert lines[5].endswith("wins: it reached its goal line. [goal, 4 plies]")
        assert lines[6] == "game 1: to play it again: " + shlex.join(
            [
                *("quoridor", "referee", "--white", command("sane"), "--black", command("sane")),
                *("--size", "3", "--walls", "1", "--maximum_time", "5", "--move_time", "5"),
                *("--memory_limit", "500", "--seed", "1"),
            ]
        )
        assert lines[7].startswith(f"      1/1  1 won, 0 drawn, 0 lost: {PROGRAM}#1, Sloppy (--white ")
        assert lines[11].startswith(f"total time {PROGRAM}#1 0.")
        assert lines[12:] == [f"{PROGRAM}#{number} agrees on the winner of 1 of 1 games" for number in (1, 2)]
        assert done.returncode == 0

    def test_why_a_replay_cannot_be_written_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "game-1.qtp").mkdir()
        done = run("--white", command("sane"), "--black", command("sane"), "--save", str(tmp_path))
        assert done.returncode == 1
        assert done.stderr.startswith(
            "Error: a replay or a log cannot be written: [Errno 21] Is a directory: "
        )
        assert done.stderr.count("\n") == 1

    @pytest.mark.parametrize("side", ["white", "black"])
    def test_an_address_where_nobody_listens(self, side: str) -> None:
        engines = {"white": command("sane"), "black": command("sane"), side: "tcp:127.0.0.1:1"}
        done = run("--white", engines["white"], "--black", engines["black"])
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr.startswith(f"Error: --{side}: tcp:127.0.0.1:1 cannot be connected to: ")
        assert done.stderr.count("\n") == 1

    def test_openings_that_are_no_text(self, tmp_path: Path) -> None:
        path = tmp_path / "openings.txt"
        path.write_bytes(b"\xff\n")
        done = run("--white", command("sane"), "--black", command("sane"), "--openings", str(path))
        assert done.returncode == 2
        assert f"{path} is not text (UTF-8)." in done.stderr

    def test_the_game_is_played_again_by_the_command_that_is_printed(self) -> None:
        random = f"{OURS} --player random"
        done = run("--white", random, "--black", OURS, "--size", "5", "--seed", "7", "--games", "3", "--swap",
                   "--restart", "--opening", "c2 c4", "--json")  # fmt: skip
        for game in json.loads(done.stdout)["games"]:
            words = shlex.split(game["repeat"])
            again = run(*words[2:], "--json")
            assert again.returncode == 0, again.stderr
            [repeated] = json.loads(again.stdout)["games"]
            assert repeated["plies"] == game["plies"]
            assert repeated["winner"] == game["winner"]

    def test_programs_of_this_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        engine = tmp_path / "my-engine"
        engine.write_text(f"#!/bin/sh\nexec {command('sane')}\n")
        assert (refused := run("--white", "my-engine", "--black", "my-engine")).returncode == 3
        assert refused.stderr == "Error: --white: 'my-engine' is not executable: try chmod +x my-engine.\n"
        engine.chmod(0o755)
        done = run("--white", "my-engine", "--black", command("sane"))
        assert (done.returncode, done.stderr) == (0, "")
        assert "my-engine(white) (player 2) wins" in done.stdout

    def test_boards_are_drawn(self) -> None:
        done = run("--white", command("sane"), "--black", command("sane"), "--verbose", "2", "--size", "3")
        assert done.stdout.count(" 3 | B |   |   | 3   Black walls: 0") == 2

    @pytest.mark.parametrize(
        ("white", "black", "status"),
        [("raises", "sane", 10), ("sane", "garbage", 11), ("resigns", "sane", 0)],
    )
    def test_exit_statuses(self, white: str, black: str, status: int) -> None:
        assert run("--white", command(white), "--black", command(black)).returncode == status

    def test_the_memory_limit_reaches_the_engines(self) -> None:
        done = run("--white", command("fills_memory"), "--black", command("sane"), "--memory_limit", "150")
        assert done.returncode == 10
        assert "ended by memory_limit 1" in done.stdout

    def test_both_at_fault(self) -> None:
        done = run("--white", command("raises"), "--black", command("raises"), "--games", "2", "--swap")
        assert done.returncode == 12
        assert "ended by engine_crash 2" in done.stdout

    @pytest.mark.parametrize(
        ("options", "status", "complaint"),
        [
            (["--white", "./nothing", "--black", OURS], 3, "Error: --white: there is no program './nothing'"),
            (["--white", OURS], 2, "Error: Missing option '--black'."),
            (["--white", "tcp:x", "--black", OURS], 2, "expected tcp:HOST:PORT"),
            (
                ["--white", OURS, "--black", OURS, "--move_time", "nan"],
                2,
                "'nan' is not a number of seconds.",
            ),
            (
                ["--white", OURS, "--black", OURS, "--maximum-time", "inf"],
                2,
                "Invalid value for '--maximum_time'",
            ),
            (["--white", OURS, "--black", OURS, "--size", "2"], 2, "Invalid value for '--size'"),
            (["--white", OURS, "--black", OURS, "--openings", __file__], 2, "line 1: '"),
            (["--white", OURS, "--black", OURS, "--opening", "e9"], 2, "line 1: e9 is illegal"),
            (
                ["--white", OURS, "--black", OURS, "--opening", "e2", "--openings", __file__],
                2,
                "--opening and --openings exclude each other.",
            ),
            (["--white", OURS, "--black", OURS, "--save", __file__], 2, "is a file"),
            (["--white", OURS, "--black", OURS, "--save", f"{__file__}/x"], 2, "cannot make"),
        ],
    )
    def test_bad_options(self, options: list[str], status: int, complaint: str) -> None:
        done = run(*options)
        assert done.returncode == status
        assert complaint in done.stderr
        assert "Traceback" not in done.stderr

    @pytest.mark.parametrize("habit", ["forks", "escapes", "breeds"])
    @pytest.mark.parametrize(
        ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -9)]
    )
    def test_nothing_is_left_when_the_referee_is_interrupted_or_killed(
        self, number: signal.Signals, status: int, habit: str
    ) -> None:
        judge = subprocess.Popen(
            [
                *(sys.executable, "-m", "quoridor_net", "referee", "--verbose", "1", "--games", "2"),
                *("--white", command(habit), "--black", command("sane")),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert judge.stdout is not None
        assert any(line.startswith("game 1:   1 black") for line in judge.stdout), judge.communicate()
        assert marked(judge.pid)
        os.kill(judge.pid, number)
        output, errors = judge.communicate(timeout=30)
        assert (judge.returncode, errors) == (status, "")
        if number is not signal.SIGKILL:
            assert "0/0  0 won, 0 drawn, 0 lost" in output
        deadline = time.monotonic() + 10
        while marked(judge.pid) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert marked(judge.pid) == []

    @pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives orphans to who asks for them")
    @pytest.mark.parametrize("number", [None, signal.SIGTERM])
    def test_what_hides_from_the_referee_is_found(
        self, number: signal.Signals | None, tmp_path: Path
    ) -> None:
        tag = str(tmp_path)
        judge = subprocess.Popen(
            [
                *(sys.executable, "-m", "quoridor_net", "referee", "--verbose", "1", "--move_time", "2"),
                *("--white", command(f"hides {tag}"), "--black", command("sane")),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert judge.stdout is not None
        assert any(line.startswith("game 1:   1 black") for line in judge.stdout), judge.communicate()
        deadline = time.monotonic() + 10
        while len(hidden(tag)) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(hidden(tag)) == 3
        if number is not None:
            os.kill(judge.pid, number)
        judge.communicate(timeout=30)
        assert judge.returncode == (10 if number is None else 130)
        assert hidden(tag) == []


def hidden(tag: str) -> list[str]:
    """Return the processes that were started to sleep with ``tag`` as their last argument."""
    found = []
    for directory in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (directory / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"import time; time.sleep(600)" in arguments and tag.encode() in arguments:
            found.append(directory.name)
    return found


def marked(referee_pid: int) -> list[str]:
    """Return the processes that came from engines of a referee."""
    mark = f"{MARK}={referee_pid}-".encode()
    found = []
    for directory in Path("/proc").glob("[0-9]*"):
        try:
            environment = (directory / "environ").read_bytes()
        except OSError:
            continue
        if any(variable.startswith(mark) for variable in environment.split(b"\0")):
            found.append(directory.name)
    return found
