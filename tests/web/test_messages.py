"""Messages to browsers."""

from __future__ import annotations

import trio
from starlette.types import Message
from starlette.websockets import WebSocket
from trio.testing import MockClock, wait_all_tasks_blocked

from quoridor_net.web.messages import BURST, RATE, Allowance, sender


async def test_a_started_message_is_sent_completely() -> None:
    begun: list[str] = []
    sent: list[str] = []
    turn = trio.Event()

    async def receive() -> Message:
        await trio.lowlevel.checkpoint()
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        if message["type"] == "websocket.send":
            # Like a server that builds a frame and then waits to send it.
            begun.append(message["text"])
            await turn.wait()
            sent.append(message["text"])

    socket = WebSocket({"type": "websocket"}, receive, send)
    await socket.accept()
    tell = sender(socket)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(tell, "one")
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
        turn.set()
    with trio.CancelScope() as scope:
        scope.cancel()
        await tell("two")
    assert scope.cancelled_caught
    assert begun == sent == ["one"]


async def test_a_browser_may_send_a_burst_and_then_only_at_its_rate(mock_clock: MockClock) -> None:
    mock_clock.jump(100)
    allowance = Allowance()
    assert [allowance.spend() for _ in range(BURST + 1)] == [True] * BURST + [False]
    mock_clock.jump(1)
    assert [allowance.spend() for _ in range(int(RATE) + 1)] == [True] * int(RATE) + [False]
    # However long a browser was silent, it may send only one burst.
    mock_clock.jump(1000)
    assert sum(allowance.spend() for _ in range(2 * BURST)) == BURST
