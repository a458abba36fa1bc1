"""The engine: launches compiled kernels on host threads, and turns fault records into reports."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from runtime.concurrency import lazy
from runtime.llvm import Cpu, this_cpu
from runtime.simulator.execution.engine import Executable, ThreadState
from runtime.simulator.jit.host_threads import brief
from runtime.simulator.jit.host_threads.execution import execute, execute_in_turns, is_main_thread
from runtime.simulator.jit.host_threads.launch_memory import SHARES, SINGLE_GROUPS, LaunchMemory, launch_record
from runtime.simulator.jit.host_threads.thread_pool import shared_pool
from runtime.simulator.jit.host_threads.workers import WorkerMemory
from runtime.simulator.jit.images.callback import ImageAccess
from runtime.simulator.jit.kernel.counting import counter_bytes, execution_counts
from runtime.simulator.jit.kernel.kernel_cache import JitKernelCode, compiled
from runtime.simulator.jit.kernel.translation import Variant, payload_bytes
from runtime.simulator.jit.state.launch_records import (
    DEADLOCKED,
    ENDED,
    FAULTED,
    RUNNING,
    STOPPED,
    SUSPENDED,
    LaunchRecord,
    Worker,
)
from runtime.simulator.launch.counts import ExecutionCounts, allocated_bytes
from runtime.simulator.launch.dispatch import Dispatch, Statistics
from runtime.simulator.launch.faults import DeviceFault, FaultAccess, FaultKind
from runtime.simulator.machine import thread_payload
from runtime.simulator.machine.barriers import deadlock_text, problem_text
from runtime.simulator.machine.block_2d import BlockSurface
from runtime.simulator.machine.divergence import TEXTS, Divergence, nowhere_text
from runtime.simulator.machine.residency import residency
from runtime.simulator.memory import Memory, RangeTable
from runtime.simulator.supervision.watch import ALONE, LaunchOptions, Watch
from xegpu.isa.model import Dim3


class JitEngine:
    """Compiles kernels with LLVM when they are first run, for `cpu` (default: this CPU with all its features)."""

    def __init__(self, cpu: Cpu | None = None):
        self._cpu = cpu or this_cpu()

    def prepare(self, executable: Executable) -> JitKernel:
        """Returns a kernel that is not compiled yet: the launch decides which variant is needed."""
        return JitKernel(executable, self._cpu)


class JitKernel:
    """A kernel that is compiled on demand; may be run from several host threads at the same time."""

    def __init__(self, executable: Executable, cpu: Cpu):
        self._executable = executable
        self._cpu = cpu
        self._compiled: dict[Variant, JitKernelCode] = {}
        self._payloads: dict[Dim3, NDArray[np.uint8]] = {}
        self._kept: dict[_Form, LaunchMemory] = {}
        """What launches have left for the next one of the same form. A launch takes it away while it runs."""

    def run(self, dispatch: Dispatch, memory: Memory, options: LaunchOptions = ALONE) -> Statistics:
        """Runs all work-groups.

        Raises:
            DeviceFault: A group has faulted; the fault is that of the first one.
            LaunchStopped: The launch was stopped.
        """
        start = time.perf_counter()
        table = memory.table()
        form = (dispatch.group_count, dispatch.local_size, dispatch.slm_size, options.threads)
        is_repeated = self._is_repeatable and not options.counts and dispatch.part is None
        kept = self._kept.pop(form, None) if is_repeated else None
        if kept is None:
            launch = self._prepared(dispatch, table, options)
        else:
            launch = kept
            launch.begin_again(dispatch.cross_thread, table)
        if launch.is_brief and is_repeated:  # it ends before anybody could stop it
            launch.workers[0].run()
            if launch.workers[0].status != RUNNING:
                raise self._fault_of(launch.workers[0], memory)
        else:
            self._execute(launch, dispatch, memory, table, options)
        executed = sum([worker.record.instructions for worker in launch.workers])
        counts = self._counts(launch, table) if options.counts else None
        if kept is not None or (is_repeated and launch.is_small):
            self._keep(form, launch)
        return Statistics(executed, launch.threads, launch.groups, time.perf_counter() - start, counts)

    def _prepared(self, dispatch: Dispatch, table: RangeTable, options: LaunchOptions) -> LaunchMemory:
        """Returns a launch that has not begun. Where groups may wait for each other, workers are opened in turns."""
        description = self._executable.description
        facts, groups = description.facts, len(dispatch.running_groups)
        threads = thread_payload.thread_count(facts.simd_size, dispatch.local_size)
        last_mask = thread_payload.execution_mask(facts.simd_size, dispatch.local_size, threads - 1)
        full_mask = last_mask == thread_payload.execution_mask(facts.simd_size, (facts.simd_size, 1, 1), 0)
        is_brief = groups * threads * self._thread_nanoseconds <= brief.BRIEF_NANOSECONDS
        count = 1 if is_brief else max(1, min(options.threads, groups))
        launch = LaunchMemory(
            self._variant(Variant(full_mask=full_mask, counts=options.counts)),
            dispatch,
            self._executable.order(dispatch),
            table,
            (self._payload(dispatch, threads), thread_payload.cross_thread_offset(description)),
            last_mask,
            scratch_size=facts.scratch_size,
            slm_size=facts.slm_size + dispatch.slm_size,
            instruction_limit=self._executable.instruction_limit,
            shares=SINGLE_GROUPS if self._executable.groups_take_turns else count * SHARES,
            is_brief=is_brief,
        )
        if not self._executable.spinning:
            for _ in range(count):
                launch.open_worker()
        return launch

    def _execute(
        self, launch: LaunchMemory, dispatch: Dispatch, memory: Memory, table: RangeTable, options: LaunchOptions
    ) -> None:
        """Runs the work-groups of a launch; raises as `run` does."""
        description = self._executable.description
        images = self._image_access(launch.record, table)
        with Watch(options, description.name, launch.groups, launch.stop) as watch:
            if self._executable.spinning:
                threads = max(1, min(options.threads, launch.groups))
                takes_turns = self._executable.groups_take_turns
                resident = residency(description, dispatch).resident_groups if takes_turns else 1
                execute_in_turns(launch, watch, threads, resident)
            elif launch.is_brief:
                launch.workers[0].run()
            else:
                execute(launch, watch, (table, images))
            if images is not None:
                images.raise_error()
            watch.check_stopped()
        faulty = [worker for worker in launch.workers if worker.status in (FAULTED, DEADLOCKED)]
        if not faulty and launch.record.wanted == 0:
            faulty = [_late(launch.workers or [launch.open_worker()])]
        if faulty:
            first = min(faulty, key=lambda worker: (worker.record.group, worker.record.thread))
            raise self._fault_of(first, memory, images, watch.late_text())

    def _keep(self, form: _Form, launch: LaunchMemory) -> None:
        """Keeps the memory of a launch for the next one of the same form."""
        if len(self._kept) >= _MOST_FORMS:
            self._kept.clear()
        self._kept[form] = launch

    @lazy
    def _thread_nanoseconds(self) -> int:
        """The time that a hardware thread takes, roughly."""
        return brief.thread_nanoseconds(self._executable.program, self._executable.description.target)

    @lazy
    def _accesses_images(self) -> bool:
        return any(instruction.image is not None for instruction in self._executable.program.instructions)

    @lazy
    def _is_repeatable(self) -> bool:
        """True if launches leave their memory for the next one."""
        return not self._accesses_images and not self._executable.spinning

    def _counts(self, launch: LaunchMemory, table: RangeTable) -> ExecutionCounts:
        program, kernel = self._executable.program, launch.kernel
        size = counter_bytes(program)
        counters = (worker.area(kernel.areas.counters, size).view(np.uint64) for worker in launch.workers)
        return execution_counts(program, counters, kernel.constant_channels, allocated_bytes(table))

    def run_thread(self, state: ThreadState, memory: Memory, group: Dim3 = (0, 0, 0), subgroup: int = 0) -> ThreadState:
        """Runs one hardware thread from a given state to its end; raises `DeviceFault`."""
        kernel = self._variant(Variant(full_mask=False, single_thread=True))
        description, table = self._executable.description, memory.table()
        launch = launch_record(table, self._executable.instruction_limit, description.facts.slm_size)
        launch.threads = 1
        images = self._image_access(launch, table)
        bench = WorkerMemory(kernel, launch, description.facts.scratch_size)
        registers = bench.area(kernel.areas.registers, len(state.registers))
        flags = bench.area(kernel.areas.flags, 4 * len(state.flags)).view(np.uint32)
        registers[:] = np.frombuffer(state.registers, np.uint8)
        flags[:] = state.flags
        bench.run_thread(state.mask)
        if images is not None:
            images.raise_error()
        if bench.status != RUNNING:
            raise self._fault(bench, memory, group, subgroup, images)
        return ThreadState(registers.tobytes(), tuple(flags.tolist()), state.mask)

    def _image_access(self, launch: LaunchRecord, table: RangeTable) -> ImageAccess | None:
        """Gives a launch the callback of image messages, if the kernel has any. The caller keeps it alive."""
        if not self._accesses_images:
            return None
        return ImageAccess(self._executable.program, table, launch, self._cpu)

    def _variant(self, variant: Variant) -> JitKernelCode:
        code = self._compiled.get(variant)
        if code is None:
            compile = partial(compiled, self._executable, variant, self._cpu)
            # The main thread only waits, so that Ctrl-C need not wait for LLVM.
            code = shared_pool().submit(compile).result() if is_main_thread() else compile()
            self._compiled[variant] = code
        return code

    def _payload(self, dispatch: Dispatch, threads: int) -> NDArray[np.uint8]:
        """Returns the payload of each thread of a group, shape [threads, bytes]; group ids are left zero."""
        description = self._executable.description
        image = self._payloads.get(dispatch.local_size)
        start = thread_payload.cross_thread_offset(description)
        if image is None:
            image = np.zeros((threads, payload_bytes(description)), np.uint8)
            image[:, description.target.platform.grf_bytes : start] = thread_payload.per_thread_payload(
                description, dispatch.local_size
            )
            for thread, row in enumerate(image):
                header = thread_payload.header((0, 0, 0), thread, threads)
                row[: len(header)] = np.frombuffer(header, np.uint8)
            self._payloads = {dispatch.local_size: image}
        image = image.copy()
        image[:, start : start + len(dispatch.cross_thread)] = np.frombuffer(dispatch.cross_thread, np.uint8)
        return image

    def _fault_of(
        self,
        worker: WorkerMemory,
        memory: Memory,
        images: ImageAccess | None = None,
        late_text: str = "",
    ) -> DeviceFault:
        """Returns the report of the fault of a launch that a worker has met."""
        record = worker.record
        group = (record.group_x, record.group_y, record.group_z)
        return self._fault(worker, memory, group, record.thread, images, late_text)

    def _fault(
        self,
        worker: WorkerMemory,
        memory: Memory,
        group: Dim3,
        subgroup: int,
        images: ImageAccess | None,
        late_text: str = "",
    ) -> DeviceFault:
        record, launch = worker.record, worker.launch
        if worker.status in (DEADLOCKED, SUSPENDED):
            return self._deadlock(worker, memory, group, subgroup)
        kind, index = FaultKind(record.kind), record.index
        has_access = record.access_size > 0
        if kind is FaultKind.TIME_LIMIT:
            detail = late_text
        elif images is not None and worker.address in images.faults:
            detail = images.faults[worker.address].detail
        else:
            detail = self._detail(index, record, launch.slm_size, memory)
        return self._executable.fault(
            memory,
            kind,
            index,
            group=group,
            subgroup=subgroup,
            at=FaultAccess(
                None if record.lane < 0 else record.lane,
                _address(record) if has_access else None,
                record.access_size,
            ),
            detail=detail,
        )

    def _deadlock(self, worker: WorkerMemory, memory: Memory, group: Dim3, subgroup: int) -> DeviceFault:
        """Returns the report of a deadlock. For a single thread, `subgroup` is its number in reports."""
        threads = worker.launch.threads
        waiting = [number for number in range(threads) if worker.frame(number).resume != ENDED]
        first = worker.frame(waiting[0])
        number = first.waits_for
        return self._executable.fault(
            memory,
            FaultKind.DEADLOCK,
            first.index,
            group=group,
            subgroup=waiting[0] if worker.status == DEADLOCKED else subgroup,
            detail=deadlock_text(len(waiting), threads, number, worker.barrier(number)),
        )

    def _detail(self, index: int, record: Worker, slm_size: int, memory: Memory) -> str:
        """Returns the detail of a fault."""
        description, message = self._executable.description, self._executable.program.instructions[index].message
        limits = description.target.platform.block2d
        match FaultKind(record.kind):
            case FaultKind.MISALIGNED if message is not None:
                return f"the address is no multiple of {message.data_size.memory_bytes}"
            case FaultKind.SCRATCH_OVERFLOW:
                return f"the thread has {description.facts.scratch_size} bytes"
            case FaultKind.SLM_OVERFLOW:
                return f"the work-group has {slm_size} bytes"
            case FaultKind.DIVERGENCE:
                return TEXTS[Divergence(record.address)]
            case FaultKind.BAD_TARGET:
                return nowhere_text(self._executable.program.instructions[index], record.address)
            case FaultKind.BARRIER:
                problem, signal = record.address >> 32, record.address & 0xFFFFFFFF
                return problem_text(problem, signal, description.facts.barrier_count)
            case FaultKind.RUNAWAY:
                limit = self._executable.instruction_limit
                return f"{record.instructions} instructions were executed, the limit is {limit}"
            case FaultKind.BAD_BLOCK if message is not None and message.block is not None and limits is not None:
                surface = BlockSurface.unpack(bytes(record.surface))
                return surface.broken_rule(message, message.block, limits, memory.table().origin) or ""
        return ""


_Form = tuple[Dim3, Dim3, int, int]
"""Work-groups, their size, shared local memory and host threads of a launch."""

_MOST_FORMS = 64
"""The forms of launches of a kernel for which something is kept."""


def _address(record: Worker) -> int:
    """Returns the address of a fault; register addresses may be negative."""
    is_register = record.kind == FaultKind.BAD_REGISTER
    return ctypes.c_int64(record.address).value if is_register else int(record.address)


def _late(workers: Sequence[WorkerMemory]) -> WorkerMemory:
    """Returns the worker to report when the time is up: one that was stopped inside of a group, if there is one."""
    worker = next((worker for worker in workers if worker.status == STOPPED), workers[0])
    worker.record.kind, worker.record.lane, worker.record.access_size = FaultKind.TIME_LIMIT, -1, 0
    return worker
