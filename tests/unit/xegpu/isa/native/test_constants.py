"""Constants in registers, on which messages depend: descriptors, and shapes of blocks."""

from __future__ import annotations

import pytest

from tests.unit.xegpu.isa.native.test_lowering import lowered
from xegpu.isa import DecodeError
from xegpu.targets import XE_HPC, Platform

LOAD = "0x04100500"
SEND = "send.ugm (16|M0) r20 r16 null:0 0x0 a0.0"
READ = "load.ugm.d32.a32 (16|M0) r20 flat[r16]"
BLOCK = "(W) send.ugm (1|M0) r20 r30 null:0 0x0 0x02800403"
SHAPE = "(W) mov (1|M0) r8.7<1>:ud 0x70F:ud"


def found(*lines: str, platform: Platform = XE_HPC) -> str:
    return lowered(*lines, platform=platform)[-1]


@pytest.mark.parametrize(
    "lines",
    [
        [f"(W) mov (1|M0) a0.0<1>:ud {LOAD}:ud"],
        ["(W) mov (1|M0) r5.2<1>:ud 0x500:uw", "(W) add (1|M0) a0.0<1>:ud r5.2<0;1,0>:ud 0x4100000:ud"],
        ["(W) mov (1|M0) r5.0<1>:d -1:w", "(W) and (1|M0) a0.0<1>:ud r5.0<0;1,0>:ud 0x4100500:ud"],
        [
            "(W) mov (1|M0) r5.0<1>:ud 0x41:uw",
            "(W) shl (1|M0) r6.0<1>:ud r5.0<0;1,0>:ud 0x14:ud",
            "(W) mov (1|M0) r7.0<1>:ud 0x500:uw",
            "(W) mov (1|M0) r7.1<1>:ud r7.0<0;1,0>:uw",
            "(W) or (1|M0) a0.0<1>:ud r6.0<0;1,0>:ud r7.1<0;1,0>:ud",
        ],
        [
            "(W) mov (1|M0) r5.0<1>:uq 0x410050004100500:uq",
            "(W) mov (16|M0) r7.0<1>:f r5.0<1;1,0>:f",
            "(W) mov (1|M0) a0.0<1>:ud r7.1<0;1,0>:ud",
        ],
        [f"(W) mov (1|M0) a0.0<1>:ud {LOAD}:ud", "(W) jmpi 16"],
    ],
)
def test_descriptors_are_computed(lines: list[str]) -> None:
    assert found(*lines, SEND) == READ


@pytest.mark.parametrize(
    "lines",
    [
        ["(W) mov (1|M0) a0.0<1>:ud r5.0<0;1,0>:ud"],
        [f"mov (1|M0) a0.0<1>:ud {LOAD}:ud"],
        [f"(W&f0.0) mov (1|M0) a0.0<1>:ud {LOAD}:ud"],
        [f"(W) mov (1|M0) a0.0<1>:ud {LOAD}:ud", "(W) mov (1|M0) a0.1<1>:uw 0x1:uw"],
        [
            f"(W) mov (1|M0) r5.0<1>:ud {LOAD}:ud",
            "send.ugm (16|M0) r4 r16 null:0 0x0 0x04200500",
            "(W) mov (1|M0) a0.0<1>:ud r5.0<0;1,0>:ud",
        ],
        [
            f"(W) mov (1|M0) r5.0<1>:ud {LOAD}:ud",
            "(W) mov (1|M0) r[a0.8]<1>:ud 0x0:ud",
            "(W) mov (1|M0) a0.0<1>:ud r5.0<0;1,0>:ud",
        ],
        [
            f"(W) mov (1|M0) a0.0<1>:ud {LOAD}:ud",
            "(W&f0.0) jmpi 32",
            "(W) mov (1|M0) a0.0<1>:ud 0x4200500:ud",
        ],
    ],
    ids=["a register", "some channels", "predicate", "half", "message", "indirect", "paths"],
)
def test_what_is_not_known_is_refused(lines: list[str]) -> None:
    with pytest.raises(DecodeError, match="the descriptor of the message is not a constant"):
        found(*lines, SEND)


def test_a_loop_may_change_what_was_a_constant() -> None:
    back = ["top:", SEND, "(W) add (1|M0) a0.0<1>:ud a0.0<0;1,0>:ud 0x100000:ud", "(W&f0.0) jmpi top"]
    with pytest.raises(DecodeError, match="not a constant"):
        found(f"(W) mov (1|M0) a0.0<1>:ud {LOAD}:ud", *back)


def test_shapes_of_blocks_move_with_payloads() -> None:
    copied = "(W) mov (16|M0) r30.0<1>:ud r8.0<1;1,0>:ud"
    assert found(SHAPE, copied, BLOCK) == "(W) load_block2d.ugm.d32.a64 (1|M0) r20 flat[r30] 16x8x1"
    with pytest.raises(DecodeError, match="load_block2d messages with a shape that is computed are not"):
        found(SHAPE, copied, "(W) add (1|M0) r30.7<1>:ud r1.0<0;1,0>:ud r30.7<0;1,0>:ud", BLOCK)
