"""The llvm dialect with what kernels need beyond xDSL's operations: casts between address spaces, atomics, fences.

Kernels have memory as pointers only; their arithmetic is that of `arith` and `math`.

https://mlir.llvm.org/docs/Dialects/LLVM/
"""

from __future__ import annotations

from xdsl.dialects import llvm as base

from xegpu.dialects.upstream.extension import extend
from xegpu.dialects.upstream.llvm.atomics import AtomicCmpXchgOp, AtomicRMWOp, FenceOp, UpdateKind
from xegpu.dialects.upstream.llvm.casts import AddrSpaceCastOp
from xegpu.dialects.upstream.llvm.initializers import InitialValue, check_address, initial_value
from xegpu.dialects.upstream.llvm.layout import alignment_of, field_offsets, part_of, pointer_terms, size_of

LLVM = extend(base.LLVM, [AddrSpaceCastOp, AtomicCmpXchgOp, AtomicRMWOp, FenceOp])

__all__ = [
    "LLVM",
    "AddrSpaceCastOp",
    "AtomicCmpXchgOp",
    "AtomicRMWOp",
    "FenceOp",
    "InitialValue",
    "UpdateKind",
    "alignment_of",
    "check_address",
    "field_offsets",
    "initial_value",
    "part_of",
    "pointer_terms",
    "size_of",
]
