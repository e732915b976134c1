"""The public names of every package: recorded, importable, documented.

A name that appears in or disappears from an ``__all__`` has to be changed in ``tests/data/public_names.txt``
too, so that nobody breaks the library's users by accident. Run this file to rewrite that list.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import quoridor_net

RECORD = Path(__file__).parent / "data" / "public_names.txt"


def packages() -> list[str]:
    found = pkgutil.walk_packages(quoridor_net.__path__, "quoridor_net.")
    return sorted(module.name for module in found if module.ispkg)


def public_names(package: str) -> list[str]:
    return list(getattr(importlib.import_module(package), "__all__", []))


def current() -> str:
    lines = [f"{package}: {' '.join(sorted(public_names(package)))}".rstrip() for package in packages()]
    return "\n".join(lines) + "\n"


def test_names_are_those_recorded() -> None:
    recorded = RECORD.read_text(encoding="utf-8")
    assert current() == recorded, f"if this is meant, run: python {Path(__file__).name}"


@pytest.mark.parametrize("package", packages())
def test_names_can_be_imported_and_are_documented(package: str) -> None:
    module = importlib.import_module(package)
    assert module.__doc__, f"{package} has no docstring"
    names = public_names(package)
    assert len(names) == len(set(names))
    for name in names:
        value = getattr(module, name)
        is_ours = getattr(value, "__module__", "").startswith("quoridor_net.")
        if is_ours and (inspect.isclass(value) or inspect.isfunction(value)):
            assert inspect.getdoc(value), f"{package}.{name} has no docstring"


if __name__ == "__main__":
    RECORD.write_text(current(), encoding="utf-8")
