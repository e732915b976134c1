"""Starts a command with ``python -m``, or says in one line what is missing."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import NoReturn


def start(module: str) -> None:
    """Run ``main`` of ``module``.

    Nothing that has to be installed is imported before.
    """
    if sys.version_info < (3, 11):  # noqa: UP036 - pip is what refuses to install there, and was not asked
        sys.exit(f"Error: quoridor-net needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    try:
        main = import_module(module).main
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in {"quoridor_net", "server", "client"}:
            _end(error)
        activate = r".venv\Scripts\activate" if sys.platform == "win32" else "source .venv/bin/activate"
        sys.exit(
            f"Error: {missing} is not installed for this Python. Run 'make demo' once, then '{activate}'"
            " in each terminal; or install with 'pip install .'."
        )
    except (MemoryError, OSError, SystemError) as error:
        # Not even this program fits: what the interpreter says then is a page.
        sys.exit(f"Error: this machine has no room for the program: {str(error) or 'no memory is left'}.")
    except Exception as error:
        _end(error)
    main()


def _end(error: Exception) -> NoReturn:
    from quoridor_net.cli.unexpected import report

    sys.exit(report(error))
