"""Events of cards: what has changed since the process registered for them.

Nothing pushes events between processes; who listens looks at the card's file, a few times in a hundredth of a second.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import field
from weakref import WeakKeyDictionary

from runtime.card import TileCount
from runtime.ze.driver import Device
from runtime.zes.spec import zes_event_type_flags_t, zes_ras_error_type_t
from runtime.zes.system.access import board
from runtime.zes.system.components import PowerDomain, RasErrorSet, TemperatureSensor, components
from runtime.zes.system.errors import is_above
from runtime.zes.system.readings import celsius, microjoules
from runtime.zes.system.thresholds import crossed
from xegpu.on_demand import dataclass

_Event = zes_event_type_flags_t

_NO_EVENTS = _Event(0)

_PAUSE_SECONDS = 0.005


@dataclass
class EventWatch:
    """The events of a card that the process is told of.

    Attributes:
        registered: The events that it wants.
        epoch: The number of resets that it knows of.
        throttled: The simulated time for which work was throttled that it knows of.
        spent: The thresholds of energy that it was told of, by where the counting began.
        active: The conditions that it knows to be true.
        pending: Events that it was not told of yet.
    """

    registered: _Event = _NO_EVENTS
    epoch: int = 0
    throttled: int = 0
    spent: set[tuple[str, float]] = field(default_factory=set)
    active: _Event = _NO_EVENTS
    pending: _Event = _NO_EVENTS

    def register(self, card: Device, events: _Event) -> None:
        """Begins to watch for some events, and no others; earlier ones do not count."""
        self.registered = events
        self.epoch = board(card).epoch
        self.throttled = _throttled(card)
        self.active = self.pending = _NO_EVENTS

    def look(self, card: Device) -> None:
        """Notes the events that have happened."""
        state = board(card)
        if state.epoch != self.epoch:
            self.epoch = state.epoch
            self.pending |= _Event.ZES_EVENT_TYPE_FLAG_DEVICE_DETACH | _Event.ZES_EVENT_TYPE_FLAG_DEVICE_ATTACH
        throttled = _throttled(card)
        if throttled != self.throttled:
            self.throttled = throttled
            self.pending |= _Event.ZES_EVENT_TYPE_FLAG_FREQ_THROTTLED
        for domain in components(card, PowerDomain):
            threshold, _, begin = state.settings.numbers(domain.key("threshold"), [0.0, 0.0, 0.0])
            key = (domain.key("threshold"), begin)
            energy = (microjoules(state, domain.tiles) - begin) / 1e6
            if threshold and energy >= threshold and key not in self.spent:
                self.spent.add(key)
                self.pending |= _Event.ZES_EVENT_TYPE_FLAG_ENERGY_THRESHOLD_CROSSED
        now = _conditions(card)
        self.pending |= now & ~self.active
        self.active = now

    def take(self) -> _Event:
        """Returns the events that were waited for, which end thereby."""
        found = self.pending & self.registered
        self.pending &= ~found
        return found


def _throttled(card: Device) -> int:
    return sum(board(card).tile_count(tile, TileCount.THROTTLED_NS) for tile in range(card.target.tiles))


def _conditions(card: Device) -> _Event:
    """Returns the events of conditions that are true now."""
    found = _Event(0)
    if any(user.losses for user in board(card).users()):
        found |= _Event.ZES_EVENT_TYPE_FLAG_DEVICE_RESET_REQUIRED
    for errors in components(card, RasErrorSet):
        if is_above(errors):
            corrected = errors.kind is zes_ras_error_type_t.ZES_RAS_ERROR_TYPE_CORRECTABLE
            uncorrectable = _Event.ZES_EVENT_TYPE_FLAG_RAS_UNCORRECTABLE_ERRORS
            found |= _Event.ZES_EVENT_TYPE_FLAG_RAS_CORRECTABLE_ERRORS if corrected else uncorrectable
    flags = (
        _Event.ZES_EVENT_TYPE_FLAG_TEMP_CRITICAL,
        _Event.ZES_EVENT_TYPE_FLAG_TEMP_THRESHOLD1,
        _Event.ZES_EVENT_TYPE_FLAG_TEMP_THRESHOLD2,
    )
    for sensor in components(card, TemperatureSensor):
        hits = crossed(sensor, celsius(card, sensor.subdeviceId))
        for flag, hit in zip(flags, hits, strict=True):
            found |= flag if hit else _Event(0)
    if board(card).settings.number("pci.card.downgrade", 0):
        found |= _Event.ZES_EVENT_TYPE_FLAG_PCI_LINK_HEALTH
    return found


_watches: WeakKeyDictionary[Device, EventWatch] = WeakKeyDictionary()


def watch_of(card: Device) -> EventWatch:
    """Returns the watch of a card in this process."""
    found = _watches.get(card)
    return found if found is not None else _watches.setdefault(card, EventWatch())


def listen(cards: Sequence[Device], seconds: float, *, takes: bool = True) -> list[_Event]:
    """Waits until any card has an event that was registered, and returns the events of each, which end if it `takes`
    them.
    """
    deadline = time.monotonic() + seconds
    while True:
        for card in cards:
            watch_of(card).look(card)
        found = [watch_of(card).pending & watch_of(card).registered for card in cards]
        if any(found):
            return [watch_of(card).take() for card in cards] if takes else found
        left = deadline - time.monotonic()
        if left <= 0:
            return [_Event(0)] * len(cards)
        time.sleep(min(_PAUSE_SECONDS, left))
