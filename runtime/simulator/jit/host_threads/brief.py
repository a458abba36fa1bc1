"""Launches that are too brief to be handed to other host threads."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from xegpu.isa import Program
from xegpu.isa.code import only_goes_down
from xegpu.isa.cost import Pipe, instruction_cost
from xegpu.targets import Target

BRIEF_NANOSECONDS = 64_000
"""The longest launches that the calling thread runs itself.

Handing a launch to two sleeping helpers and waiting for them takes 35 to 50 microseconds, so that from about 90 on it
gains time; estimates are rough.
"""

_NANOSECONDS: Mapping[Pipe, int] = MappingProxyType(
    dict.fromkeys((Pipe.INTEGER, Pipe.FLOAT, Pipe.LONG, Pipe.CONTROL), 1) | {Pipe.SEND: 4, Pipe.MATH: 32, Pipe.DPAS: 32}
)
"""The time that compiled code takes for an instruction, by its pipe, with 16 lanes on a CPU with AVX-512."""


UNKNOWN = 1 << 62
"""The time of what may take any time."""


def thread_nanoseconds(program: Program, target: Target) -> int:
    """Returns about how long a thread of a program takes: `UNKNOWN` if it has loops, or accesses images, which may be
    done in Python.
    """
    if not only_goes_down(program) or any(instruction.image is not None for instruction in program.instructions):
        return UNKNOWN
    return sum(_NANOSECONDS[instruction_cost(instruction, target).pipe] for instruction in program.instructions)
