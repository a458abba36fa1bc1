"""The bytes of a hardware thread for private memory and for spills, however `.ze_info` states them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.unit.zebin.support import compiled_kernel
from xegpu.targets import PVC
from zebin import build, read, read_facts
from zebin.binary.model import ZebinKernel
from zebin.ze_info import PerThreadMemoryBuffer

SPILL = PerThreadMemoryBuffer(type="scratch", usage="spill_fill_space", size=640, slot=0)
PRIVATE = PerThreadMemoryBuffer(type="scratch", usage="private_space", size=256, slot=1)
SINGLE = PerThreadMemoryBuffer(type="scratch", usage="single_space", size=1024, slot=0)
EACH_LANE = PerThreadMemoryBuffer(type="global", usage="private_space", size=2080, is_simt_thread=True)
WHOLE_THREAD = replace(EACH_LANE, is_simt_thread=False)


def kernel(buffers: list[PerThreadMemoryBuffer], **environment: int) -> ZebinKernel:
    """A kernel with 32 lanes."""
    made = compiled_kernel(simd_size=32)
    found = read(build(PVC, [made])).kernels[made.name]
    stated = replace(found.execution_env, **environment)
    return replace(found, info=replace(found.info, execution_env=stated, per_thread_memory_buffers=buffers))


@pytest.mark.parametrize(
    ("buffers", "stated", "sizes"),
    [
        ([], {}, (0, 0)),
        ([SPILL], {}, (0, 640)),  # older than 1.39: by slots
        ([SPILL, PRIVATE], {}, (256, 640)),
        ([SPILL, PRIVATE], {"private_size": 256, "spill_size": 640}, (256, 640)),
        ([SINGLE], {"private_size": 300, "spill_size": 500}, (300, 500)),
        ([EACH_LANE], {}, (66560, 0)),
        ([WHOLE_THREAD], {}, (2080, 0)),
        ([EACH_LANE, SPILL], {"spill_size": 600}, (66560, 600)),
    ],
)
def test_sizes(buffers: list[PerThreadMemoryBuffer], stated: dict[str, int], sizes: tuple[int, int]) -> None:
    found = kernel(buffers, **stated)
    assert (found.private_size, found.spill_size) == sizes
    facts = read_facts(found, PVC)
    assert facts.scratch_size == found.scratch == sum(each.size for each in buffers if each.type == "scratch")
