"""`scf.while`, which derives from xDSL's: xDSL reads it with operands only, and does not verify its terminators.

https://mlir.llvm.org/docs/Dialects/SCFDialect/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.dialects import scf as base
from xdsl.dialects.builtin import FunctionType
from xdsl.dialects.utils import parse_assignment, print_assignment
from xdsl.ir import Attribute, Region
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

_Terminator = TypeVar("_Terminator", base.ConditionOp, base.YieldOp)


class WhileOp(base.WhileOp):
    """Runs its first region, and its second one as long as the condition that ends the first one holds.

    The condition passes the values that the second region receives, and that are the results in the end.

    ```mlir
    %r = scf.while (%a = %start) : (i32) -> f32 {
      scf.condition(%c) %x : f32
    } do {
    ^bb0(%b: f32):
      scf.yield %i : i32
    }
    ```

    `scf.while : () -> () { scf.condition(%c) } do { scf.yield }`
    """

    @classmethod
    def parse(cls, parser: Parser) -> WhileOp:
        pairs = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, lambda: parse_assignment(parser))
        parser.parse_punctuation(":")
        position = parser.pos
        type_ = parser.parse_type()
        if not isinstance(type_, FunctionType):
            parser.raise_error("expected a function type", position, parser.pos)
        names, starts = ([], []) if not pairs else zip(*pairs, strict=True)
        inputs = type_.inputs.data
        if len(names) != len(inputs):
            parser.raise_error(f"expected {len(names)} operand types, got {len(inputs)}", position, parser.pos)
        operands = [parser.resolve_operand(start, t) for start, t in zip(starts, inputs, strict=True)]
        before = parser.parse_region([name.resolve(t) for name, t in zip(names, inputs, strict=True)])
        parser.parse_keyword("do")
        after = parser.parse_region()
        attributes = parser.parse_optional_attr_dict_with_keyword()
        op = cls(operands, type_.outputs.data, before, after)
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        if self.arguments:
            printer.print_string(" ")
            with printer.in_parens():
                pairs = zip(self.before_region.block.args, self.arguments, strict=True)
                printer.print_list(pairs, lambda pair: print_assignment(printer, *pair))
        printer.print_string(" : ")
        printer.print_operation_type(self)
        printer.print_string(" ")
        printer.print_region(self.before_region, print_entry_block_args=False)
        printer.print_string(" do ")
        printer.print_region(self.after_region)
        printer.print_op_attributes(self.attributes, print_keyword=True)

    def verify_(self) -> None:
        operands, results = self.operand_types, self.result_types
        before, after = _end(self.before_region, base.ConditionOp), _end(self.after_region, base.YieldOp)
        _agree("the first region takes", self.before_region.block.arg_types, "the operands are", operands)
        _agree("the condition passes", [value.type for value in before.args], "the results are", results)
        _agree("the second region takes", self.after_region.block.arg_types, "the results are", results)
        _agree("the second region yields", after.operand_types, "the operands are", operands)


def _end(region: Region, kind: type[_Terminator]) -> _Terminator:
    end = region.block.last_op
    if not isinstance(end, kind):
        raise VerifyException(f"expects its regions to end with 'scf.condition' and 'scf.yield', got no '{kind.name}'")
    return end


def _agree(what: str, got: Sequence[Attribute], of: str, expected: Sequence[Attribute]) -> None:
    if list(got) != list(expected):
        given, wanted = (", ".join(map(str, types)) or "nothing" for types in (got, expected))
        raise VerifyException(f"{what} {given}, but {of} {wanted}")
