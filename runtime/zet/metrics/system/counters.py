"""The counters of a tile, from which metrics are computed, and what a launch or copy adds to each of them.

Counts of instructions, channels, messages and bytes are exact. Cycles are those of the cost model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from runtime.simulator import Executable
from runtime.simulator.profile import channel_operations
from runtime.ze.driver import Activity
from xegpu.isa import Instruction
from xegpu.isa.cost import Pipe, StallReason, Traffic, TrafficSpace, instruction_stalls, traffic
from xegpu.isa.formats import channel_count
from xegpu.targets import Target

Numbers = NDArray[np.int64]

_STALLS: Mapping[StallReason, str] = {
    StallReason.MESSAGE: "cycles in which threads that are alone on their EU wait for messages",
    StallReason.DEPENDENCY: "those in which they wait for results of arithmetic",
    StallReason.PIPE: "those in which they wait for a pipe",
    StallReason.SYNC: "those in which they wait for barriers and fences",
    StallReason.CONTROL: "those in which they wait for jumps",
}

_BY_EXECUTION: Mapping[str, str] = {
    "instructions": "instructions that were executed",
    **{f"{pipe.value}_instructions": f"those that the {pipe.value} pipe executes" for pipe in Pipe},
    **{f"{pipe.value}_cycles": f"cycles for which they occupy the {pipe.value} pipe" for pipe in Pipe},
    **{f"{reason.value}_stalls": text for reason, text in _STALLS.items()},
    "barriers": "messages that signal a barrier",
    "fences": "fences",
    "atomics": "messages that change memory atomically",
    "global_loads": "messages that load from global memory, without atomics",
    "global_stores": "messages that store to global memory, without atomics",
    "prefetches": "messages that prefetch",
    "slm_messages": "messages to shared local memory",
    "scratch_messages": "messages to scratch space",
    "image_messages": "messages to images",
    "masked_slots": "channels that instructions under the execution mask have",
}
"""Counters to which each execution of an instruction adds a constant."""

_BY_CHANNEL: Mapping[str, str] = {
    "masked_channels": "channels that are enabled of them",
    "float16_operations": "sums and products of half and bf16 numbers outside of the matrix engine",
    "float32_operations": "those of single precision",
    "float64_operations": "those of double precision",
    "matrix_operations": "sums and products of the matrix engine",
    "l1_read": "bytes that messages to global memory load, for each enabled channel",
    "l1_written": "bytes that they store",
    "l1_bypassed_read": "bytes that they load with a cache control that does not use L1, and those of atomics",
    "slm_read": "bytes loaded from shared local memory",
    "slm_written": "bytes stored to it",
    "scratch_read": "bytes loaded from scratch space",
    "scratch_written": "bytes stored to it",
    "image_read": "bytes of texels that are read",
    "image_written": "bytes of texels that are written",
}
"""Counters to which each enabled channel of an instruction adds a constant."""

_OF_LAUNCH: Mapping[str, str] = {
    "elapsed_ns": "nanoseconds of the report",
    "elapsed_clocks": "cycles of the core clock in them",
    "clock_ns": "nanoseconds, each times the core clock in MHz",
    "busy_clocks": "cycles for which the tile computes",
    "copy_ns": "nanoseconds for which it copies",
    "kernels": "launches",
    "groups": "work-groups",
    "threads": "hardware threads",
    "eu_loaded": "cycles of all EUs for which they have threads",
    "eu_active": "cycles of all EUs for which a pipe is busy, if pipes are busy independently of each other",
    "thread_slots": "cycles of all thread slots of EUs for which they have threads",
    "memory_read": "bytes read from memory; each byte that a launch reads comes from memory once",
    "memory_written": "bytes written to memory",
    "l3_read": "bytes that L1 asks of L3: loads that do not use L1, but no fewer than come from memory",
    "l3_load": "those of them that launches ask for",
    "l3_written": "bytes that are stored to L3: L1 writes through",
    "host_read": "bytes that copies bring from the host",
    "host_written": "bytes that copies bring to the host",
}
"""Counters that follow from a launch or copy as a whole."""

COUNTERS: Mapping[str, str] = {**_OF_LAUNCH, **_BY_EXECUTION, **_BY_CHANNEL}
"""The counters of a tile, and what they count. A report has those that its group needs."""

INDEX: Mapping[str, int] = {name: index for index, name in enumerate(COUNTERS)}

_FIRST_BY_EXECUTION = len(_OF_LAUNCH)
_FIRST_BY_CHANNEL = _FIRST_BY_EXECUTION + len(_BY_EXECUTION)

_FLOATS = {16: "float16_operations", 32: "float32_operations", 64: "float64_operations"}
"""The counters of operations by the bits of a number."""

_weights: WeakKeyDictionary[Executable, tuple[Numbers, Numbers]] = WeakKeyDictionary()
"""The amounts that an execution, and an enabled channel, of each instruction of a kernel adds."""


def added(activity: Activity) -> Numbers:
    """Returns what a launch or copy adds to the counters of its tile."""
    counts = np.zeros(len(COUNTERS), np.int64)

    def put(**values: float) -> None:
        for name, value in values.items():
            counts[INDEX[name]] = round(value)

    work, done, profile = activity.work, activity.done, activity.profile
    clocks = activity.nanoseconds * done.clock_mhz / 1e3
    put(
        elapsed_ns=activity.nanoseconds,
        elapsed_clocks=clocks,
        clock_ns=activity.nanoseconds * done.clock_mhz,
        memory_read=work.read,
        memory_written=work.written,
        l3_read=work.read,
        l3_written=work.written,
        host_read=work.received,
        host_written=work.sent,
    )
    if profile is None:
        put(copy_ns=activity.nanoseconds)
        return counts
    executed, channels = _weights_of(profile.executable)
    found = profile.statistics.counts
    assert found is not None, "listeners hear of launches that counted"
    counts[_FIRST_BY_EXECUTION:_FIRST_BY_CHANNEL] = found.executed.astype(np.int64) @ executed
    counts[_FIRST_BY_CHANNEL:] = found.channels.astype(np.int64) @ channels
    placed = profile.estimate.residency
    put(
        busy_clocks=clocks,
        kernels=1,
        groups=prod(profile.dispatch.group_count),
        threads=profile.statistics.threads,
        l3_read=(load := max(work.read, int(counts[INDEX["l1_bypassed_read"]]))),
        l3_load=load,
        l3_written=max(work.written, int(counts[INDEX["l1_written"]])),
    )
    if placed.groups:
        running = max(clocks - profile.estimate.launch, 0.0)
        loaded = placed.eus * running
        idle = prod(1 - min(counts[INDEX[f"{pipe.value}_cycles"]] / max(loaded, 1.0), 1.0) for pipe in Pipe)
        put(
            eu_loaded=loaded,
            eu_active=loaded * (1 - idle),
            thread_slots=placed.groups * placed.group_threads * running / placed.rounds,
        )
    return counts


def _weights_of(executable: Executable) -> tuple[Numbers, Numbers]:
    known = _weights.get(executable)
    if known is None:
        costs, target = executable.costs, executable.description.target
        stalls = instruction_stalls(executable.program, target, executable.description.register_count)
        instructions = executable.program.instructions
        rows = [
            _of_execution(instruction, pipe, int(occupancy)) | {f"{why.value}_stalls": n for why, n in waits.items()}
            for instruction, pipe, occupancy, waits in zip(
                instructions, costs.pipes, costs.occupancy, stalls, strict=True
            )
        ]
        known = (
            _matrix(rows, _BY_EXECUTION),
            _matrix([_of_channel(instruction, target) for instruction in instructions], _BY_CHANNEL),
        )
        _weights[executable] = known
    return known


def _matrix(rows: list[dict[str, int]], names: Mapping[str, str]) -> Numbers:
    return np.array([[row.get(name, 0) for name in names] for row in rows], np.int64).reshape(len(rows), len(names))


_Belongs = Callable[[Traffic], bool]

_MESSAGES: Mapping[str, _Belongs] = {
    "atomics": lambda moved: moved.loads and moved.stores,
    "global_loads": lambda moved: moved.space is TrafficSpace.GLOBAL and moved.loads and not moved.stores,
    "global_stores": lambda moved: moved.space is TrafficSpace.GLOBAL and moved.stores and not moved.loads,
    "prefetches": lambda moved: not moved.loads and not moved.stores,
    "slm_messages": lambda moved: moved.space is TrafficSpace.SLM,
    "scratch_messages": lambda moved: moved.space is TrafficSpace.SCRATCH,
    "image_messages": lambda moved: moved.space is TrafficSpace.IMAGE,
}
"""The messages that counters count."""

_BYTES: Mapping[str, _Belongs] = {
    "l1_read": lambda moved: moved.space is TrafficSpace.GLOBAL and moved.loads,
    "l1_written": lambda moved: moved.space is TrafficSpace.GLOBAL and moved.stores,
    "l1_bypassed_read": lambda moved: moved.space is TrafficSpace.GLOBAL and moved.loads and not _uses_l1(moved),
    "slm_read": lambda moved: moved.space is TrafficSpace.SLM and moved.loads,
    "slm_written": lambda moved: moved.space is TrafficSpace.SLM and moved.stores,
    "scratch_read": lambda moved: moved.space is TrafficSpace.SCRATCH and moved.loads,
    "scratch_written": lambda moved: moved.space is TrafficSpace.SCRATCH and moved.stores,
    "image_read": lambda moved: moved.space is TrafficSpace.IMAGE and moved.loads,
    "image_written": lambda moved: moved.space is TrafficSpace.IMAGE and moved.stores,
}
"""The messages whose bytes counters count."""


def _uses_l1(moved: Traffic) -> bool:
    """Returns whether a load may find its data in L1, as the cost model assumes."""
    return not moved.stores and moved.cache.load_text.split(".")[0] not in ("df", "uc")


def _of_execution(instruction: Instruction, pipe: Pipe, occupancy: int) -> dict[str, int]:
    found = {
        "instructions": 1,
        f"{pipe.value}_instructions": 1,
        f"{pipe.value}_cycles": occupancy,
        "barriers": int(instruction.spec.signals),
        "fences": int(instruction.mnemonic == "fence"),
        "masked_slots": 0 if instruction.no_mask else channel_count(instruction),
    }
    moved = traffic(instruction)
    if moved is not None:
        found |= {name: int(belongs(moved)) for name, belongs in _MESSAGES.items()}
    return found


def _of_channel(instruction: Instruction, target: Target) -> dict[str, int]:
    found = {"masked_channels": int(not instruction.no_mask)}
    moved = traffic(instruction)
    if moved is not None:
        found |= {name: moved.channel_bytes for name, belongs in _BYTES.items() if belongs(moved)}
    operations = channel_operations(instruction, target)
    if operations is not None:
        (unit, type), number = operations
        found["matrix_operations" if unit == "dpas" else _FLOATS[type.bits]] = number
    return found
