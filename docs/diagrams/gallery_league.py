"""The site of a league that :mod:`docs.diagrams.gallery` takes pictures of, with invented results."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Sequence
from pathlib import Path

import trio

from quoridor_net.match import Event as MatchEvent
from quoridor_net.match import GameEnded, GameStarted, PlayerOut
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.players.spec import parse_spec
from quoridor_net.rules import Position
from quoridor_net.tournament import (
    EntrantAway,
    EntrantRenewed,
    EntrantWithdrawn,
    Event,
    GameEvent,
    Journal,
    Pairing,
    RoundPaired,
    TournamentStarted,
    TournamentState,
)
from quoridor_net.tournament.quoridor.plan import RULES, Plan
from quoridor_net.tournament.ratings import expected_score
from quoridor_net.verdicts import VerdictPhrase
from quoridor_net.web.signup import Gathering
from quoridor_net.web.tournament import TournamentFeed

#: The entrants and their true strengths, in Elo; the first ones are references.
STRENGTHS = {
    "level 1": 0,
    "level 4": 300,
    "level 7": 600,
    "ada:walls": 420,
    "bea:runner": 160,
    "cem:snake": 350,
    "dan:shadow": 60,
    "eva:beaver": 510,
    "fay:hare": -80,
    "gus:the_gate_that_nobody_has_passed_so_far": 210,
    "ida:fox": 280,
    "jan:mole": 110,
    "kim:owl": 230,
    "leo:newt": 30,
}
REFERENCES = 3
NAMES = tuple(STRENGTHS)

#: Numbers of the entrants with a page in the gallery: the usual one, one that is away, one that left, and
#: one that loses by faults.
USUAL, AWAY, LEFT, FAULTY = 8, 10, 11, 7

#: Number of finished games, and days that they took.
GAMES, DAYS = 160, 6

#: The lines of a program that does not know the protocol.
_TRANSCRIPT = "".join(
    f"{line}\n"
    for line in (
        "< HELLO",
        "> IAM dan:shadow",
        "< GAME 2 ada:walls dan:shadow",
        "< ATARI 1 (4, 1)",
        "< MYOUSHU",
        "> TESUJI I think that (4, 7) would be the best move here, with a chance of 0.61",
    )
)


class PicturedLeague:
    """A league with some days of games behind it and some games running.

    Args:
        path: of its journal.
        running: the events of the games that are running.
    """

    def __init__(self, path: Path, running: Sequence[Sequence[MatchEvent]]) -> None:
        self.state = TournamentState()
        others = [parse_spec(f"{name}=simple") for name in NAMES[REFERENCES:]]
        self.teams = Gathering(lambda _: None, others, ask=_agree)
        self.teams.begin()
        self.feed = TournamentFeed(self.state, path, "Class 4b", "league", self.teams.list_teams)
        self._running = running
        self._now = dt.datetime.now(dt.UTC) - dt.timedelta(days=DAYS)
        self._chance = random.Random(4)
        self._journal = Journal.create(path, lambda: self._now)

    async def play(self) -> None:
        """Play until the running games, and hold the journal until the end."""
        addresses = [f"engine:level={name.split()[1]}" for name in NAMES[:REFERENCES]]
        addresses += [f"laptop{number}:5858" for number in range(len(NAMES) - REFERENCES)]
        plan = Plan("league", title="Class 4b")
        with self._journal:
            self._apply(TournamentStarted(RULES, NAMES, plan.settings(), tuple(addresses)))
            for number in range(GAMES):
                self._now += dt.timedelta(days=DAYS / (GAMES + 1))
                if number == GAMES // 2:
                    self._apply(EntrantRenewed(USUAL, "2.0-with-walls", "laptop9:5858", 400.0))
                self._play_game()
            self._apply(EntrantAway(AWAY, VerdictPhrase.NOT_CONNECTED(seconds=30)), EntrantWithdrawn(LEFT))
            for events in self._running:
                pairing = self._pair()
                names = tuple(NAMES[entrant - 1] for entrant in pairing.seats)
                start = events[0]
                assert isinstance(start, GameStarted)
                started = GameStarted(names, start.position, start.move_time, start.ply_limit)
                self._apply(*(GameEvent(pairing.number, each) for each in (started, *events[1:])))
            await self._journal.flush()
            self.feed.change({"league"})
            await trio.sleep_forever()

    def _apply(self, *events: Event) -> None:
        for event in events:
            self.state.apply(event)
            self._journal.append(event)
            self.feed(event)

    def _pair(self) -> Pairing:
        playing = [number for number in range(1, len(NAMES) + 1) if not self.state.is_withdrawn(number)]
        seats = tuple(self._chance.sample(playing, 2))
        pairing = Pairing(self.state.last_game + 1, self.state.rounds + 1, seats)
        self._apply(RoundPaired(pairing.round, (pairing,)))
        return pairing

    def _play_game(self) -> None:
        pairing, start = self._pair(), Position()
        game, names = pairing.number, tuple(NAMES[entrant - 1] for entrant in pairing.seats)
        first, second = (STRENGTHS[name] for name in names)
        winner = 1 if self._chance.random() < expected_score(first - second) else 2
        loser = 3 - winner
        self._apply(GameEvent(game, GameStarted(names, start, 30.0, 1000)))
        reason, line = Termination.GOAL, ""
        sentence = VerdictPhrase.GOAL(winner=names[winner - 1])
        if pairing.seats[loser - 1] == FAULTY and self._chance.random() < 0.6:
            reason, line = (
                Termination.UNPARSABLE_MOVE,
                "TESUJI I think that (4, 7) would be the best move here",
            )
            did = VerdictPhrase.UNREADABLE(reason="a move looks like (4, 1) or [(3, 1), h]")
            sentence = VerdictPhrase.FAULT(winner=names[winner - 1], loser=names[loser - 1], did=did)
            hint = "A line of the protocol holds nothing but the keyword and the move."
            self._apply(GameEvent(game, PlayerOut(loser, ForfeitError(reason, did, line, hint), start)))
            self._journal.keep_transcript(game, loser, _TRANSCRIPT)
        plies = self._chance.randrange(30, 90)
        self._apply(GameEvent(game, GameEnded(Result(winner, reason, sentence, plies, line), names, start)))


async def _agree(_request: str, _argument: str) -> str:
    return ""
