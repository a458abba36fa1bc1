"""The op that moves tiles."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IndexType
from xdsl.interfaces import HasCanonicalizationPatternsInterface, HasFolderInterface
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    BaseAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    result_def,
    traits_def,
)
from xdsl.irdl.declarative_assembly_format import (
    CustomDirective,
    OptionalOperandVariable,
    ParsingState,
    PrintingState,
    TypeDirective,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xegpu.diagnostics import about
from xegpu.dialects.xegpu.folding import as_value, is_only_user, is_zero, replace, sums, with_constants
from xegpu.dialects.xetile import rules
from xegpu.dialects.xetile.init_tile import InitTileOp
from xegpu.dialects.xetile.operation import TileOperation
from xegpu.dialects.xetile.types import TileType, tile_type

NO_CONSTANTS = "expected a value: the offsets of an update are no constants"


@irdl_custom_directive
class Movement(CustomDirective):
    """`[%x, %y]` or `%indices`."""

    offset_x: OptionalOperandVariable
    offset_y: OptionalOperandVariable
    indices: OptionalOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        offset_x = offset_y = indices = None
        if parser.parse_optional_punctuation("[") is None:
            indices = parser.parse_unresolved_operand("expected '[' or indices")
        else:
            offset_x = parser.parse_unresolved_operand(NO_CONSTANTS)
            parser.parse_punctuation(",")
            offset_y = parser.parse_unresolved_operand(NO_CONSTANTS)
            parser.parse_punctuation("]")
        self.offset_x.set(state, offset_x)
        self.offset_y.set(state, offset_y)
        self.indices.set(state, indices)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        state.print_whitespace(printer)
        if (indices := self.indices.get(op)) is not None:
            printer.print_ssa_value(indices)
            return
        with printer.in_square_brackets():
            offsets = (self.offset_x.get(op), self.offset_y.get(op))
            printer.print_list([offset for offset in offsets if offset is not None], printer.print_ssa_value)


@irdl_custom_directive
class MovementType(CustomDirective):
    """`, vector<4x16xindex>`, the type of indices; offsets have none."""

    indices: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if parser.parse_optional_punctuation(",") is None:
            self.indices.set(state, ())
            return
        position = parser.pos
        type_ = parser.parse_type()
        if isinstance(type_, IndexType):
            parser.raise_error("types of offsets and result are obsolete: write the tile's alone", position, parser.pos)
        self.indices.set(state, (type_,))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        for type_ in self.indices.get(op):
            printer.print_string(", ")
            printer.print_attribute(type_)


@irdl_op_definition
class UpdateTileOffsetOp(TileOperation, HasFolderInterface, HasCanonicalizationPatternsInterface):
    """Moves a block by rows and columns, or (scattered) each element by an index, relative to where it is.

    `%next = xetile.update_tile_offset %t, [%c0, %c64] : !xetile.tile<32x64xf16>`
    """

    name = "xetile.update_tile_offset"
    T: ClassVar = VarConstraint("T", BaseAttr(TileType))

    tile = operand_def(T)
    offset_x = opt_operand_def(IndexType)
    offset_y = opt_operand_def(IndexType)
    indices = opt_operand_def()
    result = result_def(T)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(Pure())
    custom_directives = (Movement, MovementType)
    assembly_format = (
        "$tile `,` custom<Movement>($offset_x, $offset_y, $indices) attr-dict "
        "`:` type($tile) custom<MovementType>(type($indices))"
    )

    def __init__(
        self,
        tile: SSAValue | Operation,
        offsets: tuple[SSAValue | Operation, SSAValue | Operation] | None,
        indices: SSAValue | Operation | None = None,
    ):
        """`offsets` of a block, rows first, or `indices` of a scattered tile."""
        super().__init__(operands=[tile, *(offsets or (None, None)), indices], result_types=[SSAValue.get(tile).type])

    @property
    def moves(self) -> list[SSAValue]:
        """The distance that a block moves, rows first, or each element of a scattered tile."""
        return [value for value in (self.offset_x, self.offset_y, self.indices) if value is not None]

    def verify_(self) -> None:
        with about(tile=self.tile):
            tile = tile_type(self.tile)
            rules.static_shape(tile)
            given = tuple(value is not None for value in (self.offset_x, self.offset_y, self.indices))
            if tile.is_scattered and given != (False, False, True):
                raise VerifyException(f"expected indices, and no offsets, for a scattered tile, got {tile}")
            if not tile.is_scattered and given != (True, True, False):
                raise VerifyException(f"expected two offsets, and no indices, for a block tile, got {tile}")
            if self.indices is not None:
                rules.same_shape(indices=rules.index_vector("indices", self.indices.type), tile=tile)

    # Simplification

    def fold(self) -> tuple[SSAValue] | None:
        """A tile that does not move stays the same tile."""
        return (self.tile,) if all(map(is_zero, self.moves)) else None

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (TileUpdateOfUpdate(), UpdateOfInit())


class TileUpdateOfUpdate(RewritePattern):
    """Two moves are one by the sum, where that costs no more."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: UpdateTileOffsetOp, rewriter: PatternRewriter) -> None:
        first = op.tile.owner
        if not isinstance(first, UpdateTileOffsetOp):
            return
        total = sums(with_constants(first.moves), with_constants(op.moves), computed=is_only_user(op, first))
        if total is None:
            return
        made = total.additions
        moves = [as_value(entry, made) for entry in total.values]
        rewriter.insert(made)
        update = (
            UpdateTileOffsetOp(first.tile, (moves[0], moves[1]))
            if op.indices is None
            else UpdateTileOffsetOp(first.tile, None, moves[0])
        )
        replace(op, update, rewriter)


class UpdateOfInit(RewritePattern):
    """A tile that is moved at once, and needed nowhere else, starts where it moves to."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: UpdateTileOffsetOp, rewriter: PatternRewriter) -> None:
        init = op.tile.owner
        if not isinstance(init, InitTileOp) or not is_only_user(op, init):
            return
        start = with_constants(init.start)
        outer = len(start) - len(op.moves)
        total = sums(start[outer:], with_constants(op.moves))
        if total is None:
            return
        rewriter.insert(total.additions)
        replace(op, init.starting_at([*start[:outer], *total.values]), rewriter)
