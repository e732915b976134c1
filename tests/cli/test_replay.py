"""``quoridor replay``, used by a person."""

from __future__ import annotations

import os
import re
import signal
import sys
import termios
import tracemalloc
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from quoridor_net.cli.main import main
from quoridor_net.cli.replay import replay
from quoridor_net.replay import FORMATS, WRITTEN, RecordFormat, Replay, ReplayError, format_game, parse_game
from quoridor_net.replay.collection import join_games
from quoridor_net.ui import replay_view
from quoridor_net.ui.replay_view import ReplayView, step_through
from tests.support.ground_truth import FULL_GAME, real_transcripts

GAME = (
    "# Players: ann vs bob\n"
    "P 1 E2\nP 2 E8\nP 1 E3\nP 2 E7\nP 1 E4\nP 2 E6\nP 1 E5\n"
    "W 2 A1 h\nP 1 E7\nP 2 E5\nP 1 E8\nP 2 E4\nP 1 E9\n"
)  # fmt: skip


def run(*arguments: str | Path, text: str | bytes | None = None) -> tuple[int, str]:
    result = CliRunner().invoke(replay, [str(argument) for argument in arguments], input=text)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    return result.exit_code, result.output


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.qtp"
    path.write_text(GAME, encoding="utf-8")
    return path


def test_check_prints_the_outcome(game: Path) -> None:
    assert run("check", game) == (0, f"{game}: correct, 13 plies; player 1 wins (goal)\n")


def test_check_accepts_the_full_game() -> None:
    outcome = f"{FULL_GAME}: correct, 52 plies; player 2 wins (goal)\n"
    assert run("check", FULL_GAME) == (0, outcome)


def test_check_reports_each_file(game: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.qtp"
    bad.write_text("P 1 E2\nP 2 D9\nP 1 G7\n", encoding="utf-8")
    code, output = run("check", game, bad)
    assert code == 1
    assert output.splitlines() == [
        f"{game}: correct, 13 plies; player 1 wins (goal)",
        f"{bad}:3:5: illegal pawn move: the pawn on E2 cannot get to G7 in one move",
    ]


def test_check_reports_mistakes_on_standard_error(game: Path, capfd: pytest.CaptureFixture[str]) -> None:
    game.write_text("P 1 G7\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        replay.main(["check", str(game), str(game.parent / "missing")])
    shown = capfd.readouterr()
    assert shown.out == ""
    assert [line.split(": ")[0] for line in shown.err.splitlines()] == [
        f"{game}:1:5",
        str(game.parent / "missing"),
    ]


def test_check_checks_all_games_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "games.qtp"
    path.write_text("".join(join_games([GAME, GAME, GAME])), encoding="utf-8")
    told = [f"{path}, game {number}: correct, 13 plies; player 1 wins (goal)" for number in (1, 2, 3)]
    code, output = run("check", path)
    assert (code, output.splitlines()) == (0, told)
    result = CliRunner().invoke(main, ["check", "replay", str(path)])
    assert (result.exit_code, result.output.count(", game ")) == (0, 3)
    # A mistake has the number of its line in the file, and the other games are still checked.
    second = len(GAME.splitlines()) + 3
    lines = path.read_text(encoding="utf-8").splitlines()
    wrong = second + lines[second:].index("P 2 E7")
    lines[wrong] = "P 2 E5"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    code, output = run("check", path)
    mistake = f"{path}:{wrong + 1}:5: illegal pawn move: the pawn on E8 cannot get to E5 in one move"
    assert (code, output.splitlines()) == (1, [told[0], mistake, told[2]])
    result = CliRunner().invoke(main, ["check", "replay", str(path)])
    assert (result.exit_code, f"game 2, line {wrong + 1}, column 5: " in result.output) == (1, True)


@pytest.mark.parametrize(
    ("before", "between", "line"),
    [("\n", "", 1), ("", "\n", len(GAME.splitlines()) + 2), ("P 1 E2\n\n", "", 2)],
)
def test_check_is_strict_about_lines_between_games(
    before: str, between: str, line: int, tmp_path: Path
) -> None:
    path = tmp_path / "games.qtp"
    first, second = "".join(join_games([GAME])), f"\n# Game-ID: 2\n{GAME}"
    path.write_text(f"{before}{first}{between}{second}", encoding="utf-8")
    code, output = run("check", path)
    assert (code, f"{path}:{line}:" in output) == (1, True), output


def test_check_continues_after_an_unreadable_file(game: Path, tmp_path: Path) -> None:
    missing, folder = tmp_path / "a\x1b[2J\u202e", tmp_path / "folder"
    folder.mkdir()
    code, output = run("check", missing, folder, game)
    assert code == 1
    assert output.splitlines() == [
        f"{tmp_path}/a\\x1b[2J\\u202e: the file cannot be read: no such file",
        f"{folder}: the file cannot be read: it is a folder, not a file",
        f"{game}: correct, 13 plies; player 1 wins (goal)",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "",
            (
                "1:1: the game is unfinished: after 0 plies it is the turn of player 1"
                " (accepted with --partial)"
            ),
        ),
        ("p 1 E2\n", "1:1: unknown command 'p': write commands in capitals, P or W"),
        (
            "# Extension: size 7\n",
            "1:1: the extension 'size 7' is not part of version 1 of the format (accepted with --extended)",
        ),
        (
            "e2 e8\n",
            ("1:1: unknown command 'e2': expected P or W (this looks like standard; try --from standard)"),
        ),
        ("P 1 \x1b[2J\n", "1:5: '\\x1b[2J' is not a square: expected one from A1 to I9"),
        (b"\xff", "1:1: the file is not text (UTF-8)"),
    ],
)
def test_check_reports_the_place_and_the_remedy(text: str | bytes, message: str) -> None:
    assert run("check", "-", text=text) == (1, f"<stdin>:{message}\n")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no endless device")
def test_an_endless_file_does_not_fill_the_memory() -> None:
    sentence = "/dev/zero:1:1: the file is too large: more than 64 MiB\n"
    assert run("check", "/dev/zero") == (1, sentence)
    assert run("info", "/dev/zero") == (1, f"Error: {sentence}")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--partial"], "P 1 E2\n"),
        (["--partial", "--extended"], "# Extension: players 4\nP 1 E2\nX 3\n"),
        (
            ["--partial", "--jumps", "classroom"],
            "P 1 E2\nP 2 E8\nP 1 E3\nP 2 E7\nP 1 E4\nP 2 E6\nP 1 E5\nP 2 D5\n",
        ),
    ],
)
def test_check_accepts_mistakes_that_the_options_allow(options: list[str], text: str) -> None:
    code, output = run("check", "-", *options, text=text)
    assert (code, output.partition(",")[0]) == (0, "<stdin>: correct")
    assert run("check", "-", text=text)[0] == 1


def test_info_prints_the_known_facts(game: Path) -> None:
    code, output = run("info", game)
    assert code == 0
    assert output.splitlines() == [
        "Format:         replay",
        "Players:        ann vs bob",
        "Result:         P1-win",
        "Termination:    goal",
        "Board:          9x9, 2 players, official jumps",
        "Plies:          13",
        "Walls placed:   player 1: 0, player 2: 1",
        "Outcome:        player 1 wins (goal)",
        "Final position: a1 /  / e9 e4 / 10 9 / 0",
    ]


def test_info_escapes_names_of_an_unfinished_game() -> None:
    code, output = run("info", "-", text="# Players: a\x1b[2J vs b\nP 1 E2\n")
    assert code == 0
    assert "Players:        a\\x1b[2J vs b" in output
    assert "Outcome:        unfinished, player 2 to move" in output


EVIL = "# Players: a\x1b]0;x\x07\u202e vs J\u00fcrgen\u200b\n# Result: P1-win\n# Termination: \x9b2J\u2066\n"


@pytest.mark.parametrize("command", [["show"], ["show", "--at", "0"], ["info"], ["check", "--partial"]])
def test_control_characters_in_a_file_are_escaped(command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "evil\x1b[2J\u202e.qtp"
    path.write_text(EVIL, encoding="utf-8")
    code, output = run(command[0], path, *command[1:])
    assert code == 0
    assert not {"\x1b", "\x07", "\u202e", "\u200b", "\x9b", "\u2066"} & set(output)


def test_control_characters_are_escaped_while_stepping(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(click, "getchar", lambda: "q")
    step_through(parse_game(EVIL, partial=True))
    output = capsys.readouterr().out
    assert "a\\x1b]0;x\\x" in output
    assert not {"\x1b", "\x07", "\u202e", "\u200b", "\x9b", "\u2066"} & set(output)


def test_a_file_is_written_as_utf_8_on_every_terminal(game: Path) -> None:
    text = GAME.replace("ann", "J\u00fcrgen \u6771")
    result = CliRunner(charset="cp1252").invoke(replay, ["convert", "-", "--to", "replay"], text.encode())
    assert result.stdout_bytes.decode("utf-8").startswith("# Players: J\u00fcrgen \u6771 vs bob\n")


def test_info_refuses_text_that_is_not_a_game() -> None:
    code, output = run("info", "-", text="hello")
    formats = ", ".join(FORMATS)
    sentence = f"unknown format: expected one of {formats}"
    assert (code, output) == (1, f"Error: <stdin>:1:1: {sentence}\n")


def test_stepping_through_a_long_game_keeps_one_position() -> None:
    view = ReplayView(parse_game("P 1 E2\nP 2 E8\nP 1 E1\nP 2 E9\n" * 2500, partial=True))
    tracemalloc.start()
    for key in "G", "b", "g", " ":
        view.press(key)
        assert view.position.ply == view.ply
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000_000


@pytest.mark.parametrize(
    ("key", "ply"), [("M", 3), ("P", 3), ("K", 1), ("H", 1), ("G", 0), ("O", 5), ("I", 2)], ids=str
)
@pytest.mark.parametrize("prefix", ["\x00", "\xe0"], ids=["keypad", "cursor"])
def test_the_cursor_keys_of_a_windows_console_work(prefix: str, key: str, ply: int) -> None:
    view = ReplayView(parse_game("P 1 E2\nP 2 E8\nP 1 E3\nP 2 E7\nP 1 E4\n", partial=True))
    view.ply = 2
    assert view.type(prefix + key)
    assert view.ply == ply


def test_keys_read_together_all_count() -> None:
    view = ReplayView(parse_game("P 1 E2\nP 2 E8\nP 1 E3\nP 2 E7\nP 1 E4\n", partial=True))
    assert view.type("   \x1b[C\x1bOCb")
    assert view.ply == 4
    assert not view.type(" q ")
    assert view.ply == 5


def test_a_file_of_blank_lines_is_not_a_game() -> None:
    for text in ("", "\n" * 5000, " \t\r\n"):
        code, output = run("info", "-", text=text)
        assert (code, output) == (1, "Error: <stdin>:1:1: the text is empty: it contains no game\n")


def test_info_reads_a_transcript() -> None:
    code, output = run("info", next(path for path in real_transcripts() if path.stem == "four-mixed"))
    assert code == 0
    assert "Format:         lan" in output
    assert "Board:          9x9, 4 players, official jumps" in output


def test_show_without_a_terminal_prints_the_game(game: Path) -> None:
    code, output = run("show", game)
    assert code == 0
    lines = output.splitlines()
    assert lines[0] == "   1 ann: e2"
    assert lines[7] == "   8 bob: a1h"
    assert "Ply 13 of 13" in output
    assert "ann wins [goal]" in output
    assert all(line == line.rstrip() for line in lines)
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("is_typed", [False, True])
def test_show_steps_only_through_a_game_on_a_terminal(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], is_typed: bool
) -> None:
    def step(_game: Replay) -> None:
        raise AssertionError("keys cannot be read, or their effect cannot be seen")

    monkeypatch.setattr(replay_view, "step_through", step)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: is_typed)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: not is_typed)
    replay.main(["show", str(game)], standalone_mode=False)
    assert "Ply 13 of 13" in capsys.readouterr().out


def test_show_prints_one_position(game: Path) -> None:
    code, output = run("show", game, "--at", "3")
    assert code == 0
    assert "Ply 3 of 13" in output
    assert "ann wins" not in output


def test_show_refuses_a_ply_after_the_end(game: Path) -> None:
    code, output = run("show", game, "--at", "14")
    assert code == 2
    assert "there is no ply 14: the game has 13 plies." in output


def test_show_in_a_terminal_follows_the_keys(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = iter([" ", "\x1b[C", "n", "x", "b", "G", "g", "\r", "q"])
    monkeypatch.setattr(click, "getchar", lambda: next(keys))
    step_through(parse_game(GAME))
    output = capsys.readouterr().out
    seen = [part.split()[0] for part in output.split("Ply ")[1:]]
    assert seen == ["0", "1", "2", "3", "3", "2", "13", "0", "1", "1"]
    assert next(keys, None) is None


@pytest.mark.skipif(sys.platform == "win32", reason="the keys of a Windows console are read otherwise")
def test_keys_typed_during_drawing_count(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    person, program = os.openpty()
    before = termios.tcgetattr(program)
    monkeypatch.setattr(replay_view, "_KEYBOARD", program)
    follow = ReplayView.type
    later = [b"\x1b[", b"Cq"]

    def type_on(view: ReplayView, typed: str) -> bool:
        for data in later:
            os.write(person, data)
        later.clear()
        return follow(view, typed)

    monkeypatch.setattr(ReplayView, "type", type_on)
    os.write(person, b"nn")
    step_through(parse_game(GAME))
    output = capsys.readouterr().out
    assert [part.split()[0] for part in output.split("Ply ")[1:]] == ["0", "2", "3"]
    assert termios.tcgetattr(program) == before
    os.close(person)
    os.close(program)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no Ctrl-Z")
def test_a_stopped_show_returns_screen_and_cursor(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    person, program = os.openpty()
    monkeypatch.setattr(replay_view, "_KEYBOARD", program)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    # Note the stop signal instead of stopping the test.
    monkeypatch.setattr(os, "kill", lambda *_: print("(stopped)", end="", flush=True))
    follow = ReplayView.type

    def stop_and_type(view: ReplayView, typed: str) -> bool:
        signal.raise_signal(signal.SIGTSTP)
        signal.raise_signal(signal.SIGCONT)
        return follow(view, typed)

    monkeypatch.setattr(ReplayView, "type", stop_and_type)
    os.write(person, b"q")
    step_through(parse_game(GAME))
    before, _, after = capsys.readouterr().out.partition("(stopped)")
    screen, cursor = "\x1b[?1049{}", "\x1b[?25{}"
    for code, off, on in ((screen, "l", "h"), (cursor, "h", "l")):
        assert before.rfind(code.format(off)) > before.rfind(code.format(on)) >= 0
        assert -1 < after.find(code.format(on)) < after.find("Ply 0") < after.find(code.format(off))
    os.close(person)
    os.close(program)


@pytest.mark.skipif(sys.platform == "win32", reason="the keys of a Windows console are read otherwise")
def test_the_escape_key_alone_ends_show_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    person, program = os.openpty()
    monkeypatch.setattr(replay_view, "_KEYBOARD", program)
    monkeypatch.setattr(replay_view, "KEY_TIME", 0)
    # Nothing else is typed: waiting for the rest of a key would block until this test times out.
    os.write(person, b"\x1b")
    step_through(parse_game(GAME))
    os.close(person)
    os.close(program)


def test_one_position_is_coloured_on_a_terminal(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, shown = run("show", game, "--at", "3")
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured_code, coloured = run("show", game, "--at", "3")
    assert code == coloured_code == 0
    assert "\x1b[" in coloured
    seen = [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", coloured).splitlines()]
    assert seen == [line.rstrip() for line in shown.splitlines()]


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
def test_show_ends_with_the_input(monkeypatch: pytest.MonkeyPatch, end: type[BaseException]) -> None:
    def end_input() -> str:
        raise end

    monkeypatch.setattr(click, "getchar", end_input)
    step_through(parse_game(GAME))


@pytest.mark.parametrize("form", WRITTEN)
def test_convert_restores_the_game_from_each_format(game: Path, tmp_path: Path, form: RecordFormat) -> None:
    there, back = tmp_path / "there", tmp_path / "back"
    assert run("convert", game, "--to", form.value, "-o", there) == (0, "")
    assert run("convert", there, "--from", form.value, "--to", "replay", "-o", back) == (0, "")
    kept = [line for line in back.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert kept == GAME.splitlines()[1:]
    code, output = run("convert", game, "--to", form.value)
    assert (code, output) == (0, there.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("arguments", "text", "code", "message"),
    [
        (["convert", "-"], GAME, 2, "Missing option '--to'"),
        (["convert", "-", "--to", "pgn"], GAME, 2, "'pgn' is not one of"),
        (
            ["convert", "-", "--to", "lan", "--game", "2"],
            GAME,
            2,
            "--game needs a file with several games; <stdin> has one.",
        ),
        (
            ["convert", "-", "--to", "standard"],
            "P 1 E2\n",
            1,
            "Error: <stdin>:1:7: the game is unfinished",
        ),
        (
            ["convert", "-", "--to", "lan", "--partial"],
            "# Extension: size 5\n",
            1,
            "Error: <stdin> cannot be written as lan: the 2016 protocol can describe only games",
        ),
        (
            ["convert", "-", "--to", "lan", "-o", "/no/such/folder/file"],
            GAME,
            2,
            "cannot write /no/such/folder/file: its folder does not exist",
        ),
        (
            ["convert", "-", "--from", "athens", "--to", "lan"],
            GAME,
            1,
            "Error: <stdin>:2:1: unknown command 'P'",
        ),
        (["info", "nowhere"], "", 2, "nowhere: the file cannot be read: no such file."),
        (["info", "-"], b"\x80", 1, "Error: <stdin>:1:1: the file is not text (UTF-8)"),
        (["check"], "", 2, "Missing argument 'FILE...'"),
    ],
)
def test_errors_are_one_line(arguments: list[str], text: str | bytes, code: int, message: str) -> None:
    actual, output = run(*arguments, text=text)
    assert (actual, message in output) == (code, True), output


@pytest.mark.parametrize(
    ("text", "options", "plies"),
    [
        ("e2,e8,hd3", [], "3"),
        ("e2 e8 hd3", ["--from", "barricade"], "3"),
        ("tq1 e2 e8 e3 resign", [], "3"),
        ("1b.41;1w.47", ["--from", "compact"], "2"),
    ],
)
def test_games_of_other_programs_are_read(text: str, options: list[str], plies: str) -> None:
    code, output = run("info", "-", *options, text=text)
    assert (code, re.findall(r"^Plies: +(\d+)$", output, re.MULTILINE)) == (0, [plies])


def test_check_reads_other_formats_by_name() -> None:
    game = "1. e2 e8 2. hd3 he3"
    advice = "(this looks like barricade; try --from barricade)"
    code, output = run("check", "-", text=game)
    assert (code, output.rstrip().endswith(advice)) == (1, True)
    code, output = run("check", "-", "--from", "barricade", text=game)
    assert (code, output) == (1, "<stdin>:1:17: illegal wall: it would overlap the wall d3h\n")
    code, output = run("check", "-", "--from", "top", text="1. e8 e2 resign")
    assert (code, output) == (0, "<stdin>: correct, 2 plies; player 2 wins (resigned)\n")


def test_an_error_names_the_format_unless_it_was_given() -> None:
    sentence = "Error: <stdin>:1:7: illegal pawn move: the pawn on e2 cannot get to e4 in one move"
    assert run("info", "-", text="e2,e8,e4") == (1, f"{sentence} (read as comma)\n")
    assert run("info", "-", "--from", "comma", text="e2,e8,e4") == (1, f"{sentence}\n")


def test_an_unusual_reading_is_reported() -> None:
    reading = "the anchor of a wall is the lower column and the higher row around its middle"
    code, output = run("info", "-", text="e2 e8 d9h")
    assert (code, f"Reading:        {reading}" in output) == (0, True)
    assert f"Note: in <stdin>, {reading}." in output
    code, output = run("convert", "-", "--to", "standard", "--partial", text="e2 e8 d9h")
    assert output == f"Note: in <stdin>, {reading}.\n1. e2 e8\n2. d8h\n"


@pytest.mark.parametrize("form", [form for form in RecordFormat if form not in WRITTEN])
def test_games_are_not_written_in_formats_that_are_only_read(form: RecordFormat) -> None:
    code, output = run("convert", "-", "--to", form.value, text=GAME)
    assert (code, "is not one of" in output) == (2, True)
    with pytest.raises(ReplayError, match=f"the format {form} can only be read"):
        format_game(parse_game(GAME), form)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    code, output = run("info", tmp_path)
    assert code == 2
    assert "it is a folder, not a file." in output


def test_check_accepts_more_files_than_a_process_may_open(game: Path) -> None:
    code, output = run("check", *[game] * 1500)
    assert (code, output.count("correct")) == (0, 1500)
