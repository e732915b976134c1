"""Questions that no game depends on never cost a game, whenever and in whatever form they are answered."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from unittest import mock

import pytest
import trio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trio.testing import MockClock

from quoridor_net.clocks import GameClock
from quoridor_net.match import MatchSettings, play_match
from quoridor_net.outcome import Result
from quoridor_net.players.athens import AthensPlayer
from quoridor_net.programs.address import EngineAddress
from quoridor_net.programs.source import EngineSettings, EngineSource, open_engines
from quoridor_net.rules import Position, Termination


class When(enum.Enum):
    """When an engine answers a question; answers always keep the order of the questions."""

    ON_TIME = "on time"
    LATE = "late"
    MUCH_LATER = "much later"
    NEVER = "never"
    WITH_THE_NEXT = "with the next answer"


#: The questions by their first words, with what engines answer to them.
ANSWERS = {
    "name": ["= Engine", "=", "? unknown command", "= E5"],
    "known_command": ["= false", "? false", "= true", "? unknown command", "="],
    "qn-time_settings": ["=", "? unknown command"],
    "winner": ["= true white", "= false", "? unknown command", "true"],
}

DELAYS = {When.LATE: 3.0, When.MUCH_LATER: 9.0}

Habits = Mapping[str, tuple[When, str]]


class Walker:
    """An engine whose white goes straight up, and black one square aside and down, so that white wins.

    Args:
        habits: when it answers which question, and what.
    """

    def __init__(self, habits: Habits) -> None:
        self._habits = habits
        self._held = ""
        self._moves = {"black": 0, "white": 0}

    async def serve(self, stream: trio.abc.Stream) -> None:
        with suppress(trio.BrokenResourceError):
            async with stream:
                await self._serve(stream)

    async def _serve(self, stream: trio.abc.Stream) -> None:
        rest = b""
        while data := await stream.receive_some(4096):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                await self._answer(stream, line.decode().split())

    async def _answer(self, stream: trio.abc.Stream, words: list[str]) -> None:
        when, answer = self._habits.get(words[0], (When.ON_TIME, "="))
        if words[0] == "clear_board":
            self._moves = {"black": 0, "white": 0}
        elif words[0] == "genmove":
            # Long enough for every late answer to come first.
            await trio.sleep(0.5)
            answer = f"= {self._move(words[1])}"
        await trio.sleep(DELAYS.get(when, 0.0))
        if when is When.NEVER:
            return
        self._held += f"{answer}\n\n"
        if when is not When.WITH_THE_NEXT:
            data, self._held = self._held.encode(), ""
            await stream.send_all(data)

    def _move(self, colour: str) -> str:
        done = self._moves[colour]
        self._moves[colour] += 1
        return f"E{done + 2}" if colour == "white" else f"D{9 - done}"


def habits_of(text: str) -> st.SearchStrategy[tuple[When, str]]:
    return st.tuples(st.sampled_from(When), st.sampled_from(ANSWERS[text]))


HABITS = st.fixed_dictionaries({question: habits_of(question) for question in ANSWERS})


async def play_games(
    black: Habits, white: Habits, games: int, *, asks_winner: bool = True
) -> tuple[list[Result], list[EngineSource]]:
    async with trio.open_nursery() as nursery:

        async def connect(host: str, *_: object) -> trio.abc.Stream:
            ours, theirs = map(trio.SocketStream, trio.socket.socketpair())
            nursery.start_soon(Walker(black if host == "black" else white).serve, theirs)
            return ours

        settings = [
            EngineSettings(EngineAddress(host=host, port=1), times=(GameClock(50.0), 5.0))
            for host in ("black", "white")
        ]
        with mock.patch("quoridor_net.programs.link.connect", connect):
            async with open_engines(settings[0]) as first, open_engines(settings[1]) as second:
                sources = [first, second]
                results = []
                for _ in range(games):
                    players = [AthensPlayer(source, asks_winner=asks_winner) for source in sources]
                    results.append(await play_match(players, MatchSettings(move_time=5.0)))
        nursery.cancel_scope.cancel()
    return results, sources


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(HABITS, HABITS)
def test_no_answer_is_taken_for_that_to_another_question(black: Habits, white: Habits) -> None:
    clock = MockClock(autojump_threshold=0)
    results, _ = trio.run(partial(play_games, black, white, 2), clock=clock)
    assert [(result.winner, result.termination, result.plies) for result in results] == [
        (2, Termination.GOAL, 16)
    ] * 2


@pytest.mark.parametrize("question", ["name", "known_command"])
@pytest.mark.parametrize("when", [When.LATE, When.MUCH_LATER, When.NEVER, When.WITH_THE_NEXT])
async def test_an_engine_that_leaves_a_question_open_is_connected_to_once_more(
    when: When, question: str, autojump_clock: MockClock
) -> None:
    odd = {question: (when, "? false")}
    asked: list[str] = []
    serve = Walker._answer

    async def note(self: Walker, stream: trio.abc.Stream, words: list[str]) -> None:
        if self._habits is odd:
            asked.append(words[0])
        await serve(self, stream, words)

    with mock.patch.object(Walker, "_answer", note):
        _, [source, _] = await play_games(odd, {}, 2)
    assert asked.count(question) == 1
    # Once for the first connection, then for each game.
    assert asked.count("boardsize") == 3
    assert source.remarks == []


async def test_an_answer_to_the_name_is_kept_when_the_next_question_stays_open(
    autojump_clock: MockClock,
) -> None:
    odd = {"name": (When.ON_TIME, "= Walker"), "known_command": (When.NEVER, "")}
    _, [source, _] = await play_games(odd, {}, 1)
    assert source.name == "Walker"


@pytest.mark.parametrize("asks_winner", [False, True])
async def test_only_a_referee_asks_for_the_winner(asks_winner: bool, autojump_clock: MockClock) -> None:
    with mock.patch.object(Walker, "_answer", autospec=True, side_effect=Walker._answer) as answer:
        await play_games({}, {}, 1, asks_winner=asks_winner)
    asked = [call.args[2][0] for call in answer.call_args_list]
    assert asked.count("winner") == (2 if asks_winner else 0)


async def test_an_engine_that_ignores_winner_is_asked_for_it_once(autojump_clock: MockClock) -> None:
    with mock.patch.object(Walker, "_answer", autospec=True, side_effect=Walker._answer) as answer:
        results, [source, other] = await play_games({"winner": (When.NEVER, "")}, {}, 2)
    asked = [call.args[2][0] for call in answer.call_args_list]
    # Once the one that ignores it, and after each game the other.
    assert asked.count("winner") == 3
    assert (source.answers_winner, other.answers_winner) == (False, True)
    assert [result.termination for result in results] == [Termination.GOAL] * 2


async def test_an_engine_whose_preparation_is_cancelled_is_let_go(autojump_clock: MockClock) -> None:
    is_gone = trio.Event()
    async with trio.open_nursery() as nursery:

        async def serve(stream: trio.abc.Stream) -> None:
            await Walker({"boardsize": (When.NEVER, "")}).serve(stream)
            is_gone.set()

        async def connect(*_: object) -> trio.abc.Stream:
            ours, theirs = map(trio.SocketStream, trio.socket.socketpair())
            nursery.start_soon(serve, theirs)
            await trio.lowlevel.checkpoint()
            return ours

        settings = EngineSettings(EngineAddress(host="silent", port=1))
        with mock.patch("quoridor_net.programs.link.connect", connect):
            async with open_engines(settings) as source:
                with trio.move_on_after(1) as scope:
                    await source.acquire(Position(), 10)
                assert scope.cancelled_caught
                with trio.fail_after(2):
                    await is_gone.wait()


async def test_an_engine_that_takes_the_place_of_a_silent_one_has_its_seed(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:

        async def connect(*_: object) -> trio.abc.Stream:
            ours, theirs = map(trio.SocketStream, trio.socket.socketpair())
            nursery.start_soon(Walker({"name": (When.NEVER, "")}).serve, theirs)
            await trio.lowlevel.checkpoint()
            return ours

        settings = EngineSettings(EngineAddress(host="silent", port=1), seed=7)
        with mock.patch("quoridor_net.programs.link.connect", connect):
            async with open_engines(settings) as source:
                engines = [await source.acquire(Position(), 10) for _ in range(2)]
                assert [engine.seed for engine in engines] == [7, 8]
        nursery.cancel_scope.cancel()


class OneGame(Walker):
    """An engine that leaves when it is asked for a second game."""

    _games = 0

    async def _answer(self, stream: trio.abc.Stream, words: list[str]) -> None:
        self._games += words[0] == "boardsize"
        if self._games > 1:
            raise trio.BrokenResourceError
        await super()._answer(stream, words)


async def test_an_engine_of_one_game_is_started_again_for_the_next(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:

        async def connect(*_: object) -> trio.abc.Stream:
            ours, theirs = map(trio.SocketStream, trio.socket.socketpair())
            nursery.start_soon(OneGame({}).serve, theirs)
            await trio.lowlevel.checkpoint()
            return ours

        with mock.patch("quoridor_net.programs.link.connect", connect):
            async with open_engines(EngineSettings(EngineAddress(host="short", port=1))) as source:
                for _ in range(2):
                    source.release(await source.acquire(Position(), 10))
                [remark] = source.remarks
                assert remark.endswith(" before another game, so each game gets a new process")
        nursery.cancel_scope.cancel()
