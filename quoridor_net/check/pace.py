"""Tracks the time that a program spends on its answers, and decides whether there is time for more."""

from __future__ import annotations

from attrs import define

#: Default time limit for all answers together, in seconds.
CHECK_TIME = 180.0

#: Number of answers needed to estimate the time for others.
_ENOUGH = 2


@define
class Pace:
    """The time that a program has spent on its answers.

    Attributes:
        limit: time limit for all answers together, in seconds; checks are shortened or skipped to keep it.
        seconds: time spent so far, in seconds.
        answers: number of answers so far.
    """

    limit: float = CHECK_TIME
    seconds: float = 0.0
    answers: int = 0

    @property
    def mean(self) -> float:
        """Average time for an answer, in seconds; 0 while there are too few answers."""
        return self.seconds / self.answers if self.answers >= _ENOUGH else 0.0

    def note(self, seconds: float) -> None:
        """Record an answer that took ``seconds``."""
        self.seconds += seconds
        self.answers += 1

    def is_too_slow(self, answers: int) -> bool:
        """Return whether this many answers, in total, would exceed the limit."""
        return self.mean * answers > self.limit

    def allows(self, answers: int) -> bool:
        """Return whether there is time for this many more answers."""
        return self.seconds + self.mean * answers <= self.limit
