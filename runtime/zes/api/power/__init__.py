"""Chapters: power, clocks and cooling."""

# ruff: noqa: F403 - what the chapters declare

from __future__ import annotations

from runtime.zes.api.power.fan import *
from runtime.zes.api.power.frequency import *
from runtime.zes.api.power.overclock import *
from runtime.zes.api.power.power import *
from runtime.zes.api.power.power_limits import *
from runtime.zes.api.power.psu import *
from runtime.zes.api.power.temperature import *

globals()["__all__"] = sorted(name for name in globals() if name.startswith("zes"))
