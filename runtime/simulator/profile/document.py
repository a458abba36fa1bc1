"""A profile as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from math import isfinite

from runtime.simulator.profile.profile import Profile, Roofline
from xegpu.isa import format_instruction

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

FORMAT = 1
"""Version of the document; it increases when keys change their meaning or are removed."""


def profile_document(profile: Profile) -> dict[str, Json]:
    """Returns the profile as JSON's lists and dictionaries, with all numbers unrounded."""
    found, statistics = profile.estimate, profile.statistics
    return {
        "format": FORMAT,
        "kernel": profile.kernel,
        "target": profile.target.name,
        "grid": list(profile.dispatch.group_count),
        "block": list(profile.dispatch.local_size),
        "groups": statistics.groups,
        "threads": statistics.threads,
        "instructions_executed": statistics.instructions,
        "host_seconds": statistics.seconds,
        "estimate": {
            "cycles": found.cycles,
            "seconds": profile.seconds,
            "bound": found.bound,
            "limits": {name: float(cycles) for name, cycles in found.limits.items()},
            "thread_cycles": found.thread_cycles,
            "slowest_thread": float(found.slowest_thread),
            "eus": found.residency.eus,
            "threads_per_eu": found.residency.threads_per_eu,
            "rounds": found.residency.rounds,
        },
        "utilisation": dict(profile.utilisation),
        "channels_on": profile.channels_on,
        "registers": {"live": profile.live_registers, "available": profile.executable.description.facts.grf_count},
        "mnemonics": dict(profile.mnemonics),
        "pipes": dict(profile.pipes),
        "memory": [{**asdict(entry), "space": entry.space.value} for entry in profile.traffic],
        "roofline": None if profile.roofline is None else _roofline(profile.roofline),
        "lines": [
            {
                "file": None if line.place is None else line.place.file,
                "line": None if line.place is None else line.place.line,
                "executed": line.executed,
                "cycles": line.cycles,
                "share": line.share,
            }
            for line in profile.lines
        ],
        "instructions": [
            {
                "offset": entry.offset,
                "text": format_instruction(entry.instruction, grf_bytes=profile.target.platform.grf_bytes),
                "source": None if entry.place is None else str(entry.place),
                "executed": entry.executed,
                "channels": entry.channels,
                "cycles": entry.cycles,
                "pipe": entry.pipe.value,
                "registers": entry.registers,
            }
            for entry in profile.instructions
        ],
    }


def profile_json(profile: Profile) -> str:
    """Returns `profile_document` as text."""
    return json.dumps(profile_document(profile), indent=1, allow_nan=False) + "\n"


def _roofline(point: Roofline) -> dict[str, Json]:
    """Returns the roofline. Without memory traffic the intensity is infinite, which is null in JSON."""
    return {
        "precision": point.precision,
        "operations": point.operations,
        "bytes": point.bytes,
        "intensity": point.intensity if isfinite(point.intensity) else None,
        "operations_per_second": point.rate,
        "peak_operations_per_second": point.peak,
        "bytes_per_second": point.bandwidth,
        "roof": point.roof,
    }
