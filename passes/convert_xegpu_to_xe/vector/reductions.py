"""Lowers reductions of the elements of a vector; in work-item mode, of each lane's own elements."""

from __future__ import annotations

from itertools import product
from math import prod

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.convert_xegpu_to_xe.math.combining import check_kind, combine, identity, reduce_rows
from passes.convert_xegpu_to_xe.vector.shapes import image_index
from passes.kernel.register_types import element_count
from xegpu.dialects.upstream.vector import MultiDimReductionOp, ReductionOp
from xegpu.isa.model import integer


def _kind(op: Operation) -> str:
    """Returns the keyword in `#vector.kind<...>`."""
    return str(op.properties["kind"]).partition("<")[2].removesuffix(">")


def _rows(lowering: KernelLowering, value: SSAValue, dimensions: list[int]) -> Elements:
    """Returns the elements in rows to be combined: the given dimensions outermost, then the lanes, then the others."""
    assert isinstance(value.type, VectorType)
    shape = tuple(int(size) for size in value.type.get_shape())
    number = lowering.number(value)
    if isinstance(number, UniformConstant):
        number = lowering.emit.alu("mov", number.type, [number], element_count(value.type))
    lanes = number.lanes
    kept = [d for d in range(len(shape)) if d not in dimensions]
    result = tuple(shape[d] for d in kept)
    row = prod(result)
    moves: list[tuple[int, int]] = []
    for first, outer in enumerate(product(*(range(shape[d]) for d in dimensions))):
        for second, inner in enumerate(product(*(range(shape[d]) for d in kept))):
            place = dict(zip((*dimensions, *kept), (*outer, *inner), strict=True))
            index = 0
            for d, size in enumerate(shape):
                index = index * size + place[d]
            for lane in range(lanes):
                to = first * row * lanes + image_index(result, second, lane, lanes)
                moves.append((to, image_index(shape, index, lane, lanes)))
    if all(to == origin for to, origin in moves):
        return number
    bits = integer(number.type.bits, signed=False)
    register = lowering.emit.copy(lowering.emit.undefined(number.size), number.as_type(bits), sorted(moves), bits)
    return Elements(register, number.type, number.count, 0, lanes)


def _reduce(lowering: KernelLowering, op: Operation, dimensions: list[int], start: Number | None) -> None:
    kind, result = _kind(op), op.results[0]
    rows = _rows(lowering, op.operands[0], dimensions)
    check_kind(lowering, op, kind, rows.type)
    count = element_count(result.type) * rows.lanes
    reduced: Number = reduce_rows(lowering.emit, kind, rows, count)
    if start is not None and not _is_neutral(kind, start):
        (reduced, start), count = _alike(lowering, result.type, reduced, start)
        reduced = combine(lowering.emit, kind, rows.type, reduced, start, count)
    lowering.values[result] = reduced


def _is_neutral(kind: str, number: Number) -> bool:
    """Returns whether a number changes nothing that it is combined with."""
    return isinstance(number, UniformConstant) and number.bits == identity(kind, number.type).bits


def _alike(lowering: KernelLowering, type: Attribute, a: Number, b: Number) -> tuple[tuple[Number, Number], int]:
    """Returns both numbers as they are, or both with elements for each lane."""
    lanes = max(n.lanes if isinstance(n, Elements) else 1 for n in (a, b))
    first, second = (lowering.conversions.by_channel(n, type, lanes) for n in (a, b))
    return (first, second), element_count(type) * lanes


@lowers(ReductionOp)
def reduction(lowering: KernelLowering, op: ReductionOp) -> None:
    """The halves of the vector are combined until one element is left."""
    start = lowering.number(op.operands[1]) if len(op.operands) > 1 else None
    type = op.operands[0].type
    rank = len(type.get_shape()) if isinstance(type, VectorType) else 0
    _reduce(lowering, op, list(range(rank)), start)


@lowers(MultiDimReductionOp)
def multi_reduction(lowering: KernelLowering, op: MultiDimReductionOp) -> None:
    attribute = op.properties["reduction_dims"]
    if isinstance(attribute, ArrayAttr):
        dimensions = [a.value.data for a in attribute if isinstance(a, IntegerAttr)]
    else:
        assert isinstance(attribute, DenseArrayBase)
        dimensions = [int(v) for v in attribute.iter_values()]
    _reduce(lowering, op, dimensions, lowering.number(op.operands[1]))
