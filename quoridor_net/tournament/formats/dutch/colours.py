"""The colours of a pair (article 5), and how well they suit the players (criteria C3 and C10 to C13)."""

from __future__ import annotations

from quoridor_net.tournament.formats.dutch.player import Player, Strength


def allot(higher: Player, lower: Player, initial_colour: int) -> tuple[Player, Player]:
    """Return two players by seat (article 5.2); the first one has the higher rank."""
    return (higher, lower) if _choose_colour(higher, lower, initial_colour) > 0 else (lower, higher)


def _choose_colour(higher: Player, lower: Player, initial_colour: int) -> int:
    """Return the colour of the player with the higher rank."""
    wishes = higher.preference, -lower.preference
    if wishes[0] != -wishes[1]:
        return wishes[0] or wishes[1]
    if wishes[0]:
        claims = [(each.strength, each.width) for each in (higher, lower)]
        if claims[0] != claims[1]:
            return wishes[claims[0] < claims[1]]
        for one, other in zip(reversed(higher.colours), reversed(lower.colours), strict=False):
            if one != other:
                return other
        return wishes[0]
    return initial_colour if higher.number % 2 else -initial_colour


def clash(one: Player, other: Player) -> bool:
    """Return whether two players must not meet because of their colours (C3)."""
    return (
        one.strength is other.strength is Strength.ABSOLUTE
        and one.preference == other.preference
        and not (one.is_topscorer or other.is_topscorer)
    )


def judge_colours(one: Player, other: Player) -> tuple[int, ...]:
    """Return how a pair breaks the criteria C10 to C13, as negative numbers."""
    if one.preference != other.preference or not one.preference:
        return 0, 0, 0, 0
    weaker, stronger = sorted((one, other), key=lambda player: (player.strength, player.width))
    if weaker.strength is not Strength.ABSOLUTE:
        return 0, 0, -1, -(weaker.strength is Strength.STRONG)
    # One of two topscorers or their opponents does not get its absolute preference.
    is_equal = weaker.width == stronger.width
    is_third = bool(weaker.repeated) and (bool(stronger.repeated) or not is_equal)
    return -(weaker.width > 1), -is_third, -1, 0
