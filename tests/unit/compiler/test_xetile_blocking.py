"""Kernels in blocks do what they did before; and are in blocks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from passes.xetile_blocking import XetileBlockingPass
from passes.xetile_canonicalization import XetileCanonicalizationPass
from tests.unit.compiler.support import Array
from tests.unit.compiler.tile_interpreter import TileInterpreter
from tests.unit.compiler.tile_programs import tile_programs
from xegpu.diagnostics import Source, parse_module, verify
from xegpu.dialects import register_dialects
from xegpu.dialects.upstream.gpu.kernel import FuncOp


def read(text: str) -> ModuleOp:
    context = Context()
    register_dialects(context)
    module = parse_module(context, Source("kernel.mlir", text))
    verify(module)
    return module


def outcome(module: ModuleOp, memories: Sequence[Array]) -> list[Array]:
    """What the memories hold when the kernel has run."""
    (function,) = (op for op in module.walk() if isinstance(op, FuncOp))
    held = [memory.copy() for memory in memories]
    TileInterpreter(function, held)
    return held


def check(text: str, memories: Sequence[Array], target: str) -> ModuleOp:
    """Runs the kernel as it is, canonical, and in blocks; returns the last."""
    module = read(text)
    expected = outcome(module, memories)
    for step in (XetileCanonicalizationPass(), XetileBlockingPass(target)):
        step.apply(Context(), module)
        verify(module)
        for found, wanted in zip(outcome(module, memories), expected, strict=True):
            np.testing.assert_array_equal(found, wanted, err_msg=step.name)
    return module


@pytest.mark.parametrize("target", ["pvc", "arc"])
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(program=tile_programs())
def test_random_kernels_keep_their_meaning(target: str, program: tuple[str, list[Array]]) -> None:
    check(*program, target)
