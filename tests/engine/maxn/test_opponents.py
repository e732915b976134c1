"""The opponent model: its predictions of rivals, and the styles it infers."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from quoridor_net.engine import Limits
from quoridor_net.engine.board.convert import load_position, new_state, number_of
from quoridor_net.engine.board.distances import flood_all
from quoridor_net.engine.board.moves import HORIZONTAL, SEATS
from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.maxn import styles
from quoridor_net.engine.maxn.features import find_gains
from quoridor_net.engine.maxn.inference import Opponents
from quoridor_net.engine.maxn.network import load_network
from quoridor_net.engine.maxn.opponents import expected, find_traits, observe, try_move
from quoridor_net.engine.maxn.tree import MaxNTree
from quoridor_net.engine.searcher import Searcher
from quoridor_net.jit.records import new_record
from quoridor_net.moves import walls_between
from quoridor_net.rules import Jumps, Move, Orientation, Position, Square, Step, Wall
from tests.support.positions import crowded_position, play_randomly
from training.league import KINDS, play
from training.styles import STYLE_OF

pytestmark = pytest.mark.compiled("engine")


def load_state(position: Position) -> tuple[SearchState, MaxNTree]:
    state, tree = new_state(position.size, SEATS), new_record(MaxNTree)
    load_network(tree.network)
    styles.load_styles(tree.opponents)
    load_position(state, position)
    assert flood_all(state, 0)
    return state, tree


def traits_of(position: Position, move: Move) -> list[float]:
    state, tree = load_state(position)
    find_gains(state, tree, 0)
    chance = try_move(state, tree, 0, number_of(move, position.size))
    find_traits(state, tree, 0, number_of(move, position.size), chance)
    return list(map(float, tree.opponents.traits))


def away(position: Position, player: int) -> int:
    distance = position.distance(player)
    assert distance is not None
    return distance


@pytest.mark.parametrize("jumps", Jumps)
@pytest.mark.parametrize("size", [3, 9, 11])
def test_predictions_are_a_distribution_over_legal_moves(size: int, jumps: Jumps) -> None:
    source = random.Random(f"{size} {jumps}")
    for _ in range(10):
        position = crowded_position(source, size, SEATS, jumps)
        if position.turn is None:
            continue
        state, tree = load_state(position)
        seat = int(state.frames[0].turn)
        total = observe(state, tree)
        found = {int(state.lists[0].moves[index]): expected(tree, seat, index) for index in range(total)}
        legal = {number_of(move, size) for move in position.legal_moves}
        assert {move for move, share in found.items() if share >= 0} == legal
        assert sum(share for share in found.values() if share >= 0) == pytest.approx(1)


@pytest.mark.parametrize("seed", range(8))
def test_traits_agree_with_distances_by_the_rules(seed: int) -> None:
    source = random.Random(seed)
    # On the smaller board everybody is about to win.
    position = Position(5 if seed % 2 else 9, SEATS, 5, source.choice(list(Jumps)))
    play_randomly(position, source, 12)
    player = position.turn
    assert player is not None
    rivals = [other for other in position.order if other != player]
    own = away(position, player)
    before = {other: away(position, other) for other in rivals}
    nearest = min(rivals, key=lambda other: before[other])
    for move in source.choices(position.legal_moves, k=12):
        traits = traits_of(position, move)
        walls = len(position.walls)
        position.push(move)
        gain = own - away(position, player) if position.winner is None else own
        detours = {other: away(position, other) - before[other] for other in rivals}
        position.pop()
        is_ahead, is_behind = own < before[nearest], own > before[nearest]
        if isinstance(move, Step):
            assert traits[: styles.WALL] == [gain, gain * is_ahead, gain * is_behind]
            assert not any(traits[styles.WALL : styles.CHANCE])
        else:
            assert traits[styles.WALL : styles.BLOCK] == [1, is_ahead, is_behind]
            block = detours[nearest]
            assert traits[styles.BLOCK] == min(block, 4)
            assert traits[styles.BLOCK_NEEDED] == (0 if is_ahead else min(block, 4))
            assert traits[styles.BLOCKS] == (block > 0)
            assert traits[styles.BLOCK_OTHERS] == min(sum(detours.values()) - block, 4)
            assert traits[styles.BLOCK_SELF] == min(-gain, 4)
            assert traits[styles.IDLE] == (gain == 0 and not any(detours.values()))
            assert traits[styles.WALLS_PLACED] == pytest.approx(walls / 20)
            is_near = before[nearest] <= 5
            assert traits[styles.WALL_NEAR] == is_near
            assert traits[styles.BLOCK_NEAR] == is_near * min(block, 4)
            pawn = position.pawn(nearest)
            assert pawn is not None
            is_beside = pawn.column - move.column in (0, 1) and pawn.row - move.row in (0, 1)
            # A wall that lengthens the path cuts all shortest ones; beside the pawn it may cut only some.
            assert traits[styles.CUTS] >= (block > 0)
            assert traits[styles.CUTS_BESIDE] == (traits[styles.CUTS] and is_beside)
            path = position.shortest_path(nearest)
            assert traits[styles.CUTS] >= any(move in walls_between(*step) for step in pairwise(path))
        assert traits[styles.CHANCE] < 0


def test_walls_cut_a_path_where_they_cross_it_and_beside_the_pawn_only_there() -> None:
    # Player 1 is the nearest rival and has one shortest path, straight down.
    pawns = [Square(4, 6), Square(0, 7), Square(1, 3), Square(6, 3)]
    position = Position.setup(pawns, [3] * 4, turn=2, size=9)
    cutting = {wall: traits_of(position, wall) for wall in position.legal_walls}
    across = {Wall(column, row, Orientation.HORIZONTAL) for column in (3, 4) for row in (6, 7)}
    assert {wall for wall, traits in cutting.items() if traits[styles.CUTS]} == across
    beside = {wall for wall in across if wall.row == 6}
    assert {wall for wall, traits in cutting.items() if traits[styles.CUTS_BESIDE]} == beside


#: By then no builder has run for long.
PLIES = 32


def shares_after(kinds: tuple[str, ...], seed: int) -> tuple[Position, MaxNTree]:
    """Return a position of a game between players of these kinds, and the styles inferred from it."""
    players = [KINDS[kind](9, Limits(nodes=60), seed, {}) for kind in kinds]
    state, tree = load_state(Position(9, SEATS))
    opponents = Opponents(state, tree)
    for position in play(players, Position(9, SEATS, None)):
        opponents.watch(position)
        if position.ply == PLIES:
            break
    return position, tree


def test_players_are_known_by_their_moves() -> None:
    kinds = tuple(kind for kind in KINDS if kind != "best_reply")
    totals = dict.fromkeys(kinds, (0.0,) * styles.STYLES)
    for seed in range(len(kinds)):
        seated = (kinds[seed:] + kinds[:seed])[:SEATS]
        _, tree = shares_after(seated, seed)
        for seat, kind in enumerate(seated):
            shares = list(map(float, tree.opponents.shares[seat]))
            assert sum(shares) == pytest.approx(1)
            totals[kind] = tuple(total + share for total, share in zip(totals[kind], shares, strict=True))
    # Nobody is taken for a style more surely than who has it.
    for kind in kinds:
        number = styles.NAMES.index(STYLE_OF[kind])
        assert max(kinds, key=lambda other: totals[other][number]) == kind


def test_watching_each_move_is_watching_the_whole_game() -> None:
    position, tree = shares_after(("runner", "simple", "simple", "runner"), 2)
    assert position.ply == PLIES
    state, other = load_state(Position(9, SEATS))
    Opponents(state, other).watch(position)
    for each, whole in zip(tree.opponents.shares, other.opponents.shares, strict=True):
        assert list(each) == pytest.approx(list(whole))


def test_another_game_and_an_undone_move_reset_the_opponent_model() -> None:
    state, tree = load_state(Position(9, SEATS))
    opponents = Opponents(state, tree)
    game = Position(9, SEATS)
    for _ in range(12):
        game.push(Wall(0, 0, Orientation.HORIZONTAL) if game.ply == 0 else game.legal_steps[0])
    opponents.watch(game)
    before = [list(map(float, shares)) for shares in tree.opponents.shares]
    opponents.watch(Position(9, SEATS))
    anything = [1 / styles.STYLES] * styles.STYLES
    assert [list(map(float, shares)) for shares in tree.opponents.shares] == [anything] * SEATS
    opponents.watch(game)
    assert [list(map(float, shares)) for shares in tree.opponents.shares] == before


def test_blockers_are_expected_to_block_the_leader_and_runners_to_step() -> None:
    # Player 2, to move, is behind player 1.
    pawns = [Square(4, 6), Square(0, 7), Square(1, 3), Square(6, 3)]
    position = Position.setup(pawns, [3] * 4, turn=2, size=9)
    state, tree = load_state(position)
    seat = int(state.frames[0].turn)
    idle = {number_of(wall, 9) for wall in position.legal_walls if traits_of(position, wall)[styles.IDLE]}
    walls, wasted = {}, {}
    for style, name in enumerate(styles.NAMES):
        tree.opponents.shares[seat] = [float(each == style) for each in range(styles.STYLES)]
        total = observe(state, tree)
        moves = state.lists[0].moves[:total]
        shares = {int(move): max(expected(tree, seat, index), 0) for index, move in enumerate(moves)}
        walls[name] = sum(share for move, share in shares.items() if move >= HORIZONTAL)
        wasted[name] = sum(share for move, share in shares.items() if move in idle)
    assert walls["runner"] < 0.1
    assert all(walls[name] > 0.5 for name in ("blocker", "front", "careless", "late", "stray"))
    assert walls["runner"] < walls["fickle"] < walls["front"]
    assert walls["class_b"] < 0.5 < walls["class_a"]
    assert wasted["class_d"] > walls["class_d"] / 2
    assert all(wasted[name] < walls[name] / 2 for name in ("class_a", "class_b", "class_c", "class_e"))


def test_rivals_are_watched_after_a_change_of_the_jump_rule() -> None:
    pawns = [Square(4, 3), Square(4, 4), Square(4, 5), Square(8, 4)]
    position = Position.setup(pawns, [2] * 4, turn=1, size=9)
    position.push(Step(Square(4, 6)), Jumps.CLASSROOM)
    state, tree = load_state(position)
    Opponents(state, tree).watch(position)
    assert Searcher(9, 4, 1).choose(position, Limits(nodes=50)).choices
