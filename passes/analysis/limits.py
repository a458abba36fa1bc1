"""Finds the largest values of integers that are never negative, from the operations that make them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Operation, SSAValue
from xdsl.traits import ConstantLike
from xdsl.utils.hints import isa

_INDEX_BITS = 64
_LOCAL = frozenset({"gpu.thread_id", "gpu.lane_id", "gpu.block_dim", "gpu.subgroup_id", "gpu.num_subgroups"})
"""Operations whose results count work-items of a group."""


def _ones(number: int) -> int:
    return (1 << number.bit_length()) - 1


_RULES: Mapping[str, Callable[[Sequence[int]], int]] = {
    "arith.addi": lambda limits: limits[0] + limits[1],
    "arith.muli": lambda limits: limits[0] * limits[1],
    **dict.fromkeys(("arith.andi", "arith.minui"), min),
    **dict.fromkeys(("arith.ori", "arith.xori"), lambda limits: _ones(max(limits))),
    **dict.fromkeys(("arith.maxui", "arith.select"), lambda limits: max(limits[-2:])),
    **dict.fromkeys(("arith.divui", "arith.shrui", "arith.remui"), lambda limits: limits[0]),
    **dict.fromkeys((f"arith.{name}" for name in ("extui", "index_castui")), lambda limits: limits[0]),
}
"""By operation: a bound of the result from those of the operands, before it wraps."""
_SIGNED_CASTS = frozenset({"arith.extsi", "arith.index_cast"})
_CUTS = frozenset({"arith.trunci"})


class LargestValues:
    """The largest values of a kernel's integers, read as unsigned; `group_items` is the largest work-group."""

    def __init__(self, group_items: int):
        self._group_items = group_items
        self._known: dict[SSAValue, int] = {}

    def of(self, value: SSAValue) -> int:
        """Returns a number that a value does not exceed: the largest one of its type if nothing else is known."""
        if value not in self._known:
            largest = (1 << _bits(value)) - 1
            # While operands are visited, nothing is known: the values of unreachable loops depend on themselves.
            self._known[value] = largest
            owner = value.owner
            found = self._result(owner) if isinstance(owner, Operation) else None
            self._known[value] = largest if found is None or found > largest else found
        return self._known[value]

    def _result(self, op: Operation) -> int | None:
        if op.name in _LOCAL:
            return self._group_items
        if isa(constant := ConstantLike.get_constant_value(op.results[0]), IntegerAttr):
            return constant.value.data & (1 << _bits(op.results[0])) - 1
        if op.name in _SIGNED_CASTS:
            limit = self.of(op.operands[0])
            return limit if limit < 1 << _bits(op.operands[0]) - 1 else None
        if op.name in _CUTS:
            return self.of(op.operands[0])
        if op.name == "arith.shli":
            number = ConstantLike.get_constant_value(op.operands[1])
            return self.of(op.operands[0]) << number.value.data if isa(number, IntegerAttr) else None
        rule = _RULES.get(op.name)
        return None if rule is None else rule([self.of(operand) for operand in op.operands])


def _bits(value: SSAValue) -> int:
    return value.type.width.data if isinstance(value.type, IntegerType) else _INDEX_BITS
