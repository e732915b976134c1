"""The move server that is checked: how it is reached, and what is known about it so far."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection

from attrs import define, field, frozen
from trio.abc import Stream

from quoridor_net.check.catalogue import catalogue
from quoridor_net.check.checklist import FaultError, UnavailableError
from quoridor_net.check.dialogue import Dialogue, strange_bytes
from quoridor_net.check.findings import Finding, Report
from quoridor_net.check.pace import Pace
from quoridor_net.protocols.common.transcript import Transcript

RULES = catalogue("lan_server").rules

#: Seconds within which a line that nobody asked for is noticed before the next message. It is also the time
#: that servers have which read one line at a time, as most of the 2016 class do.
GAP = 0.02

#: The same for servers that have shown that they can read two lines at once.
SHORT_GAP = 0.002

#: About how many moves a server makes in all checks.
USUAL_MOVES = 150


@frozen
class Patience:
    """How patient the checker is.

    Attributes:
        move_time: seconds for IAM and for each move.
        gap: seconds between two messages to a server that said nothing in between.
    """

    move_time: float = 10.0
    gap: float = GAP


@define
class ServerUnderTest:
    """A move server and what was seen of it.

    Attributes:
        connect: makes a connection; raises OSError when there is none to be had.
        report: gets the findings.
        settings: how patient the checker is.
        transcript: where all lines are noted.
        pace: how long its moves take.
        name: what the server calls itself, once it did.
        slowest: seconds of its slowest answer.
        moves: how many moves it made.
        steps: how many of them were steps.
        glad_steps: how many of the steps were along a shortest path.
        seen: kinds of situations that came up.
        connections: how many connections were made.
        gap: seconds between two messages to a server that said nothing in between.
        opened: the conversation of the greeting, on which the first game is played.
    """

    connect: Callable[[], Awaitable[Stream]]
    report: Report
    settings: Patience = field(factory=Patience)
    transcript: Transcript | None = None
    pace: Pace = field(factory=Pace)
    name: str = "srv:name"
    slowest: float = 0.0
    moves: int = 0
    steps: int = 0
    glad_steps: int = 0
    seen: set[str] = field(factory=set)
    connections: int = 0
    gap: float = field(init=False)
    opened: Dialogue | None = None

    def __attrs_post_init__(self) -> None:
        self.gap = self.settings.gap

    def rounds(self, usual: int, least: int) -> int:
        """Return how many moves to ask for in a game: ``least`` of a server that would take too long."""
        return least if self.pace.is_too_slow(USUAL_MOVES) else usual

    async def dial(self, code: str = "LAN-171") -> Dialogue:
        """Return a new connection.

        Raises:
            UnavailableError: there is none; ``code`` is reported unless it is the first.
        """
        try:
            stream = await self.connect()
        except OSError as error:
            why = f"cannot be reached: {error.strerror or error}"
            if self.connections:
                self.report.add(
                    Finding(
                        RULES[code],
                        "another connection is accepted",
                        detail=f"The next connection {why}. Start the server again for the other checks.",
                    )
                )
                why = f"the server {why}"
            else:
                self.report.remarks.append(
                    "Start the server first, and see on which port it listens: it has to be the one given"
                    " here. On another machine, a firewall may be in the way."
                )
            raise UnavailableError(why) from None
        self.connections += 1
        return Dialogue(stream, transcript=self.transcript, number=self.connections)

    def fault(
        self,
        code: str,
        expected: str,
        dialogue: Dialogue,
        received: bytes = b"",
        drawing: tuple[str, ...] = (),
        detail: str = "",
    ) -> FaultError:
        """Return the error that ends a check."""
        return FaultError(self.finding(code, expected, dialogue, received, drawing, detail))

    def remark(self, code: str, expected: str, dialogue: Dialogue, received: bytes = b"") -> None:
        """Report something after which the check goes on."""
        self.report.add(self.finding(code, expected, dialogue, received))

    def finding(
        self,
        code: str,
        expected: str,
        dialogue: Dialogue,
        received: bytes = b"",
        drawing: tuple[str, ...] = (),
        detail: str = "",
    ) -> Finding:
        """Return a finding with what crossed the wire."""
        return Finding(
            RULES[code],
            expected,
            dialogue.last_sent,
            dialogue.as_it_came(received),
            tuple(dialogue.lines),
            drawing,
            detail or strange_bytes(received),
            dialogue.closed,
            dialogue.silent,
        )

    def doubt(self, codes: Collection[str], beginning: str = "It may also be", most: int = 2) -> str:
        """Return a sentence that names ``codes`` as explanations, not too many; empty without any."""
        told = ", or ".join(f"{RULES[code].title} ({code})" for code in list(codes)[:most])
        return told and f"{beginning} that it {told}."
