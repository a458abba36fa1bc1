"""Operations of pointers that xDSL lacks: atomic ones, fences, and casts to other address spaces.

https://mlir.llvm.org/docs/Dialects/LLVM/
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects import llvm as base
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, StringAttr, UnitAttr, i1, i32, i64
from xdsl.dialects.llvm import ATOMIC_ORDERING_KEYWORDS, GEP_USE_SSA_VAL, LLVMPointerType, LLVMStructType
from xdsl.dialects.utils import parse_dynamic_index_list_without_types, print_dynamic_index_list
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from xegpu.dialects.upstream.directives import NumberedWord, SameType, numbered

_NO_WRAP = {"inbounds": 3, "inbounds_flag": 1, "nusw": 2, "nuw": 4}
"""The bits of flags that say what the computation of an address does not do."""


class GEPOp(base.GEPOp):
    """Computes the address of a part of an object.

    `%q = llvm.getelementptr inbounds|nuw %p[%i, 2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.array<4 x i32>`
    """

    @classmethod
    def parse(cls, parser: Parser) -> GEPOp:
        bits = 0
        while word := parser.parse_optional_keyword_in(_NO_WRAP):
            bits |= _NO_WRAP[word]
            parser.parse_optional_punctuation("|")
        pointer = parser.parse_unresolved_operand()
        dynamic, numbers = parse_dynamic_index_list_without_types(parser, GEP_USE_SSA_VAL)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        place = parser.pos
        types = parser.parse_function_type()
        parser.parse_punctuation(",")
        properties = {
            "elem_type": parser.parse_type(),
            "noWrapFlags": IntegerAttr(bits, i32),
            "rawConstantIndices": DenseArrayBase.from_list(i32, numbers),
        }
        operands = parser.resolve_operands([pointer, *dynamic], types.inputs.data, place)
        return cls.create(
            operands=operands, result_types=types.outputs.data, properties=properties, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        bits, words = no_wrap_flags(self), []
        for word, own in _NO_WRAP.items():
            if bits & own == own:
                words.append(word)
                bits &= ~own
        printer.print_string(f" {'|'.join(words)} " if words else " ")
        printer.print_ssa_value(self.ptr)
        print_dynamic_index_list(printer, GEP_USE_SSA_VAL, self.ssa_indices, self.rawConstantIndices.iter_values())
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_function_type([value.type for value in self.operands], [self.result.type])
        printer.print_string(", ")
        printer.print_attribute(self.elem_type)


def no_wrap_flags(op: base.GEPOp) -> int:
    """Returns the flags of an address: bit 0 for `inbounds`, which comes with 1, `nusw`; and 2, `nuw`."""
    return op.noWrapFlags.value.data | (0 if op.inbounds is None else _NO_WRAP["inbounds"])


class UpdateKind(StrEnum):
    """Names the operations of `llvm.atomicrmw`, in the order of upstream's numbers."""

    XCHG = "xchg"
    ADD = "add"
    SUB = "sub"
    AND = "_and"
    NAND = "nand"
    OR = "_or"
    XOR = "_xor"
    MAX = "max"
    MIN = "min"
    UMAX = "umax"
    UMIN = "umin"
    FADD = "fadd"
    FSUB = "fsub"
    FMAX = "fmax"
    FMIN = "fmin"
    UINC_WRAP = "uinc_wrap"
    UDEC_WRAP = "udec_wrap"
    USUB_COND = "usub_cond"
    USUB_SAT = "usub_sat"
    FMAXIMUM = "fmaximum"
    FMINIMUM = "fminimum"


_KINDS = list(UpdateKind)
_ORDERINGS = {keyword: number for number, keyword in ATOMIC_ORDERING_KEYWORDS.items()}


def _ordering(keyword: str) -> IntegerAttr:
    return IntegerAttr(_ORDERINGS[keyword], i64)


@irdl_custom_directive
class Ordering(NumberedWord):
    """`acq_rel`: the order of an access among those of other threads."""

    WORDS: ClassVar = _ORDERINGS
    number: AttributeVariable


@irdl_custom_directive
class Update(NumberedWord):
    """`add`: what becomes of the value in memory."""

    WORDS: ClassVar = numbered(*UpdateKind)
    number: AttributeVariable


@irdl_custom_directive
class Exchanged(CustomDirective):
    """The type of both values; the result holds one, and whether memory held the expected one."""

    value: TypeDirective
    expected: TypeDirective
    result: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        type = parser.parse_type()
        self.value.set(state, (type,))
        self.expected.set(state, (type,))
        self.result.set(state, (LLVMStructType.from_type_list([type, i1]),))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        self.value.print(printer, state, op)


@irdl_custom_directive
class Scope(CustomDirective):
    """`syncscope("device")`, or nothing."""

    scope: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if parser.parse_optional_keyword("syncscope") is not None:
            with parser.in_parens():
                self.scope.set(state, StringAttr(parser.parse_str_literal()))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        if (scope := self.scope.get(op)) is not None:
            state.print_whitespace(printer)
            printer.print_string("syncscope(")
            printer.print_attribute(scope)
            printer.print_string(")")


@irdl_op_definition
class AtomicRMWOp(IRDLOperation):
    """`%old = llvm.atomicrmw add %p, %x syncscope("device") monotonic : !llvm.ptr<1>, i32`: updates memory at once."""

    name = "llvm.atomicrmw"
    ptr = operand_def(LLVMPointerType)
    val = operand_def()
    res = result_def()
    bin_op = prop_def(IntegerAttr)
    ordering = prop_def(IntegerAttr)
    syncscope = opt_prop_def(StringAttr)
    alignment = opt_prop_def(IntegerAttr)
    volatile_ = opt_prop_def(UnitAttr)

    irdl_options = (ParsePropInAttrDict(),)
    custom_directives = (Ordering, SameType, Scope, Update)
    assembly_format = (
        "(`volatile` $volatile_^)? custom<Update>($bin_op) $ptr `,` $val"
        " custom<Scope>($syncscope) custom<Ordering>($ordering) attr-dict"
        " `:` type($ptr) `,` custom<SameType>(type($val), type($res))"
    )

    def __init__(self, kind: UpdateKind, pointer: SSAValue, value: SSAValue, ordering: str):
        super().__init__(
            operands=[pointer, value],
            result_types=[value.type],
            properties={"bin_op": IntegerAttr(_KINDS.index(kind), i64), "ordering": _ordering(ordering)},
        )

    @property
    def kind(self) -> UpdateKind:
        """The update."""
        return _KINDS[self.bin_op.value.data]

    def verify_(self) -> None:
        if not 0 <= self.bin_op.value.data < len(_KINDS):
            raise VerifyException(f"expected the number of an update from 0 to {len(_KINDS) - 1}, got {self.bin_op}")
        if self.res.type != self.val.type:
            raise VerifyException(f"expected a result of type {self.val.type}, got {self.res.type}")


@irdl_op_definition
class AtomicCmpXchgOp(IRDLOperation):
    """`%r = llvm.cmpxchg %p, %expected, %new acq_rel monotonic : !llvm.ptr<1>, i32`.

    Stores the new value where memory holds the expected one. The result is a structure of what memory held, and of
    whether it was the expected value.
    """

    name = "llvm.cmpxchg"
    ptr = operand_def(LLVMPointerType)
    cmp = operand_def()
    val = operand_def()
    res = result_def(LLVMStructType)
    success_ordering = prop_def(IntegerAttr)
    failure_ordering = prop_def(IntegerAttr)
    syncscope = opt_prop_def(StringAttr)
    alignment = opt_prop_def(IntegerAttr)
    weak = opt_prop_def(UnitAttr)
    volatile_ = opt_prop_def(UnitAttr)

    irdl_options = (ParsePropInAttrDict(),)
    custom_directives = (Exchanged, Ordering, Scope)
    assembly_format = (
        "(`weak` $weak^)? (`volatile` $volatile_^)? $ptr `,` $cmp `,` $val custom<Scope>($syncscope)"
        " custom<Ordering>($success_ordering) custom<Ordering>($failure_ordering) attr-dict"
        " `:` type($ptr) `,` custom<Exchanged>(type($val), type($cmp), type($res))"
    )

    def __init__(self, pointer: SSAValue, expected: SSAValue, value: SSAValue, success: str, failure: str):
        super().__init__(
            operands=[pointer, expected, value],
            result_types=[LLVMStructType.from_type_list([value.type, i1])],
            properties={"success_ordering": _ordering(success), "failure_ordering": _ordering(failure)},
        )

    def verify_(self) -> None:
        if self.cmp.type != self.val.type:
            raise VerifyException(f"expected two values of one type, got {self.cmp.type} and {self.val.type}")
        if self.res.type != LLVMStructType.from_type_list([self.val.type, i1]):
            raise VerifyException(f"expected a result of type !llvm.struct<({self.val.type}, i1)>, got {self.res.type}")


@irdl_op_definition
class FenceOp(IRDLOperation):
    """`llvm.fence syncscope("workgroup") seq_cst` makes earlier accesses visible before later ones."""

    name = "llvm.fence"
    ordering = prop_def(IntegerAttr)
    syncscope = opt_prop_def(StringAttr)

    custom_directives = (Ordering, Scope)
    assembly_format = "custom<Scope>($syncscope) custom<Ordering>($ordering) attr-dict"

    def __init__(self, ordering: str, scope: str | None = None):
        super().__init__(
            properties={"ordering": _ordering(ordering), "syncscope": None if scope is None else StringAttr(scope)}
        )


@irdl_op_definition
class AddrSpaceCastOp(IRDLOperation):
    """`%q = llvm.addrspacecast %p : !llvm.ptr<3> to !llvm.ptr<4>`: the same place as a pointer to another space."""

    name = "llvm.addrspacecast"
    arg = operand_def(LLVMPointerType)
    res = result_def(LLVMPointerType)

    traits = traits_def(Pure())
    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"
