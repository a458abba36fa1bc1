"""Execution times of instructions on one GPU: the numbers of the cost model (docs/cost-model.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Emulation:
    """The native instructions that replace one virtual instruction: those of the math unit, and others."""

    math: int
    alu: int


EMULATIONS: Mapping[str, Emulation] = {
    "div": Emulation(math=1, alu=10),
    "mod": Emulation(math=1, alu=12),
    "mulh": Emulation(math=0, alu=2),
    "sqrtm": Emulation(math=1, alu=9),
    "pow": Emulation(math=2, alu=1),
    "lrp": Emulation(math=0, alu=2),
}
"""Lengths of the instruction sequences that compilers emit, on all generations."""


@dataclass(frozen=True, kw_only=True)
class ExecutionTiming:
    """Cycles and bytes per cycle of one EU (XVE).

    A latency is counted from the issue of an instruction to that of one that uses its result. A latency that
    depends on the execution size is given by the largest size that has it; larger sizes have the last one. Rates are
    bytes of the widest operand per cycle. The defaults are common to the generations; their sources are those that
    docs/cost-model.md names: scheduling tables of compilers where there are any, estimates elsewhere.
    """

    alu_bytes: int
    """Rate for operands of up to 32 bits."""
    float64_bytes: int
    int64_bytes: int
    alu_latency: Mapping[int, int] = field(default_factory=lambda: {8: 10, 16: 11, 32: 13})
    math_occupancy: int = 4
    """Factor on the occupancy of an ALU instruction of the same size."""
    math_latency: Mapping[int, int] = field(default_factory=lambda: {8: 17, 16: 21, 32: 29})
    dpas_cycles_per_row: int = 0
    dpas_latency: tuple[int, int] = (0, 0)
    """Latency of a dpas of one row, and of the most rows; that of others is interpolated. Without dpas, all are 0."""
    branch_latency: int = 23
    """Cycles from a taken branch to its target."""
    flag_latency: int = 16
    """Latency of flags and address registers."""
    barrier_latency: int = 30
    """Cycles from the last signal to the end of the wait."""
    slm_bytes: int = 128
    slm_latency: Mapping[int, int] = field(default_factory=lambda: {16: 28, 32: 45})
    slm_fence: int = 23
    fence: int = 35
    line_bytes: int = 64
    """Bytes of memory that a message accesses per cycle: a cache line."""
    l1_latency: int = 45
    l3_latency: int = 200
    memory_latency: int = 550
    image_l1_latency: int = 75
    sampler_latency: int = 214
    atomic_latency: int = 250
    scratch_latency: int = 146
    operand_read: int = 8
    """Cycles until the operands of a message may be overwritten, besides one for each of their registers."""
    launch: int = 100
    """Cycles from the dispatch of a thread to its first instruction, and from its end to the next dispatch."""
    integer_products: Mapping[int, int] = field(default_factory=lambda: {16: 1, 32: 2, 64: 8})
    """Instructions that a product of two integers takes, by the largest width in bits of the narrower factor."""
    emulations: Mapping[str, Emulation] = field(default_factory=lambda: EMULATIONS)
    """Replacements of the instructions that the hardware does not have, by mnemonic."""
    memory_bandwidth: int
    """Bytes per second of the whole device."""

    def by_size(self, table: Mapping[int, int], exec_size: int) -> int:
        """Returns the entry of a table for the smallest size that is not below an execution size, else the last one."""
        for size, value in table.items():
            if exec_size <= size:
                return value
        return table[max(table)]
