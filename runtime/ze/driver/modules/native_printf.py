"""The output of native kernels and their assertions, whose records name formats by address."""

from __future__ import annotations

import re
import struct
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from runtime.ze.driver.modules.printf import Value, format_text
from runtime.ze.driver.system.properties import PRINTF_BUFFER_BYTES
from xegpu.isa.code import PrintfType

if TYPE_CHECKING:
    from runtime.simulator import Allocation, DeviceFault, Memory

_WORD, _POINTER = struct.Struct("<I"), struct.Struct("<Q")
_DIRECTIVE = re.compile(r"%(?P<flags>[-+ #0]*\d*(?:\.\d*)?)(?:v\d+)?(?:hh|hl|h|l)?(?P<letter>[a-zA-Z%])")
_STRING = 5
_SCALARS: Mapping[int, tuple[struct.Struct, PrintfType]] = {
    1: (struct.Struct("<b3x"), PrintfType.INT),
    2: (struct.Struct("<h2x"), PrintfType.INT),
    3: (struct.Struct("<i"), PrintfType.INT),
    4: (struct.Struct("<f"), PrintfType.FLOAT),
    6: (struct.Struct("<q"), PrintfType.LONG),
    7: (_POINTER, PrintfType.LONG),
    8: (struct.Struct("<d"), PrintfType.DOUBLE),
}
"""The form of values in the buffer and the type that they are printed as, by the number in front of them."""

_VECTORS = {9: 1, 10: 2, 11: 3, 12: 6, 13: 4, 14: 8}
"""The types of elements of vectors, by the types of vectors; their number follows."""

_ASSERTION_HEADER = struct.Struct("<III")
_SHOWN_ASSERTIONS = 8

_LONGEST = 1 << 16
"""The most bytes of a string."""


class NativePrintfBuffer:
    """The buffer of one launch, in memory that is called like the kernel: the number of bytes in use, and records."""

    def __init__(self, memory: Memory, allocation: Allocation) -> None:
        self._kernel = allocation.label
        self._records = _Records(memory, allocation, 0)

    def flush(self) -> None:
        """Writes the text to standard output, and reports on standard error what the buffer could not hold."""
        sys.stdout.write("".join(self._records.texts()))
        sys.stdout.flush()
        if self._records.used > PRINTF_BUFFER_BYTES:
            sys.stderr.write(
                f"kernel '{self._kernel}' printed more than its buffer of {PRINTF_BUFFER_BYTES} bytes holds: "
                f"{self._records.used - PRINTF_BUFFER_BYTES} more\n"
            )

    def explain(self, fault: DeviceFault) -> None:
        """Leaves a fault as it is: assertions of native code have a buffer of their own."""


class AssertionBuffer:
    """The buffer of one launch for assertions that fail: its size, whether there is one, bytes in use, and records."""

    def __init__(self, memory: Memory, allocation: Allocation) -> None:
        self._data = allocation.view()
        self._records = _Records(memory, allocation, _ASSERTION_HEADER.size - _WORD.size)
        _ASSERTION_HEADER.pack_into(self._data, 0, allocation.size, 0, _ASSERTION_HEADER.size)

    def message(self) -> str | None:
        """Returns the texts of the assertions that failed; None if none did."""
        _, has_failed, _ = _ASSERTION_HEADER.unpack_from(self._data)
        if not has_failed:
            return None
        lines = [text.rstrip("\n") for text in self._records.texts()]
        rest = [f"and {len(lines) - _SHOWN_ASSERTIONS} more"] if len(lines) > _SHOWN_ASSERTIONS else []
        return "\n".join(["failed assertion", *lines[:_SHOWN_ASSERTIONS], *rest])


class _Records:
    """Holds what threads have written to memory: at `counter` the bytes in use, behind them formats with values."""

    def __init__(self, memory: Memory, allocation: Allocation, counter: int) -> None:
        self._memory = memory
        self._data = allocation.view()
        self._data[:] = bytes(allocation.size)
        self._counter = counter
        _WORD.pack_into(self._data, counter, counter + _WORD.size)

    @property
    def used(self) -> int:
        """The bytes that threads have asked for, more than there are if some got none."""
        (used,) = _WORD.unpack_from(self._data, self._counter)
        return int(used)

    def texts(self) -> Iterator[str]:
        """Yields the text of each record, in the order in which threads allocated them."""
        position, end = self._counter + _WORD.size, min(self.used, len(self._data))
        while position + _POINTER.size <= end:
            format = self._string(_POINTER.unpack_from(self._data, position)[0])
            if format is None:
                return
            position += _POINTER.size
            values = self._values(position, end)
            text = ""
            last = 0
            for directive in _DIRECTIVE.finditer(format):
                text += format[last : directive.start()]
                last = directive.end()
                if directive["letter"] == "%":
                    text += "%"
                    continue
                position, value = next(values, (position, []))
                text += _printed(directive, value)
            yield text + format[last:]

    def _values(self, position: int, end: int) -> Iterator[tuple[int, list[Value] | str]]:
        """Yields the arguments of a record, each with the place behind it."""
        while position + _WORD.size <= end:
            (kind,) = _WORD.unpack_from(self._data, position)
            position += _WORD.size
            if kind == _STRING:
                text = self._string(_POINTER.unpack_from(self._data, position)[0]) or ""
                position += _POINTER.size
                yield position, text
                continue
            count = 1
            if kind in _VECTORS:
                (count,) = _WORD.unpack_from(self._data, position)
                kind, position = _VECTORS[kind], position + _WORD.size
            if kind not in _SCALARS or position + count * _SCALARS[kind][0].size > end:
                return
            scalar, type = _SCALARS[kind]
            values: list[Value] = []
            for _ in range(count):
                (value,) = scalar.unpack_from(self._data, position)
                values.append((type, value if type in (PrintfType.FLOAT, PrintfType.DOUBLE) else _bits(value, type)))
                position += scalar.size
            yield position, values

    def _string(self, address: int) -> str | None:
        """Returns the string at an address of the device; None if there is no memory."""
        allocation = self._memory.find(address)
        if allocation is None:
            return None
        start = address - allocation.address
        data = bytes(allocation.view()[start : start + _LONGEST])
        return data.split(b"\0", 1)[0].decode(errors="replace")


def _bits(value: int, type: PrintfType) -> int:
    """Returns an integer without its sign."""
    return value & ((1 << 32 * type.words) - 1)


def _printed(directive: re.Match[str], value: list[Value] | str) -> str:
    flags, letter = directive["flags"], directive["letter"]
    if isinstance(value, str) or letter == "s":
        text = value if isinstance(value, str) else ""
        width, _, precision = flags.lstrip("+ #0").partition(".")
        text = text[: int(precision)] if precision else text
        return text.ljust(-int(width)) if width.startswith("-") and width[1:] else text.rjust(int(width or 0))
    return ",".join(format_text(f"%{flags}{letter}", [each]) for each in value)
