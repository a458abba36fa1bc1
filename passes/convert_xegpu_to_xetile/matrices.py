"""Accesses of matrices in shared local memory as accesses of tiles."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import MemRefType, NoneAttr, i8
from xdsl.dialects.memref import ViewOp
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from passes.support.op_builder import Index, OpBuilder
from xegpu.dialects.upstream.vector import TransposeOp, vector_type
from xegpu.dialects.xegpu import CreateMemDescOp, LoadMatrixOp, MemDescType, MemorySpace, StoreMatrixOp
from xegpu.dialects.xetile import InitTileOp, LoadTileOp, StoreTileOp, TileAttr, TileType

_SWAP = (1, 0)


def raise_matrix_access(op: Operation) -> bool:
    """Inserts an access of a tile for that of a matrix whose rows, or whose columns, are contiguous.

    A column-major matrix is the row-major one of its transpose. Returns False for other operations, which stay.
    """
    if not isinstance(op, LoadMatrixOp | StoreMatrixOp) or not _is_whole(op):
        return False
    order = _order(op.desc)
    memory = None if order is None else _memory(op, order)
    if order is None or memory is None:
        return False
    builder = OpBuilder(op)
    shape, element = vector_type(op.value).get_shape(), op.desc.element_type
    offsets: list[Index] = [op.mixed_offsets[dim] for dim in order]
    type_ = TileType([shape[dim] for dim in order], element, TileAttr(memory_space=MemorySpace.SLM.number))
    tile = builder.add(InitTileOp(memory, offsets, type_))
    if isinstance(op, StoreMatrixOp):
        value = op.value if order != _SWAP else builder.add(TransposeOp(op.value, _SWAP))
        builder.insert(StoreTileOp(value, tile))
        return True
    loaded = builder.add(LoadTileOp(tile))
    op.value.replace_all_uses_with(loaded if order != _SWAP else builder.add(TransposeOp(loaded, _SWAP)))
    return True


def _is_whole(op: LoadMatrixOp | StoreMatrixOp) -> bool:
    """Returns whether an access is that of a rectangle by a subgroup, rather than by a lane."""
    return not op.is_of_lane and op.desc.get_num_dims() == 2


def _order(desc: MemDescType) -> tuple[int, int] | None:
    """Returns the dimensions of a matrix, that of contiguous elements last; None if there is no such dimension."""
    rows, columns = desc.get_shape()
    if prod(desc.block) != 1:
        return None
    return {(columns, 1): (0, 1), (1, rows): (1, 0)}.get((desc.stride[0], desc.stride[1]))


def _memory(op: LoadMatrixOp | StoreMatrixOp, order: tuple[int, int]) -> SSAValue | None:
    """Returns the memory of a matrix as a row-major memref; None if its bytes cannot be viewed so."""
    create, desc = op.mem_desc.owner, op.desc
    if not isinstance(create, CreateMemDescOp):
        return None
    shape, source = [desc.get_shape()[dim] for dim in order], create.source
    type_ = source.type
    assert isa(type_, MemRefType)
    if type_.element_type == desc.element_type and type_.get_shape() == tuple(shape):
        return source if isinstance(type_.layout, NoneAttr) else None
    builder = OpBuilder(create)
    start = builder.value(0)
    if isinstance(view := source.owner, ViewOp):
        source, start = view.source, view.byte_shift
    type_ = source.type
    if not isa(type_, MemRefType) or type_.element_type != i8 or type_.get_num_dims() != 1:
        return None
    if not isinstance(type_.layout, NoneAttr):
        return None
    return builder.add(ViewOp(source, start, [], MemRefType(desc.element_type, shape, memory_space=type_.memory_space)))
