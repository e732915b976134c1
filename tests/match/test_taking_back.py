"""Moves taken back in a match, and the record of that match."""

from __future__ import annotations

from pathlib import Path

import pytest

from quoridor_net.match import Event, MatchSettings, MoveMade, MovesTakenBack, play_match
from quoridor_net.match.encoding import as_object
from quoridor_net.match.recording import ReplayListener
from quoridor_net.notation.standard import parse_move
from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.phrases import Translatable
from quoridor_net.players import Clock, DrawAgreedError, Player, TakeBackError
from quoridor_net.replay import parse_replay
from quoridor_net.rules import Move, Position


class Scripted(Player[Position, Move]):
    """Plays the given moves, takes one back at ``undo``, and resigns in the end."""

    def __init__(self, words: str) -> None:
        self.name = "scripted"
        self.told: list[Event] = []
        self._words = words.split()

    async def choose(self, position: Position, clock: Clock) -> Move:
        if not self._words:
            raise ForfeitError(Termination.RESIGNED, Translatable("resigned"))
        word = self._words.pop(0)
        if word == "undo":
            raise TakeBackError
        return parse_move(word)

    async def notify(self, event: Event) -> None:
        self.told.append(event)


async def play(*scripts: str) -> tuple[list[Event], list[Scripted]]:
    events: list[Event] = []
    players = [Scripted(script) for script in scripts]
    settings = MatchSettings(Position(players=len(scripts)), takes_back=True)
    await play_match(players, settings, [events.append])
    return events, players


def moves(events: list[Event]) -> list[str]:
    return [str(event.move) for event in events if isinstance(event, MoveMade)]


async def test_both_plies_are_taken_back() -> None:
    events, players = await play("e2 undo d1 d2", "e8 d9")
    (taken,) = [event for event in events if isinstance(event, MovesTakenBack)]
    assert (taken.player, taken.plies) == (1, 2)
    assert taken.position.to_line() == Position().to_line()
    assert all(taken in player.told for player in players)
    assert moves(events) == ["(4, 1)", "(4, 7)", "(3, 0)", "(3, 8)", "(3, 1)"]
    # Numbering continues from the position reached by taking back.
    assert [event.ply for event in events if isinstance(event, MoveMade)] == [1, 2, 1, 2, 3]


async def test_moves_are_taken_back_to_the_beginning_and_no_further() -> None:
    events, _ = await play("e2 e3 undo undo undo d1", "e8 e7 d9")
    taken = [event.plies for event in events if isinstance(event, MovesTakenBack)]
    assert taken == [2, 2]
    assert moves(events)[-1] == "(3, 8)"


async def test_the_second_player_keeps_the_first_move() -> None:
    events, _ = await play("e2 e3 d2", "e8 undo d9")
    (taken,) = [event for event in events if isinstance(event, MovesTakenBack)]
    assert (taken.plies, len(taken.position.history)) == (2, 1)


async def test_with_four_players_a_whole_round_is_taken_back() -> None:
    events, _ = await play("e2 undo d1", "e8 d9", "b5 a4", "h5 i4")
    (taken,) = [event for event in events if isinstance(event, MovesTakenBack)]
    assert taken.plies == 4


async def test_nothing_is_taken_back_after_an_elimination() -> None:
    events, _ = await play("e2 undo e3", "", "b5 c5", "h5")
    assert not [event for event in events if isinstance(event, MovesTakenBack)]


@pytest.mark.parametrize("wish", [TakeBackError(), DrawAgreedError()])
async def test_a_match_permits_neither_takebacks_nor_agreed_draws_by_default(wish: Exception) -> None:
    class Wishful(Scripted):
        async def choose(self, position: Position, clock: Clock) -> Move:
            raise wish

    with pytest.RaisesGroup(type(wish)):
        await play_match([Wishful(""), Scripted("e8")])


async def test_the_record_omits_moves_that_were_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "game.qtp"
    with path.open("w", encoding="utf-8") as file:
        settings = MatchSettings(Position(), takes_back=True)
        players = [Scripted("e2 e3 undo d2"), Scripted("e8 e7 d8")]
        await play_match(players, settings, [ReplayListener(file)])
    replay = parse_replay(path.read_text(encoding="utf-8"))
    assert [str(ply.move) for ply in replay.plies] == ["(4, 1)", "(4, 7)", "(3, 1)", "(3, 7)"]


async def test_the_event_is_written_as_an_object() -> None:
    event = MovesTakenBack(1, 2, Position())
    assert as_object(event) == {
        "event": "moves_taken_back",
        "player": 1,
        "plies": 2,
        "position": " /  / e1 e9 / 10 10 / 1",
    }
