"""The parsers of outside text, each with its documented exceptions, its checks and its valid inputs."""

from __future__ import annotations

import random
import tempfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.fuzz import command_targets, foreign, peer_targets, samples, web_targets
from benchmarks.fuzz.target import Target, check_showable, pieces, refusing, text_of
from quoridor_net.clobber import notation as clobber_notation
from quoridor_net.clobber.position import ClobberPosition
from quoridor_net.net.endpoint import parse_endpoint
from quoridor_net.net.networks import parse_network
from quoridor_net.notation import athens, lan, reading, standard
from quoridor_net.players.spec import parse_spec
from quoridor_net.programs.address import parse_address
from quoridor_net.protocols.athens import (
    ControllerRole,
    EngineRole,
    Farewell,
    MoveWanted,
    PrivateCommand,
    Refusal,
    Reply,
)
from quoridor_net.protocols.athens.answers import parse_boolean_answer, parse_genmove_answer
from quoridor_net.protocols.athens.transitions import ControllerState
from quoridor_net.protocols.common.errors import MessageError, RemoteProtocolError
from quoridor_net.protocols.lan import (
    NEED_DATA,
    Atari,
    ClientRole,
    Game,
    Gote,
    Hello,
    Iam,
    Ignored,
    Kikashi,
    Myoushu,
    ServerRole,
)
from quoridor_net.protocols.lan.following import FollowedGame, ImpossibleReportError
from quoridor_net.protocols.lan.messages import encode, parse_message
from quoridor_net.protocols.olympiad import messages as clobber_messages
from quoridor_net.protocols.olympiad import roles as clobber_roles
from quoridor_net.replay import (
    WRITTEN,
    Fault,
    RecordFormat,
    Replay,
    ReplayError,
    Setting,
    decode,
    format_game,
    format_of,
    parse_game,
    parse_replay,
)
from quoridor_net.rules import Jumps, Position
from quoridor_net.text import UnparsableError, printable, visible
from quoridor_net.tournament.encoding import RecordError, parse_object
from quoridor_net.tournament.journal import JournalError, read_journal
from quoridor_net.tournament.quoridor.cluster_address import parse_cluster
from quoridor_net.tournament.quoridor.openings import OpeningError, parse_openings
from quoridor_net.ui.human import read_command
from quoridor_net.ui.replay_view import ReplayView

#: Maximum number of lines parsed without a role; a role would give up after a hundred invalid ones.
MOST_LINES = 5000


# The 2016 protocol.


def feed_message(data: bytes) -> None:
    """Parse messages, and check that they survive encoding."""
    for line in data.split(b"\n")[:MOST_LINES]:
        with refusing(MessageError):
            message = parse_message(line)
            assert parse_message(encode(message).rstrip(b"\n")) == message
        check_showable(printable(line))


def feed_display_client(data: bytes) -> None:
    """Feed the display client's role, which asks for a name and for moves."""
    role = ClientRole()
    role.send(Hello())
    named = False
    with refusing(RemoteProtocolError):
        for piece in pieces(data):
            role.receive_data(piece)
            while (event := role.next_event()) is not NEED_DATA:
                check_showable(visible(str(event)))
                if not named:
                    named = isinstance(event, Iam)
                    role.send(Game(1, ("a", "b")))
                role.send(Myoushu())


def feed_move_server(data: bytes) -> None:
    """Feed the move server's role and its followed game."""
    role = ServerRole()
    game: FollowedGame | None = None
    with refusing(RemoteProtocolError, ImpossibleReportError):
        for piece in pieces(data):
            role.receive_data(piece)
            while (event := role.next_event()) is not NEED_DATA:
                match event:
                    case Ignored(line, sentence):
                        check_showable(line + sentence)
                    case Game():
                        game = FollowedGame(event)
                    case Atari() | Gote() | Kikashi() if game is not None:
                        game.follow(event)


# The Athens protocol.


def feed_engine_role(data: bytes) -> None:
    """Feed an engine's role, and check that every reply is one frame."""
    role = EngineRole("Fuzz", ["qn-extra"])
    for piece in pieces(data):
        role.receive_data(piece)
        while (event := role.next_event()) is not NEED_DATA:
            match event:
                case Reply(reply) | Farewell(reply):
                    pass
                case MoveWanted(_, position):
                    reply = role.play(position.legal_moves[0])
                case PrivateCommand(_, words):
                    reply = role.fail(" ".join(words))
            assert reply.endswith(b"\n\n"), reply
            assert reply.count(b"\n\n") == 1, reply
            check_showable(reply.decode("latin-1").replace("\n", "")[:900])


def feed_controller_role(data: bytes) -> None:
    """Feed a controller's role, with commands whose answers differ in form."""
    role = ControllerRole()
    commands = ["name", "known_command undo", "list_commands", "genmove black", "winner", "playmove white E2"]
    with refusing(RemoteProtocolError):
        for number, piece in enumerate(data.split(b"\n\n")):
            if role.state is ControllerState.READY:
                role.send(commands[(number + len(data)) % len(commands)])
            role.receive_data(piece + b"\n\n")
            while (event := role.next_event()) is not NEED_DATA:
                check_showable(event.response.line if isinstance(event, Refusal) else event.line)


def feed_answers(data: bytes) -> None:
    """Parse answers of engines."""
    text = data.decode("latin-1")
    for size in (3, 9, 25):
        with refusing(UnparsableError):
            parse_genmove_answer(text, size)
    with refusing(UnparsableError):
        parse_boolean_answer(text)


# Notations.


def feed_notations(data: bytes) -> None:
    """Parse moves in all notations, and check that they survive formatting."""
    text = text_of(data)
    with refusing(UnparsableError):
        move = lan.parse_move(text)
        assert lan.parse_move(str(move)) == move
    with refusing(UnparsableError):
        move = standard.parse_move(text)
        assert standard.parse_move(standard.format_move(move)) == move
    with refusing(UnparsableError):
        standard.parse_square(text, 25)
    with refusing(UnparsableError):
        move = athens.parse_move(text)
        assert athens.parse_move(athens.format_move(move)) == move
    for parse in (athens.parse_vertex, athens.parse_orientation, athens.parse_colour):
        with refusing(UnparsableError):
            parse(text)


def feed_position_line(data: bytes) -> None:
    """Parse positions in one line, and check that they survive formatting."""
    for jumps in Jumps:
        with refusing(UnparsableError):
            position = Position.from_line(text_of(data), jumps)
            assert Position.from_line(position.to_line(), jumps) == position


def feed_openings(data: bytes) -> None:
    """Parse files of openings."""
    with refusing(OpeningError):
        parse_openings(text_of(data), Position())


def feed_typed(data: bytes) -> None:
    """Parse typed moves and commands, and press the keys of a replay."""
    text = text_of(data)
    with refusing(UnparsableError):
        reading.parse_move(text, notation="standard")
    with refusing(UnparsableError):
        reading.parse_move(text)
    read_command(text)
    view = _view()
    for key in (text, text[:1], text[:3]):
        view.press(key)


def _view() -> ReplayView:
    global _VIEW  # noqa: PLW0603 - created once, on first use
    if _VIEW is None:
        _VIEW = ReplayView(parse_replay("P 1 E2\nP 2 E8\n", partial=True))
    return _VIEW


_VIEW: ReplayView | None = None


def feed_addresses(data: bytes) -> None:
    """Parse endpoints, networks, clusters, entrants and commands of engines."""
    text = text_of(data)
    with refusing(ValueError):
        network = parse_network(text)
        assert parse_network(str(network)) == network
    with refusing(ValueError):
        parse_cluster(text)
    with refusing(ValueError):
        endpoint = parse_endpoint(text)
        assert parse_endpoint(str(endpoint)) == endpoint
    with refusing(ValueError):
        # shlex takes a microsecond or more per character.
        parse_address(text[:4096])
    with refusing(ValueError):
        parse_spec(text[:4096])


# Recorded games.


def feed_replay(data: bytes) -> None:
    """Parse replay files, strictly or with all extensions."""
    is_strict = zlib.crc32(data) % 3 == 0
    with refusing(ReplayError):
        replay = parse_replay(decode(data), strict=is_strict, partial=not is_strict)
        check_conversions(replay)


def feed_recording(form: RecordFormat | None) -> Callable[[bytes], None]:
    """Return a function that parses a game in a format, or in the detected one."""

    def feed(data: bytes) -> None:
        with refusing(ReplayError):
            text = decode(data)
            check_conversions(parse_game(text, form or format_of(text), partial=True, number=None))

    return feed


def check_conversions(replay: Replay) -> None:
    """Check that a game survives every format that can express it."""
    if len(replay.plies) > 200:
        return
    for form in WRITTEN:
        try:
            text = format_game(replay, form)
        except ReplayError as error:
            if error.fault is not Fault.INEXPRESSIBLE:
                raise
            continue
        jumps = replay.setting.jumps
        again = parse_game(text, form, jumps=jumps, partial=True)
        assert again.plies == replay.plies, form
        if form in {RecordFormat.REPLAY, RecordFormat.STANDARD}:
            assert (again.complete, again.outcome) == (replay.complete, replay.outcome), form
            assert format_game(again, form) == text, form


# Clobber and tournaments.


def feed_clobber_message(data: bytes) -> None:
    """Parse messages, moves and positions of Clobber."""
    for line in data.split(b"\n")[:MOST_LINES]:
        with refusing(MessageError):
            message = clobber_messages.parse_message(line)
            assert clobber_messages.parse_message(str(message).encode()) == message
    text = text_of(data)
    with refusing(UnparsableError):
        move = clobber_notation.parse_move(text)
        assert clobber_notation.parse_move(str(move)) == move
    with refusing(UnparsableError):
        position = ClobberPosition.parse(text)
        assert ClobberPosition.parse(str(position)) == position


def feed_clobber_server(data: bytes) -> None:
    """Feed the Clobber server's role in successive games."""
    role = clobber_roles.ClobberServerRole()
    with refusing(RemoteProtocolError):
        for piece in pieces(data):
            role.receive_data(piece)
            while (event := role.next_event()) is not NEED_DATA:
                if isinstance(event, clobber_messages.Play):
                    role.send(clobber_messages.Settings(5, 6, begins=True))
                elif isinstance(event, clobber_messages.Played):
                    role.send(event)


def feed_clobber_client(data: bytes) -> None:
    """Feed the Clobber client's role, which answers every move."""
    role = clobber_roles.ClobberClientRole()
    role.send(clobber_messages.Play("xyz"))
    with refusing(RemoteProtocolError):
        for piece in pieces(data):
            role.receive_data(piece)
            while (event := role.next_event()) is not NEED_DATA:
                if isinstance(event, clobber_messages.Played):
                    role.send(event)
                check_showable(visible(str(event)) if not isinstance(event, Ignored) else event.line)


def feed_journal(data: bytes) -> None:
    """Read journals of tournaments, and parse lines of earlier ones."""
    for line in data.split(b"\n")[:MOST_LINES]:
        with refusing(RecordError):
            parse_object(line)
    # Use a folder, because readers may leave files of SQLite next to the journal.
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "journal")
        file.write_bytes(data)
        with refusing(JournalError):
            state = read_journal(file)
            assert len(state.results()) + len(state.pending) == state.games


_LAN_WORDS = (
    b"HELLO IAM GAME MYOUSHU TESUJI ATARI GOTE KIKASHI hello Tesuji 0 1 2 3 4 5 9 xyz:a b"
    b" (4,1) ( ) [ ] , (4, 1) [(3, h] v] W] (99,99)"
).split(b" ")
_QTP_WORDS = (
    b"name known_command list_commands boardsize clear_board walls playmove playwall genmove undo winner"
    b" showboard quit qn-extra black white w B horizontal v H E8 e2 A1 J10 Y25 E0 0 3 9 2147483648 = ? => #"
    b" true > quoridor> e5v resign false pass"
).split(b" ")
_REPLAY_WORDS = (
    b"P W X 1 2 3 4 E2 E8 A1 I9 e2 e8 e3h h v 1. 2. 2... x3 # #: Players: Result: Termination: Extension:"
    b" P1-win draw void goal vs size players walls jumps start classroom 5 10 / - a5 [ 0.1] C->S1 S1->C"
    b" b'GAME b'ATARI \\n' \\x00' \\"
).split(b" ")
_RECORD_WORDS = (
    b"e2 e8 e3h he3 h v 1. 1... 1) 2 , ; { } # ! ?! + $1 1-0 0-1 1/2-1/2 * resign timeout"
    b" tq1 tq1#{ 1b.41 1w.47 2b.31h g_gamelogs= null 1 9 1e999"
    b' [ ] : " "data" "type" "playToken" "playWall" "args" "player_id" "move_id" "x" "y"'
    b' "quoridorstrats_notation" "actions" "action_type" "pawn" "hwall" "P1" "P2" "winner"'
    b' "historyCsv" "boardSize"'
).split(b" ")
_CLOBBER_WORDS = b"play clobber error end a 1 b 2 a1b1 a1-b1 xyz 10 9999 0 oxo/xox . / x o w".split(b" ")
_JOURNAL_WORDS = (
    b'{ } [ ] : , " "event" "opened" "began" "played" "finished" "closed" "resumed" "game" "points"'
    b' "pairings" "format" "entrants" "settings" null true 1 -1 1.5 1e999 Infinity NaN {} [] "" "a"'
).split(b" ")
_ADDRESS_WORDS = (
    b"localhost : 5858 [ ] ::1 % eth0 tcp: 0 65535 65536 ./engine ' \" $ - /24 /8 10.0.0.0 fd00:: ::ffff:"
    b" local:2 tls:// = qtp: engine: level=3 , games=2 simple random"
).split(b" ")
_ADDRESSES = (
    b"[::1]:5858", b"a:1", b"192.168.1.0/24", b"fd00::/8", b"tls://h:8786", b"local:3",
    b"bob=engine:level=3", b"a:x=qtp:./e -l 2", b"h:5858,games=3",
)  # fmt: skip
_TYPED_WORDS = (
    b"e2 e3h h v w horizontal ( ) [ ] , ; 4 1 ? help moves board resign q \x1b[A \x1b[1~ \x7f".split(b" ")
)


def _recordings(form: RecordFormat) -> Callable[[random.Random], Sequence[bytes]]:
    return lambda source: samples.games(form, source)


def _all_recordings(source: random.Random) -> Sequence[bytes]:
    found = [game for form in RecordFormat for game in samples.games(form, source)]
    return [
        *found,
        *samples.read_recorded("*.qtp"),
        *(text[:4000] for text in samples.read_recorded("*.txt")),
    ]


def _positions(source: random.Random) -> Sequence[bytes]:
    lines = [
        b" /  / e1 e9 a5 i5 / 5 5 5 5 / 1",
        b"d4g7 / a2a8 / e4 e6 / 8 8 / 2",
        b"d3 / / - c2 / 0 4 / 2 / 5",
    ]
    games = (samples.random_game(Setting(), source, 40) for _ in range(20))
    return [*lines, *(game.position().to_line().encode() for game in games)]


def _commands(source: random.Random) -> Sequence[bytes]:
    return [*samples.games(RecordFormat.ATHENS, source), b"genmove white\nundo 2\nwinner\nshowboard\nquit\n"]


_ANSWERS = (
    b"= e2\n\n", b"=E5 v\n\n", b"= \n\nE5 VERTICAL\n\n", b"? illegal move\n\n", b"quoridor> = true\n\n",
    b"= name\nwinner\nundo\n\n", b"=\n", b"= pass\n\n", b"debug\n= resign # why\n\n", b"false\n\n",
)  # fmt: skip

TARGETS = (
    Target("lan-message", feed_message, lambda source: samples.extract_sent("C->S", source), _LAN_WORDS),
    Target("lan-client", feed_display_client, lambda source: samples.extract_sent("S", source), _LAN_WORDS),
    Target("lan-server", feed_move_server, lambda source: samples.extract_sent("C->S", source), _LAN_WORDS),
    Target("qtp-engine", feed_engine_role, _commands, _QTP_WORDS),
    Target("qtp-controller", feed_controller_role, lambda _: _ANSWERS, _QTP_WORDS),
    Target("qtp-answers", feed_answers, lambda _: _ANSWERS, _QTP_WORDS),
    Target("notations", feed_notations, samples.typed_moves, _TYPED_WORDS),
    Target("position", feed_position_line, _positions, _REPLAY_WORDS),
    Target("openings", feed_openings, _recordings(RecordFormat.STANDARD), _REPLAY_WORDS),
    Target("typed", feed_typed, samples.typed_moves, _TYPED_WORDS),
    Target(
        "addresses",
        feed_addresses,
        lambda _: (*_ADDRESSES, b"tcp:b:2", b"./e -x 'y z'"),
        _ADDRESS_WORDS,
    ),
    Target("replay", feed_replay, _recordings(RecordFormat.REPLAY), _REPLAY_WORDS),
    Target(
        "replay-athens", feed_recording(RecordFormat.ATHENS), _recordings(RecordFormat.ATHENS), _QTP_WORDS
    ),
    Target("replay-lan", feed_recording(RecordFormat.LAN), _recordings(RecordFormat.LAN), _REPLAY_WORDS),
    Target(
        "replay-standard",
        feed_recording(RecordFormat.STANDARD),
        _recordings(RecordFormat.STANDARD),
        _REPLAY_WORDS,
    ),
    *(
        Target(f"replay-{form}", feed_recording(form), _recordings(form), _RECORD_WORDS)
        for form in foreign.WRITERS
    ),
    Target("replay-any", feed_recording(None), _all_recordings, _REPLAY_WORDS),
    Target("clobber-message", feed_clobber_message, samples.clobber_lines, _CLOBBER_WORDS),
    Target("clobber-server", feed_clobber_server, samples.clobber_lines, _CLOBBER_WORDS),
    Target("clobber-client", feed_clobber_client, samples.clobber_lines, _CLOBBER_WORDS),
    Target("journal", feed_journal, lambda _: samples.journals(), _JOURNAL_WORDS),
    *command_targets.TARGETS,
    *peer_targets.TARGETS,
    *web_targets.TARGETS,
)
