"""The simulated device: loads kernels, checks them, and runs them on an engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, NoReturn

from runtime.simulator.engines import create
from runtime.simulator.execution.engine import Executable
from runtime.simulator.launch.dispatch import MOST_GROUPS, Dispatch, KernelDescription, LaunchRefused, Statistics
from runtime.simulator.launch.faults import IllegalCode
from runtime.simulator.machine import thread_payload
from runtime.simulator.memory import Memory
from runtime.simulator.supervision.limits import choose_limits
from runtime.simulator.supervision.progress import default_progress
from runtime.simulator.supervision.watch import LaunchOptions, ProgressMaker
from xegpu.isa import DecodeError, IllegalInstruction, Program, decode_program, validate, validate_checked
from xegpu.isa.code import broken_flow_rule, never_goes_on
from xegpu.isa.native import BoundAddress, has_encoding, lower_native
from xegpu.targets import Target

if TYPE_CHECKING:
    from runtime.simulator.interpreter.observer import Observer

_MAX_GROUP_COUNT = (1 << 32) - 1


class Simulator:
    """One simulated device: a target, its memory, and the engine that executes kernels.

    Kernels may be loaded and run from several host threads.

    Args:
        engine: "jit" or "interpreter".
        threads: Host threads that share the work-groups of a launch.
        instruction_limit: Instructions that each hardware thread may execute.
        time_limit: Seconds that a launch may take.
        progress: Shows the progress of long launches; by default a bar, on a terminal.
        observers: Observers of the interpreter (`runtime.simulator.interpreter.observer`).

    Defaults of limits are those of `runtime.simulator.supervision.limits`.

    Raises:
        ValueError: The engine is unknown or cannot be observed, or a limit is not valid.
    """

    def __init__(
        self,
        target: Target,
        memory: Memory,
        engine: str = "jit",
        threads: int | None = None,
        instruction_limit: int | None = None,
        observers: Sequence[Observer] = (),
        *,
        time_limit: float | None = None,
        progress: ProgressMaker | None = None,
    ):
        limits = choose_limits(threads, time_limit, instruction_limit=instruction_limit)
        self.target = target
        self.memory = memory
        self._engine = create(engine, observers)
        self._instruction_limit = limits.instructions
        self._options = LaunchOptions(limits.threads, limits.seconds, progress or default_progress())

    def load(self, description: KernelDescription) -> Executable:
        """Decodes a kernel and checks every instruction for the target; raises `IllegalCode`."""
        if description.target is not self.target:
            raise IllegalCode(f"kernel '{description.name}' is for {description.target.name}, not {self.target.name}")
        return Executable(description, _checked_program(description), self._instruction_limit)

    @property
    def runs_native_code(self) -> bool:
        return has_encoding(self.target.platform)

    def threads_at_once(self, description: KernelDescription, dispatch: Dispatch) -> int:
        """Returns how many hardware threads of a launch may live at the same time, if its groups do not take turns.

        Raises `LaunchRefused` if they have no numbers for so many.
        """
        group = thread_payload.thread_count(description.facts.simd_size, dispatch.local_size)
        threads = group * max(1, min(self._options.threads, prod(dispatch.group_count)))
        if threads > thread_payload.MOST_THREADS:
            raise LaunchRefused(
                f"kernel '{description.name}' cannot be launched: {threads} threads with private memory at a time, at "
                f"most {thread_payload.MOST_THREADS}: allow fewer host threads"
            )
        return threads

    def run(self, executable: Executable, dispatch: Dispatch, *, counts: bool = False) -> Statistics:
        """Runs a grid to its end; with `counts`, counts the executions of each instruction.

        Raises:
            LaunchRefused: The launch does not fit the kernel.
            DeviceFault: A thread has faulted.
            LaunchStopped: `stop_launches` was called.
        """
        form = (dispatch.group_count, dispatch.local_size, dispatch.slm_size, len(dispatch.cross_thread))
        if form != executable.accepted:
            _check_dispatch(executable.description, dispatch)
            executable.accepted = form
        options = replace(self._options, counts=True) if counts else self._options
        return executable.prepared(self._engine).run(dispatch, self.memory, options)


def _checked_program(description: KernelDescription) -> Program:
    name, target, facts = description.name, description.target, description.facts
    platform = target.platform

    def fail(reason: str, offset: int | None = None) -> NoReturn:
        where = "" if offset is None else f" at offset {offset:#x}"
        raise IllegalCode(f"illegal code in kernel '{name}'{where}: {reason}")

    if facts.grf_count not in platform.grf_counts:
        fail(f"{facts.grf_count} registers, {target.name} has {_list(platform.grf_counts)}")
    if facts.simd_size not in (1, *platform.subgroup_sizes):
        fail(f"SIMD size {facts.simd_size}, {target.name} has {_list((1, *platform.subgroup_sizes))}")
    if not 0 <= facts.local_id_dimensions <= 3 or not set(facts.walk_order) <= {0, 1, 2}:
        fail(f"{facts.local_id_dimensions} local ids, walk order {facts.walk_order}")
    if not 0 <= facts.barrier_count <= max(platform.barrier_counts):
        fail(f"{facts.barrier_count} barriers, {target.name} has {max(platform.barrier_counts)}")
    if not 0 <= facts.scratch_size <= platform.max_scratch_bytes:
        fail(f"{facts.scratch_size} bytes of scratch space, {target.name} has {platform.max_scratch_bytes}")
    end = thread_payload.cross_thread_offset(description) + facts.cross_thread_size
    if facts.cross_thread_size < 0 or end > facts.grf_count * platform.grf_bytes:
        fail(f"a payload of {facts.cross_thread_size} bytes does not fit the registers")
    try:
        program = _decoded(description)
    except DecodeError as error:
        fail(error.reason, error.offset)
    if wrong := target.wrong_registers(program.grf_bytes):
        fail(wrong)
    # The decoder has checked the form of each word, and makes one object of equal ones.
    check = validate if description.is_native else validate_checked
    legal: set[int] = set()
    for index, (offset, instruction) in enumerate(zip(program.offsets, program.instructions, strict=True)):
        if id(instruction) not in legal:
            try:
                check(instruction, target, description.register_count)
            except IllegalInstruction as error:
                fail(str(error), offset)
            legal.add(id(instruction))
        broken = broken_flow_rule(program, index, description.facts.simd_size)
        if broken is not None:
            fail(f"{instruction.mnemonic}: {broken}", offset)
        if instruction.spec.synchronizes and not description.facts.barrier_count:
            fail(f"{instruction.mnemonic}: the kernel has no barriers", offset)
    last = program.instructions[-1] if program.instructions else None
    if last is None or not never_goes_on(last):
        fail("control can run past the end", len(description.code))
    return program


def _decoded(description: KernelDescription) -> Program:
    """Returns the program of a kernel. Raises `DecodeError`."""
    if not description.is_native:
        return decode_program(description.code)
    platform = description.target.platform
    if not has_encoding(platform):
        raise DecodeError(0, "no XeVISA header: this is not code of the virtual Xe ISA")
    payload = thread_payload.cross_thread_offset(description)
    facts = description.facts
    bindings = [
        BoundAddress(
            each.kind,
            each.number,
            payload + each.offset,
            None if each.handle < 0 else payload + each.handle,
            each.handle_bytes,
        )
        for each in facts.bindings
    ]
    parts = (description.entry, *description.functions)
    is_whole = facts.simd_size == 1
    return lower_native(platform, description.code, parts, facts.grf_count, bindings, all_channels=is_whole)


def _list(values: tuple[int, ...]) -> str:
    return ", ".join(map(str, values))


def _check_dispatch(description: KernelDescription, dispatch: Dispatch) -> None:
    name, target = description.name, description.target

    def fail(reason: str) -> NoReturn:
        raise LaunchRefused(f"kernel '{name}' cannot be launched: {reason}")

    if min(dispatch.group_count) < 0 or max(dispatch.group_count) > _MAX_GROUP_COUNT:
        fail(f"group count {dispatch.group_count}")
    if prod(dispatch.group_count) > MOST_GROUPS:
        fail(f"{prod(dispatch.group_count)} work-groups, at most {MOST_GROUPS} can be counted")
    if min(dispatch.local_size) < 1:
        fail(f"group size {dispatch.local_size}")
    items = prod(dispatch.local_size)
    threads = thread_payload.thread_count(description.facts.simd_size, dispatch.local_size)
    limit = target.max_group_threads(description.facts.grf_count)
    if items > target.platform.max_group_items or threads > limit:
        fail(
            f"a group of {items} work-items takes {threads} threads, {target.name} has room for "
            f"{target.platform.max_group_items} and {limit}"
        )
    if len(dispatch.cross_thread) != description.facts.cross_thread_size:
        fail(f"{len(dispatch.cross_thread)} bytes of payload, it takes {description.facts.cross_thread_size}")
    slm = description.facts.slm_size + dispatch.slm_size
    if not 0 <= slm <= target.platform.max_slm_bytes:
        fail(f"{slm} bytes of shared local memory, {target.name} has {target.platform.max_slm_bytes}")
