"""LLVM bitcode of the host, among whose constants `clang -fembed-offload-object` puts offload binaries.

Only the constants of modules are read; all other blocks are skipped by the sizes in their heads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from zebin.containers.image import Budget, ContainerPart, broken, piece
from zebin.containers.offloading import OFFLOAD_BINARY
from zebin.errors import ZebinError

BITCODE = b"BC\xc0\xde"
WRAPPED_BITCODE = b"\xde\xc0\x17\x0b"
_WRAPPED_AT = 8
"""The offset in a wrapper of offset and size of the bitcode."""

_END_BLOCK, _ENTER_BLOCK, _DEFINE_ABBREVIATION, _UNABBREVIATED = range(4)
_OUTER, _BLOCK_INFO, _MODULE, _CONSTANTS = -1, 0, 8, 11
_INNER: Mapping[int, Sequence[int]] = {_OUTER: (_MODULE,), _MODULE: (_BLOCK_INFO, _CONSTANTS)}
"""The blocks that are read, by the block around them."""
_OUTER_WIDTH = 2
_SHORTEST_BLOCK = 64

_SET_BLOCK = 1
"""The record that names the block for which the next abbreviations are."""
_STRING = 8
"""The record of constants that are arrays of bytes with zeros among them."""

_LITERAL, _FIXED, _VARIABLE, _ARRAY, _CHARACTER, _BLOB = range(6)
_CHARACTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"
_MOST_OPERANDS = 64
"""Operands of an abbreviation: LLVM's have about ten. Literals take no bits where the abbreviation is used."""


class _Operand(NamedTuple):
    """An operand of an abbreviation. `value` is that of a literal, or the width of others."""

    encoding: int
    value: int = 0


class _Bits:
    """A position in a bitstream, and where it ends, in bits."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self.at, self.end = 0, len(data) * 8

    def fixed(self, width: int) -> int:
        last = self.at + width
        if last > self.end:
            raise self.broken("bitcode ends too early")
        word = int.from_bytes(self._data[self.at >> 3 : (last + 7) >> 3], "little")
        value = word >> (self.at & 7) & ((1 << width) - 1)
        self.at = last
        return value

    def variable(self, width: int) -> int:
        more = 1 << (width - 1)
        value = shift = 0
        while True:
            chunk = self.fixed(width)
            value |= (chunk & (more - 1)) << shift
            if not chunk & more:
                return value
            shift += width - 1

    def align(self) -> None:
        self.at += -self.at % 32

    def characters(self, count: int) -> bytes:
        """Returns bytes that need not start at one."""
        if count > (self.end - self.at) // 8:
            raise self.broken("bitcode ends too early")
        return self.fixed(8 * count).to_bytes(count, "little")

    def broken(self, message: str) -> ZebinError:
        return broken("image.bounds", message, found=f"at {self.at // 8:#x}")


class _BlockReader:
    """Reads the blocks of a file. `_known` has the abbreviations that are defined for blocks to come."""

    def __init__(self, data: memoryview) -> None:
        self._bits = _Bits(data)
        self._bits.at = 8 * len(BITCODE)
        self._known: dict[int, list[Sequence[_Operand]]] = {}

    def modules(self) -> Iterator[bytes]:
        """Yields the constants of all modules that are arrays of bytes and may be offload binaries."""
        while self._bits.at + _SHORTEST_BLOCK <= self._bits.end:
            if self._bits.fixed(_OUTER_WIDTH) != _ENTER_BLOCK:
                raise self._bits.broken("no block where bitcode should have one")
            yield from self._inner(_OUTER)

    def _inner(self, outer: int) -> Iterator[bytes]:
        """Reads the block that starts here, or skips it."""
        block, width = self._bits.variable(8), self._bits.variable(4)
        self._bits.align()
        end = self._bits.fixed(32) * 32 + self._bits.at
        if end > self._bits.end or not 2 <= width <= 32:
            raise self._bits.broken("broken head of a block of bitcode")
        if block in _INNER.get(outer, ()):
            yield from self._block(block, width)
        self._bits.at = end

    def _block(self, block: int, width: int) -> Iterator[bytes]:
        abbreviations = list(self._known.get(block, ()))
        while (number := self._bits.fixed(width)) != _END_BLOCK:
            if number == _ENTER_BLOCK:
                yield from self._inner(block)
            elif number == _DEFINE_ABBREVIATION:
                abbreviations.append(self._abbreviation())
            else:
                index = number - _UNABBREVIATED - 1
                if index >= len(abbreviations):
                    raise self._bits.broken("unknown abbreviation in bitcode")
                code, *operands = self._unabbreviated() if index < 0 else self._abbreviated(abbreviations[index])
                if block == _BLOCK_INFO and code == _SET_BLOCK and operands:
                    abbreviations = self._known.setdefault(operands[0], [])
                elif block == _CONSTANTS and code == _STRING and operands[:4] == list(OFFLOAD_BINARY):
                    yield bytes(value & 0xFF for value in operands)

    def _abbreviation(self) -> Sequence[_Operand]:
        count = self._bits.variable(5)
        if not 0 < count <= _MOST_OPERANDS:
            raise self._bits.broken("abbreviation of too many operands")
        operands: list[_Operand] = []
        for _ in range(count):
            if self._bits.fixed(1):
                operands.append(_Operand(_LITERAL, self._bits.variable(8)))
                continue
            encoding = self._bits.fixed(3)
            width = self._bits.variable(5) if encoding in (_FIXED, _VARIABLE) else 0
            if encoding in (_FIXED, _VARIABLE) and width == 0:
                encoding = _LITERAL  # of value 0, as LLVM reads it
            if not _LITERAL <= encoding <= _BLOB or width > 64:
                raise self._bits.broken("unknown encoding in bitcode")
            operands.append(_Operand(encoding, width))
        return operands

    def _unabbreviated(self) -> list[int]:
        code, count = self._bits.variable(6), self._bits.variable(6)
        return [code, *(self._bits.variable(6) for _ in range(count))]

    def _abbreviated(self, operands: Sequence[_Operand]) -> list[int]:
        values: list[int] = []
        for index, operand in enumerate(operands):
            if operand.encoding == _ARRAY:
                values += self._array(operands[index + 1 :])
                break
            if operand.encoding == _BLOB:
                count = self._bits.variable(6)
                self._bits.align()
                values += self._bits.characters(count)
                self._bits.align()
            else:
                values.append(self._value(operand))
        return values or [0]

    def _array(self, elements: Sequence[_Operand]) -> Sequence[int]:
        count = self._bits.variable(6)
        if len(elements) != 1 or elements[0].encoding in (_LITERAL, _ARRAY, _BLOB):
            raise self._bits.broken("array of unknown elements in bitcode")
        if elements[0] == (_FIXED, 8):
            return self._bits.characters(count)
        return [self._value(elements[0]) for _ in range(count)]

    def _value(self, operand: _Operand) -> int:
        if operand.encoding == _FIXED:
            return self._bits.fixed(operand.value)
        if operand.encoding == _VARIABLE:
            return self._bits.variable(operand.value)
        return _CHARACTERS[self._bits.fixed(6)] if operand.encoding == _CHARACTER else operand.value


def bitcode_parts(data: memoryview, budget: Budget) -> Iterator[ContainerPart]:
    """Yields the offload binaries in bitcode, by number; nothing for bitcode that has none, as that of a device."""
    if data[: len(WRAPPED_BITCODE)] == WRAPPED_BITCODE:
        start, size = (int.from_bytes(piece(data, at, 4, "wrapper"), "little") for at in (_WRAPPED_AT, _WRAPPED_AT + 4))
        data = piece(data, start, size, "bitcode")
    for number, content in enumerate(_BlockReader(data).modules()):
        budget.entry()
        yield ContainerPart(str(number), "", memoryview(content), None)
