"""The llvm dialect with what kernels need beyond xDSL's operations: conventions of kernels, intrinsics, atomics.

Kernels that are compiled have memory as pointers only; their arithmetic is that of `arith` and `math`. Those with more
of this dialect go through LLVM IR first (`convert-llvm-to-gpu`).

https://mlir.llvm.org/docs/Dialects/LLVM/
"""

from xdsl.dialects import llvm as base

from xegpu.dialects.upstream.llvm.attributes import KEPT
from xegpu.dialects.upstream.llvm.functions import (
    FUNCTION_CONVENTION as FUNCTION_CONVENTION,
    KERNEL_CONVENTION as KERNEL_CONVENTION,
    CallOp as CallOp,
    FuncOp as FuncOp,
)
from xegpu.dialects.upstream.llvm.initializers import (
    InitialValue as InitialValue,
    check_address as check_address,
    initial_value as initial_value,
)
from xegpu.dialects.upstream.llvm.intrinsics import (
    INTRINSICS,
    BareIntrinsicOp as BareIntrinsicOp,
    CallingIntrinsicOp as CallingIntrinsicOp,
    IntrinsicOp as IntrinsicOp,
    ListedIntrinsicOp as ListedIntrinsicOp,
    MaskedScatterOp as MaskedScatterOp,
    TypedIntrinsicOp as TypedIntrinsicOp,
    VectorExtractOp as VectorExtractOp,
    VectorInsertOp as VectorInsertOp,
)
from xegpu.dialects.upstream.llvm.layout import (
    alignment_of as alignment_of,
    field_offsets as field_offsets,
    part_of as part_of,
    pointer_terms as pointer_terms,
    size_of as size_of,
)
from xegpu.dialects.upstream.llvm.memory import (
    CondBrOp as CondBrOp,
    LoadOp as LoadOp,
    StoreOp as StoreOp,
    SwitchOp as SwitchOp,
)
from xegpu.dialects.upstream.llvm.pointers import (
    AddrSpaceCastOp as AddrSpaceCastOp,
    AtomicCmpXchgOp as AtomicCmpXchgOp,
    AtomicRMWOp as AtomicRMWOp,
    FenceOp as FenceOp,
    GEPOp as GEPOp,
    UpdateKind as UpdateKind,
    no_wrap_flags as no_wrap_flags,
)
from xegpu.dialects.upstream.llvm.values import (
    ExtractElementOp as ExtractElementOp,
    FCmpOp as FCmpOp,
    FPToSIOp as FPToSIOp,
    FPToUIOp as FPToUIOp,
    FreezeOp as FreezeOp,
    ModuleFlagsOp as ModuleFlagsOp,
    PoisonOp as PoisonOp,
    PtrToAddrOp as PtrToAddrOp,
    SelectOp as SelectOp,
    UIToFPOp as UIToFPOp,
    ZeroOp as ZeroOp,
)
from xegpu.mlir import definitions, extend

LLVM = extend(base.LLVM, [*definitions(vars()), *KEPT, *INTRINSICS])
