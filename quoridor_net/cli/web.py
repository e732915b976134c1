"""Commands whose games can be looked at in a browser: what their option ``--web`` does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import click
import trio

from quoridor_net.cli.exit_status import CannotBeginError, ExitStatus
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.net.listening import cannot_listen, listen
from quoridor_net.net.networks import EVERYBODY, Networks
from quoridor_net.net.signals import until_signal

if TYPE_CHECKING:
    from quoridor_net.web.address import WebAddress
    from quoridor_net.web.application import Site


def listening(endpoint: Endpoint, networks: Networks = EVERYBODY) -> WebAddress:
    """Listen for browsers on ``endpoint``, which those in ``networks`` may use.

    Raises:
        click.ClickException: the address is taken, or not one of this machine.
    """
    from quoridor_net.web.address import WebAddress

    host = endpoint.host
    try:
        listeners = trio.run(listen, host, endpoint.port)
    except OSError as error:
        another_port = f"Try another one: --web {Endpoint(host, endpoint.port % 65535 + 1)}"
        another_host = "Give an address of this machine, as in --web localhost:8000"
        sentence = cannot_listen(host, endpoint.port, error, another_port, another_host)
        raise CannotBeginError(f"--web {sentence}") from None
    return WebAddress(host, listeners, networks)


async def until_seen(
    web: WebAddress | None, site: Site | None, work: Callable[[], Awaitable[int]]
) -> int | None:
    """Return what ``work`` returns, or None when Ctrl-C or SIGTERM ended it.

    With a site, it is open meanwhile; and when the work is done, until Ctrl-C: people want to see how a game
    ended.

    Args:
        web: where browsers come; None for no site.
        site: the site.
        work: returns an exit status.
    """
    if web is None or site is None:
        return await until_signal(work)
    tell(f"In the browser: {web.url}")
    async with web.open(site, tell):
        status = await until_signal(work)
        if status == ExitStatus.DONE:
            tell(f"What happened can still be seen at {web.url} until Ctrl-C.")
            await until_signal(trio.sleep_forever)
    return status


def note_of(web: WebAddress, note: Callable[[], str]) -> Callable[[], str]:
    """Return a function that gives the address of a site unless ``note`` has something more urgent to say."""
    return lambda: note() or f"In the browser: {web.url}"


def tell(sentence: str) -> None:
    """Tell people at the terminal something; it is no part of the output."""
    click.echo(sentence, err=True)
