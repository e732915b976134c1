"""The one record that a search works on.

::

    State
    |-- the board: size, goals, edges, walls[384]      never change
    |-- control: stop, nodes, deadline ...             another thread may set ``stop``
    |-- weights, terms                                 of the linear evaluation
    |-- frames[98] ------ the stack: one Frame per ply; making a move writes the next one, so that nothing has
    |                     to be unmade
    |-- layers, corridors, paths, threats, lists,      beside the stack, what belongs to a ply but is too
    |   lines, killers                                 large to be copied with each move
    |-- history                                        of the move ordering
    `-- keys                                           random numbers that form the hash key

Squares, seats and moves are numbered as :mod:`quoridor_net.engine.board.moves` says. Arrays of two by
orientation have what belongs to horizontal walls first: the passages that those close are the ones to the
south of a square, the second ones those to the east. A bitboard is two words, see
:mod:`quoridor_net.engine.board.bitboard`.
"""

from __future__ import annotations

from typing import Annotated

from quoridor_net.engine.board.moves import MOVES, PLIES, SEATS
from quoridor_net.jit.arrays import Array, Table, UnsignedWords, Words

#: Number of squares of the largest board, for which memory is reserved and keys are drawn.
SQUARES = 122
#: No position has more moves, legal or not.
MOST_MOVES = 260
#: Room for the walls that a seat has left, none included, and for those on a board.
WALLS_LEFT_LIMIT = 128
PLACED_LIMIT = 256
#: Positions before the root that are remembered.
PAST_LIMIT = 256
#: Floods that run side by side.
LANES = 8


class Frame:
    """One ply of the searched line: the data that a move changes."""

    #: The squares whose passage to the south, and whose passage to the east, is open: two bitboards.
    passages: Annotated[Table, 2, 2]
    #: The anchors where a horizontal, and where a vertical wall fits.
    fits: Annotated[Table, 2, 2]
    #: The anchors that are a point of a wall.
    touched: Annotated[Words, 2]
    #: The square of each seat's pawn, -1 for one that is out of the game.
    pawns: Annotated[Words, SEATS]
    walls_left: Annotated[Words, SEATS]
    turn: int
    key: int
    #: The ply of the last wall: its distance layers, and its sums of walls in the accumulator, hold here.
    wall_ply: int
    #: Plies since the last wall.
    reversible: int
    #: The move that led here.
    move: int
    #: Steps from each pawn to its goal line.
    distances: Annotated[Words, SEATS]
    #: The ply at which the network last added up the walls as seen from each pawn.
    wall_sum_ply: Annotated[Words, SEATS]
    wall_count: int
    #: 1 if the layers reach every square, 0 if they need only reach the pawns.
    is_flooded: int
    #: The ply at which the corridor of each seat was found, -1 if it is not known.
    corridor_ply: Annotated[Words, SEATS]
    #: The same for one path of each seat.
    path_ply: Annotated[Words, SEATS]


class Corridor:
    """All shortest paths of a seat: the walls that cut one of them, and those that surely cut all."""

    cuts: Annotated[Table, 2, 2]
    chokes: Annotated[Table, 2, 2]
    #: Steps that a single wall can block.
    narrow: int


class SeatPath:
    """One path of a seat, as the walls that cut it."""

    cuts: Annotated[Table, 2, 2]


class Threat:
    """A wall and its effect: the net gain plus two, kept within 1 to ``MOST``."""

    move: int
    effect: int


class Threats:
    """What single walls do to the path of a seat, see :mod:`quoridor_net.engine.evaluation.threats`."""

    gain: int
    net_gain: int
    strong: int
    wall_count: int
    walls: Annotated[Array[Threat], 128]


class OrderedMoves:
    """The moves of a ply, how early to search each, and its logit in units of 1/1024."""

    moves: Annotated[Words, MOST_MOVES]
    scores: Annotated[Words, MOST_MOVES]
    priors: Annotated[Words, MOST_MOVES]


class MovePicker:
    """How far the moves of a ply have been searched, see :mod:`quoridor_net.engine.alphabeta.move_picker`."""

    table_move: int
    #: 1 if the table's move is searched before any are listed.
    has_table_move: int
    #: The number of the next move, -1 for the table's; and how many are listed, -1 if none have been.
    index: int
    total: int
    #: 1 if all moves are listed, 0 if unlikely ones are left out.
    is_whole: int
    #: The largest prior, 0 without the network.
    best_prior: int


class PrincipalVariation:
    """A principal variation."""

    length: int
    moves: Annotated[Words, PLIES + 1]


class WallSets:
    """The passages that a wall closes, by square, and all four squares that it touches."""

    closes: Annotated[Words, 2]
    beside: Annotated[Words, 2]


class LaneSet:
    """A bitboard for each lane, the words side by side, so that the same is done to all lanes at once."""

    low: Annotated[UnsignedWords, LANES]
    high: Annotated[UnsignedWords, LANES]


class Lanes:
    """Floods for one seat with one more wall each: the passages, the last two layers, and the results."""

    east: LaneSet
    south: LaneSet
    new: LaneSet
    old: LaneSet
    #: The distance, -1 as long as the pawn was not reached.
    distances: Annotated[Words, LANES]


class Weights:
    """What evaluation and search are tuned by, see :mod:`quoridor_net.engine.evaluation.weights`."""

    nearest: int
    lmr_depth: int
    lmr_one: int
    lmr_two: int
    lmr_three: int
    history_prior: int
    killer_prior: int
    lmr_gap: int
    prune_gap: int
    prune_depth: int
    rfp_depth: int
    rfp_margin: int
    cpuct: int
    fpu_reduction: int
    omit: int
    complete_visits: int
    policy_temperature: int
    cpuct_growth: int
    hint_nodes: int
    hint_prior: int
    multivisit: int
    maxn_cpuct: int
    maxn_cpuct_visits: int
    maxn_fpu_reduction: int
    maxn_sharpness: int
    maxn_wall_prior: int
    #: Weights of the linear evaluation: of each term, and by walls left with and without the network.
    terms: Annotated[Words, 8]
    walls: Annotated[Words, 21]
    plain_walls: Annotated[Words, 21]


class SearchState:
    """Everything that a search works on but the tables that grow."""

    board_size: int
    players: int
    has_classroom_jumps: int
    #: The goal line of each seat.
    goals: Annotated[Table, SEATS, 2]
    #: Where a horizontal, and where a vertical wall touches the edge with its first, and with its last point.
    near_edges: Annotated[Table, 2, 2]
    far_edges: Annotated[Table, 2, 2]
    #: Of each wall by its number as a move.
    walls: Annotated[Array[WallSets], MOVES]

    # Random numbers that form keys. Their order matters, because they are drawn in one go.
    pawn_keys: Annotated[Table, SEATS, SQUARES]
    wall_keys: Annotated[Words, MOVES]
    walls_left_keys: Annotated[Table, SEATS, WALLS_LEFT_LIMIT]
    turn_keys: Annotated[Words, SEATS]

    #: May be set from another thread.
    stop: int
    nodes: int
    node_limit: int
    #: When to stop, in nanoseconds of the monotonic clock, 0 for never; then two words to read it into.
    clock: Annotated[Words, 3]
    #: After how many nodes a search breaks off to be gone on with, and whether it has.
    pause_at: int
    is_paused: int
    #: The transposition table: its address, the number of buckets less 1, and the search that writes.
    table: int
    table_mask: int
    generation: int
    #: 1 when the network judges positions, 0 when it does not know games of this kind.
    has_network: int
    weights: Weights
    #: The last inputs of the linear evaluation.
    terms: Annotated[Words, 8]

    root_count: int
    root_moves: Annotated[Words, MOST_MOVES]
    root_best: int
    root_score: int
    root_seat: int
    #: The keys of the game so far, then of the line.
    past_count: int
    past: Annotated[Words, PAST_LIMIT + PLIES + 4]
    #: The walls on the board, in the order they were put there.
    placed: Annotated[Words, PLACED_LIMIT]

    frames: Annotated[Array[Frame], PLIES + 2]
    #: For each ply whose move was a wall, and each seat, the squares at each distance, ended by none.
    layers: Annotated[Array[Array[Table]], PLIES + 1, SEATS, SQUARES + 4, 2]
    corridors: Annotated[Array[Array[Corridor]], PLIES + 1, SEATS]
    paths: Annotated[Array[Array[SeatPath]], PLIES + 1, SEATS]
    threats: Annotated[Array[Array[Threats]], PLIES + 1, 2]
    lists: Annotated[Array[OrderedMoves], PLIES + 1]
    pickers: Annotated[Array[MovePicker], PLIES + 1]
    lines: Annotated[Array[PrincipalVariation], PLIES + 2]
    killers: Annotated[Table, PLIES + 2, 2]
    #: How often each seat's moves refuted a line.
    history: Annotated[Table, SEATS, MOVES]

    # Space to work in.
    #: The squares known to have a path to a goal line.
    reachable: Annotated[Words, 2]
    #: The effect of each wall of the seat to move, and of a wall of its rival that it would cross.
    effects: Annotated[Table, 2, MOVES]
    #: Walls whose effect is worked out, the distance of each seat with them, and the floods that find it.
    tried: Annotated[Words, 2 * WALLS_LEFT_LIMIT]
    lengths: Annotated[Table, SEATS, MOVES]
    lanes: Lanes
