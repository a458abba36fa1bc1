"""Ops that give the elements of a vector another shape or order.

xDSL lacks `shape_cast` and `transpose`, and none of its ops of this kind folds.

https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, FixedBitwidthType, VectorType, i64
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.traits import HasCanonicalizationPatternsTrait, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.traits import BroadcastInterface, TransposeInterface
from xegpu.dialects.upstream.vector.types import vector_type, with_dims


class ShapeCastPatterns(HasCanonicalizationPatternsTrait):
    """The canonicalization patterns of `shape_cast`."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (CastOfCast(),)


@irdl_op_definition
class ShapeCastOp(IRDLOperation, HasFolderInterface):
    """The same elements, row-major, in another shape.

    `%r = vector.shape_cast %v : vector<8x16xf32> to vector<128xf32>`
    """

    name = "vector.shape_cast"
    source = operand_def(VectorType)
    result = result_def(VectorType)

    traits = traits_def(Pure(), ShapeCastPatterns())
    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    def __init__(self, source: SSAValue | Operation, result_type: VectorType):
        super().__init__(operands=[source], result_types=[result_type])

    def verify_(self) -> None:
        source, result = vector_type(self.source), self.result.type
        if source.element_type != result.element_type:
            raise VerifyException(f"has different source and result element types: {source} and {result}")
        if source.element_count() != result.element_count():
            raise VerifyException(
                f"source and result must have the same number of elements, got {source.element_count()} in {source} "
                f"and {result.element_count()} in {result}"
            )

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        return (self.source,) if self.source.type == self.result.type else None


@irdl_op_definition
class BroadcastOp(IRDLOperation, HasFolderInterface, BroadcastInterface):
    """`%r = vector.broadcast %v : vector<16xf32> to vector<8x16xf32>` repeats along missing and unit dimensions."""

    name = "vector.broadcast"
    source = operand_def()
    vector = result_def(VectorType)

    traits = traits_def(Pure())
    assembly_format = "$source attr-dict `:` type($source) `to` type($vector)"

    def __init__(self, source: SSAValue | Operation, result_type: VectorType):
        super().__init__(operands=[source], result_types=[result_type])

    def verify_(self) -> None:
        source, result = self.source.type, self.vector.type
        element, shape = (source.element_type, source.get_shape()) if isa(source, VectorType) else (source, ())
        if element != result.element_type:
            raise VerifyException(f"source and result must have the same element type, got {source} and {result}")
        rank = len(shape)
        if rank > result.get_num_dims():
            raise VerifyException(f"source rank {rank} is higher than destination rank {result.get_num_dims()}")
        for ours, theirs in zip(shape, result.get_shape()[result.get_num_dims() - rank :], strict=True):
            if ours not in (1, theirs):
                raise VerifyException(f"dimension mismatch ({ours} vs. {theirs}) from {source} to {result}")

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        return (self.source,) if self.source.type == self.vector.type else None

    @property
    def repeated(self) -> SSAValue:
        return self.source


@irdl_op_definition
class TransposeOp(IRDLOperation, HasFolderInterface, TransposeInterface):
    """`%r = vector.transpose %v, [1, 0] : vector<8x16xf32> to vector<16x8xf32>`: the dimensions in another order."""

    name = "vector.transpose"
    vector = operand_def(VectorType)
    permutation = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VectorType)

    traits = traits_def(Pure())
    assembly_format = "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)"

    def __init__(self, vector: SSAValue | Operation, permutation: Sequence[int]):
        source = vector_type(SSAValue.get(vector))
        super().__init__(
            operands=[vector],
            result_types=[with_dims(source, permutation)],
            properties={"permutation": DenseArrayBase.from_list(i64, permutation)},
        )

    def verify_(self) -> None:
        source, result, permutation = vector_type(self.vector), self.result.type, self.permutation.get_values()
        if sorted(permutation) != list(range(source.get_num_dims())):
            raise VerifyException(
                f"transposition must be a permutation of {source.get_num_dims()} dims, got {list(permutation)}"
            )
        expected = with_dims(source, permutation)
        if result != expected:
            raise VerifyException(f"dimension size mismatch: expected a result of type {expected}, got {result}")

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        identity = self.permutation.get_values() == tuple(range(len(self.permutation)))
        return (self.vector,) if identity else None

    @property
    def permuted_dims(self) -> tuple[int, ...]:
        return self.permutation.get_values()


@irdl_op_definition
class BitcastOp(IRDLOperation, HasFolderInterface):
    """`%r = vector.bitcast %v : vector<8x16xf32> to vector<8x32xf16>`: the bits of each row, read as other elements."""

    name = "vector.bitcast"
    source = operand_def(VectorType)
    result = result_def(VectorType)

    traits = traits_def(Pure())
    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    def verify_(self) -> None:
        source, result = vector_type(self.source), self.result.type
        if source.get_shape()[:-1] != result.get_shape()[:-1] or source.get_num_dims() != result.get_num_dims():
            raise VerifyException(
                f"dimension size mismatch: only the last dimension may change, got {source} to {result}"
            )
        if _row_bits(source) != _row_bits(result):
            raise VerifyException(
                f"source/result bitwidth of the minor 1-D vectors must be equal, got {source} to {result}"
            )

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        return (self.source,) if self.source.type == self.result.type else None


def _row_bits(vector: VectorType) -> tuple[int, bool]:
    """Bits of the innermost dimension, and whether elements have a fixed width: index only casts to index."""
    element = vector.element_type
    last = vector.get_shape()[-1] if vector.get_num_dims() else 1
    if isinstance(element, FixedBitwidthType):
        return element.bitwidth * last, True
    return last, False


class CastOfCast(RewritePattern):
    """The shape in between does not matter."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ShapeCastOp, rewriter: PatternRewriter) -> None:
        first = op.source.owner
        if not isinstance(first, ShapeCastOp):
            return
        if first.source.type == op.result.type:
            rewriter.replace(op, [], [first.source])
        else:
            rewriter.replace(op, ShapeCastOp(first.source, op.result.type))
