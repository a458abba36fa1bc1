"""`arith.truncf` with every rounding mode, against exact arithmetic."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import DTYPES, compile_one, kernel_text, run
from tests.unit.passes.kernels.rounding import MODES, assert_rounded, candidates
from xegpu.targets import ARC, PVC, Target

CASES = [
    ("f32", "f16", PVC),
    ("f32", "bf16", PVC),
    ("f32", "bf16", ARC),
    ("f64", "f32", PVC),
    ("f64", "f16", PVC),
    ("f64", "bf16", PVC),
]


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize(("source", "target", "gpu"), CASES)
def test_every_mode(source: str, target: str, gpu: Target) -> None:
    values = candidates(source, target)
    count = len(values)
    arguments = [f"%x: memref<{count}x{source}>", *(f"%o{n}: memref<{count}x{target}>" for n in range(len(MODES)))]
    lines = ["%i = gpu.global_id x", f"%v = memref.load %x[%i] : memref<{count}x{source}>"]
    for number, mode in enumerate(MODES):
        lines.append(f"%r{number} = arith.truncf %v {mode} : {source} to {target}")
        lines.append(f"memref.store %r{number}, %o{number}[%i] : memref<{count}x{target}>")
    kernel = compile_one(kernel_text(", ".join(arguments), "\n".join(lines), ""), gpu)
    outputs = [np.zeros(count, DTYPES[target]) for _ in MODES]
    _, *results = run(kernel, values, *outputs, groups=(count, 1, 1), local=(1, 1, 1), target=gpu)
    for mode, result in zip(MODES, results, strict=True):
        assert_rounded(values, result, target, mode)


def test_constants_and_vectors() -> None:
    """1 + 2^-8 lies in the middle of two numbers of bf16."""
    body = """
    %x = arith.constant dense<1.00390625> : vector<4xf32>
    %u = arith.truncf %x upward : vector<4xf32> to vector<4xbf16>
    %d = arith.truncf %x toward_zero : vector<4xf32> to vector<4xbf16>
    %c = arith.constant 0 : index
    vector.store %u, %o[%c] : memref<4xbf16>, vector<4xbf16>
    vector.store %d, %p[%c] : memref<4xbf16>, vector<4xbf16>"""
    kernel = compile_one(kernel_text("%o: memref<4xbf16>, %p: memref<4xbf16>", body))
    up, down = run(kernel, *(np.zeros(4, DTYPES["bf16"]) for _ in range(2)))
    np.testing.assert_array_equal(up.astype(np.float32), np.full(4, 1.0078125))
    np.testing.assert_array_equal(down.astype(np.float32), np.ones(4))
