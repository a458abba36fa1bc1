"""The engine: kernels as lists of steps, grids as loops over groups and threads."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import prod
from time import monotonic

import numpy as np

from runtime.simulator import payload
from runtime.simulator.barriers import Barriers, deadlock_text
from runtime.simulator.counts import allocated_bytes
from runtime.simulator.engine import Executable, ThreadState
from runtime.simulator.faults import DeviceFault, FaultKind, device_fault
from runtime.simulator.interpreter.alu import decode_alu
from runtime.simulator.interpreter.control import (
    decode_barrier,
    decode_branch,
    decode_call,
    decode_fence,
    decode_goto,
    decode_join,
    decode_plain,
    decode_return,
)
from runtime.simulator.interpreter.counter import Counter
from runtime.simulator.interpreter.dpas import decode_dpas
from runtime.simulator.interpreter.fault import Fault
from runtime.simulator.interpreter.images import decode_image
from runtime.simulator.interpreter.messages import decode_message
from runtime.simulator.interpreter.observer import Execution, Observer
from runtime.simulator.interpreter.spaces import GlobalMemory
from runtime.simulator.interpreter.step import END, WAIT, Step
from runtime.simulator.interpreter.thread import Suspended, Thread
from runtime.simulator.interpreter.values import Bytes
from runtime.simulator.launch import Dispatch, Statistics, Triple
from runtime.simulator.memory import POISON, Memory
from runtime.simulator.rounding import writes_control
from runtime.simulator.watch import ALONE, LaunchOptions, Watch
from xegpu.isa import Format

_NO_MEMORY = Memory()
"""What idle machines are attached to, so that they keep no memory alive."""


def _do_nothing() -> None:
    """The interpreter looks at the deadline itself."""


_UNWATCHED = Watch(ALONE, "", 0, on_stop=_do_nothing)


class Interpreter:
    """Executes instructions one by one. Uses a single host thread. `observers` are told of all that happens."""

    def __init__(self, observers: Sequence[Observer] = ()):
        self._observers = tuple(observers)

    def prepare(self, executable: Executable) -> InterpretedKernel:
        """Nothing is done ahead: threads decode the kernel when they are made."""
        return InterpretedKernel(executable, self._observers)


class InterpretedKernel:
    """A kernel and the threads, made so far, that may run it."""

    def __init__(self, executable: Executable, observers: tuple[Observer, ...] = ()):
        self._executable = executable
        self._observers = observers
        self._idle: list[_Machine] = []

    def run(self, dispatch: Dispatch, memory: Memory, options: LaunchOptions = ALONE) -> Statistics:
        """Runs the groups in order, x fastest, on the calling host thread; raises `DeviceFault`, `LaunchStopped`."""
        start = time.perf_counter()
        description = self._executable.description
        images = _register_images(self._executable, dispatch)
        header = description.target.grf_bytes
        flags = (0,) * description.target.flag_registers
        masks = [
            payload.execution_mask(description.simd_size, dispatch.local_size, thread) for thread in range(len(images))
        ]
        executed = 0
        slm = np.full(description.slm_size + dispatch.slm_size, POISON, np.uint8)
        groups = prod(dispatch.group_count)
        watch = Watch(options, description.name, groups, on_stop=_do_nothing)
        counter = Counter(self._executable.program) if options.counts else None
        with self._machine(memory, dispatch, watch, counter) as machine, watch:
            for number, group in enumerate(_groups(dispatch.group_count)):
                watch.look(number)
                machine.thread.slm.bytes = slm.copy()
                starts = []
                for thread, (image, mask) in enumerate(zip(images, masks, strict=True)):
                    r0 = payload.header(group, thread, len(images)).ljust(header, b"\0")
                    image[:header] = np.frombuffer(r0, np.uint8)
                    starts.append((image, flags, mask))
                executed += machine.run_group(group, starts)
        counts = None if counter is None else replace(counter.counts, allocated=allocated_bytes(memory.table()))
        return Statistics(executed, groups * len(images), groups, time.perf_counter() - start, counts)

    def run_thread(
        self, state: ThreadState, memory: Memory, group: Triple = (0, 0, 0), subgroup: int = 0
    ) -> ThreadState:
        """Runs one hardware thread from a given state to its end; raises `DeviceFault`."""
        with self._machine(memory) as machine:
            thread = machine.thread
            thread.slm.bytes = np.full(self._executable.description.slm_size, POISON, np.uint8)
            start = np.frombuffer(state.registers, np.uint8), state.flags, state.mask
            machine.run_group(group, [start], first_subgroup=subgroup)
            return ThreadState(thread.registers.tobytes(), tuple(int(flag[0]) for flag in thread.flags), thread.mask)

    @contextmanager
    def _machine(
        self,
        memory: Memory,
        dispatch: Dispatch | None = None,
        watch: Watch | None = None,
        counter: Counter | None = None,
    ) -> Iterator[_Machine]:
        """A machine for the exclusive use of one launch, with access to the memory that is live now.

        It is used again, unless it stops at a fault or counts.
        """
        observers = self._observers if counter is None else (*self._observers, counter)
        try:
            machine = self._idle.pop() if counter is None else _Machine(self._executable, observers)
        except IndexError:
            machine = _Machine(self._executable, observers)
        machine.attach(memory, dispatch)
        machine.watch = watch or _UNWATCHED
        for observer in self._observers:
            observer.launch_started(machine.execution)
        try:
            yield machine
        finally:
            for observer in self._observers:
                observer.launch_ended(machine.execution)
        if counter is None:
            machine.attach(_NO_MEMORY)
            self._idle.append(machine)


class _Machine:
    """A thread and the kernel decoded to steps on it."""

    def __init__(self, executable: Executable, observers: tuple[Observer, ...]):
        self._executable = executable
        self._observers = observers
        self.thread = Thread(executable.description, writes_control=writes_control(executable.program.instructions))
        steps = [self._decode(index) for index in range(len(executable.program.instructions))]
        self._steps = [self._observed(index, step) for index, step in enumerate(steps)] if observers else steps
        self.execution = Execution(executable, None, _NO_MEMORY, self.thread)
        self.watch = _UNWATCHED

    def attach(self, memory: Memory, dispatch: Dispatch | None = None) -> None:
        """Makes the live allocations of `memory` the thread's global memory, for a launch."""
        self.execution = Execution(self._executable, dispatch, memory, self.thread)
        self.thread.memory = GlobalMemory(memory.table())

    def _observed(self, index: int, step: Step) -> Step:
        """A step that tells the observers; kernels that nobody watches do without."""
        thread, observers = self.thread, self._observers

        def observed() -> int | None:
            execution = self.execution
            if not thread.goes_on:
                thread.index = index
                for observer in observers:
                    observer.before(execution, index)
            target = step()
            if target != WAIT:
                for observer in observers:
                    observer.after(execution, index)
            return target

        return observed

    def _decode(self, index: int) -> Step:
        program, thread = self._executable.program, self.thread
        instruction = program.instructions[index]
        match instruction.spec.format:
            case Format.ALU:
                return decode_alu(instruction, thread)
            case Format.DPAS:
                return decode_dpas(instruction, thread)
            case Format.MESSAGE:
                return decode_message(instruction, thread)
            case Format.IMAGE:
                return decode_image(instruction, thread)
            case Format.FENCE:
                return decode_fence()
            case Format.BARRIER:
                return decode_barrier(instruction, thread)
            case Format.BRANCH:
                return decode_branch(instruction, thread, program, index)
            case Format.GOTO:
                return decode_goto(instruction, thread, program, index)
            case Format.JOIN:
                return decode_join(thread, program, index)
            case Format.CALL | Format.INDIRECT_CALL:
                return decode_call(instruction, thread, program, index)
            case Format.RETURN:
                return decode_return(instruction, thread, program)
            case Format.PLAIN:
                return decode_plain(instruction, thread)

    def run_group(
        self, group: Triple, starts: Sequence[tuple[Bytes, tuple[int, ...], int]], first_subgroup: int = 0
    ) -> int:
        """Executes the threads of a work-group, which start with these registers, flags and masks.

        They take turns, each until it waits or ends. Returns the number of instructions; raises `DeviceFault`, which
        calls the first thread `first_subgroup`.
        """
        thread, executed = self.thread, 0
        thread.barriers = Barriers(self._executable.description.barrier_count, len(starts))
        waiting: dict[int, Suspended] = {}
        execution = self.execution
        execution.group, execution.threads, execution.waiting = group, len(starts), waiting
        execution.first_subgroup = first_subgroup
        for observer in self._observers:
            observer.group_started(execution)
        for number, start in enumerate(starts):
            thread.reset(*start)
            thread.number = number
            for observer in self._observers:
                observer.thread_started(execution)
            if self._run():
                executed += thread.executed
            else:
                waiting[number] = thread.suspend()
        while waiting:
            goes_on = False
            for number, suspended in list(waiting.items()):
                thread.resume(suspended)
                thread.number = number
                del waiting[number]
                for observer in self._observers:
                    observer.thread_resumed(execution)
                ended = self._run()
                goes_on |= ended or thread.executed > suspended.executed
                if ended:
                    executed += thread.executed
                else:
                    waiting[number] = thread.suspend()
            if not goes_on:
                raise self._deadlock(waiting)
        for observer in self._observers:
            observer.group_ended(execution)
        return executed

    def _deadlock(self, waiting: dict[int, Suspended]) -> DeviceFault:
        """The report when nobody can go on; the first thread that waits is at fault."""
        thread, number = self.thread, min(waiting)
        first = waiting.pop(number)
        thread.resume(first)
        thread.number = number
        state = thread.barriers.states[first.waits_for]
        detail = deadlock_text(len(waiting) + 1, self.execution.threads, first.waits_for, state)
        return self._fault(Fault(FaultKind.DEADLOCK, detail))

    def _run(self) -> bool:
        """Executes the thread until it ends (true) or waits at a barrier. Raises `DeviceFault`."""
        try:
            with np.errstate(all="ignore"):
                ended = self._execute()
        except Fault as fault:
            raise self._fault(fault) from None
        for observer in self._observers:
            if ended:
                observer.thread_ended(self.execution)
            else:
                observer.thread_suspended(self.execution)
        return ended

    def _execute(self) -> bool:
        thread, steps, limit, watch = self.thread, self._steps, self._executable.instruction_limit, self.watch
        index, executed = thread.index, thread.executed
        try:
            if monotonic() > watch.deadline:
                raise _early_end(watch)
            while True:
                target = steps[index]()
                if target == WAIT:
                    return False
                executed += 1
                if target is None:
                    index += 1
                    continue
                if target == END:
                    return True
                if target <= index and executed > limit:
                    raise Fault(FaultKind.RUNAWAY, f"{executed} instructions were executed, the limit is {limit}")
                if target <= index and monotonic() > watch.deadline:
                    raise _early_end(watch)
                index = target
        finally:
            thread.index, thread.executed = index, executed

    def _fault(self, fault: Fault) -> DeviceFault:
        """The report of a fault of the thread, at its instruction."""
        execution, thread = self.execution, self.thread
        report = device_fault(
            self._executable,
            execution.memory,
            fault.kind,
            thread.index,
            group=execution.group,
            subgroup=execution.first_subgroup + thread.number,
            lane=fault.lane,
            address=fault.address,
            size=fault.size,
            detail=fault.detail,
        )
        for observer in self._observers:
            observer.faulted(execution, report)
        return report


def _early_end(watch: Watch) -> Fault:
    """Why a launch ends whose deadline has passed; raises `LaunchStopped` if that is because somebody stopped it."""
    watch.check_stopped()
    return Fault(FaultKind.TIME_LIMIT, watch.late_text())


def _groups(count: Triple) -> Iterator[Triple]:
    """Ids of the work-groups of a grid, x fastest."""
    columns, rows, layers = count
    for z in range(layers if columns and rows else 0):
        for y in range(rows):
            for x in range(columns):
                yield x, y, z


def _register_images(executable: Executable, dispatch: Dispatch) -> list[Bytes]:
    """The register file of each thread of a group at its start, but for `r0`."""
    description = executable.description
    rows = payload.per_thread_payload(description, dispatch.local_size)
    images = np.zeros((len(rows), description.grf_count * description.target.grf_bytes), np.uint8)
    first, cross_thread = description.target.grf_bytes, payload.cross_thread_offset(description)
    images[:, first:cross_thread] = rows
    images[:, cross_thread : cross_thread + len(dispatch.cross_thread)] = np.frombuffer(dispatch.cross_thread, np.uint8)
    return list(images)
