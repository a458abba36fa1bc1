"""Register pressure of kernels, for users who want to know why a kernel spills."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from passes.support.control_flow import operations_in, values_in
from passes.xe.allocate_registers.coalescing import copied
from passes.xe.allocate_registers.liveness import Liveness, Segment, compute, merge
from xegpu.diagnostics import SourceLocation, location_of
from xegpu.dialects.xe import GRFType, KernelOp, kernel_target

ROOM = 0.9
"""The fraction of a register file that values can fill; alignment takes the rest."""


@dataclass(frozen=True)
class Pressure:
    """The register pressure of one kernel.

    `peak_bytes` is the maximum number of live bytes, reached at the operation with location `peak`: no allocation can
    use less. `used_bytes` is the extent that allocation used, up to the end of the last register; `grf_count` and
    `spill_bytes` (per thread) are its results. These three are None before allocation.
    """

    kernel: str
    grf_bytes: int
    peak_bytes: int
    peak: SourceLocation | None
    used_bytes: int | None = None
    grf_count: int | None = None
    spill_bytes: int | None = None

    def __str__(self) -> str:
        text = f"kernel '{self.kernel}': at most {self._registers(self.peak_bytes)} registers live"
        text += f", at {self.peak}" if self.peak is not None else ""
        if self.grf_count is not None and self.used_bytes is not None:
            text += f"; {self._registers(self.used_bytes)} of {self.grf_count} used, {self.spill_bytes} bytes spilled"
        return text

    def _registers(self, size: int) -> str:
        """Formats a number of bytes in registers, rounded up to one decimal."""
        return f"{-(-size * 10 // self.grf_bytes) / 10:g}"


def pressures(module: ModuleOp) -> Iterator[Pressure]:
    """Yields the register pressure of every `xe.kernel`, in order. Raises `CompileError` for an unknown target."""
    return (_pressure(op) for op in operations_in(module) if isinstance(op, KernelOp))


def _pressure(kernel: KernelOp) -> Pressure:
    liveness = compute(kernel.body)
    peak_bytes, position = _peak(liveness)
    facts, used = kernel.facts, None
    if kernel.is_allocated:
        ends = [_end(value) for value in liveness.segments]
        used = max(ends, default=0)
    return Pressure(
        kernel.sym_name.data,
        kernel_target(kernel).platform.grf_bytes,
        peak_bytes,
        location_of(_operation_at(kernel, liveness, position)),
        used,
        facts.grf_count or None,
        facts.spill_size,
    )


def exceeds_file(kernel: KernelOp, grf_count: int = 0) -> bool:
    """Returns whether the live values of a kernel need more registers than `grf_count`, or than its target has."""
    target = kernel_target(kernel)
    count = grf_count or max(target.platform.grf_counts)
    room = ROOM * count * target.platform.grf_bytes
    # The values of most kernels would fit all at once.
    if sum(value.type.size.data for value in values_in(kernel.body) if isinstance(value.type, GRFType)) <= room:
        return False
    return _peak(compute(kernel.body))[0] > room


def live_bytes(liveness: Liveness) -> list[tuple[int, int]]:
    """Returns (position, live bytes from there on), in order. Copies take no bytes of their own."""
    contents: dict[SSAValue, list[Segment]] = {}
    for value, segments in liveness.segments.items():
        if isinstance(value.type, GRFType):
            contents.setdefault(copied(value), []).extend(segments)
    changes: dict[int, int] = {}
    for value, segments in contents.items():
        if isinstance(value.type, GRFType):
            size = value.type.size.data
            for start, end in merge(segments):
                changes[start] = changes.get(start, 0) + size
                changes[end] = changes.get(end, 0) - size
    live, sizes = 0, []
    for position in sorted(changes):
        live += changes[position]
        sizes.append((position, live))
    return sizes


def _peak(liveness: Liveness) -> tuple[int, int]:
    """Returns the maximum number of live bytes, and the first position where they are reached."""
    position, peak = max(live_bytes(liveness), key=lambda item: item[1], default=(0, 0))
    return peak, position


def _end(value: SSAValue) -> int:
    """Returns the end address of an assigned value in bytes; 0 for others."""
    type = value.type
    return type.address + type.size.data if isinstance(type, GRFType) and type.address is not None else 0


def _operation_at(kernel: KernelOp, liveness: Liveness, position: int) -> Operation:
    """Returns the last operation that starts at or before a position; the kernel if there is none."""
    found: Operation = kernel
    for op, start in liveness.positions.items():
        if start > position:
            break
        found = op
    return found
