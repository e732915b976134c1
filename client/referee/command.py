"""``quoridor referee``: games between two engine programs of the Athens protocol."""

from __future__ import annotations

import json
import signal
import sys
import time
from pathlib import Path
from typing import TextIO

import click
import trio

from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.new_file import may_overwrite, overwrite_option, refuse_existing
from quoridor_net.cli.seconds import SECONDS
from quoridor_net.programs.link import EngineAddress
from quoridor_net.programs.lookup import located
from quoridor_net.programs.orphans import adopt_orphans
from quoridor_net.programs.source import parse_address
from quoridor_net.protocols.athens import default_walls
from quoridor_net.protocols.athens.commands import MAX_INT
from quoridor_net.rules import MAX_SIZE, MIN_SIZE, STANDARD_SIZE, Jumps, Position
from quoridor_net.tournament.openings import Opening, OpeningError, parse_openings

from .games import Side
from .referee import Referee, UnreachableError
from .report import LiveReport, document, summary
from .settings import RefereeSettings


def engine_address(_context: click.Context, _option: click.Parameter, text: str) -> EngineAddress:
    """Return the address of an engine.

    Raises:
        click.BadParameter: the text is none.
    """
    try:
        return parse_address(text)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit status: 0 no engine at fault, 3 an engine cannot be run, 4 games do not count, 10 the white"
    " engine lost a game by a fault, 11 the black one, 12 both, 130 interrupted.",
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
@click.option("--verbose", type=click.IntRange(0, 2), default=0, help="1 lists moves, 2 draws boards too.")
@click.option(
    "--size",
    type=click.IntRange(MIN_SIZE, MAX_SIZE),
    default=STANDARD_SIZE,
    show_default=True,
    help="Squares on a side.",
)
@click.option(
    "--walls", type=click.IntRange(0, MAX_INT), help="Walls of each player.  [default: 7/4*size-23/4]"
)
@click.option("--games", type=click.IntRange(1), default=1, show_default=True, help="Number of games.")
@click.option(
    "--maximum_time",
    "--maximum-time",
    type=SECONDS,
    help="Seconds of each engine for a game.  [default: 20*size]",
)
@click.option(
    "--move_time",
    "--move-time",
    type=SECONDS,
    default=30.0,
    show_default=True,
    help="Seconds for a move.",
)
@click.option(
    "--memory_limit",
    "--memory-limit",
    type=click.IntRange(0, 10**9),
    default=950,
    show_default=True,
    help="MiB of address space of each process; 0 for no limit.",
)
@click.option("--seed", type=int, help="Given to the engines as -seed N.  [default: the time]")
@click.option("--no-seed", is_flag=True, help="Start the engines without -seed N.")
@click.option(
    "--start-time",
    type=SECONDS,
    default=30.0,
    show_default=True,
    help="Seconds for the first answer of a program.",
)
@click.option(
    "--concurrency", type=click.IntRange(1), default=1, show_default=True, help="Games at the same time."
)
@click.option(
    "--openings",
    type=click.File(encoding="utf-8"),
    metavar="FILE",
    help="Play these openings in turn: one in each line, as in: e2 e8 e3h",
)
@click.option("--opening", metavar="MOVES", help="Begin every game with these moves, as in: 'e2 e8 e3h'")
@click.option("--swap", is_flag=True, help="Change colours after every game.")
@click.option("--restart", is_flag=True, help="Start new processes for every game.")
@click.option(
    "--ply-limit",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="Draw a game after so many plies.",
)
@click.option(
    "--jumps",
    type=click.Choice([str(rule) for rule in Jumps]),
    default=str(Jumps.OFFICIAL),
    show_default=True,
    help="Jump rule.",
)
@click.option("--json", "is_json", is_flag=True, help="Print one JSON document and nothing else.")
@click.option(
    "--save",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write each game into this directory as a replay file.",
)
@click.option(
    "--log",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write all lines to and from each engine process into files in this directory.",
)
@overwrite_option
def referee(
    white: EngineAddress,
    black: EngineAddress,
    verbose: int,
    size: int,
    walls: int | None,
    games: int,
    maximum_time: float | None,
    move_time: float,
    memory_limit: int,
    seed: int | None,
    no_seed: bool,
    start_time: float,
    concurrency: int,
    openings: TextIO | None,
    opening: str | None,
    swap: bool,
    restart: bool,
    ply_limit: int,
    jumps: str,
    is_json: bool,
    save: Path | None,
    log: Path | None,
) -> None:
    """Play games between two engines and report every verdict, the score and the difference in Elo."""
    white, black = program_at("--white", white), program_at("--black", black)
    walls = default_walls(size) if walls is None else walls
    start = Position(size, 2, walls, Jumps(jumps))
    judge = Referee(
        RefereeSettings(
            white,
            black,
            size=size,
            walls=walls,
            games=games,
            game_time=20.0 * size if maximum_time is None else maximum_time,
            move_time=move_time,
            start_time=start_time,
            memory=memory_limit or None,
            seed=None if no_seed else int(time.time()) if seed is None else seed,
            jumps=Jumps(jumps),
            ply_limit=ply_limit,
            swap=swap,
            openings=chosen_openings(opening, openings, start),
            concurrency=concurrency,
            is_kept=not restart,
            save=None if save is None else made_directory("--save", save, "game-*.qtp"),
            log=None if log is None else made_directory("--log", log, "*-*.log"),
        )
    )
    was_interrupted = run_referee(judge, None if is_json else LiveReport(click.echo, verbose))
    if is_json:
        click.echo(json.dumps(document(judge), indent=2))
    else:
        click.echo("\n".join(summary(judge)))
    sys.exit(ExitStatus.INTERRUPTED if was_interrupted else exit_status(judge))


def program_at(option: str, address: EngineAddress) -> EngineAddress:
    """Return the address of a program that can be run; end with a message if there is none."""
    try:
        return located(address)
    except ValueError as error:
        click.echo(f"Error: {option}: {error}.", err=True)
    sys.exit(ExitStatus.CANNOT_BEGIN)


def chosen_openings(
    opening: str | None, openings: TextIO | None, start: Position
) -> tuple[tuple[int, Opening], ...]:
    """Return the openings of either option, with their line numbers; 0 for the one on the command line.

    Raises:
        click.UsageError: both options are given.
        click.BadParameter: there is no opening, or a bad one.
    """
    if opening is None:
        return () if openings is None else read_openings(openings, start)
    if openings is not None:
        raise click.UsageError("--opening and --openings exclude each other.")
    try:
        return tuple((0, moves) for _, moves in parse_openings(opening, start))
    except OpeningError as error:
        raise click.BadParameter(f"{error}.", param_hint="'--opening'") from None


def read_openings(file: TextIO, start: Position) -> tuple[tuple[int, Opening], ...]:
    """Return the openings in ``file``.

    Raises:
        click.BadParameter: it has none, or bad ones.
    """
    try:
        return tuple(parse_openings(file.read(), start))
    except UnicodeDecodeError:
        raise click.BadParameter(f"{file.name} is no text (UTF-8).", param_hint="'--openings'") from None
    except OpeningError as error:
        raise click.BadParameter(f"{file.name}: {error}.", param_hint="'--openings'") from None


def made_directory(option: str, path: Path, written: str) -> Path:
    """Return the directory at ``path``, which exists then.

    Args:
        option: which option names it.
        path: where it lies.
        written: a pattern of the files that are written there.

    Raises:
        click.BadParameter: it cannot be made, or holds such files and they may not be overwritten.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        if not may_overwrite(click.get_current_context()):
            refuse_existing(sorted(path.glob(written)))
    except FileExistsError as error:
        raise click.BadParameter(
            f"cannot write {error.filename}: {error.strerror}.", param_hint=f"'{option}'"
        ) from None
    except OSError as error:
        raise click.BadParameter(f"cannot make {path}: {error.strerror}.", param_hint=f"'{option}'") from None
    return path


def run_referee(judge: Referee, report: LiveReport | None) -> bool:
    """Play the games; return whether a signal ended them early."""

    async def run() -> bool:
        async with trio.open_nursery() as nursery:
            stopped = await nursery.start(_watch_signals, nursery.cancel_scope)
            if report is None:
                await judge.run()
            else:
                await judge.run((report,), (report.record,))
            nursery.cancel_scope.cancel()
        return bool(stopped)

    adopt_orphans()
    try:
        return trio.run(run)
    except* UnreachableError as group:
        click.echo(f"Error: {_innermost(group)}.", err=True)
        status = ExitStatus.CANNOT_BEGIN
    except* OSError as group:
        click.echo(f"Error: a replay or a log cannot be written: {_innermost(group)}.", err=True)
        status = ExitStatus.FAILED
    sys.exit(status)


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


async def _watch_signals(scope: trio.CancelScope, task_status: trio.TaskStatus[list[int]]) -> None:
    """Cancel ``scope`` at the first signal, and put it into the list that is handed out."""
    caught: list[int] = []
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
        task_status.started(caught)
        async for number in signals:
            caught.append(number)
            scope.cancel()


def exit_status(judge: Referee) -> int:
    """Return the status that tells scripts whether an engine was at fault, and which."""
    at_fault = {record.at_fault for record in judge.records} - {None}
    if len(at_fault) == 2:
        return ExitStatus.BOTH_AT_FAULT
    if at_fault:
        return ExitStatus.WHITE_AT_FAULT if Side.WHITE in at_fault else ExitStatus.BLACK_AT_FAULT
    return ExitStatus.ABORTED if any(record.result.termination.is_void for record in judge.records) else 0


if __name__ == "__main__":
    referee(prog_name="quoridor referee")
