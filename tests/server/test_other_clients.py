"""Clients of other projects, with another order of play, the other jump rule, or no default win."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable

import pytest
import trio
from trio.testing import MockClock

from quoridor_net.engine import Limits
from quoridor_net.notation.lan import parse_move
from quoridor_net.players import Clock, Player
from quoridor_net.players.engine import EnginePlayer
from quoridor_net.players.random import RandomPlayer
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Jumps, Move, Position, Square, Step
from quoridor_net.ui.console import Console
from tests.support.move_server import Client, Served
from tests.support.sources import open_players
from tests.support.terminal import person

pytestmark = pytest.mark.compiled("engine")


#: Down the middle until the pawns face each other; then player 2 may play.
FACING = [
    b"ATARI %d (4, %d)\n" % (player, row)
    for down in range(1, 5)
    for player, row in ((1, down), (2, 8 - down))
]


async def greet(client: Client, game: bytes) -> None:
    await client.send(b"HELLO\n")
    assert await client.line() == "IAM qnt:test\n"
    await client.send(game)


async def ask_for_move(client: Client) -> str:
    """Ask for a move and return it as text."""
    await client.send(b"MYOUSHU\n")
    answer = await client.line()
    assert answer.startswith("TESUJI "), answer
    return answer.removeprefix("TESUJI ").rstrip("\n")


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("me", [1, 2])
async def test_a_sole_survivor_answers_to_its_goal(players: int, me: int, autojump_clock: MockClock) -> None:
    """A client without a default win continues with the last player, which must not lose the won game."""
    async with trio.open_nursery() as nursery:
        served = Served(nursery)
        client = served.client()
        names = " ".join("abcd"[:players])
        await greet(client, f"GAME {me} {names}\n".encode())
        position = Position(players=players)
        for other in range(1, players + 1):
            if other != me:
                await client.send(f"GOTE {other}\n".encode())
                position.eliminate(other)
        position.give_turn(me)
        while position.winner is None:
            move = await ask_for_move(client)
            position.push(parse_move(move))
            await client.send(f"ATARI {me} {move}\n".encode())
        assert position.pawn(me) in {Square(4, 8), Square(4, 0)}
        await ask_for_move(client)
        await client.send(f"KIKASHI {me}\n".encode())
        assert await client.line() == ""
        assert served.reports[-1] == "[1] game over: won"
        assert served.reports[-2].endswith("was put out of the game: won, unless the client continues")
        assert served.alarms == []
        nursery.cancel_scope.cancel()


async def test_a_survivor_answers_without_reports_of_its_moves(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        client = Served(nursery).client()
        await greet(client, b"GAME 1 a b\nGOTE 2\n")
        assert await ask_for_move(client) == await ask_for_move(client) == "(4, 1)"
        await client.stream.aclose()
        nursery.cancel_scope.cancel()


class Asked(Player[Position, Move]):
    """Steps forward, and records the player and the rule of each request."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.asked: list[tuple[Jumps, int | None]] = []

    async def choose(self, position: Position, clock: Clock) -> Move:
        self.asked.append((position.jumps, position.turn))
        return Step(position.shortest_path(self.number)[1])


@pytest.mark.parametrize("me", [1, 2, 3, 4])
async def test_a_client_with_another_order_of_play_is_followed(me: int, autojump_clock: MockClock) -> None:
    """The player that is asked is on turn in its position, and the client's order causes one warning."""
    async with trio.open_nursery() as nursery:
        asked = Asked(me)
        served = Served(nursery, make_player=lambda: asked)
        client = served.client()
        await greet(client, f"GAME {me} a b c d\n".encode())
        position = Position(players=4)
        for column in (1, 2, 3):
            for player, move in (
                (1, f"(4, {column})"),
                (2, f"(4, {8 - column})"),
                (3, f"({column}, 4)"),
                (4, f"({8 - column}, 4)"),
            ):
                position.give_turn(player)
                played = await ask_for_move(client) if player == me else move
                position.push(parse_move(played))
                await client.send(f"ATARI {player} {played}\n".encode())
        await client.stream.aclose()
        await trio.sleep(1)
        assert asked.asked == [(Jumps.OFFICIAL, me)] * 3
        assert len(served.alarms) == 1
        assert re.fullmatch(
            r"\[1\] WARNING: the client (asks|reports) .* when it is the turn of player 4:"
            r" its order of play is followed",
            served.alarms[0],
        )
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("jumps", Jumps)
async def test_a_client_with_the_classroom_rule_is_followed(jumps: Jumps, autojump_clock: MockClock) -> None:
    """Its jumps cause one warning; the server's own jumps are official unless --jumps changes that."""
    player = Asked(1)
    async with trio.open_nursery() as nursery:
        served = Served(nursery, make_player=lambda: player, jumps=jumps)
        client = served.client()
        await greet(client, b"GAME 1 a b\n" + b"".join(FACING[:-1]))
        await client.send(b"ATARI 2 (3, 4)\nATARI 1 (3, 3)\nATARI 2 (2, 3)\n")
        await ask_for_move(client)
        assert len(served.alarms) == (jumps is Jumps.OFFICIAL)
        assert all("lets player 2 play (3, 4), which only the classroom" in alarm for alarm in served.alarms)
        assert player.asked == [(jumps, 1)]
        nursery.cancel_scope.cancel()


async def test_a_winner_that_contradicts_the_moves_is_remarked(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery)
        client = served.client()
        await greet(client, b"GAME 1 a b\nATARI 1 (4, 1)\nKIKASHI 2\n")
        assert await client.line() == ""
        assert served.alarms == [
            "[1] WARNING: the client names player 2 as the winner, but no player has reached its goal line"
        ]
        assert served.reports[-1] == "[1] game over: player 2 won"
        nursery.cancel_scope.cancel()


#: Reports of a strange client: two or three moves of one player in a row, and a classroom jump at the end.
ODD = [
    (2, "(4, 7)"),
    (2, "(4, 6)"),
    (1, "(4, 1)"),
    (1, "(4, 2)"),
    (1, "(4, 3)"),
    (2, "(4, 5)"),
    (1, "(4, 4)"),
]
ODD_JUMP = (2, "(3, 4)")


async def play_odd_game(
    make_player: Callable[[], Player[Position, Move]], moves: list[tuple[int, str]]
) -> Served:
    """Seat a player as player 1 in a game that began with ``moves``, and request three moves in a row."""
    async with trio.open_nursery() as nursery:
        served = Served(nursery, make_player=make_player)
        client = served.client()
        await greet(client, b"GAME 1 a b\n")
        position = Position()
        for player, move in moves:
            await client.send(f"ATARI {player} {move}\n".encode())
            position.give_turn(player)
            position.push(parse_move(move), Jumps.CLASSROOM)
        for _ in range(3):
            position.give_turn(1)
            answer = await ask_for_move(client)
            position.push(parse_move(answer))
            await client.send(f"ATARI 1 {answer}\n".encode())
        await client.stream.send_eof()
        assert await client.line() == ""
        nursery.cancel_scope.cancel()
    assert [alarm.split()[4] for alarm in served.alarms] == ["reports", "lets"][: 1 + (ODD_JUMP in moves)]
    return served


@pytest.mark.parametrize(
    "player",
    [RandomPlayer(1), SimplePlayer(1), EnginePlayer(1, Limits(depth=2)), EnginePlayer(1, Limits(nodes=500))],
    ids=["random", "simple", "engine", "engine with a tree"],
)
async def test_players_keep_up_with_odd_games(player: Player[Position, Move]) -> None:
    await play_odd_game(lambda: player, [*ODD, ODD_JUMP])


async def test_a_person_keeps_up_with_odd_games() -> None:
    """The board of a person shows the client's reports."""
    reader, writer = os.pipe()
    os.write(writer, b"e6\ne7\ne8\n")
    output = io.StringIO()
    console = Console(reader, output)
    await play_odd_game(lambda: person(console), [*ODD, ODD_JUMP])
    os.close(reader)
    os.close(writer)
    assert "▲2 b played (3, 4)." in " ".join(output.getvalue().split())
    assert "ended without a winner" in output.getvalue()


QTP = f"qtp:{sys.executable} -m quoridor_net qtp --player simple"


async def test_athens_engines_keep_up_with_another_order_of_play() -> None:
    async with open_players(QTP) as factory:
        await play_odd_game(lambda: factory(None), ODD[:2])


async def test_an_athens_engine_that_refuses_a_classroom_jump_says_so() -> None:
    async with open_players(QTP) as factory, trio.open_nursery() as nursery:
        served = Served(nursery, make_player=lambda: factory(None))
        client = served.client()
        await greet(client, b"GAME 1 a b\n" + b"".join(FACING[:-1]) + b"ATARI 2 (3, 4)\n")
        assert await client.line() == ""
        assert served.alarms[0].startswith("[1] WARNING: the client lets player 2 play (3, 4), which only")
        refusal = "'playmove white D5': '? illegal move'"
        assert served.reports[-1] == f"[1] the player refused a legal move: {refusal}"
        nursery.cancel_scope.cancel()


async def test_a_person_as_the_last_player_watches_the_way_to_the_goal() -> None:
    reader, writer = os.pipe()
    output = io.StringIO()
    console = Console(reader, output)
    async with trio.open_nursery() as nursery:
        client = Served(nursery, make_player=lambda: person(console)).client()
        await greet(client, b"GAME 1 a b\nGOTE 2\n")
        for row in range(1, 9):
            assert await ask_for_move(client) == f"(4, {row})"
            await client.send(f"ATARI 1 (4, {row})\n".encode())
        await client.send(b"KIKASHI 1\n")
        assert await client.line() == ""
        nursery.cancel_scope.cancel()
    os.close(reader)
    os.close(writer)
    assert "played (4, 8)." in " ".join(output.getvalue().split())
    assert output.getvalue().endswith("Game 1: the game is over: you win and reached your goal.\n")
