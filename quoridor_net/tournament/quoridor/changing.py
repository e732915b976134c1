"""Changes to a tournament from another program, whether it is being played or not."""

from __future__ import annotations

import time
from pathlib import Path

from quoridor_net.net import clock
from quoridor_net.net.networks import EVERYBODY, Networks
from quoridor_net.tournament.journal import Journal, JournalError
from quoridor_net.tournament.journal.errors import HeldError
from quoridor_net.tournament.journal.lock import is_held
from quoridor_net.tournament.journal.reading import explain_errors, open_to_read
from quoridor_net.tournament.journal.requests import REFUSED, NotHeldError, ask
from quoridor_net.tournament.quoridor.manager import Manager, NotReadyError
from quoridor_net.tournament.quoridor.plan import Plan, PlanError

#: Seconds between two attempts to take the lock of a tournament.
_POLL = 0.1

#: Added to the answer if no program is playing the tournament.
_LATER = "the tournament is not being played: this takes effect when you resume it"


def change(path: Path, request: str, argument: str, patience: float, networks: Networks = EVERYBODY) -> str:
    """Change a tournament and return the answer: a sentence, or :data:`REFUSED` and the reason.

    If a program plays the tournament, it is asked to make the change. Otherwise this program makes it while
    it holds the lock, so a change is never made twice.

    Args:
        path: the journal.
        request: ``concurrency``, ``withdraw`` or ``add``.
        argument: the number of games, the name or the entrant.
        patience: timeout for the answer of another program, in seconds.
        networks: allowed networks of move servers, if the tournament is not being played.

    Raises:
        JournalError: the file cannot be read or written, or no answer arrived in time.
    """
    with explain_errors(path):
        open_to_read(path).close()
    deadline = time.monotonic() + patience
    while True:
        try:
            if is_held(path):
                return ask(path, request, argument, patience)
            return _change_here(path, request, argument, networks)
        except (NotHeldError, HeldError):
            # Retried, because a program has just ended or started, or another change was being made.
            if time.monotonic() >= deadline:
                raise
        time.sleep(_POLL)


def _change_here(path: Path, request: str, argument: str, networks: Networks) -> str:
    journal, state = Journal.resume(path)
    with journal:
        if state.is_over:
            raise JournalError(f"the tournament in {path} is over")
        try:
            manager = Manager(journal, state, Plan.of_state(state), networks=networks)
            answer = clock.run(manager.change, request, argument)
        except (PlanError, NotReadyError) as error:
            raise JournalError(f"{path}: {error}") from None
    return answer if answer.startswith(REFUSED) else f"{answer}; {_LATER}"
