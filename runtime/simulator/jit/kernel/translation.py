"""Translates a decoded kernel to LLVM IR: a function for a thread, and one that runs work-groups."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from itertools import count

from runtime.llvm import Cpu, IRFunction, IRModule, constant
from runtime.simulator.execution.engine import Executable
from runtime.simulator.jit.kernel.counting import counter_bytes
from runtime.simulator.jit.kernel.group_loop import GroupLoop, begin_entry, end_entry, is_scheduled
from runtime.simulator.jit.kernel.thread import MASK, PARAMETERS, ThreadFunction, ThreadPlan
from runtime.simulator.jit.state.control_register import control_states
from runtime.simulator.jit.state.launch_records import (
    Areas,
)
from runtime.simulator.jit.state.routines import WORKER
from runtime.simulator.launch.counts import constant_channels
from runtime.simulator.launch.dispatch import KernelDescription
from runtime.simulator.machine import thread_payload
from runtime.simulator.machine.barriers import Barrier
from runtime.simulator.machine.divergence import diverges
from xegpu.isa.code import basic_blocks
from xegpu.isa.formats import footprint

ENTRY = "entry"
"""The symbol of a compiled kernel: `i32 entry(worker)` runs work-groups, `i32 entry(worker, mask)` a single thread."""


@dataclass(frozen=True)
class Variant:
    """A way to compile a kernel.

    Attributes:
        full_mask: All channels of the kernel's SIMD size are on in every thread, so that masks are constants.
        single_thread: Runs one thread; its registers and flags are read from, and written back to, the worker's areas.
        counts: Executions of instructions are counted in the worker's areas.

    """

    full_mask: bool = True
    single_thread: bool = False
    counts: bool = False


@dataclass(frozen=True)
class KernelCode:
    """The IR of a kernel and the layout of its workers' memory."""

    ir: str
    areas: Areas


def payload_bytes(description: KernelDescription) -> int:
    """Returns the size in bytes of a thread's payload, in whole registers from `r0` on."""
    used = thread_payload.cross_thread_offset(description) + description.facts.cross_thread_size
    return -(-used // description.target.platform.grf_bytes) * description.target.platform.grf_bytes


def kernel_areas(executable: Executable, variant: Variant) -> Areas:
    """Returns the layout of the memory of a kernel's workers, but for the sizes that only its IR tells."""
    description, instructions = executable.description, executable.program.instructions
    sites = sum(i.message is not None for i in instructions)
    return Areas(
        sites or len(instructions),
        description.register_count * description.target.platform.grf_bytes,
        description.target.platform.flag_registers,
        description.facts.scratch_size,
        ctypes.sizeof(Barrier) * description.facts.barrier_count,
        counter_bytes(executable.program) if variant.counts else 0,
        sum(i.spec.flow.is_join for i in instructions),
    )


def channels_always_on(executable: Executable, variant: Variant) -> tuple[int | None, ...]:
    """Returns the number of channels of each instruction that are always enabled, None for those that are counted."""
    mask = _lasting_mask(executable, variant)
    return tuple(constant_channels(instruction, mask) for instruction in executable.program.instructions)


def kernel_code(executable: Executable, variant: Variant, cpu: Cpu) -> KernelCode:
    """Translates a kernel to LLVM IR for a CPU."""
    plan = _plan(executable, variant)
    module = IRModule(cpu)
    runs_to_end = not variant.single_thread and not is_scheduled(plan)

    def build_thread(code: IRFunction) -> None:
        ThreadFunction(code, plan).emit()

    thread = module.function("thread", "i32", PARAMETERS, build_thread, inline=runs_to_end, saves_registers=runs_to_end)

    def build(code: IRFunction) -> None:
        if variant.single_thread:
            control = begin_entry(code)
            file = code.offset(WORKER, plan.areas.registers)
            status = code.call(thread, "i32", WORKER, file, file, MASK, *[constant("i32", 0)] * 3)
            end_entry(code, status, control)
        else:
            GroupLoop(code, plan, thread).emit()

    module.export(ENTRY, "i32", "ptr %worker, i32 %mask" if variant.single_thread else "ptr %worker", build)
    return KernelCode(module.text(), plan.areas)


def _first_mask(executable: Executable, variant: Variant) -> int | None:
    """Returns the execution mask with which each thread starts, None if threads start with different ones."""
    if not variant.full_mask or variant.single_thread:
        return None
    simd_size = executable.description.facts.simd_size
    return thread_payload.FULL_MASK if simd_size == 1 else (1 << simd_size) - 1


def _lasting_mask(executable: Executable, variant: Variant) -> int | None:
    """Returns the execution mask that each thread has all the time, None if there is no such mask."""
    return None if diverges(executable.program) else _first_mask(executable, variant)


def _plan(executable: Executable, variant: Variant) -> ThreadPlan:
    description, instructions = executable.description, executable.program.instructions
    lasting, target = _lasting_mask(executable, variant), description.target
    controls = control_states(instructions, basic_blocks(executable.program))
    footprints = (
        footprint(i, target, description.register_count, lasting, reads_control=control is None)
        for i, control in zip(instructions, controls, strict=True)
    )
    numbers = count()
    return ThreadPlan(
        description,
        executable.program,
        _first_mask(executable, variant),
        tuple(footprints),
        tuple(controls),
        tuple(next(numbers) if i.message is not None else None for i in instructions),
        frozenset() if variant.single_thread else executable.spinning,
        kernel_areas(executable, variant),
        payload_bytes(description) // target.platform.grf_bytes,
        variant.single_thread,
        executable.costs if variant.counts else None,
        channels_always_on(executable, variant) if variant.counts else (),
    )
