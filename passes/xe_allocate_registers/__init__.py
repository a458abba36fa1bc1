"""`xe-allocate-registers`: gives every value of an `xe.kernel` its place in the register file."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i32
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from passes.xe_allocate_registers import coalescing, spilling
from passes.xe_allocate_registers.assignment import assign
from passes.xe_allocate_registers.coalescing import Web
from xegpu import targets
from xegpu.diagnostics import CompileError
from xegpu.dialects.xe import FlagType, GRFType, KernelOp
from xegpu.targets import Target


@dataclass(frozen=True)
class XeAllocateRegistersPass(ModulePass):
    """Allocates general and flag registers.

    A kernel gets the smallest register mode that holds it; when even the largest does not, the values that cost least
    to move go to the thread's scratch space.
    """

    name = "xe-allocate-registers"

    grf_count: int = 0
    """Registers to use, 0 for the smallest mode that needs no spilling."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in [o for o in op.walk() if isinstance(o, KernelOp)]:
            target = targets.get(kernel.target.data)
            if self.grf_count not in (0, *target.grf_counts):
                known = ", ".join(map(str, target.grf_counts))
                raise CompileError(kernel, f"{target.name} has no mode of {self.grf_count} registers, but {known}")
            counts = (self.grf_count,) if self.grf_count else target.grf_counts
            allocate(kernel, target, counts)


def allocate(kernel: KernelOp, target: Target, counts: tuple[int, ...]) -> None:
    """Allocates one kernel, trying the register counts in order and spilling at the last one."""
    coalescing.copy_live_ties(kernel.body)
    _, webs = coalescing.build(kernel.body)
    stuck: Web | None = None
    for count in counts:
        stuck = _place(webs.all(), target, count, 0)
        if stuck is None:
            _commit(kernel, webs.all(), count, 0)
            return
    _spill_until_it_fits(kernel, target, counts[-1])


def _place(webs: list[Web], target: Target, count: int, reserved: int) -> Web | None:
    """Places all webs, leaving `reserved` registers at the end of the file; returns one that does not fit."""
    for web in webs:
        web.place = None
    flags = [web for web in webs if web.is_flag]
    stuck = assign(flags, target.flag_registers)
    if stuck is None:
        stuck = assign([w for w in webs if not w.is_flag], (count - reserved) * target.grf_bytes)
    return stuck


def _spill_until_it_fits(kernel: KernelOp, target: Target, count: int) -> None:
    settled: set[SSAValue] = set()
    slot = 0
    while True:
        _, webs = coalescing.build(kernel.body)
        # Messages to scratch take their address from the last register.
        stuck = _place(webs.all(), target, count, 1)
        if stuck is None:
            _commit(kernel, webs.all(), count, slot)
            return
        depths = spilling.loop_depths(kernel.body)
        web = spilling.choose(stuck, webs.all(), depths, target.grf_bytes, settled)
        if web is None or slot + web.size > target.max_scratch_bytes:
            raise CompileError(
                kernel, f"needs more registers than {target.name} has ({count}), and nothing more can be spilled"
            )
        settled.update(spilling.spill(web, slot))
        slot += web.size


def _commit(kernel: KernelOp, webs: list[Web], count: int, spill_size: int) -> None:
    kernel.grf_count, kernel.spill_size = IntegerAttr(count, i32), IntegerAttr(spill_size, i32)
    for web in webs:
        assert web.place is not None
        for value in web.values:
            type = value.type
            if isinstance(type, GRFType):
                Rewriter.replace_value_with_new_type(value, GRFType(type.size.data, type.alignment.data, web.place))
            else:
                Rewriter.replace_value_with_new_type(value, FlagType(web.place * 2))
