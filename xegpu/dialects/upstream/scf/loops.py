"""Loops: one after another, and all at once.

They derive from xDSL's, whose passes know those.

Their custom assembly is that of MLIR 22: xDSL has none for `scf.parallel`.

https://mlir.llvm.org/docs/Dialects/SCFDialect/
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects import scf as base
from xdsl.dialects.builtin import IndexType, UnitAttr
from xdsl.dialects.utils import parse_assignment, print_assignment
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import BaseAttr, OpDef, traits_def
from xdsl.parser import Parser
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect, SingleBlockImplicitTerminator
from xdsl.transforms.canonicalization_patterns.scf import RehoistConstInLoops, SimplifyTrivialLoops

from xegpu.dialects.upstream.scf.assembly import (
    parse_body,
    parse_optional_results,
    parse_results,
    print_body,
    print_results,
)
from xegpu.mlir import with_properties

_INDEX = IndexType()
_UNSIGNED = "unsignedCmp"
_FOR = with_properties(base.ForOp, **{_UNSIGNED: BaseAttr(UnitAttr)})


class _SimplifySignedLoops(SimplifyTrivialLoops):
    """Simplifies loops of no or one iteration; xDSL's pattern takes all numbers as signed."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, ForOp) or not op.is_unsigned:
            super().match_and_rewrite(op, rewriter)


class _ForOpCanonicalization(base.ForOpHasCanonicalizationPatternsTrait):
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (_SimplifySignedLoops(), RehoistConstInLoops())


class ForOp(base.ForOp):
    """Runs its body for each number from one bound up to the other, which does not count; carries values along.

    The numbers are signed, unless `unsigned` stands in front of the induction variable.

    ```mlir
    %r = scf.for %i = %from to %to step %step iter_args(%a = %start) -> (f32) : i32 {
      %b = arith.addf %a, %x : f32
      scf.yield %b : f32
    }
    ```
    """

    traits = traits_def(SingleBlockImplicitTerminator(base.YieldOp), _ForOpCanonicalization(), RecursiveMemoryEffect())

    @classmethod
    def get_irdl_definition(cls) -> OpDef:
        return _FOR

    @property
    def is_unsigned(self) -> bool:
        """True if the bounds and the induction variable are unsigned."""
        return _UNSIGNED in self.properties

    @is_unsigned.setter
    def is_unsigned(self, value: bool) -> None:
        self.properties.pop(_UNSIGNED, None)
        if value:
            self.properties[_UNSIGNED] = UnitAttr()

    def verify_(self) -> None:
        _FOR.verify(self)
        # xDSL's rules do not know the property.
        is_unsigned, self.is_unsigned = self.is_unsigned, False
        try:
            super().verify_()  # type: ignore[no-untyped-call]
        finally:
            self.is_unsigned = is_unsigned

    @classmethod
    def parse(cls, parser: Parser) -> ForOp:
        is_unsigned = parser.parse_optional_keyword("unsigned") is not None
        induction = parser.parse_argument(expect_type=False)
        bounds = []
        for separator in ("=", "to", "step"):
            parser.parse_characters(separator)
            bounds.append(parser.parse_unresolved_operand())
        carried, types = [], list[Attribute]()
        position = parser.pos
        if parser.parse_optional_keyword("iter_args") is not None:
            carried = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parse_assignment(parser))
            parser.parse_punctuation("->")
            types = parse_results(parser)
            if len(types) != len(carried):
                parser.raise_error(
                    f"mismatch in number of loop-carried values and defined values: {len(carried)} and {len(types)}",
                    position,
                )
        type_ = parser.parse_type() if parser.parse_optional_punctuation(":") is not None else _INDEX
        lower, upper, step = (parser.resolve_operand(bound, type_) for bound in bounds)
        starts = [parser.resolve_operand(start, t) for (_, start), t in zip(carried, types, strict=True)]
        arguments = [name.resolve(t) for (name, _), t in zip(carried, types, strict=True)]
        body = [induction.resolve(type_), *arguments]
        op = cls(lower, upper, step, starts, parser.parse_region(body) if carried else parse_body(parser, body))
        op.attributes |= parser.parse_optional_attr_dict()
        op.is_unsigned = is_unsigned
        return op

    def print(self, printer: Printer) -> None:
        induction, *carried = self.body.block.args
        printer.print_string(" unsigned " if self.is_unsigned else " ")
        printer.print_ssa_value(induction)
        for separator, bound in (("=", self.lb), ("to", self.ub), ("step", self.step)):
            printer.print_string(f" {separator} ")
            printer.print_ssa_value(bound)
        if carried:
            printer.print_string(" iter_args")
            with printer.in_parens():
                pairs = zip(carried, self.iter_args, strict=True)
                printer.print_list(pairs, lambda pair: print_assignment(printer, *pair))
            print_results(printer, [argument.type for argument in carried])
        if induction.type != _INDEX:
            printer.print_string(" : ")
            printer.print_attribute(induction.type)
        print_body(printer, self.body, yields=bool(carried))
        printer.print_op_attributes(self.attributes)


class ParallelOp(base.ParallelOp):
    """Runs its body for all numbers of a box, in any order; `scf.reduce` combines what the iterations compute.

    ```mlir
    %r = scf.parallel (%i) = (%from) to (%to) step (%step) init (%start) -> (f32) {
      scf.reduce(%x : f32) {
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        scf.reduce.return %c : f32
      }
    }
    ```
    """

    _KEYWORDS: ClassVar = ("=", "to", "step")

    @classmethod
    def parse(cls, parser: Parser) -> ParallelOp:
        parens = parser.Delimiter.PAREN
        position = parser.pos
        ids = parser.parse_comma_separated_list(parens, lambda: parser.parse_argument(expect_type=False))
        bounds = []
        for keyword in cls._KEYWORDS:
            parser.parse_characters(keyword)
            operands = parser.parse_comma_separated_list(parens, parser.parse_unresolved_operand)
            if len(operands) != len(ids):
                parser.raise_error(f"expected {len(ids)} operands after '{keyword}', got {len(operands)}", position)
            bounds.append([parser.resolve_operand(operand, _INDEX) for operand in operands])
        starts = []
        if parser.parse_optional_keyword("init") is not None:
            starts = parser.parse_comma_separated_list(parens, parser.parse_unresolved_operand)
        results = parse_optional_results(parser)
        if len(results) != len(starts):
            parser.raise_error(f"expected {len(starts)} result types for {len(starts)} init values, got {len(results)}")
        region = parser.parse_region([name.resolve(_INDEX) for name in ids])
        if region.blocks.last is None:
            region.add_block(Block(arg_types=[_INDEX] * len(ids)))
        _close(region)
        initial = [parser.resolve_operand(start, t) for start, t in zip(starts, results, strict=True)]
        lower, upper, step = bounds
        op = cls(lower, upper, step, region, initial)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(self.body.block.args, printer.print_ssa_value)
        for keyword, values in zip(self._KEYWORDS, (self.lowerBound, self.upperBound, self.step), strict=True):
            printer.print_string(f" {keyword} ")
            with printer.in_parens():
                printer.print_list(values, printer.print_ssa_value)
        if self.initVals:
            printer.print_string(" init ")
            with printer.in_parens():
                printer.print_list(self.initVals, printer.print_ssa_value)
            print_results(printer, self.result_types)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)
        printer.print_op_attributes(self.attributes)


def _close(region: Region) -> None:
    """Ends the body with the `scf.reduce` of nothing that the text may leave out."""
    block = region.blocks.last
    assert block is not None
    if not isinstance(block.last_op, base.ReduceOp):
        block.add_op(ReduceOp())


class ReduceOp(base.ReduceOp):
    """Ends the body of a `scf.parallel`, with a region for each value that the loop reduces.

    ```mlir
    scf.reduce(%x, %y : f32, i32) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      scf.reduce.return %c : f32
    }, {
    ^bb0(%i: i32, %j: i32):
      %k = arith.maxsi %i, %j : i32
      scf.reduce.return %k : i32
    }
    ```
    """

    @classmethod
    def parse(cls, parser: Parser) -> ReduceOp:
        values: list[SSAValue] = []
        regions: list[Region] = []
        if parser.parse_optional_punctuation("(") is not None:
            position = parser.pos
            names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
            parser.parse_punctuation(":")
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
            parser.parse_punctuation(")")
            values = list(parser.resolve_operands(names, types, position))
            regions = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_region)
        op = cls(values, regions)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        if self.args:
            with printer.in_parens():
                printer.print_list(self.args, printer.print_ssa_value)
                printer.print_string(" : ")
                printer.print_list(self.args.types, printer.print_attribute)
            printer.print_string(" ")
            printer.print_list(self.reductions, printer.print_region)
        printer.print_op_attributes(self.attributes)
