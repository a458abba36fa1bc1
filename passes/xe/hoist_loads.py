"""`xe-hoist-loads`: issues loads early, so that other instructions execute while the data is in flight."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from passes.xe.allocate_registers.liveness import Liveness, Segment, branch_pairs, compute
from passes.xe.allocate_registers.pressure import ROOM, live_bytes
from xegpu.dialects.xe import (
    ImageOp,
    KernelOp,
    MessageOp,
    effects_of,
    kernel_target,
    kernels_of,
    only_reads,
    register_type,
)


@dataclass(frozen=True)
class XeHoistLoadsPass(ModulePass):
    """Moves each load up in its block, as far as its operands, the previous load and writes to memory allow.

    A load stops where its data would force the kernel into a larger register mode, and after the last use of the value
    whose registers its data reuse at the end of the block: above that use, both would need registers and a copy.
    """

    name = "xe-hoist-loads"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in kernels_of(op):
            _hoist_in(kernel)


def _hoist_in(kernel: KernelOp) -> None:
    space = _RegisterRoom(kernel)
    for block in kernel.body.blocks:
        for op in list(block.ops):
            if only_reads(op) and isinstance(op, MessageOp | ImageOp):
                _move_up(op, space)


class _RegisterRoom:
    """The space in the registers of a kernel as it is before the first load moves; many kernels never ask for it."""

    def __init__(self, kernel: KernelOp) -> None:
        self._kernel = kernel
        self._target = kernel_target(kernel)

    @cached_property
    def _liveness(self) -> Liveness:
        return compute(self._kernel.body)

    @cached_property
    def _live(self) -> list[tuple[int, int]]:
        return live_bytes(self._liveness)

    @cached_property
    def room(self) -> int:
        """The bytes of the smallest register mode that the kernel fits into."""
        peak = max((size for _, size in self._live), default=0)
        rooms = [int(count * self._target.platform.grf_bytes * ROOM) for count in self._target.platform.grf_counts]
        return next((room for room in rooms if peak <= room), 0)

    @cached_property
    def live_at(self) -> dict[Operation, int]:
        """The maximum number of live bytes during each operation."""
        return _live_bytes_at(self._liveness.positions, self._live)


def _live_bytes_at(positions: dict[Operation, int], live: list[Segment]) -> dict[Operation, int]:
    """Returns the maximum number of live bytes during each operation."""
    found: dict[Operation, int] = {}
    index, size = 0, 0
    for op, start in positions.items():
        while index < len(live) and live[index][0] < start:
            size = live[index][1]
            index += 1
        most = size
        while index < len(live) and live[index][0] < start + 2:
            size = live[index][1]
            most = max(most, size)
            index += 1
        found[op] = most
    return found


def _move_up(load: MessageOp | ImageOp, space: _RegisterRoom) -> None:
    """Moves a load up as far as possible, and adds its data to the live bytes of the operations that it passes."""
    if load.result is None:
        return
    size = 0 if load.into is not None else register_type(load.result).size.data
    needed = {operand.owner for operand in load.operands}
    target: Operation = load
    passed: list[Operation] = []
    above = load.prev_op
    destinations = _successor_arguments(load)
    while (
        above is not None
        and above not in needed
        and not _keeps_order(above)
        and destinations.isdisjoint(above.operands)
        and space.live_at[above] + size <= space.room
    ):
        passed.append(above)
        target, above = above, above.prev_op
    if target is not load:
        for op in passed:
            space.live_at[op] += size
        block = load.parent_block()
        assert block is not None
        block.detach_op(load)
        block.insert_op_before(load, target)


def _successor_arguments(load: MessageOp | ImageOp) -> set[SSAValue]:
    """Returns the block arguments that receive the loaded value."""
    block = load.parent_block()
    end = None if block is None else block.last_op
    return set() if end is None else {argument for argument, value, _ in branch_pairs(end) if value is load.result}


def _keeps_order(op: Operation) -> bool:
    """Returns whether loads must stay after an operation: a load, a write to memory, or an operation of unknown
    effects.
    """
    return effects_of(op) != frozenset()
