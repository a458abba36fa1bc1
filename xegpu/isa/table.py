"""The instruction table: every instruction of the virtual Xe ISA, once.

The encoder, the assembler, the disassembler, both engines, the `xe` dialect and `docs/isa.md` are driven by these rows.
`semantics` is a formula over `src0`, `src1`, `src2` in the language of `xegpu.isa.semantics`; it is evaluated in the
instruction's computation type for every enabled channel. Native opcode numbers are kept where a native form exists;
opcodes from 0x80 on are vISA instructions that hardware emulates.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from xegpu.isa.types import DataType


class Format(Enum):
    """Shape of an instruction: decides its operands and its encoding."""

    ALU = "alu"
    DPAS = "dpas"
    MESSAGE = "message"
    BRANCH = "branch"
    PLAIN = "plain"


class Modifiers(Enum):
    """Which source modifiers an instruction takes."""

    NONE = "none"
    ARITHMETIC = "arithmetic"
    LOGIC = "logic"


class Access(Enum):
    """What a message does to memory."""

    LOAD = "load"
    STORE = "store"
    PREFETCH = "prefetch"


MESSAGE_OPCODE = 0x31
"""Shared by all messages, which `OpSpec.function` tells apart."""

_INT32 = (DataType.UB, DataType.B, DataType.UW, DataType.W, DataType.UD, DataType.D)
_INT = (*_INT32, DataType.UQ, DataType.Q)
_FLOAT = (DataType.HF, DataType.BF, DataType.F, DataType.DF)
_PACKED = (DataType.V, DataType.UV)


@dataclass(frozen=True)
class OpSpec:
    """One row of the table.

    `function` tells instructions apart that share an opcode. `types` are those that sources may have. `predicate`,
    `condition` and `saturate` say which of the three the instruction may carry.
    """

    mnemonic: str
    opcode: int
    format: Format
    summary: str
    sources: int = 0
    semantics: str = ""
    types: tuple[DataType, ...] = ()
    function: int = 0
    modifiers: Modifiers = Modifiers.NONE
    predicate: bool = True
    condition: bool = False
    saturate: bool = False
    access: Access | None = None
    block2d: bool = False


def _alu(
    mnemonic: str,
    opcode: int,
    semantics: str,
    sources: int,
    types: tuple[DataType, ...],
    summary: str,
    *,
    function: int = 0,
    modifiers: Modifiers = Modifiers.ARITHMETIC,
    condition: bool = True,
    saturate: bool = True,
) -> OpSpec:
    return OpSpec(
        mnemonic,
        opcode,
        Format.ALU,
        summary,
        sources,
        semantics,
        types,
        function,
        modifiers,
        condition=condition,
        saturate=saturate,
    )


def _logic(mnemonic: str, opcode: int, semantics: str, sources: int, summary: str) -> OpSpec:
    return _alu(mnemonic, opcode, semantics, sources, _INT, summary, modifiers=Modifiers.LOGIC, saturate=False)


def _visa(
    mnemonic: str, opcode: int, semantics: str, sources: int, types: tuple[DataType, ...], summary: str
) -> OpSpec:
    return _alu(mnemonic, opcode, semantics, sources, types, summary, condition=False, saturate=False)


def _message(mnemonic: str, function: int, access: Access, summary: str, *, block2d: bool = False) -> OpSpec:
    return OpSpec(mnemonic, MESSAGE_OPCODE, Format.MESSAGE, summary, function=function, access=access, block2d=block2d)


TABLE: tuple[OpSpec, ...] = (
    # Moves, selection, comparison.
    _alu("mov", 0x61, "src0", 1, (*_INT, *_FLOAT, DataType.TF32, *_PACKED), "Copies or converts; equal types copy bits."),
    _alu(
        "sel",
        0x62,
        "select(predicate, src0, src1)",
        2,
        (*_INT, *_FLOAT),
        "With a predicate, chooses by it; with a condition, `lt` is the minimum and `ge` the maximum.",
    ),
    _alu(
        "cmp",
        0x70,
        "compare(src0, src1)",
        2,
        (*_INT, *_FLOAT),
        "Writes the condition to the flag, and all ones or zeros to the destination.",
        saturate=False,
    ),
    # Logic and shifts.
    _logic("not", 0x64, "~src0", 1, "Bitwise complement."),
    _logic("and", 0x65, "src0 & src1", 2, "Bitwise and."),
    _logic("or", 0x66, "src0 | src1", 2, "Bitwise or."),
    _logic("xor", 0x67, "src0 ^ src1", 2, "Bitwise exclusive or."),
    _alu("shr", 0x68, "lshr(src0, src1)", 2, _INT, "Logical right shift; the count is taken modulo the width."),
    _alu("shl", 0x69, "shl(src0, src1)", 2, _INT, "Left shift; the count is taken modulo the width."),
    _alu("asr", 0x6C, "ashr(src0, src1)", 2, _INT, "Arithmetic right shift; the count is taken modulo the width."),
    # Arithmetic.
    _alu("add", 0x40, "src0 + src1", 2, (*_INT, *_FLOAT), "Sum; subtraction is a negated source."),
    _alu("mul", 0x41, "src0 * src1", 2, (*_INT, *_FLOAT), "Product; the low bits for integers."),
    _alu("mad", 0x5B, "mad(src0, src1, src2)", 3, (*_INT, *_FLOAT), "src0 * src1 + src2, fused for floats (vISA operand order)."),
    _alu("rndd", 0x45, "floor(src0)", 1, _FLOAT, "Rounds to an integral value toward minus infinity."),
    _alu("rndu", 0x44, "ceil(src0)", 1, _FLOAT, "Rounds to an integral value toward plus infinity."),
    _alu("rndz", 0x47, "trunc(src0)", 1, _FLOAT, "Rounds to an integral value toward zero."),
    _alu("rnde", 0x46, "roundeven(src0)", 1, _FLOAT, "Rounds to the nearest integral value, ties to even."),
    # vISA instructions that hardware emulates.
    _visa("div", 0x80, "div(src0, src1)", 2, (*_INT, DataType.HF, DataType.F, DataType.DF), "Quotient, toward zero for integers (all ones for a zero divisor), rounded to nearest even for floats."),
    _visa("mod", 0x81, "rem(src0, src1)", 2, _INT, "Remainder with the sign of src0; src0 itself for a zero divisor."),
    _visa("mulh", 0x82, "mulh(src0, src1)", 2, (DataType.UD, DataType.D), "High 32 bits of the 64-bit product."),
    # The matrix engine.
    OpSpec("dpas", 0x59, Format.DPAS, "Systolic matrix product: dst = src0 + A x B, src1 is B, src2 is A.", 3, predicate=False),
    # Messages.
    _message("load", 0x00, Access.LOAD, "Gather of `vector` elements per lane, or one block (`t`)."),
    _message("store", 0x04, Access.STORE, "Scatter of `vector` elements per lane, or one block (`t`)."),
    _message("prefetch", 0x3F, Access.PREFETCH, "Brings what `load` would read to the caches."),
    _message("load_block2d", 0x03, Access.LOAD, "Loads blocks of a 2-D surface; outside elements are zero.", block2d=True),
    _message("store_block2d", 0x07, Access.STORE, "Stores a block to a 2-D surface; outside elements are dropped.", block2d=True),
    _message("prefetch_block2d", 0x3E, Access.PREFETCH, "Brings blocks of a 2-D surface to the caches.", block2d=True),
    # Control.
    OpSpec("jmpi", 0x20, Format.BRANCH, "Uniform jump; with a predicate, if the flag bit of channel 0 is set."),
    OpSpec("eot", 0x30, Format.PLAIN, "Ends the thread.", predicate=False),
    OpSpec("nop", 0x60, Format.PLAIN, "Does nothing.", predicate=False),
    OpSpec("illegal", 0x00, Format.PLAIN, "Faults; padding behind the code decodes to it.", predicate=False),
)  # fmt: skip

BY_MNEMONIC = {spec.mnemonic: spec for spec in TABLE}
BY_OPCODE = {(spec.opcode, spec.function): spec for spec in TABLE}


class Condition(Enum):
    """Condition codes: (name, code)."""

    EQ = ("eq", 1)
    NE = ("ne", 2)
    GT = ("gt", 3)
    GE = ("ge", 4)
    LT = ("lt", 5)
    LE = ("le", 6)

    def __init__(self, text: str, code: int):
        self.text = text
        self.code = code
