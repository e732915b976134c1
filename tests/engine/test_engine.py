"""The engine for users of the library: one object for any size, in plain code and threads."""

from __future__ import annotations

import pytest
import trio

from quoridor_net.engine import Engine, Limits
from quoridor_net.engine import engine as engine_module
from quoridor_net.rules import Position, Square, Step

pytestmark = pytest.mark.compiled("engine")


def test_one_engine_plays_games_of_every_kind() -> None:
    with Engine(table_mb=1) as engine:
        for position in (Position(5), Position(5, 4), Position(7), Position(5)):
            assert position.is_legal(engine.play(position, Limits(nodes=100)).move)


def test_an_analysis_has_as_many_lines_as_asked_for() -> None:
    position = Position(5)
    lines = Engine(table_mb=1).analyse(position, Limits(depth=2), multipv=3)
    assert len({line.move for line in lines}) == 3
    assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
    for line in lines:
        after = position.copy()
        assert line.line[0] == line.move
        for move in line.line:
            after.push(move)


def test_time_for_loading_the_kernels_is_not_time_of_the_move(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, spent = [100.0], []

    class Searcher:
        def __init__(self, *_kind: object, **_settings: object) -> None:
            pass

        def choose(self, *_asked: object, **how: float) -> None:
            spent.append(how["spent"])

    def load(_players: int) -> None:
        clock[0] += 3.0

    monkeypatch.setattr(engine_module, "Searcher", Searcher)
    monkeypatch.setattr(engine_module, "load_kernels", load)
    monkeypatch.setattr(engine_module, "perf_counter", lambda: clock[0])
    Engine().play(Position(5))
    assert (clock, spent) == ([103.0], [0.0])


def test_time_for_the_tables_is_time_of_the_move(monkeypatch: pytest.MonkeyPatch) -> None:
    position, now = Position(5), 100.0

    class SlowSearcher:
        def __init__(self, *_kind: object, **_settings: object) -> None:
            nonlocal now
            now += 3.0

        def choose(self, *_asked: object, spent: float) -> float:
            return spent

    monkeypatch.setattr(engine_module, "Searcher", SlowSearcher)
    monkeypatch.setattr(engine_module, "perf_counter", lambda: now)
    engine = Engine()
    spent: list[object] = [engine.play(position), engine.play(position)]
    assert spent == [3.0, 0.0]


@pytest.mark.parametrize("multipv", [0, -1, 1.0, True, None])
def test_lines_are_counted_in_whole_numbers(multipv: object) -> None:
    with pytest.raises(ValueError, match="multipv must be a whole number of at least 1, not"):
        Engine(table_mb=1).analyse(Position(5), multipv=multipv)  # type: ignore[arg-type]


def test_finished_games_are_rejected() -> None:
    finished = Position.from_line(" /  / e9 e5 / 7 8 / 0")
    with pytest.raises(ValueError, match="the game is over"):
        Engine(table_mb=1).play(finished)


def test_the_same_seed_plays_the_same_move() -> None:
    found = [Engine(seed=3, table_mb=1).play(Position(5), Limits(nodes=500)).move for _ in range(2)]
    assert found[0] == found[1]


def test_a_game_that_is_over_has_no_move() -> None:
    with pytest.raises(ValueError, match="the game is over"):
        Engine(table_mb=1).play(Position.from_line(" /  / e9 e5 / 7 8 / 0"))


def test_a_closed_engine_starts_from_scratch() -> None:
    engine = Engine(table_mb=1)
    engine.close()
    engine.stop()
    assert engine.play(Position(5), Limits(nodes=50)).nodes > 0


@pytest.mark.threads
async def test_a_search_in_a_thread_can_be_stopped() -> None:
    engine, position = Engine(table_mb=1), Position(5, 4)
    engine.play(position, Limits(nodes=50))
    async with trio.open_nursery() as nursery:

        async def search() -> None:
            analysis = await trio.to_thread.run_sync(engine.play, position, Limits(depth=99))
            assert position.is_legal(analysis.move)
            nursery.cancel_scope.cancel()

        nursery.start_soon(search)
        # Stopping before the search has begun has no effect.
        while True:
            await trio.sleep(0.01)
            engine.stop()


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("limits", [Limits(nodes=300), Limits(time=0.02), Limits(depth=2)], ids=str)
def test_only_the_moves_that_are_given_are_scored(players: int, limits: Limits) -> None:
    position = Position(9, players)
    engine = Engine(table_mb=8)
    [best] = engine.analyse(position, limits)
    given = {position.legal_moves[-1], position.legal_moves[1]} - {best.move}
    found = engine.analyse(position, limits, multipv=5, moves=given)
    scored = {choice.move for choice in found}
    # A busy machine may have no time for all of them.
    assert scored == given or (limits.time is not None and scored and scored < given)
    # A later search of all moves is not affected.
    assert engine.analyse(position, limits)[0].move not in given


def test_a_given_move_in_a_solved_position_gets_its_own_score() -> None:
    position = Position.from_line(" /  / d4 b2 / 0 0 / 1 / 5")
    aside = [move for move in position.legal_moves if str(move) == "(4, 3)"]
    [choice] = Engine(table_mb=1).analyse(position, Limits(nodes=300), moves=aside)
    assert (choice.move, choice.wins_in) == (aside[0], -2)


def test_a_selection_without_a_legal_move_is_rejected() -> None:
    with pytest.raises(ValueError, match="none of the given moves is legal"):
        Engine(table_mb=1).analyse(Position(5), moves=[Step(Square(4, 4))])
