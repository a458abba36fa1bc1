"""The output of kernels: a buffer for each launch, and the text of the records in it (see `xegpu.isa.code`)."""

from __future__ import annotations

import math
import struct
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from runtime import simulator
from runtime.ze.driver.system.properties import PRINTF_BUFFER_BYTES
from xegpu.isa.code import ASSERTION, HEADER_BYTES, PrintfType, parse_format
from xegpu.on_demand import dataclass

if TYPE_CHECKING:
    from runtime.simulator import Allocation, DeviceFault
    from xegpu.isa.code import Directive

_HEADER = struct.Struct("<QQ")

_RECORD = struct.Struct("<6I")

_WORD_BYTES = 4

_SCALARS = {
    PrintfType.INT: struct.Struct("<I"),
    PrintfType.FLOAT: struct.Struct("<f"),
    PrintfType.LONG: struct.Struct("<Q"),
    PrintfType.DOUBLE: struct.Struct("<d"),
}

Value = tuple[PrintfType, int | float]
"""The type of an argument, and its value; integers are without sign."""


@dataclass(frozen=True)
class PrintfRecord:
    """One text that a thread printed, or an assertion that failed there."""

    group: tuple[int, int, int]
    subgroup: int
    text: str
    is_assertion: bool


class PrintfBuffer:
    """The buffer of one launch, in memory of the device that is called like the kernel. `strings` are the kernel's."""

    def __init__(self, allocation: Allocation, strings: Sequence[str]) -> None:
        self._strings = strings
        self._label = allocation.label
        self._data = allocation.view()
        self._data[:] = bytes(PRINTF_BUFFER_BYTES)
        _HEADER.pack_into(self._data, 0, HEADER_BYTES, PRINTF_BUFFER_BYTES)

    def flush(self) -> None:
        """Writes the text to standard output, and reports on standard error what the buffer could not hold."""
        sys.stdout.write(self.text())
        sys.stdout.flush()
        wanted, size = _HEADER.unpack_from(self._data)
        if wanted > size:
            sys.stderr.write(
                f"kernel '{self._label}' printed more than its buffer of {size} bytes holds: {wanted - size} more\n"
            )

    def text(self) -> str:
        """Returns what the kernel printed: work-groups in order, in each the subgroups in order, in each the texts in
        order.
        """
        records = [record for record in self._records() if not record.is_assertion]
        return "".join(r.text for r in sorted(records, key=lambda r: (*reversed(r.group), r.subgroup)))

    def explain(self, fault: DeviceFault) -> None:
        """Turns those faults of a launch that come from assertions into assertion faults with their messages."""
        assertions = {(r.group, r.subgroup): r.text for r in self._records() if r.is_assertion}
        for finding in fault.findings:
            message = assertions.get((finding.group, finding.subgroup))
            if finding.kind is simulator.FaultKind.ILLEGAL_INSTRUCTION and message is not None:
                finding.kind, finding.detail = simulator.FaultKind.ASSERTION, message

    def _records(self) -> Iterator[PrintfRecord]:
        """Yields the complete records, in the order in which threads allocated them."""
        data, position = self._data, HEADER_BYTES
        end = min(_HEADER.unpack_from(data)[0], len(data))
        while position + _RECORD.size <= end:
            size, number, x, y, z, thread = _RECORD.unpack_from(data, position)
            if size < _RECORD.size or size % _WORD_BYTES:
                position += _WORD_BYTES  # room that a thread asked for, but was kept from using
                continue
            if 1 <= number <= len(self._strings) and position + size <= end:
                values = list(_values(data[position + _RECORD.size : position + size]))
                text = format_text(self._strings[number - 1], values)
                yield PrintfRecord((x, y, z), thread & ~ASSERTION, text, bool(thread & ASSERTION))
            position += size


def _values(data: memoryview) -> Iterator[Value]:
    """Yields the arguments of a record."""
    position = 0
    while position + 2 * _WORD_BYTES <= len(data):
        (tag,) = _SCALARS[PrintfType.INT].unpack_from(data, position)
        if tag not in _SCALARS:
            return
        kind = PrintfType(tag)
        scalar = _SCALARS[kind]
        position += _WORD_BYTES
        if position + scalar.size > len(data):
            return
        yield kind, scalar.unpack_from(data, position)[0]
        position += scalar.size


def format_text(text: str, values: Sequence[Value]) -> str:
    """Returns a format with values in place of its directives; directives without a value print nothing."""
    try:
        parts = parse_format(text)
    except ValueError:
        return text
    rest = iter(values)
    printed = ""
    for part in parts:
        if isinstance(part, str):
            printed += part
        elif (value := next(rest, None)) is not None:
            printed += _format(part, *value)
    return printed


def _format(directive: Directive, kind: PrintfType, value: int | float) -> str:
    if directive.takes_integer:
        bits = 32 * kind.words
        number = int(value) if kind in (PrintfType.INT, PrintfType.LONG) else 0
        signed = number - (1 << bits) if directive.is_signed and number >> (bits - 1) else number
        sign, digits = _integer(directive, signed)
        return _padded(directive, sign, digits, fill=directive.precision is None and directive.letter != "c")
    sign, digits = _float(directive, float(value))
    return _padded(directive, sign, digits, fill=math.isfinite(value))


def _padded(directive: Directive, sign: str, digits: str, *, fill: bool) -> str:
    """Pads to the width of the directive; `fill` allows zeros, if it has that flag."""
    if "-" in directive.flags:
        return (sign + digits).ljust(directive.width)
    if "0" in directive.flags and fill:
        return sign + digits.rjust(directive.width - len(sign), "0")
    return (sign + digits).rjust(directive.width)


def _sign(flags: str, is_negative: bool) -> str:
    """Returns the sign that the flags ask for."""
    if is_negative:
        return "-"
    return "+" if "+" in flags else " " if " " in flags else ""


def _integer(directive: Directive, value: int) -> tuple[str, str]:
    """Returns sign or prefix, and digits."""
    letter = directive.letter
    if letter == "c":
        return "", chr(value & 0xFF)
    sign = _sign(directive.flags, value < 0) if directive.is_signed else ""
    digits = format(abs(value), {"o": "o", "x": "x", "X": "X", "p": "x"}.get(letter, "d"))
    if directive.precision is not None:
        digits = "" if value == directive.precision == 0 else digits.rjust(directive.precision, "0")
    if "#" in directive.flags and letter == "o" and not digits.startswith("0"):
        digits = "0" + digits
    if letter == "p" or ("#" in directive.flags and letter in "xX" and value):
        sign += "0X" if letter == "X" else "0x"
    return sign, digits


def _float(directive: Directive, value: float) -> tuple[str, str]:
    """Returns sign and digits."""
    letter, precision = directive.letter, directive.precision
    sign = _sign(directive.flags, math.copysign(1, value) < 0)
    if not math.isfinite(value):
        digits = "nan" if math.isnan(value) else "inf"
    elif letter in "aA":
        sign += "0x"
        digits = _hexadecimal(abs(value), precision, has_point="#" in directive.flags)
    else:
        alternative = "#" if "#" in directive.flags else ""
        digits = f"%{alternative}.{6 if precision is None else precision}{letter.lower()}" % abs(value)
    return (sign.upper(), digits.upper()) if letter.isupper() else (sign, digits)


_FRACTION_DIGITS = 13
"""The hexadecimal digits of a double behind the point."""


def _hexadecimal(value: float, precision: int | None, *, has_point: bool) -> str:
    """Returns a number as `1.8p+0`, rounded to a number of digits, to the even one of two that are as near."""
    significand, exponent = value.hex().removeprefix("0x").split("p")
    whole, digits = significand.split(".")
    digits = digits.ljust(_FRACTION_DIGITS, "0")
    if precision is None:
        digits = digits.rstrip("0")
    elif precision >= _FRACTION_DIGITS:
        digits = digits.ljust(precision, "0")
    else:
        unit = 16 ** (_FRACTION_DIGITS - precision)
        kept, rest = divmod(int(whole + digits, 16), unit)
        kept += 2 * rest + kept % 2 > unit
        text = f"{kept:0{precision + 1}x}"
        whole, digits = text[: len(text) - precision], text[len(text) - precision :]
    return f"{whole}{'.' if digits or has_point else ''}{digits}p{exponent}"
