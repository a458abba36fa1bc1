"""Event pools and events: plain ones, which the host may signal and reset, and counter-based ones."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import rule

from runtime import ze
from tests.unit.runtime.ze.fuzz.application import PATIENCE, SECOND, Application, Waiting
from tests.unit.runtime.ze.fuzz.drawing import FEW, PICK, needs
from tests.unit.runtime.ze.fuzz.model import CounterEvent, Event, Pool

FOREVER = (1 << 64) - 1
MOST_WAITING = 3
MOST_COUNTERS = 3


class EventRules(Application):
    @rule(context=FEW, size=st.integers(0, 4))
    def create_pool(self, context: int, size: int) -> None:
        parent = self.contexts[context % 2]

        def call() -> None:
            handle = ze.zeEventPoolCreate(parent.handle, ze.ze_event_pool_desc_t(1, size))
            self.add(Pool(handle, parent, size=size))

        self.expect("SUCCESS" if size else "INVALID_SIZE", call)

    @needs(Pool)
    @rule(pick=PICK, index=st.integers(-1, 4))
    def create_event(self, pick: int, index: int) -> None:
        pool = self.some(Pool, pick)
        if pool is None:
            return
        right = 0 <= index < pool.size and pool.event_at(index) is None

        def call() -> None:
            self.add(Event(ze.zeEventCreate(pool.handle, ze.ze_event_desc_t(index)), pool, index=index))

        self.expect("SUCCESS" if right else "INVALID_ARGUMENT", call)

    @rule(context=FEW)
    def create_counter(self, context: int) -> None:
        if len(self.all(CounterEvent)) < MOST_COUNTERS:
            parent = self.contexts[context % 2]
            desc = ze.ze_event_counter_based_desc_t()
            self.add(CounterEvent(ze.zeEventCounterBasedCreate(parent.handle, self.device, desc), parent))

    @needs(Event)
    @rule(pick=PICK)
    def signal(self, pick: int) -> None:
        event = self.some(Event, pick)
        if event is None:
            return
        if isinstance(event, CounterEvent):
            self.expect("UNSUPPORTED_FEATURE", lambda: ze.zeEventHostSignal(event.handle))
            return
        self.expect("SUCCESS", lambda: ze.zeEventHostSignal(event.handle))
        event.is_set = True

    @needs(Event)
    @rule(pick=PICK)
    def reset(self, pick: int) -> None:
        event = self.some(Event, pick)
        if isinstance(event, CounterEvent):
            self.expect("UNSUPPORTED_FEATURE", lambda: ze.zeEventHostReset(event.handle))
        elif event is not None and not event.is_busy and not event.waiting:
            self.expect("SUCCESS", lambda: ze.zeEventHostReset(event.handle))
            event.is_set = False

    @needs(Event)
    @rule(pick=PICK)
    def query_event(self, pick: int) -> None:
        event = self.some(Event, pick)
        if event is not None and event.signaled:
            self.expect("SUCCESS", lambda: ze.zeEventHostSynchronize(event.handle, PATIENCE * SECOND))
        elif event is not None:
            self.expect("NOT_READY", lambda: ze.zeEventHostSynchronize(event.handle, 1000))

    @needs(Event)
    @rule(pick=PICK)
    def wait_for_event(self, pick: int) -> None:
        """In a thread, until it is signaled."""
        event = self.some(Event, pick)
        if event is None or event.signaled or isinstance(event, CounterEvent) or len(self.waiting) >= MOST_WAITING:
            return
        event.waiting += 1

        def outcome() -> str | None:
            if not event.signaled and not self.device.processor.lost:
                return None
            event.waiting -= 1
            return "SUCCESS" if event.signaled else "DEVICE_LOST"

        self.waiting.append(
            Waiting(f"the wait for {event.handle}", lambda: ze.zeEventHostSynchronize(event.handle, FOREVER), outcome)
        )
