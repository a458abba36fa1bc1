"""`xe-allocate-registers`: gives every value of an `xe.kernel` its place in the register file."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i32
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from passes.xe_allocate_registers import coalescing, spilling
from passes.xe_allocate_registers.assignment import Evict, assign, keep_all
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
    webs = coalescing.build(kernel.body)
    for count in counts:
        if _place(webs, target, count * target.grf_bytes) is not None:
            _commit(kernel, webs, count, 0)
            return
    _spill_until_it_fits(kernel, target, counts[-1])


def _place(webs: list[Web], target: Target, file_bytes: int, evict: Evict = keep_all) -> list[Web] | None:
    """Places all webs but those that `evict` leaves out, which are returned; None when there is no room."""
    if assign([web for web in webs if web.is_flag], target.flag_registers) is None:
        return None
    return assign([web for web in webs if not web.is_flag], file_bytes, evict)


def _spill_until_it_fits(kernel: KernelOp, target: Target, count: int) -> None:
    """Spills and places until nothing is left out: what is spilled still takes registers around each use."""
    settled: set[SSAValue] = set()
    slot = 0
    while True:
        webs = coalescing.build(kernel.body)
        evict = spilling.Choice(kernel.body, target.grf_bytes, settled)
        # Messages to scratch take their address from the last register.
        evicted = _place(webs, target, (count - 1) * target.grf_bytes, evict)
        if evicted == []:
            _commit(kernel, webs, count, slot)
            return
        if evicted is None or slot + sum(web.size for web in evicted) > target.max_scratch_bytes:
            raise CompileError(
                kernel, f"needs more registers than {target.name} has ({count}), and nothing more can be spilled"
            )
        for web in evicted:
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
