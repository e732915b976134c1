"""Releases: what is built has the same bytes everywhere, and the files of a forge are valid."""

from __future__ import annotations

import io
import os
import re
import runpy
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import quoridor_net
from tests.docs.pages import blocks

ROOT = Path(__file__).parents[1]
#: Seconds since 1970 that the archives of the tests are given.
TIME = 1_000_000_000


def make_sdist(file: Path, *, names: list[str], mode: int, mtime: int) -> None:
    """Write an archive as setuptools does in some folder, at some time, by some user."""
    with tarfile.open(file, "w:gz") as tar:
        for name in names:
            member = tarfile.TarInfo(f"project-1.0/{name}")
            member.size, member.mode, member.mtime, member.uname = len(name), mode, mtime, "somebody"
            tar.addfile(member, io.BytesIO(name.encode()))


def test_an_sdist_has_the_same_bytes_on_every_machine(tmp_path: Path) -> None:
    normalize = runpy.run_path(str(ROOT / ".ci/build-dist"))["normalize"]
    one, other = tmp_path / "one.tar.gz", tmp_path / "other.tar.gz"
    make_sdist(one, names=["a.py", "b.py"], mode=0o600, mtime=5)
    make_sdist(other, names=["b.py", "a.py"], mode=0o664, mtime=77)
    for file in (one, other):
        normalize(file, TIME)
    assert one.read_bytes() == other.read_bytes()
    with tarfile.open(one) as tar:
        members = {member.name: member for member in tar}
        content = tar.extractfile("project-1.0/a.py")
        assert content is not None
        assert content.read() == b"a.py"
    assert [(each.mode, each.mtime, each.uname) for each in members.values()] == [(0o644, TIME, "")] * 2


def test_the_citation_names_this_version() -> None:
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert f"version: {quoridor_net.__version__}" in lines


@pytest.mark.skipif(sys.platform == "win32", reason="make and git are those of POSIX")
def test_workflows_run_targets_of_make_only() -> None:
    targets = {
        line.partition(":")[0]
        for line in (ROOT / "Makefile").read_text(encoding="utf-8").splitlines()
        if "  ## " in line
    }
    for file in (ROOT / ".github/workflows").glob("*.yml"):
        # Not the mapping of `defaults: run:`, which chooses a shell.
        commands = re.findall(r"^ *(?:- )?run: ([^{].*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
        assert commands
        for command in commands:
            words = command.removeprefix("sudo ").split()
            assert words[0] == "make", command
            assert {word for word in words[1:] if "=" not in word} <= targets, command


@pytest.fixture(scope="module")
def clones(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Build the packages in two clones, as two users whose files have different modes."""
    pytest.importorskip("build", reason="build is not installed: pip install -e '.[release]'")
    folder = tmp_path_factory.mktemp("clones")
    for umask in ("022", "077"):
        clone = folder / umask
        script = f"umask {umask} && git clone -q {ROOT} {clone} && {sys.executable} {clone}/.ci/build-dist"
        subprocess.run(["bash", "-c", script], check=True)
    return sorted(folder.iterdir())


@pytest.mark.slow
def test_the_built_packages_are_reproducible_and_can_be_installed(clones: list[Path]) -> None:
    built = [{file.name: file.read_bytes() for file in (clone / "dist").iterdir()} for clone in clones]
    assert built[0] == built[1]
    assert {name.rpartition(".")[2] for name in built[0]} == {"gz", "whl"}
    subprocess.run([clones[0] / ".ci/try-dist", sys.executable], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["pipx", "uvx"])
def test_the_readme_says_how_to_install_the_wheel(clones: list[Path], tmp_path: Path, tool: str) -> None:
    scripts = Path(sys.executable).parent
    if not (scripts / tool).exists():
        pytest.skip(f"{tool} is not installed: pip install -e '.[release]'")
    block = next(block for block in blocks(ROOT / "README.md", "text") if "pipx" in block)
    (command,) = (line for line in block.splitlines() if line.startswith(tool))
    environment = os.environ | {
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "PIPX_HOME": str(tmp_path / "pipx"),
        "PIPX_BIN_DIR": str(tmp_path),
        "UV_PYTHON": sys.executable,
    }
    # The test above covers the engine.
    command = command.replace("quoridor demo", "quoridor demo --player simple")
    subprocess.run(["bash", "-c", command], cwd=clones[0], env=environment, check=True)
    if tool == "pipx":
        subprocess.run([tmp_path / "quoridor", "--version"], check=True)
