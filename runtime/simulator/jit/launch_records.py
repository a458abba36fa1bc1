"""The memory that compiled code and Python share: one record per launch, one per host thread that works on it."""

from __future__ import annotations

import ctypes

ALIGNMENT = 64


class LaunchRecord(ctypes.Structure):
    """What all workers of a launch share.

    Work-groups `next_group` to `groups - 1` are still to be taken, `chunk` at a time. Those from `wanted` on are not
    wanted any more, since the launch is stopped (0) or one of the groups before has faulted.
    Each group has `slm_size` bytes of shared local memory.
    `ranges` live allocations are described by three arrays. Thread t of a group starts with the `payload_stride` bytes
    at `payload + t * payload_stride` in its first registers; `last_mask` is the execution mask of the last thread.
    `access_image` is the callback of image messages, null if the kernel has none.
    """

    _fields_ = [
        ("next_group", ctypes.c_uint64),
        ("groups", ctypes.c_uint64),
        ("chunk", ctypes.c_uint64),
        ("wanted", ctypes.c_uint64),
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
        ("access_image", ctypes.c_void_p),
    ]


class Worker(ctypes.Structure):
    """What one host thread works with: where it is, what it has done, and how it ended.

    `slm` is the shared local memory of its work-group, `scratch` the scratch space of its thread. `frames` is where
    threads that wait at barriers are kept, `frame` the place of the running thread there. `in_group` tells that the
    group `group` has given way in the middle. Groups do so after `rounds` rounds in which threads give way.

    The record of a fault: `kind` is a `FaultKind`, `index` the number of the instruction, `lane` -1 if no lane is to
    blame, `access_size` 0 if there was no access. `surface` is the payload of a block-2D message that breaks a rule. At
    a barrier `address` has the problem in its upper half and the payload in its lower half.
    """

    _fields_ = [
        ("launch", ctypes.c_void_p),
        ("slm", ctypes.c_void_p),
        ("scratch", ctypes.c_void_p),
        ("frames", ctypes.c_void_p),
        ("frame", ctypes.c_void_p),
        ("instructions", ctypes.c_uint64),
        ("group", ctypes.c_uint64),
        ("address", ctypes.c_uint64),
        ("access_size", ctypes.c_uint64),
        ("thread", ctypes.c_uint32),
        ("kind", ctypes.c_uint32),
        ("index", ctypes.c_uint32),
        ("lane", ctypes.c_int32),
        ("surface", ctypes.c_uint32 * 8),
        ("in_group", ctypes.c_uint32),
        ("rounds", ctypes.c_uint32),
    ]


RUNNING, FAULTED, STOPPED, SUSPENDED, WAITING, DEADLOCKED, YIELDED = range(7)
"""How a thread, and in the end a worker, reports.

No fault, a fault in its record, or its group is not wanted any more (it was at instruction `index`); the thread went on
to a wait, or waits where it did before; no thread of the group can go on; the thread, or the group, may spin and gives
way to others.
"""


def aligned(size: int) -> int:
    """`size` rounded up to the alignment of all areas."""
    return -(-size // ALIGNMENT) * ALIGNMENT


class FrameHeader(ctypes.Structure):
    """What is known of a thread that takes turns with others.

    It goes on at place `resume` (0: it starts, `ENDED`: it has ended); it waits in instruction `index`, for barrier
    `waits_for`, or has given way there. It had executed `yielded` instructions when it last gave way.
    """

    _fields_ = [
        ("resume", ctypes.c_uint32),
        ("index", ctypes.c_uint32),
        ("waits_for", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("executed", ctypes.c_uint64),
        ("yielded", ctypes.c_uint64),
    ]


ENDED = 0xFFFFFFFF
"""`FrameHeader.resume` of a thread that has ended."""


class Frame:
    """Layout of the memory where a thread is kept while others run, in bytes from its `FrameHeader`.

    Behind the header are a ticket for each of 256 barriers, and `saved` bytes for what is live at waits.
    """

    TICKETS = 64
    SAVED = TICKETS + 4 * 256

    def __init__(self) -> None:
        self._places: dict[object, int] = {}
        self._end = self.SAVED

    def place(self, key: object, size: int) -> int:
        """Where the `size` bytes of something are kept, the same for the same key."""
        if key not in self._places:
            self._places[key] = self._end
            self._end += aligned(size)
        return self._places[key]

    @property
    def scratch(self) -> int:
        """Where scratch space begins; known when everything else has a place."""
        return self._end


class Areas:
    """Where the parts of a worker's memory lie, in bytes from its `Worker` record.

    `barriers` are the states of the group's barriers, `counters` those of executed instructions, in code that counts.
    `parked` has room for the channels that wait at each join.
    `sites` holds, for every message, the allocation that it found last (two i64: start and size). `zeros` is a C of
    zeros for matrix products, `staging` is for rows of a block at the edge of a surface. `registers` is the register
    file, `flags` follow it. `scratch` is the thread's scratch space. `widened` is for prepared operands of products.
    """

    STAGING_BYTES = 2048
    ZERO_BYTES = 512

    def __init__(
        self,
        sites: int,
        register_bytes: int,
        flags: int,
        scratch: int,
        barriers: int,
        counters: int = 0,
        joins: int = 0,
    ):
        self.sites = aligned(ctypes.sizeof(Worker))
        self.zeros = aligned(self.sites + 16 * sites)
        self.staging = self.zeros + self.ZERO_BYTES
        self.barriers = self.staging + self.STAGING_BYTES
        self.counters = self.barriers + aligned(barriers)
        self.parked = self.counters + aligned(counters)
        self.registers = self.parked + aligned(4 * joins)
        self.flags = self.registers + aligned(register_bytes)
        self.scratch = aligned(self.flags + 4 * flags)
        self.widened = self.scratch + aligned(scratch)
        self.size = self.widened
        self.frame = Frame()

    def frame_bytes(self, scratch: int) -> int:
        """Bytes of a thread's frame, with so much scratch space."""
        return self.frame.scratch + aligned(scratch)

    def reserve_widened(self, size: int) -> None:
        """Makes the area for widened operands at least `size` bytes long."""
        self.size = max(self.size, self.widened + aligned(size))
