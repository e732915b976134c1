"""Entrants arrive at their games, or do not, under their names in the tournament."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing
from attrs import evolve

from quoridor_net.events import Event
from quoridor_net.match import GameEnded, GameStarted, PlayerOut
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.players import Clock, Player, Seating
from quoridor_net.players.spec import parse_spec
from quoridor_net.rules import Position
from quoridor_net.tournament import Pairing, StateError
from quoridor_net.tournament.quoridor.openings import parse_openings
from quoridor_net.tournament.quoridor.roster import Roster, open_roster
from quoridor_net.tournament.quoridor.terms import GameTerms
from tests.support.engine_programs import sloppy_command
from tests.support.loopback import listen_on_loopback, reserve_port
from tests.support.patience import PATIENCE

TERMS = GameTerms(no_show_time=0.05, move_time=20.0)
GAME = Pairing(1, 1, (1, 2))


async def make_ready(roster: Roster, *entrants: str) -> None:
    for entrant in entrants:
        await roster.add(parse_spec(entrant))
    assert await roster.introduce() == {}


async def play(roster: Roster, pairing: Pairing = GAME) -> tuple[Result, list[Event]]:
    events: list[Event] = []
    result = await roster.play(pairing, events.append)
    assert isinstance(events[-1], GameEnded)
    assert events[-1].result == result
    return result, events


@asynccontextmanager
async def serve_names(*names: str) -> AsyncIterator[Endpoint]:
    """Serve like a program that changes its name each time, and leaves when asked for a move."""
    left = list(names)

    async def serve(stream: trio.SocketStream) -> None:
        name = left.pop(0) if len(left) > 1 else left[0]
        await stream.receive_some()
        await stream.send_all(f"IAM {name}\n".encode())
        while b"MYOUSHU" not in await stream.receive_some():
            pass

    async with listen_on_loopback(serve) as endpoint:
        yield endpoint


async def test_equal_names_are_made_unique() -> None:
    engine = f"qtp:{sloppy_command('sane')}"
    async with serve_names("Sloppy") as one, serve_names("bob") as other, open_roster(GameTerms()) as roster:
        await make_ready(roster, str(one), engine, str(other), "bob=random", engine, "random")
        assert roster.names == ("Sloppy", "Sloppy#2", "bob", "bob#2", "Sloppy#3", "random")


async def test_names_of_servers_are_printable() -> None:
    async with (
        serve_names("zoe\u0308") as one,
        serve_names("a\u202eb") as other,
        open_roster(GameTerms()) as roster,
    ):
        await make_ready(roster, str(one), str(other), "zo\u00eb=random")
        assert roster.names == ("zo\u00eb", "a\\u202eb", "zo\u00eb#2")


async def test_the_name_of_a_program_is_one_word() -> None:
    async with open_roster(GameTerms()) as roster:
        await make_ready(roster, f"qtp:{sloppy_command('paints_name')}")
        (name,) = roster.names
        assert len(name) <= 80
        assert re.fullmatch(r"[!-~]+_Sloppyy+\.{3}", name)


async def test_the_name_of_a_program_may_be_in_any_script() -> None:
    async with open_roster(GameTerms()) as roster:
        await make_ready(roster, f"qtp:{sloppy_command('writes_utf8')}")
        assert roster.names == ("Zo\u00eb_\u00e0_\u65e5\u672c",)


async def test_a_server_that_changes_its_name_keeps_that_of_the_tournament() -> None:
    async with serve_names("bob", "bobby", "robert") as endpoint, open_roster(TERMS) as roster:
        await make_ready(roster, str(endpoint), "simple")
        for number in (1, 2, 3):
            _, events = await play(roster, Pairing(number, 1, (1, 2)))
            assert isinstance(events[0], GameStarted)
            assert events[0].names == ("bob", "simple")
        assert roster.names == ("bob", "simple")


async def test_a_server_gets_the_opening() -> None:
    kept: dict[int, str] = {}
    openings = tuple(opening for _, opening in parse_openings("e2 e8 e3 e7", TERMS.start()))

    def keep(_game: int, seat: int, text: str) -> None:
        kept[seat] = text

    async with serve_names("bob") as endpoint, open_roster(evolve(TERMS, openings=openings), keep) as roster:
        await make_ready(roster, "Jürg=simple", str(endpoint))
        assert roster.names == ("Jürg", "bob")
        await play(roster)
    told = [line.split(maxsplit=3)[-1] for line in kept[2].splitlines()]
    assert told[:3] == ["b'HELLO\\n'", "b'IAM bob\\n'", "b'GAME 2 J\\xc3\\xbcrg bob\\n'"]
    assert [line[2:11] for line in told[3:9]] == [*["ATARI 1 (", "ATARI 2 ("] * 2, "ATARI 1 [", "MYOUSHU\\n"]


async def test_a_game_is_postponed_once_and_then_forfeited() -> None:
    with reserve_port() as port:
        async with open_roster(TERMS) as roster:
            await roster.add(parse_spec(f"gone=127.0.0.1:{port}"))
            await roster.add(parse_spec("simple"))
            result, _ = await play(roster)
            assert (result.is_void, result.winner) == (True, None)
            assert result.sentence == "The game is postponed: gone cannot be reached: Connection refused."
            result, events = await play(roster)
            assert (result.winner, result.termination) == (2, Termination.DISCONNECTED)
            assert any(isinstance(event, PlayerOut) and event.player == 1 for event in events)
            # Absences from another game are counted separately.
            result, _ = await play(roster, Pairing(2, 1, (2, 1)))
            assert result.is_void


@pytest.mark.parametrize("habit", ["refuses_size", "ends"])
async def test_an_entrant_that_is_refused_leaves_nothing(habit: str) -> None:
    async def refuse(_name: str) -> None:
        raise StateError("the tournament is over")

    async with open_roster(TERMS if habit == "ends" else GameTerms()) as roster:
        before = roster._nursery.child_tasks
        with pytest.raises((ForfeitError, StateError)):
            await roster.admit(parse_spec(f"qtp:{sloppy_command(habit)}"), refuse)
        await trio.testing.wait_all_tasks_blocked(0.3)
        assert roster.names == ()
        assert roster._nursery.child_tasks == before


async def test_games_of_former_entrants_are_awarded_to_opponents() -> None:
    events: list[Event] = []
    async with open_roster(TERMS) as roster:
        await make_ready(roster, "ann=simple", "bob=simple")
        roster.award(Pairing(1, 1, (2, 1)), [2], events.append)
    out, end = events
    assert isinstance(out, PlayerOut)
    assert isinstance(end, GameEnded)
    assert (out.player, out.fault.termination, end.result.winner) == (1, Termination.RESIGNED, 2)
    assert end.result.sentence == "ann wins: bob left the tournament."


async def _accept() -> None:
    await trio.lowlevel.checkpoint()


async def test_an_engine_that_is_brought_back_finishes_its_running_game() -> None:
    entrant = parse_spec(f"bot=qtp:{sloppy_command('sane')}")
    async with open_roster(GameTerms()) as roster:
        await roster.add(entrant)
        await roster.add(parse_spec("random"))
        assert await roster.introduce() == {}
        player, _ = await roster.seat(GAME)
        assert isinstance(player, Player)
        position = Position()
        await player.ready()
        await player.begin(Seating(1, ("bot", "random"), position.copy()))
        assert await roster.readmit(1, entrant, _accept) == "bot"
        # Longer than the time that engines have to quit.
        with trio.fail_after(PATIENCE):
            assert position.is_legal(await player.choose(position.copy(), Clock(move_time=PATIENCE)))
        await player.leave()


async def test_one_of_two_requests_to_bring_back_an_entrant_is_refused() -> None:
    entrant = parse_spec(f"bot=qtp:{sloppy_command('sane')}")
    brought_back: list[int] = []

    async def bring_back() -> None:
        await trio.lowlevel.checkpoint()
        if brought_back:
            raise StateError("entrant 1 has not left")
        brought_back.append(1)

    async with open_roster(GameTerms()) as roster:
        await roster.add(entrant)
        await roster.add(parse_spec("random"))
        assert await roster.introduce() == {}
        refusals: list[str] = []

        async def readmit() -> None:
            try:
                await roster.readmit(1, entrant, bring_back)
            except StateError as error:
                refusals.append(str(error))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(readmit)
            nursery.start_soon(readmit)
        assert refusals == ["entrant 1 has not left"]
        # One of its engines is still playing.
        result, _ = await play(roster)
        assert result.winner is not None
