"""The option ``--web``: a page in the browser for the games of a command."""

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
    from quoridor_net.web.proxies import PublicPlace


def listen_for_browsers(
    endpoint: Endpoint, networks: Networks = EVERYBODY, public: PublicPlace | None = None
) -> WebAddress:
    """Listen on ``endpoint`` for browsers in ``networks``, or for the proxies of a public address.

    Raises:
        click.ClickException: the address is in use, or not one of this machine.
    """
    from quoridor_net.web.address import WebAddress

    host = endpoint.host
    try:
        listeners = trio.run(listen, host, endpoint.port)
    except OSError as error:
        another_port = f"Choose another: --web {Endpoint(host, endpoint.port % 65535 + 1)}"
        another_host = "Give an address of this machine, as in --web localhost:8000"
        sentence = cannot_listen(host, endpoint.port, error, another_port, another_host)
        raise CannotBeginError(f"--web {sentence}") from None
    return WebAddress(host, listeners, networks, public)


async def until_seen(
    web: WebAddress | None, site: Site | None, work: Callable[[], Awaitable[int | None]]
) -> int | None:
    """Run ``work`` with the site open, and keep the site open afterwards until Ctrl-C.

    Args:
        web: the address of the site; None for none.
        site: the site.
        work: returns an exit status, or None if it was stopped.

    Returns:
        the status of ``work``; also None if Ctrl-C or SIGTERM interrupted it.
    """
    if web is None or site is None:
        return await until_signal(work)
    tell(f"In the browser: {web.url}")
    async with web.open(site, tell):
        status = await until_signal(work)
        if status == ExitStatus.DONE:
            tell(f"Done. The page stays open at {web.url} until Ctrl-C.")
            await until_signal(trio.sleep_forever)
    return status


def note_of(web: WebAddress, note: Callable[[], str]) -> Callable[[], str]:
    """Return a function that returns ``note()`` or, if that is empty, the address of the site."""
    return lambda: note() or f"In the browser: {web.url}"


def tell(sentence: str) -> None:
    """Print a sentence for the person at the terminal, to standard error."""
    click.echo(sentence, err=True)
