"""Ops that turn one index per dimension into the index of an element in row-major order, and back.

https://mlir.llvm.org/docs/Dialects/Affine/
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, I64, DenseArrayBase, IndexType, IntegerAttr, UnitAttr, i64
from xdsl.dialects.utils import (
    get_dynamic_index_list,
    parse_dynamic_index_list_without_types,
    print_dynamic_index_list,
    verify_dynamic_index_list,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    BaseAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
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

_INDEX = IndexType()


class _WithBasis(IRDLOperation, ABC):
    """The base of operations with a basis: the size of each dimension, of which the first may be left out."""

    dynamic_basis = var_operand_def(IndexType())
    static_basis = prop_def(DenseArrayBase.constr(i64))

    traits = traits_def(Pure())

    def inner_sizes(self, dimensions: int) -> list[SSAValue | int]:
        """Returns the sizes of all dimensions but the first."""
        sizes = get_dynamic_index_list(list(self.static_basis.get_values()), self.dynamic_basis, DYNAMIC_INDEX)
        return sizes[1:] if len(sizes) == dimensions else sizes

    def _print_basis(self, printer: Printer) -> None:
        print_dynamic_index_list(
            printer,
            DYNAMIC_INDEX,
            self.dynamic_basis,
            self.static_basis.get_values(),
            delimiter=Parser.Delimiter.PAREN,
        )

    def _verify_basis(self) -> None:
        verify_dynamic_index_list(
            list(self.static_basis.get_values()), self.dynamic_basis, DYNAMIC_INDEX, " in the basis"
        )


def _parse_basis(parser: Parser) -> tuple[list[SSAValue], DenseArrayBase[I64]]:
    operands, numbers = parse_dynamic_index_list_without_types(
        parser, dynamic_index=DYNAMIC_INDEX, delimiter=parser.Delimiter.PAREN
    )
    return [parser.resolve_operand(operand, _INDEX) for operand in operands], DenseArrayBase.from_list(i64, numbers)


def _parse_types(parser: Parser) -> Sequence[Attribute]:
    parser.parse_punctuation(":")
    return parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)


@irdl_op_definition
class LinearizeIndexOp(_WithBasis):
    """`%n = affine.linearize_index disjoint [%i, %j] by (16, 32) : index` is `%i * 32 + %j`.

    `disjoint` promises that each index is at least 0 and below the size of its dimension.
    """

    name = "affine.linearize_index"
    multi_index = var_operand_def(IndexType())
    dynamic_basis = var_operand_def(IndexType())
    disjoint = opt_prop_def(BaseAttr(UnitAttr) | BaseAttr(IntegerAttr))  # the generic form states a boolean
    linear_index = result_def(IndexType())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @property
    def is_disjoint(self) -> bool:
        return isinstance(self.disjoint, UnitAttr) or (
            isinstance(self.disjoint, IntegerAttr) and bool(self.disjoint.value.data)
        )

    @classmethod
    def parse(cls, parser: Parser) -> LinearizeIndexOp:
        disjoint = parser.parse_optional_keyword("disjoint") is not None
        indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_operand(_INDEX))
        parser.parse_keyword("by")
        dynamic, static = _parse_basis(parser)
        attributes = parser.parse_optional_attr_dict()
        properties: dict[str, Attribute] = {"static_basis": static}
        if disjoint:
            properties["disjoint"] = UnitAttr()
        return cls.build(
            operands=[indices, dynamic],
            result_types=_parse_types(parser),
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" disjoint " if self.is_disjoint else " ")
        with printer.in_square_brackets():
            printer.print_list(self.multi_index, printer.print_ssa_value)
        printer.print_string(" by ")
        self._print_basis(printer)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.linear_index.type)

    def verify_(self) -> None:
        self._verify_basis()
        if len(self.multi_index) - len(self.static_basis) not in (0, 1):
            raise VerifyException(
                f"expected a size for each of the {len(self.multi_index)} indices, except possibly the first, "
                f"got {len(self.static_basis)}"
            )


@irdl_op_definition
class DelinearizeIndexOp(_WithBasis):
    """`%i, %j = affine.delinearize_index %n into (16, 32) : index, index` is `%n floordiv 32` and `%n mod 32`.

    A size of the first dimension promises that the first result is below it.
    """

    name = "affine.delinearize_index"
    linear_index = operand_def(IndexType())
    multi_index = var_result_def(IndexType())

    @classmethod
    def parse(cls, parser: Parser) -> DelinearizeIndexOp:
        index = parser.parse_operand(_INDEX)
        parser.parse_keyword("into")
        dynamic, static = _parse_basis(parser)
        attributes = parser.parse_optional_attr_dict()
        return cls.build(
            operands=[index, dynamic],
            result_types=[_parse_types(parser)],
            properties={"static_basis": static},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.linear_index)
        printer.print_string(" into ")
        self._print_basis(printer)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list(self.multi_index.types, printer.print_attribute)

    def verify_(self) -> None:
        self._verify_basis()
        if any(size <= 0 and size != DYNAMIC_INDEX for size in self.static_basis.get_values()):
            raise VerifyException("expected sizes of at least 1 in the basis")
        if len(self.multi_index) - len(self.static_basis) not in (0, 1):
            raise VerifyException(
                f"expected an index for each of the {len(self.static_basis)} sizes, and at most one more, "
                f"got {len(self.multi_index)}"
            )
