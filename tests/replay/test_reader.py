"""Replay files against qtp-replay-2026: the grammar to the letter, the rules, exactly one complete game."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.replay import (
    Fault,
    Outcome,
    Replay,
    ReplayError,
    Setting,
    decode,
    format_game,
    parse_replay,
)
from quoridor_net.rules import Illegality, Jumps, Position
from tests.support.ground_truth import FULL_GAME, rejected_moves

#: A whole game of pawns: the two meet on E5, and player 2 jumps past.
SHORT = (
    "P 1 E2\nP 2 E8\nP 1 E3\nP 2 E7\nP 1 E4\nP 2 E6\nP 1 E5\n"
    "P 2 E4\nP 1 E6\nP 2 E3\nP 1 E7\nP 2 E2\nP 1 E8\nP 2 E1\n"
)

# Section 6.
EXAMPLE_OF_THE_FORMAT = "P 1 E2\nP 2 E8\nW 1 D4 v\nW 2 E6 h\nP 1 E3\nP 2 E7\n"

# Section 7.
METADATA_OF_THE_FORMAT = """\
# Game-ID: demo-1234
# Date: 2026-02-17
# Players: Human vs Engine-v1
# Result: P1-win
# Termination: goal
"""

PAWN_KINDS = {
    Illegality.SAME_SQUARE,
    Illegality.OCCUPIED,
    Illegality.NOT_REACHABLE,
    Illegality.WALL_IN_THE_WAY,
    Illegality.ONLY_CLASSROOM,
}
#: What each reason of the data file means: our kind of mistake, and what the rules object.
STATED: dict[str, tuple[Fault, set[Illegality]]] = {
    "illegal pawn move": (Fault.ILLEGAL, PAWN_KINDS),
    "wrong turn": (Fault.WRONG_TURN, set()),
    "overlap/cross": (Fault.ILLEGAL, {Illegality.OVERLAP, Illegality.CROSS}),
    "overlap": (Fault.ILLEGAL, {Illegality.OVERLAP}),
    "wall out of bounds": (Fault.ILLEGAL, {Illegality.OFF_BOARD}),
    "no path": (Fault.ILLEGAL, {Illegality.NO_PATH}),
    "game over": (Fault.GAME_OVER, set()),
}


def error_of(text: str, *, strict: bool = True, partial: bool = False) -> ReplayError:
    with pytest.raises(ReplayError) as caught:
        parse_replay(text, strict=strict, partial=partial)
    return caught.value


def test_the_full_game_is_read() -> None:
    replay = parse_replay(FULL_GAME.read_text(encoding="utf-8"), strict=True)
    assert replay.complete
    assert len(replay.plies) == 52
    assert replay.outcome == Outcome(2, "goal")
    assert replay.value("Game-ID") == "full-game"
    assert parse_replay(format_game(replay), strict=True) == replay


@pytest.mark.parametrize(("played", "command", "reason"), rejected_moves())
def test_rejected_moves_are_rejected_for_the_stated_reason(played: int, command: str, reason: str) -> None:
    text = FULL_GAME.read_text(encoding="utf-8")
    commands = [line for line in text.splitlines() if not line.startswith("#")]
    lines = [*commands[:played], command]
    error = error_of("\n".join(lines) + "\n", partial=True)
    assert error.line == played + 1
    fault, kinds = STATED[reason]
    if error.fault is Fault.SYNTAX:
        # Squares that the grammar does not know: ?5, F10, B10.
        assert reason == "illegal pawn move"
        assert not command.split()[2][1:].isdigit() or command.split()[2][0] == "?" or "10" in command
        return
    assert error.fault is fault
    if kinds:
        assert error.reason is not None
        assert error.reason.kind in kinds


def test_every_line_of_the_full_game_leaves_a_readable_file() -> None:
    lines = FULL_GAME.read_text(encoding="utf-8").splitlines(keepends=True)
    moves = [line for line in lines if not line.startswith("#")]
    position = Position()
    for count in range(len(moves)):
        replay = parse_replay("".join(moves[:count]), strict=True, partial=True)
        assert replay.position() == position
        assert not replay.complete
        position = parse_replay("".join(moves[: count + 1]), partial=True).position()


def test_the_example_of_the_format_is_a_partial_game() -> None:
    replay = parse_replay(EXAMPLE_OF_THE_FORMAT, strict=True, partial=True)
    assert [ply.player for ply in replay.plies] == [1, 2, 1, 2, 1, 2]
    assert (replay.complete, replay.outcome) == (False, None)
    error = error_of(EXAMPLE_OF_THE_FORMAT)
    assert (error.fault, error.line) == (Fault.UNFINISHED, 6)
    assert str(error) == (
        "line 6, column 7: the game is unfinished: after 6 plies it is the turn of player 1"
    )


def test_a_complete_game_gets_its_outcome() -> None:
    replay = parse_replay(SHORT, strict=True)
    assert replay.complete
    assert replay.metadata == (("Result", "P2-win"), ("Termination", "goal"))
    assert replay.position().winner == 2
    assert [position.turn for position in replay.positions()] == [1, 2] * 7 + [None]


def test_metadata_are_kept_in_order() -> None:
    text = METADATA_OF_THE_FORMAT.replace("P1-win", "P2-win") + "# just a remark\n#\n" + SHORT
    replay = parse_replay(text, strict=True)
    assert replay.metadata == (
        ("Game-ID", "demo-1234"),
        ("Date", "2026-02-17"),
        ("Players", "Human vs Engine-v1"),
        ("Result", "P2-win"),
        ("Termination", "goal"),
    )
    assert replay.names == ("Human", "Engine-v1")
    assert replay.value("Site") is None
    assert parse_replay(format_game(replay), strict=True) == replay


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("", 1, "an empty line"),
        (" P 1 E2", 1, "a space at the start of the line"),
        ("p 1 E2", 1, "unknown command 'p': write commands in capitals, P or W"),
        ("w 1 E2 h", 1, "unknown command 'w': write commands in capitals, P or W"),
        ("PW 1 E2", 1, "unknown command 'PW': expected P or W"),
        ("Q 1 E2", 1, "unknown command 'Q': expected P or W"),
        ("X 1", 1, "unknown command 'X': expected P or W"),
        ("P\t1\tE2", 2, "a tab: separate the parts by one space"),
        ("\ufeffP 1 E2", 1, "unknown command '\\ufeffP': expected P or W"),
        ("P", 2, "the line ends too early: expected a player number, 1 to 2"),
        ("P ", 3, "the line ends too early: expected a player number, 1 to 2"),
        ("P  1 E2", 3, "more than one space"),
        (
            "P 3 E2",
            3,
            "'3' is not a player: expected 1 or 2; a game of four begins with '# Extension: players 4'",
        ),
        ("P 5 E2", 3, "'5' is not a player: expected 1 or 2"),
        ("P 01 E2", 3, "'01' is not a player: expected 1 or 2"),
        ("P one E2", 3, "'one' is not a player: expected 1 or 2"),
        ("P 1", 4, "the line ends too early: expected a square, A1 to I9"),
        ("P 1  E2", 5, "more than one space"),
        ("P 1 e2", 5, "'e2' is not a square: expected one from A1 to I9, in capitals"),
        ("P 1 E0", 5, "'E0' is not a square: expected one from A1 to I9"),
        ("P 1 E10", 5, "'E10' is not a square: expected one from A1 to I9"),
        ("P 1 E02", 5, "'E02' is not a square: expected one from A1 to I9"),
        ("P 1 J2", 5, "'J2' is not a square: expected one from A1 to I9"),
        ("P 1 2E", 5, "'2E' is not a square: expected one from A1 to I9"),
        ("P 1 E", 5, "'E' is not a square: expected one from A1 to I9"),
        ("P 1 E٢", 5, "'E\\u0662' is not a square: expected one from A1 to I9"),
        ("P 1 E2 ", 7, "a space at the end of the line"),
        ("P 1 E2  ", 7, "a space at the end of the line"),
        ("P 1 E2 h", 8, "nothing may follow: 'h'"),
        ("P 1 E2 # remark", 8, "nothing may follow: '# remark'"),
        ("P 1 E2\r", None, ""),
        ("W 1 E3", 7, "the line ends too early: expected h or v"),
        ("W 1 E3 ", 8, "the line ends too early: expected h or v"),
        ("W 1 E3h", 5, "'E3h' is not a square: expected one from A1 to I9, in capitals"),
        ("W 1 E3 H", 8, "'H' is not an orientation: expected h or v"),
        ("W 1 E3 w", 8, "'w' is not an orientation: expected h or v"),
        ("W 1 E3 horizontal", 8, "'horizontal' is not an orientation: expected h or v"),
        ("W 1 E3 h v", 10, "nothing may follow: 'v'"),
        ("W 1 I3 h", 5, "illegal wall: no wall can lie there: walls go from A1 h to H8 v"),
        ("P 1 E3", 5, "illegal pawn move: the pawn on E1 cannot get to E3 in one move"),
        ("P 2 E8", 3, "wrong turn: it is the turn of player 1"),
    ],
)  # fmt: skip
def test_a_line_is_judged_with_its_column(line: str, column: int | None, message: str) -> None:
    text = f"# Game-ID: x\n{line}\n"
    if column is None:
        assert len(parse_replay(text, strict=True, partial=True).plies) == 1
        return
    error = error_of(text, partial=True)
    assert (error.line, error.column, error.sentence) == (2, column, message)
    assert str(error) == f"line 2, column {column}: {message}"


def test_empty_lines_are_refused_by_strict_readers_only() -> None:
    text = SHORT.replace("\n", "\n\n")
    assert parse_replay(text).complete
    assert error_of(text).line == 2


def test_a_file_without_moves_is_unfinished() -> None:
    error = error_of("")
    assert (error.fault, error.line, error.column) == (Fault.UNFINISHED, 1, 1)
    assert parse_replay("", strict=True, partial=True) == Replay()


def test_nothing_may_follow_the_end() -> None:
    error = error_of(SHORT + "P 1 E9\n")
    assert (error.fault, error.line, error.column) == (Fault.GAME_OVER, 15, 1)
    assert error.sentence == "the game is over: player 2 has won"


def test_a_second_game_is_refused() -> None:
    assert error_of(SHORT + SHORT).fault is Fault.GAME_OVER


@pytest.mark.parametrize("cut", range(1, 7))
def test_a_line_cut_off_by_a_crash_is_dropped_from_partial_games(cut: int) -> None:
    text = "P 1 E2\nP 2 E8\n" + "W 1 E3 h"[:cut]
    assert len(parse_replay(text, strict=True, partial=True).plies) == 2
    assert error_of(text).line == 3
    assert error_of(text + "\nP 1 E3\n", partial=True).line == 3


def test_a_last_line_without_an_end_counts() -> None:
    assert parse_replay(SHORT.removesuffix("\n"), strict=True) == parse_replay(SHORT, strict=True)


@pytest.mark.parametrize(
    ("metadata", "sentence"),
    [
        ("# Result: P1-win", "Result is 'P1-win', but on the board it is 'P2-win'"),
        ("# Result: draw", "Result is 'draw', but on the board it is 'P2-win'"),
        ("# Termination: too_slow", "Termination is 'too_slow', but on the board it is 'goal'"),
    ],
)
@pytest.mark.parametrize("partial", [False, True])
def test_metadata_may_not_contradict_the_board(metadata: str, sentence: str, partial: bool) -> None:
    error = error_of(f"{SHORT}{metadata}\n", partial=partial)
    assert (error.fault, error.line, error.sentence) == (Fault.CONTRADICTION, 15, sentence)


def test_a_result_is_given_once() -> None:
    error = error_of(f"# Result: P2-win\n{SHORT}# Result: P2-win\n")
    assert (error.fault, error.line, error.sentence) == (
        Fault.CONTRADICTION,
        16,
        "Result was already given in line 1",
    )


def test_results_in_the_words_of_other_programs_are_kept() -> None:
    replay = parse_replay(f"# Result: 0-1\n{SHORT}", strict=True)
    assert (replay.value("Result"), replay.outcome) == ("0-1", Outcome(2, "goal"))


@pytest.mark.parametrize(
    ("result", "termination", "outcome"),
    [
        ("P1-win", "too_slow", Outcome(1, "too_slow")),
        ("P2-win", "resign", Outcome(2, "resign")),
        ("draw", "ply_limit", Outcome(None, "ply_limit")),
        # These need the board, or another player, or a reason.
        ("P1-win", "goal", None),
        ("P3-win", "too_slow", None),
        ("void", "aborted", None),
        ("P1-win", "", None),
        ("1-0", "too_slow", None),
    ],
)
def test_a_game_decided_off_the_board_needs_a_fitting_termination(
    result: str, termination: str, outcome: Outcome | None
) -> None:
    text = f"P 1 E2\n# Result: {result}\n# Termination: {termination}\n"
    if outcome is None:
        assert error_of(text).fault is Fault.UNFINISHED
        assert not parse_replay(text, partial=True).complete
    else:
        replay = parse_replay(text, strict=True)
        assert (replay.complete, replay.outcome) == (True, outcome)


FOUR = """\
# Extension: players 4
# Extension: size 3
# Extension: walls 0
P 1 A1
P 4 C1
X 2
X 1
P 3 A3
P 4 B1
P 3 B3
P 4 B2
"""


def test_extensions_are_announced() -> None:
    replay = parse_replay(FOUR, partial=True)
    assert replay.setting == Setting(4, 3, 0)
    assert [ply.move is None for ply in replay.plies] == [False, False, True, True] + [False] * 4
    text = format_game(replay)
    assert text == FOUR
    assert parse_replay(text, partial=True) == replay


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("x 1", 1, "unknown command 'x': write commands in capitals, P, W or X"),
        ("X", 2, "the line ends too early: expected a player number, 1 to 4"),
        ("X 5", 3, "'5' is not a player: expected 1, 2, 3 or 4"),
        ("X 1 ", 4, "a space at the end of the line"),
        ("X 1 A1", 5, "nothing may follow: 'A1'"),
        ("X 2", 3, "player 2 is no longer in the game"),
    ],
)
def test_a_line_that_eliminates_a_player_is_judged_with_its_column(
    line: str, column: int, message: str
) -> None:
    before, _, _ = FOUR.partition("X 1\n")
    error = error_of(f"{before}{line}\n", strict=False, partial=True)
    assert (error.line, error.column, error.sentence) == (7, column, message)


def test_strict_readers_refuse_extensions() -> None:
    # docs/decisions.md, Notations: "A game of four is written as an extension that the metadata announce, and
    # a strict reader refuses it".
    error = error_of(FOUR, partial=True)
    assert (error.fault, error.line, error.column) == (Fault.EXTENSION, 1, 1)
    assert error.sentence == "the extension 'players 4' is not part of version 1 of the format"


@pytest.mark.parametrize(
    ("extension", "message"),
    [
        ("players 3", "extension 'players 3': expected 2 or 4"),
        ("size 2", "extension 'size 2': expected 3 to 25"),
        ("size", "extension 'size': expected 3 to 25"),
        ("walls -1", "extension 'walls -1': expected 0 to 9999"),
        ("jumps free", "unknown jump rule 'free': expected official or classroom"),
        ("dice 2", "unknown extension 'dice': expected players, size, walls, jumps or start"),
        ("start nowhere", "the start 'nowhere' is not a position: a position has 5 or 6 fields"),
    ],
)
def test_invalid_extensions_are_rejected(extension: str, message: str) -> None:
    error = error_of(f"# Extension: {extension}\n", strict=False)
    assert (error.fault, error.line) == (Fault.SYNTAX, 1)
    assert message in error.sentence


def test_extensions_come_before_the_moves() -> None:
    error = error_of("P 1 E2\n# Extension: jumps classroom\n", strict=False)
    assert (error.fault, error.line) == (Fault.SYNTAX, 2)
    assert error.sentence == "extensions must come before the first move"


def test_an_eliminated_player_cannot_be_eliminated_again() -> None:
    error = error_of(FOUR + "X 1\n", strict=False)
    assert (error.fault, error.line, error.column) == (Fault.ILLEGAL, 12, 3)
    assert error.sentence == "player 1 is no longer in the game"


def test_a_game_may_start_from_another_position() -> None:
    text = "# Extension: start e5 /  / e4 e5 / 0 1 / 1\n# Extension: jumps classroom\nP 1 D5\n"
    replay = parse_replay(text, partial=True)
    assert replay.setting == Setting(jumps=Jumps.CLASSROOM, start="e5 /  / e4 e5 / 0 1 / 1")
    assert format_game(replay) == text
    assert Setting.of(replay.position()) == replay.setting


def test_positions_out_of_range_are_rejected() -> None:
    with pytest.raises(ValueError, match="the game has 14 plies, there is no ply 15"):
        parse_replay(SHORT).position(15)


def test_bytes_that_are_not_utf8_are_rejected_with_their_place() -> None:
    with pytest.raises(ReplayError) as caught:
        decode(b"P 1 E2\nP 2 \xff\n")
    assert (caught.value.line, caught.value.column) == (2, 5)
    assert decode(b"\xef\xbb\xbfP 1 E2\n") == "P 1 E2\n"


@given(
    st.text(alphabet="PWX12345 EDhv\n#:\r", max_size=60) | st.text(max_size=60), st.booleans(), st.booleans()
)
def test_any_text_is_a_game_or_a_mistake_with_a_place(text: str, strict: bool, partial: bool) -> None:
    try:
        replay = parse_replay(text, strict=strict, partial=partial)
    except ReplayError as error:
        lines = re.split(r"\r\n?|\n", text)
        assert 1 <= error.line <= len(lines)  # noqa: PT017
        line = lines[error.line - 1]
        assert 1 <= error.column <= len(line) + 1  # noqa: PT017
    else:
        assert parse_replay(format_game(replay), partial=partial).plies == replay.plies
