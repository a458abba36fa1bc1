"""Basic blocks of a program, and which registers are read before they are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xegpu.graphs import predecessors_of
from xegpu.isa.code.program import Program
from xegpu.isa.formats.parts.spans import Footprint, Span
from xegpu.isa.model.flow import NextInstruction
from xegpu.isa.model.instruction import Instruction
from xegpu.on_demand import dataclass


@dataclass(frozen=True)
class BasicBlock:
    """Instructions `start` to `end - 1`; `successors` are the first instructions of the blocks that may follow."""

    start: int
    end: int
    successors: tuple[int, ...]


def never_goes_on(instruction: Instruction) -> bool:
    """Returns whether control never comes to the next instruction of the program, at once or by a join or return."""
    flow = instruction.spec.flow
    returns_here = flow.following is NextInstruction.ALWAYS or flow.calls or flow.parks
    return not returns_here and instruction.predicate is None


def ends_block(instruction: Instruction) -> bool:
    """Returns whether control may leave the sequence of instructions: at jumps, and where threads wait or end."""
    return instruction.spec.flow.leaves or instruction.spec.waits


def basic_blocks(program: Program) -> list[BasicBlock]:
    """Returns the program's blocks in order."""
    count = len(program.instructions)
    leaders = {0}
    following: dict[int, tuple[int, ...]] = {}
    for index, instruction in enumerate(program.instructions):
        if not ends_block(instruction):
            continue
        targets = _successors(program, index, instruction)
        following[index] = targets
        leaders.update(targets)
        if index + 1 < count:
            leaders.add(index + 1)
    starts = sorted(leaders)
    return [
        BasicBlock(start, end, following.get(end - 1, (end,)))
        for start, end in zip(starts, [*starts[1:], count], strict=True)
    ]


def only_goes_down(program: Program) -> bool:
    """Returns whether a thread executes no instruction twice, since control never goes up."""
    return all(after > block.start for block in basic_blocks(program) for after in block.successors)


def return_sites(program: Program) -> dict[int, int]:
    """Returns the instructions that follow calls, as indices by byte offset."""
    sites = {}
    for index, instruction in enumerate(program.instructions[:-1]):
        if instruction.spec.flow.calls:
            sites[program.offsets[index + 1]] = index + 1
    return sites


def subroutines(program: Program) -> dict[int, int]:
    """Returns the instructions that a subroutine may begin at, as indices by byte offset.

    They are those that control does not reach from the instruction before them.
    """
    return {
        program.offsets[index + 1]: index + 1
        for index, instruction in enumerate(program.instructions[:-1])
        if never_goes_on(instruction)
    }


def _successors(program: Program, index: int, instruction: Instruction) -> tuple[int, ...]:
    """Returns the instructions that control may go to from one that ends a block."""
    flow = instruction.spec.flow
    named = (program.index_of(program.offsets[index] + distance) for distance in instruction.distances)
    targets = [target for target in named if target is not None]
    if flow.by_register:
        targets += (return_sites if flow.returns else subroutines)(program).values()
    may_skip = flow.following is NextInstruction.UNTAKEN and instruction.predicate is not None
    if flow.following is NextInstruction.ALWAYS or may_skip:
        targets.append(index + 1)
    return tuple(targets)


def blocks_before(blocks: Sequence[BasicBlock]) -> dict[int, list[int]]:
    """Returns the blocks that control may come from to each block, all by their first instructions."""
    following = {block.start: block.successors for block in blocks}
    return predecessors_of(list(following), following.__getitem__)


def read_first(blocks: Sequence[BasicBlock], footprints: Sequence[Footprint], grf_bytes: int) -> dict[int, set[int]]:
    """Returns the registers that may be read before they are written as a whole, from the start of each block on."""
    effects = {block.start: _block_effect(footprints[block.start : block.end], grf_bytes) for block in blocks}
    live = live_before(blocks, effects)
    return {
        start: {number for number in range(bits.bit_length()) if bits >> number & 1} for start, bits in live.items()
    }


def live_before(blocks: Sequence[BasicBlock], effects: Mapping[int, tuple[int, int]]) -> dict[int, int]:
    """Returns what may be read before it is written, from the start of each block on, one bit for each place.

    `effects` has what each block reads before it writes it, and what it writes. Backward liveness; a block is visited
    again only when the set of a successor has grown.
    """
    predecessors = blocks_before(blocks)
    live = {start: exposed for start, (exposed, _) in effects.items()}
    waiting = [block.start for block in blocks]
    while waiting:
        start = waiting.pop()
        for before in predecessors[start]:
            grown = live[before] | live[start] & ~effects[before][1]
            if grown != live[before]:
                live[before] = grown
                waiting.append(before)
    return live


def _block_effect(footprints: Sequence[Footprint], grf_bytes: int) -> tuple[int, int]:
    """Returns the registers that a block reads before it writes them, and registers that it writes as a whole."""
    exposed = covered = 0
    for footprint in footprints:
        for span in footprint.reads:
            exposed |= _touched(span, grf_bytes) & ~covered
        for span in footprint.writes:
            covered |= _covered(span, grf_bytes)
    return exposed, covered


def _covered(span: Span, grf_bytes: int) -> int:
    """Returns the registers that lie in a span as a whole, one bit each."""
    first, end = -(-span.start // grf_bytes), span.end // grf_bytes
    return ((1 << end - first) - 1) << first if end > first else 0


def _touched(span: Span, grf_bytes: int) -> int:
    """Returns the registers that a span touches, one bit each."""
    first, end = span.start // grf_bytes, (span.end - 1) // grf_bytes + 1
    return ((1 << end - first) - 1) << first
