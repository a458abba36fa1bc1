"""Chapters: parts of the card."""

# ruff: noqa: F403 - what the chapters declare

from __future__ import annotations

from runtime.zes.api.parts.diagnostics import *
from runtime.zes.api.parts.fabric import *
from runtime.zes.api.parts.firmware import *
from runtime.zes.api.parts.led import *
from runtime.zes.api.parts.memory import *
from runtime.zes.api.parts.ras import *

globals()["__all__"] = sorted(name for name in globals() if name.startswith("zes"))
