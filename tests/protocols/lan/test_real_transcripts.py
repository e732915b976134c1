"""Byte logs of games that real servers and clients of the 2016 class played, fed to our opposite roles."""

from __future__ import annotations

import random

import pytest

from quoridor_net.protocols.lan import (
    NEED_DATA,
    Atari,
    ClientRole,
    FollowedGame,
    Game,
    Gote,
    Hello,
    Iam,
    Kikashi,
    Message,
    Myoushu,
    ServerRole,
    Tesuji,
    parse_message,
)
from quoridor_net.rules import Jumps, Position
from quoridor_net.testing.wire import Wired, read_transcript
from tests.support.ground_truth import real_transcripts

LOGS = {path.stem: path for path in real_transcripts()}
NAMES = list(LOGS)


def wires(name: str) -> list[Wired]:
    text = LOGS[name].read_text(encoding="ascii")
    return [wired for wired in read_transcript(text) if wired.data]


def chunks(data: bytes, source: random.Random) -> list[bytes]:
    cut = sorted(source.randrange(len(data) + 1) for _ in range(source.randrange(4)))
    return [data[a:b] for a, b in zip([0, *cut], [*cut, len(data)], strict=True)]


def game_of(lines: list[Wired]) -> tuple[Position, int | None]:
    """Return the last position and the winner, straight from what the client reported to server 1."""
    game = None
    for wired in lines:
        if not wired.to_server or wired.server != 1:
            continue
        message = parse_message(wired.data.rstrip(b"\n"))
        if isinstance(message, Game):
            game = FollowedGame(message, Jumps.CLASSROOM)
        elif isinstance(message, Atari | Gote | Kikashi):
            assert game is not None
            game.follow(message)
    assert game is not None
    return game.position, game.winner


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", NAMES)
def test_our_server_role_follows_real_clients(name: str, seed: int) -> None:
    source = random.Random(seed)
    lines = wires(name)
    position, winner = game_of(lines)
    for server in {wired.server for wired in lines}:
        role = ServerRole()
        game: FollowedGame | None = None
        for wired in lines:
            if wired.server != server:
                continue
            if not wired.to_server:
                message = parse_message(wired.data)
                assert isinstance(message, Iam | Tesuji)
                role.send(message)
                continue
            for chunk in chunks(wired.data, source):
                role.receive_data(chunk)
            event = role.next_event()
            assert isinstance(event, Message)
            if isinstance(event, Game):
                assert event.player == server
                game = FollowedGame(event, Jumps.CLASSROOM)
            elif isinstance(event, Atari | Gote | Kikashi):
                assert game is not None
                game.follow(event)
            elif isinstance(event, Myoushu):
                assert game is not None
                assert game.position.turn == server
        assert game is not None
        assert (game.position.key, game.winner) == (position.key, winner)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", NAMES)
def test_our_client_role_understands_real_servers(name: str, seed: int) -> None:
    source = random.Random(seed)
    lines = wires(name)
    position, winner = game_of(lines)
    roles = {wired.server: ClientRole() for wired in lines}
    judged = Position(players=len(roles), jumps=Jumps.CLASSROOM)
    for wired in lines:
        role = roles[wired.server]
        if wired.to_server:
            message = parse_message(wired.data)
            sent = role.send(message)
            assert sent == b" ".join(wired.data.split()) + b"\n", "what we write is what real clients wrote"
            continue
        for chunk in chunks(wired.data, source):
            role.receive_data(chunk)
        event = role.next_event()
        assert isinstance(event, Iam | Tesuji)
        assert role.next_event() is NEED_DATA
        if isinstance(event, Tesuji):
            assert judged.turn == wired.server
            judged.push(event.move)
    assert judged.key == position.key
    assert judged.winner == winner


def test_the_logs_contain_every_expected_kind_of_line() -> None:
    assert NAMES == ["four-a", "four-mixed", "two-a", "two-b", "two-crlf", "two-mixed"]
    data = [wired.data for name in NAMES for wired in wires(name)]
    assert any(line.endswith(b"\r\n") for line in data)
    assert any(line.endswith(b" \n") for line in data)
    assert {parse_message(line).__class__ for line in data} >= {
        Hello,
        Iam,
        Game,
        Myoushu,
        Tesuji,
        Atari,
        Kikashi,
    }
