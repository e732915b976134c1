"""Reports as text, JSON and JUnit XML, and scripts that reproduce a finding."""

from __future__ import annotations

import io
import json
import re
import socket
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

from quoridor_net.check import (
    CheckOutcome,
    CheckVerdict,
    Report,
    Severity,
    check_launched_server,
    check_replay,
    check_server,
)
from quoridor_net.check.catalogue import SUBJECTS, catalogue
from quoridor_net.check.dialogue import describe_strange_bytes
from quoridor_net.check.encoding import as_junit, as_object
from quoridor_net.check.findings import Finding
from quoridor_net.check.launching import ProgramFailure
from quoridor_net.check.repeat import write_server_script
from quoridor_net.check.text_report import WIDTH, format_finding, format_outcome, report_lines
from quoridor_net.cli.check.reporting import Reporting
from quoridor_net.cli.main import main
from tests.docs.pages import DOCS, blocks
from tests.support.engine_programs import PYTHON, SLOPPY
from tests.support.ground_truth import quotations
from tests.support.loopback import reserve_port
from tests.support.patience import PATIENCE
from tests.support.repeat_script import run_script
from tests.support.server_bugs import KeepsItsBoard, LogsItsThoughts, PlainName, SwapsWalls
from tests.support.walker_server import Connecting, WalkerServer, launch_server

#: A client that sends a wrong first message and waits; the argument is the address.
GREETS_BADLY = """
import socket, sys
connections = [socket.create_connection(word.split(":")) for word in sys.argv[1:]]
for connection in connections:
    connection.sendall(b"play gobang\\n")
connections[0].recv(100)
"""

#: The same client with the right first message of a Clobber client.
GREETS = GREETS_BADLY.replace("gobang", "clobber ann")


async def report_on(server: WalkerServer, only: str | None = None) -> Report:
    async with trio.open_nursery() as nursery:
        report = await check_server(Connecting(nursery, server), only=only)
        nursery.cancel_scope.cancel()
    return report


async def test_report_in_the_documentation_is_real(autojump_clock: MockClock) -> None:
    report = await report_on(SwapsWalls())
    lines = [format_outcome(report.outcomes[1]), *report_lines(report)]
    text = "\n".join(map(click.unstyle, lines))
    (shown,) = [block for block in blocks(DOCS / "check.md", "text") if "LAN-141" in block]
    assert shown.rstrip() in text
    assert all(len(line) <= WIDTH for line in text.splitlines())


async def test_json_has_the_documented_fields(autojump_clock: MockClock) -> None:
    found = json.loads(json.dumps(as_object(await report_on(SwapsWalls()))))
    assert found["passed"] is False
    finding, *others = found["findings"]
    assert finding["code"] == "LAN-141"
    assert {other["follows"] for other in others if other["severity"] == "must"} == {"LAN-141"}
    assert finding["severity"] == "must"
    assert finding["received"] == "TESUJI (5, 3)\\n"
    assert {"rule", "sent", "expected", "hint"} <= set(finding)
    assert [check["verdict"] for check in found["checks"]][:3] == ["passed", "failed", "passed"]


async def test_junit_counts_failures(autojump_clock: MockClock) -> None:
    report = await report_on(SwapsWalls())
    suite = ET.fromstring(as_junit(report).encode())
    assert suite.get("tests") == str(len(report.outcomes))
    failed = [outcome for outcome in report.outcomes if outcome.verdict is CheckVerdict.FAILED]
    assert suite.get("failures") == str(len(failed))
    failure = suite.find(".//failure")
    assert failure is not None
    assert "LAN-141" in (failure.get("message") or "")


async def test_interrupted_check_reports_its_findings(autojump_clock: MockClock) -> None:
    stop = trio.CancelScope()
    ended: list[CheckOutcome] = []

    def interrupt(outcome: CheckOutcome) -> None:
        ended.append(outcome)
        if len(ended) == 2:
            stop.cancel()

    async with trio.open_nursery() as nursery:
        report = await check_server(Connecting(nursery, PlainName()), progress=interrupt, stop=stop)
        nursery.cancel_scope.cancel()
    assert report.is_interrupted
    assert not report.passed
    assert as_object(report)["interrupted"] is True
    assert [finding.code for finding in report.findings] == ["LAN-106"]
    assert [outcome.verdict for outcome in report.outcomes[:3]] == ["passed", "passed", "skipped"]
    assert report.outcomes[-1].remark == "interrupted"
    closing = click.unstyle(list(report_lines(report))[-1])
    assert closing == "Interrupted: 2 of 26 checks ran; 0 must, 0 should, 1 note."


async def test_most_severe_finding_comes_first(autojump_clock: MockClock) -> None:
    class PlainSwapsWalls(PlainName, SwapsWalls):
        pass

    report = await report_on(PlainSwapsWalls())
    severities = [list(Severity).index(finding.severity) for finding in report.findings]
    assert severities == sorted(severities)
    assert report.findings[0].code == "LAN-141"


@pytest.mark.parametrize("is_running", [True, False])
async def test_fault_in_the_next_game_is_reported_with_the_game_before(
    is_running: bool, autojump_clock: MockClock
) -> None:
    if is_running:
        report = await report_on(KeepsItsBoard())
    else:
        report = await check_launched_server(launch_server(KeepsItsBoard))
    finding = next(finding for finding in report.findings if finding.code == "LAN-174")
    (earlier,) = finding.before
    assert any(line.data.startswith(b"GAME ") for line in earlier)
    script = write_server_script(finding, "localhost:5858", 1.0)
    assert script.count("b'HELLO\\n'") == 2


async def test_only_skips_unrelated_checks(autojump_clock: MockClock) -> None:
    report = await report_on(WalkerServer(), only="LAN-181")
    assert report.passed
    ran = [outcome.name for outcome in report.outcomes]
    assert ran == ["split"]
    assert all(outcome.verdict is CheckVerdict.PASSED for outcome in report.outcomes)


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    ("answers", "status", "verdict"),
    [
        ([b"IAM ann:walker\n", b"thinking...\nTESUJI (4, 1)\n"], 1, "The same fault again."),
        ([b"IAM ann:walker\n", b"TESUJI (4, 1)\n"], 0, "The fault did not occur again."),
        ([b"IAM bob\n"], 125, "so this proves nothing: start it again, and fix its random seed."),
        ([], 125, "[Errno 111] Connection refused"),
    ],
)
def test_script_reproduces_a_finding(answers: list[bytes], status: int, verdict: str, tmp_path: Path) -> None:
    report = trio.run(report_on, LogsItsThoughts(), clock=MockClock(autojump_threshold=0))
    (finding,) = report.findings
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        if not answers:
            listener.close()
        script = tmp_path / "repeat.py"
        script.write_text(write_server_script(finding, address, PATIENCE), encoding="utf-8")

        def serve() -> None:
            connection, _ = listener.accept()
            asked = iter(answers)
            with connection, connection.makefile("rb") as lines:
                for line in lines:
                    if line in {b"HELLO\n", b"MYOUSHU\n"}:
                        connection.sendall(next(asked))

        thread = threading.Thread(target=serve if answers else lambda: None)
        thread.start()
        done = run_script(script)
        thread.join()
    assert (done.returncode, done.stderr) == (status, "")
    assert verdict in done.stdout.splitlines()[-1]
    if status == 1:
        assert done.stdout.startswith("1 > b'HELLO\\n'\n1 < b'IAM ann:walker\\n'\n1 > b'GAME 1")
        assert "1 < b'thinking...\\nTESUJI (4, 1)\\n'\n" in done.stdout


@pytest.mark.end_to_end
def test_script_starts_the_engine_with_the_seed_that_it_refuses(tmp_path: Path) -> None:
    script = tmp_path / "repeat.py"
    words = [*PYTHON, str(SLOPPY), "refuses_seed"]
    checked = CliRunner().invoke(
        main, ["check", "qtp", "--only", "QTP-221", "--repeat", str(script), "--", *words]
    )
    assert "QTP-221  should  " in checked.output
    done = run_script(script)
    assert (done.returncode, done.stderr) == (1, "usage: engine\n")
    assert done.stdout.splitlines()[-1] == "The same fault again."


@pytest.mark.end_to_end
def test_without_a_finding_no_script_is_written(tmp_path: Path) -> None:
    script = tmp_path / "repeat.py"
    words = [*PYTHON, str(SLOPPY), "sane"]
    checked = CliRunner().invoke(
        main, ["check", "qtp", "--only", "QTP-221", "--repeat", str(script), "--", *words]
    )
    assert f"{script} was not written: there is no finding to reproduce.\n" in checked.stderr
    assert not script.exists()


def test_a_replay_file_has_a_report() -> None:
    report = check_replay("P 1 E2\nP 1 E3\n", "game.qtp")
    assert [finding.code for finding in report.findings] == ["RPL-103"]
    assert report.findings[0].received == b"P 1 E3\n"


def test_failure_of_the_program_is_the_first_remark(capsys: pytest.CaptureFixture[str]) -> None:
    report = check_replay("P 1 E2\nP 1 E3\n", "game.qtp")
    report.remarks.append("Some checks were skipped.")
    reporting = Reporting(as_json=True, only=None, junit=None, repeat=None, transcript=None)
    reporting.hear(ProgramFailure("ended with exit status 1"))
    reporting.conclude(report, lambda _finding: "")
    remarks = json.loads(capsys.readouterr().out)["remarks"]
    assert remarks == ["The program ended with exit status 1.", "Some checks were skipped."]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_catalogues_are_complete(subject: str) -> None:
    rules = list(catalogue(subject).rules.values())
    assert rules == sorted(rules, key=lambda rule: rule.code) or subject in {"lan_server", "athens"}
    for rule in rules:
        assert all([rule.title, rule.section, rule.sentence, rule.cause, rule.hint])
        assert rule.cause.endswith(".")
        assert rule.hint.endswith(".")
        assert not rule.title.endswith(".")
        # Pages of grades and lists of findings repeat these texts without the conversation.
        assert not re.search(r"\blast lines\b|\b(line|command)s? below\b|with the drawing", rule.hint)


#: Names of the documents in ``tests/data/quotations.toml``.
DOCUMENTS = {
    "lan_server": "2016",
    "lan_client": "2016",
    "athens": "Athens",
    "olympiad": "Clobber",
    "replay": "replay",
}


_WORD = re.compile(r"[a-z0-9<>]+")


def words_of(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))


@pytest.mark.parametrize("subject", SUBJECTS)
def test_quotations_are_sentences_of_the_document(subject: str) -> None:
    known = quotations()
    for rule in catalogue(subject).rules.values():
        for part in rule.sentence.split("…") if rule.quoted else ():
            sentences = known[f"{DOCUMENTS[subject]}, {rule.section}"]
            assert any(words_of(part) in words_of(sentence) for sentence in sentences), f"{rule.code}: {part}"


def test_only_the_document_is_quoted() -> None:
    rules = catalogue("lan_server").rules
    assert (
        rules["LAN-104"].said == "“Display name cannot contain any whitespace.” (Protocol, Initial Contacted)"
    )
    assert rules["LAN-109"].said == "The document puts each message on a line of its own. (Protocol)"


@pytest.mark.parametrize("subject", SUBJECTS)
def test_no_line_of_a_finding_is_wider_than_the_report(subject: str) -> None:
    found = (Finding(rule, "a legal move") for rule in catalogue(subject).rules.values())
    lines = [click.unstyle(line) for finding in found for line in format_finding(finding, "server")]
    assert max(map(len, lines)) <= WIDTH


def test_codes_are_unique() -> None:
    codes = [code for subject in SUBJECTS for code in catalogue(subject).rules]
    assert len(codes) == len(set(codes))


def test_illegal_replay_move_is_located() -> None:
    (finding,) = check_replay("P 1 E2\nP 2 E8\nW 1 E9 h\n", "game.qtp").findings
    assert finding.expected == "a legal move"
    assert finding.detail.startswith("game.qtp, line 3, column 5: illegal wall: no wall can lie there")


def test_each_file_has_its_own_failure_in_junit(tmp_path: Path) -> None:
    files = [tmp_path / "one.qtp", tmp_path / "two.qtp"]
    files[0].write_text("P 1 E5\n", encoding="utf-8")
    files[1].write_text("P 1 E7\n", encoding="utf-8")
    junit = tmp_path / "out.xml"
    done = CliRunner().invoke(main, ["check", "replay", *map(str, files), "--junit", str(junit)])
    assert done.exit_code == 1
    failures = ET.parse(junit).getroot().findall(".//failure")
    assert ["E5" in (failure.text or "") for failure in failures] == [True, False]
    assert ["E7" in (failure.text or "") for failure in failures] == [False, True]


def test_replay_command_writes_json_and_junit(tmp_path: Path) -> None:
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


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_report_is_coloured_only_on_a_terminal(
    is_terminal: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.qtp"
    file.write_text("P 1 e2\n", encoding="utf-8")
    shown = io.StringIO()
    monkeypatch.setattr(shown, "isatty", lambda: is_terminal)
    monkeypatch.setattr(sys, "stdout", shown)
    with pytest.raises(SystemExit):
        main(["check", "replay", str(file)])
    assert "RPL-101" in shown.getvalue()
    assert ("\x1b" in shown.getvalue()) == is_terminal


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["server", "localhost"], "an address without a port"),
        (["server", "localhost:1", "--only", "LAN-999"], "unknown finding LAN-999"),
        (["client", "--", "true"], "must contain {addresses}"),
    ],
)
def test_wrong_usage_is_one_sentence(words: list[str], complaint: str) -> None:
    done = CliRunner().invoke(main, ["check", *words])
    assert done.exit_code == 2
    assert complaint in done.output


def test_report_without_checks_is_not_passed() -> None:
    report = check_replay("P 1 E2\n", "game.qtp", partial=True)
    assert report.passed
    unseen = evolve(report, outcomes=[])
    assert not unseen.passed
    assert click.unstyle(list(report_lines(unseen))[-1]) == "Not checked: no check of the file could run."


def test_unreachable_server_has_advice() -> None:
    with reserve_port() as port:
        done = CliRunner().invoke(main, ["check", "server", f"127.0.0.1:{port}"])
    assert done.exit_code == 3
    assert "cannot be reached: Connection refused" in done.output
    assert "Start the server first, and check that it listens on the port" in done.output


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    ("what", "only", "words", "code", "fixed"),
    [
        ("qtp", "QTP-162", [str(SLOPPY), "debug_lines"], "QTP-105", [*PYTHON, str(SLOPPY), "none"]),
        (
            "client",
            "LAN-262",
            ["-c", GREETS_BADLY, "{addresses}"],
            "LAN-204",
            [sys.executable, "-m", "client", "{addresses}"],
        ),
        (
            "clobber",
            "CLB-142",
            ["-c", GREETS_BADLY, "{address}"],
            "CLB-103",
            [*PYTHON, "-c", GREETS, "{address}"],
        ),
    ],
)
def test_written_script_finds_a_fixed_program_changed(
    what: str, only: str, words: list[str], code: str, fixed: list[str], tmp_path: Path
) -> None:
    script, log = tmp_path / "repeat.py", tmp_path / "lines.log"
    options = ["--json", "--repeat", str(script), "--log", str(log), "--move-time", str(PATIENCE)]
    options += ["--only", only]
    done = CliRunner().invoke(main, ["check", what, *options, "--", *PYTHON, *words])
    assert done.exit_code == 1, done.output
    assert [finding["code"] for finding in json.loads(done.stdout)["findings"]] == [code]
    again = run_script(script)
    assert (again.returncode, again.stderr) == (1, "")
    assert again.stdout.endswith("The same fault again.\n")
    other = run_script(script, *fixed)
    assert other.returncode == 0, other.stdout


#: A client that connects to each server after the previous one has sent its name, and ends after GAME.
ONE_AFTER_ANOTHER = """
import socket, sys
connections, names = [], []
for word in sys.argv[1:]:
    connection = socket.create_connection(word.split(":"))
    connection.sendall(b"HELLO\\n")
    names.append(connection.makefile().readline().split()[1])
    connections.append(connection)
for number, connection in enumerate(connections, 1):
    connection.sendall(f"GAME {number} {' '.join(names)}\\n".encode())
"""


@pytest.mark.end_to_end
def test_servers_may_be_greeted_one_after_another() -> None:
    words = [*PYTHON, "-c", ONE_AFTER_ANOTHER, "{addresses}"]
    options = ["--json", "--only", "LAN-262", "--move-time", str(PATIENCE)]
    done = CliRunner().invoke(main, ["check", "client", *options, "--", *words])
    (finding,) = json.loads(done.stdout)["findings"]
    assert finding["code"] == "LAN-208"


@pytest.mark.end_to_end
def test_finding_says_how_a_client_ended_before_it_connected() -> None:
    gives_up = ONE_AFTER_ANOTHER.replace("connections.append", "connections.attach")
    words = [*PYTHON, "-c", gives_up, "{addresses}"]
    options = ["--json", "--only", "LAN-262", "--move-time", str(PATIENCE)]
    done = CliRunner().invoke(main, ["check", "client", *options, "--", *words])
    (finding,) = json.loads(done.stdout)["findings"]
    assert finding["code"] == "LAN-201"
    assert "AttributeError" in finding["detail"]


@pytest.mark.end_to_end
def test_engine_that_does_not_flush_learns_the_cause() -> None:
    words = [*PYTHON, "-c", "import sys\nfor line in sys.stdin: print('=\\n')"]
    done = CliRunner().invoke(
        main, ["check", "qtp", "--json", "--only", "QTP-191", "--move-time", "1", "--", *words]
    )
    (finding,) = json.loads(done.stdout)["findings"]
    assert finding["code"] == "QTP-101"
    assert "not flushed" in finding["cause"]


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    ("what", "only", "program"),
    [
        ("qtp", "QTP-191", "input(); print('= \\n', flush=True); {}['board']"),
        (
            "clobber",
            "CLB-142",
            "import socket; socket.create_connection('{address}'.split(':')); {}['board']",
        ),
    ],
)
def test_remark_quotes_the_last_line_of_a_failed_program(what: str, only: str, program: str) -> None:
    words = [*PYTHON, "-c", program]
    done = CliRunner().invoke(
        main, ["check", what, "--only", only, "--json", "--move-time", str(PATIENCE), "--", *words]
    )
    assert done.exit_code == 1, done.output
    assert json.loads(done.stdout)["remarks"][0] == "The program ended with exit status 1: KeyError: 'board'."


@pytest.mark.end_to_end
def test_finding_quotes_a_program_that_did_not_connect() -> None:
    words = [*PYTHON, "-c", "raise SystemExit('Error: no display.')", "{addresses}"]
    options = ["--json", "--only", "LAN-262", "--move-time", str(PATIENCE)]
    done = CliRunner().invoke(main, ["check", "client", *options, "--", *words])
    assert done.exit_code == 1, done.output
    (finding,) = json.loads(done.stdout)["findings"]
    assert finding["code"] == "LAN-201"
    assert finding["detail"].endswith("it ended with exit status 1: Error: no display.")


@pytest.mark.parametrize(
    "line", ["IAM zo\u00eb", "GAME 1 zo\u00eb bob", "play clobber zo\u00eb", "iam \u65e5\u672c\r\n"]
)
def test_names_may_contain_more_than_ascii(line: str) -> None:
    assert describe_strange_bytes(line.encode()) == ""


@pytest.mark.parametrize("line", [b"IAM zo\xeb", "TESUJI (\uff14, 1)".encode(), "IAM zo\u00eb\x07".encode()])
def test_other_bytes_outside_ascii_are_described(line: bytes) -> None:
    assert "which is not printable ASCII" in describe_strange_bytes(line)
