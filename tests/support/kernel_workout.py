"""Games, proofs and analyses of many sizes, as a program: ``python -m tests.support.kernel_workout clobber``.

With ``NUMBA_BOUNDSCHECK=1`` every index into an array is checked, and one out of bounds is an ``IndexError``.
Tables that kernels reach by their address have no checks, so this program ends their memory at a page that
must not be touched.
"""

from __future__ import annotations

import ctypes
import faulthandler
import mmap
import random
import sys
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from quoridor_net.clobber import ClobberPosition
from quoridor_net.clobber.engine import ClobberEngine, ClobberLimits
from quoridor_net.engine.limits import Limits
from quoridor_net.engine.searcher import Searcher
from quoridor_net.jit import records
from quoridor_net.rules import Jumps, Position


def _make_guarded_records(kind: Any, count: int) -> Any:
    """Return zeroed records that are followed by a page that must not be touched."""
    record = records.record_type(kind)
    length = count * record.itemsize
    pages = -(-length // mmap.PAGESIZE)
    memory = mmap.mmap(-1, (pages + 1) * mmap.PAGESIZE)
    whole = np.frombuffer(memory, np.uint8)
    end = pages * mmap.PAGESIZE
    # The system's function, because Python has none.
    if ctypes.CDLL(None).mprotect(ctypes.c_void_p(whole.ctypes.data + end), mmap.PAGESIZE, 0):
        raise OSError("cannot protect a page")
    return whole[end - length : end].view(record)


def guard_tables() -> None:
    """Make an access beyond the end of a table end the process, on systems that can protect memory."""
    if sys.platform != "win32":
        # Where the access was is then the only thing to go by.
        faulthandler.enable()
        records._zeros = _make_guarded_records


def _clobber_games(source: random.Random) -> Iterator[ClobberPosition]:
    """Yield boards of many shapes: full, played on, and random ones with many small and large regions."""
    shapes = [(1, 2), (1, 26), (26, 1), (2, 13), (26, 2), (3, 7), (5, 4), (6, 6), (9, 13), (10, 10), (26, 26)]
    for columns, rows in shapes:
        position = ClobberPosition.start(columns, rows)
        for _ in range(4):
            if not position.is_over:
                yield position.copy()
            for _ in range(columns * rows // 6):
                if not position.is_over:
                    position.push(source.choice(position.legal_moves))
        for letters in ("xo", "xo.", "xxoo.", "xo..", "xxxxxxxo"):
            lines = ("".join(source.choice(letters) for _ in range(columns)) for _ in range(rows))
            position = ClobberPosition.parse(f"{'/'.join(lines)} {source.choice('bw')}")
            if not position.is_over:
                yield position


def exercise_clobber() -> None:
    """Search, solve and choose moves on boards of many shapes, with large stores and with full ones."""
    from quoridor_net.clobber.searcher import ClobberSearcher
    from quoridor_net.clobber.solver import Solver

    source = random.Random(1)
    engine = ClobberEngine(1)
    engine.warm_up()
    searcher = ClobberSearcher(1)
    # With few regions the stores fill up, with few valued stones the states have many parts.
    solvers = [Solver(regions, valued) for regions in (1, 20, 300, 5000, 1 << 18) for valued in (1, 8, 12)]
    for position in _clobber_games(source):
        choice = engine.choose(position, ClobberLimits(nodes=300))
        assert position.is_legal(choice.move)
        found = searcher.best(position, position.legal_moves[0], 2000)
        assert position.is_legal(found.move)
        for solver in solvers:
            wins = solver.wins(position, 300)
            if wins is not None and len(position.legal_moves) < 60:
                assert (solver.winning_move(position, 300) is not None) is wins or solver.nodes >= 300
            if position.columns * position.rows < 12:
                solver.outcome(position)
    # A search to the last ply of its stack, and one that stops at once.
    searcher.stop()
    searcher.best(ClobberPosition.start(), ClobberPosition.start().legal_moves[0])
    for columns, rows in ((1, 26), (1, 20), (2, 8)):
        searcher.allow()
        searcher.best(ClobberPosition.start(columns, rows), ClobberPosition.start().legal_moves[0], 50_000)
        searcher.allow(0.05)
        searcher.best(ClobberPosition.start(26, 26), ClobberPosition.start().legal_moves[0])


def _engine_questions(source: random.Random, position: Position) -> dict[str, Any]:
    """Return arguments of a search: few or many nodes, a depth, several or given moves, or a weak level."""
    return source.choice(
        (
            {"limits": Limits(nodes=source.choice((20, 150, 800)))},
            {"limits": Limits(depth=source.randrange(1, 4), nodes=500)},
            {"limits": Limits(nodes=150), "multipv": 4},
            {"limits": Limits(nodes=150), "moves": position.legal_moves[-5:]},
            {"limits": Limits(nodes=100, level=source.randrange(1, 10))},
        )
    )


def exercise_engine() -> None:
    """Play and analyse games of 2 and 4 players on many sizes, with large tables and with full ones."""
    source = random.Random(1)
    # Games in which half of the moves are random.
    for size, players in product(range(3, 13), (2, 4)):
        position = Position(size, players, source.choice((1, 3, size, 20)), source.choice(list(Jumps)))
        searcher = Searcher(size, players, 1, size, uses_book=False)
        while position.turn is not None and position.ply < 40:
            move = source.choice(position.legal_moves)
            if source.random() < 0.5:
                move = searcher.choose(position, **_engine_questions(source, position)).move
            position.push(move)
    # Trees that outgrow their memory, in several threads.
    for size, players in ((7, 2), (9, 2), (11, 2), (5, 4), (9, 4), (11, 4)):
        searcher = Searcher(size, players, 1, 1, uses_book=False)
        position = Position(size, players, 10)
        for nodes in (100_000, 2000):
            position.push(searcher.choose(position, Limits(nodes=nodes, threads=2), 3).move)
    # Solved endgames, with and without walls.
    for size, walls in ((3, 2), (4, 1), (5, 0), (11, 0)):
        position = Position(size, 2, walls)
        while position.turn is not None and position.ply < 60:
            position.push(Searcher(size, 2, 1).choose(position, Limits(nodes=2_000_000)).move)


WORKOUTS = {"engine": exercise_engine, "clobber": exercise_clobber}

if __name__ == "__main__":
    guard_tables()
    for _package in sys.argv[1:]:
        WORKOUTS[_package]()
