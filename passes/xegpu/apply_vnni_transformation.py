"""`xegpu-apply-vnni-transformation`: matrix operands that are packed from where they are loaded on."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import I64, ArrayAttr, DenseIntOrFPElementsAttr, IntegerAttr, ModuleOp, VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa

from passes.support.block_loads.plain import is_plain
from passes.support.constant_vectors import splat_constant
from passes.support.op_builder import OpBuilder
from xegpu.dialects.upstream.vector import ExtractStridedSliceOp, TransposeOp, vector_type
from xegpu.dialects.xegpu import DpasOp, LoadNdOp, packing_factor

_ELEMENTWISE = ("arith.", "math.")
_DEPTH = 32
"""How many operations may stand between a load and a product."""
_WORD = 32
"""Bits of the words that hold packed elements, and that messages can transpose."""


@dataclass(frozen=True)
class XegpuApplyVnniTransformationPass(ModulePass):
    """Packs the B operands of `dpas` by the loads that bring them, where nothing stands in between that cannot take
    packed values: slices, elementwise operations and transposes of what is loaded can.

    Other operands stay as they are, and are packed when they are multiplied.
    """

    name = "xegpu-apply-vnni-transformation"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        packing = _Packing()
        for product in [o for o in op.walk() if isinstance(o, DpasOp)]:
            if product.sg_maps is None and product.layouts is None and packing.can_pack(product.rhs):
                product.operands[1] = packing.packed(product.rhs)
        packing.clean_up()


class _Packing:
    """Packed forms of values, made once each."""

    def __init__(self) -> None:
        self._possible: dict[SSAValue, bool] = {}
        self._packed: dict[SSAValue, SSAValue] = {}

    def can_pack(self, value: SSAValue, depth: int = _DEPTH) -> bool:
        """Whether the value comes from constants, and loads that can pack it, alone."""
        if value not in self._possible:
            self._possible[value] = depth > 0 and self._find(value, depth - 1)
        return self._possible[value]

    def _find(self, value: SSAValue, depth: int) -> bool:
        op, type = value.owner, value.type
        if not isa(type, VectorType) or type.get_num_dims() != 2 or not isinstance(op, Operation):
            return False
        factor = packing_factor(type.element_type)
        if factor == 1 or type.get_shape()[0] % factor:
            return False
        match op:
            case LoadNdOp():
                return is_plain(op)
            case TransposeOp():
                load = op.vector.owner
                return isinstance(load, LoadNdOp) and is_plain(load)
            case ExtractStridedSliceOp():
                is_dense = set(_entries(op.strides, 1)) == {1}
                return is_dense and _first_row(op) % factor == 0 and self.can_pack(op.vector, depth)
            case ConstantOp():
                return isinstance(op.value, DenseIntOrFPElementsAttr) and op.value.is_splat()
            case _:
                return (
                    op.name.startswith(_ELEMENTWISE)
                    and len(op.results) == 1
                    and all(_is_like(operand, value) and self.can_pack(operand, depth) for operand in op.operands)
                )

    def packed(self, value: SSAValue) -> SSAValue:
        """The packed form of a value that has one."""
        if value not in self._packed:
            op = value.owner
            assert isinstance(op, Operation)
            place = op.vector.owner if isinstance(op, TransposeOp) else op  # where memory is read
            assert isinstance(place, Operation)
            made = OpBuilder(place).add(self._pack(op, vector_type(value)))
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
                return LoadNdOp(load.tensor_desc, result, transpose=(1, 0), transpose_bit_width=_WORD, hints=load.hints)
            case ExtractStridedSliceOp():
                _, column = _entries(op.offsets, 2)
                offsets = [_first_row(op) // factor, column, 0]
                return ExtractStridedSliceOp(self.packed(op.vector), offsets, result.get_shape())
            case ConstantOp(value=DenseIntOrFPElementsAttr() as value):
                return splat_constant(result, value.get_values()[0])
            case _:
                return type(op).create(
                    operands=[self.packed(operand) for operand in op.operands],
                    result_types=[result],
                    properties=op.properties,
                    attributes=op.attributes,
                )

    def clean_up(self) -> None:
        """Erases what nothing needs any more."""
        for value in reversed(self._packed):
            op = value.owner
            assert isinstance(op, Operation) and op.parent is not None
            sources = [operand.owner for operand in op.operands] if isinstance(op, TransposeOp) else []
            for unused in (op, *sources):
                if isinstance(unused, Operation) and not unused.results[0].uses and unused.parent is not None:
                    unused.parent.erase_op(unused)


def _is_like(operand: SSAValue, value: SSAValue) -> bool:
    """Whether packing puts elements of both to the same places."""
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
    """Offsets of all dimensions; those that are not named are taken whole."""
    named = [entry.value.data for entry in array]
    return named + [0] * (rank - len(named))
