"""The translation of SPIR-V's instructions to LLVM IR."""

from __future__ import annotations

from passes.frontends.spirv.translation import (
    arithmetic,
    atomics,
    bits,
    calls,
    composites,
    conversions,
    memory,
    opencl,
)
from passes.frontends.spirv.translation.functions import write_function
from passes.frontends.spirv.translation.module import Translation, translate

__all__ = [
    "Translation",
    "arithmetic",
    "atomics",
    "bits",
    "calls",
    "composites",
    "conversions",
    "memory",
    "opencl",
    "translate",
    "write_function",
]
