"""For every code of the checker, a program or file with that bug exists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from quoridor_net.check.catalogue import SUBJECTS, catalogue
from quoridor_net.cli.main import main
from tests.support import client_bugs, engine_bugs, server_bugs, small_clobber_client

#: The pawns pass each other in column E, and player 2 reaches its goal first.
WON_BY_2 = (
    b"".join(
        f"P 1 {one}\nP 2 {two}\n".encode()
        for one, two in zip(
            ["E2", "E3", "E4", "D4", "D5", "D6", "D7"],
            ["E8", "E7", "E6", "E5", "E4", "E3", "E2"],
            strict=True,
        )
    )
    + b"P 1 D8\nP 2 E1\n"
)

#: Codes of findings, and replay files with these bugs.
FILES: list[tuple[str, bytes]] = [
    ("RPL-100", b"\xff\xfe"),
    ("RPL-101", b"P 1 e2\n"),
    ("RPL-101", b"p 1 E2\n"),
    ("RPL-101", b"P 1 E2 P 2 E8\n"),
    ("RPL-101", b"1. e2 e8\n"),
    ("RPL-102", b"# Extension: board 5\nP 1 C2\n"),
    ("RPL-103", b"P 1 E2\nP 1 E3\n"),
    ("RPL-104", b"P 1 E8\n"),
    ("RPL-104", b"P 1 E2\nP 2 E8\nW 1 E9 h\n"),
    ("RPL-105", WON_BY_2 + b"P 1 E9\n"),
    ("RPL-106", b"P 1 E2\n"),
    ("RPL-107", b"# Result: P1-win\n# Termination: goal\n" + WON_BY_2),
]


def test_every_code_has_a_planted_bug() -> None:
    planted = {
        code
        for bugs in (server_bugs.BUGS, client_bugs.BUGS, engine_bugs.BUGS, small_clobber_client.BUGS, FILES)
        for code, _ in bugs
    }
    assert planted == {code for subject in SUBJECTS for code in catalogue(subject).rules}


@pytest.mark.parametrize(("code", "content"), FILES)
def test_bug_in_a_file_is_named(code: str, content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "game.qtp"
    file.write_bytes(content)
    done = CliRunner().invoke(main, ["check", "replay", "--json", str(file)])
    assert done.exit_code == 1
    (finding,) = json.loads(done.stdout)["findings"]
    assert finding["code"] == code
    assert "game.qtp" in finding["detail"]
    assert finding["expected"]


@pytest.mark.parametrize(
    ("subject", "code", "severity"),
    [
        # Loses every game of four in which another player is eliminated.
        ("lan_server", "LAN-169", "must"),
        # Loses every game.
        ("lan_server", "LAN-193", "must"),
        # The text of 2016 has no jump rule.
        ("lan_server", "LAN-158", "note"),
        ("lan_server", "LAN-194", "should"),
        # No correct controller sends such a command.
        ("athens", "QTP-123", "should"),
        ("athens", "QTP-211", "should"),
        ("athens", "QTP-135", "should"),
        ("athens", "QTP-131", "must"),
    ],
)
def test_severity_is_the_cost(subject: str, code: str, severity: str) -> None:
    assert catalogue(subject).rules[code].severity == severity


@pytest.mark.parametrize("subject", SUBJECTS)
def test_explained_findings_exist(subject: str) -> None:
    rules = catalogue(subject).rules
    assert all(code in rules and code != rule.code for rule in rules.values() for code in rule.explains)
