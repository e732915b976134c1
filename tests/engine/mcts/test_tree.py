"""The best-first search: its counts add up, it keeps its tree, and its proofs are true."""

from __future__ import annotations

import math
import random
import threading

import pytest

from quoridor_net.engine import Limits, scores
from quoridor_net.engine.alphabeta.deepening import Deepening
from quoridor_net.engine.board.convert import move_of, number_of
from quoridor_net.engine.mcts import search, tree
from quoridor_net.engine.mcts.best_first import BestFirst
from quoridor_net.engine.mcts.expand import complete
from quoridor_net.engine.mcts.hints import give_hint
from quoridor_net.engine.mcts.memory import TreeMemory, room_in
from quoridor_net.engine.mcts.select import select
from quoridor_net.engine.searcher import Searcher
from quoridor_net.jit.records import new_record, record_type
from quoridor_net.rules import Position, Step
from training.openings import opening

pytestmark = pytest.mark.compiled("engine")


def grow(
    position: Position, nodes: int, table_mb: int = 4, weights: dict[str, int] | None = None
) -> tuple[Searcher, BestFirst]:
    searcher = Searcher(9, 2, table_mb, weights=weights, uses_book=False)
    searcher.choose(position, Limits(nodes=nodes))
    method = searcher._method
    assert isinstance(method, BestFirst)
    return searcher, method


def grow_tree(
    position: Position, nodes: int, table_mb: int = 4, weights: dict[str, int] | None = None
) -> tuple[Searcher, TreeMemory]:
    searcher, method = grow(position, nodes, table_mb, weights)
    return searcher, method.memory


def prior_of(memory: TreeMemory, edge: int) -> float:
    return float(memory.edges[edge].prior)


def visits_of(memory: TreeMemory, node: int) -> int:
    return int(memory.nodes["visits"][node])


def mean_of(memory: TreeMemory, node: int) -> float:
    return float(memory.nodes["value_sum"][node]) / visits_of(memory, node)


#: So cautious the search makes its visits one at a time.
ONE_AT_A_TIME = {"multivisit": 1 << 40}


@pytest.mark.parametrize("hint_nodes", [0, 80])
@pytest.mark.parametrize("seed", range(4))
def test_visits_are_counted(seed: int, hint_nodes: int) -> None:
    position = opening(random.Random(seed), 9, None)
    _, memory = grow_tree(position, 3000, weights={"hint_nodes": hint_nodes} | ONE_AT_A_TIME)
    # The rest of the nodes went into the hints.
    assert visits_of(memory, 0) == 3001 if not hint_nodes else 1600 < visits_of(memory, 0) < 2900


@pytest.mark.parametrize("seed", range(4))
def test_playouts_do_not_depend_on_what_the_one_before_left_behind(seed: int) -> None:
    def grow_paused_every(playouts: int) -> list[tuple[int, float]]:
        _, method = grow(position, 1, weights={"hint_nodes": 0})
        method.pvs.prepare(position, position.legal_moves, Limits())
        for _ in range(2520 // playouts):
            method.pvs.resume(playouts)
            search.grow(method._state, method._net, method.memory.tree, method._playout)
        nodes = method.memory.nodes[: method.memory.tree.node_count]
        return list(zip(nodes["visits"], nodes["value_sum"], strict=True))

    position = opening(random.Random(seed), 9, None)
    # After a pause nothing is left of the playout before.
    assert grow_paused_every(2520) == grow_paused_every(7) == grow_paused_every(1)


@pytest.mark.parametrize("hint_nodes", [0, 80])
@pytest.mark.parametrize("seed", range(4))
def test_visits_of_a_node_are_one_and_those_of_its_moves(seed: int, hint_nodes: int) -> None:
    position = opening(random.Random(seed), 9, None)
    _, memory = grow_tree(position, 3000, weights={"hint_nodes": hint_nodes})
    for node in range(memory.tree.node_count):
        tried = sum(memory.visits_of(edge) for edge in memory.edges_of(node))
        assert visits_of(memory, node) == tried + 1
        for edge in memory.edges_of(node):
            if memory.visits_of(edge):
                assert -1 <= memory.mean_of(edge) <= 1
            if memory.child_of(edge) >= 0:
                # The first visit was before there was a node; others may have come by other ways.
                assert memory.visits_of(edge) <= visits_of(memory, memory.child_of(edge))


def test_many_visits_at_once_save_nodes() -> None:
    position = opening(random.Random(2), 9, None)
    _, one = grow_tree(position, 20_000, weights={"hint_nodes": 0} | ONE_AT_A_TIME)
    _, many = grow_tree(position, 20_000, weights={"hint_nodes": 0})
    assert visits_of(one, 0) == 20_001
    assert visits_of(many, 0) > 1.2 * 20_001
    # The saved nodes go into new positions.
    assert many.tree.node_count > 1.1 * one.tree.node_count


def scores_of(memory: TreeMemory, node: int, more: int = 0) -> dict[int, float]:
    """Return the score of each move without a proven loss, as if it had ``more`` visits like its last."""
    visits = visits_of(memory, node)
    factor = (1.5 + math.log(1 + visits / 12_000)) * math.sqrt(visits)
    found = {}
    for edge in memory.edges_of(node):
        tried = memory.visits_of(edge)
        mean = memory.mean_of(edge) if tried else mean_of(memory, node)
        if mean >= -tree.CERTAIN and memory.move_of(edge) >= 0:
            found[edge] = mean + factor * prior_of(memory, edge) / (1 + tried + more)
    return found


def select_edge(method: BestFirst, node: int) -> tuple[int, int]:
    """Return the edge that a playout selects at a node, and how many playouts in a row would select it."""
    playout = new_record(tree.Playout)
    playout.visits_in_a_row = 1 << 30
    return select(method.pvs.state, method.memory.tree, playout, node), int(playout.visits_in_a_row)


@pytest.mark.parametrize("seed", range(3))
def test_as_many_visits_are_made_at_once_as_would_be_made_in_a_row(seed: int) -> None:
    position = opening(random.Random(seed), 9, None)
    _, method = grow(position, 6000, weights={"hint_nodes": 0})
    memory = method.memory
    bounded = 0
    for node in range(memory.tree.node_count):
        if visits_of(memory, node) < 30 or is_proven(memory, node):
            continue
        memory.nodes[node].cached_best = -1
        best, in_a_row = select_edge(method, node)
        found = scores_of(memory, node)
        rival = max(worth for edge, worth in found.items() if edge != best)
        assert found[best] > rival - 1e-6
        assert scores_of(memory, node, in_a_row - 1)[best] > rival - 1e-6
        most = 1 + memory.visits_of(best) // 6
        assert in_a_row == most or (
            in_a_row < most and scores_of(memory, node, in_a_row)[best] < rival + 1e-6
        )
        bounded += 1 < in_a_row < most
    assert bounded > 10


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_an_edge_selected_again_scores_no_less_than_any(seed: int) -> None:
    position = opening(random.Random(seed), 9, None)
    _, method = grow(position, 8000)
    memory = method.memory
    again = 0
    for node in range(memory.tree.node_count):
        visits = visits_of(memory, node)
        known = int(memory.nodes[node].cached_best)
        is_known = known >= 0 and visits < memory.nodes[node].cached_until
        best, _ = select_edge(method, node)
        found = scores_of(memory, node)
        if is_proven(memory, node) or not found:
            continue
        # Exploring may have grown a little since the moves were compared.
        exploring = (1.5 + math.log(1 + visits / 12_000)) * math.sqrt(visits)
        shares = [prior_of(memory, edge) / (1 + memory.visits_of(edge)) for edge in found]
        assert found[best] > max(found.values()) - 0.05 * exploring * max(shares) - 1e-6
        again += is_known and best - memory.edges_of(node)[0] == known
    assert again > 30


def nodes_behind(memory: TreeMemory, position: Position) -> dict[int, list[Position]]:
    """Return for each node the positions that the ways from the root lead to."""
    found: dict[int, list[Position]] = {0: [position]}
    todo = [(0, position)]
    while todo:
        node, before = todo.pop()
        for edge in memory.edges_of(node):
            child = memory.child_of(edge)
            if child < 0:
                continue
            after = before.copy()
            after.push(move_of(memory.move_of(edge), 9))
            if child not in found:
                todo.append((child, after))
            found.setdefault(child, []).append(after)
    return found


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))])
def test_ways_to_the_same_position_meet_in_one_node(seed: int) -> None:
    position = opening(random.Random(seed), 9, None)
    # Without nodes that take the place of others.
    searcher, memory = grow_tree(position, 4000, weights={"hint_nodes": 0, "complete_visits": 1 << 40})
    for _ in range(3):
        # The second and third time in a tree that was cut down.
        found = nodes_behind(memory, position)
        assert len(found) == memory.tree.node_count
        assert sum(len(positions) for positions in found.values()) > max(len(found) + 50, 1.05 * len(found))
        seen = set()
        for positions in found.values():
            assert all(other == positions[0] for other in positions)
            assert len({len(other.history) for other in positions}) == 1
            seen.add((positions[0].to_line(), len(positions[0].history)))
        assert len(seen) == len(found)
        for move in searcher.choose(position, Limits(nodes=1)).line[:2]:
            position.push(move)
        searcher.choose(position, Limits(nodes=2000))


def test_a_proof_reaches_all_paths_to_a_node() -> None:
    position = opening(random.Random(5), 9, None)
    _, memory = grow_tree(position, 6000)
    parents: dict[int, int] = {}
    told: list[int] = []
    for node in range(memory.tree.node_count):
        for edge in memory.edges_of(node):
            child = memory.child_of(edge)
            if child < 0:
                continue
            parents[child] = parents.get(child, 0) + 1
            if memory.visits_of(edge) == visits_of(memory, child) and not is_proven(memory, child):
                worth = mean_of(memory, child)
                assert memory.mean_of(edge) == pytest.approx(-worth, abs=1e-9)
                told.append(child)
    assert sum(told.count(child) > 1 for child in parents if parents[child] > 1) > 4


def key_of_node(memory: TreeMemory, node: int) -> int:
    return int(memory.nodes["key"][node])


def is_proven(memory: TreeMemory, node: int) -> bool:
    return bool(memory.nodes["is_proven"][node])


def test_walls_that_lengthen_the_rivals_way_are_never_left_out() -> None:
    position = opening(random.Random(2), 9, None)
    _, memory = grow_tree(position, 1500)
    checked = 0
    for node, positions in list(nodes_behind(memory, position).items())[:40]:
        before = positions[0]
        turn = before.turn
        assert turn is not None
        way = before.distance(3 - turn)
        listed = {move_of(memory.move_of(edge), 9) for edge in memory.edges_of(node)}
        for wall in before.legal_walls:
            after = before.copy()
            after.push(wall)
            if after.distance(3 - turn) != way:
                assert wall in listed
                checked += 1
    assert checked > 100


@pytest.mark.parametrize("seed", range(3))
def test_a_node_is_lost_only_when_all_its_moves_are(seed: int) -> None:
    position = Position.from_line(
        [
            "d1d2f2h2d3a4h4b5d5c6e8 / a1g1b3g4a5h7b8 / c4 f6 / 3 4 / 1",
            " /  / e6 d4 / 3 3 / 1",
            "c3h3 / e5 / e6 d3 / 3 3 / 1",
        ][seed]
    )
    _, memory = grow_tree(position, 15_000, weights={"hint_nodes": 0})
    lost = 0
    for node in range(memory.tree.node_count):
        if is_proven(memory, node) and mean_of(memory, node) < 0:
            assert memory.nodes[node].coverage == tree.ALL
            lost += 1
    assert lost > 0
    late = 0
    for node, positions in nodes_behind(memory, position).items():
        if memory.nodes[node].coverage == tree.ALL:
            moves = [memory.move_of(edge) for edge in memory.edges_of(node)]
            assert {number_of(move, 9) for move in positions[0].legal_moves} <= set(moves)
            # Walls that are not legal are taken out where they are tried.
            assert len({move for move in moves if move >= 0}) == sum(move >= 0 for move in moves)
            late += 1
    assert late > 100


def test_priors_of_the_moves_of_a_node_add_up_to_one() -> None:
    _, memory = grow_tree(Position(), 500)
    for node in range(memory.tree.node_count):
        edges = memory.edges_of(node)
        assert sum(prior_of(memory, edge) for edge in edges) == pytest.approx(1, abs=1e-4)


def test_a_node_with_many_visits_has_all_moves() -> None:
    position = opening(random.Random(3), 9, None)
    _, memory = grow_tree(position, 12_000, weights={"hint_nodes": 0, "complete_visits": 500} | ONE_AT_A_TIME)
    complete = incomplete = visited = 0
    for node, (before, *_) in list(nodes_behind(memory, position).items())[1:]:
        edges = memory.edges_of(node)
        if tree.find_node(memory.tree, key_of_node(memory, node)) != node or is_proven(memory, node):
            continue
        if visits_of(memory, node) < 500:
            incomplete += bool(memory.nodes[node].coverage == tree.LIKELY)
            continue
        listed = {memory.move_of(edge) for edge in edges}
        assert {number_of(move, 9) for move in before.legal_moves} <= listed
        priors = [prior_of(memory, edge) for edge in edges]
        assert sum(priors) == pytest.approx(1, abs=1e-4)
        assert min(priors) < max(priors) / 110
        # Those with visits come first, so that the search finds them.
        tried = [memory.visits_of(edge) > 0 for edge in edges if memory.move_of(edge) >= 0]
        assert tried == sorted(tried, reverse=True)
        visited += sum(memory.visits_of(edge) for edge in edges if prior_of(memory, edge) < max(priors) / 110)
        complete += 1
    assert complete > 3
    assert incomplete > 100
    assert visited > 0


def test_all_paths_lead_to_the_replacement_of_a_node() -> None:
    position = opening(random.Random(3), 9, None)
    searcher, memory = grow_tree(position, 12_000, weights={"hint_nodes": 0, "complete_visits": 200})

    def is_replaced(node: int) -> bool:
        return tree.find_node(memory.tree, key_of_node(memory, node)) != node

    edges = [edge for node in range(memory.tree.node_count) for edge in memory.edges_of(node)]
    before = {
        edge: memory.visits_of(edge)
        for edge in edges
        if memory.child_of(edge) >= 0 and is_replaced(memory.child_of(edge))
    }
    searcher.choose(position, Limits(nodes=12_000))
    again = [edge for edge, visits in before.items() if memory.visits_of(edge) > visits]
    assert len(again) > 2
    assert not any(memory.child_of(edge) >= 0 and is_replaced(memory.child_of(edge)) for edge in again)


def test_an_unvisited_edge_finds_its_child_again_when_all_moves_are_added() -> None:
    position = opening(random.Random(3), 9, None)
    _, method = grow(position, 3000, weights={"hint_nodes": 0, "complete_visits": 1 << 40})
    memory = method.memory
    edge = max(memory.edges_of(0), key=memory.visits_of)
    node = memory.child_of(edge)
    # As another thread does just before its visit.
    planted = next(number for number in memory.edges_of(node) if not memory.visits_of(number))
    memory.edges[planted].child = 0
    with method.hints.after(edge):
        new = complete(method.pvs.state, method.pvs.net, memory.tree, tree.int64(0), tree.int64(node))
    assert new != node
    for number in memory.edges_of(new):
        assert memory.visits_of(number) or memory.child_of(number) == tree.NO_NODE


def test_lines_contain_no_wall_that_cuts_a_player_off() -> None:
    # b1v would seal the corner around the first pawn.
    position = Position.from_line("a1 /  / a1 e9 / 8 8 / 2")
    searcher, _ = grow(position, 20_000)
    for choice in searcher.choose(position, Limits(nodes=20_000), 300).choices:
        twin = position.copy()
        for move in choice.line:
            assert twin.is_legal(move)
            twin.push(move)


@pytest.mark.parametrize("seed", range(4))
def test_the_tree_is_kept_from_one_move_to_the_next(seed: int) -> None:
    position = opening(random.Random(seed), 9, None)
    searcher, memory = grow_tree(position, 4000)
    line = searcher.choose(position, Limits(nodes=1)).line
    for move in line[:2]:
        position.push(move)
    before = searcher.choose(position, Limits(nodes=1)).choices[0]
    assert visits_of(memory, 0) > 100
    for node in range(memory.tree.node_count):
        tried = sum(memory.visits_of(edge) for edge in memory.edges_of(node))
        assert visits_of(memory, node) == tried + 1
    assert before.line[: len(line) - 2] == line[2:]


def test_another_game_begins_with_another_tree() -> None:
    position = Position()
    searcher, memory = grow_tree(position, 2000)
    searcher.choose(Position.from_line(" /  / e6 d7 / 5 5 / 1"), Limits(nodes=100))
    assert visits_of(memory, 0) == 101


def test_forgetting_forgets_the_tree() -> None:
    searcher, memory = grow_tree(Position(), 2000)
    searcher.clear()
    searcher.choose(Position(), Limits(nodes=100))
    assert visits_of(memory, 0) == 101


def test_a_tree_without_room_to_grow_still_counts_on() -> None:
    _, memory = grow_tree(Position(), 90_000, table_mb=1, weights={"hint_nodes": 0})
    assert memory.tree.edge_count + 260 >= memory.tree.edge_limit
    assert visits_of(memory, 0) > 90_000
    _, memory = grow_tree(Position(), 90_000, table_mb=1, weights={"hint_nodes": 0} | ONE_AT_A_TIME)
    assert visits_of(memory, 0) == 90_001


MIDDLE_GAMES = [
    "a4g4c6e6 / d2e4 / f4 c6 / 6 5 / 2",
    "c2e3h3a5 / d4g5 / d4 e6 / 4 5 / 1",
]


@pytest.mark.parametrize("line", MIDDLE_GAMES)
def test_moves_hinted_by_principal_variation_search_are_visited(line: str) -> None:
    position = Position.from_line(line)
    searcher, method = grow(position, 12_000)
    memory = method.memory
    hints = {move: hint for move, hint in method.hints.searches.items() if hint.score is not None}
    assert max(hint.depth for hint in hints.values()) > 2
    best = {move: hint.order[0] for move, hint in hints.items()}
    # The latest hint was given just before the end.
    searcher.choose(position, Limits(nodes=3000))
    for first, move in best.items():
        node = 0 if first is None else tree.find_child(memory.tree, 0, first)
        assert memory.visits_of(tree.find_edge(memory.tree, node, move)) > 10


def plant_hint(method: BestFirst, edge: int, move: int, score: int) -> None:
    """Give the node at an edge of the root a hint, as if a search there had found the move."""
    pvs, memory = method.pvs, method.memory
    with method.hints.after(edge):
        give_hint(pvs.state, pvs.net, memory.tree, memory.child_of(edge), edge, move, score)


def test_hints_add_pruned_moves() -> None:
    position = Position.from_line(MIDDLE_GAMES[0])
    _, method = grow(position, 3000)
    memory = method.memory
    edge = max(memory.edges_of(0), key=memory.visits_of)
    node = memory.child_of(edge)
    known = {memory.move_of(move) for move in memory.edges_of(node)}
    after = position.copy()
    after.push(move_of(memory.move_of(edge), 9))
    left_out = next(number for move in after.legal_walls if (number := number_of(move, 9)) not in known)
    plant_hint(method, edge, left_out, 0)
    new = memory.child_of(edge)
    assert new != node
    assert memory.nodes[node].coverage == tree.NOT_ENOUGH
    put_in = tree.find_edge(memory.tree, new, left_out)
    assert prior_of(memory, put_in) == pytest.approx(0.06)
    assert sum(prior_of(memory, move) for move in memory.edges_of(new)) == pytest.approx(1, abs=1e-2)
    assert {memory.move_of(move) for move in memory.edges_of(new)} > known
    # Other ways to the node find the one in its place.
    assert tree.find_node(memory.tree, key_of_node(memory, node)) == new


def test_a_move_that_is_proven_to_lose_is_not_played() -> None:
    position = Position.from_line(MIDDLE_GAMES[0])
    searcher, method = grow(position, 3000)
    memory = method.memory
    best = tree.best_edge(memory.tree, 0)
    plant_hint(method, best, memory.move_of(memory.edges_of(memory.child_of(best))[0]), scores.WIN - 9)
    found = searcher.choose(position, Limits(nodes=1), 300)
    lost = move_of(memory.move_of(best), 9)
    assert found.move != lost
    assert next(choice.score for choice in found.choices if choice.move == lost) == 10 - scores.WIN
    for number in range(memory.tree.node_count):
        tried = sum(memory.visits_of(edge) for edge in memory.edges_of(number))
        assert visits_of(memory, number) == tried + 1


def test_the_index_knows_the_node_that_took_the_place_of_another() -> None:
    position = Position()
    searcher, memory = grow_tree(position, 6000, table_mb=16)
    twins = 0
    while position.turn is not None and position.ply < 24:
        position.push(searcher.choose(position, Limits(nodes=6000)).move)
        latest: dict[int, int] = {}
        for node in range(memory.tree.node_count):
            twins += key_of_node(memory, node) in latest
            latest[key_of_node(memory, node)] = node
        for key, node in latest.items():
            assert tree.find_node(memory.tree, key) == node
    assert twins > 0


@pytest.mark.parametrize("table_mb", [1, 256, 6000, 7000, 16_384, 100_000])
def test_the_numbers_of_edges_have_32_bits(table_mb: int) -> None:
    nodes, edges, slots = room_in(table_mb)
    assert nodes < edges < 1 << 31
    assert slots > 2 * nodes
    assert edges * record_type(tree.Edge).itemsize <= table_mb << 20


def test_edges_and_nodes_are_as_small_as_they_can_be() -> None:
    assert record_type(tree.Edge).itemsize == 24
    # A line of the cache.
    assert record_type(tree.Node).itemsize == 64


def test_a_kept_root_has_all_moves() -> None:
    position = Position.from_line(MIDDLE_GAMES[1])
    searcher, memory = grow_tree(position, 20_000)
    for _ in range(3):
        position.push(searcher.choose(position, Limits(nodes=1)).move)
        searcher.choose(position, Limits(nodes=1))
        moves = {memory.move_of(edge) for edge in memory.edges_of(0)}
        assert {number_of(move, 9) for move in position.legal_moves} <= moves


def test_scores_survive_being_values() -> None:
    for score in (scores.WIN - 1, scores.WIN - 37, scores.RACE_WIN, scores.RACE_WIN - 80, scores.DECIDED + 1):
        for sign in (1, -1):
            value = tree.value_of(sign * score)
            assert tree.CERTAIN < abs(value) < 1
            assert tree.score_of(value) == sign * score
    values = [tree.value_of(score) for score in range(-2000, 2001, 50)]
    assert values == sorted(values)
    assert max(values) <= tree.CERTAIN


def test_a_proven_win_is_carried_out() -> None:
    # The second player has no walls left and one step more to go.
    position = Position.from_line(" /  / e5 e6 / 2 1 / 1")
    searcher, _ = grow(position, 5000)
    winner = None
    while position.turn is not None and len(position.history) < 40:
        found = searcher.choose(position, Limits(nodes=5000))
        if abs(found.score) > scores.DECIDED:
            expected = position.turn if found.score > 0 else 3 - position.turn
            assert winner in {None, expected}
            winner = expected
        position.push(found.move)
    assert position.winner == winner is not None


def test_a_forced_win_is_found_and_counted() -> None:
    position = Position.from_line(" /  / e7 a5 / 1 1 / 1")
    found = Searcher(9, 2, 4).choose(position, Limits(nodes=50_000))
    assert found.score > scores.DECIDED
    assert isinstance(found.move, Step)


def test_weights_select_other_searches() -> None:
    for weights in ({"tree": 0}, {"network": 0}):
        searcher = Searcher(9, 2, 1, weights=weights)
        assert type(searcher._method) is Deepening
        assert searcher.choose(Position(), Limits(nodes=1000)).choices[0].visits == 0
    assert type(Searcher(6, 2, 1)._method) is Deepening


def test_a_depth_limit_is_searched_to_that_depth() -> None:
    searcher, _ = grow(Position(), 100)
    assert searcher.choose(Position(), Limits(depth=5)).depth == 5


@pytest.mark.parametrize(
    "line",
    [
        " /  / i1 i2 / 1 5 / 1",
        "d1d2f2h2d3a4h4b5d5c6e8 / a1g1b3g4a5h7b8 / a1 a2 / 10 0 / 1",
        "c1e4a8e8h8 / a1h2d3e3h4d5g6 / b1 b2 / 3 0 / 1",
    ],
)
def test_a_move_known_to_lose_is_not_chosen(line: str) -> None:
    position = Position.from_line(line)
    found = Searcher(9, 2, 4).choose(position, Limits(nodes=1000))
    position.push(found.move)
    reply = Searcher(9, 2, 4, weights={"tree": 0}).choose(position, Limits(nodes=100))
    assert reply.choices[0].wins_in != 1


def test_cancelling_all_the_time_leaves_a_move_to_play() -> None:
    position = Position.from_line("d4 /  / d6 f4 / 3 3 / 1")
    searcher = Searcher(9, 2, 4)
    is_done = threading.Event()

    def cancel() -> None:
        while not is_done.wait(0.0002):
            searcher.cancel()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    try:
        for number in range(60):
            limits = Limits(depth=8) if number % 2 else Limits(nodes=100_000)
            assert position.is_legal(searcher.choose(position, limits).move)
    finally:
        is_done.set()
        canceller.join()


def test_a_cancel_right_after_the_start_is_not_lost() -> None:
    def clock() -> float:
        # The first thing a search does is to look at its clock.
        searcher.cancel()
        return 0.0

    searcher = Searcher(9, 2, 4, clock=clock)
    assert searcher.choose(Position(), Limits(nodes=10**7)).nodes < 1000


def test_a_large_tree_is_dropped_when_time_is_short() -> None:
    position = Position()
    searcher, memory = grow_tree(position, 40_000, table_mb=16)
    position.push(searcher.choose(position, Limits(nodes=1)).move)
    searcher.choose(position, Limits(time=0.007))
    assert visits_of(memory, 0) < 1000
