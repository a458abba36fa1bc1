"""Event pools and events (specification: Event). The commands on events are in `event_commands`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from runtime.ze.context import Context
from runtime.ze.device import Device
from runtime.ze.enums import ze_event_pool_flags_t, ze_event_scope_flags_t
from runtime.ze.handle import Handle, flag_set, live, required, unsigned
from runtime.ze.machine import FOREVER
from runtime.ze.processor import KERNEL_TICK_BITS
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.structs import (
    ze_event_desc_t,
    ze_event_pool_desc_t,
    ze_kernel_timestamp_data_t,
    ze_kernel_timestamp_result_t,
)

_TIMED = (
    ze_event_pool_flags_t.ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP
    | ze_event_pool_flags_t.ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP
)
_KERNEL_TICKS = (1 << KERNEL_TICK_BITS) - 1


class EventPool(Handle):
    """Room for `count` events, visible to `devices`."""

    noun: ClassVar[str] = "event pool"

    def __init__(self, context: Context, devices: Sequence[Device], flags: ze_event_pool_flags_t, count: int) -> None:
        super().__init__(context)
        self.context = context
        self.devices = tuple(devices)
        self.timed = bool(flags & _TIMED)
        self.count = count
        self.events: dict[int, Event] = {}


class Event(Handle):
    """An event of a pool; its state is guarded by the machine's lock."""

    noun: ClassVar[str] = "event"

    def __init__(self, pool: EventPool, index: int) -> None:
        super().__init__(pool)
        self.pool = pool
        self.index = index
        self.signaled = False
        self.timed = pool.timed
        self.start = 0
        self.end = 0
        pool.events[index] = self

    def complete(self, start: int, end: int) -> None:
        """Become signaled by a command that ran from device time `start` to `end`; called with the machine locked."""
        self.signaled, self.start, self.end = True, start, end

    def reset(self) -> None:
        with self.pool.context.machine.changed:
            self.signaled, self.start, self.end = False, 0, 0

    def retire(self) -> None:
        streams = [stream for device in self.pool.context.devices for stream in tuple(device.processor.streams)]
        if any(stream.mentions(self) for stream in streams):
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, f"{self!r} is used by a command that is still pending"
            )
        super().retire()
        del self.pool.events[self.index]


def zeEventPoolCreate(hContext: Context, desc: ze_event_pool_desc_t, phDevices: Sequence[Device] = ()) -> EventPool:
    """A pool of `desc.count` events for `phDevices`, for all devices of the context if there are none."""
    context = live(hContext, Context)
    required(desc, "desc")
    flags = flag_set(desc.flags, ze_event_pool_flags_t)
    if desc.count < 1:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, f"a pool of {desc.count} events")
    devices = [context.device(device) for device in phDevices]
    return EventPool(context, devices or context.devices, flags, unsigned(desc.count, "desc.count"))


def zeEventPoolDestroy(hEventPool: EventPool) -> None:
    """Destroy a pool; raises object in use while it has events."""
    live(hEventPool, EventPool).retire()


def zeEventCreate(hEventPool: EventPool, desc: ze_event_desc_t) -> Event:
    """The event at `desc.index` of a pool, not signaled."""
    pool = live(hEventPool, EventPool)
    required(desc, "desc")
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
    return Event(pool, desc.index)


def zeEventDestroy(hEvent: Event) -> None:
    """Destroy an event; its index may be used again. Raises object in use while a pending command needs the event."""
    live(hEvent, Event).retire()


def zeEventHostSignal(hEvent: Event) -> None:
    """Signal an event from the host; commands and threads that wait for it go on."""
    event = live(hEvent, Event)
    changed = event.pool.context.machine.changed
    with changed:
        if not event.signaled:
            event.complete(0, 0)
        changed.notify_all()


def zeEventHostReset(hEvent: Event) -> None:
    """Make an event not signaled."""
    live(hEvent, Event).reset()


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


def zeEventQueryStatus(hEvent: Event) -> ze_result_t:
    """Success if the event is signaled, else not ready."""
    return zeEventHostSynchronize(hEvent, 0)


def zeEventQueryKernelTimestamp(hEvent: Event) -> ze_kernel_timestamp_result_t:
    """When the command that signaled an event ran, in ticks of the device's `timerResolution`.

    Raises not ready for an event that is not signaled, and invalid argument for one of a pool without timestamps.
    """
    event = live(hEvent, Event)
    if not event.timed:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"the pool of {event!r} was made without kernel timestamps"
        )
    with event.pool.context.machine.changed:
        signaled, start, end = event.signaled, event.start & _KERNEL_TICKS, event.end & _KERNEL_TICKS
    if not signaled:
        raise ZeError(ze_result_t.ZE_RESULT_NOT_READY, f"{event!r} is not signaled")
    data = ze_kernel_timestamp_data_t(start, end)
    return ze_kernel_timestamp_result_t(global_=data, context=data)
