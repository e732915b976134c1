"""``Engine.analysis``: analyses of one position that deepen, in plain code and under both event loops."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Iterator

import pytest
import trio

from quoridor_net import Analysis, Engine, Limits, Position

pytestmark = pytest.mark.compiled("engine")


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(table_mb=1) as engine:
        yield engine


def test_analyses_deepen_up_to_the_depth(engine: Engine) -> None:
    found = list(engine.analysis(Position(5), Limits(depth=4)))
    assert [analysis.depth for analysis in found] == [1, 2, 3, 4]
    assert [analysis.nodes for analysis in found] == sorted({analysis.nodes for analysis in found})
    assert found[-1].move in Position(5).legal_moves


def test_one_ply_looks_once_at_most_moves(engine: Engine) -> None:
    position = Position(5)
    [found] = engine.analysis(position, Limits(depth=1))
    # The root counts too, and a better move than the first ones is searched again.
    assert len(position.legal_moves) < found.nodes < 1.5 * len(position.legal_moves)
    with Engine(table_mb=1) as other:
        assert other.play(position, Limits(depth=1)).nodes == found.nodes


@pytest.mark.parametrize("size", [5, 9])
def test_all_searches_together_keep_to_the_nodes(engine: Engine, size: int) -> None:
    *_, last = engine.analysis(Position(size), Limits(nodes=5000))
    # Each search looks at a few nodes more than it may, as one that is stopped still answers.
    assert 4000 < last.nodes < 5200


def test_all_searches_together_keep_to_the_time(engine: Engine) -> None:
    found = list(engine.analysis(Position(), Limits(time=0.4)))
    assert len(found) >= 2
    assert [analysis.seconds for analysis in found] == sorted(analysis.seconds for analysis in found)
    # The overrun of a search depends on the machine; a stream without an end takes far more.
    assert found[-1].seconds < 60


def test_a_proven_result_ends_a_stream_without_limits(engine: Engine) -> None:
    position = Position.from_line(" /  / e8 a5 / 0 0 / 1")
    *_, last = engine.analysis(position)
    assert (str(last.move), last.choices[0].wins_in) == ("(4, 8)", 1)


def test_a_stream_can_be_left_early_and_the_engine_used_again(engine: Engine) -> None:
    with engine.analysis(Position(), Limits(nodes=10**9)) as results:
        first = next(results)
    assert list(results) == []
    assert first.move in Position().legal_moves
    assert engine.play(Position(), Limits(nodes=100)).move in Position().legal_moves


def test_a_known_opening_is_still_analysed(engine: Engine) -> None:
    assert next(engine.analysis(Position(), Limits(time=0.05))).nodes > 0


def test_as_many_moves_are_scored_as_asked_for(engine: Engine) -> None:
    *_, last = engine.analysis(Position(5), Limits(depth=2), multipv=3)
    assert len(last.choices) == 3


@pytest.mark.parametrize(
    ("position", "multipv", "sentence"),
    [
        (Position.from_line(" /  / e9 e5 / 7 8 / 0"), 1, "the game is over, so no move can be chosen"),
        (Position(), 0, "multipv must be a whole number of at least 1, not 0"),
    ],
)
def test_an_invalid_analysis_is_refused_at_once(
    engine: Engine, position: Position, multipv: int, sentence: str
) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        engine.analysis(position, multipv=multipv)


def test_the_position_may_change_meanwhile(engine: Engine) -> None:
    position = Position(5)
    results = engine.analysis(position, Limits(depth=2))
    position.push_text("a2h")
    assert all(found.move in Position(5).legal_moves for found in results)


async def _depths(results: AsyncIterator[Analysis]) -> list[int]:
    return [found.depth async for found in results]


def test_trio_and_asyncio_get_the_same(engine: Engine) -> None:
    def results() -> AsyncIterator[Analysis]:
        return engine.analysis(Position(5), Limits(depth=3))

    assert trio.run(_depths, results()) == asyncio.run(_depths(results())) == [1, 2, 3]


def test_cancelling_ends_the_search_under_trio(engine: Engine) -> None:
    async def main() -> None:
        with trio.move_on_after(0.05) as scope:
            async with engine.analysis(Position(), Limits(time=math.inf)) as results:
                async for _ in results:
                    pass
        assert scope.cancelled_caught

    trio.run(main)
    assert engine.play(Position(), Limits(nodes=100)).move in Position().legal_moves


def test_cancelling_ends_the_search_under_asyncio(engine: Engine) -> None:
    async def main() -> None:
        async with engine.analysis(Position(), Limits(time=math.inf)) as results:
            async for _ in results:
                pass

    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(main(), 0.05))
    assert engine.play(Position(), Limits(nodes=100)).move in Position().legal_moves
