"""Semi-affine expressions, `d0 * s0` and `d0 floordiv s0`, which xDSL has the classes for but does not parse."""

from __future__ import annotations

from collections.abc import Mapping

from typing_extensions import override
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)
from xdsl.parser.affine_parser import AffineParser
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
