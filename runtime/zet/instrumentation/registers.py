"""The registers that the code of a kernel leaves free."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from runtime.simulator import Executable
from runtime.simulator.machine import cross_thread_offset
from xegpu.isa import Immediate, Instruction, RegisterFile, SourceRegister
from xegpu.isa.formats import footprint


def free_registers(executable: Executable) -> Iterator[tuple[int, int]]:
    """Yields the first and the number of registers in a row that no instruction accesses and that have no payload.

    A source that is addressed indirectly accesses what others have written: a kernel has no use for anything else.
    """
    description = executable.description
    target, count = description.target, description.facts.grf_count
    used = bytearray(count * target.platform.grf_bytes)
    payload = cross_thread_offset(description) + description.facts.cross_thread_size
    used[:payload] = b"\1" * min(payload, len(used))
    for instruction in executable.program.instructions:
        touched = footprint(_without_indirect_sources(instruction), target, description.register_count, None)
        for span in (*touched.reads, *touched.writes):
            end = min(span.end, len(used))
            used[span.start : end] = b"\1" * max(end - span.start, 0)
    is_free = [
        not any(used[start : start + target.platform.grf_bytes])
        for start in range(0, len(used), target.platform.grf_bytes)
    ]
    for free, numbers in groupby(range(count), lambda number: is_free[number]):
        if free:
            found = list(numbers)
            yield found[0], len(found)


def _without_indirect_sources(instruction: Instruction) -> Instruction:
    """Returns an instruction with a constant in place of each source that is addressed indirectly."""
    return replace(instruction, sources=tuple(map(_direct, instruction.sources)))


def _direct(source: SourceRegister | Immediate) -> SourceRegister | Immediate:
    is_indirect = isinstance(source, SourceRegister) and source.register.file is RegisterFile.INDIRECT
    return Immediate(source.type, 0) if is_indirect else source
