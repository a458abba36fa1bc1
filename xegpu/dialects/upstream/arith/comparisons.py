"""Comparisons and selection, for scalars, vectors and tensors.

They are parsed and printed by hand: kernels are full of them, and xDSL's declarative formats take a third longer.

xDSL's `cmpi` and `cmpf` give a single i1 for vectors, and its `select` takes no vector of conditions.

https://mlir.llvm.org/docs/Dialects/ArithOps/
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.dialects.arith import CMPF_COMPARISON_OPERATIONS, CMPI_COMPARISON_OPERATIONS, FastMathFlagsAttr
from xdsl.dialects.builtin import (
    I64,
    BoolAttr,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
    VectorType,
    i1,
    i64,
)
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.construction import initialize
from xegpu.dialects.upstream.shapes import is_float, is_integer_or_index, is_like, with_element

NO_FASTMATH = FastMathFlagsAttr("none")
REFLEXIVE_PREDICATES = frozenset({"eq", "sle", "sge", "ule", "uge"})


class _CompareOp(IRDLOperation, ABC):
    """`arith.cmpi slt, %a, %b : vector<16xi32>` gives i1 in the operands' shape."""

    PREDICATES: ClassVar[tuple[str, ...]]
    OPERAND: ClassVar[staticmethod[[Attribute], bool]]

    predicate = prop_def(IntegerAttr[I64])
    lhs = operand_def()
    rhs = operand_def()
    result = result_def()

    traits = traits_def(Pure())

    @property
    def predicate_name(self) -> str:
        """The predicate as text writes it."""
        return self.PREDICATES[self.predicate.value.data]

    @classmethod
    def predicate_attribute(cls, predicate: str) -> IntegerAttr[I64]:
        return IntegerAttr(cls.PREDICATES.index(predicate), i64)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        word = parser.parse_identifier_or_str_literal()
        if word not in cls.PREDICATES:
            parser.raise_error(
                f"unknown predicate '{word}', expected one of {', '.join(cls.PREDICATES)}", position, parser.pos
            )
        parser.parse_punctuation(",")
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        rhs = parser.parse_unresolved_operand()
        properties: dict[str, Attribute] = {"predicate": cls.predicate_attribute(word), **cls._parse_flags(parser)}
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        operand_type = parser.parse_type()
        return cls.create(
            operands=[parser.resolve_operand(lhs, operand_type), parser.resolve_operand(rhs, operand_type)],
            result_types=[with_element(operand_type, i1)],
            properties=properties,
            attributes=attributes,
        )

    @classmethod
    def _parse_flags(cls, parser: Parser) -> dict[str, Attribute]:
        """The properties that stand behind the operands."""
        return {}

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.predicate_name}, ")
        printer.print_list(self.operands, printer.print_ssa_value)
        self._print_flags(printer)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.lhs.type)

    def _print_flags(self, printer: Printer) -> None:
        """Prints the properties that stand behind the operands."""

    def verify_(self) -> None:
        if not 0 <= self.predicate.value.data < len(self.PREDICATES):
            raise VerifyException(
                f"expected a predicate from 0 to {len(self.PREDICATES) - 1}, got {self.predicate.value.data}"
            )
        if self.lhs.type != self.rhs.type or not is_like(self.lhs.type, self.OPERAND):
            raise VerifyException(f"cannot compare {self.lhs.type} with {self.rhs.type}")
        expected = with_element(self.lhs.type, i1)
        if self.result.type != expected:
            raise VerifyException(f"expected a result of type {expected}, got {self.result.type}")


@irdl_op_definition
class CmpiOp(_CompareOp, HasFolderInterface):
    """Compares integers, element by element: an i1 for each.

    `%r = arith.cmpi slt, %a, %b : vector<16xi32>`
    """

    name = "arith.cmpi"
    PREDICATES: ClassVar = tuple(CMPI_COMPARISON_OPERATIONS)
    OPERAND: ClassVar = staticmethod(is_integer_or_index)

    def __init__(self, lhs: SSAValue | Operation, rhs: SSAValue | Operation, predicate: str):
        result_type = with_element(SSAValue.get(lhs).type, i1)
        initialize(self, [lhs, rhs], [result_type], {"predicate": self.predicate_attribute(predicate)})

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        if self.lhs != self.rhs:
            return None
        value = self.predicate_name in REFLEXIVE_PREDICATES
        shape = self.result.type
        if isa(shape, VectorType[IntegerType]) or isa(shape, TensorType[IntegerType]):
            return (DenseIntOrFPElementsAttr.from_list(shape, [value]),) if shape.has_static_shape() else None
        return (BoolAttr.from_bool(value),)


@irdl_op_definition
class CmpfOp(_CompareOp):
    """Compares floats, element by element: an i1 for each.

    `%r = arith.cmpf olt, %a, %b fastmath<nnan> : vector<16xf32>`
    """

    name = "arith.cmpf"
    PREDICATES: ClassVar = tuple(CMPF_COMPARISON_OPERATIONS)
    OPERAND: ClassVar = staticmethod(is_float)
    fastmath = prop_def(FastMathFlagsAttr, default_value=NO_FASTMATH)

    def __init__(
        self,
        lhs: SSAValue | Operation,
        rhs: SSAValue | Operation,
        predicate: str,
        fastmath: FastMathFlagsAttr = NO_FASTMATH,
    ):
        result_type = with_element(SSAValue.get(lhs).type, i1)
        properties = {"predicate": self.predicate_attribute(predicate), "fastmath": fastmath}
        initialize(self, [lhs, rhs], [result_type], properties)

    @classmethod
    def _parse_flags(cls, parser: Parser) -> dict[str, Attribute]:
        if parser.parse_optional_keyword("fastmath") is None:
            return {"fastmath": NO_FASTMATH}
        return {"fastmath": FastMathFlagsAttr(FastMathFlagsAttr.parse_parameter(parser))}

    def _print_flags(self, printer: Printer) -> None:
        if self.fastmath != NO_FASTMATH:
            printer.print_string(" fastmath")
            self.fastmath.print_parameter(printer)


@irdl_op_definition
class SelectOp(IRDLOperation, HasFolderInterface):
    """`%a` where the condition is true and `%b` elsewhere, element by element or as a whole.

    `%r = arith.select %mask, %a, %b : vector<16xi1>, vector<16xf32>`

    `%r = arith.select %c, %a, %b : f32`
    """

    name = "arith.select"
    T: ClassVar = VarConstraint("T", AnyAttr())

    cond = operand_def()
    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(T)

    traits = traits_def(Pure())

    def __init__(self, cond: SSAValue | Operation, lhs: SSAValue | Operation, rhs: SSAValue | Operation):
        initialize(self, [cond, lhs, rhs], [SSAValue.get(lhs).type])

    @classmethod
    def parse(cls, parser: Parser) -> SelectOp:
        cond = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        rhs = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        cond_type: Attribute = i1
        value_type = parser.parse_type()
        if parser.parse_optional_punctuation(",") is not None:
            cond_type, value_type = value_type, parser.parse_type()
        return cls.create(
            operands=[
                parser.resolve_operand(cond, cond_type),
                parser.resolve_operand(lhs, value_type),
                parser.resolve_operand(rhs, value_type),
            ],
            result_types=[value_type],
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        if self.cond.type != i1:
            printer.print_attribute(self.cond.type)
            printer.print_string(", ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        expected = with_element(self.result.type, i1)
        if self.cond.type not in (i1, expected):
            alternatives = "i1" if expected == i1 else f"i1 or {expected}"
            raise VerifyException(f"expected a condition of type {alternatives}, got {self.cond.type}")

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        if self.lhs == self.rhs:
            return (self.lhs,)
        condition = ConstantLike.get_constant_value(self.cond)
        if isa(condition, BoolAttr):
            return (self.lhs if condition.value.data else self.rhs,)
        return None
