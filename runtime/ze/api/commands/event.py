"""Event pools, events and their timestamps (specification: Event)."""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from contextlib import ExitStack

from runtime.ze.conversion import chained
from runtime.ze.declaration import AT_LEAST_ONE, Chapter, api, seed_form
from runtime.ze.dispatch import direct
from runtime.ze.driver.execution.command_list import CommandList
from runtime.ze.driver.execution.commands import do_nothing, uses_nothing
from runtime.ze.driver.execution.event import CounterEvent, Event, EventPool, SharedEvent, SingleEventPool
from runtime.ze.driver.execution.shared_slots import EventState, SharedSlots, new_slots, slot_bytes
from runtime.ze.driver.handle import enumerator, items, known_flags, live, required, unsigned
from runtime.ze.driver.linux import ipc
from runtime.ze.driver.memory.operands import Operand, operand_bytes
from runtime.ze.driver.system.context import Context, time_limit
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.ending import destroy
from runtime.ze.driver.system.machine import FOREVER
from runtime.ze.driver.system.processor import KERNEL_TICK_BITS
from runtime.ze.spec.enums import (
    ze_event_counter_based_flags_t,
    ze_event_pool_flags_t,
    ze_event_scope_flags_t,
    ze_event_timestamp_type_t,
)
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import (
    ze_event_counter_based_desc_t,
    ze_event_desc_t,
    ze_event_pool_counter_based_exp_desc_t,
    ze_event_pool_desc_t,
    ze_event_query_kernel_timestamps_results_ext_properties_t,
    ze_ipc_event_pool_handle_t,
    ze_kernel_timestamp_data_t,
    ze_kernel_timestamp_result_t,
    ze_synchronized_timestamp_data_ext_t,
    ze_synchronized_timestamp_result_ext_t,
)

_Counter = ze_event_counter_based_flags_t

_OF_POOL = {
    _Counter.ZE_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE: ze_event_pool_flags_t.ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
    _Counter.ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP: ze_event_pool_flags_t.ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP,
    _Counter.ZE_EVENT_COUNTER_BASED_FLAG_HOST_TIMESTAMP: (
        ze_event_pool_flags_t.ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP
    ),
}
"""The pool's flags that the flags of a counter-based event stand for."""

_COUNT_SHIFT = 8
"""The detail of an IPC handle holds the pool's flags below this bit, and the number of its events from this bit on."""

_KERNEL_TICKS = (1 << KERNEL_TICK_BITS) - 1

_RESULT = struct.Struct("<4Q")

_MAPPED = ze_event_pool_flags_t.ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP

RESULT_BYTES = _RESULT.size
"""Size of a `ze_kernel_timestamp_result_t` in memory, in bytes."""


@api(
    Chapter.EVENT,
    "DEVICE_LOST INVALID_SIZE UNSUPPORTED_FEATURE",
    pointers="desc",
    rules={"desc.count": AT_LEAST_ONE},
    validated="INVALID_ENUMERATION",
)
def zeEventPoolCreate(
    hContext: Context, desc: ze_event_pool_desc_t, phDevices: Sequence[Device] | None = ()
) -> EventPool:
    """Creates a pool of `desc.count` events for `phDevices`; for all devices of the context if the array
    is empty or null.

    With `ze_event_pool_counter_based_exp_desc_t` in `desc.pNext` its events are counter-based.

    Raises:
        ZeError: `UNSUPPORTED_FEATURE` for counter-based events that processes are to share.
    """
    context = live(hContext, Context)
    required(desc, "desc")
    flags = known_flags(desc.flags, ze_event_pool_flags_t)
    if desc.count < 1:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, f"a pool of {desc.count} events")
    devices = [context.device(device) for device in items(phDevices or (), "phDevices")]
    count = unsigned(desc.count, "desc.count")
    counter = chained(desc.pNext, ze_event_pool_counter_based_exp_desc_t)
    counter_based = counter is not None
    slots = None
    if flags & ze_event_pool_flags_t.ZE_EVENT_POOL_FLAG_IPC:
        if counter_based:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "counter-based events are not shared")
        slots = new_slots(count, context.machine)
    return EventPool(context, devices or context.devices, flags, count, counter_based=counter_based, slots=slots)


@api(Chapter.EVENT, validated="HANDLE_OBJECT_IN_USE")
def zeEventPoolDestroy(hEventPool: EventPool) -> None:
    """Destroys a pool with its events.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a pool that was opened by IPC handle.
    """
    if isinstance(hEventPool, EventPool) and hEventPool.alive and hEventPool.is_opened:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{hEventPool!r} was opened: close it instead")
    destroy(hEventPool, EventPool)


@api(Chapter.EVENT, since=(1, 9))
def zeEventPoolGetContextHandle(hEventPool: EventPool) -> Context:
    """Returns the context that a pool was created in."""
    return live(hEventPool, EventPool).context


@api(Chapter.EVENT, since=(1, 9))
def zeEventPoolGetFlags(hEventPool: EventPool) -> ze_event_pool_flags_t:
    """Returns the flags that a pool was created with."""
    return live(hEventPool, EventPool).flags


@api(Chapter.EVENT, "UNSUPPORTED_FEATURE")
def zeEventPoolGetIpcHandle(hEventPool: EventPool) -> ze_ipc_event_pool_handle_t:
    """Returns 64 bytes by which another process can open a pool.

    Raises:
        ZeError: `UNSUPPORTED_FEATURE` for a pool without `ZE_EVENT_POOL_FLAG_IPC`.
    """
    pool = live(hEventPool, EventPool)
    if pool.slots is None:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, f"{pool!r} was made without ZE_EVENT_POOL_FLAG_IPC"
        )
    pool.slots.watch()
    detail = pool.flags | pool.count << _COUNT_SHIFT
    shared = ipc.Shared(pool.slots.fd, 0, slot_bytes(pool.count), detail)
    return ze_ipc_event_pool_handle_t(ipc.export(ipc.EVENT_POOL, shared))


@api(Chapter.EVENT, pointers="hIpc", since=(1, 6))
def zeEventPoolPutIpcHandle(hContext: Context, hIpc: bytes) -> None:
    """Returns an IPC handle to the driver. The pool stays shared as long as it lives, so this has no effect."""
    live(hContext, Context)
    required(hIpc, "hIpc")
    if not ipc.is_handle(ipc.EVENT_POOL, hIpc):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, "these bytes are not an IPC handle of an event pool"
        )


@api(Chapter.EVENT, pointers="hIpc")
def zeEventPoolOpenIpcHandle(hContext: Context, hIpc: bytes) -> EventPool:
    """Opens the pool of an IPC handle, in which an event has the same index as in the process that shares it.

    Raises:
        ZeError: `INVALID_ARGUMENT` for bytes that are not an IPC handle, or whose pool is destroyed.
    """
    context = live(hContext, Context)
    required(hIpc, "hIpc")
    shared = ipc.open_handle(ipc.EVENT_POOL, hIpc)
    flags, count = ze_event_pool_flags_t(shared.detail & 0xF), shared.detail >> _COUNT_SHIFT
    with ExitStack() as undo:
        undo.callback(os.close, shared.fd)
        if slot_bytes(count) != shared.size:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, "the IPC handle is damaged")
        slots = SharedSlots(shared.fd, count, context.machine)
        undo.pop_all()
    slots.watch()
    return EventPool(context, context.devices, flags, count, slots=slots, is_opened=True)


@api(Chapter.EVENT, validated="HANDLE_OBJECT_IN_USE")
def zeEventPoolCloseIpcHandle(hEventPool: EventPool) -> None:
    """Closes a pool that was opened by its IPC handle, and destroys its events in this process.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a pool that was created here.
    """
    if isinstance(hEventPool, EventPool) and hEventPool.alive and not hEventPool.is_opened:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{hEventPool!r} was not opened: destroy it instead"
        )
    destroy(hEventPool, EventPool)


@api(Chapter.EVENT, pointers="desc", validated="INVALID_ENUMERATION")
def zeEventCreate(hEventPool: EventPool, desc: ze_event_desc_t) -> Event:
    """Creates the event at `desc.index` of a pool, not signaled.

    Raises:
        ZeError: `INVALID_ARGUMENT` for an index that is out of range or taken.
    """
    pool = live(hEventPool, EventPool)
    required(desc, "desc")
    if not 0 <= desc.index < pool.count:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"event index {desc.index} in a pool of {pool.count} events"
        )
    if desc.index in pool.events:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"event index {desc.index} is taken by {pool.events[desc.index]!r}",
        )
    if pool.slots is not None:
        return SharedEvent(pool, pool.slots, desc)
    return CounterEvent(pool, desc) if pool.counter_based else Event(pool, desc)


@api(Chapter.EVENT, validated="HANDLE_OBJECT_IN_USE")
def zeEventDestroy(hEvent: Event) -> None:
    """Destroys an event; its index can be used again. Commands that wait for it go on if it is signaled."""
    destroy(hEvent, Event)


@api(Chapter.EVENT, "DEVICE_LOST", pointers="desc", since=(1, 15), validated="INVALID_ENUMERATION")
def zeEventCounterBasedCreate(hContext: Context, hDevice: Device, desc: ze_event_counter_based_desc_t) -> Event:
    """Creates a counter-based event for one device, without a pool."""
    context = live(hContext, Context)
    device = context.device(hDevice)
    required(desc, "desc")
    wanted = known_flags(desc.flags, ze_event_counter_based_flags_t)
    flags = ze_event_pool_flags_t(0)
    for flag, of_pool in _OF_POOL.items():
        flags |= of_pool if wanted & flag else 0
    pool = SingleEventPool(context, (device,), flags, 1, counter_based=True)
    return CounterEvent(pool, ze_event_desc_t(0, desc.signal, desc.wait))


@api(Chapter.EVENT, "INVALID_SYNCHRONIZATION_OBJECT")
def zeCommandListAppendSignalEvent(hCommandList: CommandList, hEvent: Event) -> None:
    """Appends a command that signals an event when all earlier commands of the list are done."""
    live(hCommandList, CommandList).append(do_nothing, live(hEvent, Event))


@api(Chapter.EVENT, "INVALID_SIZE INVALID_SYNCHRONIZATION_OBJECT", pointers="phEvents")
def zeCommandListAppendWaitOnEvents(hCommandList: CommandList, phEvents: Sequence[Event]) -> None:
    """Appends a command that waits until all of `phEvents` are signaled."""
    command_list = live(hCommandList, CommandList)
    phEvents = items(phEvents, "phEvents")
    if not phEvents:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, "there are no events to wait for")
    command_list.append(do_nothing, None, phEvents)


@api(Chapter.EVENT, "INVALID_SYNCHRONIZATION_OBJECT UNSUPPORTED_FEATURE")
def zeCommandListAppendEventReset(hCommandList: CommandList, hEvent: Event) -> None:
    """Appends a command that resets an event.

    Raises:
        ZeError: `UNSUPPORTED_FEATURE` for a counter-based event.
    """
    command_list = live(hCommandList, CommandList)
    event = command_list.event(hEvent)
    event.require_writable()
    command_list.append(event.reset, uses=uses_nothing)


@api(Chapter.EVENT, "UNSUPPORTED_FEATURE")
def zeEventHostSignal(hEvent: Event) -> None:
    """Signals an event from the host.

    Raises:
        ZeError: `UNSUPPORTED_FEATURE` for a counter-based event.
    """
    event = live(hEvent, Event)
    event.require_writable()
    if not event.signaled:
        event.complete(0, 0)
    event.pool.context.machine.notify()


@api(Chapter.EVENT, "NOT_READY DEVICE_LOST")
def zeEventHostSynchronize(hEvent: Event, timeout: int = FOREVER) -> ze_result_t:
    """Waits at most `timeout` nanoseconds until an event is signaled; `UINT32_MAX` as for `zeCommandQueueSynchronize`.

    Returns:
        `ZE_RESULT_SUCCESS`, or `ZE_RESULT_NOT_READY` after the time-out.

    Raises:
        ZeError: `DEVICE_LOST` if a device of the event's pool is lost while the event is not signaled.
    """
    event = live(hEvent, Event)
    processors = [device.processor for device in event.pool.devices]
    event.pool.context.machine.wait(
        lambda: event.signaled or any(processor.lost for processor in processors),
        time_limit(event.pool.context, timeout),
    )
    if event.signaled:
        return ze_result_t.ZE_RESULT_SUCCESS
    for processor in processors:
        processor.require_available()
    return ze_result_t.ZE_RESULT_NOT_READY


@api(Chapter.EVENT, "NOT_READY DEVICE_LOST")
def zeEventQueryStatus(hEvent: Event) -> ze_result_t:
    """Returns `ZE_RESULT_SUCCESS` if an event is signaled, else `ZE_RESULT_NOT_READY`."""
    return direct(zeEventHostSynchronize)(hEvent, 0)


@api(Chapter.EVENT, "UNSUPPORTED_FEATURE")
def zeEventHostReset(hEvent: Event) -> None:
    """Resets an event from the host.

    Raises:
        ZeError: `UNSUPPORTED_FEATURE` for a counter-based event.
    """
    event = live(hEvent, Event)
    event.require_writable()
    event.reset()


@api(Chapter.EVENT, since=(1, 9))
def zeEventGetEventPool(hEvent: Event) -> EventPool:
    """Returns the pool of an event."""
    return live(hEvent, Event).pool


@api(Chapter.EVENT, since=(1, 9))
def zeEventGetSignalScope(hEvent: Event) -> ze_event_scope_flags_t:
    """Returns the signal scope that an event was created with."""
    return live(hEvent, Event).signal_scope


@api(Chapter.EVENT, since=(1, 9))
def zeEventGetWaitScope(hEvent: Event) -> ze_event_scope_flags_t:
    """Returns the wait scope that an event was created with."""
    return live(hEvent, Event).wait_scope


def _timed(hEvent: Event) -> Event:
    event = live(hEvent, Event)
    if not event.timed:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT,
            f"the pool of {event!r} was created without kernel timestamps",
        )
    return event


def _signaled_times(event: Event) -> EventState:
    state = event.times()
    if not event.signaled or not state.signaled:
        raise ZeError(ze_result_t.ZE_RESULT_NOT_READY, f"{event!r} is not signaled")
    return state


def _result(state: EventState) -> ze_kernel_timestamp_result_t:
    data = ze_kernel_timestamp_data_t(state.start & _KERNEL_TICKS, state.end & _KERNEL_TICKS)
    return ze_kernel_timestamp_result_t(global_=data, context=data)


@api(Chapter.EVENT, "NOT_READY INVALID_SYNCHRONIZATION_OBJECT", seed="zeEventGetTimestamp")
def zeEventQueryKernelTimestamp(hEvent: Event) -> ze_kernel_timestamp_result_t:
    """Returns the times, in ticks, at which the command began and ended that signaled an event.

    Raises:
        ZeError: `ZE_RESULT_NOT_READY` for an event that is not signaled, and `INVALID_SYNCHRONIZATION_OBJECT` if
            its pool has no timestamps.
    """
    return _result(_signaled_times(_timed(hEvent)))


@seed_form(zeEventQueryKernelTimestamp)
def zeEventGetTimestamp(hEvent: Event, timestampType: int) -> int:
    """Returns one of the times that `zeEventQueryKernelTimestamp` returns together."""
    live(hEvent, Event)
    kind = enumerator(timestampType, ze_event_timestamp_type_t)
    times = direct(zeEventQueryKernelTimestamp)(hEvent).global_
    starts = (
        ze_event_timestamp_type_t.ZE_EVENT_TIMESTAMP_GLOBAL_START,
        ze_event_timestamp_type_t.ZE_EVENT_TIMESTAMP_CONTEXT_START,
    )
    return times.kernelStart if kind in starts else times.kernelEnd


@api(Chapter.EVENT, "NOT_READY INVALID_SYNCHRONIZATION_OBJECT", since=(1, 2))
def zeEventQueryTimestampsExp(hEvent: Event, hDevice: Device) -> list[ze_kernel_timestamp_result_t]:
    """Returns what `zeEventQueryKernelTimestamp` returns, once for each tile of `hDevice` that took part.

    A command runs on one tile; the list is empty if it ran on another device.
    """
    event = live(hEvent, Event)
    device = live(hDevice, Device)
    times = direct(zeEventQueryKernelTimestamp)(event)
    return [times] if _took_part(device, event) else []


def _took_part(device: Device, event: Event) -> bool:
    """Returns whether the command that signaled an event may have run on a device or a part of it."""
    return event.device is None or event.device.processor is device.processor


@api(Chapter.EVENT, "NOT_READY INVALID_SYNCHRONIZATION_OBJECT", since=(1, 6))
def zeEventQueryKernelTimestampsExt(
    hEvent: Event, hDevice: Device
) -> list[ze_event_query_kernel_timestamps_results_ext_properties_t]:
    """Returns what `zeEventQueryTimestampsExp` returns, and the same times on the host's clock.

    The times of the host's clock, in nanoseconds, are there if the event's pool has mapped timestamps.
    """
    event = live(hEvent, Event)
    device = live(hDevice, Device)
    nanoseconds = device.processor.tick_ns
    state = _signaled_times(_timed(event))
    if not _took_part(device, event):
        return []
    synchronized = None
    if event.pool.flags & _MAPPED:
        data = ze_synchronized_timestamp_data_ext_t(state.start * nanoseconds, state.end * nanoseconds)
        synchronized = ze_synchronized_timestamp_result_ext_t(global_=data, context=data)
    return [ze_event_query_kernel_timestamps_results_ext_properties_t(_result(state), synchronized)]


@api(
    Chapter.EVENT,
    "INVALID_SIZE INVALID_SYNCHRONIZATION_OBJECT",
    pointers="phEvents dstptr",
    seed=None,
    memory="dstptr[32*phEvents]",
)
def zeCommandListAppendQueryKernelTimestamps(
    hCommandList: CommandList,
    phEvents: Sequence[Event],
    dstptr: Operand,
    pOffsets: Sequence[int] | None = None,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends a command that writes the results of `zeEventQueryKernelTimestamp` to memory, 32 bytes each.

    Zeros stand for an event that is not signaled when the command runs.

    Args:
        hCommandList: The list.
        phEvents: The events.
        dstptr: The memory for the results.
        pOffsets: The offset of each result in bytes; without them, the results follow each other.
        hSignalEvent: The event that the command signals.
        phWaitEvents: The events that the command waits for.

    Raises:
        ZeError: `INVALID_SIZE` if there are not as many offsets as events.
    """
    command_list = live(hCommandList, CommandList)
    phEvents = items(phEvents, "phEvents")
    required(dstptr, "dstptr")
    events = [_timed(command_list.event(event)) for event in phEvents]
    offsets = range(0, len(events) * RESULT_BYTES, RESULT_BYTES) if pOffsets is None else items(pOffsets, "pOffsets")
    if not events or len(offsets) != len(events):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, f"{len(events)} events and {len(offsets)} offsets")
    size = max(unsigned(offset, "pOffsets", 64) for offset in offsets) + RESULT_BYTES
    target = operand_bytes(command_list.context, dstptr, size, "dstptr", writes=True)

    def write() -> None:
        data = target()
        for event, offset in zip(events, offsets, strict=True):
            state = event.times()
            times = (state.start & _KERNEL_TICKS, state.end & _KERNEL_TICKS) if state.signaled else (0, 0)
            _RESULT.pack_into(data.data, offset, *times, *times)

    command_list.append(write, hSignalEvent, phWaitEvents)
