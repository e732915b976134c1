"""``quoridor referee``: games between two engine programs of the Athens protocol."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import click

from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.new_file import overwrite_option
from quoridor_net.cli.tournament.settings import read_openings
from quoridor_net.clocks import GameClock
from quoridor_net.net import clock
from quoridor_net.net.errors import first_error
from quoridor_net.net.signals import until_signal
from quoridor_net.programs.address import EngineAddress, check_system, parse_address
from quoridor_net.programs.orphans import adopt_orphans
from quoridor_net.programs.process import START_TIME
from quoridor_net.rules import STANDARD_SIZE, Jumps, Position, default_walls
from quoridor_net.tournament.quoridor.openings import Opening, OpeningError, parse_openings

from .games import Side
from .referee import Referee, UnreachableError
from .report import LiveReport, document, summary
from .settings import RefereeSettings


def engine_address(_context: click.Context, _option: click.Parameter, text: str) -> EngineAddress:
    """Parse the address of an engine.

    Raises:
        click.BadParameter: the text is malformed, or names a program and this system cannot run programs.
    """
    try:
        address = parse_address(text)
        check_system(address)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None
    return address


@command(
    epilog="The exit status is 0 when no engine was at fault, 3 when an engine could not be run or reached, 4"
    " when games were void, 10 when the --white engine lost a game by a fault, 11 when the --black engine"
    " did, 12 when both did, 130 after Ctrl-C."
)
@click.option(
    "--white",
    metavar="CMD",
    callback=engine_address,
    required=True,
    help="Command of the white engine, or tcp:HOST:PORT.",
)
@click.option(
    "--black",
    metavar="CMD",
    callback=engine_address,
    required=True,
    help="Command of the black engine, which moves first.",
)
@click.option(
    "--verbose", type=options.Integer(0, 2), default=0, help="Verbosity: 1 lists moves, 2 also draws boards."
)
@options.SIZE
@options.WALLS
@click.option("--games", type=options.Integer(1), default=1, show_default=True, help="Number of games.")
@options.clock("--maximum_time", "--maximum-time", default="20*size")
@options.move_time("--move_time", default=30.0)
@options.FIRST_MOVE_TIME
@options.memory_limit("--memory_limit")
@options.seed(help="Seed that the engines get as -seed N. [default: the current time]")
@click.option("--no-seed", is_flag=True, help="Start the engines without -seed N.")
@options.start_time(START_TIME, "the first answer of a program")
@options.CONCURRENCY
@click.option(
    "--openings",
    metavar="FILE|balanced",
    help="File of openings to play in turn, one per line, e.g. e2 e8 e3h; or balanced, for openings that"
    " this project's engine finds even (9x9).",
)
@click.option("--opening", metavar="MOVES", help="Opening of every game, e.g. 'e2 e8 e3h'.")
@click.option("--swap", is_flag=True, help="Swap colours after every game.")
@click.option("--restart", is_flag=True, help="Start new processes for every game.")
@options.PLY_LIMIT
@options.REPETITION
@options.JUMPS
@options.JSON_DOCUMENT
@options.save_folder("game-*.qtp")
@options.log_folder("*-*.log")
@overwrite_option
def referee(
    white: EngineAddress,
    black: EngineAddress,
    verbose: int,
    size: int | None,
    walls: int | None,
    games: int,
    clock: GameClock | None,
    move_time: float,
    first_move_time: float | None,
    memory_limit: int | None,
    seed: int | None,
    no_seed: bool,
    start_time: float,
    concurrency: int,
    openings: str | None,
    opening: str | None,
    swap: bool,
    restart: bool,
    ply_limit: int,
    repetition: int | None,
    jumps: Jumps,
    as_json: bool,
    save: Path | None,
    log: Path | None,
) -> None:
    """Run games between two engines and report every verdict, the score and the Elo difference."""
    white, black = options.program_at("--white", white), options.program_at("--black", black)
    size = size or STANDARD_SIZE
    walls = default_walls(size) if walls is None else walls
    start = Position(size, 2, walls, jumps)
    judge = Referee(
        RefereeSettings(
            white,
            black,
            size=size,
            walls=walls,
            games=games,
            clock=GameClock(20.0 * size) if clock is None else clock,
            move_time=move_time,
            first_move_time=first_move_time,
            start_time=start_time,
            memory=memory_limit,
            seed=None if no_seed else int(time.time()) if seed is None else seed,
            jumps=jumps,
            ply_limit=ply_limit,
            repetition=repetition,
            swap=swap,
            openings=select_openings(opening, openings, start),
            concurrency=concurrency,
            is_kept=not restart,
            save=save,
            log=log,
        )
    )
    was_interrupted = run_referee(judge, None if as_json else LiveReport(click.echo, verbose))
    if as_json:
        click.echo(json.dumps(document(judge), indent=2))
    else:
        click.echo("\n".join(summary(judge)))
    sys.exit(ExitStatus.INTERRUPTED if was_interrupted else exit_status(judge))


def select_openings(
    opening: str | None, openings: str | None, start: Position
) -> tuple[tuple[int, Opening], ...]:
    """Return the openings from either option, with their line numbers; 0 for the one on the command line.

    Raises:
        click.UsageError: both options are given, or one has no valid opening.
    """
    if opening is not None and openings is not None:
        raise click.UsageError("--opening and --openings exclude each other.")
    if openings is not None:
        return tuple(read_openings(openings, start))
    try:
        return () if opening is None else tuple((0, moves) for _, moves in parse_openings(opening, start))
    except OpeningError as error:
        raise click.BadParameter(f"{error}.", param_hint="'--opening'") from None


def run_referee(judge: Referee, report: LiveReport | None) -> bool:
    """Play the games; return whether a signal interrupted them."""

    async def run() -> bool:
        if report is None:
            await judge.run()
        else:
            await judge.run((report,), (report.record,))
        return True

    try:
        with adopt_orphans():
            return clock.run(until_signal, run) is None
    except* UnreachableError as group:
        click.echo(f"Error: {first_error(group)}.", err=True)
        status = ExitStatus.CANNOT_BEGIN
    except* OSError as group:
        click.echo(f"Error: a replay or a log cannot be written: {first_error(group)}.", err=True)
        status = ExitStatus.FAILED
    sys.exit(status)


def exit_status(judge: Referee) -> int:
    """Return the exit status, which shows which engine was at fault."""
    at_fault = {record.at_fault for record in judge.records} - {None}
    if len(at_fault) == 2:
        return ExitStatus.BOTH_AT_FAULT
    if at_fault:
        return ExitStatus.WHITE_AT_FAULT if Side.WHITE in at_fault else ExitStatus.BLACK_AT_FAULT
    is_void = any(record.result.termination.is_void for record in judge.records)
    return ExitStatus.ABORTED if is_void else ExitStatus.DONE


if __name__ == "__main__":
    referee(prog_name="quoridor referee")
