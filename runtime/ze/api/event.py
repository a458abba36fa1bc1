"""Event pools, events and their timestamps (specification: Event)."""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence

from runtime.ze.declaration import AT_LEAST_ONE, Chapter, api, seed_form
from runtime.ze.dispatch import direct
from runtime.ze.driver.execution.command_list import CommandList
from runtime.ze.driver.execution.event import CounterEvent, Event, EventPool, SharedEvent, SingleEventPool
from runtime.ze.driver.execution.shared_slots import EventState, SharedSlots, new_slots, slot_bytes
from runtime.ze.driver.execution.stream import do_nothing
from runtime.ze.driver.handle import byte_string, enumerator, flag_set, items, live, required, unsigned
from runtime.ze.driver.memory import ipc
from runtime.ze.driver.memory.operands import Operand, operand_bytes
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.machine import FOREVER
from runtime.ze.driver.system.processor import KERNEL_TICK_BITS, TICK_NS
from runtime.ze.spec.enums import (
    ze_event_counter_based_flags_t,
    ze_event_pool_counter_based_exp_flags_t,
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
"""What flags of a counter-based event are for a pool."""

_COUNT_SHIFT = 8
"""A handle's detail: flags of the pool, and from this bit on the number of its events."""

_KERNEL_TICKS = (1 << KERNEL_TICK_BITS) - 1

_RESULT = struct.Struct("<4Q")

_MAPPED = ze_event_pool_flags_t.ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP

RESULT_BYTES = _RESULT.size
"""Size of a `ze_kernel_timestamp_result_t` in memory."""


@api(
    Chapter.EVENT,
    "DEVICE_LOST INVALID_SIZE INVALID_ENUMERATION UNSUPPORTED_FEATURE",
    pointers="desc",
    rules={"desc.count": AT_LEAST_ONE},
)
def zeEventPoolCreate(hContext: Context, desc: ze_event_pool_desc_t, phDevices: Sequence[Device] = ()) -> EventPool:
    """A pool of `desc.count` events for `phDevices`, for all devices of the context if there are none.

    With `ze_event_pool_counter_based_exp_desc_t` as `desc.pNext` its events count. Raises unsupported feature for such
    events that processes are to share.
    """
    context = live(hContext, Context)
    required(desc, "desc", ze_event_pool_desc_t)
    flags = flag_set(desc.flags, ze_event_pool_flags_t)
    if desc.count < 1:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, f"a pool of {desc.count} events")
    devices = [context.device(device) for device in items(phDevices, "phDevices")]
    count = unsigned(desc.count, "desc.count")
    counter_based = isinstance(desc.pNext, ze_event_pool_counter_based_exp_desc_t)
    if isinstance(desc.pNext, ze_event_pool_counter_based_exp_desc_t):
        flag_set(desc.pNext.flags, ze_event_pool_counter_based_exp_flags_t)
    slots = None
    if flags & ze_event_pool_flags_t.ZE_EVENT_POOL_FLAG_IPC:
        if counter_based:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "counter-based events are not shared")
        slots = new_slots(count, context.machine)
    return EventPool(context, devices or context.devices, flags, count, counter_based=counter_based, slots=slots)


@api(Chapter.EVENT, "HANDLE_OBJECT_IN_USE")
def zeEventPoolDestroy(hEventPool: EventPool) -> None:
    """Destroy a pool; raises object in use while it has events, and invalid argument for one that was opened."""
    pool = live(hEventPool, EventPool)
    if pool.is_opened:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{pool!r} was opened, and is to be closed")
    pool.retire()


@api(Chapter.EVENT, since=(1, 9))
def zeEventPoolGetContextHandle(hEventPool: EventPool) -> Context:
    """The context of a pool."""
    return live(hEventPool, EventPool).context


@api(Chapter.EVENT, since=(1, 9))
def zeEventPoolGetFlags(hEventPool: EventPool) -> ze_event_pool_flags_t:
    """The flags that a pool was created with."""
    return live(hEventPool, EventPool).flags


@api(Chapter.EVENT, "UNSUPPORTED_FEATURE")
def zeEventPoolGetIpcHandle(hEventPool: EventPool) -> bytes:
    """64 bytes by which another process can open a pool. Raises unsupported feature for one without the flag IPC."""
    pool = live(hEventPool, EventPool)
    if pool.slots is None:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, f"{pool!r} was made without ZE_EVENT_POOL_FLAG_IPC"
        )
    pool.slots.watch()
    detail = pool.flags | pool.count << _COUNT_SHIFT
    return ipc.export(ipc.EVENT_POOL, ipc.Shared(pool.slots.fd, 0, slot_bytes(pool.count), detail))


@api(Chapter.EVENT, pointers="phIpc", since=(1, 6))
def zeEventPoolPutIpcHandle(hContext: Context, phIpc: bytes) -> None:
    """Give a handle back. The pool stays shared as long as it lives, so nothing is left to do."""
    live(hContext, Context)
    phIpc = byte_string(phIpc, "phIpc")
    if not ipc.is_handle(ipc.EVENT_POOL, phIpc):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, "these bytes are no IPC handle of an event pool")


@api(Chapter.EVENT, pointers="hIpc")
def zeEventPoolOpenIpcHandle(hContext: Context, hIpc: bytes) -> EventPool:
    """The pool behind a handle: events at the same place are one event. To be closed, not destroyed.

    Raises invalid argument for bytes that are no handle, or whose pool is gone.
    """
    context = live(hContext, Context)
    hIpc = byte_string(hIpc, "hIpc")
    shared = ipc.open_handle(ipc.EVENT_POOL, hIpc)
    flags, count = ze_event_pool_flags_t(shared.detail & 0xF), shared.detail >> _COUNT_SHIFT
    if slot_bytes(count) != shared.size:
        os.close(shared.fd)
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, "the IPC handle is damaged")
    slots = SharedSlots(shared.fd, count, context.machine)
    slots.watch()
    return EventPool(context, context.devices, flags, count, slots=slots, is_opened=True)


@api(Chapter.EVENT, "HANDLE_OBJECT_IN_USE")
def zeEventPoolCloseIpcHandle(hEventPool: EventPool) -> None:
    """Close a pool that was opened; raises object in use while it has events, invalid argument for any other pool."""
    pool = live(hEventPool, EventPool)
    if not pool.is_opened:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{pool!r} was not opened, and is to be destroyed")
    pool.retire()


@api(Chapter.EVENT, "INVALID_ENUMERATION", pointers="desc")
def zeEventCreate(hEventPool: EventPool, desc: ze_event_desc_t) -> Event:
    """The event at `desc.index` of a pool, not signaled."""
    pool = live(hEventPool, EventPool)
    required(desc, "desc", ze_event_desc_t)
    flag_set(desc.signal, ze_event_scope_flags_t)
    flag_set(desc.wait, ze_event_scope_flags_t)
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


@api(Chapter.EVENT, "HANDLE_OBJECT_IN_USE")
def zeEventDestroy(hEvent: Event) -> None:
    """Destroy an event; its index may be used again. Raises object in use while a pending command needs the event."""
    live(hEvent, Event).retire()


@api(Chapter.EVENT, "DEVICE_LOST INVALID_ENUMERATION", pointers="desc", since=(1, 15))
def zeEventCounterBasedCreate(hContext: Context, hDevice: Device, desc: ze_event_counter_based_desc_t) -> Event:
    """An event of its own that counts, for one device."""
    context = live(hContext, Context)
    device = context.device(hDevice)
    required(desc, "desc", ze_event_counter_based_desc_t)
    wanted = flag_set(desc.flags, ze_event_counter_based_flags_t)
    flag_set(desc.signal, ze_event_scope_flags_t)
    flag_set(desc.wait, ze_event_scope_flags_t)
    flags = ze_event_pool_flags_t(0)
    for flag, of_pool in _OF_POOL.items():
        flags |= of_pool if wanted & flag else 0
    pool = SingleEventPool(context, (device,), flags, 1, counter_based=True)
    return CounterEvent(pool, ze_event_desc_t(0, desc.signal, desc.wait))


@api(Chapter.EVENT, "INVALID_SYNCHRONIZATION_OBJECT")
def zeCommandListAppendSignalEvent(hCommandList: CommandList, hEvent: Event) -> None:
    """Signal an event when all earlier commands of the list are done."""
    live(hCommandList, CommandList).append(do_nothing, live(hEvent, Event))


@api(Chapter.EVENT, "INVALID_SIZE INVALID_SYNCHRONIZATION_OBJECT", pointers="phEvents")
def zeCommandListAppendWaitOnEvents(hCommandList: CommandList, phEvents: Sequence[Event]) -> None:
    """Let later commands of the list begin when all of `phEvents` are signaled."""
    command_list = live(hCommandList, CommandList)
    phEvents = items(phEvents, "phEvents")
    if not phEvents:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, "there are no events to wait for")
    command_list.append(do_nothing, None, phEvents)


@api(Chapter.EVENT, "INVALID_SYNCHRONIZATION_OBJECT")
def zeCommandListAppendEventReset(hCommandList: CommandList, hEvent: Event) -> None:
    """Make an event not signaled, in the order of the list."""
    command_list = live(hCommandList, CommandList)
    event = command_list.event(hEvent)
    command_list.append(event.reset)


@api(Chapter.EVENT, "UNSUPPORTED_FEATURE")
def zeEventHostSignal(hEvent: Event) -> None:
    """Signal an event from the host; commands and threads that wait for it go on.

    Raises unsupported feature for one that counts.
    """
    event = live(hEvent, Event)
    event.require_host_writable()
    changed = event.pool.context.machine.changed
    with changed:
        if not event.signaled:
            event.complete(0, 0)
        changed.notify_all()


@api(Chapter.EVENT, "NOT_READY DEVICE_LOST")
def zeEventHostSynchronize(hEvent: Event, timeout: int = FOREVER) -> ze_result_t:
    """Wait for an event, at most `timeout` nanoseconds: success, or not ready.

    Raises device lost if that happens to a device of the event's pool while the event is not signaled.
    """
    event = live(hEvent, Event)
    processors = [device.processor for device in event.pool.devices]
    event.pool.context.machine.wait(
        lambda: event.signaled or any(processor.lost for processor in processors), unsigned(timeout, "timeout", 64)
    )
    if event.signaled:
        return ze_result_t.ZE_RESULT_SUCCESS
    for processor in processors:
        processor.require_available()
    return ze_result_t.ZE_RESULT_NOT_READY


@api(Chapter.EVENT, "NOT_READY DEVICE_LOST")
def zeEventQueryStatus(hEvent: Event) -> ze_result_t:
    """Success if the event is signaled, else not ready."""
    return direct(zeEventHostSynchronize)(hEvent, 0)


@api(Chapter.EVENT, "UNSUPPORTED_FEATURE")
def zeEventHostReset(hEvent: Event) -> None:
    """Make an event not signaled. Raises unsupported feature for one that counts."""
    event = live(hEvent, Event)
    event.require_host_writable()
    event.reset()


@api(Chapter.EVENT, since=(1, 9))
def zeEventGetEventPool(hEvent: Event) -> EventPool:
    """The pool of an event."""
    return live(hEvent, Event).pool


@api(Chapter.EVENT, since=(1, 9))
def zeEventGetSignalScope(hEvent: Event) -> ze_event_scope_flags_t:
    """The scope that an event was created to signal with."""
    return live(hEvent, Event).signal_scope


@api(Chapter.EVENT, since=(1, 9))
def zeEventGetWaitScope(hEvent: Event) -> ze_event_scope_flags_t:
    """The scope that an event was created to be waited for with."""
    return live(hEvent, Event).wait_scope


def _timed(hEvent: Event) -> Event:
    event = live(hEvent, Event)
    if not event.timed:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"the pool of {event!r} was made without kernel timestamps"
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


@api(Chapter.EVENT, "NOT_READY", seed="zeEventGetTimestamp")
def zeEventQueryKernelTimestamp(hEvent: Event) -> ze_kernel_timestamp_result_t:
    """When the command that signaled an event ran, in ticks of the device's `timerResolution`.

    Raises not ready for an event that is not signaled, and invalid argument for one of a pool without timestamps.
    """
    return _result(_signaled_times(_timed(hEvent)))


@seed_form(zeEventQueryKernelTimestamp)
def zeEventGetTimestamp(hEvent: Event, timestampType: int) -> int:
    """One of the times that `zeEventQueryKernelTimestamp` gives together."""
    live(hEvent, Event)
    kind = enumerator(timestampType, ze_event_timestamp_type_t)
    times = direct(zeEventQueryKernelTimestamp)(hEvent).global_
    starts = (
        ze_event_timestamp_type_t.ZE_EVENT_TIMESTAMP_GLOBAL_START,
        ze_event_timestamp_type_t.ZE_EVENT_TIMESTAMP_CONTEXT_START,
    )
    return times.kernelStart if kind in starts else times.kernelEnd


@api(Chapter.EVENT, "NOT_READY", since=(1, 2))
def zeEventQueryTimestampsExp(hEvent: Event, hDevice: Device) -> list[ze_kernel_timestamp_result_t]:
    """The same for each tile of a device that took part: one, as a command runs on one tile."""
    event = live(hEvent, Event)
    live(hDevice, Device)
    return [direct(zeEventQueryKernelTimestamp)(event)]


@api(Chapter.EVENT, "NOT_READY", since=(1, 6))
def zeEventQueryKernelTimestampsExt(
    hEvent: Event, hDevice: Device
) -> list[ze_event_query_kernel_timestamps_results_ext_properties_t]:
    """The same, with the times of the host's clock in nanoseconds if the event's pool has mapped timestamps."""
    event = live(hEvent, Event)
    live(hDevice, Device)
    state = _signaled_times(_timed(event))
    synchronized = None
    if event.pool.flags & _MAPPED:
        data = ze_synchronized_timestamp_data_ext_t(state.start * TICK_NS, state.end * TICK_NS)
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
    """Write the results of `zeEventQueryKernelTimestamp`, 32 bytes each, to memory: in a row, or at offsets.

    Zeros stand for an event that is not signaled when the command runs. Raises invalid size for as many offsets as
    there are not events.
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
