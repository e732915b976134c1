"""The command line of the display client."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.new_file import NewFile, overwrite_option
from quoridor_net.cli.web import note_of, until_seen
from quoridor_net.clocks import GameClock
from quoridor_net.match import Listener, MatchSettings, play_match
from quoridor_net.match.recording import ReplayListener
from quoridor_net.net.clock import run as run_trio
from quoridor_net.net.endpoint import Endpoint, parse_endpoint
from quoridor_net.net.networks import Networks
from quoridor_net.output import Output
from quoridor_net.players.greeting import Greeting, GreetingError, greet_all
from quoridor_net.players.lan import LanPlayer
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.rules import TURN_ORDER, Jumps, Position
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.ui import DisplayKind, open_display

if TYPE_CHECKING:
    from quoridor_net.web.address import WebAddress

#: Minimum delay in seconds between messages that the server does not answer; see LanPlayer.
DEFAULT_GAP = 0.02


def _two_or_four(
    _context: click.Context, _argument: click.Parameter, texts: Sequence[str]
) -> tuple[Endpoint, ...]:
    """Return the endpoints: exactly two or exactly four (section "Client").

    Raises:
        click.UsageError: the number is wrong, or one is malformed.
    """
    if len(texts) not in TURN_ORDER:
        swallowed = " --web takes the next HOST:PORT as its own address, so put --web last."
        advice = swallowed if len(texts) in {1, 3} else ""
        raise click.UsageError(f"Give exactly two or exactly four HOST:PORT pairs, not {len(texts)}.{advice}")
    try:
        return tuple(parse_endpoint(text) for text in texts)
    except ValueError as error:
        raise click.UsageError(f"{error}.") from None


@command()
@click.argument(
    "servers",
    nargs=-1,
    metavar="HOST:PORT HOST:PORT [HOST:PORT HOST:PORT]",
    callback=_two_or_four,
    # Eager, because otherwise --web might listen at an address that was meant for a server.
    is_eager=True,
)
@options.JUMPS
@click.option(
    "--clockwise",
    is_flag=True,
    help="Take the servers in order of play (players 1, 4, 2, 3) instead of by player number.",
)
@options.move_time()
@options.clock()
@options.FIRST_MOVE_TIME
@click.option(
    "--hello-time",
    type=options.SECONDS,
    default=10.0,
    show_default=True,
    help="Timeout for a server's greeting (IAM), in seconds.",
)
@options.CONNECT_TIME
@options.ALLOW
@options.delay()
@options.gap(DEFAULT_GAP)
@options.PLY_LIMIT
@options.REPETITION
@options.quiet("the result")
@options.JSON
@options.web("the game")
# For quoridor demo: the file to which its servers write reports on their engines.
@click.option("--news", type=click.Path(path_type=Path), hidden=True, envvar="QUORIDOR_NEWS")
@options.LOG
@options.SAVE
@overwrite_option
def main(
    servers: tuple[Endpoint, ...],
    jumps: Jumps,
    clockwise: bool,
    move_time: float | None,
    clock: GameClock | None,
    first_move_time: float | None,
    hello_time: float,
    connect_time: float,
    networks: Networks,
    delay: float | None,
    gap: float,
    ply_limit: int,
    repetition: int | None,
    quiet: bool,
    as_json: bool,
    web: WebAddress | None,
    news: Path | None,
    log: NewFile | None,
    save: NewFile | None,
) -> None:
    """Referee a game between two or four move servers and show it.

    Give the servers by player number: 1 starts at the top, 2 at the bottom, 3 on the left, 4 on the right.
    The exit status is 0 when the game was decided or drawn, 2 for wrong usage, 3 when a server was out of
    reach or did not greet, 4 when the game was aborted.
    """
    if quiet and as_json:
        raise click.UsageError("--quiet and --json exclude each other.")
    if save is not None and log is not None and log.path.resolve() == save.path.resolve():
        raise click.UsageError("--save and --log need different files.")
    display = DisplayKind.QUIET if quiet else DisplayKind.JSON if as_json else DisplayKind.USUAL
    greet = partial(
        greet_all,
        in_player_order(servers) if clockwise else servers,
        Greeting(connect_time, hello_time, gap, networks),
        None if log is None else Transcript(log, time.monotonic),
        _notify_user,
    )
    settings = MatchSettings(
        Position(players=len(servers), jumps=jumps),
        move_time,
        ply_limit,
        delay or 0.0,
        clock=clock,
        first_move_time=first_move_time,
        repetition=repetition,
    )
    listeners: list[Listener] = [] if save is None else [ReplayListener(save)]
    note: Callable[[], str] = str if news is None else partial(read_progress, news)
    site = None
    if web is not None:
        # Imported here because most games run without a web page.
        from quoridor_net.web.live import LiveGame
        from quoridor_net.web.sites import watch

        live = LiveGame()
        listeners.append(live)
        site = watch(live)
        note = note_of(web, note)
    play = partial(_play, greet, settings, display, listeners, note)
    status = run_trio(until_seen, web, site, play)
    if status is None:
        click.echo("Aborted.", err=True)
    sys.exit(ExitStatus.ABORTED if status is None else status)


def in_player_order(clockwise: Sequence[Endpoint]) -> tuple[Endpoint, ...]:
    """Return the endpoints by player number, given those in order of play."""
    by_player = dict(zip(TURN_ORDER[len(clockwise)], clockwise, strict=True))
    return tuple(by_player[player] for player in sorted(by_player))


def _notify_user(sentence: str) -> None:
    if sys.stderr.isatty():
        click.echo(sentence, err=True)


def read_progress(news: Path) -> str:
    """Return the servers' last report on compiling the engine; empty when an engine is ready."""
    # Windows reports errors in the machine's code page, and a server may be halfway through a character.
    lines = news.read_text(encoding="utf-8", errors="replace").splitlines()
    steps = [line for line in lines if line.startswith("engine: compiling")]
    return "" if "engine: ready" in lines or not steps else steps[-1]


async def _play(
    greet: Callable[[], Awaitable[list[LanPlayer]]],
    settings: MatchSettings,
    display: DisplayKind,
    listeners: Sequence[Listener],
    note: Callable[[], str],
) -> int:
    try:
        players = await greet()
    except GreetingError as error:
        if display is DisplayKind.JSON:
            reasons = json.dumps({"event": "not_greeted", "reasons": error.reasons, "hint": error.hint})
            Output(sys.stdout).write_line(reasons)
        for reason in error.summary:
            click.echo(f"Error: {reason}. No game was started.", err=True)
        if error.hint:
            click.echo(f"Hint: {error.hint}", err=True)
        return ExitStatus.CANNOT_BEGIN
    async with open_display(display, sys.stdout, note, BoardPicture.LAN) as listener:
        await play_match(players, settings, [listener, *listeners])
    return ExitStatus.DONE
