"""One game with the server: the checker is the client and all other players."""

from __future__ import annotations

from collections.abc import Callable, Collection

import trio
from attrs import evolve, frozen

from quoridor_net.check.checklist import FaultError
from quoridor_net.check.dialogue import ClosedError, Dialogue, SilentError
from quoridor_net.check.lan_server.illegal import base_code, explanations, possible_codes
from quoridor_net.check.lan_server.server import ServerUnderTest
from quoridor_net.check.lan_server.views import View, views_of
from quoridor_net.moves import Jumps, Move, Orientation, Square, Step, Wall
from quoridor_net.notation.lan import LAN
from quoridor_net.protocols.common.errors import MessageError
from quoridor_net.protocols.common.line_buffer import LineTooLongError
from quoridor_net.protocols.lan.messages import (
    Atari,
    Game,
    Gote,
    Hello,
    Iam,
    Kikashi,
    Message,
    Myoushu,
    Tesuji,
    encode,
    parse_message,
)
from quoridor_net.rules import Illegality, Position, explain
from quoridor_net.rules.diagram import draw_with_legend
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.text import printable, split_words

#: Time to wait for a second line that would show that the first was not the answer, in seconds.
SECOND_LINE = 0.3

#: Names of the other players.
NAMES = ("chk:one", "chk:two", "chk:three", "chk:four")

#: A player and its move; None if it was eliminated.
Happening = tuple[int, Move | None]

#: Splits the bytes of a message into the pieces to send.
Framing = Callable[[bytes], tuple[bytes, ...]]


def whole(data: bytes) -> tuple[bytes, ...]:
    """Send every message in one piece."""
    return (data,)


@frozen
class WalkedStep:
    """A step of the server.

    Attributes:
        here: the square before it.
        there: the square after it.
        headings: the players to whose goal line it leads on a shortest path.
        progress: how much shorter it makes the server's own path, in steps.
    """

    here: Square
    there: Square
    headings: frozenset[int]
    progress: int

    def reaches(self, player: int) -> bool:
        """Return whether it leads to the goal line of ``player`` from elsewhere."""
        here, there = (square.row if player <= 2 else square.column for square in (self.here, self.there))
        return there == (8 if player in {1, 3} else 0) != here


class ServerGame:
    """A conversation from HELLO to the end of a game.

    Args:
        server: the server to check.
        dialogue: the connection.
        framing: splits or changes the bytes of each message.
        patience: time limit for an answer, in seconds; by default, that of the settings.

    Attributes:
        server: the server to check.
        dialogue: the connection.
        position: the true position.
        views: the board as servers with each suspected misreading would see it.
        truth: the board as a server without misreadings sees it.
        walk: the server's steps.
    """

    def __init__(
        self,
        server: ServerUnderTest,
        dialogue: Dialogue,
        framing: Framing = whole,
        patience: float | None = None,
    ) -> None:
        self.player = 1
        self.position = Position()
        self.views: list[View] = []
        self.walk: list[WalkedStep] = []
        self.server = server
        self.dialogue = dialogue
        self._framing = framing
        self._patience = server.settings.move_time if patience is None else patience
        self._last_gote = False
        self._is_fresh = True
        # The moves and eliminations so far: views of misreadings are computed only after an illegal move.
        self._history: list[Happening] = []
        # Codes or keys of the misreadings that may be named.
        self._suspects: set[str] = set()

    @property
    def is_framed(self) -> bool:
        """Whether messages are split or changed before they are sent."""
        return self._framing is not whole

    @property
    def _all_views(self) -> list[View]:
        return [self.truth, *self.views]

    async def greet(self) -> None:
        """Exchange HELLO and IAM."""
        dialogue, server = self.dialogue, self.server
        early = await self._watch()
        if early is not None:
            raise server.make_fault("LAN-105", "nothing before HELLO", dialogue, _line(dialogue))
        await self._put(Hello())
        line = await self._answer("LAN-101", "LAN-102", "IAM and a name")
        words = split_words(line.decode("latin-1"))
        if not words or words[0].upper() != "IAM":
            second = await self._watch(SECOND_LINE)
            code = "LAN-107" if second is not None and _is(second, Iam) else "LAN-103"
            raise server.make_fault(code, "IAM and a name", dialogue, line)
        try:
            message = parse_message(line)
        except MessageError as error:
            raise server.make_fault("LAN-104", str(error), dialogue, line) from None
        assert isinstance(message, Iam)
        self._note_form(message, line)
        server.name = message.name
        if not message.name.partition(":")[1] or message.name.index(":") != 3:
            server.remark("LAN-106", "a name such as ann:bot", dialogue, line)
        if await self._watch() is not None:
            raise server.make_fault("LAN-107", "IAM alone", dialogue, _line(dialogue))

    async def begin(
        self,
        player: int,
        players: int = 2,
        names: Collection[str] = NAMES,
        suspects: Collection[str] = (),
    ) -> None:
        """Send GAME.

        Args:
            player: the server's player number.
            players: number of players, 2 or 4.
            names: names of the players; the server's own replaces its entry in the default.
            suspects: codes or keys of the misreadings to look for.
        """
        self.player = player
        self.position = Position(players=players)
        all_views = views_of(player, players)
        self.truth = next(view for view in all_views if not view.misreading.code)
        self.views = [
            view for view in all_views if view.misreading.code in suspects or view.misreading.key in suspects
        ]
        self._suspects = {*suspects, "LAN-135"}
        self._history.clear()
        called = list(names)[:players]
        if names is NAMES:
            called[player - 1] = self.server.name
        await self._say(Game(player, tuple(called)))
        if await self._watch() is not None:
            raise self.server.make_fault(
                "LAN-111", "nothing until MYOUSHU", self.dialogue, _line(self.dialogue)
            )

    # Sending.

    async def report(self, player: int, move: Move) -> None:
        """Report a legal move of another player."""
        self._follow(player, move)
        await self._say(Atari(player, move))

    def _follow(self, player: int, move: Move) -> None:
        self.position.push(move)
        self._history.append((player, move))
        for view in self._all_views:
            view.follow(player, move, is_own=False)

    async def eliminate(self, player: int) -> None:
        """Eliminate another player."""
        self.position.eliminate(player)
        self._history.append((player, None))
        for view in self._all_views:
            view.eliminate(player)
        self._last_gote = True
        await self._say(Gote(player))

    async def ask(self) -> Move:
        """Ask for a move, judge it and report it back."""
        await self._say(Myoushu())
        return await self.take_answer()

    async def report_and_ask(self, player: int, move: Move) -> None:
        """Report a move and ask in one packet, and judge the answer."""
        await self._wait_gap()
        self._follow(player, move)
        await self._send(encode(Atari(player, move)) + encode(Myoushu()))
        await self.take_answer()

    async def end(self, winner: int) -> None:
        """Announce the winner, and close the connection."""
        try:
            await self._say(Kikashi(winner))
        except FaultError as error:
            if error.finding.code != "LAN-167":
                raise
            # All others are eliminated, so this server has already won.
            self.server.report.add(error.finding)
            return
        await self.leave("LAN-173")

    async def leave(self, code: str) -> None:
        """Close the connection, and report anything that the server still sends as ``code``."""
        dialogue = self.dialogue
        try:
            line = await dialogue.watch(5 * self.server.gap)
        except ClosedError:
            line = None
        if line is not None:
            self.server.remark(code, "nothing more", dialogue, _line(dialogue))
        await dialogue.close()

    async def eliminate_server(self) -> None:
        """Tell the server that it is eliminated, and close the connection."""
        await self._say(Gote(self.player))
        await self.leave("LAN-168")

    # Receiving.

    async def take_answer(self) -> Move:
        """Read the answer to MYOUSHU, judge it and report it back."""
        server, dialogue = self.server, self.dialogue
        start = trio.current_time()
        line = await self._answer("LAN-121", "LAN-122", "TESUJI and a move")
        seconds = trio.current_time() - start
        server.slowest = max(server.slowest, seconds)
        server.pace.note(seconds)
        if seconds > server.settings.move_time / 2:
            expected = f"an answer within {server.settings.move_time / 2:g} s; it took {seconds:.1f} s"
            server.remark("LAN-191", expected, dialogue, line)
        message = await self._read_move(line)
        self._note_form(message, line)
        move = message.move
        self._judge(move, line)
        server.moves += 1
        self._note_kind(move)
        here, way = self.position.pawn(self.player), self.position.distance(self.player) or 0
        self.position.push(move, Jumps.CLASSROOM)
        self._history.append((self.player, move))
        if isinstance(move, Step):
            assert here is not None
            progress = way - (self.position.distance(self.player) or 0)
            headings = frozenset(self.truth.headings(move.square))
            self.walk.append(WalkedStep(here, move.square, headings, progress))
        before = self.truth.fits
        for view in self._all_views:
            view.judge(move)
            view.follow(self.player, move, is_own=True)
        server.steps += isinstance(move, Step)
        server.shortest_steps += self.truth.fits - before
        await self._say(Atari(self.player, move))
        return move

    async def _read_move(self, line: bytes) -> Tesuji:
        server, dialogue = self.server, self.dialogue
        try:
            message = parse_message(line)
            if isinstance(message, Tesuji):
                return message
            why = "TESUJI and a move"
        except MessageError as error:
            why = str(error)
        second = await self._watch(SECOND_LINE)
        if second is not None and _is(second, Tesuji):
            raise server.make_fault("LAN-111", "TESUJI and a move, and no other line", dialogue, line)
        words = split_words(line.decode("latin-1"))
        if not words or words[0].upper() != "TESUJI":
            raise server.make_fault("LAN-123", "TESUJI and a move", dialogue, line)
        raise server.make_fault("LAN-124", why, dialogue, line)

    def _judge(self, move: Move, line: bytes) -> None:
        reason = self.position.why_illegal(move)
        if reason is None:
            return
        server = self.server
        drawing = draw_with_legend(self.position, BoardPicture.LAN, move, "the move played")
        expected = f"a legal move: {explain(reason, LAN)}"
        if reason.kind is Illegality.ONLY_CLASSROOM:
            server.report.add(server.make_finding("LAN-158", expected, self.dialogue, line, drawing))
            return
        views = self._replay()
        for view in views:
            view.judge(move)
        base = base_code(self.position, move, reason)
        suspects = [view for view in views if view.misreading.code in self._suspects]
        suspects += [view for view in views if view.misreading.key in self._suspects]
        code, found = explanations(base, suspects, self.truth, reason.kind)
        others = {base: self.truth.fits, **possible_codes(views)}
        others.pop(code, None)
        # A wall that breaks a rule by itself needs no misreading that does not explain more.
        least = self.truth.fits + (reason.kind in {Illegality.NO_PATH, Illegality.NO_WALLS_LEFT})
        likely = {other: fits for other, fits in others.items() if other == base or fits >= least}
        # "It makes an illegal move" explains nothing.
        likely.pop("LAN-139", None)
        steps = len(self.walk) + isinstance(move, Step)
        detail = server.phrase_doubt(likely, steps)
        finding = server.make_finding(code, expected, self.dialogue, line, drawing, detail)
        raise FaultError(evolve(finding, alternatives=tuple(others)), found, base, steps)

    def _replay(self) -> list[View]:
        """Return the views of all misreadings at this point of the game."""
        views = [view for view in views_of(self.player, self.position.players) if view.misreading.code]
        for view in views:
            for player, move in self._history:
                if move is None:
                    view.eliminate(player)
                    continue
                is_own = player == self.player
                if is_own:
                    view.judge(move)
                view.follow(player, move, is_own=is_own)
        return views

    async def _answer(self, silent: str, closed: str, expected: str) -> bytes:
        server, dialogue = self.server, self.dialogue
        patience = server.pace.patience(silent, self._patience)
        try:
            line = await dialogue.line(patience)
        except SilentError:
            within = f"{expected} within {patience:g} s"
            server.pace.note_silence(silent)
            if dialogue.unfinished:
                raise server.make_fault(
                    "LAN-109", f"{within}, and a line end", dialogue, dialogue.unfinished
                ) from None
            raise server.make_fault(silent, within, dialogue) from None
        except LineTooLongError as error:
            raise server.make_fault("LAN-110", expected, dialogue, error.start[:60]) from None
        except ClosedError:
            raise server.make_fault(closed, expected, dialogue, dialogue.unfinished) from None
        server.pace.note_answer(silent)
        return line

    async def _watch(self, seconds: float | None = None) -> bytes | None:
        """Watch for an unrequested line; the default time is the minimum gap between two messages."""
        try:
            return await self.dialogue.watch(self.server.gap if seconds is None else seconds)
        except ClosedError:
            if self._is_fresh:
                raise self.server.make_fault("LAN-102", "IAM and a name", self.dialogue) from None
            raise self._diagnose_hangup() from None

    async def _wait_gap(self) -> None:
        """Give the server time to read, and report anything that it sends meanwhile."""
        if await self._watch() is not None:
            received = _line(self.dialogue)
            is_second = self.dialogue.last_sent.startswith(b"MYOUSHU")
            code = "LAN-126" if is_second else "LAN-111"
            expected = "one line" if is_second else "nothing until MYOUSHU"
            raise self.server.make_fault(code, expected, self.dialogue, received)

    async def _say(self, message: Message) -> None:
        await self._wait_gap()
        await self._put(message)

    async def say_unknown(self, line: bytes) -> None:
        """Send an unknown line."""
        await self._wait_gap()
        await self._send(line)

    async def _put(self, message: Message) -> None:
        await self._send(*self._framing(encode(message)))
        self._is_fresh = False
        if not isinstance(message, Gote):
            self._last_gote = False

    async def _send(self, *pieces: bytes) -> None:
        try:
            for number, piece in enumerate(pieces):
                if number:
                    await trio.sleep(self.server.gap)
                await self.dialogue.send(piece)
        except ClosedError:
            raise self._diagnose_hangup() from None

    def _diagnose_hangup(self) -> FaultError:
        """Return the fault of a server that closed the connection when no answer was due."""
        code = "LAN-113"
        if self._last_gote:
            code = "LAN-167" if len(self.position.alive) == 1 else "LAN-169"
        return self.server.make_fault(code, "the connection stays open", self.dialogue)

    def _note_form(self, message: Message, line: bytes) -> None:
        """Report deviations from the document's form that are still unambiguous."""
        server, dialogue = self.server, self.dialogue
        if dialogue.lines and dialogue.lines[-1].data.endswith(b"\r\n"):
            server.remark("LAN-108", "one line feed", dialogue, dialogue.lines[-1].data)
        exact = encode(message)
        if line + b"\n" != exact:
            server.remark("LAN-125", printable(exact), dialogue, line)

    def _note_kind(self, move: Move) -> None:
        """Record the kind of situation that the server has just handled, before the move is made."""
        position, seen = self.position, self.server.seen
        here = position.pawn(self.player)
        assert here is not None
        if isinstance(move, Wall):
            seen.add(
                "horizontal walls of its own"
                if move.orientation is Orientation.HORIZONTAL
                else "vertical walls of its own"
            )
            return
        steps = position.legal_steps
        if len(steps) <= 1:
            seen.add("being cornered")
        if not position.walls_left(self.player):
            seen.add("having no walls left")
        across = abs(move.square.column - here.column), abs(move.square.row - here.row)
        if max(across) == 2:
            seen.add("straight jumps")
        elif min(across) == 1:
            seen.add("sideways jumps")


def _is(line: bytes, kind: type[Message]) -> bool:
    try:
        return isinstance(parse_message(line), kind)
    except MessageError:
        return False


def _line(dialogue: Dialogue) -> bytes:
    """Return the last received line with its line end."""
    return next((line.data for line in reversed(dialogue.lines) if not line.is_sent), b"")
