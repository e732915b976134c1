"""The page about replays: its examples are true, and its file is one."""

from __future__ import annotations

import doctest

from quoridor_net.replay import parse_replay
from tests.docs.pages import DOCS, blocks

PAGE = DOCS / "replay.md"


def test_the_examples_of_the_page() -> None:
    failures, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert (failures, tried > 5) == (0, True)


def test_the_file_of_the_page() -> None:
    replay = parse_replay(blocks(PAGE, "text")[0], strict=True)
    assert replay.outcome is not None
    assert replay.outcome.result == "P1-win"
