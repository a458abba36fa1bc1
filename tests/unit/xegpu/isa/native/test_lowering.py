"""Native instructions as instructions of the model, and those that are refused."""

from __future__ import annotations

import pytest

from xegpu.isa import DecodeError, format_instruction, validate
from xegpu.isa.native import HIDDEN_REGISTERS, NativePlatform, assemble_native, lower_native
from xegpu.targets import PVC

END = "(W) send.gtwy (8|M0) null r127 null:0 0x0 0x02000010 {EOT}"


def lowered(*lines: str) -> list[str]:
    code = assemble_native(NativePlatform.XE_HPC, "\n".join((*lines, END)))
    program = lower_native(NativePlatform.XE_HPC, code, 0, 128)
    for instruction in program.instructions:
        validate(instruction, PVC, 128 + HIDDEN_REGISTERS)
    return [format_instruction(instruction).strip() for instruction in program.instructions[:-1]]


@pytest.mark.parametrize(
    ("native", "wanted"),
    [
        ("add (16|M16) r1.0<2>:ud r2.0<1;1,0>:ud 5:w", ["add (16|M16) r1.0<2>:ud r2.0<1;1,0>:ud 5:w"]),
        ("mov (16|M0) r1.0<1>:f r2.0<8;8,1>:f", ["mov (16|M0) r1.0<1>:f r2.0<1;1,0>:f"]),
        (
            "mad (16|M0) r1.0<1>:f r2.0<1;0>:f r3.0<0;0>:f r4.0<1>:f",
            ["mad (16|M0) r1.0<1>:f r3.0<0;1,0>:f r4.0<1;1,0>:f r2.0<1;1,0>:f"],
        ),
        (
            "(W) mach (1|M0) r1.0<1>:d r2.0<0;1,0>:d r3.0<0;1,0>:d",
            [
                "(W) mul (1|M0) r128.0<1>:d r2.0<0;1,0>:d r3.0<0;1,0>:d",
                "(W) mulh (1|M0) r1.0<1>:d r2.0<0;1,0>:d r3.0<0;1,0>:d",
            ],
        ),
        (
            "send.slm (32|M0) null r2 r6:2 0x0 0x04000504",
            [
                "(W) and (32|M0) r144.0<1>:ud r2.0<1;1,0>:ud 0xfffffff:ud",
                "store.slm.d32.a32 (32|M0) flat[r144] r6",
            ],
        ),
        ("send.ugm (32|M0) r4 r8 null:0 0x0 0x08200580", ["load.ugm.d32.a64 (32|M0) r4 flat[r8]"]),
        ("(W) sync.bar 0x0 {Compacted}", ["(W) nbarrier.wait 0x0:ud"]),
        ("(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x4C0:uw", ["(W) nop"]),
        ("(W) mov (1|M0) r1.1<1>:ud tm0.1<0;1,0>:ud", ["(W) mov (1|M0) r1.1<1>:ud tm0.1<0;1,0>:ud"]),
    ],
)
def test_meaning(native: str, wanted: list[str]) -> None:
    assert lowered(native) == wanted


@pytest.mark.parametrize(
    ("native", "reason"),
    [
        ("(W) mov (1|M0) r1.0<1>:ud dbg0.0<0;1,0>:ud", "register dbg0 is not supported"),
        ("add (16|M0) (ov)f0.0 r1.0<1>:d r2.0<1;1,0>:d 5:w", "condition ov is not supported"),
        ("mac (16|M0) r1.0<1>:f r2.0<1;1,0>:f r3.0<1;1,0>:f", "'mac' is not supported"),
        ("send.smpl (16|M0) r1 r2 null:0 0x0 0x02420000", "messages to 'smpl' are not supported"),
        ("send.ugm (16|M0) r1 r2 null:0 0x0 a0.0", "messages with a descriptor in a register are not supported"),
        ("send.ugm (1|M0) r1 r2 null:0 0xFF000000 0x6228E500", "messages to surfaces of the binding table are not"),
        ("send.ugm (16|M0) r1 r2 null:0 0x0 0x02800403", "load_block2d messages to 'ugm' are not supported"),
        ("(f0.0) break (16|M0) 16 16", "'break' is not supported"),
        ("mad (16|M0) r1.0<1>:f r2.0<1;4>:f r3.0<0;0>:f r4.0<1>:f", "region <1;4> of src0 is not supported"),
    ],
)
def test_refusals_name_the_instruction(native: str, reason: str) -> None:
    with pytest.raises(DecodeError, match="illegal instruction at offset 0x0") as error:
        lowered(native)
    assert reason in str(error.value)
    assert f"'{native.split()[0]}" in str(error.value)


def test_branches_lead_to_instructions() -> None:
    with pytest.raises(DecodeError, match="branch to 0x1000, which is not an instruction"):
        lowered("jmpi 4096")
