"""Judges the lines that a display client sends to the servers of one game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import define, evolve, field

from quoridor_net.check.catalogue import catalogue
from quoridor_net.check.checklist import FaultError
from quoridor_net.check.dialogue import describe_strange_bytes
from quoridor_net.check.findings import Finding, Report, WireLine
from quoridor_net.moves import Move
from quoridor_net.protocols.common.errors import MessageError
from quoridor_net.protocols.lan.messages import (
    Atari,
    Game,
    Gote,
    Hello,
    Kikashi,
    Message,
    Myoushu,
    encode,
    keyword_of,
    parse_message,
)
from quoridor_net.rules import IllegalMoveError, Position
from quoridor_net.rules.diagram import draw_with_legend
from quoridor_net.rules.picture import BoardPicture

RULES = catalogue("lan_client").rules

#: Keywords of the messages that a client sends.
SENT = ("HELLO", "GAME", "MYOUSHU", "ATARI", "GOTE", "KIKASHI")

#: An event that the client must report to the servers.
Event = Atari | Gote | Kikashi


@define
class JudgedSeat:
    """The state of one server.

    Attributes:
        name: the name that it sends.
        has_hello: whether it has received HELLO.
        player: its number, once it has received GAME.
        reported: number of events that the client has reported to it.
        is_asked: whether it owes an answer.
        is_over: whether it has received the end of the game or of its own part in it.
    """

    name: str
    has_hello: bool = False
    player: int = 0
    reported: int = 0
    is_asked: bool = False
    is_over: bool = False


@define
class Judge:
    """The judge of one game.

    Attributes:
        names: names of the servers, in the order of the arguments.
        report: receives the findings that do not end the game.
        lines: all lines sent and received.
        seats: the state of each server.
        position: the true position.
        events: the events to report to all servers, in order.
        attempt: the move of the last answer, legal or not.
    """

    names: Sequence[str]
    report: Report
    lines: list[WireLine] = field(factory=list)
    seats: list[JudgedSeat] = field(init=False)
    position: Position = field(init=False)
    events: list[Event] = field(factory=list)
    attempt: Atari | None = None

    def __attrs_post_init__(self) -> None:
        self.seats = [JudgedSeat(name) for name in self.names]
        self.position = Position(players=len(self.names))

    @property
    def is_done(self) -> bool:
        """Whether every server has received the end of the game."""
        return all(seat.is_over for seat in self.seats)

    def receive(self, number: int, data: bytes) -> Message:
        """Judge a line received by server ``number`` (from 1), and return the message.

        Raises:
            FaultError: the client should not have sent it.
        """
        seat = self.seats[number - 1]
        line = data.rstrip(b"\r\n")
        if seat.is_over:
            last = self.events[seat.reported - 1]
            code = "LAN-253" if isinstance(last, Kikashi) else "LAN-243"
            raise self.make_fault(code, number, "nothing more", data)
        try:
            message = parse_message(line)
        except MessageError as error:
            is_known = line.split(b" ", 1)[0].decode("latin-1").upper() in SENT
            expected = str(error).removeprefix("expected ") if is_known else f"one of {', '.join(SENT)}"
            # In GAME with two or four names, only the number can be wrong.
            is_number = line.startswith(b"GAME ") and len(line.split()) in {4, 6}
            raise self.make_fault("LAN-212" if is_number else "LAN-204", number, expected, data) from None
        self._note_form(number, message, data)
        match message:
            case Hello() if not seat.has_hello:
                seat.has_hello = True
            case _ if not seat.has_hello:
                raise self.make_fault("LAN-203", number, "HELLO", data)
            case Game() if not seat.player:
                self._begin(number, message, data)
            case _ if not seat.player:
                raise self.make_fault("LAN-205", number, "GAME", data)
            case Myoushu():
                self._ask(number, seat, data)
            case Atari() | Gote() | Kikashi():
                self._take_report(number, seat, message, data)
            case _:
                raise self.make_fault("LAN-205", number, f"no {keyword_of(message)}", data)
        return message

    def answer(self, number: int, move: Move | None) -> None:
        """Record the answer of server ``number``; None for an answer that is not a move."""
        player = self.seats[number - 1].player
        self.seats[number - 1].is_asked = False
        self.attempt = None if move is None else Atari(player, move)
        if self.attempt is not None and self._is_made(self.attempt):
            self.events.append(self.attempt)
        else:
            self.position.eliminate(player)
            self.events.append(Gote(player))
        if self.position.winner is not None:
            self.events.append(Kikashi(self.position.winner))

    def _is_made(self, attempt: Atari) -> bool:
        try:
            self.position.push(attempt.move)
        except IllegalMoveError:
            return False
        return True

    def judge_silence(self, seconds: float, begun: Mapping[int, bytes]) -> FaultError:
        """Return the fault of a client that has stopped sending.

        Args:
            seconds: how long it has sent nothing, in seconds.
            begun: unfinished lines, by the number of the server that received them.
        """
        fault = self._find_missing(seconds)
        for number, line in begun.items():
            fault = self.make_fault("LAN-209", number, f"a line end within {seconds:g} s", line)
        return FaultError(evolve(fault.finding, silent=True))

    def _find_missing(self, seconds: float) -> FaultError:
        within = f"within {seconds:g} s"
        for number, seat in enumerate(self.seats, 1):
            if not seat.has_hello:
                return self.make_fault("LAN-202", number, f"HELLO {within}")
        for number, seat in enumerate(self.seats, 1):
            if not seat.player:
                return self.make_fault("LAN-211", number, f"GAME {within}")
        for number, seat in enumerate(self.seats, 1):
            pending = self._find_pending(seat)
            if pending is not None:
                return self.make_fault(self._code_of_missing(pending), number, f"{pending} {within}")
        players = [seat.player for seat in self.seats]
        asked = players.index(self.position.turn or players[0]) + 1
        return self.make_fault("LAN-221", asked, f"MYOUSHU {within}")

    def judge_close(self, number: int, begun: bytes = b"", *, is_alone: bool = False) -> FaultError:
        """Return the fault of a client that closed a connection.

        Args:
            number: number of the server at the other end.
            begun: the unfinished line before it.
            is_alone: whether the other connections stay open.
        """
        if begun:
            return self.make_fault("LAN-209", number, "a line end before the connection closes", begun)
        seat = self.seats[number - 1]
        pending = self._find_pending(seat)
        code, expected = "LAN-208", "the connection stays open"
        if isinstance(pending, Kikashi) or (is_alone and pending == Gote(seat.player)):
            code, expected = self._code_of_missing(pending), f"{pending} before the connection closes"
        return FaultError(evolve(self.make_fault(code, number, expected).finding, closed=True))

    def make_fault(self, code: str, number: int, expected: str, received: bytes = b"") -> FaultError:
        """Return the error that ends the check.

        Args:
            code: code of the finding.
            number: number of the server that received the line, or should have.
            expected: description of the correct line.
            received: the line received instead.
        """
        sent = next((line.data for line in reversed(self.lines) if line.is_sent), b"")
        drawing = draw_with_legend(self.position, BoardPicture.LAN) if self.events else ()
        where = f"{expected} (server {number})"
        detail = describe_strange_bytes(received)
        finding = Finding(RULES[code], where, sent, received, tuple(self.lines), drawing, detail)
        return FaultError(evolve(finding, peers=len(self.seats), peer=number))

    def _begin(self, number: int, message: Game, data: bytes) -> None:
        seats = self.seats
        if len(message.names) != len(seats):
            raise self.make_fault("LAN-214", number, f"{len(seats)} names", data)
        if not all(seat.has_hello for seat in seats):
            raise self.make_fault("LAN-205", number, "GAME only after HELLO to all servers", data)
        if message.player in [seat.player for seat in seats]:
            raise self.make_fault(
                "LAN-212", number, f"a number from 1 to {len(seats)} that no other server has", data
            )
        seats[number - 1].player = message.player
        if message.player != number:
            self._remark("LAN-215", number, f"player {number}", data)
        if message.names[message.player - 1] != seats[number - 1].name:
            self._remark("LAN-213", number, f"{seats[number - 1].name} as name {message.player}", data)

    def _ask(self, number: int, seat: JudgedSeat, data: bytes) -> None:
        pending = self._find_pending(seat)
        if isinstance(pending, Atari):
            # The player who has just answered was asked again before its move was reported.
            code = "LAN-223" if pending.player == seat.player else "LAN-224"
            raise self.make_fault(code, number, str(pending), data)
        if pending is not None:
            raise self.make_fault(self._code_of_missing(pending), number, str(pending), data)
        if seat.is_asked:
            raise self.make_fault("LAN-223", number, "nothing until TESUJI is sent", data)
        if seat.player != self.position.turn:
            raise self.make_fault("LAN-222", number, f"MYOUSHU to player {self.position.turn}", data)
        seat.is_asked = True

    def _take_report(self, number: int, seat: JudgedSeat, message: Event, data: bytes) -> None:
        pending = self._find_pending(seat)
        if message == pending:
            seat.reported += 1
            seat.is_over = isinstance(message, Kikashi) or message == Gote(seat.player)
            return
        before = self.events[seat.reported - 1] if seat.reported else None
        code = self._code_of_wrong(message, pending)
        if message == before:
            code = "LAN-234"
        elif pending is not None and message in self.events[seat.reported :]:
            code = self._code_of_missing(pending)
        raise self.make_fault(code, number, "nothing" if pending is None else str(pending), data)

    def _code_of_wrong(self, message: Event, pending: Event | None) -> str:
        """Return the code of ``message`` sent in place of ``pending``."""
        match message, pending:
            case Atari(), Atari():
                return "LAN-233" if message.move == pending.move else "LAN-232"
            case Atari(), _:
                return "LAN-235" if message == self.attempt else "LAN-236"
            case Gote(), Gote():
                return "LAN-242"
            case Gote(), _ if self.attempt is not None and self.attempt.player == message.player:
                return "LAN-244"
            case Gote(), _:
                return "LAN-221" if message.player == self.position.turn else "LAN-242"
            case Kikashi(), Kikashi():
                return "LAN-252"
        return "LAN-254"

    def _code_of_missing(self, pending: Event) -> str:
        if isinstance(pending, Kikashi):
            return "LAN-255" if len(self.position.alive) == 1 else "LAN-251"
        return "LAN-231" if isinstance(pending, Atari) else "LAN-241"

    def _find_pending(self, seat: JudgedSeat) -> Event | None:
        """Return the next event to report to the server."""
        return None if seat.is_over or seat.reported >= len(self.events) else self.events[seat.reported]

    def _note_form(self, number: int, message: Message, data: bytes) -> None:
        if data.endswith(b"\r\n"):
            self._remark("LAN-207", number, "one line feed", data)
        if data.rstrip(b"\r\n") + b"\n" != encode(message):
            self._remark("LAN-206", number, str(message), data)

    def _remark(self, code: str, number: int, expected: str, data: bytes) -> None:
        self.report.add(self.make_fault(code, number, expected, data).finding)
