"""Logs of the referee as recorded games: both engines' logs tell the games that were played."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from client.referee.referee import Referee
from client.referee.settings import RefereeSettings
from quoridor_net.match import MoveMade
from quoridor_net.replay import Fault, ReplayError, parse_game
from quoridor_net.rules import Move
from quoridor_net.tournament import Event, GameEvent
from tests.support.engine_programs import sloppy

LOG = r"""[   0.001] C->S1 b'boardsize 3\n'
[   0.002] S1->C b'=\n'
[   0.002] S1->C b'\n'
[   0.003] C->S1 b'clear_board\n'
[   0.003] S1->C b'=\n'
[   0.003] C->S1 b'walls 0\n'
[   0.003] S1->C b'=\n'
[   0.003] C->S1 b'name\n'
[   0.003] S1->C b'= B1\n'
[   0.004] C->S1 b'genmove black\n'
[   0.005] S1->C b'thinking\n'
[   0.005] S1->C b'? illegal placement\n'
[   0.005] S1->C b'\n'
[   0.006] S1->C b'= a3\n'
[   0.007] C->S1 b'playmove white B2\n'
[   0.007] S1->C b'=\n'
[   0.008] C->S1 b'genmove black\n'
[   0.009] S1->C b'= C1 and I win\n'
"""


def test_an_illegal_answer_ends_a_partial_game() -> None:
    with pytest.raises(ReplayError) as caught:
        parse_game(LOG)
    assert (caught.value.fault, caught.value.line) == (Fault.ILLEGAL, 18)
    replay = parse_game(LOG, partial=True)
    assert [str(ply.move) for ply in replay.plies] == ["(0, 0)", "(1, 1)"]


def test_one_of_several_games_is_chosen() -> None:
    with pytest.raises(ReplayError, match="the log contains 2 games: choose one by number"):
        parse_game(LOG + LOG, partial=True)
    assert len(parse_game(LOG + LOG, partial=True, number=2).plies) == 2
    with pytest.raises(ReplayError, match="no game 3: the log contains 2"):
        parse_game(LOG + LOG, partial=True, number=3)


def test_mistakes_are_on_their_lines() -> None:
    with pytest.raises(ReplayError) as caught:
        parse_game(LOG.replace("playmove white B2", "playmove white B9"), partial=True)
    assert (caught.value.fault, caught.value.line) == (Fault.SYNTAX, 15)


@pytest.mark.end_to_end
async def test_the_games_are_read_from_the_logs_of_both_engines(tmp_path: Path) -> None:
    played: dict[int, list[Move]] = {1: [], 2: []}

    def listen(event: Event) -> None:
        match event:
            case GameEvent(game, MoveMade(move=move)):
                played[game].append(move)

    white, black = sloppy("prompt"), sloppy("split_reply")
    await Referee(RefereeSettings(white, black, games=2, swap=True, log=tmp_path)).run((listen,))
    for side in ("white", "black"):
        log = await trio.Path(tmp_path / f"{side}-1.log").read_text(encoding="ascii")
        for number, moves in played.items():
            replay = parse_game(log, number=number)
            assert replay.complete
            assert [ply.move for ply in replay.plies] == moves
