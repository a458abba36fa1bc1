"""Advice on memory and scopes of events that the rest of a program contradicts (validation: memory tracker).

A simulated device neither moves pages nor has caches that the host does not see, so that nothing goes wrong there. On
hardware, pages travel to and fro, or the host reads what it had before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from weakref import WeakKeyDictionary

from runtime.ze.driver.execution.event import Event
from runtime.ze.driver.system.usm import Usm
from runtime.ze.layers.validation.call import ApiCall
from runtime.ze.layers.validation.operands import MemoryOperand
from runtime.ze.layers.validation.report import report
from runtime.ze.layers.validation.site import CallSite
from runtime.ze.spec.enums import ze_event_scope_flags_t, ze_memory_advice_t, ze_memory_type_t

HINTS = frozenset({"zeCommandListAppendMemAdvise", "zeCommandListAppendMemoryPrefetch"})

HOST_WAITS = re.compile(r"zeEvent(HostSynchronize|QueryStatus)")

_CLEARED: Mapping[int, ze_memory_advice_t] = {
    advice: ze_memory_advice_t[name.replace("_CLEAR_", "_SET_")]
    for name, advice in ze_memory_advice_t.__members__.items()
    if "_CLEAR_" in name
}
"""Advice, and what it takes back."""

_OF_DEVICE = ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE


class Promises:
    """Remembers what calls have said about memory and events, and holds later calls to it."""

    def __init__(self, text: Callable[[Usm], str]) -> None:
        """`text` describes an allocation."""
        self._text = text
        self._advice: WeakKeyDictionary[Usm, dict[int, CallSite]] = WeakKeyDictionary()
        self._unflushed: WeakKeyDictionary[Event, tuple[CallSite, Sequence[Usm]]] = WeakKeyDictionary()

    def append(self, call: ApiCall, operands: Collection[MemoryOperand]) -> None:
        """Takes note of a command that is appended, and reports what contradicts it."""
        used = {operand.context.usm(operand.address): operand for operand in operands}
        memory = {usm: operand.is_written for usm, operand in used.items() if usm is not None}
        if call.name in HINTS:
            for usm in memory:
                self._hint(call, usm)
            return
        written = [usm for usm, is_written in memory.items() if is_written]
        for usm in written:
            advised = self._advice.get(usm, {}).get(ze_memory_advice_t.ZE_MEMORY_ADVICE_SET_READ_MOSTLY)
            if advised is not None:
                said = f"zeCommandListAppendMemAdvise, called at {advised}, has said that it is mostly read"
                self._report(call, f"writes {self._text(usm)}; {said}")
        event = call.arguments.get("hSignalEvent")
        if isinstance(event, Event) and not event.signal_scope & ze_event_scope_flags_t.ZE_EVENT_SCOPE_FLAG_HOST:
            self._unflushed[event] = call.site, [usm for usm in written if usm.type is not _OF_DEVICE]

    def wait(self, call: ApiCall) -> None:
        """Reports a wait of the host, for an event without its scope, behind which it would read what is not there."""
        event = call.arguments["hEvent"]
        if not isinstance(event, Event):
            return
        site, written = self._unflushed.pop(event, (None, ()))
        for usm in written:
            what = f"{event!r} has no signal scope of the host (ZE_EVENT_SCOPE_FLAG_HOST)"
            self._report(
                call, f"{what}, which may not see what the command appended at {site} wrote to {self._text(usm)}"
            )

    def _hint(self, call: ApiCall, usm: Usm) -> None:
        if usm.type is not ze_memory_type_t.ZE_MEMORY_TYPE_SHARED:
            self._report(call, f"is for shared memory, and changes nothing for {self._text(usm)}")
            return
        advice, given = call.arguments.get("advice"), self._advice.setdefault(usm, {})
        if not isinstance(advice, int):
            return
        cleared = _CLEARED.get(advice)
        if cleared is None:
            given[advice] = call.site
        elif given.pop(cleared, None) is None:
            self._report(call, f"takes back {cleared.name}, which nobody has said of {self._text(usm)}")

    @staticmethod
    def _report(call: ApiCall, text: str) -> None:
        report(f"{call.name}, called at {call.site}:", [text])
