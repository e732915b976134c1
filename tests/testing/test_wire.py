"""The check of the protocol's promises: docs/decisions.md, Protocol."""

from __future__ import annotations

import pytest

from quoridor_net.testing import Wired, check_promises

GAME = "> GAME 2 ann zoë"


def read_wire(*lines: str) -> list[Wired]:
    """Return lines to (``>``) and from (``<``) server 1, each with a line end."""
    return [Wired(line[0] == ">", 1, f"{line[2:]}\n".encode()) for line in lines]


@pytest.mark.parametrize(
    "lines",
    [
        (GAME, "> MYOUSHU", "< TESUJI (4, 1)", "> ATARI 2 (4, 1)", "> MYOUSHU", "< ", "> GOTE 2"),
        (GAME, "> GOTE 1", "> KIKASHI 2"),
    ],
)
def test_kept_promises(lines: tuple[str, ...]) -> None:
    check_promises(read_wire(*lines))


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ((GAME, "> KIKASHI 1", "> GOTE 1"), "was sent to server 1 after b'KIKASHI 1"),
        ((GAME, "> GOTE 2", "> ATARI 1 (4, 7)"), "was sent to server 1 after b'GOTE 2"),
        ((GAME, "> MYOUSHU", "> MYOUSHU"), "server 1 was asked again before it answered"),
        ((GAME, "> MYOUSHU", "> ATARI 1 (4, 7)"), "server 1 got b'ATARI .* before it answered"),
        (("> GAME  2 ann zoe",), "wrong spaces"),
        (("> HELLO ",), "wrong spaces"),
        (("> HELLÖ",), "not ASCII"),
    ],
)
def test_broken_promises(lines: tuple[str, ...], words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        check_promises(read_wire(*lines))


def test_each_line_ends() -> None:
    with pytest.raises(AssertionError, match="no line end"):
        check_promises([Wired(True, 1, b"HELLO")])
