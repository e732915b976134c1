"""The state of a tournament. It depends on the events alone, so it is the same live and from a journal."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any

from quoridor_net.events import GameEnded, GameStarted, MatchEvent, MoveMade, MoveTimes
from quoridor_net.outcome import Result
from quoridor_net.text import normal
from quoridor_net.tournament.errors import StateError
from quoridor_net.tournament.events import (
    EntrantAway,
    EntrantBack,
    EntrantEvent,
    EntrantJoined,
    EntrantRenewed,
    EntrantReturned,
    EntrantWithdrawn,
    Event,
    GameEvent,
    RoundPaired,
    Setting,
    SettingChanged,
    TournamentEnded,
    TournamentResumed,
    TournamentStarted,
    TournamentStopping,
)
from quoridor_net.tournament.formats import FORMATS, Bye, Field
from quoridor_net.tournament.game_table import GameTable
from quoridor_net.tournament.schedule import Pairing, parse_chosen
from quoridor_net.tournament.standings import DRAW, LOSS, GameResult, points_of

#: Number of last games of a league that its tables count. Earlier results are only in the journal.
RECENT = 1000


class TournamentState:
    """The state after the events applied so far.

    Attributes:
        rules: the name of the game that is played; empty before the start.
        settings: the current settings.
        entrants: the names, by number from 1.
        addresses: where to reach each entrant again, in the same order; empty if it connects itself.
        rounds: number of rounds paired.
        byes: the entrants without an opponent, by round.
        decided: results of the games that are over and not void, by game number; of a league, at least those
            of the last ``RECENT`` games.
        played: number of games that are over and not void.
        void: the last result of each game that has only void results, by game number; of a league, also only
            of the last ones.
        times: move times of each entrant in decided games, by its number.
        away: the reason for each entrant of a league that does not answer, by its number.
        running: number of moves made in each running game, by game number.
        is_over: whether the tournament has ended.
    """

    def __init__(self) -> None:
        self.rules = ""
        self.settings: Mapping[str, Setting] = {}
        self.entrants: tuple[str, ...] = ()
        self.addresses: tuple[str, ...] = ()
        self.rounds = 0
        self.byes: list[Bye] = []
        self.decided: dict[int, Result] = {}
        self.played = 0
        self.void: dict[int, Result] = {}
        self.times: dict[int, MoveTimes] = {}
        self.away: dict[int, str] = {}
        self.running: dict[int, int] = {}
        self.is_over = False
        # All games, with points so far, and their numbers in the order of their results.
        self._games = GameTable()
        self._results = array("I")
        # Whether results are forgotten.
        self._is_open_ended = False
        # The pairings still to be played, by number.
        self._open: dict[int, Pairing] = {}
        # The first round of each late entrant, and the first round without each that left, by entrant.
        self._joined: dict[int, int] = {}
        self._withdrawn: dict[int, int] = {}
        # The games cancelled because an entrant left, and those cancelled because one was away.
        self._cancelled: set[int] = set()
        self._dropped: set[int] = set()

    @property
    def has_started(self) -> bool:
        """Whether the entrants are known."""
        return bool(self.rules)

    @property
    def games(self) -> int:
        """Number of paired games, without those cancelled because an entrant left."""
        return self.played + len(self._open)

    @property
    def last_game(self) -> int:
        """The highest game number; 0 before the first round."""
        return len(self._games)

    @property
    def pending(self) -> tuple[Pairing, ...]:
        """The games that still need a result, including running ones; games of entrants that left do not."""
        return tuple(self._open.values())

    def list_cancelled(self) -> list[Pairing]:
        """Return the games cancelled because an entrant left or was away; no running game is cancelled."""
        return [self._games.pairing(game) for game in sorted(self._cancelled | self._dropped)]

    def is_decided(self, game: int) -> bool:
        """Return whether game ``game`` is over and not void; unknown games are not."""
        return 1 <= game <= len(self._games) and self._games.is_decided(game)

    def is_open(self, pairing: Pairing) -> bool:
        """Return whether the game has no result and will be played."""
        return pairing.number in self._open

    def is_withdrawn(self, entrant: int) -> bool:
        """Return whether the entrant has left."""
        return entrant in self._withdrawn

    def games_of(self, entrant: int) -> tuple[int, int]:
        """Return the numbers of games of an entrant that were played, and that were paired.

        Games lost by a no-show or awarded after a withdrawal do not count as played.
        """
        return self._games.count_games(entrant)

    def has_played_half(self, entrant: int) -> bool:
        """Return whether the entrant has played at least half of its games."""
        played, paired = self.games_of(entrant)
        return 2 * played >= paired

    def pairing(self, game: int) -> Pairing:
        """Return the pairing of game ``game``.

        Raises:
            StateError: there is no such game.
        """
        if not 1 <= game <= len(self._games):
            raise StateError(f"there is no game {game}")
        return self._games.pairing(game)

    def results(self) -> list[GameResult]:
        """Return the decided games, by number; of a league, only the last ``RECENT``."""
        games = sorted(self.decided)[-RECENT if self._is_open_ended else 0 :]
        return [(self.pairing(game), self.decided[game]) for game in games]

    def field(self) -> Field:
        """Return the input of the format for the next round. Void games score no points."""
        return Field(
            len(self.entrants),
            self._joined,
            self._withdrawn,
            # Not copied: a copy for every game would dominate the run time of a long tournament.
            self._games,
            tuple(self.byes),
            self.rounds,
            self._results,
            chosen=self._find_chosen(),
            away=self.away,
        )

    def _find_chosen(self) -> tuple[tuple[int, int], ...]:
        """Return the pairings of the next round that the organiser chose."""
        text = self.settings.get("pairings")
        if not isinstance(text, str):
            return ()
        number, pairs = parse_chosen(text)
        known = range(1, len(self.entrants) + 1)
        is_next = number == self.rounds + 1
        return pairs if is_next and all(entrant in known for pair in pairs for entrant in pair) else ()

    def apply(self, event: Event) -> None:
        """Apply an event.

        Raises:
            StateError: it cannot follow the events before it.
        """
        match event:
            case GameEvent():
                self._apply_to_game(event.game, event.event)
            case TournamentStarted():
                self._start(event)
            case RoundPaired():
                self._pair(event.round, event.pairings, event.byes, event.half_byes)
            case SettingChanged(name, value):
                self._change(name, value)
            case TournamentResumed():
                self._resume()
            case TournamentEnded():
                self._end()
            case TournamentStopping():
                pass
            case _:
                self._apply_to_entrant(event)

    def _apply_to_entrant(self, event: EntrantEvent) -> None:
        match event:
            case EntrantJoined(name, address, half_byes):
                self._join(name, address, half_byes)
            case EntrantWithdrawn(entrant):
                self._withdraw(entrant)
            case EntrantReturned(entrant, address):
                self._bring_back(entrant, address)
            case EntrantAway(entrant, sentence):
                self._send_away(entrant, sentence)
            case EntrantBack(entrant):
                self._welcome(entrant)
            case EntrantRenewed(entrant, _, address):
                self._renew(entrant, address)

    def _apply_to_game(self, game: int, event: MatchEvent[Any, Any]) -> None:
        match event:
            case GameStarted():
                self._start_game(game)
            case MoveMade():
                self._make_move(game, event.player, event.ply)
            case GameEnded():
                self._end_game(game, event.result, event.times)

    def _start(self, event: TournamentStarted) -> None:
        """Start the tournament."""
        if self.has_started:
            raise StateError("the tournament has already started")
        self.rules, self.settings, self.entrants = event.rules, event.settings, event.entrants
        self.addresses = event.addresses or ("",) * len(event.entrants)
        form = FORMATS.get(str(event.settings.get("format")))
        self._is_open_ended = form is not None and form.is_open_ended

    def _pair(
        self, number: int, pairings: Sequence[Pairing], byes: Sequence[int], half_byes: Sequence[int]
    ) -> None:
        """Add a round."""
        self._check_started()
        known = range(1, len(self.entrants) + 1)
        expected = range(self.last_game + 1, self.last_game + len(pairings) + 1)
        if number != self.rounds + 1 or [pairing.number for pairing in pairings] != list(expected):
            raise StateError(f"round {number} or its games are out of order")
        if not all(entrant in known for pairing in pairings for entrant in pairing.seats):
            raise StateError(f"round {number} has an unknown entrant")
        if not all(entrant in known for entrant in (*byes, *half_byes)):
            raise StateError(f"round {number} gives a bye to an unknown entrant")
        self.rounds = number
        for pairing in pairings:
            self._games.add(pairing)
            self._open[pairing.number] = pairing
        self.byes += [Bye(number, entrant) for entrant in byes]
        self.byes += [Bye(number, entrant, DRAW) for entrant in half_byes]

    def _join(self, name: str, address: str, half_byes: Sequence[int]) -> None:
        """Add an entrant, to play from the next round on."""
        self._check_started()
        if normal(name) in map(normal, self.entrants):
            raise StateError(f"an entrant is already called {name!r}")
        if not all(1 <= number <= self.rounds for number in half_byes):
            raise StateError(f"{name!r} gets half a point for a round that is not paired")
        self.entrants += (name,)
        self.addresses += (address,)
        self._joined[len(self.entrants)] = self.rounds + 1
        self.byes += [Bye(number, len(self.entrants), DRAW) for number in half_byes]

    def _withdraw(self, entrant: int) -> None:
        """Withdraw an entrant."""
        self._require_present(entrant)
        self._withdrawn[entrant] = self.rounds + 1
        self.away.pop(entrant, None)
        self._close_games_of_missing()

    def _bring_back(self, entrant: int, address: str) -> None:
        """Bring back an entrant that left, and reopen its cancelled games."""
        self._check_started()
        if entrant not in self._withdrawn:
            raise StateError(f"entrant {entrant} has not left")
        del self._withdrawn[entrant]
        self._set_address(entrant, address)
        reopened = [
            game
            for game in self._cancelled
            if entrant in (seats := self.pairing(game).seats) and self._withdrawn.keys().isdisjoint(seats)
        ]
        self._cancelled.difference_update(reopened)
        self._open = {game: self.pairing(game) for game in sorted((*self._open, *reopened))}

    def _send_away(self, entrant: int, sentence: str) -> None:
        """Record that an entrant does not answer, and cancel its games that have not started."""
        self._require_present(entrant)
        if entrant in self.away:
            raise StateError(f"entrant {entrant} is already away")
        self.away[entrant] = sentence
        self._close_games_of_missing()

    def _welcome(self, entrant: int) -> None:
        """Record that an entrant answers again."""
        self._check_started()
        if entrant not in self.away:
            raise StateError(f"entrant {entrant} is not away")
        del self.away[entrant]

    def _renew(self, entrant: int, address: str) -> None:
        """Give an entrant the address of its new version."""
        self._require_present(entrant)
        self._set_address(entrant, address)

    def _require_present(self, entrant: int) -> None:
        self._check_started()
        if not 1 <= entrant <= len(self.entrants) or entrant in self._withdrawn:
            raise StateError(f"there is no entrant {entrant}, or it left before")

    def _set_address(self, entrant: int, address: str) -> None:
        addresses = list(self.addresses)
        addresses[entrant - 1] = address
        self.addresses = tuple(addresses)

    def _change(self, name: str, value: Setting) -> None:
        """Change a setting."""
        self._check_started()
        if name not in self.settings:
            raise StateError(f"there is no setting {name!r}")
        self.settings = {**self.settings, name: value}

    def _resume(self) -> None:
        """Continue after an interruption: games that were running start again."""
        self._check_started()
        self.running.clear()
        self._close_games_of_missing()

    def _start_game(self, game: int) -> None:
        """Start a game."""
        self._check_started()
        # Reopened, because an entrant may have left or gone away while the game was about to start.
        self._open[game] = self._require_undecided(game)
        self._cancelled.discard(game)
        if game in self._dropped:
            self._dropped.remove(game)
            self._games.score(game, None)
        self.running[game] = 0

    def _make_move(self, game: int, player: int, ply: int) -> None:
        """Count a move of a running game."""
        moves = self.running.get(game)
        if moves is None:
            raise StateError(f"game {game} is not running")
        if ply != moves + 1 or player > len(self._games.seats(game)):
            raise StateError(f"this is not the next move of game {game}")
        self.running[game] = ply

    def _end_game(self, game: int, result: Result, times: Sequence[MoveTimes]) -> None:
        """Record the result of a game, which may not have started: a player may not have shown up."""
        self._check_started()
        pairing = self._require_undecided(game)
        if (result.winner or 1) > len(pairing.seats):
            raise StateError(f"game {game} has no player {result.winner}")
        self.running.pop(game, None)
        points = points_of(pairing, result)
        is_played = result.plies > 0 or not result.termination.is_fault
        self._games.score(game, points, is_played=is_played, is_decided=not result.is_void)
        self._results.append(game)
        if result.is_void:
            self.void[game] = result
            self._close_games_of_missing()
        else:
            self.decided[game] = result
            self.played += 1
            self.void.pop(game, None)
            self._open.pop(game, None)
            self._cancelled.discard(game)
            self._dropped.discard(game)
            for entrant, its in zip(pairing.seats, times, strict=False):
                self.times[entrant] = self.times.get(entrant, MoveTimes()) + its
        if self._is_open_ended:
            self._forget_results()

    def _forget_results(self) -> None:
        """Forget old results from time to time."""
        if len(self.decided) >= 2 * RECENT:
            for game in sorted(self.decided)[:-RECENT]:
                del self.decided[game]
        if len(self.void) >= 2 * RECENT:
            for game in [*self.void][:-RECENT]:
                del self.void[game]

    def _end(self) -> None:
        """End the tournament.

        If games are void, it stays open, so that they can still be played.
        """
        self._check_started()
        if any(pairing.number not in self.void for pairing in self.pending):
            raise StateError("there are games without a result")
        self.is_over = not self._open

    def _close_games_of_missing(self) -> None:
        """Cancel the games of entrants that left or are away, except running ones."""
        missing = self._withdrawn.keys() | self.away
        if not missing:
            return
        for game, pairing in tuple(self._open.items()):
            if game in self.running or missing.isdisjoint(pairing.seats):
                continue
            del self._open[game]
            if not self._withdrawn.keys().isdisjoint(pairing.seats):
                self._cancelled.add(game)
            else:
                self._dropped.add(game)
                self._games.score(game, (LOSS,) * len(pairing.seats), is_played=False)
                self._results.append(game)

    def _require_undecided(self, game: int) -> Pairing:
        pairing = self.pairing(game)
        if self._games.is_decided(game):
            raise StateError(f"game {game} is already over")
        return pairing

    def _check_started(self) -> None:
        if not self.has_started:
            raise StateError("the tournament has not started")
        if self.is_over:
            raise StateError("the tournament is over")
