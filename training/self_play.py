"""Kernel of self-play for two players, without Python between the moves.

A game begins with moves drawn from the policy. Then each position is searched, most of them briefly: results
are scarce, and a position whose value learns the result does not need many visits. The first moves are drawn
by visits, and occasional later ones from the policy, to reach odd positions too.
"""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from quoridor_net.engine.board.make import make_move
from quoridor_net.engine.board.movegen import generate_moves
from quoridor_net.engine.board.moves import ILLEGAL, MADE, NO_MOVE, WINS
from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.endgame.race import can_win, race_score
from quoridor_net.engine.evaluation.forward import forward
from quoridor_net.engine.evaluation.network import LOGIT, Network
from quoridor_net.engine.evaluation.policy import find_priors
from quoridor_net.engine.mcts.backup import is_root_proven
from quoridor_net.engine.mcts.evaluate import is_decided
from quoridor_net.engine.mcts.search import grow
from quoridor_net.engine.mcts.stack import refresh
from quoridor_net.engine.mcts.tree import (
    CERTAIN,
    Node,
    Playout,
    Tree,
    best_edge,
    clear,
    edge_at,
    int64,
    is_proven_loss,
    node_at,
)
from quoridor_net.jit.arrays import Fractions
from training.jit import kernel
from training.samples import MOVES, ONE, Sample, sample_at

#: A game that is not over after this many plies is given up.
PLIES = 150
#: Number of moves after the opening that are drawn by visits.
_DRAWN = 8
#: Maximum number of draws from the policy, which may hit illegal walls. Each takes one random number; a ply
#: needs a few more.
_ATTEMPTS = 20
RANDOM_NUMBERS = PLIES * (_ATTEMPTS + 5)
#: Temperatures of the policy: in the opening, in its last two plies, and for odd moves.
_WARM, _HOT, _ODD = 1.6, 2.5, 4.0
_NEVER = 1 << 60
NOBODY = -1


class Settings:
    """Settings of a game."""

    #: Number of opening plies, drawn from the policy.
    opening: int
    #: Nodes of a search and of a brief one, both varied by up to 40 %, and the share of brief searches.
    nodes: int
    brief_nodes: int
    brief: Annotated[float, np.float64]
    #: Share of moves drawn from the policy.
    odd: Annotated[float, np.float64]


@kernel
def _draw_from_policy(
    state: SearchState, net: Network, temperature: float, random: Fractions, at: int
) -> int:
    """Draw a move from the policy and make it in the first frame, which is complete.

    Uses at most ``_ATTEMPTS`` of the random numbers, from ``at`` on.

    Returns:
        The outcome of the move, or ILLEGAL if no legal one was drawn.
    """
    root = int64(0)
    moves = state.lists[root]
    total = generate_moves(state, root)
    if total == 0:
        return ILLEGAL
    forward(state, net, root)
    top = find_priors(state, net, root, total)
    per_logit = 1.0 / (LOGIT * temperature)
    weight = 0.0
    for index in range(total):
        weight += math.exp((moves.priors[index] - top) * per_logit)
    for attempt in range(_ATTEMPTS):
        rest = random[at + attempt] * weight
        chosen = 0
        for index in range(total):
            rest -= math.exp((moves.priors[index] - top) * per_logit)
            chosen = index
            if rest <= 0:
                break
        outcome = make_move(state, root, moves.moves[chosen])
        if outcome != ILLEGAL:
            return outcome
    return ILLEGAL


@kernel
def _draw_by_visits(tree: Tree, share: float) -> int:
    """Return the root move at the quantile ``share`` of the visits of the edges."""
    root = node_at(tree.nodes, int64(0))
    rest = share * (root.visits - 1)
    chosen = NO_MOVE
    for number in range(root.first_edge, root.first_edge + root.edge_count):
        edge = edge_at(tree.edges, number)
        if edge.move < 0 or edge.visits == 0:
            continue
        chosen = int64(edge.move)
        rest -= edge.visits
        if rest <= 0:
            break
    return chosen


@kernel
def _search(state: SearchState, net: Network, tree: Tree, playout: Playout, nodes: int) -> int:
    """Search the position in the first frame, which is complete, with an empty tree.

    Returns:
        The number of the best edge of the root, or -1 without a legal move.
    """
    root = int64(0)
    state.nodes = state.stop = state.is_paused = 0
    state.node_limit = nodes
    state.pause_at = _NEVER
    clear(tree)
    state.root_count = generate_moves(state, root)
    if state.root_count == 0:
        return -1
    for index in range(state.root_count):
        state.root_moves[index] = state.lists[root].moves[index]
    grow(state, net, tree, playout)
    return best_edge(tree, root)


@kernel
def _keep_visits(tree: Tree, root: Node, sample: Sample) -> None:
    """Write the most visited moves of the root in order of visits, except proven losses."""
    total = 0
    for number in range(root.first_edge, root.first_edge + root.edge_count):
        edge = edge_at(tree.edges, number)
        if edge.move < 0 or edge.visits == 0 or is_proven_loss(edge):
            continue
        share = int64(ONE) * edge.visits // root.visits
        place = min(total, MOVES - 1)
        if total >= MOVES and sample.shares[place] >= share:
            continue
        while place > 0 and sample.shares[place - 1] < share:
            sample.shares[place] = sample.shares[place - 1]
            sample.moves[place] = sample.moves[place - 1]
            place -= 1
        sample.shares[place] = share
        sample.moves[place] = edge.move
        total += 1


@kernel
def _keep(state: SearchState, tree: Tree, best: int, is_brief: bool, sample: Sample) -> None:
    """Write the position in the first frame and the result of the search to ``sample``."""
    frame = state.frames[0]
    sample.turn = frame.turn
    for seat in range(2):
        sample.pawns[seat] = frame.pawns[seat]
        sample.walls_left[seat] = frame.walls_left[seat]
    sample.wall_count = frame.wall_count
    for index in range(len(sample.walls)):
        sample.walls[index] = state.placed[index] if index < frame.wall_count else NO_MOVE
    edge = edge_at(tree.edges, best)
    sample.value = int(ONE * edge.value_sum / edge.visits)
    for index in range(MOVES):
        sample.moves[index] = NO_MOVE
        sample.shares[index] = 0
    if not is_brief:
        _keep_visits(tree, node_at(tree.nodes, int64(0)), sample)


@kernel
def _winner_of_race(state: SearchState) -> int:
    """Return the seat that wins the decided race in the first frame; if unknown, the nearer one."""
    frame = state.frames[0]
    seat = frame.turn
    known = race_score(state, int64(0))
    if can_win(state, frame) or known > 0:
        return seat
    if known < 0:
        return 1 - seat
    return seat if frame.distances[seat] <= frame.distances[1 - seat] else 1 - seat


@kernel
def _winner_at_root(tree: Tree, best: int, seat: int) -> int:
    """Return the proven winner at the root, or NOBODY.

    Args:
        tree: the tree.
        best: number of the best edge of the root.
        seat: seat to move at the root.
    """
    edge = edge_at(tree.edges, best)
    if edge.value_sum > CERTAIN * edge.visits:
        return seat
    # If all visited moves lose, an unvisited one may still save the game.
    return 1 - seat if is_root_proven(tree) else NOBODY


@kernel
def play(
    state: SearchState,
    net: Network,
    tree: Tree,
    playout: Playout,
    settings: Settings,
    random: Fractions,
    samples: int,
) -> int:
    """Play a game from the position in the first frame.

    Args:
        state: state with the position.
        net: the network.
        tree: tree of the searches.
        playout: scratch memory of the searches.
        settings: settings of the game.
        random: ``RANDOM_NUMBERS`` random numbers from 0 to 1.
        samples: address of at least ``PLIES`` samples.

    Returns:
        The number of samples written; 0 for a game that was given up.
    """
    root = int64(0)
    count = at = drawn = 0
    winner = NOBODY
    tree.root_ply = 0
    for ply in range(PLIES):
        frame = state.frames[root]
        seat = frame.turn
        # As after loading the position: there is no history.
        frame.move = NO_MOVE
        frame.reversible = state.past_count = 0
        refresh(state, net, root)
        if is_decided(state, root):
            winner = _winner_of_race(state)
            break
        if ply < settings.opening:
            temperature = _WARM if ply < settings.opening - 2 else _HOT
            outcome = _draw_from_policy(state, net, temperature, random, at)
            at += _ATTEMPTS
        else:
            is_brief = random[at] < settings.brief
            nodes = settings.brief_nodes if is_brief else settings.nodes
            best = _search(state, net, tree, playout, max(int(nodes * (0.6 + 0.8 * random[at + 1])), 2))
            if best < 0:
                break
            winner = _winner_at_root(tree, best, seat)
            if winner != NOBODY:
                break
            _keep(state, tree, best, is_brief, sample_at(samples, count))
            count += 1
            if random[at + 2] < settings.odd:
                outcome = _draw_from_policy(state, net, _ODD, random, at + 4)
            else:
                share = random[at + 3]
                move = (
                    _draw_by_visits(tree, share) if drawn < _DRAWN else int64(edge_at(tree.edges, best).move)
                )
                drawn += 1
                outcome = make_move(state, root, move)
            at += 4 + _ATTEMPTS
        if outcome == WINS:
            winner = seat
            break
        if outcome != MADE:
            break
        state.frames[root] = state.frames[root + 1]
    if winner == NOBODY:
        return 0
    for number in range(count):
        sample = sample_at(samples, number)
        sample.won = int(sample.turn == winner)
    return count
