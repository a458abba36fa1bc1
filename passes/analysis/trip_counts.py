"""Trip counts of counted loops as functions of one kernel argument, for the cost information of binaries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from passes.support.control_flow import branch_operands
from xegpu.isa.cost import TripCount

_LESS = (2, 6)
"""Predicates of `arith.cmpi`: signed and unsigned less."""

_SAME = frozenset(f"arith.{name}" for name in ("index_cast", "index_castui", "extsi", "extui", "trunci"))
_STEPS = ("arith.addi", "simt.advance")
_SUMS = {"arith.addi": 1, "arith.subi": -1}
_PRODUCT = "arith.muli"
_LARGER = "arith.maxsi"
"""With a negative constant, this keeps bounds of unrolled loops from wrapping around and changes no others."""
_QUOTIENTS = frozenset({"arith.divui", "arith.divsi"})


@dataclass(frozen=True)
class Affine:
    """`scale * argument + offset`, of the kernel argument with that number; quotients are not rounded."""

    offset: Fraction = Fraction(0)
    argument: int | None = None
    scale: Fraction = Fraction(0)

    def times(self, factor: Fraction) -> Affine:
        return Affine(self.offset * factor, self.argument, self.scale * factor)

    def plus(self, other: Affine) -> Affine | None:
        """Returns the sum; None if it would need two arguments."""
        if None not in (self.argument, other.argument) and self.argument != other.argument:
            return None
        scale = self.scale + other.scale
        argument = other.argument if self.argument is None else self.argument
        return Affine(self.offset + other.offset, argument if scale else None, scale)


Leaf = Callable[[SSAValue], Affine | None]
"""Returns a value that lowering knows: a constant, or an argument."""


def trip_count(branch: Operation, leaf: Leaf) -> TripCount | None:
    """Returns the trip count of the loop that a `cf.cond_br` at the end of its first block continues or leaves.

    That block compares a counter, its argument, with a bound; the counter grows by a constant in each iteration.
    Returns None for any other loop, and for bounds that are not linear in one argument.
    """
    test, header = branch.operands[0].owner, branch.parent_block()
    if not isinstance(test, Operation) or test.name != "arith.cmpi":
        return None
    predicate = test.properties["predicate"]
    counter, bound = test.operands
    if not isa(predicate, IntegerAttr) or predicate.value.data not in _LESS or counter not in _arguments(header):
        return None
    starts: set[SSAValue] = set()
    steps: set[int] = set()
    for value in _incoming(counter):
        step = _step(value, counter)
        if step is None:
            starts.add(value)
        else:
            steps.add(step)
    if len(starts) != 1 or len(steps) != 1:
        return None
    first, last, step = _affine(starts.pop(), leaf), _affine(bound, leaf), steps.pop()
    distance = None if first is None or last is None else last.plus(first.times(Fraction(-1)))
    if distance is None or step < 1:
        return None
    return _count(distance.times(Fraction(1, step)))


def _count(turns: Affine) -> TripCount:
    if turns.argument is None:
        return TripCount(max(0, ceil(turns.offset)))
    step = lcm(turns.offset.denominator, turns.scale.denominator)
    return TripCount(int(turns.offset * step), step, turns.argument, int(turns.scale * step))


def _arguments(block: Block | None) -> tuple[BlockArgument, ...]:
    return () if block is None else tuple(block.args)


def _incoming(argument: SSAValue) -> list[SSAValue]:
    """Returns the values that branches pass for a block argument."""
    block = argument.owner
    branches = {use.operation: None for use in block.uses} if isinstance(block, Block) else {}
    return [value for branch in branches for target, value in branch_operands(branch) if target is argument]


def _step(value: SSAValue, counter: SSAValue) -> int | None:
    """Returns the constant that `value` is `counter` plus."""
    operation = value.owner
    if not isinstance(operation, Operation) or operation.name not in _STEPS:
        return None
    others = [operand for operand in operation.operands[:2] if operand is not counter]
    return _constant(others[0]) if len(others) == 1 else None


def _constant(value: SSAValue) -> int | None:
    operation = value.owner
    if not isinstance(operation, Operation) or operation.name != "arith.constant":
        return None
    number = operation.properties["value"]
    return number.value.data if isa(number, IntegerAttr) else None


def _affine(value: SSAValue, leaf: Leaf) -> Affine | None:
    if (known := leaf(value)) is not None:
        return known
    operation = value.owner
    if not isinstance(operation, Operation):
        return None
    if operation.name in _SAME:
        return _affine(operation.operands[0], leaf)
    if operation.name == _LARGER and (least := _constant(operation.operands[1])) is not None and least < 0:
        return _affine(operation.operands[0], leaf)
    if operation.name not in {*_SUMS, _PRODUCT, *_QUOTIENTS}:
        return None
    left, right = (_affine(operand, leaf) for operand in operation.operands)
    if left is None or right is None:
        return None
    if operation.name in _SUMS:
        return left.plus(right.times(Fraction(_SUMS[operation.name])))
    if operation.name in _QUOTIENTS:
        return left.times(1 / right.offset) if right.argument is None and right.offset > 0 else None
    factor, other = (left, right) if left.argument is None else (right, left)
    return other.times(factor.offset) if factor.argument is None else None
