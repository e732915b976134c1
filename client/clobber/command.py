"""The command line of the Clobber client: ``python -m client.clobber host:port --name X --player engine``."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import partial

import click
from trio.abc import Stream

from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.leaving import leave
from quoridor_net.cli.new_file import NewFile, overwrite_option
from quoridor_net.clobber import ClobberPosition, Move
from quoridor_net.events import GameEnded, GameStarted, MoveMade
from quoridor_net.match.encoding import VERSION, board, line
from quoridor_net.net import clock
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.net.networks import Networks
from quoridor_net.net.signals import until_signal
from quoridor_net.net.sockets import close_gently
from quoridor_net.output import Output, ignore
from quoridor_net.players import Player
from quoridor_net.players.greeting import connect
from quoridor_net.players.random import RandomPlayer
from quoridor_net.players.simple import MobilityPlayer
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.text import count_things
from quoridor_net.tournament import GameEvent

from .session import ClobberOutcome, ClobberSession, ClosingReason, Remarked, SessionEvent

#: Timeout for the first game in seconds; entrants can arrive long before the tournament begins.
DEFAULT_START_TIME = 3600.0

PLAYERS = ("engine", "human", "random", "mobility")

#: Endings of connections on which no game was played.
_NEVER_PLAYED = frozenset({ClosingReason.REFUSED, ClosingReason.UNPLAYED, ClosingReason.SILENT})


@command()
@options.server_argument("server", metavar="HOST:PORT")
@options.name("the player's")
@click.option(
    "--player", type=click.Choice(PLAYERS), default="engine", show_default=True, help="Player to use."
)
@options.think("2; must be well below the server's limit")
@options.seed(help="Seed for repeatable play. The engine still depends on its thinking time.")
@click.option("--rows-first", is_flag=True, help="Read announced board sizes as rows, columns.")
@options.CONNECT_TIME
@options.ALLOW
@options.start_time(DEFAULT_START_TIME, "the first game")
@overwrite_option
@options.quiet("the totals")
@options.JSON
@options.LOG
def main(
    server: Endpoint,
    name: str | None,
    player: str,
    think: float | None,
    seed: int | None,
    rows_first: bool,
    connect_time: float,
    networks: Networks,
    start_time: float,
    quiet: bool,
    as_json: bool,
    log: NewFile | None,
) -> None:
    """Play in a Clobber tournament over the protocol of the 2006 Computer Olympiad.

    The client plays until the server closes the connection. The exit status is 0 after a complete tournament,
    2 for wrong usage, 3 when the server was out of reach, refused this client or started no game, 4 when the
    connection was lost during a game or this client was interrupted.
    """
    if quiet and as_json:
        raise click.UsageError("--quiet and --json exclude each other.")
    if think is not None and player != "engine":
        raise click.UsageError("--think needs --player engine.")
    if player == "human" and (quiet or as_json):
        raise click.UsageError("--quiet and --json would hide the board from you. Remove them, or human.")

    write_line = Output(sys.stdout).write_line

    def make_session(stream: Stream) -> ClobberSession:
        def listen(event: SessionEvent) -> None:
            text = json.dumps(_as_object(event, session)) if as_json else _describe(event, session)
            # The player of a person shows the games itself.
            if text and (player != "human" or isinstance(event, Remarked)):
                write_line(text)

        # Created only now, so that an unreachable server is reported before the engine compiles.
        session = ClobberSession(
            stream,
            _make_player(player, seed, think, is_quiet=quiet),
            name or player,
            rows_first=rows_first,
            start_time=start_time,
            listener=ignore if quiet else listen,
            transcript=None if log is None else Transcript(log, time.monotonic),
        )
        return session

    status = clock.run(until_signal, partial(_play, server, connect_time, networks, make_session, as_json))
    if status is None:
        click.echo("Aborted.", err=True)
        status = ExitStatus.ABORTED
    leave(status)


def _make_player(
    player: str, seed: int | None, move_time: float | None, *, is_quiet: bool
) -> Player[ClobberPosition, Move]:
    if player == "random":
        return RandomPlayer(seed, "random")
    if player == "mobility":
        return MobilityPlayer(seed)
    # Imported here because only some clients need it.
    if player == "human":
        from quoridor_net.ui.console import Console
        from quoridor_net.ui.human_clobber import HumanClobberPlayer

        return HumanClobberPlayer(Console())
    from quoridor_net.clobber.engine import ClobberLimits
    from quoridor_net.players.engine import CLOBBER_MOVE_TIME, ClobberEnginePlayer

    limits = ClobberLimits(seconds=move_time or CLOBBER_MOVE_TIME)
    engine = ClobberEnginePlayer(seed, limits, ignore if is_quiet else Output(sys.stderr).write_line)
    engine.start()
    return engine


def _describe(event: SessionEvent, session: ClobberSession) -> str:
    match event:
        case GameEvent(game, GameStarted(position=position)):
            return f"game {game}: {session.colour} on {position.columns}x{position.rows}"
        case GameEvent(game, GameEnded(result)):
            return f"game {game}: {session.outcomes[game]}, {result.sentence}"
        case Remarked(sentence):
            return sentence
        case _:
            return ""


def _as_object(event: SessionEvent, session: ClobberSession) -> dict[str, object]:
    match event:
        case GameEvent(game, GameStarted(position=position)):
            fields = {"event": "game_started", "version": VERSION, "game": game, "player": session.colour}
            return fields | board(position) | {"position": line(position)}
        case GameEvent(game, MoveMade(player, move, ply, _, position)):
            fields = {"event": "move_made", "game": game, "player": player, "move": str(move)}
            return fields | {"ply": ply, "position": line(position)}
        case GameEvent(game, GameEnded(result)):
            fields = {"event": "game_ended", "game": game, "winner": result.winner}
            return fields | {"outcome": str(session.outcomes[game]), "sentence": result.sentence}
        case Remarked(sentence):
            return {"event": "remark", "sentence": sentence}
        case _:
            raise AssertionError(f"unexpected event of a session: {event}")


async def _play(
    server: Endpoint,
    connect_time: float,
    networks: Networks,
    make_session: Callable[[Stream], ClobberSession],
    as_json: bool,
) -> int:
    try:
        stream = await connect(server, connect_time, networks)
    except OSError as error:
        click.echo(f"Error: {server} cannot be reached: {error.strerror or error}.", err=True)
        return ExitStatus.CANNOT_BEGIN
    session = make_session(stream)
    farewell = await play_over(stream, session)
    if farewell not in _NEVER_PLAYED and not as_json:
        Output(sys.stdout).write_line(_totals(session))
    if farewell is ClosingReason.NORMAL:
        return ExitStatus.DONE
    click.echo(f"Error: {farewell.value}." if farewell is not ClosingReason.LEFT else "You left.", err=True)
    return ExitStatus.CANNOT_BEGIN if farewell in _NEVER_PLAYED else ExitStatus.ABORTED


async def play_over(stream: Stream, session: ClobberSession) -> ClosingReason:
    """Play a session, close its connection, and return how it ended."""
    try:
        return await session.run()
    finally:
        await close_gently(stream)


def _totals(session: ClobberSession) -> str:
    tally = session.tally
    games = sum(tally.values())
    parts = [f"{tally[outcome]} {outcome}" for outcome in ClobberOutcome if tally[outcome]]
    return f"{count_things(games, 'game')}: {', '.join(parts)}." if games else "No game was played."


if __name__ == "__main__":
    main()
