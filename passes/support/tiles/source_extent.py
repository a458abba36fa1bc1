"""Sizes and strides of the memory that a block descriptor is for."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.dialects.memref import ExtractStridedMetaDataOp
from xdsl.utils.hints import isa

from passes.support.op_builder import Index, OpBuilder
from xegpu.dialects.upstream.memref import memref_strides
from xegpu.dialects.xegpu import CreateNdDescOp

Extent = tuple[Sequence[Index], Sequence[Index]]
"""Sizes and strides in elements, outermost first."""


def explicit_extent(create: CreateNdDescOp) -> Extent | None:
    """Returns the sizes and strides of a descriptor's memory, or None where the type of its memref states them.

    LLVM 22 takes those of a dynamic memref from the memref itself.
    """
    if create.mixed_shape is not None and create.mixed_strides is not None:
        return create.mixed_shape, create.mixed_strides
    source = create.source.type
    if not isa(source, MemRefType):
        return None
    layout = memref_strides(source)
    if source.has_static_shape() and layout is not None and None not in layout[0]:
        return None
    builder = OpBuilder(create)
    metadata = ExtractStridedMetaDataOp(create.source)
    builder.insert(metadata)
    known_strides = [None] * source.get_num_dims() if layout is None else layout[0]
    sizes: list[Index] = [
        value if size == DYNAMIC_INDEX else size for size, value in zip(source.get_shape(), metadata.sizes, strict=True)
    ]
    strides: list[Index] = [
        value if stride is None else stride for stride, value in zip(known_strides, metadata.strides, strict=True)
    ]
    return sizes, strides
