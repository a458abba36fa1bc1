"""Assembly text: what the disassembler writes the assembler reads back, and errors name their place."""

from __future__ import annotations

import contextlib
import textwrap

import pytest
from hypothesis import given, settings, strategies as st

from tests.amounts import examples
from tests.unit.xegpu.isa.programs import programs
from xegpu.isa import (
    AssemblyError,
    DataType,
    Immediate,
    InstructionFormat,
    assemble,
    assemble_program,
    decode,
    decode_program,
    disassemble,
    encode_program,
    format_instruction,
)
from xegpu.isa.formats import WORD_BYTES
from xegpu.isa.notation.writer import format_immediate
from xegpu.isa.text.assembler import MAX_ERRORS
from xegpu.targets import TARGETS

ALL_FORMATS = frozenset(InstructionFormat)
SAME_FLAG = "cmp: predicate and condition modifier must name the same flag"
NO_SHAPE = "expected a block shape such as 16x8x1, found "
VECTOR_1 = "load_block2d: a block-2D message has vector size 1"

CANONICAL = """\
(W) add (16|M0) r10.0<1>:f r12.0<1;1,0>:f r14.0<0;1,0>:f
(W) add (16|M16) (sat)r10.0<1>:f r12.0<1;1,0>:f -r14.0<0;1,0>:f
add (16|M0) (lt)f0.1 r10.0<1>:d r12.0<1;1,0>:d 5:d
(f0.1) sel (16|M0) r10.0<1>:d r12.0<1;1,0>:d r14.0<0;1,0>:d
sel (16|M0) (ge) r10.0<1>:f r12.0<1;1,0>:f 1.0:f
sel (1|M0) (lt) f1.1<1>:uw r12.0<0;1,0>:uw 0x1:uw
add (1|M0) (lt)f0.1 f1.0<1>:ud r12.0<0;1,0>:ud 0x1:ud
(~f2.0) cmp (16|M0) (lt)f2.0 null<1>:d r1.0<0;1,0>:d 5:d
mad (16|M0) r10.0<1>:f r12.0<1;1,0>:f -(abs)r14.0<1;1,0>:f r15.0<0;1,0>:f
not (16|M0) r1.0<1>:d ~r2.0<1;1,0>:d
and (4|M4) r1.3<4>:ub ~r2.5<8;4,1>:ub 0xf0:ub
mov (8|M0) r1.0<1>:w 0x76543210:v
mov (8|M0) r1.0<1>:f 0x70605040:vf
mov (8|M0) r1.0<1>:df 1.5:df
mov (8|M0) r1.0<1>:q -1250999896491:q
mov (1|M0) r1.7<1>:uq 0xfedcba9876543210:uq
mov (16|M0) r1.0<1>:f 0x7fc00001:f
mov (16|M0) r1.0<1>:f -inf:f
mov (16|M0) r1.0<1>:hf 0.1:hf
mov (16|M0) r1.0<1>:f -0.0:f
mov (16|M0) r1.0<1>:f 1e+10:f
dpas.8x8 (16|M0) r32.0:f null:f r22.0:bf r14.0:bf
dpas.8x3 (16|M0) r32.0:d r40.0:d r22.0:u4 r14.64:s4
(W) load.ugm.d32x16t.a64.ca.ca (1|M0) r20:1 flat[r4+0x40]:1
load.ugm.d32x1t.a64 (1|M0) r20:1 flat[r4]:1
(f0.0) load.ugm.d8u32.a64 (32|M0) r20:2 flat[r4-0x10]:4
store.ugm.d64x2.a32.wb.wb (16|M0) ss[r4]:1 r8:4
store.slm.d32.a32 (8|M24) flat[r4]:1 r8:1
prefetch.ugm.d32.a64.uc.ca (16|M0) flat[r4]:2
(W) load_block2d.ugm.d16v.a64 (1|M0) r20:16 flat[r4]:1 16x16x2
load_block2d.ugm.d32t.a64.ca.uc (1|M0) r20:8 flat[r4]:1 8x16x1
store_block2d.ugm.d32.a64 (1|M0) flat[r4]:1 r20:8 16x8x1
prefetch_block2d.ugm.d8.a64.ca.ca (1|M0) flat[r4]:1 64x32x1
(W&~f0.0) jmpi (1|M0) +16
(W) jmpi (1|M0) -32
(~f0.0) call (1|M4) r10.2 +16
(f0.1) calla (1|M0) r10.2 r4.1
(f0.1) ret (1|M0) r10.2
nop
eot"""
"""Each line is what the disassembler writes for some instruction."""


def assemble_one(line: str, grf_bytes: int = 64):
    """The one instruction of a line; branches keep their distance."""
    statement = f".grf {grf_bytes}\nnop\nnop\n{line}\nnop\nnop"
    return assemble_program(statement).instructions[2]


@pytest.mark.parametrize("line", CANONICAL.splitlines())
def test_an_instruction_is_written_as_it_is_read(line):
    assert format_instruction(assemble_one(line), grf_bytes=64) == line


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda t: t.name)
def test_assembling_the_disassembly_gives_the_same_code(target):
    @given(programs(target, formats=ALL_FORMATS, special=True), st.booleans())
    @settings(max_examples=examples(150), deadline=None)
    def check(program, offsets):
        code = encode_program(program, target.platform.grf_bytes)
        assert assemble(disassemble(code, offsets)) == code

    check()


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda t: t.name)
def test_whatever_decodes_can_be_written_and_read(target):
    """Also instructions that no target allows: one bit of a legal one is flipped."""

    @given(programs(target, formats=ALL_FORMATS - {InstructionFormat.BRANCH}, max_size=1), st.data())
    @settings(max_examples=examples(300), deadline=None)
    def check(program, data):
        word = bytearray(encode_program(program[:1], 64)[WORD_BYTES:])
        bit = data.draw(st.integers(0, 8 * WORD_BYTES - 1))
        word[bit // 8] ^= 1 << bit % 8
        _assert_text_keeps(bytes(word))

    check()


def _assert_text_keeps(data: bytes) -> None:
    try:
        instruction = decode(data)
    except ValueError:
        return
    if not instruction.distances:  # a single instruction has nowhere to go
        assert assemble_one(format_instruction(instruction, grf_bytes=64)) == instruction


def test_a_program_has_directives_labels_and_offsets():
    text = textwrap.dedent("""\
        .isa 2.0
        .grf 32
        L1:
            add (1|M0) r3.0<1>:q r3.0<0;1,0>:q 1:q
            (f0.0) jmpi (1|M0) L2
            jmpi (1|M0) L1
        L2:
            eot
        """)
    code = assemble(text)
    assert decode_program(code).grf_bytes == 32
    assert disassemble(code) == text
    offsets = [line.split()[1] for line in disassemble(code, offsets=True).splitlines() if line.startswith("/*")]
    assert offsets == ["000010", "000030", "000040", "000050"]


def test_white_space_comments_names_and_defaults_are_free():
    terse = assemble(
        "add (16|M0) r32.0<1>:f r32.0<1;1,0>:f r3.1<0;1,0>:f\nmov (1|M0) r32.0<1>:d r3.0<0;1,0>:d\nL: jmpi (1|M0) L"
    )
    free = assemble(
        """
        .isa 2.0  // version
        .reg acc = r32
        .reg n   = r3 /* two
                         lines */
        add ( 16 | M0 ) acc :f acc : f n.1 < 0 > :f\r
        mov(1|M0) acc:d n:d
        L:
           jmpi\t(1|M0) L
        """
    )
    assert free == terse


def test_the_default_register_size_can_be_given():
    assert decode_program(assemble("eot", grf_bytes=32)).grf_bytes == 32
    assert decode_program(assemble(".grf 64\neot", grf_bytes=32)).grf_bytes == 64


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("frob (16|M0) r1:f r2:f", 1, "unknown instruction 'frob'"),
        ("add r1:f r2:f r3:f", 5, "expected execution size and channel offset such as (16|M0), found 'r1'"),
        ("add (16|M0) r1:f r2:f", 22, "expected a register, found the end of the line"),
        ("add (16|M0) r1:f r2:f r3:f r4:f", 28, "unexpected 'r4'"),
        ("add (17|M0) r1:f r2:f r3:f", 1, "execution size 17 is not one of 1, 2, 4, 8, 16, 32"),
        ("add (16|M1) r1:f r2:f r3:f", 1, "channel offset 1 is not one of 0, 4, 8, 12, 16, 20, 24, 28"),
        ("add.x (16|M0) r1:f r2:f r3:f", 1, "add takes no '.x'"),
        ("add (16|M0) r1:g r2:f r3:f", 16, "unknown type 'g'"),
        ("add (16|M0) r1 r2:f r3:f", 16, "expected ':', found 'r2'"),
        ("add (16|M0) r256:f r2:f r3:f", 13, "no register r256: registers are r0 to r255"),
        ("add (16|M0) acc:f r2:f r3:f", 13, "unknown register 'acc'"),
        ("add (16|M0) r1.16:f r2:f r3:f", 13, "subregister outside of a register of 64 bytes"),
        ("add (16|M0) r1<3>:f r2:f r3:f", 1, "destination stride 3 is not one of 0, 1, 2, 4"),
        ("add (16|M0) r1:f r2<3;1,0>:f r3:f", 1, "vertical stride 3 is not one of 0, 1, 2, 4, 8, 16, 32"),
        ("add (16|M0) r1:f r2<1;0,0>:f r3:f", 21, "region width 0 is not one of 1, 2, 4, 8, 16"),
        ("add (16|M0) r1:f 1:f r3:f", 1, "add: src0 cannot be an immediate: only the last source can"),
        ("add (16|M0) r1:f r2:f ~r3:f", 23, "expected a register, found '~'"),
        ("add (16|M0) r1:f r2:f null:f", 23, "null is no source"),
        ("mad (16|M0) r1:d r2:d r3:d 65536:d", 1, "src2.immediate = 65536 does not fit 16 bits"),
        ("mad (16|M0) r1:d r2:d r3<8;8,1>:d r4:d", 1, "src1: a three-source instruction takes only linear regions"),
        ("mov (16|M0) r1:ub 256:ub", 19, "256 does not fit ub"),
        ("mov (16|M0) r1:ub -1:ub", 19, "-1 does not fit ub"),
        ("mov (16|M0) r1:b 0x100:b", 18, "0x100 does not fit b"),
        ("mov (16|M0) r1:d 1.5:d", 18, "1.5 is no integer, as d asks for"),
        ("mov (16|M0) r1:f 1.5:vf", 18, "expected the bits of a vf in hexadecimal, found 1.5"),
        ("mov (16|M0) r1:hf 65520:hf", 19, "65520 is too large for hf"),
        ("mov (16|M0) r1:f 1e999:f", 18, "1e999 is too large for f"),
        ("mov (16|M0) r1:d " + "9" * 129 + ":d", 18, "9" * 128 + "... is too long"),
        ("(f4.0) mov (16|M0) r1:d r2:d", 2, "no flag f4.0: flags are f0.0, f0.1 to f3.1"),
        ("(f0) mov (16|M0) r1:d r2:d", 2, "expected a flag such as f0.0, found 'f0'"),
        ("(W mov (16|M0) r1:d r2:d", 4, "expected ')', found 'mov'"),
        ("(f0.0) dpas.8x1 (16|M0) r1:f r2:f r3:bf r4:bf", 1, "dpas: takes no predicate"),
        ("(f0.0) cmp (16|M0) (lt)f0.1 r1:d r2:d r3:d", 1, SAME_FLAG),
        ("cmp (16|M0) (lt) r1:d r2:d r3:d", 1, "cmp: needs a flag for its condition modifier"),
        ("sel (16|M0) (lt)f0.0 r1:d r2:d r3:d", 1, "sel: writes no flag"),
        ("and (16|M0) (sat)r1:d r2:d r3:d", 1, "and: takes no saturation"),
        ("dpas.4x8 (16|M0) r1:f r2:f r3:bf r4:bf", 1, "expected depth and repeat count, .8x1 to .8x8"),
        ("dpas.8x9 (16|M0) r1:f r2:f r3:bf r4:bf", 1, "repeat = 8 does not fit 3 bits"),
        ("dpas.8x1 (16|M0) r1:f r2:f null:bf r4:bf", 1, "dpas: src1 cannot be null"),
        ("load.ugm.d32 (16|M0) r1 flat[r2]", 1, "expected unit, data and address size such as load.ugm.d32.a64"),
        ("load.ugm.d33.a64 (16|M0) r1 flat[r2]", 1, "no message '.ugm.d33.a64'"),
        ("load.ugm.d32x5.a64 (16|M0) r1 flat[r2]", 1, "vector size 5 is not one of 1, 2, 3, 4, 8, 16, 32, 64"),
        ("load.ugm.d32.a64.wb.wb (16|M0) r1 flat[r2]", 1, "no cache control 'wb.wb' for load"),
        ("load.ugm.d32.a64 (16|M0) r1 slm[r2]", 29, "unknown address model 'slm', expected one of flat, ss"),
        ("load.ugm.d32.a64 (16|M0) r1:2 flat[r2]", 29, "the message uses 1 registers here, not 2"),
        ("load.ugm.d32.a64 (16|M0) r1 flat[r2+0x80000]", 1, "immediate offset 524288 does not fit 20 bits"),
        ("load_block2d.ugm.d32.a64 (1|M0) r1 flat[r2]", 44, NO_SHAPE + "the end of the line"),
        ("load_block2d.ugm.d32.a64 (1|M0) r1 flat[r2] 0x8x1", 45, NO_SHAPE + "'0x8x1'"),
        ("load_block2d.ugm.d32.a64 (1|M0) r1 flat[r2] 65x8x1", 1, "block.width = 64 does not fit 6 bits"),
        ("load_block2d.ugm.d32x2.a64 (1|M0) r1 flat[r2] 8x8x1", 1, VECTOR_1),
        ("jmpi (1|M0) nowhere", 13, "undefined label 'nowhere'"),
        ("jmpi (1|M0) +8", 1, "the branch does not go to an instruction of the program"),
        ("jmpi (1|M0) end\nend:", 1, "the branch does not go to an instruction of the program"),
        ("mov (1|M0) r1:ud @nowhere:ud", 19, "undefined label 'nowhere'"),
        ("L: mov (1|M0) r1:uq @L:uq", 22, "the offset of 'L' is a ud"),
        ("L: add (1|M0) r1:ud @L:ud r2:ud", 4, "add: src0 cannot be an immediate: only the last source can"),
        ("eot.x", 1, "eot takes no '.x'"),
        ("L: L: eot", 4, "label 'L' is already defined"),
        (".isa 1.0", 6, "version 1.0, this assembler knows 2.0"),
        (".grf 48", 6, "no target has registers of 48 bytes: 32 or 64"),
        (".grf 64\n.grf 64", None, ".grf must come once, before the first instruction"),
        (".data 1", 1, "unknown directive '.data', expected .isa, .grf or .reg"),
        (".reg r1 = r2", 6, "'r1' is an operand and cannot be a name"),
        (".reg null = r2", 6, "'null' is an operand and cannot be a name"),
        (".reg a = r256", 10, "no register r256: registers are r0 to r255"),
        ("nop /* never closed", 5, "comment is not closed"),
        ("\0\x01", 1, "expected an instruction, found '\0'"),
        ("mov (16|M0) r1:d é", 18, "expected a register, found 'é'"),
    ],
)  # fmt: skip
def test_an_error_names_its_place(line, column, message):
    with pytest.raises(AssemblyError) as caught:
        assemble(line)
    error = caught.value
    assert (error.message, error.others) == (message, ())
    assert error.column == (1 if column is None else column)
    assert error.line == (2 if column is None else 1)
    assert str(error) == f"{error.line}:{error.column}: {message}"


def test_all_errors_of_a_text_are_reported_in_order_up_to_a_limit():
    with pytest.raises(AssemblyError) as caught:
        assemble("nop\nfrob\nnop\n  frobnicate (1|M0)\n.what")
    errors = [caught.value, *caught.value.others]
    assert [(e.line, e.column) for e in errors] == [(2, 1), (4, 3), (5, 1)]
    with pytest.raises(AssemblyError) as caught:
        assemble("frob\n" * 1000)
    assert len(caught.value.others) == MAX_ERRORS - 1
    with pytest.raises(AssemblyError) as caught:
        assemble("jmpi (1|M0) away\n" * 1000)
    assert len(caught.value.others) == MAX_ERRORS - 1


@given(st.text(alphabet="addmovr0123456789.<>;,:()|MWf~-/* \n[]xloadugm", max_size=80))
@settings(max_examples=examples(300), deadline=None)
def test_random_text_is_a_program_or_an_assembly_error(text):
    with contextlib.suppress(AssemblyError):
        assemble(text)


@given(programs(TARGETS["pvc"], formats=ALL_FORMATS, max_size=3), st.data())
@settings(max_examples=examples(200), deadline=None)
def test_damaged_text_is_a_program_or_an_assembly_error(program, data):
    text = disassemble(encode_program(program, 64))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 4)))
    damaged = text[:start] + data.draw(st.text(max_size=3)) + text[end:]
    with contextlib.suppress(AssemblyError):
        assemble(damaged)


def test_long_lines_and_unclosed_comments_take_linear_time():
    with pytest.raises(AssemblyError, match="unexpected"):
        assemble("nop " + "x" * 1_000_000)
    with pytest.raises(AssemblyError, match="is too long"):
        assemble("x" * 1_000_000)
    with pytest.raises(AssemblyError, match="comment is not closed"):
        assemble("/*" * 500_000)
    assert len(assemble("/**/" * 250_000 + "\n" * 250_000)) == WORD_BYTES


@pytest.mark.parametrize("type", [t for t in DataType if t.is_float and t is not DataType.VF], ids=lambda t: t.text)
def test_float_immediates_are_written_exactly(type):
    shift = 13 if type is DataType.TF32 else 0

    @given(st.integers(0, (1 << type.bits) - 1))
    @settings(max_examples=examples(200), deadline=None)
    def check(bits):
        immediate = Immediate(type, bits)
        assert assemble_one(f"mov (1|M0) r1:df {format_immediate(immediate)}").sources == (immediate,)

    check()
    assert format_immediate(Immediate.of(0.1, type)) == f"0.1:{type.text}"
    assert format_immediate(Immediate(type, Immediate.of(float("nan"), type).bits)).startswith("0x")
    assert shift == 0 or format_immediate(Immediate(type, 1)) == f"0x1:{type.text}"
