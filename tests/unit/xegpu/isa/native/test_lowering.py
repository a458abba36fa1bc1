"""Native instructions as instructions of the model, and those that are refused."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from xegpu.isa import DecodeError, IllegalInstruction, format_instruction, validate
from xegpu.isa.model import BindingKind
from xegpu.isa.native import BoundAddress, assemble_native, filled_at, hidden_registers, lower_native
from xegpu.targets import ARC, PVC, XE_HPC, XE_HPG, Platform

END = "(W) send.gtwy (8|M0) null r127 null:0 0x0 0x02000010 {EOT}"


TARGETS = {XE_HPC: PVC, XE_HPG: ARC}


def lowered(*lines: str, platform: Platform = XE_HPC, bound: Sequence[BoundAddress] = ()) -> list[str]:
    code = assemble_native(platform, "\n".join((*lines, END)))
    program = lower_native(platform, code, (0,), 128, bound)
    for instruction in program.instructions:
        validate(instruction, TARGETS[platform], 128 + hidden_registers(platform.grf_bytes, len(bound)))
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
            "mac (16|M0) r1.0<1>:f r2.0<1;1,0>:f r3.0<1;1,0>:f",
            ["mad (16|M0) r1.0<1>:f r2.0<1;1,0>:f r3.0<1;1,0>:f r128.0<1;1,0>:f"],
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
        (
            "send.slm (32|M0) null r2 r6:2 0x0 0x040E0504",  # with cache controls, which local memory has not
            [
                "(W) and (32|M0) r144.0<1>:ud r2.0<1;1,0>:ud 0xfffffff:ud",
                "store.slm.d32.a32 (32|M0) flat[r144] r6",
            ],
        ),
        ("send.ugm (1|M0) r1 r2 null:0 0x0 0x0210651F", ["(W) fence.ugm.none.tile (1|M0)"]),
        ("send.ugm (32|M0) r4 r8 null:0 0x0 0x08200580", ["load.ugm.d32.a64 (32|M0) r4 flat[r8]"]),
        ("(W) sync.bar 0x0 {Compacted}", ["(W) nbarrier.wait 0x0:ud"]),
        (
            "L0:\n(W) and (1|M0) (eq)f0.0 null<1>:ud n0.0<0;1,0>:ud 0x1:ud\n(W&f0.0) while (1|M0) L0\n(W) sync.bar 0x0",
            [
                "(W) mov (1|M0) r144.0<1>:ud 0x1:ud",
                "(W) and (1|M0) (eq)f0.0 null<1>:ud r144.0<0;1,0>:ud 0x1:ud",
                "(W&f0.0) jmpi (1|M0) -16",
                "(W) nbarrier.wait 0x0:ud",
            ],
        ),
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
        ("mac (16|M16) r1.0<1>:f r2.0<1;1,0>:f r3.0<1;1,0>:f", "'mac' of channels behind the first ones is not supp"),
        ("send.smpl (16|M0) r1 r2 null:0 0x0 0x02420000", "image messages 0x2420000 are not supported"),
        ("send.ugm (16|M0) r1 r2 null:0 0x0 a0.0", "the descriptor of the message is not a constant"),
        ("send.ugm (1|M0) r1 r2 null:0 0xFF000000 0x6228E500", "surface 255 is bound to no argument"),
        ("send.ugm (16|M0) r1 r2 null:0 0x2000000 0x22100500", "messages to this kind of surface are not supported"),
        ("send.ugm (16|M0) r1 r2 null:0 0x0 0x02800403", "load_block2d messages with a shape that is computed are not"),
        ("(f0.0) break (16|M0) 16 16", "'break' is not supported"),
        ("mad (16|M0) r1.0<1>:f r2.0<1;4>:f r3.0<0;0>:f r4.0<1>:f", "region <1;4> of src0 is not supported"),
    ],
)
def test_refusals_name_the_instruction(native: str, reason: str) -> None:
    with pytest.raises(DecodeError, match="illegal instruction at offset 0x0") as error:
        lowered(native)
    assert reason in str(error.value)
    assert f"'{native.split()[0]}" in str(error.value)


@pytest.mark.parametrize("end", ["", "jmpi 16\n"], ids=["behind the end", "behind a jump"])
def test_words_that_control_never_comes_to_are_no_code(end: str) -> None:
    """Compilers write a hash of the kernel behind its end; what follows is no end of a thread, or no code at all."""
    behind = "(W) mov (16|M0) null<1>:ud 0x821D3E56:ud"
    code = assemble_native(XE_HPC, f"mov (1|M0) r1.0<1>:ud 5:ud\n{end}{END}\n{behind}\n")
    program = lower_native(XE_HPC, code + b"\x7f" * 24, (0,), 128)
    assert program.instructions[-1].mnemonic == "eot"
    assert behind not in [format_instruction(instruction) for instruction in program.instructions]


_SHAPED = """mov (1|M0) f0.0<1>:uw 0xFF7F:uw
mov (1|M0) r3.7<1>:d 1807:w
(~f0.0) mov (16|M0) r4.0<1>:f r3.0<1;1,0>:f
(~f0.0) sel (16|M0) r6.0<1>:d r4.0<1;1,0>:d r8.0<1;1,0>:d
send.ugm (1|M0) r5 r6 null:0 0x0 0x02420203
"""
"""A payload whose shape is chosen by a flag that is a constant."""


def test_shapes_are_chosen_by_constant_flags() -> None:
    """Kernels of whole subgroups have all channels on, unless some of them branch."""

    def shaped(text: str, *, all_channels: bool = True) -> list[str]:
        code = assemble_native(XE_HPC, f"{text}{END}")
        program = lower_native(XE_HPC, code, (0,), 128, all_channels=all_channels)
        return [instruction.mnemonic for instruction in program.instructions]

    assert "load_block2d" in shaped(_SHAPED)
    branch = "(f0.1) goto (16|M0) 16 16\n"
    other_flag = _SHAPED.replace("(~f0.0) sel", "(~f0.1) sel")
    other_channel = _SHAPED.replace("0xFF7F", "0xFFBF")
    for text, on in ((_SHAPED, False), (f"{branch}{_SHAPED}", True), (other_flag, True), (other_channel, True)):
        with pytest.raises(DecodeError, match="with a shape that is computed"):
            shaped(text, all_channels=on)


_LOADS = {
    XE_HPC: "(W) send.ugm (1|M0) r1 r5 null:0 0xFF000000 0x6218D500\n",
    XE_HPG: "(W) send.dc0 (8|M0) r1 r5 null:0 0x0 0x021842FD\n",
}
"""A load of the payload."""


@pytest.mark.parametrize("platform", _LOADS)
def test_registers_are_filled_behind_the_loads_of_the_payload(platform: Platform) -> None:
    """Code of the vector compute compiler has no symbol there; messages behind the modes are the kernel's own."""
    modes = "and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud -1265:w\nor (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 1216:w\n"
    load = f"(W) mov (8|M0) r5.0<1>:ud 0x0:ud\n{_LOADS[platform]}"
    assert filled_at(platform, assemble_native(platform, f"{load}{load}nop\n{modes}{load}{END}")) == 4 * 16
    assert filled_at(platform, assemble_native(platform, f"{modes}{load}{END}")) == 0
    code = assemble_native(platform, f"{modes}{END}")
    assert [each.mnemonic for each in lower_native(platform, code, (0,), 128).instructions] == ["nop", "nop", "eot"]


def test_control_comes_to_whole_instructions() -> None:
    with pytest.raises(DecodeError, match="offset 0x18: control comes to the middle of an instruction"):
        lowered("(f0.0) jmpi 24", "(W) mov (1|M0) r1.0<1>:uq 0x6000000060:uq", "nop")


def test_who_asks_for_the_barrier_waits_for_it() -> None:
    """Else what comes behind would see the barrier as completed before it is."""
    with pytest.raises(DecodeError, match=r"offset 0x0: register n0.0 is read, and no 'sync.bar' behind"):
        lowered("(W) and (1|M0) (eq)f0.0 null<1>:ud n0.0<0;1,0>:ud 1:ud", "send.ugm (1|M0) r1 r2 null:0 0x0 0x0210651F")


def test_branches_lead_to_instructions() -> None:
    with pytest.raises(DecodeError, match="branch to 0x1000, which is not an instruction"):
        lowered("jmpi 4096")


SURFACE = BoundAddress(BindingKind.SURFACE, 2, 32)
KEPT = "(W) mov (1|M0) r168.0<1>:uq r1.0<0;1,0>:uq"


@pytest.mark.parametrize(
    ("native", "wanted"),
    [
        (
            "send.dc1 (16|M0) r20 r16 null:0 0x0 0x04205E02",
            [
                KEPT,
                "(W) add (16|M0) r144.0<1>:uq r168.0<0;1,0>:uq r16.0<1;1,0>:ud",
                "load.ugm.d32.a64 (16|M0) r20 flat[r144]",
            ],
        ),
        (
            "send.dc1 (16|M0) r3 r17 null:0 0x0 0x04405AFE",
            [
                KEPT,
                "(W) and (16|M0) r144.0<1>:ud r17.0<1;1,0>:ud 0xfffffff:ud",
                "load.slm.d32.a32 (16|M0) r3 flat[r144]",
                "load.slm.d32.a32 (16|M0) r5 flat[r144+0x8]",
            ],
        ),
        (
            "send.dc1 (8|M0) null r6 r10:1 0x0 0x040681FF",
            [KEPT, "store.ugm.d32.a64 (8|M0) flat[r6] r10"],
        ),
        (
            "(W) send.dc0 (8|M0) null r44 r42:1 0x0 0x020A0202",
            [
                KEPT,
                "(W) shl (1|M0) r152.0<1>:ud r44.2<0;1,0>:ud 0x4:uw",
                "(W) add (1|M0) r144.0<1>:uq r168.0<0;1,0>:uq r152.0<0;1,0>:ud",
                "(W) store.ugm.d32x8t.a64 (1|M0) flat[r144] r42",
            ],
        ),
        (
            "(W) send.dc0 (8|M0) r42 r44 null:0 0x0 0x02184202",
            [
                KEPT,
                "(W) add (1|M0) r144.0<1>:uq r168.0<0;1,0>:uq r44.2<0;1,0>:ud",
                "(W) load.ugm.d32x8t.a64 (1|M0) r42 flat[r144]",
            ],
        ),
        (
            "(W) send.dc1 (8|M0) null r2 r7:1 0x0 0x020D40FF",
            [KEPT, "(W) store.ugm.d32x4t.a64 (1|M0) flat[r2] r7"],
        ),
        (
            "send.ugm (16|M0) r20 r16 null:0 0x2000000 0x64200500",
            [
                KEPT,
                "(W) add (16|M0) r144.0<1>:uq r168.0<0;1,0>:uq r16.0<1;1,0>:ud",
                "load.ugm.d32.a64 (16|M0) r20 flat[r144]",
            ],
        ),
        ("send.smpl (8|M0) r2 r125 null:0 0x0 0x021FF000", [KEPT, "(W) nop"]),
        ("(W) or (1|M0) sr0.2<1>:ud sr0.2<0;1,0>:ud 0xFFFFFF00:ud", [KEPT, "(W) nop"]),
        (
            "mach (8|M0) r4.0<1>:d r9.0<1;1,0>:d r3.0<1;1,0>:d",
            [KEPT, "mul (8|M0) r4.0<1>:d r9.0<1;1,0>:d r3.0<1;1,0>:d"],
        ),
        (
            "mov (8|M0) r4.0<1>:f r9.0<1;1,0>:f {AccWrEn}",
            [KEPT, "mov (8|M0) r4.0<1>:f r9.0<1;1,0>:f", "mov (8|M0) r128.0<1>:f r4.0<1;1,0>:f"],
        ),
        (
            "(W) add (4|M0) r11.0<1>:ud r2.0<0;1,0>:uw 0xC080400:uv",
            [
                KEPT,
                "(W) mov (4|M0) r152.0<1>:ud 0xc840c840:uv",
                "(W) add (4|M0) r11.0<1>:ud r2.0<0;1,0>:uw r152.0<1;1,0>:ud",
            ],
        ),
    ],
)
def test_meaning_on_xe_hpg(native: str, wanted: list[str]) -> None:
    assert lowered(native, platform=XE_HPG, bound=[SURFACE]) == wanted


@pytest.mark.parametrize(
    ("native", "reason"),
    [
        ("send.dc1 (16|M0) r20 r16 null:0 0x0 0x04205E03", "surface 3 is bound to no argument"),
        ("send.dc1 (16|M0) r20 r16 null:0 0x0 0x04205EFD", "messages to surface 0xfd are not supported"),
        ("send.dc1 (16|M0) r11 r9 null:0 a0.0 0x04205EFC {ExBSO}", "no argument gives the offset of a surface"),
        ("send.dc1 (16|M0) r20 r16 null:0 0x0 0x04205F02", "messages 0x4205f02 to 'dc1' are not supported"),
        ("send.smpl (16|M0) r1 r2 null:0 0x0 0x02420000", "image messages 0x2420000 are not supported"),
        ("(W) send.dc0 (8|M0) r42 r44 null:0 0x0 0x02180102", "messages 0x2180102 to 'dc0' are not supported"),
    ],
)
def test_refusals_on_xe_hpg(native: str, reason: str) -> None:
    with pytest.raises(DecodeError) as error:
        lowered(native, platform=XE_HPG, bound=[SURFACE])
    assert reason in str(error.value)


def test_channels_are_added_to_the_mask_for_nobody() -> None:
    """Here an instruction asks for one of them."""
    masks = "(W) or (1|M0) sr0.2<1>:ud sr0.2<0;1,0>:ud 0xFFFFFF00:ud"
    found = lowered(masks, "mov (8|M0) r4.0<1>:f 0.0:f", platform=XE_HPG)
    assert found == ["(W) nop", "mov (8|M0) r4.0<1>:f 0.0:f"]
    with pytest.raises(IllegalInstruction, match="sr0 cannot be written"):
        lowered(masks, "mov (16|M0) r4.0<1>:f 0.0:f", platform=XE_HPG)
