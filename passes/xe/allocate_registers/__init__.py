"""`xe-allocate-registers`: assigns registers to all values of an `xe.kernel`."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from passes.support.control_flow import erase_unreachable
from passes.xe.allocate_registers import coalescing, spilling
from passes.xe.allocate_registers.assignment import assign, fixed_end
from passes.xe.allocate_registers.coalescing import Web, Webs
from passes.xe.allocate_registers.liveness import Liveness
from passes.xe.allocate_registers.pressure import pressures as pressures
from passes.xe.allocate_registers.slots import share
from xegpu.diagnostics import CompileError
from xegpu.dialects.xe import FlagType, GRFType, KernelOp, kernel_target, kernels_of
from xegpu.targets import Target


@dataclass(frozen=True)
class XeAllocateRegistersPass(ModulePass):
    """Allocates general and flag registers.

    A kernel gets the smallest register mode that holds all its values. If even the largest mode does not, or the
    largest in which a work-group of the required size fits into an Xe-core, the cheapest values are rematerialized at
    their uses or spilled to the scratch space of the thread. Surplus flags are saved in general registers. Kernels that
    are allocated already stay unchanged.
    """

    name = "xe-allocate-registers"

    grf_count: int = 0
    """The number of registers to use; 0 selects the smallest mode that needs no spilling."""
    reserved: int = 0
    """The number of registers at the end of the file that stay free."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in kernels_of(op):
            if kernel.is_allocated:
                continue
            target = kernel_target(kernel)
            if self.grf_count not in (0, *target.platform.grf_counts):
                known = ", ".join(map(str, target.platform.grf_counts))
                raise CompileError(kernel, f"{target.name} has no mode of {self.grf_count} registers: expected {known}")
            _check_unplaced(kernel)
            allocate(kernel, target, _counts(kernel, target, self.grf_count), self.reserved)


def _counts(kernel: KernelOp, target: Target, wanted: int) -> tuple[int, ...]:
    """Returns the register counts to try: with more registers, fewer threads of a work-group fit into an Xe-core."""
    facts = kernel.facts
    counts = (wanted,) if wanted else target.platform.grf_counts
    if facts.required_work_group_size is None:
        return counts
    items = prod(facts.required_work_group_size)
    threads = -(-items // facts.simd_size)
    fitting = tuple(count for count in counts if threads <= target.max_group_threads(count))
    if not fitting:
        most = max(map(target.max_group_threads, counts))
        raise CompileError(
            kernel,
            f"is for work-groups of {items}, which are {threads} threads: {target.name} runs {most} of at least "
            f"{min(counts)} registers",
        )
    return fitting


def _check_unplaced(kernel: KernelOp) -> None:
    """Checks that only the values in which a thread starts have fixed registers."""
    entry, *others = kernel.body.blocks
    made = [result for block in (entry, *others) for op in block.ops for result in op.results]
    for value in (*made, *(argument for block in others for argument in block.args)):
        type = value.type
        address = type.address if isinstance(type, GRFType) else type.index if isinstance(type, FlagType) else None
        if address is not None:
            raise CompileError(kernel, f"has a value of type {type}, which has a fixed register already")


def allocate(kernel: KernelOp, target: Target, counts: tuple[int, ...], reserved: int = 0) -> None:
    """Allocates one kernel: tries the register counts in order, and spills at the last one; some stay `reserved`."""
    erase_unreachable(kernel.body)
    flags, webs = _place_flags(kernel, target, coalescing.copy_live_ties(kernel.body))
    registers = _registers(webs)
    for count in counts:
        if assign(registers, (count - reserved) * target.platform.grf_bytes) is not None:
            _commit(kernel, flags + registers, count, 0)
            return
    _spill_until_it_fits(kernel, target, counts[-1], flags, webs, reserved)


def _registers(webs: Webs) -> list[Web]:
    return [web for web in webs.all() if not web.is_flag]


def _place_flags(kernel: KernelOp, target: Target, known: Liveness) -> tuple[list[Web], Webs]:
    """Assigns flags. Returns their webs, and all webs; general registers hold surplus flags."""
    settled: set[SSAValue] = set()
    liveness: Liveness | None = known
    while True:
        webs = coalescing.build(kernel.body, target.platform.grf_bytes, settled, liveness)
        liveness = None
        flags = [web for web in webs.all() if web.is_flag]
        evicted = assign(flags, target.platform.flag_registers, spilling.Choice(kernel.body, webs, settled))
        if evicted is None:
            raise CompileError(
                kernel, f"needs more than the {target.platform.flag_registers} flags of {target.name} at a time"
            )
        if not evicted:
            return flags, webs
        settled |= spilling.evict(evicted, webs, new_slot=_no_slot)


def _no_slot(size: int) -> int:
    raise AssertionError("flags have no slots in scratch")


def _spill_until_it_fits(
    kernel: KernelOp, target: Target, count: int, flags: list[Web], webs: Webs, reserved: int
) -> None:
    """Spills and assigns until all webs fit: spilled values still take registers around each use."""
    settled: set[SSAValue] = set()
    slots = itertools.count()
    while True:
        registers = _registers(webs)
        # Messages to scratch take their address from the last register that is not reserved.
        file_bytes = (count - reserved - 1) * target.platform.grf_bytes
        if (end := fixed_end(registers)) > file_bytes:
            taken = -(-end // target.platform.grf_bytes)
            raise CompileError(
                kernel, f"starts with arguments in {taken} registers, of {count}: nothing can be spilled"
            )
        choice = spilling.Choice(kernel.body, webs, settled)
        evicted = assign(registers, file_bytes, choice)
        if evicted is None:
            assert choice.stuck is not None, "the choice is that of the web that is stuck"
            raise _no_room(kernel, target, count, choice.stuck)
        if not evicted:
            break
        settled |= spilling.evict(evicted, webs, new_slot=lambda size: next(slots))
        webs = coalescing.build(kernel.body, target.platform.grf_bytes, settled)
    room = target.platform.max_scratch_bytes - kernel.facts.private_size
    scratch = share(kernel.body, room)
    if scratch is None:
        raise CompileError(
            kernel, f"spills more than the {room} bytes of scratch space left per thread of {target.name}"
        )
    _commit(kernel, flags + registers, count, scratch)


def _no_room(kernel: KernelOp, target: Target, count: int, stuck: Web) -> CompileError:
    """Returns the error for a block that finds no room although all other values wait in scratch space."""
    owner = next((value.owner for value in stuck.values if isinstance(value.owner, Operation)), kernel)
    reason = f"needs {-(-stuck.size // target.platform.grf_bytes)} registers in one block for a value"
    return CompileError(owner, f"{reason}, and {target.name} has {count} for all that is in use there")


def _commit(kernel: KernelOp, webs: list[Web], count: int, spill_size: int) -> None:
    kernel.state(grf_count=count, spill_size=spill_size)
    for web in webs:
        assert web.address is not None
        for value in web.values:
            type = value.type
            if isinstance(type, GRFType):
                Rewriter.replace_value_with_new_type(
                    value, GRFType.of(type.size.data, type.alignment.data, web.address)
                )
            else:
                Rewriter.replace_value_with_new_type(value, FlagType.of(web.address * 2))
