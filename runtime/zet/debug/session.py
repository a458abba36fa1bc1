"""Debug sessions: the handle of a debugger for a card of a program."""

from __future__ import annotations

import math
from typing import ClassVar

from runtime.debuggee import (
    ALL_THREADS,
    CHUNK_BYTES,
    Notice,
    NoticeKind,
    RegisterSetShape,
    Request,
    RequestKind,
    ThreadPlace,
)
from runtime.ze import ZeError, ze_result_t
from runtime.ze.driver import Device, Handle
from runtime.zet.debug.connection import attached
from runtime.zet.debug.spec import (
    ZET_DEBUG_THREAD_ALL,
    ZET_DEBUG_THREAD_NONE,
    ZET_DEBUG_TIMEOUT_INFINITE,
    ze_device_thread_t,
    zet_debug_detach_reason_t,
    zet_debug_event_flags_t,
    zet_debug_event_info_detached_t,
    zet_debug_event_info_module_t,
    zet_debug_event_info_page_fault_t,
    zet_debug_event_info_t,
    zet_debug_event_info_thread_stopped_t,
    zet_debug_event_t,
    zet_debug_event_type_t,
    zet_debug_page_fault_reason_t,
)

_ELF_DWARF = 0
"""The format of images (`ZET_MODULE_DEBUG_INFO_FORMAT_ELF_DWARF`)."""

_FIRST_NOTICE = NoticeKind.PROCESS_ENTRY - zet_debug_event_type_t.ZET_DEBUG_EVENT_TYPE_PROCESS_ENTRY
"""The difference between the numbers of notices and those of events."""

_BITS = 16
"""The bits of each part of a place in the number of a thread."""

_WHOLE = (1 << 32) - 1


class DebugHandle(Handle):
    """A session with a card of a program, from attaching to detaching."""

    noun: ClassVar[str] = "debug session"

    def __init__(self, device: Device, process: int) -> None:
        super().__init__(device)
        self.device = device
        self.connection = attached(process, device.board_name)
        self._has_ended = False

    def retire(self) -> bool:
        if not super().retire():
            return False
        self.detach()
        return True

    def detach(self) -> None:
        """Ends the session; the program goes on."""
        try:
            self.ask(RequestKind.DETACH)
        except ZeError:  # the program has ended
            return
        finally:
            self.connection.close()

    def ask(
        self,
        kind: RequestKind,
        thread: ThreadPlace = ALL_THREADS,
        selector: int = 0,
        first: int = 0,
        count: int = 0,
        data: bytes = b"",
    ) -> bytes:
        """Returns the answer to a request. Raises `ZeError`."""
        return self.connection.ask(Request(kind, thread, selector, first, count, data))

    def event(self, milliseconds: int) -> zet_debug_event_t | None:
        """Returns the next event; None if there is none in time. That the program has ended is told once."""
        seconds = math.inf if milliseconds == ZET_DEBUG_TIMEOUT_INFINITE else min(milliseconds / 1000, 1e6)
        if self._has_ended:
            return None
        try:
            notice = self.connection.notice(seconds)
        except TimeoutError:
            return None
        if notice is not None:
            return _event(notice)
        self._has_ended = True
        detached = zet_debug_event_info_detached_t(zet_debug_detach_reason_t.ZET_DEBUG_DETACH_REASON_HOST_EXIT)
        kind = zet_debug_event_type_t.ZET_DEBUG_EVENT_TYPE_DETACHED
        return zet_debug_event_t(kind, zet_debug_event_flags_t(0), zet_debug_event_info_t(detached=detached))

    def read_memory(self, thread: ThreadPlace, space: int, address: int, size: int) -> bytes:
        """Returns bytes of memory. Raises `ZeError`."""
        parts = [
            self.ask(RequestKind.READ_MEMORY, thread, space, address + done, min(size - done, CHUNK_BYTES))
            for done in range(0, size, CHUNK_BYTES)
        ]
        return b"".join(parts)

    def write_memory(self, thread: ThreadPlace, space: int, address: int, data: bytes) -> None:
        """Overwrites bytes of memory. Raises `ZeError`."""
        for done in range(0, len(data), CHUNK_BYTES):
            part = data[done : done + CHUNK_BYTES]
            self.ask(RequestKind.WRITE_MEMORY, thread, space, address + done, len(part), part)

    def shapes(self, thread: ThreadPlace) -> list[RegisterSetShape]:
        """Returns the register sets of a thread. Raises `ZeError`."""
        return RegisterSetShape.unpack_all(self.ask(RequestKind.REGISTER_SETS, thread))


def _event(notice: Notice) -> zet_debug_event_t:
    kind = zet_debug_event_type_t(notice.kind - _FIRST_NOTICE)
    flags = zet_debug_event_flags_t(notice.needs_answer)
    thread = zet_debug_event_info_thread_stopped_t(ze_device_thread_t(*notice.thread))
    if notice.kind in (NoticeKind.MODULE_LOAD, NoticeKind.MODULE_UNLOAD):
        module = zet_debug_event_info_module_t(_ELF_DWARF, notice.first, notice.second, notice.third)
        info = zet_debug_event_info_t(module=module)
    elif notice.kind in (NoticeKind.THREAD_STOPPED, NoticeKind.THREAD_UNAVAILABLE):
        info = zet_debug_event_info_t(thread=thread)
    elif notice.kind is NoticeKind.PAGE_FAULT:
        reason = zet_debug_page_fault_reason_t(notice.third)
        page = zet_debug_event_info_page_fault_t(notice.first, notice.second, reason)
        info = zet_debug_event_info_t(thread=thread, page_fault=page)
    else:
        info = zet_debug_event_info_t()
    reporting = ZET_DEBUG_THREAD_NONE if info.thread is None else _number(notice.thread)
    return zet_debug_event_t(kind, flags, info, thread=reporting)


def _number(place: ThreadPlace) -> int:
    """Returns the number of a thread, as 0.91 has it."""
    return sum(part << shift for part, shift in zip(place, range(3 * _BITS, -1, -_BITS), strict=True))


def place_of(thread: object) -> ThreadPlace:
    """Returns the place of a thread, given as in 1.x or by its number as in 0.91.

    Raises:
        ZeError: `INVALID_ARGUMENT` if it is neither.
    """
    if isinstance(thread, ze_device_thread_t):
        parts = thread.slice, thread.subslice, thread.eu, thread.thread
        if all(0 <= part <= _WHOLE for part in parts):
            return ThreadPlace(*parts)
    elif isinstance(thread, int) and 0 <= thread < 1 << 64:
        if thread in (ZET_DEBUG_THREAD_ALL, ZET_DEBUG_THREAD_NONE):
            return ALL_THREADS
        mask = (1 << _BITS) - 1
        return ThreadPlace(*(thread >> shift & mask for shift in range(3 * _BITS, -1, -_BITS)))
    raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{thread!r} is no thread")
