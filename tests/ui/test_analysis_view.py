"""The display of an analysis: rows, graph of winning chances, summary."""

from __future__ import annotations

from itertools import count, cycle

import pytest
from attrs import evolve

from quoridor_net.analysis import BestLine, Mark, PlyAnalysis
from quoridor_net.rules import Move, Orientation, Square, Step, Wall
from quoridor_net.rules.diagram import ASCII, UNICODE, Glyphs, plain
from quoridor_net.ui.analysis_view import graphs, heading, rows, score_text, summary

STEP, WALL = Step(Square(4, 1)), Wall(3, 2, Orientation.HORIZONTAL)
NAMES = ("ann", "a name that is longer than its column")


def line_of(*moves: Move, score: int = 0, chance: float = 0.5, wins_in: int | None = None) -> BestLine:
    return BestLine(moves or (STEP,), score, chance, wins_in)


def game_of(chances: list[float], players: int = 2, mark: Mark | None = None) -> list[PlyAnalysis]:
    """Return plies with these chances of the players who moved; the last ply is marked."""
    plies = [
        PlyAnalysis(number, player, STEP, (line_of(),), line_of(chance=chance), 0.0)
        for number, player, chance in zip(count(1), cycle(range(1, players + 1)), chances, strict=False)
    ]
    return [*plies[:-1], evolve(plies[-1], mark=mark)]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (line_of(score=125), "+1.25"),
        (line_of(score=-7), "-0.07"),
        (line_of(score=29_997, wins_in=3), "win 3"),
        (line_of(score=-29_996, wins_in=-4), "loss 4"),
        (line_of(score=19_000), "win"),
        (line_of(score=-19_000), "loss"),
    ],
)
def test_scores_are_written_in_steps_or_plies(line: BestLine, text: str) -> None:
    assert score_text(line) == text


def test_a_row_shows_the_better_line_only_after_another_move() -> None:
    best = line_of(WALL, STEP, score=40, chance=0.57)
    bad = PlyAnalysis(7, 1, STEP, (best,), line_of(score=-64, chance=0.39), 0.18, Mark.BLUNDER)
    good = PlyAnalysis(8, 2, WALL, (best,), line_of(WALL, score=40, chance=0.57), 0.0)
    shown = plain([heading(), *rows(bad, NAMES, 80, UNICODE), *rows(good, NAMES, 80, UNICODE)])
    assert shown == [
        " ply  player        move       score  chance  best line",
        "   7  ▲1 ann        e2   ??    -0.64    39 %  d3h e2",
        "   8  ▼2 a name th… d3h        +0.40    57 %",
    ]


def test_several_lines_are_listed_below_their_row() -> None:
    best = (line_of(WALL, STEP, score=40, chance=0.57), line_of(STEP, score=-29_998, chance=0.0, wins_in=-2))
    shown = plain(rows(PlyAnalysis(7, 1, STEP, best, best[1], 0.57, Mark.BLUNDER), NAMES, 80, ASCII, 2))
    assert shown == [
        "   7  1  ann        e2   ??   loss 2     0 %",
        "                   1.           +0.40  57 %  d3h e2",
        "                   2.          loss 2   0 %  e2",
    ]


def test_an_eliminated_player_has_a_row() -> None:
    assert plain(rows(PlyAnalysis(12, 1, None), NAMES, 80, ASCII)) == ["  12  1  ann        is out"]


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("lines", [1, 2])
@pytest.mark.parametrize("moves", [1, 5, 10, 11, 30])
def test_rows_fit_into_the_width(width: int, lines: int, moves: int) -> None:
    best = line_of(WALL, *[STEP] * (moves - 1))
    shown = plain(
        rows(PlyAnalysis(7, 2, STEP, (best,), line_of(), 0.2, Mark.BLUNDER), NAMES, width, UNICODE, lines)
    )
    assert max(map(len, shown)) <= width
    # An ellipsis stands for the rest.
    told = shown[-1].partition("%")[2].split()
    assert len(told) == moves or told[-1] == "…"


def test_the_graph_shows_the_first_player() -> None:
    plies = game_of([0.5, 0.5, 1.0, 1.0, 0.75], mark=Mark.MISTAKE)
    assert plain(graphs(plies, NAMES, 80, UNICODE)) == [
        "",
        "Winning chance of ▲1 ann",
        "100 % ┤       ███",
        "      ┤       ███",
        "      ┤       ███   ███",
        " 50 % ┤ ┈┈┈┈┈┈███┈┈┈███",
        "      ┤ █████████   ███",
        "      ┤ █████████   ███",
        "      ┤ █████████   ███",
        "  0 % ┤ █████████   ███",
        "  ply   1             5",
        "   ▲1               ?",
    ]


def test_a_graph_can_be_drawn_in_ascii() -> None:
    shown = plain(graphs(game_of([0.5, 0.4, 0.95]), NAMES, 80, ASCII))
    assert all(line.isascii() for line in shown)
    assert shown[2:6] == [
        "100 % |       :::",
        "      |       ###",
        "      |       ###",
        " 50 % | ---:::###",
    ]


@pytest.mark.parametrize(("plies", "numbers"), [(1, "  ply   1"), (2, "  ply   1    2")])
def test_a_graph_has_the_numbers_of_its_first_and_its_last_ply(plies: int, numbers: str) -> None:
    assert plain(graphs(game_of([0.5] * plies), NAMES, 80, UNICODE))[10].rstrip() == numbers


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("plies", [1, 2, 24, 36, 72, 73, 150, 1000])
@pytest.mark.parametrize("players", [2, 4])
def test_graphs_of_games_of_any_length_fit(glyphs: Glyphs, plies: int, players: int) -> None:
    names = ("a", "b", "c", "d")[:players]
    shown = plain(graphs(game_of([0.3] * plies, players, Mark.BLUNDER), names, 80, glyphs))
    assert max(map(len, shown)) <= 80
    assert sum("Winning chance" in line for line in shown) == (1 if players == 2 else 4)
    assert sum(line.endswith("?") for line in shown) == 1


def test_without_plies_there_are_no_graphs() -> None:
    assert graphs([], NAMES, 80, UNICODE) == []
    assert graphs([PlyAnalysis(1, 1, None)], NAMES, 80, UNICODE) == []


def test_the_summary_has_accuracies_and_counts_of_marks() -> None:
    plies = [
        *game_of([0.5, 0.5, 0.5]),
        PlyAnalysis(4, 2, STEP, (line_of(),), line_of(), 0.10, Mark.MISTAKE),
        PlyAnalysis(5, 1, None),
    ]
    shown = plain(summary(plies, NAMES, UNICODE))
    assert max(map(len, shown)) <= 80
    assert [line.split() for line in shown[2:]] == [
        ["▲1", "ann", "100", "%", "0", "0", "0"],
        ["▼2", "a", "name", "that…", "82", "%", "0", "1", "0"],
    ]
