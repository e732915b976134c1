"""The disk cache of compiled code: its folder, its sources, and its lock between programs."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numba.core import caching

from quoridor_net.jit import cache


def test_compiled_code_has_a_place_without_a_writable_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(cache, "_settings", SimpleNamespace(CACHE_DIR=""))
    monkeypatch.setattr(Path, "mkdir", refuse)
    assert cache.KernelCache(Path(__file__).parent).folder.is_relative_to(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no owners there")
@pytest.mark.parametrize("whose", ["mine", "anybody's", "the group's", "another's", "another's below"])
def test_code_that_others_can_write_is_not_run(
    whose: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = tmp_path / "chosen"
    monkeypatch.setattr(cache, "_settings", SimpleNamespace(CACHE_DIR=str(chosen)))
    package = tmp_path / "package"
    package.mkdir()
    inner = cache.KernelCache(package).folder
    assert inner.parent == chosen
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (chosen, inner)] == [0o700, 0o700]
    cache._private_folder.cache_clear()
    if whose.startswith("another's"):
        folder = inner if whose.endswith("below") else chosen
        reason = "it belongs to another user"
        status = os.stat
        changed = SimpleNamespace(st_uid=os.getuid() + 1, st_mode=0o40755)
        monkeypatch.setattr(Path, "stat", lambda path, **_: changed if path == folder else status(path))
    else:
        folder, reason = chosen, "other users can write there (chmod go-w allows it)"
        chosen.chmod({"mine": 0o755, "anybody's": 0o757, "the group's": 0o775}[whose])
    found = [cache.KernelCache(package).folder for _ in range(2)]
    line = f"quoridor: {folder} is not used for compiled code: {reason}. Choose another NUMBA_CACHE_DIR.\n"
    assert capsys.readouterr().err == ("" if whose == "mine" else line)
    assert found == 2 * [inner if whose == "mine" else package / "__pycache__" / inner.name]


@pytest.mark.parametrize("changed", ["kernels.py", "deeper/kernels.py", "deeper/still/kernels.py"])
def test_a_change_anywhere_in_the_sources_gets_a_folder_of_its_own(changed: str, tmp_path: Path) -> None:
    source = tmp_path / changed
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text("ONE = 1")
    before = cache.KernelCache(tmp_path).folder
    assert cache.KernelCache(tmp_path).folder == before
    source.write_text("ONE = 2")
    assert cache.KernelCache(tmp_path).folder != before


def test_one_program_at_a_time_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_settings", SimpleNamespace(CACHE_DIR=str(tmp_path)))
    kept = cache.KernelCache(Path(__file__).parent)
    code = (
        "import sys; from pathlib import Path; from quoridor_net.jit import cache\n"
        "with cache.KernelCache(Path(sys.argv[1])).hold_compile_lock('play', print):\n"
        "    print('mine', flush=True), input()"
    )
    lines: list[str] = []
    command = [sys.executable, "-c", code, str(Path(__file__).parent)]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "mine\n"
        # When it dies, the next one continues.

        def wait_no_longer(line: str) -> None:
            lines.append(line)
            holder.kill()

        with kept.hold_compile_lock("play", wait_no_longer):
            assert holder.wait() < 0
    assert lines == ["waiting for another program that compiles it"]
    kept.note_complete("play")
    with kept.hold_compile_lock("play", lines.append):
        assert len(lines) == 1
    assert [kept.is_complete(use) for use in ("play", "another use")] == [True, False]


def test_constants_and_narrow_numbers_do_not_compile_a_kernel_again(tmp_path: Path) -> None:
    compiled = cache.KernelCache(tmp_path, error_model="numpy")

    @compiled.kernel
    def double(number: int, is_negative: bool) -> int:
        return -2 * number if is_negative else 2 * number

    @compiled.kernel
    def all_together(number: int, narrow: Any) -> int:
        by_name = double(number=7, is_negative=False)
        return double(3, True) + double(number, False) + double(narrow, number > 4) + by_name

    assert all_together(5, np.int8(-3)) == -6 + 10 + 6 + 14
    assert len(double.bitcode().overloads) == 1  # type: ignore[attr-defined]


def half(content: bytes) -> bytes:
    return content[: len(content) // 2]


@pytest.mark.parametrize("damage", [half, lambda _content: b"", lambda content: bytes(len(content))])
@pytest.mark.parametrize("files", ["*.nbi", "*.nbc"])
def test_unreadable_code_is_compiled_again(
    files: str, damage: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache._settings, "CACHE_DIR", str(tmp_path))

    def double(number: int) -> int:
        return 2 * number

    def stats_of_call() -> Any:
        kernel: Any = cache.KernelCache(tmp_path).kernel(double)
        assert kernel(21) == 42
        return kernel.stats

    assert not stats_of_call().cache_hits
    assert stats_of_call().cache_hits
    damaged = list(tmp_path.rglob(files))
    for path in damaged:
        path.write_bytes(damage(path.read_bytes()))
    assert damaged
    assert not stats_of_call().cache_hits
    assert stats_of_call().cache_hits


@pytest.mark.parametrize(
    ("reader", "error"),
    [
        ((caching.IndexDataCacheFile, "_load_index"), MemoryError()),
        ((caching.IndexDataCacheFile, "_load_index"), OSError(errno.EMFILE, "Too many open files")),
        ((Path, "read_text"), OSError(errno.EMFILE, "Too many open files")),
    ],
)
def test_a_shortage_in_one_process_leaves_the_code_to_others(
    reader: tuple[type, str], error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache._settings, "CACHE_DIR", str(tmp_path / "code"))
    package = tmp_path / "package"
    package.mkdir()

    def double(number: int) -> int:
        return 2 * number

    def make_kernel() -> Any:
        return cache.KernelCache(package).kernel(double)

    def fail(*_arguments: object, **_names: object) -> Any:
        raise error

    assert make_kernel()(21) == 42
    kept = cache.KernelCache(package)
    kept.note_complete("play")
    before = {path: path.read_bytes() for path in kept.folder.rglob("*") if path.is_file()}
    with monkeypatch.context() as machine:
        machine.setattr(*reader, fail)
        assert make_kernel()(21) == 42
    assert {path: path.read_bytes() for path in kept.folder.rglob("*") if path.is_file()} == before
    kernel = make_kernel()
    assert kernel(21) == 42
    assert kernel.stats.cache_hits


@pytest.mark.parametrize("damage", ["file missing", "file shorter", "mark empty", "mark unreadable"])
def test_damaged_code_is_dropped(damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A power failure can leave missing, empty and shortened files."""
    monkeypatch.setattr(cache._settings, "CACHE_DIR", str(tmp_path / "code"))
    package = tmp_path / "package"
    package.mkdir()
    kept = cache.KernelCache(package)
    file = kept.folder / "kernel.nbc"
    file.write_bytes(b"12345")
    kept.note_complete("play")
    file.write_bytes(b"12345, and more compiled since")
    assert cache.KernelCache(package).is_complete("play")
    file.write_bytes(b"12345")
    assert cache.KernelCache(package).is_complete("play")
    (mark,) = kept.folder.glob("complete-*")
    match damage:
        case "file missing":
            file.unlink()
        case "file shorter":
            file.write_bytes(b"1234")
        case "mark empty":
            mark.write_bytes(b"")
        case "mark unreadable":
            mark.write_text("not a size")
    assert not cache.KernelCache(package).is_complete("play")
    assert list(kept.folder.iterdir()) == []


def test_a_folder_that_cannot_be_created_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    package = tmp_path / "package"
    package.mkdir()
    monkeypatch.setattr(cache._settings, "CACHE_DIR", str(tmp_path / "file" / "folder"))
    assert cache.KernelCache(package).folder.is_relative_to(package)
