"""An engine with limited address space, as under a referee, plays with smaller tables."""

from __future__ import annotations

import subprocess
import sys

import pytest

from quoridor_net.engine import Analysis
from quoridor_net.engine import engine as engine_module
from quoridor_net.engine.searcher import Searcher
from quoridor_net.players import Clock
from quoridor_net.players.engine import SharedEngine
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Position
from server.athens.thinker import Thinker

pytestmark = pytest.mark.compiled("engine")


#: Address space in MiB: the limit of the course's referees, and the minimum to compile the engine.
LIMITS = (950, 750)


def game(size: int, walls: int, moves: int, *colours: str) -> bytes:
    """Return the commands of a game in which the engine plays these colours."""
    begin = f"boardsize {size}\nclear_board\nwalls {walls}\n"
    return (begin + "".join(f"genmove {colour}\n" for colour in colours) * moves).encode()


GAMES = b"".join(
    [
        # Without walls positions are solved exactly, from the first move to the last.
        *[game(9, 0, 8, "black", "white")] * 3,
        *[game(9, 10, 2, "white", "black")] * 2,
        game(7, 5, 2, "black", "white"),
        game(9, 2, 2, "black"),
        game(12, 3, 1, "black", "white"),
        game(9, 0, 1, "white"),
    ]
)


@pytest.mark.end_to_end
@pytest.mark.skipif(sys.platform == "win32", reason="this system does not limit address space")
@pytest.mark.parametrize("limit", LIMITS)
def test_games_continue_with_little_memory(limit: int) -> None:
    import resource

    def restrict() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit << 20, limit << 20))

    command = [sys.executable, "-m", "server.athens.command", "--nodes", "400", "--seed", "1"]
    done = subprocess.run(
        command, input=GAMES, capture_output=True, timeout=240, check=False, preexec_fn=restrict
    )
    answers = done.stdout.decode().split("\n\n")[:-1]
    # The engine itself moves. It may have reported its compilation before.
    assert (done.returncode, b"move instead" in done.stderr) == (0, False)
    assert len(answers) == GAMES.count(b"\n")
    assert not [answer for answer in answers if not answer.startswith("=")]


@pytest.mark.parametrize("needs_it_for_tables", [False, True])
async def test_without_memory_the_simple_player_moves_and_that_is_reported_once(
    needs_it_for_tables: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Needy(Searcher):
        def __init__(self, *arguments: object, **_settings: object) -> None:
            if needs_it_for_tables:
                raise MemoryError

        def choose(self, *arguments: object, **_settings: object) -> Analysis:
            raise MemoryError

    monkeypatch.setattr(engine_module, "Searcher", Needy)
    told: list[str] = []
    engine = SharedEngine(report=told.append, prepare=lambda _progress, *_players: None)
    thinker = Thinker("engine", 1, engine=engine)
    assert await engine.settle()
    for _ in range(3):
        move = await thinker.choose(Position(5), Clock())
        assert move == await SimplePlayer(0).choose(Position(5), Clock())
    assert told == ["engine: out of memory for a search: known openings and the simple player move instead"]
