"""Kernels: functions that numba compiles to native code, for the engines of both games.

============  =============================================================================================
``cache``     decorators that compile functions, and the folder of their compiled code
``clock``     deadlines, and the clock that kernels read
``records``   records with named fields, for kernels and for Python code
``locks``     spin locks in such records, for kernels that run in several threads
``bits``      bit operations that numba lacks, and hashing
``arrays``    the types of arrays for mypy, without importing numpy
``types``     the types of arguments and results for numba
============  =============================================================================================

Each engine has a module ``jit`` of its own with a :class:`~quoridor_net.jit.cache.KernelCache` and the
decorators it uses. Importing this package is cheap; all its modules but ``arrays`` import numba.
"""

from __future__ import annotations


def import_numba() -> None:
    """Import numba, before the first module with kernels.

    Threads that import its modules directly at the same time would see each other's half-imported modules.
    """
    import numba  # noqa: F401
