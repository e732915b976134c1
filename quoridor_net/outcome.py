"""How a game, or one player's part in it, ends: one vocabulary for all games and all outputs.

See docs/decisions.md, Verdicts.
"""

from __future__ import annotations

import enum
from typing import Any

from attrs import define, frozen

from quoridor_net.phrases import Translatable


class Termination(enum.StrEnum):
    """The reason for an ending. Files and JSON contain the values."""

    #: A pawn reached its goal line.
    GOAL = "goal"
    #: All other players were eliminated.
    LAST_PLAYER = "last_player"
    #: No player still in the game has a legal move.
    NO_MOVES = "no_moves"
    #: The match reached its ply limit.
    PLY_LIMIT = "ply_limit"
    #: A position was repeated as often as the organiser allows.
    REPETITION = "repetition"
    #: A player gave up.
    RESIGNED = "resigned"
    #: A player answered with a move that the rules forbid.
    ILLEGAL_MOVE = "illegal_move"
    #: A player's answer could not be read as a move.
    UNPARSABLE_MOVE = "unparsable_move"
    #: A player sent a message that was not expected at that moment.
    OUT_OF_TURN = "out_of_turn"
    #: A player did not answer in time.
    TOO_SLOW = "too_slow"
    #: The connection to a player was lost.
    DISCONNECTED = "disconnected"
    #: A player sent far more than any message can hold.
    FLOODING = "flooding"
    #: An engine called a legal move of the other side illegal.
    REFUSED_MOVE = "refused_move"
    #: An engine cannot play a game of this size, number of walls or players.
    REFUSED_GAME = "refused_game"
    #: An engine's process exited unexpectedly.
    ENGINE_CRASH = "engine_crash"
    #: An engine exceeded its memory limit.
    MEMORY_LIMIT = "memory_limit"
    #: Another referee eliminated the player without giving a reason.
    PUT_OUT = "put_out"
    #: The game was stopped by the machine or the person running it.
    ABORTED = "aborted"

    def __repr__(self) -> str:
        return f"Termination.{self.name}"

    @property
    def is_fault(self) -> bool:
        """Whether the player at fault loses because of it."""
        return self not in _NO_FAULTS

    @property
    def is_void(self) -> bool:
        """Whether the game does not count and must be replayed."""
        return self is Termination.ABORTED


_NO_FAULTS = frozenset(
    {
        Termination.GOAL,
        Termination.LAST_PLAYER,
        Termination.NO_MOVES,
        Termination.PLY_LIMIT,
        Termination.REPETITION,
        Termination.ABORTED,
    }
)


@frozen
class Result:
    """The one outcome of a game.

    Exactly one of these holds: there is a winner; the game is drawn (``no_moves``, ``ply_limit``,
    ``repetition``); it is void (``aborted``) and does not count; all players lost it by faults, as when none
    of them came, or all that are known to have lost did, as at a move server when the others play on.

    Attributes:
        winner: number of the winner; None when there is none.
        termination: the one reason. With two players a fault is itself the reason; with four it is
            ``last_player`` when the others are out.
        sentence: the reason as a whole sentence for people, usually translatable.
        plies: number of moves made.
        line: the offending line when a fault decided, made printable; else empty.
    """

    winner: int | None
    termination: Termination
    sentence: str
    plies: int
    line: str = ""

    @property
    def is_drawn(self) -> bool:
        """Whether the game ended by the rules and nobody won."""
        return self.winner is None and not self.termination.is_void and not self.termination.is_fault

    @property
    def is_void(self) -> bool:
        """Whether the game does not count and must be replayed."""
        return self.termination.is_void


@define
class ForfeitError(Exception):
    """A fault that puts a player out of the game.

    Attributes:
        termination: the verdict; ``aborted`` if the player is not to blame, which makes the game void.
        sentence: what the player did, without a subject: "did not answer within 5 s".
        line: the offending answer, made printable; empty when there is none.
        hint: whole sentences about what usually causes this; empty when nothing is known.
        move: the move that the rules forbid; None for all other faults.
    """

    termination: Termination
    sentence: Translatable
    line: str = ""
    hint: str = ""
    move: Any = None

    def __str__(self) -> str:
        return self.sentence


class NotStartedError(ForfeitError):
    """A player's program could not be started: its game is void, not lost."""
