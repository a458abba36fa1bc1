"""Moves an allocation into a file that other processes can open."""

from __future__ import annotations

import os

from runtime.ze.driver.linux import ipc, mapping
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.usm import Usm
from runtime.ze.spec.results import ZeError, ze_result_t
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    import numpy as np

_PATIENCE_SECONDS = 10.0


def share(context: Context, usm: Usm) -> int:
    """Replaces the pages of an allocation by those of a new file with the same contents, and returns the file.

    No command may run meanwhile, as it could write to a page after it was copied.

    Raises:
        ZeError: `HANDLE_OBJECT_IN_USE` if a command does not end, `OUT_OF_HOST_MEMORY`.
    """
    machine, pause = context.machine, object()
    try:
        machine.pauses[pause] = None
        if not machine.wait(lambda: not machine.executing, round(_PATIENCE_SECONDS * 1e9)):
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE,
                f"a command has run for {_PATIENCE_SECONDS} seconds; memory cannot be shared while commands run",
            )
        usm.shared_file = _move(usm)
    finally:
        machine.pauses.pop(pause, None)
        machine.notify()
    return usm.shared_file


def _move(usm: Usm) -> int:
    """Moves an allocation to a new file, and returns the file."""
    address, size = usm.allocation.pages
    fd = ipc.new_file("xegpu-memory", size)
    try:
        _copy_pages(address, size, fd)
        mapping.map_file(fd, 0, size, address)
    except (OSError, MemoryError) as error:
        os.close(fd)
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, f"no memory to share: {error}") from error
    return fd


_CHUNK = 1 << 20


def _copy_pages(address: int, size: int, fd: int) -> None:
    """Writes memory to a file; zeros stay holes, so that untouched pages take no room."""
    for start in range(0, size, _CHUNK):
        chunk = mapping.bytes_at(address + start, min(_CHUNK, size - start))
        if np.any(chunk):
            os.pwrite(fd, chunk.data, start)
