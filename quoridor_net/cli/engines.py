"""The project's engine for commands that start at once: it compiles in the background."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from quoridor_net.output import ignore

if TYPE_CHECKING:
    from quoridor_net.engine import Limits
    from quoridor_net.players.engine import SharedEngine
    from quoridor_net.ui.local_player import LocalPlayer


class Engines:
    """The engines of one command, with different limits.

    Args:
        is_silent: whether to report nothing unless a person plays at this terminal.
        table_mb: size of each player's transposition table, in megabytes; None for as much as fits.
    """

    def __init__(self, *, is_silent: bool, table_mb: int | None = None) -> None:
        self._is_silent = is_silent
        self._table_mb = table_mb
        self._engines: list[SharedEngine] = []
        #: The person who gets reports on the engine; without one, they go to standard error.
        self.person: LocalPlayer | None = None

    def start(self) -> None:
        """Begin to compile, before any move has to wait for it."""
        for engine in self._engines:
            engine.start()

    def engine(self, limits: Limits) -> SharedEngine:
        """Return the engine for searches within ``limits``."""
        from quoridor_net.players.engine import SharedEngine

        report = ignore if self._is_silent else None
        engine = SharedEngine(
            limits,
            self._table_mb,
            players=(2, 4),
            report=report if self.person is None else self.person.remark,
            prepare=self._prepare,
        )
        self._engines.append(engine)
        return engine

    def _prepare(self, progress: Callable[[str], None], /, *players: int) -> None:
        from quoridor_net.engine.ready import prepare

        prepare(progress if self.person is None else ignore, *players)
        if self.person is not None:
            self.person.remark("")
