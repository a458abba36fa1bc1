"""Register pressure: registers that hold values that are still needed."""

from __future__ import annotations

from collections.abc import Iterable

from xegpu.isa import Program
from xegpu.isa.code import basic_blocks, read_first
from xegpu.isa.formats import FIRST_ARCHITECTURE, Span, footprint
from xegpu.targets import Target


def live_registers(program: Program, target: Target, grf_count: int) -> list[int]:
    """Returns for each instruction the general registers that it writes, or whose values it or a later one reads."""
    grf_bytes = target.platform.grf_bytes
    footprints = [footprint(i, target, grf_count, (1 << 32) - 1) for i in program.instructions]
    blocks = basic_blocks(program)
    entering = read_first(blocks, footprints, grf_bytes)
    found = [0] * len(footprints)
    for block in blocks:
        live: set[int] = set().union(*(entering[s] for s in block.successors if s in entering))
        for index in reversed(range(block.start, block.end)):
            touched = _union(footprints[index].writes, grf_bytes, whole=False)
            live -= _union(footprints[index].writes, grf_bytes, whole=True)
            live |= _union(footprints[index].reads, grf_bytes, whole=False)
            found[index] = sum(number < FIRST_ARCHITECTURE for number in live | touched)
    return found


def _union(spans: Iterable[Span], grf_bytes: int, *, whole: bool) -> set[int]:
    """Returns the numbers of the registers that spans cover entirely, or touch."""
    found: set[int] = set()
    for span in spans:
        if whole:
            found.update(range(-(-span.start // grf_bytes), span.end // grf_bytes))
        else:
            found.update(range(span.start // grf_bytes, -(-span.end // grf_bytes)))
    return found
