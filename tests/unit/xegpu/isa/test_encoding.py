"""Encoding: legal instructions survive a round trip; every other word raises `DecodeError`."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings, strategies as st

from tests.amounts import examples
from tests.unit.xegpu.isa.programs import instructions, programs
from xegpu.isa import (
    BY_MNEMONIC,
    TABLE,
    WORD_BYTES,
    DataType,
    DecodeError,
    Destination,
    EncodeError,
    IllegalInstruction,
    Immediate,
    Instruction,
    InstructionFormat,
    SourceRegister,
    assemble_program,
    decode,
    decode_program,
    encode,
    encode_program,
    validate,
)
from xegpu.isa.code.program import encode_header
from xegpu.isa.formats.spec import all_layouts
from xegpu.isa.model.operands import Region, grf
from xegpu.isa.model.table import BY_OPCODE
from xegpu.targets import PVC, TARGETS

LAYOUTS = all_layouts()


def one(line: str) -> Instruction:
    return assemble_program(line).instructions[0]


def word_with(instruction: Instruction, layout: str, **fields: int) -> bytes:
    """The encoding with some fields replaced; `__` in a name stands for a dot."""
    data = encode(instruction)
    word = int.from_bytes(data[:WORD_BYTES], "little")
    for name, value in fields.items():
        field = LAYOUTS[layout][name.replace("__", ".")]
        mask = ((1 << field.width) - 1) << field.lsb
        word = word & ~mask | value << field.lsb
    return word.to_bytes(WORD_BYTES, "little") + data[WORD_BYTES:]


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda t: t.name)
def test_a_legal_instruction_survives_the_round_trip(target):
    @given(instructions(target))
    @settings(max_examples=examples(300), deadline=None)
    def check(instruction):
        validate(instruction, target, 128)
        data = encode(instruction)
        assert len(data) == instruction.words * WORD_BYTES
        assert decode(data) == instruction

    check()


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda t: t.name)
def test_a_program_survives_the_round_trip(target):
    @given(programs(target, formats=frozenset(InstructionFormat), special=True))
    @settings(max_examples=examples(50), deadline=None)
    def check(program):
        decoded = decode_program(encode_program(program, target.platform.grf_bytes))
        assert decoded.grf_bytes == target.platform.grf_bytes
        assert list(decoded.instructions) == program

    check()


@given(st.sampled_from(TABLE), st.binary(min_size=2 * WORD_BYTES, max_size=2 * WORD_BYTES))
@settings(max_examples=examples(500), deadline=None)
def test_random_words_decode_to_what_they_encode_or_raise(spec, noise):
    word = int.from_bytes(noise[:WORD_BYTES], "little") & ~0xFF | spec.opcode
    data = word.to_bytes(WORD_BYTES, "little") + noise[WORD_BYTES:]
    try:
        instruction = decode(data)
    except DecodeError:
        return
    assert encode(instruction) == data[: instruction.words * WORD_BYTES]


@given(instructions(PVC), st.integers(0, 8 * WORD_BYTES - 1))
@settings(max_examples=examples(500), deadline=None)
def test_a_flipped_bit_decodes_to_what_it_encodes_or_raises(instruction, bit):
    """Decoding is one to one: no bit is ignored."""
    data = bytearray(encode(instruction))
    data[bit // 8] ^= 1 << bit % 8
    data += bytes(WORD_BYTES)
    try:
        other = decode(bytes(data))
    except DecodeError:
        return
    assert other != instruction
    assert encode(other) == data[: other.words * WORD_BYTES]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_fields_of_a_layout_do_not_overlap(layout):
    bits = [bit for field in LAYOUTS[layout].values() for bit in range(field.lsb, field.lsb + field.width)]
    assert len(bits) == len(set(bits))
    assert max(bits) < 8 * WORD_BYTES


def test_opcodes_tell_all_rows_apart():
    assert len(BY_OPCODE) == len(BY_MNEMONIC) == len(TABLE)


@pytest.mark.parametrize(
    ("line", "layout"),
    [
        ("mov (16|M0) r1:d r2:d", "alu1"),
        ("mov (16|M0) r1:d 5:d", "alu1-immediate"),
        ("add (16|M0) r1:d r2:d r3:d", "alu2"),
        ("add (16|M0) r1:d r2:d 5:d", "alu2-immediate"),
        ("mad (16|M0) r1:d r2:d r3:d r4:d", "alu3"),
        ("mad (16|M0) r1:d r2:d r3:d 5:d", "alu3-immediate"),
        ("math.inv (16|M0) r1:f r2:f", "function"),
        ("math.inv (16|M0) r1:f 5:f", "function-immediate"),
        ("bfn.0x96 (16|M0) r1:ud r2:ud r3:ud r4:ud", "table"),
        ("bfn.0x96 (16|M0) r1:ud r2:ud r3:ud 5:ud", "table-immediate"),
        ("addc (16|M0) r1:ud r2:ud r3:ud r4:ud", "carry"),
        ("dpas.8x8 (16|M0) r8:f r8:f r16:bf r24:bf", "dpas"),
        ("load.ugm.d32.a64 (16|M0) r8 flat[r4]", "message"),
        ("jmpi (1|M0) +0", "branch"),
        ("nop", "plain"),
    ],
)
def test_every_reserved_bit_must_be_zero(line, layout):
    instruction = one(line)
    word = int.from_bytes(encode(instruction), "little")
    claimed = sum(((1 << field.width) - 1) << field.lsb for field in LAYOUTS[layout].values())
    reserved = [bit for bit in range(8 * WORD_BYTES) if not claimed >> bit & 1]
    assert reserved
    for bit in reserved:
        with pytest.raises(DecodeError, match="reserved bits are set"):
            decode((word | 1 << bit).to_bytes(WORD_BYTES, "little"))


MOV = one("mov (16|M0) r1:d r2:d")
CMP = one("cmp (16|M0) (lt)f0.0 null:d r1:d r2:d")
ADD = one("add (16|M0) r1:d r2:d r3:d")
FLAG = one("mov (1|M0) r1:ud f0.0:ud")
INVERSE = one("math.inv (16|M0) r1:f r2:f")
ADDC = one("addc (16|M0) r1:ud r2:ud r3:ud r4:ud")
THIRD = one("mad (16|M0) r1:d r2:d r3:d 5:d")
CONSTANT = one("mov (16|M0) r1:ub 5:ub")
WIDE = one("mov (16|M0) r1:q 5:q")
DPAS = one("dpas.8x8 (16|M0) r8:f null:f r16:bf r24:bf")
LOAD = one("load.ugm.d32.a64 (16|M0) r8 flat[r4]")
STORE = one("store.ugm.d32.a64 (16|M0) flat[r4] r8")
BLOCK = one("load_block2d.ugm.d32.a64 (1|M0) r8 flat[r4] 8x8x1")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (word_with(MOV, "alu1", opcode=0xFF), "unknown opcode 0xff"),
        (word_with(LOAD, "message", function=0x3D), "unknown opcode 0x31 function 0x3d"),
        (word_with(MOV, "alu1", exec_size=6), "exec_size has no value 6"),
        (word_with(CMP, "alu2", condition=7), "condition has no value 7"),
        (word_with(MOV, "alu1", flag=1), "a flag is named but not used"),
        (word_with(MOV, "alu1", inverted=1), "an inversion without a predicate"),
        (word_with(CMP, "alu2", inverted=1), "an inversion without a predicate"),
        (word_with(DPAS, "dpas", predicate=1), "dpas: takes no predicate"),
        (word_with(DPAS, "dpas", condition=1), "dpas: takes no condition modifier"),
        (word_with(CMP, "alu2", saturate=1), "cmp: takes no saturation"),
        (word_with(MOV, "alu1", dst__stride=0), "destination stride 0"),
        (word_with(MOV, "alu1", dst__type=10), "dst.type has no value 10"),
        (word_with(MOV, "alu1", dst__file=1), "dst.register is no known architecture register: 0x1"),
        (word_with(MOV, "alu1", src0__type=31), "src0.type has no value 31"),
        (word_with(MOV, "alu1", src0__vertical=7), "only an indirect region has an address for each row"),
        (word_with(MOV, "alu1", src0__width=5), "src0.width has no value 5"),
        (word_with(ADD, "alu2", src0__kind=2), "src0 cannot be an immediate"),
        (word_with(INVERSE, "function", function=0), "unknown opcode 0x38"),
        (word_with(INVERSE, "function", function=8), "unknown opcode 0x38 function 0x08"),
        (word_with(ADDC, "carry", src1__kind=2), "addc takes no immediates"),
        (word_with(FLAG, "alu1", src0__register=0x33, src0__byte=4), "src0.byte is outside of f3: 4"),
        (word_with(FLAG, "alu1", src0__register=0x90), "src0.register is no known architecture register: 0x90"),
        (word_with(FLAG, "alu1", src0__register=0), "src0 cannot be null"),
        (word_with(FLAG, "alu1", dst__file=3), "dst.file has no value 3"),
        (word_with(THIRD, "alu3-immediate", src2__type=13), "a 64-bit immediate does not fit"),
        (word_with(CONSTANT, "alu1-immediate", src0__immediate=256), "immediate 0x100 is wider than ub"),
        (word_with(WIDE, "alu1-immediate", src0__immediate=1), "is in the following word, but this one has bits of it"),
        (encode(WIDE)[:WORD_BYTES], "the word of the 64-bit immediate is missing"),
        (encode(WIDE)[:24] + b"\1" + bytes(7), "or has reserved bits set"),
        (word_with(DPAS, "dpas", src0__register=1), "a null src0 names a register"),
        (word_with(LOAD, "message", dst__null=1), "a null dst names a register"),
        (word_with(LOAD, "message", dst__null=1, dst__register=0), "load: needs a register to return to"),
        (word_with(STORE, "message", data__null=1, data__register=0), "store: needs data"),
        (word_with(LOAD, "message", data__null=0), "load: takes no data"),
        (word_with(LOAD, "message", unit=0), "unit has no value 0"),
        (word_with(LOAD, "message", data_size=7), "data_size has no value 7"),
        (word_with(LOAD, "message", address_size=0), "address_size has no value 0"),
        (word_with(LOAD, "message", model=1), "model has no value 1"),
        (word_with(LOAD, "message", block__width=1), "a block shape is given but not marked present"),
        (word_with(LOAD, "message", block__present=1), "a block shape belongs to block-2D messages"),
        (word_with(BLOCK, "message", vector=1), "a block-2D message has vector size 1"),
        (word_with(BLOCK, "message", block__count=3), "block.count has no value 3"),
        (bytes(8), "8 bytes are left, an instruction takes 16"),
    ],
)
def test_a_bad_word_is_refused_with_the_reason(data, reason):
    with pytest.raises(DecodeError) as caught:
        decode(bytes(WORD_BYTES) + data, WORD_BYTES)
    assert reason in str(caught.value)
    assert caught.value.offset == WORD_BYTES
    assert str(caught.value).startswith("illegal instruction at offset 0x10: ")


@pytest.mark.parametrize(
    ("instruction", "changes", "reason"),
    [
        (MOV, {"exec_size": 3}, "execution size 3 is not one of"),
        (MOV, {"channel_offset": 2}, "channel offset 2 is not one of"),
        (MOV, {"destination": Destination(grf(256), DataType.D)}, "dst.register = 256 does not fit 8 bits"),
        (MOV, {"destination": Destination(grf(1, 64), DataType.D)}, "dst.byte = 64 does not fit 6 bits"),
        (MOV, {"destination": Destination(grf(1), DataType.D, 8)}, "destination stride 8 is not one of"),
        (MOV, {"sources": (SourceRegister(grf(1), DataType.D, Region(64, 1, 0)),)}, "vertical stride 64 is not one of"),
        (MOV, {"sources": (SourceRegister(grf(1), DataType.D, Region(1, 32, 0)),)}, "width 32 is not one of"),
        (MOV, {"sources": (SourceRegister(grf(1), DataType.D, Region(1, 4, 3)),)}, "horizontal stride 3 is not one of"),
        (MOV, {"sources": (Immediate(DataType.W, 0x10000),)}, "immediate 0x10000 is wider than w"),
        (one("jmpi (1|M0) +0"), {"target": 1 << 31}, "branch distance 2147483648 does not fit 32 bits"),
        (
            one("mad (16|M0) r1:q r2:q r3:q r4:q"),
            {"sources": (*one("mad (16|M0) r1:q r2:q r3:q r4:q").sources[:2], Immediate(DataType.Q, 1))},
            "a 64-bit immediate does not fit a three-source instruction",
        ),
    ],
)
def test_what_has_no_place_in_a_word_is_refused(instruction, changes, reason):
    with pytest.raises(EncodeError) as caught:
        encode(dataclasses.replace(instruction, **changes))
    assert reason in str(caught.value)


def test_encoding_refuses_what_has_the_wrong_form():
    with pytest.raises(IllegalInstruction, match="takes no saturation"):
        encode(dataclasses.replace(CMP, saturate=True))


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("(W&~f1.1) add (16|M16) (sat)r10.3<2>:d r11:d 0x7ffffff0:d", "40e416a2 c004090b 00010600 f0ffff7f"),
        ("mad (16|M0) r1:f r2:f r3<0>:f -r4:f", "5b040010 009c3802 00710600 e0100005"),
        ("dpas.8x8 (16|M0) r32:f null:f r22:bf r14.16:bf", "59040080 00270070 2c80e700 be030000"),
        ("(W) load_block2d.ugm.d16v.a64.ca.ca (1|M0) r20 flat[r4] 16x16x2", "314000fc 10c84141 10000000 3e2f0000"),
    ],
)
def test_the_binary_format_is_stable(line, word):
    """A failure here means a new format: it needs a new version number in the header."""
    assert encode(one(line)).hex(" ", 4) == word


def test_zeros_decode_to_illegal():
    assert decode(bytes(WORD_BYTES)) == Instruction(BY_MNEMONIC["illegal"])


HEADER = encode_header(64)


@pytest.mark.parametrize(
    ("code", "offset", "reason"),
    [
        (b"", 0, "no XeVISA header"),
        (b"\x7fELF" + bytes(12), 0, "no XeVISA header"),
        (HEADER[:12], 0, "the header word is cut short"),
        (HEADER[:8] + b"\1" + HEADER[9:], 0, "version 1.0, this decoder knows 2.0"),
        (HEADER[:10] + b"\1" + HEADER[11:], 0, "version 2.1, this decoder knows 2.0"),
        (encode_header(48), 0, "header names registers of 48 bytes"),
        (HEADER[:15] + b"\1", 0, "reserved bytes"),
        (HEADER + bytes(8), 16, "8 bytes are left"),
        (HEADER + encode(one("nop")) + b"\xff" * 16, 32, "unknown opcode 0xff"),
        (encode_program([dataclasses.replace(one("jmpi (1|M0) +0"), target=16)], 64), 16, "branch to 0x20"),
        (encode_program([WIDE, dataclasses.replace(one("jmpi (1|M0) +0"), target=-16)], 64), 48, "branch to 0x20"),
        (encode_program([dataclasses.replace(one("jmpi (1|M0) +0"), target=-16)], 64), 16, "branch to 0x0"),
    ],
)
def test_broken_code_is_refused_with_offset_and_reason(code, offset, reason):
    with pytest.raises(DecodeError) as caught:
        decode_program(code)
    assert caught.value.offset == offset
    assert reason in caught.value.reason


def test_branch_targets_are_instructions():
    program = decode_program(encode_program(assemble_program("a: mov (1|M0) r1:q 5:q\njmpi (1|M0) a").instructions, 64))
    assert program.offsets == (16, 48)
    assert program.branch_target(1) == 0
    assert [program.index_of(offset) for offset in (16, 32, 48, 64)] == [0, None, 1, None]


def test_equal_words_are_one_instruction_unless_more_words_follow():
    """What a second word holds is no part of the first: two constants of 64 bits may differ in it alone."""
    lines = ["add (16|M0) r10:f r12:f r14:f", "(W) mov (1|M0) r10:q 1:q", "(W) mov (1|M0) r10:q 2:q"]
    code = encode_program([one(line) for line in [*lines, *reversed(lines)]], PVC.platform.grf_bytes)
    found = decode_program(code).instructions
    assert list(found) == [one(line) for line in [*lines, *reversed(lines)]]
    assert found[0] is found[-1]


def test_operands_that_were_read_before_are_those_of_their_bits():
    """The same operand in another place, of another kind of region, or of an instruction with other rules."""
    lines = [
        "add (16|M0) r10:f r12.2<0;1,0>:f r14:f",
        "add (16|M0) r12:f r14:f r12.2<0;1,0>:f",
        "mad (16|M0) r10:f r12.2<0;1,0>:f r14:f r12:f",
        "bfn.0x96 (16|M0) r10:ud r12:ud r14:ud r12:ud",
        "mov (16|M0) r10:f r12.2<0;1,0>:f",
        "dpas.8x8 (16|M0) r24:f null:f r8:bf r4:bf",
        "dpas.8x8 (16|M0) r24:f r24:f r8:bf r4:bf",
        "load.ugm.d32x64t.a64 (1|M0) r10:4 flat[r1+0x40]:1",
        "load.ugm.d32x64t.a64 (1|M0) r14:4 flat[r12+0x40]:1",
        "(f0.1) sel (16|M0) r10:f r12:f r14:f",
        "sel (16|M0) (lt)r10:f r12:f r14:f",
    ]
    for _ in range(2):
        for line in (*lines, *reversed(lines)):
            assert decode(encode(one(line))) == one(line)


def test_a_bad_word_is_refused_again():
    """Only what is legal is kept of words that were read before."""
    line = one("add (16|M0) r10:f r12:f r14:f")
    for _ in range(2):
        assert decode(encode(line)) == line
        for field, reason in (("src1__type", "src1.type has no value 31"), ("condition", "condition has no value 15")):
            value = 31 if field == "src1__type" else 15
            with pytest.raises(DecodeError, match=reason):
                decode(word_with(line, "alu2", **{field: value}))
