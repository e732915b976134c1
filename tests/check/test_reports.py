"""What reports look like: text, JSON, JUnit XML and scripts that repeat a finding."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import threading
from pathlib import Path
from xml.etree import ElementTree as ET

import click
import pytest
import trio
from attrs import evolve
from click.testing import CliRunner
from trio.testing import MockClock

from quoridor_net.check import Report, Verdict, check_replay, check_server
from quoridor_net.check.catalogue import SUBJECTS, catalogue
from quoridor_net.check.encoding import as_junit, as_object
from quoridor_net.check.repeat import connecting_script
from quoridor_net.check.text_report import WIDTH, outcome_line, report_lines
from quoridor_net.cli.main import main
from tests.docs.pages import DOCS, blocks
from tests.support.engine_programs import PYTHON, SLOPPY
from tests.support.ground_truth import document
from tests.support.loopback import reserved_port
from tests.support.patience import PATIENCE
from tests.support.server_bugs import LogsItsThoughts, SwapsWalls
from tests.support.walker_server import Connecting, WalkerServer

#: A Clobber client that says something else first, and waits.
GREETS_BADLY = """
import socket, sys
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as connection:
    connection.sendall(b"HELLO\\n")
    connection.recv(100)
"""


async def report_on(server: WalkerServer, only: str | None = None) -> Report:
    async with trio.open_nursery() as nursery:
        report = await check_server(Connecting(nursery, server), only=only)
        nursery.cancel_scope.cancel()
    return report


async def test_the_report_of_the_documentation(autojump_clock: MockClock) -> None:
    report = await report_on(SwapsWalls())
    lines = [*(outcome_line(outcome) for outcome in report.outcomes[:2]), *report_lines(report)]
    text = "\n".join(map(click.unstyle, lines))
    (shown,) = [block for block in blocks(DOCS / "check.md", "text") if "LAN-141" in block]
    assert shown.rstrip() in text
    assert all(len(line) <= WIDTH for line in text.splitlines())


async def test_json_has_what_the_documentation_promises(autojump_clock: MockClock) -> None:
    found = json.loads(json.dumps(as_object(await report_on(SwapsWalls()))))
    assert found["passed"] is False
    (finding,) = found["findings"]
    assert finding["code"] == "LAN-141"
    assert finding["severity"] == "must"
    assert finding["received"] == "TESUJI (5, 3)\\n"
    assert {"rule", "sent", "expected", "hint"} <= set(finding)
    assert [check["verdict"] for check in found["checks"]][:3] == ["passed", "failed", "skipped"]


async def test_junit_counts_failures(autojump_clock: MockClock) -> None:
    report = await report_on(SwapsWalls())
    suite = ET.fromstring(as_junit(report).encode())
    assert suite.get("tests") == str(len(report.outcomes))
    assert suite.get("failures") == "1"
    failure = suite.find(".//failure")
    assert failure is not None
    assert "LAN-141" in (failure.get("message") or "")


async def test_only_looks_for_one_code(autojump_clock: MockClock) -> None:
    report = await report_on(WalkerServer(), only="LAN-181")
    assert report.passed
    ran = [outcome.name for outcome in report.outcomes]
    assert "split" in ran
    assert "four-1" not in ran
    assert all(outcome.verdict is Verdict.PASSED for outcome in report.outcomes)


def test_a_script_repeats_a_finding(tmp_path: Path) -> None:
    report = trio.run(report_on, LogsItsThoughts(), clock=MockClock(autojump_threshold=0))
    (finding,) = report.findings
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        script = tmp_path / "repeat.py"
        script.write_text(connecting_script(finding, address, 5), encoding="utf-8")

        def serve() -> None:
            connection, _ = listener.accept()
            with connection, connection.makefile("rb") as lines:
                for line in lines:
                    if line == b"HELLO\n":
                        connection.sendall(b"IAM ann:walker\n")
                    elif line == b"MYOUSHU\n":
                        connection.sendall(b"thinking...\n")

        thread = threading.Thread(target=serve)
        thread.start()
        done = subprocess.run(
            [sys.executable, "-I", str(script)], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        thread.join()
    assert "b'thinking...\\n'" in done.stdout, done.stderr
    assert done.stdout.startswith("> b'HELLO\\n'\n< b'IAM ann:walker\\n'\n> b'GAME 1")


def test_a_replay_file_has_a_report() -> None:
    report = check_replay("P 1 E2\nP 1 E3\n", "game.qtp")
    assert [finding.code for finding in report.findings] == ["RPL-103"]
    assert report.findings[0].received == b"P 1 E3\n"


@pytest.mark.parametrize("subject", SUBJECTS)
def test_catalogues_are_complete(subject: str) -> None:
    rules = list(catalogue(subject).rules.values())
    assert rules == sorted(rules, key=lambda rule: rule.code) or subject in {"lan_server", "athens"}
    for rule in rules:
        assert all([rule.title, rule.section, rule.sentence, rule.cause, rule.hint])
        assert rule.cause.endswith(".")
        assert rule.hint.endswith(".")
        assert not rule.title.endswith(".")


#: The files of the documents, by catalogue.
DOCUMENTS = {
    "lan_server": "quoridor-client-server-2016.txt",
    "lan_client": "quoridor-client-server-2016.txt",
    "athens": "athens-qtp-2015.txt",
    "olympiad": "clobber-icga-2006.txt",
    "replay": "qtp-replay-2026.md",
}


_WORD = re.compile(r"[a-z0-9<>]+")


def words_of(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))


@pytest.mark.parametrize("subject", SUBJECTS)
def test_quotations_stand_in_the_document(subject: str) -> None:
    text = words_of(document(DOCUMENTS[subject]).read_text(encoding="utf-8"))
    for rule in catalogue(subject).rules.values():
        at = 0
        for part in rule.sentence.split("…") if rule.quoted else ():
            found = text.find(words_of(part), at)
            assert found >= 0, f"{rule.code}: {part}"
            at = found + len(words_of(part))


def test_only_the_document_is_quoted() -> None:
    rules = catalogue("lan_server").rules
    assert (
        rules["LAN-104"].said == "“Display name cannot contain any whitespace.” (Protocol, Initial Contacted)"
    )
    assert rules["LAN-109"].said == "The document has every message on a line of its own. (Protocol)"


def test_codes_are_unique() -> None:
    codes = [code for subject in SUBJECTS for code in catalogue(subject).rules]
    assert len(codes) == len(set(codes))


def test_replay_files_at_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "game.qtp"
    file.write_text("P 1 e2\n", encoding="utf-8")
    junit = tmp_path / "out.xml"
    done = CliRunner().invoke(main, ["check", "replay", str(file), "--json", "--junit", str(junit)])
    assert done.exit_code == 1
    assert json.loads(done.stdout)["findings"][0]["code"] == "RPL-101"
    assert "<failure" in junit.read_text(encoding="utf-8")
    absent = CliRunner().invoke(main, ["check", "replay", str(tmp_path / "none.qtp")])
    assert absent.exit_code == 1
    assert "RPL-100" in absent.stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["server", "localhost"], "an address without a port"),
        (["server", "localhost:1", "--only", "LAN-999"], "there is no finding LAN-999"),
        (["client", "--", "true"], "must have {addresses} where the addresses go"),
        (["qtp", "--", "./no-such-program"], "there is no program"),
    ],
)
def test_wrong_usage_is_one_sentence(words: list[str], complaint: str) -> None:
    done = CliRunner().invoke(main, ["check", *words])
    assert done.exit_code == 2
    assert complaint in done.output


def test_what_was_not_looked_at_is_not_passed() -> None:
    report = check_replay("P 1 E2\n", "game.qtp", partial=True)
    assert report.passed
    unseen = evolve(report, outcomes=[])
    assert not unseen.passed
    assert click.unstyle(list(report_lines(unseen))[-1]) == "Not checked: the file could not be looked at."


def test_a_server_that_is_not_there() -> None:
    with reserved_port() as port:
        done = CliRunner().invoke(main, ["check", "server", f"127.0.0.1:{port}"])
    assert done.exit_code == 3
    assert "cannot be reached: Connection refused" in done.output


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["qtp", "--move-time", "30", "--", *PYTHON, str(SLOPPY), "one_newline"], "QTP-104"),
        (
            ["client", "--move-time", "30", "--", *PYTHON, "-c", "raise SystemExit(7)", "{addresses}"],
            "LAN-201",
        ),
        (["clobber", "--move-time", "30", "--", *PYTHON, "-c", GREETS_BADLY, "{port}"], "CLB-103"),
    ],
)
def test_programs_at_the_command_line(words: list[str], code: str, tmp_path: Path) -> None:
    script, log = tmp_path / "repeat.py", tmp_path / "lines.log"
    what, *rest = words
    done = CliRunner().invoke(
        main, ["check", what, "--json", "--repeat", str(script), "--log", str(log), *rest]
    )
    assert done.exit_code == 1, done.output
    assert [finding["code"] for finding in json.loads(done.stdout)["findings"]] == [code]
    compile(script.read_text(encoding="utf-8"), script, "exec")
