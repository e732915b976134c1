"""Determines whether a regular expression can take more than linear time in Python's backtracking matcher.

The matcher tries every way to read its input, so its time is proportional to the number of these ways. That
number grows faster than the input exactly if the automaton of the expression has

* two different loops on one state that read the same word (exponentially many ways), or
* two states, a loop on each, and a path from the first to the second that all read the same word
  (polynomially many).

Source: A. Weber and H. Seidl, "On the degree of ambiguity of finite automata", 1991. The automaton is
Glushkov's, with one state for each character class of the expression. It ignores lookahead, so an expression
that cannot fail after its loops counts as ambiguous too.
"""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from attrs import Factory, define, frozen

_PARSER: Any = importlib.import_module("re._parser")

#: Every character of Latin-1, and one letter, digit and space each from beyond it.
ALPHABET = [chr(code) for code in range(256)] + ["\u0430", "\uff14", "\u2003"]

Letters = frozenset[str]
Edge = tuple[int, int]


@frozen
class _Part:
    """Part of an expression: its possible first and last states, and whether it can be empty."""

    first: tuple[int, ...] = ()
    last: tuple[int, ...] = ()
    is_empty: bool = True


@define
class _Automaton:
    flags: int
    letters: dict[int, Letters] = Factory(dict)
    edges: Counter[Edge] = Factory(Counter)
    #: Whether a match also depends on its place in the input.
    has_places: bool = False

    def state(self, letters: Letters) -> _Part:
        number = len(self.letters) + 1
        self.letters[number] = letters
        return _Part((number,), (number,), False)

    def join(self, sources: tuple[int, ...], targets: tuple[int, ...]) -> None:
        self.edges.update((source, target) for source in sources for target in targets)

    def sequence(self, left: _Part, right: _Part) -> _Part:
        self.join(left.last, right.first)
        return _Part(
            left.first + right.first if left.is_empty else left.first,
            left.last + right.last if right.is_empty else right.last,
            left.is_empty and right.is_empty,
        )

    def build(self, tree: Any) -> _Part:
        part = _Part()
        for operation, argument in tree:
            part = self.sequence(part, self.item(str(operation), argument))
        return part

    def item(self, operation: str, argument: Any) -> _Part:
        match operation:
            case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
                return self.state(_letters(operation, argument, self.flags))
            case "BRANCH":
                parts = [self.build(branch) for branch in argument[1]]
                return _Part(
                    tuple(state for part in parts for state in part.first),
                    tuple(state for part in parts for state in part.last),
                    any(part.is_empty for part in parts),
                )
            case "SUBPATTERN":
                return self.build(argument[3])
            case "MAX_REPEAT" | "MIN_REPEAT":
                return self.repeat(*argument)
            case "AT":
                self.has_places = True
                return _Part()
        raise ValueError(f"unsupported operation {operation}: write the expression without it")

    def repeat(self, least: int, most: int, body: Any) -> _Part:
        part = _Part()
        is_endless = most == _PARSER.MAXREPEAT
        copies = max(least, 1) if is_endless else most
        for index in range(copies):
            copy = self.build(body)
            if is_endless and index == copies - 1:
                self.join(copy.last, copy.first)
            is_optional = index >= least
            part = self.sequence(part, _Part(copy.first, copy.last, copy.is_empty or is_optional))
        return part


def why_slow(pattern: re.Pattern[str] | re.Pattern[bytes], *, is_searched: bool) -> str:
    """Explain why ``pattern`` can take more than linear time; return an empty string if it cannot.

    Args:
        pattern: the compiled expression.
        is_searched: whether it is tried at every place of the input, as by ``search`` and ``sub``, instead of
            only at its beginning. A place inside a match is not tried again.
    """
    source = pattern.pattern
    text = source.decode("latin-1") if isinstance(source, bytes) else source
    automaton = _Automaton(pattern.flags)
    whole = automaton.build(_PARSER.parse(text, pattern.flags & ~re.UNICODE))
    twice = [edge for edge, count in automaton.edges.items() if count > 1]
    if any(source == target or (target, source) in _reach(automaton) for source, target in twice):
        return "a repetition of a repetition reads the same text in several ways"
    if _is_exponential(automaton):
        return "a repetition reads the same text in several ways"
    if is_searched:
        _search(automaton, whole)
    if _is_polynomial(automaton):
        return "two repetitions compete for the same text"
    return ""


def _search(automaton: _Automaton, whole: _Part) -> None:
    """Let the automaton start anywhere. A match ends the cost of a start, so drop the edges after it."""
    start = 0
    automaton.letters[start] = frozenset(ALPHABET)
    automaton.edges[start, start] = 1
    automaton.join((start,), whole.first)
    if automaton.has_places:
        return
    for edge in list(automaton.edges):
        if set(edge) & set(whole.last):
            del automaton.edges[edge]


def _letters(operation: str, argument: Any, flags: int) -> Letters:
    match operation:
        case "LITERAL":
            return _fold_case({chr(argument)}, flags)
        case "NOT_LITERAL":
            return frozenset(ALPHABET) - _fold_case({chr(argument)}, flags)
        case "ANY":
            return frozenset(ALPHABET) - (set() if flags & re.DOTALL else {"\n"})
    is_negated = False
    found: set[str] = set()
    for name, value in argument:
        match str(name):
            case "NEGATE":
                is_negated = True
            case "LITERAL":
                found.add(chr(value))
            case "RANGE":
                found.update(letter for letter in ALPHABET if value[0] <= ord(letter) <= value[1])
            case "CATEGORY":
                found.update(_category(str(value), flags))
    letters = _fold_case(found, flags)
    return frozenset(ALPHABET) - letters if is_negated else letters


def _category(name: str, flags: int) -> set[str]:
    kind = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}[name.rpartition("_")[2]]
    if "_NOT_" in name:
        kind = kind.upper()
    return {letter for letter in ALPHABET if re.match(kind, letter, flags & re.ASCII)}


def _fold_case(letters: set[str], flags: int) -> Letters:
    if flags & re.IGNORECASE:
        return frozenset(letters | {letter.swapcase() for letter in letters})
    return frozenset(letters)


def _reach(automaton: _Automaton) -> set[Edge]:
    """Return the pairs of states whose second state can be reached from the first."""
    reached = set(automaton.edges)
    while True:
        more = {(a, d) for a, b in reached for c, d in automaton.edges if b == c} - reached
        if not more:
            return reached
        reached |= more


def _steps(automaton: _Automaton, states: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the states that ``states`` can reach together by reading the same letter."""
    following: list[tuple[tuple[int, ...], Letters]] = [((), frozenset(ALPHABET))]
    for state in states:
        targets = [target for source, target in automaton.edges if source == state]
        following = [
            ((*chosen, target), common)
            for chosen, letters in following
            for target in targets
            if (common := letters & automaton.letters[target])
        ]
    return (chosen for chosen, _ in following)


def _find_reachable(automaton: _Automaton, states: tuple[int, ...]) -> set[tuple[int, ...]]:
    found: set[tuple[int, ...]] = set()
    waiting = [states]
    while waiting:
        for following in _steps(automaton, waiting.pop()):
            if following not in found:
                found.add(following)
                waiting.append(following)
    return found


def _find_loops(automaton: _Automaton) -> list[int]:
    return sorted({a for a, b in _reach(automaton) if a == b})


def _is_exponential(automaton: _Automaton) -> bool:
    for state in _find_loops(automaton):
        apart = {pair for pair in _find_reachable(automaton, (state, state)) if pair[0] != pair[1]}
        if any((state, state) in _find_reachable(automaton, pair) for pair in apart):
            return True
    return False


def _is_polynomial(automaton: _Automaton) -> bool:
    reach, looping = _reach(automaton), _find_loops(automaton)
    return any(
        (first, second, second) in _find_reachable(automaton, (first, first, second))
        for first in looping
        for second in looping
        if first != second and (first, second) in reach
    )
