"""The page about the engine states its levels, its book and its network as they are."""

from __future__ import annotations

import re
from importlib import resources

from quoridor_net import engine
from quoridor_net.engine.levels import LEVELS
from tests.docs.pages import DOCS, section

PAGE = DOCS / "engine.md"


def test_the_table_of_levels_is_that_of_the_engine() -> None:
    rows = re.findall(r"^\| (\d.*) \|$", section(PAGE, "Levels"), re.MULTILINE)
    documented = [tuple(cell.strip().replace(",", "") for cell in row.split("|")) for row in rows]
    assert documented == [
        (
            str(number),
            str(level.depth),
            str(level.nodes),
            str(level.top),
            f"{level.doubt / 100:g}",
            "" if level.sight is None else f"{level.sight:g}",
        )
        for number, level in LEVELS.items()
    ]


def test_the_book_and_the_network_have_the_stated_sizes() -> None:
    text = PAGE.read_text(encoding="utf-8")
    book = resources.files(engine).joinpath("openings.txt").read_text("ascii")
    assert f"{len(book.splitlines()):,} positions" in text
    network = resources.files(engine).joinpath("network.npz").read_bytes()
    assert f"{round(len(network) / 1000)} kB" in text


def test_the_log_numbers_its_matches_and_gives_conditions_and_interval() -> None:
    rows = re.findall(
        r"^\| (\d+) \| (\d\d Nov [^|]*.*) \|$", section(DOCS / "engine-log.md", "Strength"), re.MULTILINE
    )
    assert rows
    assert [int(number) for number, _ in rows] == list(range(1, len(rows) + 1))
    for number, row in rows:
        _recorded, _change, _against, budget, games, elo, _outcome = (cell.strip() for cell in row.split("|"))
        assert re.search(r"nodes|s$", budget), number
        assert games or "same moves" in elo, number
        assert re.match(r"([+−]?\d+ \[.*\](, )?)+$|all won|about|same moves|0$", elo), number
