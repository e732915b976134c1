"""What names an entrant: every form is understood, and every wrong one is explained in one sentence."""

from __future__ import annotations

import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.clocks import GameClock
from quoridor_net.engine.limits import MOST_THREADS, STRONGEST
from quoridor_net.players.source import source_of
from quoridor_net.players.spec import KINDS, check_system, list_forms, parse_spec, processors
from quoridor_net.text import MAX_NAME


def sentence_about(text: str) -> str:
    """Return the message that refuses ``text``; empty if it names a player."""
    try:
        parse_spec(text)
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("text", "kind", "name", "address"),
    [
        ("127.0.0.1:5000", "", "", "127.0.0.1:5000"),
        ("ann=host:1", "", "ann", "host:1"),
        ("a:b=[::1]:5000", "", "a:b", "[::1]:5000"),
        ("host:1,games=2", "", "", "host:1,games=2"),
        ("tcp:[::1]:5858", "tcp", "", "tcp:[::1]:5858"),
        ("x=tcp:host:5858", "tcp", "x", "tcp:host:5858"),
        # Machines may be called like players.
        ("simple:5858", "", "", "simple:5858"),
        ("web:5858", "", "", "web:5858"),
        ("qtp:engine --level=3", "qtp", "", "qtp:engine --level=3"),
        ("e=qtp:engine --level=3", "qtp", "e", "qtp:engine --level=3"),
        ("engine", "engine", "", "engine"),
        ("engine:level=5,think=0.1", "engine", "", "engine:level=5,think=0.1"),
        ("x=engine:nodes=100,depth=3", "engine", "x", "engine:nodes=100,depth=3"),
        ("simple", "simple", "", "simple"),
        ("b=random", "random", "b", "random"),
    ],
)
def test_every_form_is_understood(text: str, kind: str, name: str, address: str) -> None:
    entrant = parse_spec(text)
    assert (entrant.word, entrant.name, entrant.address) == (kind, name, address)
    # A journal keeps the address, and the name beside it.
    assert parse_spec(address).word == kind


def test_only_engine_programs_and_servers_are_not_built_in() -> None:
    assert {word for word, kind in KINDS.items() if not kind.is_built_in} == {"", "tcp", "qtp"}


@pytest.mark.parametrize(
    ("option", "most"), [("level", STRONGEST), ("nodes", 10**9), ("depth", 100), ("threads", MOST_THREADS)]
)
def test_numbers_of_the_engine_have_limits(option: str, most: int) -> None:
    for number in (1, most):
        assert getattr(parse_spec(f"engine:{option}={number}").thinking, option) == number
    for number in (0, most + 1):
        with pytest.raises(ValueError, match=str(number)):
            parse_spec(f"engine:{option}={number}")


def test_an_unknown_number_of_processors_counts_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert processors() == 1
    monkeypatch.setattr(os, "cpu_count", lambda: 10_000)
    assert processors() == MOST_THREADS


def test_options_are_taken() -> None:
    engine = parse_spec("engine:level=5,think=0.25,nodes=7,depth=3,threads=2").thinking
    assert (engine.level, engine.think, engine.nodes, engine.depth, engine.threads) == (5, 0.25, 7, 3, 2)
    assert parse_spec("host:1").games == 1
    assert parse_spec("host:1,games=3").games == 3
    assert parse_spec("host:1,games=1000").games == 1000
    assert parse_spec("simple").games is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nobody",
        "=simple",
        "host:1,games=1001",
        "a=",
        "a=b=simple",
        "simple:level=3",
        "engine:level=0",
        "engine:level=11",
        "engine:level",
        "engine:think=0",
        "engine:think=1e3",
        "engine:think=nan",
        "engine:speed=3",
        "engine:threads=0",
        "engine:threads=257",
        "engine:level=3,level=4",
        "engine:nodes=\u0665",
        "host:0",
        "host:65536",
        "host:x",
        ":5000",
        "host:1,games=0",
        "host:1,level=3",
        "qtp:",
        "qtp:'unclosed",
        "tcp:5858",
        "tcp:host:0",
        "x" * (MAX_NAME + 1) + "=simple",
        "a\x07b=simple",
        "a\u202eb=simple",
        "a b=simple",
    ],
)
def test_a_wrong_form_is_one_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"\A[^\n\x07]{5,400}\Z"):
        parse_spec(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Team Rocket=simple", "the name 'Team Rocket' contains a space: write 'Team_Rocket'"),
        ("Team Rocket=host:1,games=2", "the name 'Team Rocket' contains a space: write 'Team_Rocket'"),
        (" ann=simple", "the name ' ann' contains a space: write 'ann'"),
        # Rather the command of an engine than a name.
        (
            "./my engine --level=3",
            f"'./my engine --level=3' is not a player: expected {list_forms()}",
        ),
    ],
)
def test_a_name_with_a_space_is_rejected_as_such(text: str, sentence: str) -> None:
    assert sentence_about(text) == sentence


def test_options_of_a_player_without_options_are_rejected_as_such() -> None:
    for text in ("simple:level=3", "ann=simple:level=3", "simple:hard", "ann=simple:hard"):
        assert sentence_about(text) == "simple takes no options"
    assert sentence_about("ann=random,seed=1") == f"'random,seed=1' is not a player: expected {list_forms()}"
    assert parse_spec("simple:bot=host:5858").name == "simple:bot"


def test_names_are_read_in_their_normal_form() -> None:
    assert parse_spec("zoe\u0308=simple").name == "zo\u00eb"


@given(st.text() | st.from_regex(r"([a-z:=,]{0,9}=)?(engine|qtp|h:1|simple)[:,]?[a-z0-9=,.:]{0,20}"))
def test_nothing_but_a_sentence_is_raised(text: str) -> None:
    assert sentence_about(text).isprintable()


@pytest.mark.parametrize("part", ["a", "=", ":", ",", "engine:level=1,", "a=", "qtp:", " "])
def test_long_text_takes_linear_time(part: str) -> None:
    begin = time.thread_time()
    assert len(sentence_about(part * 20_000)) < 1000
    assert time.thread_time() - begin < 2


def test_human_players_are_accepted_only_if_the_application_allows_them() -> None:
    for word in ("human", "web"):
        assert sentence_about(word) == f"{word!r} is not a player: expected {list_forms()}"
        named = parse_spec(f"ann={word}", [word])
        assert (named.word, named.name) == (word, "ann")
    assert list_forms(["human"]).startswith("human, HOST:PORT, ")


@pytest.mark.parametrize("text", ["h:58,clock=60+1,games=2", "tcp:h:1,clock=60+1", "engine:clock=60+1"])
def test_an_entrant_may_have_a_clock_of_its_own(text: str) -> None:
    assert parse_spec(text).clock == parse_spec(f"ann={text}").clock == GameClock(60, 1)
    assert parse_spec(parse_spec(text).lasting_address).clock == GameClock(60, 1)


def test_a_clock_without_time_is_refused() -> None:
    with pytest.raises(ValueError, match="clock: expected seconds, or seconds"):
        parse_spec("host:5858,clock=0+1")


def test_an_engine_that_listens_has_one_lasting_address() -> None:
    for text in ("tcp:host:5858", "qtp:tcp:host:5858", "qtp: tcp:host:5858"):
        assert parse_spec(text).lasting_address == "tcp:host:5858"


def test_every_kind_has_a_source_or_is_made_by_an_application() -> None:
    examples = {"": "host:1", "tcp": "tcp:host:1", "qtp": "qtp:true"}
    for kind in KINDS.values():
        if kind.source:
            assert source_of(parse_spec(examples.get(kind.word, kind.word))).spec.kind is kind
        else:
            assert kind.word in ("human", "web")


def test_a_system_without_engine_programs_plays_against_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quoridor_net.programs.address.can_limit_programs", lambda: False)
    check_system(map(parse_spec, ("random", "host:1", "tcp:host:2")))
    with pytest.raises(ValueError, match="cannot run engine programs"):
        check_system(map(parse_spec, ("random", "qtp:./engine")))
