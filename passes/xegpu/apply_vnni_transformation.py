"""`xegpu-apply-vnni-transformation`: packs the B operands of matrix products as early as where they are loaded."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import I64, ArrayAttr, DenseIntOrFPElementsAttr, IntegerAttr, ModuleOp, VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern, op_type_rewrite_pattern
from xdsl.utils.hints import isa

from passes.support.block_loads import is_whole_matrix_load
from passes.support.op_builder import OpBuilder
from passes.support.vectors.constants import splat_constant
from passes.support.vectors.elementwise import is_elementwise
from xegpu.dialects.upstream.vector import ExtractStridedSliceOp, TransposeOp, vector_type
from xegpu.dialects.xegpu import DpasOp, LoadNdOp, packing_factor

_MAX_DEPTH = 32
"""The maximum number of operations between a load and a product: longer chains are not followed."""
_WORD_BITS = 32
"""The size of the words that hold packed elements, which is also the unit that block-2D messages transpose."""


@dataclass(frozen=True)
class XegpuApplyVnniTransformationPass(ModulePass):
    """Lets loads pack the B operands of `dpas` if all operations between load and product can work on packed values.

    These are slices, elementwise operations and transposes of the loaded block. Other operands stay as they are:
    lowering packs them in front of the product.
    """

    name = "xegpu-apply-vnni-transformation"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        packing = _PackOperand()
        PatternRewriteWalker(packing, apply_recursively=False).rewrite_module(op)
        packing.clean_up()


class _PackOperand(RewritePattern):
    """Replaces the B operand of a product by its packed form, which is made once for all products that share it."""

    def __init__(self) -> None:
        self._possible: dict[SSAValue, bool] = {}
        self._packed: dict[SSAValue, SSAValue] = {}

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DpasOp, rewriter: PatternRewriter) -> None:
        if op.lane_maps is None and self._can_pack(op.rhs, _MAX_DEPTH):
            op.operands[1] = self._packed_form(op.rhs)
            rewriter.notify_op_modified(op)

    def _can_pack(self, value: SSAValue, depth: int) -> bool:
        """Returns whether the value is computed only from constants and from loads that can pack it."""
        if value not in self._possible:
            self._possible[value] = depth > 0 and self._is_packable(value, depth - 1)
        return self._possible[value]

    def _is_packable(self, value: SSAValue, depth: int) -> bool:
        op, type = value.owner, value.type
        if not isa(type, VectorType) or type.get_num_dims() != 2 or not isinstance(op, Operation):
            return False
        factor = packing_factor(type.element_type)
        if factor == 1 or type.get_shape()[0] % factor:
            return False
        match op:
            case LoadNdOp():
                return is_whole_matrix_load(op)
            case TransposeOp():
                load = op.vector.owner
                return isinstance(load, LoadNdOp) and is_whole_matrix_load(load)
            case ExtractStridedSliceOp():
                is_dense = set(_entries(op.strides, 1)) == {1}
                return is_dense and _first_row(op) % factor == 0 and self._can_pack(op.vector, depth)
            case ConstantOp():
                return isinstance(op.value, DenseIntOrFPElementsAttr) and op.value.is_splat()
            case _:
                return (
                    is_elementwise(op)
                    and len(op.results) == 1
                    and all(_packs_alike(operand, value) and self._can_pack(operand, depth) for operand in op.operands)
                )

    def _packed_form(self, value: SSAValue) -> SSAValue:
        """Returns the packed form of a value for which `_can_pack` holds."""
        if value not in self._packed:
            op = value.owner
            assert isinstance(op, Operation)
            # A load that transposes must read memory where the load that it replaces does.
            anchor = op.vector.owner if isinstance(op, TransposeOp) else op
            assert isinstance(anchor, Operation)
            made = OpBuilder(anchor).add(self._pack(op, vector_type(value)))
            made.name_hint = value.name_hint
            self._packed[value] = made
        return self._packed[value]

    def _pack(self, op: Operation, vector: VectorType) -> Operation:
        factor, (rows, columns) = packing_factor(vector.element_type), vector.get_shape()
        result = VectorType(vector.element_type, [rows // factor, columns, factor])
        match op:
            case LoadNdOp():
                return LoadNdOp(op.tensor_desc, result, packed=True, hints=op.hints)
            case TransposeOp():
                load = op.vector.owner
                assert isinstance(load, LoadNdOp)
                return LoadNdOp(
                    load.tensor_desc, result, transpose=(1, 0), transpose_bit_width=_WORD_BITS, hints=load.hints
                )
            case ExtractStridedSliceOp():
                _, column = _entries(op.offsets, 2)
                offsets = [_first_row(op) // factor, column, 0]
                return ExtractStridedSliceOp(self._packed_form(op.vector), offsets, result.get_shape())
            case ConstantOp(value=DenseIntOrFPElementsAttr() as value):
                return splat_constant(result, value.get_values()[0])
            case _:
                return type(op).create(
                    operands=[self._packed_form(operand) for operand in op.operands],
                    result_types=[result],
                    properties=op.properties,
                    attributes=op.attributes,
                )

    def clean_up(self) -> None:
        """Erases the unpacked values that have no users left."""
        for value in reversed(self._packed):
            op = value.owner
            assert isinstance(op, Operation) and op.parent is not None
            sources = [operand.owner for operand in op.operands] if isinstance(op, TransposeOp) else []
            for unused in (op, *sources):
                if isinstance(unused, Operation) and not unused.results[0].uses and unused.parent is not None:
                    unused.parent.erase_op(unused)


def _packs_alike(operand: SSAValue, value: SSAValue) -> bool:
    """Returns whether packing moves corresponding elements of both vectors to the same position."""
    a, b = operand.type, value.type
    return (
        isa(a, VectorType)
        and isa(b, VectorType)
        and a.get_shape() == b.get_shape()
        and packing_factor(a.element_type) == packing_factor(b.element_type)
    )


def _first_row(slice: ExtractStridedSliceOp) -> int:
    return _entries(slice.offsets, 2)[0]


def _entries(array: ArrayAttr[IntegerAttr[I64]], rank: int) -> list[int]:
    """Returns one entry per dimension; trailing dimensions without an entry are taken whole, from offset 0."""
    named = [entry.value.data for entry in array]
    return named + [0] * (rank - len(named))
