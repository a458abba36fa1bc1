"""Matrices in shared local memory as tiles."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, MemRefType, VectorType, i64
from xdsl.dialects.memref import ViewOp
from xdsl.ir import Attribute, Operation, SSAValue

from passes.support.op_builder import Index, OpBuilder
from passes.support.work_groups.exchange_memory import SLM
from passes.support.work_groups.matrix_memory import MatrixMemory
from xegpu.dialects.upstream.vector import vector_type
from xegpu.dialects.xetile import InitTileOp, LoadTileOp, StoreTileOp, TileAttr, TileType


class TileMemory(MatrixMemory):
    """Accesses matrices by tiles, which are created once, at the start of the kernel."""

    def matrix(self, entry: OpBuilder, buffer: SSAValue, shape: Sequence[int], element: Attribute) -> SSAValue:
        type_ = MemRefType(element, shape, memory_space=IntegerAttr(SLM, i64))
        return entry.add(ViewOp(buffer, entry.value(0), [], type_))

    def store(self, entry: OpBuilder, part: SSAValue, matrix: SSAValue, offsets: Sequence[Index]) -> Operation:
        return StoreTileOp(part, _tile(entry, matrix, offsets, vector_type(part)))

    def load(self, entry: OpBuilder, matrix: SSAValue, offsets: Sequence[Index], part: VectorType) -> Operation:
        return LoadTileOp(_tile(entry, matrix, offsets, part))


def _tile(entry: OpBuilder, matrix: SSAValue, offsets: Sequence[Index], part: VectorType) -> SSAValue:
    type_ = TileType(part.get_shape(), part.element_type, TileAttr(memory_space=SLM))
    return entry.add(InitTileOp(matrix, offsets, type_))
