"""The ladder has the ratings that its games give, and a scale of levels."""

from __future__ import annotations

import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from quoridor_net.engine.limits import STRONGEST
from quoridor_net.players.ladder import LADDER, extrapolate_level, level_at
from quoridor_net.players.spec import parse_spec
from quoridor_net.tournament.ratings import expected_score

LOG = Path(__file__).parents[2] / "benchmarks" / "engine_log.toml"


def fit_ratings() -> dict[str, float]:
    """Return the most likely ratings of the games in the table "levels", level 1 at 0."""
    tables = tomllib.loads(LOG.read_text(encoding="utf-8"))["table"]
    (table,) = (table for table in tables if table["name"] == "levels")
    columns = {name: index for index, name in enumerate(table["columns"])}
    games = []
    for row in table["rows"]:
        one, other = (name.removeprefix("level ") for name in row[0].split(" over "))
        games.append((one, other, row[columns["all_games"]], expected_score(row[columns["all_elo"]])))
    elo = dict.fromkeys((name for game in games for name in game[:2]), 0.0)
    for _ in range(4000):
        gained = dict.fromkeys(elo, 0.0)
        for one, other, count, share in games:
            surplus = count * (share - expected_score(elo[one] - elo[other]))
            gained[one] += surplus
            gained[other] -= surplus
        for name in elo:
            elo[name] += 0.3 * gained[name]
    return {name: value - elo["1"] for name, value in elo.items()}


def test_ratings_are_those_of_the_games() -> None:
    fitted = fit_ratings()
    shown = {rung.name.removeprefix("level "): rung.elo for rung in LADDER if rung.name != "random"}
    assert shown.keys() == fitted.keys()
    for name, elo in shown.items():
        assert elo == pytest.approx(fitted[name], abs=3), name


def test_players_are_in_order_and_can_be_made() -> None:
    for weaker, stronger in pairwise(LADDER):
        assert weaker.elo < stronger.elo
    assert [rung.level for rung in LADDER if rung.level is not None] == list(range(STRONGEST + 1))
    for rung in LADDER:
        spec = parse_spec(rung.spec)
        assert spec.kind.is_built_in
        # A limit of time would make games depend on the machine.
        assert spec.thinking.think is None
        if rung.level == STRONGEST:
            assert spec.thinking.nodes is not None


def test_scale_is_linear_between_levels_and_ends_with_them() -> None:
    by_level = {rung.level: rung.elo for rung in LADDER if rung.level is not None}
    for level, elo in by_level.items():
        assert level_at(elo) == level
    assert level_at((by_level[3] + by_level[4]) / 2) == 3.5
    assert level_at(by_level[0] / 2) == 0.5
    assert (level_at(-5000), level_at(5000)) == (0.0, 10.0)
    assert extrapolate_level(2 * by_level[0] - by_level[1]) == -1.0
    assert extrapolate_level(2 * by_level[10] - by_level[9]) == 11.0
