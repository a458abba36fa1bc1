"""A launch that is ready to run: its record, the memory of its workers and its payload."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from itertools import count

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.jit.host_threads.workers import WorkerMemory
from runtime.simulator.jit.kernel.kernel_cache import JitKernelCode
from runtime.simulator.jit.state.launch_records import LaunchRecord
from runtime.simulator.launch.dispatch import Dispatch
from runtime.simulator.machine.group_order import GroupOrder
from runtime.simulator.memory import RangeTable
from runtime.simulator.memory.addresses import address_of

SHARES = 8
"""The parts into which each worker divides what is left: large chunks at first, for which the shared counter costs
nothing, and single work-groups in the end, so that all workers end at the same time.
"""

SINGLE_GROUPS = (1 << 64) - 1
"""Parts so small that each work-group is a chunk of its own."""

_ALL_WANTED = (1 << 64) - 1

_SMALL = 1 << 18
"""The bytes that are kept for a form: clearing them takes a few microseconds, allocating and touching them ten times as
long.
"""


class LaunchMemory:
    """A launch of a form (work-groups, their size, local memory), which programs repeat: it can be used again.

    A brief launch takes less time than to make one of these.

    Attributes:
        record: The record that its workers share.
        workers: The workers, as many as were opened.
    """

    def __init__(
        self,
        kernel: JitKernelCode,
        dispatch: Dispatch,
        order: GroupOrder,
        table: RangeTable,
        payload: tuple[NDArray[np.uint8], int],
        last_mask: int,
        *,
        scratch_size: int,
        slm_size: int,
        instruction_limit: int,
        shares: int,
        is_brief: bool,
    ):
        self.kernel = kernel
        self.is_brief = is_brief
        running = dispatch.running_groups
        image, self._payload = payload
        self.groups = len(running)
        self.threads = self.groups * len(image)
        self._image = image
        self._cross_thread = dispatch.cross_thread
        self._scratch_size = scratch_size
        self._numbers = count()
        self.workers: list[WorkerMemory] = []
        self.record = launch_record(table, instruction_limit, slm_size)
        # The table keeps memory alive that is freed while a launch uses it, but not longer.
        self._table: Callable[[], RangeTable | None] = weakref.ref(table)
        record = self.record
        record.next_group, record.groups, record.shares = running.start, running.stop, shares
        record.payload, record.payload_stride = address_of(image), image.strides[0]
        record.groups_x, record.groups_y = order.columns, order.rows
        record.patch_x, record.patch_y = order.width, order.height
        record.threads, record.last_mask = len(image), last_mask

    def open_worker(self) -> WorkerMemory:
        """Returns another worker."""
        worker = WorkerMemory(self.kernel, self.record, self._scratch_size, next(self._numbers))
        self.workers.append(worker)
        return worker

    def stop(self) -> None:
        """Has all workers end."""
        self.record.wanted = 0

    @property
    def is_small(self) -> bool:
        return sum(worker.memory_bytes for worker in self.workers) + self._image.size <= _SMALL

    def begin_again(self, cross_thread: bytes, table: RangeTable) -> None:
        """Makes the launch one that has not begun, with other arguments."""
        for worker in self.workers:
            worker.begin_again()
        record = self.record
        record.next_group, record.wanted = 0, _ALL_WANTED
        if self._table() is not table:
            record.starts, record.ends, record.writable = table.addresses
            record.ranges = len(table.starts)
            self._table = weakref.ref(table)
        if self._cross_thread != cross_thread:
            self._image[:, self._payload : self._payload + len(cross_thread)] = np.frombuffer(cross_thread, np.uint8)
            self._cross_thread = cross_thread


def launch_record(table: RangeTable, instruction_limit: int, slm_size: int) -> LaunchRecord:
    """Returns a launch record for the allocations of `table`, which the caller keeps alive."""
    starts, ends, writable = table.addresses
    return LaunchRecord(
        starts=starts,
        ends=ends,
        writable=writable,
        ranges=len(table.starts),
        instruction_limit=min(instruction_limit, (1 << 64) - 1),
        wanted=_ALL_WANTED,
        slm_size=slm_size,
    )
