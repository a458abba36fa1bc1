"""Loops that may wait for other threads, because data that they load decides whether they go on.

A loop spins if a branch that decides whether it goes on depends on data that it has loaded itself. Dependence goes
through registers and flags, through scratch space as a whole, and through jumps: what is executed or not, as a tainted
branch decides, is tainted. The analysis may call a loop spinning that is not (a search, say), and not the other way
round; counted loops are not, whatever they load.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence

from xegpu.isa.code.flow import BasicBlock, basic_blocks
from xegpu.isa.code.program import Program
from xegpu.isa.formats.parts.spans import FIRST_ARCHITECTURE, Footprint, Span
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.messages import AddressModel
from xegpu.isa.model.operands import ARCHITECTURE, Flag, SourceRegister
from xegpu.isa.model.table import MemoryAccessKind
from xegpu.on_demand import dataclass

Edge = tuple[int, int]
"""The indices of an instruction and of an earlier one, or the same, that control goes to from it."""

MOST_STEPS = 1 << 19
"""Instructions that the analysis of a program may look at; beyond, loops that load count as spinning."""

_FLAG_BITS = 32


def spinning_edges(
    program: Program, footprint_of: Callable[[Instruction], Footprint], grf_bytes: int
) -> frozenset[Edge]:
    """Returns the edges back to the start of the loops that may spin.

    What an instruction may leave unchanged has to be among what it reads by its footprint, which programs that load
    nothing in a loop need not know.
    """
    blocks = basic_blocks(program)
    ends: dict[int, int] = {}
    edges = [(block.end - 1, after) for block in blocks for after in block.successors if after <= block.start]
    for source, target in edges:
        ends[target] = max(ends.get(target, 0), source)
    if not ends or not any(map(_loads, program.instructions)):
        return frozenset()
    analysis = _Analysis(program, footprint_of, blocks, grf_bytes)
    spinning = {target for target, end in ends.items() if analysis.may_spin(target, end)}
    return frozenset(edge for edge in edges if edge[1] in spinning)


def _loads(instruction: Instruction) -> bool:
    """Returns whether an instruction takes data from memory that other threads may write to."""
    return instruction.returned is not None and instruction.spec.access is not None and not _is_scratch(instruction)


def _leaves_by_call(instruction: Instruction) -> bool:
    return instruction.spec.flow.calls or instruction.spec.flow.returns


def _is_scratch(instruction: Instruction) -> bool:
    return instruction.message is not None and instruction.message.model is AddressModel.SCRATCH


@dataclass(frozen=True)
class _Effect:
    """The effect of an instruction: a bit each for bytes of registers, scratch space and bits of flags.

    `decides` are the flag bits of its predicate.
    """

    reads: int
    writes: int
    decides: int


class _Analysis:
    """Follows the data that loops have loaded through the blocks of a program: a taint analysis to a fixed point."""

    def __init__(
        self,
        program: Program,
        footprint_of: Callable[[Instruction], Footprint],
        blocks: Sequence[BasicBlock],
        grf_bytes: int,
    ):
        self._program = program
        self._footprint_of = footprint_of
        self._blocks = blocks
        self._starts = [block.start for block in blocks]
        registers = (FIRST_ARCHITECTURE + len(ARCHITECTURE)) * grf_bytes
        self._scratch = 1 << registers
        self._first_flag = registers + 1
        self._effects: dict[int, _Effect] = {}
        """The effects by the identity of the instruction: decoders make one object of equal words."""
        self._steps = 0

    def may_spin(self, start: int, end: int) -> bool:
        """Returns whether the loop from instruction `start` to `end` may go on because of what it loads."""
        instructions = self._program.instructions
        if any(_leaves_by_call(instructions[index]) for index in range(start, end + 1)):
            body = {block.start: block for block in self._blocks}
            exits = range(0)
        else:
            first, last = bisect_left(self._starts, start), bisect_right(self._starts, end)
            body = {block.start: block for block in self._blocks[first:last]}
            exits = range(start + 1, end + 1)
        loads = any(_loads(instructions[index]) for block in body.values() for index in range(block.start, block.end))
        return loads and self._has_tainted_exit(body, exits)

    def _has_tainted_exit(self, body: Mapping[int, BasicBlock], inside: range) -> bool:
        """Returns whether a tainted branch of the body leaves the instructions `inside`, or ends the thread."""
        controlled = 0
        before = dict.fromkeys(body, 0)
        waiting = list(body)
        while waiting:
            block = body[waiting.pop()]
            self._steps += block.end - block.start
            if self._steps > MOST_STEPS:
                return True
            state = before[block.start]
            for index in range(block.start, block.end):
                instruction = self._program.instructions[index]
                effect = self._effect(instruction)
                is_controlled = bool(controlled >> index & 1)
                if is_controlled and instruction.ends_thread:
                    return True
                if instruction.spec.flow.jumps and (is_controlled or effect.decides & state):
                    targets = list(self._targets(index, instruction))
                    if any(target not in inside for target in targets):
                        return True
                    grown = controlled
                    for target in targets:
                        grown |= _bits(min(index, target), max(index + 1, target))
                    if grown != controlled:
                        controlled, waiting = grown, list(body)
                if is_controlled or effect.reads & state or _loads(instruction):
                    state |= effect.writes
                else:
                    state &= ~effect.writes
            for after in block.successors:
                if after in body and state & ~before[after]:
                    before[after] |= state
                    waiting.append(after)
        return False

    def _targets(self, index: int, instruction: Instruction) -> Iterator[int]:
        """Yields the instructions that a branch names."""
        for distance in instruction.distances:
            target = self._program.index_of(self._program.offsets[index] + distance)
            if target is not None:
                yield target

    def _effect(self, instruction: Instruction) -> _Effect:
        found = self._effects.get(id(instruction))
        if found is None:
            found = self._effects[id(instruction)] = self._find_effect(instruction, self._footprint_of(instruction))
        return found

    def _find_effect(self, instruction: Instruction, footprint: Footprint) -> _Effect:
        predicate, condition, destination = instruction.predicate, instruction.condition, instruction.destination
        decides = 0 if predicate is None else self._flag(predicate.flag, instruction)
        reads, writes = _bytes(footprint.reads) | decides, _bytes(footprint.writes)
        for source in instruction.sources:
            if isinstance(source, SourceRegister) and source.register.flag is not None:
                reads |= self._whole_flag(source.register.flag)
        kept = 0  # Bits that may keep their value although they are written count as read, too.
        if condition is not None and condition.flag is not None:
            written = self._flag(condition.flag, instruction)
            writes |= written
            kept |= 0 if instruction.no_mask and predicate is None else written
        if destination is not None and destination.register.flag is not None:
            kept |= self._whole_flag(destination.register.flag)
        if _is_scratch(instruction):
            if instruction.spec.access is MemoryAccessKind.LOAD:
                reads |= self._scratch
            else:
                kept |= self._scratch
        return _Effect(reads | kept, writes | kept, decides)

    def _flag(self, flag: Flag, instruction: Instruction) -> int:
        """Returns the flag bits of the channels of an instruction."""
        first = self._first_flag + _FLAG_BITS * flag.number + 16 * flag.half + instruction.channel_offset
        return _bits(first, first + instruction.exec_size)

    def _whole_flag(self, number: int) -> int:
        first = self._first_flag + _FLAG_BITS * number
        return _bits(first, first + _FLAG_BITS)


def _bytes(spans: Sequence[Span]) -> int:
    found = 0
    for span in spans:
        found |= _bits(span.start, span.end)
    return found


def _bits(start: int, end: int) -> int:
    """Returns a number whose bits `start` to `end - 1` are set."""
    return (1 << end) - (1 << start)
