"""Ops of affine maps and sets that xDSL lacks, or whose custom assembly it lacks.

https://mlir.llvm.org/docs/Dialects/Affine/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine as base
from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr, IndexType
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.scf.assembly import parse_optional_results, print_results


def _parse_operands(parser: Parser) -> tuple[int, list[SSAValue]]:
    """Parses `(%i, %j)[%n]`: dimensions, whose number is returned too, and symbols."""
    kinds = (parser.Delimiter.PAREN, parser.Delimiter.SQUARE)
    dimensions, symbols = (
        parser.parse_optional_comma_separated_list(kind, lambda: parser.parse_operand(IndexType())) or []
        for kind in kinds
    )
    return len(dimensions), [*dimensions, *symbols]


def _print_operands(printer: Printer, operands: Sequence[SSAValue], dimensions: int) -> None:
    with printer.in_parens():
        printer.print_list(operands[:dimensions], printer.print_ssa_value)
    if len(operands) > dimensions:
        with printer.in_square_brackets():
            printer.print_list(operands[dimensions:], printer.print_ssa_value)


def _check_operands(operands: Sequence[SSAValue], dimensions: int, symbols: int) -> None:
    if len(operands) != dimensions + symbols:
        raise VerifyException(f"expected {dimensions} dimensions and {symbols} symbols, got {len(operands)} operands")


@irdl_op_definition
class MaxOp(IRDLOperation):
    """`%r = affine.max affine_map<(d0)[s0] -> ((d0 + 2), s0)>(%i)[%n]`: the largest result of a map."""

    name = "affine.max"
    arguments = var_operand_def(IndexType())
    result = result_def(IndexType())
    map = prop_def(AffineMapAttr)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> MaxOp:
        position = parser.pos
        attribute = parser.parse_attribute()
        if not isinstance(attribute, AffineMapAttr):
            parser.raise_error("expected an affine map", position, parser.pos)
        _, operands = _parse_operands(parser)
        attributes = parser.parse_optional_attr_dict()
        return cls.create(
            operands=operands, result_types=[IndexType()], properties={"map": attribute}, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.map)
        _print_operands(printer, self.arguments, self.map.data.num_dims)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        _check_operands(self.arguments, self.map.data.num_dims, self.map.data.num_symbols)


class IfOp(base.IfOp):
    """Runs one region if its operands are in a set, or else the other one, and returns the values that it yields.

    ```mlir
    affine.if affine_set<(d0)[s0] : ((d0 + -3) >= 0, (s0 + d0) == 0)>(%i)[%n] {
    } else {
    }
    ```
    """

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        position = parser.pos
        condition = parser.parse_attribute()
        if not isinstance(condition, AffineSetAttr):
            parser.raise_error("expected an affine set", position, parser.pos)
        _, operands = _parse_operands(parser)
        results = parse_optional_results(parser)
        then = closed(parser.parse_region())
        otherwise = closed(parser.parse_region()) if parser.parse_optional_keyword("else") is not None else Region()
        return cls.create(
            operands=operands,
            result_types=results,
            properties={"condition": condition},
            attributes=parser.parse_optional_attr_dict(),
            regions=[then, otherwise],
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.condition)
        _print_operands(printer, self.args, self.condition.data.num_dims)
        print_results(printer, self.result_types)
        yields = bool(self.result_types)
        for word, region in (("", self.then_region), ("else ", self.else_region)):
            if region.blocks:
                printer.print_string(f" {word}")
                printer.print_region(
                    region, print_entry_block_args=False, print_empty_block=False, print_block_terminators=yields
                )
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        super().verify_()
        _check_operands(self.args, self.condition.data.num_dims, self.condition.data.num_symbols)
        if self.result_types and not self.else_region.blocks:
            raise VerifyException("must have an else block if defining values")
        for region in (self.then_region, self.else_region):
            end = region.blocks.last.last_op if region.blocks.last is not None else None
            if isinstance(end, base.YieldOp) and end.operand_types != self.result_types:
                raise VerifyException("expects its regions to yield values of its result types")


def closed(region: Region, arguments: Sequence[Attribute] = ()) -> Region:
    """Adds the `affine.yield` of nothing that the text may leave out, and the block around it."""
    if region.blocks.last is None:
        region.add_block(Block(arg_types=arguments))
    block = region.blocks.last
    assert block is not None
    if block.last_op is None or not block.last_op.has_trait(IsTerminator):
        block.add_op(base.YieldOp.get())
    return region
