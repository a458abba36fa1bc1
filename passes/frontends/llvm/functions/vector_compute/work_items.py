"""Places of threads in the launch, barriers and fences of vector compute; messages, which stay calls."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import VectorType, i8
from xdsl.dialects.llvm import CallIntrinsicOp, LLVMVoidType
from xdsl.ir import Operation, SSAValue

from passes.frontends.llvm.functions.work_items import DIMENSIONS
from passes.frontends.llvm.importer.calls import Call, intrinsic
from passes.frontends.llvm.importer.function import Parts
from xegpu.dialects.upstream.arith import TruncIOp
from xegpu.dialects.upstream.gpu import BarrierOp, BlockDimOp, BlockIdOp, DimensionEnum, GridDimOp, ThreadIdOp
from xegpu.dialects.upstream.vector import FromElementsOp
from xegpu.dialects.xegpu import (
    FenceOp,
    FenceScope,
    InitNbarrierOp,
    MemorySpace,
    NbarrierArriveOp,
    NbarrierWaitOp,
)

_TRIPLES: dict[str, Callable[[DimensionEnum], Operation]] = {
    "genx.local.id": ThreadIdOp,
    "genx.local.id16": ThreadIdOp,
    "genx.local.size": BlockDimOp,
    "genx.group.count": GridDimOp,
}
"""The operations that give what each dimension has."""


@intrinsic("genx")
def message(call: Call) -> Parts:
    """Keeps the call: messages and products of matrices are one instruction each, and are lowered as they are."""
    types = [] if isinstance(call.type, LLVMVoidType) else [call.type]
    for type in types:
        call.importer.check(type)
    op = CallIntrinsicOp(call.symbol, call.values, types)
    call.builder.insert(op)
    return tuple(op.results)


@intrinsic(*_TRIPLES)
def triple(call: Call) -> SSAValue:
    """Returns what the three dimensions have, as a vector."""
    if not isinstance(call.type, VectorType) or call.type.element_count() != len(DIMENSIONS):
        call.builder.error(f"calls '{call.symbol}' for a result of type {call.type}: expected a vector of three")
    element = call.type.get_element_type()
    numbers = (call.builder.add(_TRIPLES[call.name](each)) for each in DIMENSIONS)
    return call.builder.add(FromElementsOp([call.builder.from_index(each, element) for each in numbers], call.type))


@intrinsic(*(f"genx.group.id.{axis.value}" for axis in DIMENSIONS))
def group(call: Call) -> SSAValue:
    dimension = next(each for each in DIMENSIONS if call.name.endswith(each.value))
    return call.builder.from_index(call.builder.add(BlockIdOp(dimension)), call.type)


@intrinsic("genx.barrier")
def barrier(call: Call) -> None:
    call.builder.insert(BarrierOp())


@intrinsic("genx.sbarrier")
def split_barrier(call: Call) -> None:
    """Arriving only orders memory: who waits, waits for all to come there, which is behind their arrival."""
    if call.number(0) & 1:
        _fence(call, FenceScope.WORKGROUP)
    else:
        call.builder.insert(BarrierOp())


@intrinsic("genx.nbarrier")
def named_barrier(call: Call) -> None:
    """Arrives at a barrier, which states how many threads take part, or waits there."""
    barrier = call.builder.add(InitNbarrierOp(_byte(call, 1), _byte(call, 2)))
    call.builder.insert(NbarrierArriveOp(barrier) if call.number(0) & 1 else NbarrierWaitOp(barrier))


@intrinsic("genx.nbarrier.arrive")
def arrive(call: Call) -> None:
    """Arrives at a barrier at which as many threads wait as arrive."""
    if call.number(1) or call.number(2) != call.number(3):
        call.builder.error(f"calls '{call.symbol}' for threads that only arrive or only wait, which is not supported")
    call.builder.insert(NbarrierArriveOp(call.builder.add(InitNbarrierOp(_byte(call, 0), _byte(call, 2)))))


def _byte(call: Call, index: int) -> SSAValue:
    value = call.integer(index)
    return value if value.type == i8 else call.builder.add(TruncIOp(value, i8))


_UNTYPED, _SHARED = (0, 1), 3
"""The numbers of the units that fences are for: those of global memory, and that of work-group memory."""
_TILE = 2
"""The number of the narrowest scope that is wider than a work-group."""


@intrinsic("genx.lsc.fence")
def fence_of_unit(call: Call) -> None:
    """Makes accesses before it visible; caches need no flush to be coherent."""
    unit, scope = call.number(1), call.number(3)
    if unit == _SHARED:
        call.builder.insert(FenceOp(MemorySpace.SLM, FenceScope.WORKGROUP))
    elif unit in _UNTYPED:
        call.builder.insert(FenceOp(MemorySpace.GLOBAL, FenceScope.GPU if scope >= _TILE else FenceScope.WORKGROUP))
    else:
        call.builder.error(f"calls '{call.symbol}' for unit {unit}: expected UGM (0, 1) or SLM (3)")


@intrinsic("genx.fence")
def fence(call: Call) -> None:
    _fence(call, FenceScope.GPU)


def _fence(call: Call, scope: FenceScope) -> None:
    call.builder.insert(FenceOp(MemorySpace.GLOBAL, scope))
    call.builder.insert(FenceOp(MemorySpace.SLM, FenceScope.WORKGROUP))


@intrinsic("genx.address.convert")
def convert_address(call: Call) -> SSAValue:
    """Returns a pointer as one to something else, which pointers do not tell."""
    pointer = call.pointer(0)
    if pointer.type != call.type:
        call.builder.error(f"calls '{call.symbol}', which makes a {call.type} of a {pointer.type}: expected the same")
    return pointer


@intrinsic("genx.slm.init")
def reserve(call: Call) -> None:
    """Reserves the start of work-group memory, whose addresses are numbers."""
    call.importer.reserved = max(call.importer.reserved, call.number(0))


@intrinsic("genx.dummy.mov", "genx.yield", "genx.wait", "genx.cache.flush")
def ignore(call: Call) -> None:
    """Hints about the order of instructions compute nothing."""
