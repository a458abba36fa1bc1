"""Launches of kernels with image messages: several host threads, faults, and exceptions behind the callback."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.simulator import DeviceFault
from runtime.simulator.jit.images import callback as images
from tests.unit.runtime.simulator.images.bench import tight
from tests.unit.runtime.simulator.jit.launches import Bench
from xegpu.isa.model.surface_states import ChannelType, SurfaceState, SurfaceType
from xegpu.targets import ARC

GROUPS = 256
R32 = 2
COUNT_UP = """
    mov (16|M0) r10<1>:ud r0.1<0;1,0>:ud
    load_quad.tgm.d32.x.u (16|M0) r20 bss[r1.0][r10]
    add (16|M0) r20<1>:ud r20<1;1,0>:ud r10<1;1,0>:ud
    store_quad.tgm.d32.x.u (16|M0) bss[r1.0][r10] r20
    eot
"""
"""Adds its number to the texel of each work-group."""


def bench(signature: int | None = None) -> Bench:
    surface = tight(SurfaceType.IMAGE_1D, R32, ChannelType.UINT, GROUPS)
    found = Bench(COUNT_UP, [len(surface.pack()), surface.extent], target=ARC, simd_size=16)
    values = {**surface.__dict__, "base": found.buffers[1].address}
    if signature is not None:
        values["signature"] = signature
    found.contents = [SurfaceState(**values).pack(), np.full(GROUPS, 1000, np.uint32).tobytes()]
    return found


def test_every_group_on_every_host_thread_reaches_its_texel() -> None:
    _, texels = bench().results((GROUPS, 1, 1), (16, 1, 1))
    assert np.frombuffer(texels, np.uint32).tolist() == [1000 + group for group in range(GROUPS)]


def test_a_bad_state_is_reported_for_the_first_group() -> None:
    fault = bench(signature=1).fault((GROUPS, 1, 1), (16, 1, 1))
    assert "a surface state begins with 0x46525358, not 0x1" in str(fault)
    assert fault.group == (0, 0, 0)


def test_other_host_threads_report_the_same_fault() -> None:
    broken = bench(signature=1)
    expected = str(broken.fault((GROUPS, 1, 1), (16, 1, 1)))
    with pytest.raises(DeviceFault) as found:
        broken.run("jit", (GROUPS, 1, 1), (16, 1, 1), threads=4)
    assert str(found.value) == expected


@pytest.mark.parametrize("groups", [1, GROUPS], ids=["on the calling thread", "on the pool"])
def test_an_exception_behind_the_callback_is_not_lost(monkeypatch: pytest.MonkeyPatch, groups: int) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(images, "access_image", interrupted)
    with pytest.raises(KeyboardInterrupt):
        bench().run("jit", (groups, 1, 1), (16, 1, 1))
