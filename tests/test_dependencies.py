"""Dependencies: each is explained, pinned for development, and limited only where internals are used."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.docs.pages import DOCS, ROOT, section

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
LOCK = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8")
#: Packages whose internals are used, each with a test that finds out when they change.
INTERNALS = {"hypercorn", "numba"}


def read_requirements(*extras: str) -> Iterator[Requirement]:
    """Yield the requirements of the program and of some extras, without those on the project's own extras."""
    for text in [*PROJECT["dependencies"], *(text for extra in extras for text in EXTRAS[extra])]:
        requirement = Requirement(text)
        if requirement.name != PROJECT["name"]:
            yield requirement


def read_locked() -> dict[str, list[Requirement]]:
    """Return the locked requirements by name: several if the version depends on the system."""
    found: dict[str, list[Requirement]] = {}
    for line in re.findall(r"^[a-z0-9].*?(?= *\\?$)", LOCK, re.MULTILINE):
        requirement = Requirement(line)
        found.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return found


def test_the_lock_satisfies_the_declared_bounds() -> None:
    versions = {
        name: [specifier.version for each in requirements for specifier in each.specifier]
        for name, requirements in read_locked().items()
    }
    # For training, people choose the build of torch that fits their graphics card.
    for requirement in read_requirements(*(extra for extra in EXTRAS if extra != "learn")):
        found = versions.get(canonicalize_name(requirement.name))
        hint = f"requirements-dev.txt does not satisfy {requirement}. Run: make lock"
        assert found, hint
        assert all(requirement.specifier.contains(version) for version in found), hint


def test_the_lock_has_hashes_and_names_no_index() -> None:
    names = len(re.findall(r"^[a-z0-9]", LOCK, re.MULTILINE))
    # Each hash continues a line, and each name has one at least.
    assert len(re.findall(r"^[a-z0-9].* \\\n    --hash=sha256:[0-9a-f]{64}", LOCK, re.MULTILINE)) == names
    assert "://" not in LOCK
    assert re.findall(r"^ *-(?!-hash=).*", LOCK, re.MULTILINE) == []


def test_only_packages_with_used_internals_have_a_maximum_version() -> None:
    limited = {
        requirement.name
        for requirement in read_requirements(*EXTRAS)
        if any(specifier.operator != ">=" for specifier in requirement.specifier)
    }
    assert limited == INTERNALS


def test_every_package_has_a_minimum_version() -> None:
    unlimited = [
        requirement.name
        for requirement in read_requirements(*EXTRAS)
        if not any(specifier.operator == ">=" for specifier in requirement.specifier)
    ]
    assert unlimited == []


@pytest.mark.parametrize("extra", [None, *EXTRAS])
def test_the_table_of_dependencies_is_that_of_the_package(extra: str | None) -> None:
    text = section(DOCS / "decisions.md", "Dependencies").partition("\n\nOther lower bounds")[0]
    parts = dict(re.findall(r"^\| \*\*extra `(\w+)`\*\* .*\n((?:\| [^*].*\n?)+)", text, re.MULTILINE))
    parts[None] = text.partition("|---|---|---|\n")[2].partition("| **")[0]
    rows = [line.split("|")[1] for line in parts[extra].splitlines()]
    listed = {name.strip() for row in rows for name in row.split(",")}
    expected = read_requirements() if extra is None else map(Requirement, EXTRAS[extra])
    assert listed == {requirement.name for requirement in expected} - {PROJECT["name"]}
