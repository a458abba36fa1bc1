"""Kernels in assembly for the tests of traces and of the debugger."""

from __future__ import annotations

from dataclasses import dataclass, field

from runtime.simulator import Dispatch, Memory, Simulator, Statistics
from runtime.simulator.interpreter.observer import Observer
from tests.unit.runtime.simulator.described import described
from xegpu.isa import assemble, decode_program
from xegpu.isa.code.line_table import LineTable, SourcePlace
from xegpu.targets import TARGETS

PVC = TARGETS["pvc"]


@dataclass(frozen=True)
class Kernel:
    """A kernel of 16 lanes called `k`, and how it is launched.

    `lanes` counts the work-items of a group if they do not fill its threads; `lines` are those of `k.mlir` that the
    instructions come from.
    """

    text: str
    groups: int = 1
    threads: int = 1
    lanes: int | None = None
    lines: tuple[int | None, ...] = ()
    memory: Memory = field(default_factory=Memory)
    slm_size: int = 0
    scratch_size: int = 0


def run(kernel: Kernel, observer: Observer) -> Statistics:
    """Runs a kernel in the interpreter, watched by an observer."""
    code = assemble(kernel.text)
    places = [
        (offset, None if line is None else SourcePlace("k.mlir", line, 1))
        for offset, line in zip(decode_program(code).offsets, kernel.lines, strict=False)
    ]
    description = described(
        "k",
        code,
        PVC,
        simd_size=16,
        grf_count=128,
        barrier_count=2,
        slm_size=kernel.slm_size,
        scratch_size=kernel.scratch_size,
        lines=LineTable.of(places, len(code)),
    )
    simulator = Simulator(PVC, kernel.memory, "interpreter", observers=[observer])
    size = kernel.lanes or 16 * kernel.threads
    return simulator.run(simulator.load(description), Dispatch((kernel.groups, 1, 1), (size, 1, 1)))
