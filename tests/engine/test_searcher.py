"""The searcher plays by the rules, keeps its limits, repeats itself on request, and can be stopped."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import threading
import time
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
from numpy.typing import NDArray

from quoridor_net.engine import Limits, warm_up
from quoridor_net.engine.alphabeta.deepening import Deepening
from quoridor_net.engine.evaluation.weights import DEFAULTS, TERM_VALUES
from quoridor_net.engine.jit import CACHE
from quoridor_net.engine.maxn.max_n import MaxN
from quoridor_net.engine.mcts.best_first import BestFirst
from quoridor_net.engine.searcher import Searcher
from quoridor_net.jit import cache as kernel_cache
from quoridor_net.rules import Jumps, Position, Square, Step

pytestmark = pytest.mark.compiled("engine")


@pytest.fixture(scope="session", autouse=True)
def _compile_kernels() -> None:
    warm_up()


def play_out(searchers: list[Searcher], position: Position, limits: Limits, plies: int = 300) -> int:
    """Play a game and return its length; every move is pushed, so an illegal one raises."""
    length = 0
    while position.turn is not None and length < plies:
        searcher = searchers[length % len(searchers)]
        position.push(searcher.choose(position, limits).move)
        length += 1
    return length


GAMES = [
    (size, players, walls, jumps)
    for size, walls in [(3, 1), (4, 3), (5, 2), (6, 4), (8, 6), (9, 10), (11, 12)]
    for players in (2, 4)
    for jumps in Jumps
]


@pytest.mark.parametrize(("size", "players", "walls", "jumps"), GAMES)
def test_no_move_is_illegal(size: int, players: int, walls: int, jumps: Jumps) -> None:
    searchers = [Searcher(size, players, 1, seed) for seed in (1, 2)]
    assert play_out(searchers, Position(size, players, walls, jumps), Limits(nodes=100)) >= 2


@pytest.mark.slow
def test_no_illegal_move_and_no_time_loss_in_many_fast_games() -> None:
    source = random.Random(4)
    for number in range(2000):
        size, players = source.choice([3, 4, 5, 6, 7, 8, 9, 10, 11]), source.choice([2, 2, 4])
        position = Position(size, players, source.randrange(12), source.choice(list(Jumps)))
        searchers = [Searcher(size, players, 1, number)]
        begun = time.perf_counter()
        length = play_out(searchers, position, Limits(time=0.02), 120)
        assert time.perf_counter() - begun < 0.07 * length + 0.5


@pytest.mark.parametrize("players", [2, 4])
def test_an_eliminated_player_does_not_disturb(players: int) -> None:
    position = Position(7, 4, 3)
    searcher = Searcher(7, 4, 1)
    for _ in range(4):
        position.push(searcher.choose(position, Limits(nodes=200)).move)
    for player in position.alive[: 4 - players]:
        position.eliminate(player)
    assert play_out([searcher], position, Limits(nodes=200)) >= 2


def moves_of_a_game(seed: int, players: int) -> list[str]:
    position = Position(7, players, 4)
    searcher = Searcher(7, players, 1, seed)
    while position.turn is not None and len(position.history) < 40:
        position.push(searcher.choose(position, Limits(nodes=1500)).move)
    return [str(ply.move) for ply in position.history]


@pytest.mark.parametrize("players", [2, 4])
def test_the_same_seed_and_node_limit_give_the_same_moves(players: int) -> None:
    assert moves_of_a_game(5, players) == moves_of_a_game(5, players)


def test_a_node_limit_is_kept() -> None:
    found = Searcher(9, 2, 1).choose(Position(), Limits(nodes=5000))
    assert 4000 <= found.nodes <= 5010


def test_a_depth_limit_is_reached_exactly() -> None:
    assert Searcher(9, 2, 1).choose(Position(), Limits(depth=4)).depth == 4


def test_the_move_time_is_kept() -> None:
    searcher = Searcher(9, 2, 1, uses_book=False)
    begun, worked = time.perf_counter(), time.thread_time()
    found = searcher.choose(Position(), Limits(time=0.3))
    assert time.perf_counter() - begun > 0.2
    assert time.thread_time() - worked < 0.6
    assert found.depth >= 4


@pytest.mark.parametrize("limits", [Limits(time=3600), Limits(game_time=36000)])
def test_time_that_is_over_already_is_not_taken_again(limits: Limits) -> None:
    found = Searcher(7, 2, 1, uses_book=False).choose(Position(7), limits, spent=3600)
    assert Position(7).is_legal(found.move)
    assert found.seconds >= 3600


def test_no_time_at_all_still_gives_a_move() -> None:
    position = Position()
    for limits in (Limits(time=0.0), Limits(game_time=0.0), Limits(nodes=1)):
        assert position.is_legal(Searcher(9, 2, 1).choose(position, limits).move)


def test_another_thread_can_cancel_a_search() -> None:
    searcher = Searcher(9, 2, 1, uses_book=False)
    position = Position()
    is_over = threading.Event()

    def cancel() -> None:
        # Cancelling before the search has begun has no effect.
        while not is_over.wait(0.2):
            searcher.cancel()

    canceller = threading.Thread(target=cancel, daemon=True)
    canceller.start()
    begun = time.thread_time()
    found = searcher.choose(position, Limits(time=10_000))
    is_over.set()
    canceller.join()
    assert time.thread_time() - begun < 2
    assert position.is_legal(found.move)
    assert found.depth > 0


def test_a_search_that_was_abandoned_before_it_began_ends_at_once() -> None:
    searcher = Searcher(9, 2, 1, uses_book=False)
    abandoned = threading.Event()
    abandoned.set()
    searcher.cancel()
    begun = time.thread_time()
    assert Position().is_legal(searcher.choose(Position(), Limits(time=10_000), abandoned=abandoned).move)
    assert time.thread_time() - begun < 2


def test_cancelling_nothing_does_no_harm() -> None:
    searcher = Searcher(9, 2, 1)
    searcher.cancel()
    assert searcher.choose(Position(), Limits(depth=3)).depth == 3


def test_a_win_in_one_is_seen_and_proven() -> None:
    found = Searcher(9, 2, 1).choose(Position.from_line(" /  / e8 e5 / 3 3 / 1"), Limits(nodes=2000))
    assert found.choices[0].wins_in == 1
    assert isinstance(found.move, Step)
    assert found.move.square.row == 8


def test_the_score_is_that_of_the_player_to_move() -> None:
    ahead = Position.from_line(" /  / e6 a9 / 5 5 / 1")
    behind = Position.from_line(" /  / e6 a9 / 5 5 / 2")
    searcher = Searcher(9, 2, 1)
    assert searcher.choose(ahead, Limits(nodes=3000)).score > 0
    assert searcher.choose(behind, Limits(nodes=3000)).score < 0


def test_several_choices_are_different_and_in_order() -> None:
    found = Searcher(9, 2, 1).choose(Position(), Limits(nodes=30_000), 4)
    assert len({choice.move for choice in found.choices}) == 4
    scores = [choice.score for choice in found.choices]
    assert scores == sorted(scores, reverse=True)
    assert all(choice.line[0] == choice.move for choice in found.choices)


@pytest.mark.parametrize(("size", "limits"), [(9, Limits(nodes=30_000)), (5, Limits(depth=4))])
def test_the_line_can_be_played(size: int, limits: Limits) -> None:
    position = Position(size)
    found = Searcher(size, 2, 1).choose(position, limits)
    assert found.line[0] == found.move
    # The line must continue beyond the move itself.
    assert len(found.line) >= 3
    for move in found.line:
        assert position.is_legal(move)
        position.push(move)


@pytest.mark.parametrize("seed", [1, 3, 5, 31])
def test_scores_are_not_shared_between_four_players(seed: int) -> None:
    source = random.Random(seed)
    position = Position(5, 4, 2)
    for _ in range(10):
        position.push(source.choice(position.legal_moves))
    searcher = Searcher(5, 4, 1)
    searched = 0
    # Each searches with the table of the player before, who wanted the opposite in the same positions.
    while position.turn is not None and searched < 4:
        found = searcher.choose(position, Limits(depth=5))
        afresh = Searcher(5, 4, 1).choose(position, Limits(depth=5))
        assert (found.score > 0) == (afresh.score > 0)
        position.push(afresh.move)
        searched += 1
    assert searched >= 2


def test_lines_of_four_players_can_be_played() -> None:
    source = random.Random(3)
    lengths = []
    for _ in range(10):
        position = Position(6, 4, 3)
        for _ in range(6):
            position.push(source.choice(position.legal_moves))
        for choice in Searcher(6, 4, 1).choose(position, Limits(nodes=2000), 3).choices:
            assert choice.line[0] == choice.move
            twin = position.copy()
            for move in choice.line:
                assert twin.is_legal(move)
                twin.push(move)
            lengths.append(len(choice.line))
    assert max(lengths) > 1


def test_a_lost_line_of_four_players_contains_the_winning_move() -> None:
    # Player 1 has the next turn, one step from its goal, and nobody has a wall left to stop it.
    pawns = [Square(2, 7), Square(4, 6), Square(3, 4), Square(6, 3)]
    position = Position.setup(pawns, [0] * 4, turn=3, size=9)
    found = Searcher(9, 4, 1).choose(position, Limits(depth=3))
    position.push(found.move)
    assert position.turn == 1
    assert found.line[1:] == (Step(Square(2, 8)),)


@pytest.mark.parametrize("limits", [Limits(nodes=1), Limits(nodes=3), Limits(nodes=20), Limits(time=0)])
@pytest.mark.parametrize("size", [7, 9, 11, 13])
def test_no_limit_hides_a_win_in_one_move(size: int, limits: Limits) -> None:
    for column in range(size):
        position = Position.setup([Square(column, size - 2), Square(size // 2, 3)], [5, 5], size=size)
        found = Searcher(size, 2, 1).choose(position, limits)
        assert found.move == Step(Square(column, size - 1))
        assert found.choices[0].wins_in == 1


def test_a_player_ahead_does_not_repeat_positions() -> None:
    position = Position.from_line(" /  / a5 i2 / 0 0 / 1")
    searcher = Searcher(9, 2, 1)
    assert play_out([searcher], position, Limits(nodes=50_000)) < 20


def test_foreign_games_are_rejected() -> None:
    searcher = Searcher(9, 2, 1)
    with pytest.raises(ValueError, match="plays 2 on size 9, not 4 on size 9"):
        searcher.choose(Position(9, 4))


@pytest.mark.parametrize("players", [2, 4])
def test_large_boards_are_played_plainly(players: int) -> None:
    position = Position(14, players, 3)
    searcher = Searcher(14, players, 1)
    assert play_out([searcher], position, Limits(nodes=60), 40) > 20


def test_a_plain_search_without_time_still_judges_its_move() -> None:
    found = Searcher(25, 4, 1).choose(Position(25, 4, 10), Limits(time=0))
    assert abs(found.score) < 1000


def test_a_plain_search_says_when_it_loses() -> None:
    position = Position.setup([Square(0, 5), Square(12, 1)], [0, 0], size=13)
    choice = Searcher(13, 2, 1).choose(position, Limits(nodes=100)).choices[0]
    assert (choice.score, choice.wins_in) == (-29998, -2)


@pytest.mark.parametrize(("size", "players"), [(2, 2), (26, 2), (9, 3), (15, 3)])
def test_invalid_sizes_and_numbers_of_players_are_rejected(size: int, players: int) -> None:
    with pytest.raises(ValueError, match=r"size|players"):
        Searcher(size, players, 1)


@pytest.mark.parametrize(
    ("table_mb", "complaint"), [(0, "at least 1, not 0"), (1.5, "whole number"), (10**9, "does not fit")]
)
@pytest.mark.parametrize("size", [9, 7])
def test_impossible_table_sizes_are_rejected(size: int, table_mb: int, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Searcher(size, 2, table_mb)


def test_without_spare_memory_the_smallest_table_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> NoReturn:
        raise MemoryError

    monkeypatch.setattr("quoridor_net.engine.searcher._keep_spare_room", refuse)
    position = Position(5, 2, 3)
    assert Searcher(5).choose(position, Limits(nodes=50)).move in position.legal_moves


def test_a_plain_search_can_be_cancelled() -> None:
    searcher = Searcher(25, 4, 1)
    begun = time.thread_time()
    found = searcher.choose(Position(25, 4, 10), Limits(time=0.1))
    assert time.thread_time() - begun < 1
    assert isinstance(found.move, Step)


def test_importing_the_engine_imports_no_compiler() -> None:
    code = "import sys, quoridor_net.engine; print({'numba', 'numpy'} & set(sys.modules))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "set()"


@pytest.mark.parametrize("size", [5, 9, 12])
@pytest.mark.parametrize("name", ["explor", "wall_21", "wall_x", "plain_wall_", ""])
def test_unknown_weights_are_rejected(size: int, name: str) -> None:
    with pytest.raises(ValueError, match=f"^unknown weight: {name}$"):
        Searcher(size, 2, 1, weights={name: 1})


BY_COUNT = ("wall_0", "wall_20", "plain_wall_0", "plain_wall_20")


@pytest.mark.parametrize("name", [*DEFAULTS, *TERM_VALUES, *BY_COUNT])
@pytest.mark.parametrize("size", [5, 9])
def test_a_weight_that_is_changed_is_one_number_of_the_kernel(size: int, name: str) -> None:
    usual, changed = usual_weights(size), kernel_weights(size, {name: 7_777_777})
    assert changed[changed != usual].tolist() == [7_777_777]


@cache
def usual_weights(size: int) -> NDArray[np.int64]:
    return kernel_weights(size, {})


def kernel_weights(size: int, changes: dict[str, int]) -> NDArray[np.int64]:
    """Return the weights in the state of the kernels, as a list of numbers."""
    weights: np.void = new_pvs(size, changes).state._record["weights"]  # type: ignore[attr-defined]
    return np.frombuffer(weights.tobytes(), np.int64)


def new_pvs(size: int, weights: dict[str, int]) -> Deepening:
    """Return principal variation search with these weights, also where best-first search plays better."""
    method = Searcher(size, 2, 1, weights={"tree": 0} | weights)._method
    assert isinstance(method, Deepening)
    return method


def test_the_tree_and_the_network_can_be_switched_off() -> None:
    usual, treeless, bare = (
        Searcher(9, 2, 1, weights=weights)._method for weights in (None, {"tree": 0}, {"network": 0})
    )
    assert isinstance(usual, BestFirst)
    assert isinstance(treeless, Deepening)
    assert isinstance(bare, Deepening)
    assert treeless.state.has_network
    assert not bare.state.has_network


@pytest.mark.parametrize(
    ("size", "has_tree", "has_network"),
    [
        (4, False, False),
        (5, False, False),
        (6, False, True),
        (7, True, True),
        (8, True, True),
        (11, True, True),
    ],
)
def test_boards_have_the_search_that_plays_best_on_them(size: int, has_tree: bool, has_network: bool) -> None:
    assert isinstance(Searcher(size, 2, 1)._method, BestFirst if has_tree else Deepening)
    assert bool(new_pvs(size, {}).state.has_network) == has_network


@pytest.mark.parametrize("size", [7, 10, 11])
def test_best_first_search_keeps_its_tree_on_other_boards_too(size: int) -> None:
    searcher, position = Searcher(size, 2, 4), Position(size)
    for _ in range(2):
        found = searcher.choose(position, Limits(nodes=3000))
        for move in found.line[:2]:
            position.push(move)
    method = searcher._method
    assert isinstance(method, BestFirst)
    method.prepare(position, position.legal_moves, Limits(nodes=1))
    assert method.memory.nodes[0].visits > 100


@pytest.mark.parametrize("name", ["cpuct", "wall_20", "plain_wall_3", "tree", "network"])
def test_boards_beyond_the_kernel_know_the_names_of_weights_too(name: str) -> None:
    found = Searcher(12, 2, 1, weights={name: 1}).choose(Position(12), Limits(nodes=1))
    assert Position(12).is_legal(found.move)


def test_warming_up_reports_its_steps_unless_there_is_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    warm_up(lines.append)
    assert lines == []
    monkeypatch.setattr(kernel_cache.KernelCache, "is_complete", lambda _cache, _use: False)
    warm_up(lines.append)
    assert {"ready", "ready for 4 players"} < set(lines)
    assert len(lines) >= 4


def keep_code(folder: Path) -> tuple[dict[str, str], Path]:
    """Copy the compiled code into ``folder``; return an environment that has it used, and where it lies."""
    place = folder / CACHE.folder.name
    shutil.copytree(CACHE.folder, place)
    return {**os.environ, "NUMBA_CACHE_DIR": str(folder)}, place


@pytest.mark.parametrize("victim", ["*.nbc", "*.nbi", "complete-2-players"])
def test_truncated_compiled_code_is_not_used(victim: str, tmp_path: Path) -> None:
    environment, place = keep_code(tmp_path)
    command = [
        sys.executable,
        "-c",
        "from quoridor_net.engine.jit import CACHE; print(CACHE.is_complete('2-players'))",
    ]
    assert CACHE.is_complete("2-players")
    next(place.rglob(victim)).write_bytes(b"")
    damaged = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert damaged.stdout == "False\n"
    assert not (place / "complete-2-players").exists()


@pytest.mark.slow
def test_truncated_compiled_code_is_compiled_again(tmp_path: Path) -> None:
    environment, place = keep_code(tmp_path)
    next(place.rglob("*.nbc")).write_bytes(b"")
    command = [sys.executable, "-m", "quoridor_net", "warmup"]
    again = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert again.stdout.splitlines()[-2:] == ["ready for 4 players", "The engine is compiled."]
    once_more = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert once_more.stdout.splitlines() == ["The engine is compiled."]


def test_nothing_is_left_to_compile_after_warming_up() -> None:
    # Kernels not loaded by then may be on disk here, but would have to be compiled elsewhere.
    code = """
import sys
from numba.core.dispatcher import Dispatcher
from quoridor_net.engine import Limits, warm_up
from quoridor_net.engine.searcher import Searcher
from quoridor_net.rules import Jumps, Position
warm_up()
def loaded():
    found = set()
    for name, module in list(sys.modules.items()):
        if name.startswith("quoridor_net.engine"):
            found |= {value for value in vars(module).values() if isinstance(value, Dispatcher)}
    return sum(len(kernel.overloads) for kernel in found)
before = loaded()
for players in (2, 4):
    for size in (3, 9):
        for jumps in Jumps:
            searcher, position = Searcher(size, players, 1), Position(size, players, 1, jumps)
            for _ in range(6):
                if position.turn is not None:
                    position.push(searcher.choose(position, Limits(nodes=20_000), 2).move)
print(before, loaded() - before)
"""
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, after = map(int, answer.stdout.split())
    assert before > 10
    assert after == 0


@pytest.mark.parametrize("players", [2, 4])
def test_a_cancel_while_the_tree_is_rerooted_does_not_wait_for_that(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = Position(9, players)
    searcher = Searcher(9, players, 4, uses_book=False)
    method = searcher._method
    assert isinstance(method, BestFirst | MaxN)
    prepare = Deepening.prepare

    def prepare_and_cancel(self: Deepening, *arguments: Any) -> None:
        prepare(self, *arguments)
        searcher.cancel()

    for _ in range(2):
        position.push(searcher.choose(position, Limits(nodes=3000)).move)
    monkeypatch.setattr(Deepening, "prepare", prepare_and_cancel)
    assert position.is_legal(searcher.choose(position, Limits(time=60)).move)
    # The tree has no more than the new root.
    assert method.memory.tree.node_count == 1
    monkeypatch.undo()
    position.push(searcher.choose(position, Limits(nodes=3000)).move)
    assert method.memory.tree.node_count > 1
    assert all(position.is_legal(searcher.choose(position, Limits(nodes=1)).move) for _ in range(2))
