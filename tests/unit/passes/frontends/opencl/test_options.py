"""Options of OpenCL, with each clang that is installed or fetched: kernels compile, and compute the same."""

from __future__ import annotations

import numpy as np
import pytest

from passes.frontends.opencl import Compiler, compilers, find_compiler, translation
from runtime import Device
from tests.peer.generations import either

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs clang, which translates OpenCL C")

OPTIONS = (
    *("-cl-single-precision-constant", "-cl-denorms-are-zero", "-cl-fp32-correctly-rounded-divide-sqrt"),
    *("-cl-opt-disable", "-cl-mad-enable", "-cl-no-signed-zeros", "-cl-unsafe-math-optimizations"),
    *("-cl-finite-math-only", "-cl-fast-relaxed-math", "-cl-kernel-arg-info", "-cl-uniform-work-group-size"),
    *("-cl-strict-aliasing", "-cl-no-subgroup-ifp", "-cl-intel-greater-than-4GB-buffer-required"),
    *("-cl-std=CL1.2", "-cl-std=CL2.0", "-cl-std=CL3.0", "-cl-std=CLC++", "-cl-std=CLC++2021"),
)
SOURCE = """
kernel void k(global const float *a, global float *b) {
  size_t i = get_global_id(0);
  float whole, s = fmin(a[i], 2) + fmax(a[i], 1) + min(a[i], 3.f) + max(a[i], .5f);
  s += hypot(a[i], 2) + exp2(a[i]) + step(1, a[i]);
  s += clamp(a[i], .5f, 2.f) + mix(a[i], 1, .25f) + mad(a[i], 2, 1) + fract(a[i], &whole);
  s += whole + isnan(a[i]) + isfinite(a[i]);
  float4 v = (float4)(a[i], .5f, .25f, 1);
  s += dot(fmax(v, 1) + clamp(v, 0, 1) + smoothstep(v, v + 1, v + 2) + sign(v) + sqrt(v), (float4)(1, 2, 3, 4));
  b[i] = s + convert_float(convert_int_rte(a[i]));
}
"""


def found_compilers() -> list[Compiler]:
    names = (f"clang-{version}" for version in range(compilers.OLDEST, 30))
    versions = [(path, int(name[6:])) for name in names if (path := either(name))]
    packaged = compilers.packaged_compiler()
    return [*(Compiler(path, version) for path, version in versions), *([packaged] if packaged else [])]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("compiler", found_compilers(), ids=lambda compiler: f"clang{compiler.version}")
def test_each_option_with_each_compiler(compiler: Compiler, option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "find_compiler", lambda: compiler)
    inputs = np.linspace(0.125, 4, 32, dtype=np.float32)
    results = []
    for options in ([], [option]):
        out = np.zeros_like(inputs)
        module = Device("pvc").compile(SOURCE, language="opencl", options=options)
        module["k"][(2,), (16,)](inputs, out)
        results.append(out)
    assert np.isfinite(results[0]).all()
    np.testing.assert_allclose(results[1], results[0], rtol=1e-5)
