"""Chapters: the card as a whole."""

# ruff: noqa: F403 - what the chapters declare

from __future__ import annotations

from runtime.zes.api.device.device import *
from runtime.zes.api.device.driver import *
from runtime.zes.api.device.ecc import *
from runtime.zes.api.device.events import *
from runtime.zes.api.device.pci import *
from runtime.zes.api.device.virtual_functions import *

globals()["__all__"] = sorted(name for name in globals() if name.startswith("zes"))
