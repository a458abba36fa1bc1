"""The llvm dialect with what kernels need beyond xDSL's operations: casts between address spaces, atomics, fences.

Kernels have memory as pointers only; their arithmetic is that of `arith` and `math`.

https://mlir.llvm.org/docs/Dialects/LLVM/
"""

from xdsl.dialects import llvm as base

from xegpu.dialects.upstream.llvm.initializers import (
    InitialValue as InitialValue,
    check_address as check_address,
    initial_value as initial_value,
)
from xegpu.dialects.upstream.llvm.layout import (
    alignment_of as alignment_of,
    field_offsets as field_offsets,
    part_of as part_of,
    pointer_terms as pointer_terms,
    size_of as size_of,
)
from xegpu.dialects.upstream.llvm.pointers import (
    AddrSpaceCastOp as AddrSpaceCastOp,
    AtomicCmpXchgOp as AtomicCmpXchgOp,
    AtomicRMWOp as AtomicRMWOp,
    FenceOp as FenceOp,
    UpdateKind as UpdateKind,
)
from xegpu.mlir import definitions, extend

LLVM = extend(base.LLVM, definitions(vars()))
