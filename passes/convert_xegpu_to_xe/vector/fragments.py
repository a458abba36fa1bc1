"""Lowers exchanges of elements between lanes: their registers belong to one thread, so that moves suffice."""

from __future__ import annotations

from xdsl.ir import Operation

from passes.convert_xegpu_to_xe.lowering.conversions import inner_elements
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, UniformConstant
from passes.kernel.register_types import element_count
from xegpu.dialects.xegpu import CollectOp, ConvertLayoutOp, DistributeOp, integers
from xegpu.isa.model import integer


@lowers(ConvertLayoutOp)
def convert_layout(lowering: KernelLowering, op: ConvertLayoutOp) -> None:
    """Lanes that hold whole vectors hold them before and after; other lanes have exchanged their elements already."""
    lowering.values[op.results[0]] = lowering.values[op.operands[0]]


@lowers(DistributeOp)
def distribute(lowering: KernelLowering, op: DistributeOp) -> None:
    elements, size = integers(op.elements), element_count(op.result.type)
    _check_lanes(lowering, op, len(elements) // size)
    number, inner = lowering.number(op.value), inner_elements(op.result.type)
    from_inner = inner_elements(op.value.type)
    moves: list[tuple[int, int]] = []
    for at, element in enumerate(elements):
        lane, place = divmod(at, size)
        origin = element
        if isinstance(number, Elements) and number.lanes > 1:
            origin = _image(element, lane, number.lanes, from_inner)
        moves.append((_image(place, lane, lowering.lanes, inner), origin))
    lowering.values[op.result] = _moved(lowering, number, moves, lowering.lanes)


@lowers(CollectOp)
def collect(lowering: KernelLowering, op: CollectOp) -> None:
    places, size = integers(op.places), element_count(op.value.type)
    _check_lanes(lowering, op, max(places) // size + 1)
    number, inner = lowering.number(op.value), inner_elements(op.value.type)
    moves: list[tuple[int, int]] = []
    for element, at in enumerate(places):
        lane, place = divmod(at, size)
        shared = isinstance(number, Elements) and number.lanes > 1
        moves.append((element, _image(place, lane, lowering.lanes, inner) if shared else place))
    lowering.values[op.result] = _moved(lowering, number, moves, 1)


def _image(place: int, lane: int, lanes: int, inner: int) -> int:
    """Returns the position of an element of a lane's fragment among those of all lanes: `[row, lane, column]`."""
    return (place // inner * lanes + lane) * inner + place % inner


def _moved(
    lowering: KernelLowering, number: UniformConstant | Elements, moves: list[tuple[int, int]], lanes: int
) -> UniformConstant | Elements:
    if isinstance(number, UniformConstant):
        return number
    moves.sort()
    start = moves[0][1]
    if all(origin == start + to for to, origin in moves):
        part = number.part(start, len(moves))
        return Elements(part.register, part.type, part.count, part.offset, lanes)
    bits = integer(number.type.bits, signed=False)
    register = lowering.emit.undefined(len(moves) * bits.size)
    register = lowering.emit.copy(register, number.as_type(bits), moves, bits)
    return Elements(register, number.type, len(moves), 0, lanes)


def _check_lanes(lowering: KernelLowering, op: Operation, lanes: int) -> None:
    if lowering.lanes == 1:
        lowering.refuse(op, "has no meaning in a kernel that works on whole subgroups")
    if lanes > lowering.lanes or (isinstance(op, DistributeOp) and lanes != lowering.lanes):
        lowering.refuse(op, f"is for {lanes} lanes in a kernel with subgroups of {lowering.lanes}")
