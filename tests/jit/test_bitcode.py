"""Kernels that other kernels call: compiled once, without machine code of their own, and kept on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quoridor_net.jit import cache


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], tuple[Any, Any]]:
    """Return a function that makes two kernels, one calling the other, as a new program would."""
    monkeypatch.setattr(cache._settings, "CACHE_DIR", str(tmp_path))

    def make() -> tuple[Any, Any]:
        compiled = cache.KernelCache(tmp_path)

        @compiled.kernel
        def double(number: int) -> int:
            return 2 * number

        @compiled.kernel
        def quadruple(number: int) -> int:
            return double(double(number))

        return double, quadruple

    return make


def forget_callers(folder: Path) -> None:
    """Delete the code of what calls other kernels, so that it is compiled again."""
    for path in folder.rglob("*quadruple*"):
        path.unlink()


def test_a_function_called_only_by_kernels_gets_no_machine_code(
    kernels: Callable[[], tuple[Any, Any]],
) -> None:
    double, quadruple = kernels()
    assert quadruple(3) == 12
    assert (len(double.overloads), len(double.bitcode().overloads)) == (0, 1)
    assert double(3) == 6
    assert len(double.overloads) == 1


def test_a_function_called_first_by_python_also_serves_kernels(
    kernels: Callable[[], tuple[Any, Any]],
) -> None:
    double, quadruple = kernels()
    assert double(3) == 6
    assert quadruple(3) == 12


def test_bitcode_is_kept(kernels: Callable[[], tuple[Any, Any]], tmp_path: Path) -> None:
    double, quadruple = kernels()
    assert quadruple(3) == 12
    assert not double.bitcode().stats.cache_hits
    forget_callers(tmp_path)
    double, quadruple = kernels()
    assert quadruple(3) == 12
    assert double.bitcode().stats.cache_hits


@pytest.mark.parametrize("content", [b"", bytes(1000)])
def test_bitcode_that_cannot_be_read_is_made_again(
    content: bytes, kernels: Callable[[], tuple[Any, Any]], tmp_path: Path
) -> None:
    assert kernels()[1](3) == 12
    forget_callers(tmp_path)
    damaged = list(tmp_path.rglob("bitcode-*.nbc"))
    for path in damaged:
        path.write_bytes(content)
    assert damaged
    double, quadruple = kernels()
    assert quadruple(3) == 12
    assert not double.bitcode().stats.cache_hits
