"""Starts a command with ``python -m``, or explains in one line what is missing."""

from __future__ import annotations

import sys
from typing import NoReturn

from quoridor_net.cli.loading import load


def start(module: str) -> None:
    """Run ``main`` of ``module``; imports no dependency before that."""
    if sys.version_info < (3, 11):  # noqa: UP036 - a clone can run without pip, which would refuse
        sys.exit(f"Error: quoridor-net needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    try:
        main = load(module).main
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in {"quoridor_net", "server", "client"}:
            _end(error)
        from quoridor_net.advice import format_install

        activate = r".venv\Scripts\activate" if sys.platform == "win32" else "source .venv/bin/activate"
        sys.exit(
            f"Error: {missing} is not installed for this Python. Run 'make demo' once, then '{activate}'"
            f" in each terminal; or install with '{format_install('.')}'."
        )
    except (MemoryError, OSError, SystemError) as error:
        # The interpreter's own traceback would fill a page.
        sys.exit(f"Error: not enough memory to start: {str(error) or 'out of memory'}.")
    except Exception as error:
        _end(error)
    main()


def _end(error: Exception) -> NoReturn:
    from quoridor_net.cli.unexpected import report

    sys.exit(report(error))
