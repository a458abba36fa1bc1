"""Machine code of this CPU from LLVM IR: compiled, or found in a cache, and linked into this process."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import count
from types import MappingProxyType

import llvmlite
import llvmlite.binding as llvm

from runtime.concurrency import LockRank, ranked_lock
from runtime.disk_cache import ObjectCache, entry_key
from runtime.llvm.cpu import Cpu, initialize_llvm
from runtime.llvm.module import OPTNONE

KERNEL_LEVEL = 1
"""Optimization level of LLVM's pass pipeline: higher ones double the compile time of kernels without making them
faster.
"""

LOOP_LEVEL = 2
"""Least optimization level at which loops are vectorized."""

_CODE_GENERATION_LEVEL = 2

NOTHING: Mapping[str, int] = MappingProxyType({})

_lock = ranked_lock(LockRank.COMPILATION)
_numbers = count()

if hasattr(os, "register_at_fork"):  # a child must not start in the middle of a compilation
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


class MachineCode:
    """A linked module, in memory for as long as this object lives; `addresses` maps exported symbols."""

    def __init__(self, tracker: llvm.ResourceTracker, symbols: Sequence[str]):
        self._tracker = tracker
        self.addresses: Mapping[str, int] = {symbol: int(tracker[symbol]) for symbol in symbols}


def object_code(ir: str, cpu: Cpu, level: int = KERNEL_LEVEL) -> bytes:
    """Returns the machine code of a module as an object file. Thread-safe.

    Raises `RuntimeError` for IR that LLVM rejects.
    """
    with _lock:
        # LLVM 22 aborts in a late pass over functions that are not optimized (VPBLENDW with a negative constant),
        # unless code is generated without any such passes.
        machine = _target_machine(cpu, 0 if OPTNONE in ir else _CODE_GENERATION_LEVEL)
        module = llvm.parse_assembly(ir)
        module.verify()
        module.triple, module.data_layout = machine.triple, str(machine.target_data)
        with (
            llvm.create_pipeline_tuning_options(speed_level=level) as options,
            llvm.create_pass_builder(machine, options) as builder,
            builder.getModulePassManager() as passes,
        ):
            passes.run(module, builder)
        return bytes(machine.emit_object(module))


@cache
def _target_machine(cpu: Cpu, level: int) -> llvm.TargetMachine:
    initialize_llvm()
    return llvm.Target.from_triple(cpu.triple).create_target_machine(
        cpu=cpu.name, features=cpu.feature_text, opt=level, jit=True
    )


def linked(code: bytes, symbols: Sequence[str], imports: Mapping[str, int] = NOTHING) -> MachineCode:
    """Returns an object file that exports `symbols`, loaded into this process. Thread-safe.

    `imports` are addresses of functions that the code calls, in addition to those of this process.
    """
    with _lock:
        library = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
        for symbol in symbols:
            library.export_symbol(symbol)
        for symbol, address in imports.items():
            library.import_symbol(symbol, address)
        return MachineCode(library.link(_linker(), f"module-{next(_numbers)}"), symbols)


def machine_code(
    ir: str,
    symbols: Sequence[str],
    cpu: Cpu,
    kept: ObjectCache | None = None,
    *,
    level: int = KERNEL_LEVEL,
    imports: Mapping[str, int] = NOTHING,
) -> MachineCode:
    """Returns a module compiled for a CPU, or found in the cache `kept`, and loaded as `linked` does. Thread-safe.

    Raises `RuntimeError` for IR that LLVM rejects.
    """
    key = entry_key("ir", compiler_identity(cpu, level), ir)
    code = kept.load(key) if kept is not None else None
    if code is None:
        code = object_code(ir, cpu, level)
        if kept is not None:
            kept.store(key, code)
    return linked(code, symbols, imports)


@cache
def _linker() -> llvm.LLJIT:
    """Returns the linker that loads object files into memory.

    JITLink places code and constants next to each other. LLVM's older linker, which remains for systems where JITLink
    is incomplete, allocates them separately; next to huge allocations they may end up farther apart than relative
    addressing reaches, and unloading leaks memory.
    """
    initialize_llvm()
    return llvm.create_lljit_compiler(use_jit_link=sys.platform != "win32")


def compiler_identity(cpu: Cpu, level: int = KERNEL_LEVEL) -> str:
    """Returns a text of everything that machine code depends on beside the IR."""
    versions = (llvmlite.__version__, llvm.llvm_version_info, level, _CODE_GENERATION_LEVEL)
    return " ".join(map(str, (*versions, cpu.triple, cpu.name, cpu.feature_text)))
