"""Ops and attributes of drafts and older versions of the dialect: each is refused by name, with the reason."""

from __future__ import annotations

from typing import ClassVar, NoReturn

from xdsl.ir import Operation, ParametrizedAttribute
from xdsl.irdl import IRDLOperation, irdl_attr_definition
from xdsl.irdl.declarative_assembly_format import CustomDirective, ParsingState, PrintingState, irdl_custom_directive
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

NOT_BLOCKED = "tiles and vectors are 2-D, and xetile-blocking cuts them"


class _ObsoleteOp(Operation):
    """An op that cannot be made, neither from custom nor from generic form."""

    REASON: ClassVar[str]
    """The error for it: its replacement in this version."""

    @classmethod
    def parse(cls, parser: Parser) -> NoReturn:
        cls.create()

    @classmethod
    def create(cls, **_: object) -> NoReturn:
        raise VerifyException(f"is obsolete: {cls.REASON}")


class TilePackOp(_ObsoleteOp):
    """Made a 4-D vector of blocks from a 2-D vector."""

    name = "xetile.tile_pack"
    REASON = NOT_BLOCKED


class TileUnpackOp(_ObsoleteOp):
    """Made a 2-D vector from a 4-D vector of blocks."""

    name = "xetile.tile_unpack"
    REASON = NOT_BLOCKED


class ReduceOp(_ObsoleteOp):
    """Combined along dimensions."""

    name = "xetile.reduce"
    REASON = "it is called xetile.reduction"


class InitCoopTileOp(_ObsoleteOp):
    """Made the share of a subgroup in a tile that a work group prefetches."""

    name = "xetile.init_coop_tile"
    REASON = "a tile of a work group has a wg_map"


OBSOLETE_OPS = (InitCoopTileOp, ReduceOp, TilePackOp, TileUnpackOp)


@irdl_attr_definition
class XeMapAttr(ParametrizedAttribute):
    """`#xetile.xe_map<wg = ..., sg = ...>` held both maps of a tile."""

    name = "xetile.xe_map"

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> NoReturn:
        parser.raise_error(f"#{cls.name} is obsolete: #xetile.tile_attr holds wg_map and sg_map")


@irdl_custom_directive
class NoLocality(CustomDirective):
    """Nothing; `, locality<n>` is refused."""

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if parser.parse_optional_punctuation(",") is None:
            return
        position = parser.pos
        if parser.parse_optional_keyword("locality") is None:
            parser.raise_error("expected ':'", position, parser.pos)
        parser.raise_error("locality is not supported, use cache hints", position, parser.pos)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        pass
