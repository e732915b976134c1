"""Commands that write files overwrite existing ones only with ``--overwrite``."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import click
import pytest
import trio
from click.testing import CliRunner
from trio.testing import memory_stream_pair

from client.clobber.command import main as clobber_client
from client.command import main as client
from client.referee.command import referee
from quoridor_net.cli.new_file import LogFolder, NewFile
from quoridor_net.cli.replay import replay
from quoridor_net.players.simple import SimplePlayer
from server.athens.command import qtp
from server.clobber.command import main as clobber_server
from server.command import main as server
from server.listener import MoveServer
from server.session import ServerSettings
from tests.support import preloaded

#: No server listens there, so no game begins.
NOWHERE = "127.0.0.1:1"
ENGINE = shlex.join([sys.executable, "-m", "quoridor_net", "qtp"])

COMMANDS = [
    (client, [NOWHERE, NOWHERE, "--connect-time", "0", "--log"]),
    (client, [NOWHERE, NOWHERE, "--connect-time", "0", "--save"]),
    (clobber_client, [NOWHERE, "--connect-time", "0", "--player", "random", "--log"]),
]
SERVERS = [
    (server, ["--port", "0", "--host", "192.0.2.1", "--player", "random", "--log"]),
    (clobber_server, ["--port", "0", "--host", "192.0.2.1", "--entrants", "2", "--log"]),
]


@pytest.mark.parametrize(("command", "arguments"), COMMANDS)
def test_an_existing_file_is_refused(command: click.Command, arguments: list[str], tmp_path: Path) -> None:
    path = tmp_path / "precious"
    path.write_text("an earlier game\n", encoding="utf-8")
    result = CliRunner().invoke(command, [*arguments, str(path)])
    assert result.exit_code == 2
    wanted = f"cannot write {path}: it exists; choose another name or add --overwrite."
    assert wanted in " ".join(result.output.split()).replace("│ ", "")
    assert path.read_text(encoding="utf-8") == "an earlier game\n"


@pytest.mark.parametrize(("command", "arguments"), COMMANDS)
def test_a_file_survives_overwrite_if_no_game_begins(
    command: click.Command, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The Clobber server creates its journal here.
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "precious"
    path.write_text("an earlier game\n", encoding="utf-8")
    for options in ([str(path), "--overwrite"], [str(path.with_name("new"))]):
        result = CliRunner().invoke(command, [*arguments, *options])
        assert result.exit_code == 3, result.output
    assert path.read_text(encoding="utf-8") == "an earlier game\n"
    # An empty file would not be in the way, but it is not created either.
    assert not path.with_name("new").exists()


@pytest.mark.parametrize(("command", "arguments"), SERVERS)
def test_a_server_does_not_overwrite_logs(
    command: click.Command, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "logs" / "connection-7.log"
    path.parent.mkdir()
    path.write_text("an earlier game\n", encoding="utf-8")
    refused = CliRunner().invoke(command, [*arguments, "logs"])
    assert refused.exit_code == 2
    assert "connection-7.log: it exists; choose another name or add --overwrite." in refused.output
    assert CliRunner().invoke(command, [*arguments, "logs", "--overwrite"]).exit_code == 3
    assert path.read_text(encoding="utf-8") == "an earlier game\n"


async def test_a_server_keeps_a_transcript_of_each_connection(tmp_path: Path) -> None:
    settings = ServerSettings("qnt:test", SimplePlayer, open_transcript=LogFolder(tmp_path, False).open)
    listener = MoveServer(settings)
    for _ in range(2):
        ours, theirs = memory_stream_pair()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(listener.serve_connection, theirs, "")
            await ours.send_all(b"HELLO\n")
            await ours.receive_some()
            await ours.aclose()
    for number in (1, 2):
        written = (tmp_path / f"connection-{number}.log").read_text(encoding="utf-8")
        assert [line.split("] ")[1] for line in written.splitlines()] == [
            rf"C->S{number} b'HELLO\n'",
            rf"S{number}->C b'IAM qnt:test\n'",
        ]


def test_convert_overwrites_only_on_request(tmp_path: Path) -> None:
    path = tmp_path / "game.qtp"
    path.write_text("an earlier game\n", encoding="utf-8")
    arguments = ["convert", "-", "--to", "replay", "--partial", "-o", str(path)]
    refused = CliRunner().invoke(replay, arguments, input="1. e2 e8\n")
    assert refused.exit_code == 2
    assert "it exists; choose another name or add --overwrite." in refused.output
    assert path.read_text(encoding="utf-8") == "an earlier game\n"
    done = CliRunner().invoke(replay, [*arguments, "--overwrite"], input="1. e2 e8\n")
    assert done.exit_code == 0, done.output
    assert path.read_text(encoding="utf-8").endswith("P 1 E2\nP 2 E8\n")


@pytest.mark.parametrize(("option", "name"), [("--save", "game-1.qtp"), ("--log", "white-1.log")])
def test_the_referee_does_not_overwrite_games_and_logs(option: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text("an earlier game\n", encoding="utf-8")
    result = CliRunner().invoke(
        referee, ["--white", ENGINE, "--black", ENGINE, "--ply-limit", "1", option, str(tmp_path)]
    )
    assert result.exit_code == 2
    assert f"cannot write {path}: it exists; choose another name or add --overwrite." in result.output
    assert path.read_text(encoding="utf-8") == "an earlier game\n"


def test_an_engine_overwrites_a_replay_only_on_request(tmp_path: Path) -> None:
    path = tmp_path / "game.qtp"
    path.write_text("an earlier game\n", encoding="utf-8")
    script = f"playmove black E8\nqn-save_replay {path}\nquit\n"
    command = [sys.executable, "-m", "quoridor_net", "qtp", "--player", "simple"]
    answers = preloaded.run(command, sent=script).stdout
    assert f"? cannot write {path}: it exists; choose another name or add --overwrite\n" in answers
    assert path.read_text(encoding="utf-8") == "an earlier game\n"
    assert preloaded.run([*command, "--overwrite"], sent=script).returncode == 0
    assert path.read_text(encoding="utf-8").endswith("P 1 E2\n")


def test_all_commands_that_write_files_have_the_option() -> None:
    for command in (client, server, clobber_client, clobber_server, referee, replay.commands["convert"], qtp):
        assert "overwrite" in {parameter.name for parameter in command.params}, command.name


def test_the_first_line_creates_the_file(tmp_path: Path) -> None:
    path = tmp_path / "log"
    file = NewFile(path)
    file.flush()
    assert not path.exists()
    file.write("one\n")
    file.write("two\n")
    file.close()
    assert path.read_text(encoding="utf-8") == "one\ntwo\n"
    with pytest.raises(FileExistsError):
        NewFile(path).check()
    NewFile(path, overwrites=True).check()


def test_empty_files_and_devices_can_be_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.touch()
    for each in (path, Path(os.devnull)):
        file = NewFile(each)
        file.write("a line\n")
        file.close()
    assert path.read_text(encoding="utf-8") == "a line\n"


def test_a_file_created_meanwhile_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "log"
    file = NewFile(path)
    file.check()
    path.write_text("of another program\n", encoding="utf-8")
    with pytest.raises(FileExistsError):
        file.write("one\n")
    assert path.read_text(encoding="utf-8") == "of another program\n"
