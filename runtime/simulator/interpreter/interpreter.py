"""The engine: kernels as lists of steps, grids as loops over groups and threads."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import prod

import numpy as np

from runtime.simulator import payload
from runtime.simulator.barriers import Barriers, deadlock_text
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
from runtime.simulator.interpreter.dpas import decode_dpas
from runtime.simulator.interpreter.fault import Fault
from runtime.simulator.interpreter.messages import decode_message
from runtime.simulator.interpreter.spaces import GlobalMemory
from runtime.simulator.interpreter.step import END, WAIT, Step
from runtime.simulator.interpreter.thread import Suspended, Thread
from runtime.simulator.interpreter.values import Bytes
from runtime.simulator.launch import Dispatch, Statistics, Triple
from runtime.simulator.memory import POISON, Memory
from runtime.simulator.rounding import writes_control
from xegpu.isa import Format

_NO_MEMORY = Memory()
"""What idle machines are attached to, so that they keep no memory alive."""


class Interpreter:
    """Executes instructions one by one. Uses a single host thread."""

    def prepare(self, executable: Executable) -> InterpretedKernel:
        """Nothing is done ahead: threads decode the kernel when they are made."""
        return InterpretedKernel(executable)


class InterpretedKernel:
    """A kernel and the threads, made so far, that may run it."""

    def __init__(self, executable: Executable):
        self._executable = executable
        self._idle: list[_Machine] = []

    def run(self, dispatch: Dispatch, memory: Memory, threads: int) -> Statistics:
        """Runs the groups in order, x fastest, on the calling host thread; raises `DeviceFault`."""
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
        with self._machine(memory) as machine:
            for group in _groups(dispatch.group_count):
                machine.thread.slm.bytes = slm.copy()
                starts = []
                for thread, (image, mask) in enumerate(zip(images, masks, strict=True)):
                    r0 = payload.header(group, thread, len(images)).ljust(header, b"\0")
                    image[:header] = np.frombuffer(r0, np.uint8)
                    starts.append((image, flags, mask))
                executed += machine.run_group(group, starts)
        groups = prod(dispatch.group_count)
        return Statistics(executed, groups * len(images), groups, time.perf_counter() - start)

    def run_thread(
        self, state: ThreadState, memory: Memory, group: Triple = (0, 0, 0), subgroup: int = 0
    ) -> ThreadState:
        """Runs one hardware thread from a given state to its end; raises `DeviceFault`."""
        with self._machine(memory) as machine:
            thread = machine.thread
            thread.reset(np.frombuffer(state.registers, np.uint8), state.flags, state.mask)
            thread.slm.bytes = np.full(self._executable.description.slm_size, POISON, np.uint8)
            machine.enter_group(1)
            if not machine.run(group, subgroup):
                raise machine.deadlock(group, {subgroup: thread.suspend()}, 1)
            return ThreadState(thread.registers.tobytes(), tuple(int(flag[0]) for flag in thread.flags), thread.mask)

    @contextmanager
    def _machine(self, memory: Memory) -> Iterator[_Machine]:
        """A machine for the exclusive use of one caller, with access to the memory that is live now.

        It is used again, unless it stops at a fault.
        """
        try:
            machine = self._idle.pop()
        except IndexError:
            machine = _Machine(self._executable)
        machine.attach(memory)
        yield machine
        machine.attach(_NO_MEMORY)
        self._idle.append(machine)


class _Machine:
    """A thread and the kernel decoded to steps on it."""

    def __init__(self, executable: Executable):
        self._executable = executable
        self.thread = Thread(executable.description, writes_control=writes_control(executable.program.instructions))
        self._steps = [self._decode(index) for index in range(len(executable.program.instructions))]
        self._memory = _NO_MEMORY

    def attach(self, memory: Memory) -> None:
        """Makes the live allocations of `memory` the thread's global memory."""
        self._memory = memory
        self.thread.memory = GlobalMemory(memory.table())

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
            case Format.CALL:
                return decode_call(instruction, thread, program, index)
            case Format.RETURN:
                return decode_return(instruction, thread, program)
            case Format.PLAIN:
                return decode_plain(instruction, thread)

    def enter_group(self, threads: int) -> None:
        """New barriers, for a work-group of so many threads."""
        self.thread.barriers = Barriers(self._executable.description.barrier_count, threads)
        self.thread.number = 0

    def run_group(self, group: Triple, starts: Sequence[tuple[Bytes, tuple[int, ...], int]]) -> int:
        """Executes the threads of a work-group, which start with these registers, flags and masks.

        They take turns, each until it waits or ends. Returns the number of instructions; raises `DeviceFault`.
        """
        thread, executed = self.thread, 0
        self.enter_group(len(starts))
        waiting: dict[int, Suspended] = {}
        for number, start in enumerate(starts):
            thread.reset(*start)
            thread.number = number
            if self.run(group, number):
                executed += thread.executed
            else:
                waiting[number] = thread.suspend()
        while waiting:
            goes_on = False
            for number, suspended in list(waiting.items()):
                thread.resume(suspended)
                thread.number = number
                ended = self.run(group, number)
                goes_on |= ended or thread.executed > suspended.executed
                del waiting[number]
                if ended:
                    executed += thread.executed
                else:
                    waiting[number] = thread.suspend()
            if not goes_on:
                raise self.deadlock(group, waiting, len(starts))
        return executed

    def deadlock(self, group: Triple, waiting: Mapping[int, Suspended], threads: int) -> DeviceFault:
        """The report when nobody can go on."""
        subgroup = min(waiting)
        first = waiting[subgroup]
        state = self.thread.barriers.states[first.waits_for]
        return device_fault(
            self._executable,
            self._memory,
            FaultKind.DEADLOCK,
            first.index,
            group=group,
            subgroup=subgroup,
            detail=deadlock_text(len(waiting), threads, first.waits_for, state),
        )

    def run(self, group: Triple, subgroup: int) -> bool:
        """Executes the thread until it ends (true) or waits at a barrier. Raises `DeviceFault`."""
        thread, limit = self.thread, self._executable.instruction_limit
        index, executed = thread.index, thread.executed
        try:
            with np.errstate(all="ignore"):
                while True:
                    target = self._steps[index]()
                    if target == WAIT:
                        thread.index, thread.executed = index, executed
                        return False
                    executed += 1
                    if target is None:
                        index += 1
                        continue
                    if target == END:
                        thread.executed = executed
                        return True
                    if target <= index and executed > limit:
                        raise Fault(FaultKind.RUNAWAY, f"{executed} instructions were executed, the limit is {limit}")
                    index = target
        except Fault as fault:
            raise device_fault(
                self._executable,
                self._memory,
                fault.kind,
                index,
                group=group,
                subgroup=subgroup,
                lane=fault.lane,
                address=fault.address,
                size=fault.size,
                detail=fault.detail,
            ) from None


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
