"""The page "Write an Athens engine" agrees with the document, the checker and the project's engine."""

from __future__ import annotations

import re
import sys

import pytest
from trio.testing import MockClock

from quoridor_net.check.athens.checks import REQUIRED
from quoridor_net.check.athens.run import check_engine
from tests.docs.pages import DOCS, blocks, section
from tests.support import preloaded
from tests.support.ground_truth import quotations
from tests.support.small_engine import Failure, SmallEngine, launch_engine

PAGE = DOCS / "howto-engine.md"
#: Command, errors, severity and code of a row.
ROW = re.compile(
    r"^\| `(\w+)` \|.*?([^|]*)\| 4\.\d \| \[(\w+)\]\(reference/findings\.md#([\w-]+)\) \|$", re.MULTILINE
)
ROWS = ROW.findall(section(PAGE, "Commands"))
SESSION = next(block for block in blocks(PAGE, "text") if block.startswith("name\n"))


def test_every_command_has_a_row() -> None:
    assert [command for command, *_ in ROWS] == list(REQUIRED)


@pytest.mark.parametrize(("command", "_errors", "severity", "anchor"), ROWS)
async def test_the_checker_reports_a_missing_command(
    command: str, _errors: str, severity: str, anchor: str, autojump_clock: MockClock
) -> None:
    class Lacking(SmallEngine):
        def do(self, name: str, words: list[str]) -> str:
            if name == command:
                raise Failure("unknown command")
            return super().do(name, words)

    code = anchor.upper()
    report = await check_engine(launch_engine(Lacking), only=code)
    assert [str(finding.severity) for finding in report.findings if finding.code == code] == [severity]


def test_the_session_is_that_of_the_engine() -> None:
    groups = [group.splitlines() for group in SESSION.strip().split("\n\n")]
    sent = [line for group in groups for line in group[: _find_response(group)]]
    words = [sys.executable, "-m", "quoridor_net", "qtp", "--player", "simple", "-seed", "1"]
    done = preloaded.run(words, sent="\n".join(sent))
    assert done.returncode == 0
    *responses, rest = done.stdout.split("\n\n")
    assert rest == ""
    for group, response in zip(groups, responses, strict=True):
        expected = "\n".join(group[_find_response(group) :])
        start, dots, _ = expected.partition("\n...")
        assert response.startswith(f"{start}\n") if dots else response == expected


def _find_response(group: list[str]) -> int:
    return next(number for number, line in enumerate(group) if line[0] in "=?")


def test_the_session_has_every_command_and_error() -> None:
    words = set(re.findall(r"^\w+", SESSION, re.MULTILINE))
    assert words >= set(REQUIRED)
    listed = {error for _, errors, *_ in ROWS for error in re.findall(r"`(.+?)`", errors)}
    shown = set(re.findall(r"^\? (.*)", SESSION, re.MULTILINE))
    assert shown == {*listed, "unknown command"}


def test_quotations_are_sentences_of_the_document() -> None:
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    quoted = re.findall(r"“(.+?)” \((\d[\w. ]*)\)", text)
    assert len(quoted) == text.count("“")
    for sentence, number in quoted:
        known = [
            each
            for key, sentences in quotations().items()
            if key.startswith(f"Athens, {number}")
            for each in sentences
        ]
        assert any(_words_of(sentence) in _words_of(each) for each in known), sentence


def _words_of(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))
