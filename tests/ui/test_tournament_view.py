"""Displays of a tournament, on a console of fixed size."""

from __future__ import annotations

import io
import json
import math

import pytest
import trio
from attrs import evolve
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text
from trio.testing import MockClock

from quoridor_net.clobber import ClobberPosition
from quoridor_net.clobber.diagram import draw
from quoridor_net.match import GameStarted
from quoridor_net.outcome import Result, Termination
from quoridor_net.rules import Position
from quoridor_net.rules.diagram import UNICODE
from quoridor_net.tournament import (
    EntrantJoined,
    EntrantWithdrawn,
    Event,
    GameEvent,
    Listener,
    Pairing,
    RoundPaired,
    SettingChanged,
    TournamentEnded,
    TournamentResumed,
    TournamentStarted,
    TournamentState,
    TournamentStopping,
)
from quoridor_net.tournament.columns import format_elo, format_points
from quoridor_net.tournament.formats import RoundRobin
from quoridor_net.tournament.quoridor.plan import RULES, Plan, format_of
from quoridor_net.tournament.results import Results
from quoridor_net.tournament.sprt import Decision, Sprt, Verdict
from quoridor_net.ui.theme import colour_lines
from quoridor_net.ui.tournament_tables import cell_text
from quoridor_net.ui.tournament_view import FieldDisplay, open_display, print_tables
from tests.support.tournament_events import (
    end_game,
    make_move,
    pair_all,
    round_robin,
    start_game,
    state_after,
)

# Names may contain markup of the library that draws the tables.
NAMES = ("[red]ann", "bob", ":smile:")
FIRST = Result(1, Termination.NO_MOVES, "The first wins.", 7)
FAULT = Result(1, Termination.TOO_SLOW, "The first wins: [/x] did not answer.", 3)
OPENED = TournamentStarted("clobber", NAMES)
PAIRED = pair_all(RoundRobin(2), 3)
PAIRINGS = round_robin(3, 2)
EVENTS: tuple[Event, ...] = (
    OPENED,
    *PAIRED,
    start_game(1),
    make_move(1),
    end_game(1, FIRST),
    TournamentResumed(),
    start_game(2),
    end_game(2, FAULT),
)


def console(width: int = 80, height: int = 25, *, terminal: bool = False) -> Console:
    return Console(
        file=io.StringIO(), width=width, height=height, force_terminal=terminal, color_system=None,
        legacy_windows=False, highlight=False, _environ={},
    )  # fmt: skip


def output(of: Console) -> str:
    assert isinstance(of.file, io.StringIO)
    return "\n".join(line.rstrip() for line in of.file.getvalue().splitlines())


def draw_position(position: Position) -> Text:
    return Text(f"turn of {position.turn}\n" * 3 + "end")


def tell(state: TournamentState, display: Listener, *events: Event) -> None:
    for event in events:
        state.apply(event)
        display(event)


async def test_plain_display_writes_a_line_for_each_game() -> None:
    state, out = TournamentState(), console()
    async with open_display(FieldDisplay.PLAIN, state, draw_position, out) as display:
        tell(state, display, *EVENTS)
    pairs = [" - ".join(NAMES[seat - 1] for seat in PAIRINGS[game].seats) for game in (0, 1)]
    assert output(out).splitlines() == [
        f"game 1: {pairs[0]}",
        "game 1: 1-0 after 7 plies, no_moves. The first wins. (1 of 6 games)",
        "Resuming after 1 of 6 games.",
        f"game 2: {pairs[1]}",
        "game 2: 1-0 after 3 plies, too_slow. The first wins: [/x] did not answer. (2 of 6 games)",
    ]


CHANGES = (EntrantJoined("[b]eve", ""), EntrantWithdrawn(2), SettingChanged("concurrency", 4))


@pytest.mark.parametrize("kind", [FieldDisplay.PLAIN, FieldDisplay.LIVE])
async def test_changes_from_outside_are_shown(kind: FieldDisplay) -> None:
    state, out = TournamentState(), console(terminal=kind is FieldDisplay.LIVE)
    start = TournamentStarted("clobber", NAMES, {"concurrency": 1})
    async with open_display(kind, state, draw_position, out) as display:
        tell(state, display, start, *PAIRED, *CHANGES)
    seen = output(out)
    assert "[b]eve has joined." in seen
    assert "bob has left." in seen
    assert "4 games at once from now on." in seen
    assert ("bob (left)" in seen) == (kind is FieldDisplay.LIVE)


@pytest.mark.parametrize("kind", [FieldDisplay.PLAIN, FieldDisplay.LIVE])
async def test_a_request_to_stop_is_shown_until_the_end(kind: FieldDisplay) -> None:
    state, out = TournamentState(), console(terminal=kind is FieldDisplay.LIVE)
    async with open_display(kind, state, draw_position, out) as display:
        tell(state, display, *EVENTS)
        assert "Stopping" not in output(out)
        verdicts = [event for game in range(3, 7) for event in (start_game(game), end_game(game, FIRST))]
        tell(state, display, TournamentStopping(), *verdicts)
    last = output(out).rpartition("6 of 6 games")[2 if kind is FieldDisplay.LIVE else 0]
    assert last.count("Stopping after the running games. No new games start.") == 1


async def test_plain_display_counts_the_games_of_later_rounds() -> None:
    state, out = TournamentState(), console()
    settings = Plan("swiss", rounds=2, games=1).settings()
    async with open_display(FieldDisplay.PLAIN, state, draw_position, out) as display:
        tell(state, display, TournamentStarted(RULES, tuple("abcd"), settings))
        tell(
            state, display, RoundPaired(1, (Pairing(1, 1, (1, 2)), Pairing(2, 1, (3, 4)))), end_game(1, FIRST)
        )
    assert output(out).endswith("(1 of 4 games)")


async def test_json_lines_are_those_of_the_journal(capsys: pytest.CaptureFixture[str]) -> None:
    state = TournamentState()
    async with open_display(FieldDisplay.JSON, state, draw_position) as display:
        tell(state, display, *EVENTS)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    kinds = ["game_started", "move_made", "game_ended", "tournament_resumed", "game_started", "game_ended"]
    paired = ["round_paired"] * len(PAIRED)
    assert [line["event"] for line in lines] == ["tournament_started", *paired, *kinds]
    assert lines[-5]["game"] == lines[-5]["player"] == 1


async def test_quiet_display_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    state, out = TournamentState(), console()
    async with open_display(FieldDisplay.QUIET, state, draw_position, out) as display:
        tell(state, display, *EVENTS)
    assert output(out) == capsys.readouterr().out == ""


async def test_live_shows_progress_standings_boards_and_verdicts() -> None:
    state, out = TournamentState(), console(terminal=True)
    async with open_display(FieldDisplay.LIVE, state, draw_position, out) as display:
        tell(state, display, *EVENTS, start_game(3))
    seen = output(out)
    assert "2 of 6 games" in seen
    assert "turn of 1" in seen
    assert "─ 3 ─" in seen
    assert "─ 2 ─" not in seen
    assert " - ".join(NAMES[seat - 1] for seat in PAIRINGS[2].seats) in seen
    assert "1. The first wins." in seen
    assert "[red]ann" in seen


async def test_live_display_shows_the_state_of_a_test() -> None:
    state, out = TournamentState(), console(terminal=True)
    plan = Plan(sprt=Sprt(0.0, 20.0), games=100)
    state.apply(TournamentStarted(RULES, ("new", "old"), plan.settings()))
    for number in range(1, 4):
        made = plan.format.next_round(state.field())
        assert made is not None
        pairings = tuple(
            Pairing(state.last_game + place, number, seats, number)
            for place, seats in enumerate(made.games, 1)
        )
        state.apply(RoundPaired(number, pairings))
        for pairing in pairings:
            state.apply(end_game(pairing.number, Result(pairing.seats.index(1) + 1, Termination.GOAL, "", 1)))
    async with open_display(FieldDisplay.LIVE, state, draw_position, out):
        pass
    seen = output(out)
    verdict = Results.of(state, format_of(state)).verdict
    assert verdict is not None
    assert (
        f"SPRT: LLR {verdict.ratio:.2f} (-2.94 to 2.94): undecided between 0 and 20 normalised Elo." in seen
    )
    assert "new: Elo difference +inf (+77 to open), likelihood of superiority 99.3%." in seen
    assert "Pairs with 0, ½, 1, 1½ and 2 points: 0, 0, 0, 0, 3; normalised Elo" in seen
    # The number of remaining games is unknown.
    assert "6 games" in seen
    assert "6 of 6" not in seen


@pytest.mark.parametrize(
    ("decision", "told"),
    [
        (Decision.ACCEPTED, "H1 accepted, [b]new is better by 2.5 normalised Elo, not by -3."),
        (Decision.REJECTED, "H0 accepted, [b]new is better by -3 normalised Elo, not by 2.5."),
    ],
)
def test_a_decided_test_shows_the_accepted_hypothesis(decision: Decision, told: str) -> None:
    state = TournamentState()
    state.apply(TournamentStarted(RULES, ("[b]new", "old"), Plan(sprt=Sprt(-3.0, 2.5)).settings()))
    results = evolve(Results.of(state, format_of(state)), verdict=Verdict(3.1, -2.94, 2.94, decision))
    assert results.match_facts[0] == f"SPRT: LLR 3.10 (-2.94 to 2.94): {told}"


@pytest.mark.parametrize(
    ("elo", "text"), [(12.4, "+12"), (-0.3, "+0"), (-7.6, "-8"), (math.inf, "+inf"), (-math.inf, "-inf")]
)
def test_elo_has_a_sign(elo: float, text: str) -> None:
    assert format_elo(elo) == text


async def test_live_display_is_drawn_during_the_games(autojump_clock: MockClock) -> None:
    state, out = TournamentState(), console(terminal=True)
    async with open_display(FieldDisplay.LIVE, state, draw_position, out) as display:
        tell(state, display, *EVENTS)
        await trio.sleep(1)
        assert "2 of 6 games" in output(out)


async def test_live_display_writes_a_high_pace_in_full(autojump_clock: MockClock) -> None:
    state, out = TournamentState(), console(terminal=True)
    async with open_display(FieldDisplay.LIVE, state, draw_position, out) as display:
        tell(state, display, OPENED, *PAIRED, *(end_game(game, FIRST) for game in range(1, 7)))
        await trio.sleep(0.3)
    assert "1440 per minute" in output(out)


async def test_live_display_tells_pace_and_remaining_time_in_words(autojump_clock: MockClock) -> None:
    await trio.sleep(100)
    state, out = TournamentState(), console(terminal=True)
    async with open_display(FieldDisplay.LIVE, state, draw_position, out) as display:
        tell(state, display, OPENED, *PAIRED)
        await trio.sleep(59)
        tell(state, display, end_game(1, FIRST))
        await trio.sleep(1)
    bar = output(out).rpartition("1 of 6 games ")[2].splitlines()[0]
    assert bar.endswith(" 1 per minute, 5:00 left")


@pytest.mark.parametrize(
    ("width", "height", "boards"),
    [(42, 18, 6), (41, 18, 4), (27, 18, 2), (42, 17, 3), (42, 11, 0), (42, 7, 0)],
)
async def test_live_display_shows_the_boards_that_fit(width: int, height: int, boards: int) -> None:
    names = tuple("ab")
    state, out = TournamentState(), console(width, height, terminal=True)
    async with open_display(FieldDisplay.LIVE, state, draw_position, out) as display:
        tell(state, display, TournamentStarted("clobber", names), *pair_all(RoundRobin(8), 2))
        tell(state, display, *(start_game(game) for game in range(1, 9)))
    shown = output(out).rpartition("of 8 games")[2].partition("\x1b")[0]
    assert shown.count("turn of 1") == 3 * boards, shown
    assert len(shown.splitlines()) <= height
    assert boards or "running games more" in shown


async def test_live_display_drops_boards_that_do_not_fit() -> None:
    state, out = TournamentState(), console(height=12, terminal=True)
    async with open_display(FieldDisplay.LIVE, state, draw_position, out) as display:
        tell(state, display, *EVENTS, start_game(3))
    assert "turn of" not in output(out)


async def test_live_display_cuts_the_standings_to_the_height_of_the_terminal() -> None:
    entrants = 30
    names = tuple(f"entrant-{number}" for number in range(entrants))
    state, out = TournamentState(), console(height=20, terminal=True)
    verdicts = [end_game(game, FIRST) for game in range(1, 7)]
    async with open_display(FieldDisplay.LIVE, state, draw_position, out) as display:
        started = TournamentStarted("clobber", names)
        tell(state, display, started, *pair_all(RoundRobin(1), entrants), start_game(7), *verdicts)
    rows = output(out).rpartition("of 435 games")[2].splitlines()
    assert len(rows) <= 20
    [end] = [place for place, row in enumerate(rows) if row.endswith(" more")]
    shown = sum("entrant-" in row for row in rows[:end])
    assert rows[end] == f"and {entrants - shown} more"
    assert "6. The first wins." in rows[end:]


async def test_live_display_cuts_lines_that_are_too_long() -> None:
    state, out = TournamentState(), console(40, terminal=True)
    async with open_display(FieldDisplay.LIVE, state, draw_position, out) as display:
        tell(state, display, *EVENTS, TournamentStopping(), start_game(3))
    rows = output(out).rpartition("of 6 games")[2].splitlines()
    assert "Stopping after the running games. No ne…" in rows
    assert not any("games start" in row for row in rows)
    assert "2. The first wins: [/x] did not answer." in rows


async def test_live_shows_the_clobber_boards_of_running_games() -> None:
    state, out = TournamentState(), console(terminal=True)
    position = ClobberPosition.start(2, 1)
    async with open_display(
        FieldDisplay.LIVE, state, lambda board: colour_lines(draw(board, UNICODE)), out
    ) as display:
        tell(state, display, OPENED, *PAIRED, GameEvent(1, GameStarted(NAMES[:2], position, None, 0)))
    assert " 1 ● ○ " in output(out)


def test_final_tables_are_crosstable_and_standings() -> None:
    state = state_after(EVENTS)
    out = console()
    print_tables(state, out)
    assert output(out).rstrip() == (
        "    Name      1  2  3  Points  S-B\n"
        "1.  :smile:   *  1  ·       1    1\n"
        "2.  [red]ann  0  *  1       1    0\n"
        "3.  bob       ·  0  *       0    0\n"
        "\n"
        "    Name      Points  Games  Won  Lost  Forfeited  S-B\n"
        "1.  :smile:        1      1    1     0          0    1\n"
        "2.  [red]ann       1      2    1     1          1    0\n"
        "3.  bob            0      1    0     1          0    0"
    )  # fmt: skip


def test_tables_are_separated_by_empty_lines() -> None:
    out = console()
    print_tables(state_after(EVENTS), out, with_details=True)
    parts = [part.splitlines() for part in output(out).split("\n\n")]
    assert [part[0].split()[0] for part in parts if "Name" in part[0]] == ["Name"] * 4
    assert not [line for part in parts for line in part[1:] if line.split()[:1] == ["Name"]]
    assert not [part for part in parts if "Name" in part[0] and not part[-1].startswith("3.")]


def test_a_tournament_stopped_before_its_start_has_empty_tables() -> None:
    out = console()
    print_tables(TournamentState(), out)
    assert "Points" in output(out)


def test_a_swiss_tournament_shows_its_tie_breaks() -> None:
    state, out = TournamentState(), console()
    state.apply(TournamentStarted(RULES, ("ann", "bob", "cid"), Plan("swiss", rounds=2, games=1).settings()))
    state.apply(RoundPaired(1, (Pairing(1, 1, (1, 2)),), (3,)))
    state.apply(end_game(1, FIRST))
    state.apply(EntrantWithdrawn(2))
    print_tables(state, out, with_details=True)
    assert (
        "    Name        Points  Games  Won  Lost  Forfeited  Byes  Buchholz  S-B\n"
        "1.  cid              1      0    0     0          0     1         1    1\n"
        "2.  ann              1      1    1     0          0     0         0    0\n"
        "3.  bob (left)       0      1    0     1          0     0         1    0\n"
        "\n"
        "The tournament is not over: 1 of 2 games so far.\n"
        "The last games:\n"
        "1. ann - bob: 1-0, no_moves, 7 plies\n"
    ) in output(out)
    state.apply(TournamentEnded())
    again = console()
    print_tables(state, again, with_details=True)
    assert "The tournament is over: 1 game.\n" in output(again)


LONG = "the-team-with-the-longest-name-of-all-that-came-to-this-tournament"
WIDE = "\u65e5\u672c\u8a9e" * 5


@pytest.mark.parametrize("name", [LONG, WIDE])
def test_names_are_cut_by_columns_on_a_terminal_only(name: str) -> None:
    state = state_after(
        [TournamentStarted("clobber", ("ann", name)), *pair_all(RoundRobin(1), 2), end_game(1, FIRST)]
    )
    pipe, terminal = console(), console(terminal=True)
    print_tables(state, pipe, with_details=True)
    table, standings = output(pipe).split("\n\n")[:2]
    assert f"2.  {name}" in table
    assert f"2.  {name}" in standings
    print_tables(state, terminal, with_details=True)
    rows = [line for line in output(terminal).splitlines() if line.startswith("2.  ")]
    assert name not in output(terminal).partition("The last games")[0]
    assert all("…" in row and cell_len(row.partition("…")[0]) <= 4 + 23 for row in rows[:2])


def test_a_long_name_that_left_is_cut_before_its_remark() -> None:
    state = state_after(
        [TournamentStarted("clobber", ("ann", LONG)), *pair_all(RoundRobin(1), 2), end_game(1, FIRST)]
    )
    state.apply(EntrantWithdrawn(2))
    out = console(terminal=True)
    print_tables(state, out)
    assert output(out).count(f"{LONG[:23]}… (left)") == 2


def test_a_crosstable_that_is_too_wide_is_omitted() -> None:
    names = tuple(f"entrant{number}" for number in range(30))
    state = state_after([TournamentStarted("clobber", names), *pair_all(RoundRobin(1), 30)])
    out = console()
    print_tables(state, out)
    assert output(out).count("entrant29") == 1
    wide = console(width=200)
    print_tables(state, wide)
    assert output(wide).count("entrant29") == 2
    assert all(len(line) <= 80 for line in output(out).splitlines())


@pytest.mark.parametrize(
    ("points", "text"),
    [
        ((), "·"),
        ((1.0,), "1"),
        ((1.0, 0.0), "10"),
        ((0.5, 0.0, 1.0), "½01"),
        ((1.0, 0.5, 0.0, 1.0, 0.0), "2½/5"),
    ],
)
def test_cells_show_games_or_their_sum(points: tuple[float, ...], text: str) -> None:
    assert cell_text(points) == text


@pytest.mark.parametrize(
    ("points", "text"),
    [
        (0.0, "0"),
        (0.5, "½"),
        (2.5, "2½"),
        (3.0, "3"),
        (2.25, "2.25"),
        # Sonneborn-Berger in a large tournament.
        (123456.25, "123456.25"),
        (2_000_000.0, "2000000"),
    ],
)
def test_points_are_written_with_halves(points: float, text: str) -> None:
    assert format_points(points) == text
