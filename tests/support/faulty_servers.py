"""Move servers with one fault each, in every game or from some moment on."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

import trio
from attrs import define, field
from trio.abc import Stream

from quoridor_net.outcome import Termination
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.tournament import TournamentState
from server.listener import MoveServer
from server.session import ServerSettings


@define
class FaultyServer:
    """A move server.

    Attributes:
        name: its name.
        fault: the verdict on it; None if it plays by the rules.
        at: the number of the request at which it is eliminated, from 1; 0 if it never starts a game.
        is_up: returns whether it accepts connections.
    """

    name: str
    fault: Termination | None = None
    at: int = 0
    is_up: Callable[[], bool] = lambda: True
    connections: int = field(default=0, init=False)

    async def serve(self, stream: Stream) -> None:
        """Serve one connection to its end."""
        self.connections += 1
        with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await self.talk(stream)
        await trio.aclose_forcefully(stream)

    async def talk(self, stream: Stream) -> None:
        """Play by the rules."""
        name = f"{self.name}{self.connections}" if self.name == "renamed" else self.name
        settings = ServerSettings(name, lambda: SimplePlayer(seed=3), report=lambda _: None)
        await MoveServer(settings).serve_connection(stream)


@define
class Silent(FaultyServer):
    """Accepts connections and stays silent, except for its name on the first one if it ``greets``."""

    greets: bool = False

    async def talk(self, stream: Stream) -> None:
        if self.greets and self.connections == 1:
            await stream.send_all(f"IAM {self.name}\n".encode())
            return
        while await stream.receive_some(4096):
            pass


@define
class Answering(FaultyServer):
    """Places ``walls``, then answers with ``data``, and then disconnects if it ``closes``."""

    data: bytes = b""
    walls: tuple[str, ...] = ()
    closes: bool = False

    async def talk(self, stream: Stream) -> None:
        asked, unread = 0, b""
        while data := await stream.receive_some(4096):
            *lines, unread = (unread + data).split(b"\n")
            for line in lines:
                if line.startswith(b"HELLO"):
                    await stream.send_all(f"IAM {self.name}\n".encode())
                elif line.startswith(b"MYOUSHU"):
                    asked += 1
                    if asked < self.at:
                        await stream.send_all(f"TESUJI {self.walls[asked - 1]}\n".encode())
                        continue
                    await stream.send_all(self.data)
                    if self.closes:
                        return


@define
class Slow(FaultyServer):
    """Plays by the rules, but waits ``seconds`` before each message."""

    seconds: float = 0.0

    async def talk(self, stream: Stream) -> None:
        await super().talk(_Delayed(stream, self.seconds))


class _Delayed(Stream):
    def __init__(self, stream: Stream, seconds: float) -> None:
        self._stream = stream
        self._seconds = seconds

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await trio.sleep(self._seconds)
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self._stream.receive_some(max_bytes)

    async def aclose(self) -> None:
        await self._stream.aclose()


def faulty_servers(
    slowness: float, is_away: Callable[[], bool], *, greets: bool = False
) -> list[FaultyServer]:
    """Return twelve servers: four that play by the rules in unusual ways, and eight that do not.

    Args:
        slowness: time that the slow server takes for a move, in seconds.
        is_away: returns whether the server "away" is unreachable.
        greets: whether the silent server sends its name on its first connection.
    """
    gone = Answering("gone", Termination.DISCONNECTED, 1, closes=True)
    # It stops listening after its first game.
    gone.is_up = lambda: gone.connections == 0
    return [
        FaultyServer("sound"),
        Slow("slow", seconds=slowness),
        FaultyServer("away", is_up=lambda: not is_away()),
        FaultyServer("renamed"),
        Answering("crash", Termination.DISCONNECTED, 3, walls=("[(0, 7), v]", "[(7, 7), v]"), closes=True),
        gone,
        Silent("silent", Termination.TOO_SLOW, 0, greets=greets),
        Answering("mute", Termination.TOO_SLOW, 1),
        Answering("illegal", Termination.ILLEGAL_MOVE, 1, data=b"TESUJI (4, 4)\n"),
        Answering("unparsable", Termination.UNPARSABLE_MOVE, 1, data=b"TESUJI e4\n"),
        Answering("floods", Termination.FLOODING, 2, data=b"TESUJI " + b"x" * 5000, walls=("[(0, 5), v]",)),
        Answering("twice", Termination.OUT_OF_TURN, 1, data=b"TESUJI [(0, 0), h]\nTESUJI [(2, 0), h]\n"),
    ]


def check_verdicts(state: TournamentState, servers: Sequence[FaultyServer]) -> None:
    """Check that every pair met, and that the first server at fault lost.

    Args:
        state: state of a round robin with one game per pair of ``servers``, in this order.
    """
    assert len(state.decided) == len(servers) * (len(servers) - 1) // 2
    names = [server.name for server in servers]
    comings = 0
    for pairing, result in state.results():
        faults = []
        for seat, entrant in enumerate(pairing.seats, 1):
            server = servers[entrant - 1]
            is_absent = server.name == "gone" and "cannot be reached" in result.sentence
            comings += server.name == "gone" and not is_absent
            if server.fault is not None:
                faults.append((0 if is_absent else server.at, seat, server.fault))
        game = tuple(names[entrant - 1] for entrant in pairing.seats), result
        assert result.termination is min(faults, default=(0, 0, Termination.GOAL))[2], game
        if faults:
            has_winner = [at for at, *_ in faults] != [0, 0]
            assert result.winner == (3 - min(faults)[1] if has_winner else None), game
        else:
            # Servers keep the names that they had at the start.
            assert result.sentence.startswith(tuple(state.entrants)), game
    assert comings <= 1
