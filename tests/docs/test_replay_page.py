"""The page about replays has correct examples and a correct file."""

from __future__ import annotations

import doctest

from quoridor_net.replay import FORMATS, RecordFormat, format_of, parse_game, parse_replay
from tests.docs.pages import DOCS, blocks

PAGE = DOCS / "replay.md"


def test_the_examples_of_the_page_are_correct() -> None:
    failures, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert (failures, tried > 5) == (0, True)


def test_the_file_of_the_page_is_correct() -> None:
    replay = parse_replay(blocks(PAGE, "text")[0], strict=True)
    assert replay.outcome is not None
    assert replay.outcome.result == "P1-win"


def test_the_page_lists_the_formats_that_are_read() -> None:
    rows = [
        f"| `{form}` | {info.summary} | `{info.example}` | {info.detected} |"
        for form, info in FORMATS.items()
    ]
    text = PAGE.read_text(encoding="utf-8")
    assert "|---|---|---|---|\n" + "\n".join(rows) + "\n\n" in text


def test_the_lines_of_the_formats_are_valid() -> None:
    for form, info in FORMATS.items():
        if "..." not in info.example:
            assert format_of(info.example) is form
            if form is not RecordFormat.LAN:
                assert parse_game(info.example, partial=True).plies
