"""Numbers in the paths of requests, which may have any length: ``{number:number}`` in a route."""

from __future__ import annotations

from starlette.convertors import Convertor, register_url_convertor

from quoridor_net.text import UnparsableError, parse_number

#: Largest number of a game, board or entrant.
MOST = 10**9

#: Place of a number in the path of a route. Starlette's own ``int`` fails on thousands of digits.
NUMBER = "{number:number}"


class _NumberConvertor(Convertor[int]):
    """Converts decimal numbers; a larger one than any that exists becomes ``MOST + 1``."""

    regex = "[0-9]+"

    def convert(self, value: str) -> int:
        try:
            return parse_number(value, 0, MOST)
        except UnparsableError:
            return MOST + 1

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("number", _NumberConvertor())
