"""Pages agree with the program."""

from __future__ import annotations

import json
import re
import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args, get_origin

import click
import pytest
from trio.testing import MockClock

from quoridor_net.cli.main import COMMANDS, main
from quoridor_net.clobber import ClobberPosition
from quoridor_net.match import GameStarted, MatchEvent, MovesTakenBack, TurnPassed
from quoridor_net.match.encoding import as_object
from quoridor_net.players.spec import KINDS
from quoridor_net.testing import move_servers as scripts
from quoridor_net.tournament import (
    EntrantAway,
    EntrantBack,
    EntrantJoined,
    EntrantRenewed,
    EntrantReturned,
    EntrantWithdrawn,
    Event,
    GameEvent,
    Pairing,
    RoundPaired,
    SettingChanged,
    TournamentEnded,
    TournamentResumed,
    TournamentStarted,
    TournamentStopping,
)
from quoridor_net.tournament.encoding import as_object as tournament_object
from quoridor_net.tournament.encoding import parse_event
from quoridor_net.tournament.formats import FORMATS
from server.source import OWN
from tests.docs.pages import DOCS, ROOT, Command, commands, name_of, pages, section
from tests.support.linked_game import play_linked
from tests.test_floors import FIRST_WITH_TRIO, FLOORS


def test_the_architecture_page_lists_the_floors() -> None:
    rows = re.findall(r"^\| `([\w.]+)` \|", section(DOCS / "architecture.md", "The floors"), re.MULTILINE)
    assert rows == list(FLOORS)


def test_the_architecture_page_says_where_trio_begins() -> None:
    above, _, below = section(DOCS / "architecture.md", "The floors").partition("**from here on trio**")
    assert f"`{FLOORS[FIRST_WITH_TRIO - 1]}` |" in above
    assert f"`{FLOORS[FIRST_WITH_TRIO]}` |" in below


def test_modules_named_on_the_architecture_page_exist() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    for name in set(re.findall(r"\b(?:quoridor_net|server|client)(?:\.[a-z_]+)+", text)):
        path = ROOT / name.replace(".", "/")
        assert path.is_dir() or path.with_suffix(".py").is_file(), name


EVENTS = DOCS / "reference" / "events.md"


def read_fields(heading: str) -> dict[str, set[str]]:
    """Return the fields of the events in the table of a section."""
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", section(EVENTS, heading), re.MULTILINE)
    return {event: {"event", *_keys(text)} for event, text in rows}


async def test_events_have_the_fields_of_the_reference(autojump_clock: MockClock) -> None:
    played = await play_linked({2: scripts.answers(b"?\n")})
    started = GameStarted(("ann", "bob"), ClobberPosition.start(2, 1), None, 1000)
    fields: dict[str, set[str]] = {}
    taken_back = MovesTakenBack(1, 2, ClobberPosition.start(2, 1))
    for event in [*played.events, TurnPassed(1), taken_back, started]:
        found = as_object(event)
        fields.setdefault(str(found["event"]), set()).update(found)
    assert read_fields("Games") == fields


def test_events_of_tournaments_have_the_fields_of_the_reference() -> None:
    events: list[Event] = [
        TournamentStarted("hex", ("ann", "bob")),
        RoundPaired(1, (Pairing(1, 1, (1, 2)),)),
        EntrantJoined("cid"),
        EntrantWithdrawn(2),
        EntrantReturned(2, "laptop2:5858"),
        EntrantAway(2, "cannot be reached: Connection refused"),
        EntrantBack(2),
        EntrantRenewed(2, "2.0", "laptop2:5858", 412.5),
        SettingChanged("concurrency", 4),
        TournamentResumed(),
        TournamentStopping(),
        TournamentEnded(),
    ]
    now = datetime.now(UTC)
    objects = [tournament_object(event, now) for event in events]
    assert read_fields("Tournaments") == {found["event"]: set(found) for found in objects}
    assert [parse_event(found) for found in objects] == events
    inner = TurnPassed(1)
    assert tournament_object(GameEvent(3, inner), now) == {
        **as_object(inner), "time": now.isoformat(timespec="milliseconds"), "game": 3
    }  # fmt: skip


def test_every_event_is_in_the_reference() -> None:
    assert read_fields("Games").keys() == kinds(MatchEvent)
    # The event of a game is named after the event in it.
    assert read_fields("Tournaments").keys() == kinds(Event) - {"game_event"}


def kinds(family: Any) -> set[str]:
    """Return the names that the events of a family have in JSON."""
    names = ((get_origin(each) or each).__name__ for each in get_args(family))
    return {re.sub(r"\B([A-Z])", r"_\1", name).lower() for name in names}


@pytest.mark.parametrize("heading", ["Games", "Tournaments", "Programs that write more"])
def test_every_event_of_the_reference_has_an_example(heading: str) -> None:
    lines = re.findall(r"^\{.*\}$", section(EVENTS, heading), re.MULTILINE)
    examples = {found["event"]: set(found) for found in map(json.loads, lines)}
    fields = read_fields(heading)
    if heading == "Games":
        fields["game_started"] -= {"columns", "rows"}
    assert examples == fields


def _keys(text: str) -> list[str]:
    """Return the keys in a cell, without the explanations in brackets."""
    return re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", text))


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_commands_exist_as_spelled(page: Path) -> None:
    for command in commands(page):
        check_spelling(command)


def check_spelling(shown: Command) -> None:
    words = shlex.split(re.sub(r"^.*\| *", "", shown.text))
    for written, name in (("python -m server", "serve"), ("python -m client", "display")):
        if words[:3] == written.split():
            words = ["quoridor", name, *words[3:]]
    if words[0] != "quoridor":
        return
    command: click.Command = main
    context = click.Context(main)
    rest = words[1:]
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        found = command.get_command(context, rest[0])
        assert found is not None, f"{shown.text}: there is no such command"
        command, rest = found, rest[1:]
    parameters = command.get_params(click.Context(command))
    known = {
        "-h",
        *(name for parameter in parameters for name in [*parameter.opts, *parameter.secondary_opts]),
    }
    # The command line of another program follows --.
    for word in rest[: rest.index("--")] if "--" in rest else rest:
        if re.match(r"--?[a-z]", word):
            assert word.partition("=")[0] in known, f"{shown.text}: there is no option {word}"


def test_every_player_of_a_move_server_is_described() -> None:
    words = [word for word, kind in KINDS.items() if word and (kind.source or word in OWN)]
    text = section(DOCS / "howto-lan.md", "On each player's machine")
    assert sorted(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == sorted(words)


def test_every_format_of_a_tournament_is_described() -> None:
    text = section(DOCS / "tournament.md", "Formats")
    assert re.findall(r"^\| `(\w[\w-]+)` \|", text, re.MULTILINE) == [*FORMATS]


def test_every_package_with_public_names_is_in_the_reference() -> None:
    record = (ROOT / "tests" / "data" / "public_names.txt").read_text(encoding="utf-8")
    packages = re.findall(r"^([\w.]+): \S", record, re.MULTILINE)
    text = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    assert [package for package in packages if f"\n## {package}\n" not in text] == []


def test_the_exit_status_of_every_command_is_documented() -> None:
    rows = re.findall(r"^\| `quoridor (\w+)", section(DOCS / "verdicts.md", "Exit status"), re.MULTILINE)
    missing = set(COMMANDS) - set(rows)
    assert not missing, f"add a row to the table in docs/verdicts.md, Exit status, for: {sorted(missing)}"
