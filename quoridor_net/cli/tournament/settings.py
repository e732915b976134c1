"""What a tournament is to be, from the command line and the files that it names."""

from __future__ import annotations

import tomllib
from inspect import signature
from pathlib import Path

import click
from attrs import evolve

from quoridor_net.players.spec import PlayerSpec, parse_spec
from quoridor_net.rules import STANDARD_SIZE, Jumps, Position
from quoridor_net.text import quote
from quoridor_net.text_file import TextFileError, explain, read_text, unify_line_ends
from quoridor_net.tournament.formats import FORMATS
from quoridor_net.tournament.quoridor.commands import from_folder
from quoridor_net.tournament.quoridor.openings import (
    BALANCED,
    Opening,
    OpeningError,
    balanced_openings,
    parse_openings,
)
from quoridor_net.tournament.quoridor.plan import Plan
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.tournament.sprt import Sprt

#: Games of every pairing unless told otherwise; and of a match that ends with a test.
USUAL_GAMES = 2
MOST_GAMES = 40_000

#: Formats that leave open how many rounds there are.
WITH_ROUNDS = tuple(name for name, kind in FORMATS.items() if "rounds" in signature(kind).parameters)

#: Maximum size of a file of openings, in bytes; the largest number of long openings takes half of that.
MAX_OPENINGS = 1 << 22

#: Maximum size of a file of settings, in bytes, and maximum number of dots in a line. The parser takes
#: quadratic time for a key of many dotted parts.
MAX_SETTINGS = 1 << 18
MAX_DOTS = 1000


def configure(context: click.Context, _option: click.Parameter, path: Path | None) -> None:
    """Take what the command line does not say from a TOML file: the callback of ``--config``.

    Raises:
        click.BadParameter: the file cannot be read, or has what is no option.
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
        raise click.BadParameter(f"{path}: there is no option {quote(min(unknown))}.")
    for option, value in values.items():
        expected = _expected(known[option], value)
        if expected:
            raise click.BadParameter(f"{path}: {option} has to be {expected}.")
    # A parameter need not be called as its option is.
    context.default_map = {str(known[option].name): value for option, value in values.items()}


def _expected(option: click.Parameter, value: object) -> str:
    """Return what the value of an option has to be in a file; empty if it is that.

    Click turns whatever it is given into what it needs: ``2.5`` into 2, and ``true`` into 1.
    """
    if isinstance(option, click.Option) and option.is_flag:
        return "" if isinstance(value, bool) else "true or false"
    if option.nargs != 1:
        kind: tuple[type, ...] = (str,) if option.nargs < 0 else (int, float)
        several = "a list of texts" if option.nargs < 0 else f"a list of {option.nargs} numbers"
        return "" if isinstance(value, list) and all(type(each) in kind for each in value) else several
    # To Python a truth value is an integer.
    if isinstance(option.type, click.types.IntParamType):
        return "" if type(value) is int else "a whole number"
    if isinstance(option.type, click.types.FloatParamType):
        return "" if type(value) in {int, float} else "a number"
    return "" if isinstance(value, str) else "a text"


def entrant_from(text: str) -> PlayerSpec:
    """Return the entrant that an argument names; a command of it runs in the current folder.

    Raises:
        click.BadParameter: it names none.
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
    move_time: float,
    ply_limit: int,
    gap: float,
    no_show_time: float,
    memory_limit: int | None,
    openings: str | None,
    sprt: tuple[float, float] | None,
    seed: int | None,
) -> Plan:
    """Return the plan that the options of ``quoridor tournament run`` make.

    Raises:
        click.UsageError: they contradict each other, or an option or the file that it names is refused.
    """
    if sprt is not None and form != Plan().form:
        raise click.UsageError(f"--sprt plays a match of two: leave out --format {form}.")
    if rounds is not None and (form not in WITH_ROUNDS or sprt is not None):
        raise click.UsageError(f"--rounds is for --format {' and '.join(WITH_ROUNDS)}.")
    if sprt is not None and games is not None and games % 2:
        raise click.UsageError(f"--sprt plays pairs of games: --games {games} has to be an even number.")
    players = FORMATS[form].players
    terms = GameTerms(
        size or 9, players, walls, jumps, move_time, ply_limit, gap, no_show_time, memory_limit, (), seed
    )
    if openings is not None:
        terms = evolve(terms, openings=tuple(moves for _, moves in read_openings(openings, terms.start())))
    games = games or (USUAL_GAMES if sprt is None else MOST_GAMES)
    plan = Plan(form, rounds, games, terms, concurrency, sprt)
    try:
        plan.check_settings()
    except ValueError as error:
        raise click.UsageError(f"{error}.") from None
    if sprt is not None:
        try:
            Sprt(*sprt)
        except ValueError as error:
            raise click.BadParameter(f"{error}.", param_hint="'--sprt'") from None
    return plan


def read_openings(name: str, start: Position) -> list[tuple[int, Opening]]:
    """Return the openings that ``--openings`` names, a file or ``balanced``, with the numbers of their lines.

    Raises:
        click.BadParameter: they cannot be read, or do not go with ``start``.
    """
    try:
        if name == BALANCED and (start.size, start.players) == (STANDARD_SIZE, 2):
            text = balanced_openings()
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
