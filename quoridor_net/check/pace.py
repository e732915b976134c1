"""How long a program takes for its answers, and whether there is time for more of them."""

from __future__ import annotations

from attrs import define

#: Seconds that a program may spend on its answers, all together, unless told otherwise.
CHECK_TIME = 180.0

#: So many answers tell how long others take.
_ENOUGH = 2


@define
class Pace:
    """The time that a program has taken.

    Attributes:
        limit: seconds for its answers, all together; what takes longer is shortened or left out.
        seconds: what they took so far.
        answers: how many there were.
    """

    limit: float = CHECK_TIME
    seconds: float = 0.0
    answers: int = 0

    @property
    def mean(self) -> float:
        """Seconds for an answer."""
        return self.seconds / self.answers if self.answers >= _ENOUGH else 0.0

    def note(self, seconds: float) -> None:
        """Note an answer."""
        self.seconds += seconds
        self.answers += 1

    def is_too_slow(self, answers: int) -> bool:
        """Return whether so many answers, in all, take longer than there is time."""
        return self.mean * answers > self.limit

    def allows(self, answers: int) -> bool:
        """Return whether there is time for so many more answers."""
        return self.seconds + self.mean * answers <= self.limit
