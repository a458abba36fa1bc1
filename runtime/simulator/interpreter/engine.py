"""The interpreter's engine: kernels as lists of steps, grids as loops over groups and threads."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from runtime.simulator.execution.engine import Executable, ThreadState
from runtime.simulator.interpreter.counter import Counter
from runtime.simulator.interpreter.group import Group, Start
from runtime.simulator.interpreter.machine import NO_MEMORY, UNWATCHED, InterpretedThread, do_nothing
from runtime.simulator.interpreter.observer import Observer
from runtime.simulator.interpreter.threads.values import Bytes
from runtime.simulator.launch.counts import allocated_bytes
from runtime.simulator.launch.dispatch import Dispatch, Statistics
from runtime.simulator.machine import thread_payload
from runtime.simulator.machine.residency import residency
from runtime.simulator.machine.scheduling import LONE_ROUNDS, schedule
from runtime.simulator.memory import Memory
from runtime.simulator.supervision.watch import ALONE, LaunchOptions, Watch
from xegpu.isa.model import Dim3


class Interpreter:
    """Executes instructions one by one, on a single host thread. `observers` are notified of all events."""

    def __init__(self, observers: Sequence[Observer] = ()):
        self._observers = tuple(observers)

    def prepare(self, executable: Executable) -> InterpretedKernel:
        """Returns a kernel that is decoded by its threads, when these are made."""
        return InterpretedKernel(executable, self._observers)


class InterpretedKernel:
    """A kernel and its idle threads, which are reused by later launches."""

    def __init__(self, executable: Executable, observers: tuple[Observer, ...] = ()):
        self._executable = executable
        self._observers = observers
        self._idle: list[InterpretedThread] = []

    def run(self, dispatch: Dispatch, memory: Memory, options: LaunchOptions = ALONE) -> Statistics:
        """Runs the groups in their order on the calling host thread; raises `DeviceFault`, `LaunchStopped`.

        Groups that spin yield to others, unless there are observers, which expect one group after the other.
        """
        start = time.perf_counter()
        description = self._executable.description
        images = _register_images(self._executable, dispatch)
        header = description.target.platform.grf_bytes
        flags = (0,) * description.target.platform.flag_registers
        masks = [
            thread_payload.execution_mask(description.facts.simd_size, dispatch.local_size, thread)
            for thread in range(len(images))
        ]
        slm = np.zeros(description.facts.slm_size + dispatch.slm_size, np.uint8)
        running = dispatch.running_groups
        groups = len(running)
        watch = Watch(options, description.name, groups, on_stop=do_nothing)
        counter = Counter(self._executable) if options.counts else None
        spins = self._executable.groups_take_turns and not self._observers
        most = residency(description, dispatch).resident_groups if spins else 1
        coming = enumerate(map(self._executable.order(dispatch).position, running))
        with self._machine(memory, dispatch, watch, counter) as machine, watch:

            def open_group() -> Group | None:
                if machine.fault is not None:
                    return None
                for number, group in coming:
                    watch.look(number)
                    starts: list[Start] = []
                    for thread, (image, mask) in enumerate(zip(images, masks, strict=True)):
                        r0 = thread_payload.header(group, thread, len(images)).ljust(header, b"\0")
                        image[:header] = np.frombuffer(r0, np.uint8)
                        starts.append((image, flags, mask))
                    return Group(machine, number, group, starts, slm.copy())
                return None

            schedule(open_group, most, lambda: machine.fault is not None)
            executed = machine.outcome()
        counts = None
        if counter is not None:
            counts = replace(counter.counts, allocated=allocated_bytes(memory.table()), spread=counter.spread)
        return Statistics(executed, groups * len(images), groups, time.perf_counter() - start, counts)

    def run_thread(self, state: ThreadState, memory: Memory, group: Dim3 = (0, 0, 0), subgroup: int = 0) -> ThreadState:
        """Runs one hardware thread from a given state to its end; raises `DeviceFault`."""
        with self._machine(memory) as machine:
            thread = machine.thread
            slm = np.zeros(self._executable.description.facts.slm_size, np.uint8)
            start = np.frombuffer(state.registers, np.uint8), state.flags, state.mask
            alone = Group(machine, 0, group, [start], slm, first_subgroup=subgroup)
            while alone.go_on(LONE_ROUNDS):
                pass
            machine.outcome()
            return ThreadState(thread.registers.tobytes(), tuple(int(flag[0]) for flag in thread.flags), thread.mask)

    @contextmanager
    def _machine(
        self,
        memory: Memory,
        dispatch: Dispatch | None = None,
        watch: Watch | None = None,
        counter: Counter | None = None,
    ) -> Iterator[InterpretedThread]:
        """Yields a machine for the exclusive use of one launch, with access to the memory that is live now.

        It is reused, unless it stops at a fault or counts.
        """
        observers = self._observers if counter is None else (*self._observers, counter)
        try:
            machine = self._idle.pop() if counter is None else InterpretedThread(self._executable, observers)
        except IndexError:
            machine = InterpretedThread(self._executable, observers)
        machine.attach(memory, dispatch)
        machine.watch = watch or UNWATCHED
        for observer in self._observers:
            observer.launch_started(machine.execution)
        try:
            yield machine
        finally:
            for observer in self._observers:
                observer.launch_ended(machine.execution)
        if counter is None:
            machine.attach(NO_MEMORY)
            self._idle.append(machine)


def _register_images(executable: Executable, dispatch: Dispatch) -> list[Bytes]:
    """Returns the initial register file of each thread of a group, without `r0`."""
    description = executable.description
    rows = thread_payload.per_thread_payload(description, dispatch.local_size)
    images = np.zeros((len(rows), description.register_count * description.target.platform.grf_bytes), np.uint8)
    first, cross_thread = description.target.platform.grf_bytes, thread_payload.cross_thread_offset(description)
    images[:, first:cross_thread] = rows
    images[:, cross_thread : cross_thread + len(dispatch.cross_thread)] = np.frombuffer(dispatch.cross_thread, np.uint8)
    return list(images)
