"""Finds the two applications: inside this package when it is installed, beside it in a clone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import quoridor_net

_PACKAGE = Path(quoridor_net.__file__).parent


def application(name: str) -> str:
    """Make ``server`` or ``client`` importable and return the name to import it by."""
    if (_PACKAGE / name).is_dir():
        return f"quoridor_net.{name}"
    # The clone comes first because the current folder may have a module of the same name.
    if (clone := str(_PACKAGE.parent)) not in sys.path[:1]:
        sys.path.insert(0, clone)
    return name


def quoridor(*words: str) -> tuple[list[str], dict[str, str]]:
    """Return the command line and the environment that run ``quoridor`` with ``words``.

    Modules in the current folder are ignored (``-P``), whatever their names.
    """
    environment = dict(os.environ)
    if not (_PACKAGE / "server").is_dir():
        paths = [str(_PACKAGE.parent), environment.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    return [sys.executable, "-P", "-m", "quoridor_net", *words], environment
