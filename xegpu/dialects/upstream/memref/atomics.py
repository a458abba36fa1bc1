"""Atomic updates of one element."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import I64, AnyFloat, IndexType, IntegerAttr, IntegerType, MemRefType, i64
from xdsl.ir import Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsTerminator,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.memref.types import ranked_memref, verify_subscripts

ATOMIC_KINDS = (
    "addf",
    "addi",
    "andi",
    "assign",
    "maximumf",
    "maxnumf",
    "maxs",
    "maxu",
    "minimumf",
    "minnumf",
    "mins",
    "minu",
    "mulf",
    "muli",
    "ori",
    "xori",
)
"""Kinds of read-modify-write in the order of their numbers, which are those of LLVM 22; LLVM 19 counts differently."""


@irdl_op_definition
class AtomicRMWOp(IRDLOperation):
    """Combines an element of a buffer with a value, in one step; the result is what was there.

    `%r = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<8xf32>) -> f32`
    """

    name = "memref.atomic_rmw"
    value = operand_def()
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    kind = prop_def(IntegerAttr[I64])
    result = result_def()

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(
        self,
        kind: str,
        value: SSAValue | Operation,
        memref: SSAValue | Operation,
        indices: Sequence[SSAValue | Operation],
    ):
        super().__init__(
            operands=[value, memref, indices],
            result_types=[SSAValue.get(value).type],
            properties={"kind": IntegerAttr(ATOMIC_KINDS.index(kind), i64)},
        )

    @property
    def kind_name(self) -> str:
        """The kind as text writes it."""
        return ATOMIC_KINDS[self.kind.value.data]

    @classmethod
    def parse(cls, parser: Parser) -> AtomicRMWOp:
        kind = parser.parse_keyword_in(ATOMIC_KINDS)
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        memref = parser.parse_unresolved_operand()
        indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType()))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        with parser.in_parens():
            value_type = parser.parse_type()
            parser.parse_punctuation(",")
            memref_type = parser.parse_type()
        parser.parse_punctuation("->")
        return cls.create(
            operands=[
                parser.resolve_operand(value, value_type),
                parser.resolve_operand(memref, memref_type),
                *indices,
            ],
            result_types=[parser.parse_type()],
            properties={"kind": IntegerAttr(ATOMIC_KINDS.index(kind), i64)},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.kind_name} ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        printer.print_ssa_value(self.memref)
        with printer.in_square_brackets():
            printer.print_list(self.indices, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_function_type((self.value.type, self.memref.type), (self.result.type,))

    def verify_(self) -> None:
        memref = ranked_memref(self.memref)
        if not 0 <= self.kind.value.data < len(ATOMIC_KINDS):
            raise VerifyException(f"expected a kind from 0 to {len(ATOMIC_KINDS) - 1}, got {self.kind.value.data}")
        verify_subscripts(memref, self.indices)
        if not self.value.type == self.result.type == memref.element_type:
            raise VerifyException(
                f"expects value and result of type {memref.element_type}, got {self.value.type} and {self.result.type}"
            )
        is_float = isa(memref.element_type, AnyFloat)
        if self.kind_name != "assign" and is_float != self.kind_name.endswith("f"):
            wanted = "an integer" if is_float else "a floating-point type"
            raise VerifyException(f"with kind '{self.kind_name}' expects {wanted}, got {memref.element_type}")


@irdl_op_definition
class AtomicYieldOp(IRDLOperation):
    """`memref.atomic_yield %new : f32` ends the body of a `memref.generic_atomic_rmw`."""

    name = "memref.atomic_yield"
    result = operand_def()

    traits = lazy_traits_def(lambda: (Pure(), IsTerminator(), HasParent(GenericAtomicRMWOp)))
    assembly_format = "$result attr-dict `:` type($result)"


@irdl_op_definition
class GenericAtomicRMWOp(IRDLOperation):
    """Makes of an element of a buffer what the body says, in one step; the result is what is there then.

    ```mlir
    %r = memref.generic_atomic_rmw %m[%i] : memref<8xf32> {
    ^bb0(%old: f32):
      %new = arith.mulf %old, %x : f32
      memref.atomic_yield %new : f32
    }
    ```
    """

    name = "memref.generic_atomic_rmw"
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    result = result_def()
    body = region_def("single_block")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, memref: SSAValue | Operation, indices: Sequence[SSAValue | Operation], body: Region):
        super().__init__(
            operands=[memref, indices],
            result_types=[ranked_memref(SSAValue.get(memref)).element_type],
            regions=[body],
        )

    @classmethod
    def parse(cls, parser: Parser) -> GenericAtomicRMWOp:
        memref = parser.parse_unresolved_operand()
        indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType()))
        parser.parse_punctuation(":")
        position = parser.pos
        memref_type = parser.parse_type()
        if not isa(memref_type, MemRefType):
            parser.raise_error(f"expected a memref type, got {memref_type}", position, parser.pos)
        body = parser.parse_region()
        op = cls(parser.resolve_operand(memref, memref_type), indices, body)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.memref)
        with printer.in_square_brackets():
            printer.print_list(self.indices, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)
        printer.print_string(" ")
        printer.print_region(self.body)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        memref = ranked_memref(self.memref)
        verify_subscripts(memref, self.indices)
        element = memref.element_type
        if not isa(element, AnyFloat) and not isinstance(element, IntegerType):
            raise VerifyException(f"expects a memref of integers or floating-point numbers, got {memref}")
        block = self.body.block
        if self.result.type != element or tuple(block.arg_types) != (element,):
            raise VerifyException(
                f"expects a result and one argument of type {element}, got {self.result.type} and "
                f"{', '.join(map(str, block.arg_types)) or 'no argument'}"
            )
        last = block.last_op
        if not isinstance(last, AtomicYieldOp) or last.result.type != element:
            raise VerifyException(f"expects a memref.atomic_yield of {element} at the end of its body")
        for op in block.walk():
            if op is not last and not op.has_trait(Pure):
                raise VerifyException(f"expects operations without side effects in its body, got '{op.name}'")
