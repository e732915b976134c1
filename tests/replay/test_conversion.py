"""The same game in every format: replay, LAN transcript, Athens commands, standard notation."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.replay import (
    WRITTEN,
    Fault,
    Outcome,
    RecordFormat,
    Replay,
    ReplayError,
    ReplayWriter,
    Setting,
    format_game,
    format_of,
    parse_game,
    read,
)
from quoridor_net.rules import Jumps, Ply, Position, Square, Step
from quoridor_net.testing.wire import check_promises, read_transcript
from tests.support.ground_truth import FULL_GAME, real_transcripts


def random_replay(chance: random.Random, setting: Setting) -> Replay:
    """Play a whole game in which pawns mostly run, so that it ends."""
    position = setting.position()
    while position.turn is not None:
        if position.players > 2 and chance.random() < 0.02:
            position.eliminate(chance.choice(position.alive))
            continue
        path = position.shortest_path(position.turn)
        ahead = Step(path[1])
        walls = position.legal_walls
        if walls and chance.random() < 0.4:
            position.push(chance.choice(walls))
        elif position.is_legal(ahead):
            position.push(ahead)
        else:
            position.push(chance.choice(position.legal_steps or position.legal_moves))
    names = " vs ".join(f"p{number}" for number in range(1, position.players + 1))
    replay = Replay(Setting.of(position), position.history, (("Players", names),))
    return replay.finish(replay.outcome)


settings_of_games = st.builds(
    Setting,
    players=st.sampled_from([2, 4]),
    size=st.integers(3, 25),
    walls=st.none() | st.integers(0, 6),
    jumps=st.sampled_from(list(Jumps)),
)


def same_game(left: Replay, right: Replay) -> bool:
    return [position.key for position in left.positions()] == [position.key for position in right.positions()]


@settings(max_examples=40)
@given(st.integers(0, 2**32), settings_of_games)
def test_replay_and_standard_notation_keep_everything(seed: int, setting: Setting) -> None:
    replay = random_replay(random.Random(seed), setting)
    assert replay.complete
    for form in (RecordFormat.REPLAY, RecordFormat.STANDARD):
        text = format_game(replay, form)
        assert format_of(text) is form or not replay.plies
        assert parse_game(text, form) == replay


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.integers(3, 25), st.none() | st.integers(0, 6), st.sampled_from(list(Jumps)))
def test_athens_commands_keep_the_game(seed: int, size: int, walls: int | None, jumps: Jumps) -> None:
    replay = random_replay(random.Random(seed), Setting(2, size, walls, jumps))
    text = format_game(replay, RecordFormat.ATHENS)
    assert format_of(text) is RecordFormat.ATHENS
    again = parse_game(text, jumps=jumps)
    assert same_game(again, replay)
    assert again.outcome == replay.outcome


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.sampled_from([2, 4]), st.sampled_from(list(Jumps)))
def test_transcripts_keep_the_game_and_the_names(seed: int, players: int, jumps: Jumps) -> None:
    replay = random_replay(random.Random(seed), Setting(players, jumps=jumps))
    text = format_game(replay, RecordFormat.LAN)
    check_promises(read_transcript(text))
    assert format_of(text) is RecordFormat.LAN
    assert parse_game(text, jumps=jumps) == replay


@pytest.mark.parametrize("path", real_transcripts(), ids=lambda path: path.stem)
def test_games_of_real_programs_are_read(path: Path) -> None:
    replay = parse_game(path.read_text(encoding="utf-8"))
    assert replay.complete
    assert replay.setting.players == (4 if path.stem.startswith("four") else 2)
    for form in WRITTEN:
        if form is RecordFormat.ATHENS and replay.setting.players == 4:
            continue
        again = parse_game(format_game(replay, form))
        assert same_game(again, replay)
        if form is not RecordFormat.ATHENS:
            assert again == replay


@pytest.mark.parametrize("form", WRITTEN)
def test_the_full_game_survives_conversion_to_each_format(form: RecordFormat) -> None:
    replay = parse_game(FULL_GAME.read_text(encoding="utf-8"))
    there = parse_game(format_game(replay, form))
    back = parse_game(format_game(there, RecordFormat.REPLAY))
    assert same_game(back, replay)
    assert back.outcome == Outcome(2, "goal")


def test_athens_commands_reverse_the_ranks_of_the_full_game() -> None:
    # docs/decisions.md, Notations: the rank r of a pawn or a wall becomes 10 - r.
    replay = parse_game(FULL_GAME.read_text(encoding="utf-8"))
    commands = format_game(replay, RecordFormat.ATHENS).splitlines()
    assert commands[:3] == ["boardsize 9", "clear_board", "walls 10"]
    moves = [line.split() for line in format_game(replay).splitlines() if not line.startswith("#")]
    for command, (name, player, square, *way) in zip(commands[3:], moves, strict=True):
        words = command.split()
        assert words[0] == {"P": "playmove", "W": "playwall"}[name]
        assert words[1] == {"1": "black", "2": "white"}[player]
        assert words[2] == f"{square[0]}{10 - int(square[1])}"
        assert [word[0] for word in words[3:]] == way


def test_a_list_in_which_white_begins_is_turned_upside_down() -> None:
    # docs/decisions.md, Notations: on a fixed board replay (f, r) is Athens (f, r+1).
    text = "playmove white E2\nplaymove black E8\nplaywall white E3 h\nplaywall black d5 VERTICAL\n"
    replay = parse_game(text, partial=True)
    assert format_game(replay) == "P 1 E2\nP 2 E8\nW 1 E2 h\nW 2 D4 v\n"


def test_athens_lists_written_by_hand_are_read() -> None:
    text = (
        "# Players: ann vs bob\r\n\r\nname\r\nboardsize 5 \r\nclear_board\r\n\twalls\t3 # three\r\n"
        "playmove b C4\r\nplaymove W c2\r\nplaywall b a4 H\r\nundo\r\nshowboard\r\n"
        "playmove black b4\r\nundo 2\r\n"
        "playmove white d1\r\nundo 2\r\nplaymove b C4\r\n"
        "playmove white d1\r\nquit\r\n"
    )
    replay = parse_game(text, partial=True)
    assert replay.setting == Setting(2, 5, 3)
    assert replay.names == ("ann", "bob")
    assert format_game(replay).splitlines()[-2:] == ["P 1 C2", "P 2 D5"]


@pytest.mark.parametrize(("size", "walls"), [(3, 0), (5, 3), (9, None), (11, 13)])
def test_a_list_without_walls_gets_the_number_of_its_board(size: int, walls: int | None) -> None:
    # The referee's README: 7/4 size - 23/4.
    replay = parse_game(f"boardsize {size}\nclear_board\n", partial=True)
    assert replay.setting == Setting(2, size, walls)


@pytest.mark.parametrize(
    ("text", "fault", "line", "message"),
    [
        ("boardsize 2\n", Fault.SYNTAX, 1, "expected one number from 3 to 25"),
        ("boardsize\n", Fault.SYNTAX, 1, "expected one number from 3 to 25"),
        ("walls many\n", Fault.SYNTAX, 1, "expected one number from 0 to 9999"),
        ("playmove black\n", Fault.SYNTAX, 1, "playmove needs a color and a vertex"),
        ("playwall black E3\n", Fault.SYNTAX, 1, "playwall needs a color, a vertex and an orientation"),
        ("playmove grey E8\n", Fault.SYNTAX, 1, "'grey' is not a color"),
        ("playmove black J8\n", Fault.SYNTAX, 1, "'J8' is off the board"),
        ("playmove black E8\nclear_board\n", Fault.SYNTAX, 2, "clear_board starts another game"),
        ("playmove black E8\nundo 2\n", Fault.SYNTAX, 2, "cannot undo 2: moves played so far: 1"),
        ("genmove black\n", Fault.SYNTAX, 1, "a list does not contain the move of genmove"),
        ("walls 10\ndance\n", Fault.SYNTAX, 2, "unknown command 'dance'"),
        ("playmove black E7\n", Fault.ILLEGAL, 1, "illegal pawn move: the pawn on E9 cannot get to E7"),
        ("playmove white E3\n", Fault.ILLEGAL, 1, "illegal pawn move: the pawn on E1 cannot get to E3"),
        (
            "playwall white A1 h\n",
            Fault.ILLEGAL,
            1,
            "illegal wall: no wall can lie there: walls go from A2 horizontal to H9 vertical",
        ),
        ("playmove black E8\nplaymove black E7\n", Fault.WRONG_TURN, 2, "black moves twice"),
        ("playmove black E8\n", Fault.UNFINISHED, 1, "the game is unfinished"),
    ],
)
def test_invalid_athens_lists_are_rejected(text: str, fault: Fault, line: int, message: str) -> None:
    with pytest.raises(ReplayError, match=message) as caught:
        parse_game(text, RecordFormat.ATHENS, partial=fault is not Fault.UNFINISHED)
    assert (caught.value.fault, caught.value.line) == (fault, line)


@pytest.mark.parametrize(
    "text",
    [
        "1. e2 e8 2. e3h d5v",
        "e2 e8 e3h d5v",
        "1.e2 e8\n2.e3h d5v\n",
        "# a game\n1. e2 ... e8 # good\n2. E3H D5V",
    ],
)
def test_standard_notation_written_by_hand_is_read(text: str) -> None:
    replay = parse_game(text.replace("... ", ""), RecordFormat.STANDARD, partial=True)
    assert format_game(replay) == "P 1 E2\nP 2 E8\nW 1 E3 h\nW 2 D5 v\n"


@pytest.mark.parametrize(
    ("text", "fault", "place", "message"),
    [
        ("1. e2 e9x", Fault.SYNTAX, (1, 7), "'e9x' is not a move"),
        ("1. e2\n   j8", Fault.SYNTAX, (2, 4), "'j8' is off the board"),
        ("1. e2 x1", Fault.SYNTAX, (1, 7), "'x1' is not a move|off the board"),
        ("1. e3", Fault.ILLEGAL, (1, 4), "the pawn on e1 cannot get to e3 in one move"),
        ("# Extension: size 99\n1. e3", Fault.SYNTAX, (1, 1), "expected 3 to 25"),
        ("1. e2 e8", Fault.UNFINISHED, (1, 1), "the game is unfinished"),
        (
            "# Extension: size 3\n# Extension: walls 0\n# Result: P2-win\na1 b2 a2 a3 b3\nb2",
            Fault.GAME_OVER,
            (5, 1),
            "the game is over: player 1 has won",
        ),
    ],
)
def test_invalid_standard_notation_is_rejected(
    text: str, fault: Fault, place: tuple[int, int], message: str
) -> None:
    with pytest.raises(ReplayError, match=message) as caught:
        parse_game(text, RecordFormat.STANDARD, partial=fault is not Fault.UNFINISHED)
    assert (caught.value.fault, (caught.value.line, caught.value.column)) == (fault, place)


def test_the_classroom_rule_is_detected() -> None:
    text = "e2 e8 e3 e7 e4 e6 e5 d5"
    replay = parse_game(text, partial=True)
    assert replay.setting.jumps is Jumps.CLASSROOM
    assert "# Extension: jumps classroom\n" in format_game(replay)
    assert parse_game(format_game(replay), partial=True) == replay
    with pytest.raises(ReplayError, match="official rules allow no such jump from e6 to d5"):
        parse_game(text, jumps=Jumps.OFFICIAL, partial=True)
    with pytest.raises(ReplayError, match="the pawn on e6 cannot get to a1"):
        parse_game("e2 e8 e3 e7 e4 e6 e5 a1", partial=True)


def transcript(*lines: str) -> str:
    file = io.StringIO()
    log = Transcript(file, lambda: 0.0)
    for line in lines:
        server, _, data = line.partition(" ")
        log.to_server(int(server), data.encode().decode("unicode_escape").encode("latin-1"))
    return file.getvalue()


def test_messages_cut_anywhere_are_read() -> None:
    text = transcript("1 GA", "1 ME 1 ann bob\\r\\nATA", "1 RI 1 (4,1)\\n\\x00junk\\n", "1 ATARI 2 (4, 7)\\n")
    replay = parse_game(text, partial=True)
    assert replay.names == ("ann", "bob")
    assert format_game(replay) == "# Players: ann vs bob\nP 1 E2\nP 2 E8\n"


def test_a_fault_in_a_transcript_of_two_is_an_illegal_move() -> None:
    text = transcript(
        "1 GAME 1 a b\\n", "2 GAME 2 a b\\n", "1 ATARI 1 (4, 1)\\n", "1 GOTE 2\\n", "1 KIKASHI 1\\n"
    )
    replay = parse_game(text)
    assert replay.outcome == Outcome(1, "illegal_move")
    again = format_game(replay, RecordFormat.LAN)
    assert again.splitlines()[-3:] == [
        r"[   0.000] C->S1 b'GOTE 2\n'",
        r"[   0.000] C->S2 b'GOTE 2\n'",
        r"[   0.000] C->S1 b'KIKASHI 1\n'",
    ]
    assert parse_game(again) == replay


def test_the_transcript_of_a_server_has_several_games() -> None:
    text = transcript(
        "1 GAME 1 a b\\n", "2 GAME 1 a c\\n", "1 ATARI 1 (4, 1)\\n", "2 ATARI 1 (3, 0)\\n", "1 GAME 2 d a\\n",
    )  # fmt: skip
    with pytest.raises(ReplayError, match="the transcript contains 3 games: choose one by number"):
        parse_game(text, partial=True)
    with pytest.raises(ReplayError, match="no game 4: the transcript contains 3"):
        parse_game(text, partial=True, number=4)
    assert [parse_game(text, partial=True, number=number).names for number in (1, 2, 3)] == [
        ("a", "b"),
        ("a", "c"),
        ("d", "a"),
    ]


def test_lines_common_to_two_games_belong_to_the_first() -> None:
    moves = ("ATARI 1 (4, 1)\\n", "ATARI 2 (4, 7)\\n", "ATARI 1 (4, 2)\\n")
    text = transcript(
        "2 GAME 2 a b\\n", f"2 {moves[0]}",
        "1 GAME 1 a b\\n", *(f"1 {move}" for move in moves[:2]),
        "3 GAME 1 a b\\n", *(f"3 {move}" for move in moves),
    )  # fmt: skip
    games = [parse_game(text, partial=True, number=number) for number in (1, 2)]
    assert [len(game.plies) for game in games] == [2, 3]


@pytest.mark.parametrize(
    ("lines", "fault", "message"),
    [
        (["1 HELLO\\n"], Fault.SYNTAX, "no game in this transcript: no GAME message was sent"),
        (["1 GAME 1 a b\\n", "1 ATARI 1 (4, 2)\\n"], Fault.ILLEGAL, r"cannot get to \(4, 2\) in one move"),
        (["1 GAME 1 a b\\n", "1 ATARI 2 (4, 7)\\n"], Fault.WRONG_TURN, "it is the turn of player 1"),
        (["1 GAME 1 a b\\n", "1 KIKASHI 1\\n"], Fault.CONTRADICTION, "player 1 has not won on the board"),
        (["1 GAME 1 a b\\n", "1 " + "x" * 2000], Fault.SYNTAX, "a line of more than 1024 bytes"),
    ],
)
def test_invalid_transcripts_are_rejected(lines: list[str], fault: Fault, message: str) -> None:
    with pytest.raises(ReplayError, match=message) as caught:
        parse_game(transcript(*lines), RecordFormat.LAN, partial=True)
    assert caught.value.fault is fault


def test_bytes_beyond_ascii_in_a_transcript_are_rejected() -> None:
    with pytest.raises(ReplayError, match="line 1, column 18: bytes must be written in ASCII"):
        parse_game("[   0.000] C->S1 b'IAM \u2713'\n", RecordFormat.LAN)


@pytest.mark.parametrize(
    ("setting", "form"),
    [
        (Setting(4), RecordFormat.ATHENS),
        (Setting(start=" /  / e2 e9 / 10 10 / 1"), RecordFormat.ATHENS),
        (Setting(size=11), RecordFormat.LAN),
        (Setting(walls=3), RecordFormat.LAN),
        (Setting(start=" /  / e2 e9 / 10 10 / 1"), RecordFormat.LAN),
    ],
)
def test_a_game_that_a_format_cannot_express_is_rejected(setting: Setting, form: RecordFormat) -> None:
    with pytest.raises(ReplayError, match="can describe only games") as caught:
        format_game(Replay(setting), form)
    assert caught.value.fault is Fault.INEXPRESSIBLE


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("", RecordFormat.REPLAY),
        ("# Players: a vs b\n", RecordFormat.REPLAY),
        ("# x\n\nP 1 E2\n", RecordFormat.REPLAY),
        ("p 1 E2\n", RecordFormat.REPLAY),
        ("Q 1 E2\nP 2 E8\n", RecordFormat.REPLAY),
        ("[   0.561] ### a title\n", RecordFormat.LAN),
        ("# c\nclear_board\n", RecordFormat.ATHENS),
        ("e2 e8\n", RecordFormat.STANDARD),
        ("  1. e2\n", RecordFormat.STANDARD),
    ],
)
def test_formats_are_detected(text: str, form: RecordFormat) -> None:
    assert format_of(text) is form


def test_writing_while_playing_gives_the_same_file() -> None:
    replay = random_replay(random.Random(7), Setting(4, 7, 2, Jumps.CLASSROOM))
    file = io.StringIO()
    writer = ReplayWriter(file)
    writer.begin(replay.setting, replay.metadata[:1])
    for number, ply in enumerate(replay.plies):
        assert parse_game(file.getvalue(), RecordFormat.REPLAY, partial=True).plies == replay.plies[:number]
        writer.add(ply)
    assert replay.outcome is not None
    writer.end(replay.outcome)
    assert file.getvalue() == format_game(replay)


def test_names_are_written_without_control_characters() -> None:
    replay = Replay(metadata=(("Players", "a\nP 1 E2 vs b\x1b[2J"),))
    assert format_game(replay) == "# Players: a?P 1 E2 vs b?[2J\n"
    assert (
        format_game(evolve(replay, metadata=(("Players", "a b vs \u2713"),)), RecordFormat.LAN).count("a?b")
        == 3
    )


def test_missing_names_get_defaults() -> None:
    assert Replay().names == ("player1", "player2")
    assert Replay(metadata=(("Players", "only one"),)).names == ("player1", "player2")
    assert Replay(Setting(4), metadata=(("Players", "a vs b vs c vs d"),)).names == ("a", "b", "c", "d")


def test_a_server_understands_the_transcript_of_a_replay() -> None:
    replay = parse_game(FULL_GAME.read_text(encoding="utf-8"))
    sent = [
        line.split(" b'")[1].removesuffix("\\n'")
        for line in format_game(replay, RecordFormat.LAN).splitlines()
        if " C->S2 " in line
    ]
    assert sent[:2] == ["HELLO", "GAME 2 player1 player2"]
    assert sent.count("MYOUSHU") == sum(ply.player == 2 for ply in replay.plies)
    assert sent[-1] == "KIKASHI 2"


def test_a_setting_is_taken_from_a_position_with_history() -> None:
    position = Position(5, 2, 3)
    position.push(Step(Square(2, 1)))
    assert Setting.of(position) == Setting(2, 5, 3)
    assert Setting.of(Position()) == Setting()
    assert list(Setting().announcements()) == []
    assert Replay(Setting.of(position), (Ply(1, Step(Square(2, 1))),)).position() == position


def test_a_file_is_read_in_one_call(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes("\ufeff1. e2 e8 2. e3h\r\n".encode())
    game = read(path, partial=True)
    assert (
        game
        == read(str(path), RecordFormat.STANDARD, partial=True)
        == parse_game("1. e2 e8 2. e3h", partial=True)
    )
    with pytest.raises(ReplayError):
        read(path)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none")


def test_a_transcript_cannot_express_a_resigned_game_of_four() -> None:
    text = "# Result: P1-win\n# Termination: resigned\n# Extension: players 4\n1. e2 i6 d9 b5\n"
    with pytest.raises(ReplayError, match="can describe only games of four") as caught:
        format_game(parse_game(text, partial=True), RecordFormat.LAN)
    assert caught.value.fault is Fault.INEXPRESSIBLE


def test_a_key_of_metadata_is_a_word_of_limited_length() -> None:
    longest = "z" * 64
    text = f"# {longest}: kept\n# z{longest}: a mere comment\n1. e2 e8\n"
    assert parse_game(text, RecordFormat.STANDARD, partial=True).metadata == ((longest, "kept"),)


@pytest.mark.parametrize("termination", ["lost\0interest", "z" * 65_000])
def test_a_strange_termination_comes_back_the_same(termination: str) -> None:
    text = f"#Result: P1-win\n#Termination:{termination}\n1. e2 e8\n"
    for form in (RecordFormat.STANDARD, RecordFormat.REPLAY):
        replay = parse_game(text, RecordFormat.STANDARD, partial=True)
        again = parse_game(format_game(replay, form), form, partial=True)
        assert again.outcome == replay.outcome is not None
