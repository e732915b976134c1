"""Loses the network while data is unacknowledged. Run it as root in a separate network namespace."""

from __future__ import annotations

import trio

from quoridor_net.net import sockets
from quoridor_net.outcome import ForfeitError


async def main() -> None:
    """Print the error after the loss, which takes two seconds instead of the system's minutes."""
    sockets.UNACKNOWLEDGED = 1
    await trio.run_process(["ip", "link", "set", "lo", "up"])
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    stream = await sockets.connect("127.0.0.1", listener.socket.getsockname()[1], 1.0)
    async with await listener.accept():
        await trio.run_process(["ip", "link", "set", "lo", "down"])
        await sockets.send_in_time(stream, b"MYOUSHU\n")
        try:
            with trio.fail_after(10):
                await sockets.receive(stream)
        except ForfeitError as fault:
            print(fault.sentence, flush=True)


if __name__ == "__main__":
    trio.run(main)
