"""Data of the specification: results, enumerations and structures, under its names and with its values.

A new enumeration or structure is written in one of these modules and nowhere else.
"""

# ruff: noqa: F403 - the names of the specification

from __future__ import annotations

from runtime.ze.spec.constants import *
from runtime.ze.spec.enumerators import enumerators as enumerators
from runtime.ze.spec.enums import *
from runtime.ze.spec.extensions import *
from runtime.ze.spec.results import *
from runtime.ze.spec.seed import *
from runtime.ze.spec.seed_members import OlderProperties as OlderProperties
from runtime.ze.spec.structs import *

globals()["__all__"] = sorted(name for name in globals() if name.startswith(("ze_", "ZE_", "ZeError")))
