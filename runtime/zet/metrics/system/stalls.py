"""Samples of the instructions at which threads are: from how often a launch executed each, and how long it takes.

A thread is sampled once in a period, as if it had its EU for itself: by what the cost model adds to it at each
instruction.
"""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from runtime.simulator import Executable
from runtime.simulator.profile import Profile
from runtime.zet.metrics.system.counters import Numbers
from xegpu.isa.cost import Pipe, StallReason, instruction_stalls

SAMPLES: Mapping[str, str] = {
    "ip": "the address of an instruction",
    "issue_samples": "samples of threads that issue it",
    "control_samples": "samples of threads that wait there for a jump",
    "pipe_samples": "those of threads that wait for a pipe",
    "send_samples": "those of threads that wait for the pipe of messages",
    "dependency_samples": "those of threads that wait for results of arithmetic",
    "message_samples": "those of threads that wait for messages",
    "sync_samples": "those of threads that wait for barriers and fences",
}
"""The counters of groups by instruction, and what they count."""

_PLACES: Mapping[StallReason, int] = {
    StallReason.CONTROL: 1,
    StallReason.PIPE: 2,
    StallReason.DEPENDENCY: 4,
    StallReason.MESSAGE: 5,
    StallReason.SYNC: 6,
}
"""The columns of what threads wait for, behind that of issued instructions."""

_SEND_PLACE = 3

_cycles: WeakKeyDictionary[Executable, Numbers] = WeakKeyDictionary()


def sampled(profile: Profile, period: int, begun: int) -> tuple[NDArray[np.int64], Numbers, int]:
    """Returns the instructions of a launch that have samples, their samples, and the cycles since the last sample.

    Args:
        profile: The launch.
        period: The cycles between samples.
        begun: The cycles of the threads before since their last sample.
    """
    counts = profile.statistics.counts
    assert counts is not None, "listeners hear of launches that counted"
    spent = counts.executed.astype(np.int64)[:, None] * cycles_of(profile.executable)
    ends = begun + np.cumsum(spent)
    samples = np.diff(ends // period, prepend=0).reshape(spent.shape)
    (places,) = np.nonzero(samples.any(axis=1))
    return places, samples[places], int(ends[-1]) % period if len(ends) else begun


def cycles_of(executable: Executable) -> Numbers:
    """Returns the cycles that an execution of each instruction takes, by what the thread does: a row for each."""
    known = _cycles.get(executable)
    if known is None:
        costs, program = executable.costs, executable.program
        stalls = instruction_stalls(program, executable.description.target, executable.description.register_count)
        known = np.zeros((len(stalls), len(SAMPLES) - 1), np.int64)
        for row, waits, pipe in zip(known, stalls, costs.pipes, strict=True):
            for reason, cycles in waits.items():
                is_message = reason is StallReason.PIPE and pipe is Pipe.SEND
                row[_SEND_PLACE if is_message else _PLACES[reason]] += cycles
        known[:, 0] = costs.cycles - known.sum(axis=1)
        _cycles[executable] = known
    return known
