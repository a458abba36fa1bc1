"""Program debug (specification: Program Debug).

Threads are places, or as in 0.91 their numbers. Breakpoints are written into the code, and steps are asked for by the
control register: `docs/debugging.md` says how.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.debuggee import RegisterSetShape, RequestKind, device_sets
from runtime.ze import ZeError, ze_result_t
from runtime.ze.declaration import api
from runtime.ze.driver import Device, enumerator, live, required, unsigned
from runtime.zet.chapters import ToolsChapter
from runtime.zet.debug.session import DebugHandle, place_of
from runtime.zet.debug.spec import (
    zet_debug_config_t,
    zet_debug_event_t,
    zet_debug_event_type_t,
    zet_debug_memory_space_desc_t,
    zet_debug_memory_space_type_t,
    zet_debug_regset_flags_t,
    zet_debug_regset_properties_t,
    zet_device_debug_properties_t,
    zet_device_debug_property_flags_t,
)

_UNAVAILABLE = "NOT_AVAILABLE"


@api(ToolsChapter.DEBUG, seed=None)
def zetDeviceGetDebugProperties(hDevice: Device, pNext: Sequence[type] = ()) -> zet_device_debug_properties_t:
    """Returns whether debuggers can attach to a device: to cards and tiles that are devices, not to sub-devices."""
    is_root = live(hDevice, Device).root is None
    return zet_device_debug_properties_t(zet_device_debug_property_flags_t(is_root))


@api(
    ToolsChapter.DEBUG,
    "INSUFFICIENT_PERMISSIONS NOT_AVAILABLE UNSUPPORTED_FEATURE",
    pointers="config",
)
def zetDebugAttach(hDevice: Device, config: zet_debug_config_t) -> DebugHandle:
    """Attaches to a process that uses a card, for all its tiles.

    Raises:
        ZeError: `INVALID_ARGUMENT` if there is no such process, or the configuration is of another version;
            `INSUFFICIENT_PERMISSIONS` if it is another user's; `UNSUPPORTED_FEATURE` for sub-devices, and if the
            process does not run with `ZET_ENABLE_PROGRAM_DEBUGGING=1`; `NOT_AVAILABLE` if another debugger is attached,
            or the process does not use the card.
    """
    device = live(hDevice, Device)
    required(config, "config")
    if config.version not in (0, 1):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"config.version is {config.version}, expected 1")
    pid = unsigned(config.variant.v1.pid if config.version else config.pid, "config.pid")
    if device.root is not None:
        text = f"{device!r} is a sub-device: attach to its card"
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, text)
    return DebugHandle(device, pid)


@api(ToolsChapter.DEBUG)
def zetDebugDetach(hDebug: DebugHandle) -> None:
    """Closes a session: breakpoints go, and all threads go on."""
    live(hDebug, DebugHandle).retire()


@api(
    ToolsChapter.DEBUG,
    "NOT_READY",
    note="With a third argument, `size`, as in 0.91: `OUT_OF_HOST_MEMORY` if an event has no room.",
)
def zetDebugReadEvent(hDebug: DebugHandle, timeout: int) -> zet_debug_event_t:
    """Returns the next event, for which this waits at most `timeout` milliseconds.

    Raises:
        ZeError: `NOT_READY` if there is none.
    """
    found = live(hDebug, DebugHandle).event(unsigned(timeout, "timeout", 64))
    if found is None:
        raise ZeError(ze_result_t.ZE_RESULT_NOT_READY, "there is no event")
    return found


@api(ToolsChapter.DEBUG, _UNAVAILABLE, pointers="event", seed=None)
def zetDebugAcknowledgeEvent(hDebug: DebugHandle, event: zet_debug_event_t) -> None:
    """Lets the program go on that waits since an event.

    Raises:
        ZeError: `INVALID_ARGUMENT` for an event that needs no acknowledgement, or has it; `NOT_AVAILABLE` if the
            program has ended.
    """
    session = live(hDebug, DebugHandle)
    required(event, "event")
    module = event.info.module
    if module is None or event.type != zet_debug_event_type_t.ZET_DEBUG_EVENT_TYPE_MODULE_LOAD:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{event.type} needs no acknowledgement")
    session.ask(RequestKind.ACKNOWLEDGE, first=module.moduleBegin)


@api(ToolsChapter.DEBUG, _UNAVAILABLE)
def zetDebugInterrupt(hDebug: DebugHandle, thread: object) -> None:
    """Stops a thread, or all that run or wait. An event tells when they are stopped, or that they are not there.

    Raises:
        ZeError: `NOT_AVAILABLE` if they are stopped.
    """
    live(hDebug, DebugHandle).ask(RequestKind.INTERRUPT, place_of(thread))


@api(ToolsChapter.DEBUG, _UNAVAILABLE)
def zetDebugResume(hDebug: DebugHandle, thread: object) -> None:
    """Lets a stopped thread go on, or all.

    Raises:
        ZeError: `NOT_AVAILABLE` if it is not stopped.
    """
    live(hDebug, DebugHandle).ask(RequestKind.RESUME, place_of(thread))


@api(ToolsChapter.DEBUG, "INVALID_ENUMERATION NOT_AVAILABLE", pointers="desc")
def zetDebugReadMemory(hDebug: DebugHandle, thread: object, desc: zet_debug_memory_space_desc_t, size: int) -> bytes:
    """Returns bytes of memory. In the default space are memory, images of modules and code.

    Raises:
        ZeError: `INVALID_ARGUMENT` if there is no such memory; `NOT_AVAILABLE` if the thread is not stopped, and for
            shared local memory without a thread.
    """
    session, place = live(hDebug, DebugHandle), place_of(thread)
    required(desc, "desc")
    space, address = _memory(desc)
    return session.read_memory(place, space, address, unsigned(size, "size", 32))


@api(ToolsChapter.DEBUG, "INVALID_ENUMERATION NOT_AVAILABLE", pointers="desc buffer")
def zetDebugWriteMemory(
    hDebug: DebugHandle, thread: object, desc: zet_debug_memory_space_desc_t, buffer: bytes
) -> None:
    """Overwrites bytes of memory. Code can get breakpoints, and no other contents.

    Raises:
        ZeError: As for `zetDebugReadMemory`; `NOT_AVAILABLE` for memory that is read-only.
    """
    session, place = live(hDebug, DebugHandle), place_of(thread)
    required(desc, "desc")
    required(buffer, "buffer")
    space, address = _memory(desc)
    session.write_memory(place, space, address, buffer)


def _memory(desc: zet_debug_memory_space_desc_t) -> tuple[int, int]:
    return enumerator(desc.type, zet_debug_memory_space_type_t), unsigned(desc.address, "desc.address", 64)


@api(ToolsChapter.DEBUG, seed=None)
def zetDebugGetRegisterSetProperties(hDevice: Device) -> list[zet_debug_regset_properties_t]:
    """Returns the register sets of threads with the fewest registers."""
    return list(map(_properties, device_sets(live(hDevice, Device).target)))


@api(ToolsChapter.DEBUG, _UNAVAILABLE, since=(1, 5))
def zetDebugGetThreadRegisterSetProperties(hDebug: DebugHandle, thread: object) -> list[zet_debug_regset_properties_t]:
    """Returns the register sets of a stopped thread.

    Raises:
        ZeError: `NOT_AVAILABLE` if it is not stopped.
    """
    return list(map(_properties, live(hDebug, DebugHandle).shapes(place_of(thread))))


def _properties(shape: RegisterSetShape) -> zet_debug_regset_properties_t:
    flags = zet_debug_regset_flags_t.ZET_DEBUG_REGSET_FLAG_READABLE
    if shape.is_writable:
        flags |= zet_debug_regset_flags_t.ZET_DEBUG_REGSET_FLAG_WRITEABLE
    return zet_debug_regset_properties_t(int(shape.type), 0, flags, 0, shape.count, 8 * shape.size, shape.size)


@api(ToolsChapter.DEBUG, _UNAVAILABLE, seed=None)
def zetDebugReadRegisters(hDebug: DebugHandle, thread: object, type: int, start: int, count: int) -> bytes:
    """Returns the bytes of registers of a stopped thread.

    Raises:
        ZeError: `NOT_AVAILABLE` if it is not stopped, or has no such registers.
    """
    session, place = live(hDebug, DebugHandle), place_of(thread)
    where = _registers(type, start, count)
    return session.ask(RequestKind.READ_REGISTERS, place, *where)


@api(ToolsChapter.DEBUG, _UNAVAILABLE, pointers="pRegisterValues", seed=None)
def zetDebugWriteRegisters(
    hDebug: DebugHandle, thread: object, type: int, start: int, count: int, pRegisterValues: bytes
) -> None:
    """Sets registers of a stopped thread.

    Raises:
        ZeError: `NOT_AVAILABLE` if it is not stopped, has no such registers, or they cannot be written.
    """
    session, place = live(hDebug, DebugHandle), place_of(thread)
    required(pRegisterValues, "pRegisterValues")
    where = _registers(type, start, count)
    session.ask(RequestKind.WRITE_REGISTERS, place, *where, pRegisterValues)


def _registers(type: int, start: int, count: int) -> tuple[int, int, int]:
    return unsigned(type, "type", 16), unsigned(start, "start"), unsigned(count, "count")
