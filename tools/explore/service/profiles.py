"""Launches as the page shows them: their sizes, and where their time goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import islice

from runtime import LaunchResult
from runtime.simulator.profile import Profile, profile_document, roofline_svg, slices
from tools.explore.protocol import Json

MOST_SLICES = 4096
"""The threads of the longest timeline."""


def launched(result: LaunchResult, filename: str, code_lines: Mapping[int, int]) -> Json:
    """Returns a launch.

    Args:
        result: The launch.
        filename: The file whose lines the profile names.
        code_lines: The line of the instruction at each byte offset, where the file is assembly.
    """
    return {
        "kernel": result.kernel,
        "summary": f"{result.kernel}: {result.groups} work-groups, {result.threads} subgroups, "
        f"{result.instructions} instructions",
        "profile": None if result.profile is None else _profile(result.profile, filename, code_lines),
    }


def _profile(profile: Profile, filename: str, code_lines: Mapping[int, int]) -> Json:
    """Returns a profile: what `xegpu-run --profile` tells, by the lines of the source."""
    cycles: Counter[int] = Counter()
    for entry in profile.lines:
        if entry.place is not None and entry.place.file == filename:
            cycles[entry.place.line] += entry.cycles
    for instruction in profile.instructions:
        if line := code_lines.get(instruction.offset, 0):
            cycles[line] += instruction.cycles
    document = profile_document(profile)
    threads = list(islice(slices(profile), MOST_SLICES))
    return {
        "lines": {str(line): spent for line, spent in cycles.items()},
        "estimate": document["estimate"],
        "utilisation": document["utilisation"],
        "registers": document["registers"],
        "channels_on": document["channels_on"],
        "memory": document["memory"],
        "instructions": [
            {"offset": entry.offset, "executed": entry.executed, "cycles": entry.cycles}
            for entry in profile.instructions
        ],
        "roofline": "" if profile.roofline is None else roofline_svg(profile),
        "timeline": {
            "threads": profile.statistics.threads,
            "end": float(profile.estimate.cycles),
            "slices": [
                [each.core, each.eu, each.slot, float(each.start), float(each.cycles), *each.group, each.thread]
                for each in threads
            ],
        },
    }
