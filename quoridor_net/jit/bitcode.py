"""LLVM bitcode of the kernels that only other kernels call, instead of machine code.

Kernels are compiled from the innermost outwards, and each includes the code of all it calls. By default numba
optimises that code again for every kernel, generates machine code, and adds a wrapper for calls from Python.
Most kernels need neither. Their bitcode is optimised only in the kernels that Python calls, which halves the
time to compile.
"""

from __future__ import annotations

from typing import Any

from llvmlite.binding import parse_bitcode
from numba.core import caching, codegen, compiler, registry

from quoridor_net.jit.files import KernelFiles

# These parts of numba have no types.
_Compiler: Any = compiler.Compiler
_CompileResultFiles: Any = caching.CompileResultCacheImpl
_Dispatcher: Any = registry.CPUDispatcher
_Library: Any = codegen.JITCodeLibrary
_compile_result: Any = compiler.compile_result


class _BitcodeLibrary(_Library):  # type: ignore[misc]
    """The bitcode of one kernel, with that of all kernels it calls."""

    def _optimize_final_module(self) -> None:
        """Leave optimisation to the kernel that includes this one."""

    def _finalize_final_module(self) -> None:
        """Mark the module as complete, without generating machine code."""
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def write(self) -> bytes:
        """Return the bitcode."""
        return bytes(self._final_module.as_bitcode())

    def read(self, bitcode: bytes) -> None:
        """Load the bitcode that :meth:`write` returned for the same kernel."""
        self._final_module = parse_bitcode(bitcode)
        self._finalize_final_module()


class _BitcodeCompiler(_Compiler):  # type: ignore[misc]
    """A compiler from kernels to bitcode."""

    def compile_extra(self, function: Any) -> Any:
        state = self.state
        state.flags.no_compile = True
        state.library = _BitcodeLibrary(state.targetctx.codegen(), function.__qualname__)
        return super().compile_extra(function)


class _BitcodeFilesImplementation(_CompileResultFiles):  # type: ignore[misc]
    """The names and the format of bitcode files."""

    def get_filename_base(self, name: str, flags: str) -> str:
        """Return the prefix of the file names."""
        return f"bitcode-{super().get_filename_base(name, flags)}"

    def reduce(self, result: Any) -> Any:
        """Return the data to write."""
        description = result.fndesc
        # As in numba's own files, because the maps are not needed again and cannot always be written.
        description.typemap = description.calltypes = None
        return result.library.name, result.library.write(), description, result.signature

    def rebuild(self, context: Any, written: Any) -> Any:
        """Return the compile result from the written data."""
        name, bitcode, description, signature = written
        library = _BitcodeLibrary(context.codegen(), name)
        library.read(bitcode)
        return _compile_result(
            target_context=context,
            library=library,
            fndesc=description,
            signature=signature,
            entry_point=object(),
            objectmode=False,
        )


class BitcodeFiles(KernelFiles):
    """The files with the bitcode of one kernel."""

    _impl_class = _BitcodeFilesImplementation


class BitcodeDispatcher(_Dispatcher):  # type: ignore[misc]
    """A dispatcher that finds a kernel's bitcode by the argument types of a call from another kernel.

    Args:
        function: the kernel.
        options: of ``numba.njit``.
    """

    def __init__(self, function: Any, **options: Any) -> None:
        options = {**options, "nopython": True, "no_cpython_wrapper": True}
        super().__init__(function, targetoptions=options, pipeline_class=_BitcodeCompiler)

    def add_overload(self, result: Any) -> None:
        """Register bitcode that was compiled or read from a file."""
        # numba finds the code of a function by its entry point. Bitcode has none, so any object will do.
        if result.entry_point is None:
            result = result._replace(entry_point=object())
            self.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
        self.overloads[tuple(result.signature.args)] = result
