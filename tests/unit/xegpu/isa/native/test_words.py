"""Words of native instructions: fields, compaction, text and back. The samples are binaries of Intel's compiler."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.unit.zebin.support import DATA
from xegpu.isa import AssemblyError, DecodeError, EncodeError
from xegpu.isa.native import (
    NativeInstruction,
    NativeLines,
    assemble_native,
    decode_native,
    encode_native,
    format_native,
    format_native_program,
    native_instructions,
)
from xegpu.targets import XE_HPC, XE_HPG, Platform, platforms
from zebin import read

SAMPLES = {
    XE_HPC: ("vadd.pvc", "subgroup_ops.pvc", "fp64_axpy.pvc"),
    XE_HPG: ("vadd.dg2", "const_table.dg2"),
}
BOTH = pytest.mark.parametrize("platform", platforms(), ids=lambda platform: platform.name)


def codes(platform: Platform) -> Iterator[bytes]:
    for name in SAMPLES[platform]:
        for kernel in read(DATA / f"{name}.zebin").kernels.values():
            yield bytes(kernel.code)


def one(platform: Platform, text: str) -> NativeInstruction:
    return decode_native(platform, assemble_native(platform, text))


@BOTH
def test_words_and_fields_are_equivalent(platform: Platform) -> None:
    for code in codes(platform):
        for offset, instruction in native_instructions(platform, code):
            assert encode_native(instruction) == code[offset : offset + instruction.size]


@BOTH
def test_text_assembles_to_the_code(platform: Platform) -> None:
    for code in codes(platform):
        assembled = assemble_native(platform, format_native_program(platform, code))
        assert code.startswith(assembled)
        assert not any(code[len(assembled) :])


@BOTH
def test_lines_are_the_texts_of_the_instructions(platform: Platform) -> None:
    """Lines are put together from parts that other instructions had; here each part meets many others."""
    generator = random.Random(11)
    words = [
        code[offset : offset + i.size] for code in codes(platform) for offset, i in native_instructions(platform, code)
    ]
    mixed = list(words)
    for word in generator.choices(words, k=3000):
        other = bytearray(word)
        for _ in range(generator.randint(1, 3)):
            other[generator.randrange(1, len(word))] ^= 1 << generator.randrange(8)
        try:
            instruction = decode_native(platform, bytes(other))
        except DecodeError:
            continue
        if instruction.size == len(other) and not instruction.opcode.is_branch:
            mixed.append(bytes(other))
    plain = [word for word in mixed if not decode_native(platform, word).opcode.is_branch]
    generator.shuffle(plain)
    lines = NativeLines(platform, b"".join(plain))
    assert len(plain) > 1500
    assert lines.error is None
    texts = [text for offset, text in lines if offset is not None]
    assert texts == [format_native(decode_native(platform, word)) for word in plain]
    broken = NativeLines(platform, plain[0] + plain[1] + b"\xff" * 16)
    assert f"offset {len(plain[0] + plain[1]):#x}: " in str(broken.error)
    assert [text for offset, text in broken if offset is not None] == texts[:2]


@BOTH
def test_compact_words_are_their_wide_words(platform: Platform) -> None:
    compact = 0
    for code in codes(platform):
        for offset, instruction in native_instructions(platform, code):
            if instruction.is_compact:
                compact += 1
                wide = replace(instruction, is_compact=False)
                again = decode_native(platform, encode_native(wide))
                assert again.fields == instruction.fields
                assert encode_native(replace(again, is_compact=True)) == code[offset : offset + 8]
    assert compact > 50


@BOTH
def test_mutated_words_are_shown_or_refused(platform: Platform) -> None:
    generator = random.Random(5)
    words = [
        code[offset : offset + i.size] for code in codes(platform) for offset, i in native_instructions(platform, code)
    ]
    shown = 0
    for word in generator.sample(words, 300):
        bits = int.from_bytes(word, "little") ^ sum(1 << generator.randrange(8 * len(word)) for _ in range(2))
        mutated = (bits & (1 << 8 * len(word)) - 1).to_bytes(len(word), "little")
        try:
            instruction = decode_native(platform, mutated)
        except DecodeError:
            continue
        assert format_native(instruction)
        shown += 1
    assert shown > 150


TEXTS = {
    "(W&~f1.1.any) mov (16|M16) (lt)f1.1 (sat)r1.4<2>:w -(abs)r2.1<8;4,2>:b {Atomic,$31.src}": XE_HPC,
    "(f0.0.any16h) mov (8|M4) r1.0<1>:d r2.0<4,1>:d {AccWrEn,$15.dst}": XE_HPG,
    "mov (16|M0) r[a0.3,-8]<1>:f r[a0.2,16]<1,0>:f {A@1}": XE_HPC,
    "mov (8|M0) r1.0<1>:df 0x3FF3C0CA2A5B1D5D:df": XE_HPC,
    "mov (8|M0) r1.0<1>:f -qnan(0x5):f": XE_HPG,
    "mov (8|M0) r1.0<1>:f 1.234567e+00:f": XE_HPG,
    "mov (1|M0) r1.0<1>:hf 0x2E66:hf": XE_HPC,
    "mov (16|M0) r1.0<1>:w 0x76543210:v": XE_HPC,
    "mad (16|M0) r1.0<1>:d -2:w r2.0<1;0>:w r3.0<1>:w": XE_HPC,
    "mad (16|M0) (gt)f0.0 (sat)r4.0<2>:f r5.0<1;1>:f -(abs)r6.0<4;2>:f (abs)r7.0<4>:f": XE_HPC,
    "bfn.(s0^(s0&~s1|s2)) (16|M0) (gt)f1.0 r4.0<1>:ud r5.0<0;0>:ud r6.0<0;0>:ud r7.0<0>:ud": XE_HPG,
    "dpas.8x8 (16|M0) r4:f null:f r6:bf r7.0:bf {$5}": XE_HPC,
    "dpas.8x4 (8|M0) r4:d r5:d r6:s4 r7.32:u2": XE_HPG,
    "math.invm (16|M0) (eo)f1.0 r1.mme3:f r5.nomme:f r8.mme2:f {M@3}": XE_HPC,
    "madm (16|M0) acc0.mme1:df r5.nomme:df -r6.mme2:df r7.mme3:df": XE_HPC,
    "sync.allwr ($0,$2,$31)": XE_HPC,
    "sync.bar null": XE_HPG,
    "goto.b (32|M0) -64 16": XE_HPC,
    "call (16|M0) r3.0 144": XE_HPG,
    "ret (16|M0) r3.0 {A@1}": XE_HPG,
    "send.ugm (16|M0) r5 r64 null:0 0x0 0x04804580 {$7}": XE_HPC,
    "(W) send.ugm (1|M0) null r126 r4:1 a0.2 0x4200D504 {ExBSO,I@3,$5}": XE_HPC,
    "send.gtwy (8|M0) null r127 null:0 0x0 a0.0 {EOT}": XE_HPC,
    "mov (16|M0) r1.0<1>:ud ce<0;1,0>:ud": XE_HPC,
    "mov (16|M0) mme2.0<1>:f acc1.0<1;1,0>:f": XE_HPG,
}


@pytest.mark.parametrize(("text", "platform"), TEXTS.items(), ids=list(TEXTS))
def test_text_of_rare_parts(text: str, platform: Platform) -> None:
    assert format_native(one(platform, text)).split() == text.split()


def test_regions_of_macro_registers_may_be_shown() -> None:
    """Today's `iga64` shows them."""
    shown = "math.invm (16|M0) (eo)f1.0 r1.mme3:f r5.nomme<1;1,0>:f r8.mme2<1;1,0>:f"
    assert assemble_native(XE_HPC, shown) == assemble_native(XE_HPC, shown.replace("<1;1,0>", ""))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("macl (8|M0) r1.0<1>:d r2.0<1;1,0>:d r3.0<1;1,0>:d", "xehpg has no instruction 'macl'"),
        ("mov (8|M0) r1.0<3>:d r2.0<1;1,0>:d", "3 is no stride of 'mov'"),
        ("mov (8|M0) r1.0<1>:d 99999:w", "99999 is no constant of type 'w'"),
        ("mad (8|M0) r1.0<1>:d r2.0<1;0>:f r3.0<1;0>:d r4.0<1>:d", "the types are all integers or all floats"),
        ("(f0.0) add (8|M0) (lt)f1.0 r1.0<1>:d r2.0<1;1,0>:d 1:d", "the predicate and the condition name two flags"),
        ("add (8|M0) r1.0<1>:d r2.0<1;1,0>:d 1:d {Fast}", "'Fast' is no scoreboard annotation of 'add'"),
        ("mov (8|M0) r300.0<1>:d 1:d", "0x12c does not fit the field 'dst.reg' of 'mov'"),
        ("mov (8|M0) q1.0<1>:d 1:d", "q1 is no register"),
        ("sync.never null", "never is no function of 'sync'"),
        ("L: nop\nL: nop", "the label 'L' is defined twice"),
    ],
)
def test_wrong_text(text: str, message: str) -> None:
    with pytest.raises(AssemblyError) as error:
        assemble_native(XE_HPG, text)
    assert error.value.message == message


def test_words_that_are_no_instructions() -> None:
    platform = XE_HPC
    with pytest.raises(DecodeError, match="4 bytes, an instruction has at least 8"):
        decode_native(platform, b"\x61\0\0\0")
    with pytest.raises(DecodeError, match="8 bytes, the instruction has 16"):
        decode_native(platform, b"\x61" + bytes(7))
    with pytest.raises(DecodeError, match="'send' has no such compact form"):
        decode_native(platform, (0x31 | 1 << 29).to_bytes(8, "little"))
    with pytest.raises(DecodeError, match="0x7 means nothing in the field 'exec_size' of 'mov'"):
        decode_native(platform, (0x61 | 7 << 18).to_bytes(16, "little"))


def test_fields_that_an_instruction_does_not_have() -> None:
    instruction = one(XE_HPC, "mov (8|M0) r1.0<1>:d 1:d")
    with pytest.raises(EncodeError, match="'mov' has no 'acc_write' on xehpc"):
        encode_native(replace(instruction, fields={**instruction.fields, "acc_write": 1}))
