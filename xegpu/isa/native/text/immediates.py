"""Constants in the text of native instructions."""

from __future__ import annotations

import math
import re
import struct

from xegpu.isa.native.encoding.codes import TYPE_BITS

_INTEGERS = frozenset({"b", "w", "d", "q"})
_FLOATS = {"hf": ("<e", "<H", 10), "f": ("<f", "<I", 23), "df": ("<d", "<Q", 52)}
"""The codes of `struct` for the value and for its bits, and the bits of the fraction."""

_NAN = re.compile(r"(-?)([qs])nan\((0x[0-9A-Fa-f]+)\)")


def format_immediate(bits: int, type: str) -> str:
    """Returns a constant as Intel's assembler writes it; `bits` may have copies of it above."""
    width = TYPE_BITS[type]
    bits &= (1 << width) - 1
    if type in _INTEGERS:
        sign = 1 << (width - 1)
        return str((bits ^ sign) - sign)
    return _format_float(bits, type) if type in _FLOATS else f"0x{bits:X}"


def parse_immediate(text: str, type: str) -> int | None:
    """Returns the bits of a constant; None if the text is not one of this type."""
    width = TYPE_BITS[type]
    if re.fullmatch(r"0[xX][0-9A-Fa-f]+", text):
        value = int(text, 16)
        return value if value < 1 << width else None
    if type not in _FLOATS:
        if not re.fullmatch(r"-?[0-9]{1,20}", text):
            return None
        value = int(text)
        return value & ((1 << width) - 1) if -(1 << (width - 1)) <= value < 1 << width else None
    return _parse_float(text, type)


def _format_float(bits: int, type: str) -> str:
    """Returns the decimal number if seven digits are exact, else the bits."""
    as_value, as_bits, fraction_bits = _FLOATS[type]
    value = struct.unpack(as_value, struct.pack(as_bits, bits))[0]
    sign = "-" if bits >> (TYPE_BITS[type] - 1) else ""
    if math.isnan(value):
        fraction = bits & ((1 << fraction_bits) - 1)
        quiet = 1 << (fraction_bits - 1)
        return f"{sign}{'q' if fraction & quiet else 's'}nan(0x{fraction & ~quiet:X})"
    if math.isinf(value):
        return f"{sign}inf"
    # Decimal numbers are read as singles and converted, so that halves need the digits of singles.
    exact = "<d" if type == "df" else "<f"
    for text in (f"{value:g}", f"{value:.6e}"):
        if float(text) == value or struct.pack(exact, float(text)) == struct.pack(exact, value):
            return text if "." in text or "e" in text else f"{text}.0"
    return f"0x{bits:X}"


def _parse_float(text: str, type: str) -> int | None:
    as_value, as_bits, fraction_bits = _FLOATS[type]
    sign_bit = 1 << (TYPE_BITS[type] - 1)
    if nan := _NAN.fullmatch(text):
        payload = int(nan[3], 16)
        quiet = 1 << (fraction_bits - 1)
        if payload >= quiet:
            return None
        infinity = (sign_bit - 1) >> fraction_bits << fraction_bits
        return infinity | payload | (quiet if nan[2] == "q" else 0) | (sign_bit if nan[1] else 0)
    if not re.fullmatch(r"-?(inf|[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]{1,4})?)", text):
        return None
    try:
        return int(struct.unpack(as_bits, struct.pack(as_value, float(text)))[0])
    except OverflowError:
        return None
