"""What goes wrong when text is read as a move or a position."""


class Unparsable(ValueError):
    """The text is not written in the expected notation; the message says what was expected."""
