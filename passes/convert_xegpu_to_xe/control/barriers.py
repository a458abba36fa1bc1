"""Lowers barriers of the work-group, named barriers and fences."""

from __future__ import annotations

from xdsl.ir import Operation

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from xegpu.dialects.upstream.gpu import BarrierOp
from xegpu.dialects.xe import Read, barrier_op, fence_op
from xegpu.dialects.xegpu import (
    AllocNbarrierOp,
    CompileHintOp,
    FenceOp,
    FenceScope,
    InitNbarrierOp,
    MemorySpace,
    NbarrierArriveOp,
    NbarrierWaitOp,
)
from xegpu.isa.model import SCALAR, DataType, FenceFields, Immediate, MemoryScope, Unit

_PRODUCERS_BIT, _CONSUMERS_BIT = 16, 24
"""Bits of the counts in the payload of a signal; the barrier id is in the low byte, role 0 (producer and consumer)
between.
"""
_SCOPES = {FenceScope.WORKGROUP: MemoryScope.GROUP, FenceScope.GPU: MemoryScope.GPU}


def group_fence(lowering: KernelLowering, unit: Unit) -> None:
    """Makes earlier accesses to a unit's memory visible in the work-group."""
    lowering.emit.add(fence_op()(FenceFields(unit)))


def group_barrier(lowering: KernelLowering) -> None:
    """All threads of the work-group wait for each other; everything written before is visible to all of them."""
    lowering.resources.need_barriers(1)
    group_fence(lowering, Unit.UGM)
    group_fence(lowering, Unit.SLM)
    lowering.emit.add(barrier_op("barrier")())


@lowers(BarrierOp)
def barrier(lowering: KernelLowering, op: BarrierOp) -> None:
    group_barrier(lowering)


@lowers(FenceOp)
def fence(lowering: KernelLowering, op: FenceOp) -> None:
    """Shared local memory ends at the work-group, and so does its fence."""
    shared = op.memory_kind.data is MemorySpace.SLM
    made = FenceFields(Unit.SLM) if shared else FenceFields(Unit.UGM, scope=_SCOPES[op.fence_scope.data])
    lowering.emit.add(fence_op()(made))


@lowers(CompileHintOp)
def compile_hint(lowering: KernelLowering, op: CompileHintOp) -> None:
    """Emits nothing: hints about the order of instructions are ignored."""


@lowers(AllocNbarrierOp)
def allocate(lowering: KernelLowering, op: AllocNbarrierOp) -> None:
    count, most = op.nbarrier_num.value.data, max(lowering.target.platform.barrier_counts)
    if count > most:
        lowering.refuse(op, f"asks for {count} barriers: {lowering.target.name} has {most}")
    lowering.resources.need_barriers(count)


@lowers(InitNbarrierOp)
def initialize(lowering: KernelLowering, op: InitNbarrierOp) -> None:
    """A named barrier is represented by the payload of its signal."""
    number, participants = (lowering.uniform(op, operand) for operand in op.operands)
    lowering.values[op.results[0]] = _payload(lowering, op, number, participants)


def _payload(lowering: KernelLowering, op: Operation, number: Number, participants: Number) -> Number:
    emit, dword = lowering.emit, DataType.UD
    if isinstance(number, UniformConstant):
        used, most = int(number.bits), max(lowering.target.platform.barrier_counts)
        if used >= most:
            lowering.refuse(op, f"names barrier {used}: {lowering.target.name} has {most}")
        lowering.resources.need_barriers(used + 1)
    elif not lowering.resources.barrier_count:
        lowering.refuse(op, "names a barrier that only the running kernel knows: xegpu.alloc_nbarrier comes first")
    if isinstance(number, UniformConstant) and isinstance(participants, UniformConstant):
        count = participants.bits
        return UniformConstant(dword, number.bits | count << _PRODUCERS_BIT | count << _CONSUMERS_BIT)
    both = UniformConstant(dword, 1 << _PRODUCERS_BIT | 1 << _CONSUMERS_BIT)
    counts = emit.alu("mul", dword, [emit.scalar(participants, dword), both], 1)
    return emit.alu("or", dword, [counts, emit.scalar(number, dword)], 1)


@lowers(NbarrierArriveOp)
def arrive(lowering: KernelLowering, op: NbarrierArriveOp) -> None:
    """Everything that this thread has written is visible when the others learn of its arrival."""
    group_fence(lowering, Unit.UGM)
    group_fence(lowering, Unit.SLM)
    _at_barrier(lowering, op, "nbarrier.signal")


@lowers(NbarrierWaitOp)
def wait(lowering: KernelLowering, op: NbarrierWaitOp) -> None:
    _at_barrier(lowering, op, "nbarrier.wait")


def _at_barrier(lowering: KernelLowering, op: Operation, mnemonic: str) -> None:
    payload = lowering.number(op.operands[0])
    if isinstance(payload, Elements):
        source = (payload.register, Read(payload.type, payload.offset, SCALAR))
        lowering.emit.add(barrier_op(mnemonic)(source))
        return
    bits = payload.bits if mnemonic == "nbarrier.signal" else payload.bits & 0xFF
    lowering.emit.add(barrier_op(mnemonic)(Immediate(payload.type, bits)))
