"""``quoridor play``: a game at this terminal, against the engine or between any entrants."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve, frozen

from quoridor_net.cli import options
from quoridor_net.cli.auto_level import AUTO, follow_result, read_level
from quoridor_net.cli.command import command
from quoridor_net.cli.engines import Engines
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.leaving import leave
from quoridor_net.cli.new_file import NewFile, overwrite_option
from quoridor_net.match import Listener, play_match
from quoridor_net.match.recording import ReplayListener
from quoridor_net.net import clock
from quoridor_net.net.errors import first_error
from quoridor_net.net.networks import Networks
from quoridor_net.net.signals import until_signal
from quoridor_net.outcome import ForfeitError, Result
from quoridor_net.output import Output, discard_unwritten, ignore
from quoridor_net.players import Player
from quoridor_net.players.source import SourceSettings
from quoridor_net.players.spec import (
    LEVEL_FOR_PEOPLE,
    PlayerSpec,
    check_system,
    list_forms,
    parse_spec,
    processors,
)
from quoridor_net.programs.orphans import adopt_orphans
from quoridor_net.rules import TURN_ORDER, Move, Position
from quoridor_net.rules.diagram import ASCII
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.tournament.quoridor.roster import Roster, open_roster
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.tournament.schedule import Pairing
from quoridor_net.ui import DisplayKind, open_display
from quoridor_net.ui.banner import banner

if TYPE_CHECKING:
    from quoridor_net.ui.console import Console
    from quoridor_net.ui.local_player import LocalPlayer
    from quoridor_net.web.address import WebAddress

#: Pause between moves in seconds when a game is watched in a terminal.
WATCHING_DELAY = 0.3

#: The entrant that stands for the person at this terminal.
PERSON = "human"

_SIDES = {"1": "first", "2": "second"}


class _Side(click.Choice[str]):
    """The side of the person; numbers are accepted, too."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the side as a word, or fail with a usage error."""
        return super().convert(_SIDES.get(value, value), param, ctx)


class _Level(options.Integer):
    """A level of the engine, or the one that follows the results."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the level as a number or ``auto``, or fail with a usage error."""
        return AUTO if value == AUTO else super().convert(value, param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Return the form of the value for the help."""
        return f"[INTEGER|{AUTO}]"


@frozen
class _Game:
    """The requested game.

    Attributes:
        entrants: the players by seat.
        threads: search threads of each engine.
        introduction: a sentence about the opponent for the person; may be empty.
        auto_level: the level of the engine if it follows the results, else None.
    """

    entrants: tuple[PlayerSpec, ...]
    threads: int
    terms: GameTerms
    display: DisplayKind
    delay: float
    save: NewFile | None
    introduction: str = ""
    auto_level: int | None = None

    @property
    def has_person(self) -> bool:
        """Whether a person plays at this terminal."""
        return any(each.word == PERSON for each in self.entrants)

    @property
    def takes_back(self) -> bool:
        """Whether moves can be taken back; they cannot when another program keeps the game too."""
        return self.has_person and all(each.kind.is_built_in for each in self.entrants)


@command()
@click.argument("entrants", nargs=-1, metavar="[ENTRANT ENTRANT [ENTRANT ENTRANT]]")
@click.option(
    "--level",
    type=_Level(1, options.STRONGEST),
    help=f"Strength of the engine, from 1 (beginner) to {options.STRONGEST}; {AUTO} follows your results."
    f" [default: {LEVEL_FOR_PEOPLE}]",
)
@options.threads("one per processor; 1 if nobody plays at this terminal or in a browser")
@click.option(
    "--side",
    type=_Side(["first", "second"]),
    default="first",
    show_default=True,
    help="Your side: first (you start on rank 1) or second. With ENTRANTs, their order decides.",
)
@options.SIZE
@options.WALLS
@options.JUMPS
@options.move_time()
@options.clock()
@options.FIRST_MOVE_TIME
@options.PLY_LIMIT
@options.REPETITION
@options.delay(f"{WATCHING_DELAY} in a terminal")
@options.gap(0.05)
@click.option(
    "--no-show-time",
    type=options.SECONDS,
    default=10.0,
    show_default=True,
    help="Time to wait for an entrant before the game, in seconds.",
)
@options.memory_limit()
@options.seed(help=options.ENGINE_SEED)
@options.quiet("the result")
@options.JSON
@options.SAVE
@overwrite_option
@options.web("games against the engine")
@options.ALLOW
@click.pass_context
def play(
    context: click.Context,
    /,
    entrants: tuple[str, ...],
    level: int | str | None,
    threads: int | None,
    side: str,
    quiet: bool,
    as_json: bool,
    delay: float | None,
    save: NewFile | None,
    web: WebAddress | None,
    networks: Networks,
    **terms: Any,
) -> None:
    """Play a game at this terminal: you against the engine, or ENTRANTs against each other.

    An ENTRANT is [NAME=]ADDRESS. ADDRESS is human (you), HOST:PORT of a move server, qtp:COMMAND (an engine
    of the Athens protocol), engine[:level=5,think=0.1], simple or random. The first ENTRANT begins. Your
    moves can come from a pipe, one per line.

    The exit status is 0 when the game was decided or drawn, 2 for wrong usage, 3 when an entrant does not
    appear, 4 when the game was aborted.
    """
    if web is not None:
        if entrants or quiet or as_json or save is not None:
            raise click.UsageError(
                "Games of --web are set up in the browser. Remove ENTRANTs, --quiet, --json and --save."
            )
        # Imported here because most games run without a web page.
        from quoridor_net.cli.play_on_web import offer_games

        offer_games(web, level, threads or processors(), side, terms)
    if entrants:
        given = click.core.ParameterSource.COMMANDLINE
        for option in ("level", "side"):
            if context.get_parameter_source(option) is given:
                raise click.UsageError(
                    f"--{option} cannot be combined with ENTRANTs. Write, for example,"
                    " human engine:level=5, in order of play."
                )
    auto_level = read_level() if level == AUTO else None
    introduction = ""
    if not entrants:
        introduction = _introduce_level(level, auto_level)
        address = f"engine:level={auto_level or level or LEVEL_FOR_PEOPLE}"
        entrants = (PERSON, address) if side == "first" else (address, PERSON)
    seats = _parse_entrants(entrants)
    has_person = any(each.word == PERSON for each in seats)
    if quiet and as_json:
        raise click.UsageError("--quiet and --json exclude each other.")
    if has_person and (quiet or as_json):
        raise click.UsageError("--quiet and --json would hide the board from you. Remove them, or human.")
    display = DisplayKind.QUIET if quiet else DisplayKind.JSON if as_json else DisplayKind.USUAL
    watches = display is DisplayKind.USUAL and sys.stdout.isatty() and not has_person
    delay = (WATCHING_DELAY if watches else 0.0) if delay is None else delay
    terms["size"] = terms["size"] or 9
    threads = threads or (processors() if has_person else 1)
    game = _Game(
        seats,
        threads,
        GameTerms(players=len(seats), **terms),
        display,
        delay,
        save,
        introduction,
        auto_level,
    )
    try:
        game.terms.check(seats)
    except ValueError as error:
        raise click.UsageError(f"{error}.") from None
    _run(game, networks)


def _introduce_level(level: int | str | None, auto_level: int | None) -> str:
    """Return a sentence about the level that the person did not choose; empty if it was chosen."""
    if auto_level is not None:
        return f"The engine plays at level {auto_level}, which follows your results."
    if level is None:
        return (
            f"The engine plays at level {LEVEL_FOR_PEOPLE}."
            f" Choose another with --level, from 1 (beginner) to {options.STRONGEST}."
        )
    return ""


def _parse_entrants(texts: Sequence[str]) -> tuple[PlayerSpec, ...]:
    """Return the entrants by seat.

    Raises:
        click.UsageError: there are not two or four, or one is malformed or cannot run on this system.
    """
    if len(texts) not in TURN_ORDER:
        raise click.UsageError(
            f"Give two or four entrants or none, not {len(texts)}: {list_forms([PERSON])}."
        )
    try:
        seats = tuple(parse_spec(text, [PERSON]) for text in texts)
        check_system(seats)
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="'ENTRANT'") from None
    if sum(each.word == PERSON for each in seats) > 1:
        raise click.UsageError("Only one person can play at this terminal. Give human once.")
    return seats


def _run(game: _Game, networks: Networks) -> None:
    engines = Engines(is_silent=game.display is DisplayKind.QUIET or sys.stdout.isatty())
    status: int | None = ExitStatus.FAILED
    try:
        with adopt_orphans():
            status = clock.run(until_signal, partial(_play, game, engines, networks))
    except* OSError as group:
        # A person who sees no board cannot play. A closed pipe needs no message.
        error = first_error(group)
        discard_unwritten(sys.stdout)
        if isinstance(error, BrokenPipeError):
            status = ExitStatus.PIPE_CLOSED
        else:
            click.echo(f"Error: the game cannot be shown: {getattr(error, 'strerror', error)}.", err=True)
    if status is None:
        click.echo("Aborted.", err=True)
        status = ExitStatus.ABORTED
    leave(status)


class _AbsentError(Exception):
    """Entrants did not appear; ``reasons`` has a sentence for each."""

    def __init__(self, reasons: list[str]) -> None:
        self.reasons = reasons


async def _play(game: _Game, engines: Engines, networks: Networks) -> int:
    console, person = _seat_person(game, engines) if game.has_person else (None, None)
    usual = Output(sys.stderr).write_line if game.display is DisplayKind.USUAL else ignore
    settings = SourceSettings(
        networks=networks,
        threads=game.threads,
        engine=lambda limits: engines.engine(limits).player,
        own={} if person is None else {PERSON: lambda _seed: person},
        report=usual if console is None else console.write,
    )
    async with open_roster(game.terms, settings=settings) as roster:
        for entrant in game.entrants:
            await roster.add(entrant)
        try:
            players = await _seat_players(roster)
        except _AbsentError as error:
            for reason in error.reasons:
                click.echo(f"Error: {reason}. No game was started.", err=True)
            return ExitStatus.CANNOT_BEGIN
        engines.start()
        recordings = [] if game.save is None else [ReplayListener(game.save)]
        if console is None:
            async with open_display(game.display, sys.stdout, picture=BoardPicture.STANDARD) as listener:
                await _match(game, players, [listener, *recordings])
        else:
            result = await _match(game, players, recordings)
            _tell_result(console, result, roster.names)
            if game.auto_level is not None:
                seat = 1 + [each.word for each in game.entrants].index(PERSON)
                console.write(follow_result(game.auto_level, seat, result))
    return ExitStatus.DONE


def _seat_person(game: _Game, engines: Engines) -> tuple[Console, LocalPlayer]:
    """Return the console and the person at it, who can ask the engine for hints."""
    from quoridor_net.engine import Limits
    from quoridor_net.ui.console import Console
    from quoridor_net.ui.local_player import LocalPlayer

    console = Console()
    engines.person = LocalPlayer(console, takes_back=game.takes_back, introduction=game.introduction)
    engines.person.adviser = engines.engine(Limits(threads=game.threads)).player(game.terms.seed)
    return console, engines.person


async def _seat_players(roster: Roster) -> list[Player[Position, Move]]:
    """Return the players by seat.

    Raises:
        _AbsentError: one did not appear; the others have left.
    """
    failures = await roster.introduce()
    if failures:
        raise _AbsentError([f"{roster.describe(number)} {reason}" for number, reason in failures.items()])
    seated = await roster.seat(Pairing(1, 1, tuple(range(1, len(roster.names) + 1))))
    players: list[Player[Position, Move]] = []
    reasons: list[str] = []
    for name, each in zip(roster.names, seated, strict=True):
        match each:
            case Player():
                each.name = name
                players.append(each)
            case ForfeitError():
                reasons.append(f"{name} {each.sentence}")
            case OSError():
                reasons.append(f"{name} cannot be started: {each.strerror or each}")
    if reasons:
        for player in players:
            await player.leave()
        raise _AbsentError(reasons)
    return players


async def _match(game: _Game, players: list[Player[Position, Move]], listeners: Sequence[Listener]) -> Result:
    settings = evolve(
        game.terms.settings(game.terms.start(), game.entrants), delay=game.delay, takes_back=game.takes_back
    )
    return await play_match(players, settings, listeners)


def _tell_result(console: Console, result: Result, names: tuple[str, ...]) -> None:
    """Print who has won; on a terminal, also in large letters."""
    width, height = console.size
    if console.is_terminal:
        console.show(banner(result, names, width, int(height), console.glyphs is ASCII))
    console.write(result.sentence)
