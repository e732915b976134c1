"""The manual page is built with the documentation, from the help of the commands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from quoridor_net.cli.main import COMMANDS, main
from tests.docs.pages import DOCS, ROOT
from tests.support.patience import PATIENCE


def test_the_manual_page_is_built_with_the_documentation() -> None:
    assert re.search(
        r"^\t\S+sphinx-build .*-b man .*docs/_build/man$", (ROOT / "Makefile").read_text(), re.MULTILINE
    )


@pytest.mark.slow
def test_the_manual_page_describes_every_command_and_option(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "man", str(DOCS), str(tmp_path)]
    subprocess.run(words, check=True, timeout=PATIENCE)
    page = (tmp_path / "quoridor.1").read_text(encoding="utf-8").replace("\\", "")
    assert ".SH NAME\nquoridor - Quoridor over the network\n" in page
    context = click.Context(main)
    for name in COMMANDS:
        assert f".SH QUORIDOR {name.upper()}\n" in page
        command = main.get_command(context, name)
        assert command is not None
        for option in command.get_params(click.Context(command)):
            record = option.get_help_record(click.Context(command))
            if isinstance(option, click.Option) and record is not None:
                assert record[0] in page
