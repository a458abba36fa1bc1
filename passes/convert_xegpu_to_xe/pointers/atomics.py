"""Lowers atomic updates and exchanges at pointers."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation, SSAValue

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, Structure, UniformConstant
from passes.convert_xegpu_to_xe.memory.atomics import AtomicTarget, atomic_update, compare_and_exchange
from passes.convert_xegpu_to_xe.memory.lane_messages import lane_message
from passes.convert_xegpu_to_xe.pointers.access import alternatives, place_of
from passes.kernel.register_types import BOOLEAN, element_count, memory_type
from xegpu.dialects.upstream.llvm import AtomicCmpXchgOp, AtomicRMWOp, UpdateKind
from xegpu.isa.model import Condition, DataType, integer

_KINDS = {
    UpdateKind.XCHG: "assign",
    UpdateKind.ADD: "addi",
    UpdateKind.SUB: "addi",
    UpdateKind.AND: "andi",
    UpdateKind.OR: "ori",
    UpdateKind.XOR: "xori",
    UpdateKind.MAX: "maxs",
    UpdateKind.MIN: "mins",
    UpdateKind.UMAX: "maxu",
    UpdateKind.UMIN: "minu",
    UpdateKind.FADD: "addf",
    UpdateKind.FSUB: "addf",
    UpdateKind.FMAX: "maxnumf",
    UpdateKind.FMIN: "minnumf",
    UpdateKind.FMAXIMUM: "maximumf",
    UpdateKind.FMINIMUM: "minimumf",
}
"""The kinds of update of `memref.atomic_rmw`; differences add the negated value."""
_NEGATED = frozenset({UpdateKind.SUB, UpdateKind.FSUB})


def _updated(
    lowering: KernelLowering,
    op: Operation,
    pointer: SSAValue,
    type: DataType,
    update: Callable[[AtomicTarget], Elements | None],
) -> Elements | None:
    """Updates the element of each work-item in the memory where it is; returns the old values."""
    if lowering.lanes == 1:
        lowering.refuse(op, "is not supported in a kernel that works on whole subgroups")
    emit, lanes = lowering.emit, lowering.lanes
    place = place_of(lowering, pointer, op, divergent=True)
    found: Elements | None = None
    for space, addresses, condition in alternatives(lowering, place):
        flag = None if condition is None else emit.flag(condition, 0, lanes)
        message = lane_message(type.size, offset=place.distance, space=space)
        old = update(AtomicTarget(message, addresses, type, lanes, no_mask=False, flag=flag))
        if found is not None and old is not None:
            old = emit.alu("sel", type, [old, found], lanes, predicate=condition)
        found = old
    return found


def _element(lowering: KernelLowering, op: Operation, value: SSAValue) -> DataType:
    type = memory_type(value.type)
    if type is None or element_count(value.type) != 1:
        lowering.refuse(op, f"of type {value.type} is not supported in a kernel")
    return type


@lowers(AtomicRMWOp)
def atomic_rmw(lowering: KernelLowering, op: AtomicRMWOp) -> None:
    type, kind = _element(lowering, op, op.val), _KINDS.get(op.kind)
    if kind is None:
        lowering.refuse(op, f"by '{op.kind}' is not supported in a kernel")
    value = lowering.number(op.val)
    if op.kind in _NEGATED:
        count = value.count if isinstance(value, Elements) else 1
        value = lowering.emit.alu("mov", type, [value], count, negate=[True])
    wanted = bool(op.res.uses)
    old = _updated(
        lowering,
        op,
        op.ptr,
        type,
        lambda place: atomic_update(lowering, op, place, kind, value, wanted=wanted),
    )
    if old is not None:
        lowering.values[op.res] = Elements(old.register, old.type, old.count, old.offset, lowering.lanes)


@lowers(AtomicCmpXchgOp)
def exchange(lowering: KernelLowering, op: AtomicCmpXchgOp) -> None:
    emit, lanes = lowering.emit, lowering.lanes
    bits = integer(_element(lowering, op, op.val).bits, signed=False)
    expected, new = (_bits(lowering.number(value), bits) for value in (op.cmp, op.val))

    def compared(old: Elements) -> Elements:
        return emit.alu("cmp", BOOLEAN, [old.as_type(bits), expected], lanes, condition=Condition.EQ)

    def update(old: Elements) -> Number:
        return emit.alu("sel", bits, [new, old.as_type(bits)], lanes, predicate=compared(old))

    found = _updated(lowering, op, op.ptr, bits, lambda place: compare_and_exchange(lowering, op, place, update))
    assert found is not None
    old = Elements(found.register, bits, lanes, found.offset, lanes)
    success = compared(old)
    type = _element(lowering, op, op.val)
    equal = Elements(success.register, BOOLEAN, lanes, success.offset, lanes)
    lowering.values[op.res] = Structure((old.as_type(type), equal))


def _bits(number: Number, bits: DataType) -> Number:
    return UniformConstant(bits, number.bits) if isinstance(number, UniformConstant) else number.as_type(bits)
