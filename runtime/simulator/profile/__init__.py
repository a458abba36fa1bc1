"""Profiles of launches: executed instructions, estimated costs, and pictures of them (docs/profile.md)."""

from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    from runtime.simulator.profile.document import profile_document as profile_document, profile_json as profile_json
    from runtime.simulator.profile.estimate import Estimate as Estimate
    from runtime.simulator.profile.operations import channel_operations as channel_operations
    from runtime.simulator.profile.output import rendered as rendered, write_profile as write_profile
    from runtime.simulator.profile.prediction import predicted_profile as predicted_profile
    from runtime.simulator.profile.pressure import live_registers as live_registers
    from runtime.simulator.profile.profile import (
        InstructionProfile as InstructionProfile,
        LineProfile as LineProfile,
        Profile as Profile,
        Roofline as Roofline,
        TrafficProfile as TrafficProfile,
    )
    from runtime.simulator.profile.roofline import roofline_svg as roofline_svg
    from runtime.simulator.profile.timeline import Slice as Slice, chrome_trace as chrome_trace, slices as slices
    from runtime.simulator.profile.usage import (
        LaunchUse as LaunchUse,
        approximate_use as approximate_use,
        counted_use as counted_use,
    )
