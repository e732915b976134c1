"""Why a game, or one player's part in it, ended: one vocabulary for every output.

See docs/decisions.md, Verdicts.
"""

from __future__ import annotations

import enum


class Termination(enum.Enum):
    """The reasons. The values are what files and JSON contain."""

    #: A pawn reached its goal line.
    GOAL = "goal"
    #: All other players were eliminated.
    LAST_PLAYER = "last_player"
    #: No player still in the game has a legal move.
    NO_MOVES = "no_moves"
    #: The match reached its ply limit.
    PLY_LIMIT = "ply_limit"
    #: A player gave up.
    RESIGNED = "resigned"
    #: A player answered with a move that the rules forbid.
    ILLEGAL_MOVE = "illegal_move"
    #: A player answered with something that is no move.
    UNPARSABLE_MOVE = "unparsable_move"
    #: A player sent something when nothing, or something else, was asked for.
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
    #: An engine's process ended by itself.
    ENGINE_CRASH = "engine_crash"
    #: An engine needed more memory than it is allowed.
    MEMORY_LIMIT = "memory_limit"
    #: The machine or the person that ran the game ended it.
    ABORTED = "aborted"

    def __str__(self) -> str:
        return self.value

    @property
    def is_fault(self) -> bool:
        """Whether the player it happened to pays for it by losing."""
        return self in _FAULTS

    @property
    def is_void(self) -> bool:
        """Whether the game does not count and has to be played again."""
        return self is Termination.ABORTED


_FAULTS = frozenset(
    {
        Termination.RESIGNED,
        Termination.ILLEGAL_MOVE,
        Termination.UNPARSABLE_MOVE,
        Termination.OUT_OF_TURN,
        Termination.TOO_SLOW,
        Termination.DISCONNECTED,
        Termination.FLOODING,
        Termination.REFUSED_MOVE,
        Termination.REFUSED_GAME,
        Termination.ENGINE_CRASH,
        Termination.MEMORY_LIMIT,
    }
)
