"""The names of the numbers in fields of native words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from xegpu.isa.native.encoding.scoreboard import scoreboard_texts
from xegpu.isa.native.layouts.encoding import NativeEncoding
from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.isa.native.layouts.opcodes import NativeOpcode, Part

TYPES: Mapping[int, str] = {
    0: "ub",
    1: "uw",
    2: "ud",
    3: "uq",
    4: "b",
    5: "w",
    6: "d",
    7: "q",
    8: "bf8",
    9: "hf",
    10: "f",
    11: "df",
    13: "bf",
    14: "tf32",
}
PACKED_TYPES: Mapping[int, str] = {0: "uv", 4: "v", 8: "vf"}
"""The types of immediates that differ from those of registers."""

FLOAT_TYPES = 8
"""The number that is added to the types of three-source instructions if they are floats."""

PRECISIONS: Mapping[bool, Mapping[int, str]] = {
    False: {0: "ub", 1: "u4", 2: "u2", 16: "b", 17: "s4", 18: "s2"},
    True: {0: "bf8", 4: "hf", 12: "df", 20: "bf", 24: "tf32"},
}
"""The types of the factors of a matrix product, of integers and of floats."""

TYPE_BITS: Mapping[str, int] = {
    "ub": 8,
    "uw": 16,
    "ud": 32,
    "uq": 64,
    "b": 8,
    "w": 16,
    "d": 32,
    "q": 64,
    "bf8": 8,
    "hf": 16,
    "f": 32,
    "df": 64,
    "bf": 16,
    "tf32": 32,
    "uv": 32,
    "v": 32,
    "vf": 32,
    "u4": 4,
    "s4": 4,
    "u2": 2,
    "s2": 2,
}
CONDITIONS: Mapping[int, str] = {0: "", 1: "eq", 2: "ne", 3: "gt", 4: "ge", 5: "lt", 6: "le", 8: "ov", 9: "un"}
BFN_CONDITIONS: Mapping[int, str] = {0: "", 1: "eq", 2: "gt", 3: "lt"}
MODIFIERS: Mapping[int, str] = {0: "", 1: "(abs)", 2: "-", 3: "-(abs)"}
LOGIC_MODIFIERS: Mapping[int, str] = {0: "", 1: "(abs)", 2: "~", 3: "~(abs)"}
MATH_FUNCTIONS: Mapping[int, str] = {
    1: "inv",
    2: "log",
    3: "exp",
    4: "sqt",
    5: "rsqt",
    6: "sin",
    7: "cos",
    14: "invm",
    15: "rsqtm",
}
_UNITS = "null ugml smpl gtwy dc2 rc urb btd rta dcro dc0 pixi dc1 tgm slm ugm"
UNITS: Mapping[int, str] = dict(enumerate(_UNITS.split()))
STRIDES: Mapping[int, int] = {0: 0, 1: 1, 2: 2, 3: 4}
WIDTHS: Mapping[int, int] = {0: 1, 1: 2, 2: 4, 3: 8, 4: 16}
VERTICAL_STRIDES: Mapping[int, int] = {0: 0, 1: 1, 2: 2, 3: 4, 4: 8, 5: 16, 6: 32}
VERTICAL_STRIDES_3: Mapping[int, int] = {0: 0, 1: 1, 2: 4, 3: 8}
MACRO_REGISTERS: Mapping[int, str] = {**{number: f"mme{number}" for number in range(8)}, 8: "nomme"}
DEPTHS: Mapping[int, int] = {1: 2, 2: 4, 3: 8}
EXEC_SIZES: Mapping[int, int] = {0: 1, 1: 2, 2: 4, 3: 8, 4: 16, 5: 32}

ARCHITECTURE: Mapping[int, str] = {
    0x0: "null",
    0x1: "a",
    0x2: "acc",
    0x3: "f",
    0x4: "ce",
    0x5: "msg",
    0x7: "sr",
    0x8: "cr",
    0x9: "n",
    0xA: "ip",
    0xB: "tdr",
    0xC: "tm",
    0xD: "fc",
    0xF: "dbg",
}
"""The architecture registers by the high half of their number."""

UNNUMBERED = frozenset({"null", "ce", "ip"})
"""The architecture registers of which there is one, without a number in its name."""

UNTYPED = frozenset({"ce", "ip", "fc", "msg"})
"""The architecture registers whose parts are counted in the same unit whatever the type."""


def functions(encoding: NativeEncoding, form: NativeForm) -> Mapping[int, str]:
    """Returns the names of what the `function` field of a form chooses."""
    return encoding.sync_functions if form is NativeForm.SYNC else MATH_FUNCTIONS


def conditions(form: NativeForm) -> Mapping[int, str]:
    """Returns the names of conditions."""
    return BFN_CONDITIONS if form is NativeForm.BFN else CONDITIONS


def modifiers(opcode: NativeOpcode) -> Mapping[int, str]:
    """Returns the names of what stands in front of a source."""
    return LOGIC_MODIFIERS if opcode.complements else MODIFIERS


def operand_type(fields: Mapping[str, int], form: NativeForm, operand: str) -> str | None:
    """Returns the type of an operand; None if its number stands for none."""
    is_float = bool(fields.get("float", 0))
    if form is NativeForm.DPAS and operand in ("src1", "src2"):
        return PRECISIONS[is_float].get(fields.get(f"{operand}.precision", 0))
    code = fields.get(f"{operand}.type", 0) + FLOAT_TYPES * is_float
    is_packed = fields.get(f"{operand}.immediate", 0) and form in (NativeForm.ONE, NativeForm.TWO, NativeForm.MATH)
    return (PACKED_TYPES.get(code) if is_packed else None) or TYPES.get(code)


_OPERAND_FIELDS = tuple(
    (operand, f"{operand}.type", f"{operand}.file", f"{operand}.reg") for operand in ("dst", "src0", "src1", "src2")
)
"""Operands, and the names of their fields."""


@cache
def _known(encoding: NativeEncoding, opcode: NativeOpcode) -> Mapping[str, frozenset[int]]:
    """Returns the numbers that mean something, by field."""
    form = opcode.form
    is_ternary = encoding.has_field(form, "float")
    vertical = VERTICAL_STRIDES_3 if is_ternary else {**VERTICAL_STRIDES, encoding.indirect_rows: 0}
    named: dict[str, Mapping[int, object]] = {
        "exec_size": EXEC_SIZES,
        "predicate": {0: "", **encoding.predicates},
        "scoreboard": scoreboard_texts(encoding, form),
        "depth": DEPTHS,
    }
    if Part.CONDITION in opcode.parts:
        named["condition"] = conditions(form)
    if form in (NativeForm.SYNC, NativeForm.MATH):
        named["function"] = functions(encoding, form)
    for operand in ("dst", "src0", "src1", "src2"):
        named |= {f"{operand}.mme": MACRO_REGISTERS, f"{operand}.width": WIDTHS, f"{operand}.vstride": vertical}
    own = {field.name for field in encoding.fields[form]}
    return {name: frozenset(codes) for name, codes in named.items() if name in own}


def meaningless(encoding: NativeEncoding, opcode: NativeOpcode, fields: Mapping[str, int]) -> str | None:
    """Returns the name of a field whose number stands for nothing, if there is one."""
    for name, codes in _known(encoding, opcode).items():
        value = fields.get(name)
        if value is not None and value not in codes:
            return name
    for operand, name, file, register in _OPERAND_FIELDS:
        if name in fields and opcode.sources and operand_type(fields, opcode.form, operand) is None:
            return name
        if fields.get(file) == 0 and fields.get(register, 0) >> 4 not in ARCHITECTURE:
            return register
    return None
