"""Descriptions of kernels for launches without a ZEBIN."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.simulator import KernelDescription
from xegpu.isa.code import NO_LINES, LineTable
from xegpu.isa.model import KernelFacts
from xegpu.targets import Target


@dataclass(frozen=True)
class SizedFacts(KernelFacts):
    """Facts of a kernel that say only how large its payload is, not which arguments are in it."""

    cross_thread_size: int = 0


def described(
    name: str,
    code: bytes,
    target: Target,
    simd_size: int,
    grf_count: int,
    *,
    scratch_size: int = 0,
    lines: LineTable = NO_LINES,
    **facts: object,
) -> KernelDescription:
    """A kernel with the facts given."""
    stated = SizedFacts(simd_size, grf_count=grf_count, spill_size=scratch_size, **facts)  # type: ignore[arg-type]
    return KernelDescription(name, code, target, stated, lines)
