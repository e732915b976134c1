"""Generation of inputs: random bytes, words of a grammar, mutations of samples, long repetitions."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

#: Maximum size of an input, in bytes.
LONGEST = 65536

#: One input in this many is a long repetition, which takes about a hundred times as long as the others.
RARITY = 1000

#: Awkward characters: line ends, spaces, escapes, and digits and spaces beyond ASCII.
AWKWARD = [
    b"\n", b"\r", b"\r\n", b"\t", b" ", b"  ", b"\x00", b"\x0b", b"\x0c", b"\x1b[2J", b"\x1b]0;x\x07",
    b"\x1c", b"\x85", b"\xa0", b"\xad", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"#",
    b"'", b'"', b"\\", b"\\x",
    b"0" * 30, b"9" * 30, b"9" * 5000, b"-1", b"+1", b"1_0", b"1e9", b"NaN",
    "\u0661".encode(), "\uff14".encode(), "\u00b2".encode(), "\u202e".encode(), "\u200b".encode(),
    "\u2028".encode(), "\u3000".encode(), "\u0130".encode(), "\u212a".encode(), "\u017f".encode(),
    "\U0001f600".encode(), b"\xed\xa0\x80",
]  # fmt: skip


#: Separators of words, and numbers of changes to a sample.
_BETWEEN = (b" ", b" ", b" ", b"\n", b"\n", b"")
_CHANGES = (1, 1, 1, 2, 3, 8)


class Inputs:
    """A generator of inputs for one parser.

    Args:
        source: random generator of all choices.
        samples: valid or nearly valid inputs.
        words: words of the grammar.
    """

    def __init__(self, source: random.Random, samples: Sequence[bytes], words: Sequence[bytes]) -> None:
        self._source = source
        # The integer methods of random.Random would take half of the time of an input.
        self._random = source.random
        self._samples = samples
        self._words = [*words, *AWKWARD]
        self._grammar = words
        self._kinds: Sequence[Callable[[], bytes]] = (
            self._noise,
            self._phrase,
            self._phrase,
            self._mutation,
            self._mutation,
            self._mutation,
            self._splice,
        )

    def next(self) -> bytes:
        """Return the next input."""
        if self._random() < 1 / RARITY:
            return self._repetition()
        return self._kinds[self._below(len(self._kinds))]()[:LONGEST]

    def _below(self, limit: int) -> int:
        """Return a random number from 0 to ``limit`` - 1."""
        return int(self._random() * limit)

    def _choice(self, things: Sequence[bytes]) -> bytes:
        return things[int(self._random() * len(things))]

    def _noise(self) -> bytes:
        return self._source.randbytes(1 + self._below(59))

    def _phrase(self) -> bytes:
        """Return words of the grammar, mostly separated by spaces or line ends."""
        pieces = []
        for _ in range(1 + self._below(9)):
            pieces.append(self._choice(self._grammar if self._random() < 0.8 else self._words))
            pieces.append(self._choice(_BETWEEN))
        return b"".join(pieces)

    def _sample(self) -> bytes:
        return self._choice(self._samples)

    def _mutation(self) -> bytes:
        below = self._below
        data = bytearray(self._sample())
        for _ in range(_CHANGES[below(len(_CHANGES))]):
            at = below(len(data) + 1)
            match below(7):
                case 0:
                    del data[at : at + 1 + below(11)]
                case 1:
                    data[at:at] = self._choice(self._words)
                case 2 if at < len(data):
                    data[at] ^= 1 << below(8)
                case 3 if at < len(data):
                    data[at] = below(256)
                case 4:
                    data[at : at + 1] = self._choice(self._words)
                case 5:
                    self._move_line(data)
                case 6:
                    del data[at:]
        return bytes(data)

    def _move_line(self, data: bytearray) -> None:
        lines = data.split(b"\n")
        line = lines.pop(self._below(len(lines)))
        for _ in range(self._below(3)):
            lines.insert(self._below(len(lines) + 1), line)
        data[:] = b"\n".join(lines)

    def _splice(self) -> bytes:
        """Return the beginning of one sample and the end of another."""
        first, second = self._sample(), self._sample()
        cut, other = (self._below(len(data) + 1) for data in (first, second))
        return first[:cut] + second[other:]

    def _repetition(self) -> bytes:
        """Return up to :data:`LONGEST` bytes, mostly one repeated unit."""
        source = self._source
        length = source.choice((1000, 5000, LONGEST, LONGEST))
        match source.randrange(4):
            case 0:
                unit = source.choice(self._words)
            case 1:
                unit = source.choice(self._words) + source.choice((b" ", b"\n", b"", b"(", b"1"))
            case 2:
                unit = self._sample()
            case _:
                unit = bytes([source.randrange(32, 127)])
        before, after = source.choice(self._words), source.choice(self._words)
        if source.random() < 0.5:
            before = self._sample()[: source.randrange(40)]
        unit = unit or b"x"
        return (before + unit * (length // len(unit) + 1))[: length - len(after)] + after
