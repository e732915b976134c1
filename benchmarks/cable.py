"""A cable between two network namespaces that delays, loses, repeats and reorders packets.

Each end is a TUN device of Linux; a thread carries what is sent on one to the other. No kernel module besides
``tun`` is needed, and nothing outside the two namespaces is reached.
"""

from __future__ import annotations

import fcntl
import heapq
import itertools
import os
import random
import selectors
import struct
import threading
import time
from collections import Counter
from types import TracebackType
from typing import Self

from attrs import frozen

DEVICE = "/dev/net/tun"

#: ``TUNSETIFF``, ``IFF_TUN`` and ``IFF_NO_PI`` of <linux/if_tun.h>: packets of IP, with nothing before them.
_SET_INTERFACE = 0x400454CA
_TUN = 0x0001
_NO_PACKET_INFORMATION = 0x1000

#: Bytes of the longest packet, and of the longest name of an interface with its NUL.
_LONGEST = 65535
_NAME = 16

#: Seconds after which the thread looks whether it is to end, while nothing is sent.
_PAUSE = 0.05


@frozen
class Disturbance:
    """What befalls packets, in both directions.

    Attributes:
        delay: seconds that every packet is late.
        spread: seconds by which that is more or less at random, so that packets overtake each other.
        lost: the part that never arrives, from 0 to 1.
        doubled: the part that arrives twice.
    """

    delay: float = 0.0
    spread: float = 0.0
    lost: float = 0.0
    doubled: float = 0.0


class Cable:
    """A cable whose ends are interfaces, which the caller moves to where they belong.

    Args:
        names: of the two interfaces.
        source: of all choices.

    Attributes:
        disturbance: what befalls the packets that are sent from now on.
        packets: how many were ``carried``, ``lost``, ``doubled``, or sent while the far end was ``down``.

    Raises:
        OSError: there can be no such interfaces here.
    """

    def __init__(self, names: tuple[str, str], source: random.Random) -> None:
        self.disturbance = Disturbance()
        self.packets: Counter[str] = Counter()
        self._source = source
        self._ends: list[int] = []
        self._is_over = False
        self._late: list[tuple[float, int, int, bytes]] = []
        self._numbers = itertools.count()
        try:
            for name in names:
                self._ends.append(_interface(name))
        except OSError:
            self._close()
            raise
        self._thread = threading.Thread(target=self._carry, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._is_over = True
        self._thread.join()
        self._close()

    def _close(self) -> None:
        for end in self._ends:
            os.close(end)

    def _carry(self) -> None:
        first, second = self._ends
        with selectors.DefaultSelector() as selector:
            selector.register(first, selectors.EVENT_READ, second)
            selector.register(second, selectors.EVENT_READ, first)
            while not self._is_over:
                due = self._late[0][0] - time.monotonic() if self._late else _PAUSE
                for key, _ in selector.select(max(0.0, min(due, _PAUSE))):
                    self._take(key.fd, key.data)
                while self._late and self._late[0][0] <= time.monotonic():
                    *_, end, packet = heapq.heappop(self._late)
                    self._give(end, packet)

    def _take(self, end: int, far_end: int) -> None:
        """Take the next packet from one end and decide what befalls it."""
        packet = os.read(end, _LONGEST)
        now, source, disturbance = time.monotonic(), self._source, self.disturbance
        if source.random() < disturbance.lost:
            self.packets["lost"] += 1
            return
        times = 1
        if source.random() < disturbance.doubled:
            self.packets["doubled"] += 1
            times = 2
        for _ in range(times):
            late = disturbance.delay + disturbance.spread * source.uniform(-1, 1)
            heapq.heappush(self._late, (now + max(0.0, late), next(self._numbers), far_end, packet))

    def _give(self, end: int, packet: bytes) -> None:
        try:
            os.write(end, packet)
        except OSError:
            # EIO: the interface is down.
            self.packets["down"] += 1
        else:
            self.packets["carried"] += 1


def _interface(name: str) -> int:
    """Make an interface; return its descriptor, with which it vanishes."""
    end = os.open(DEVICE, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    request = struct.pack(f"{_NAME}sH22x", name.encode(), _TUN | _NO_PACKET_INFORMATION)
    try:
        fcntl.ioctl(end, _SET_INTERFACE, request)
    except OSError:
        os.close(end)
        raise
    return end
