"""Basic blocks of a program, and which registers are read before they are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runtime.simulator.jit.footprint import Footprint, Span
from xegpu.isa import Instruction, Program


@dataclass(frozen=True)
class Block:
    """Instructions `start` to `end - 1`; `successors` are the first instructions of the blocks that may follow."""

    start: int
    end: int
    successors: tuple[int, ...]


def ends_block(instruction: Instruction) -> bool:
    """Whether control does not simply go on behind an instruction."""
    return instruction.is_jump or instruction.ends_thread or instruction.mnemonic == "illegal"


def basic_blocks(program: Program) -> list[Block]:
    """The program's blocks in order."""
    count = len(program.instructions)
    leaders = {0}
    following: dict[int, tuple[int, ...]] = {}
    for index, instruction in enumerate(program.instructions):
        if not ends_block(instruction):
            continue
        targets: list[int] = []
        if instruction.is_jump:
            target = program.branch_target(index)
            targets += [] if target is None else [target]
            targets += [index + 1] if instruction.predicate is not None else []
        following[index] = tuple(targets)
        leaders.update(targets)
        if index + 1 < count:
            leaders.add(index + 1)
    starts = sorted(leaders)
    return [
        Block(start, end, following.get(end - 1, (end,)))
        for start, end in zip(starts, [*starts[1:], count], strict=True)
    ]


def read_first(blocks: Sequence[Block], footprints: Sequence[Footprint], grf_bytes: int) -> set[int]:
    """Numbers of the registers that a thread may read before it has written them as a whole."""
    live = dict.fromkeys((block.start for block in blocks), 0)
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            alive = 0
            for successor in block.successors:
                alive |= live[successor]
            for footprint in reversed(footprints[block.start : block.end]):
                for span in footprint.writes:
                    alive &= ~_covered(span, grf_bytes)
                for span in footprint.reads:
                    alive |= _touched(span, grf_bytes)
            if alive != live[block.start]:
                live[block.start] = alive
                changed = True
    return {number for number in range(live[0].bit_length()) if live[0] >> number & 1}


def _covered(span: Span, grf_bytes: int) -> int:
    """Registers that lie in a span as a whole, one bit each."""
    first, end = -(-span.start // grf_bytes), span.end // grf_bytes
    return ((1 << end - first) - 1) << first if end > first else 0


def _touched(span: Span, grf_bytes: int) -> int:
    """Registers that a span touches, one bit each."""
    first, end = span.start // grf_bytes, (span.end - 1) // grf_bytes + 1
    return ((1 << end - first) - 1) << first
