"""Faults of compiled code: the report is word for word that of the interpreter."""

from __future__ import annotations

import pytest

from runtime.simulator import FaultKind
from tests.unit.runtime.simulator.jit.launches import Bench

STORE_BY_GROUP = """
    (W) mul (1|M0) r10.0<1>:ud r0.1<0;1,0>:ud {step}:ud
    (W) add (1|M0) r12.0<1>:uq r1.0<0;1,0>:uq r10.0<0;1,0>:ud
    (W) store.ugm.d32.a64 (1|M0) flat[r12]:1 r10:1
    (W) eot (1|M0)
"""

GATHER = """
    (W) mov (8|M0) r10.0<1>:uw 0x76543210:uv
    (W) add (8|M0) r10.8<1>:uw r10.0<1;1,0>:uw 8:uw
    mul (16|M0) r11.0<1>:ud r10.0<1;1,0>:uw {step}:ud
    add (16|M0) r12.0<1>:uq r1.0<0;1,0>:uq r11.0<1;1,0>:ud
    load.ugm.d32x2.a64 (16|M0) r20:2 flat[r12]:2
    (W) eot (1|M0)
"""

SURFACE = """
    (W) mov (1|M0) r10.0<1>:uq r1.0<0;1,0>:uq
    (W) mov (1|M0) r10.2<1>:ud {width}:ud
    (W) mov (1|M0) r10.3<1>:ud {height}:ud
    (W) mov (1|M0) r10.4<1>:ud {pitch}:ud
    (W) mov (1|M0) r10.5<1>:ud {x}:ud
    (W) mov (1|M0) r10.6<1>:ud 0:ud
    (W) mov (1|M0) r10.7<1>:ud {shape}:ud
    (W) {mnemonic}_block2d.ugm.d16.a64 (1|M0) {operands} 16x8x1
    (W) eot (1|M0)
"""

SCRATCH = """
    (W) mov (1|M0) r10.0<1>:ud {offset}:ud
    (W) load.ugm.d32.a32 (1|M0) r11:1 ss[r10]:1
    (W) eot (1|M0)
"""

GOOD_SURFACE = {"width": 63, "height": 15, "pitch": 63, "x": 0, "shape": 0x70F}
LOAD = {"mnemonic": "load", "operands": "r20:4 flat[r10]:1"}
STORE = {"mnemonic": "store", "operands": "flat[r10]:1 r20:4"}


def test_out_of_bounds() -> None:
    fault = Bench(STORE_BY_GROUP.format(step=64), [256]).fault((9, 1, 1))
    assert fault.kind is FaultKind.OUT_OF_BOUNDS
    assert (fault.group, fault.subgroup, fault.lane) == ((4, 0, 0), 0, 0)
    assert "store" in fault.instruction


def test_misaligned() -> None:
    fault = Bench(STORE_BY_GROUP.format(step=6), [256]).fault((2, 1, 1))
    assert (fault.kind, fault.group) == (FaultKind.MISALIGNED, (1, 0, 0))


def test_read_only() -> None:
    fault = Bench(STORE_BY_GROUP.format(step=4), [256], read_only=[0]).fault((1, 1, 1))
    assert fault.kind is FaultKind.READ_ONLY


def test_the_lane_is_named() -> None:
    fault = Bench(GATHER.format(step=20), [256], simd_size=16).fault((1, 1, 1), (16, 1, 1))
    assert (fault.kind, fault.lane, fault.size) == (FaultKind.OUT_OF_BOUNDS, 13, 8)


def test_a_thread_of_a_group_is_named() -> None:
    text = """
        (W) cmp (1|M0) (eq)f0.0 null<1>:ud r0.8<0;1,0>:ub 2:ud
        (W&~f0.0) jmpi (1|M0) fine
        (W) illegal (1|M0)
    fine:
        (W) eot (1|M0)
    """
    fault = Bench(text, [64]).fault((2, 2, 2), (4, 1, 1))
    assert (fault.kind, fault.group, fault.subgroup) == (FaultKind.ILLEGAL_INSTRUCTION, (0, 0, 0), 2)


@pytest.mark.parametrize("operands", [LOAD, STORE], ids=lambda o: o["mnemonic"])
@pytest.mark.parametrize(
    "change",
    [{"width": 59}, {"width": 64}, {"height": 1 << 24}, {"pitch": 67}, {"pitch": 47}, {"x": 1}, {"shape": 0x71F}],
    ids=str,
)
def test_bad_block(change: dict[str, int], operands: dict[str, str]) -> None:
    fault = Bench(SURFACE.format(**GOOD_SURFACE | change, **operands), [1024]).fault((1, 1, 1))
    assert fault.kind is FaultKind.BAD_BLOCK
    assert fault.detail


@pytest.mark.parametrize("operands", [LOAD, STORE], ids=lambda o: o["mnemonic"])
@pytest.mark.parametrize("size", [64, 511], ids=["one row", "one byte too few"])
def test_block_outside_of_the_allocation(size: int, operands: dict[str, str]) -> None:
    fault = Bench(SURFACE.format(**GOOD_SURFACE | {"x": 16}, **operands), [size]).fault((1, 1, 1))
    assert (fault.kind, fault.lane, fault.size) == (FaultKind.OUT_OF_BOUNDS, None, 7 * 64 + 32)


@pytest.mark.parametrize(("offset", "kind"), [(64, FaultKind.SCRATCH_OVERFLOW), (61, FaultKind.MISALIGNED)])
def test_scratch_space(offset: int, kind: FaultKind) -> None:
    fault = Bench(SCRATCH.format(offset=offset), [64], scratch_size=64).fault((1, 1, 1))
    assert fault.kind is kind


def test_endless_loop() -> None:
    text = "loop:\n(W) nop (1|M0)\n(W) jmpi (1|M0) loop\n(W) eot (1|M0)"
    fault = Bench(text, [64], instruction_limit=1001).fault((1, 1, 1))
    assert fault.kind is FaultKind.RUNAWAY
    assert "1002 instructions" in fault.detail


def test_the_limit_is_not_a_bit_lower() -> None:
    text = "(W) jmpi (1|M0) on\non:\n" + "(W) nop (1|M0)\n" * 50 + "(W) eot (1|M0)"
    Bench(text, [64], instruction_limit=1).results((1, 1, 1))
