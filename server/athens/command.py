"""``quoridor qtp``: the engine front end for the Athens protocol."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from functools import partial

import click
import trio
from attrs import evolve

from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.leaving import leave
from quoridor_net.cli.new_file import may_overwrite, overwrite_option
from quoridor_net.net import clock
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.net.errors import first_error
from quoridor_net.net.listening import cannot_listen
from quoridor_net.net.networks import Networks
from quoridor_net.net.signals import heed, until_signal
from quoridor_net.net.stdio import BlockingInput, BlockingOutput
from quoridor_net.output import Output
from quoridor_net.players.engine import SharedEngine
from quoridor_net.players.spec import DEFAULT_PLAYER, PlayerSpec, Thinking
from quoridor_net.protocols.athens import EngineRole
from quoridor_net.rules import Jumps

from .bridge import SIZES, Bridge
from .listener import SESSIONS, serve_sessions
from .private import PrivateCommands
from .session import ControllerSession
from .thinker import ENGINE, Thinker

ENGINE_NAME = "Quoridor Net"

#: Maximum time per move in seconds that a controller behind TCP can request, unless --think is more. Other
#: controllers are waiting meanwhile.
MAX_MOVE_TIME = 10.0


@command()
@options.port(required=False)
@options.host("127.0.0.1")
@options.ALLOW
@click.option(
    "--concurrency",
    type=options.Integer(1),
    help=f"With --port: maximum number of controllers at a time. [default: {SESSIONS} on this machine]",
)
@options.player(
    "Player that answers genmove: engine[:level=5,nodes=9000], simple, random or HOST:PORT of a move server.",
    DEFAULT_PLAYER,
)
@options.seed("-seed", help=options.ENGINE_SEED)
@options.thinking
@options.address("--lan", help="Move server that answers genmove; the same as --player HOST:PORT.")
@options.gap(0.0)
@options.JUMPS
@overwrite_option
@click.pass_context
def qtp(
    context: click.Context,
    port: int | None,
    host: str,
    networks: Networks,
    concurrency: int | None,
    player: str,
    seed: int | None,
    thinking: Thinking,
    lan: Endpoint | None,
    gap: float,
    jumps: Jumps,
) -> None:
    """Run an Athens engine on standard input and output, or on a TCP port.

    To try it, type "showboard", "genmove black" and "quit".
    """
    spec = _player_from(player, lan, thinking)
    server, thinking = spec.endpoint, spec.thinking
    if port is None and concurrency is not None:
        raise click.UsageError("--concurrency needs --port.")
    if port is None and server is None and networks.allowed:
        raise click.UsageError("--allow needs --port or a move server.")
    if server is None and gap:
        raise click.UsageError("--gap needs a move server.")
    # Created for every player, because the controller may switch to the engine later.
    engine = SharedEngine(thinking.limits())

    def begin() -> None:
        if spec.word == ENGINE:
            engine.start()

    def make_thinking_session() -> ControllerSession:
        max_time = None if port is None else max(MAX_MOVE_TIME, thinking.think or 0.0)
        thinker = Thinker(spec.word, seed, thinking.think, None, engine, max_time)
        # Clients behind TCP must not read or write the user's files.
        private = PrivateCommands(thinker, has_files=port is None, overwrites=may_overwrite(context))
        return ControllerSession(EngineRole(ENGINE_NAME, private.names, jumps=jumps), thinker, private)

    def make_bridged_session() -> ControllerSession:
        assert server is not None
        role = EngineRole(f"{ENGINE_NAME} bridge to {server}", sizes=SIZES, jumps=jumps)
        return ControllerSession(role, Bridge(server, role.game, gap, networks))

    make_session = make_thinking_session if server is None else make_bridged_session
    if port is None:
        begin()
        status = run_on_standard_streams(make_session)
    else:
        status = run_on_port(make_session, port, host, concurrency or SESSIONS, networks, begin)
    leave(status)


def _player_from(text: str, lan: Endpoint | None, thinking: Thinking) -> PlayerSpec:
    """Return the player that answers ``genmove``, with its limits.

    Raises:
        click.UsageError: the options name no player, or exclude each other.
    """
    if lan is not None:
        if (text, thinking) != (DEFAULT_PLAYER, Thinking()):
            raise click.UsageError("--lan excludes --player and --think, because the move server decides.")
        return PlayerSpec("", str(lan), endpoint=lan)
    # --think limits the time of any player; the other options apply only to the engine.
    spec = options.player_from(text, evolve(thinking, think=None))
    if spec.program is not None:
        raise click.UsageError(
            f"--player {spec.address} already speaks the Athens protocol. Use it directly."
        )
    if thinking.think is None:
        return spec
    if spec.endpoint is not None:
        raise click.UsageError("--think has no effect with a move server, which decides for itself.")
    return evolve(spec, thinking=evolve(spec.thinking, think=thinking.think))


def run_on_standard_streams(make_session: Callable[[], ControllerSession]) -> int:
    """Answer one controller on standard input and output until it quits; return the exit status."""
    if sys.__stdout__ is None:
        click.echo("Error: the answers cannot be written: standard output is closed.", err=True)
        return ExitStatus.FAILED
    # Ctrl-C should return to the prompt without a traceback.
    heed(signal.SIGINT, signal.SIG_DFL)
    try:
        clock.run(make_session().run, BlockingInput(0), BlockingOutput(1))
    except trio.BrokenResourceError as error:
        # A controller that disconnects is normal; a full disk is an error.
        cause = error.__cause__
        if cause is None:
            click.echo(f"Error: {error}.", err=True)
        elif isinstance(cause, OSError) and not isinstance(cause, BrokenPipeError):
            click.echo(f"Error: the answers cannot be written: {cause.strerror}.", err=True)
        return ExitStatus.FAILED
    return ExitStatus.DONE


def run_on_port(
    make_session: Callable[[], ControllerSession],
    port: int,
    host: str,
    sessions: int,
    networks: Networks,
    on_listening: Callable[[], None],
) -> int:
    """Answer controllers on a port until interrupted; return the exit status."""

    def complain(sentence: str) -> None:
        click.echo(f"quoridor qtp: {sentence}", err=True)

    output = Output(sys.stdout)
    refusal: BaseException | None = None

    async def serve() -> None:
        async with trio.open_nursery() as nursery:
            serve = partial(serve_sessions, make_session, port, host, complain, sessions, networks)
            actual_port = await nursery.start(serve)
            on_listening()
            output.write_line(f"the engine is ready on port {actual_port} ({host}). Ctrl-C ends it.")

    try:
        clock.run(until_signal, serve)
    except* OSError as group:
        refusal = first_error(group)
    if refusal is None:
        return ExitStatus.DONE
    assert isinstance(refusal, OSError)
    click.echo(f"Error: {cannot_listen(host, port, refusal)}", err=True)
    return ExitStatus.CANNOT_BEGIN


if __name__ == "__main__":
    qtp(prog_name="quoridor qtp")
