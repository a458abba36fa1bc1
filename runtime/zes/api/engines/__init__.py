"""Chapters: engines and their schedulers."""

# ruff: noqa: F403 - what the chapters declare

from __future__ import annotations

from runtime.zes.api.engines.engine import *
from runtime.zes.api.engines.performance_factor import *
from runtime.zes.api.engines.scheduler import *
from runtime.zes.api.engines.standby import *

globals()["__all__"] = sorted(name for name in globals() if name.startswith("zes"))
