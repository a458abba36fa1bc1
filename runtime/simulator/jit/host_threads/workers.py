"""The memory of workers: of each host thread that runs work-groups of a launch."""

from __future__ import annotations

import ctypes
import mmap
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.jit.kernel.kernel_cache import JitKernelCode
from runtime.simulator.jit.state.launch_records import (
    YIELDED,
    FrameHeader,
    LaunchRecord,
    Worker,
    aligned,
)
from runtime.simulator.machine.barriers import Barrier
from runtime.simulator.machine.scheduling import ROUNDS
from runtime.simulator.memory.addresses import address_of


class WorkerMemory:
    """A worker and its memory: its record and the areas after it, all zeros at first.

    The caller keeps alive what the launch record refers to.
    """

    def __init__(self, kernel: JitKernelCode, launch: LaunchRecord, scratch_size: int, number: int = 0):
        areas = kernel.areas
        self._kernel = kernel
        self._run_groups = kernel.run_groups
        self._areas = areas
        self._frame_bytes = areas.frame_bytes(scratch_size)
        self._bytes_of_frames = self._frame_bytes * launch.threads
        slm, frames, end = accumulate(map(aligned, (areas.size, launch.slm_size, self._bytes_of_frames)))
        self._memory, self.address = _own_pages(end)
        slm, frames = self.address + slm, self.address + frames
        self.launch = launch
        self.record = Worker.from_address(self.address)
        self.record.launch = ctypes.addressof(launch)
        self.record.slm, self.record.frames, self.record.frame = slm, frames, frames
        self.record.scratch = self.address + areas.scratch
        self.record.rounds = ROUNDS
        self.record.first_thread = number * launch.threads
        self._first_record = bytes(self.record)
        self._after_record, self._bytes_after_record = self.address + areas.sites, areas.size - areas.sites

    @property
    def status(self) -> int:
        """The status with which the worker has ended; `RUNNING` before."""
        status: int = self.record.status
        return status

    def run(self) -> int:
        """Runs work-groups on the calling thread until there is nothing left to do, or a fault; returns the status."""
        status = self.record.status = self._run_groups(self.address)
        return status

    def go_on(self, rounds: int) -> bool:
        """Runs work-groups until one yields after `rounds` rounds (True), or there is nothing left to do (False)."""
        self.record.rounds = rounds
        return self.run() == YIELDED

    def run_thread(self, mask: int) -> None:
        """Runs the thread of a kernel that was compiled for a single one."""
        self.record.status = self._kernel.run_thread(self.address, mask)

    @property
    def memory_bytes(self) -> int:
        """The size of its memory, with shared local memory and frames."""
        return self._memory.size

    def begin_again(self) -> None:
        """Makes the worker one that has not begun: its record as it was at first, and zeros in its memory."""
        ctypes.memmove(self.address, self._first_record, len(self._first_record))
        ctypes.memset(self._after_record, 0, self._bytes_after_record)
        ctypes.memset(self.record.frames, 0, self._bytes_of_frames)

    def area(self, offset: int, size: int) -> NDArray[np.uint8]:
        """Returns `size` bytes of the worker's memory, `offset` bytes from the record."""
        start = self.address - address_of(self._memory) + offset
        return self._memory[start : start + size]

    def frame(self, thread: int) -> FrameHeader:
        """Returns the frame of a thread of the current group."""
        return FrameHeader.from_address(self.record.frames + thread * self._frame_bytes)

    def barrier(self, number: int) -> Barrier:
        """Returns the state of a barrier of the current group."""
        return Barrier.from_address(self.address + self._areas.barriers + number * ctypes.sizeof(Barrier))


def _own_pages(size: int) -> tuple[NDArray[np.uint8], int]:
    """Returns zeroed memory, which lives as long as the array, and the address of its first `size` bytes in pages that
    hold nothing else.

    The host's CPU reads ahead within pages: a core that reads near what another one writes takes lines from it.
    """
    memory = np.zeros(-(-size // mmap.PAGESIZE) * mmap.PAGESIZE + mmap.PAGESIZE - 1, np.uint8)
    address = address_of(memory)
    return memory, address + -address % mmap.PAGESIZE
