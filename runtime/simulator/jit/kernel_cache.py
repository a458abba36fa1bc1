"""Compiled kernels, kept in memory by content: the same code is compiled once, however often it is loaded."""

from __future__ import annotations

import ctypes
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress

from runtime.llvm import Cpu, default_cache, machine_code
from runtime.simulator.engine import Executable
from runtime.simulator.jit.kernel import ENTRY, Variant, kernel_code

CACHE_SIZE = 256
"""Number of kernels kept; the least recently used are dropped first (those in use stay alive)."""


class JitKernelCode:
    """Machine code of one variant of a kernel. Calls release the GIL."""

    def __init__(self, executable: Executable, variant: Variant, cpu: Cpu):
        code = kernel_code(executable, variant, cpu)
        self.areas = code.areas
        self.constant_channels = code.constant_channels
        self._code = machine_code(code.ir, [ENTRY], cpu, default_cache())
        self.run_groups: Callable[[int], int] = _RUN_GROUPS(self._code.addresses[ENTRY])
        self.run_thread: Callable[[int, int], int] = _RUN_THREAD(self._code.addresses[ENTRY])


_RUN_GROUPS = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)
_RUN_THREAD = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_uint32)

_cache: OrderedDict[str, JitKernelCode] = OrderedDict()


def compiled(executable: Executable, variant: Variant, cpu: Cpu) -> JitKernelCode:
    """Returns the machine code of a kernel for a CPU, compiled at the first call. Thread-safe."""
    description = executable.description
    key = (
        hashlib.sha256(description.code).digest(),
        description.entry,
        description.functions,
        description.facts.bindings,
        description.target.name,
        description.facts.simd_size,
        description.facts.grf_count,
        description.facts.local_id_dimensions,
        description.facts.cross_thread_size,
        description.facts.scratch_size,
        description.facts.barrier_count,
        variant,
        cpu,
    )
    name = repr(key)  # a string: no method of a key runs in the middle of a change of the table
    found = _cache.pop(name, None) or JitKernelCode(executable, variant, cpu)
    _cache[name] = found
    while len(_cache) > CACHE_SIZE:
        with suppress(KeyError):  # another thread may remove the last one
            _cache.popitem(last=False)
    return found
