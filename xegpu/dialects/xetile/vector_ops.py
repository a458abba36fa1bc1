"""Ops that compute with the 2-D vectors that tiles hold."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, VectorType, i64
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.interfaces import HasCanonicalizationPatternsInterface, HasFolderInterface
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.traits import NoMemoryEffect, Pure
from xdsl.utils.exceptions import VerifyException

from xegpu.diagnostics import about
from xegpu.dialects.upstream.traits import BroadcastInterface, ReductionInterface, TransposeInterface
from xegpu.dialects.upstream.vector.types import vector_type
from xegpu.dialects.xegpu import rules as xegpu_rules
from xegpu.dialects.xegpu.folding import replace
from xegpu.dialects.xegpu.ops.dpas import is_legal_combination
from xegpu.dialects.xegpu.syntax import integers
from xegpu.dialects.xetile import rules
from xegpu.dialects.xetile.attributes import WgMapAttr
from xegpu.dialects.xetile.operation import TileOperation
from xegpu.dialects.xetile.syntax import CombiningKind, Dimensions

MAP_NAMES = ("wg_map_a", "wg_map_b", "wg_map_c")


class MappableOperation(TileOperation, HasFolderInterface):
    """An op on vectors that may say, by a discardable `map`, how its result is spread over the subgroups."""

    def fold(self) -> tuple[SSAValue] | None:
        """A value that is spread anew is not the same to its users."""
        same = None if "map" in self.attributes else self.equal_value()
        return None if same is None else (same,)

    @abstractmethod
    def equal_value(self) -> SSAValue | None:
        """A value that has the elements of the result, if there is one."""


@irdl_op_definition
class TileMMAOp(TileOperation):
    """`a * b + c`, or `a * b` without c.

    `%d = xetile.tile_mma %a, %b, %c : vector<32x64xf16>, vector<64x32xf16>, vector<32x32xf32> -> vector<32x32xf32>`

    The wg_maps say how a, b, and c (with the result) are spread over the subgroups of a work group.
    """

    name = "xetile.tile_mma"
    a = operand_def()
    b = operand_def()
    c = opt_operand_def()
    wg_map_a = opt_prop_def(WgMapAttr)
    wg_map_b = opt_prop_def(WgMapAttr)
    wg_map_c = opt_prop_def(WgMapAttr)
    output = result_def()

    traits = traits_def(Pure())
    assembly_format = "$a `,` $b (`,` $c^)? attr-dict `:` type($a) `,` type($b) (`,` type($c)^)? `->` type($output)"

    def __init__(
        self,
        a: SSAValue | Operation,
        b: SSAValue | Operation,
        c: SSAValue | Operation | None,
        result_type: VectorType,
        wg_maps: tuple[WgMapAttr, WgMapAttr, WgMapAttr] | None = None,
    ):
        super().__init__(
            operands=[a, b, c],
            result_types=[result_type],
            properties={} if wg_maps is None else dict(zip(MAP_NAMES, wg_maps, strict=True)),
        )

    def verify_(self) -> None:
        with about(a=self.a, b=self.b, c=self.c):
            self._verify_product()

    def _verify_product(self) -> None:
        a = xegpu_rules.vector(self.a.type, "expected A to be a 2-D vector,")
        b = xegpu_rules.vector(self.b.type, "expected B to be a 2-D vector,")
        if (rank_a := a.get_num_dims()) != (rank_b := b.get_num_dims()):
            raise VerifyException(f"A and B inputs must have the same rank. A has rank {rank_a}, B has rank {rank_b}")
        rules.matrix("A", a)
        output = rules.matrix("output", self.output.type)
        if a.element_type != b.element_type:
            raise VerifyException(
                f"A and B inputs must have the same type. A has {a.element_type}, B has {b.element_type}"
            )
        c = None if self.c is None else rules.matrix("C", self.c.type)
        if c is not None and c.element_type != output.element_type:
            raise VerifyException(
                f"C and output vector must have the same type. C has {c.element_type}, output has {output.element_type}"
            )
        (m, k), (rows, n), shape = a.get_shape(), b.get_shape(), output.get_shape()
        if k != rows or (m, n) != shape:
            raise VerifyException(
                "incompatible A, B and output sizes for 2D tile mma op. 2D tile mma should have the shape "
                f"(m x k) x (k x n) = (m x n). Got ({m} x {k}) x ({rows} x {n}) = ({shape[0]} x {shape[1]})"
            )
        if c is not None and c.get_shape() != shape:
            raise VerifyException(
                f"input C must have the same shape as output. C has {list(c.get_shape())}, output has {list(shape)}"
            )
        if not is_legal_combination(a.element_type, output.element_type):
            raise VerifyException(
                f"cannot multiply {a.element_type} by {b.element_type} into {output.element_type}: expected f16 into "
                "f32 or f16, bf16 into f32 or bf16, tf32 into f32, or 8-bit integers into 32-bit integers"
            )
        rules.divided("wg_map_a", self.wg_map_a, a.get_shape())
        rules.divided("wg_map_b", self.wg_map_b, b.get_shape())
        rules.divided("wg_map_c", self.wg_map_c, shape)


@irdl_op_definition
class TransposeOp(MappableOperation, TransposeInterface):
    """`%r = xetile.transpose %x, [1, 0] : vector<32x64xf16> -> vector<64x32xf16>` exchanges rows and columns."""

    name = "xetile.transpose"
    vector = operand_def()
    permutation = prop_def(DenseArrayBase.constr(i64))
    result = result_def()

    traits = traits_def(Pure())
    custom_directives = (Dimensions,)
    assembly_format = "$vector `,` custom<Dimensions>($permutation) attr-dict `:` type($vector) `->` type($result)"

    def __init__(self, vector: SSAValue | Operation, permutation: Sequence[int] = (1, 0)):
        source = vector_type(SSAValue.get(vector))
        super().__init__(
            operands=[vector],
            result_types=[VectorType(source.element_type, [source.get_shape()[dim] for dim in permutation])],
            properties={"permutation": DenseArrayBase.from_list(i64, permutation)},
        )

    def verify_(self) -> None:
        source = rules.matrix("source", self.vector.type)
        result = rules.matrix("result", self.result.type)
        xegpu_rules.same_element_type(source=source, result=result)
        permutation = integers(self.permutation)
        if any(not 0 <= dim < 2 for dim in permutation):
            raise VerifyException(f"permutation index out of bounds: expected 0 and 1, got {list(permutation)}")
        if sorted(permutation) != [0, 1]:
            raise VerifyException(f"expected a permutation of 2 dimensions, got {list(permutation)}")
        expected = [source.get_shape()[dim] for dim in permutation]
        if (found := list(result.get_shape())) != expected:
            raise VerifyException(
                f"Incorrect transpose permutation: expected a result of shape {expected}, got {found}"
            )

    def equal_value(self) -> SSAValue | None:
        if integers(self.permutation) == (0, 1):
            return self.vector
        inner = self.vector.owner
        return inner.vector if isinstance(inner, TransposeOp) and inner.permutation == self.permutation else None

    @property
    def permuted_dims(self) -> tuple[int, ...]:
        return integers(self.permutation)


@irdl_op_definition
class ReductionOp(MappableOperation, ReductionInterface):
    """`%r = xetile.reduction <add>, %x [1] : vector<32x64xf32> -> vector<32x1xf32>` combines along dimensions."""

    name = "xetile.reduction"
    KEEPS_DIMS: ClassVar = True

    kind = prop_def(CombiningKindAttr)
    source = operand_def()
    reduction_dims = prop_def(DenseArrayBase.constr(i64))
    result = result_def()

    traits = traits_def(Pure())
    custom_directives = (CombiningKind, Dimensions)
    assembly_format = (
        "custom<CombiningKind>($kind) `,` $source custom<Dimensions>($reduction_dims) attr-dict "
        "`:` type($source) `->` type($result)"
    )

    def __init__(self, kind: CombiningKindFlag, source: SSAValue | Operation, reduction_dims: Sequence[int]):
        type_ = vector_type(SSAValue.get(source))
        shape = [1 if dim in reduction_dims else size for dim, size in enumerate(type_.get_shape())]
        super().__init__(
            operands=[source],
            result_types=[VectorType(type_.element_type, shape)],
            properties={
                "kind": CombiningKindAttr(kind),
                "reduction_dims": DenseArrayBase.from_list(i64, reduction_dims),
            },
        )

    def verify_(self) -> None:
        rules.without(self, "reduction_size")
        source = rules.matrix("source", self.source.type)
        result = rules.matrix("result", self.result.type)
        xegpu_rules.same_element_type(source=source, result=result)
        rules.combining_kind(self.kind.data, source.element_type)
        dims = integers(self.reduction_dims)
        rules.dimensions("reduction_dims", dims, 2)
        for dim, (size, reduced) in enumerate(zip(source.get_shape(), result.get_shape(), strict=True)):
            if dim in dims and reduced != 1:
                raise VerifyException(
                    f"reduction dimension of result must have size 1, got {reduced} in dimension {dim}"
                )
            if dim not in dims and reduced != size:
                raise VerifyException(f"expected dimension {dim} of the result to keep its size {size}, got {reduced}")

    def equal_value(self) -> SSAValue | None:
        return self.source if self.source.type == self.result.type else None

    @property
    def reduced_dims(self) -> tuple[int, ...]:
        return integers(self.reduction_dims)


@irdl_op_definition
class BroadcastOp(MappableOperation, BroadcastInterface):
    """`%r = xetile.broadcast %x [0] : vector<1x64xf32> -> vector<32x64xf32>` repeats along dimensions of size 1."""

    name = "xetile.broadcast"
    source = operand_def()
    broadcast_dim = prop_def(DenseArrayBase.constr(i64))
    result = result_def()

    traits = traits_def(Pure())
    custom_directives = (Dimensions,)
    assembly_format = "$source custom<Dimensions>($broadcast_dim) attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue | Operation, broadcast_dim: Sequence[int], result_type: VectorType):
        super().__init__(
            operands=[source],
            result_types=[result_type],
            properties={"broadcast_dim": DenseArrayBase.from_list(i64, broadcast_dim)},
        )

    def verify_(self) -> None:
        rules.without(self, "broadcast_size")
        source = rules.matrix("source", self.source.type)
        result = rules.matrix("result", self.result.type)
        xegpu_rules.same_element_type(source=source, result=result)
        dims = integers(self.broadcast_dim)
        rules.dimensions("broadcast_dim", dims, 2)
        for dim, (size, repeated) in enumerate(zip(source.get_shape(), result.get_shape(), strict=True)):
            if dim in dims and size != 1:
                raise VerifyException(f"broadcast dimension of source must have size 1, got {size} in dimension {dim}")
            if dim not in dims and repeated != size:
                raise VerifyException(f"expected dimension {dim} of the result to keep its size {size}, got {repeated}")

    def equal_value(self) -> SSAValue | None:
        return self.source if self.source.type == self.result.type else None

    @property
    def repeated(self) -> SSAValue:
        return self.source


@irdl_op_definition
class ConvertLayoutOp(TileOperation, HasFolderInterface, HasCanonicalizationPatternsInterface):
    """Redistributes a work-group's value over its subgroups.

    `%y = xetile.convert_layout %x {wg_map_result = #xetile.wg_map<sg_layout = [32, 1], sg_data = [8, 256]>} :
    vector<256x256xf32>`

    Every subgroup has to get there: data moves between them.
    """

    name = "xetile.convert_layout"
    T: ClassVar = VarConstraint("T", AnyAttr())

    source = operand_def(T)
    wg_map_result = prop_def(WgMapAttr)
    wg_map_source = opt_prop_def(WgMapAttr)
    result = result_def(T)

    traits = traits_def(NoMemoryEffect())
    assembly_format = "$source attr-dict `:` type($source)"

    def __init__(self, source: SSAValue | Operation, wg_map_result: WgMapAttr, wg_map_source: WgMapAttr | None = None):
        super().__init__(
            operands=[source],
            result_types=[SSAValue.get(source).type],
            properties={"wg_map_result": wg_map_result, "wg_map_source": wg_map_source},
        )

    def verify_(self) -> None:
        shape = rules.matrix("source", self.source.type).get_shape()
        rules.spread_evenly("wg_map_source", self.wg_map_source, shape)
        rules.divided("wg_map_result", self.wg_map_result, shape)

    # Simplification

    def fold(self) -> tuple[SSAValue] | None:
        """A value that stays where it is is the same value."""
        return (self.source,) if self.wg_map_source == self.wg_map_result else None

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (ConversionOfConversion(),)


class ConversionOfConversion(RewritePattern):
    """Data that moves twice can move at once."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ConvertLayoutOp, rewriter: PatternRewriter) -> None:
        first = op.source.owner
        if isinstance(first, ConvertLayoutOp) and op.wg_map_source in (None, first.wg_map_result):
            replace(op, ConvertLayoutOp(first.source, op.wg_map_result, first.wg_map_source), rewriter)
