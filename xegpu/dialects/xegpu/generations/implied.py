"""Operations that a text in an older form implies beside the one that it spells out."""

from __future__ import annotations

from typing import TypeVar, cast

from xdsl.ir import Operation
from xdsl.parser import Parser

from xegpu.mlir import LocatingParser

OpT = TypeVar("OpT", bound=Operation)


def place_before(parser: Parser, *ops: Operation) -> None:
    """Places operations before the one that is being parsed, which uses the result of the last of them."""
    if not isinstance(parser, LocatingParser):
        parser.raise_error(f"an older form that stands for '{ops[0].name}' as well cannot be read here")
    parser.place_before(*ops)


def replaced(parser: Parser, op: OpT, last: Operation) -> OpT:
    """Returns `last` in place of the operation that is being parsed, after `op`, whose result `last` uses.

    A parser returns operations of its own class; whoever calls it uses what all operations have.
    """
    place_before(parser, op)
    return cast(OpT, last)
