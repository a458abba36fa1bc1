"""Native kernels of today's Intel compiler on both engines, compared with numpy. `tests/data/native` has the source."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from runtime import Device, Module
from tests.paths import ROOT

TARGETS = {"pvc": "pvc", "dg2": "arc"}


@cache
def loaded(name: str, gpu: str, engine: str) -> Module:
    binary = (ROOT / f"tests/data/native/{name}-today.{gpu}.zebin").read_bytes()
    return Device(TARGETS[gpu], engine=engine).load(binary)


@pytest.mark.parametrize("engine", ["jit", "interpreter"])
@pytest.mark.parametrize("gpu", TARGETS)
def test_functions_find_what_kernels_do_not_pass(gpu: str, engine: str, capfd: pytest.CaptureFixture[str]) -> None:
    """They read local ids, sizes and the buffer for output from the implicit arguments of the launch."""
    p, out, n = np.arange(1, 33, dtype=np.int32), np.zeros((2, 40), np.int32), 6
    loaded("calls", gpu, engine)["calls"][(2, 1, 1), (20, 2, 1)](p, out, np.int32(n))
    x, y = np.meshgrid(np.arange(40), np.arange(2))
    own = 100 * 2 + 10 * y + 2
    expected = (p[:n].sum() * x + own) ^ (p[1:n].sum() * x + own)
    np.testing.assert_array_equal(out, expected + p[:2].sum() * x + own)
    assert capfd.readouterr().out == "item 3 of both\n" * 2


@pytest.mark.parametrize("engine", ["jit", "interpreter"])
@pytest.mark.parametrize("gpu", TARGETS)
def test_tables_and_surfaces(gpu: str, engine: str) -> None:
    """Constants lie where `const_base` says, and buffers of DG2 are named by offsets of surfaces."""
    rng = np.random.default_rng(7)
    b = rng.uniform(0, 8, 64).astype(np.float32)
    a, seen = np.ones(64, np.float32), np.zeros(64, np.int32)
    loaded("tables", gpu, engine)["tables"][(2,), (32,)](a, b, seen, 4 * 32)
    swapped = b.reshape(-1, 2)[:, ::-1].reshape(-1)
    np.testing.assert_allclose(a, 1 + swapped * 2.0 ** (b.astype(np.int32) & 7) * np.sin(b), rtol=1e-4)
    first = seen.min()
    np.testing.assert_array_equal(np.sort(seen), np.arange(first, first + 64))
    assert (first - 5) % 64 == 0


@pytest.mark.parametrize("engine", ["jit", "interpreter"])
def test_images_and_samplers_are_named_by_the_payload(engine: str) -> None:
    device = Device("arc", engine=engine)
    module = device.load((ROOT / "tests/data/native/texels-today.dg2.zebin").read_bytes())
    texels = np.random.default_rng(3).standard_normal((4, 16, 4)).astype(np.float32)
    image, out = device.image(texels, "rgba32float"), device.image(np.zeros_like(texels), "rgba32float")
    lines = device.image(np.zeros((5, 7, 4), np.float32), "rgba32float", "1d_array")
    found, sizes = np.zeros((4, 16), np.float32), np.zeros(4, np.int32)
    module["texels"][(2, 2), (8, 2)](image, device.sampler("clamp_edge", "linear"), out, lines, found, sizes)
    np.testing.assert_array_equal(out.numpy(), texels[:, ::-1] + 1)
    right = np.pad(texels[:, :, 0], ((0, 0), (0, 1)), "edge")[:, 1:]
    np.testing.assert_allclose(found, (texels[:, :, 0] + right) / 2, rtol=1e-5, atol=1e-6)
    assert sizes.tolist() == [16, 4, 7, 5]
