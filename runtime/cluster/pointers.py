"""The arguments whose memory the messages of a kernel access, found in its code.

Addresses are followed from the payload through the registers: an instruction that reads bytes of an address writes
bytes of one. The memory of threads and of groups counts as one place, which has the addresses that were ever stored to
it. Global memory holds no addresses: kernels that find some there are no concern of this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from runtime.simulator import Executable
from runtime.simulator.machine import FULL_MASK, cross_thread_offset, diverges
from xegpu.isa import ArgumentKind
from xegpu.isa.code import BasicBlock, basic_blocks
from xegpu.isa.cost import TrafficSpace, traffic
from xegpu.isa.formats import footprint
from xegpu.isa.model import Instruction, MemoryAccessKind

_PRIVATE = 1
"""The bit of the memory of threads and groups; those of the bytes of registers follow."""


def accessed_arguments(executable: Executable) -> Mapping[int, frozenset[str]]:
    """Returns, for each instruction that accesses global memory, the names of the arguments whose memory it may be.

    No names are those of an address of unknown origin.
    """
    description, program = executable.description, executable.program
    mask = None if diverges(program) else FULL_MASK
    steps = [_step(instruction, executable, mask) for instruction in program.instructions]
    blocks = basic_blocks(program)
    start = cross_thread_offset(description)
    found: dict[int, set[str]] = {index: set() for index, step in enumerate(steps) if step.is_global}
    for number, argument in enumerate(description.facts.arguments):
        if argument.kind is ArgumentKind.POINTER:
            address = _bits((start + slot.offset, slot.size) for slot in argument.slots)
            for index in _reached(steps, blocks, address):
                found[index].add(argument.name or f"#{number}")
    return {index: frozenset(names) for index, names in found.items()}


@dataclass(frozen=True)
class _AddressStep:
    """An instruction by the places that it reads and writes. The result of one that is `fresh` is no address."""

    reads: int
    writes: int
    is_global: bool
    fresh: bool


def _step(instruction: Instruction, executable: Executable, mask: int | None) -> _AddressStep:
    description = executable.description
    touched = footprint(instruction, description.target, description.register_count, mask)
    reads, writes = (_bits((span.start, span.size) for span in spans) for spans in (touched.reads, touched.writes))
    moved = traffic(instruction)
    if moved is None:
        return _AddressStep(reads, writes, is_global=False, fresh=False)
    if moved.space is TrafficSpace.GLOBAL:
        return _AddressStep(reads, writes, is_global=True, fresh=True)
    if moved.access is MemoryAccessKind.LOAD:
        return _AddressStep(reads | _PRIVATE, writes, is_global=False, fresh=False)
    return _AddressStep(reads | _PRIVATE, writes | _PRIVATE, is_global=False, fresh=False)


def _reached(steps: Sequence[_AddressStep], blocks: Sequence[BasicBlock], address: int) -> Iterator[int]:
    """Yields the accesses to global memory that may use an address, which is in some places at the start."""
    before = {block.start: 0 for block in blocks} | {0: address}
    by_start = {block.start: block for block in blocks}
    waiting = [0]
    while waiting:
        block = by_start[waiting.pop()]
        state = before[block.start]
        for step in steps[block.start : block.end]:
            state = _after(step, state)
        for after in block.successors:
            if after in before and state & ~before[after]:
                before[after] |= state
                waiting.append(after)
    for block in blocks:
        state = before[block.start]
        for index in range(block.start, block.end):
            if steps[index].is_global and state & steps[index].reads:
                yield index
            state = _after(steps[index], state)


def _after(step: _AddressStep, state: int) -> int:
    """Returns the places of an address after an instruction. Bytes that it may leave as they are count as read, too."""
    if state & step.reads and not step.fresh:
        return state | step.writes
    return state & ~(step.writes & ~step.reads)


def _bits(ranges: Iterable[tuple[int, int]]) -> int:
    """Returns the bits of ranges of registers' bytes, each with its start and its size."""
    found = 0
    for start, size in ranges:
        found |= (1 << size) - 1 << start + 1
    return found
