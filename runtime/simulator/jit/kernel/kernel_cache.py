"""Compiled kernels, kept by content in memory and on disk: the same code is compiled once, however often it runs."""

from __future__ import annotations

import ctypes
import hashlib
import struct
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import runtime.llvm
import xegpu.isa
import xegpu.targets
from runtime.disk_cache import default_cache, entry_key, files_identity
from runtime.llvm import Cpu, compiler_identity, linked, object_code
from runtime.simulator.execution.engine import Executable
from runtime.simulator.jit.kernel.translation import ENTRY, Variant, channels_always_on, kernel_areas, kernel_code

CACHE_SIZE = 256
"""Number of kernels kept; the least recently used are dropped first (those in use stay alive)."""


class JitKernelCode:
    """Machine code of one variant of a kernel. Calls release the GIL."""

    def __init__(self, executable: Executable, variant: Variant, cpu: Cpu, content: str):
        self.areas = kernel_areas(executable, variant)
        self.constant_channels = channels_always_on(executable, variant) if variant.counts else ()
        kept, key = default_cache(), entry_key("jit", _engine(), compiler_identity(cpu), content)
        found = None if kept is None else kept.load(key)
        if found is None:
            code = kernel_code(executable, variant, cpu)
            found = _SIZES.pack(*code.areas.sizes) + object_code(code.ir, cpu)
            if kept is not None:
                kept.store(key, found)
        self.areas.extend(_SIZES.unpack_from(found))
        self._code = linked(found[_SIZES.size :], [ENTRY])
        self.entry = self._code.addresses[ENTRY]
        self.run_groups: Callable[[int], int] = _RUN_GROUPS(self.entry)
        self.run_thread: Callable[[int, int], int] = _RUN_THREAD(self.entry)


def _engine() -> bytes:
    """Returns the identity of everything that turns a kernel into LLVM IR."""
    packages = (runtime.llvm, xegpu.isa, xegpu.targets)
    return files_identity(_SIMULATOR, *(folder for package in packages for folder in package.__path__))


_SIMULATOR = str(Path(__file__).parents[2])

_SIZES = struct.Struct("<QQ")
"""The sizes of areas that only the IR tells, which precede an object file."""

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
    )
    content = repr(key)
    name = f"{content} {cpu}"  # a string: no method of a key runs in the middle of a change of the table
    found = _cache.pop(name, None) or JitKernelCode(executable, variant, cpu, content)
    _cache[name] = found
    while len(_cache) > CACHE_SIZE:
        with suppress(KeyError):  # another thread may remove the last one
            _cache.popitem(last=False)
    return found
