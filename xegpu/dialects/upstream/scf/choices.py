"""Ops that run one of their regions, or their only one.

They derive from xDSL's, whose passes know those.

Their custom assembly is that of MLIR 22, of which xDSL reads less.

https://mlir.llvm.org/docs/Dialects/SCFDialect/
"""

from __future__ import annotations

from xdsl.dialects import scf as base
from xdsl.dialects.builtin import DenseArrayBase, IndexType, i1, i64
from xdsl.ir import Region
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.scf.assembly import parse_body, parse_optional_results, print_body, print_results


class IfOp(base.IfOp):
    """Runs one of two regions, and returns the values that it yields; without results, the `else` region is optional.

    ```mlir
    %r = scf.if %c -> (f32) {
      scf.yield %x : f32
    } else {
      scf.yield %y : f32
    }
    ```
    """

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        condition = parser.parse_operand(i1)
        results = parse_optional_results(parser)
        then = parse_body(parser)
        otherwise = parse_body(parser) if parser.parse_optional_keyword("else") is not None else Region()
        return cls(condition, results, then, otherwise, parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.cond)
        print_results(printer, self.result_types)
        print_body(printer, self.true_region, yields=bool(self.output))
        if self.false_region.blocks:
            printer.print_string(" else")
            print_body(printer, self.false_region, yields=bool(self.output))
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        super().verify_()
        if self.output and not self.false_region.blocks:
            raise VerifyException("must have an else block if defining values")
        for name, region in (("then", self.true_region), ("else", self.false_region)):
            last = region.blocks.last.last_op if region.blocks.last is not None else None
            if isinstance(last, base.YieldOp) and last.operand_types != self.result_types:
                yielded = ", ".join(str(t) for t in last.operand_types) or "nothing"
                expected = ", ".join(str(t) for t in self.result_types) or "nothing"
                raise VerifyException(f"{name} region yields {yielded}, expected {expected}")


class ExecuteRegionOp(base.ExecuteRegionOp):
    """Runs its region, which may have several blocks, once.

    ```mlir
    %r = scf.execute_region -> (f32) {
      scf.yield %x : f32
    }
    ```
    """

    @classmethod
    def parse(cls, parser: Parser) -> ExecuteRegionOp:
        results = parse_optional_results(parser)
        if parser.parse_optional_keyword("no_inline") is not None:
            parser.raise_error("'scf.execute_region' op does not support no_inline")
        region = parser.parse_region()
        return cls.create(
            result_types=results,
            attributes=parser.parse_optional_attr_dict(),
            regions=[region],
        )

    def print(self, printer: Printer) -> None:
        print_results(printer, self.result_types)
        printer.print_string(" ")
        printer.print_region(self.region, print_entry_block_args=False)
        printer.print_op_attributes(self.attributes)


class IndexSwitchOp(base.IndexSwitchOp):
    """Runs the region of the case that equals `%i`, or the default one, and returns the values that it yields.

    ```mlir
    %r = scf.index_switch %i -> f32
    case 2 {
      scf.yield %x : f32
    }
    default {
      scf.yield %y : f32
    }
    ```
    """

    @classmethod
    def parse(cls, parser: Parser) -> IndexSwitchOp:
        argument = parser.parse_operand(IndexType())
        attributes = parser.parse_optional_attr_dict()
        results = []
        if parser.parse_optional_punctuation("->") is not None:
            results = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        cases: list[int] = []
        regions: list[Region] = []
        while parser.parse_optional_keyword("case") is not None:
            cases.append(parser.parse_integer())
            regions.append(parse_body(parser))
        parser.parse_keyword("default")
        default = parse_body(parser)
        return cls(argument, DenseArrayBase.from_list(i64, cases), default, regions, results, attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.arg)
        printer.print_op_attributes(self.attributes)
        if self.result_types:
            printer.print_string(" -> ")
            printer.print_list(self.result_types, printer.print_attribute)
        for value, region in zip(self.cases.iter_values(), self.case_regions, strict=True):
            printer.print_string(f"\ncase {value}")
            print_body(printer, region, yields=True)
        printer.print_string("\ndefault")
        print_body(printer, self.default_region, yields=True)
