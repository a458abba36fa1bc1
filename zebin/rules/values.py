"""Rules for single values: the numbers that an attribute may have, whatever the rest of the record says."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import TypeVar

from xegpu.on_demand import dataclass
from zebin.errors import FindingSeverity
from zebin.rules.subject import Subject
from zebin.ze_info.kinds import INT32_MAX
from zebin.ze_info.records import Record
from zebin.ze_info.schema import (
    DebugEnv,
    ExecutionEnv,
    ExperimentalProperties,
    InlineSampler,
    LoopCost,
    PayloadArgument,
    UserAttributes,
)

R = TypeVar("R", bound=Record)

INLINE_SIZES = (0, 32, 64)
SLM_MODES = (0, 1)
SUBGROUP_SIZES = (0, 1, 8, 16, 32)
SURFACE_LIMIT = 251
"""The largest surface index; higher ones have special meanings in the hardware."""

SAMPLER_LIMIT = 15
"""The largest sampler index: a sampler message has 4 bits for it."""


@dataclass(frozen=True)
class ValueRule:
    """The values that an attribute may have. Errors are values that drivers misread, refuse or die of."""

    key: str
    allowed: Container[int]
    code: str = "value.range"
    severity: FindingSeverity = FindingSeverity.ERROR

    @property
    def expected(self) -> str:
        """The allowed values in words."""
        if isinstance(self.allowed, range):
            low, high = self.allowed[0], self.allowed[-1]
            return f"{low} or more" if high == INT32_MAX else f"{low} to {high}"
        return "one of " + ", ".join(map(str, self.allowed)) if isinstance(self.allowed, tuple) else ""


_SIZE = range(INT32_MAX + 1)
_WARNING = FindingSeverity.WARNING
_EXPERIMENTAL = range(-1, 2)

VALUE_RULES: Mapping[type[Record], Sequence[ValueRule]] = {
    ExecutionEnv: (
        ValueRule("inline_data_payload_size", INLINE_SIZES, "value.inline"),
        ValueRule("slm_alloc_mode", SLM_MODES, "value.slm-mode"),
        ValueRule("private_size", _SIZE),
        ValueRule("spill_size", _SIZE),
        ValueRule("indirect_stateless_count", _SIZE),
        ValueRule("eu_thread_count", range(17)),
        ValueRule("required_sub_group_size", SUBGROUP_SIZES),
    ),
    UserAttributes: (
        ValueRule("intel_reqd_sub_group_size", SUBGROUP_SIZES),
        ValueRule("intel_reqd_thread_group_dispatch_size", _SIZE),
    ),
    PayloadArgument: (
        ValueRule("slm_alignment", range(256)),
        ValueRule("slm_alignment", (0, *(1 << bit for bit in range(8))), severity=_WARNING),
        ValueRule("source_offset", range(-1, INT32_MAX + 1)),
        ValueRule("sampler_index", range(-1, SAMPLER_LIMIT + 1)),
    ),
    InlineSampler: (ValueRule("sampler_index", range(SAMPLER_LIMIT + 1), "sampler.index"),),
    ExperimentalProperties: tuple(
        ValueRule(f"has_non_kernel_arg_{access}", _EXPERIMENTAL, severity=_WARNING)
        for access in ("load", "store", "atomic")
    ),
    DebugEnv: (
        ValueRule("sip_surface_bti", range(-1, SURFACE_LIMIT + 1), severity=_WARNING),
        ValueRule("sip_surface_offset", range(-1, INT32_MAX + 1), severity=_WARNING),
    ),
    LoopCost: tuple(
        ValueRule(key, _SIZE, "cost.loops", _WARNING) for key in ("cycle", "bytes_loaded", "bytes_stored", "num_loops")
    ),
}


def check_values(subject: Subject[R]) -> None:
    """Checks the values of a record by themselves; of several rules for one value, the first that is broken counts."""
    reported: set[str] = set()
    for rule in VALUE_RULES.get(type(subject.record), ()):
        value = getattr(subject.record, rule.key)
        if value not in rule.allowed and rule.key not in reported:
            reported.add(rule.key)
            report = subject.error if rule.severity is FindingSeverity.ERROR else subject.warning
            report(rule.code, "value out of range", rule.key, found=value, expected=rule.expected)
