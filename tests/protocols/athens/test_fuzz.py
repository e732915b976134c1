"""Arbitrary bytes and arbitrary commands: never a crash, never a wrong framing, nothing changed by a ``?``.

The default run takes a sample; ``-m slow`` takes 100,000 inputs.
"""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.protocols.athens import NEED_DATA, EngineRole, Farewell, MoveWanted, PrivateCommand, Reply

#: One response: a sign, text without an empty line, one empty line. Nothing but printable ASCII.
FRAME = re.compile(rb"[=?](?: [ -~]+|(?=\n))(?:\n[ -~]+)*\n\n")

WORDS = (
    b"name known_command list_commands boardsize clear_board walls playmove playwall genmove undo winner"
    b" showboard qn-extra black white w B WHITE red horizontal v H diagonal E8 e2 A1 I9 J10 Y25 Z1 E0"
    b" 0 1 2 3 9 25 26 2147483647 2147483648 -1 1.5 true \xff\xfe \x85 = ?"
).split(b" ")
GLUE = [b" ", b" ", b" ", b" ", b"  ", b"\t", b"\n", b"\n", b"\r\n", b"#", b"\x00", b"\xa0", b"", b"\n\n"]


def state_of(role: EngineRole) -> tuple[object, ...]:
    game = role.game
    return game.size, game.walls, game.history, game.position.to_line()


class Checker:
    """Feeds one engine and checks everything that it answers."""

    def __init__(self, source: random.Random) -> None:
        self.random = source
        self.role = EngineRole("Fuzz", ["qn-extra"])

    def feed(self, data: bytes) -> int:
        """Feed one input, whole or in two pieces; return the number of answers."""
        cut = self.random.randint(0, len(data))
        count = 0
        for piece in (data[:cut], data[cut:]):
            self.role.receive_data(piece)
            count += self.answer_all()
        return count

    def answer_all(self) -> int:
        count = 0
        while True:
            before = state_of(self.role)
            match event := self.role.next_event():
                case Reply(reply) | Farewell(reply):
                    pass
                case MoveWanted(_, position):
                    if self.random.random() < 0.1:
                        reply = self.role.fail("no idea")
                    else:
                        reply = self.role.play(self.random.choice(position.legal_moves))
                case PrivateCommand(_, words):
                    reply = self.role.succeed(words) if words else self.role.fail("why")
                case _:
                    assert event is NEED_DATA
                    return count
            count += 1
            assert FRAME.fullmatch(reply), reply
            if reply.startswith(b"?"):
                assert state_of(self.role) == before, reply


def phrase(source: random.Random) -> bytes:
    """Return words with something between them, which often are commands."""
    pieces = []
    for _ in range(source.randint(1, 12)):
        pieces += [source.choice(WORDS), source.choice(GLUE)]
    return b"".join(pieces)


def command(source: random.Random) -> bytes:
    """Return a command that is right more often than not."""
    size = source.choice([3, 5, 9, 12])
    colour = source.choice([b"black", b"white"])
    vertex = b"%c%d" % (source.choice(b"ABCDEFGHI"), source.randint(1, 9))
    orientation = source.choice([b"h", b"vertical"])
    return source.choice([
        b"boardsize %d\n" % size if source.random() < 0.05 else b"winner\n",
        b"clear_board\n" if source.random() < 0.1 else b"showboard\n",
        b"walls %d\n" % source.randint(0, 12),
        b"playmove %s %s\n" % (colour, vertex),
        b"playwall %s %s %s\n" % (colour, vertex, orientation),
        b"genmove %s\n" % colour,
        b"genmove %s\n" % colour,
        b"undo %d\n" % source.randint(0, 3),
    ])  # fmt: skip


def fuzz(inputs: int, seed: int) -> int:
    source = random.Random(seed)
    answers = 0
    checker = Checker(source)
    for number in range(inputs):
        if number % 500 == 0:
            checker = Checker(source)
        kind = number % 4
        if kind == 0:
            data = source.randbytes(source.randint(0, 60)) + b"\n"
        elif kind == 1:
            data = phrase(source) + b"\n"
        else:
            data = command(source)
        answers += checker.feed(data)
    return answers


def test_a_sample_of_random_inputs_breaks_nothing() -> None:
    assert fuzz(6_000, seed=1) > 6_000


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_a_hundred_thousand_random_inputs_break_nothing(seed: int) -> None:
    assert fuzz(10_000, seed) > 10_000


@given(st.binary(max_size=400))
def test_arbitrary_bytes_break_nothing(data: bytes) -> None:
    Checker(random.Random(0)).feed(data)


@given(st.lists(st.sampled_from(WORDS + GLUE), max_size=60))
def test_arbitrary_words_break_nothing(words: list[bytes]) -> None:
    Checker(random.Random(0)).feed(b"".join(words))


@given(
    st.lists(
        st.sampled_from(
            [
                b"playmove black E8",
                b"playwall white E3 h",
                b"genmove white",
                b"undo",
                b"undo 2",
                b"walls 0",
                b"walls 2",
                b"clear_board",
                b"boardsize 5",
            ]
        ),
        max_size=30,
    )
)
def test_undoing_everything_gives_the_beginning_of_the_game(commands: list[bytes]) -> None:
    checker = Checker(random.Random(0))
    checker.feed(b"\n".join([*commands, b""]))
    game = checker.role.game
    checker.feed(b"undo %d\n" % len(game.history))
    size, walls = game.size, game.walls
    fresh = EngineRole("Fresh")
    fresh.receive_data(b"boardsize %d\nwalls %d\n" % (size, walls))
    assert [isinstance(fresh.next_event(), Reply) for _ in range(2)] == [True, True]
    assert game.history == ()
    assert [game.position.pawn(player) for player in (1, 2)] == [fresh.game.position.pawn(p) for p in (1, 2)]
    assert game.position.walls == []
