"""Runs all checks of a display client."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial

import trio
from attrs import define, evolve, field
from trio.abc import Stream

from quoridor_net.check.catalogue import report_on
from quoridor_net.check.checklist import Check, FaultError, SkipError, run_checks
from quoridor_net.check.dialogue import ClosedError, Dialogue
from quoridor_net.check.findings import CheckOutcome, Finding, Report, Severity
from quoridor_net.check.lan_client.judge import RULES, Judge
from quoridor_net.check.lan_client.scenarios import SCENARIOS, Scenario
from quoridor_net.check.launching import Launch, LaunchError, linger
from quoridor_net.check.pace import Pace
from quoridor_net.net import deadlines
from quoridor_net.output import ignore
from quoridor_net.protocols.common.line_buffer import LineTooLongError
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.protocols.lan.messages import Hello, Iam, Myoushu, encode
from quoridor_net.text import count_things

#: Time to watch for further lines after the end, in seconds.
AFTERWARDS = 0.3

#: Prefixes of codes that are reported as they are, in whichever game they occur.
GENERAL_CODES = ("LAN-20", "LAN-21", "LAN-22", "LAN-23", "LAN-24", "LAN-25")

#: Maximum number of games without connections; the others are then skipped, because each costs time.
MOST_FAILURES = 2

#: Maximum number of games that a fault ended to name one by one.
SHOWN = 3

#: The number of a server, and the line it received with its line end; None at the end of the connection.
Received = tuple[int, bytes | None]


@define
class ClientUnderTest:
    """A display client.

    Attributes:
        launch: starts the client.
        report: receives the findings.
        seconds: time limit for each answer, in seconds.
        transcript: log of all lines.
        pace: time spent on its turns.
        has_connected: numbers of servers to which it has connected in earlier games.
        failures: how often it did not connect to all servers, by their number.
        cut: numbers of moves made and planned in the games that a fault ended early, by title.
    """

    launch: Launch
    report: Report
    seconds: float
    transcript: Transcript | None = None
    pace: Pace = field(factory=Pace)
    has_connected: set[int] = field(factory=set)
    failures: Counter[int] = field(factory=Counter)
    cut: dict[str, tuple[int, int]] = field(factory=dict)


async def check_client(
    launch: Launch,
    subject: str = "the client",
    seconds: float = 10.0,
    progress: Callable[[CheckOutcome], None] = ignore,
    only: str | None = None,
    transcript: Transcript | None = None,
    stop: trio.CancelScope | None = None,
    pace: Pace | None = None,
    after_first: Callable[[Report], None] = ignore,
) -> Report:
    """Check a display client of the 2016 protocol.

    Args:
        launch: starts the client, once for every check.
        subject: name of the client in the report.
        seconds: time limit for each answer, in seconds.
        progress: called with the outcome of every check.
        only: the only code to look for; None for all.
        transcript: log of all lines.
        stop: cancelled to end early, with the findings so far.
        pace: time limit for all answers together.
        after_first: called with the report so far after the fast first pass.
    """
    report = report_on("lan_client", subject)
    pace = Pace() if pace is None else pace
    client = ClientUnderTest(launch, report, seconds, transcript, pace)
    checks = [
        Check(
            scenario.name,
            scenario.title,
            partial(_play, scenario=scenario),
            (scenario.code,) if scenario.code else GENERAL_CODES,
            len(scenario.answers),
            is_first=scenario.is_first,
        )
        for scenario in SCENARIOS
    ]
    await run_checks(checks, client, report, progress, only, stop, pace, after_first)
    if client.cut:
        report.remarks.append(_describe_cut(client.cut))
    return report if only is None else report.only(only)


def _describe_cut(cut: Mapping[str, tuple[int, int]]) -> str:
    """Name the games that a fault ended early, so that later faults in them were not seen."""
    if len(cut) > SHOWN:
        return f"Not seen: the rest of {len(cut)} games, which a fault ended."
    games = "; ".join(
        f"{title}, after {made} of {count_things(planned, 'move')}" for title, (made, planned) in cut.items()
    )
    return f"Not seen, because a fault ended the game: the rest of {games}."


async def _play(client: ClientUnderTest, scenario: Scenario) -> str:
    fault = await _play_game(client, scenario)
    if fault is None:
        return ""
    if scenario.control is None or (fault.finding.severity is not Severity.MUST and not fault.finding.closed):
        raise fault
    usual = await _play_game(client, scenario.control)
    raise usual or FaultError(evolve(fault.finding, rule=RULES[scenario.code]))


async def _play_game(client: ClientUnderTest, scenario: Scenario) -> FaultError | None:
    """Start the client, play a game, and return the client's fault in it, if any.

    Raises:
        SkipError: it does not connect, as in earlier games.
    """
    fault = None
    servers = len(scenario.names)
    try:
        async with client.launch(servers) as streams:
            fault = await _serve(client, scenario, streams)
            if fault is not None:
                await linger(fault.finding)
            client.has_connected.add(servers)
    except LaunchError as error:
        if servers in client.has_connected or client.failures[servers] >= MOST_FAILURES:
            raise SkipError(f"the client {error}") from None
        client.failures[servers] += 1
        expected = count_things(servers, "connection")
        raise FaultError(Finding(RULES["LAN-201"], expected, detail=f"The program {error}.")) from None
    return fault


async def _serve(client: ClientUnderTest, scenario: Scenario, streams: Sequence[Stream]) -> FaultError | None:
    """Play a game, and return the client's fault in it, if any."""
    judge = Judge(scenario.names, client.report)
    dialogues = [
        Dialogue(stream, transcript=client.transcript, number=number, lines=judge.lines, is_server=True)
        for number, stream in enumerate(streams, 1)
    ]
    send, receive = trio.open_memory_channel[Received](100)
    fault: FaultError | None = None
    async with trio.open_nursery() as nursery:
        for number, dialogue in enumerate(dialogues, 1):
            nursery.start_soon(_listen, number, dialogue, send.send)
        game = _Game(client, scenario, judge, dialogues, receive)
        try:
            await game.run()
        except FaultError as error:
            fault = error
            planned = len(scenario.answers)
            if game.answered < planned:
                client.cut[scenario.title] = game.answered, planned
        nursery.cancel_scope.cancel()
    return fault


async def _listen(number: int, dialogue: Dialogue, send: Callable[[Received], Awaitable[None]]) -> None:
    """Forward everything that one server receives."""
    try:
        while True:
            line = await dialogue.next_line()
            await send((number, line + dialogue.last_end))
    except LineTooLongError as error:
        await send((number, error.start[:80]))
    except ClosedError:
        await send((number, None))


class _Game:
    def __init__(
        self,
        client: ClientUnderTest,
        scenario: Scenario,
        judge: Judge,
        dialogues: list[Dialogue],
        received: trio.MemoryReceiveChannel[Received],
    ) -> None:
        self._client = client
        self._scenario = scenario
        self._judge = judge
        self._dialogues = dialogues
        self._received = received
        self.answered = 0
        # Servers that disconnected by themselves.
        self._gone: set[int] = set()
        # When the turn began.
        self._since = trio.current_time()

    async def run(self) -> None:
        """Play until every server has received the end of the game.

        Raises:
            FaultError: the client broke a rule.
        """
        judge, seconds = self._judge, self._client.seconds
        while not judge.is_done:
            with deadlines.move_on_after(seconds) as scope:
                number, line = await self._received.receive()
            if scope.cancelled_caught:
                begun = {number: each.unfinished for number, each in enumerate(self._dialogues, 1)}
                raise judge.judge_silence(seconds, {number: line for number, line in begun.items() if line})
            await self._take(number, line)
        with trio.move_on_after(AFTERWARDS):
            while True:
                number, line = await self._received.receive()
                if line is not None and number not in self._gone:
                    judge.receive(number, line)

    async def _take(self, number: int, line: bytes | None) -> None:
        judge = self._judge
        if number in self._gone:
            return
        if line is None:
            if not judge.seats[number - 1].is_over:
                begun = self._dialogues[number - 1].unfinished
                raise judge.judge_close(number, begun, is_alone=await self._others_stay())
            return
        message = judge.receive(number, line)
        if isinstance(message, Hello):
            await self._say(number, encode(Iam(self._scenario.names[number - 1])))
        elif isinstance(message, Myoushu):
            now = trio.current_time()
            self._client.pace.note(now - self._since)
            self._since = now
            await self._answer(number)

    async def _answer(self, number: int) -> None:
        answer = self._scenario.answers[self.answered]
        self.answered += 1
        self._judge.answer(number, answer.move)
        if answer.data:
            await self._say(number, answer.data)
            return
        # This server disconnects, so it expects no more reports.
        self._judge.seats[number - 1].is_over = True
        self._gone.add(number)
        await self._dialogues[number - 1].hang_up()

    async def _others_stay(self) -> bool:
        """Return whether the other connections stay open; a program that ends closes all of them."""
        with trio.move_on_after(AFTERWARDS):
            while (await self._received.receive())[1] is not None:
                pass
            return False
        return True

    async def _say(self, number: int, data: bytes) -> None:
        try:
            for count, piece in enumerate(self._scenario.framing(data)):
                if count:
                    await trio.sleep(0.02)
                await self._dialogues[number - 1].send(piece)
        except ClosedError:
            raise self._judge.judge_close(number) from None
