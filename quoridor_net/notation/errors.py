"""What goes wrong when text is read as a move or a position."""

#: Most characters of somebody's text that a message repeats.
SHOWN = 40


def quoted(text: str) -> str:
    """Return ``text`` in quotes, shortened if it is long, for a message."""
    return repr(text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}...")


class Unparsable(ValueError):
    """The text is not written in the expected notation; the message says what was expected."""
