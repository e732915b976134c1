"""Proofs agree with the data file and with brute force, and known games with theory."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quoridor_net.clobber import ClobberPosition, ClobberSquare, Colour
from quoridor_net.clobber.solver import OutcomeClass, Solver

pytestmark = pytest.mark.compiled("clobber")


TRUTH = json.loads((Path(__file__).parents[1] / "data" / "clobber.json").read_text(encoding="utf-8"))[
    "outcome"
]
#: Start positions that need more than the default room or more than a few seconds.
HARD = {(2, 12), (2, 13), (3, 8), (4, 6), (5, 5)}


def outcomes() -> list[tuple[int, int, str]]:
    found = [(1, rows, letter) for rows, letter in enumerate(TRUTH["1xn"], 1)]
    for columns in (2, 3, 4):
        letters = TRUTH[f"{columns}xn from n={columns}"]
        found += [(columns, rows, letter) for rows, letter in enumerate(letters, columns)]
    return [*found, (5, 5, TRUTH["5x5"])]


def brute_force(position: ClobberPosition, memory: dict[tuple[int, int], bool]) -> bool:
    """Return whether the player to move wins, by exhaustive search."""
    columns, _, black, white, turn = position.key
    own, their = (black, white) if turn is Colour.BLACK else (white, black)
    return brute_force_of(own, their, columns + 1, memory)


def brute_force_of(own: int, their: int, stride: int, memory: dict[tuple[int, int], bool]) -> bool:
    """Return whether the player of the stones ``own``, to move, wins; rows are ``stride`` bits apart."""
    key = (own, their)
    if key not in memory:
        memory[key] = any(
            not brute_force_of(their ^ target, own ^ origin ^ target, stride, memory)
            for origin, target in pairs(own, their, stride)
        )
    return memory[key]


def pairs(own: int, their: int, stride: int) -> Iterator[tuple[int, int]]:
    for step in (1, stride):
        for number in range(own.bit_length()):
            origin = own & 1 << number
            for target in (origin << step, origin >> step):
                if their & target:
                    yield origin, target


def random_position(source: random.Random, largest: int) -> ClobberPosition:
    """Return a board of at most ``largest`` squares, random or from a game."""
    sizes = [
        (columns, rows)
        for columns in range(1, largest + 1)
        for rows in range(1, largest + 1)
        if 4 <= columns * rows <= largest
    ]
    columns, rows = source.choice(sizes)
    if source.random() < 0.5:
        position = ClobberPosition.start(columns, rows)
        for _ in range(source.randrange(columns * rows // 2)):
            if not position.is_over:
                position.push(source.choice(position.legal_moves))
        return position
    letters = source.choice(["xo", "xo.", "xxoo."])
    lines = ("".join(source.choice(letters) for _ in range(columns)) for _ in range(rows))
    return ClobberPosition.parse(f"{'/'.join(lines)} {source.choice('bw')}")


def check_against_brute_force(solver: Solver, source: random.Random, count: int, largest: int) -> None:
    for _ in range(count):
        position = random_position(source, largest)
        memory: dict[tuple[int, int], bool] = {}
        expected = brute_force(position, memory)
        assert solver.wins(position) is expected, str(position)
        move = solver.winning_move(position)
        assert (move is not None) is expected, str(position)
        if move is not None:
            position.push(move)
            assert not brute_force(position, memory), f"{position} after {move}"


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver()


@pytest.mark.parametrize(("columns", "rows", "letter"), [case for case in outcomes() if case[:2] not in HARD])
def test_start_positions_have_the_published_outcomes(
    solver: Solver, columns: int, rows: int, letter: str
) -> None:
    assert solver.outcome(ClobberPosition.start(columns, rows)) is OutcomeClass(letter)
    assert solver.outcome(ClobberPosition.start(rows, columns)) is OutcomeClass(letter)


@pytest.mark.slow
def test_hard_start_positions_have_the_published_outcomes() -> None:
    solver = Solver(1 << 23)
    hard = [case for case in outcomes() if case[:2] in HARD]
    assert len(hard) == len(HARD)
    for columns, rows, letter in hard:
        assert solver.outcome(ClobberPosition.start(columns, rows)) is OutcomeClass(letter), (
            f"{columns}x{rows}"
        )


def test_proofs_agree_with_brute_force(solver: Solver) -> None:
    check_against_brute_force(solver, random.Random(2006), 60, 14)


@pytest.mark.slow
def test_proofs_agree_with_brute_force_up_to_twenty_squares(solver: Solver) -> None:
    check_against_brute_force(solver, random.Random(20), 500, 20)


@pytest.mark.parametrize("valued_stones", [1, 4, 11])
def test_the_size_of_valued_regions_changes_no_proof(valued_stones: int) -> None:
    check_against_brute_force(Solver(1 << 16, valued_stones), random.Random(valued_stones), 25, 12)


def test_without_space_or_time_there_is_no_verdict(solver: Solver) -> None:
    board = ClobberPosition.start(6, 6)
    assert solver.wins(board, nodes=10) is None
    assert Solver(64).wins(board) is None
    assert Solver(64).outcome(board) is None
    fresh = Solver(1 << 12)
    fresh.stop()
    assert fresh.wins(board) is None
    assert fresh.winning_move(ClobberPosition.start(4, 4)) is None
    fresh.allow()
    assert fresh.wins(ClobberPosition.start(3, 4)) is False
    assert fresh.winning_move(ClobberPosition.start(3, 4)) is None


@pytest.mark.parametrize("valued_stones", [0, 4, 8])
@pytest.mark.parametrize(
    "line",
    [
        "xoxxo.oxo.xox.xoxox b",
        "xoxxooxoxo.oxxoxxo w",
        "xoxoxo/....../oxxoox/....../xxooxo w",
        "xoxoxoxo/......../oxooxoxx/......../xoxx.xox b",
    ],
)
def test_too_little_space_gives_no_verdict_instead_of_a_wrong_one(
    solver: Solver, line: str, valued_stones: int
) -> None:
    position = ClobberPosition.parse(line)
    found = {Solver(regions, valued_stones).wins(position) for regions in range(1, 90)}
    assert found == {None, solver.wins(position)}


def test_full_stores_are_cleared() -> None:
    small = Solver(3000)
    for _ in range(3):
        for columns, rows, letter in outcomes():
            if columns * rows <= 12:
                assert small.outcome(ClobberPosition.start(columns, rows)) is OutcomeClass(letter)


def test_cleared_stores_prove_like_new_ones(solver: Solver) -> None:
    for size in ((4, 4), (3, 5), (2, 9)):
        solver._clear()
        fresh = Solver(1 << 16)
        position = ClobberPosition.start(*size)
        assert solver.outcome(position) is fresh.outcome(position)
        # The search repeats the same work, so no earlier knowledge is left.
        assert solver.nodes == fresh.nodes


def test_known_games_have_their_weights_and_canonical_forms() -> None:
    # Winning Ways, chapter 8: up = {0 | star}, and n copies of it have atomic weight n.
    from quoridor_net.clobber import games as kernels
    from quoridor_net.clobber.weights import weigh

    games = kernels.new_games(1 << 12)

    def game(left: list[int], right: list[int]) -> int:
        room = np.zeros((2, 16), np.int64)
        room[0, : len(left)], room[1, : len(right)] = left, right
        return kernels.simplify(games, room[0], len(left), room[1], len(right))

    star = game([0], [0])
    up = game([0], [star])
    assert kernels.add_games(games, star, star) == kernels.ZERO
    up_star = kernels.add_games(games, up, star)
    # The canonical form of up + star is {0, star | 0}.
    assert up_star == game([0, star], [0])
    # {up | down} is star: both options are reversible through 0.
    assert game([up], [kernels.negate_game(games, up)]) == star
    double = kernels.add_games(games, up, up)
    assert double == game([0], [up_star])
    for number, weight in (
        (0, 0),
        (star, 0),
        (up, 1),
        (up_star, 1),
        (double, 2),
        # Its weight is {2 - 2 | 0 + 2}.
        (game([double], [star]), 1),
        (kernels.negate_game(games, up), -1),
    ):
        weigh(games, number)
        record: Any = games.records[number]
        assert (record["low"], record["high"]) == (weight, weight)
    assert kernels.at_least(games, double, star)
    assert not kernels.at_least(games, up, star)
    copies = up
    for number in range(1, 24):
        weigh(games, copies)
        record = games.records[copies]
        low, high = int(record["low"]), int(record["high"])
        assert low <= number <= high
        # Weights of 20 and more are too large to compute.
        assert (low == high) is (number < 20)
        copies = kernels.add_games(games, copies, up)


def test_regions_are_distinguished_only_by_shape() -> None:
    from quoridor_net.clobber import regions as kernels
    from quoridor_net.clobber import sums
    from quoridor_net.clobber.games import new_games
    from quoridor_net.clobber.regions import grid_of

    games, regions = new_games(1 << 12), kernels.new_regions(1 << 12, 0)
    stack = sums.new_sums(1 << 4)
    # The same L shape, mirrored and rotated, three times; two copies cancel with negatives.
    line = "xx..xxx/o....../x..xoxx/......./oo.x..o/.x.o..x/.o.xx.o"
    position = ClobberPosition.parse(f"{line} b")
    assert sums.set_up(regions, games, stack, grid_of(position, Colour.BLACK))
    before = regions.counts.regions
    records: Any = regions.records
    assert len(set(records["key"][:before])) == before
    turned = ClobberPosition.parse(
        "/".join("".join(row) for row in zip(*line.split("/"), strict=True)) + " b"
    )
    assert sums.set_up(regions, games, stack, grid_of(turned, Colour.BLACK))
    assert regions.counts.regions == before


def test_moves_that_leave_the_same_regions_are_stored_once() -> None:
    from quoridor_net.clobber import regions as kernels
    from quoridor_net.clobber.regions import grid_of, square_number

    regions = kernels.new_regions(1 << 8, 0)
    # Black has three moves and their mirror images. One leaves two regions, its image the same in reverse.
    position = ClobberPosition.parse("xoxoxox b")
    grid = grid_of(position, Colour.BLACK)
    number = kernels.find_or_add(regions, kernels.collect(regions, grid, square_number(ClobberSquare(0, 0))))
    assert kernels.generate_region_moves(regions, number)
    records: Any = regions.records
    assert (len(position.legal_moves), records["move_count"][number]) == (6, 3)


def test_the_negatives_of_regions_are_those_with_exchanged_colours() -> None:
    from quoridor_net.clobber import regions as kernels
    from quoridor_net.clobber import sums
    from quoridor_net.clobber.games import new_games
    from quoridor_net.clobber.regions import grid_of

    games, regions = new_games(1 << 12), kernels.new_regions(1 << 12, 0)
    stack = sums.new_sums(1 << 5)
    # Most are rows, which have no height.
    position = ClobberPosition.parse(
        "xxo.xxxo.xoxx/............./xoxxo.xxoo.xo/............./oxxxo.xx...../.......o..... b"
    )
    for colour in Colour:
        assert sums.set_up(regions, games, stack, grid_of(position, colour))
    before = regions.counts.regions
    for number in range(before):
        assert 0 <= kernels.negate_region(regions, number) < before


def test_a_bucket_keeps_the_verdict_that_took_most_nodes_and_the_latest() -> None:
    from quoridor_net.clobber import sums

    # All keys share the only bucket.
    stack = sums.new_sums(1)
    assert sums.recall(stack, 5) == sums.UNKNOWN
    for key, verdict, nodes in ((5, sums.WIN, 90), (6, sums.LOSS, 10), (7, sums.WIN, 20)):
        sums.remember(stack, key, verdict, nodes)
    assert [sums.recall(stack, key) for key in (5, 6, 7)] == [sums.WIN, sums.UNKNOWN, sums.WIN]
    # More nodes than the entry has room for.
    for key, verdict, nodes in ((8, sums.LOSS, 100), (8, sums.WIN, 1 << 40), (9, sums.LOSS, 1 << 30)):
        sums.remember(stack, key, verdict, nodes)
    known = [sums.recall(stack, key) for key in (5, 7, 8, 9)]
    assert known == [sums.UNKNOWN, sums.UNKNOWN, sums.WIN, sums.LOSS]
    sums.clear_table(stack)
    assert sums.recall(stack, 8) == sums.UNKNOWN


def test_a_region_and_its_mirror_images_share_a_number() -> None:
    from quoridor_net.clobber import regions as kernels
    from quoridor_net.clobber.regions import grid_of, square_number

    regions = kernels.new_regions(1 << 8, 0)
    # An asymmetric region, at the edges of the largest board as well as in its middle.
    shape = ["xo.", "oxx", "x.o"]
    numbers = set()
    for turns in range(8):
        rows = shape if turns < 4 else [row[::-1] for row in shape]
        for _ in range(turns % 4):
            rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        for column, row in ((0, 0), (23, 0), (0, 23), (23, 23), (11, 7)):
            lines = ["." * 26] * 26
            for index, line in enumerate(rows):
                lines[row + index] = "." * column + line + "." * (23 - column)
            position = ClobberPosition.parse(f"{'/'.join(lines)} b")
            grid = grid_of(position, Colour.BLACK)
            count = kernels.collect(regions, grid, square_number(next(iter(position.stones()))))
            assert (count, set(grid.tolist())) == (7, {kernels.EMPTY})
            numbers.add(kernels.find_or_add(regions, count))
    assert numbers == {0}
    assert [kernels.negate_region(regions, number) for number in (0, 1)] == [1, 0]
    records: Any = regions.records
    assert list(records["pairs"][:2]) == [6, 6]
    # The stones that are stored make the same region again.
    assert list(records["key"][:2]) == list(records["negative_key"][1::-1])


def test_a_win_that_the_heuristic_search_claims_is_a_win(solver: Solver) -> None:
    from quoridor_net.clobber.searcher import ClobberSearcher

    searcher = ClobberSearcher(1)
    source = random.Random(4)
    claims = 0
    for _ in range(60):
        position = random_position(source, 20)
        if not position.is_over:
            found = searcher.best(position, position.legal_moves[0], 3000)
            wins = solver.wins(position)
            claims += found.is_won
            assert wins or not found.is_won, str(position)
            # A lost position was searched to the end, and all moves of it lose.
            assert not wins or found.score > -999, str(position)
    assert claims > 20


def test_both_colours_are_judged_by_the_same_measure() -> None:
    from quoridor_net.clobber.searcher import ClobberSearcher

    source = random.Random(5)
    for _ in range(5):
        lines = "/".join("".join(source.choices("xxo.", k=10)) for _ in range(6))
        exchanged = lines.translate(str.maketrans("xo", "ox"))
        black, white = (
            ClobberSearcher(1).best(position, position.legal_moves[0], 200)
            for position in (ClobberPosition.parse(f"{lines} b"), ClobberPosition.parse(f"{exchanged} w"))
        )
        assert (black.move, black.score, black.depth) == (white.move, white.score, white.depth)


def test_the_seed_chooses_among_equal_moves() -> None:
    from quoridor_net.clobber.searcher import ClobberSearcher

    position = ClobberPosition.start(10, 10)
    found = [ClobberSearcher(seed).best(position, position.legal_moves[0], 50).move for seed in (1, 1, 2, 3)]
    assert found[0] == found[1]
    assert len(set(found)) > 1


def test_a_search_goes_no_deeper_than_to_the_decision() -> None:
    from quoridor_net.clobber.searcher import ClobberSearcher

    position = ClobberPosition.start(3, 3)
    found = ClobberSearcher(1).best(position, position.legal_moves[0])
    # Black wins with its third move, the fifth of the game.
    assert (found.is_won, found.depth) == (True, 5)


@pytest.mark.parametrize(
    ("bound", "window", "is_used"),
    [
        ("EXACT", (10, 11), True),
        ("EXACT", (60, 61), True),
        ("AT_LEAST", (10, 50), True),
        ("AT_LEAST", (10, 51), False),
        ("AT_MOST", (50, 90), True),
        ("AT_MOST", (49, 90), False),
    ],
)
def test_a_stored_value_is_used_if_its_bound_cuts_off(
    bound: str, window: tuple[int, int], is_used: bool
) -> None:
    from quoridor_net.clobber import midgame

    table: Any = midgame.new_table(1)
    table[0] = (0, 50, 0, 3, getattr(midgame, bound))
    assert midgame.read_value(table[0], 3, *window) == (50 if is_used else midgame.CUT_SHORT)
    # It was not searched as deeply as it is needed now.
    assert midgame.read_value(table[0], 4, *window) == midgame.CUT_SHORT
