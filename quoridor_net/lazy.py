"""Names of a package that are loaded on first use, so that programs start quickly."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module


def load_on_first_use(package: str, homes: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """Return a function ``__getattr__`` for a package.

    Define it for others than type checkers only, which would not report misspelled names otherwise.

    Args:
        package: the name of the package.
        homes: the names that each of its modules defines, by module.
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def load(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{home_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load
