"""The CPU that kernels are compiled for, and its capabilities."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import llvmlite.binding as llvm

SWITCH = "XEGPU_AMX"
"""The environment variable that switches tile registers off, with the value 0."""

_ARCH_PRCTL = 158
"""The number of the system call on x86-64."""

_REQUEST_PERMISSION, _TILE_DATA = 0x1023, 18
"""`ARCH_REQ_XCOMP_PERM`, and the state of the CPU that it is asked for (Linux, Documentation/arch/x86/xstate.rst)."""


@dataclass(frozen=True)
class Cpu:
    """A CPU by LLVM's names, with the features that may be used. Code generation asks for the properties."""

    triple: str
    name: str
    features: frozenset[str]

    def _has(self, feature: str) -> bool:
        return feature in self.features

    @property
    def is_x86(self) -> bool:
        return self.triple.startswith(("x86_64", "i386", "i686", "amd64"))

    @property
    def flushes_after_rounding(self) -> bool:
        """Returns whether the CPU can turn subnormal results into zeros after rounding, as `MXCSR` does on x86."""
        return self.is_x86

    @property
    def can_leave_registers(self) -> bool:
        """Returns whether LLVM has a calling convention for the CPU in which the callee saves no registers."""
        return self.triple.startswith(("x86_64", "amd64", "aarch64", "arm64"))

    @property
    def converts_half(self) -> bool:
        """Returns whether LLVM converts between half and float without calling a library."""
        return self._has("f16c") if self.is_x86 else self.triple.startswith(("aarch64", "arm64"))

    @property
    def dot_products(self) -> bool:
        """Returns whether there are AVX-512 instructions that accumulate dot products of four bytes."""
        return self.is_x86 and self._has("avx512vnni") and self._has("avx512vl")

    @property
    def has_tiles(self) -> bool:
        """Returns whether there are tile registers (AMX), which the operating system lets this process use."""
        return self.is_x86 and self._has("amx-tile")

    @property
    def multiplies_bf_tiles(self) -> bool:
        """Returns whether tiles of bf are multiplied to f32."""
        return self.has_tiles and self._has("amx-bf16")

    @property
    def multiplies_hf_tiles(self) -> bool:
        """Returns whether tiles of hf are multiplied to f32."""
        return self.has_tiles and self._has("amx-fp16")

    @property
    def multiplies_byte_tiles(self) -> bool:
        """Returns whether tiles of bytes are multiplied to i32."""
        return self.has_tiles and self._has("amx-int8")

    @property
    def confuses_masked_logic(self) -> bool:
        """Returns whether LLVM 22 compiles some selects of bitwise operations to wrong code for this CPU.

        A masked VPTERNLOG whose destination is its third operand and that reads memory gets the truth table of another
        order of operands (the forms 231 and 312 are exchanged).
        """
        return self.is_x86 and self._has("avx512f")

    @property
    def function_attributes(self) -> str:
        """Keeps LLVM from halving 512-bit vectors on CPUs where it prefers to."""
        wide = ' "prefer-vector-width"="512" "min-legal-vector-width"="512"' if self._has("avx512f") else ""
        return "nounwind" + wide

    @property
    def feature_text(self) -> str:
        """Returns the features as LLVM takes them; features of `cpu` that are not listed are disabled."""
        known = sorted(_host_features())
        return ",".join(f"{'+' if name in self.features else '-'}{name}" for name in known)


@cache
def this_cpu() -> Cpu:
    """Returns the CPU that this process runs on, with the features that it may use."""
    initialize_llvm()
    features = usable_features(frozenset(name for name, on in _host_features().items() if on))
    return Cpu(str(llvm.get_process_triple()), str(llvm.get_host_cpu_name()), features)


def tiles_permitted() -> bool:
    """Asks for the permission to use tile registers, for all threads of this process; returns whether it is granted.

    Linux refuses it if a thread has a stack for signals that is too small for the larger frames. Other systems are not
    asked, and count as refusing.
    """
    if not sys.platform.startswith("linux"):
        return False
    words = map(ctypes.c_long, (_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA))
    return int(ctypes.CDLL(None).syscall(*words)) == 0


def usable_features(
    features: frozenset[str],
    environment: Mapping[str, str] = os.environ,
    permitted: Callable[[], bool] = tiles_permitted,
) -> frozenset[str]:
    """Returns the features of a CPU without tiles if the user, or the operating system, does not want them used.

    The operating system is asked only if the CPU has tiles: permission makes the frames of signals larger. LLVM lists
    tiles only if the system saves their registers.
    """
    if "amx-tile" in features and environment.get(SWITCH) != "0" and permitted():
        return features
    return frozenset(name for name in features if not name.startswith("amx-"))


@cache
def _host_features() -> dict[str, bool]:
    """Returns all features that LLVM knows for this architecture, and whether this CPU has them."""
    return {str(name): bool(on) for name, on in llvm.get_host_cpu_features().items()}


@cache
def initialize_llvm() -> None:
    """Initializes LLVM for the CPU that this process runs on."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
