"""Every rule of validation: the smallest program that breaks it, and its nearest legal neighbour."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest

from xegpu.isa import (
    AssemblyError,
    DataType,
    IllegalInstruction,
    Instruction,
    SourceRegister,
    assemble_program,
    validate,
)
from xegpu.isa.formats import check_dpas_types
from xegpu.isa.model.operands import Region, Register, RegisterFile, grf
from xegpu.targets import ARC, PVC, TARGETS, Target


def one(line: str, target: Target = PVC) -> Instruction:
    return assemble_program(line, grf_bytes=target.platform.grf_bytes).instructions[0]


RULES = """
mov (4|M4) r1:d r2:d
    mov (8|M4) r1:d r2:d ! channel offset 4 does not go with execution size 8
mov (1|M28) r1:d r2:d
    mov (32|M4) r1:d r2:d ! channel offset 4 does not go with execution size 32
(f0.1) mov (16|M0) r1:d r2:d
    (f0.1) mov (16|M16) r1:d r2:d ! channels 16 to 31 leave flag f0.1
(f0.0) mov (32|M0) r1:d r2:d
    (f0.1) mov (32|M0) r1:d r2:d ! channels 0 to 31 leave flag f0.1
jmpi (1|M0) +0
    jmpi (2|M0) +0 ! execution size 2, expected 1

// Operands.
mov (16|M0) r127:d r2:d
    mov (16|M0) r128:d r2:d ! 64 bytes from byte 0 of r128 leave the 128 registers of 64
mov (32|M0) r126:d r2:d
    mov (32|M0) r127:d r2:d ! 128 bytes from byte 0 of r127 leave
mov (16|M0) r126<2>:d r2:d
    mov (16|M0) r127<2>:d r2:d ! 124 bytes from byte 0 of r127 leave
mov (16|M0) r1:d r127:d
    mov (16|M0) r1:d r127.1:d ! 64 bytes from byte 4 of r127 leave
mov (16|M0) r1:d r127<0;1,0>:d
    mov (16|M0) r1:d r127<2>:d ! 124 bytes from byte 0 of r127 leave
mov (1|M0) r1.4:d r2:d
    mov (1|M0) r1.2b:d r2:d ! byte 2 of r1 is not aligned to 4
mov (1|M0) r1:q r2.8b:q
    mov (1|M0) r1:q r2.4b:q ! byte 4 of r2 is not aligned to 8
mov (8|M0) r1:d r2<8;8,1>:d
    mov (4|M0) r1:d r2<8;8,1>:d ! region width 8 exceeds execution size 4
mov (8|M0) r1:d r2<2;2,1>:d
    mov (8|M0) r1:d r2<2;1,1>:d ! rows of width 1 have horizontal stride 0
not (8|M0) r1:d ~r2:d
    not (8|M0) r1:d (abs)r2:d ! logic takes no absolute value
mov (8|M0) r1:d 5:v
    mov (8|M0) r1:d r2:v ! v is a type of immediates only
mov (8|M0) r1:w 5:uv
    add (8|M0) r1:w r1:w 5:uv ! source type uv is not allowed
mov (8|M0) r1:w 5:w
    mov (8|M0) r1:v 5:w ! destination type v is not allowed

// Flags.
cmp (8|M0) (eq)f0.0 null:d r1:d r2:d
    cmp (8|M0) null:d r1:d r2:d ! needs a condition modifier
sel (8|M0) (ge) r1:d r1:d r2:d
    sel (8|M0) (gt) r1:d r1:d r2:d ! takes lt (minimum) or ge (maximum)
(f0.0) sel (8|M0) r1:d r1:d r2:d
    sel (8|M0) r1:d r1:d r2:d ! takes either a predicate or a condition
sel (8|M0) (lt) r1:d r1:d r2:d
    (f0.0) sel (8|M0) (lt) r1:d r1:d r2:d ! takes either a predicate or a

// Types.
add (8|M0) r1:f r2:f r3:hf
    add (8|M0) r1:f r2:f r3:d ! mixes integer and float sources: f, d
    add (8|M0) r1:f r2:f r3:df ! cannot mix float types f, df
add (8|M0) r1:df r2:df r3:df
    add (8|M0) r1:f r2:df r3:df ! computes in df, cannot write f
add (8|M0) r1:bf r2:f r3:hf
    add (8|M0) r1:df r2:f r3:hf ! computes in f, cannot write df
add (8|M0) r1:b r2:d r3:uw
    add (8|M0) r1:f r2:d r3:uw ! computes in d, cannot write f: convert with mov
cmp (8|M0) (lt)f0.0 r1:d r2:q r3:d
    cmp (8|M0) (lt)f0.0 r1:d r2:q r3:uq ! would need more than 64 bits
add (8|M0) (sat)r1:d r2:d r3:d
    add (8|M0) (sat)r1:q r2:q r3:d ! would need more than 64 bits
mov (8|M0) r1:tf32 r2:f
    mov (8|M0) r1:tf32 r2:hf ! tf32 converts only from and to f
mov (8|M0) r1:f r2:tf32
    mov (8|M0) r1:d r2:tf32 ! tf32 converts only from and to f
mulh (8|M0) r1:d r2:d r3:d
    mulh (8|M0) r1:d r2:d r3:ud ! sources of different types: d, ud
    mulh (8|M0) r1:d r2:w r3:d ! source type w is not allowed
div (8|M0) r1:f r2:hf r3:f
    div (8|M0) r1:f r2:bf r3:f ! source type bf is not allowed

// dpas.
dpas.8x8 (16|M0) r8:f r8:f r16:bf r24:bf
    dpas.8x8 (8|M0) r8:f r8:f r16:bf r24:bf ! execution size 8, pvc has 16
    dpas.8x8 (16|M16) r8:f r8:f r16:bf r24:bf ! execution size 16
dpas.8x2 (16|M0) r8.16:bf r8:f r16:bf r24:bf
    dpas.8x2 (16|M0) r8.8:bf r8:f r16:bf r24:bf ! byte 16 of r8 is not aligned to 32
dpas.8x1 (16|M0) r8:f r8:f r16:bf r24.16:bf
    dpas.8x1 (16|M0) r8:f r8:f r16.16:bf r24:bf ! byte 32 of r16 is not aligned to 64
    dpas.8x1 (16|M0) r8:f r8:f r16:bf r24.8:bf ! byte 16 of r24 is not aligned to 32
dpas.8x8 (16|M0) r120:f null:f r16:bf r24:bf
    dpas.8x8 (16|M0) r121:f null:f r16:bf r24:bf ! 512 bytes from byte 0 of r121
dpas.8x8 (16|M0) r8:f r8:f r120:bf r24:bf
    dpas.8x8 (16|M0) r8:f r8:f r121:bf r24:bf ! 512 bytes from byte 0 of r121
dpas.8x8 (16|M0) r8:f r8:f r8:bf r124:bf
    dpas.8x8 (16|M0) r8:f r8:f r8:bf r125:bf ! 256 bytes from byte 0 of r125
dpas.8x8 (16|M0) r8:d r8:ud r8:b r24:u2
    dpas.8x8 (16|M0) r8:d r8:ud r8:b r24:w ! no matrix product of w (A) and b (B)

// Messages.
load.ugm.d32x64t.a64 (1|M0) r8 flat[r4]
    load.ugm.d32x64t.a64 (8|M0) r8 flat[r4] ! a transposed message is SIMD1
load.ugm.d64x64t.a64 (1|M0) r8 flat[r4]
    load.ugm.d8u32x1t.a64 (1|M0) r8 flat[r4] ! with d32 or d64 elements
load.ugm.d32x8.a64 (16|M0) r8 flat[r4]
    load.ugm.d32x16.a64 (16|M0) r8 flat[r4] ! no gather of d32x16
load.ugm.d16u32.a64 (16|M0) r8 flat[r4]
    load.ugm.d16u32x2.a64 (16|M0) r8 flat[r4] ! no gather of d16u32x2
    load.ugm.d16.a64 (16|M0) r8 flat[r4] ! no gather of d16x1
load.ugm.d32x4.a64 (32|M0) r8 flat[r4]
    load.ugm.d32x8.a64 (32|M0) r8 flat[r4] ! 1024 bytes of data, a message carries up to 512
load.ugm.d32.a64 (16|M0) r127 flat[r4]
    load.ugm.d32.a64 (32|M0) r127 flat[r4] ! 128 bytes from byte 0 of r127
load.ugm.d32.a64 (16|M0) r8 flat[r126]
    load.ugm.d32.a64 (16|M0) r8 flat[r127] ! 128 bytes from byte 0 of r127
load.ugm.d32.a64 (16|M0) r8 flat[r4]
    load.ugm.d32v.a64 (16|M0) r8 flat[r4] ! only block-2D loads have the VNNI transform
load.slm.d32.a32 (16|M0) r8 flat[r4]
    load.gtwy.d32.a32 (16|M0) r8 flat[r4] ! gtwy holds no memory
    load.slm.d32.a64 (16|M0) r8 flat[r4] ! slm takes flat a32 addresses
    load.slm.d32.a32 (16|M0) r8 ss[r4] ! slm takes flat a32 addresses
    load.slm.d32.a32.uc.uc (16|M0) r8 flat[r4] ! slm has no cache controls
prefetch.ugm.d32.a64 (16|M0) flat[r4]
    prefetch.slm.d32.a32 (16|M0) flat[r4] ! is a message to ugm
load_block2d.ugm.d32.a64 (1|M0) r8 flat[r4] 8x8x1
    load_block2d.slm.d32.a32 (1|M0) r8 flat[r4] 8x8x1 ! is a message to ugm
    load_block2d.ugm.d32.a64 (2|M0) r8 flat[r4] 8x8x1 ! execution size 2
    load_block2d.ugm.d32.a32 (1|M0) r8 flat[r4] 8x8x1 ! takes a flat a64 payload
    load_block2d.ugm.d32.a64 (1|M0) r8 flat[r4+1] 8x8x1 ! without an immediate offset
load_block2d.ugm.d32.a64 (1|M0) r8 flat[r4] 16x8x1
    load_block2d.ugm.d32.a64 (1|M0) r8 flat[r4] 17x8x1 ! no block of 17x8x1 d32
load_block2d.ugm.d32.a64 (1|M0) r8 flat[r4] 8x8x2
    load_block2d.ugm.d32.a64 (1|M0) r8 flat[r4] 9x8x2 ! no block of 9x8x2 d32
load_block2d.ugm.d32.a64 (1|M0) r8 flat[r4] 8x8x1
    load_block2d.ugm.d8u32.a64 (1|M0) r8 flat[r4] 8x8x1 ! no block of 8x8x1 d8u32
load_block2d.ugm.d16.a64 (1|M0) r8 flat[r4] 6x8x1
    load_block2d.ugm.d16.a64 (1|M0) r8 flat[r4] 5x8x1 ! no block of 5x8x1 d16
csel (8|M0) (lt) r1:f r2:f r3:f r4:f
    csel (8|M0) r1:f r2:f r3:f r4:f ! csel: needs a condition modifier
cmpn (8|M0) (un)f0.0 null:d r2:f r3:f
    cmpn (8|M0) null:d r2:f r3:f ! cmpn: needs a condition modifier
    cmpn (8|M0) (un)f0.0 null:d r2:d r3:d ! un compares floats, not d
add (8|M0) (un)f0.0 r1:f r2:f r3:f
    add (8|M0) (un)f0.0 r1:d r2:d r3:d ! un compares floats, not d
rol (8|M0) r1:uw r2:uw r3:uw
    rol (8|M0) r1:uw r2:uw r3:ud ! sources of different types: ud, uw
    rol (8|M0) r1:uw r2:w r3:w ! source type w is not allowed
bfe (8|M0) r1:d r2:d r3:d r4:d
    bfe (8|M0) r1:d r2:d r3:d r4:ud ! sources of different types: d, ud
    bfe (8|M0) r1:d -r2:d r3:d r4:d ! takes no source modifiers
addc (8|M0) r1:ud r2:ud r3:ud r4:ud
    addc (32|M0) r1:ud r127:ud r3:ud r4:ud ! 128 bytes from byte 0 of r127 leave
math.sin (8|M0) r1:f r2:f
    math.sin (8|M0) r1:df r2:df ! type df is not allowed
mov (1|M0) f0.0:ud r2:ud
    mov (2|M0) f0.0:uw r2:uw ! f0 is one element for all channels
    mov (1|M0) f0.0:b r2:uw ! f0 holds uw, w, ud and d, not b
mov (16|M0) a0.0:uw r2:uw
    mov (16|M0) a0.1:uw r2:uw ! 32 bytes from byte 2 of a0, which has 32
    mov (1|M0) ce0.0:ud r2:ud ! ce0 cannot be written
    mov (1|M0) sr0.2:ud r2:ud ! sr0 cannot be written
mov (2|M0) r1:ud tm0.0<1;1,0>:ud
    mov (1|M0) tm0.0:ud r2:ud ! tm0 cannot be written
    mov (4|M0) r1:ud tm0.1<1;1,0>:ud ! 16 bytes from byte 4 of tm0, which has 16
    mov (1|M0) r1:uq tm0.0<0;1,0>:uq ! tm0 holds uw, w, ud and d, not uq
mov (8|M0) r1:ud ce0.0<0;1,0>:ud
    mov (8|M0) r1:ud ce0.0<1;1,0>:ud ! ce0 is one element for all channels
mov (16|M0) r1:d r[a0.0, 4]<1,0>:d
    mov (16|M0) r1:d r[a0.1, 4]<1,0>:d ! 16 rows from a0.1 on, a0 has 16 words
load_block2d.ugm.d16v.a64 (1|M0) r8 flat[r4] 16x32x2
    load_block2d.ugm.d16v.a64 (1|M0) r8 flat[r4] 16x31x2 ! no VNNI block of 16x31x2
load_block2d.ugm.d16v.a64 (1|M0) r8 flat[r4] 8x8x1
    load_block2d.ugm.d32v.a64 (1|M0) r8 flat[r4] 8x8x1 ! no VNNI block of 8x8x1 d32
load_block2d.ugm.d32t.a64 (1|M0) r8 flat[r4] 8x8x1
    load_block2d.ugm.d16t.a64 (1|M0) r8 flat[r4] 8x8x1 ! no transposed block of 8x8x1 d16
    load_block2d.ugm.d32tv.a64 (1|M0) r8 flat[r4] 8x8x1 ! no VNNI block of
load_block2d.ugm.d64t.a64 (1|M0) r8 flat[r4] 4x8x1
    load_block2d.ugm.d64t.a64 (1|M0) r8 flat[r4] 4x4x1 ! no transposed block of 4x4x1 d64
store_block2d.ugm.d32.a64 (1|M0) flat[r4] r8 16x8x1
    store_block2d.ugm.d32.a64 (1|M0) flat[r4] r8 16x9x1 ! no block of 16x9x1 d32
store_block2d.ugm.d32.a64 (1|M0) flat[r4] r8 8x8x1
    store_block2d.ugm.d32t.a64 (1|M0) flat[r4] r8 8x8x1 ! no transposed block
prefetch_block2d.ugm.d16.a64 (1|M0) flat[r4] 16x16x2
    prefetch_block2d.ugm.d16v.a64 (1|M0) flat[r4] 16x16x2 ! no VNNI block
"""
"""A legal instruction, and below it those that a small change makes illegal, each with what the error says."""


def pairs() -> Iterator[tuple[str, str, str]]:
    legal = ""
    for line in RULES.splitlines():
        if line.startswith("    "):
            illegal, message = line.split(" ! ")
            yield legal, illegal.strip(), message
        elif not line.startswith("//"):
            legal = line


@pytest.mark.parametrize(("legal", "illegal", "message"), list(pairs()))
def test_a_rule(legal, illegal, message):
    validate(one(legal), PVC, 128)
    with pytest.raises(IllegalInstruction) as caught:
        validate(one(illegal), PVC, 128)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("(f2.0) mov (8|M0) r1:d r2:d", "flag register f2, arc has f0 to f1"),
        ("mov (1|M0) r1:ud f2.0:ud", "flag register f2, arc has f0 to f1"),
        ("mov (8|M0) r1:df r2:f", "arc has no double precision"),
        ("mov (8|M0) r1:tf32 r2:f", "arc has no tf32"),
        ("dpas.8x8 (16|M0) r8:f r8:f r16:bf r24:bf", "execution size 16, arc has 8"),
        ("dpas.8x8 (8|M0) r8:bf r8:f r16:bf r24:bf", "arc has no matrix product of bf (A) and bf (B)"),
        ("dpas.8x8 (8|M0) r8:f r8:f r16:tf32 r24:tf32", "arc has no matrix product of tf32"),
        ("load_block2d.ugm.d32.a64 (1|M0) r8 flat[r4] 8x8x1", "arc has no block-2D messages"),
        ("mov (8|M0) r128:d r2:d", "32 bytes from byte 0 of r128 leave the 128 registers of 32 bytes"),
    ],
)
def test_what_arc_lacks(line, message):
    with pytest.raises(IllegalInstruction) as caught:
        validate(one(line, ARC), ARC, 128)
    assert message in str(caught.value)


def test_what_arc_has():
    for line in (
        "(f1.1) mov (8|M0) r1:q r2:d",
        "dpas.8x8 (8|M0) r8:f r8:f r16:hf r24:hf",
        "dpas.8x8 (8|M0) r8:d r8:d r16:u4 r24:s2",
        "mul (16|M0) r8:uq r16:ud r24:uq",
    ):
        validate(one(line, ARC), ARC, 128)


def test_the_register_count_is_the_kernels():
    last = one("mov (16|M0) r255:d r2:d")
    validate(last, PVC, 256)
    with pytest.raises(IllegalInstruction, match="leave the 128 registers"):
        validate(last, PVC, 128)


def test_a_register_has_no_bytes_beyond_its_size():
    instruction = one("mov (1|M0) r1:d r2:d")
    source = SourceRegister(grf(2, 32), DataType.D, Region(0, 1, 0))
    validate(dataclasses.replace(instruction, sources=(source,)), PVC, 128)
    with pytest.raises(IllegalInstruction, match="byte 32 of r2"):
        validate(dataclasses.replace(instruction, sources=(source,)), ARC, 128)


ADD = one("add (16|M0) r1:f r2:f r3:f")
DPAS = one("dpas.8x8 (16|M0) r8:f r8:f r16:bf r24:bf")
LOAD = one("load.ugm.d32.a64 (16|M0) r8 flat[r4]")
BLOCK = one("load_block2d.ugm.d32.a64 (1|M0) r8 flat[r4] 8x8x1")
ARF = Register(RegisterFile.ARF, 0x10)
STRIDED = SourceRegister(grf(8), DataType.F, Region(2, 1, 0))


@pytest.mark.parametrize(
    ("instruction", "changes", "message"),
    [
        (ADD, {"destination": None}, "needs a destination"),
        (ADD, {"sources": ADD.sources[:1]}, "takes 2 sources, got 1"),
        (ADD, {"address": grf(1)}, "has no address"),
        (ADD, {"repeat": 1}, "has no repeat"),
        (ADD, {"target": 16}, "has no target"),
        (
            ADD,
            {"destination": dataclasses.replace(ADD.destination, register=ARF)},
            "a0 holds uw, w, ud and d, not f",
        ),
        (DPAS, {"saturate": True}, "takes no saturation"),
        (DPAS, {"sources": (STRIDED, *DPAS.sources[1:])}, "takes no regions"),
        (DPAS, {"destination": dataclasses.replace(DPAS.destination, stride=2)}, "must be contiguous"),
        (DPAS, {"repeat": 9}, "repeat count 9, expected 1 to 8"),
        (DPAS, {"repeat": 0}, "repeat count 0, expected 1 to 8"),
        (LOAD, {"message": None}, "needs message fields and an address"),
        (LOAD, {"address": None}, "needs message fields and an address"),
        (LOAD, {"returned": None}, "needs a register to return to"),
        (LOAD, {"data": grf(1)}, "takes no data"),
        (LOAD, {"address": grf(4, 8)}, "whole general registers"),
        (LOAD, {"message": BLOCK.message}, "a block shape belongs to block-2D messages"),
        (BLOCK, {"message": LOAD.message}, "a block shape belongs to block-2D messages"),
    ],
)
def test_the_form_of_an_instruction(instruction, changes, message):
    """Fields that the text cannot even express."""
    with pytest.raises(IllegalInstruction) as caught:
        validate(dataclasses.replace(instruction, **changes), PVC, 128)
    assert message in str(caught.value)


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda t: t.name)
def test_matrix_products_by_target(target):
    """The legal types, counted: 2 x 2 x 6 x 6 of integers, then what each target adds."""
    legal = 0
    for d in DataType:
        for c in DataType:
            for b in DataType:
                for a in DataType:
                    try:
                        check_dpas_types(d, c, b, a, target)
                    except IllegalInstruction:
                        continue
                    legal += 1
    assert legal == 144 + {"pvc": 4 + 4 + 1, "arc": 1 + 1}[target.name]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("atomic_iadd.slm.d64.a32 (16|M0) r8 flat[r4] r10", "slm has no such atomic on d64"),
        ("atomic_fadd.slm.d32.a32 (16|M0) r8 flat[r4] r10", "slm has no such atomic on d32"),
        ("atomic_iadd.ugm.d8u32.a64 (16|M0) r8 flat[r4] r10", "ugm has no such atomic on d8u32"),
        ("atomic_iadd.ugm.d32x2.a64 (16|M0) r8 flat[r4] r10", "one element for each channel"),
        ("atomic_iadd.ugm.d32.a32 (16|M0) r8 ss[r4] r10", "one element for each channel, at flat addresses"),
        ("atomic_iadd.ugm.d32.a64.wt.wb (16|M0) r8 flat[r4] r10", "cache control wt.wb is not for this message"),
        ("prefetch.ugm.d32.a64.uc.uc (16|M0) flat[r4]", "cache control uc.uc is not for this message"),
        ("prefetch.ugm.d32.a64.ri.ca (16|M0) flat[r4]", "cache control ri.ca is not for this message"),
        ("load.slm.d32.a32.ca.ca (16|M0) r8 flat[r4]", "slm has no cache controls"),
        ("load.slm.d32.a64 (16|M0) r8 flat[r4]", "slm takes flat a32 addresses"),
        ("(W) fence.slm.evict.gpu (1|M0)", "slm is fenced by none.group only"),
        ("(W) fence.gtwy.none.group (1|M0)", "gtwy holds no memory"),
        ("nbarrier.wait 1:d", "source type d is not allowed"),
        ("nbarrier.wait -r4.0<0;1,0>:ud", "takes no source modifiers"),
        ("nbarrier.wait r4.0<1;1,0>:ud", "takes a scalar in a general register, or a constant"),
        ("nbarrier.wait a0.0<0;1,0>:uw", "takes a scalar in a general register, or a constant"),
        ("nbarrier.wait r200.0<0;1,0>:ud", "leave the 128 registers"),
        ("barrier (8|M0)", "execution size 8, expected 1"),
        ("(W) fence.ugm.none.group (2|M0)", "execution size 2, expected 1"),
    ],
)
def test_memory_that_no_target_has(line, message):
    with pytest.raises((IllegalInstruction, AssemblyError), match=message):
        validate(assemble_program(line).instructions[0], PVC, 128)


def test_arc_has_no_atomics_on_doubles():
    line = "atomic_fadd.ugm.d64.a64 (8|M0) r8 flat[r4] r10"
    validate(assemble_program(line).instructions[0], PVC, 128)
    with pytest.raises(IllegalInstruction, match="arc has no double precision"):
        validate(assemble_program(line, grf_bytes=32).instructions[0], ARC, 128)
