"""The checker finds no *must* in sound programs, whatever their habits and random numbers."""

from __future__ import annotations

import pytest
from trio.testing import MockClock

from quoridor_net.check.athens.run import check_engine
from quoridor_net.check.findings import Report, Severity
from quoridor_net.check.lan_server.run import check_launched_server
from tests.support.random_programs import SOUND_ENGINES, RandomEngine, make_engine, make_server
from tests.support.small_engine import launch_engine
from tests.support.walker_server import launch_server

#: Habits of servers, and random seeds.
HABITS, SEEDS = range(100), range(10)


def find_musts(report: Report) -> list[str]:
    return [finding.code for finding in report.findings if finding.severity is Severity.MUST]


async def check_random_server(habits: int, seed: int) -> None:
    report = await check_launched_server(launch_server(make_server(habits, seed)))
    assert find_musts(report) == []
    assert report.passed


@pytest.mark.parametrize("habits", [14, 59])
async def test_random_server_has_no_must(habits: int, autojump_clock: MockClock) -> None:
    await check_random_server(habits, 100)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("habits", HABITS)
async def test_every_random_server_has_no_must(habits: int, seed: int, autojump_clock: MockClock) -> None:
    await check_random_server(habits, seed)


async def check_sound_engine(engine: type[RandomEngine], seed: int) -> None:
    report = await check_engine(launch_engine(make_engine(engine, seed)))
    assert find_musts(report) == []
    assert report.passed


@pytest.mark.parametrize("engine", SOUND_ENGINES[11:15], ids=lambda engine: engine.__name__)
async def test_sound_engine_has_no_must(engine: type[RandomEngine], autojump_clock: MockClock) -> None:
    await check_sound_engine(engine, 100)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("engine", SOUND_ENGINES, ids=lambda engine: engine.__name__)
async def test_every_sound_engine_has_no_must(
    engine: type[RandomEngine], seed: int, autojump_clock: MockClock
) -> None:
    await check_sound_engine(engine, seed)


@pytest.mark.parametrize("engine", SOUND_ENGINES[11:13], ids=lambda engine: engine.__name__)
async def test_engine_that_accepts_moves_only_in_turn_breaks_one_should(
    engine: type[RandomEngine], autojump_clock: MockClock
) -> None:
    # "Consecutive moves of the same color are not considered illegal from the protocol point of view."
    # (4.3 playmove)
    report = await check_engine(launch_engine(engine), only="QTP-135")
    assert [(finding.code, finding.severity) for finding in report.findings] == [("QTP-135", Severity.SHOULD)]
