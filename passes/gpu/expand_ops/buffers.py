"""Expansions of operations on whole buffers."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, NoneAttr, StridedLayoutAttr
from xdsl.dialects.memref import DimOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint
from xdsl.utils.hints import isa

from passes.gpu.expand_ops.loops import loop_nest
from passes.support.op_builder import Index, OpBuilder
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.arith import IndexCastOp
from xegpu.dialects.upstream.memref import AllocaScopeOp, CastOp, CopyOp, LoadOp, ReinterpretCastOp, ReshapeOp, StoreOp


def _ranked(op: Operation, value: SSAValue) -> MemRefType[Attribute]:
    if not isa(value.type, MemRefType):
        raise CompileError(op, f"of {value.type} is not supported in a kernel: cast it to a ranked memref first")
    return value.type


class ExpandCopy(RewritePattern):
    """Expands `memref.copy` into loops that load and store each element."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: CopyOp, rewriter: PatternRewriter) -> None:
        source, target = _ranked(op, op.source), _ranked(op, op.target)
        build = OpBuilder(op)
        sizes: list[Index] = []
        for dimension, (size, other) in enumerate(zip(source.get_shape(), target.get_shape(), strict=True)):
            known = other if size == DYNAMIC_INDEX else size
            sizes.append(build.add(DimOp(op.source, build.value(dimension))) if known == DYNAMIC_INDEX else known)

        def body(inner: OpBuilder, indices: Sequence[SSAValue], _: Sequence[SSAValue]) -> Sequence[SSAValue]:
            element = inner.add(LoadOp(op.source, indices))
            inner.insert(StoreOp(element, op.target, indices))
            return ()

        loop_nest(build, [(0, size, 1) for size in sizes], (), body)
        rewriter.erase(op)


class ExpandReshape(RewritePattern):
    """Expands `memref.reshape` into a cast of the contiguous buffer, loading the sizes that its type leaves open."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReshapeOp, rewriter: PatternRewriter) -> None:
        type = _ranked(op, op.result)
        _ranked(op, op.source)
        build = OpBuilder(op)
        sizes = [_size(build, op.shape, dimension, size) for dimension, size in enumerate(type.get_shape())]
        strides: list[Index] = [1] * len(sizes)
        for dimension in reversed(range(len(sizes) - 1)):
            strides[dimension] = build.times(strides[dimension + 1], sizes[dimension + 1])
        layout = StridedLayoutAttr([NoneAttr() if isinstance(s, SSAValue) else s for s in strides], 0)
        strided = MemRefType(type.element_type, type.get_shape(), layout, type.memory_space)
        view = build.add(ReinterpretCastOp(op.source, 0, sizes, strides, strided))
        rewriter.replace(op, [], [build.add(CastOp(view, type))])


def _size(build: OpBuilder, shape: SSAValue, dimension: int, size: int) -> Index:
    if size != DYNAMIC_INDEX:
        return size
    loaded = build.add(LoadOp(shape, [build.value(dimension)]))
    return loaded if loaded.type == IndexType() else build.add(IndexCastOp(loaded, IndexType()))


class InlineAllocaScope(RewritePattern):
    """Inlines `memref.alloca_scope`: private memory is allocated for the whole run of a kernel anyway."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AllocaScopeOp, rewriter: PatternRewriter) -> None:
        end = op.body.block.last_op
        assert end is not None
        results = list(end.operands)
        rewriter.erase(end)
        rewriter.inline_block(op.body.block, InsertPoint.before(op))
        rewriter.replace(op, [], results)
