"""Compiling the kernels before they are needed, in two processes at once.

Run as a program with the names of parts, it compiles these; :func:`warm_up` starts two such programs. What
one of them has compiled the other finds on the disk: the parts are in such an order that they seldom need
the same kernels at the same time. A program ends when its standard input does: then its parent has ended.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from itertools import chain
from queue import SimpleQueue

from quoridor_net.engine.limits import Limits
from quoridor_net.engine.searcher import Searcher
from quoridor_net.jit import import_numba
from quoridor_net.rules import Position


def _say_nothing(_line: str) -> None:
    """Tell nobody."""


def _compile_solver() -> None:
    from quoridor_net.engine.endgame.exact import Exact

    Exact(3).choices(Position(3, 2, 1))


def _compile_tree() -> None:
    from quoridor_net.engine.board.state import SearchState
    from quoridor_net.engine.mcts.backup import backup
    from quoridor_net.engine.mcts.reroot import reroot
    from quoridor_net.engine.mcts.select import select
    from quoridor_net.engine.mcts.stack import push_path
    from quoridor_net.engine.mcts.tree import Playout, Tree, find_node, key_at
    from quoridor_net.jit.cache import compile_bitcode_for, compile_for
    from quoridor_net.jit.records import kernel_type
    from quoridor_net.jit.types import FRACTION, NUMBER

    state, tree, playout = map(kernel_type, (SearchState, Tree, Playout))
    # Not called: that would take a tree that a search has made.
    compile_bitcode_for(push_path, state, tree, playout, NUMBER)
    compile_bitcode_for(select, state, tree, playout, NUMBER)
    compile_bitcode_for(backup, tree, playout, NUMBER, FRACTION)
    compile_bitcode_for(key_at, state, tree, NUMBER)
    compile_bitcode_for(find_node, tree, NUMBER)
    compile_for(reroot, state, tree, playout, NUMBER, NUMBER)


def _compile_moves() -> None:
    from quoridor_net.engine.alphabeta.move_ordering import generate_rest, pick, reward, score_moves
    from quoridor_net.engine.board.distances import flood_rest
    from quoridor_net.engine.board.make import make_move
    from quoridor_net.engine.board.movegen import generate_cuts, is_playable
    from quoridor_net.engine.board.repetition import is_repeated
    from quoridor_net.engine.board.state import SearchState
    from quoridor_net.jit.cache import compile_bitcode_for
    from quoridor_net.jit.records import kernel_type
    from quoridor_net.jit.types import NUMBER

    state = kernel_type(SearchState)
    compile_bitcode_for(make_move, state, NUMBER, NUMBER)
    compile_bitcode_for(flood_rest, state, NUMBER)
    compile_bitcode_for(generate_cuts, state, NUMBER)
    compile_bitcode_for(score_moves, state, *[NUMBER] * 3)
    compile_bitcode_for(generate_rest, state, *[NUMBER] * 3)
    compile_bitcode_for(is_playable, state, NUMBER, NUMBER)
    compile_bitcode_for(pick, state, *[NUMBER] * 3)
    compile_bitcode_for(reward, state, *[NUMBER] * 4)
    compile_bitcode_for(is_repeated, state, NUMBER)


def _compile_best_reply() -> None:
    Searcher(5, 4, 1).choose(Position(5, 4, 2), Limits(depth=3))


def _compile_maxn() -> None:
    searcher, position = Searcher(5, 4, 1), Position(5, 4, 2)
    for _ in range(2):
        position.push(searcher.choose(position, Limits(nodes=200)).move)


def _compile_pvs() -> None:
    Searcher(5, 2, 1).choose(Position(5, 2, 2), Limits(depth=3))


def _compile_evaluation() -> None:
    from quoridor_net.engine.alphabeta.move_ordering import score_moves_by_prior
    from quoridor_net.engine.board.state import SearchState
    from quoridor_net.engine.evaluation.evaluate import evaluate
    from quoridor_net.engine.evaluation.network import Network
    from quoridor_net.jit.cache import compile_bitcode_for
    from quoridor_net.jit.records import kernel_type
    from quoridor_net.jit.types import NUMBER

    state, net = map(kernel_type, (SearchState, Network))
    compile_bitcode_for(evaluate, state, net, NUMBER)
    compile_bitcode_for(score_moves_by_prior, state, net, *[NUMBER] * 3)


def _compile_mcts() -> None:
    _play((20, 20, 20))


def _compile_hints() -> None:
    # In the end the tree is full, and has been given hints.
    _play((20, 3000))


def _play(nodes: tuple[int, ...]) -> None:
    """Play moves with so many nodes each; the tree is kept from move to move."""
    searcher, position = Searcher(9, 2, 1), Position()
    for limit in nodes:
        position.push(searcher.choose(position, Limits(nodes=limit)).move)


_PARTS: dict[str, tuple[str, Callable[[], None]]] = {
    "solver": ("the solver of races", _compile_solver),
    "tree": ("the tree of the search that is led by the network", _compile_tree),
    "moves": ("moves and their order", _compile_moves),
    "pvs": ("the search for 2 players", _compile_pvs),
    "best_reply": ("the search for 4 players", _compile_best_reply),
    "maxn": ("the search for 4 players in turn order", _compile_maxn),
    "evaluation": ("the network", _compile_evaluation),
    "mcts": ("the search that is led by the network", _compile_mcts),
    "hints": ("hints of one search to the other", _compile_hints),
}
#: The parts that games of so many players need, shared out between two programs.
_PROGRAMS = {
    2: (("moves", "tree", "pvs", "hints"), ("evaluation", "mcts", "solver")),
    4: (("moves", "best_reply"), ("maxn",)),
}

#: The parts that search bring in all that is called from Python. What the others compile goes into these.
_SEARCHES = {2: ("solver", "pvs", "mcts", "hints"), 4: ("best_reply", "maxn")}

#: How long that takes on two cores.
_SECONDS = {2: 10, 4: 5}


def use_of(players: int) -> str:
    """Return what the cache calls the kernels for games of so many players."""
    return f"{players}-players"


def warm_up(progress: Callable[[str], None] = _say_nothing, players: Sequence[int] = (2, 4)) -> None:
    """Compile the kernels, or load them from numba's disk cache, so that no search has to wait for them.

    The first time takes about 10 seconds on two cores, later ones about half a second.

    Args:
        progress: called with one line about each part before it is compiled, and when all is ready for so
            many players; not at all when that has been compiled before.
        players: for games of how many players, 2 or 4, in the order in which they are needed.
    """
    import_numba()
    from quoridor_net.engine.jit import CACHE

    for number in players:
        use = use_of(number)
        tell_ready = _say_nothing if CACHE.is_complete(use) else progress
        with CACHE.compiling(use, progress):
            if not CACHE.is_complete(use):
                _compile_in_programs(number, progress, str(CACHE.folder.parent))
            for part in _SEARCHES[number]:
                _PARTS[part][1]()
            CACHE.note_complete(use)
        tell_ready("ready" if number == 2 else f"ready for {number} players")


def _compile_in_programs(players: int, progress: Callable[[str], None], folder: str) -> None:
    """Have programs compile the parts into ``folder``; what they leave undone the caller has to compile."""
    begun: SimpleQueue[str | None] = SimpleQueue()
    programs: tuple[tuple[str, ...], ...] = _PROGRAMS[players]
    total = sum(map(len, programs))
    if (os.cpu_count() or 1) == 1:
        programs = (tuple(chain.from_iterable(programs)),)
    threads = [
        threading.Thread(target=_run_program, args=(parts, folder, begun), daemon=True) for parts in programs
    ]
    for thread in threads:
        thread.start()
    number = 0
    for _ in threads:
        while (part := begun.get()) is not None:
            number += 1
            note = f" (about {_SECONDS[players]} seconds in all; what is done is kept)" if number == 1 else ""
            progress(f"compiling {number} of {total} {_bar(number - 1, total)}: {_PARTS[part][0]}{note}")


def _bar(done: int, total: int) -> str:
    """Return a progress bar."""
    return f"[{'#' * done}{'.' * (total - done)}]"


def _run_program(parts: tuple[str, ...], folder: str, begun: SimpleQueue[str | None]) -> None:
    """Run this module as a program for ``parts``; put each in the queue as it begins, in the end None."""
    command = [sys.executable, "-m", __name__, *parts]
    environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
    try:
        with subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            text=True,
        ) as program:
            assert program.stdout is not None, "it is a pipe"
            for line in program.stdout:
                if line.strip() in _PARTS:
                    begun.put(line.strip())
    except OSError:
        # Too many processes, no interpreter: the caller compiles everything.
        pass
    finally:
        begun.put(None)


def _end_with_parent() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for _part in sys.argv[1:]:
        print(_part, flush=True)
        _PARTS[_part][1]()
    # Not the usual way: a thread reads the standard input.
    os._exit(0)
