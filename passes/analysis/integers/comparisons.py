"""Comparisons of integer facts."""

from __future__ import annotations

from passes.analysis.integers.fact import IntegerFact, constant, fact

PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
"""The predicates of comparisons, in the order of their numbers in `arith.cmpi`."""
_OPPOSITES = (("eq", "ne"), ("slt", "sge"), ("sle", "sgt"), ("ult", "uge"), ("ule", "ugt"))
OPPOSITE = {x: y for pair in _OPPOSITES for x, y in (pair, pair[::-1])}
"""The predicate that holds where another one does not."""
MIRRORED = {name: name.translate(str.maketrans("lg", "gl")) for name in PREDICATES}
"""The predicate that holds of exchanged operands."""


def comparison_of(predicate: str, a: IntegerFact, b: IntegerFact) -> IntegerFact:
    """Returns the fact of a truth value."""
    for truth, name in ((1, OPPOSITE[predicate]), (0, predicate)):
        if _is_impossible(name, a, b):
            return constant(truth, 1, a.lanes)
    return fact(1, a.lanes)


def _is_impossible(predicate: str, a: IntegerFact, b: IntegerFact) -> bool:
    """Returns whether a comparison is known to be false."""
    match predicate:
        case "eq":
            mask = (1 << min(a.fixed, b.fixed)) - 1
            return a.high < b.low or b.high < a.low or bool((a.residue ^ b.residue) & mask)
        case "ne":
            return a.constant is not None and a.constant == b.constant
        case "slt":
            return a.least >= b.most
        case "sle":
            return a.least > b.most
        case "ult":
            return a.low >= b.high
        case "ule":
            return a.low > b.high
        case _:
            return _is_impossible(MIRRORED[predicate], b, a)


def holding(predicate: str, a: IntegerFact, b: IntegerFact) -> IntegerFact:
    """Returns the fact of a number a for which a comparison with b holds."""
    match predicate:
        case "eq":
            return a.within(b.low, b.high, b.least, b.most)
        case "slt":
            return a.within(most=b.most - 1)
        case "sle":
            return a.within(most=b.most)
        case "sgt":
            return a.within(least=b.least + 1)
        case "sge":
            return a.within(least=b.least)
        case "ult":
            return a.within(high=b.high - 1)
        case "ule":
            return a.within(high=b.high)
        case "ugt":
            return a.within(low=b.low + 1)
        case "uge":
            return a.within(low=b.low)
        case _:
            return a
