"""The check of the argument ``-seed N``, which referees give to engines."""

from __future__ import annotations

from attrs import evolve

from quoridor_net.check.athens.engine import RULES, EngineUnderTest
from quoridor_net.check.athens.sessions import in_session
from quoridor_net.check.checklist import Check, FaultError

#: The arguments.
SEED = ("-seed", "1")

#: The first command of a referee, and one that engines can answer which cannot take it.
_COMMANDS = ("boardsize 9", "name")


async def _check_seed(engine: EngineUnderTest) -> str:
    """Start the engine with a seed, and compare its first response with that of a usual start."""
    assert engine.start_with_seed is not None
    command = next(each for each in _COMMANDS if each.partition(" ")[0] not in engine.silent)

    async def ask(engine: EngineUnderTest) -> str:
        response = await engine.ask(command)
        if not response.is_success:
            raise engine.make_fault("QTP-221", "=", response.data)
        return ""

    usual = engine.start
    engine.start = engine.start_with_seed
    try:
        await in_session(engine, ask)
    except FaultError as error:
        fault = error
    else:
        return ""
    finally:
        engine.start = usual
    # A fault that does not depend on the seed is the subject of other checks.
    try:
        await in_session(engine, ask)
    except FaultError:
        return ""
    detail = f"It was started with {' '.join(SEED)}; without it, it answers."
    raise FaultError(evolve(fault.finding, rule=RULES["QTP-221"], detail=detail))


SEED_CHECK = Check("seed", f"a start with {' '.join(SEED)}", _check_seed, ("QTP-22",), 1)
