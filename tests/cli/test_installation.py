"""The installed package runs in any folder, both from a clone and from a wheel."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
#: Modules in the folder in which a student runs commands.
TAKEN = ("client", "random", "select", "server", "trio")


@pytest.fixture(scope="module")
def setup() -> dict[str, Any]:
    """Return the arguments that setup.py passes to setuptools."""
    setuptools = pytest.importorskip("setuptools")
    given: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(setuptools, "setup", given.update)
        patch.chdir(ROOT)
        runpy.run_path(str(ROOT / "setup.py"))
    return given


def source_of(package: str, folders: dict[str, str]) -> Path:
    """Return the folder in which setuptools looks for a package."""
    for prefix, folder in folders.items():
        if package == prefix or package.startswith(f"{prefix}."):
            return ROOT / folder / package.removeprefix(prefix).strip(".").replace(".", "/")
    return ROOT / package.replace(".", "/")


def test_one_package_is_installed_and_has_everything(setup: dict[str, Any]) -> None:
    packages = setup["packages"]
    assert {package.split(".")[0] for package in packages} == {"quoridor_net"}
    assert len(set(packages)) == len(packages)
    installed = {source_of(package, setup["package_dir"]) for package in packages}
    folders = [ROOT / name for name in ("quoridor_net", "server", "client")]
    assert installed == {source.parent for folder in folders for source in folder.rglob("*.py")}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Create a folder with modules whose names a student might choose."""
    folder = tmp_path / "homework"
    folder.mkdir()
    for name in TAKEN:
        (folder / f"{name}.py").write_text("raise SystemExit('another module')\n", encoding="utf-8")
    return folder


@pytest.fixture(params=["clone", "wheel"], scope="module")
def environment(
    request: pytest.FixtureRequest, setup: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """Return an environment in which Python finds the project in a clone or as a wheel installs it."""
    place = ROOT
    if request.param == "wheel":
        place = tmp_path_factory.mktemp("wheel") / "site-packages"
        for package in setup["packages"]:
            source = source_of(package, setup["package_dir"])
            target = place / package.replace(".", "/")
            shutil.copytree(
                source,
                target,
                ignore=lambda folder, names: [name for name in names if Path(folder, name).is_dir()],
            )
    return {**os.environ, "PYTHONPATH": str(place)}


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    "words", ["serve --help", "clobber serve --help", "referee --help", "demo --player simple --seed 1"]
)
def test_commands_run_in_a_folder_with_modules_of_the_same_names(
    words: str, environment: dict[str, str], folder: Path
) -> None:
    # Like the installed script: the current folder is not on the module path.
    command = [sys.executable, "-P", "-m", "quoridor_net", *words.split()]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize("module", ["server", "client", "server.clobber", "client.clobber", "quoridor_net"])
def test_missing_dependencies_are_reported_in_one_line(module: str) -> None:
    # Without site-packages, like the system's Python.
    command = [sys.executable, "-S", "-m", module, "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    error, end = done.stderr.split("\n")
    assert (error[:14], end) == ("Error: click i", "")
    assert "'make demo'" in error
    assert error.endswith(" install .'.")
