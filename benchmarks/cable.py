"""A cable between two network namespaces that delays, loses, duplicates and reorders packets.

Each end is a TUN device of Linux; a thread carries packets from one to the other. It needs no kernel module
besides ``tun``, and reaches nothing outside the two namespaces.
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

#: ``TUNSETIFF``, ``IFF_TUN`` and ``IFF_NO_PI`` of <linux/if_tun.h>: IP packets without a header before them.
_SET_INTERFACE = 0x400454CA
_TUN = 0x0001
_NO_PACKET_INFORMATION = 0x1000

#: Maximum size of a packet, and of the name of an interface with its NUL, in bytes.
_LONGEST = 65535
_NAME = 16

#: Interval at which an idle thread checks whether to end, in seconds.
_PAUSE = 0.05


@frozen
class Disturbance:
    """A disturbance of packets, in both directions.

    Attributes:
        delay: mean delay of a packet, in seconds.
        spread: maximum deviation from it, in seconds; packets can overtake each other.
        lost: share of packets that never arrive, from 0 to 1.
        doubled: share of packets that arrive twice, from 0 to 1.
    """

    delay: float = 0.0
    spread: float = 0.0
    lost: float = 0.0
    doubled: float = 0.0


class Cable:
    """A cable between two interfaces, which the caller moves to their namespaces.

    Args:
        names: names of the two interfaces.
        source: random generator of all choices.

    Attributes:
        disturbance: disturbance of the packets sent from now on.
        packets: number of packets ``carried``, ``lost``, ``doubled``, or sent while the far end was ``down``.

    Raises:
        OSError: the interfaces cannot be created.
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
        """Read the next packet from one end, and draw its fate."""
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
    """Create an interface that exists until its descriptor is closed; return the descriptor."""
    end = os.open(DEVICE, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    request = struct.pack(f"{_NAME}sH22x", name.encode(), _TUN | _NO_PACKET_INFORMATION)
    try:
        fcntl.ioctl(end, _SET_INTERFACE, request)
    except OSError:
        os.close(end)
        raise
    return end
