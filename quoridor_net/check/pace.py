"""Tracks the time that a program spends on its answers, and decides whether there is time for more."""

from __future__ import annotations

from collections import Counter

from attrs import define, field

#: Default time limit for all answers together, in seconds.
CHECK_TIME = 180.0

#: Default time limit for the first pass of checks, in seconds.
FIRST_PASS = 2.5

#: Number of answers needed to estimate the time for others.
_ENOUGH = 2

#: Number of missing answers to one kind of question before the checker becomes less patient with it.
_SILENCES = 2

#: Number of missing answers before a program that has never answered is given up.
_MOST_SILENCES = 4

#: Time limit for answers to a kind of question that a program has never answered, in seconds.
_SHORT = 1.0


@define
class Pace:
    """The time that a program has spent on its answers.

    Attributes:
        limit: time limit for all answers together, in seconds; checks are shortened or skipped to keep it.
        first_pass: time limit for the first pass of checks, in seconds; the rest of them counts as thorough.
        seconds: time spent so far, in seconds.
        answers: number of answers so far.
    """

    limit: float = CHECK_TIME
    first_pass: float = field(default=FIRST_PASS, kw_only=True)
    seconds: float = 0.0
    answers: int = 0
    # The questions by kind: which had an answer, and how many had none.
    _answered: set[str] = field(factory=set, init=False)
    _silences: Counter[str] = field(factory=Counter, init=False)

    @property
    def mean(self) -> float:
        """Average time for an answer, in seconds; 0 while there are too few answers."""
        return self.seconds / self.answers if self.answers >= _ENOUGH else 0.0

    @property
    def is_hopeless(self) -> bool:
        """Whether several questions have had no answer, and none has had one."""
        return not self._answered and self._silences.total() > _MOST_SILENCES

    def note(self, seconds: float) -> None:
        """Record an answer that took ``seconds``."""
        self.seconds += seconds
        self.answers += 1

    def note_answer(self, kind: str) -> None:
        """Record that a question of this kind was answered."""
        self._answered.add(kind)

    def note_silence(self, kind: str) -> None:
        """Record that a question of this kind was not answered in time."""
        self._silences[kind] += 1

    def patience(self, kind: str, seconds: float) -> float:
        """Return how long to wait for an answer: ``seconds``, but less if this kind never gets one."""
        is_hopeless = kind not in self._answered and self._silences[kind] >= _SILENCES
        return min(seconds, _SHORT) if is_hopeless else seconds

    def is_too_slow(self, answers: int) -> bool:
        """Return whether this many answers, in total, would exceed the limit."""
        return self.mean * answers > self.limit

    def allows(self, answers: int) -> bool:
        """Return whether there is time for this many more answers."""
        return self.seconds + self.mean * answers <= self.limit
