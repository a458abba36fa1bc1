"""The sizes of launches: those that a caller states, else those that the kernel was made for; otherwise none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from xegpu.isa.model import Dim3, KernelFacts

_MOST = (1 << 32) - 1
_BLOCK_PARTS = ("local_size", "enqueued_local_size", "global_size")
"""The implicit arguments by which a kernel knows how many work-items share its work-group."""


class LaunchError(TypeError):
    """A call of a kernel with a grid or arguments that do not fit it."""


class MissingSizeError(LaunchError):
    """A launch without a size that the kernel does not state either: `size` is "grid" or "block"."""

    def __init__(self, size: str, reason: str, write: str) -> None:
        super().__init__(f"{reason}: write {write}")
        self.size = size
        self.reason = reason


def grid_of(kernel: str, facts: KernelFacts, grid: object) -> Dim3:
    """Returns the number of work-groups of a launch.

    Raises:
        LaunchError: `grid` is no number of work-groups, another one than the kernel was made for, or None for a kernel
            that was made for any.
    """
    known = facts.known_grid_size
    if grid is None:
        if known is None:
            reason = f"kernel '{kernel}' does not state how many work-groups it was made for (known_grid_size)"
            raise MissingSizeError("grid", reason, f"{kernel}[4](...), or {kernel}(..., grid=4), for 4 of them")
        return known
    size = _size(kernel, "grid", grid, 0)
    if known not in (None, size):
        raise LaunchError(f"kernel '{kernel}': grid {size}, the kernel was made for {known} (known_grid_size)")
    return size


def block_of(kernel: str, facts: KernelFacts, grid: Dim3, block: object) -> Dim3:
    """Returns the size of the work-groups of a launch.

    A kernel in subgroup mode has groups of one subgroup unless it states another size, and so has a kernel of
    work-items that knows nothing of its work-group but its number.

    Raises:
        LaunchError: `block` is no size, or None for a kernel of work-items that states none.
    """
    if block is not None:
        return _size(kernel, "block", block, 1)
    stated = facts.required_work_group_size or facts.work_group_size_hint
    if stated is not None:
        return stated
    if facts.simd_size > 1 and _looks_at_block(facts):
        reason = f"kernel '{kernel}' numbers its work-items and states no size of work-groups"
        x, y, z = grid
        size = y if z == 1 < y else facts.simd_size
        raise MissingSizeError("block", reason, f"{kernel}[{x}, ({size},)](...) for {x} groups of {size} work-items")
    return facts.simd_size, 1, 1


def _looks_at_block(facts: KernelFacts) -> bool:
    return facts.local_id_dimensions > 0 or any(facts.offset_of(part) is not None for part in _BLOCK_PARTS)


def _size(kernel: str, what: str, extent: object, least: int) -> Dim3:
    counts = extent if isinstance(extent, tuple | list) else (extent,)
    if not 1 <= len(counts) <= 3 or not all(_is_count(count, least) for count in counts):
        raise LaunchError(f"kernel '{kernel}': {what} {extent!r}, expected one to three integers from {least} up")
    x, y, z = (*map(int, counts), 1, 1)[:3]
    return x, y, z


def _is_count(value: object, least: int) -> bool:
    return isinstance(value, int | np.integer) and least <= int(value) <= _MOST
