"""Counters in compiled code: executions of blocks, enabled channels of instructions, and the cycles of a thread."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from typing import NamedTuple

import numpy as np

from runtime.llvm import IRFunction, Value, integer, vector
from runtime.simulator.execution.costs import ProgramCosts
from runtime.simulator.jit.state.channels import Channels
from runtime.simulator.jit.state.launch_records import Worker
from runtime.simulator.jit.state.registers import Registers
from runtime.simulator.jit.state.routines import WORKER, load_field
from runtime.simulator.launch.counts import ExecutionCounts, Numbers, ThreadSpread, predicate_masks
from runtime.simulator.machine.clock import reads_clock
from xegpu.isa import Program, Register, RegisterFile
from xegpu.isa.code import basic_blocks
from xegpu.isa.cost import Pipe
from xegpu.isa.formats import byte_of, channel_count
from xegpu.isa.model import TIMESTAMP, TIMESTAMP_BYTES
from xegpu.targets import Target

COUNTER_BYTES = 8

_PIPES = tuple(Pipe)

_THREAD_COUNTERS, _PIPE_COUNTERS = 4, 4
"""Counters of the distribution of work, of threads and of each pipe."""


def counter_bytes(program: Program) -> int:
    """Returns the size in bytes of a program's counters: for each instruction one of executions and one of channels,
    and those of the distribution of work.
    """
    return COUNTER_BYTES * (2 * len(program.instructions) + _THREAD_COUNTERS + _PIPE_COUNTERS * len(_PIPES))


class Counting:
    """Emits the counting.

    `area` is the offset of the counters from the worker's record. `constant` has, for each instruction, the number of
    channels that are always enabled, or None: these are counted.
    """

    def __init__(
        self,
        code: IRFunction,
        channels: Channels,
        program: Program,
        area: int,
        constant: Sequence[int | None],
        costs: ProgramCosts,
    ):
        self._code = code
        self._channels = channels
        self._program = program
        self._area = area
        self._constant = constant
        self._costs = costs
        first = 2 * len(constant)
        self._slowest, self._groups, self._group, self._group_slowest = range(first, first + _THREAD_COUNTERS)
        self._pipes = {
            pipe: _PipeCounters(*range(at, at + _PIPE_COUNTERS))
            for at, pipe in zip(count(first + _THREAD_COUNTERS, _PIPE_COUNTERS), _PIPES, strict=False)
            if pipe in costs.pipes
        }

    def block(self, start: int, end: int) -> None:
        """Counts an execution of the block from an instruction on to another one."""
        self._add(start, integer(1))
        for pipe, counters in self._pipes.items():
            taken = sum(self._costs.occupancy[index] for index in range(start, end) if self._costs.pipes[index] is pipe)
            if taken:
                self._add(counters.total, integer(int(taken)))

    def instruction(self, index: int) -> None:
        """Counts the channels that are about to execute an instruction."""
        if self._constant[index] is not None:
            return
        code, instruction = self._code, self._program.instructions[index]
        channels = channel_count(instruction)
        masked = self._channels.enabled if predicate_masks(instruction) else self._channels.base
        enabled = masked(instruction, channels)
        if enabled is None:
            self._add(len(self._constant) + index, integer(channels))
            return
        bits = code.cast("zext", code.bits(enabled), "i64")
        self._add(len(self._constant) + index, code.call("llvm.ctpop.i64", "i64", bits))

    def thread(self, cycles: Value) -> None:
        """Counts a thread that has ended after some cycles. One group after the other runs to its end."""
        code = self._code
        group = load_field(code, WORKER, Worker, "group")
        is_new = code.compare("icmp ne", group, self._load(self._group))
        self._store(group, self._group)
        before = code.select(is_new, integer(0), self._load(self._group_slowest))
        longest = self._larger(before, cycles)
        self._store(longest, self._group_slowest)
        self._add(self._groups, code.binary("sub", longest, before))
        self._store(self._larger(self._load(self._slowest), cycles), self._slowest)
        for pipe in self._pipes.values():
            start = code.select(is_new, self._load(pipe.latest), self._load(pipe.start))
            total = self._load(pipe.total)
            self._store(start, pipe.start)
            self._store(total, pipe.latest)
            self._store(self._larger(self._load(pipe.busiest), code.binary("sub", total, start)), pipe.busiest)

    def _larger(self, one: Value, other: Value) -> Value:
        return self._code.call("llvm.umax.i64", "i64", one, other)

    def _add(self, counter: int, value: Value) -> None:
        self._store(self._code.binary("add", self._load(counter), value), counter)

    def _load(self, counter: int) -> Value:
        return self._code.load("i64", self._address(counter), COUNTER_BYTES)

    def _store(self, value: Value, counter: int) -> None:
        self._code.store(value, self._address(counter), COUNTER_BYTES)

    def _address(self, counter: int) -> Value:
        return self._code.offset(WORKER, self._area + COUNTER_BYTES * counter)


class _PipeCounters(NamedTuple):
    """The counters of a pipe: cycles of the busiest group; cycles of all groups until now, at the end of the latest
    thread, and before its group.
    """

    busiest: int
    total: int
    latest: int
    start: int


class Clock:
    """Emits the cycles of a thread, and the timestamp register in a program that reads it.

    A variable has the cycles of the thread up to the block, and each read adds those of its block until then.
    `cycles` are those of each instruction.
    """

    def __init__(self, code: IRFunction, registers: Registers, program: Program, target: Target, cycles: Sequence[int]):
        self._code = code
        self._registers = registers
        self._start = byte_of(Register(RegisterFile.ARF, TIMESTAMP.number), target)
        self._instructions = program.instructions
        self._cycles = cycles
        self._now = code.variable("i64", "clock", TIMESTAMP_BYTES)

    def enter(self) -> None:
        """Starts the clock of a thread."""
        self.set(integer(0))

    def now(self) -> Value:
        """Returns the cycles up to the block."""
        return self._code.load("i64", self._now, TIMESTAMP_BYTES)

    def set(self, cycles: Value) -> None:
        """Sets the clock to a time that `now` has returned."""
        self._code.store(cycles, self._now, TIMESTAMP_BYTES)

    def instruction(self, index: int, start: int) -> None:
        """Sets the register if an instruction of the block from `start` on is about to read it."""
        if reads_clock(self._instructions[index]):
            value = self._code.cast("bitcast", self._after(start, index), vector(TIMESTAMP_BYTES // 4, "i32"))
            self._registers.define(self._start, value)

    def block(self, start: int, end: int) -> None:
        """Adds the cycles of a block at its end."""
        self.set(self._after(start, end))

    def _after(self, start: int, end: int) -> Value:
        return self._code.binary("add", self.now(), integer(sum(self._cycles[start:end])))


def execution_counts(
    program: Program, workers: Iterable[Numbers], constant: Sequence[int | None], allocated: int
) -> ExecutionCounts:
    """Returns the counts of a launch from the counters of all workers."""
    size = len(program.instructions)
    counters, spread = np.zeros(2 * size, np.uint64), ThreadSpread()
    for found in workers:
        counters += found[: 2 * size]
        slowest, groups, *_ = found[2 * size :].tolist()
        busiest = found[2 * size + _THREAD_COUNTERS :: _PIPE_COUNTERS].tolist()
        spread += ThreadSpread(slowest, groups, dict(zip(_PIPES, busiest, strict=True)))
    blocks, varying = np.split(counters, 2)
    executed = np.zeros_like(blocks)
    for block in basic_blocks(program):
        executed[block.start : block.end] = blocks[block.start]
    known = np.array([channels or 0 for channels in constant], np.uint64)
    channels = np.where([c is None for c in constant], varying, executed * known)
    return ExecutionCounts(executed, channels, allocated, spread)
