"""Kernels in blocks do what they did before; and are in blocks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from passes.xetile.blocking import XetileBlockingPass
from passes.xetile.canonicalization import XetileCanonicalizationPass
from tests.amounts import examples
from tests.unit.passes.kernels.harness import Array
from tests.unit.passes.kernels.tile_interpreter import TileInterpreter
from tests.unit.passes.kernels.tile_programs import TileKernel, tile_kernels
from xegpu.diagnostics import SourceBuffer
from xegpu.dialects import register_dialects
from xegpu.dialects.upstream.gpu.kernel import FuncOp
from xegpu.mlir import parse_module, verify


def read(text: str) -> ModuleOp:
    context = Context()
    register_dialects(context)
    module = parse_module(context, SourceBuffer("kernel.mlir", text))
    verify(module)
    return module


def outcome(module: ModuleOp, memories: Sequence[Array]) -> tuple[list[Array], bool]:
    """Returns the memories after the kernel has run, and whether they are exact."""
    (function,) = (op for op in module.walk() if isinstance(op, FuncOp))
    held = [memory.copy() for memory in memories]
    return held, TileInterpreter(function, held).is_exact


def check(kernel: TileKernel, target: str) -> None:
    """Runs the kernel as it is, canonical, and in blocks."""
    module = read(kernel.text)
    expected, _ = outcome(module, kernel.memories)
    for step in (XetileCanonicalizationPass(), XetileBlockingPass(target)):
        step.apply(Context(), module)
        verify(module)
        found, _ = outcome(module, kernel.memories)
        compare(found, expected, step.name)


def compare(found: Sequence[Array], expected: Sequence[Array], where: str) -> None:
    for number, (memory, wanted) in enumerate(zip(found, expected, strict=True)):
        np.testing.assert_array_equal(memory.astype(np.float64), wanted, err_msg=f"argument {number}, {where}")


@pytest.mark.parametrize("target", ["pvc", "arc"])
@settings(
    max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(kernel=tile_kernels())
def test_random_kernels_keep_their_meaning(target: str, kernel: TileKernel) -> None:
    check(kernel, target)
