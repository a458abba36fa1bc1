"""A runtime reads from a ZEBIN the facts that the lowering stated about a kernel."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.unit.zebin.support import compiled_kernel
from xegpu.isa.model import KernelFacts, KernelSampler
from xegpu.targets import ARC, PVC, Target
from zebin import build, read, read_facts

FACTS = [
    {},
    {"barrier_count": 1, "slm_size": 4096, "grf_count": 256},
    {"spill_size": 640, "private_size": 256},
    {"required_work_group_size": (8, 4, 1), "required_subgroup_size": 16},
    {"known_grid_size": (4, 1, 7)},
    {"known_grid_size": (1, (1 << 32) - 1, 1)},
    {"work_group_size_hint": (16, 2, 1), "indirect_accesses": 3},
    {"ordered_subgroups": True, "local_id_dimensions": 3},
    {"simd_size": 1, "local_id_dimensions": 3},
    {"printf_strings": ("%d\n", "")},
    {"samplers": (KernelSampler("repeat", "linear", True, 64), KernelSampler("clamp_border", "nearest", False, 72))},
]


def plain(facts: KernelFacts) -> KernelFacts:
    """The facts with what `.ze_info` adds or sorts put aside: sizes in names of types, the access of values."""
    arguments = [
        replace(argument, type_name=argument.type_name.partition(";")[0], access="") for argument in facts.arguments
    ]
    return replace(facts, arguments=tuple(arguments))


@pytest.mark.parametrize("changes", FACTS, ids=lambda changes: " ".join(changes) or "plain")
@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
def test_facts_are_read_back(target: Target, changes: dict[str, object]) -> None:
    kernel = compiled_kernel(**changes)
    found = read_facts(read(build(target, [kernel])).kernels[kernel.name], target)
    assert plain(found) == plain(kernel.facts)
    assert found.arguments[0].access == "readonly"
