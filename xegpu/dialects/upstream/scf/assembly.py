"""Pieces of custom assembly that several scf ops share.

https://mlir.llvm.org/docs/Dialects/SCFDialect/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.scf import YieldOp
from xdsl.ir import Attribute, Block, Region
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator


def parse_optional_results(parser: Parser) -> list[Attribute]:
    """`-> f32`, `-> (f32, index)`, or nothing."""
    return parse_results(parser) if parser.parse_optional_punctuation("->") is not None else []


def parse_results(parser: Parser) -> list[Attribute]:
    """`f32` or `(f32, index)`."""
    results = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return [parser.parse_type()] if results is None else list(results)


def print_results(printer: Printer, results: Sequence[Attribute]) -> None:
    """` -> (f32, index)`, or nothing where there are none."""
    if not results:
        return
    printer.print_string(" -> ")
    with printer.in_parens():
        printer.print_list(results, printer.print_attribute)


def parse_body(parser: Parser, arguments: Sequence[Parser.Argument] = ()) -> Region:
    """A region, whose last block gets the `scf.yield` of nothing that the text may leave out."""
    region = parser.parse_region(arguments)
    if region.blocks.last is None:
        region.add_block(Block())
    block = region.blocks.last
    assert block is not None
    if block.last_op is None or not block.last_op.has_trait(IsTerminator):
        block.add_op(YieldOp())
    return region


def print_body(printer: Printer, region: Region, *, yields: bool, prints_arguments: bool = False) -> None:
    """` { ... }`; the terminator is left out where it yields nothing."""
    printer.print_string(" ")
    last = region.blocks.last
    is_plain = last is None or last.last_op is None or not last.last_op.attributes
    printer.print_region(
        region,
        print_entry_block_args=prints_arguments,
        print_empty_block=False,
        print_block_terminators=yields or not is_plain,
    )
