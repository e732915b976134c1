"""Files that are large, strange or malformed: a named mistake, in little time and memory."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress

import pytest

from quoridor_net.replay import (
    WRITTEN,
    Fault,
    RecordFormat,
    ReplayError,
    Setting,
    decode,
    format_game,
    parse_game,
    parse_replay,
)
from quoridor_net.replay.lan import MAX_CONNECTIONS
from quoridor_net.replay.metadata import MAX_METADATA, format_metadata
from quoridor_net.replay.record import MAX_PLIES
from quoridor_net.replay.text import MAX_LINE, text_lines

MIB = 1 << 20

#: Sizes of files. The memory that any file needs is too large a part of smaller ones.
SIZES = [MIB // 2, pytest.param(MIB, marks=pytest.mark.slow)]

#: Pawns that go to and fro.
TO_AND_FRO = "P 1 E2\nP 2 E8\nP 1 E1\nP 2 E9\n"


def error_of(text: str, form: RecordFormat | None = None, *, partial: bool = False) -> ReplayError:
    with pytest.raises(ReplayError) as caught:
        parse_game(text, form, partial=partial)
    assert caught.value.sentence.isascii()
    assert caught.value.sentence.isprintable()
    return caught.value


# Numbers.

DIGITS = [
    "000000000999999",
    "000000009999x",
    "9" * 5000,
    "0" * 5000 + "9" * 5000,
    "\u0669",
    "1_0",
    "+9",
    "-1",
    "",
]


@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize(
    ("form", "line"),
    [
        (RecordFormat.ATHENS, "boardsize {}\n"),
        (RecordFormat.ATHENS, "walls {}\n"),
        (RecordFormat.ATHENS, "playmove black E8\nundo {} x\n"),
        (RecordFormat.REPLAY, "# Extension: size {}\n"),
        (RecordFormat.REPLAY, "# Extension: players {}\n"),
        (RecordFormat.REPLAY, "# Extension: walls {}\n"),
        (RecordFormat.REPLAY, "# Extension: start  /  / e1 e9 / {} 10 / 1x\n"),
        (RecordFormat.REPLAY, "P {} E2\n"),
        (RecordFormat.STANDARD, "{}. e2\n"),
        (RecordFormat.STANDARD, "# Extension: size {}\n"),
    ],
)
def test_invalid_numbers_are_syntax_errors(form: RecordFormat, line: str, digits: str) -> None:
    if (line, digits) == ("{}. e2\n", ""):
        return
    error = error_of(line.format(digits), form, partial=True)
    assert error.fault is Fault.SYNTAX
    assert len(str(error)) < 600


@pytest.mark.parametrize(
    ("text", "form", "setting"),
    [
        ("boardsize 000000000000005\nwalls " + "0" * 5000 + "7\n", RecordFormat.ATHENS, Setting(2, 5, 7)),
        (
            "# Extension: size 0000000000025\n# Extension: walls 09999\n",
            RecordFormat.REPLAY,
            Setting(2, 25, 9999),
        ),
    ],
)
def test_leading_zeros_change_nothing(text: str, form: RecordFormat, setting: Setting) -> None:
    assert parse_game(text, form, partial=True).setting == setting


# Lines.


@pytest.mark.parametrize(
    "text", ["P 1 E2\rP 2 E8\r", "# Date: x\rP 1 E2\rP 2 E8\r", "boardsize 9\rplaymove b E8\r"]
)
def test_old_line_ends_are_read_but_not_part_of_version_1(text: str) -> None:
    replay = parse_game(text, partial=True)
    assert replay.plies
    assert replay == parse_game(text.replace("\r", "\n"), partial=True)
    assert replay == parse_game(text.replace("\r", "\r\n"), partial=True)
    with pytest.raises(ReplayError) as caught:
        parse_replay(text, strict=True)
    assert (caught.value.line, caught.value.column) == (1, text.index("\r") + 1)
    assert caught.value.sentence == "a carriage return inside a line: lines end with LF or CR LF"


def test_only_lf_and_crlf_end_a_line() -> None:
    lines = list(text_lines("a\r\nb\n\nc"))
    assert lines == [(1, "a", True), (2, "b", True), (3, "", True), (4, "c", False)]
    with pytest.raises(ReplayError, match="line 2, column 2: a carriage return"):
        list(text_lines("a\nb\r"))
    with pytest.raises(ReplayError, match="line 1, column 2: a carriage return"):
        list(text_lines("a\r\r\n"))


def test_a_line_beyond_the_maximum_is_rejected() -> None:
    assert len(next(text_lines("x" * MAX_LINE + "\r\n"))[1]) == MAX_LINE
    with pytest.raises(ReplayError, match=f"line 2, column {MAX_LINE + 1}: the line is too long"):
        list(text_lines("\n" + "x" * (MAX_LINE + 1)))


@pytest.mark.parametrize(
    ("line", "column"), [("P\t1 E2", 2), ("P 1\tE2", 4), ("\tP 1 E2", 1), ("P 1 E2\t", 7)]
)
def test_a_tab_is_reported_as_a_tab(line: str, column: int) -> None:
    error = error_of(f"{line}\n", partial=True)
    assert (error.column, error.sentence) == (column, "a tab: separate the parts by one space")


@pytest.mark.parametrize(
    "text", ["hello", "no game at all", "P 1 E222", "P 1 E2x", "W 1 E3 x", "P  1", "Q 1 E2", "e", "P 5"]
)
def test_an_unfinished_last_line_is_dropped_only_if_it_may_be_a_command(text: str) -> None:
    assert error_of(f"P 1 E2\nP 2 E8\n{text}", RecordFormat.REPLAY, partial=True).line == 3


@pytest.mark.parametrize("line", ["P 1 E3", "W 1 E3 h"])
def test_every_beginning_of_a_command_is_dropped(line: str) -> None:
    for length in range(len(line)):
        replay = parse_game(f"P 1 E2\nP 2 E8\n{line[:length]}", RecordFormat.REPLAY, partial=True)
        assert len(replay.plies) == 2


# Numbers of rounds.


@pytest.mark.parametrize(
    "text",
    [
        "1. e2 e8 2. e3 e7",
        "1.e2 e8 2.e3",
        "1. e2 1... e8 2. e3",
        "1. e2 2. e8 3. e3 4. e7",
        "1. e2\n2. e8\n",
        "e2 e8 2. e3",
        "1. e2 e8 e3 e7 3. e4",
    ],
)
def test_numbers_of_rounds_or_of_plies_are_accepted(text: str) -> None:
    assert parse_game(text, RecordFormat.STANDARD, partial=True).plies


@pytest.mark.parametrize(
    ("text", "column", "number"),
    [
        ("2. e2 e8", 1, "2"),
        ("0. e2", 1, "0"),
        ("1. e2 e8 3. e3", 10, "3"),
        ("1. e2 e8 1. e3", 10, "1"),
        ("1. e2 e8 2. e3 3. e7", 16, "3"),
        ("1. e2 2. e8 2. e3", 13, "2"),
        ("1. e2 e8 2. e3 2. e7", 16, "2"),
        ("1. e2 e8 3... e3", 10, "3"),
    ],
)
def test_a_wrong_number_is_reported_as_such(text: str, column: int, number: str) -> None:
    error = error_of(text, RecordFormat.STANDARD, partial=True)
    assert (error.fault, error.line, error.column) == (Fault.SYNTAX, 1, column)
    assert error.sentence.startswith(f"wrong number '{number}': ")


# Metadata.


@pytest.mark.parametrize("form", [RecordFormat.REPLAY, RecordFormat.STANDARD, RecordFormat.ATHENS])
@pytest.mark.parametrize("key", ["Result", "Termination"])
def test_an_outcome_given_twice_is_a_mistake_in_every_format(form: RecordFormat, key: str) -> None:
    error = error_of(f"# {key}: draw\n# {key}: draw\n", form, partial=True)
    assert (error.fault, error.line) == (Fault.CONTRADICTION, 2)
    assert error.sentence == f"{key} was already given in line 1"


@pytest.mark.parametrize("form", [RecordFormat.REPLAY, RecordFormat.STANDARD])
def test_an_extension_behind_a_move_is_a_mistake(form: RecordFormat) -> None:
    move = {RecordFormat.REPLAY: "P 1 E2", RecordFormat.STANDARD: "1. e2"}[form]
    error = error_of(f"{move}\n# Extension: size 7\n", form, partial=True)
    assert (error.line, error.sentence) == (2, "extensions must come before the first move")


def test_an_extension_in_athens_commands_is_a_mere_comment() -> None:
    replay = parse_game(
        "# Extension: size 7\n# Date: today\nplaymove black E8\n", RecordFormat.ATHENS, partial=True
    )
    assert (replay.setting, replay.metadata) == (Setting(), (("Date", "today"),))


def test_metadata_are_limited_in_number() -> None:
    text = "# A: b\n" * MAX_METADATA
    assert len(parse_game(text, RecordFormat.REPLAY, partial=True).metadata) == MAX_METADATA
    assert "too many metadata" in error_of(text + "# A: b\n", RecordFormat.REPLAY, partial=True).sentence


def test_written_metadata_fit_into_a_line() -> None:
    assert len(format_metadata("Key", "v" * MAX_LINE)) == MAX_LINE
    assert format_metadata("Key", "") == "# Key:"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (
            f"# Players: {'a' * 500} vs {'b' * 30_000}\n# Extension: jumps official\nP 1 E2\nP 2 E8\n",
            RecordFormat.REPLAY,
        ),
        (
            "#Players:" + "a" * (MAX_LINE - 9) + "\nplaymove black E8\nplaymove white E2\n",
            RecordFormat.ATHENS,
        ),
        ("# Players: \x1b[2J\u202e vs \u200b\nplaymove black E8\nplaymove white E2\n", RecordFormat.ATHENS),
        ("# Extension: start \t/\x0b/ e1 e9 / 10 10 / 1\n1. e2 e8\n", RecordFormat.STANDARD),
    ],
)
@pytest.mark.parametrize("target", WRITTEN)
def test_a_written_game_can_be_read(text: str, form: RecordFormat, target: RecordFormat) -> None:
    replay = parse_game(text, form, partial=True)
    if target in {RecordFormat.LAN, RecordFormat.ATHENS} and replay.setting.start is not None:
        return
    assert parse_game(format_game(replay, target), target, partial=True).plies == replay.plies


# Time and memory.


def transcript(games: int, told: Callable[[int], str]) -> str:
    lines: list[str] = []
    for game in range(games):
        for what in ("GAME 1 ann bob\\n", "GAME 2 ann bob\\n", told(game), told(game)):
            lines.append(f"[   0.000] C->S{2 * game + len(lines) % 2} b'{what}'\n")
    return "".join(lines)


@pytest.mark.parametrize(
    "told",
    [
        lambda _: "",
        lambda _: "ATARI 1 (4, 1)\\n",
        lambda game: "ATARI 1 (4, 1)\\nATARI 2 (4, 7)\\n" * (game % 40),
        lambda game: (
            f"ATARI 1 [({game % 8}, {game // 8 % 8}), h]\\nATARI 2 [({game // 64 % 8}, {game // 512}), v]\\n"
        ),
    ],
    ids=["nothing", "the same", "of many lengths", "different"],
)
def test_a_transcript_of_many_games_is_read_in_linear_time(told: Callable[[int], str]) -> None:
    def seconds(games: int) -> float:
        text = transcript(games, told)
        begun = time.process_time()
        with pytest.raises(ReplayError, match=f"the transcript contains {games} games: choose one by number"):
            parse_game(text, RecordFormat.LAN, partial=True)
        return time.process_time() - begun

    # Sixteen times as many take sixteen times as long, and 256 times if every game is compared with all. The
    # best of three, as other programs take their share of the processor's cache.
    few = min(seconds(125) for _ in range(3))
    assert any(seconds(2000) < 90 * few for _ in range(3))


def test_many_equal_games_are_distinguished_and_matched() -> None:
    text = transcript(30, lambda game: "ATARI 1 (4, 1)\\n" * (game % 2))
    for number in range(1, 31):
        replay = parse_game(text, RecordFormat.LAN, partial=True, number=number)
        assert len(replay.plies) == (number - 1) % 2
    with pytest.raises(ReplayError, match="no game 31"):
        parse_game(text, RecordFormat.LAN, partial=True, number=31)


def test_fewer_reports_to_one_player_belong_to_the_same_game() -> None:
    text = (
        "[0] C->S1 b'GAME 1 a b\\n'\n[0] C->S2 b'GAME 2 a b\\n'\n"
        "[0] C->S1 b'ATARI 1 (4, 1)\\n'\n[0] C->S2 b'ATARI 1 (4, 1)\\nATARI 2 (4, 7)\\n'\n"
        "[0] C->S3 b'GAME 1 a b\\n'\n[0] C->S3 b'ATARI 1 (3, 0)\\n'\n"
    )
    assert len(parse_game(text, RecordFormat.LAN, partial=True, number=1).plies) == 2
    assert len(parse_game(text, RecordFormat.LAN, partial=True, number=2).plies) == 1


def test_a_transcript_is_limited_in_connections_and_games() -> None:
    lines = "".join(f"[0] C->S{number} b''\n" for number in range(MAX_CONNECTIONS + 1))
    assert "connections: split the file" in error_of(lines, RecordFormat.LAN).sentence
    lines = "[0] C->S1 b'GAME 1 a b\\n'\n" * (MAX_CONNECTIONS + 1)
    assert "games: split the file" in error_of(lines, RecordFormat.LAN).sentence


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("start", "unit"),
    [
        ("", "\n"),
        ("", "\r\n"),
        ("# Date: x\n", " \n"),
        ("", "#\n"),
        ("", "# A: b\n"),
        ("", "x"),
        ("", " "),
        ("", "P "),
        ("# \U0001f600\n", "#\n"),
        ("", "boardsize 9\n"),
        ("boardsize 9\n", "#\n"),
        ("", "playmove b E8\nundo\n"),
        pytest.param("1. e2\n", "\n", marks=pytest.mark.slow),
        ("1. e2\n", " \n"),
        ("1. e2 ", "e "),
        ("", "[0] C->S1 b'GAME 1 a b\\n'\n"),
        ("[0] C->S1 b'GAME 1 a b\\n'\n", "[0] C->S1 b'GOTE 2\\n'\n"),
        ("[0] C->S1 b'GAME 1 a b\\n'\n", "[0] C->S1 b'" + "GOTE 2\\n" * 5000 + "'\n"),
        ("", "[0] C->S1 b'x'\n"),
        ("", TO_AND_FRO),
    ],
    ids=ascii,
)
def test_memory_stays_under_ten_times_the_size_of_a_file(start: str, unit: str, size: int) -> None:
    data = (start + unit * (size // len(unit))).encode()
    tracemalloc.start()
    try:
        text = decode(data)
        with suppress(ReplayError):
            parse_game(text, partial=True)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 9 * len(data)


def test_a_game_has_no_more_plies_than_are_read() -> None:
    text = TO_AND_FRO * (MAX_PLIES // 4)
    assert len(parse_game(text, RecordFormat.REPLAY, partial=True).plies) == MAX_PLIES
    assert "the game is too long" in error_of(text + "P 1 E2\n", RecordFormat.REPLAY, partial=True).sentence


def test_a_mistake_in_a_transcript_is_placed_at_the_beginning_of_its_line() -> None:
    begun = "[0] C->S1 b'GAME 1 a b\\n'\n"
    for news in ("ATARI 2 (4, 7)", "ATARI 1 (4, 5)", "GOTE 2\\nKIKASHI 2"):
        error = error_of(f"{begun}\n[0] C->S1 b'{news}\\n'\n", RecordFormat.LAN, partial=True)
        assert (error.line, error.column) == (3, 1)


@pytest.mark.parametrize("form", list(RecordFormat))
def test_an_empty_file_lacks_its_game_at_line_1(form: RecordFormat) -> None:
    error = error_of("", form)
    assert (error.line, error.column) == (1, 1)


@pytest.mark.parametrize(
    ("text", "number"),
    [("no game", None), ("[0] C->S1 b'GAME 1 a b\\n'\n" * 2, None), ("[0] C->S1 b'GAME 1 a b\\n'\n", 2)],
)
def test_a_game_that_a_transcript_lacks_is_missed_at_its_beginning(text: str, number: int | None) -> None:
    with pytest.raises(ReplayError) as caught:
        parse_game(text, RecordFormat.LAN, partial=True, number=number)
    assert (caught.value.line, caught.value.column) == (1, 1)
