"""Division of vectors into vectors of narrower integers, and back."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.arith import BitcastOp, ConstantOp, OrIOp, ShLIOp
from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    FixedBitwidthType,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    Signedness,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from passes.support.op_builder import OpBuilder
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.arith import ExtUIOp, ShRUIOp, TruncIOp
from xegpu.dialects.upstream.vector import vector_type, with_element

_FLOATS = (BFloat16Type, Float16Type, Float32Type, Float64Type)


def split(op: Operation, part: SSAValue, count: int, builder: OpBuilder) -> list[SSAValue]:
    """Returns the vector as `count` vectors of integers, the lowest bits of each element first.

    Raises `CompileError` at `op` for elements that arithmetic cannot divide.
    """
    if count == 1:
        return [part]
    type = vector_type(part)
    if not _is_divisible(type.element_type):
        raise CompileError(
            op, f"cannot move {type} between subgroups in {count} pieces: expected elements of type fN or iN"
        )
    bits, whole = _as_integers(part, builder)
    width = bits // count
    pieces = []
    for index in range(count):
        shifted = builder.add(ShRUIOp(whole, _splat(whole, index * width, builder))) if index else whole
        pieces.append(builder.add(TruncIOp(shifted, with_element(type, IntegerType(width)))))
    return pieces


def join(pieces: Sequence[SSAValue], element: Attribute, builder: OpBuilder) -> SSAValue:
    """Returns the vector of `element`s that `split` divided."""
    if len(pieces) == 1:
        return pieces[0]
    assert isinstance(element, FixedBitwidthType)
    type = with_element(vector_type(pieces[0]), IntegerType(element.bitwidth))
    width = element.bitwidth // len(pieces)
    whole, *others = [builder.add(ExtUIOp(piece, type)) for piece in pieces]
    for index, piece in enumerate(others, 1):
        shifted = builder.add(ShLIOp(piece, _splat(piece, index * width, builder)))
        whole = builder.add(OrIOp(whole, shifted))
    return builder.add(BitcastOp(whole, with_element(type, element))) if isinstance(element, _FLOATS) else whole


def _is_divisible(element: Attribute) -> bool:
    if isinstance(element, IntegerType):
        return element.signedness.data is Signedness.SIGNLESS
    return isinstance(element, _FLOATS)


def _as_integers(part: SSAValue, builder: OpBuilder) -> tuple[int, SSAValue]:
    """Returns the width of the elements in bits, and the vector as integers of the same bits."""
    type = vector_type(part)
    element = type.element_type
    assert isinstance(element, FixedBitwidthType)
    if isinstance(element, IntegerType):
        return element.bitwidth, part
    return element.bitwidth, builder.add(BitcastOp(part, with_element(type, IntegerType(element.bitwidth))))


def _splat(like: SSAValue, value: int, builder: OpBuilder) -> SSAValue:
    type = vector_type(like)
    assert isa(type, VectorType[IntegerType])
    return builder.add(ConstantOp(DenseIntOrFPElementsAttr.from_list(type, [value])))
