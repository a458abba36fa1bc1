"""Values and casts that xDSL lacks.

https://mlir.llvm.org/docs/Dialects/LLVM/
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import AnyFloat, ArrayAttr, IntegerAttr, IntegerType, UnitAttr, VectorType, i1, i64
from xdsl.dialects.llvm import FastMathAttr, FCmpPredicateFlag, LLVMPointerType
from xdsl.ir import Attribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.irdl.declarative_assembly_format import TypeDirective, irdl_custom_directive
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoMemoryEffect, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.type import get_element_type_or_self

from xegpu.dialects.upstream.directives import ImpliedType, SameType


@irdl_custom_directive
class VectorElement(ImpliedType):
    """The type of a vector, of whose elements another value is one."""

    written: TypeDirective
    implied: TypeDirective

    @staticmethod
    def follow(written: Attribute) -> Attribute:
        if not isinstance(written, VectorType):
            raise VerifyException(f"expected a vector, got {written}")
        element: Attribute = written.get_element_type()
        return element


@irdl_op_definition
class PoisonOp(IRDLOperation):
    """`%0 = llvm.mlir.poison : !llvm.struct<(!llvm.ptr<1>, i64)>`: a value that nothing may depend on."""

    name = "llvm.mlir.poison"
    res = result_def()

    traits = traits_def(NoMemoryEffect())
    assembly_format = "attr-dict `:` type($res)"


@irdl_op_definition
class ZeroOp(IRDLOperation):
    """`%0 = llvm.mlir.zero : vector<4xi32>`: zero of any type, the null pointer among them."""

    name = "llvm.mlir.zero"
    res = result_def()

    traits = traits_def(NoMemoryEffect())
    assembly_format = "attr-dict `:` type($res)"


@irdl_op_definition
class ExtractElementOp(IRDLOperation):
    """`%x = llvm.extractelement %v[%i : i32] : vector<4xf32>`: the element of a vector at a position."""

    name = "llvm.extractelement"
    vector = operand_def(VectorType)
    position = operand_def(IntegerType)
    res = result_def()

    traits = traits_def(Pure())
    custom_directives = (VectorElement,)
    assembly_format = (
        "$vector `[` $position `:` type($position) `]` attr-dict `:` custom<VectorElement>(type($vector), type($res))"
    )

    def verify_(self) -> None:
        if self.res.type != get_element_type_or_self(self.vector.type):
            raise VerifyException(f"takes an element of {self.vector.type} as {self.res.type}")


@irdl_op_definition
class ModuleFlagsOp(IRDLOperation):
    """`llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>]`: facts about a module."""

    name = "llvm.module_flags"
    flags = prop_def(ArrayAttr)

    assembly_format = "$flags attr-dict"


@irdl_op_definition
class FreezeOp(IRDLOperation):
    """`%y = llvm.freeze %x : i32`: the value, or any other one in place of poison."""

    name = "llvm.freeze"
    val = operand_def()
    res = result_def()

    traits = traits_def(Pure())
    custom_directives = (SameType,)
    assembly_format = "$val attr-dict `:` custom<SameType>(type($val), type($res))"


@irdl_op_definition
class UIToFPOp(IRDLOperation):
    """`%f = llvm.uitofp nneg %i : i32 to f32`: the float nearest to an unsigned integer."""

    name = "llvm.uitofp"
    arg = operand_def()
    res = result_def()
    non_negative = opt_prop_def(UnitAttr, prop_name="nonNeg")

    traits = traits_def(Pure())
    assembly_format = "(`nneg` $nonNeg^)? $arg attr-dict `:` type($arg) `to` type($res)"


class _CastOp(IRDLOperation):
    """A cast that only the types describe."""

    arg = operand_def()
    res = result_def()

    traits = traits_def(Pure())
    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"


@irdl_op_definition
class FPToSIOp(_CastOp):
    """`%i = llvm.fptosi %f : f32 to i32`: a float rounded to zero, as a signed integer."""

    name = "llvm.fptosi"


@irdl_op_definition
class FPToUIOp(_CastOp):
    """`%i = llvm.fptoui %f : f32 to i32`: a float rounded to zero, as an unsigned integer."""

    name = "llvm.fptoui"


@irdl_op_definition
class PtrToAddrOp(_CastOp):
    """`%i = llvm.ptrtoaddr %p : !llvm.ptr<1> to i64`: the address that a pointer holds."""

    name = "llvm.ptrtoaddr"
    arg = operand_def(LLVMPointerType)


@irdl_op_definition
class FCmpOp(IRDLOperation):
    """`%c = llvm.fcmp "olt" %a, %b {fastmathFlags = #llvm.fastmath<nnan>} : vector<4xf32>`: where floats compare so."""

    name = "llvm.fcmp"
    T: ClassVar = VarConstraint("T", AnyAttr())

    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def()
    predicate = prop_def(IntegerAttr)
    fastmath_flags = prop_def(FastMathAttr, default_value=FastMathAttr(None), prop_name="fastmathFlags")

    traits = traits_def(Pure())

    def verify_(self) -> None:
        if not isinstance(get_element_type_or_self(self.lhs.type), AnyFloat):
            raise VerifyException(f"compares values of type {self.lhs.type}: expected floats, or vectors of them")
        if self.res.type != (expected := _answers(self.lhs.type)):
            raise VerifyException(f"has a result of type {self.res.type}: expected {expected}")

    @classmethod
    def parse(cls, parser: Parser) -> FCmpOp:
        word, place = parser.parse_str_literal(), parser.pos
        if word not in _PREDICATES:
            parser.raise_error(f"expected one of {', '.join(_PREDICATES)}, got '{word}'", place)
        compared = [parser.parse_unresolved_operand()]
        parser.parse_punctuation(",")
        compared.append(parser.parse_unresolved_operand())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        properties: dict[str, Attribute] = {"predicate": IntegerAttr(_PREDICATES.index(word), i64)}
        properties["fastmathFlags"] = attributes.pop("fastmathFlags", FastMathAttr(None))
        return cls.create(
            operands=parser.resolve_operands(compared, [type, type], place),
            result_types=[_answers(type)],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(f' "{_PREDICATES[self.predicate.value.data]}" ')
        printer.print_list(self.operands, printer.print_ssa_value)
        flags = {} if self.fastmath_flags == FastMathAttr(None) else {"fastmathFlags": self.fastmath_flags}
        printer.print_op_attributes(flags | self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.lhs.type)


_PREDICATES = [str(flag) for flag in FCmpPredicateFlag]
"""The relations of floats, in the order of their numbers."""


def _answers(type: Attribute) -> Attribute:
    """Returns the type of what comparing values of a type gives."""
    return VectorType(i1, type.get_shape()) if isinstance(type, VectorType) else i1


@irdl_op_definition
class SelectOp(IRDLOperation):
    """`%r = llvm.select %c, %a, %b : vector<4xi1>, vector<4xi32>`, also with one condition for all elements."""

    name = "llvm.select"
    T: ClassVar = VarConstraint("T", AnyAttr())

    cond = operand_def()
    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def(T)
    fastmath_flags = prop_def(FastMathAttr, default_value=FastMathAttr(None), prop_name="fastmathFlags")

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$cond `,` $lhs `,` $rhs attr-dict `:` type($cond) `,` type($res)"

    def verify_(self) -> None:
        if get_element_type_or_self(self.cond.type) != IntegerType(1):
            raise VerifyException(f"selects by {self.cond.type}: expected i1 or a vector of i1")
