"""The move server to check: its connections, and the observations so far."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from attrs import define, evolve, field, frozen

from quoridor_net.check.catalogue import catalogue
from quoridor_net.check.checklist import FaultError, SkipError, UnavailableError
from quoridor_net.check.dialogue import Dialogue, describe_strange_bytes
from quoridor_net.check.findings import Finding, Report, WireLine
from quoridor_net.check.launching import Connect, LaunchError, ServerLaunch, linger
from quoridor_net.check.pace import Pace
from quoridor_net.protocols.common.transcript import Transcript

RULES = catalogue("lan_server").rules

#: Time to watch for an unrequested line before each message, in seconds. It also separates the messages for
#: servers that understand only one line per read, as most of the 2016 class do.
GAP = 0.02

#: The same for servers that have understood two lines in one packet.
SHORT_GAP = 0.002

#: Approximate number of moves that a server makes in all checks.
USUAL_MOVES = 200

#: Maximum number of other explanations that a finding names.
MOST_EXPLANATIONS = 4

#: Why no further check can be made of a server that the checker did not start.
ONE_GAME = "the server plays one game each time it is started"
HANGS = "the server does not answer on later connections"


@frozen
class Patience:
    """The time limits of the checker.

    Attributes:
        move_time: time limit for IAM and for each move, in seconds.
        gap: minimum delay between two messages without a reply in between, in seconds.
    """

    move_time: float = 10.0
    gap: float = GAP


@define
class ServerUnderTest:
    """A move server and the observations about it.

    Attributes:
        connect: opens a connection; raises OSError if it fails.
        report: receives the findings.
        settings: time limits.
        transcript: log of all lines.
        pace: time spent on its moves.
        launch: starts the server for every game; None if it runs already.
        name: its name from IAM, or a placeholder before.
        slowest: time of its slowest move, in seconds.
        moves: number of its moves.
        steps: number of its moves that were steps.
        shortest_steps: number of its steps along a shortest path.
        sound_games: number of games without a fault.
        seen: kinds of situations that occurred.
        connections: number of connections so far.
        greeted: number of its greetings.
        gap: minimum delay between two messages without a reply in between, in seconds.
        opened: the open connection of the greeting, for the first game.
    """

    connect: Connect
    report: Report
    settings: Patience = field(factory=Patience)
    transcript: Transcript | None = None
    pace: Pace = field(factory=Pace)
    launch: ServerLaunch | None = None
    name: str = "srv:name"
    slowest: float = 0.0
    moves: int = 0
    steps: int = 0
    shortest_steps: int = 0
    sound_games: int = 0
    seen: set[str] = field(factory=set)
    connections: int = 0
    greeted: int = 0
    gap: float = field(init=False)
    opened: Dialogue | None = None
    # Number of connections since the server was started.
    _dialled: int = field(default=0, init=False)
    # The lines of the last connection before the running check, and of each one in it.
    _previous: list[WireLine] = field(factory=list, init=False)
    _conversations: list[list[WireLine]] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self.gap = self.settings.gap

    @property
    def is_later(self) -> bool:
        """Whether the running server has had an earlier connection."""
        return self._dialled > 1 or (self.launch is None and self.connections > 1)

    def rounds(self, usual: int, least: int) -> int:
        """Return how many moves to request in a game: ``least`` if the server is too slow for all checks."""
        return least if self.pace.is_too_slow(USUAL_MOVES) else usual

    async def visit(self, run: Callable[[], Awaitable[None]]) -> None:
        """Do ``run``, after starting the server if the checker starts it.

        Raises:
            UnavailableError: it cannot be started.
        """
        if self.pace.is_hopeless:
            raise UnavailableError("the server has not answered any line")
        self._dialled = 0
        if self._conversations and self.opened is None:
            self._previous = self._conversations[-1]
            self._conversations = []
        if self.launch is None:
            await run()
            return
        failure: Exception | None = None
        try:
            async with self.launch() as connect:
                self.connect = connect
                try:
                    await run()
                except (FaultError, UnavailableError, SkipError) as error:
                    failure = error
                    if isinstance(error, FaultError):
                        await linger(error.finding)
        except LaunchError as error:
            raise UnavailableError(f"the server {error}") from None
        # Raise it outside the nursery, which would wrap it in a group.
        if failure is not None:
            raise failure

    async def dial(self, code: str = "LAN-171") -> Dialogue:
        """Return a new connection.

        Raises:
            FaultError: connecting failed, though the server that the checker has started was reached before;
                the finding has ``code``.
            UnavailableError: connecting failed to a server that the checker has not started, or for the first
                time; ``code`` is reported unless it is the first connection.
        """
        try:
            stream = await self.connect()
        except LaunchError as error:
            why = f"the server {error}"
            raise (SkipError(why) if self.connections else UnavailableError(why)) from None
        except OSError as error:
            why = f"cannot be reached: {error.strerror or error}"
            earlier = self._list_earlier() or ((tuple(self._previous),) if self._previous else ())
            detail = f"The server {why}."
            missing = Finding(RULES[code], "another connection", detail=detail, before=earlier)
            if self.launch is not None and self._dialled:
                raise FaultError(missing) from None
            if self.connections:
                self.report.add(missing)
                raise UnavailableError(ONE_GAME) from None
            self.report.remarks.append(
                "Start the server first, and check that it listens on the port given here. If it runs on"
                " another machine, a firewall may block the connection."
            )
            raise UnavailableError(why) from None
        self._dialled += 1
        self.connections += 1
        dialogue = Dialogue(stream, transcript=self.transcript, number=self.connections)
        self._conversations.append(dialogue.lines)
        return dialogue

    def _list_earlier(self, dialogue: Dialogue | None = None) -> tuple[tuple[WireLine, ...], ...]:
        """Return the conversations of the running check before ``dialogue``, or all."""
        earlier = []
        for lines in self._conversations:
            if dialogue is not None and lines is dialogue.lines:
                break
            earlier.append(tuple(lines))
        return tuple(earlier)

    def with_earlier_game(self, finding: Finding) -> Finding:
        """Return a finding about a later game, with the game before it if that was in another check."""
        if finding.before or self.launch is not None or not self._previous:
            return finding
        return evolve(finding, before=(tuple(self._previous),))

    def make_fault(
        self,
        code: str,
        expected: str,
        dialogue: Dialogue,
        received: bytes = b"",
        drawing: tuple[str, ...] = (),
        detail: str = "",
    ) -> FaultError:
        """Return the error that ends a check."""
        return FaultError(self.make_finding(code, expected, dialogue, received, drawing, detail))

    def remark(self, code: str, expected: str, dialogue: Dialogue, received: bytes = b"") -> None:
        """Report a finding that does not end the check."""
        self.report.add(self.make_finding(code, expected, dialogue, received))

    def make_finding(
        self,
        code: str,
        expected: str,
        dialogue: Dialogue,
        received: bytes = b"",
        drawing: tuple[str, ...] = (),
        detail: str = "",
    ) -> Finding:
        """Return a finding with the conversation so far."""
        return Finding(
            RULES[code],
            expected,
            dialogue.last_sent,
            dialogue.restore_end(received),
            tuple(dialogue.lines),
            drawing,
            detail or describe_strange_bytes(received),
            dialogue.closed,
            dialogue.silent,
            before=self._list_earlier(dialogue),
        )

    def phrase_doubt(
        self, explanations: Mapping[str, int], steps: int, beginning: str = "It may also be"
    ) -> str:
        """Return a sentence that offers other explanations, with the evidence for each; empty without any.

        Args:
            explanations: how many of the server's steps each of them explains, by code, the likeliest first.
            steps: number of the server's steps.
            beginning: the beginning of the sentence.
        """
        offered = list(explanations.items())[:MOST_EXPLANATIONS]
        named = [
            f"{RULES[code].title} ({code}" + (f", which explains {fits} of {steps} steps)" if steps else ")")
            for code, fits in offered
        ]
        return f"{beginning} that it {', or '.join(named)}." if named else ""
