"""The instruction table: every format, primitive and instruction of the virtual Xe ISA is declared here, once.

The encoder, the assembler, the disassembler, both engines, the `xe` dialect and `docs/isa.md` are driven by these rows.
`semantics` is a formula over `src0`, `src1`, `src2` in the language of `xegpu.isa.model.semantics`; it is evaluated in
the computation type of the instruction for every enabled channel. Opcodes are those of the native instruction set where
it has the instruction; opcodes from 0x80 on are vISA instructions that hardware emulates.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from xegpu.isa.model.flow import (
    CALL,
    END,
    FAULT,
    GOTO,
    INDIRECT_CALL,
    JOIN,
    JUMP,
    REPEAT,
    RETURN,
    SEQUENTIAL,
    ControlFlow,
)
from xegpu.isa.model.types import DataType
from xegpu.on_demand import dataclass
from xegpu.targets import Feature


class InstructionFormat(Enum):
    """Shape of an instruction: decides its operands and its encoding (`xegpu.isa.formats`)."""

    ALU = "alu"
    DPAS = "dpas"
    MESSAGE = "message"
    IMAGE = "image"
    FENCE = "fence"
    BARRIER = "barrier"
    GOTO = "goto"
    JOIN = "join"
    CALL = "call"
    INDIRECT_CALL = "calla"
    RETURN = "return"
    BRANCH = "branch"
    PLAIN = "plain"

    __hash__ = object.__hash__
    """Enum's own hashes the name, in Python: whatever is done with an instruction looks its format up."""


class Modifiers(Enum):
    """The source modifiers that an instruction takes."""

    NONE = "none"
    ARITHMETIC = "arithmetic"
    LOGIC = "logic"


class MemoryAccessKind(Enum):
    """The kind of access of a message to memory."""

    LOAD = "load"
    STORE = "store"
    PREFETCH = "prefetch"
    ATOMIC = "atomic"


class Condition(Enum):
    """Condition codes: (name, code)."""

    EQ = ("eq", 1)
    NE = ("ne", 2)
    GT = ("gt", 3)
    GE = ("ge", 4)
    LT = ("lt", 5)
    LE = ("le", 6)
    UN = ("un", 9)

    def __init__(self, text: str, code: int):
        self.text = text
        self.code = code


class Extra(Enum):
    """A further operand of an ALU instruction, besides its destination and its sources."""

    NONE = ""
    FUNCTION = "function"
    """A number that distinguishes it from others with the same opcode."""
    TABLE = "table"
    """A truth table of eight bits."""
    CARRY = "carry"
    """A second destination."""


MESSAGE_OPCODE = 0x31
"""The opcode of all messages, which `OpSpec.function` distinguishes."""

SAMPLER_OPCODE = 0x90
"""The opcode of messages to the sampler, whose function numbers are also those of other messages."""

MATH_OPCODE = 0x38
"""The opcode of the math functions, which `OpSpec.function` distinguishes."""

GOTO_OPCODE = 0x2E
"""The opcode of both directions, which `OpSpec.function` distinguishes."""

_INT32 = (DataType.UB, DataType.B, DataType.UW, DataType.W, DataType.UD, DataType.D)
_INT = (*_INT32, DataType.UQ, DataType.Q)
_FLOAT = (DataType.HF, DataType.BF, DataType.F, DataType.DF)
_REAL = (DataType.HF, DataType.F, DataType.DF)
_SMALL_REAL = (DataType.HF, DataType.F)
_DWORDS = (DataType.UD, DataType.D)
_WORDS = (DataType.UW, DataType.W, *_DWORDS)
_PACKED = (DataType.V, DataType.UV, DataType.VF)
_UNSIGNED = (DataType.UW, DataType.UD, DataType.UQ)
_SIGNED = (DataType.W, DataType.D, DataType.Q)


@dataclass(frozen=True)
class OpSpec:
    """One row of the table.

    `sources` counts the sources of ALU instructions, and the data operands of messages.
    `function` distinguishes instructions that share an opcode. `types` are those that sources may have, all of them
    the same one with `same_types`. `predicate`, `condition` and `saturate` say which of the three the instruction may
    carry; a condition modifier that `selects` decides about the result and writes no flag. `carry` is the formula of
    the second destination. Barriers `signals`, `waits`, or both. Image messages may need a `sampler` beside the surface.
    Generations without the `feature` do not have the instruction.
    """

    mnemonic: str
    opcode: int
    format: InstructionFormat
    summary: str
    sources: int = 0
    semantics: str = ""
    types: tuple[DataType, ...] = ()
    function: int = 0
    modifiers: Modifiers = Modifiers.NONE
    predicate: bool = True
    condition: bool = False
    saturate: bool = False
    access: MemoryAccessKind | None = None
    block2d: bool = False
    extra: Extra = Extra.NONE
    same_types: bool = False
    selects: bool = False
    carry: str = ""
    signals: bool = False
    waits: bool = False
    sampler: bool = False
    feature: Feature | None = None
    flow: ControlFlow = SEQUENTIAL

    @property
    def computes(self) -> bool:
        """Returns whether the destination gets the value of the row's formula."""
        return self.format is InstructionFormat.ALU

    @property
    def is_matrix_product(self) -> bool:
        """Returns whether the matrix engine executes the instruction."""
        return self.format is InstructionFormat.DPAS

    @property
    def synchronizes(self) -> bool:
        """Returns whether the instruction signals a barrier or waits for one."""
        return self.signals or self.waits

    @property
    def writes(self) -> bool:
        """Returns whether a message changes memory."""
        return self.access is MemoryAccessKind.STORE or (
            self.access is MemoryAccessKind.ATOMIC and self.semantics != "old"
        )

    def atomic_type(self, memory_bytes: int) -> DataType:
        """Returns the type that an atomic on elements of that size works in; raises `KeyError` if it has none."""
        return {type.size: type for type in self.types}[memory_bytes]


def _alu(
    mnemonic: str,
    opcode: int,
    semantics: str,
    sources: int,
    types: tuple[DataType, ...],
    summary: str,
    *,
    modifiers: Modifiers = Modifiers.ARITHMETIC,
    predicate: bool = True,
    condition: bool = True,
    saturate: bool = True,
    selects: bool = False,
) -> OpSpec:
    return OpSpec(
        mnemonic,
        opcode,
        InstructionFormat.ALU,
        summary,
        sources,
        semantics,
        types,
        modifiers=modifiers,
        predicate=predicate,
        condition=condition,
        saturate=saturate,
        selects=selects,
    )


def _logic(mnemonic: str, opcode: int, semantics: str, sources: int, summary: str) -> OpSpec:
    return _alu(mnemonic, opcode, semantics, sources, _INT, summary, modifiers=Modifiers.LOGIC, saturate=False)


def _bits(
    mnemonic: str,
    opcode: int,
    sources: int,
    types: tuple[DataType, ...],
    summary: str,
    *,
    condition: bool = False,
    saturate: bool = False,
    extra: Extra = Extra.NONE,
    same_types: bool = True,
    carry: str = "",
    semantics: str = "",
) -> OpSpec:
    """Returns the row of an instruction on bits: sources of one type, no modifiers, a primitive unless it has `semantics`."""
    return OpSpec(
        mnemonic,
        opcode,
        InstructionFormat.ALU,
        summary,
        sources,
        semantics or f"{mnemonic}({', '.join(f'src{index}' for index in range(sources))})",
        types,
        condition=condition,
        saturate=saturate,
        extra=extra,
        same_types=same_types,
        carry=carry,
    )


def _math(name: str, function: int, semantics: str, summary: str) -> OpSpec:
    return OpSpec(
        f"math.{name}",
        MATH_OPCODE,
        InstructionFormat.ALU,
        summary,
        1,
        semantics,
        _SMALL_REAL,
        function,
        Modifiers.ARITHMETIC,
        saturate=True,
        extra=Extra.FUNCTION,
    )


def _visa(
    mnemonic: str,
    opcode: int,
    semantics: str,
    sources: int,
    types: tuple[DataType, ...],
    summary: str,
    *,
    saturate: bool = False,
    same_types: bool = False,
) -> OpSpec:
    spec = _alu(mnemonic, opcode, semantics, sources, types, summary, condition=False, saturate=saturate)
    return replace(spec, same_types=same_types)


def _message(mnemonic: str, function: int, access: MemoryAccessKind, summary: str, *, block2d: bool = False) -> OpSpec:
    return OpSpec(
        mnemonic,
        MESSAGE_OPCODE,
        InstructionFormat.MESSAGE,
        summary,
        int(access is MemoryAccessKind.STORE),
        function=function,
        access=access,
        block2d=block2d,
        feature=Feature.BLOCK_2D if block2d else None,
    )


def _image(
    mnemonic: str,
    function: int,
    summary: str,
    *,
    opcode: int = SAMPLER_OPCODE,
    access: MemoryAccessKind = MemoryAccessKind.LOAD,
    sampler: bool = False,
) -> OpSpec:
    sources = int(access is MemoryAccessKind.STORE)
    return OpSpec(
        mnemonic,
        opcode,
        InstructionFormat.IMAGE,
        summary,
        sources,
        function=function,
        access=access,
        sampler=sampler,
        feature=Feature.IMAGES,
    )


def _atomic(
    name: str, function: int, semantics: str, sources: int, summary: str, types: tuple[DataType, ...] = _UNSIGNED
) -> OpSpec:
    """Returns the row of an atomic; `semantics` is the new value of memory, from its `old` value and the data operands."""
    return OpSpec(
        f"atomic_{name}",
        MESSAGE_OPCODE,
        InstructionFormat.MESSAGE,
        summary,
        sources,
        semantics,
        types,
        function,
        access=MemoryAccessKind.ATOMIC,
    )


PRIMITIVES: dict[str, tuple[int, str]] = {
    "add": (2, "a + b"),
    "sub": (2, "a - b"),
    "mul": (2, "a * b; low bits for integers"),
    "mad": (3, "a * b + c; one rounding for floats"),
    "and": (2, "bitwise and"),
    "or": (2, "bitwise or"),
    "xor": (2, "bitwise exclusive or"),
    "not": (1, "bitwise complement"),
    "shl": (2, "a shifted left by b modulo the width"),
    "lshr": (2, "a shifted right by b modulo the width, zeros enter"),
    "ashr": (2, "a shifted right by b modulo the width, the sign enters"),
    "rol": (2, "a rotated to the left by b modulo the width"),
    "ror": (2, "a rotated to the right by b modulo the width"),
    "lzd": (1, "number of leading zeros"),
    "fbh": (1, "number of leading bits that equal the sign (0 if unsigned); all ones if all do"),
    "fbl": (1, "number of the lowest 1; all ones if there is none"),
    "cbit": (1, "number of ones"),
    "bfrev": (1, "bits in reverse order"),
    "bfe": (3, "`a mod 32` bits of c from bit `b mod 32` on, extended by zeros or (signed) by the highest of them"),
    "bfn": (3, "bit i is bit `ai + 2 * bi + 4 * ci` of the instruction's table"),
    "dot4": (2, "sum of the products of the four bytes of the low dwords; bytes are signed if their source is"),
    "avg": (2, "(a + b + 1) / 2, exact before the division, toward minus infinity"),
    "carry": (2, "1 if a + b does not fit the width, else 0"),
    "borrow": (2, "1 if a < b, else 0"),
    "mulh": (2, "upper half of the double-width product"),
    "div": (2, "quotient; integers: toward zero, all ones for b = 0, the minimum for minimum / -1"),
    "rem": (2, "remainder with the sign of a; a for b = 0, zero for minimum / -1"),
    "sqrt": (1, "square root; NaN for a < 0"),
    "rsqrt": (1, "1 / sqrt(a)"),
    "log2": (1, "logarithm to base 2; minus infinity for zeros, NaN for a < 0"),
    "exp2": (1, "2 to the power of a"),
    "sin": (1, "sine of a; NaN for infinities"),
    "cos": (1, "cosine of a; NaN for infinities"),
    "pow": (2, "a to the power of b, special values as IEEE 754 has them"),
    "frc": (1, "a - floor(a), at most the largest number below 1; +0 for infinities"),
    "floor": (1, "largest integral value not above a"),
    "ceil": (1, "smallest integral value not below a"),
    "trunc": (1, "integral value of a toward zero"),
    "roundeven": (1, "nearest integral value, ties to even"),
    "min": (2, "a if a < b else b; the other operand for a NaN"),
    "max": (2, "a if a >= b else b; the other operand for a NaN"),
    "select": (3, "b where the predicate a holds, else c"),
    "compare": (2, "the instruction's condition between a and b; a NaN only satisfies ne and un"),
    "comparen": (2, "as compare; true if b is a NaN"),
}
"""Name to number of arguments and meaning; `a`, `b`, `c` are the arguments in order."""

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
        selects=True,
    ),
    _alu("csel", 0x72, "select(compare(src2, 0), src0, src1)", 3, (*_WORDS, *_SMALL_REAL), "Chooses by its condition between src2 and zero.", predicate=False, selects=True),
    _alu(
        "cmp",
        0x70,
        "compare(src0, src1)",
        2,
        (*_INT, *_FLOAT),
        "Writes the condition to the flag, and all ones or zeros to the destination.",
        saturate=False,
    ),
    _alu("cmpn", 0x71, "comparen(src0, src1)", 2, (*_INT, *_FLOAT), "As cmp; a NaN in src1 satisfies every condition.", saturate=False),
    # Logic, shifts and bits.
    _logic("not", 0x64, "~src0", 1, "Bitwise complement."),
    _logic("and", 0x65, "src0 & src1", 2, "Bitwise and."),
    _logic("or", 0x66, "src0 | src1", 2, "Bitwise or."),
    _logic("xor", 0x67, "src0 ^ src1", 2, "Bitwise exclusive or."),
    _alu("shr", 0x68, "lshr(src0, src1)", 2, _INT, "Logical right shift; the count is taken modulo the width."),
    _alu("shl", 0x69, "shl(src0, src1)", 2, _INT, "Left shift; the count is taken modulo the width."),
    _alu("asr", 0x6C, "ashr(src0, src1)", 2, _INT, "Arithmetic right shift; the count is taken modulo the width."),
    _bits("rol", 0x6F, 2, (DataType.UW, DataType.UD, DataType.UQ), "Rotation to the left; the count is taken modulo the width.", condition=True),
    _bits("ror", 0x6E, 2, (DataType.UW, DataType.UD, DataType.UQ), "Rotation to the right; the count is taken modulo the width.", condition=True),
    _bits("bfn", 0x6B, 3, (DataType.UW, DataType.UD), "Any boolean function of three sources, given by its truth table.", condition=True, extra=Extra.TABLE),
    _alu("lzd", 0x4A, "lzd(src0)", 1, (DataType.UD,), "Number of leading zeros, 32 for zero.", saturate=False),
    _bits("fbh", 0x4B, 1, _DWORDS, "Distance from the top of the highest 1; of signed numbers, number of leading bits that equal the sign. All ones if there is none."),
    _bits("fbl", 0x4C, 1, (DataType.UD,), "Number of the lowest 1, all ones for zero."),
    _bits("cbit", 0x4D, 1, (DataType.UB, DataType.UW, DataType.UD), "Number of ones."),
    _bits("bfrev", 0x77, 1, (DataType.UD,), "Bits in reverse order."),
    _bits("bfe", 0x78, 3, _DWORDS, "Extracts src0 bits from bit src1 of src2 on; signed fields are sign-extended."),
    _bits("bfi1", 0x79, 2, _DWORDS, "Mask of src0 ones from bit src1 on.", semantics="shl(shl(1, src0) - 1, src1)"),
    _bits("bfi2", 0x7A, 3, _DWORDS, "Inserts src1 into src2 where the mask src0 has ones, from its lowest 1 on.", semantics="shl(src1, fbl(src0)) & src0 | src2 & ~src0"),
    # Arithmetic.
    _alu("add", 0x40, "src0 + src1", 2, (*_INT, *_FLOAT), "Sum; subtraction is a negated source."),
    _alu("add3", 0x52, "src0 + src1 + src2", 3, _WORDS, "Sum of three."),
    _bits("addc", 0x4E, 2, (DataType.UD,), "Sum, and its carry (0 or 1) in the second destination.", condition=True, extra=Extra.CARRY, semantics="src0 + src1", carry="carry(src0, src1)"),
    _bits("subb", 0x4F, 2, (DataType.UD,), "Difference, and its borrow (0 or 1) in the second destination.", condition=True, extra=Extra.CARRY, semantics="src0 - src1", carry="borrow(src0, src1)"),
    _alu("avg", 0x42, "avg(src0, src1)", 2, _INT, "Mean, rounded up."),
    _alu("mul", 0x41, "src0 * src1", 2, (*_INT, *_FLOAT), "Product; the low bits for integers."),
    _alu("mad", 0x5B, "mad(src0, src1, src2)", 3, (*_INT, *_FLOAT), "src0 * src1 + src2, fused for floats (vISA operand order)."),
    _bits("dp4a", 0x58, 3, _DWORDS, "src0 plus the products of the four bytes of src1 with those of src2; bytes are signed as their source is.", condition=True, saturate=True, same_types=False, semantics="src0 + dot4(src1, src2)"),
    _alu("frc", 0x43, "frc(src0)", 1, _REAL, "Distance from the integral value below: from 0 to less than 1."),
    _alu("rndd", 0x45, "floor(src0)", 1, _FLOAT, "Rounds to an integral value toward minus infinity."),
    _alu("rndu", 0x44, "ceil(src0)", 1, _FLOAT, "Rounds to an integral value toward plus infinity."),
    _alu("rndz", 0x47, "trunc(src0)", 1, _FLOAT, "Rounds to an integral value toward zero."),
    _alu("rnde", 0x46, "roundeven(src0)", 1, _FLOAT, "Rounds to the nearest integral value, ties to even."),
    _math("inv", 1, "div(1, src0)", "Reciprocal, correctly rounded."),
    _math("log", 2, "log2(src0)", "Logarithm to base 2."),
    _math("exp", 3, "exp2(src0)", "2 to the power of src0."),
    _math("sqt", 4, "sqrt(src0)", "Square root, correctly rounded."),
    _math("rsqt", 5, "rsqrt(src0)", "Reciprocal of the square root."),
    _math("sin", 6, "sin(src0)", "Sine of an angle in radians."),
    _math("cos", 7, "cos(src0)", "Cosine of an angle in radians."),
    # vISA instructions that hardware emulates.
    _visa("div", 0x80, "div(src0, src1)", 2, (*_INT, DataType.HF, DataType.F, DataType.DF), "Quotient, toward zero for integers (all ones for a zero divisor), rounded to nearest even for floats."),
    _visa("mod", 0x81, "rem(src0, src1)", 2, _INT, "Remainder with the sign of src0; src0 itself for a zero divisor."),
    _visa("mulh", 0x82, "mulh(src0, src1)", 2, (*_DWORDS, DataType.UQ, DataType.Q), "Upper half of the product of double width.", same_types=True),
    _visa("sqrtm", 0x83, "sqrt(src0)", 1, _REAL, "Square root, correctly rounded.", saturate=True),
    _visa("pow", 0x84, "pow(src0, src1)", 2, _SMALL_REAL, "src0 to the power of src1.", saturate=True),
    _visa("lrp", 0x85, "mad(src0, src1, (1 - src0) * src2)", 3, (DataType.F,), "Linear interpolation; each step rounds.", saturate=True),
    # The matrix engine.
    OpSpec("dpas", 0x59, InstructionFormat.DPAS, "Systolic matrix product: dst = src0 + A x B, src1 is B, src2 is A.", 3, predicate=False, feature=Feature.DPAS),
    # Messages.
    _message("load", 0x00, MemoryAccessKind.LOAD, "Gather of `vector` elements per channel, or one block (`t`)."),
    _message("store", 0x04, MemoryAccessKind.STORE, "Scatter of `vector` elements per channel, or one block (`t`)."),
    _message("prefetch", 0x3F, MemoryAccessKind.PREFETCH, "Brings the data that `load` would read to the caches."),
    _message("load_block2d", 0x03, MemoryAccessKind.LOAD, "Loads blocks of a 2-D surface; outside elements are zero.", block2d=True),
    _message("store_block2d", 0x07, MemoryAccessKind.STORE, "Stores a block to a 2-D surface; outside elements are dropped.", block2d=True),
    _message("prefetch_block2d", 0x3E, MemoryAccessKind.PREFETCH, "Brings blocks of a 2-D surface to the caches.", block2d=True),
    _atomic("iinc", 0x08, "old + 1", 0, "Increment, wrapping around."),
    _atomic("idec", 0x09, "old - 1", 0, "Decrement, wrapping around."),
    _atomic("load", 0x0A, "old", 0, "Atomic load."),
    _atomic("store", 0x0B, "src0", 1, "Exchange."),
    _atomic("iadd", 0x0C, "old + src0", 1, "Sum."),
    _atomic("isub", 0x0D, "old - src0", 1, "Difference."),
    _atomic("smin", 0x0E, "min(old, src0)", 1, "Signed minimum.", _SIGNED),
    _atomic("smax", 0x0F, "max(old, src0)", 1, "Signed maximum.", _SIGNED),
    _atomic("umin", 0x10, "min(old, src0)", 1, "Unsigned minimum."),
    _atomic("umax", 0x11, "max(old, src0)", 1, "Unsigned maximum."),
    _atomic("icas", 0x12, "src1 if old = src0, else old", 2, "Compares bits and exchanges."),
    _atomic("fadd", 0x13, "old + src0", 1, "Sum of floats.", _REAL),
    _atomic("fsub", 0x14, "old - src0", 1, "Difference of floats.", _REAL),
    _atomic("fmin", 0x15, "min(old, src0)", 1, "Minimum of floats.", _REAL),
    _atomic("fmax", 0x16, "max(old, src0)", 1, "Maximum of floats.", _REAL),
    _atomic("fcas", 0x17, "src1 if old = src0, else old", 2, "Compares floats and exchanges; -0 equals +0, a NaN nothing.", _REAL),
    _atomic("and", 0x18, "and(old, src0)", 1, "Bitwise and."),
    _atomic("or", 0x19, "or(old, src0)", 1, "Bitwise or."),
    _atomic("xor", 0x1A, "xor(old, src0)", 1, "Bitwise exclusive or."),
    OpSpec("fence", MESSAGE_OPCODE, InstructionFormat.FENCE, "Waits until earlier accesses to the unit's memory are visible.", function=0x1F),
    _image("load_quad", 0x02, "Reads a texel of an image for each channel, at integer coordinates.", opcode=MESSAGE_OPCODE),
    _image("store_quad", 0x06, "Writes a texel of an image for each channel, at integer coordinates.", opcode=MESSAGE_OPCODE, access=MemoryAccessKind.STORE),
    _image("ld", 0x07, "Reads a texel for each channel through the sampler's cache, at integer coordinates."),
    _image("sample_lz", 0x18, "Samples an image for each channel, as a sampler says.", sampler=True),
    _image("sample_l", 0x02, "Samples an image for each channel, with a level of detail.", sampler=True),
    OpSpec("barrier", 0x88, InstructionFormat.BARRIER, "Signals the barrier of the whole group and waits for it.", predicate=False, signals=True, waits=True),
    OpSpec("sbarrier.signal", 0x89, InstructionFormat.BARRIER, "Signals the barrier of the whole group.", predicate=False, signals=True),
    OpSpec("sbarrier.wait", 0x8A, InstructionFormat.BARRIER, "Waits for the barrier of the whole group.", predicate=False, waits=True),
    OpSpec("nbarrier.signal", 0x8B, InstructionFormat.BARRIER, "Signals a named barrier.", 1, predicate=False, signals=True),
    OpSpec("nbarrier.wait", 0x8C, InstructionFormat.BARRIER, "Waits for a named barrier.", 1, predicate=False, waits=True),
    # Control.
    OpSpec("jmpi", 0x20, InstructionFormat.BRANCH, "Uniform jump; with a predicate, if the flag bit of channel 0 is set.", flow=JUMP),
    OpSpec("goto", GOTO_OPCODE, InstructionFormat.GOTO, "Parks the channels whose predicate holds at a join further down.", flow=GOTO),
    OpSpec("goto.b", GOTO_OPCODE, InstructionFormat.GOTO, "Repeats a loop with the channels whose predicate holds, and parks the others at the join after it.", function=1, flow=REPEAT),
    OpSpec("join", 0x2F, InstructionFormat.JOIN, "Switches the channels on that are parked here.", predicate=False, flow=JOIN),
    OpSpec("call", 0x2C, InstructionFormat.CALL, "Calls a subroutine, and keeps the return address and the execution mask in a register.", flow=CALL),
    OpSpec("calla", 0x2B, InstructionFormat.INDIRECT_CALL, "Calls the subroutine whose offset is in a register.", flow=INDIRECT_CALL),
    OpSpec("ret", 0x2D, InstructionFormat.RETURN, "Returns to the instruction after the call.", flow=RETURN),
    OpSpec("eot", 0x30, InstructionFormat.PLAIN, "Ends the thread.", predicate=False, flow=END),
    OpSpec("nop", 0x60, InstructionFormat.PLAIN, "Does nothing.", predicate=False),
    OpSpec("illegal", 0x00, InstructionFormat.PLAIN, "Faults; padding after the code decodes to it.", predicate=False, flow=FAULT),
)  # fmt: skip

BY_MNEMONIC = {spec.mnemonic: spec for spec in TABLE}
BY_OPCODE = {(spec.opcode, spec.function): spec for spec in TABLE}
