"""Kernels: functions that numba compiles to native code, for the engines of both games.

============  =============================================================================================
``cache``     decorators that compile functions, and the folder in which their code is kept
``clock``     deadlines, and the clock that kernels look at
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

    Threads that import modules of it directly, at the same time, find each other's half imported.
    """
    import numba  # noqa: F401
