"""Options shared by the commands: one name, one type and one help text for each meaning.

A constant is a decorator for a command. A function returns such a decorator if commands differ in a default.
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
from quoridor_net.clocks import GameClock, parse_clock
from quoridor_net.net.endpoint import check_zone, parse_endpoint
from quoridor_net.net.networks import EVERYBODY, Networks, parse_network
from quoridor_net.programs.address import EngineAddress, NoProgramsError, locate
from quoridor_net.programs.process import MEMORY_LIMIT
from quoridor_net.rules import MAX_SIZE, MIN_SIZE, Jumps
from quoridor_net.text import UnparsableError, name_fault, quote

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from quoridor_net.players.spec import PlayerSpec, Thinking
    from quoridor_net.web.address import WebAddress
    from quoridor_net.web.proxies import PublicPlace

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Command], Command]

#: The level that plays at full strength.
STRONGEST = 10
#: Maximum number of threads of a search.
MOST_THREADS = 256

#: Default address of the web page: reachable from this machine only.
WEB_ADDRESS = "localhost:8000"

#: Keys in the context: the networks of --allow, and whether they apply to browsers only.
_NETWORKS = "quoridor_net.networks"
_FOR_BROWSERS = "quoridor_net.networks_for_browsers"
#: The same for --web-url and --proxy.
_URL = "quoridor_net.web_url"
_PROXIES = "quoridor_net.proxies"


class Integer(click.IntRange):
    """A range of integers that help and messages call an integer, not an "integer range"."""

    name = "integer"


class Seconds(click.types.FloatParamType):
    """A length of time in seconds, at most a million. A plain range would accept NaN."""

    name = "seconds"

    def __init__(self, *, min_open: bool = False) -> None:
        self._range = click.FloatRange(0, 1e6, min_open=min_open)

    def __repr__(self) -> str:
        return f"<Seconds {self._range!r}>"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number of seconds, or fail with a usage error."""
        seconds = self._range.convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return seconds


SECONDS = Seconds(min_open=True)
_PAUSE = Seconds()


# The game.


def _jumps(**attributes: Any) -> Decorator[Any]:
    return click.option(
        "--jumps",
        type=click.Choice([str(rule) for rule in Jumps]),
        callback=lambda _context, _option, value: value and Jumps(value),
        **attributes,
    )


JUMPS = _jumps(default=str(Jumps.OFFICIAL), show_default=True, help="Jump rule.")
#: For recorded games, which may name their rule.
ASSUMED_JUMPS = _jumps(
    help="Jump rule if the file does not name one. [default: official, or classroom if only that fits]"
)
PLAYERS: Decorator[Any] = click.option("--players", type=click.Choice(["2", "4"]), help="Number of players.")
#: None stands for the standard size.
SIZE: Decorator[Any] = click.option(
    "--size", type=Integer(MIN_SIZE, MAX_SIZE), help="Board size, in squares per side. [default: 9]"
)
#: None stands for :func:`quoridor_net.rules.default_walls`.
WALLS: Decorator[Any] = click.option(
    "--walls",
    type=Integer(0, 2**31 - 1),
    help="Walls per player. [default: 10 on 9x9, otherwise (7*size-23)/4; half of that with four players]",
)
PLY_LIMIT: Decorator[Any] = click.option(
    "--ply-limit",
    type=Integer(1),
    default=1000,
    show_default=True,
    help="Declare a draw after this many plies.",
)


REPETITION: Decorator[Any] = click.option(
    "--repetition",
    type=Integer(2),
    help="Declare a draw when a position occurs this many times. [default: no such rule]",
)


def _refuse_special(_context: click.Context, _argument: click.Parameter, path: Path) -> Path:
    # Opening a pipe would block until another process writes to it.
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise click.BadParameter(f"{path} is a pipe or a device, not a regular file.")
    return path


def _journal_file(*, exists: bool) -> Decorator[Any]:
    kind = click.Path(exists=exists, dir_okay=False, path_type=Path)
    return click.argument("file", type=kind, metavar="FILE.db", callback=_refuse_special)


JOURNAL_FILE = _journal_file(exists=True)
NEW_JOURNAL_FILE = _journal_file(exists=False)
#: Number of games that a tournament may play at the same time.
AT_ONCE = Integer(1, 10_000)
CONCURRENCY: Decorator[Any] = click.option(
    "--concurrency",
    type=AT_ONCE,
    default=1,
    show_default=True,
    help="Maximum number of games at the same time.",
)


#: Help for --seed where the engine can play.
ENGINE_SEED = "Seed for repeatable play. The engine also needs --nodes or --depth for that."


def seed(*spellings: str, help: str = "Seed for repeatable choices.") -> Decorator[Any]:  # noqa: A002
    """Return the option for the seed of all random choices."""
    return click.option(*spellings, "--seed", type=int, help=help)


# Time.


def move_time(*spellings: str, default: float | None = None, shown: str | None = None) -> Decorator[Any]:
    """Return the option for the time limit of a move; a player that exceeds it loses.

    Args:
        spellings: other names of the option.
        default: in seconds; None for no limit.
        shown: the default as shown, if the command computes it.
    """
    return click.option(
        *spellings,
        "--move-time",
        type=SECONDS,
        default=default,
        show_default=shown or ("no limit" if default is None else True),
        help="Time limit per move, in seconds. Exceeding it loses the game.",
    )


class _Clock(click.ParamType[GameClock]):
    """A clock, ``SECONDS`` or ``SECONDS+INCREMENT``."""

    name = "SECONDS[+INCREMENT]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> GameClock:
        """Return the clock, or fail with a usage error."""
        if isinstance(value, GameClock):
            return value
        try:
            return parse_clock(str(value))
        except UnparsableError as error:
            self.fail(f"{error}.", param, ctx)


def clock(*spellings: str, default: str = "no limit") -> Decorator[Any]:
    """Return the option for a player's time for a game; a player that uses it up loses."""
    return click.option(
        *spellings,
        "--clock",
        "clock",
        type=_Clock(),
        metavar="SECONDS[+INCREMENT]",
        help="Time of each player for all its moves of a game, in seconds, and time added after each move."
        f" Exceeding it loses the game. [default: {default}]",
    )


FIRST_MOVE_TIME: Decorator[Any] = click.option(
    "--first-move-time",
    type=SECONDS,
    help="Time limit for each player's first move, in seconds, instead of --move-time and --clock, which do"
    " not run during it. [default: no such rule]",
)


def delay(default: str = "0") -> Decorator[Any]:
    """Return the option for the pause between moves; its value is None if not given."""
    return click.option(
        "--delay", type=_PAUSE, help=f"Pause between moves, in seconds, for spectators. [default: {default}]"
    )


def gap(default: float) -> Decorator[Any]:
    """Return the option for the minimum delay between messages to one server."""
    return click.option(
        "--gap",
        type=_PAUSE,
        default=default,
        show_default=True,
        help="Minimum delay between messages to one server, in seconds, for servers that expect one line"
        " per read.",
    )


def start_time(default: float, what: str) -> Decorator[Any]:
    """Return the option for the timeout of ``what``."""
    return click.option(
        "--start-time",
        type=SECONDS,
        default=default,
        show_default=True,
        help=f"Timeout for {what}, in seconds.",
    )


CONNECT_TIME: Decorator[Any] = click.option(
    "--connect-time",
    type=_PAUSE,
    default=10.0,
    show_default=True,
    help="Keep retrying the connection for this many seconds.",
)


# Engine programs.


def memory_limit(*spellings: str) -> Decorator[Any]:
    """Return the option for the memory limit of a program; its value is None for no limit."""
    return click.option(
        *spellings,
        "--memory-limit",
        type=Integer(0, 10**9),
        default=MEMORY_LIMIT,
        show_default=True,
        callback=lambda _context, _option, value: value or None,
        help="Address space of each process of an engine program, in MiB; 0 for no limit.",
    )


def program_at(place: str, address: EngineAddress, *, is_limited: bool = True) -> EngineAddress:
    """Return the address of an executable program; see :func:`~quoridor_net.programs.address.locate`.

    Args:
        place: the option or argument that names the program, for messages.
        address: the program.
        is_limited: whether the program must run under limits.

    Raises:
        NoProgramsError: this system cannot limit programs.
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
    """A player, written as in all commands; ``own`` lists the kinds that the command creates itself."""

    name = "player"

    def __init__(self, own: Collection[str]) -> None:
        self._own = own

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the kinds of players that begin with ``incomplete``."""
        from click.shell_completion import CompletionItem

        from quoridor_net.players.spec import KINDS

        words = (kind.word for kind in KINDS.values() if kind.source or kind.word in self._own)
        return [CompletionItem(word) for word in words if word and word.startswith(incomplete)]


def player(help: str, default: str | None, own: Collection[str] = ()) -> Decorator[Any]:  # noqa: A002
    """Return the option for the player; :func:`player_from` parses its value."""
    return click.option(
        "--player", type=_Player(own), default=default, show_default=default is not None, help=help
    )


def player_from(
    text: str, thinking: Thinking, own: Collection[str] = (), program: str | None = None
) -> PlayerSpec:
    """Return the player that ``--player`` and the options beside it describe.

    Args:
        text: value of ``--player``: a spec, or ``qtp`` together with ``--command``.
        thinking: limits of the project's engine, from their own options.
        own: the kinds that the command creates itself.
        program: value of ``--command``.

    Raises:
        click.UsageError: the player is unknown, or the options do not fit it.
        CannotBeginError: its program is missing or not executable.
    """
    from quoridor_net.players.spec import Thinking, parse_spec

    if (text == "qtp") != (program is not None):
        raise click.UsageError("--player qtp and --command must be given together.")
    option = "--player" if program is None else "--command"
    try:
        spec = parse_spec(text if program is None else f"qtp:{program}", own)
        if spec.program is not None:
            program_at(option, spec.program)
    except ValueError as error:
        raise click.UsageError(f"{option}: {error}.") from None
    if spec.clock is not None:
        raise click.UsageError("--player: remove clock=, which is for players of one game with a referee.")
    if spec.name:
        raise click.UsageError(f"--player: remove the name {quote(spec.name)} before the player.")
    if thinking == Thinking():
        return spec
    if spec.word != "engine":
        raise click.UsageError("--level, --think, --nodes, --depth and --threads need --player engine.")
    if spec.thinking != Thinking():
        raise click.UsageError(
            f"Limits are given twice. Write all of them in --player {spec.address}, or all as options."
        )
    return evolve(spec, thinking=thinking)


def think(default: str) -> Decorator[Any]:
    """Return the option for the engine's time per move; its value is None if not given."""
    return click.option(
        "--think",
        type=SECONDS,
        help=f"Thinking time of the engine per move, in seconds. [default: {default}]",
    )


LEVEL: Decorator[Any] = click.option(
    "--level",
    type=Integer(1, STRONGEST),
    help=f"Strength of the engine, from 1 (beginner) to {STRONGEST}. [default: {STRONGEST}]",
)
_THINK = think("1; no limit with --nodes or --depth")
_NODES: Decorator[Any] = click.option(
    "--nodes", type=Integer(1), help="Maximum number of positions the engine searches per move."
)
_DEPTH: Decorator[Any] = click.option(
    "--depth", type=Integer(1), help="Maximum search depth of the engine, in plies."
)


def threads(default: str) -> Decorator[Any]:
    """Return the option for the threads of a search; its value is None if not given."""
    return click.option(
        "--threads",
        type=Integer(1, MOST_THREADS),
        help="Search threads of the engine, used at full strength with two players on 7x7 to 11x11."
        f" [default: {default}]",
    )


def _combine(**limits: Decorator[Any]) -> Decorator[Any]:
    """Return a decorator that adds the options ``limits`` and passes them as one argument, ``thinking``."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run_command(*args: Any, **others: Any) -> Any:
            # Imported here because completion and help do not need players.
            from quoridor_net.players.spec import Thinking

            values = {name: others.pop(name) for name in limits}
            return command(*args, thinking=Thinking(**values), **others)

        for option in reversed(limits.values()):
            option(run_command)
        return run_command  # type: ignore[return-value]  # click calls it with other arguments

    return decorate


#: Limits of a player, passed as one argument, ``thinking``.
thinking = _combine(level=LEVEL, think=_THINK, nodes=_NODES, depth=_DEPTH, threads=threads("1"))
#: Limits of an analysis, which always runs at full strength; passed as ``thinking``.
searching = _combine(
    think=_THINK,
    nodes=_NODES,
    depth=_DEPTH,
    threads=threads("one per processor; 1 with --nodes or --depth"),
)

#: For analyses.
LINES: Decorator[Any] = click.option(
    "--lines",
    type=Integer(1, 20),
    default=1,
    show_default=True,
    help="Number of best lines to find.",
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
    """Return an option for the address of a server, ``HOST:PORT``."""
    return click.option(*names, metavar="HOST:PORT", callback=_address, **attributes)


def server_argument(name: str, **attributes: Any) -> Decorator[Any]:
    """Return an argument for the address of one server or, with ``nargs``, of several."""
    return click.argument(name, callback=_address, **attributes)


def _web(context: click.Context, _option: click.Parameter, value: str | None) -> WebAddress | None:
    if value is None:
        for key, option in ((_FOR_BROWSERS, "--allow"), (_URL, "--web-url"), (_PROXIES, "--proxy")):
            if context.meta.get(key):
                raise click.UsageError(f"{option} needs --web.")
        return None
    try:
        endpoint = parse_endpoint(value, least_port=0)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None
    # Imported here because most commands run without a web page.
    import trio

    from quoridor_net.cli.web import listen_for_browsers

    address = listen_for_browsers(endpoint, context.meta.get(_NETWORKS, EVERYBODY), _public_place(context))
    # Parsing another option may still fail.
    context.call_on_close(partial(trio.run, address.aclose))
    return address


def _public_place(context: click.Context) -> PublicPlace | None:
    """Return the place that ``--web-url`` and ``--proxy`` describe; None without them."""
    url, proxies = context.meta.get(_URL), context.meta.get(_PROXIES)
    if url is None:
        if proxies:
            raise click.UsageError("--proxy needs --web-url, the address that the proxy serves.")
        return None
    from quoridor_net.web.proxies import PublicPlace

    if not proxies:
        return PublicPlace(url)
    return PublicPlace(url, Networks(proxies, any(network.is_loopback for network in proxies)))


def _web_url(context: click.Context, _option: click.Parameter, value: str | None) -> None:
    if value is None:
        return
    from quoridor_net.web.proxies import parse_public_url

    try:
        context.meta[_URL] = parse_public_url(value)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None


def _proxies(context: click.Context, _option: click.Parameter, texts: Sequence[str]) -> None:
    try:
        context.meta[_PROXIES] = tuple(map(parse_network, texts))
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None


#: Eager, because --web listens as soon as it is parsed.
_WEB_URL: Decorator[Any] = click.option(
    "--web-url",
    metavar="URL",
    callback=_web_url,
    is_eager=True,
    expose_value=False,
    help="Public address of the page of --web behind a proxy, with any prefix: https://example.org/quoridor/.",
)
_PROXY: Decorator[Any] = click.option(
    "--proxy",
    metavar="NETWORK",
    multiple=True,
    callback=_proxies,
    is_eager=True,
    expose_value=False,
    help="Address or network of the proxy of --web-url, whose X-Forwarded-For is believed. Can be repeated."
    " [default: this machine]",
)


def web(shown: str) -> Decorator[Any]:
    """Return the options for a web page with ``shown``; the value of ``--web`` listens already."""
    page = click.option(
        "--web",
        metavar="[HOST:PORT]",
        is_flag=False,
        flag_value=WEB_ADDRESS,
        callback=_web,
        help=f"Serve {shown} as a web page until Ctrl-C. [default address: {WEB_ADDRESS}]",
    )
    return lambda command: page(_WEB_URL(_PROXY(command)))


def port(help: str = "Port to listen on; 0 picks a free one.", **attributes: Any) -> Decorator[Any]:  # noqa: A002
    """Return the option for the port to listen on; ``attributes`` are those of ``click.option``."""
    return click.option("--port", type=Integer(0, 65535), help=help, **attributes)


def _host(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    if not value.strip():
        raise click.BadParameter("must be an address of this machine.")
    # People copy the brackets of an IPv6 address from HOST:PORT.
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


# Eager, because --web listens as soon as it is parsed.
_allow = partial(
    click.option, "--allow", "networks", multiple=True, metavar="NETWORK", callback=_networks, is_eager=True
)

#: A :class:`~quoridor_net.net.networks.Networks`; all networks if not given.
ALLOW: Decorator[Any] = _allow(
    help="Communicate only with this network, e.g. 192.168.1.0/24, and this machine. Can be repeated.",
)

#: The same for commands without other connections than those of ``--web``, which reads it from the context.
ALLOW_BROWSERS: Decorator[Any] = _allow(
    expose_value=False,
    help="Accept browsers for --web only from this network, e.g. 192.168.1.0/24, and this machine. Can be"
    " repeated.",
)


def host(default: str | None = None) -> Decorator[Any]:
    """Return the option for the address to listen on; None stands for all addresses of this machine."""
    shown = "all addresses of this machine" if default is None else default
    return click.option(
        "--host", default=default, callback=_host, help=f"Address to listen on. [default: {shown}]"
    )


def _name(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is not None and (fault := name_fault(value)):
        raise click.BadParameter(f"{fault}.")
    return value


def name(default: str) -> Decorator[Any]:
    """Return the option for a name that all protocols can transmit."""
    return click.option("--name", callback=_name, help=f"Player name, without spaces. [default: {default}]")


# Output.

JSON: Decorator[Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object per line for each event, and nothing else."
)
#: For commands that report everything at the end.
JSON_DOCUMENT: Decorator[Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else."
)


def quiet(shown: str) -> Decorator[Any]:
    """Return the option for less output."""
    return click.option("--quiet", is_flag=True, help=f"Print only {shown}.")


LOG: Decorator[Any] = click.option(
    "--log", type=NEW_FILE, help="Transcript file: all lines sent and received."
)
SAVE: Decorator[Any] = click.option(
    "--save", type=NEW_FILE, help="Replay file for the game, written as it is played."
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
            raise click.BadParameter(f"cannot create {path}: {error.strerror}.") from None
        return make(path, may_overwrite(context))

    folder = click.Path(file_okay=False, path_type=Path)
    return click.option(option, type=folder, metavar="FOLDER", callback=check, help=what)


_LOGGED = "Folder for transcripts: all lines sent and received."
#: For servers.
LOG_FOLDER = _folder("--log", "connection-*.log", _LOGGED, LogFolder)


def log_folder(written: str) -> Decorator[Any]:
    """Return the option for a folder of transcripts whose names match the pattern ``written``."""
    return _folder("--log", written, _LOGGED)


def save_folder(written: str) -> Decorator[Any]:
    """Return the option for a folder of replay files whose names match the pattern ``written``."""
    return _folder("--save", written, "Folder for replay files, one per game.")


# Checks of other programs.

REPORT_JSON: Decorator[Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object with all findings, and nothing else."
)
JUNIT: Decorator[Any] = click.option(
    "--junit", type=NEW_FILE, help="File for the outcome of every check, in JUnit XML format."
)
REPEAT: Decorator[Any] = click.option(
    "--repeat",
    type=NEW_FILE,
    metavar="SCRIPT",
    help="File for a stand-alone Python script that reproduces the first finding.",
)


def only(callback: Callable[..., Any]) -> Decorator[Any]:
    """Return the option for the code of a finding, which ``callback`` validates."""
    text = "Code of the only finding to look for, besides those that prevent it from being seen."
    return click.option("--only", metavar="CODE", callback=callback, help=text)
