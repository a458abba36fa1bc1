"""The assembler: text in the manner of spirv-as, and of the disassembler, as a module."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from passes.frontends.spirv.grammar import ID_KINDS, Operation, grammar
from passes.frontends.spirv.reader import MAGIC

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s;"]+|;.*|"')
_VERSION = re.compile(r"; *(?:Version: |SPIR-V )1\.([0-6])\b")
_NEWEST = 6
_LARGEST_ID = 1 << 22
_FLOATS = {16: "<e", 32: "<f", 64: "<d"}
_MOST_WORDS = (1 << 16) - 1


class AssemblyError(Exception):
    """A text that is no module. `line` is where, counting from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message, line)
        self.message = message
        self.line = line


def assemble(text: str) -> bytes:
    """Returns the module of a text.

    Numbers of ids stay, and names get others. A comment `; Version: 1.x` tells the version, which is 1.6 otherwise.
    `!5` stands for any word.

    Raises:
        AssemblyError: The text does not follow the grammar.
    """
    found = _VERSION.search(text)
    version = int(found[1]) if found else _NEWEST
    assembler = _Assembler(text)
    words = [word for number, line in enumerate(text.splitlines(), 1) for word in assembler.line(line, number)]
    return struct.pack(f"<{len(words) + 5}I", MAGIC, 1 << 16 | version << 8, 0, assembler.bound, 0, *words)


@dataclass
class _Operands:
    """The operands of an instruction that are left, and the words of those that are done."""

    tokens: list[str]
    line: int
    type: tuple[str, int, bool] | None = None
    """The numbers that literals are: integers or floats, their bits, and whether they have a sign."""
    words: list[int] = field(default_factory=list)

    def error(self, message: str) -> AssemblyError:
        return AssemblyError(message, self.line)

    def take(self, what: str) -> str:
        if not self.tokens:
            raise self.error(f"expected {what}")
        return self.tokens.pop(0)


class _Assembler:
    def __init__(self, text: str) -> None:
        taken = (int(number) for number in re.findall(r"%(\d+)\b", text) if len(number) < 8)
        self.bound = min(max(taken, default=0), _LARGEST_ID) + 1
        self._ids: dict[str, int] = {}
        self._numbers: dict[int, tuple[str, int, bool]] = {}
        self._types: dict[int, int] = {}

    def line(self, text: str, number: int) -> Sequence[int]:
        """Returns the words of a line."""
        tokens = [token for token in _TOKEN.findall(text) if not token.startswith(";")]
        operands = _Operands(tokens, number)
        if not tokens:
            return ()
        result = None
        if len(tokens) > 1 and tokens[1] == "=":
            result = self._id(operands)
            tokens.pop(0)
        name = operands.take("an instruction")
        operation = _operations().get(name)
        if operation is None:
            raise operands.error(f"{name!r} is no instruction of SPIR-V")
        if operation.has_result != (result is not None):
            raise operands.error(f"{name} has {'a' if operation.has_result else 'no'} result")
        kind = self._id(operands) if operation.has_type else None
        head = [each for each in (kind, result) if each is not None]
        self._learn(operation, operands, result, kind)
        self._operands(operation.operands, operands)
        if operands.tokens:
            raise operands.error(f"{name} has {operands.tokens[0]} too much")
        words = [*head, *operands.words]
        if len(words) >= _MOST_WORDS:
            raise operands.error(f"{name} has {len(words)} words, at most {_MOST_WORDS - 1} are possible")
        return (len(words) + 1 << 16 | operation.opcode, *words)

    def _learn(self, operation: Operation, operands: _Operands, result: int | None, kind: int | None) -> None:
        """Notes the types of numbers and values, and finds the type of the literals of an instruction."""
        if result is not None and operation.name in ("OpTypeInt", "OpTypeFloat") and operands.tokens:
            bits = int(operands.tokens[0]) if operands.tokens[0].isdigit() else 0
            is_signed = operation.name == "OpTypeInt" and operands.tokens[-1] == "1"
            self._numbers[result] = (operation.name, min(bits, 64), is_signed)
        if result is not None and kind is not None:
            self._types[result] = kind
        if operation.name == "OpSwitch" and operands.tokens:
            kind = self._types.get(self._ids.get(operands.tokens[0], 0))
        operands.type = self._numbers.get(kind) if kind is not None else None

    def _operands(self, kinds: Sequence[str], operands: _Operands) -> None:
        for kind in kinds:
            plain = kind.rstrip("?*")
            if kind.endswith("*"):
                while operands.tokens:
                    self._operand(plain, operands)
            elif operands.tokens or not kind.endswith("?"):
                self._operand(plain, operands)

    def _operand(self, kind: str, operands: _Operands) -> None:
        if operands.tokens and operands.tokens[0].startswith("!"):
            while operands.tokens and operands.tokens[0].startswith("!"):
                operands.words.append(self._integer(operands, operands.take("a word")[1:]))
        elif kind in ID_KINDS:
            operands.words.append(self._id(operands))
        elif kind == "LiteralString":
            operands.words += self._string(operands)
        elif kind == "LiteralContextDependentNumber":
            operands.words += self._number(operands)
        elif kind == "PairLiteralIntegerIdRef":
            operands.words += self._number(operands)
            operands.words.append(self._id(operands))
        elif kind.startswith("Pair"):
            self._operand("IdRef", operands)
            self._operand("IdRef" if kind == "PairIdRefIdRef" else "LiteralInteger", operands)
        elif kind in ("LiteralExtInstInteger", "LiteralSpecConstantOpInteger"):
            self._nested(kind, operands)
        elif kind in grammar().enumerations:
            self._enumerant(kind, operands)
        else:
            operands.words.append(self._integer(operands, operands.take("a number")))

    def _nested(self, kind: str, operands: _Operands) -> None:
        """Writes the name of another instruction, and its operands: ids and numbers."""
        name = operands.take("an instruction")
        known = (
            _operations().get(f"Op{name.removeprefix('Op')}")
            if kind == "LiteralSpecConstantOpInteger"
            else _opencl().get(name)
        )
        operands.words.append(self._integer(operands, name) if known is None else known.opcode)
        while operands.tokens:
            is_id = operands.tokens[0].startswith("%")
            operands.words.append(self._id(operands) if is_id else self._integer(operands, operands.take("")))

    def _enumerant(self, kind: str, operands: _Operands) -> None:
        enumeration = grammar().enumerations[kind]
        token = operands.take(kind)
        names = token.split("|") if enumeration.is_mask else [token]
        values = [self._value(kind, name, operands) for name in names]
        operands.words.append(sum(set(values)))
        for value in sorted(values):
            self._operands(enumeration.parameters.get(value, ()), operands)

    def _value(self, kind: str, name: str, operands: _Operands) -> int:
        value = grammar().enumerations[kind].values.get(name)
        if value is None and not name.isdigit():
            raise operands.error(f"{kind} has no {name!r}")
        return self._integer(operands, name) if value is None else value

    def _id(self, operands: _Operands) -> int:
        token = operands.take("an id")
        if not re.fullmatch(r"%[\w.$]+", token):
            raise operands.error(f"expected an id, got {token}")
        if token not in self._ids:
            number = int(token[1:]) if token[1:].isdecimal() and len(token) < 9 else 0
            if token[1:].isdecimal() and not 0 < number < _LARGEST_ID:
                raise operands.error(f"{token} is not between %1 and %{_LARGEST_ID - 1}")
            self._ids[token] = number or self.bound
            self.bound += not number
        return self._ids[token]

    @staticmethod
    def _string(operands: _Operands) -> list[int]:
        token = operands.take("a string")
        if len(token) < 2 or token[0] != '"':
            raise operands.error(f"expected a string, got {token}")
        data = re.sub(r"\\(.)", r"\1", token[1:-1]).encode("utf-8", "surrogateescape") + b"\0"
        data += bytes(-len(data) % 4)
        return [*struct.unpack(f"<{len(data) // 4}I", data)]

    def _number(self, operands: _Operands) -> list[int]:
        """Returns the words of a literal, whose type the instruction tells."""
        token = operands.take("a number")
        if operands.type is None:
            raise operands.error("the type of its number is not declared before")
        name, bits, is_signed = operands.type
        if name == "OpTypeFloat":
            value = self._float(operands, token, bits)
        else:
            value = self._integer(operands, token, bits)
            if is_signed and bits < 32 and value >> bits - 1 & 1:
                value |= (1 << 32) - (1 << bits)
        return [value & 0xFFFFFFFF, *([value >> 32] if bits > 32 else [])]

    @staticmethod
    def _float(operands: _Operands, token: str, bits: int) -> int:
        try:
            value = float.fromhex(token) if "0x" in token.lower() else float(token)
            data = struct.pack(_FLOATS[bits], value)
        except (ValueError, OverflowError, KeyError):
            raise operands.error(f"{token} is no number of {bits} bits") from None
        return int.from_bytes(data, "little")

    @staticmethod
    def _integer(operands: _Operands, token: str, bits: int = 32) -> int:
        try:
            value = int(token, 0) if len(token) < 24 else 1 << 64
        except ValueError:
            raise operands.error(f"expected a number, got {token}") from None
        if not -(1 << bits - 1) <= value < 1 << bits:
            raise operands.error(f"{token} does not fit {bits} bits")
        return value & (1 << bits) - 1


@cache
def _operations() -> dict[str, Operation]:
    return {each.name: each for each in grammar().operations.values()}


@cache
def _opencl() -> dict[str, Operation]:
    return {each.name: each for each in grammar().opencl.values()}
