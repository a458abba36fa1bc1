"""Ops of device code that stand alone: printing, and memory whose size the launch gives.

xDSL has none of them.

https://mlir.llvm.org/docs/Dialects/GPU/
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloatConstr, IndexType, IntegerType, MemRefType, StringAttr, i8
from xdsl.ir import SSAValue
from xdsl.irdl import AnyOf, IRDLOperation, base, irdl_op_definition, prop_def, result_def, traits_def, var_operand_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.gpu.attributes import AddressSpace, AddressSpaceAttr

_OLDER_OPERANDS = re.compile(r"\s*(?:%[\w$.#-]+\s*,\s*)*%[\w$.#-]+\s*:\s*[^\s\d]")
"""Operands with types, rather than the results of the next operation, `%r, %p =` or `%r:2 =`."""


def _rest(parser: Parser) -> str:
    """Returns the text that has not been parsed, up to 1000 characters."""
    return parser.lexer.input.content[parser.pos : parser.pos + 1000]


@irdl_op_definition
class PrintfOp(IRDLOperation):
    r"""Writes text; the format is that of C's `printf`.

    `gpu.printf "thread %d\0A", %i : i32`
    """

    name = "gpu.printf"
    args = var_operand_def(AnyOf((base(IntegerType), base(IndexType), AnyFloatConstr)))
    format = prop_def(StringAttr)

    traits = traits_def(MemoryWriteEffect())

    @classmethod
    def parse(cls, parser: Parser) -> PrintfOp:
        """Parses the operation; older texts have no comma behind the format."""
        format = parser.parse_str_literal()
        attributes = parser.parse_optional_attr_dict()
        names: list[UnresolvedOperand] = []
        if parser.parse_optional_punctuation(",") is not None or _OLDER_OPERANDS.match(_rest(parser)):
            names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        args: Sequence[SSAValue] = ()
        if names:
            parser.parse_punctuation(":")
            position = parser.pos
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
            args = parser.resolve_operands(names, types, position)
        return cls.create(operands=args, properties={"format": StringAttr(format)}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.format.data)
        printer.print_op_attributes(self.attributes)
        if self.args:
            printer.print_string(", ")
            printer.print_list(self.args, printer.print_ssa_value)
            printer.print_string(" : ")
            printer.print_list(self.args.types, printer.print_attribute)


@irdl_op_definition
class DynamicSharedMemoryOp(IRDLOperation):
    """The memory of the work-group, as large as the launch says.

    `%r = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>`
    """

    name = "gpu.dynamic_shared_memory"
    memref = result_def(MemRefType)

    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($memref)"

    def verify_(self) -> None:
        memref = self.memref.type
        if memref.memory_space != AddressSpaceAttr(AddressSpace.WORKGROUP):
            raise VerifyException(
                f"address space must be {AddressSpaceAttr(AddressSpace.WORKGROUP)}, got {memref.memory_space}"
            )
        if memref.get_shape() != (DYNAMIC_INDEX,) or memref.element_type != i8:
            raise VerifyException(f"result must be a memref of i8 with one dynamic dimension, got {memref}")
