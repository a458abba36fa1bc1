"""Traces: every executed instruction, with the values that it reads and writes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from runtime.debugger.listing import KernelListing
from runtime.debugger.trace.filter import Interval, TraceFilter
from runtime.debugger.trace.operands import Accessed, Operands
from runtime.debugger.values import Values
from runtime.simulator import DeviceFault
from runtime.simulator.interpreter import Execution, Observer
from xegpu.isa.model import Dim3

DEFAULT_LIMIT = 10_000
"""The default for the number of instructions that a trace shows."""

_MOST_ADDRESSES = 32


@dataclass(frozen=True)
class TraceRecord:
    """One executed instruction.

    `on` has a bit for each enabled channel of the instruction, channel 0 lowest; `channels` is the number of all.
    """

    group: Dim3
    subgroup: int
    index: int
    offset: int
    source: str
    text: str
    on: int
    channels: int
    reads: list[Values]
    memory: Accessed | None
    writes: list[Values]

    def lines(self) -> Iterator[str]:
        """The record as lines of text."""
        group = ",".join(map(str, self.group))
        where = f" {self.source}" if self.source else ""
        yield f"[{group}/{self.subgroup}] #{self.index} {self.offset:#x}{where}  {self.text}"
        if self.on != (1 << self.channels) - 1:
            yield f"    channels {self.on:#x} of {self.channels}" if self.on else "    no channel is on"
        yield from (f"    {values.name} = {values.text()}" for values in self.reads)
        if self.memory is not None:
            yield f"    {_memory_text(self.memory)}"
        yield from (f"    {values.name} <- {values.text()}" for values in self.writes)

    def json(self) -> dict[str, object]:
        """The record as JSON."""
        record: dict[str, object] = {
            "group": list(self.group),
            "subgroup": self.subgroup,
            "index": self.index,
            "offset": self.offset,
            "source": self.source or None,
            "text": self.text,
            "channels": self.channels,
            "on": self.on,
            "reads": [values.json() for values in self.reads],
            "writes": [values.json() for values in self.writes],
        }
        if self.memory is not None:
            record["memory"] = {
                "space": self.memory.space,
                "access": self.memory.access,
                "bytes": self.memory.size or None,
                "addresses": list(self.memory.addresses),
                "lanes": None if self.memory.lanes is None else list(self.memory.lanes),
                "detail": self.memory.detail or None,
            }
        return record


def _memory_text(memory: Accessed) -> str:
    if memory.detail:
        return f"{memory.access} of a block at {memory.addresses[0]:#x}: {memory.detail}"
    if memory.lanes is None:
        return f"{memory.access} of {memory.size} bytes of {memory.space} memory at {memory.addresses[0]:#x}"
    pairs = list(zip(memory.lanes, memory.addresses, strict=True))
    shown = " ".join(f"{lane}:{address:#x}" for lane, address in pairs[:_MOST_ADDRESSES])
    more = f" ... {len(pairs) - _MOST_ADDRESSES} more" if len(pairs) > _MOST_ADDRESSES else ""
    return f"{memory.access} of {memory.size} bytes of {memory.space} memory, lane:address {shown}{more}"


@dataclass(eq=False)
class _TracedLaunch:
    """The state of a running launch: decoded operands by instruction, and the current instruction."""

    listing: KernelListing
    operands: dict[int, Operands]
    pending: dict[int, TraceRecord]


class InstructionTracer(Observer):
    """Writes one or more lines for each instruction that `filter` shows, up to `limit` instructions.

    `write` is called with text that ends in a newline. With `as_json`, each line is a JSON object: `group`, `subgroup`,
    `index`, `offset`, `source`, `text`, `channels` (the number of the instruction's channels), `on` (a bit for each
    enabled one), `reads` and `writes` (name, type and values of operands; null for disabled lanes, hexadecimal text for
    unknown types) and `memory` (space, access, bytes, addresses by lane).
    """

    def __init__(
        self,
        write: Callable[[str], object],
        filter: TraceFilter | None = None,
        *,
        as_json: bool = False,
        limit: int = DEFAULT_LIMIT,
    ):
        self._write = write
        self._filter = filter or TraceFilter()
        self._as_json = as_json
        self._left = limit
        self._limit = limit
        self._launches: dict[Execution, _TracedLaunch] = {}

    def launch_started(self, execution: Execution) -> None:
        self._launches[execution] = _TracedLaunch(KernelListing(execution.executable), {}, {})

    def launch_ended(self, execution: Execution) -> None:
        del self._launches[execution]

    def before(self, execution: Execution, index: int) -> None:
        if self._left <= 0 or not self._filter.shows(execution, index):
            return
        launch, thread = self._launches[execution], execution.thread
        instruction = execution.executable.program.instructions[index]
        if index not in launch.operands:
            launch.operands[index] = Operands(instruction, thread)
        operands = launch.operands[index]
        on = operands.channels_on()
        location = launch.listing.location(index)
        launch.pending[thread.number] = TraceRecord(
            execution.group,
            execution.first_subgroup + thread.number,
            index,
            execution.executable.program.offsets[index],
            "" if location is None else str(location),
            launch.listing.text(index),
            on,
            instruction.exec_size,
            self._chosen(operands.sources(on)),
            self._chosen_addresses(operands.memory(on)),
            [],
        )

    def after(self, execution: Execution, index: int) -> None:
        launch = self._launches[execution]
        record = launch.pending.pop(execution.thread.number, None)
        if record is not None:
            record.writes.extend(self._chosen(launch.operands[index].results(record.on)))
            self._put(record)

    def faulted(self, execution: Execution, fault: DeviceFault) -> None:
        record = self._launches[execution].pending.pop(execution.thread.number, None)
        if record is not None:
            self._put(record)

    def _put(self, record: TraceRecord) -> None:
        if self._left <= 0:
            return
        self._left -= 1
        if self._as_json:
            self._write(json.dumps(record.json()) + "\n")
        else:
            self._write("".join(f"{line}\n" for line in record.lines()))
        if self._left == 0:
            note = f"the trace ends here: its limit is {self._limit}"
            self._write(json.dumps({"note": note}) + "\n" if self._as_json else f"... {note}\n")

    def _chosen(self, operands: list[Values]) -> list[Values]:
        """Returns the operands, without the lanes that the filter does not show."""
        lanes = self._filter.lane
        return operands if lanes is None else [_only(values, lanes) for values in operands]

    def _chosen_addresses(self, memory: Accessed | None) -> Accessed | None:
        """Returns the access, without the lanes that the filter does not show."""
        lanes = self._filter.lane
        if memory is None or memory.lanes is None or lanes is None:
            return memory
        kept = [(lane, address) for lane, address in zip(memory.lanes, memory.addresses, strict=True) if lane in lanes]
        return replace(memory, lanes=tuple(lane for lane, _ in kept), addresses=tuple(address for _, address in kept))


def _only(values: Values, lanes: Interval) -> Values:
    if values.on is None:
        return values
    keep = np.array([values.first_lane + lane in lanes for lane in range(len(values.bits))])
    return values.only(keep)
