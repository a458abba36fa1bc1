"""The issue of the instructions of one thread: in order, each when its operands are ready and its pipe is free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xegpu.isa.cost.instruction import instruction_cost
from xegpu.isa.formats.dpas import dpas_registers
from xegpu.isa.formats.footprint import footprint
from xegpu.isa.formats.parts.spans import FIRST_ARCHITECTURE, Span, byte_of
from xegpu.isa.model.costs import InstructionCost, Pipe, StallReason
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import ARCHITECTURE, SourceRegister
from xegpu.targets import Target

_GRANULE = 4
"""Bytes of the register file that are told apart."""

_ALL_ON = 0xFFFFFFFF


class Work(NamedTuple):
    """Holds the requirements for issuing an instruction, whenever that happens."""

    cost: InstructionCost
    reads: Sequence[Operand]
    writes: Sequence[Operand]
    flags_read: Sequence[int]
    flags_written: Sequence[int]


class Operand(NamedTuple):
    """Holds the place of an operand in the register file."""

    span: Span
    granules: slice
    chained: bool
    """True for C of a dpas, whose rows one dpas forwards to the next without a wait."""


class Scoreboard:
    """The state of a thread that has an EU for itself: `now` is the cycle at which its next instruction may be issued.

    Every write waits for earlier ones to the same registers, so that more instructions never make it faster.
    """

    def __init__(self, target: Target, grf_count: int):
        self.now = 0
        self.occupancy = dict.fromkeys(Pipe, 0)
        """Cycles that the instructions issued so far have taken of each pipe."""
        self._target = target
        self._grf_count = grf_count
        self._free = dict.fromkeys(Pipe, 0)
        granules = (FIRST_ARCHITECTURE + len(ARCHITECTURE)) * target.platform.grf_bytes // _GRANULE
        self._ready = [0] * granules
        self._chained = [0] * granules
        self._busy = [0] * granules
        self._loaded = bytearray(granules)
        self._flags = [0] * target.platform.flag_registers

    def work(self, instruction: Instruction) -> Work:
        """Returns what issuing an instruction takes."""
        touched = footprint(instruction, self._target, self._grf_count, _ALL_ON)
        chained = self._accumulator(instruction)
        return Work(
            instruction_cost(instruction, self._target),
            [Operand(span, _granules(span), span.start == chained) for span in touched.reads],
            [Operand(span, _granules(span), span.start == chained) for span in touched.writes],
            _flags_read(instruction),
            _flags_written(instruction),
        )

    def issue(self, work: Work) -> int:
        """Issues an instruction. Returns the cycles that it adds to the thread: waiting, its own, and what follows."""
        cost, before, start = work.cost, self.now, self._start(work)
        self._retire(work, start)
        self._free[cost.pipe] = start + cost.occupancy
        self.occupancy[cost.pipe] += cost.occupancy
        self.now = start + 1 + cost.stall
        return self.now - before

    def stalls(self, work: Work) -> Mapping[StallReason, int]:
        """Returns the cycles that an instruction would wait if it came next, and make others wait."""
        found: dict[StallReason, int] = {}
        start = self._start(work)
        if start > self.now:
            found[self._reason(work, start)] = start - self.now
        if work.cost.stall:
            own = StallReason.SYNC if work.cost.pipe is Pipe.SEND else StallReason.CONTROL
            found[own] = found.get(own, 0) + work.cost.stall
        return found

    def _reason(self, work: Work, start: int) -> StallReason:
        """Returns why an instruction cannot be issued before `start`."""
        if self._free[work.cost.pipe] >= start:
            return StallReason.PIPE
        for operands, early in ((work.reads, 0), (work.writes, work.cost.latency)):
            for operand in operands:
                times = self._chained if operand.chained else self._ready
                granules = range(*operand.granules.indices(len(times)))
                late = [index for index in granules if times[index] - early >= start]
                if late:
                    loaded = any(self._loaded[index] for index in late)
                    return StallReason.MESSAGE if loaded else StallReason.DEPENDENCY
        is_busy = any(max(self._busy[operand.granules]) >= start for operand in work.writes)
        return StallReason.MESSAGE if is_busy else StallReason.DEPENDENCY

    def _start(self, work: Work) -> int:
        """Returns the cycle at which an instruction can be issued."""
        cost = work.cost
        start = max(self.now, self._free[cost.pipe])
        for _, granules, chained in work.reads:
            start = max(start, *(self._chained if chained else self._ready)[granules])
        for _, granules, chained in work.writes:
            written = max((self._chained if chained else self._ready)[granules])
            start = max(start, written - cost.latency, *self._busy[granules])
        for flag in work.flags_read:
            start = max(start, self._flags[flag])
        return start

    def _accumulator(self, instruction: Instruction) -> int | None:
        """Returns the first byte of C of a dpas."""
        if not instruction.spec.is_matrix_product:
            return None
        _, c, _, _ = dpas_registers(instruction)
        return None if c.is_null else byte_of(c, self._target)

    def _retire(self, work: Work, start: int) -> None:
        """Marks when the results are ready and the operands may be overwritten."""
        cost, timing, register = work.cost, self._target.timing, self._target.platform.grf_bytes
        for span, granules, _ in work.writes:
            is_general = span.start < FIRST_ARCHITECTURE * register
            ready = start + (cost.latency if is_general else timing.flag_latency)
            chained = start + cost.occupancy if cost.pipe is Pipe.DPAS else ready
            self._ready[granules] = [ready] * (granules.stop - granules.start)
            self._chained[granules] = [chained] * (granules.stop - granules.start)
            self._loaded[granules] = bytes([cost.pipe is Pipe.SEND]) * (granules.stop - granules.start)
        if cost.pipe is Pipe.SEND:
            registers = sum(-(-operand.span.size // register) for operand in work.reads)
            for _, granules, _ in work.reads:
                self._busy[granules] = [start + timing.operand_read + registers] * (granules.stop - granules.start)
        for flag in work.flags_written:
            self._flags[flag] = start + timing.flag_latency


def _granules(span: Span) -> slice:
    return slice(span.start // _GRANULE, -(-span.end // _GRANULE))


def _flags_read(instruction: Instruction) -> list[int]:
    predicate = instruction.predicate
    found = [] if predicate is None else [predicate.flag.number]
    flags = [source.register.flag for source in instruction.sources if isinstance(source, SourceRegister)]
    return found + [flag for flag in flags if flag is not None]


def _flags_written(instruction: Instruction) -> list[int]:
    condition, destination = instruction.condition, instruction.destination
    found = [] if condition is None or condition.flag is None else [condition.flag.number]
    if destination is not None and (flag := destination.register.flag) is not None:
        found.append(flag)
    return found
