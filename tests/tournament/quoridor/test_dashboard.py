"""A dashboard is shown only if a program listens there."""

from __future__ import annotations

import socket

import pytest

from quoridor_net.tournament.quoridor.dashboard import answers


def test_only_a_page_where_a_program_listens_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        link = f"http://127.0.0.1:{server.getsockname()[1]}/status"
        assert answers(link)
    assert not answers(link)


@pytest.mark.parametrize("link", ["", "status", "http://127.0.0.1:port/status", "http://[127.0.0.1/status"])
def test_an_invalid_link_does_not_answer(link: str) -> None:
    assert not answers(link)
