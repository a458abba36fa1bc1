"""Matrices in shared local memory as `mem_desc`, and reductions of parts."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, MemRefType, VectorType, i64
from xdsl.dialects.memref import ViewOp
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import Attribute, Operation, SSAValue

from passes.support.op_builder import Index, OpBuilder
from passes.support.vectors.constants import neutral_element, splat_constant
from passes.support.work_groups.exchange import reshaped
from passes.support.work_groups.exchange_memory import SLM
from passes.support.work_groups.matrix_memory import MatrixMemory
from xegpu.dialects.upstream.vector import BroadcastOp, ExtractOp, MultiDimReductionOp, vector_type
from xegpu.dialects.xegpu import CreateMemDescOp, LoadMatrixOp, MemDescType, StoreMatrixOp


class DescribedMatrices(MatrixMemory):
    """Accesses matrices by `load_matrix` and `store_matrix`."""

    def matrix(self, entry: OpBuilder, buffer: SSAValue, shape: Sequence[int], element: Attribute) -> SSAValue:
        rows, columns = shape
        type_ = MemRefType(element, [rows * columns], memory_space=IntegerAttr(SLM, i64))
        elements = entry.add(ViewOp(buffer, entry.value(0), [], type_))
        return entry.add(CreateMemDescOp(elements, MemDescType(shape, element)))

    def store(self, entry: OpBuilder, part: SSAValue, matrix: SSAValue, offsets: Sequence[Index]) -> Operation:
        return StoreMatrixOp(part, matrix, list(offsets))

    def load(self, entry: OpBuilder, matrix: SSAValue, offsets: Sequence[Index], part: VectorType) -> Operation:
        return LoadMatrixOp(matrix, list(offsets), part)


def reduced_part(
    builder: OpBuilder, op: Operation, kind: CombiningKindFlag, part: SSAValue, dims: Sequence[int]
) -> SSAValue:
    """Combines the elements of a vector along dimensions, which stay with size 1."""
    type_ = vector_type(part)
    element, shape = type_.element_type, type_.get_shape()
    result = [1 if dim in dims else size for dim, size in enumerate(shape)]
    if result == list(shape):
        return part
    neutral, kept = neutral_element(kind, element), [size for dim, size in enumerate(shape) if dim not in dims]
    start = builder.add(splat_constant(VectorType(element, kept or [1]), neutral))
    if not kept:
        start = builder.add(ExtractOp(start, [0]))
    reduced = builder.add(MultiDimReductionOp(CombiningKindAttr(kind), part, start, list(dims)))
    if kept:
        return reshaped(reduced, result, builder)
    return builder.add(BroadcastOp(reduced, VectorType(element, result)))
