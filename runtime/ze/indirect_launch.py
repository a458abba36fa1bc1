"""Launches whose grids are read from memory when they run (specification: Kernel)."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from runtime.simulator import Dispatch
from runtime.ze.command_list import CommandList
from runtime.ze.copies import Operand, operand_bytes
from runtime.ze.event import Event
from runtime.ze.handle import items, live, required
from runtime.ze.kernel import Kernel
from runtime.ze.kernel_image import Size3
from runtime.ze.launch import Launch, prepare_launch, wants_time
from runtime.ze.payload import Geometry
from runtime.ze.results import ZeError, ze_result_t

_GRID = struct.Struct("<3I")
_COUNT = struct.Struct("<I")
_NONE: Size3 = (0, 0, 0)

_Bytes = Callable[[], NDArray[np.uint8]]


class _IndirectLaunch:
    """A launch whose grid is in memory; what the kernel is set to now is kept."""

    def __init__(self, command_list: CommandList, kernel: Kernel, *, timed: bool) -> None:
        self._kernel = kernel
        self._arguments = kernel.arguments.copy()
        self._size = kernel.group_size
        self._offset = kernel.global_offset
        self._timed = timed
        prepare_launch(command_list, kernel, self._arguments, self._size, _NONE, counts=False)

    def run(self, grid: Size3) -> int | None:
        cross_thread, local_bytes = self._arguments.snapshot(Geometry(self._size, grid, self._offset))
        return Launch(self._kernel, Dispatch(grid, self._size, cross_thread, local_bytes), self._timed)()


def _numbers(command_list: CommandList, operand: Operand, size: int, name: str) -> _Bytes:
    """Numbers of 32 bits in memory, read at execution. Raises invalid argument for an address between them."""
    required(operand, name)
    if isinstance(operand, int | np.integer) and operand % _COUNT.size:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} is {int(operand):#x}, expected a multiple of 4"
        )
    return operand_bytes(command_list.context, operand, size, name, writes=False)


def zeCommandListAppendLaunchKernelIndirect(
    hCommandList: CommandList,
    hKernel: Kernel,
    pLaunchArgumentsBuffer: Operand,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Launch a grid whose three numbers of work-groups are in memory, read when the command runs."""
    command_list = live(hCommandList, CommandList)
    kernel = live(hKernel, Kernel)
    grid = _numbers(command_list, pLaunchArgumentsBuffer, _GRID.size, "pLaunchArgumentsBuffer")
    launch = _IndirectLaunch(command_list, kernel, timed=wants_time(hSignalEvent))
    command_list.append(lambda: launch.run(_GRID.unpack(grid().data)), hSignalEvent, phWaitEvents)


def zeCommandListAppendLaunchMultipleKernelsIndirect(
    hCommandList: CommandList,
    phKernels: Sequence[Kernel],
    pCountBuffer: Operand,
    pLaunchArgumentsBuffer: Operand,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Launch the first of several kernels, one after the other: how many, and the grid of each, is in memory.

    Raises invalid size when there are no kernels.
    """
    command_list = live(hCommandList, CommandList)
    phKernels = items(phKernels, "phKernels")
    kernels = [live(kernel, Kernel) for kernel in phKernels]
    required(pCountBuffer, "pCountBuffer")
    required(pLaunchArgumentsBuffer, "pLaunchArgumentsBuffer")
    if not kernels:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, "there are no kernels to launch")
    wanted = _numbers(command_list, pCountBuffer, _COUNT.size, "pCountBuffer")
    size = _GRID.size * len(kernels)
    grids = _numbers(command_list, pLaunchArgumentsBuffer, size, "pLaunchArgumentsBuffer")
    timed = wants_time(hSignalEvent)
    launches = [_IndirectLaunch(command_list, kernel, timed=timed) for kernel in kernels]

    def run() -> int | None:
        (count,) = _COUNT.unpack(wanted().data)
        data = bytes(grids())
        times = [launch.run(grid) for launch, grid in zip(launches[:count], _GRID.iter_unpack(data), strict=False)]
        known = [time for time in times if time is not None]
        return sum(known) if known else None

    command_list.append(run, hSignalEvent, phWaitEvents)
