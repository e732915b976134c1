"""The supported versions of Python are the same everywhere, and the oldest is the one that is tested."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

#: From the oldest on. Debian 12 has 3.11.2.
SUPPORTED = ("3.11", "3.12", "3.13", "3.14")
OLDEST = SUPPORTED[0]

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


def test_the_package_names_the_supported_versions() -> None:
    project = PROJECT["project"]
    assert project["requires-python"] == f">={OLDEST}"
    prefix = "Programming Language :: Python :: "
    named = [line.removeprefix(prefix) for line in project["classifiers"] if line.startswith(prefix)]
    assert [version for version in named if "." in version] == [*SUPPORTED]


def test_the_tools_check_for_the_oldest() -> None:
    assert PROJECT["tool"]["mypy"]["python_version"] == OLDEST
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py{OLDEST.replace('.', '')}"


def test_workflows_test_every_supported_version() -> None:
    text = (ROOT / ".github/workflows/checks.yml").read_text(encoding="utf-8")
    assert re.findall(r"^ +python: \[(.*)\]", text, re.MULTILINE) == [
        ", ".join(f'"{each}"' for each in SUPPORTED)
    ]


@pytest.mark.parametrize("page", ["README.md", "Makefile", "docs/howto-class.md", ".ci/run"])
def test_pages_name_the_oldest_python(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    found = set(re.findall(r"Python (3\.\d+)(?:\+| or newer| and )", text))
    assert found == {OLDEST}


@pytest.mark.parametrize("path", ["Makefile", "quoridor_net/cli/start.py"])
def test_older_versions_are_refused(path: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    assert f"sys.version_info < ({OLDEST.replace('.', ', ')})" in text


def pretend(folder: Path, pythons: Mapping[str, str]) -> Path:
    """Make programs that answer like Pythons; an empty answer is that of one without ensurepip."""
    folder.mkdir(parents=True)
    for name, answer in pythons.items():
        program = folder / name
        program.write_text(
            f"#!/bin/sh\necho {answer}\n" if answer else "#!/bin/sh\nexit 1\n", encoding="ascii"
        )
        program.chmod(0o755)
    return folder


def oldest(*folders: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([ROOT / ".ci/oldest-python", *folders], capture_output=True, text=True, check=False)


@needs_bash
def test_the_oldest_python_is_found_wherever_it_is(tmp_path: Path) -> None:
    first = pretend(tmp_path / "first", {"python3": "3 013 000", "python3.13": "3 013 000"})
    second = pretend(
        tmp_path / "with a space",
        {"python3": "3 011 002", "python3.11": "3 011 002", "python3.12": "3 012 001"},
    )
    third = pretend(tmp_path / "third", {"python3": "3 011 010", "python3.10": ""})
    assert oldest(first, second, third).stdout == f"{second}/python3\n"
    assert oldest(third, first).stdout == f"{third}/python3\n"


@needs_bash
def test_without_a_suitable_python_the_script_names_the_package(tmp_path: Path) -> None:
    done = oldest(pretend(tmp_path / "bin", {"python3": "", "python3.10": ""}))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"No Python {OLDEST} or newer that has venv and ensurepip was found."
        " On Debian: apt install python3-venv\n"
    )


@needs_bash
def test_a_virtual_environment_is_passed_over() -> None:
    # This one is, where the tests run as they should.
    if sys.prefix == sys.base_prefix:
        pytest.skip("these tests do not run in a virtual environment")
    assert oldest(Path(sys.prefix) / "bin").returncode == 1


def integrate(folder: Path, chosen: Path, make: str) -> subprocess.CompletedProcess[str]:
    """Run continuous integration in ``folder`` with a program that pretends to be make."""
    shutil.copytree(ROOT / ".ci", folder / ".ci")
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / ".ci/oldest-python").write_text(f"#!/bin/sh\necho {chosen}\n", encoding="utf-8")
    return subprocess.run(
        [folder / ".ci/run"],
        env={"PATH": f"{pretend(folder / 'bin', {'make': make})}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )


@needs_bash
def test_continuous_integration_builds_with_the_oldest_python(tmp_path: Path) -> None:
    pretend(tmp_path / ".venv" / "bin", {"python": "of another version"})
    chosen = pretend(tmp_path / "only", {"python3": "3 011 002"}) / "python3"
    done = integrate(tmp_path, chosen, '"make $1 with $PYTHON"')
    assert done.returncode == 0, done.stderr
    first, second, *made = done.stdout.splitlines()
    assert first == f"Using Python 3 011 002, {chosen}"
    assert second == "Replacing .venv, which another Python made"
    assert not (tmp_path / ".venv").exists()
    # The types are checked beside the others.
    made.remove(f"make types with {chosen}")
    assert made == [f"make {first_word} with {chosen}" for first_word in ("-j3", "-j3", "test")]


@needs_bash
@pytest.mark.parametrize("target", ["types", "test"])
def test_continuous_integration_fails_if_types_or_tests_do(target: str, tmp_path: Path) -> None:
    chosen = pretend(tmp_path / "only", {"python3": "3 011 002"}) / "python3"
    done = integrate(tmp_path, chosen, f'"make $1"; [ "$1" != {target} ]')
    assert done.returncode != 0
    assert {"make types", "make test"} <= set(done.stdout.splitlines())
