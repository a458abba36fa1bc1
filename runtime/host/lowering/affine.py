"""Loops and accesses with affine maps."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.affine import ApplyOp, ForOp, LoadOp, MinOp, StoreOp
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpKind, AffineConstraintKind

from runtime.host.data.types import memory_type
from runtime.host.emission.affine_maps import expression_value, map_values, quotient
from runtime.host.emission.emitter import FunctionEmitter, lowers
from runtime.host.emission.memref_descriptors import (
    check_positions,
    descriptor,
    element_address,
    load_element,
    memref_of,
    number_of,
    product,
    store_element,
    total,
)
from runtime.host.lowering.scf import carrying_loop, choice
from runtime.llvm import Value, constant, integer, mangled
from xegpu.dialects.upstream.affine import DelinearizeIndexOp, IfOp, LinearizeIndexOp, MaxOp


def _values(emitter: FunctionEmitter, op: Operation, map: AffineMapAttr, operands: Sequence[SSAValue]) -> list[Value]:
    return map_values(emitter, op, map.data, [emitter.one(operand) for operand in operands])


def _chosen(emitter: FunctionEmitter, values: Sequence[Value], name: str) -> Value:
    """Returns the smallest or largest of values."""
    result = values[0]
    for value in values[1:]:
        result = emitter.code.call(mangled(name, "i64"), "i64", result, value)
    return result


@lowers(ForOp)
def for_(emitter: FunctionEmitter, op: ForOp) -> None:
    """Loops from the largest of the lower bounds to the smallest of the upper ones."""
    lower = _chosen(emitter, _values(emitter, op, op.lowerBoundMap, op.lowerBoundOperands), "smax")
    upper = _chosen(emitter, _values(emitter, op, op.upperBoundMap, op.upperBoundOperands), "smin")
    carrying_loop(emitter, op, (lower, upper, integer(op.step.value.data)), op.body, op.inits)


@lowers(ApplyOp)
def apply(emitter: FunctionEmitter, op: ApplyOp) -> None:
    emitter.give(op.result, *_values(emitter, op, op.map, op.mapOperands))


@lowers(MinOp, MaxOp)
def extremum(emitter: FunctionEmitter, op: MinOp | MaxOp) -> None:
    name = "smin" if isinstance(op, MinOp) else "smax"
    emitter.give(op.result, _chosen(emitter, _values(emitter, op, op.map, op.arguments), name))


@lowers(LinearizeIndexOp)
def linearize_index(emitter: FunctionEmitter, op: LinearizeIndexOp) -> None:
    linear, *inner = [emitter.one(index) for index in op.multi_index] or [integer(0)]
    for index, size in zip(inner, op.inner_sizes(len(op.multi_index)), strict=True):
        linear = total(emitter.code, product(emitter.code, linear, _size(emitter, size)), index)
    emitter.give(op.linear_index, linear)


@lowers(DelinearizeIndexOp)
def delinearize_index(emitter: FunctionEmitter, op: DelinearizeIndexOp) -> None:
    rest, inner = emitter.one(op.linear_index), list[Value]()
    for size in reversed(op.inner_sizes(len(op.multi_index))):
        divisor = number_of(_size(emitter, size))
        inner.append(quotient(emitter, op, AffineBinaryOpKind.Mod, rest, divisor))
        rest = quotient(emitter, op, AffineBinaryOpKind.FloorDiv, rest, divisor)
    for result, index in zip(op.multi_index, [rest, *reversed(inner)], strict=False):
        emitter.give(result, index)


def _size(emitter: FunctionEmitter, size: SSAValue | int) -> Value:
    return integer(size) if isinstance(size, int) else emitter.one(size)


_COMPARISONS = {
    AffineConstraintKind.ge: "icmp sge",
    AffineConstraintKind.le: "icmp sle",
    AffineConstraintKind.eq: "icmp eq",
}


@lowers(IfOp)
def if_(emitter: FunctionEmitter, op: IfOp) -> None:
    code, members = emitter.code, op.condition.data
    operands = [emitter.one(operand) for operand in op.args]
    holds = constant("i1", "true")
    for constraint in members.constraints:
        left, right = (
            expression_value(emitter, op, side, operands, members.num_dims) for side in (constraint.lhs, constraint.rhs)
        )
        holds = code.binary("and", holds, code.compare(_COMPARISONS[constraint.kind], left, right))
    choice(emitter, op, holds, op.then_region, op.else_region)


def _element(emitter: FunctionEmitter, op: LoadOp | StoreOp) -> Value:
    """Returns the address of an element, after checking that it exists."""
    memref, positions = descriptor(emitter, op, op.memref), _values(emitter, op, op.map, op.indices)
    check_positions(emitter, op, memref, positions)
    return element_address(emitter, memref, positions, memory_type(memref_of(op.memref.type).element_type))


@lowers(LoadOp)
def load(emitter: FunctionEmitter, op: LoadOp) -> None:
    emitter.give(op.result, load_element(emitter, op, _element(emitter, op), op.result.type))


@lowers(StoreOp)
def store(emitter: FunctionEmitter, op: StoreOp) -> None:
    store_element(emitter, emitter.one(op.value), _element(emitter, op), op.value.type)
