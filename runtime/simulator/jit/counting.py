"""Counters in compiled code: executions of blocks, enabled channels of instructions, and the cycles of a thread."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.llvm import IRFunction, Value, integer, vector
from runtime.simulator.counts import ExecutionCounts, Numbers, predicate_masks
from runtime.simulator.jit.channels import Channels
from runtime.simulator.jit.registers import Registers
from runtime.simulator.jit.routines import WORKER
from runtime.simulator.machine.clock import reads_clock
from xegpu.isa import Program, Register, RegisterFile
from xegpu.isa.code import basic_blocks
from xegpu.isa.formats import byte_of, channel_count
from xegpu.isa.model import TIMESTAMP, TIMESTAMP_BYTES
from xegpu.targets import Target

COUNTER_BYTES = 8


def counter_bytes(program: Program) -> int:
    """Returns the size in bytes of a program's counters: for each instruction one of executions and one of channels."""
    return 2 * COUNTER_BYTES * len(program.instructions)


class Counting:
    """Emits the counting.

    `area` is the offset of the counters from the worker's record. `constant` has, for each instruction, the number of
    channels that are always enabled, or None: these are counted.
    """

    def __init__(
        self, code: IRFunction, channels: Channels, program: Program, area: int, constant: Sequence[int | None]
    ):
        self._code = code
        self._channels = channels
        self._program = program
        self._area = area
        self._constant = constant

    def block(self, start: int) -> None:
        """Counts an execution of the block that starts at an instruction."""
        self._add(start, integer(1))

    def instruction(self, index: int) -> None:
        """Counts the channels that are about to execute an instruction."""
        if self._constant[index] is not None:
            return
        code, instruction = self._code, self._program.instructions[index]
        count = channel_count(instruction)
        masked = self._channels.enabled if predicate_masks(instruction) else self._channels.base
        enabled = masked(instruction, count)
        if enabled is None:
            self._add(len(self._constant) + index, integer(count))
            return
        bits = code.cast("zext", code.bits(enabled), "i64")
        self._add(len(self._constant) + index, code.call("llvm.ctpop.i64", "i64", bits))

    def _add(self, counter: int, value: Value) -> None:
        code = self._code
        address = code.offset(WORKER, self._area + COUNTER_BYTES * counter)
        code.store(code.binary("add", code.load("i64", address, COUNTER_BYTES), value), address, COUNTER_BYTES)


class Clock:
    """Emits the timestamp register, in a program that reads it.

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
    program: Program, counters: Numbers, constant: Sequence[int | None], allocated: int
) -> ExecutionCounts:
    """Returns the counts of each instruction from the summed counters of all workers."""
    blocks, varying = np.split(counters, 2)
    executed = np.zeros_like(blocks)
    for block in basic_blocks(program):
        executed[block.start : block.end] = blocks[block.start]
    known = np.array([channels or 0 for channels in constant], np.uint64)
    return ExecutionCounts(executed, np.where([c is None for c in constant], varying, executed * known), allocated)
