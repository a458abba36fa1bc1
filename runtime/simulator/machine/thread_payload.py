"""The payload of hardware threads: their initial registers and execution masks."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.launch.dispatch import KernelDescription
from xegpu.isa.model import Dim3
from xegpu.targets import Target, local_id_row_bytes

FULL_MASK = 0xFFFFFFFF

_HEADER = struct.Struct("<IIBBBBIIIII")
"""r0.0, r0.1 (group id x), r0.2 as bytes (thread number first, thread count last), r0.3 to r0.7 (group ids y, z)."""


def thread_count(simd_size: int, local_size: Dim3) -> int:
    """Returns the number of hardware threads of one work-group of `local_size` work-items."""
    x, y, z = local_size
    return -(-(x * y * z) // simd_size)


def execution_mask(simd_size: int, local_size: Dim3, thread: int) -> int:
    """Returns the channels that are enabled when thread number `thread` of a group starts.

    Only the last thread may be partially filled.
    """
    if simd_size == 1:
        return FULL_MASK
    x, y, z = local_size
    lanes = min(x * y * z - thread * simd_size, simd_size)
    return (1 << lanes) - 1


MOST_THREADS = 4096
"""The number of hardware threads that `thread_id` tells apart."""


def thread_id(number: int, target: Target) -> int:
    """Returns the bits of `sr0.0` that tell hardware threads apart which live at the same time."""
    return number & 7 | (number >> 3 & 3) << 4 | number >> 5 << target.platform.thread_id_bit


def header(group: Dim3, thread: int, threads: int) -> bytes:
    """Returns the defined part of `r0` for thread number `thread` of `threads` in its group; the rest is zero."""
    x, y, z = group
    return _HEADER.pack(0, x, thread, 0, 0, threads, 0, 0, 0, y, z)


def local_ids(simd_size: int, local_size: Dim3, walk_order: Dim3) -> NDArray[np.uint16]:
    """Returns the local ids of a work-group, shape [threads, 3 dimensions, lanes].

    Work-item `thread * simd_size + lane` in walk order (the first dimension of `walk_order` runs fastest; dimensions
    that are not in it follow). Lanes after the group's end, which are disabled, continue the count in the slowest one.
    """
    threads = thread_count(simd_size, local_size)
    item = np.arange(threads * simd_size, dtype=np.int64).reshape(threads, simd_size)
    ids = np.empty((threads, 3, simd_size), np.uint16)
    fast, middle, slow = dict.fromkeys((*walk_order, 0, 1, 2))
    ids[:, fast] = item % local_size[fast]
    item = item // local_size[fast]
    ids[:, middle] = item % local_size[middle]
    ids[:, slow] = item // local_size[middle]
    return ids


def per_thread_payload(description: KernelDescription, local_size: Dim3) -> NDArray[np.uint8]:
    """Returns the local ids of every thread of a group as register bytes from `r1` on, shape [threads, bytes].

    One row of u16 per dimension, each padded to whole registers, or u16 x, y, z in one register when `simd_size` is 1.
    """
    dimensions, simd_size = description.facts.local_id_dimensions, description.facts.simd_size
    ids = local_ids(simd_size, local_size, description.facts.walk_order)
    payload = np.zeros((len(ids), description.facts.local_id_bytes(description.target)), np.uint8)
    if dimensions and simd_size == 1:
        payload.view("<u2")[:, :dimensions] = ids[:, :dimensions, 0]
    elif dimensions:
        row_bytes = local_id_row_bytes(simd_size, description.target.platform.grf_bytes)
        rows = payload.view("<u2").reshape(len(ids), dimensions, row_bytes // 2)
        rows[:, :, :simd_size] = ids[:, :dimensions]
    return payload


def cross_thread_offset(description: KernelDescription) -> int:
    """Returns the byte of the register file at which the cross-thread payload starts: after `r0` and local ids."""
    return description.target.platform.grf_bytes + description.facts.local_id_bytes(description.target)
