"""Options of the commands: each meaning has one name, one type and one help text, and all of them are here.

What is in capitals decorates a command; a function makes such a decorator where commands differ in a default.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from attrs import evolve

from quoridor_net.cli.exit_status import CannotBeginError
from quoridor_net.cli.new_file import NEW_FILE, LogFolder, may_overwrite, refuse_existing
from quoridor_net.net.endpoint import check_zone, parse_endpoint
from quoridor_net.net.networks import EVERYBODY, Networks, parse_network
from quoridor_net.programs.address import EngineAddress, NoProgramsError, locate
from quoridor_net.programs.process import MEMORY_LIMIT
from quoridor_net.rules import MAX_SIZE, MIN_SIZE, Jumps
from quoridor_net.text import name_fault, quote

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from quoridor_net.players.spec import PlayerSpec, Thinking
    from quoridor_net.web.address import WebAddress

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Command], Command]

#: The level of full strength.
STRONGEST = 10
#: The most threads of a search.
MOST_THREADS = 256

#: Where browsers find what they can look at, unless told otherwise: on this machine alone.
WEB_ADDRESS = "localhost:8000"

#: Where the context keeps what --allow said, and whether that is for browsers alone.
_NETWORKS = "quoridor_net.networks"
_FOR_BROWSERS = "quoridor_net.networks_for_browsers"


class Seconds(click.FloatRange):
    """A length of time. What is not a number at all passes a plain range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number; fail with a sentence when it is none."""
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return seconds


SECONDS = Seconds(0, 1e6, min_open=True)
_PAUSE = Seconds(0, 1e6)


# The game.


def _jumps(**attributes: Any) -> Decorator[Any]:
    return click.option(
        "--jumps",
        type=click.Choice([str(rule) for rule in Jumps]),
        callback=lambda _context, _option, value: value and Jumps(value),
        **attributes,
    )


JUMPS = _jumps(default=str(Jumps.OFFICIAL), show_default=True, help="Jump rule.")
#: For files, which may say by which rule they were played.
ASSUMED_JUMPS = _jumps(
    help="Jump rule, where the file does not tell. [default: official, or classroom if only that fits]"
)
PLAYERS: Decorator[Any] = click.option("--players", type=click.Choice(["2", "4"]), help="Number of players.")
#: None is the standard size.
SIZE: Decorator[Any] = click.option(
    "--size", type=click.IntRange(MIN_SIZE, MAX_SIZE), help="Squares on a side. [default: 9]"
)
#: None is :func:`quoridor_net.rules.default_walls`.
WALLS: Decorator[Any] = click.option(
    "--walls",
    type=click.IntRange(0, 2**31 - 1),
    help="Walls of each player. [default: 10 of two players on 9x9, 5 of four; else by 7/4*size-23/4]",
)
PLY_LIMIT: Decorator[Any] = click.option(
    "--ply-limit",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="Call the game a draw after so many plies.",
)


def _refuse_special(_context: click.Context, _argument: click.Parameter, path: Path) -> Path:
    # To open a pipe would wait for somebody who writes into it.
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise click.BadParameter(f"{path} is a pipe or a device: expected a file.")
    return path


def _journal_file(*, exists: bool) -> Decorator[Any]:
    kind = click.Path(exists=exists, dir_okay=False, path_type=Path)
    return click.argument("file", type=kind, metavar="FILE.db", callback=_refuse_special)


JOURNAL_FILE = _journal_file(exists=True)
NEW_JOURNAL_FILE = _journal_file(exists=False)
#: How many games a tournament plays at once.
AT_ONCE = click.IntRange(1, 10_000)
CONCURRENCY: Decorator[Any] = click.option(
    "--concurrency", type=AT_ONCE, default=1, show_default=True, help="Games at the same time."
)


#: What --seed means where the engine can play.
ENGINE_SEED = "Make the player's choices repeatable; the engine's only with --nodes or --depth."


def seed(*spellings: str, help: str = "Make the choices repeatable.") -> Decorator[Any]:  # noqa: A002
    """Return the option for a number from which everything random comes."""
    return click.option(*spellings, "--seed", type=int, help=help)


# Time.


def move_time(*spellings: str, default: float | None = None) -> Decorator[Any]:
    """Return the option for the time limit of a move, at which a player loses."""
    return click.option(
        *spellings,
        "--move-time",
        type=SECONDS,
        default=default,
        show_default="no limit" if default is None else True,
        help="Seconds for each move; a player who needs more has lost.",
    )


def delay(default: str = "0") -> Decorator[Any]:
    """Return the option for the pause between moves; None unless given."""
    return click.option("--delay", type=_PAUSE, help=f"Seconds between moves, to watch. [default: {default}]")


def gap(default: float) -> Decorator[Any]:
    """Return the option for the pause between messages to one server."""
    return click.option(
        "--gap",
        type=_PAUSE,
        default=default,
        show_default=True,
        help="Least seconds between two messages to one server, for servers that read one line at a time.",
    )


def start_time(default: float, what: str) -> Decorator[Any]:
    """Return the option for how long ``what`` is waited for."""
    return click.option(
        "--start-time", type=SECONDS, default=default, show_default=True, help=f"Seconds to wait for {what}."
    )


CONNECT_TIME: Decorator[Any] = click.option(
    "--connect-time",
    type=_PAUSE,
    default=10.0,
    show_default=True,
    help="Seconds for which connecting is tried again.",
)


# Programs of others.


def memory_limit(*spellings: str) -> Decorator[Any]:
    """Return the option for the memory of a program; None for no limit."""
    return click.option(
        *spellings,
        "--memory-limit",
        type=click.IntRange(0, 10**9),
        default=MEMORY_LIMIT,
        show_default=True,
        callback=lambda _context, _option, value: value or None,
        help="MiB of address space for each process of an engine program; 0 for no limit.",
    )


def program_at(place: str, address: EngineAddress, *, is_limited: bool = True) -> EngineAddress:
    """Return the address of a program that can be run; see :func:`~quoridor_net.programs.address.locate`.

    Args:
        place: what names it in the command line.
        address: the program.
        is_limited: whether it has to be limited.

    Raises:
        NoProgramsError: this system can limit no program.
        CannotBeginError: the program is missing or not executable.
    """
    try:
        return locate(address, is_limited=is_limited)
    except NoProgramsError:
        raise
    except ValueError as error:
        raise CannotBeginError(f"{place}: {error}.") from None


# Engines.


class _Player(click.types.StringParamType):
    """A player, as the grammar of all commands names it; ``own`` are kinds that the command makes itself."""

    name = "player"

    def __init__(self, own: Collection[str]) -> None:
        self._own = own

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the words that a player may begin with."""
        from click.shell_completion import CompletionItem

        from quoridor_net.players.spec import KINDS

        words = (kind.word for kind in KINDS.values() if kind.source or kind.word in self._own)
        return [CompletionItem(word) for word in words if word and word.startswith(incomplete)]


def player(help: str, default: str | None, own: Collection[str] = ()) -> Decorator[Any]:  # noqa: A002
    """Return the option for the player; :func:`player_from` reads its value."""
    return click.option(
        "--player", type=_Player(own), default=default, show_default=default is not None, help=help
    )


def player_from(
    text: str, thinking: Thinking, own: Collection[str] = (), program: str | None = None
) -> PlayerSpec:
    """Return the player that ``--player`` names, with what other options say of it.

    Args:
        text: what ``--player`` got: a spec, or ``qtp`` beside ``--command``.
        thinking: of the project's engine, from options of their own.
        own: the kinds that the command makes itself.
        program: what ``--command`` got.

    Raises:
        click.UsageError: the player is unknown, or the options do not go with it.
        CannotBeginError: its program is missing or not executable.
    """
    from quoridor_net.players.spec import Thinking, parse_spec

    if (text == "qtp") != (program is not None):
        raise click.UsageError("--player qtp needs --command, and --command is for --player qtp.")
    option = "--player" if program is None else "--command"
    try:
        spec = parse_spec(text if program is None else f"qtp:{program}", own)
        if spec.program is not None:
            program_at(option, spec.program)
    except ValueError as error:
        raise click.UsageError(f"{option}: {error}.") from None
    if spec.name:
        raise click.UsageError(f"--player: leave out the name {quote(spec.name)} before the player.")
    if thinking == Thinking():
        return spec
    if spec.word != "engine":
        raise click.UsageError("--level, --think, --nodes, --depth and --threads are for --player engine.")
    if spec.thinking != Thinking():
        raise click.UsageError(
            f"give all limits in --player {spec.address}, or all of them in options of their own."
        )
    return evolve(spec, thinking=thinking)


def think(default: str) -> Decorator[Any]:
    """Return the option for how long the engine thinks; None unless given."""
    return click.option(
        "--think", type=SECONDS, help=f"Seconds the engine thinks about a move. [default: {default}]"
    )


LEVEL: Decorator[Any] = click.option(
    "--level",
    type=click.IntRange(1, STRONGEST),
    help=f"Strength of the engine: 1, a beginner, to {STRONGEST}. [default: {STRONGEST}]",
)
_THINK = think("1; with --nodes or --depth no limit")
_NODES: Decorator[Any] = click.option(
    "--nodes", type=click.IntRange(1), help="Positions the engine looks at for a move."
)
_DEPTH: Decorator[Any] = click.option("--depth", type=click.IntRange(1), help="Plies the engine looks ahead.")


def threads(default: str) -> Decorator[Any]:
    """Return the option for how many threads the engine searches in; None unless given."""
    return click.option(
        "--threads",
        type=click.IntRange(1, MOST_THREADS),
        help="Threads that the engine searches in, at full strength with two players on 7x7 to 11x11."
        f" [default: {default}]",
    )


def _gathered(**limits: Decorator[Any]) -> Decorator[Any]:
    """Return what gives a command options of the engine; they come as one argument, ``thinking``."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def gathered(*args: Any, **others: Any) -> Any:
            # Imported here: completion and help do without players.
            from quoridor_net.players.spec import Thinking

            gathered = {name: others.pop(name) for name in limits}
            return command(*args, thinking=Thinking(**gathered), **others)

        for option in reversed(limits.values()):
            option(gathered)
        return gathered  # type: ignore[return-value]  # what click calls with other arguments

    return decorate


#: For players; they come as one argument, ``thinking``.
thinking = _gathered(level=LEVEL, think=_THINK, nodes=_NODES, depth=_DEPTH, threads=threads("1"))
#: For analyses, which are made at full strength; likewise.
searching = _gathered(
    think=_THINK,
    nodes=_NODES,
    depth=_DEPTH,
    threads=threads("as many as there are processors; with --nodes or --depth 1"),
)

#: For analyses.
LINES: Decorator[Any] = click.option(
    "--lines",
    type=click.IntRange(1, 20),
    default=1,
    show_default=True,
    help="How many of the best lines to find.",
)


# Addresses and names.


def _address(_context: click.Context, _option: click.Parameter, value: Any) -> Any:
    try:
        if isinstance(value, tuple):
            return tuple(map(parse_endpoint, value))
        return value and parse_endpoint(value)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None


def address(*names: str, **attributes: Any) -> Decorator[Any]:
    """Return an option for where a server listens, as ``HOST:PORT``."""
    return click.option(*names, metavar="HOST:PORT", callback=_address, **attributes)


def server_argument(name: str, **attributes: Any) -> Decorator[Any]:
    """Return an argument for where one server or, with ``nargs``, several listen."""
    return click.argument(name, callback=_address, **attributes)


def _web(context: click.Context, _option: click.Parameter, value: str | None) -> WebAddress | None:
    if value is None:
        if context.meta.get(_FOR_BROWSERS):
            raise click.UsageError("--allow is for --web.")
        return None
    try:
        endpoint = parse_endpoint(value, least_port=0)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None
    # What serves browsers is imported only where it is asked for.
    import trio

    from quoridor_net.cli.web import listening

    address = listening(endpoint, context.meta.get(_NETWORKS, EVERYBODY))
    # Something else may be wrong with the command line.
    context.call_on_close(partial(trio.run, address.aclose))
    return address


def web(shown: str) -> Decorator[Any]:
    """Return the option for looking at ``shown`` in browsers; it listens already."""
    return click.option(
        "--web",
        metavar="[HOST:PORT]",
        is_flag=False,
        flag_value=WEB_ADDRESS,
        callback=_web,
        help=f"Show {shown} in browsers, until Ctrl-C. [default address: {WEB_ADDRESS}]",
    )


def port(**attributes: Any) -> Decorator[Any]:
    """Return the option for the port that a server listens on, with these attributes of ``click.option``."""
    what = "Port to listen on; 0 picks a free one."
    return click.option("--port", type=click.IntRange(0, 65535), help=what, **attributes)


def _host(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    if not value.strip():
        raise click.BadParameter("must be an address of this machine.")
    # An IPv6 address has brackets in HOST:PORT.
    address = value[1:-1] if value.startswith("[") and value.endswith("]") else value
    try:
        check_zone(address)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None
    return address


def _networks(context: click.Context, option: click.Parameter, texts: Sequence[str]) -> Networks:
    try:
        networks = Networks(tuple(map(parse_network, texts)))
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None
    context.meta[_NETWORKS] = networks
    context.meta[_FOR_BROWSERS] = bool(texts) and not option.expose_value
    return networks


# Eager, as --web listens at once.
_allow = partial(
    click.option, "--allow", "networks", multiple=True, metavar="NETWORK", callback=_networks, is_eager=True
)

#: A :class:`~quoridor_net.net.networks.Networks`; everybody unless given.
ALLOW: Decorator[Any] = _allow(
    help="Talk to machines of this network only, as 192.168.1.0/24, and to this one; may be repeated.",
)

#: The same for commands that talk to browsers alone; only the option ``--web`` needs it.
ALLOW_BROWSERS: Decorator[Any] = _allow(
    expose_value=False,
    help="Let browsers of this network only come to --web, as 192.168.1.0/24, and of this machine; may be"
    " repeated.",
)


def host(default: str | None = None) -> Decorator[Any]:
    """Return the option for the address that a server listens on; None is all of this machine's."""
    shown = "all of this machine's" if default is None else default
    return click.option(
        "--host", default=default, callback=_host, help=f"Address to listen on. [default: {shown}]"
    )


def _name(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is not None and (fault := name_fault(value)):
        raise click.BadParameter(f"{fault}.")
    return value


def name(default: str) -> Decorator[Any]:
    """Return the option for a name that the protocols can carry."""
    return click.option(
        "--name", callback=_name, help=f"Name to play under, without spaces. [default: {default}]"
    )


# Output.

JSON: Decorator[Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print one line of JSON for each event and nothing else."
)
#: Where there is one document in the end.
JSON_DOCUMENT: Decorator[Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document and nothing else."
)


def quiet(shown: str) -> Decorator[Any]:
    """Return the option for less output."""
    return click.option("--quiet", is_flag=True, help=f"Print only {shown}.")


LOG: Decorator[Any] = click.option(
    "--log", type=NEW_FILE, help="Write all lines sent and received to this file."
)
SAVE: Decorator[Any] = click.option(
    "--save", type=NEW_FILE, help="Record the game in this replay file while it is played."
)


def _folder(
    option: str, written: str, what: str, make: Callable[[Path, bool], Any] = lambda path, _: path
) -> Decorator[Any]:
    def check(context: click.Context, _option: click.Parameter, path: Path | None) -> Any:
        if path is None:
            return None
        try:
            path.mkdir(parents=True, exist_ok=True)
            if not may_overwrite(context):
                refuse_existing(sorted(path.glob(written)))
        except FileExistsError as error:
            raise click.BadParameter(f"cannot write {error.filename}: {error.strerror}.") from None
        except OSError as error:
            raise click.BadParameter(f"cannot make {path}: {error.strerror}.") from None
        return make(path, may_overwrite(context))

    folder = click.Path(file_okay=False, path_type=Path)
    return click.option(option, type=folder, metavar="FOLDER", callback=check, help=what)


_LOGGED = "Write all lines sent and received to files in this folder."
#: For servers.
LOG_FOLDER = _folder("--log", "connection-*.log", _LOGGED, LogFolder)


def log_folder(written: str) -> Decorator[Any]:
    """Return the option for transcripts where there are many, into files of the pattern ``written``."""
    return _folder("--log", written, _LOGGED)


def save_folder(written: str) -> Decorator[Any]:
    """Return the option for replay files of many games, which match the pattern ``written``."""
    return _folder("--save", written, "Record each game in a replay file in this folder.")


# Checks of other programs.

REPORT_JSON: Decorator[Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object with all findings and nothing else."
)
JUNIT: Decorator[Any] = click.option(
    "--junit", type=NEW_FILE, help="Write the outcome of every check to this file, as JUnit XML."
)
REPEAT: Decorator[Any] = click.option(
    "--repeat",
    type=NEW_FILE,
    metavar="SCRIPT",
    help="Write a Python script, which needs nothing installed, that repeats the first finding.",
)


def only(callback: Callable[..., Any]) -> Decorator[Any]:
    """Return the option for the code of a finding, which ``callback`` knows."""
    what = "Look for this finding alone, and for what keeps it from being seen."
    return click.option("--only", metavar="CODE", callback=callback, help=what)
