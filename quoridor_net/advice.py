"""Commands in messages, written so that the user can type them as printed."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


def format_command(*words: str) -> str:
    """Return ``quoridor`` with ``words`` as it works in the user's shell.

    The commands of a virtual environment that is not activated are outside the ``PATH``.
    """
    return _format("quoridor", "quoridor_net", words)


def format_install(requirement: str) -> str:
    """Return the ``pip install`` command for the environment of this process."""
    return _format("pip", "pip", ("install", requirement))


def _format(program: str, module: str, words: Sequence[str]) -> str:
    own = shutil.which(program, path=str(Path(sys.executable).parent))
    if own is None:
        return _join([_nearby(sys.executable), "-m", module, *words])
    found = shutil.which(program)
    is_on_path = found is not None and Path(found).samefile(own)
    return _join([program if is_on_path else _nearby(own), *words])


def _nearby(path: str) -> str:
    """Return ``path`` relative to the current folder if it lies below it."""
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else path


def _join(words: Sequence[str]) -> str:
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
