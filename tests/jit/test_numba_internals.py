"""The parts of numba that are used although they are not public: a new version may rename any of them."""

from __future__ import annotations

import inspect
import re
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numba
import pytest
from llvmlite.binding import ModuleRef
from numba.core import caching, codegen, compiler, dispatcher, registry, runtime, typeinfer, types

#: Its names have no types.
_runtime: Any = runtime

ROOT = Path(__file__).parents[2]

#: What ``quoridor_net.jit`` overrides, calls or sets, by its owner.
IN_USE: list[tuple[Any, tuple[str, ...]]] = [
    # bitcode.py
    (
        codegen.JITCodeLibrary,
        (
            "_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals",
            "_verify_declare_only_symbols",
            "_finalized",
        ),
    ),
    (compiler, ("CompilerBase", "Compiler", "compile_result")),
    (compiler.Compiler, ("compile_extra",)),
    (caching.CompileResultCacheImpl, ("get_filename_base", "reduce", "rebuild")),
    (registry.CPUDispatcher, ("add_overload", "get_call_template", "get_overload", "compile")),
    (ModuleRef, ("as_bitcode",)),
    # files.py
    (
        caching.FunctionCache,
        (
            "_impl_class", "load_overload", "_load_overload", "save_overload",
            "_guard_against_spurious_io_errors", "flush",
        ),
    ),
    (runtime, ("rtsys",)),
    (_runtime.rtsys, ("initialize",)),
    # cache.py
    (numba.config, ("CACHE_DIR",)),
    (types, ("unliteral", "signed_domain")),
    (typeinfer, ("register_dispatcher",)),
    (dispatcher.Dispatcher, ("disable_compile",)),
]  # fmt: skip

#: Attributes that instances get when they are made, and the source that makes them.
SET_BY: list[tuple[Any, tuple[str, ...]]] = [
    (codegen.CPUCodeLibrary.__init__, ("_final_module",)),
    (dispatcher.Dispatcher.__init__, ("_cache",)),
    (dispatcher._DispatcherBase.__init__, ("overloads",)),
]


@pytest.mark.parametrize(("owner", "names"), IN_USE, ids=lambda value: getattr(value, "__name__", None))
def test_numba_has_the_names_that_are_overridden_or_called(owner: Any, names: tuple[str, ...]) -> None:
    assert [name for name in names if not hasattr(owner, name)] == []


@pytest.mark.parametrize(("source", "names"), SET_BY, ids=lambda value: getattr(value, "__qualname__", None))
def test_numba_sets_the_attributes_that_are_used(source: Any, names: tuple[str, ...]) -> None:
    text = inspect.getsource(source)
    assert [name for name in names if not re.search(rf"self\.{name}\b", text)] == []


def test_every_private_attribute_in_use_is_named_here() -> None:
    # A field of a named tuple is public whatever its name.
    named = {name for _, names in IN_USE + SET_BY for name in names} | {"_replace"}
    own: set[str] = set()
    used: set[str] = set()
    for name in ("bitcode", "cache", "files"):
        text = (ROOT / "quoridor_net" / "jit" / f"{name}.py").read_text(encoding="utf-8")
        used |= set(re.findall(r"\.(_[a-z]\w*)", text))
        own |= set(re.findall(r"def (_[a-z]\w*)", text)) | set(re.findall(r"self\.(_options)", text))
    assert used - own - named == set()


def test_the_installed_numba_is_below_the_ceiling_that_was_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (requirement,) = (each for each in project["dependencies"] if each.startswith("numba"))
    found = re.fullmatch(r"numba>=(\d+)\.(\d+),<(\d+)\.(\d+)", requirement)
    assert found is not None
    low, ceiling = (int(found[1]), int(found[2])), (int(found[3]), int(found[4]))
    major, minor, *_ = version("numba").split(".")
    assert low <= (int(major), int(minor)) < ceiling
