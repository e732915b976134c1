"""The line of a program's standard error that tells why it ended."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quoridor_net.text import cut, visible

#: Maximum lengths of the line and of the place in the source, in characters.
SHOWN = 200
_SHOWN_PLACE = 80

#: Number of last lines that logs keep.
KEPT_LINES = 10

# Lines of a stack trace, as of Java, C# and JavaScript ("at"), and of Go.
_FRAME = re.compile(r"\s+at\s|\s*\.\.\. \d+ (?:more|common frames)|\s+--- End of |\t/|goroutine \d")
_CAUSE = re.compile(r"\s*(?:Caused by|Suppressed): ")

# The first line of a message that has further lines after it, by language: Java, C#, C++, Go, Rust, and the
# sanitizers of C.
_HEAD = re.compile(
    r'Exception in (?:thread "|Application )|Unhandled exception|terminate called |panic: |fatal error: '
    r"|thread '[^']*' panicked at |==\d+==ERROR: "
)
_PYTHON = re.compile(r"Traceback \(most recent call last\)|Exception in thread ")

# Lines after the message that say nothing about it.
_CLOSING = re.compile(
    r"[\s^~|+=*-]*$|Node\.js v|exit status \d|note: run with|\d+ errors?$|==\d+==ABORTING|Aborted"
    r"|[\s|]*\[Previous line repeated"
)
_NOT_COMPILED = "error: compilation failed"

# The methods of libraries in a stack trace.
_LIBRARY = re.compile(r"\s*at (?:java|javax|jdk|sun|com\.sun|System|node)[./:]|.*\(node:")


def find_telling_line(words: bytes) -> str:
    """Return the line of a program's last words that names its error, printable; empty without any.

    For an exception, this is its name and message, followed by its cause and the place in the program's own
    source if a stack trace shows them.
    """
    lines = _split(words)
    if not lines:
        return ""
    if lines[-1].startswith(_NOT_COMPILED):
        first = next((line for line in lines if ": error: " in line), lines[-1])
        return _show(first)
    start = _find_head(lines)
    return _show(_complete(lines, start), _find_place(lines[start + 1 :]))


def find_exception(words: bytes) -> str:
    """Return the telling line of an exception among the words of a program that still runs; empty without."""
    lines = _split(words)
    is_trace = any(_FRAME.match(line) or _HEAD.match(line) or _PYTHON.match(line) for line in lines)
    return find_telling_line(words) if is_trace else ""


def last_lines(words: bytes) -> list[bytes]:
    """Return the last lines for a log."""
    return words.splitlines(keepends=True)[-KEPT_LINES:]


def is_frame(line: str) -> bool:
    """Return whether a line belongs to a stack trace, or is the message above one."""
    return bool(_FRAME.match(line) or _CAUSE.match(line) or _HEAD.match(line))


def _split(words: bytes) -> list[str]:
    lines = [line.rstrip() for line in words.decode("utf-8", "replace").splitlines()]
    while lines and _CLOSING.match(lines[-1]):
        lines.pop()
    return [line for line in lines if line.strip()]


def _find_head(lines: Sequence[str]) -> int:
    """Return the number of the line that names the error."""
    last = len(lines) - 1
    heads = [number for number, line in enumerate(lines) if _HEAD.match(line)]
    # A message after the trace of another thread is on a line of its own.
    if heads and (_FRAME.match(lines[last]) or last - heads[-1] < 2 or lines[heads[-1]].startswith("==")):
        return heads[-1]
    start = last
    while start and (_FRAME.match(lines[start]) or _CAUSE.match(lines[start])):
        start -= 1
    # The beginning of a very long trace is lost.
    return last if _FRAME.match(lines[start]) else start


def _complete(lines: Sequence[str], start: int) -> str:
    """Return the message that starts in line ``start``, with the text of further lines that belong to it."""
    message = lines[start].strip()
    following = lines[start + 1].strip() if start + 1 < len(lines) else ""
    if following.startswith("what():"):
        return f"{message}: {following}"
    if " panicked at " in message:
        return f"{message} {following}"
    causes = [line.strip() for line in lines[start + 1 :] if line.strip().startswith("Caused by: ")]
    cause = causes[-1] if causes else ""
    is_known = cause.removeprefix("Caused by: ") in message
    return message if is_known else f"{message}; {cause}"


def _find_place(lines: Sequence[str]) -> str:
    """Return the first line of a stack trace that is about the program's own source; empty if none is."""
    frames = (line for line in lines if line.lstrip().startswith("at "))
    return next((frame.strip() for frame in frames if not _LIBRARY.match(frame)), "")


def _show(message: str, place: str = "") -> str:
    place = cut(place, _SHOWN_PLACE, "...")
    shown = cut(message.strip(), SHOWN, "...")
    return visible(f"{shown} ({place})" if place else shown).replace("\\t", " ")
