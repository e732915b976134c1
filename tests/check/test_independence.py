"""The outcome of a check does not depend on other checks."""

from __future__ import annotations

import pytest
import trio
from attrs import evolve
from trio.testing import MockClock

from quoridor_net.check.athens.checks import checks as engine_checks
from quoridor_net.check.athens.engine import EngineUnderTest
from quoridor_net.check.athens.run import check_engine
from quoridor_net.check.catalogue import catalogue, report_on
from quoridor_net.check.checklist import Check, FaultError, UnavailableError, run_checks
from quoridor_net.check.findings import CheckOutcome, CheckVerdict, Finding
from quoridor_net.check.lan_server.checks import CHECKS
from quoridor_net.check.lan_server.run import check_launched_server
from quoridor_net.check.lan_server.server import ServerUnderTest
from quoridor_net.output import ignore
from tests.support import engine_bugs, server_bugs
from tests.support.small_engine import SmallEngine, launch_engine
from tests.support.walker_server import WalkerServer, launch_server

RULE = catalogue("lan_server").rules["LAN-121"]


async def _fail(_subject: object) -> str:
    await trio.lowlevel.checkpoint()
    raise FaultError(Finding(RULE, "nothing"))


async def _pass(subject: set[str]) -> str:
    await trio.lowlevel.checkpoint()
    return f"{len(subject)} names"


@pytest.mark.parametrize("failing", range(5))
async def test_fault_of_one_check_changes_no_other_outcome(failing: int) -> None:
    sound = [Check(f"check-{number}", "a check", _pass, is_first=number < 2) for number in range(5)]
    before = await _outcomes(sound)
    planted = [evolve(check, run=_fail) if number == failing else check for number, check in enumerate(sound)]
    after = await _outcomes(planted)
    assert after[failing].verdict is CheckVerdict.FAILED
    assert [outcome for outcome in after if outcome.name != f"check-{failing}"] == [
        outcome for outcome in before if outcome.name != f"check-{failing}"
    ]


async def _outcomes(checks: list[Check[set[str]]]) -> list[CheckOutcome]:
    report = report_on("lan_server", "the server")
    await run_checks(checks, {"ann"}, report, ignore)
    return report.outcomes


async def test_same_finding_is_reported_by_every_check_that_sees_it() -> None:
    checks: list[Check[set[str]]] = [Check(name, "a check", _fail) for name in ("one", "two")]
    assert [outcome.codes for outcome in await _outcomes(checks)] == [("LAN-121",), ("LAN-121",)]


async def test_only_a_program_that_is_gone_ends_all_checks() -> None:
    async def leave(_subject: object) -> str:
        await trio.lowlevel.checkpoint()
        raise UnavailableError("it is gone")

    outcomes = await _outcomes([Check("one", "a check", leave), Check("two", "a check", _pass)])
    assert [(outcome.verdict, outcome.remark) for outcome in outcomes] == [
        (CheckVerdict.SKIPPED, "it is gone"),
        (CheckVerdict.SKIPPED, "it is gone"),
    ]


#: Silent and slow programs: the checker saves time by leaving out or shortening some checks.
SAVED_TIME = (
    server_bugs.Silent,
    server_bugs.Endless,
    server_bugs.Slow,
    server_bugs.TooSlow,
    engine_bugs.Silent,
    engine_bugs.ForgetsLineEnds,
    engine_bugs.OnlyBlankLines,
)

SERVERS = [server for _, server in server_bugs.BUGS if server not in SAVED_TIME]
ENGINES = [engine for _, engine in engine_bugs.BUGS if engine not in SAVED_TIME]


def _verdicts(outcomes: list[CheckOutcome]) -> dict[str, tuple[CheckVerdict, tuple[str, ...]]]:
    return {outcome.name: (outcome.verdict, outcome.codes) for outcome in outcomes}


async def _check_server_alone(server: type[WalkerServer]) -> list[CheckOutcome]:
    """Return the outcome of every check when it is the only one."""
    outcomes = []
    for check in CHECKS:
        report = report_on("lan_server", "the server")

        async def refuse() -> trio.abc.Stream:
            raise OSError

        alone = ServerUnderTest(refuse, report, launch=launch_server(server))
        await run_checks((check,), alone, report, ignore)
        outcomes += report.outcomes
    return outcomes


async def _check_engine_alone(engine: type[SmallEngine]) -> list[CheckOutcome]:
    outcomes = []
    for check in engine_checks():
        report = report_on("athens", "the engine")
        await run_checks((check,), EngineUnderTest(launch_engine(engine), report, 10.0), report, ignore)
        outcomes += report.outcomes
    return outcomes


async def _compare_server(server: type[WalkerServer]) -> None:
    report = await check_launched_server(launch_server(server))
    assert _verdicts(report.outcomes) == _verdicts(await _check_server_alone(server))


async def _compare_engine(engine: type[SmallEngine]) -> None:
    report = await check_engine(launch_engine(engine))
    assert _verdicts(report.outcomes) == _verdicts(await _check_engine_alone(engine))


@pytest.mark.parametrize("server", [server_bugs.PlaysTwoOnly, server_bugs.DiesOfUnknownLines])
async def test_server_gets_the_same_outcomes_from_each_check_alone(
    server: type[WalkerServer], autojump_clock: MockClock
) -> None:
    await _compare_server(server)


@pytest.mark.parametrize("engine", [engine_bugs.HasNoBoard, engine_bugs.CountsNoWalls])
async def test_engine_gets_the_same_outcomes_from_each_check_alone(
    engine: type[SmallEngine], autojump_clock: MockClock
) -> None:
    await _compare_engine(engine)


@pytest.mark.slow
@pytest.mark.parametrize(
    "server",
    SERVERS,
    ids=lambda kind: kind.__name__,
)
async def test_every_server_gets_the_same_outcomes_from_each_check_alone(
    server: type[WalkerServer], autojump_clock: MockClock
) -> None:
    await _compare_server(server)


@pytest.mark.slow
@pytest.mark.parametrize(
    "engine",
    ENGINES,
    ids=lambda kind: kind.__name__,
)
async def test_every_engine_gets_the_same_outcomes_from_each_check_alone(
    engine: type[SmallEngine], autojump_clock: MockClock
) -> None:
    await _compare_engine(engine)
