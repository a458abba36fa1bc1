"""Ops that make vectors of single elements, take vectors apart, and reduce them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, IndexType, VectorType, i1, i64
from xdsl.dialects.vector import CombiningKindAttr
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.vector.shapes import vector_type

MAX_ELEMENTS = 1 << 16
"""Results that one op may reasonably have; the bound keeps a small text from making a huge op."""


@irdl_op_definition
class SplatOp(IRDLOperation):
    """`vector.splat %x : vector<16xf32>`."""

    name = "vector.splat"
    T: ClassVar = VarConstraint("T", AnyAttr())

    input = operand_def(T)
    aggregate = result_def(VectorType.constr(T))

    traits = traits_def(Pure())
    assembly_format = "$input attr-dict `:` type($aggregate)"

    def __init__(self, value: SSAValue | Operation, result_type: VectorType):
        super().__init__(operands=[value], result_types=[result_type])


@irdl_op_definition
class FromElementsOp(IRDLOperation):
    """`vector.from_elements %a, %b, %c, %d : vector<2x2xf32>`, row-major."""

    name = "vector.from_elements"
    T: ClassVar = VarConstraint("T", AnyAttr())

    elements = var_operand_def(T)
    dest = result_def(VectorType.constr(T))

    traits = traits_def(Pure())
    assembly_format = "$elements attr-dict `:` type($dest)"

    def __init__(self, elements: Sequence[SSAValue | Operation], result_type: VectorType):
        super().__init__(operands=[elements], result_types=[result_type])

    def verify_(self) -> None:
        if len(self.elements) != (expected := self.dest.type.element_count()):
            raise VerifyException(f"expected {expected} elements for {self.dest.type}, got {len(self.elements)}")


@irdl_op_definition
class ToElementsOp(IRDLOperation):
    """`%e:4 = vector.to_elements %v : vector<2x2xf32>`, row-major."""

    name = "vector.to_elements"
    source = operand_def(VectorType)
    elements = var_result_def()

    traits = traits_def(Pure())

    def __init__(self, source: SSAValue | Operation):
        vector = vector_type(SSAValue.get(source))
        super().__init__(operands=[source], result_types=[[vector.element_type] * vector.element_count()])

    @classmethod
    def parse(cls, parser: Parser) -> ToElementsOp:
        source = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        vector = parser.parse_type()
        if not isa(vector, VectorType) or vector.element_count() > MAX_ELEMENTS:
            parser.raise_error(f"expected a vector of at most {MAX_ELEMENTS} elements", position, parser.pos)
        op = cls(parser.resolve_operand(source, vector))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)

    def verify_(self) -> None:
        vector = vector_type(self.source)
        if self.result_types != (vector.element_type,) * vector.element_count():
            raise VerifyException(
                f"expected {vector.element_count()} results of type {vector.element_type} for {vector}, got "
                f"{len(self.results)}"
            )


@irdl_op_definition
class StepOp(IRDLOperation):
    """`vector.step : vector<16xindex>`: 0, 1, 2, ..."""

    name = "vector.step"
    result = result_def(VectorType.constr(IndexType()))

    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, size: int):
        super().__init__(result_types=[VectorType(IndexType(), [size])])

    def verify_(self) -> None:
        if self.result.type.get_num_dims() != 1:
            raise VerifyException(f"expected a vector of rank 1, got {self.result.type}")


@irdl_op_definition
class ConstantMaskOp(IRDLOperation):
    """`vector.constant_mask [4] : vector<16xi1>`: true where every index is below its bound."""

    name = "vector.constant_mask"
    mask_dim_sizes = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VectorType.constr(i1))

    traits = traits_def(Pure())
    assembly_format = "$mask_dim_sizes attr-dict `:` type($result)"

    def __init__(self, sizes: Sequence[int], result_type: VectorType):
        super().__init__(
            result_types=[result_type],
            properties={"mask_dim_sizes": DenseArrayBase.from_list(i64, sizes)},
        )

    def verify_(self) -> None:
        sizes, shape = self.mask_dim_sizes.get_values(), self.result.type.get_shape()
        if len(sizes) != len(shape):
            raise VerifyException(f"expected {len(shape)} mask sizes for {self.result.type}, got {len(sizes)}")
        for size, extent in zip(sizes, shape, strict=True):
            if not 0 <= size <= extent:
                raise VerifyException(f"expected a mask size from 0 to {extent}, got {size}")
        if 0 in sizes and any(sizes):
            raise VerifyException(f"expected all mask sizes to be 0, or none, got {list(sizes)}")


@irdl_op_definition
class MultiDimReductionOp(IRDLOperation):
    """`vector.multi_reduction <add>, %v, %acc [0] : vector<8x16xf32> to vector<16xf32>` reduces along dimensions."""

    name = "vector.multi_reduction"
    T: ClassVar = VarConstraint("T", AnyAttr())

    kind = prop_def(CombiningKindAttr)
    source = operand_def(VectorType)
    acc = operand_def(T)
    reduction_dims = prop_def(DenseArrayBase.constr(i64))
    dest = result_def(T)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind `,` $source `,` $acc attr-dict $reduction_dims `:` type($source) `to` type($dest)"

    def __init__(
        self,
        kind: CombiningKindAttr,
        source: SSAValue | Operation,
        acc: SSAValue | Operation,
        reduction_dims: Sequence[int],
    ):
        super().__init__(
            operands=[source, acc],
            result_types=[SSAValue.get(acc).type],
            properties={"kind": kind, "reduction_dims": DenseArrayBase.from_list(i64, reduction_dims)},
        )

    def verify_(self) -> None:
        source, dims = vector_type(self.source), self.reduction_dims.get_values()
        if len(set(dims)) != len(dims) or any(not 0 <= dim < source.get_num_dims() for dim in dims):
            raise VerifyException(f"expected different dimensions of {source} to reduce, got {list(dims)}")
        left = [size for dim, size in enumerate(source.get_shape()) if dim not in dims]
        expected = VectorType(source.element_type, left) if left else source.element_type
        if self.dest.type != expected:
            raise VerifyException(
                f"destination type {self.dest.type} is incompatible with source type, expected {expected}"
            )
