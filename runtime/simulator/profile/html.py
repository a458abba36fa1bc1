"""A profile as HTML, for notebooks: figures, the roofline, and tables of limits, lines and instructions."""

from __future__ import annotations

from runtime.simulator.profile.profile import Profile
from runtime.simulator.profile.roofline import roofline_svg
from xegpu.markup import figures, folded, heading, table

_MOST_ROWS = 16
"""Rows of a table; smaller entries are left out."""


def profile_html(profile: Profile) -> str:
    """Returns HTML without scripts and without names that could clash with those of the page."""
    found, done = profile.estimate, profile.statistics
    grid, block = ("x".join(map(str, size)) for size in (profile.dispatch.group_count, profile.dispatch.local_size))
    return "\n".join(
        (
            heading(f"{profile.kernel} on {profile.target.title}"),
            figures(
                {
                    "grid": grid,
                    "block": block,
                    "threads": done.threads,
                    "instructions": done.instructions,
                    "estimated cycles": found.cycles,
                    "microseconds": 1e6 * profile.seconds,
                    "bound by": found.bound,
                    "registers live": profile.live_registers,
                    "matrix engine busy": f"{profile.dpas_utilisation:.1%}",
                }
            ),
            f'<div style="max-width:640px">{roofline_svg(profile)}</div>',
            table(("line", "share of cycles", "thread cycles", "executed"), _lines(profile), "Source lines"),
            folded("Resources, memory, instructions", "\n".join(_details(profile))),
        )
    )


def _lines(profile: Profile) -> list[tuple[object, ...]]:
    return [
        ("no source" if line.place is None else line.place, f"{line.share:.1%}", line.cycles, line.executed)
        for line in profile.lines[:_MOST_ROWS]
    ]


def _details(profile: Profile) -> tuple[str, ...]:
    limits = sorted(profile.estimate.limits.items(), key=lambda entry: -entry[1])
    total = max(profile.statistics.instructions, 1)
    return (
        table(
            ("resource", "cycles alone"),
            [(name, round(cycles)) for name, cycles in limits if cycles],
            "Lower bounds of the time",
        ),
        table(
            ("space", "access", "L1", "L3", "messages", "bytes"),
            [(t.space.value, t.access, t.l1, t.l3, t.messages, t.bytes) for t in profile.traffic],
            "Memory",
        ),
        table(
            ("mnemonic", "executed", "share"),
            [(name, count, f"{count / total:.1%}") for name, count in list(profile.mnemonics.items())[:_MOST_ROWS]],
            "Instructions",
        ),
    )
