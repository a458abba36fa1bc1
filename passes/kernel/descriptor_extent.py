"""Sizes and strides of the buffers behind descriptors."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerType, MemRefType
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.memref import memref_strides
from xegpu.dialects.xegpu import CreateNdDescOp, integers


def extent(op: CreateNdDescOp) -> tuple[list[int | None], list[int | None]]:
    """Returns sizes and strides of the source in elements, None where they are SSA values."""
    shape, strides = op.const_shape, op.const_strides
    if shape is not None and strides is not None:
        return _entries(shape), _entries(strides)
    source = op.source.type
    if not isa(source, MemRefType):
        return [None], [1]  # an address alone describes a line of unknown length
    layout = memref_strides(source)
    assert layout is not None
    return [None if s == DYNAMIC_INDEX else s for s in source.get_shape()], layout[0]


def _entries(values: DenseArrayBase[IntegerType]) -> list[int | None]:
    return [None if v == DYNAMIC_INDEX else v for v in integers(values)]
