"""Data of the specification of metrics: enumerations and structures, under its names and with its values.

Conventions are those of `runtime.ze.spec`.
"""

# ruff: noqa: F403 - the names of the specification

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from runtime.ze.conversion import declare_structures
from runtime.ze.layers.validation import declare_enumerations
from runtime.zet.metrics.spec import enums, structs
from runtime.zet.metrics.spec.enums import *
from runtime.zet.metrics.spec.seed import *
from runtime.zet.metrics.spec.structs import *

declare_structures(structs)

MEMBERS: Mapping[tuple[str, str], type[IntEnum]] = {
    ("zet_metric_query_pool_desc_t", "type"): enums.zet_metric_query_pool_type_t,
}
"""The enumerations of members of structures that functions take."""

declare_enumerations(MEMBERS)

globals()["__all__"] = sorted(name for name in globals() if name.startswith("zet_"))
