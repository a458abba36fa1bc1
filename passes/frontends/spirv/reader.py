"""The reader: from the bytes of a module to its header and instructions."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from passes.frontends.spirv.errors import SpirvError
from passes.frontends.spirv.grammar import ID_KINDS, Operation, grammar

MAGIC = 0x07230203
HEADER_WORDS = 5
LARGEST_BOUND = 0x3FFFFF
NEWEST_VERSION = (1, 6)

Operand = int | str


class Instruction:
    """An instruction. `operands` are numbers and strings, flat: a mask or enumerant is followed by its parameters."""

    __slots__ = ("name", "operands", "operation", "result", "type", "word")

    def __init__(self, operation: Operation, kind: int, result: int, operands: tuple[Operand, ...], word: int) -> None:
        self.operation = operation
        self.name = operation.name
        self.type = kind
        self.result = result
        self.operands = operands
        self.word = word

    def error(self, message: str) -> SpirvError:
        """Returns an error at this instruction."""
        return SpirvError(message, self.word, self.name)

    def number(self, index: int) -> int:
        """Returns an operand that is a number.

        Raises:
            SpirvError: It is missing or a string.
        """
        value = self.operands[index] if index < len(self.operands) else None
        if not isinstance(value, int):
            raise self.error(f"operand {index + 1} is missing")
        return value

    def numbers(self, start: int = 0) -> tuple[int, ...]:
        """Returns the operands from `start` on that are numbers."""
        return tuple(value for value in self.operands[start:] if isinstance(value, int))

    def text(self, index: int) -> str:
        """Returns an operand that is a string.

        Raises:
            SpirvError: It is missing or a number.
        """
        value = self.operands[index] if index < len(self.operands) else None
        if not isinstance(value, str):
            raise self.error(f"operand {index + 1} is not a string")
        return value


@dataclass(frozen=True)
class Binary:
    """A module as it is written. `digest` tells it from others."""

    digest: str
    version: tuple[int, int]
    generator: int
    bound: int
    instructions: list[Instruction]


def words_of(data: bytes) -> tuple[int, ...]:
    """Returns the words of a module, whose magic number tells the order of bytes.

    Raises:
        SpirvError: The data is no SPIR-V.
    """
    if len(data) < 4 * HEADER_WORDS or len(data) % 4:
        raise SpirvError(
            f"a module consists of words and starts with a header of 20 bytes, and this has {len(data)} bytes"
        )
    for order in "<>":
        if struct.unpack_from(f"{order}I", data) == (MAGIC,):
            return struct.unpack(f"{order}{len(data) // 4}I", data)
    raise SpirvError(f"the magic number is 0x{struct.unpack_from('<I', data)[0]:08x}, not 0x{MAGIC:08x}")


def read(data: bytes) -> Binary:
    """Returns header and instructions of a module.

    Raises:
        SpirvError: The words do not follow the grammar.
    """
    words = words_of(data)
    _, version, generator, bound, schema = words[:HEADER_WORDS]
    number = (version >> 16, version >> 8 & 0xFF)
    if version & 0xFF0000FF or not (1, 0) <= number <= NEWEST_VERSION:
        raise SpirvError(
            f"version word 0x{version:08x} is not one of SPIR-V 1.0 to {'.'.join(map(str, NEWEST_VERSION))}", 1
        )
    if not 0 < bound <= LARGEST_BOUND:
        raise SpirvError(f"the bound of ids is {bound}, not between 1 and {LARGEST_BOUND}", 3)
    if schema:
        raise SpirvError(f"the instruction schema is {schema}, not 0", 4)
    digest = hashlib.sha256(struct.pack(f"<{len(words)}I", *words)).hexdigest()[:16]
    return Binary(digest, number, generator, bound, list(_instructions(words, bound)))


def _instructions(words: tuple[int, ...], bound: int) -> Iterator[Instruction]:
    place = HEADER_WORDS
    size = len(words)
    while place < size:
        count, opcode = words[place] >> 16, words[place] & 0xFFFF
        plan = _plan(opcode)
        if plan is None:
            raise SpirvError(f"there is no instruction with opcode {opcode}", place)
        operation = plan.operation
        end = place + count
        if not count or end > size:
            raise SpirvError(f"its word count is {count}, and {size - place} words are left", place, operation.name)
        if count <= plan.least:
            raise SpirvError(f"it has {count} words and needs {plan.least + 1}", place, operation.name)
        first = place + 1 + plan.skipped
        kind = words[place + 1] if operation.has_type else 0
        result = words[first - 1] if operation.has_result else 0
        operands = words[first:end]
        found = Instruction(operation, kind, result, operands, place)
        if (operation.has_type and not 0 < kind < bound) or (operation.has_result and not 0 < result < bound):
            raise found.error(f"the ids %{kind} and %{result} of type and result must lie between 1 and {bound - 1}")
        if not plan.ids_only:
            found.operands = tuple([value for _, value in decode(_Cursor(found, operands, bound))])
        elif operands and (count > plan.most or min(operands) < 1 or max(operands) >= bound):
            if not _repeats_type(found, operands):
                raise _wrong_ids(found, operands, bound)
            found.operands = ()
        yield found
        place = end


def _repeats_type(instruction: Instruction, words: tuple[int, ...]) -> bool:
    """Says whether the operands of an instruction are its type: clang 22 adds it to nulls of events at each use."""
    return instruction.name == "OpConstantNull" and set(words) == {instruction.type}


def _wrong_ids(instruction: Instruction, words: tuple[int, ...], bound: int) -> SpirvError:
    wrong = next((word for word in words if not 0 < word < bound), None)
    if wrong is None:
        return instruction.error(f"it has {len(words)} operands and takes {len(instruction.operation.operands)}")
    return instruction.error(f"the id %{wrong} does not lie between 1 and {bound - 1}")


class _Cursor:
    """Reads the operands of an instruction."""

    __slots__ = ("bound", "instruction", "place", "words")

    def __init__(self, instruction: Instruction, words: tuple[int, ...], bound: int) -> None:
        self.instruction = instruction
        self.words = words
        self.bound = bound
        self.place = 0

    @property
    def left(self) -> bool:
        return self.place < len(self.words)

    def word(self) -> int:
        if not self.left:
            raise self.instruction.error("it ends within its operands")
        self.place += 1
        return self.words[self.place - 1]

    def rest(self) -> tuple[int, ...]:
        found = self.words[self.place :]
        self.place = len(self.words)
        return found

    def string(self) -> str:
        for end in range(self.place, len(self.words)):
            word = self.words[end]
            if not (word & 0xFF and word & 0xFF00 and word & 0xFF0000 and word & 0xFF000000):
                data = struct.pack(f"<{end + 1 - self.place}I", *self.words[self.place : end + 1])
                self.place = end + 1
                try:
                    return data[: data.index(0)].decode()
                except UnicodeDecodeError:
                    raise self.instruction.error("a string is not UTF-8") from None
        raise self.instruction.error("a string has no end")

    def id(self) -> int:
        value = self.word()
        if not 0 < value < self.bound:
            raise self.instruction.error(f"the id %{value} does not lie between 1 and {self.bound - 1}")
        return value


@dataclass(frozen=True, slots=True)
class _Plan:
    """Holds the operation of an opcode, the places of its type and result, and the bounds of its number of words."""

    operation: Operation
    ids_only: bool
    skipped: int
    least: int
    most: int


@cache
def _plan(opcode: int) -> _Plan | None:
    operation = grammar().operations.get(opcode)
    if operation is None:
        return None
    kinds = operation.operands
    skipped = operation.has_type + operation.has_result
    most = 0xFFFF if kinds and kinds[-1].endswith("*") else skipped + len(kinds) + 1
    return _Plan(operation, operation.ids_only, skipped, skipped + sum(kind[-1] not in "?*" for kind in kinds), most)


_Found = list[tuple[str, Operand]]
_Field = Callable[[_Cursor, _Found], None]
"""Reads one operand, with its parameters."""


def decode(cursor: _Cursor) -> _Found:
    """Returns the operands with their kinds."""
    found: _Found = []
    for field, repeated, optional in _fields(cursor.instruction.operation):
        if repeated:
            while cursor.left:
                field(cursor, found)
        elif not optional or cursor.left:
            field(cursor, found)
    if cursor.left:
        raise cursor.instruction.error(f"{len(cursor.words) - cursor.place} words are left behind its operands")
    return found


@cache
def _fields(operation: Operation) -> tuple[tuple[_Field, bool, bool], ...]:
    """Returns how the operands are read, and which of them are repeated or optional."""
    return tuple((_field(kind.rstrip("?*")), kind.endswith("*"), kind.endswith("?")) for kind in operation.operands)


@cache
def _field(kind: str) -> _Field:
    if kind in ID_KINDS:
        return lambda cursor, found: found.append((kind, cursor.id()))
    if kind == "LiteralString":
        return lambda cursor, found: found.append((kind, cursor.string()))
    if kind in ("LiteralInteger", "LiteralFloat"):
        return lambda cursor, found: found.append((kind, cursor.word()))
    if kind in _OPEN:
        # How many words a literal has follows from a type, so whoever knows types reads them.
        return lambda cursor, found: found.extend((_OPEN[kind], word) for word in cursor.rest())
    if kind.startswith("Pair"):
        return _pair(_field("IdRef"), _field("IdRef" if kind == "PairIdRefIdRef" else "LiteralInteger"))
    if kind in ("LiteralExtInstInteger", "LiteralSpecConstantOpInteger"):
        return _other_instruction(kind)
    return _enumerant(kind)


def _pair(one: _Field, other: _Field) -> _Field:
    def read_both(cursor: _Cursor, found: _Found) -> None:
        one(cursor, found)
        other(cursor, found)

    return read_both


def _other_instruction(kind: str) -> _Field:
    """Returns a function that reads the number of another instruction and its operands, ids and literals."""

    def read_words(cursor: _Cursor, found: _Found) -> None:
        found.append((kind, cursor.word()))
        found.extend(("IdRef", word) for word in cursor.rest())

    return read_words


def _enumerant(kind: str) -> _Field:
    enumeration = grammar().enumerations[kind]

    def read_enumerant(cursor: _Cursor, found: _Found) -> None:
        value = cursor.word()
        found.append((kind, value))
        for each in _set_bits(value) if enumeration.is_mask else (value,):
            if each not in enumeration.names:
                raise cursor.instruction.error(f"{kind} has no {'bit ' if enumeration.is_mask else ''}{each}")
            for parameter in enumeration.parameters[each]:
                field = _field(parameter.rstrip("?*"))
                repeated = parameter.endswith("*")
                while cursor.left or not repeated:
                    field(cursor, found)
                    if not repeated:
                        break

    return read_enumerant


_OPEN = {"LiteralContextDependentNumber": "LiteralInteger", "PairLiteralIntegerIdRef": "LiteralInteger"}


def _set_bits(mask: int) -> list[int]:
    return [1 << bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def operands_with_kinds(instruction: Instruction, data: tuple[int, ...], bound: int) -> list[tuple[str, Operand]]:
    """Returns the operands of an instruction of a module's words, with the kinds that the grammar gives them."""
    count = data[instruction.word] >> 16
    skipped = 1 + instruction.operation.has_type + instruction.operation.has_result
    words = data[instruction.word + skipped : instruction.word + count]
    return [] if _repeats_type(instruction, words) else decode(_Cursor(instruction, words, bound))
