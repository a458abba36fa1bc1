"""Event pools and events (specification: Event). The commands on events are in `event_commands`, their times
in `timestamps`, and what processes share in `event_ipc`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from runtime.ze.context import Context
from runtime.ze.device import Device
from runtime.ze.enums import (
    ze_event_counter_based_flags_t,
    ze_event_pool_counter_based_exp_flags_t,
    ze_event_pool_flags_t,
    ze_event_scope_flags_t,
)
from runtime.ze.handle import Handle, flag_set, items, live, required, unsigned
from runtime.ze.machine import FOREVER
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.shared_slots import EventState, SharedSlots, new_slots
from runtime.ze.stream import Signal
from runtime.ze.structs import (
    ze_event_counter_based_desc_t,
    ze_event_desc_t,
    ze_event_pool_counter_based_exp_desc_t,
    ze_event_pool_desc_t,
)

_TIMED = (
    ze_event_pool_flags_t.ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP
    | ze_event_pool_flags_t.ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP
)


class EventPool(Handle):
    """Room for `count` events, visible to `devices`; `slots` is set where processes share them.

    `is_opened` tells that the pool is another one's, opened by its IPC handle.
    """

    noun: ClassVar[str] = "event pool"

    def __init__(
        self,
        context: Context,
        devices: Sequence[Device],
        flags: ze_event_pool_flags_t,
        count: int,
        *,
        counter_based: bool = False,
        slots: SharedSlots | None = None,
        is_opened: bool = False,
    ) -> None:
        super().__init__(context)
        self.context = context
        self.devices = tuple(devices)
        self.flags = flags
        self.timed = bool(flags & _TIMED)
        self.count = count
        self.counter_based = counter_based
        self.slots = slots
        self.is_opened = is_opened
        self.events: dict[int, Event] = {}

    def released(self) -> None:
        """An event of the pool was destroyed."""

    def retire(self) -> None:
        super().retire()
        if self.slots is not None:
            self.slots.close()


class Event(Handle):
    """An event of a pool; its state is guarded by the machine's lock. Scopes are those that it was created with."""

    noun: ClassVar[str] = "event"

    def __init__(self, pool: EventPool, desc: ze_event_desc_t) -> None:
        super().__init__(pool)
        self.pool = pool
        self.index = desc.index
        self.signal_scope = ze_event_scope_flags_t(desc.signal)
        self.wait_scope = ze_event_scope_flags_t(desc.wait)
        self.timed = pool.timed
        self._state = EventState()
        pool.events[desc.index] = self

    @property
    def event(self) -> Event:
        return self

    @property
    def signaled(self) -> bool:
        return self._state.signaled

    def as_signal(self, *, in_order: bool) -> Signal:
        """What a command that is appended now signals."""
        return self

    def as_wait(self) -> Signal:
        """What a command that is appended now waits for."""
        return self

    def require_host_writable(self) -> None:
        """Raise unsupported feature for an event that only lists can signal and reset."""

    def complete(self, start: int, end: int) -> None:
        """Become signaled by a command that ran from device time `start` to `end`; called with the machine locked."""
        self._state = EventState(True, start, end)

    def reset(self) -> None:
        changed = self.pool.context.machine.changed
        with changed:
            self._clear()
            changed.notify_all()

    def _clear(self) -> None:
        self._state = EventState()

    def times(self) -> EventState:
        """Whether the event is signaled, and the times that belong to that."""
        with self.pool.context.machine.changed:
            return self._state

    def retire(self) -> None:
        streams = [stream for device in self.pool.context.devices for stream in tuple(device.processor.streams)]
        if any(stream.mentions(self) for stream in streams):
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, f"{self!r} is used by a command that is still pending"
            )
        super().retire()
        del self.pool.events[self.index]
        self.pool.released()


class SharedEvent(Event):
    """An event whose state several processes share."""

    def __init__(self, pool: EventPool, slots: SharedSlots, desc: ze_event_desc_t) -> None:
        super().__init__(pool, desc)
        self._slots = slots
        if not pool.is_opened:
            slots.write(self.index, EventState())

    @property
    def signaled(self) -> bool:
        return self._slots.read(self.index).signaled

    def complete(self, start: int, end: int) -> None:
        self._slots.write(self.index, EventState(True, start, end))

    def _clear(self) -> None:
        self._slots.write(self.index, EventState())

    def times(self) -> EventState:
        return self._slots.read(self.index)


class CounterEvent(Event):
    """An event that counts: signaled when the latest of the commands that signal it is done, and never reset.

    A command waits for those that were appended before it, so the event can be signaled again without a reset.
    """

    def __init__(self, pool: EventPool, desc: ze_event_desc_t) -> None:
        super().__init__(pool, desc)
        self._issued = 0
        self._reached = 0

    @property
    def signaled(self) -> bool:
        return 0 < self._issued == self._reached

    def as_signal(self, *, in_order: bool) -> Signal:
        if not in_order:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{self!r} is counter-based, the list is not in order"
            )
        self._issued += 1
        return CounterValue(self, self._issued)

    def as_wait(self) -> Signal:
        return CounterValue(self, self._issued)

    def require_host_writable(self) -> None:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, f"{self!r} is counter-based: only lists signal it"
        )

    def has_reached(self, value: int) -> bool:
        return self._reached >= value

    def reach(self, value: int, start: int, end: int) -> None:
        """Note that the command with a value is done; called with the machine locked."""
        if value > self._reached:
            self._reached = value
            self.complete(start, end)


@dataclass(frozen=True, eq=False, slots=True)
class CounterValue:
    """What one command makes of a counter: the value that it has when the command is done."""

    event: CounterEvent
    value: int

    @property
    def timed(self) -> bool:
        return self.event.timed

    @property
    def signaled(self) -> bool:
        return self.event.has_reached(self.value)

    def complete(self, start: int, end: int) -> None:
        self.event.reach(self.value, start, end)


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


def zeEventPoolDestroy(hEventPool: EventPool) -> None:
    """Destroy a pool; raises object in use while it has events, and invalid argument for one that was opened."""
    pool = live(hEventPool, EventPool)
    if pool.is_opened:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{pool!r} was opened, and is to be closed")
    pool.retire()


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
    pool = _SingleEventPool(context, (device,), flags, 1, counter_based=True)
    return CounterEvent(pool, ze_event_desc_t(0, desc.signal, desc.wait))


_Counter = ze_event_counter_based_flags_t
_OF_POOL = {
    _Counter.ZE_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE: ze_event_pool_flags_t.ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
    _Counter.ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP: ze_event_pool_flags_t.ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP,
    _Counter.ZE_EVENT_COUNTER_BASED_FLAG_HOST_TIMESTAMP: (
        ze_event_pool_flags_t.ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP
    ),
}
"""What flags of a counter-based event are for a pool."""


class _SingleEventPool(EventPool):
    """The pool behind an event that was created without one; it goes with its event."""

    def released(self) -> None:
        self.retire()


def zeEventDestroy(hEvent: Event) -> None:
    """Destroy an event; its index may be used again. Raises object in use while a pending command needs the event."""
    live(hEvent, Event).retire()


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


def zeEventHostReset(hEvent: Event) -> None:
    """Make an event not signaled. Raises unsupported feature for one that counts."""
    event = live(hEvent, Event)
    event.require_host_writable()
    event.reset()


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


def zeEventGetEventPool(hEvent: Event) -> EventPool:
    """The pool of an event."""
    return live(hEvent, Event).pool


def zeEventGetSignalScope(hEvent: Event) -> ze_event_scope_flags_t:
    """The scope that an event was created to signal with."""
    return live(hEvent, Event).signal_scope


def zeEventGetWaitScope(hEvent: Event) -> ze_event_scope_flags_t:
    """The scope that an event was created to be waited for with."""
    return live(hEvent, Event).wait_scope


def zeEventPoolGetContextHandle(hEventPool: EventPool) -> Context:
    """The context of a pool."""
    return live(hEventPool, EventPool).context


def zeEventPoolGetFlags(hEventPool: EventPool) -> ze_event_pool_flags_t:
    """The flags that a pool was created with."""
    return live(hEventPool, EventPool).flags
