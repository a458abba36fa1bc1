"""Profiles of launches: executed instructions, estimated costs, and pictures of them (docs/profile.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xegpu.on_demand import public_names

if TYPE_CHECKING:
    from runtime.simulator.profile.document import profile_document, profile_json
    from runtime.simulator.profile.estimate import Estimate
    from runtime.simulator.profile.operations import channel_operations
    from runtime.simulator.profile.output import rendered, write_profile
    from runtime.simulator.profile.prediction import predicted_profile
    from runtime.simulator.profile.pressure import live_registers
    from runtime.simulator.profile.profile import InstructionProfile, LineProfile, Profile, Roofline, TrafficProfile
    from runtime.simulator.profile.roofline import roofline_svg
    from runtime.simulator.profile.timeline import Slice, chrome_trace, slices
    from runtime.simulator.profile.usage import LaunchUse, approximate_use, counted_use


__all__ = [
    "Estimate",
    "InstructionProfile",
    "LaunchUse",
    "LineProfile",
    "Profile",
    "Roofline",
    "Slice",
    "TrafficProfile",
    "approximate_use",
    "channel_operations",
    "chrome_trace",
    "counted_use",
    "live_registers",
    "predicted_profile",
    "profile_document",
    "profile_json",
    "rendered",
    "roofline_svg",
    "slices",
    "write_profile",
]

__getattr__ = public_names(
    __name__,
    {
        ".document": "profile_document profile_json",
        ".estimate": "Estimate",
        ".operations": "channel_operations",
        ".output": "rendered write_profile",
        ".prediction": "predicted_profile",
        ".pressure": "live_registers",
        ".profile": "InstructionProfile LineProfile Profile Roofline TrafficProfile",
        ".roofline": "roofline_svg",
        ".timeline": "Slice chrome_trace slices",
        ".usage": "LaunchUse approximate_use counted_use",
    },
)
