"""The tables of both roles, written out once more: state, kind, and the state that follows."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from quoridor_net.protocols.athens.transitions import (
    CONTROLLER_RECEIVES,
    CONTROLLER_SENDS,
    ENGINE_RECEIVES,
    ENGINE_SENDS,
)
from quoridor_net.protocols.common.role import Label

ENGINE_SENT = """
thinking  = (a move)  ready
thinking  ?           ready
working   =           ready
working   ?           ready
"""
ENGINE_RECEIVED = """
ready  (any other command)  ready
ready  genmove              thinking
ready  (a private command)  working
ready  quit                 closed
"""
CONTROLLER_SENT = """
ready    (a command)                waiting
ready    (nothing: no longer waits)  ready
waiting  (nothing: no longer waits)  ready
reading  (nothing: no longer waits)  ready
"""
CONTROLLER_RECEIVED = """
ready    (any other line)                  ready
waiting  (any other line)                  waiting
waiting  = or ? (the whole answer)         ready
waiting  ? (to genmove)                    waiting
waiting  = or ? (more follows)             reading
reading  (a further line)                  reading
reading  (any other line)                  reading
reading  = or ? (the whole answer)         ready
reading  ? (to genmove)                    waiting
reading  = or ? (more follows)             reading
reading  (a blank line, and no answer yet)  waiting
"""


@pytest.mark.parametrize(
    ("written", "table"),
    [
        (ENGINE_SENT, ENGINE_SENDS),
        (ENGINE_RECEIVED, ENGINE_RECEIVES),
        (CONTROLLER_SENT, CONTROLLER_SENDS),
        (CONTROLLER_RECEIVED, CONTROLLER_RECEIVES),
    ],
)
def test_the_tables_have_these_transitions(written: str, table: Mapping[tuple[Label, Label], Label]) -> None:
    rows = {tuple(part.strip() for part in row.split("  ") if part) for row in written.strip().splitlines()}
    assert {(state.value, kind.value, following.value) for (state, kind), following in table.items()} == rows
