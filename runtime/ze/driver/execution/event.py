"""Event pools and events: on the host, shared between processes, and counter-based."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from runtime.concurrency import step
from runtime.ze.driver.execution.commands import Signal, Submission
from runtime.ze.driver.execution.shared_slots import EventState, SharedSlots
from runtime.ze.driver.handle import Handle, known_flags
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.spec.enums import ze_event_pool_flags_t, ze_event_scope_flags_t
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import ze_event_desc_t

_TIMED = (
    ze_event_pool_flags_t.ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP
    | ze_event_pool_flags_t.ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP
)


class EventPool(Handle):
    """Room for `count` events, visible to `devices`.

    `slots` has their states if processes share them; `is_opened` is True for a pool that another process created.
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
        """Is called when an event of the pool was destroyed."""

    def retire(self) -> bool:
        is_used = self.has_pending_use
        if not super().retire():
            return False
        if self.slots is not None:
            self.slots.close(keeps_pages=is_used)
        return True


class Event(Handle):
    """An event of a pool, and the device of the command that signals it, as far as this process has appended one."""

    noun: ClassVar[str] = "event"

    def __init__(self, pool: EventPool, desc: ze_event_desc_t) -> None:
        super().__init__(pool)
        self.pool = pool
        self.index = desc.index
        self.signal_scope = known_flags(desc.signal, ze_event_scope_flags_t)
        self.wait_scope = known_flags(desc.wait, ze_event_scope_flags_t)
        self.timed = pool.timed
        self.device: Device | None = None
        self._state = EventState()

    @property
    def event(self) -> Event:
        return self

    @property
    def signaled(self) -> bool:
        return self._state.signaled

    def require_signal_of(self, *, in_order: bool) -> None:
        """Raises `INVALID_ARGUMENT` for an event that a list cannot signal, in order or not."""

    def issued(self) -> Signal:
        return self

    def awaited(self) -> Signal:
        return self

    def publish(self, submission: Submission) -> None:
        """Does nothing: the event is its own signal."""

    def require_writable(self) -> None:
        """Raises `UNSUPPORTED_FEATURE` for an event that the host cannot signal, and that nothing resets."""

    def complete(self, start: int, end: int) -> None:
        """Becomes signaled by a command that ran from device time `start` to `end`."""
        self._state = EventState(True, start, end)

    def reset(self) -> None:
        self._clear()
        self.pool.context.machine.notify()

    def _clear(self) -> None:
        self._state = EventState()

    def times(self) -> EventState:
        """Returns whether the event is signaled, with the times that belong to this state."""
        return self._state

    @property
    def pending_use(self) -> str:
        streams = (stream for device in self.pool.context.devices for stream in device.processor.streams)
        is_used = any(stream.mentions(self) for stream in streams)
        return f"{self!r} is used by a command that is still pending" if is_used else ""

    @step
    def _join(self, add: Callable[[Handle], None]) -> None:
        self.pool.events[self.index] = self
        add(self)

    @step
    def _leave(self, discard: Callable[[Handle], object]) -> bool:
        if not self.alive:
            return False
        self.alive = False
        if self.index in self.pool.events:
            del self.pool.events[self.index]
        discard(self)
        return True

    def retire(self) -> bool:
        if not super().retire():
            return False
        self.pool.released()
        return True


class SharedEvent(Event):
    """An event whose state several processes share.

    Steps are no steps for other processes: `SharedSlots` orders the writes.
    """

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
    """A counter-based event: signaled when the latest of the commands that signal it is done, and never reset.

    A command waits for those that were submitted before it, so the event can be signaled again without a reset.
    """

    def __init__(self, pool: EventPool, desc: ze_event_desc_t) -> None:
        super().__init__(pool, desc)
        self.latest: CounterValue | None = None
        """The signal of the latest submission."""

    @property
    def signaled(self) -> bool:
        return self.latest is not None and self.latest.signaled

    def require_signal_of(self, *, in_order: bool) -> None:
        if not in_order:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{self!r} is counter-based, the list is not in order"
            )

    def issued(self) -> Signal:
        return CounterValue(self)

    def awaited(self) -> Signal:
        """Returns the latest signal; without one that may come, the event, which may be signaled anew."""
        latest = self.latest
        return self if latest is None or latest.is_dropped else latest

    def require_writable(self) -> None:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
            f"{self!r} is counter-based: only commands signal it, and nothing resets it",
        )

    def times(self) -> EventState:
        return EventState() if self.latest is None else self.latest.state


class CounterValue:
    """One signal of a counter-based event, by one execution of a command."""

    __slots__ = ("_submission", "event", "state")

    def __init__(self, event: CounterEvent) -> None:
        self.event = event
        self.state = EventState()
        self._submission: Submission | None = None

    @property
    def timed(self) -> bool:
        return self.event.timed

    @property
    def signaled(self) -> bool:
        return self.state.signaled

    def complete(self, start: int, end: int) -> None:
        self.state = EventState(True, start, end)

    def issued(self) -> Signal:
        return self

    def awaited(self) -> Signal:
        return self

    @property
    def is_dropped(self) -> bool:
        """True if the command was dropped, so that this signal never comes."""
        return self._submission is not None and not (self.signaled or self._submission.is_pending)

    def publish(self, submission: Submission) -> None:
        self._submission = submission
        self.event.latest = self


class SingleEventPool(EventPool):
    """The pool behind an event that was created without one, which is destroyed with its event."""

    def released(self) -> None:
        self.retire()
