"""Data of the specification of system management: enumerations and structures, under its names and with its values.

Conventions are those of `runtime.ze.spec`. Structures that functions take have the defaults of zeroed C structures.
"""

# ruff: noqa: F403 - the names of the specification

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from runtime.ze.conversion import declare_structures
from runtime.ze.layers.validation import declare_enumerations
from runtime.zes.spec import (
    device,
    engine,
    fabric,
    frequency,
    maintenance,
    memory,
    overclock,
    power,
    ras,
    scheduler,
    temperature,
    virtual_functions,
)
from runtime.zes.spec.common import *
from runtime.zes.spec.device import *
from runtime.zes.spec.engine import *
from runtime.zes.spec.events import *
from runtime.zes.spec.fabric import *
from runtime.zes.spec.frequency import *
from runtime.zes.spec.maintenance import *
from runtime.zes.spec.memory import *
from runtime.zes.spec.overclock import *
from runtime.zes.spec.power import *
from runtime.zes.spec.ras import *
from runtime.zes.spec.scheduler import *
from runtime.zes.spec.temperature import *
from runtime.zes.spec.virtual_functions import *

declare_structures(
    device, engine, fabric, frequency, maintenance, memory, overclock, power, ras, scheduler, temperature,
    virtual_functions,
)  # fmt: skip

MEMBERS: Mapping[tuple[str, str], type[IntEnum]] = {
    ("zes_device_ecc_desc_t", "state"): memory.zes_device_ecc_state_t,
    ("zes_fan_speed_t", "units"): temperature.zes_fan_speed_units_t,
    ("zes_power_limit_ext_desc_t", "level"): power.zes_power_level_t,
    ("zes_power_limit_ext_desc_t", "source"): power.zes_power_source_t,
    ("zes_power_limit_ext_desc_t", "limitUnit"): power.zes_limit_unit_t,
    ("zes_ras_config_exp_t", "category"): ras.zes_ras_error_category_exp_t,
    ("zes_reset_properties_t", "resetType"): device.zes_reset_type_t,
}
"""The enumerations of members of structures that functions take."""

declare_enumerations(MEMBERS)

globals()["__all__"] = sorted(name for name in globals() if name.startswith(("zes_", "ZES_")))
