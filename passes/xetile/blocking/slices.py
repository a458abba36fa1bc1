"""Slices of vectors in registers."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from passes.support.op_builder import OpBuilder
from passes.support.vectors.constants import splat_constant
from passes.xetile.blocking.grid import Grid, Shape
from xegpu.dialects.upstream.vector import ExtractStridedSliceOp, I64Array, InsertStridedSliceOp, vector_type


def recut(builder: OpBuilder, parts: Sequence[SSAValue], old: Grid, block: Shape) -> list[SSAValue]:
    """Returns a vector, given in blocks, in blocks of another size."""
    if old.block == block:
        return list(parts)
    return [box(builder, parts, old, origin, block) for origin in Grid(old.shape, block).origins]


def box(builder: OpBuilder, parts: Sequence[SSAValue], grid: Grid, origin: Shape, size: Shape) -> SSAValue:
    """Returns a box of a vector that is given in blocks."""
    touched = [(grid.origin(position), parts[grid.index(position)]) for position in grid.touched(origin, size)]
    if len(touched) == 1:
        ((start, part),) = touched
        return extract(builder, part, _minus(origin, start), size)
    whole = builder.add(splat_constant(VectorType(vector_type(parts[0]).element_type, size), 0))
    for start, part in touched:
        first = tuple(map(max, start, origin))
        last = tuple(
            min(a + part_size, b + box_size)
            for a, b, part_size, box_size in zip(start, origin, grid.block, size, strict=True)
        )
        piece = extract(builder, part, _minus(first, start), _minus(last, first))
        whole = builder.add(InsertStridedSliceOp(piece, whole, _minus(first, origin)))
    return whole


def extract(builder: OpBuilder, vector: SSAValue, origin: Shape, size: Shape) -> SSAValue:
    """Returns a box of a vector, taken directly from the origin of the vector if it is a slice itself."""
    while (source := _source(vector, origin, size)) is not None:
        vector, origin = source
    shape = vector_type(vector).get_shape()
    return vector if shape == size else builder.add(ExtractStridedSliceOp(vector, origin, size))


def _source(vector: SSAValue, origin: Shape, size: Shape) -> tuple[SSAValue, Shape] | None:
    """Returns the vector that contains a box of another one, and the origin of the box in it."""
    match vector.owner:
        case ExtractStridedSliceOp() as op:
            start = _entries(op.offsets)
            start += (0,) * (len(origin) - len(start))
            return op.vector, tuple(a + b for a, b in zip(origin, start, strict=True))
        case InsertStridedSliceOp() as op if len(_entries(op.strides)) == len(origin):
            first = _minus(origin, _entries(op.offsets))
            inserted = vector_type(op.source).get_shape()
            if all(a >= 0 and a + b <= c for a, b, c in zip(first, size, inserted, strict=True)):
                return op.source, first
            if any(a + b <= 0 or c <= a for a, b, c in zip(first, size, inserted, strict=True)):
                return op.dest, origin
    return None


def _entries(array: I64Array) -> Shape:
    return tuple(entry.value.data for entry in array)


def _minus(a: Shape, b: Shape) -> Shape:
    return tuple(x - y for x, y in zip(a, b, strict=True))
