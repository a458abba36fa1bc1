"""Kernels of work-groups in the XeGPU of LLVM 22 compute what numpy does."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.paths import ROOT
from tests.unit.passes.kernels.harness import Array, compile_one, run
from xegpu.isa import CompiledKernel

TEXT = (ROOT / "tests" / "corpus" / "llvm22" / "workgroups.mlir").read_text()
UNIT = 2.0**-24
"""Half an ulp of f32 near one."""


def compiled(name: str) -> CompiledKernel:
    """One of the kernels of the corpus."""
    heads = "\n".join(line for line in TEXT.splitlines() if line.startswith("#"))
    (function,) = re.findall(rf"^  gpu\.func @{name}\(.*?^  }}$", TEXT, re.MULTILINE | re.DOTALL)
    return compile_one(f"{heads}\ngpu.module @m {{\n{function}\n}}\n")


def launch(name: str, *arguments: Array, groups: int = 1) -> Array:
    """The last array as the kernel leaves it, launched with eight subgroups."""
    kernel = compiled(name)
    assert kernel.facts.simd_size == 16
    return run(kernel, *arguments, groups=(groups, 1, 1), local=(128, 1, 1))[-1]


def normal(seed: int, *shape: int, dtype: type = np.float32) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


@pytest.mark.parametrize("name", ["gemm", "gemm_bt"])
def test_products(name: str) -> None:
    a = normal(1, 64, 128, dtype=np.float16)
    b = normal(2, *((128, 64) if name == "gemm" else (64, 128)), dtype=np.float16)
    c = normal(3, 64, 64) if name == "gemm" else np.zeros((64, 64), np.float32)
    exact = [m.astype(float) if name == "gemm" or m is a else m.astype(float).T for m in (a, b)]
    error = 129 * UNIT * (abs(exact[0]) @ abs(exact[1]) + abs(c))
    assert (abs(launch(name, a, b, c) - (exact[0] @ exact[1] + c)) <= error).all()


def test_softmax() -> None:
    x = 4 * normal(4, 32, 128)
    e = np.exp(x.astype(float) - x.max(axis=1, keepdims=True).astype(float))
    want = e / e.sum(axis=1, keepdims=True)
    got = launch("softmax", x, np.zeros_like(x))
    # The difference is rounded before exp magnifies it; exp, sum and quotient follow.
    bound = want * ((abs(x) + abs(x).max()) * UNIT + 140 * UNIT) + 1e-37
    assert (abs(got - want) <= bound).all()


@pytest.mark.exhaustive
def test_layer_norm() -> None:
    x, scale, bias = 3 * normal(5, 32, 128) + 1, normal(6, 128), normal(7, 128)
    wide = x.astype(float)
    deviation = wide - wide.mean(axis=1, keepdims=True)
    want = deviation / np.sqrt((deviation**2).mean(axis=1, keepdims=True) + 1e-5) * scale + bias
    got = launch("layer_norm", x, scale, bias, np.zeros_like(x))
    assert (abs(got - want) <= 300 * UNIT * (abs(want) + abs(scale) * (1 + abs(deviation)) + abs(bias))).all()


@pytest.mark.exhaustive
def test_embedding() -> None:
    table = normal(8, 50, 128)
    ids = np.random.default_rng(9).integers(-5, 50, 32).astype(np.int32)
    want = np.where(ids[:, None] >= 0, table[ids], np.float32(0))
    np.testing.assert_array_equal(launch("embedding", table, ids, np.ones((32, 128), np.float32)), want)


@pytest.mark.exhaustive
def test_staged() -> None:
    x = normal(10, 64, 64, dtype=np.float16)
    np.testing.assert_array_equal(launch("staged", x, np.zeros_like(x)), x.T)


def test_attention() -> None:
    q, k, v = (normal(seed, 64, 64, dtype=np.float16) for seed in (11, 12, 13))
    q = (q / 8).astype(np.float16)
    scores = q.astype(float) @ k.astype(float).T
    scores[np.triu_indices(64, 1)] = -np.inf
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    want = p @ v.astype(float) / p.sum(axis=1, keepdims=True)
    got = launch("attention", q, k, v, np.zeros((64, 64), np.float32))
    # Weights are rounded to f16, with eleven bits; all the rest is f32.
    bound = (2.0**-11 + 600 * UNIT) * (p @ abs(v.astype(float))) / p.sum(axis=1, keepdims=True)
    assert (abs(got - want) <= 2 * bound).all()


def test_split_k() -> None:
    x, y = normal(14, 32, 128), normal(15, 32)
    want = x.astype(float).sum(axis=1) + y
    got = launch("split_k", x, y, groups=2)
    assert (abs(got - want) <= 130 * UNIT * (abs(x.astype(float)).sum(axis=1) + abs(y))).all()


def test_layouts() -> None:
    x = normal(16, 32, 128)
    np.testing.assert_array_equal(launch("layouts", x, np.zeros_like(x)), 2 * x + max(2 * x[3].max(), 0))


def test_cube() -> None:
    x = np.random.default_rng(17).integers(-1000, 1000, (4, 4, 32)).astype(np.int32)
    mask = np.zeros((4, 4, 32), bool)
    mask[:3, :, :30] = True
    w = np.where(mask, x, 0)
    y, z = run(compiled("cube"), x, np.zeros_like(x), np.zeros((4, 32), np.int32), local=(128, 1, 1))[-2:]
    np.testing.assert_array_equal(y, np.where(mask, w + w.transpose(1, 0, 2), 0))
    np.testing.assert_array_equal(z, w.sum(axis=1))
