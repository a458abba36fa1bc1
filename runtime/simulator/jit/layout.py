"""The memory that compiled code and Python share: one record per launch, one per host thread that works on it."""

from __future__ import annotations

import ctypes

ALIGNMENT = 64


class Launch(ctypes.Structure):
    """What all workers of a launch share.

    Work-groups `next_group` to `groups - 1` are still to be taken, `chunk` at a time; `stop` ends the launch early.
    Each group has `slm_size` bytes of shared local memory.
    `ranges` live allocations are described by three arrays. Thread t of a group starts with the `payload_stride` bytes
    at `payload + t * payload_stride` in its first registers; `last_mask` is the execution mask of the last thread.
    """

    _fields_ = [
        ("next_group", ctypes.c_uint64),
        ("groups", ctypes.c_uint64),
        ("chunk", ctypes.c_uint64),
        ("starts", ctypes.c_void_p),
        ("ends", ctypes.c_void_p),
        ("writable", ctypes.c_void_p),
        ("ranges", ctypes.c_uint64),
        ("payload", ctypes.c_void_p),
        ("payload_stride", ctypes.c_uint64),
        ("instruction_limit", ctypes.c_uint64),
        ("slm_size", ctypes.c_uint64),
        ("groups_x", ctypes.c_uint64),
        ("groups_y", ctypes.c_uint64),
        ("threads", ctypes.c_uint32),
        ("last_mask", ctypes.c_uint32),
        ("stop", ctypes.c_uint32),
    ]


class Worker(ctypes.Structure):
    """What one host thread works with: where it is, what it has done, and how it ended.

    `slm` is the shared local memory of its work-group. The record of a fault: `kind` is a `FaultKind`, `index` the
    number of the instruction, `lane` -1 if no lane is to blame, `access_size` 0 if there was no access. `surface` is
    the payload of a block-2D message that breaks a rule.
    """

    _fields_ = [
        ("launch", ctypes.c_void_p),
        ("slm", ctypes.c_void_p),
        ("instructions", ctypes.c_uint64),
        ("group", ctypes.c_uint64),
        ("address", ctypes.c_uint64),
        ("access_size", ctypes.c_uint64),
        ("thread", ctypes.c_uint32),
        ("kind", ctypes.c_uint32),
        ("index", ctypes.c_uint32),
        ("lane", ctypes.c_int32),
        ("surface", ctypes.c_uint32 * 8),
    ]


RUNNING, FAULTED, STOPPED = 0, 1, 2
"""How a thread, and in the end a worker, reports: no fault, a fault in its record, or another worker asked to stop."""


def aligned(size: int) -> int:
    """`size` rounded up to the alignment of all areas."""
    return -(-size // ALIGNMENT) * ALIGNMENT


class Areas:
    """Where the parts of a worker's memory lie, in bytes from its `Worker` record.

    `sites` holds, for every message, the allocation that it found last (two i64: start and size). `zeros` is a C of
    zeros for matrix products, `staging` is for rows of a block at the edge of a surface. `registers` is the register
    file, `flags` follow it. `scratch` is the thread's scratch space. `widened` is for prepared operands of products.
    """

    STAGING_BYTES = 2048
    ZERO_BYTES = 512

    def __init__(self, sites: int, register_bytes: int, flags: int, scratch: int):
        self.sites = aligned(ctypes.sizeof(Worker))
        self.zeros = aligned(self.sites + 16 * sites)
        self.staging = self.zeros + self.ZERO_BYTES
        self.registers = self.staging + self.STAGING_BYTES
        self.flags = self.registers + aligned(register_bytes)
        self.scratch = aligned(self.flags + 4 * flags)
        self.widened = self.scratch + aligned(scratch)
        self.size = self.widened

    def reserve_widened(self, size: int) -> None:
        """Makes the area for widened operands at least `size` bytes long."""
        self.size = max(self.size, self.widened + aligned(size))
