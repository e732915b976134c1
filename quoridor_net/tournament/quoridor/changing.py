"""Changes a tournament from outside, whether it is being played or not."""

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

#: Seconds until the lock of a tournament is tried again.
_POLL = 0.1

#: Added to the answer when no program is playing the tournament.
_LATER = "the tournament is not being played: this takes effect when you resume it"


def change(path: Path, request: str, argument: str, patience: float, networks: Networks = EVERYBODY) -> str:
    """Change a tournament and return the answer: a sentence, or :data:`REFUSED` and the reason.

    A program that plays the tournament is asked to make the change. If there is none, this program makes it
    while it holds the lock that is needed to play. So only one of both ways is ever taken.

    Args:
        path: the journal.
        request: ``concurrency``, ``withdraw`` or ``add``.
        argument: the number of games, the name or the entrant.
        patience: seconds for the answer of another program.
        networks: where move servers may be, of a tournament that is not being played.

    Raises:
        JournalError: the file cannot be read or written, or the answer does not come in time.
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
            # It ended, or began, just now; or another change was being made.
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
