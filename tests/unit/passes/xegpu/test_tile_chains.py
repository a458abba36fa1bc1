"""Distributed, undistributed and blocked forms of one kernel agree, whatever its tiles, maps, types and operations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from passes.xegpu.propagate_sg_map import XegpuPropagateSgMapPass
from tests.amounts import examples
from tests.unit.passes.kernels.fragments import blocked_kernel, numbers, tile_kernel
from tests.unit.passes.kernels.harness import DTYPES, Array, compile_one, run
from tests.unit.passes.kernels.tile_chains import Chain, chains
from tests.unit.xegpu.dialects.support import context, parse
from xegpu.targets import ARC, PVC, Target

SETTINGS = settings(max_examples=examples(5), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def check(chain: Chain, target: Target) -> None:
    """The kernel of whole subgroups stores the same as that with given maps, with and without conversions that are
    stated, that with inferred maps, and that which is cut into blocks.
    """
    plain, mapped = chain.unmapped(), tile_text(chain)
    whole, *others = (
        stored(text, chain, target)
        for text in (
            tile_text(chain, "VectorComputeFunctionINTEL"),
            mapped,
            propagated(mapped, target),
            propagated(tile_text(plain), target),
            blocked_kernel(plain.source, plain.body, plain.result),
        )
    )
    for other in others:
        assert other.tobytes() == whole.tobytes()


def propagated(text: str, target: Target) -> str:
    module = parse(text)
    XegpuPropagateSgMapPass(target.name).apply(context(), module)
    return str(module)


def tile_text(chain: Chain, mode: str = "") -> str:
    return tile_kernel(chain.source, chain.body, chain.result, mode)


def stored(text: str, chain: Chain, target: Target) -> Array:
    memory = numbers(chain.source.shape, chain.source.element)
    output = np.zeros(chain.result.shape, DTYPES[chain.result.element])
    return run(compile_one(text, target), memory, output, target=target, engines=("interpreter",))[1]


@SETTINGS
@given(chains())
def test_forms_of_a_kernel_agree_on_pvc(chain: Chain) -> None:
    check(chain, PVC)


@pytest.mark.exhaustive
@SETTINGS
@given(chains(lanes=8, longest=3))
def test_forms_of_a_kernel_agree_on_arc(chain: Chain) -> None:
    check(chain, ARC)
