"""Ahead-of-time compilation of the kernels, in two processes at once.

Run as a program, this module compiles the parts named as its arguments; :func:`warm_up` starts two such
programs. They share compiled kernels on the disk, and the order of the parts keeps them from compiling the
same kernel at the same time. A program exits when its standard input closes, because then its parent has
ended.
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
    """Ignore a line of progress."""


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
    # Compiled by their types, because calls would need the tree of a search.
    compile_bitcode_for(push_path, state, playout, NUMBER)
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
    # Long enough to fill the tree and to give it hints.
    _play((20, 3000))


def _play(nodes: tuple[int, ...]) -> None:
    """Play a move for each of these node limits, and keep the tree between them."""
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
#: The parts of each program, by the number of players.
_PROGRAMS = {
    2: (("moves", "tree", "pvs", "hints"), ("evaluation", "mcts", "solver")),
    4: (("moves", "best_reply"), ("maxn",)),
}

#: The parts that search, by the number of players. They load every kernel that Python calls.
_SEARCHES = {2: ("solver", "pvs", "mcts", "hints"), 4: ("best_reply", "maxn")}

#: Seconds to compile on two cores, by the number of players.
_SECONDS = {2: 10, 4: 5}

# This process has loaded the kernels for these numbers of players.
_loaded: set[int] = set()


def use_of(players: int) -> str:
    """Return the cache's name for the kernels of games with this many players."""
    return f"{players}-players"


def warm_up(progress: Callable[[str], None] = _say_nothing, players: Sequence[int] = (2, 4)) -> None:
    """Compile the kernels, or load them from numba's disk cache, so that no search waits for them.

    The first call on a machine takes about 10 seconds on two cores, later ones about half a second.

    Args:
        progress: gets one line before each part is compiled, and one when each number of players is ready;
            no lines if everything is loaded from disk.
        players: the numbers of players to compile for, 2 or 4, in the order of need.
    """
    import_numba()
    from quoridor_net.engine.jit import CACHE

    for number in players:
        use = use_of(number)
        tell_ready = _say_nothing if CACHE.is_complete(use) else progress
        with CACHE.hold_compile_lock(use, progress):
            if not CACHE.is_complete(use):
                _compile_in_programs(number, progress, str(CACHE.folder.parent))
            for part in _SEARCHES[number]:
                _PARTS[part][1]()
            CACHE.note_complete(use)
        _loaded.add(number)
        tell_ready("ready" if number == 2 else f"ready for {number} players")


def load_kernels(players: int) -> None:
    """Load the kernels for this many players, or compile them, unless this process has done so."""
    if players not in _loaded:
        warm_up(players=(players,))


def _compile_in_programs(players: int, progress: Callable[[str], None], folder: str) -> None:
    """Run programs that compile the parts into ``folder``; the caller compiles what they leave undone."""
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
            note = f" (about {_SECONDS[players]} seconds in total; progress is kept)" if number == 1 else ""
            progress(f"compiling {number} of {total} {_bar(number - 1, total)}: {_PARTS[part][0]}{note}")


def _bar(done: int, total: int) -> str:
    """Return a progress bar."""
    return f"[{'#' * done}{'.' * (total - done)}]"


def _run_program(parts: tuple[str, ...], folder: str, begun: SimpleQueue[str | None]) -> None:
    """Run this module as a program for ``parts``; queue each part as it begins, and None at the end."""
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
        # Too many processes, or no interpreter: the caller compiles everything.
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
    # A normal exit would wait for the thread that reads standard input.
    os._exit(0)
