"""Where everything lies in the one array of 64-bit words that the kernel works on.

Sets of squares and of wall anchors are two words of ``WORD`` bits; square and anchor (c, r) have the number
``r * size + c``. Words never use their sign bits, so that signed arithmetic, the only kind that numba does
not turn into floating point when mixed with counters, is exact.

Seats are counted in turn order from 0: with two players seat 0 is player 1 and seat 1 is player 2; with four
they are players 1, 4, 2, 3.

A move is one number: a step is its target square; a wall is its anchor plus ``HORIZONTAL`` or ``VERTICAL``.
"""

from __future__ import annotations

WORD = 61
FULL = (1 << WORD) - 1
#: Largest board the kernel handles: its squares must fit into two words.
LARGEST = 11
CELLS = 2 * WORD
SEATS = 4

HORIZONTAL = 128
VERTICAL = 256
MOVES = 384
NO_MOVE = -1

#: Longest line the search can look at.
PLIES = 96

# Geometry of the board, at the start of the memory.
SIZE = 0
PLAYERS = 1
JUMPS = 2
GOALS = 8
LEFT_EDGE = 16
RIGHT_EDGE = 18
TOP_EDGE = 20
BOTTOM_EDGE = 22

# Control of a search; the stop word may be set from another thread.
STOP = 32
NODES = 33
NODE_LIMIT = 34
GENERATION = 35
TABLE_MASK = 36
ROOT_COUNT = 37
PAST_COUNT = 38
ROOT_BEST = 39
ROOT_SCORE = 40
ROOT_SEAT = 41
# 1 when the network judges positions, 0 when it does not know games of this kind.
HAS_NETWORK = 42
# When to stop, in nanoseconds of the monotonic clock, 0 for never; and two words to read the clock into.
DEADLINE = 43
NOW = 44
# After how many nodes a search breaks off to be gone on with, and whether it has.
PAUSE_AT = 46
IS_PAUSED = 47
# What the evaluation saw last.
TERMS = 48

# Weights of the evaluation and of the search, see quoridor_net.engine.weights.
WEIGHTS = 64
WEIGHT_COUNT = 128

# One row for each ply of the line being searched.
ROWS = WEIGHTS + WEIGHT_COUNT
ROW = 40
EAST = 0
SOUTH = 2
FIT_HORIZONTAL = 4
FIT_VERTICAL = 6
TOUCHED = 8
PAWN = 10
LEFT = 14
TURN = 18
KEY = 19
SLOT = 20
RUN = 21
MOVE = 22
WALL_KEY = 23
DISTANCE = 24
# The ply at which the network last summed up the walls as seen from each pawn; and how many walls there are.
VIEWS = 28
WALL_COUNT = 32
# 1 if the layers of the slot reach every square, 0 if they need only reach the pawns; and the ply at which
# the corridor of each seat was found, -1 if it is not known.
IS_FLOODED = 33
FOUND_AT = 34

# Distance layers: for each slot (a ply whose move was a wall) and seat, the set of squares at each distance.
LAYERS = ROWS + (PLIES + 1) * ROW
LAYER_COUNT = CELLS + 4
LAYERS_OF_SEAT = 2 * LAYER_COUNT
LAYERS_OF_SLOT = SEATS * LAYERS_OF_SEAT

# Corridors: the walls that cut a shortest path, and those that cut all of them, of each seat at each ply.
CORRIDORS = LAYERS + (PLIES + 1) * LAYERS_OF_SLOT
CORRIDOR = 9
CUT_HORIZONTAL = 0
CUT_VERTICAL = 2
CHOKE_HORIZONTAL = 4
CHOKE_VERTICAL = 6
NARROW = 8

# One known path of each seat at each ply, as the walls that cut it (perft and wall legality).
PATHS = CORRIDORS + (PLIES + 1) * SEATS * CORRIDOR
PATH = 4

# Threats to each of two seats at each ply: what walls do to its way, see quoridor_net.engine.threats.
THREATS = PATHS + (PLIES + 1) * SEATS * PATH
THREAT = 4 + 2 * 128

# Random keys.
PAWN_KEYS = THREATS + (PLIES + 1) * 2 * THREAT
WALL_KEYS = PAWN_KEYS + SEATS * CELLS
LEFT_KEYS = WALL_KEYS + MOVES
LEFT_LIMIT = 128
TURN_KEYS = LEFT_KEYS + SEATS * LEFT_LIMIT

# Ordering of moves.
HISTORY = TURN_KEYS + SEATS
KILLERS = HISTORY + SEATS * MOVES
LISTS = KILLERS + 2 * (PLIES + 2)
LIST = 3 * 260
LINES = LISTS + (PLIES + 1) * LIST
LINE = PLIES + 2

# The moves at the root, and the keys of the game so far.
ROOT_MOVES = LINES + (PLIES + 2) * LINE
PAST = ROOT_MOVES + 260
PAST_LIMIT = 256

# The walls on the board, in the order they were put there.
PLACED = PAST + PAST_LIMIT + PLIES + 4
PLACED_LIMIT = 256

# What each wall that threatens does, by its number as a move: of the seat to move, and of its rival.
EFFECTS = PLACED + PLACED_LIMIT

# For each wall, by its number as a move, the squares whose way south or east it closes, and all four it
# touches.
WALL_SETS = EFFECTS + 2 * MOVES
WALL_SET = 4

# Walls whose effect on a way is worked out, a few more so that the last lanes are never empty; the way of
# either seat with each of them; and the lanes in which walls are tried beside each other.
TRIED = WALL_SETS + MOVES * WALL_SET
TRIED_LIMIT = 256
WAYS = TRIED + TRIED_LIMIT
LANES = WAYS + 2 * MOVES
LANE_COUNT = 8
LANE_WORDS = 9

WORDS = LANES + LANE_COUNT * LANE_WORDS

# The transposition table: two words for each entry.
ENTRY = 2
BUCKET = 2

#: A win now; a win in n plies is worth n less.
WIN = 30000
#: Scores beyond this are proven wins or losses.
PROVEN = 28000
#: A race that distances decide; pawns in each other's way overturn fewer than one in a thousand of them.
RUNAWAY = 20000
#: Scores beyond this are counted in plies from the root, and no weight of the evaluation reaches them.
DECIDED = 15000
#: The score of a win that would be proven, had not moves of the loser been left out; no race scores less.
DOUBTFUL = DECIDED + 1000
INFINITY = 32000
