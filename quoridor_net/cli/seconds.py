"""Lengths of time on command lines."""

from __future__ import annotations

import math
from typing import Any

import click


class Seconds(click.FloatRange):
    """A length of time. What is no number at all passes a plain range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number; fail with a sentence when it is none."""
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return seconds


SECONDS = Seconds(0, 1e6, min_open=True)
