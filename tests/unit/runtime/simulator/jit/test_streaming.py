"""Stores with a streaming cache control, which bypass the host's caches where they cover whole lines."""

from __future__ import annotations

import pytest

from runtime.llvm import this_cpu
from runtime.simulator import Simulator
from runtime.simulator.jit.kernel.translation import Variant, kernel_code
from tests.unit.runtime.simulator.jit.launches import Bench
from xegpu.targets import PVC

BLOCK = """
    (W) mov (1|M0) r9.0<1>:uq r1.0<0;1,0>:uq
    (W) mov (1|M0) r9.2<1>:ud 255:ud
    (W) mov (1|M0) r9.3<1>:ud r1.2<0;1,0>:ud
    (W) mov (1|M0) r9.4<1>:ud r1.3<0;1,0>:ud
    (W) mul (1|M0) r9.5<1>:ud r0.1<0;1,0>:ud 16:ud
    (W) add (1|M0) r9.5<1>:ud r9.5<0;1,0>:ud r1.4<0;1,0>:ud
    (W) mov (1|M0) r9.6<1>:ud 0:ud
    (W) mov (1|M0) r9.7<1>:ud 0x70f:ud
    (W) mov (16|M0) r20<1>:ud r9.5<0;1,0>:ud
    (W) mov (16|M0) r21<1>:ud 1:ud
    (W) mov (16|M0) r22<1>:ud 2:ud
    (W) mov (16|M0) r27<1>:ud r0.1<0;1,0>:ud
    (W) store_block2d.ugm.d32.a64{cache} (1|M0) flat[r9] r20 16x8x1
    {after}
    (W) eot (1|M0)
"""
"""Each work-group stores a block of 16x8 dwords; the values are the height and pitch less one, and the first x."""

ROW = """
    (W) mul (1|M0) r9.0<1>:ud r0.1<0;1,0>:ud 64:ud
    (W) add (1|M0) r9.0<1>:uq r1.0<0;1,0>:uq r9.0<0;1,0>:ud
    (W) add (1|M0) r9.0<1>:uq r9.0<0;1,0>:uq r1.2<0;1,0>:ud
    (W) mov (16|M0) r20<1>:ud r0.1<0;1,0>:ud
    (W) store.ugm.d32x16t.a64{cache} (1|M0) flat[r9] r20
    (W) eot (1|M0)
"""
"""Each work-group stores a row of 16 dwords, from an offset on."""


def ir_of(text: str) -> str:
    bench = Bench(text, [4096], values=[7, 255, 0])
    executable = Simulator(PVC, bench.memory).load(bench.description)
    return kernel_code(executable, Variant(), this_cpu()).ir


@pytest.mark.parametrize(("pitch", "x"), [(256, 0), (256, 1), (272, 0), (256, -3), (256, 40)], ids=str)
def test_blocks_that_are_lines_or_not(pitch: int, x: int) -> None:
    """Rows may lie across lines, and blocks partly outside of the surface."""
    bench = Bench(BLOCK.format(cache=".st.uc", after=""), [8 * pitch], values=[7, pitch - 1, x & 0xFFFFFFFF])
    usual = Bench(BLOCK.format(cache="", after=""), [8 * pitch], values=[7, pitch - 1, x & 0xFFFFFFFF])
    assert bench.results((4, 1, 1)) == usual.results((4, 1, 1))
    assert any(bench.results((4, 1, 1))[0])


@pytest.mark.parametrize("offset", [0, 4])
def test_rows_that_are_lines_or_not(offset: int) -> None:
    bench = Bench(ROW.format(cache=".st.wb"), [64 * 300 + 4], values=[offset])
    result = bench.results((300, 1, 1))[0]
    numbers = [int.from_bytes(result[at : at + 4], "little") for at in range(offset, 64 * 300 + offset, 4)]
    assert numbers == [group for group in range(300) for _ in range(16)]


def test_a_block_that_is_read_again() -> None:
    """A thread sees what it has stored."""
    after = """
    (W) load_block2d.ugm.d32.a64 (1|M0) r30 flat[r9] 16x8x1
    (W) add (16|M0) r20<1>:ud r30<1;1,0>:ud 5:ud
    (W) store_block2d.ugm.d32.a64 (1|M0) flat[r9] r20 16x8x1
    """
    bench = Bench(BLOCK.format(cache=".st.uc", after=after), [8 * 256], values=[7, 255, 0])
    result = bench.results((4, 1, 1))[0]
    firsts = [int.from_bytes(result[at : at + 4], "little") for at in range(0, 256, 64)]
    assert firsts == [5, 21, 37, 53]


@pytest.mark.parametrize("text", [BLOCK.replace("{after}", ""), ROW], ids=["block", "row"])
def test_only_streaming_stores_bypass_the_caches(text: str) -> None:
    """They end with a fence, so that other threads of the host find the data."""
    for cache in ("", ".wb.wb", ".uc.uc"):
        assert "!nontemporal" not in ir_of(text.format(cache=cache))
    streaming = ir_of(text.format(cache=".st.wb"))
    assert "!nontemporal" in streaming
    assert "fence seq_cst" in streaming
