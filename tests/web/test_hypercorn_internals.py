"""The undocumented parts of hypercorn that are used, which a new version may change."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest
from hypercorn.app_wrappers import ASGIWrapper
from hypercorn.protocol.ws_stream import Handshake, WSStream
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext

from quoridor_net.web import serving
from tests.test_floors import SOURCES, imports_of

ROOT = Path(__file__).parents[2]

#: The names that ``quoridor_net.web.serving`` uses, and the source that has them.
IN_USE: list[tuple[Callable[..., object], str]] = [
    (TCPServer.__init__, r"self, app: .*, config: .*, context: .*, state: .*, stream: "),
    (TCPServer.__await__, r"self\.run\(\)"),
    # The stream has only these names: without do_handshake, hypercorn treats it as a plain socket.
    (TCPServer.run, r"except AttributeError:.*socket = self\.stream\.socket"),
    (TCPServer.protocol_send, r"await self\.stream\.send_all\(event\.data\)"),
    (TCPServer._read_data, r"await self\.stream\.receive_some\("),
    (TCPServer._close, r"await self\.stream\.send_eof\(\).*await self\.stream\.aclose\(\)"),
    (WorkerContext.__init__, r"self, max_requests: .*self\.terminated = "),
    (ASGIWrapper.__init__, r"self, app: "),
    # The application's send is a method of the stream with the handshake.
    (WSStream.handle, r"self\.handshake = Handshake\(.*\.spawn_app\([^)]*self\.app_send"),
    (Handshake.__init__, r"self\.extensions\b"),
]


@pytest.mark.parametrize(("owner", "text"), IN_USE, ids=lambda value: getattr(value, "__qualname__", None))
def test_hypercorn_has_the_names_that_are_used(owner: Callable[..., object], text: str) -> None:
    source = " ".join(inspect.getsource(owner).split())
    assert re.search(text, source), source


def test_only_one_module_uses_hypercorn_and_its_docstring_lists_the_names() -> None:
    found = {
        (module, name.rpartition(".")[2])
        for module, path in SOURCES
        for _, name in imports_of(path)
        if name.startswith("hypercorn")
    }
    assert {module for module, _ in found} == {serving.__name__}
    assert serving.__doc__ is not None
    # This one is for the type checker.
    names = {name for _, name in found} - {"ASGIFramework"}
    assert [name for name in names if f"``{name}" not in serving.__doc__] == []


def test_the_installed_hypercorn_is_below_the_tested_maximum() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (requirement,) = (each for each in project["dependencies"] if each.startswith("hypercorn"))
    found = re.fullmatch(r"hypercorn\[trio\]>=(\d+)\.(\d+),<(\d+)\.(\d+)", requirement)
    assert found is not None
    low, ceiling = (int(found[1]), int(found[2])), (int(found[3]), int(found[4]))
    major, minor, *_ = version("hypercorn").split(".")
    assert low <= (int(major), int(minor)) < ceiling
