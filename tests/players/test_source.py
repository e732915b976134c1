"""Sources of players: opened from a spec, checked before anything begins, closed without a trace."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
import trio
from attrs import evolve
from trio.testing import MockClock

from quoridor_net.engine import Limits
from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.phrases import Translatable
from quoridor_net.players import server as server_module
from quoridor_net.players.athens import AthensPlayer
from quoridor_net.players.lan import LanPlayer
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.players.source import SourceSettings, open_source, warm_up
from quoridor_net.players.spec import parse_spec
from quoridor_net.programs.source import EngineSource
from quoridor_net.verdicts import VerdictPhrase
from tests.support.engine_programs import sloppy_command
from tests.support.loopback import listen_on_loopback, reserve_port


async def test_a_player_of_the_application_is_made_by_it() -> None:
    person = SimplePlayer(1)
    spec = parse_spec("ann=human", ["human"])
    async with trio.open_nursery() as nursery:
        source = await open_source(spec, nursery, SourceSettings(own={"human": lambda _seed: person}))
        await source.check()
        assert (source.name, await source.player(7)) == ("ann", person)
        await source.close()


async def test_a_program_is_checked_and_plays() -> None:
    async with trio.open_nursery() as nursery:
        source = await open_source(parse_spec(f"qtp:{sloppy_command('sane')}"), nursery)
        assert source.name == ""
        await source.check()
        player = await source.player(None)
        assert (source.name, player.name, type(player)) == ("Sloppy", "Sloppy", AthensPlayer)
        await source.close()


async def test_a_program_does_not_start_before_its_game(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def prepare(_source: EngineSource) -> None:
        raise AssertionError("the program started")

    monkeypatch.setattr(EngineSource, "prepare", prepare)
    async with trio.open_nursery() as nursery:
        source = await open_source(parse_spec("qtp:./engine"), nursery)
        await source.arrive()
        await source.close()


async def test_a_missing_program_fails_its_check() -> None:
    async with trio.open_nursery() as nursery:
        source = await open_source(parse_spec("qtp:./no-such-engine"), nursery)
        with pytest.raises(ForfeitError, match=r"there is no program .* that can be run"):
            await source.check()
        await source.close()


async def test_a_server_is_checked_and_greeted_for_each_game() -> None:
    async def greet(stream: trio.SocketStream) -> None:
        assert await stream.receive_some() == b"HELLO\n"
        await stream.send_all(b"IAM bob\n")
        assert await stream.receive_some() == b""

    async with listen_on_loopback(greet) as endpoint, trio.open_nursery() as nursery:
        source = await open_source(parse_spec(str(endpoint)), nursery)
        await source.check()
        assert source.name == "bob"
        transcript = io.StringIO()
        player = await source.player(None, transcript)
        assert player.name == "bob"
        await player.leave()
        await source.close()
        assert "IAM bob" in transcript.getvalue()


async def test_a_server_that_does_not_come_fails_its_check() -> None:
    with reserve_port() as port:
        async with trio.open_nursery() as nursery:
            server = parse_spec(f"127.0.0.1:{port}")
            source = await open_source(server, nursery, SourceSettings(patience=0.05))
            with pytest.raises(ForfeitError, match="cannot be reached"):
                await source.check()


@pytest.mark.parametrize(
    ("spec", "seconds", "said"),
    [
        ("bob=host:1", 30.0, ["Waiting up to 30 s for bob at host:1."]),
        ("host:1", 30.0, ["Waiting up to 30 s for host:1."]),
        ("host:1", 2.0, []),
    ],
)
async def test_a_server_that_is_awaited_for_long_is_named(
    spec: str, seconds: float, said: list[str], autojump_clock: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def greet(*_: object, **_how: object) -> None:
        await trio.sleep(seconds)
        raise ForfeitError(Termination.DISCONNECTED, Translatable("cannot be reached"))

    monkeypatch.setattr(server_module, "greet", greet)
    heard: list[str] = []
    async with trio.open_nursery() as nursery:
        settings = SourceSettings(patience=seconds, report=heard.append)
        source = await open_source(parse_spec(spec), nursery, settings)
        with pytest.raises(ForfeitError, match="cannot be reached"):
            await source.check()
    assert heard == said


async def test_a_server_that_comes_soon_is_neither_announced_nor_delayed(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrived = SimplePlayer(0)

    async def greet(*_: object, **_how: object) -> SimplePlayer:
        await trio.sleep(1)
        return arrived

    monkeypatch.setattr(server_module, "greet", greet)
    heard: list[str] = []
    async with trio.open_nursery() as nursery:
        settings = SourceSettings(patience=30.0, report=heard.append)
        source = await open_source(parse_spec("host:1"), nursery, settings)
        started = trio.current_time()
        assert await source.player(None) is arrived
    assert (trio.current_time() - started, heard) == (1, [])


async def test_a_listening_engine_may_be_late(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts: list[float] = []

    async def refuse(*_: object) -> trio.SocketStream:
        await trio.lowlevel.checkpoint()
        attempts.append(trio.current_time() - started)
        raise ConnectionRefusedError

    monkeypatch.setattr("quoridor_net.programs.link.connect", refuse)
    async with trio.open_nursery() as nursery:
        source = await open_source(parse_spec("tcp:nowhere:1"), nursery, SourceSettings(patience=3.0))
        started = trio.current_time()
        with pytest.raises(ForfeitError, match="accepts no connection"):
            await source.arrive()
        # One at the end of its patience could not wait for an answer.
        assert attempts == [0.0, 1.0, 2.0]
        await source.close()


async def test_a_busy_server_is_tried_again_while_there_is_time(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts: list[float] = []

    async def hang_up(*_: object, **_named: object) -> LanPlayer:
        await trio.lowlevel.checkpoint()
        attempts.append(trio.current_time() - started)
        raise ForfeitError(Termination.DISCONNECTED, VerdictPhrase.CLOSED_AT(when=VerdictPhrase.UNASKED()))

    monkeypatch.setattr("quoridor_net.players.server.greet", hang_up)
    async with trio.open_nursery() as nursery:
        source = await open_source(parse_spec("nowhere:1"), nursery, SourceSettings(patience=3.0))
        started = trio.current_time()
        with pytest.raises(ForfeitError, match="closed the connection"):
            await source.player(None)
        assert attempts == [0.0, 1.0, 2.0]
        await source.close()


@pytest.mark.parametrize(("settings", "threads"), [(SourceSettings(), 1), (SourceSettings(threads=3), 3)])
async def test_the_engine_uses_one_thread_unless_more_are_allowed(
    settings: SourceSettings, threads: int
) -> None:
    asked: list[Limits] = []

    def make(limits: Limits) -> Callable[[int | None], SimplePlayer]:
        asked.append(limits)
        return SimplePlayer

    async with trio.open_nursery() as nursery:
        source = await open_source(parse_spec("engine:nodes=9"), nursery, evolve(settings, engine=make))
        assert isinstance(await source.player(1), SimplePlayer)
        await source.close()
    assert [limits.threads for limits in asked] == [threads]


@pytest.mark.parametrize(("words", "count"), [(("simple", "random"), 0), (("engine", "engine:level=3"), 1)])
async def test_only_the_engine_is_prepared_and_that_once(
    words: tuple[str, ...], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []

    def prepare(report: Callable[[str], None]) -> None:
        report("ready")

    monkeypatch.setattr("quoridor_net.players.engine.prepare", prepare)
    await warm_up([parse_spec(word) for word in (*words, "qtp:ls", "[::1]:1")], lines.append)
    assert lines == ["engine: ready"] * count
