"""Values and casts that xDSL lacks.

https://mlir.llvm.org/docs/Dialects/LLVM/
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects import llvm as base
from xdsl.dialects.builtin import ArrayAttr, IntegerType, UnitAttr, VectorType
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


class FCmpOp(base.FCmpOp):
    """`%c = llvm.fcmp "olt" %a, %b {fastmathFlags = #llvm.fastmath<nnan>} : f32`: whether two floats compare so."""

    @classmethod
    def parse(cls, parser: Parser) -> FCmpOp:
        op = base.FCmpOp.parse(parser)
        if (flags := op.attributes.pop("fastmathFlags", None)) is not None:
            op.properties["fastmathFlags"] = flags
        operands, types = list(op.operands), list(op.result_types)
        return cls.create(operands=operands, result_types=types, properties=op.properties, attributes=op.attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(f' "{FCmpPredicateFlag.from_int(self.predicate.value.data)}" ')
        printer.print_list(self.operands, printer.print_ssa_value)
        flags = {} if self.fastmathFlags == FastMathAttr(None) else {"fastmathFlags": self.fastmathFlags}
        printer.print_op_attributes(flags | self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.lhs.type)


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
