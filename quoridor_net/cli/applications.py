"""Where the two applications are: inside this package when it is installed, beside it in a clone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import quoridor_net

_PACKAGE = Path(quoridor_net.__file__).parent


def application(name: str) -> str:
    """Return the name by which ``server`` or ``client`` can be imported from now on."""
    if (_PACKAGE / name).is_dir():
        return f"quoridor_net.{name}"
    # First in the path: the folder that a command runs in may have a module of the same name.
    if (clone := str(_PACKAGE.parent)) not in sys.path[:1]:
        sys.path.insert(0, clone)
    return name


def quoridor(*words: str) -> tuple[list[str], dict[str, str]]:
    """Return how to run the ``quoridor`` command: its command line and its environment.

    Modules of the folder that it runs in are left alone (``-P``), whatever they are called.
    """
    environment = dict(os.environ)
    if not (_PACKAGE / "server").is_dir():
        paths = [str(_PACKAGE.parent), environment.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    return [sys.executable, "-P", "-m", "quoridor_net", *words], environment
