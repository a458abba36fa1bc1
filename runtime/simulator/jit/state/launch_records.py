"""The memory that compiled code and Python share: one record per launch, one per host thread that works on it."""

from __future__ import annotations

import ctypes

ALIGNMENT = 64


class LaunchRecord(ctypes.Structure):
    """The state of a launch, shared by all workers.

    Attributes:
        next_group, groups, shares: Work-groups `next_group` to `groups - 1` are not taken yet; a worker takes one of
        `shares` parts of them at a time, at least one group.
        wanted: Work-groups from this one on are not wanted, because the launch was stopped (0) or an earlier group has
            faulted.
        starts, ends, writable, ranges: The `ranges` live allocations, sorted by address.
        payload, payload_stride: Thread t of a group starts with the `payload_stride` bytes at `payload + t *
        payload_stride` in its first registers.
        slm_size: Bytes of shared local memory of each group.
        groups_x, groups_y, patch_x, patch_y: The order of groups (`runtime.simulator.machine.group_order`).
        last_mask: The execution mask of the last thread of a group.
        access_image: The callback of image messages, null if the kernel has none.
        images, image_count: The records of images that code accesses by itself.
    """

    _fields_ = [
        ("next_group", ctypes.c_uint64),
        ("groups", ctypes.c_uint64),
        ("shares", ctypes.c_uint64),
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
        ("patch_x", ctypes.c_uint64),
        ("patch_y", ctypes.c_uint64),
        ("threads", ctypes.c_uint32),
        ("last_mask", ctypes.c_uint32),
        ("access_image", ctypes.c_void_p),
        ("images", ctypes.c_void_p),
        ("image_count", ctypes.c_uint64),
    ]


class Worker(ctypes.Structure):
    """The state of one host thread of a launch: its current thread, its memory, and how it ended.

    Attributes:
        slm: Shared local memory of the current work-group.
        scratch: Scratch space of the current thread.
        frames, frame: Frames of the group's threads, in which suspended ones are kept, and that of the current thread.
        group, group_x, group_y, group_z: The number and the coordinates of the current work-group.
        in_group: Not zero if the group `group` has yielded before its end.
        rounds: Rounds with spinning threads after which a group yields.
        first_thread: The number of its first hardware thread among all that live at the same time.
        status: How its last run has ended: what `entry` returned.
        tile_rows: The rows for which the host thread's tile registers are configured, 0 if they are not.
        kind, index, lane: The record of a fault: a `FaultKind`, the number of the instruction, the lane (-1: none).
        address, access_size: The faulting access; size 0 if there was none. At a barrier, `address` has the problem in
        its upper half and the payload in its lower half.
        surface: The payload of a block-2D message that breaks a rule.
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
        ("first_thread", ctypes.c_uint32),
        ("status", ctypes.c_int32),
        ("group_x", ctypes.c_uint32),
        ("group_y", ctypes.c_uint32),
        ("group_z", ctypes.c_uint32),
        ("tile_rows", ctypes.c_uint32),
    ]


RUNNING, FAULTED, STOPPED, SUSPENDED, WAITING, DEADLOCKED, YIELDED = range(7)
"""Statuses that threads, and finally workers, return.

`RUNNING`: no fault. `FAULTED`: a fault is in the record. `STOPPED`: the group is not wanted any more, it was at
instruction `index`. `SUSPENDED`: the thread has progressed to a wait. `WAITING`: it still waits where it did before.
`DEADLOCKED`: no thread of the group can proceed. `YIELDED`: the thread, or the group, may spin and yields to others.
"""


def aligned(size: int) -> int:
    """Returns `size` rounded up to the alignment of all areas."""
    return -(-size // ALIGNMENT) * ALIGNMENT


class FrameHeader(ctypes.Structure):
    """The state of a thread that is scheduled with others.

    It resumes at point `resume` (0: it starts, `ENDED`: it has ended); it waits in instruction `index`, for barrier
    `waits_for`, or has yielded there. It had executed `yielded` instructions when it last yielded.
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
    """Layout of a thread's frame, where it is kept while others run: offsets in bytes from its `FrameHeader`.

    The header is followed by a ticket for each of 256 barriers, and by the values that are live at waits.
    """

    TICKETS = 64
    SAVED = TICKETS + 4 * 256

    def __init__(self) -> None:
        self._offsets: dict[object, int] = {}
        self._end = self.SAVED

    def extend(self, end: int) -> None:
        """Makes the frame one in which everything but the scratch space ends at an offset."""
        self._end = end

    def offset_of(self, key: object, size: int) -> int:
        """Returns the offset of `size` bytes for a value, the same for the same key."""
        if key not in self._offsets:
            self._offsets[key] = self._end
            self._end += aligned(size)
        return self._offsets[key]

    @property
    def scratch(self) -> int:
        """The offset of the scratch space; final when everything else has an offset."""
        return self._end


class Areas:
    """Layout of a worker's memory: offsets in bytes from its `Worker` record.

    Attributes:
        sites: For every message, the allocation that it found last (two i64: start and size).
        zeros: A C of zeros for matrix products.
        staging: Rows of a block at the edge of a surface; coordinates and components of image messages.
        barriers: States of the group's barriers.
        counters: Counters of executed instructions, in code that counts.
        parked: The channels that wait at each join.
        registers, flags: The register file and the flag registers.
        scratch: The thread's scratch space.
        widened: Prepared operands of matrix products.
    """

    STAGING_BYTES = 2048
    ZERO_BYTES = 1024

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
        """Returns the size in bytes of a thread's frame, with `scratch` bytes of scratch space."""
        return self.frame.scratch + aligned(scratch)

    @property
    def sizes(self) -> tuple[int, int]:
        """The bytes of the memory, and of a frame without scratch space: final when all code has been written."""
        return self.size, self.frame.scratch

    def extend(self, sizes: tuple[int, int]) -> None:
        """Gives the areas the `sizes` that code of the same kernel had."""
        self.size, end = sizes
        self.frame.extend(end)

    def reserve_widened(self, size: int) -> None:
        """Makes the area for widened operands at least `size` bytes long."""
        self.size = max(self.size, self.widened + aligned(size))
