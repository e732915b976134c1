"""The one record that a search works on.

::

    State
    |-- the board: size, goals, edges, walls[384]      never change
    |-- control: stop, nodes, deadline ...             another thread may set ``stop``
    |-- weights, terms                                 of the linear evaluation
    |-- frames[98] ------ the stack: one Frame per ply; making a move writes the next one, so that nothing has
    |                     to be unmade
    |-- layers, corridors, paths, threats, lists,      data of a ply that is too large to copy with each move
    |   lines, killers
    |-- history                                        of the move ordering
    `-- keys                                           random numbers that form the hash key

For the numbers of squares, seats and moves see :mod:`quoridor_net.engine.board.moves`. Arrays of two by
orientation start with horizontal walls, which close passages to the south of a square; vertical walls close
passages to the east. A bitboard is two words, see :mod:`quoridor_net.engine.board.bitboard`.
"""

from __future__ import annotations

from typing import Annotated

from quoridor_net.engine.board.moves import MOVES, PLIES, SEATS
from quoridor_net.jit.arrays import Array, Table, UnsignedWords, Words

#: Number of squares that memory is reserved and keys are drawn for.
SQUARES = 122
#: Maximum number of moves of a position, including illegal ones.
MOST_MOVES = 260
#: Room for the counts of walls left of a seat, including 0, and for the walls on a board.
WALLS_LEFT_LIMIT = 128
PLACED_LIMIT = 256
#: Maximum number of positions before the root to remember.
PAST_LIMIT = 256
# How far the distance layers of a frame reach. UNKNOWN: those of some seats may be of other walls. TO_PAWNS:
# as far as the pawns when the layers were filled.
UNKNOWN = 0
TO_PAWNS = 1
EVERYWHERE = 2
#: Number of floods that run in parallel.
LANES = 8


class Frame:
    """One ply of the searched line: the data that a move changes."""

    #: The squares whose passage to the south, and whose passage to the east, is open: two bitboards.
    passages: Annotated[Table, 2, 2]
    #: The anchors where a horizontal, and where a vertical wall fits.
    fits: Annotated[Table, 2, 2]
    #: The anchors that are a point of a wall.
    touched: Annotated[Words, 2]
    #: Those of them that walls connect with the edge.
    tied: Annotated[Words, 2]
    #: The square of each seat's pawn, -1 for one that is out of the game.
    pawns: Annotated[Words, SEATS]
    walls_left: Annotated[Words, SEATS]
    turn: int
    key: int
    #: The ply of the last wall, whose distance layers and sums of walls in the accumulator are still valid.
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
    #: How far the layers reach: UNKNOWN, TO_PAWNS or EVERYWHERE.
    flooded: int
    #: The ply at which the corridor of each seat was found, -1 if unknown.
    corridor_ply: Annotated[Words, SEATS]
    #: The same for one path of each seat.
    path_ply: Annotated[Words, SEATS]


class Corridor:
    """All shortest paths of a seat: the walls that cut one of them, and the walls that surely cut all."""

    cuts: Annotated[Table, 2, 2]
    chokes: Annotated[Table, 2, 2]
    #: Steps that a single wall can block.
    narrow: int


class SeatPath:
    """One path of a seat, stored as the walls that cut it."""

    cuts: Annotated[Table, 2, 2]


class Threat:
    """A wall and its effect: the net gain plus two, kept within 1 to ``MOST``."""

    move: int
    effect: int


class Threats:
    """The threats of single walls to a seat, see :mod:`quoridor_net.engine.evaluation.threats`."""

    gain: int
    net_gain: int
    strong: int
    wall_count: int
    walls: Annotated[Array[Threat], 128]


class OrderedMoves:
    """The moves of a ply, their scores for move ordering, and their logits in units of 1/1024."""

    moves: Annotated[Words, MOST_MOVES]
    scores: Annotated[Words, MOST_MOVES]
    priors: Annotated[Words, MOST_MOVES]


class MovePicker:
    """The progress of searching the moves of a ply, see :mod:`quoridor_net.engine.alphabeta.move_picker`."""

    table_move: int
    #: 1 if the table's move is searched before any are listed.
    has_table_move: int
    #: The index of the next move, -1 for the table's; and the number of listed moves, -1 before listing.
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
    """A bitboard for each lane, the words side by side, so that vector instructions handle all lanes."""

    low: Annotated[UnsignedWords, LANES]
    high: Annotated[UnsignedWords, LANES]


class Lanes:
    """Floods for one seat with one more wall each: the passages, the last two layers, and the results."""

    east: LaneSet
    south: LaneSet
    new: LaneSet
    old: LaneSet
    #: The distance, -1 until the pawn is reached.
    distances: Annotated[Words, LANES]


class Weights:
    """The tuning parameters, see :mod:`quoridor_net.engine.evaluation.weights`."""

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
    maxn_stop_prior: int
    #: Weights of the linear evaluation: of each term, and by walls left with and without the network.
    terms: Annotated[Words, 8]
    walls: Annotated[Words, 21]
    plain_walls: Annotated[Words, 21]


class SearchState:
    """Everything that a search works on, except for the tables that grow."""

    board_size: int
    players: int
    has_classroom_jumps: int
    #: The goal line of each seat.
    goals: Annotated[Table, SEATS, 2]
    #: The anchors where a horizontal, and where a vertical wall touches the edge: first and last point.
    near_edges: Annotated[Table, 2, 2]
    far_edges: Annotated[Table, 2, 2]
    #: The sets of each wall, by its number as a move.
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
    #: The deadline in nanoseconds of the monotonic clock, 0 for none; then two words to read the clock into.
    clock: Annotated[Words, 3]
    #: The number of nodes at which the search pauses, and whether it has paused.
    pause_at: int
    is_paused: int
    #: The transposition table: its address, the number of buckets minus 1, and the number of this search.
    table: int
    table_mask: int
    generation: int
    #: 1 if the network judges positions, 0 if it is not used.
    has_network: int
    weights: Weights
    #: The last inputs of the linear evaluation.
    terms: Annotated[Words, 8]

    root_count: int
    root_moves: Annotated[Words, MOST_MOVES]
    root_best: int
    root_score: int
    root_seat: int
    #: The keys of the game so far, followed by those of the line.
    past_count: int
    past: Annotated[Words, PAST_LIMIT + PLIES + 4]
    #: The walls on the board, in the order of placement.
    placed: Annotated[Words, PLACED_LIMIT]

    frames: Annotated[Array[Frame], PLIES + 2]
    #: For each ply whose move was a wall, and each seat: the squares at each distance, up to an empty set.
    layers: Annotated[Array[Array[Table]], PLIES + 1, SEATS, SQUARES + 4, 2]
    corridors: Annotated[Array[Array[Corridor]], PLIES + 1, SEATS]
    paths: Annotated[Array[Array[SeatPath]], PLIES + 1, SEATS]
    threats: Annotated[Array[Array[Threats]], PLIES + 1, 2]
    lists: Annotated[Array[OrderedMoves], PLIES + 1]
    pickers: Annotated[Array[MovePicker], PLIES + 1]
    lines: Annotated[Array[PrincipalVariation], PLIES + 2]
    killers: Annotated[Table, PLIES + 2, 2]
    #: Scores of each seat's moves by how often they refuted a line.
    history: Annotated[Table, SEATS, MOVES]

    # Space to work in.
    #: The squares known to have a path to a goal line.
    reachable: Annotated[Words, 2]
    #: What flags, effect and crossing of each wall add to its prior, see
    #: :mod:`quoridor_net.engine.evaluation.policy`.
    bonuses: Annotated[Words, MOVES]
    #: The walls to try, the distance of each seat with them, and the floods that find it.
    tried: Annotated[Words, 2 * WALLS_LEFT_LIMIT]
    lengths: Annotated[Table, SEATS, MOVES]
    lanes: Lanes
