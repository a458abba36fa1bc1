"""Samplers that kernels bring along: their states belong to the module."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import zebin
from runtime import ze
from tests.unit.runtime.api.test_images import COORDINATES, IMAGES, Bench, kernel
from tests.unit.runtime.ze.expect import fails
from xegpu.isa.model import KernelSampler
from xegpu.targets import ARC

SHIFT = f"""{COORDINATES}
    mov (16|M0) r14<1>:f r10<1;1,0>:d
    add (16|M0) r14<1>:f r14<1;1,0>:f 3.5:f
    mov (16|M0) r16<1>:f r12<1;1,0>:d
    sample_lz.smpl.d32.x.uv (16|M0) r20 bss[r4.0][r14] sampler[r4.2]
    store_quad.tgm.d32.x.uv (16|M0) bss[r4.1][r10] r20
    eot
"""
R8 = ze.ze_image_format_t(ze.ZE_IMAGE_FORMAT_LAYOUT_8, ze.ZE_IMAGE_FORMAT_TYPE_UINT)


def shifting(name: str, addressing: str):
    plain = kernel(name, SHIFT, *IMAGES)
    return replace(plain, facts=replace(plain.facts, samplers=(KernelSampler(addressing, "nearest", False, 16),)))


@pytest.fixture
def bench() -> Bench:
    made = Bench("interpreter")
    binary = zebin.build(ARC, [shifting("edge", "clamp_edge"), shifting("border", "clamp_border")])
    desc = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, binary)
    made.module = ze.zeModuleCreate(made.context, made.arc, desc)[0]
    return made


def states(bench: Bench) -> int:
    return len(bench.context.machine.memory.live())


@pytest.mark.parametrize(("name", "outside"), [("edge", 15), ("border", 0)])
def test_a_kernel_samples_with_its_own_sampler(bench: Bench, name: str, outside: int) -> None:
    texels = np.arange(16, dtype=np.uint8).reshape(1, 16, 1)
    source, target = bench.image(16, 1, R8), bench.image(16, 1, R8)
    bench.upload(source, texels)
    bench.run(name, [source, target], (1, 1))
    assert bench.download(target, texels).ravel().tolist() == [*range(3, 16), outside, outside, outside]


def test_equal_samplers_of_a_module_share_a_state(bench: Bench) -> None:
    before = states(bench)
    kernels = [ze.zeKernelCreate(bench.module, ze.ze_kernel_desc_t(name)) for name in ("edge", "edge", "border")]
    assert states(bench) == before + 2
    for made in kernels:
        ze.zeKernelDestroy(made)
    ze.zeModuleDestroy(bench.module)
    assert states(bench) == before


def test_states_that_have_no_room(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise MemoryError("full")

    monkeypatch.setattr(bench.context.machine.memory, "allocate", full)
    with fails("OUT_OF_DEVICE_MEMORY", "no room for a sampler"):
        ze.zeKernelCreate(bench.module, ze.ze_kernel_desc_t("edge"))
