"""Regions of registers: strided rows of elements of a vector that are read or replaced, and what masks tell at once.

A region has rows of `width` elements that lie `stride` apart; rows begin `vstride` elements apart. Where the offset is
computed at run time, the intrinsic stays a call.
"""

from __future__ import annotations

from xdsl.dialects.builtin import DenseArrayBase, FixedBitwidthType, VectorType, i64
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag, ShuffleOp
from xdsl.ir import SSAValue
from xdsl.utils.type import get_element_type_or_self

from passes.frontends.llvm.functions.vector_compute.work_items import message
from passes.frontends.llvm.importer.calls import Call, intrinsic
from passes.frontends.llvm.importer.function import Parts
from passes.frontends.llvm.reader import constant_value
from xegpu.dialects.upstream.arith import SelectOp
from xegpu.dialects.upstream.llvm import LoadOp, StoreOp, alignment_of
from xegpu.dialects.upstream.vector import (
    BroadcastOp,
    ExtractOp,
    InsertStridedSliceOp,
    ReductionOp,
)


def _elements(call: Call, first: int, count: int) -> list[int] | None:
    """Returns the places of a region's elements; None for an offset that is computed at run time."""
    offset = constant_value(call.operand(first + 3))
    if offset is None:
        return None
    vstride, width, stride = (call.number(first + i) for i in range(3))
    vector = call.value(0).type
    element = get_element_type_or_self(vector)
    if not isinstance(vector, VectorType) or not isinstance(element, FixedBitwidthType) or not width:
        call.builder.error(f"calls '{call.symbol}' for a region of type {vector} with rows of {width} elements")
    start = offset * 8 // element.bitwidth
    places = [start + i // width * vstride + i % width * stride for i in range(count)]
    if offset * 8 % element.bitwidth or not all(0 <= place < vector.element_count() for place in places):
        call.builder.error(
            f"calls '{call.symbol}' for elements of {vector} from {min(places)} to {max(places)} at byte {offset}"
        )
    return places


def _vector(call: Call, value: SSAValue) -> SSAValue:
    """Returns a scalar as a vector of one."""
    if isinstance(value.type, VectorType):
        return value
    return call.builder.add(BroadcastOp(value, VectorType(value.type, [1])))


def _picked(call: Call, vector: SSAValue, places: list[int]) -> SSAValue:
    type = VectorType(get_element_type_or_self(vector.type), [len(places)])
    return call.builder.add(ShuffleOp(vector, vector, DenseArrayBase.from_list(i64, places), result_type=type))


@intrinsic("genx.rdregioni", "genx.rdregionf")
def read(call: Call) -> SSAValue | Parts:
    is_vector = isinstance(call.type, VectorType)
    places = _elements(call, 1, call.type.element_count() if isinstance(call.type, VectorType) else 1)
    if places is None:
        return message(call)
    vector = call.value(0)
    if not is_vector:
        return call.builder.add(ExtractOp(vector, places))
    return vector if places == [*range(_count(vector))] else _picked(call, vector, places)


def _count(value: SSAValue) -> int:
    return value.type.element_count() if isinstance(value.type, VectorType) else 1


@intrinsic("genx.wrregioni", "genx.wrregionf")
def write(call: Call) -> SSAValue | Parts:
    """Returns the vector with a region replaced where the mask holds."""
    new = call.value(1)
    places = _elements(call, 2, _count(new))
    if places is None:
        return message(call)
    old, new, mask = call.value(0), _vector(call, new), call.value(7)
    type = old.type
    assert isinstance(type, VectorType)
    if constant_value(call.operand(7)) != 1:
        new = call.builder.add(SelectOp(mask, new, _picked(call, old, places)))
    if places == [*range(_count(old))]:
        return new
    if places == [*range(places[0], places[0] + len(places))]:
        return call.builder.add(InsertStridedSliceOp(new, old, [places[0]]))
    origins = {place: _count(old) + i for i, place in enumerate(places)}
    chosen = DenseArrayBase.from_list(i64, [origins.get(place, place) for place in range(_count(old))])
    return call.builder.add(ShuffleOp(old, new, chosen, result_type=type))


@intrinsic("genx.any", "genx.all")
def reduce(call: Call) -> SSAValue:
    kind = CombiningKindFlag.OR if call.name == "genx.any" else CombiningKindFlag.AND
    return call.builder.add(ReductionOp(CombiningKindAttr(kind), _vector(call, call.value(0))))


@intrinsic("genx.vload")
def load(call: Call) -> SSAValue:
    return call.builder.add(LoadOp(call.pointer(0), call.type, alignment_of(call.type)))


@intrinsic("genx.vstore")
def store(call: Call) -> None:
    value = call.value(0)
    call.builder.insert(StoreOp(value, call.pointer(1), alignment_of(value.type)))
