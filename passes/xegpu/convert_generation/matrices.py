"""Matrices in shared local memory."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from xdsl.dialects.arith import AddiOp, ConstantOp, MuliOp, RemUIOp
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    VectorType,
    i1,
)
from xdsl.dialects.memref import ViewOp
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from passes.support.op_builder import Index, OpBuilder, known
from passes.support.vectors.constants import splat_constant
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.arith import DivUIOp
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.vector import BroadcastOp, vector_type
from xegpu.dialects.xegpu import CreateMemDescOp, LoadMatrixOp, LoadOp, MemDescType, StoreMatrixOp, StoreOp


class MatrixLoad(RewritePattern):
    """Loads the elements of a matrix one by one, at the offsets that its layout gives them."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoadMatrixOp, rewriter: PatternRewriter) -> None:
        builder = OpBuilder(op)
        base, offsets, mask = _addresses(builder, op, vector_type(op.value).get_shape())
        rewriter.replace(op, LoadOp(base, mask, op.value.type, offsets=offsets))


class MatrixStore(RewritePattern):
    """Stores the elements of a matrix one by one, at the offsets that its layout gives them."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: StoreMatrixOp, rewriter: PatternRewriter) -> None:
        builder = OpBuilder(op)
        base, offsets, mask = _addresses(builder, op, vector_type(op.value).get_shape())
        rewriter.replace(op, StoreOp(op.value, base, mask, offsets=offsets))


def erase_matrices(function: FuncOp) -> None:
    """Erases the descriptions of matrices, which nothing uses any more."""
    for op in [o for o in function.walk() if isinstance(o, CreateMemDescOp)]:
        if not op.mem_desc.uses:
            Rewriter.erase_op(op)


def _addresses(
    builder: OpBuilder, op: LoadMatrixOp | StoreMatrixOp, shape: Sequence[int]
) -> tuple[SSAValue, SSAValue, SSAValue]:
    """Returns the elements of the memory, the offset of each element of an access in it, and a mask of ones."""
    desc = op.desc
    lead = (1,) * (desc.get_num_dims() - len(shape))
    offsets = _offsets(builder, desc, op.mixed_offsets, (*lead, *shape), tuple(shape))
    mask = builder.add(splat_constant(VectorType(i1, shape), 1))
    return memory_of(op), offsets, mask


def memory_of(op: LoadMatrixOp | StoreMatrixOp) -> SSAValue:
    """Returns the memory of a matrix as a list of its elements."""
    create, desc = op.mem_desc.owner, op.desc
    if not isinstance(create, CreateMemDescOp):
        raise CompileError(op, "accesses a matrix that is not created in the kernel by xegpu.create_mem_desc")
    source = create.source.type
    assert isa(source, MemRefType)
    count = desc.element_count()
    if source.element_type == desc.element_type and source.get_shape() == (count,):
        return create.source
    is_bytes = isinstance(source.element_type, IntegerType) and source.element_type.bitwidth == 8
    if not is_bytes or source.get_num_dims() != 1 or not isinstance(source.layout, NoneAttr):
        raise CompileError(
            create, f"expected a contiguous memref of i8 and rank 1 as the memory of a matrix, got {source}"
        )
    before = OpBuilder(create)
    view = MemRefType(desc.element_type, [count], memory_space=source.memory_space)
    zero = before.add(ConstantOp(IntegerAttr(0, IndexType())))
    return before.add(ViewOp(create.source, zero, [], view))


def _offsets(
    builder: OpBuilder, desc: MemDescType, start: Sequence[Index], extent: Sequence[int], shape: tuple[int, ...]
) -> SSAValue:
    """Returns the offsets of the elements of `extent` that begin at `start`, as a vector of `shape`."""
    outer, inner = desc.block_strides()
    type_ = VectorType(IndexType(), shape)
    positions = list(product(*map(range, extent)))

    def vector(numbers: Sequence[int]) -> SSAValue:
        return builder.add(ConstantOp(DenseIntOrFPElementsAttr.from_list(type_, numbers)))

    total: SSAValue | None = None
    base: Index = 0
    constants = [0] * len(positions)
    for dim, (first, block) in enumerate(zip(map(known, start), desc.block, strict=True)):
        own = [position[dim] for position in positions]
        if block == 1 or (isinstance(first, int) and first % block == 0):
            # The parts of the sum that differ between elements are constant.
            constants = [
                c + x // block * outer[dim] + x % block * inner[dim] for c, x in zip(constants, own, strict=True)
            ]
            blocks = first // block if isinstance(first, int) else first
            base = builder.plus(base, builder.times(blocks, outer[dim]))
            continue
        index = builder.add(AddiOp(builder.add(BroadcastOp(builder.value(first), type_)), vector(own)))
        size = builder.add(splat_constant(type_, block))
        for operation, stride in ((DivUIOp, outer[dim]), (RemUIOp, inner[dim])):
            part = builder.add(operation(index, size))
            term = builder.add(MuliOp(part, builder.add(splat_constant(type_, stride))))
            total = term if total is None else builder.add(AddiOp(total, term))
    result = vector(constants)
    if base != 0:
        result = builder.add(AddiOp(builder.add(BroadcastOp(builder.value(base), type_)), result))
    return result if total is None else builder.add(AddiOp(total, result))
