"""Profiles of launches: what was executed, what it costs by estimate, and pictures of it (docs/profile.md)."""

from __future__ import annotations

from runtime.simulator.profile.estimate import Estimate, Residency
from runtime.simulator.profile.profile import InstructionProfile, LineProfile, Profile, Roofline, TrafficProfile

__all__ = [
    "Estimate",
    "InstructionProfile",
    "LineProfile",
    "Profile",
    "Residency",
    "Roofline",
    "TrafficProfile",
]
