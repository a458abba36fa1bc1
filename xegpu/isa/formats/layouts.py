"""The 128-bit instruction words: one table of fields per format.

Every field of every format is named here with its lowest bit and its width; bits that no field claims are reserved and
must be zero.
"""

from __future__ import annotations

from dataclasses import dataclass

from xegpu.isa.model.operands import VXH, RegisterFile
from xegpu.isa.model.table import InstructionFormat, OpSpec

WORD_BYTES = 16


@dataclass(frozen=True)
class Field:
    """Bits `lsb` to `lsb + width - 1` of the word."""

    lsb: int
    width: int


def _fields(start: int, *parts: tuple[str, int]) -> dict[str, Field]:
    """Consecutive fields from bit `start` on."""
    fields: dict[str, Field] = {}
    for name, width in parts:
        fields[name] = Field(start, width)
        start += width
    return fields


CONTROL = _fields(
    0,
    ("opcode", 8),
    ("exec_size", 3),
    ("channel_offset", 3),
    ("no_mask", 1),
    ("predicate", 2),
    ("inverted", 1),
    ("flag", 2),
    ("flag_half", 1),
    ("condition", 4),
    ("saturate", 1),
)
_DESTINATION = _fields(26, ("dst.file", 2), ("dst.register", 8), ("dst.byte", 6), ("dst.type", 5), ("dst.stride", 2))


def _source(index: int, start: int, *parts: tuple[str, int]) -> dict[str, Field]:
    names = (("kind", 2), ("type", 5), ("register", 8), ("byte", 6), *parts)
    return _fields(start, *((f"src{index}.{name}", width) for name, width in names))


_MODIFIERS = (("negate", 1), ("absolute", 1))


def _full_source(index: int, start: int) -> dict[str, Field]:
    return _source(index, start, *_MODIFIERS, ("vertical", 3), ("width", 3), ("horizontal", 2))


def _short_source(index: int, start: int) -> dict[str, Field]:
    return _source(index, start, *_MODIFIERS, ("stride", 2))


def _bare_source(index: int, start: int) -> dict[str, Field]:
    return _source(index, start, ("stride", 2))


def _immediate(index: int, start: int, lsb: int, width: int) -> dict[str, Field]:
    kind = _fields(start, (f"src{index}.kind", 2), (f"src{index}.type", 5))
    return kind | {f"src{index}.immediate": Field(lsb, width)}


_ALU = CONTROL | _DESTINATION
_UNARY = _ALU | _full_source(0, 49)
_UNARY_IMMEDIATE = _ALU | _immediate(0, 49, 96, 32)
_BINARY = _UNARY | _full_source(1, 80)
_TERNARY = _ALU | _short_source(0, 49) | _short_source(1, 74)
_BOOLEAN = _ALU | _bare_source(0, 49) | _bare_source(1, 72) | {"table": Field(118, 8)}
_FUNCTION = {"function": Field(80, 4)}

LAYOUTS: dict[str, dict[str, Field]] = {
    "alu1": _UNARY,
    "alu1-immediate": _UNARY_IMMEDIATE,
    "alu2": _BINARY,
    "alu2-immediate": _UNARY | _immediate(1, 80, 96, 32),
    "alu3": _TERNARY | _short_source(2, 99),
    "alu3-immediate": _TERNARY | _immediate(2, 99, 106, 16),
    "function": _UNARY | _FUNCTION,
    "function-immediate": _UNARY_IMMEDIATE | _FUNCTION,
    "table": _BOOLEAN | _bare_source(2, 95),
    "table-immediate": _BOOLEAN | _immediate(2, 95, 102, 16),
    "carry": _BINARY | _fields(111, ("carry.register", 8), ("carry.byte", 6)),
    "dpas": CONTROL
    | _fields(
        26,
        ("dst.register", 8),
        ("dst.byte", 6),
        ("dst.type", 5),
        ("src0.null", 1),
        ("src0.register", 8),
        ("src0.byte", 6),
        ("src0.type", 5),
        ("src1.register", 8),
        ("src1.byte", 6),
        ("src1.type", 5),
        ("src2.register", 8),
        ("src2.byte", 6),
        ("src2.type", 5),
        ("repeat", 3),
    ),
    "message": CONTROL
    | _fields(
        26,
        ("unit", 4),
        ("function", 6),
        ("data_size", 3),
        ("vector", 3),
        ("transposed", 1),
        ("vnni", 1),
        ("cache", 3),
        ("address_size", 2),
        ("model", 2),
        ("dst.null", 1),
        ("dst.register", 8),
        ("address.register", 8),
        ("data.null", 1),
        ("data.register", 8),
        ("offset", 20),
        ("block.present", 1),
        ("block.width", 6),
        ("block.height", 5),
        ("block.count", 2),
    ),
    "image": CONTROL
    | _fields(
        26,
        ("unit", 4),
        ("function", 6),
        ("channels", 4),
        ("coordinates", 2),
        ("cache", 3),
        ("dst.null", 1),
        ("dst.register", 8),
        ("address.register", 8),
        ("data.null", 1),
        ("data.register", 8),
        ("surface.register", 8),
        ("surface.byte", 6),
        ("sampler.null", 1),
        ("sampler.register", 8),
        ("sampler.byte", 6),
    ),
    "fence": CONTROL | _fields(26, ("unit", 4), ("function", 6), ("flush", 3), ("scope", 3)),
    "barrier": CONTROL | _source(0, 26),
    "barrier-immediate": CONTROL | _immediate(0, 26, 64, 32),
    "goto": CONTROL | {"function": Field(26, 1), "join": Field(32, 32), "target": Field(64, 32)},
    "join": CONTROL | {"join": Field(32, 32)},
    "call": CONTROL | _fields(26, ("dst.register", 8), ("dst.byte", 6)) | {"target": Field(64, 32)},
    "calla": CONTROL | _fields(26, ("dst.register", 8), ("dst.byte", 6), ("address.register", 8), ("address.byte", 6)),
    "return": CONTROL | _fields(26, ("address.register", 8), ("address.byte", 6)),
    "branch": CONTROL | {"target": Field(64, 32)},
    "plain": CONTROL,
}
"""Format to fields. Immediate forms replace the fields of the last source."""

CHANNEL_OFFSETS = (0, 4, 8, 12, 16, 20, 24, 28)
STRIDES = (0, 1, 2, 4)
VERTICAL_STRIDES = (0, 1, 2, 4, 8, 16, 32, VXH)
WIDTHS = (1, 2, 4, 8, 16)
"""Values of coded fields; the index is the code."""

KIND_IMMEDIATE = 2
"""Code of a source's `kind` for a constant; the bits of a 64-bit one are in the following word."""

KINDS = {0: RegisterFile.GRF, 1: RegisterFile.ARF, 3: RegisterFile.INDIRECT}
"""Codes of a source's `kind` for registers."""


def layout_name(spec: OpSpec, immediate: bool) -> str:
    """Key in `LAYOUTS` of an instruction whose last source is, or is not, an immediate."""
    if spec.format is InstructionFormat.BARRIER and spec.sources:
        return "barrier-immediate" if immediate else "barrier"
    if spec.format is InstructionFormat.BARRIER:
        return InstructionFormat.PLAIN.value
    if spec.format is not InstructionFormat.ALU:
        return str(spec.format.value)
    name = spec.extra.value or f"alu{spec.sources}"
    return f"{name}-immediate" if immediate else name
