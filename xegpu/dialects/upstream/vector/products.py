"""Ops that multiply vectors as matrices and tensors.

xDSL has none of them.

https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IntegerType,
    StringAttr,
    VectorType,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa
from xdsl.utils.str_enum import StrEnum

from xegpu.dialects.upstream.enums import InAngleBrackets
from xegpu.dialects.upstream.math import NO_FASTMATH
from xegpu.dialects.upstream.vector.reductions import verify_kind
from xegpu.dialects.upstream.vector.types import vector_type

ADD = CombiningKindAttr(CombiningKindFlag.ADD)


class IteratorType(StrEnum):
    PARALLEL = "parallel"
    REDUCTION = "reduction"


@irdl_attr_definition
class IteratorTypeAttr(InAngleBrackets[IteratorType], EnumAttribute[IteratorType]):
    """`#vector.iterator_type<parallel>`: whether a dimension of a contraction stays or is combined."""

    name = "vector.iterator_type"


def _dims_of(affine_map: AffineMap, number: int) -> list[int]:
    """The dimensions that a map selects; raises VerifyException when it does anything else."""
    dims = [expr.position for expr in affine_map.results if isinstance(expr, AffineDimExpr)]
    if affine_map.num_symbols or len(dims) != len(affine_map.results) or len(set(dims)) != len(dims):
        raise VerifyException(f"expected indexing map {number} to be a projected permutation, got {affine_map}")
    return dims


@irdl_op_definition
class ContractionOp(IRDLOperation):
    """Products of elements of two vectors, combined along the reduction dimensions and with the accumulator.

    ```mlir
    %r = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
        affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %a, %b, %c : vector<8x16xf16>, vector<16x16xf16> into vector<8x16xf32>
    ```
    """

    name = "vector.contract"
    T: ClassVar = VarConstraint("T", AnyAttr())

    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    acc = operand_def(T)
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    iterator_types = prop_def(ArrayAttr[IteratorTypeAttr])
    kind = prop_def(CombiningKindAttr, default_value=ADD)
    fastmath = prop_def(FastMathFlagsAttr, default_value=NO_FASTMATH)
    result = result_def(T)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> ContractionOp:
        position = parser.pos
        leading = parser.parse_attribute()
        if not isinstance(leading, DictionaryAttr):
            parser.raise_error("expected a dictionary of attributes", position, parser.pos)
        attributes = dict(leading.data)
        iterators = attributes.get("iterator_types")
        if isa(iterators, ArrayAttr[StringAttr]):
            for word in iterators:
                if word.data not in tuple(IteratorType):
                    parser.raise_error(f"unexpected iterator_type ({word.data})", position, parser.pos)
            attributes["iterator_types"] = ArrayAttr(IteratorTypeAttr(IteratorType(word.data)) for word in iterators)
        attributes = {"kind": ADD, "fastmath": NO_FASTMATH, **attributes}
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        rhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        acc = parser.parse_unresolved_operand()
        attributes |= parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        lhs_operand = parser.resolve_operand(lhs, parser.parse_type())
        parser.parse_punctuation(",")
        rhs_operand = parser.resolve_operand(rhs, parser.parse_type())
        parser.parse_keyword("into")
        result_type = parser.parse_type()
        names = cls.get_irdl_definition().properties
        return cls.create(
            operands=[lhs_operand, rhs_operand, parser.resolve_operand(acc, result_type)],
            result_types=[result_type],
            properties={name: attributes.pop(name) for name in names if name in attributes},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        words = ArrayAttr(StringAttr(iterator.data) for iterator in self.iterator_types)
        leading: Mapping[str, Attribute] = {
            "indexing_maps": self.indexing_maps,
            "iterator_types": words,
            "kind": self.kind,
        }
        if self.fastmath != NO_FASTMATH:
            leading = {"fastmath": self.fastmath, **leading}
        printer.print_string(" ")
        printer.print_attribute(DictionaryAttr(leading))
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list([self.lhs.type, self.rhs.type], printer.print_attribute)
        printer.print_string(" into ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        if len(self.indexing_maps) != 3:
            raise VerifyException(f"expected an indexing map for each vector operand, got {len(self.indexing_maps)}")
        iterators = [iterator.data for iterator in self.iterator_types]
        sizes: dict[int, int] = {}
        used: list[list[int]] = []
        for number, (value, attribute) in enumerate(zip(self.operands, self.indexing_maps, strict=True)):
            affine_map = attribute.data
            if affine_map.num_dims != len(iterators):
                raise VerifyException(
                    f"expected indexing map {number} to have {len(iterators)} inputs, got {affine_map.num_dims}"
                )
            dims = _dims_of(affine_map, number)
            used.append(dims)
            shape = value.type.get_shape() if isa(value.type, VectorType) else ()
            if len(dims) != len(shape):
                raise VerifyException(
                    f"expected indexing map {number} to have {len(shape)} number of outputs, got {len(dims)}"
                )
            for dim, size in zip(dims, shape, strict=True):
                if sizes.setdefault(dim, size) != size:
                    raise VerifyException(
                        f"dimension {dim} has size {sizes[dim]} in one operand and {size} in {value.type}"
                    )
        self._verify_iterators(iterators, used)
        self._verify_elements()

    @staticmethod
    def _verify_iterators(iterators: Sequence[IteratorType], used: Sequence[Sequence[int]]) -> None:
        for dim, iterator in enumerate(iterators):
            in_lhs, in_rhs, in_acc = (dim in dims for dims in used)
            if iterator is IteratorType.REDUCTION and (in_acc or not (in_lhs and in_rhs)):
                raise VerifyException(f"expected reduction dimension {dim} in both factors and not in the accumulator")
            if iterator is IteratorType.PARALLEL and not (in_acc and (in_lhs or in_rhs)):
                raise VerifyException(f"expected parallel dimension {dim} in the accumulator and in a factor")

    def _verify_elements(self) -> None:
        elements = [value.type.element_type if isa(value.type, VectorType) else value.type for value in self.operands]
        if isinstance(elements[0], IntegerType | IndexType) and elements[0] != elements[1]:
            raise VerifyException(f"expected factors of one type of integers, got {elements[0]} and {elements[1]}")
        verify_kind(self.kind, elements[2])


@irdl_op_definition
class OuterProductOp(IRDLOperation):
    """The products of all elements of `%a` with all of `%b`, combined with an accumulator where there is one.

    `%r = vector.outerproduct %a, %b, %acc {kind = #vector.kind<add>} : vector<8xf32>, vector<16xf32>`

    The result has type vector<8x16xf32>, or that of `%a` when `%b` is a scalar.
    """

    name = "vector.outerproduct"
    T: ClassVar = VarConstraint("T", base(VectorType))

    lhs = operand_def(VectorType)
    rhs = operand_def()
    acc = opt_operand_def(T)
    kind = prop_def(CombiningKindAttr, default_value=ADD)
    result = result_def(T)

    traits = traits_def(Pure())

    @staticmethod
    def _result_type(lhs: VectorType, rhs: Attribute) -> VectorType:
        if not isa(rhs, VectorType):
            return lhs
        scalable = ArrayAttr((*lhs.scalable_dims, *rhs.scalable_dims))
        return VectorType(lhs.element_type, [*lhs.get_shape(), *rhs.get_shape()], scalable)

    @classmethod
    def parse(cls, parser: Parser) -> OuterProductOp:
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        rhs = parser.parse_unresolved_operand()
        acc = parser.parse_unresolved_operand() if parser.parse_optional_punctuation(",") is not None else None
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        lhs_type = parser.parse_type()
        if not isa(lhs_type, VectorType):
            parser.raise_error(f"expected vector type for operand #1, got {lhs_type}", position, parser.pos)
        parser.parse_punctuation(",")
        rhs_type = parser.parse_type()
        result_type = cls._result_type(lhs_type, rhs_type)
        operands = [parser.resolve_operand(lhs, lhs_type), parser.resolve_operand(rhs, rhs_type)]
        if acc is not None:
            operands.append(parser.resolve_operand(acc, result_type))
        return cls.create(
            operands=operands,
            result_types=[result_type],
            properties={"kind": attributes.pop("kind", ADD)},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        kind = {} if self.acc is None and self.kind == ADD else {"kind": self.kind}
        printer.print_op_attributes({**kind, **self.attributes})
        printer.print_string(" : ")
        printer.print_list([self.lhs.type, self.rhs.type], printer.print_attribute)

    def verify_(self) -> None:
        lhs, rhs = vector_type(self.lhs), self.rhs.type
        if lhs.get_num_dims() != 1 or (isa(rhs, VectorType) and rhs.get_num_dims() != 1):
            raise VerifyException(f"expected 1-d vectors, or one and a scalar, got {lhs} and {rhs}")
        if (rhs.element_type if isa(rhs, VectorType) else rhs) != lhs.element_type:
            raise VerifyException(f"expected factors of one element type, got {lhs} and {rhs}")
        if self.result.type != (expected := self._result_type(lhs, rhs)):
            raise VerifyException(f"expected a result of type {expected}, got {self.result.type}")
        verify_kind(self.kind, lhs.element_type)
