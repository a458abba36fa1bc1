"""The fields of native instruction words, by form of instruction.

The facts are those of the public sources of Intel's assembler; `iga64` shows them. A line of a table names a field, its
bits, where a generation has no others (`-`: none), and the values of other fields with which it exists. `<<` counts
zeros below the bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum

from xegpu.isa.native.layouts.bits import WordField, ranges


class NativeForm(Enum):
    """The shape of an instruction; the value names its table."""

    __hash__ = object.__hash__  # of identity: tables by form are asked for every instruction

    ILLEGAL = "illegal"
    NOP = "nop"
    SYNC = "sync"
    JUMP = "jump"
    """A branch with one distance."""
    BRANCH = "branch"
    """A branch with a distance to its target and one to the join behind it."""
    CALL = "call"
    SEND = "send"
    MATH = "math"
    ONE = "one"
    TWO = "two"
    THREE = "three"
    MADM = "madm"
    BFN = "bfn"
    DPAS = "dpas"


MACROS = (14, 15)
"""The numbers of the math functions that begin a division or a square root: their operands are in mme registers."""

_PLAIN_MATH = "function=1,2,3,4,5,6,7,11,12,13"

_NOP = """
opcode          6:0
scoreboard      17:8
compacted       29
breakpoint      30
"""
_HEADER = f"""
{_NOP}
exec_size       20:18
channel_offset  25:24
flag_half       21
flag            23:22
predicate       27:26
inverted        28
no_mask         31
atomic          32
"""
_RESULT = f"""
{_HEADER}
saturate        34
acc_write       -
"""
_DESTINATION = """
dst.type        39:36
dst.stride      49:48
dst.indirect    35
dst.file        50          dst.indirect=0
dst.reg         63:56       dst.indirect=0
dst.subreg      55:51,33    dst.indirect=0
dst.addr_reg    63:60       dst.indirect=1
dst.addr_offset 59:50,33    dst.indirect=1
"""
_SOURCE_0 = """
src0.immediate  46
src0.type       43:40
src0.indirect   80          src0.immediate=0
src0.modifier   45:44       src0.immediate=0
src0.file       66          src0.immediate=0 src0.indirect=0
src0.reg        79:72       src0.immediate=0 src0.indirect=0
src0.subreg     71:67,87    src0.immediate=0 src0.indirect=0
src0.addr_reg   79:76       src0.immediate=0 src0.indirect=1
src0.addr_offset 75:66,87   src0.immediate=0 src0.indirect=1
src0.hstride    65:64       src0.immediate=0
src0.width      83:81       src0.immediate=0
src0.vstride    86:84       src0.immediate=0
"""
_SOURCE_1 = """
src1.immediate  47
src1.type       91:88
src1.indirect   112         src1.immediate=0
src1.modifier   121:120     src1.immediate=0
src1.file       98          src1.immediate=0 src1.indirect=0
src1.reg        111:104     src1.immediate=0 src1.indirect=0
src1.subreg     103:99<<1   src1.immediate=0 src1.indirect=0
src1.addr_reg   111:108     src1.immediate=0 src1.indirect=1
src1.addr_offset 107:98<<1  src1.immediate=0 src1.indirect=1
src1.hstride    97:96       src1.immediate=0
src1.width      115:113     src1.immediate=0
src1.vstride    118:116     src1.immediate=0
"""
_ONE = f"""
{_RESULT}
{_DESTINATION}
{_SOURCE_0}
src0.imm        127:96      src0.immediate=1 src0.type=0,1,2,4,5,6,8,9,10,12,13,14,15
src0.imm        95:64,127:96 src0.immediate=1 src0.type=3,7,11
condition       95:92       src0.immediate=0
condition       95:92       src0.immediate=1 src0.type=0,1,2,4,5,6,8,9,10,12,13,14,15
"""
_TWO = f"""
{_RESULT}
condition       95:92
{_DESTINATION}
{_SOURCE_0}
{_SOURCE_1}
src1.imm        127:96      src1.immediate=1
"""
_TYPES_3 = """
float           39
dst.type        38:36
src0.type       42:40
src1.type       90:88
src2.type       82:80
src0.immediate  46
src2.immediate  47
"""
_SOURCE_FILES_3 = """
dst.file        50
dst.reg         63:56
src0.file       66          src0.immediate=0
src0.reg        79:72       src0.immediate=0
src0.imm        79:64       src0.immediate=1
src1.file       98
src1.reg        111:104
src2.file       114         src2.immediate=0
src2.reg        127:120     src2.immediate=0
src2.imm        127:112     src2.immediate=1
"""
_SUBREGISTERS_3 = """
dst.subreg      55:51<<1
src0.subreg     71:67<<1    src0.immediate=0
src1.subreg     103:99<<1
src2.subreg     119:115<<1  src2.immediate=0
"""
_MACRO_REGISTERS_3 = """
dst.mme         54:51
src0.mme        70:67
src1.mme        102:99
src2.mme        118:115
"""
_STRIDES_3 = """
dst.stride      48
src0.hstride    65:64       src0.immediate=0
src0.vstride    43,35       src0.immediate=0
src1.hstride    97:96
src1.vstride    91,83
src2.hstride    113:112     src2.immediate=0
"""
_MODIFIERS_3 = """
condition       95:92
src0.modifier   45:44       src0.immediate=0
src1.modifier   87:86
src2.modifier   85:84       src2.immediate=0
"""
_JUMP = f"""
{_HEADER}
back            33
src0.type       43:40
src0.immediate  46
src0.file       66          src0.immediate=0
src0.reg        79:72       src0.immediate=0
src0.subreg     71:67<<1    src0.immediate=0
jip             127:96      src0.immediate=1
"""

_TABLES: Mapping[NativeForm, str] = {
    NativeForm.ILLEGAL: "opcode 6:0",
    NativeForm.NOP: _NOP,
    NativeForm.SYNC: f"""
{_HEADER}
function        95:92
dst.stride      49:48
src0.immediate  46
src0.type       43:40
src0.file       66          src0.immediate=0
src0.reg        79:72       src0.immediate=0
src0.subreg     71:67,87    src0.immediate=0
src0.imm        127:96      src0.immediate=1
""",
    NativeForm.JUMP: _JUMP,
    NativeForm.BRANCH: f"""
{_JUMP}
src1.immediate  47
uip             95:64       src1.immediate=1
""",
    NativeForm.CALL: f"""
{_JUMP}
dst.file        50
dst.type        39:36
dst.reg         63:56
dst.subreg      55:51<<1
""",
    NativeForm.SEND: f"""
{_HEADER}
dst.file        50
dst.reg         63:56
src0.file       66
src0.reg        79:72
src1.file       98
src1.reg        111:104
unit            95:92
eot             34
serialize       -
desc.indirect   48
desc            123:122,71:67,55:51,121:113,91:81 desc.indirect=0
ex_desc.indirect 49
ex_desc         127:124,97:96,65:64,47:35<<11 ex_desc.indirect=0
ex_desc.subreg  42:40       ex_desc.indirect=1
ex_bso          39          ex_desc.indirect=1
src1.length     103:99      ex_desc.indirect=0
src1.length     103:99      ex_desc.indirect=1 ex_bso=1
""",
    NativeForm.MATH: f"""
{_RESULT}
function        95:92
dst.type        39:36
dst.stride      49:48
dst.indirect    35
dst.file        50          dst.indirect=0
dst.reg         63:56       dst.indirect=0
dst.subreg      55:51,33    dst.indirect=0 {_PLAIN_MATH}
dst.addr_reg    63:60       dst.indirect=1 {_PLAIN_MATH}
dst.addr_offset 59:50,33    dst.indirect=1 {_PLAIN_MATH}
dst.mme         54:51       function=14,15
src0.immediate  46
src0.type       43:40
src0.modifier   45:44       src0.immediate=0
src0.file       66          src0.immediate=0
src0.reg        79:72       src0.immediate=0
src0.subreg     71:67,87    src0.immediate=0 {_PLAIN_MATH}
src0.mme        70:67       src0.immediate=0 function=14,15
src0.hstride    65:64       src0.immediate=0
src0.width      83:81       src0.immediate=0
src0.vstride    86:84       src0.immediate=0
src0.imm        127:96      src0.immediate=1
src1.immediate  47          src0.immediate=0 function=11,12,13,14
src1.type       91:88       src0.immediate=0 function=11,12,13,14
src1.modifier   121:120     src0.immediate=0 function=11,12,13,14 src1.immediate=0
src1.file       98          src0.immediate=0 function=11,12,13,14 src1.immediate=0
src1.reg        111:104     src0.immediate=0 function=11,12,13,14 src1.immediate=0
src1.subreg     103:99<<1   src0.immediate=0 function=11,12,13 src1.immediate=0
src1.mme        102:99      src0.immediate=0 function=14 src1.immediate=0
src1.hstride    97:96       src0.immediate=0 function=11,12,13,14 src1.immediate=0
src1.width      115:113     src0.immediate=0 function=11,12,13,14 src1.immediate=0
src1.vstride    118:116     src0.immediate=0 function=11,12,13,14 src1.immediate=0
src1.imm        127:96      function=11,12,13,14 src1.immediate=1
""",
    NativeForm.ONE: _ONE,
    NativeForm.TWO: _TWO,
    NativeForm.THREE: f"{_RESULT}{_TYPES_3}{_SOURCE_FILES_3}{_SUBREGISTERS_3}{_STRIDES_3}{_MODIFIERS_3}",
    NativeForm.MADM: f"{_RESULT}{_TYPES_3}{_SOURCE_FILES_3}{_MACRO_REGISTERS_3}{_STRIDES_3}{_MODIFIERS_3}",
    NativeForm.BFN: f"""
{_RESULT}{_TYPES_3}{_SOURCE_FILES_3}{_SUBREGISTERS_3}{_STRIDES_3}
table           95:92,87:84
condition       45:44
""",
    NativeForm.DPAS: f"""
{_RESULT}{_TYPES_3}{_SOURCE_FILES_3}{_SUBREGISTERS_3}
repeat          35,45:43
depth           49:48
src1.precision  90:86
src2.precision  82:80,85:84
""",
}


def word_fields(own: str = "") -> Mapping[NativeForm, tuple[WordField, ...]]:
    """Returns the fields of each form for a generation.

    A line of `own` names a field, its bits in the tables above, and those that the generation has instead.
    """
    bits = {(name, given): instead for name, given, instead in map(str.split, filter(None, own.splitlines()))}
    return {form: tuple(_fields(table, bits)) for form, table in _TABLES.items()}


def _fields(table: str, own: Mapping[tuple[str, str], str]) -> Iterator[WordField]:
    for line in filter(None, map(str.strip, table.splitlines())):
        name, given, *conditions = line.split()
        bits = own.get((name, given), given)
        if bits != "-":
            pieces, _, zeros = bits.partition("<<")
            pairs = (condition.split("=") for condition in conditions)
            when = tuple((other, frozenset(map(int, values.split(",")))) for other, values in pairs)
            yield WordField(name, ranges(pieces), int(zeros or 0), when)
