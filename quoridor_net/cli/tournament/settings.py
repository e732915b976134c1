"""The plan of a tournament, from command line and files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from inspect import signature
from pathlib import Path

import click
from attrs import evolve

from quoridor_net.clocks import GameClock
from quoridor_net.players.spec import PlayerSpec, parse_spec
from quoridor_net.rules import STANDARD_SIZE, Jumps, Position
from quoridor_net.text import parse_number, quote
from quoridor_net.text_file import TextFileError, explain, read_text, unify_line_ends
from quoridor_net.tournament.formats import FORMATS
from quoridor_net.tournament.formats.swiss import usual_rounds
from quoridor_net.tournament.lobby import QuietHours
from quoridor_net.tournament.quoridor.commands import from_folder
from quoridor_net.tournament.quoridor.manager import parse_pairs
from quoridor_net.tournament.quoridor.openings import (
    BALANCED,
    Opening,
    OpeningError,
    parse_openings,
    read_balanced_openings,
)
from quoridor_net.tournament.quoridor.plan import MAX_ROUNDS, LeagueTerms, Plan
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.tournament.schedule import find_entrant, format_chosen, unique_names
from quoridor_net.tournament.sprt import EloModel, Sprt

#: Default number of games of each pairing, and maximum number of games of a match with a test.
USUAL_GAMES = 2
MOST_GAMES = 40_000

#: Default time limit of a move without a clock, in seconds.
USUAL_MOVE_TIME = 10.0

#: Formats with an option for the number of rounds.
WITH_ROUNDS = tuple(name for name, kind in FORMATS.items() if "rounds" in signature(kind).parameters)

#: Maximum size of a file of openings, in bytes; the maximum number of long openings takes half of it.
MAX_OPENINGS = 1 << 22

#: Maximum size of a file of settings, in bytes, and maximum number of dots in a line. The parser takes
#: quadratic time for a key of many dotted parts.
MAX_SETTINGS = 1 << 18
MAX_DOTS = 1000


def configure(context: click.Context, _option: click.Parameter, path: Path | None) -> None:
    """Read defaults of options from a TOML file, as the callback of ``--config``.

    Raises:
        click.BadParameter: the file cannot be read, or contains an unknown option or an invalid value.
    """
    if path is None:
        return
    try:
        text = unify_line_ends(read_text(path, MAX_SETTINGS))
        if any(line.count(".") > MAX_DOTS for line in text.split("\n")):
            raise click.BadParameter(f"{path}: a line has more than {MAX_DOTS} dots.")
        values = tomllib.loads(text)
    except (OSError, TextFileError) as error:
        raise click.BadParameter(f"{explain(str(path), error)}.") from None
    except RecursionError:
        raise click.BadParameter(f"{path}: its values are nested too deeply.") from None
    except ValueError as error:
        raise click.BadParameter(f"{path}: {error}.") from None
    known = {name.lstrip("-"): of for of in context.command.params for name in of.opts}
    unknown = values.keys() - (known.keys() - {"config", "help", "file"})
    if unknown:
        raise click.BadParameter(f"{path}: unknown option {quote(min(unknown))}.")
    for option, value in values.items():
        expected = _find_expected_type(known[option], value)
        if expected:
            raise click.BadParameter(f"{path}: {option} must be {expected}.")
    # The name of a parameter may differ from that of its option.
    context.default_map = {str(known[option].name): value for option, value in values.items()}


def _find_expected_type(option: click.Parameter, value: object) -> str:
    """Return the type that an option needs in a file; empty if the value has it.

    Checked here, because Click converts values of other types: ``2.5`` to 2 and ``true`` to 1.
    """
    if isinstance(option, click.Option) and option.is_flag:
        return "" if isinstance(value, bool) else "true or false"
    if isinstance(option, click.Option) and option.multiple:
        is_list = isinstance(value, list) and all(type(each) is str for each in value)
        return "" if is_list else "a list of strings"
    if option.nargs != 1:
        kind: tuple[type, ...] = (str,) if option.nargs < 0 else (int, float)
        several = "a list of strings" if option.nargs < 0 else f"a list of {option.nargs} numbers"
        return "" if isinstance(value, list) and all(type(each) in kind for each in value) else several
    # isinstance() would accept bool.
    if isinstance(option.type, click.types.IntParamType):
        return "" if type(value) is int else "an integer"
    if isinstance(option.type, click.types.FloatParamType):
        return "" if type(value) in {int, float} else "a number"
    return "" if isinstance(value, str) else "a string"


def entrant_from(text: str) -> PlayerSpec:
    """Return the entrant for an argument; its command runs in the current folder.

    Raises:
        click.BadParameter: the argument is not an entrant.
    """
    try:
        return from_folder(parse_spec(text), Path.cwd())
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="'ENTRANT'") from None


def plan_from(
    *,
    form: str,
    rounds: int | None,
    games: int | None,
    concurrency: int,
    size: int | None,
    walls: int | None,
    jumps: Jumps,
    move_time: float | None,
    clock: GameClock | None,
    first_move_time: float | None,
    ply_limit: int,
    repetition: int | None,
    gap: float,
    no_show_time: float,
    memory_limit: int | None,
    openings: str | None,
    sprt: tuple[float, float] | None,
    alpha: float | None,
    beta: float | None,
    elo_model: str | None,
    seed: int | None,
    title: str | None,
    helps_late: bool,
    rate: int | None,
    quiet_hours: QuietHours | None,
    window: int | None,
) -> Plan:
    """Return the plan for the options of ``quoridor tournament run``.

    Raises:
        click.UsageError: they contradict each other, or an option or its file is invalid.
    """
    if sprt is not None and form != Plan().form:
        raise click.UsageError(f"--sprt plays a match of two entrants: leave out --format {form}.")
    if helps_late and (form != "swiss" or sprt is not None):
        raise click.UsageError("--late-half-byes works only with --format swiss.")
    if rounds is not None and (form not in WITH_ROUNDS or sprt is not None):
        raise click.UsageError(f"--rounds works only with --format {' or '.join(WITH_ROUNDS)}.")
    if sprt is not None and games is not None and games % 2:
        raise click.UsageError(f"--sprt plays pairs of games: --games {games} must be an even number.")
    test = _test_of(sprt, alpha, beta, elo_model)
    for option, value in (("--rate", rate), ("--quiet-hours", quiet_hours), ("--window", window)):
        if value is not None and not FORMATS[form].is_open_ended:
            raise click.UsageError(f"{option} works only with --format league.")
    players = FORMATS[form].players
    terms = GameTerms(
        size=size or 9,
        players=players,
        walls=walls,
        jumps=jumps,
        move_time=USUAL_MOVE_TIME if move_time is None and clock is None else move_time,
        ply_limit=ply_limit,
        repetition=repetition,
        gap=gap,
        no_show_time=no_show_time,
        memory_limit=memory_limit,
        seed=seed,
        clock=clock,
        first_move_time=first_move_time,
    )
    if openings is not None:
        terms = evolve(terms, openings=tuple(moves for _, moves in read_openings(openings, terms.start())))
    league = LeagueTerms(rate, quiet_hours, window or LeagueTerms().window)
    games = games or (USUAL_GAMES if sprt is None else MOST_GAMES)
    plan = Plan(form, rounds, games, terms, concurrency, test, title, helps_late=helps_late, league=league)
    try:
        plan.check_settings()
    except ValueError as error:
        raise click.UsageError(f"{error}.") from None
    return plan


def with_wishes(
    plan: Plan,
    field: Sequence[PlayerSpec],
    rests: Iterable[str],
    apart: Iterable[str],
    pairs: Sequence[str],
    *,
    is_whole: bool,
) -> Plan:
    """Return ``plan`` with the wishes of entrants, who are named by the options of a Swiss tournament.

    Args:
        plan: the plan without them.
        field: the entrants.
        rests: values of ``--bye``, like ``ann=2,5``.
        apart: values of ``--apart``, like ``ann,bob``.
        pairs: values of ``--pair``, like ``ann,bob``.
        is_whole: whether no other entrants sign up, so that the usual number of rounds is known.

    Raises:
        click.UsageError: the format takes none, a value is malformed, or an entrant is unknown.
    """
    names = unique_names(entrant.name or entrant.address for entrant in field)
    given = {"--bye": [*rests], "--apart": [*apart], "--pair": [*pairs]}
    for option, values in given.items():
        if values and plan.form != "swiss":
            raise click.UsageError(f"{option} works only with --format swiss.")
    try:
        option = "--bye"
        rounds = plan.rounds or (usual_rounds(len(names)) if is_whole else MAX_ROUNDS)
        found = tuple(wish for text in given[option] for wish in _parse_rests(names, text, rounds))
        option = "--apart"
        groups = tuple(_parse_group(names, text) for text in given[option])
        option = "--pair"
        chosen = parse_pairs(names, pairs) if pairs else []
        plan = evolve(plan, rests=found, apart=groups)
        plan.format.check_chosen(1, chosen, names)
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint=f"'{option}'") from None
    return evolve(plan, pairings=format_chosen(1, chosen) if chosen else None)


def _parse_rests(names: Sequence[str], text: str, most: int) -> list[tuple[int, int]]:
    """Parse ``ann=2,5``: an entrant and rounds up to ``most``."""
    name, equals, rounds = text.rpartition("=")
    if not equals:
        raise ValueError(f"expected NAME=ROUND, not {quote(text)}")
    entrant = find_entrant(names, name)
    return [(entrant, parse_number(number, 1, most)) for number in rounds.split(",")]


def _parse_group(names: Sequence[str], text: str) -> tuple[int, ...]:
    """Parse ``ann,bob``: two or more entrants."""
    group = tuple(find_entrant(names, name) for name in text.split(","))
    if len(set(group)) < 2:
        raise ValueError(f"{text!r} does not name two entrants")
    return group


def _test_of(
    sprt: tuple[float, float] | None, alpha: float | None, beta: float | None, elo_model: str | None
) -> Sprt | None:
    """Return the test for ``--sprt`` and the options beside it; None without.

    Raises:
        click.UsageError: they contradict each other, or a value is invalid.
    """
    rates = {name: rate for name, rate in (("alpha", alpha), ("beta", beta)) if rate is not None}
    if sprt is None:
        if rates or elo_model is not None:
            raise click.UsageError("--alpha, --beta and --elo-model belong to --sprt, which is missing.")
        return None
    options = "--sprt"
    try:
        test = Sprt(*sprt, model=EloModel(elo_model or EloModel.NORMALISED.value))
        options = " ".join(f"--{name}" for name in rates)
        return evolve(test, alpha=rates.get("alpha", test.alpha), beta=rates.get("beta", test.beta))
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint=[*options.split()]) from None


def read_openings(name: str, start: Position) -> list[tuple[int, Opening]]:
    """Return the openings from ``--openings``, a file or ``balanced``, with their line numbers.

    Raises:
        click.BadParameter: they cannot be read, or do not fit ``start``.
    """
    try:
        if name == BALANCED and (start.size, start.players) == (STANDARD_SIZE, 2):
            text = read_balanced_openings()
        elif name == BALANCED:
            raise OpeningError("the balanced openings are for two players on 9x9")
        else:
            text = read_text(name, MAX_OPENINGS)
        return parse_openings(text, start)
    except (OSError, TextFileError) as error:
        reason = explain(name, error)
    except ValueError as error:
        reason = f"{name}: {error}"
    raise click.BadParameter(f"{reason}.", param_hint="'--openings'")
