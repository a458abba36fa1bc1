"""Program debug as specification 0.91 has it: the number of threads, registers as one area, and events and memory with
other parameters than in 1.x.

The area begins with `zet_debug_state_t` and a `zet_debug_state_section_t` for each register file, which follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import cast

from runtime.debuggee import RegisterSet, RegisterSetShape, RequestKind, ThreadPlace
from runtime.ze import ZeError, ze_result_t
from runtime.ze.declaration import api, older_form
from runtime.ze.driver import live, required, unsigned
from runtime.zet.chapters import ToolsChapter
from runtime.zet.debug.api import (
    zetDebugReadEvent as currentReadEvent,
    zetDebugReadMemory as currentReadMemory,
    zetDebugWriteMemory as currentWriteMemory,
)
from runtime.zet.debug.session import DebugHandle, place_of
from runtime.zet.debug.spec import (
    zet_debug_event_t,
    zet_debug_memory_space_desc_t,
    zet_debug_state_intel_graphics_t,
)

_HEAD = Struct("<IBBH")
_SECTION = Struct("<HHIQ")

_FILES = {
    RegisterSet.GRF: zet_debug_state_intel_graphics_t.ZET_DEBUG_STATE_GEN_GRF,
    RegisterSet.ACCUMULATOR: zet_debug_state_intel_graphics_t.ZET_DEBUG_STATE_GEN_ACC,
    RegisterSet.ADDRESS: zet_debug_state_intel_graphics_t.ZET_DEBUG_STATE_GEN_ADDR,
    RegisterSet.FLAG: zet_debug_state_intel_graphics_t.ZET_DEBUG_STATE_GEN_FLAG,
}
"""The register files of the area, by the sets of 1.x."""


@api(ToolsChapter.DEBUG, since=(0, 91))
def zetDebugGetNumThreads(hDebug: DebugHandle) -> int:
    """Returns the number of threads that a device executes at the same time."""
    device = live(hDebug, DebugHandle).device
    target = device.target
    return target.eus * max(target.platform.eu_threads.values()) * device.tile_count


@api(ToolsChapter.DEBUG, "NOT_AVAILABLE", since=(0, 91))
def zetDebugReadState(hDebug: DebugHandle, threadid: int, offset: int, size: int) -> bytes:
    """Returns bytes of the register state of a stopped thread.

    Raises:
        ZeError: `INVALID_ARGUMENT` for bytes that it does not have; `NOT_AVAILABLE` if the thread is not stopped.
    """
    session, place = live(hDebug, DebugHandle), place_of(threadid)
    area = _Area(session, place)
    _require_inside(area, unsigned(offset, "offset", 64), unsigned(size, "size", 64))
    data = area.head() + b"".join(area.read(shape) for shape in area.shapes)
    return data[offset : offset + size]


@api(ToolsChapter.DEBUG, "NOT_AVAILABLE", pointers="buffer", since=(0, 91))
def zetDebugWriteState(hDebug: DebugHandle, threadid: int, offset: int, buffer: bytes) -> None:
    """Overwrites bytes of the register state of a stopped thread.

    Raises:
        ZeError: As for `zetDebugReadState`; `INVALID_ARGUMENT` for bytes of the head of the state, too.
    """
    session, place = live(hDebug, DebugHandle), place_of(threadid)
    required(buffer, "buffer")
    area = _Area(session, place)
    _require_inside(area, unsigned(offset, "offset", 64), len(buffer))
    if offset < area.head_bytes and buffer:
        text = f"offset {offset} is in the head of the state, which is not written"
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, text)
    for shape, start in area.starts():
        first, end = max(offset, start), min(offset + len(buffer), start + shape.count * shape.size)
        if first < end:
            data = bytearray(area.read(shape))
            data[first - start : end - start] = buffer[first - offset : end - offset]
            session.ask(RequestKind.WRITE_REGISTERS, place, shape.type, 0, shape.count, bytes(data))


_EVENT = Struct("<B7xQQ3Q")
"""The event of 0.91, with room for a module."""


@older_form(currentReadEvent)
def zetDebugReadEvent(hDebug: DebugHandle, timeout: int, size: int) -> zet_debug_event_t:
    """Returns the next event, for which there is room for `size` bytes.

    Raises:
        ZeError: `OUT_OF_HOST_MEMORY` if there is not room for every event; none is taken then.
    """
    if unsigned(size, "size", 64) < _EVENT.size:
        text = f"{size} bytes have no room for an event, which needs {_EVENT.size}"
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, text)
    return currentReadEvent(hDebug, timeout)


@older_form(currentReadMemory)
def zetDebugReadMemory(hDebug: DebugHandle, threadid: int, memSpace: int, address: int, size: int) -> bytes:
    """Returns bytes of memory."""
    return currentReadMemory(hDebug, threadid, zet_debug_memory_space_desc_t(memSpace, address), size)


@older_form(currentWriteMemory)
def zetDebugWriteMemory(hDebug: DebugHandle, threadid: int, memSpace: int, address: int, buffer: bytes | None) -> None:
    """Overwrites bytes of memory."""
    desc = zet_debug_memory_space_desc_t(memSpace, address)
    currentWriteMemory(hDebug, threadid, desc, cast(bytes, buffer))


class _Area:
    """The register state of a thread."""

    def __init__(self, session: DebugHandle, place: ThreadPlace) -> None:
        self._session = session
        self._place = place
        self.shapes = [shape for shape in session.shapes(place) if shape.type in _FILES]
        self.head_bytes = _HEAD.size + _SECTION.size * len(self.shapes)
        self.size = self.head_bytes + sum(shape.count * shape.size for shape in self.shapes)

    def starts(self) -> Iterator[tuple[RegisterSetShape, int]]:
        """Yields the register files, and where each begins."""
        position = self.head_bytes
        for shape in self.shapes:
            yield shape, position
            position += shape.count * shape.size

    def head(self) -> bytes:
        """Returns the head of the state."""
        sections = (
            _SECTION.pack(_FILES[shape.type], 0, shape.count * shape.size, start) for shape, start in self.starts()
        )
        return _HEAD.pack(self.size, _HEAD.size, _SECTION.size, len(self.shapes)) + b"".join(sections)

    def read(self, shape: RegisterSetShape) -> bytes:
        """Returns the registers of a file."""
        return self._session.ask(RequestKind.READ_REGISTERS, self._place, shape.type, 0, shape.count)


def _require_inside(area: _Area, offset: int, size: int) -> None:
    if offset + size > area.size:
        text = f"bytes {offset} to {offset + size - 1} of a state of {area.size}"
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, text)
