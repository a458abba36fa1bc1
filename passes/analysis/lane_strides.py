"""Finds accesses whose lanes stand at equal distances in memory, and all take part in them.

A *ramp* is a value that grows by the same step from each lane to the next, as ids along x do where work-groups fill
subgroups. Sums and multiples of ramps are ramps. All of this holds modulo the range of a type: only where a number
becomes wider does it matter that it may wrap around between two lanes, which the offset of a launch can make it do.
Lanes before and after that are apart by a power of two, which is 16 GiB for indices of 32 bits and elements of four
bytes. That cannot be where all lanes are known to stay in one object (`inbounds`): no object is that large.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace
from typing import Literal

from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.dialects.llvm import GEPOp, LoadOp, StoreOp
from xdsl.ir import Operation, Region, SSAValue
from xdsl.traits import ConstantLike
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from passes.analysis.dataflow import forward
from passes.analysis.divisibility import factor_of, known_factors
from passes.analysis.facts import STRUCTURED, deciding_choice, influences
from passes.analysis.limits import LargestValues
from passes.analysis.uniform_ids import CASTS, RAMP_RULES, fills_subgroups
from passes.kernel.dimensions import dimension_index
from passes.support.control_flow import operations_in
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.llvm import pointer_terms

_OBJECT_BITS = 34
"""The bits that count the bytes of an object. Allocations have at most 4 GiB, unless they ask for more."""
_WORD_BITS = 64


@dataclass(frozen=True)
class Ramp:
    """A value that is `step` more in each lane than in the one before, modulo the range of its type.

    It is `aligned` if it begins at a multiple of the number of lanes. Multiples of two to the power of `wraps` may come
    to the steps; none do at 64, where addresses end.
    """

    step: int
    aligned: bool
    wraps: int = _WORD_BITS

    @property
    def is_exact(self) -> bool:
        """Returns whether nothing comes to the steps."""
        return self.wraps == _WORD_BITS


_Fact = Ramp | Literal[False]


def lane_strides(function: FuncOp, lanes: int, divergent: Set[SSAValue], group_items: int) -> dict[Operation, int]:
    """Returns the loads and stores through pointers that all lanes of full subgroups make at equal distances.

    Each has its distance in bytes. `group_items` is the largest work-group. Atomic and volatile accesses are left out.
    """
    if lanes == 1 or not fills_subgroups(function, lanes):
        return {}
    candidates = [
        (op, pointer)
        for op in operations_in(function.body)
        if (pointer := _accessed_pointer(op)) is not None and pointer in divergent
        if deciding_choice(op, divergent) is None
    ]
    if not candidates:
        return {}
    ramps = _Ramps(function.body, lanes, divergent, group_items).facts
    found = ((op, ramps.get(pointer, False)) for op, pointer in candidates)
    return {op: ramp.step for op, ramp in found if ramp and ramp.is_exact}


def _accessed_pointer(op: Operation) -> SSAValue | None:
    """Returns the pointer of a load or store that is neither atomic nor volatile."""
    if not isinstance(op, LoadOp | StoreOp) or "volatile_" in op.properties or "volatile_" in op.attributes:
        return None
    return None if op.ordering is not None and op.ordering.value.data else op.ptr


class _Ramps:
    """Finds the ramps of a kernel with full subgroups; `facts` has False for values that are none."""

    def __init__(self, body: Region, lanes: int, divergent: Set[SSAValue], group_items: int):
        self._lanes = lanes
        self._divergent = divergent
        self._factors = known_factors(body)
        self._limits = LargestValues(group_items)

        def chosen(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
            # What lanes choose differently is no ramp, as little as their condition.
            return (pair for pair in influences(op) if pair[1] in divergent)

        self.facts: dict[SSAValue, _Fact] = forward(body, self._transfer, _joined, Ramp(0, False), chosen)

    def _transfer(self, op: Operation, facts: Mapping[SSAValue, _Fact]) -> _Fact | None:
        if not op.results or op.name in STRUCTURED:
            return None
        result = op.results[0]
        if self._divergent.isdisjoint(op.results):
            return Ramp(0, self._factors.get(result, 1) % self._lanes == 0)
        if op.name in ("gpu.thread_id", "gpu.global_id"):
            # A launch may have any offset of global ids.
            return dimension_index(op) == 0 and Ramp(1, op.name == "gpu.thread_id")
        if op.name == "gpu.lane_id":
            return Ramp(1, True)
        if not op.operands:
            return False
        ramps: list[Ramp] = []
        for operand in op.operands:
            if (fact := facts.get(operand)) is None:
                return None
            if not fact:
                return False
            ramps.append(fact)
        found = self._derived(op, ramps)
        if not found:
            return False
        bits = _bits(result)
        step = (found.step + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)
        wraps = _WORD_BITS if found.wraps >= bits else found.wraps
        return Ramp(step, found.aligned and 1 << bits - 1 >= self._lanes, wraps)

    def _derived(self, op: Operation, ramps: list[Ramp]) -> _Fact:
        match op.name:
            case "arith.addi":
                return _sum(ramps[0], ramps[1], 1)
            case "arith.subi":
                return _sum(ramps[0], ramps[1], -1)
            case "arith.ori" if self._are_apart(*op.operands) or self._are_apart(*reversed(op.operands)):
                return _sum(ramps[0], ramps[1], 1)
            case "arith.muli":
                return self._multiple(op, ramps)
            case "arith.shli":
                number = _constant(op.operands[1])
                within = number is not None and 0 <= number < _WORD_BITS
                return within and _scaled(ramps[0], 1 << (number or 0))
            case "arith.shrsi" | "arith.shrui":
                return self._divided(op, ramps[0])
            case "arith.select":
                return op.operands[0] not in self._divergent and _joined(ramps[1], ramps[2])
            case "llvm.getelementptr":
                assert isinstance(op, GEPOp)
                return self._pointer(op, ramps[0], dict(zip(op.ssa_indices, ramps[1:], strict=True)))
            case "llvm.addrspacecast":
                return ramps[0]
            case name if name in CASTS:
                return self._extended(op.operands[0], ramps[0]) if _widens(op) else ramps[0]
            case name if name in RAMP_RULES:
                return self._kept(op, ramps[0])
            case _:
                return False

    def _are_apart(self, start: SSAValue, rest: SSAValue) -> bool:
        """Returns whether two numbers have no bits in common: one is a multiple of more than the other can be."""
        return self._limits.of(rest) < self._factors.get(start, 1)

    def _multiple(self, op: Operation, ramps: list[Ramp]) -> _Fact:
        a, b = op.operands
        for factor, ramp in ((_constant(b), ramps[0]), (_constant(a), ramps[1])):
            if factor is not None:
                return _scaled(ramp, factor)
        return False

    def _divided(self, op: Operation, ramp: Ramp) -> _Fact:
        """Returns a ramp whose steps are multiples of the divisor, whatever is lost of the first number."""
        number, wraps = _constant(op.operands[1]), min(ramp.wraps, _bits(op.results[0]))
        if number is None or not 0 <= number < wraps or ramp.step % (1 << number):
            return False
        return Ramp(ramp.step >> number, False, wraps - number)

    def _kept(self, op: Operation, ramp: Ramp) -> _Fact:
        """Returns the lower bits of a ramp, which are one if they are at least those of the number of a lane."""
        constant = _constant(op.operands[1])
        kept = constant is not None and RAMP_RULES[op.name](constant, self._lanes)
        return kept and ramp.step == 1 and ramp.aligned and ramp.is_exact and ramp

    def _extended(self, value: SSAValue, ramp: Ramp) -> Ramp:
        """Returns a ramp in more bits."""
        bits = _bits(value)
        if not ramp.step or (ramp.step == 1 and ramp.aligned) or self._limits.of(value) < 1 << bits - 1:
            return ramp
        return replace(ramp, wraps=min(ramp.wraps, bits))

    def _pointer(self, op: GEPOp, base: Ramp, indices: Mapping[SSAValue, Ramp]) -> _Fact:
        """Returns the pointer `base` plus indices times the bytes that they count in."""
        step = base.step
        try:
            terms = [(index, size) for index, size in pointer_terms(op) if isinstance(index, SSAValue)]
        except VerifyException:
            return False
        for index, size in terms:
            ramp = self._extended(index, indices[index]) if _bits(index) < _WORD_BITS else indices[index]
            ramp = _scaled(ramp, size)
            within = op.inbounds is not None and not base.step and len(terms) == 1 and ramp.wraps >= _OBJECT_BITS
            if not (ramp.is_exact or within):
                return False
            step += ramp.step
        return Ramp(step, False, base.wraps)


def _sum(a: Ramp, b: Ramp, sign: int) -> Ramp:
    return Ramp(a.step + sign * b.step, a.aligned and b.aligned, min(a.wraps, b.wraps))


def _scaled(ramp: Ramp, factor: int) -> Ramp:
    return Ramp(ramp.step * factor, ramp.aligned, min(ramp.wraps + factor_of(factor).bit_length() - 1, _WORD_BITS))


def _joined(a: _Fact, b: _Fact) -> _Fact:
    """Returns what holds of a value that all lanes get from one of two sources."""
    if not a or not b or a.step != b.step:
        return False
    return Ramp(a.step, a.aligned and b.aligned, min(a.wraps, b.wraps))


def _constant(value: SSAValue) -> int | None:
    attribute = ConstantLike.get_constant_value(value)
    return attribute.value.data if isa(attribute, IntegerAttr) else None


def _bits(value: SSAValue) -> int:
    return value.type.width.data if isinstance(value.type, IntegerType) else _WORD_BITS


def _widens(op: Operation) -> bool:
    return _bits(op.results[0]) > _bits(op.operands[0])
