"""Estimates of the register need of kernels before lowering."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import FixedBitwidthType, VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import ConstantLike
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.vector import BitcastOp, ExtractOp, ExtractStridedSliceOp, ShapeCastOp
from xegpu.dialects.xegpu import TensorDescType

_SCALAR_BYTES = 8

_VIEWS: frozenset[type[Operation]] = frozenset({BitcastOp, ExtractOp, ExtractStridedSliceOp, ShapeCastOp})
"""Operations whose results mostly share the registers of their sources."""


def value_bytes(type: Attribute, lanes: int, grf_bytes: int) -> int:
    """Returns the bytes of registers that a value takes in a thread of `lanes` work-items.

    `lanes` is 1 where a thread is a whole subgroup.
    """
    if isinstance(type, TensorDescType):
        return grf_bytes
    if isa(type, VectorType):
        element = type.get_element_type()
        size = element.size if isinstance(element, FixedBitwidthType) else _SCALAR_BYTES
        return type.element_count() * size * lanes
    return _SCALAR_BYTES * lanes


def peak_bytes(block: Block, lanes: int, grf_bytes: int, behind: Iterable[SSAValue] = ()) -> int:
    """Returns the maximum number of live bytes in a block; constants do not count.

    Values in `behind` are live after the block.
    """
    live = _held(behind)
    sizes: dict[SSAValue, int] = {}

    def total() -> int:
        for value in live - sizes.keys():
            sizes[value] = value_bytes(value.type, lanes, grf_bytes)
        return sum(sizes[value] for value in live)

    most = total()
    for op in reversed(list(block.ops)):
        live -= set(op.results)
        around = live | _held(_outer_values(op))
        for region in op.regions:
            for inner in region.blocks:
                most = max(most, peak_bytes(inner, lanes, grf_bytes, around))
        live |= around
        if type(op) not in _VIEWS:
            live |= _held(op.operands)
            most = max(most, total() + sum(value_bytes(r.type, lanes, grf_bytes) for r in op.results))
    return most


def _outer_values(op: Operation) -> set[SSAValue]:
    """Returns the values from outside that the regions of an operation use."""
    if not op.regions:
        return set()
    inside = [inner for inner in op.walk() if inner is not op]
    made = {value for inner in inside for value in inner.results}
    made |= {argument for o in op.walk() for region in o.regions for block in region.blocks for argument in block.args}
    return {value for inner in inside for value in inner.operands} - made


def _held(values: Iterable[SSAValue]) -> set[SSAValue]:
    """Returns the values that must be in registers so that `values` can be used."""
    sources = map(_source, values)
    return {value for value in sources if ConstantLike.get_constant_value(value) is None}


def _source(value: SSAValue) -> SSAValue:
    while isinstance(op := value.owner, Operation) and type(op) in _VIEWS and isa(op.operands[0].type, VectorType):
        value = op.operands[0]
    return value
