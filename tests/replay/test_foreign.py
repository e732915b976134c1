"""Games as other programs and sites write them, and words in lists that are not moves."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from benchmarks.fuzz.foreign import WRITERS, write_barricade_json
from benchmarks.fuzz.target import check_showable
from quoridor_net.replay import (
    FORMATS,
    WRITTEN,
    Fault,
    Outcome,
    RecordFormat,
    Replay,
    ReplayError,
    Setting,
    decode,
    format_game,
    format_of,
    parse_game,
    read,
)
from quoridor_net.replay.json_text import MAX_DEPTH, MAX_JSON
from quoridor_net.replay.reading import READINGS, Reading
from quoridor_net.rules import Jumps, Wall
from tests.replay.test_conversion import random_replay
from tests.support.ground_truth import DATA

RECORDS = sorted(DATA.joinpath("records").iterdir())
MOVES = "e2 e8 e3 e7 h7v c3h e4 e6 e5 a1h e7 e5 e8 e4 e9"

#: Three files to the right of the middle and a wall: no file is the mirror image of another.
OPENING = "e2 e8 e3 e7 h7v c3h"


def error_of(text: str, form: RecordFormat | None = None, *, partial: bool = True) -> ReplayError:
    with pytest.raises(ReplayError) as caught:
        parse_game(text, form, partial=partial)
    return caught.value


def moves_of(text: str, form: RecordFormat | None = None) -> list[str]:
    return (
        format_game(parse_game(text, form, partial=True), RecordFormat.STANDARD).split("\n")[-2].split()[1:]
    )


# Every format.


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_a_file_is_read_in_the_format_that_it_is_in(path: Path) -> None:
    game = parse_game(MOVES)
    text = decode(path.read_bytes())
    assert format_of(text) == path.stem
    for form in (None, RecordFormat(path.stem)):
        replay = read(path, form)
        assert (replay.plies, replay.outcome) == (game.plies, Outcome(1, "goal"))


def test_there_is_a_file_in_every_format_that_is_only_read() -> None:
    assert {RecordFormat(path.stem) for path in RECORDS} >= set(RecordFormat) - set(WRITTEN)
    assert set(WRITERS) == set(RecordFormat) - set(WRITTEN)


@settings(max_examples=15)
@given(st.integers(0, 2**32), st.sampled_from(list(WRITERS)), st.sampled_from(list(Jumps)))
def test_a_whole_game_comes_back(seed: int, form: RecordFormat, jumps: Jumps) -> None:
    game = random_replay(random.Random(seed), Setting(jumps=jumps))
    # Several formats write a game without walls alike.
    assume(any(isinstance(ply.move, Wall) for ply in game.plies))
    text = WRITERS[form](game)
    assert format_of(text) is form
    again = parse_game(text, jumps=jumps)
    assert (again.plies, again.outcome) == (game.plies, game.outcome)


@settings(max_examples=15)
@given(st.integers(0, 2**32), st.integers(0, 20), st.sampled_from(list(WRITERS)))
def test_the_beginning_of_a_game_comes_back(seed: int, plies: int, form: RecordFormat) -> None:
    game = random_replay(random.Random(seed), Setting())
    begun = Replay(game.setting, game.plies[:plies])
    if not begun.plies:
        return
    assert parse_game(WRITERS[form](begun), form, partial=True).plies == begun.plies


def test_the_json_of_barricade_describes_a_game_on_a_small_board() -> None:
    game = random_replay(random.Random(3), Setting(size=7))
    again = parse_game(write_barricade_json(game))
    assert (again.plies, again.setting.size, again.names) == (game.plies, 7, ("ann", "bob"))


def test_a_board_size_of_barricade_must_be_a_number() -> None:
    game = random_replay(random.Random(3), Setting(size=7))
    error = error_of(write_barricade_json(game).replace('"boardSize": 7', '"boardSize": "many"'))
    assert "boardSize: expected" in error.sentence


@settings(max_examples=60)
@given(
    st.text() | st.lists(st.sampled_from([*MOVES.split(), "{", "}", "#", "!", "1.", "1-0", "[", '"', ","])),
    st.sampled_from([None, *RecordFormat]),
)
def test_no_text_raises_anything_but_the_error_of_records(
    text: str | list[str], form: RecordFormat | None
) -> None:
    try:
        parse_game(text if isinstance(text, str) else " ".join(text), form, partial=True)
    except ReplayError as error:
        check_showable(str(error))


@pytest.mark.parametrize("text", ["nonsense", "<html></html>", '{"a": 1}', "B: e9,\nW: e1", "[[[", "\x00"])
def test_where_nothing_fits_all_formats_are_listed(text: str) -> None:
    error = error_of(text)
    formats = ", ".join(FORMATS)
    assert (error.fault, error.line, error.column) == (Fault.UNKNOWN, 1, 1)
    assert error.sentence == f"unknown format: expected one of {formats}"


def test_an_error_knows_the_format_that_was_assumed() -> None:
    assert error_of("1. e2 e8 2. he4 he4").form == "barricade"
    assert error_of("1. e2 e8 2. he4 he4", RecordFormat.STANDARD).form == "standard"
    assert error_of("?").form == ""


# Lists of moves.


@pytest.mark.parametrize(
    "text",
    [
        "1. e2! e8?! 2. e3!! e7?? 3. h7v!? c3h+",
        "1. e2 e8 2. e3 e7 3. h7v ! c3h $4",
        "1.\ne2\ne8\n2.\ne3\ne7\n3.\nh7v\nc3h\n",
        "1\ne2 e8\n2\ne3 e7\n3\nh7v c3h\n",
        "1) e2 e8 2) e3 e7 3) h7v c3h",
        "1.e2 1...e8 2.e3 2...e7 3.h7v 3...c3h",
        "1. e2 ... e8 2. e3 2\u2026 e7 3. h7v c3h",
        "1. e2 1. e8 2. e3 2. e7 3. h7v 3. c3h",
        "1.e2 2.e8 3.e3 4.e7 5.h7v 6.c3h",
        "e2;e8;e3;e7;h7v;c3h",
        "e2, e8, e3, e7, h7v, c3h,",
        '["e2", "e8", "e3", "e7", "h7v", "c3h"]',
        "E2 E8 E3 E7 H7V C3H",
        "1. e2 e8 2. e3 e7 3. vh7 hc3",
        "1. e2 e8 2. e3 e7 3. v h7 h c3",
        "e2,e8,e3,e7,Vh7,Hc3",
        "1. e2 e8 {a comment\nof three\nlines}2. e3 e7 # another {\n3. h7v c3h",
        "# 1. e1 {\n1. e2 e8 2. e3 e7 3. h7v c3h *",
        "tq1 e2 e8 e3 e7 h7v c3h",
        "tq10 is not the word\ntq1 e2 e8 e3 e7 h7v c3h",
        'tq1#{"game":1,"winner":"Ka","note":"}"} e2 e8 e3 e7 vh7 hc3',
        "\n\u250c\u2500 REPLAY \u2500\u2500\ntq1 e2 e8 e3 e7 h7v c3h\n\u2514\u2500\u2500\n",
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_each_common_form_of_a_list_is_read(text: str, line_end: str) -> None:
    data = b"\xef\xbb\xbf" + text.replace("\n", line_end).encode()
    assert parse_game(decode(data), partial=True).plies == parse_game(OPENING, partial=True).plies


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (OPENING, RecordFormat.STANDARD),
        ("e2,e8", RecordFormat.COMMA),
        ("1.e2 1.e8", RecordFormat.NUMBERED),
        ("1. e2 1... e8", RecordFormat.STANDARD),
        ("e2,e8,hd3", RecordFormat.BARRICADE),
        ("e8,e2,hd3", RecordFormat.TOP),
        ("1. e1h d8h 2. d1v f1 3. d9", RecordFormat.TOP),
        ("# Extension: size 5\nc4 c2", RecordFormat.TOP),
        ("# Extension: size 3\n# Extension: walls 0\nb2", RecordFormat.STANDARD),
        ("# Extension: players 4\ne2 i6", RecordFormat.STANDARD),
        ("# Extension: start  /  / e8 e1 / 10 10 / 1\ne9", RecordFormat.STANDARD),
        ("1w.47 1b.41", RecordFormat.COMPACT),
        ('[{"data": [{"type": "playToken"}]}]', RecordFormat.BGA),
        ("[   0.100] C->S1 b'HELLO\\n'", RecordFormat.LAN),
    ],
)
def test_formats_of_lists_are_detected(text: str, form: RecordFormat) -> None:
    assert format_of(text) is form


@pytest.mark.parametrize(
    ("ending", "outcome"),
    [
        ("1-0", Outcome(1, "put_out")),
        ("0-1", Outcome(2, "put_out")),
        ("0\u20131", Outcome(2, "put_out")),
        ("1/2-1/2", Outcome(None, "agreed")),
        ("\u00bd-\u00bd", Outcome(None, "agreed")),
        ("resign", Outcome(2, "resigned")),
        ("Resigns 0-1", Outcome(2, "resigned")),
        ("1-0 resigned", Outcome(1, "resigned")),
        ("timeout", Outcome(2, "too_slow")),
        ("\n1-0\n", Outcome(1, "put_out")),
        ("*", None),
        ("# Result: P1-win\n", None),
    ],
)
def test_a_result_at_the_end_of_a_list_is_read(ending: str, outcome: Outcome | None) -> None:
    replay = parse_game(f"{OPENING} {ending}", partial=True)
    assert (replay.outcome, replay.complete) == (outcome, outcome is not None)
    assert parse_game(format_game(replay), partial=True).outcome == outcome


@pytest.mark.parametrize(
    ("text", "fault", "sentence"),
    [
        (f"{MOVES} 0-1", Fault.CONTRADICTION, "Result is 'P2-win', but on the board it is 'P1-win'"),
        ("# Result: draw\ne2 e8 1-0", Fault.CONTRADICTION, "ends with 'P1-win', but the metadata say 'draw'"),
        ("e2 e8 1-0 e3", Fault.SYNTAX, "nothing may follow: 'e3'"),
        ("e2 e8 resign 2.", Fault.SYNTAX, "nothing may follow: '2.'"),
        ("e2 e8 1-0 1-0", Fault.SYNTAX, "nothing may follow: '1-0'"),
        ("1. e2 e8 {and so on", Fault.SYNTAX, "has no closing brace"),
        ("1. e2 e8 v", Fault.SYNTAX, "'v' is not a move: expected the square of a wall after it"),
        ("1. e2 e8 v h1h", Fault.SYNTAX, "'vh1h' is not a move"),
        ("e2 e8#good", Fault.UNFINISHED, "the game is unfinished"),
        ("e2 e8# good", Fault.SYNTAX, "'good' is not a move"),
        ("1.e2 1.e8 1.e3", Fault.SYNTAX, "wrong number '1': 2 plies were played before"),
        ("# Extension: players 4\ne2 i6 1-0", Fault.SYNTAX, "'1-0' is not a move"),
        ("e8 e2 e6", Fault.ILLEGAL, "the pawn on e8 cannot get to e6 in one move"),
        ("e8 e2 e7 e3 e6h e7h", Fault.UNFINISHED, "the game is unfinished"),
        ("e8 e2 e7 e3 e6h e6v", Fault.ILLEGAL, "it would cross the wall e6h"),
        ("1b.41;1w.46", Fault.ILLEGAL, "the pawn on 48 cannot get to 46 in one move"),
        ("1b.41;1w.47 2b.34h;2w.34v", Fault.ILLEGAL, "it would cross the wall 34h"),
        ("1b.41;1b.42", Fault.WRONG_TURN, "it is the turn of player 2"),
        ("1b.41;2w.47", Fault.SYNTAX, "wrong number '2': 1 ply was played before"),
        ("1b.41;e8", Fault.SYNTAX, "'e8' is not a ply: expected one like 1b.41 or 5w.31h"),
        ("tq1#" + "{" * 100, Fault.SYNTAX, f"nested deeper than {MAX_DEPTH} levels"),
    ],
)
def test_invalid_lists_are_rejected(text: str, fault: Fault, sentence: str) -> None:
    error = error_of(text, partial=fault is not Fault.UNFINISHED)
    assert error.fault is fault
    assert sentence in error.sentence


# Which end the first mover starts at, and which square names a wall.


def write_moves(game: Replay, reading: Reading) -> str:
    notation = reading.notation(game.setting.size)
    return " ".join(notation.format_move(ply.move) for ply in game.plies if ply.move is not None)


def clear_game(seed: int, reading: Reading) -> tuple[Replay, str]:
    """Return a game that is legal in no other reading that is tried before, and how it is written."""
    chance = random.Random(seed)
    while True:
        game = random_replay(chance, Setting())
        text = write_moves(game, reading)
        if parse_game(text, jumps=Jumps.OFFICIAL).plies == game.plies:
            return game, text


@pytest.mark.parametrize("flips", [False, True])
@pytest.mark.parametrize("reading", READINGS[1:], ids=str)
def test_walls_are_read_as_the_whole_game_needs_it(reading: Reading, flips: bool) -> None:
    meant = Reading(flips, reading.columns, reading.rows)
    game, text = clear_game(1, meant)
    again = parse_game(text, jumps=Jumps.OFFICIAL)
    assert again.outcome == game.outcome
    assert "the anchor of a wall" in again.reading


def test_a_wall_that_the_usual_reading_has_no_place_for_shows_the_reading() -> None:
    replay = parse_game("e2 e8 d9h", partial=True)
    assert format_game(replay, RecordFormat.STANDARD) == "1. e2 e8\n2. d8h\n"
    assert replay.reading == "the anchor of a wall is the lower column and the higher row around its middle"
    assert parse_game("e2 e8 d8h", partial=True).reading == ""


def test_a_wrong_move_in_an_unfinished_game_is_not_read_in_another_way() -> None:
    # With walls named by their higher row, e3h would lie behind the pawn.
    error = error_of("e2 e8 e3 e7 e3h e6 e4")
    assert (error.fault, error.column) == (Fault.ILLEGAL, 20)
    assert error.sentence == "illegal pawn move: a wall stands between e3 and e4"


def test_first_movers_at_the_far_end_play_the_same_game() -> None:
    replay = parse_game("1. e8 e2 2. e7 e3 3. h2v c6h", partial=True)
    assert replay.plies == parse_game(OPENING, partial=True).plies
    assert replay.reading == "the first player starts in the highest row"


@pytest.mark.parametrize(
    "text", ["1b.41;1w.47 2b.42;2w.46", "1w.41;1b.47 2w.42;2b.46", "1w.47;1b.41 2w.46;2b.42"]
)
def test_either_colour_may_begin_at_either_end(text: str) -> None:
    assert moves_of(text) == ["e3", "e7"]


def test_compact_walls_are_read_as_the_game_needs_it() -> None:
    # Named by its lower row, the wall would stand in the way of the last step.
    assert moves_of("1b.41;1w.47 2b.42;2w.46 3b.34v;3w.45 4b.31v;4w.44 5b.52") == ["f3"]
    assert moves_of("1b.41;1w.47 2b.40h;2w.46")[0] == "e1h"
    # Named by its upper row, this one would, also in a game that is not finished.
    assert moves_of("1b.41;1w.47 2b.42;2w.46 3b.43v;3w.45 4b.52") == ["f3"]


# JSON.


def bga(*notifications: tuple[str, dict[str, object]]) -> str:
    packets = [
        {"move_id": str(number), "data": [{"type": kind, "args": arguments}]}
        for number, (kind, arguments) in enumerate(notifications, 2)
    ]
    return json.dumps({"data": {"data": packets}})


def make_packet(player: int, move: str) -> tuple[str, dict[str, object]]:
    kind = "playWall" if len(move) > 2 else "playToken"
    return kind, {"player_id": player, "player_name": f"p{player}", "quoridorstrats_notation": move}


def test_a_conceded_game_is_read_as_resigned() -> None:
    text = bga(make_packet(7, "e2"), make_packet(4, "e8"), ("playerConcedeGame", {"player_id": "7"}))
    replay = parse_game(text)
    assert (replay.names, replay.outcome) == (("p7", "p4"), Outcome(2, "resigned"))


def test_logs_with_only_columns_and_rows_are_read() -> None:
    text = bga(
        ("playToken", {"player_id": "1", "x": "5", "y": "8"}),
        ("playToken", {"player_id": "2", "x": "5", "y": "2"}),
        ("playWall", {"player_id": "1", "x": "5", "y": "6", "orientation": "horizontal"}),
        ("playWall", {"player_id": "2", "x": "1", "y": "1", "orientation": "vertical"}),
    )
    assert moves_of(text) == ["e3h", "a8v"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (bga(make_packet(1, "e2"), make_packet(1, "e3")), "ply 2: wrong turn: it is the turn of player 2"),
        (
            bga(make_packet(1, "e2"), make_packet(2, "e6")),
            "ply 2: illegal pawn move: the pawn on e9 cannot get to e6",
        ),
        (
            bga(make_packet(1, "e2"), make_packet(2, "e8"), make_packet(3, "d1")),
            "ply 3: not a valid record: a game of",
        ),
        (bga(make_packet(1, "z2")), "ply 1: 'z2' is not a move"),
        (bga(("playToken", {"x": "0", "y": "9"})), "ply 1: no quoridorstrats_notation"),
        (bga(("playToken", {"x": "10", "y": "9"})), "ply 1: no quoridorstrats_notation"),
        (bga(("playWall", {"x": "5", "y": "9"})), "ply 1: no quoridorstrats_notation"),
        ('{"playToken": []}', "not a valid record: no playToken or playWall"),
        ('{"data": ["playToken", null]}', "no playToken or playWall"),
        ('{"playToken": "\\ud800"', "not valid JSON: expecting ',' delimiter"),
        ('{"playToken": ' + "9" * 5000 + "}", "no playToken or playWall"),
        ('{"playToken": ' + "[" * 100_000, f"not valid JSON: nested deeper than {MAX_DEPTH} levels"),
        ('{"playToken": "' + '\\"' * 100_000, "not valid JSON: unterminated string"),
        ('{"playToken": "' + "x" * MAX_JSON + '"}', "not valid JSON: more than 4 MiB"),
        ("g_gamelogs = 7", "no playToken or playWall"),
    ],
    ids=range(15),
)
def test_invalid_logs_are_rejected(text: str, sentence: str) -> None:
    error = error_of(text)
    assert error.form == "bga"
    assert sentence in error.sentence


def test_the_place_of_a_move_in_json_is_reported() -> None:
    error = error_of(
        WRITERS[RecordFormat.ARENA](parse_game("e2 e8", partial=True)).replace('"y": 7', '"y": 6')
    )
    assert error.sentence == "ply 2: illegal pawn move: the pawn on (4, 8) cannot get to (4, 6) in one move"
    assert (error.fault, error.line, error.column) == (Fault.ILLEGAL, 16, 4)
    error = error_of(write_barricade_json(parse_game("e2 e8", partial=True)).replace("e8", "e7"))
    assert (error.line, error.column) == (5, 21)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"winner": "P1"', '"winner": "P2"', "Result is 'P2-win', but on the board it is 'P1-win'"),
        ('"P2"', '"P3"', "ply 2: 'P3' is not P1 or P2"),
        ('"y": 7', '"y": 9', "ply 2: x and y are not numbers from 0 to 8"),
        ('"y": 7', '"y": true', "ply 2: x and y are not numbers from 0 to 8"),
        ('"y": 7', '"y": 1e999', "ply 2: x and y are not numbers from 0 to 8"),
        ('"pawn"', '"king"', "ply 1: 'king' is not pawn, hwall or vwall"),
        ('"pawn"', '["pawn"]', "ply 1: \"['pawn']\" is not pawn, hwall or vwall"),
        ('"actions"', '"deeds"', "not a valid record: no actions"),
    ],
)
def test_invalid_records_of_an_arena_are_rejected(old: str, new: str, sentence: str) -> None:
    text = WRITERS[RecordFormat.ARENA](parse_game(MOVES)).replace(old, new)
    assert error_of(text).sentence == sentence


def test_an_arena_stops_a_long_game() -> None:
    told = json.loads(WRITERS[RecordFormat.ARENA](parse_game("e2 e8", partial=True)))
    told.update(winner=None, termination_reason="timeout")
    assert parse_game(json.dumps(told)).outcome == Outcome(None, "ply_limit")
    told.update(winner="P2")
    assert parse_game(json.dumps(told)).outcome == Outcome(2, "put_out")


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({"winner": "2"}, Outcome(2, "put_out")),
        ({"winner": 2, "finishedReason": "resignation"}, Outcome(2, "resigned")),
        ({"winner": "1", "finishedReason": "TIMEOUT"}, Outcome(1, "too_slow")),
        ({"winner": None, "finishedReason": None}, None),
    ],
)
def test_barricade_records_the_end_of_a_game(changes: dict[str, object], outcome: Outcome | None) -> None:
    told = json.loads(write_barricade_json(parse_game("e2 e8", partial=True))) | changes
    assert parse_game(json.dumps(told), partial=True).outcome == outcome


def test_halves_of_characters_in_a_name_become_question_marks() -> None:
    told = json.loads(write_barricade_json(parse_game("e2 e8", partial=True)))
    told["player1Username"] = "a\ud800b"
    assert parse_game(json.dumps(told), partial=True).names == ("a?b", "bob")


# Encodings.


@pytest.mark.parametrize(
    ("data", "line", "column", "sentence"),
    [
        ("e2 e8".encode("utf-16"), 1, 1, "the file is encoded in UTF-16: save it as UTF-8"),
        ("\ufeffe2 e8".encode("utf-16-be"), 1, 1, "the file is encoded in UTF-16: save it as UTF-8"),
        ("e2 e8".encode("utf-16-le"), 1, 1, "the file is encoded in UTF-16: save it as UTF-8"),
        ("e2 e8".encode("utf-16-be"), 1, 1, "the file is encoded in UTF-16: save it as UTF-8"),
        (
            "# A: b\r# Players: J\xfcrgen".encode("latin-1"),
            2,
            13,
            "the file is not UTF-8, but probably Latin-1 or Windows-1252: save it as UTF-8",
        ),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 1, 1, "the file is not text (UTF-8)"),
        (b"\xff", 1, 1, "the file is not text (UTF-8)"),
    ],
    ids=range(7),
)
def test_files_in_other_encodings_get_a_hint(data: bytes, line: int, column: int, sentence: str) -> None:
    with pytest.raises(ReplayError) as caught:
        decode(data)
    assert (caught.value.line, caught.value.column, caught.value.sentence) == (line, column, sentence)
