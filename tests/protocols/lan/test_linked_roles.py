"""Many games through the linked roles: every server sees the client's position at every ply."""

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
    Ignored,
    Kikashi,
    Message,
    Myoushu,
    ServerRole,
    Tesuji,
)
from quoridor_net.rules import Jumps, Move, Position


class LinkedServer:
    """Both roles of one connection, joined; the server's side follows the game and answers."""

    def __init__(self, number: int, jumps: Jumps, source: random.Random) -> None:
        self.client = ClientRole()
        self.server = ServerRole()
        self.game: FollowedGame | None = None
        self._number = number
        self._jumps = jumps
        self._random = source

    def send(self, message: Message) -> list[Message]:
        """Send a message of the client through both roles; return what the server answers."""
        self._pass_on(self.client.send(message), self.server)
        received = self.server.next_event()
        assert received == message
        assert self.server.next_event() is NEED_DATA
        answer = self._answer(message)
        if answer is None:
            return []
        self._pass_on(self.server.send(answer), self.client)
        event = self.client.next_event()
        assert event is not NEED_DATA
        assert not isinstance(event, Ignored)
        assert self.client.next_event() is NEED_DATA
        return [event]

    def _pass_on(self, data: bytes, role: ClientRole | ServerRole) -> None:
        cut = self._random.randrange(len(data) + 1)
        role.receive_data(data[:cut])
        role.receive_data(data[cut:])

    def _answer(self, message: Message) -> Iam | Tesuji | None:
        match message:
            case Hello():
                return Iam(f"qnt:{self._number}")
            case Game():
                self.game = FollowedGame(message, self._jumps)
            case Myoushu():
                assert self.game is not None
                return Tesuji(lively_move(self.game.position, self._random))
            case Atari() | Gote() | Kikashi():
                assert self.game is not None
                self.game.follow(message)
        return None


def lively_move(position: Position, source: random.Random) -> Move:
    """Return a random legal move that is often enough a step forward for the game to end soon."""
    player = position.turn
    assert player is not None
    chance = source.random()
    if chance < 0.25:
        walls = position.legal_walls
        if walls:
            return source.choice(walls)
    steps = position.legal_steps
    if chance < 0.75 and steps:
        path = position.shortest_path(player)
        return min(steps, key=lambda step: (step.square not in path[1:3], source.random()))
    return source.choice(position.legal_moves)


def play(players: int, jumps: Jumps, source: random.Random) -> Position:
    """Play one game as the client would, with players eliminated at random now and then."""
    servers = {number: LinkedServer(number, jumps, source) for number in range(1, players + 1)}
    names = []
    for server in servers.values():
        (greeting,) = server.send(Hello())
        assert isinstance(greeting, Iam)
        names.append(greeting.name)
    for number, server in servers.items():
        server.send(Game(number, tuple(names)))
    position = Position(players=players, jumps=jumps)
    while position.turn is not None and len(position.history) < 1000:
        mover = position.turn
        (answer,) = servers[mover].send(Myoushu())
        assert isinstance(answer, Tesuji)
        report: Atari | Gote = Atari(mover, answer.move)
        if source.random() < 0.003:
            report = Gote(mover)
            position.eliminate(mover)
        else:
            position.push(answer.move)
        for number in list(servers):
            servers[number].send(report)
            game = servers[number].game
            assert game is not None
            assert game.position.key == position.key
            if report == Gote(number):
                del servers[number]
    if position.winner is not None:
        for server in servers.values():
            server.send(Kikashi(position.winner))
            assert server.game is not None
            assert server.game.winner == position.winner
    return position


#: A seed, and the number of games that are played from it.
BLOCKS = [(0, 40), *(pytest.param(seed, 250, marks=pytest.mark.slow) for seed in (1000, 2000, 3000, 4000))]


@pytest.mark.parametrize(("seed", "games"), BLOCKS)
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("jumps", Jumps)
def test_random_games_agree_three_ways(jumps: Jumps, players: int, seed: int, games: int) -> None:
    """Those that are slow are 1,000 for each jump rule and number of players."""
    source = random.Random(seed + players)
    eliminations = 0
    for _ in range(games):
        position = play(players, jumps, source)
        eliminations += sum(ply.move is None for ply in position.history)
    assert eliminations > 0
