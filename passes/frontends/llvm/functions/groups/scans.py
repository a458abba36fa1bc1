"""Scans: the combined values of all work-items before one, or up to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import FixedBitwidthType, i64
from xdsl.ir import Operation, SSAValue

from passes.frontends.llvm.functions.groups.lanes import lane_number, shuffled
from passes.frontends.llvm.importer.calls import Call
from passes.frontends.llvm.importer.loops import counted_loop
from xegpu.dialects.upstream.arith import CmpiOp, SelectOp
from xegpu.dialects.upstream.gpu import BarrierOp, ShuffleMode, SubgroupIdOp
from xegpu.dialects.upstream.llvm import LoadOp, StoreOp

_MOST_SUBGROUPS = 128
"""The subgroups of a work-group of 1,024 work-items, if subgroups have 8."""
_LARGEST_VALUE = 8


@dataclass(frozen=True)
class Scan:
    """A scan of a value.

    Attributes:
        call: The call that asks for it.
        combine: What combines two values.
        value: What each work-item contributes.
        neutral: What changes nothing.
        exclusive: Whether a work-item's own value is left out.

    """

    call: Call
    combine: Callable[[SSAValue, SSAValue], Operation]
    value: SSAValue
    neutral: SSAValue
    exclusive: bool

    def subgroup(self) -> SSAValue:
        """Returns for each lane the values up to it combined: with those 1, 2, 4, ... lanes further down."""
        builder, lane, value = self.call.builder, lane_number(self.call), self.value
        distance = 1
        while distance < self.call.importer.lanes:
            other = shuffled(self.call, value, builder.i32(distance), ShuffleMode.UP)
            exists = builder.add(CmpiOp(lane, builder.i32(distance), "uge"))
            value = builder.add(SelectOp(exists, builder.add(self.combine(other, value)), value))
            distance *= 2
        if not self.exclusive:
            return value
        below = shuffled(self.call, value, builder.i32(1), ShuffleMode.UP)
        first = builder.add(CmpiOp(lane, builder.i32(0), "eq"))
        return builder.add(SelectOp(first, self.neutral, below))

    def active_lanes(self, active: SSAValue) -> SSAValue:
        """Returns the same where some lanes are off: each takes the values of those below it, one after another."""
        builder, lane, result = self.call.builder, lane_number(self.call), self.neutral
        for number in range(self.call.importer.lanes):
            other = shuffled(self.call, self.value, builder.i32(number))
            bit = builder.add(arith.AndIOp(active, builder.i32(1 << number)))
            is_active = builder.add(CmpiOp(bit, builder.i32(0), "ne"))
            is_before = builder.add(CmpiOp(builder.i32(number), lane, "ult" if self.exclusive else "ule"))
            counts = builder.add(arith.AndIOp(is_active, is_before))
            result = builder.add(SelectOp(counts, builder.add(self.combine(result, other)), result))
        return result

    def work_group(self, total: SSAValue) -> SSAValue:
        """Returns the same for a work-group, in the order of subgroups and lanes.

        Subgroups share their totals in work-group memory; each combines those of the subgroups before it.
        """
        builder = self.call.builder
        assert isinstance(total.type, FixedBitwidthType)
        size = total.type.bitwidth // 8
        memory = self.call.importer.shared_memory("scan", _MOST_SUBGROUPS * _LARGEST_VALUE)
        own = builder.from_index(builder.add(SubgroupIdOp()), i64)
        builder.insert(StoreOp(total, builder.element(memory, own, size), size))
        builder.insert(BarrierOp())

        def step(index: SSAValue, before: list[SSAValue]) -> list[SSAValue]:
            other = builder.add(LoadOp(builder.element(memory, index, size), total.type, size))
            return [builder.add(self.combine(before[0], other))]

        (before,) = counted_loop(builder, builder.i64(0), own, builder.i64(1), [self.neutral], step)
        builder.insert(BarrierOp())
        return builder.add(self.combine(before, self.subgroup()))
