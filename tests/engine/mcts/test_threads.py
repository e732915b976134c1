"""Several threads search one tree: its counts add up, and its proofs are true."""

from __future__ import annotations

import random
import threading
import time

import numpy as np
import pytest

from quoridor_net.engine import Limits, scores
from quoridor_net.engine.board.convert import move_of, number_of
from quoridor_net.engine.mcts import worker
from quoridor_net.engine.mcts.best_first import BestFirst
from quoridor_net.engine.mcts.tree import find_node
from quoridor_net.engine.searcher import Searcher
from quoridor_net.rules import Position
from tests.engine.mcts.test_tree import MIDDLE_GAMES, plant_hint, visits_of
from training.openings import opening

pytestmark = pytest.mark.compiled("engine")


#: Of the searches here.
MOST_THREADS = 8


def new_searcher(table_mb: int = 4, **weights: int) -> tuple[Searcher, BestFirst]:
    searcher = Searcher(9, 2, table_mb, weights=weights, uses_book=False)
    method = searcher._method
    assert isinstance(method, BestFirst)
    return searcher, method


def check(method: BestFirst, was_full: bool = False) -> None:
    """Check that the tree's counts add up, and that no lock is held and no visit in flight.

    In a tree that was full edges have many visits before they get a child. Elsewhere they have one, or one
    for each thread that came to the leaf at the same time. A few have more on a busy machine, where a thread
    may be interrupted while others come to its leaf again and again.
    """
    tree = method.memory.tree
    assert not tree.is_shared
    assert tree.lock == 0
    nodes = method.memory.nodes._memory[: tree.node_count]
    edges = method.memory.edges._memory[: tree.edge_count]
    assert not nodes["lock"].any()
    assert not edges["in_flight"].any()
    visits, child = edges["visits"].astype(np.int64), edges["child"]
    before = np.concatenate([[0], np.cumsum(visits)])
    first = nodes["first_edge"].astype(np.int64)
    tried = before[first + nodes["edge_count"]] - before[first]
    assert (nodes["visits"] == tried + 1).all()
    assert (np.abs(edges["value_sum"]) <= visits * (1 + 1e-9)).all()
    ahead = visits[child >= 0] - nodes["visits"][child[child >= 0]]
    assert was_full or np.count_nonzero(ahead >= MOST_THREADS) <= len(ahead) // 100
    # Of two nodes with the same key the later has taken the place of the other.
    latest = {int(key): number for number, key in enumerate(nodes["key"])}
    for key, node in latest.items():
        assert find_node(tree, key) == node


@pytest.mark.parametrize(
    "weights", [{"hint_nodes": 0}, {"hint_nodes": 80}, {"hint_nodes": 0, "complete_visits": 20}]
)
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_the_tree_adds_up_after_many_small_searches(threads: int, weights: dict[str, int]) -> None:
    searcher, method = new_searcher(**weights)
    for seed in range(8):
        position = opening(random.Random(seed), 9, None)
        found = searcher.choose(position, Limits(nodes=600, threads=threads))
        assert position.is_legal(found.move)
        # A hint may end a little later.
        assert 600 <= found.nodes < 700
        check(method)


def test_each_thread_gets_its_share_of_the_nodes() -> None:
    searcher, method = new_searcher(hint_nodes=0, multivisit=1 << 40)
    found = searcher.choose(Position(), Limits(nodes=1001, threads=4))
    assert found.nodes == 1001
    assert [helper.nodes for helper in method.helpers] == [250] * 3
    # Fewer nodes than threads are for one thread.
    searcher.clear()
    assert searcher.choose(Position(), Limits(nodes=3, threads=4)).nodes == 3


def test_the_tree_is_kept_from_one_move_to_the_next() -> None:
    searcher, method = new_searcher(16)
    position = Position()
    for _ in range(12):
        found = searcher.choose(position, Limits(nodes=2000, threads=2))
        check(method)
        kept = visits_of(method.memory, 0)
        for move in found.line[:2]:
            position.push(move)
        if position.turn is None:
            break
        searcher.choose(position, Limits(nodes=1, threads=2))
        check(method)
        assert 100 < visits_of(method.memory, 0) < kept


def test_a_tree_without_room_to_grow_still_counts_on() -> None:
    searcher, method = new_searcher(1, hint_nodes=0)
    searcher.choose(Position(), Limits(nodes=60_000, threads=3))
    tree = method.memory.tree
    assert tree.edge_count + 520 >= tree.edge_limit
    assert visits_of(method.memory, 0) > 55_000
    check(method, was_full=True)


def test_hints_add_pruned_moves_while_others_search() -> None:
    position = Position.from_line(MIDDLE_GAMES[0])
    searcher, method = new_searcher()
    searcher.choose(position, Limits(nodes=3000))
    memory = method.memory
    edge = max(memory.edges_of(0), key=memory.visits_of)
    node = memory.child_of(edge)
    known = {memory.move_of(move) for move in memory.edges_of(node)}
    after = position.copy()
    after.push(move_of(memory.move_of(edge), 9))
    left_out = next(number for move in after.legal_walls if (number := number_of(move, 9)) not in known)
    memory.tree.is_shared = 1
    plant_hint(method, edge, left_out, 0)
    memory.tree.is_shared = 0
    new = memory.child_of(edge)
    assert new == int(memory.tree.node_count) - 1
    assert {memory.move_of(move) for move in memory.edges_of(new)} > known
    assert visits_of(memory, new) == visits_of(memory, node)
    check(method)


@pytest.mark.parametrize("line", MIDDLE_GAMES)
def test_hints_reach_a_tree_that_others_search(line: str) -> None:
    searcher, method = new_searcher(16)
    position = Position.from_line(line)
    found = searcher.choose(position, Limits(nodes=30_000, threads=3))
    assert position.is_legal(found.move)
    assert any(hint.depth > 2 for hint in method.hints.searches.values())
    check(method)


@pytest.mark.parametrize("line", [" /  / e7 a5 / 1 1 / 1", " /  / e5 e6 / 2 1 / 1"])
def test_proven_wins_are_carried_out(line: str) -> None:
    position = Position.from_line(line)
    searcher, method = new_searcher()
    winner = None
    while position.turn is not None and len(position.history) < 40:
        found = searcher.choose(position, Limits(nodes=5000, threads=3))
        check(method)
        if abs(found.score) > scores.DECIDED:
            expected = position.turn if found.score > 0 else 3 - position.turn
            assert winner in {None, expected}
            winner = expected
        position.push(found.move)
    assert position.winner == winner is not None


def test_games_are_legal_to_their_end() -> None:
    searcher, method = new_searcher()
    for seed in range(4):
        position = opening(random.Random(seed), 9, None)
        while position.turn is not None and position.ply < 120:
            position.push(searcher.choose(position, Limits(nodes=200, threads=2)).move)
        check(method)


def test_one_thread_searches_as_ever_after_several_did() -> None:
    one, _ = new_searcher()
    both, method = new_searcher()
    both.choose(Position(), Limits(nodes=2000, threads=3))
    both.clear()
    found, expected = (searcher.choose(Position(), Limits(nodes=3000)) for searcher in (both, one))
    assert (found.choices, found.nodes) == (expected.choices, expected.nodes)
    assert not method.helpers


def test_all_threads_end_when_stopped() -> None:
    searcher, method = new_searcher(16)
    cancelled: list[float] = []
    is_done = threading.Event()

    def cancel() -> None:
        while not is_done.wait(0.001):
            if method.helpers and all(helper.nodes > 1000 for helper in method.helpers):
                cancelled.append(time.monotonic())
                searcher.cancel()
                break

    canceller = threading.Thread(target=cancel)
    canceller.start()
    try:
        searcher.choose(Position(), Limits(nodes=1 << 40, threads=4))
        ended = time.monotonic()
    finally:
        is_done.set()
        canceller.join()
    # A few milliseconds, where nobody else needs the processors.
    assert ended - cancelled[0] < 1
    check(method)


def test_all_threads_end_in_time() -> None:
    searcher, method = new_searcher(16)
    found = searcher.choose(Position(), Limits(time=0.1, threads=4))
    assert found.seconds < 2
    check(method)


def test_cancelling_all_the_time_leaves_a_move_to_play() -> None:
    position = Position()
    searcher, method = new_searcher()
    is_done = threading.Event()

    def cancel() -> None:
        while not is_done.wait(0.0002):
            searcher.cancel()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    try:
        for _ in range(60):
            found = searcher.choose(position, Limits(nodes=100_000, threads=3))
            assert position.is_legal(found.move)
    finally:
        is_done.set()
        canceller.join()
    check(method)


def test_an_exception_in_one_thread_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("broken")

    searcher, method = new_searcher()
    with monkeypatch.context() as patch:
        patch.setattr(worker.Worker, "grow", fail)
        with pytest.raises(RuntimeError, match="broken"):
            searcher.choose(Position(), Limits(nodes=1 << 40, threads=2))
    assert not method.memory.tree.is_shared
    assert Position().is_legal(searcher.choose(Position(), Limits(nodes=500, threads=2)).move)
    check(method)


def test_other_searches_have_one_thread() -> None:
    for size, players, level in ((7, 2, 10), (9, 4, 10), (9, 2, 3), (13, 2, 10)):
        position = Position(size, players)
        searcher = Searcher(size, players, 1)
        found = [
            searcher.choose(position, Limits(nodes=300, level=level, threads=threads)) for threads in (1, 4)
        ]
        assert found[0].move in position.legal_moves
        assert found[1].move in position.legal_moves
