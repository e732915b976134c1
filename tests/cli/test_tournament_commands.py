"""``quoridor tournament``: every command, its output and its exit status."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import re
import sqlite3
import struct
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import pytest
from click.testing import CliRunner

from quoridor_net.cli.csv_text import respell
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.main import main
from quoridor_net.cli.new_file import NewFile
from quoridor_net.cli.tournament.playing import report_to
from quoridor_net.replay import ReplayError, parse_game
from quoridor_net.tournament.journal import Journal
from quoridor_net.tournament.journal.lock import ManagerLock
from quoridor_net.tournament.quoridor.changing import change
from quoridor_net.ui.tournament_view import FieldDisplay
from tests.support import preloaded
from tests.support.tournament_program import read_document, run_tournament


@pytest.fixture(scope="module")
def tournament_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tournament") / "a.db"
    result = run_tournament("run", path, "simple", "random", "random", "--seed", 3)
    assert result.exit_code == 0, result.output
    return path


def test_equal_names_of_entrants_get_numbers(tournament_file: Path) -> None:
    shown = read_document(tournament_file)
    assert shown["finished"]
    assert {entrant["name"] for entrant in shown["entrants"]} == {"simple", "random", "random#2"}
    assert [game["number"] for game in shown["games"]] == [1, 2, 3, 4, 5, 6]


def test_the_seed_determines_the_games(tournament_file: Path, tmp_path: Path) -> None:
    again = tmp_path / "b.db"
    words = ("simple", "random", "random", "--seed", 3, "--concurrency", 3, "--quiet")
    assert run_tournament("run", again, *words).exit_code == 0
    assert read_document(again)["games"] == read_document(tournament_file)["games"]


@pytest.mark.parametrize(
    ("form", "expected"),
    [("text", "random#2"), ("csv", "number,round,seats"), ("markdown", "| 1 | simple |")],
)
def test_show_has_every_format(tournament_file: Path, form: str, expected: str) -> None:
    result = run_tournament("show", tournament_file, "--format", form)
    assert result.exit_code == 0
    assert expected in result.stdout


def test_names_cannot_be_formulas(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    assert run_tournament("run", path, "+1+1=simple", "random", "--games", 1, "--quiet").exit_code == 0
    (row,) = csv.DictReader(io.StringIO(run_tournament("show", path, "--format", "csv").stdout))
    assert row["seats"] == "'+1+1 random"
    assert row["sentence"].startswith("'+1+1 ")


def test_names_cannot_be_markdown(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    assert run_tournament("run", path, "<b>*x*|[y](z)=simple", "random", "--quiet").exit_code == 0
    rows = run_tournament("show", path, "--format", "markdown").stdout.splitlines()
    assert r"| \<b\>\*x\*\|\[y\](z) |" in rows[2] + rows[3]


def test_resume_shows_a_finished_tournament(tournament_file: Path) -> None:
    before = read_document(tournament_file)
    result = run_tournament("resume", tournament_file)
    assert result.exit_code == 0
    assert "simple" in result.stdout
    assert read_document(tournament_file) == before


def test_games_are_saved_as_replays(tournament_file: Path, tmp_path: Path) -> None:
    result = run_tournament("games", tournament_file, "--save", tmp_path / "games")
    assert (result.exit_code, result.output) == (0, f"Saved 6 games in the folder {tmp_path / 'games'}.\n")
    saved = sorted((tmp_path / "games").iterdir())
    assert [path.name for path in saved] == [f"game-{number}.qtp" for number in range(1, 7)]
    file = tmp_path / "file"
    file.touch()
    result = run_tournament("games", tournament_file, "--save", file)
    assert result.exit_code == 2
    assert f"Directory '{file}' is a file." in result.stderr
    # Existing files are not overwritten.
    assert run_tournament("games", tournament_file, "--save", tmp_path / "games").exit_code == 2


def test_saved_games_have_the_clocks_in_comments(tmp_path: Path) -> None:
    path, saved = tmp_path / "a.db", tmp_path / "games.txt"
    words = ("simple", "random", "--games", 1, "--size", 5, "--clock", "60+1", "--quiet")
    assert run_tournament("run", path, *words).exit_code == 0
    assert run_tournament("games", path, "--output", saved).exit_code == 0
    lines = saved.read_text().splitlines()
    comments = [line for line in lines if line.startswith("# ") and line.endswith(" s left")]
    assert len(comments) == read_document(path)["games"][0]["plies"]
    assert run_tournament("verify", path).exit_code == 0


def test_a_closed_pipe_ends_an_export_quietly(tournament_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_file: NewFile, _text: str) -> NoReturn:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    monkeypatch.setattr(NewFile, "write", refuse)
    result = run_tournament("games", tournament_file, "--output", "-")
    assert (result.exit_code, result.stderr) == (ExitStatus.PIPE_CLOSED, "")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE moves SET move = 'e5' WHERE game = 2 AND ply = 3",
        "DELETE FROM moves WHERE game = 1 AND ply = 1",
        "UPDATE moves SET seat = 3 - seat WHERE game = 3 AND ply = 2",
        "UPDATE games SET winner = 3 - winner WHERE number = 1",
        "UPDATE games SET plies = plies + 1 WHERE number = 4",
        "UPDATE seats SET points = 0.5 WHERE game = 1",
        "UPDATE entrants SET name = 'cheat' WHERE number = 2",
        "UPDATE tournaments SET ended_at = NULL",
        "DELETE FROM rounds WHERE number = 1",
        "INSERT INTO byes VALUES (1, 1, 2)",
        "INSERT INTO moves VALUES (99, 1, 1, 'e2', 0.0, NULL, NULL)",
        "UPDATE events SET object = replace(object, '}', ' }') WHERE number = 2",
        "DELETE FROM events WHERE number = 3",
    ],
)
def test_verify_notices_a_changed_journal(tournament_file: Path, tmp_path: Path, statement: str) -> None:
    assert run_tournament("verify", tournament_file).exit_code == 0
    changed = tmp_path / "changed.db"
    changed.write_bytes(tournament_file.read_bytes())
    with closing(sqlite3.connect(changed)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        assert connection.execute(statement).rowcount
    result = run_tournament("verify", changed)
    assert result.exit_code == 1, result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    "words",
    [("verify",), ("games", "--output", "games.txt"), ("show", "--format", "html")],
    ids=lambda words: words[0],
)
def test_a_damaged_game_is_named(
    tournament_file: Path, tmp_path: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    changed = tmp_path / "changed.db"
    changed.write_bytes(tournament_file.read_bytes())
    with closing(sqlite3.connect(changed)) as connection, connection:
        connection.execute("DELETE FROM moves WHERE game = 2 AND ply = 1")
    result = run_tournament(words[0], changed, *words[1:])
    assert result.exit_code == 1
    assert "Game 2: its moves are damaged: their checksum does not match" in result.output


@pytest.mark.parametrize(
    "words",
    [("stop",), ("set", "--concurrency", 2), ("withdraw", "simple"), ("add", "random")],
)
def test_a_finished_tournament_is_not_changed(tournament_file: Path, words: tuple[object, ...]) -> None:
    before = read_document(tournament_file)
    command, *rest = words
    result = run_tournament(command, tournament_file, *rest)
    assert result.exit_code == 2
    assert ("is not being played" if command == "stop" else "is over.") in result.stderr
    assert read_document(tournament_file) == before


def interrupt_tournament(path: Path, *words: object) -> Path:
    """Play a tournament, and take back its end and the last games."""
    assert run_tournament("run", path, *words, "--concurrency", 1, "--seed", 3, "--quiet").exit_code == 0
    with closing(sqlite3.connect(path)) as connection, connection:
        (last,) = connection.execute(
            "SELECT number FROM events WHERE event = 'game_started' AND game = 3"
        ).fetchone()
        connection.execute("DELETE FROM events WHERE number >= ?", (last,))
        connection.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'events'", (last - 1,))
        connection.execute("UPDATE tournaments SET ended_at = NULL")
        connection.execute("DELETE FROM moves WHERE game > 2")
        connection.execute("UPDATE seats SET points = NULL WHERE game > 2")
        connection.execute(
            "UPDATE games SET attempts = 0, started_at = NULL, ended_at = NULL, winner = NULL,"
            " termination = NULL, sentence = NULL, line = NULL, plies = NULL, moves_checksum = NULL"
            " WHERE number > 2"
        )
    assert run_tournament("verify", path).exit_code == 0
    return path


def test_a_stopped_tournament_can_be_changed_before_it_is_resumed(tmp_path: Path) -> None:
    path = interrupt_tournament(tmp_path / "a.db", "simple", "b=random", "random")
    later = "; the tournament is not being played: this takes effect when you resume it.\n"
    for words, told in (
        (("set", path, "--concurrency", 2), "2 games at once from now on"),
        (("withdraw", path, "b"), "b plays no more games"),
        (("add", path, "b=random"), "b is back and keeps its games"),
        (("withdraw", path, "simple"), "simple plays no more games"),
        (("add", path, "eve=simple"), "eve plays from the next round on"),
        # Its name contains "=", as its address does.
        (("add", path, "engine:level=1"), "engine:level=1 plays from the next round on"),
        (("withdraw", path, "engine:level=1"), "engine:level=1 plays no more games"),
        (("add", path, "engine:level=1"), "engine:level=1 is back and keeps its games"),
        (("withdraw", path, "engine:level=1"), "engine:level=1 plays no more games"),
    ):
        result = run_tournament(*words)
        assert (result.exit_code, result.output) == (0, told + later)
        assert run_tournament("verify", path).exit_code == 0
    for words, reason in (
        (("withdraw", path, "simple"), "simple has already left"),
        (("withdraw", path, "nobody"), "no entrant is called 'nobody'"),
        (("add", path, "localhost:1"), "localhost:1"),
    ):
        result = run_tournament(*words)
        assert result.exit_code == 1
        assert reason in result.stderr
        assert len(result.stderr.splitlines()) == 1
    assert run_tournament("resume", path, "--quiet").exit_code == 0
    shown = read_document(path)
    assert shown["settings"]["concurrency"] == 2
    assert {entrant["name"]: bool(entrant["left"]) for entrant in shown["entrants"]} == {
        "b": False, "eve": False, "random": False, "simple": True, "engine:level=1": True,
    }  # fmt: skip
    assert run_tournament("verify", path).exit_code == 0


def test_two_changes_at_once_wait_for_each_other(tmp_path: Path) -> None:
    path = interrupt_tournament(tmp_path / "a.db", *(f"{name}=random" for name in "abcdef"))
    with ThreadPoolExecutor() as executor:
        answers = list(executor.map(lambda name: change(path, "withdraw", name, 60.0), "abcd"))
    assert [answer.partition(" ")[::2] for answer in answers] == [(name, answers[0][2:]) for name in "abcd"]
    assert [entrant["name"] for entrant in read_document(path)["entrants"] if entrant["left"]] != []
    assert {entrant["name"] for entrant in read_document(path)["entrants"] if not entrant["left"]} == {
        "e",
        "f",
    }
    assert run_tournament("verify", path).exit_code == 0


@pytest.mark.parametrize("form", ["text", "markdown", "json", "html"])
def test_a_title_heads_all_results(tmp_path: Path, form: str) -> None:
    path = tmp_path / "a.db"
    options = ["--size", "3", "--games", "1", "--seed", "1", "--title", "Class 4b, spring"]
    assert "Class 4b, spring" in run_tournament("run", path, "random", "random", *options).stdout
    assert "Class 4b, spring" in run_tournament("show", path, "--format", form).stdout


def test_an_unprintable_title_is_refused(tmp_path: Path) -> None:
    refused = run_tournament("run", tmp_path / "a.db", "random", "random", "--title", "a\tb")
    assert refused.exit_code == 2
    assert "title is not a text of 1 to 100 visible characters" in refused.output


@pytest.mark.parametrize("table", ["games", "unfinished", "byes", "standings", "crosstable", "summary"])
def test_cells_have_no_commas_and_semicolons(tmp_path: Path, table: str) -> None:
    path = tmp_path / "a.db"
    run_tournament("run", path, "random", "random", "simple", "--size", "3", "--games", "4", "--seed", "1")
    shown = run_tournament("show", path, "--format", "csv", "--table", table).stdout
    rows = list(csv.reader(io.StringIO(shown)))
    assert rows
    assert not [cell for row in rows for cell in row if {",", ";"} & {*cell}]


def test_a_sentence_in_csv_has_the_names_of_its_row(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    options = ("--size", 5, "--games", 1, "--seed", 1)
    assert run_tournament("run", path, "@c=random", "a;b=simple", *options).exit_code == 0
    (row,) = csv.DictReader(io.StringIO(run_tournament("show", path, "--format", "csv").stdout))
    first, second = row["seats"].split()
    assert {first, second} == {"'@c", "a_b"}
    assert re.match(rf"{first} \(player 1\) wins|{second} \(player 2\) wins", row["sentence"])


def test_only_whole_names_in_a_sentence_are_spelled_anew() -> None:
    names = {"a,b": "a_b", "a,b,c": "a_b_c", "+": "'+", "bob": "bob"}
    sentence = "a,b (player 1) wins: a,b,c (player 2) sent 'xa,b' and 1+1; +: bob"
    told = "a_b (player 1) wins: a_b_c (player 2) sent 'xa,b' and 1+1; '+: bob"
    assert respell(sentence, names) == told
    assert respell(sentence, {"bob": "bob"}) == sentence


@pytest.mark.parametrize("form", ["text", "markdown", "csv", "json", "html"])
def test_every_format_marks_withdrawn_entrants(tmp_path: Path, form: str) -> None:
    path = interrupt_tournament(tmp_path / "a.db", "simple", "b=random", "random")
    assert run_tournament("withdraw", path, "b").exit_code == 0
    shown = run_tournament("show", path, "--format", form).stdout
    said = {
        "text": "b (left, not counted)",
        "markdown": "b (left, not counted)",
        "csv": ",no,b,finished\n",
        "json": '"left": {"played": 1, "games": 4, "round": 2, "counted": false}',
        "html": '"left":{"played":1,"games":4,"round":2,"counted":false},"counted":false',
    }
    assert said[form] in shown


def test_resume_can_play_more_games_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    assert run_tournament("run", path, "simple", "random", "--games", 4, "--quiet").exit_code == 0
    # The state before the last game.
    with closing(sqlite3.connect(path)) as connection, connection:
        ended = "SELECT max(number) FROM events WHERE event = 'game_ended'"
        connection.execute(f"DELETE FROM events WHERE number >= ({ended})")
        connection.execute("UPDATE sqlite_sequence SET seq = (SELECT max(number) FROM events)")
        connection.execute("DELETE FROM moves WHERE game = 4")
    assert run_tournament("resume", path, "--concurrency", 3, "--quiet").exit_code == 0
    assert read_document(path)["settings"]["concurrency"] == 3
    assert read_document(path)["finished"]
    assert run_tournament("verify", path).exit_code == 0


def test_a_request_to_a_dead_manager_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    assert run_tournament("run", path, "simple", "simple", "--quiet").exit_code == 0
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO requests (time, request, argument) VALUES ('', 'stop', '')")
    journal, _ = Journal.resume(path)
    journal.close()
    with closing(sqlite3.connect(path)) as connection:
        ((answer,),) = connection.execute("SELECT answer FROM requests")
    assert answer.startswith("refused: ")


@pytest.mark.parametrize(
    "words",
    [
        ("simple",),
        ("simple", "nobody"),
        ("simple", "engine:level=11"),
        ("simple", "random", "--games", 0),
        ("simple", "random", "--rounds", 3),
        ("simple", "random", "--format", "swiss", "--rounds", 1, "--sprt", 0, 5),
        ("simple", "random", "--quiet", "--json"),
        ("simple", "random", "--sprt", 0, 5, "--format", "knockout"),
        ("simple", "engine:level=1,level=2"),
        ("localhost:1", "simple", "b=localhost:1"),
        ("localhost:1", "simple", "b=127.0.0.1:1"),
        ("simple", "random", "--sprt", 0, 5, "--games", 3),
        ("simple", "random", "--alpha", 0.1),
        ("simple", "random", "--elo-model", "logistic"),
        ("simple", "random", "--sprt", 0, 5, "--alpha", 0.7, "--beta", 0.3),
        ("simple", "random", "--sprt", 5, 0),
        ("simple", "random", "--clock", "5:00"),
    ],
)
def test_wrong_usage_is_one_line_and_leaves_no_file(tmp_path: Path, words: tuple[object, ...]) -> None:
    result = run_tournament("run", tmp_path / "a.db", *words)
    assert result.exit_code == 2
    assert result.stderr.count("Error: ") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--alpha", 0.6, "--beta", 0.6), "'--alpha' / '--beta'"),
        (("--beta", 0.97), "'--beta'"),
        (("--beta", 0.97, "--sprt", 5, 0), "'--sprt'"),
    ],
)
def test_the_wrong_options_of_a_test_are_named(tmp_path: Path, words: tuple[object, ...], named: str) -> None:
    result = run_tournament("run", tmp_path / "a.db", "simple", "random", "--sprt", 0, 5, *words)
    assert f"Error: Invalid value for {named}: " in result.stderr


def test_a_schedule_can_be_printed(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    assert run_tournament("run", path, "simple", "b=random", "--size", 3, "--title", "Open").exit_code == 0
    lines = run_tournament("show", path, "--format", "schedule").output.splitlines()
    assert lines[:3] == ["Open", "", "Round 1"]
    assert re.fullmatch(r"  1  [01½]:[01½]       simple - b", lines[3])


def test_repeated_positions_draw_if_the_organiser_says_so(tmp_path: Path) -> None:
    path, saved = tmp_path / "a.db", tmp_path / "games"
    options = ("--size", 3, "--walls", 0, "--games", 30, "--seed", 3, "--quiet")
    assert run_tournament("run", path, "random", "random", *options, "--repetition", 2).exit_code == 0
    games = read_document(path)["games"]
    repeated = [game for game in games if game["termination"] == "repetition"]
    assert 0 < len(repeated) < len(games)
    assert {game["sentence"] for game in repeated} == {"Drawn: the position occurred 2 times."}
    assert all(game["points"] == [0.5, 0.5] for game in repeated)
    assert run_tournament("verify", path).exit_code == 0
    assert run_tournament("games", path, "--save", saved).exit_code == 0
    checked = CliRunner().invoke(main, ["replay", "check", "--extended", *map(str, saved.iterdir())])
    assert checked.exit_code == 0, checked.output
    with closing(sqlite3.connect(path)) as connection, connection:
        (settings,) = connection.execute("SELECT object FROM events WHERE number = 1").fetchone()
    assert json.loads(settings)["settings"]["repetition"] == 2


def test_a_test_has_error_rates_and_a_model(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    options = ("--sprt", 0, 400, "--alpha", 0.2, "--beta", 0.1, "--elo-model", "logistic", "--size", 5)
    result = run_tournament("run", path, "simple", "random", "--quiet", *options, "--seed", 2)
    assert re.search(
        r"SPRT: LLR \d\.\d\d \(-2\.08 to 1\.50\): H1 accepted, .* by 400 logistic Elo", result.output
    )
    document = read_document(path)
    assert document["sprt"]["decision"] == "accepted"
    assert (document["settings"]["alpha"], document["settings"]["elo_model"]) == (0.2, "logistic")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
@pytest.mark.parametrize(
    "words",
    [
        ("run", "FILE", "simple", "random"),
        ("show", "FILE"),
        ("resume", "FILE"),
        ("verify", "FILE"),
        ("games", "FILE", "--save", "DIR"),
        ("stop", "FILE"),
    ],
)
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path, words: tuple[str, ...]) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    result = run_tournament(*(path if word == "FILE" else word for word in words))
    assert result.exit_code == 2
    assert result.stderr.count("Error: ") == 1
    assert f"{path} is a pipe or a device, not a regular file." in result.stderr
    for device in ("/dev/null", "/dev/zero"):
        assert run_tournament(words[0], device, *words[2:]).exit_code == 2
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]


def test_a_journal_with_damaged_moves_is_not_resumed(tournament_file: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    data = bytearray(tournament_file.read_bytes())
    with closing(sqlite3.connect(tournament_file)) as connection:
        (page,) = connection.execute("PRAGMA page_size").fetchone()
        (root,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'moves'").fetchone()
    # The last game that the root of the tree lists.
    (leaf,) = struct.unpack_from(">I", data, (root - 1) * page + 8)
    data[(leaf - 1) * page : leaf * page] = b"\xff" * page
    path.write_bytes(data)
    assert run_tournament("show", path).exit_code == 0
    result = run_tournament("resume", path)
    assert result.exit_code == 2
    (told,) = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert told.startswith(f"Error: {path} is damaged: ")
    assert told.endswith(f" tournament verify {path}")
    assert path.read_bytes() == data
    assert run_tournament("verify", path).exit_code == 1


@pytest.mark.parametrize("entrant", ["qtp:/nonexistent/engine", "127.0.0.1:1"])
def test_an_absent_entrant_is_one_line(tmp_path: Path, entrant: str) -> None:
    result = run_tournament("run", tmp_path / "a.db", "simple", entrant, "--no-show-time", 0.2)
    assert result.exit_code == 3, result.output
    assert result.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", ["--openings", "--config"])
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff\xfe", "the file is encoded in UTF-16: save it as UTF-8"),
        (b"# " + b"x" * (1 << 22), r"the file is too large: more than (4 MiB|256 KiB)"),
        (b"a." * 100_000 + b"a = 1\n", "a line has more than 1000 dots|is not a move"),
        (b"e2 e2 = [\n", "line 1|is not|illegal|Expected|expected"),
        (None, "no such file"),
    ],
)
def test_an_unusable_file_is_one_line(
    option: str, content: bytes | None, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    result = run_tournament("run", tmp_path / "a.db", "simple", "random", option, path)
    assert result.exit_code == 2
    assert re.search(reason, result.stderr), result.stderr
    assert result.stderr.count("Error: ") == 1
    assert not (tmp_path / "a.db").exists()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("games = 2.5", "games must be an integer"),
        ("games = true", "games must be an integer"),
        ("seed = 1979-01-01", "seed must be an integer"),
        ("seed = 9999999999999999999", "seed is not an integer from"),
        ("walls = 1000000001", "walls is not an integer from"),
        ("ply-limit = 1000000001", "ply_limit is not an integer from"),
        ("sprt = 5", "sprt must be a list of 2 numbers"),
        ('sprt = ["0", "5"]', "sprt must be a list of 2 numbers"),
        ("move-time = true", "move-time must be a number"),
        ('quiet = "no"', "quiet must be true or false"),
        ("format = 3", "format must be a string"),
        ('entrants = [{name = "simple"}]', "entrants must be a list of strings"),
        ("allow = [10]", "allow must be a list of strings"),
        (f"openings = {'[' * 3000}", "nested too deeply"),
        # Found by fuzzing: the message repeated the whole text.
        (f'format = "{"x" * 5000}"', "...xxxxxxx"),
        (f"{'x' * 5000} = 1", "unknown option 'xxxxx"),
    ],
)
def test_a_value_of_the_wrong_type_is_one_line(tmp_path: Path, line: str, expected: str) -> None:
    config, path = tmp_path / "event.toml", tmp_path / "event.db"
    config.write_text(line + "\n")
    result = run_tournament("run", path, *(() if "entrants" in line else ("random",) * 2), "--config", config)
    assert result.exit_code == 2
    assert expected in result.stderr.splitlines()[-1]
    assert len(result.stderr) < 1000
    assert not path.exists()


@pytest.mark.parametrize("words", [("show",), ("verify",), ("resume",), ("stop",), ("withdraw", "ann")])
def test_a_missing_tournament_is_one_line(tmp_path: Path, words: tuple[str, ...]) -> None:
    path = tmp_path / "a.db"
    result = run_tournament(words[0], path, *words[1:])
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].endswith(f"{path}' does not exist.")
    assert not path.exists()


@pytest.mark.parametrize(("other", "expected"), [("h:2", "4 min"), ("H:1", "8 min")])
def test_entrants_at_one_server_are_expected_to_take_turns(tmp_path: Path, other: str, expected: str) -> None:
    words = ("a=h:1,games=2", f"b={other},games=2", "--games", 8, "--concurrency", 4, "--dry-run")
    assert f"4 at once: about {expected}," in run_tournament("run", tmp_path / "a.db", *words).stdout


def test_run_and_dry_run_say_how_many_games_could_run_at_once(tmp_path: Path) -> None:
    hint = "3 games could run at once: add --concurrency 3."
    servers = [f"{name}=127.0.0.1:{port}" for port, name in enumerate("abcdef", 1)]
    words = ("run", tmp_path / "a.db", *servers, "--no-show-time", 0.01)
    for options in (("--dry-run",), ()):
        done = run_tournament(*words, "--games", 10, *options)
        assert done.stdout.splitlines()[1] == hint
    assert "could run" not in run_tournament(*words, "--quiet").stdout


def test_a_tournament_needs_a_name() -> None:
    assert run_tournament("run", "", "random", "random").stderr.endswith("Error: FILE.db needs a name.\n")


@pytest.mark.parametrize(
    ("form", "lines"),
    [
        ("swiss", "game 2: *and 2 more games; after round 1, results decide the pairings"),
        ("knockout", "game 4: *and 4 more games; after round 1, results decide the pairings"),
        ("round-robin", "game 12: "),
    ],
)
def test_a_dry_run_lists_only_games_already_paired(tmp_path: Path, form: str, lines: str) -> None:
    games = 1 if form == "swiss" else 2
    words = ("--format", form, "--games", games, *(("--rounds", 2) if form == "swiss" else ()))
    result = run_tournament("run", tmp_path / "a.db", *("simple",) * 4, *words, "--dry-run")
    last, _, more = lines.partition("*")
    assert [line for line in result.stdout.splitlines() if line.startswith("game ")][-1].startswith(last)
    assert ("more game" in result.stdout) == bool(more)
    assert result.stdout.endswith(f"{more}\n")


def test_a_schedule_that_is_too_long_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quoridor_net.tournament.quoridor.forecast.MAX_GAMES", 6)
    path = tmp_path / "event.db"
    entrants = ("random", "random", "random")
    assert run_tournament("run", path, *entrants, "--dry-run").exit_code == 0
    result = run_tournament("run", path, *entrants, "--games", 3)
    assert result.exit_code == 2
    assert result.stderr.endswith("the schedule has more than 6 games: reduce --games or --rounds.\n")
    assert not path.exists()


def test_no_more_games_at_once_than_a_journal_keeps(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    assert run_tournament("run", path, "random", "random", "--concurrency", 10**30).exit_code == 2
    assert run_tournament("resume", path, "--concurrency", 10**30).exit_code == 2
    assert not path.exists()


def test_a_device_is_refused_as_a_file_of_openings(tmp_path: Path) -> None:
    result = run_tournament("run", tmp_path / "a.db", "simple", "random", "--openings", "/dev/zero")
    assert result.exit_code == 2
    assert "the file is too large: more than 4 MiB" in result.stderr


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("127.0.0.1:5", "simple", "--size", 7), "Error: move servers play on 9x9 with 10 walls: leave out"),
        (("127.0.0.1:5", "simple", "--walls", 7), "Error: move servers play on 9x9 with 10 walls: leave out"),
        (
            ("127.0.0.1:5", *["simple"] * 3, "--format", "four-player", "--walls", 10),
            "Error: move servers play on 9x9 with 5 walls: leave out",
        ),
        (
            ("qtp:engine", *["simple"] * 3, "--format", "four-player"),
            "Error: qtp:engine speaks the Athens protocol, which has two players only.",
        ),
    ],
)
def test_games_that_a_protocol_cannot_express_are_refused(
    words: tuple[object, ...], reason: str, tmp_path: Path
) -> None:
    result = run_tournament("run", tmp_path / "a.db", *words)
    assert result.exit_code == 2
    assert reason in result.stderr
    assert not list(tmp_path.iterdir())


def test_an_existing_file_is_refused_with_the_command_to_resume(tournament_file: Path) -> None:
    result = run_tournament("run", tournament_file, "simple", "random")
    assert result.exit_code == 2
    assert f" tournament resume {tournament_file}\n" in result.stderr


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    "words", [["show"], ["show", "--format", "json"], ["show", "--format", "html"], ["verify"]]
)
def test_a_closed_pipe_is_not_an_error(tournament_file: Path, words: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "quoridor_net", "tournament", words[0], str(tournament_file), *words[1:]]
    done = preloaded.run(command, stdout=write)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


def test_games_on_a_full_disk_name_the_folder(
    tournament_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = tmp_path / "full"

    def write_text(path: Path, text: str, **_options: object) -> int:
        path.write_bytes(text[:10].encode())
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_text", write_text)
    result = run_tournament("games", tournament_file, "--save", full)
    assert result.exit_code == 1
    assert result.stderr == f"Error: {full}: No space left on device.\n"
    # A cut game counts as missing.
    assert not list(full.iterdir())


def test_a_finished_tournament_accepts_no_requests(tournament_file: Path) -> None:
    lock = ManagerLock.take(tournament_file)
    try:
        result = run_tournament("stop", tournament_file)
    finally:
        lock.release()
    assert result.exit_code == 2
    assert result.stderr.endswith(f"the tournament in {tournament_file} is over.\n")


@pytest.mark.parametrize(
    ("display", "shown"),
    [(FieldDisplay.LIVE, "bob waits\n"), (FieldDisplay.PLAIN, "bob waits\n"), (FieldDisplay.QUIET, "")],
)
def test_remarks_appear_where_a_live_display_takes_them(
    display: FieldDisplay, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = report_to(display)
    taken = io.StringIO()
    # rich does this while it redraws a screen; otherwise it would overwrite the line.
    monkeypatch.setattr(sys, "stderr", taken)
    report("bob waits")
    assert taken.getvalue() == shown


@pytest.mark.parametrize("form", ["replay", "standard", "lan", "athens"])
def test_all_games_are_written_to_one_file_and_read_again(
    tournament_file: Path, tmp_path: Path, form: str
) -> None:
    path, folder = tmp_path / "games.txt", tmp_path / "games"
    done = run_tournament("games", tournament_file, "--output", path, "--to", form)
    assert done.output == f"Saved 6 games in the file {path}.\n"
    assert run_tournament("games", tournament_file, "--save", folder).exit_code == 0
    text = path.read_text(encoding="utf-8")
    for number, single in enumerate(sorted(folder.iterdir()), 1):
        game, alone = parse_game(text, number=number), parse_game(single.read_text(encoding="utf-8"))
        assert [ply.move for ply in game.plies] == [ply.move for ply in alone.plies]
    with pytest.raises(ReplayError, match="contains 6 games: choose one by number"):
        parse_game(text)
    # Errors have the numbers of the lines in the file.
    line = next(number for number, line in enumerate(text.split("\n"), 1) if line == "# Game-ID: 2")
    with pytest.raises(ReplayError) as broken:
        parse_game(text.replace("# Game-ID: 2\n", "# Game-ID: 2\n# Game-ID: 7\nP 1 Z9\n"), number=2)
    assert broken.value.line > line


def test_games_that_a_format_cannot_express_leave_no_file(tmp_path: Path) -> None:
    path, journal = tmp_path / "games.txt", tmp_path / "small.db"
    run_tournament("run", journal, "simple", "random", "--size", 5, "--games", 1)
    done = run_tournament("games", journal, "--output", path, "--to", "lan")
    assert done.exit_code == 1
    assert done.output.startswith("Error: game 1 cannot be written as lan: "), done.output
    assert not path.exists()


def test_games_need_a_file_or_a_folder(tournament_file: Path) -> None:
    done = run_tournament("games", tournament_file)
    assert (done.exit_code, done.output.splitlines()[-1]) == (
        2,
        "Error: expected --save DIR or --output FILE.",
    )
