"""Affine expressions that xDSL has the classes for but does not parse, or not everywhere that MLIR has them.

These are semi-affine ones, `d0 * s0` and `d0 floordiv s0`, and those over values, `%i + 3`, outside of square brackets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from typing_extensions import override
from xdsl.dialects.affine import _print_affine_expr_of_ssa_ids
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineDimExpr, AffineExpr
from xdsl.parser import Parser
from xdsl.parser.affine_parser import AffineParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError
from xdsl.utils.mlir_lexer import MLIRToken

_KINDS: Mapping[str, AffineBinaryOpKind] = {
    "*": AffineBinaryOpKind.Mul,
    "ceildiv": AffineBinaryOpKind.CeilDiv,
    "floordiv": AffineBinaryOpKind.FloorDiv,
    "mod": AffineBinaryOpKind.Mod,
}


class SemiAffineParser(AffineParser):
    """Parses maps and sets whose factors and divisors may be symbols."""

    @override
    def _create_binop_expr(self, lhs: AffineExpr, rhs: AffineExpr, binop: MLIRToken) -> AffineExpr:
        kind = _KINDS.get(binop.text)
        multiplies = kind is AffineBinaryOpKind.Mul
        if kind is None or isinstance(rhs, AffineConstantExpr) or (multiplies and isinstance(lhs, AffineConstantExpr)):
            return super()._create_binop_expr(lhs, rhs, binop)
        if multiplies and not _is_symbolic(rhs):
            lhs, rhs = rhs, lhs
        if not _is_symbolic(rhs):
            which = "at least one of the multiply operands" if multiplies else f"right operand of {binop.text}"
            raise ParseError(binop.span, f"non-affine expression: {which} has to be either a constant or symbolic")
        return AffineBinaryOpExpr(kind, lhs, rhs)


def _is_symbolic(expression: AffineExpr) -> bool:
    """Returns whether an expression has no dimensions."""
    return not any(isinstance(part, AffineDimExpr) for part in expression.dfs())


def parse_affine_expression(parser: Parser, operand: Callable[[], AffineExpr | None]) -> AffineExpr:
    """Parses an expression whose variables `operand` parses, where there is one."""
    return AffineParser(parser._parser_state)._parse_affine_expr(operand)


def print_affine_expression(printer: Printer, expression: AffineExpr, operands: Sequence[SSAValue]) -> None:
    """Prints an expression with values in place of its dimensions."""
    _print_affine_expr_of_ssa_ids(printer, expression, operands)
