"""The project's engine in commands that do not wait for it: compiled while they do something else."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from quoridor_net.output import ignore
from quoridor_net.tournament.members import MakePlayer

if TYPE_CHECKING:
    from quoridor_net.engine import Limits
    from quoridor_net.players.preparation import Preparation
    from quoridor_net.ui.local_player import LocalPlayer


class Engines:
    """Makes players of the project's engine, which play before it is compiled.

    Args:
        is_silent: whether nothing is said of the compiler where no person plays at this terminal.
        table_mb: megabytes that each player keeps of what it searched; None for as many as there is room for.
    """

    def __init__(self, *, is_silent: bool, table_mb: int | None = None) -> None:
        self._is_silent = is_silent
        self._table_mb = table_mb
        self._lock = threading.Lock()
        self._preparations: list[Preparation] = []
        #: Sees what is said of the engine; without a person, it goes to standard error.
        self.person: LocalPlayer | None = None

    def start(self) -> None:
        """Begin to compile, before anybody waits for it."""
        for preparation in self._preparations:
            preparation.start()

    def maker(self, limits: Limits) -> MakePlayer:
        """Return what makes players that think within ``limits``."""
        from quoridor_net.players.prepared import PreparedPlayer

        preparation = self.preparation(limits)
        return lambda seed: PreparedPlayer(preparation, seed, limits, self._table_mb)

    def preparation(self, limits: Limits) -> Preparation:
        """Return what makes the engine ready for searches within ``limits``."""
        from quoridor_net.players.preparation import prepared_for

        report = None if self.person is None else self.person.remark
        is_quiet = self._is_silent and self.person is None
        preparation = prepared_for(
            limits, players=(2, 4), is_quiet=is_quiet, report=report, warm_up=self._warm_up
        )
        self._preparations.append(preparation)
        return preparation

    def _warm_up(self, progress: Callable[[str], None], /, *players: int) -> None:
        from quoridor_net.players.preparation import warm_up_engine

        # One after another: what the first has compiled the others have at once.
        with self._lock:
            warm_up_engine(progress if self.person is None else ignore, *players)
        if self.person is not None:
            self.person.remark("")
