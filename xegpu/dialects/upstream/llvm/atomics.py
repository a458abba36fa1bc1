"""Atomic operations behind pointers, and fences.

xDSL lacks them all.

https://mlir.llvm.org/docs/Dialects/LLVM/
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr, i1, i64
from xdsl.dialects.llvm import ATOMIC_ORDERING_KEYWORDS, LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum


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


_KINDS = list(UpdateKind)
_ORDERINGS = {keyword: number for number, keyword in ATOMIC_ORDERING_KEYWORDS.items()}


def _ordering(keyword: str) -> IntegerAttr:
    return IntegerAttr(_ORDERINGS[keyword], i64)


def _parse_scope(parser: Parser) -> StringAttr | None:
    if parser.parse_optional_keyword("syncscope") is None:
        return None
    with parser.in_parens():
        return StringAttr(parser.parse_str_literal())


def _print_scope(printer: Printer, scope: StringAttr | None) -> None:
    if scope is not None:
        printer.print_string(" syncscope(")
        printer.print_string_literal(scope.data)
        printer.print_string(")")


def _parse_ordering(parser: Parser) -> IntegerAttr:
    return _ordering(parser.expect(lambda: parser.parse_optional_keyword_in(_ORDERINGS), "expected an ordering"))


def _print_ordering(printer: Printer, ordering: IntegerAttr) -> None:
    printer.print_string(f" {ATOMIC_ORDERING_KEYWORDS.get(ordering.value.data, 'not_atomic')}")


def _parse_attributes(parser: Parser, properties: dict[str, Attribute]) -> Mapping[str, Attribute]:
    attributes = parser.parse_optional_attr_dict()
    if (alignment := attributes.pop("alignment", None)) is not None:
        properties["alignment"] = alignment
    return attributes


def _print_attributes(printer: Printer, op: AtomicRMWOp | AtomicCmpXchgOp) -> None:
    alignment = {} if op.alignment is None else {"alignment": op.alignment}
    printer.print_op_attributes({**op.attributes, **alignment})


def _properties(**given: Attribute | None) -> dict[str, Attribute]:
    return {name: value for name, value in given.items() if value is not None}


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

    @classmethod
    def parse(cls, parser: Parser) -> AtomicRMWOp:
        volatile = UnitAttr() if parser.parse_optional_keyword("volatile") is not None else None
        kind = parser.parse_str_enum(UpdateKind)
        pointer = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        value = parser.parse_unresolved_operand()
        scope = _parse_scope(parser)
        properties = _properties(
            bin_op=IntegerAttr(_KINDS.index(kind), i64),
            ordering=_parse_ordering(parser),
            syncscope=scope,
            volatile_=volatile,
        )
        attributes = _parse_attributes(parser, properties)
        parser.parse_punctuation(":")
        pointer_type = parser.parse_type()
        parser.parse_punctuation(",")
        type = parser.parse_type()
        return cls.create(
            operands=[parser.resolve_operand(pointer, pointer_type), parser.resolve_operand(value, type)],
            result_types=[type],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" volatile " if self.volatile_ is not None else " ")
        printer.print_string(f"{self.kind} ")
        printer.print_list(self.operands, printer.print_ssa_value)
        _print_scope(printer, self.syncscope)
        _print_ordering(printer, self.ordering)
        _print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_list([self.ptr.type, self.val.type], printer.print_attribute)

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

    def __init__(self, pointer: SSAValue, expected: SSAValue, value: SSAValue, success: str, failure: str):
        super().__init__(
            operands=[pointer, expected, value],
            result_types=[LLVMStructType.from_type_list([value.type, i1])],
            properties={"success_ordering": _ordering(success), "failure_ordering": _ordering(failure)},
        )

    @classmethod
    def parse(cls, parser: Parser) -> AtomicCmpXchgOp:
        weak = UnitAttr() if parser.parse_optional_keyword("weak") is not None else None
        volatile = UnitAttr() if parser.parse_optional_keyword("volatile") is not None else None
        pointer = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        expected = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        value = parser.parse_unresolved_operand()
        scope = _parse_scope(parser)
        properties = _properties(
            success_ordering=_parse_ordering(parser),
            failure_ordering=_parse_ordering(parser),
            syncscope=scope,
            weak=weak,
            volatile_=volatile,
        )
        attributes = _parse_attributes(parser, properties)
        parser.parse_punctuation(":")
        pointer_type = parser.parse_type()
        parser.parse_punctuation(",")
        type = parser.parse_type()
        return cls.create(
            operands=parser.resolve_operands([pointer, expected, value], [pointer_type, type, type], parser.pos),
            result_types=[LLVMStructType.from_type_list([type, i1])],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        words = [word for word, flag in (("weak ", self.weak), ("volatile ", self.volatile_)) if flag is not None]
        printer.print_string(" " + "".join(words))
        printer.print_list(self.operands, printer.print_ssa_value)
        _print_scope(printer, self.syncscope)
        _print_ordering(printer, self.success_ordering)
        _print_ordering(printer, self.failure_ordering)
        _print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_list([self.ptr.type, self.val.type], printer.print_attribute)

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

    def __init__(self, ordering: str, scope: str | None = None):
        super().__init__(
            properties={"ordering": _ordering(ordering), "syncscope": None if scope is None else StringAttr(scope)}
        )

    @classmethod
    def parse(cls, parser: Parser) -> FenceOp:
        scope = _parse_scope(parser)
        properties = _properties(ordering=_parse_ordering(parser), syncscope=scope)
        return cls.create(properties=properties, attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        _print_scope(printer, self.syncscope)
        _print_ordering(printer, self.ordering)
        printer.print_op_attributes(self.attributes)
