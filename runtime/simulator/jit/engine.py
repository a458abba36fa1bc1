"""The engine: launches compiled kernels on host threads, and turns fault records into reports."""

from __future__ import annotations

import ctypes
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count as count_up

import numpy as np
from numpy.typing import NDArray

from runtime.concurrency import lazy
from runtime.llvm import Cpu, this_cpu
from runtime.simulator.addresses import address_of
from runtime.simulator.counts import ExecutionCounts, allocated_bytes
from runtime.simulator.engine import Executable, ThreadState
from runtime.simulator.faults import DeviceFault, FaultAccess, FaultKind, device_fault
from runtime.simulator.jit.counting import counter_bytes, execution_counts
from runtime.simulator.jit.images.callback import ImageAccess
from runtime.simulator.jit.kernel import Variant, payload_bytes
from runtime.simulator.jit.kernel_cache import JitKernelCode, compiled
from runtime.simulator.jit.launch_records import (
    ALIGNMENT,
    DEADLOCKED,
    ENDED,
    FAULTED,
    RUNNING,
    STOPPED,
    SUSPENDED,
    YIELDED,
    FrameHeader,
    LaunchRecord,
    Worker,
)
from runtime.simulator.jit.thread_pool import Task, shared_pool
from runtime.simulator.launch import Dispatch, Statistics
from runtime.simulator.machine import thread_payload
from runtime.simulator.machine.barriers import Barrier, deadlock_text, problem_text
from runtime.simulator.machine.block_2d import BlockSurface
from runtime.simulator.machine.divergence import TEXTS, Divergence, nowhere_text
from runtime.simulator.machine.residency import residency
from runtime.simulator.machine.scheduling import ROUNDS, schedule
from runtime.simulator.memory import Memory, RangeTable
from runtime.simulator.supervision.watch import ALONE, LaunchOptions, Watch
from xegpu.isa.code import only_goes_down
from xegpu.isa.model import Dim3

CHUNKS_PER_WORKER = 16
"""Chunks of work-groups per worker: enough to balance the load, few enough for the shared counter to cost nothing."""

LARGEST_CHUNK = 1024

BRIEF_LAUNCH = 1 << 14
"""Launches with fewer executed instructions run on the calling thread: they take well below a millisecond, less than
handing work to another host thread is worth.
"""


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
        self._brief: dict[_Form, _BriefLaunch] = {}
        """The records that brief launches have left for the same form. A launch takes one away while it runs."""

    def run(self, dispatch: Dispatch, memory: Memory, options: LaunchOptions = ALONE) -> Statistics:
        """Runs all work-groups.

        Raises:
            DeviceFault: A group has faulted; the fault is that of the first one.
            LaunchStopped: The launch was stopped.
        """
        start = time.perf_counter()
        form = (dispatch.group_count, dispatch.local_size, dispatch.slm_size)
        known = None if options.counts or dispatch.part is not None else self._brief.pop(form, None)
        if known is not None:
            worker = known.run(dispatch.cross_thread, memory.table())
            if worker.status != RUNNING:
                raise self._fault_of(worker, memory, dispatch)
            self._brief[form] = known
            return Statistics(worker.record.instructions, known.threads, known.groups, time.perf_counter() - start)
        description = self._executable.description
        running = dispatch.running_groups
        groups = len(running)
        simd_size = description.facts.simd_size
        group_threads = thread_payload.thread_count(simd_size, dispatch.local_size)
        last_mask = thread_payload.execution_mask(simd_size, dispatch.local_size, group_threads - 1)
        full_mask = last_mask == thread_payload.execution_mask(simd_size, (simd_size, 1, 1), 0)
        kernel = self._variant(Variant(full_mask=full_mask, counts=options.counts))
        is_brief = self._is_brief(groups * group_threads)
        count = 1 if is_brief else max(1, min(options.threads, groups))
        spins = self._executable.groups_take_turns
        most = -(-residency(description, dispatch).resident_groups // count) if spins else 1
        image = self._payload(dispatch, group_threads)
        start_of_payload = thread_payload.cross_thread_offset(description)
        table = memory.table()
        launch = _launch(table, self._executable.instruction_limit, description.facts.slm_size + dispatch.slm_size)
        images = self._image_access(launch, table)
        launch.next_group, launch.groups = running.start, running.stop
        launch.chunk = 1 if spins else min(max(groups // (count * CHUNKS_PER_WORKER), 1), LARGEST_CHUNK)
        launch.payload, launch.payload_stride = address_of(image), image.strides[0]
        launch.groups_x, launch.groups_y = dispatch.group_count[0], dispatch.group_count[1]
        launch.threads, launch.last_mask = group_threads, last_mask
        workers: list[_Bench] = []
        numbers = count_up()

        def open_worker() -> _Bench | None:
            if launch.next_group >= min(running.stop, launch.wanted):
                return None
            worker = _Bench(kernel, launch, description.facts.scratch_size, (table, image, images))
            worker.record.first_thread = next(numbers) * group_threads
            workers.append(worker)
            return worker

        def work() -> None:
            schedule(open_worker, most, lambda: launch.wanted < running.stop)

        def stop() -> None:
            launch.wanted = 0

        with Watch(options, description.name, groups, stop) as watch:
            if is_brief:
                work()
            else:
                _run_all(work, count, launch, watch, running.start)
            if images is not None:
                images.raise_error()
            watch.check_stopped()
        faulty = [worker for worker in workers if worker.status in (FAULTED, DEADLOCKED)]
        if not faulty and launch.wanted == 0:
            faulty = [
                _late(workers or [_Bench(kernel, launch, description.facts.scratch_size, (table, image, images))])
            ]
        if faulty:
            first = min(faulty, key=lambda worker: (worker.record.group, worker.record.thread))
            raise self._fault_of(first, memory, dispatch, images, watch.late_text())
        executed = sum(worker.record.instructions for worker in workers)
        if is_brief and images is None and not options.counts and len(workers) == 1 and dispatch.part is None:
            self._keep(form, _BriefLaunch(kernel, workers[0], image, start_of_payload, groups))
        counts = self._counts(kernel, workers, table) if options.counts else None
        return Statistics(executed, groups * group_threads, groups, time.perf_counter() - start, counts)

    def _keep(self, form: _Form, launch: _BriefLaunch) -> None:
        """Keeps the buffers of a launch for the next one of the same form, unless they are large."""
        if launch.is_small:
            if len(self._brief) >= _MOST_FORMS:
                self._brief.clear()
            self._brief[form] = launch

    def _is_brief(self, threads: int) -> bool:
        """Returns whether a launch of so many hardware threads is too short to be stopped."""
        return threads * len(self._executable.program.instructions) <= BRIEF_LAUNCH and self._only_goes_down

    @lazy
    def _only_goes_down(self) -> bool:
        return only_goes_down(self._executable.program)

    @lazy
    def _accesses_images(self) -> bool:
        return any(instruction.image is not None for instruction in self._executable.program.instructions)

    def _counts(self, kernel: JitKernelCode, workers: Sequence[_Bench], table: RangeTable) -> ExecutionCounts:
        program = self._executable.program
        size = counter_bytes(program)
        counters = (worker.area(kernel.areas.counters, size).view(np.uint64) for worker in workers)
        return execution_counts(program, counters, kernel.constant_channels, allocated_bytes(table))

    def run_thread(self, state: ThreadState, memory: Memory, group: Dim3 = (0, 0, 0), subgroup: int = 0) -> ThreadState:
        """Runs one hardware thread from a given state to its end; raises `DeviceFault`."""
        kernel = self._variant(Variant(full_mask=False, single_thread=True))
        description, table = self._executable.description, memory.table()
        launch = _launch(table, self._executable.instruction_limit, description.facts.slm_size)
        launch.threads = 1
        images = self._image_access(launch, table)
        bench = _Bench(kernel, launch, description.facts.scratch_size, (table, images))
        registers = bench.area(kernel.areas.registers, len(state.registers))
        flags = bench.area(kernel.areas.flags, 4 * len(state.flags)).view(np.uint32)
        registers[:] = np.frombuffer(state.registers, np.uint8)
        flags[:] = state.flags
        bench.status = kernel.run_thread(bench.address, state.mask)
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
            code = shared_pool().submit(compile).result() if _is_main_thread() else compile()
            self._compiled[variant] = code
        return code

    def _payload(self, dispatch: Dispatch, threads: int) -> NDArray[np.uint8]:
        """Returns the payload of each thread of a group, shape [threads, bytes]; group ids are left zero."""
        description = self._executable.description
        image = self._payloads.get(dispatch.local_size)
        start = thread_payload.cross_thread_offset(description)
        if image is None:
            image = np.zeros((threads, payload_bytes(description)), np.uint8)
            image[:, description.target.grf_bytes : start] = thread_payload.per_thread_payload(
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
        worker: _Bench,
        memory: Memory,
        dispatch: Dispatch,
        images: ImageAccess | None = None,
        late_text: str = "",
    ) -> DeviceFault:
        """Returns the report of the fault of a launch that a worker has met."""
        group = _coordinates(worker.record.group, dispatch.group_count)
        return self._fault(worker, memory, group, worker.record.thread, images, late_text)

    def _fault(
        self,
        worker: _Bench,
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
        return device_fault(
            self._executable,
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

    def _deadlock(self, worker: _Bench, memory: Memory, group: Dim3, subgroup: int) -> DeviceFault:
        """Returns the report of a deadlock. For a single thread, `subgroup` is its number in reports."""
        threads = worker.launch.threads
        waiting = [number for number in range(threads) if worker.frame(number).resume != ENDED]
        first = worker.frame(waiting[0])
        number = first.waits_for
        return device_fault(
            self._executable,
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
        limits = description.target.block2d
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


class _Bench:
    """A worker and its memory: its record and the areas after it, all zeros at first.

    It keeps `used` alive: everything that the launch record refers to.
    """

    def __init__(self, kernel: JitKernelCode, launch: LaunchRecord, scratch_size: int, used: tuple[object, ...]):
        areas = kernel.areas
        self._kernel = kernel
        self._used = used
        self._memory, self.address = _aligned_memory(areas.size)
        self._slm, slm = _aligned_memory(launch.slm_size)
        self._areas = areas
        self._frame_bytes = areas.frame_bytes(scratch_size)
        self._frames, frames = _aligned_memory(self._frame_bytes * launch.threads)
        self.launch = launch
        self.record = Worker.from_address(self.address)
        self.record.launch = ctypes.addressof(launch)
        self.record.slm, self.record.frames, self.record.frame = slm, frames, frames
        self.record.scratch = self.address + areas.scratch
        self.record.rounds = ROUNDS
        self._first_record = bytes(self.record)
        self.status = RUNNING

    def let_go(self, payload: NDArray[np.uint8]) -> None:
        """Keeps nothing of a launch alive but the payload."""
        self._used = (payload,)

    def go_on(self, rounds: int) -> bool:
        """Runs work-groups until one yields after `rounds` rounds (True), or there is nothing left to do (False)."""
        self.record.rounds = rounds
        self.status = self._kernel.run_groups(self.address)
        return self.status == YIELDED

    @property
    def memory_bytes(self) -> int:
        """The size of its memory, with shared local memory and frames."""
        return self._memory.size + self._slm.size + self._frames.size

    def begin_again(self) -> None:
        """Makes the worker one that has not begun: its record as it was at first, and zeros in its memory."""
        ctypes.memmove(self.address, self._first_record, len(self._first_record))
        ctypes.memset(self.address + self._areas.sites, 0, self._areas.size - self._areas.sites)
        if self._frames.size > ALIGNMENT:
            self._frames.fill(0)
        self.status = RUNNING

    def area(self, offset: int, size: int) -> NDArray[np.uint8]:
        """Returns `size` bytes of the worker's memory, `offset` bytes from the record."""
        start = self.address - address_of(self._memory) + offset
        return self._memory[start : start + size]

    def frame(self, thread: int) -> FrameHeader:
        """Returns the frame of a thread of the current group."""
        return FrameHeader.from_address(self.record.frames + thread * self._frame_bytes)

    def barrier(self, number: int) -> Barrier:
        """Returns the state of a barrier of the current group."""
        return Barrier.from_address(self.address + self._areas.barriers + number * ctypes.sizeof(Barrier))


_Form = tuple[Dim3, Dim3, int]
"""Work-groups, their size, and shared local memory of a launch."""

_MOST_FORMS = 64
"""The forms of launches of a kernel for which something is kept."""

_SMALL = 1 << 16
"""The bytes that are kept for a form: clearing them takes less than a microsecond."""

_ALL_WANTED = (1 << 64) - 1


class _BriefLaunch:
    """A launch on one worker that programs repeat: its record, worker and payload are used again.

    A brief launch takes less time than to make these. It is not watched, as it ends before anybody could stop it.
    """

    def __init__(
        self, kernel: JitKernelCode, worker: _Bench, image: NDArray[np.uint8], payload: int, groups: int
    ) -> None:
        self.groups = groups
        self.threads = groups * worker.launch.threads
        self._run_groups = kernel.run_groups
        self._worker = worker
        self._image = image
        self._payload = payload
        self._cross_thread = b""
        # The table keeps memory alive that is freed while a launch uses it, but not longer.
        self._table: Callable[[], RangeTable | None] = lambda: None
        worker.let_go(image)

    @property
    def is_small(self) -> bool:
        return self._worker.memory_bytes + self._image.size <= _SMALL

    def run(self, cross_thread: bytes, table: RangeTable) -> _Bench:
        """Runs all work-groups, and returns the worker: with another status than `RUNNING`, it has met a fault."""
        worker = self._worker
        launch = worker.launch
        worker.begin_again()
        launch.next_group, launch.wanted = 0, _ALL_WANTED
        if self._table() is not table:
            launch.starts, launch.ends, launch.writable = table.addresses
            launch.ranges = len(table.starts)
            self._table = weakref.ref(table)
        if self._cross_thread != cross_thread:
            self._image[:, self._payload : self._payload + len(cross_thread)] = np.frombuffer(cross_thread, np.uint8)
            self._cross_thread = cross_thread
        worker.status = self._run_groups(worker.address)
        return worker


def _aligned_memory(size: int) -> tuple[NDArray[np.uint8], int]:
    """Returns zeroed memory, which lives as long as the array, and the address of its first aligned byte."""
    memory = np.zeros(size + ALIGNMENT - 1, np.uint8)
    address = address_of(memory)
    return memory, address + -address % ALIGNMENT


def _address(record: Worker) -> int:
    """Returns the address of a fault; register addresses may be negative."""
    is_register = record.kind == FaultKind.BAD_REGISTER
    return ctypes.c_int64(record.address).value if is_register else int(record.address)


def _launch(table: RangeTable, instruction_limit: int, slm_size: int) -> LaunchRecord:
    """Returns a launch record for the allocations of `table`, which the caller keeps alive."""
    starts, ends, writable = table.addresses
    return LaunchRecord(
        starts=starts,
        ends=ends,
        writable=writable,
        ranges=len(table.starts),
        instruction_limit=min(instruction_limit, (1 << 64) - 1),
        wanted=_ALL_WANTED,
        slm_size=slm_size,
    )


def _coordinates(group: int, count: Dim3) -> Dim3:
    """Returns the position in the grid of work-group number `group`."""
    columns, rows, _ = count
    return group % columns, group // columns % rows, group // columns // rows


def _late(workers: Sequence[_Bench]) -> _Bench:
    """Returns the worker to report when the time is up: one that was stopped inside of a group, if there is one."""
    worker = next((worker for worker in workers if worker.status == STOPPED), workers[0])
    worker.record.kind, worker.record.lane, worker.record.access_size = FaultKind.TIME_LIMIT, -1, 0
    return worker


def _run_all(work: Callable[[], None], count: int, launch: LaunchRecord, watch: Watch, first: int) -> None:
    """Does `work` on `count` host threads, from work-group `first` on.

    The main thread, and any thread that supervises the launch, only waits: Ctrl-C interrupts the wait and stops the
    launch.
    """
    waits = watch.period is not None or _is_main_thread()
    pending: list[Task[None]] = []
    try:
        pending.extend(shared_pool().submit(work) for _ in range(count if waits else count - 1))
        if not waits:
            work()
        for task in pending:
            _wait(task, launch, watch, first)
    except BaseException:
        launch.wanted = 0
        for task in pending:
            task.has_ended()
        raise


def _wait(task: Task[None], launch: LaunchRecord, watch: Watch, first: int) -> None:
    while not task.wait(watch.period):
        watch.look(launch.next_group - first)


def _is_main_thread() -> bool:
    return threading.get_ident() == threading.main_thread().ident
