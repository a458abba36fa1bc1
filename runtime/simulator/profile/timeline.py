"""Timelines: estimated times of the hardware threads of a launch, as a trace for Chrome's viewer and Perfetto."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from runtime.simulator.profile.profile import Profile
from xegpu.isa.model import Dim3

MOST_SLICES = 100_000
"""Threads that a trace shows; those of later groups are left out."""


@dataclass(frozen=True)
class Slice:
    """A thread of work-group `group`, from cycle `start` on for `cycles`, in thread slot `slot` of an EU of an
    Xe-core.
    """

    group: Dim3
    thread: int
    core: int
    eu: int
    slot: int
    start: float
    cycles: float


def slices(profile: Profile) -> Iterator[Slice]:
    """Returns the threads of a launch in the order of their groups.

    Groups go to Xe-cores in turn; those that are resident together end together, and then the next ones start.
    """
    found, (columns, rows, _) = profile.estimate, profile.dispatch.group_count
    placed, eus = found.residency, profile.target.eus_per_core
    for number in range(placed.groups):
        turn, core = divmod(number, placed.cores)
        round_, position = divmod(turn, placed.core_groups)
        cycles = (found.cycles - found.launch) / placed.rounds
        group = number % columns, number // columns % rows, number // columns // rows
        for thread in range(placed.group_threads):
            slot, eu = divmod(position * placed.group_threads + thread, eus)
            yield Slice(group, thread, core, eu, slot, found.launch + round_ * cycles, cycles)


def chrome_trace(profile: Profile) -> str:
    """Returns trace-event JSON: a process for each Xe-core, a track for each thread slot; times in microseconds."""
    megahertz, threads = profile.target.core_clock_mhz, profile.statistics.threads
    events: list[dict[str, object]] = []
    tracks: set[tuple[int, int, int]] = set()
    for number, piece in enumerate(slices(profile)):
        if number == MOST_SLICES:
            break
        tracks.add((piece.core, piece.eu, piece.slot))
        events.append(
            {
                "name": profile.kernel,
                "ph": "X",
                "pid": piece.core,
                "tid": _track(profile, piece.eu, piece.slot),
                "ts": piece.start / megahertz,
                "dur": piece.cycles / megahertz,
                "args": {"group": list(piece.group), "thread": piece.thread},
            }
        )
    named = [("process_name", core, 0, f"Xe-core {core}") for core in sorted({core for core, _, _ in tracks})]
    named += [
        ("thread_name", core, _track(profile, eu, slot), f"EU {eu} thread {slot}") for core, eu, slot in sorted(tracks)
    ]
    names = [
        {"name": kind, "ph": "M", "pid": core, "tid": track, "args": {"name": name}}
        for kind, core, track, name in named
    ]
    shown = {
        "threads": threads,
        "threads_shown": min(threads, MOST_SLICES),
        "estimated_cycles": profile.estimate.cycles,
    }
    return json.dumps({"traceEvents": [*names, *events], "displayTimeUnit": "ns", "otherData": shown}) + "\n"


def _track(profile: Profile, eu: int, slot: int) -> int:
    """Returns the number of a thread slot in its Xe-core."""
    return eu * profile.target.platform.eu_threads[profile.executable.description.facts.grf_count] + slot
