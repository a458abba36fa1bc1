"""The text of native programs: labels and instructions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from xegpu.isa.formats import EncodeError
from xegpu.isa.native.encoding.instruction import (
    COMPACT_BYTES,
    WIDE_BYTES,
    NativeInstruction,
    decode_native,
    encode_native,
)
from xegpu.isa.native.text.listing import NativeLines
from xegpu.isa.native.text.parser import read_statement
from xegpu.isa.native.text.statements import NativeStatement
from xegpu.isa.notation.scanner import AssemblyError, Scanner, blank_comments
from xegpu.on_demand import dataclass
from xegpu.targets import Platform

_LABEL = re.compile(r"([A-Za-z_]\w*)\s*:(?!\w)")
_NUMBER = re.compile(r"[-+]?\d+")
MAX_ERRORS = 20


def native_instructions(platform: Platform, code: bytes) -> Iterator[tuple[int, NativeInstruction]]:
    """Yields the instructions of code with their byte offsets; zeros that are no whole word end it.

    Raises `DecodeError` at the first word that is no instruction.
    """
    offset = 0
    while offset < len(code) and (len(code) - offset >= WIDE_BYTES or any(code[offset:])):
        instruction = decode_native(platform, code, offset)
        yield offset, instruction
        offset += instruction.size


def native_lines(platform: Platform, code: bytes) -> Iterator[tuple[int | None, str]]:
    """Yields the text of code line by line with the byte offsets of instructions; labels have none.

    Raises:
        DecodeError: A word is no instruction.

    """
    lines = NativeLines(platform, code)
    yield from lines
    if lines.error is not None:
        raise lines.error


def format_native_program(platform: Platform, code: bytes) -> str:
    """Returns the text of code. Raises `DecodeError`."""
    return "".join(f"{text}\n" for _, text in native_lines(platform, code))


@dataclass(frozen=True)
class NativeAssembly:
    """Assembled text: its code, the byte offset of each label, and the line of the instruction at each offset."""

    code: bytes
    labels: Mapping[str, int]
    lines: Mapping[int, int]


def assemble_native(platform: Platform, text: str) -> bytes:
    """Returns the code of a text. Raises `AssemblyError`, with up to `MAX_ERRORS` errors."""
    return assemble_native_program(platform, text).code


def assemble_native_program(platform: Platform, text: str) -> NativeAssembly:
    """Returns the code of a text with its places. Raises `AssemblyError`, with up to `MAX_ERRORS` errors."""
    labels: dict[str, int] = {}
    statements: list[tuple[int, NativeStatement]] = []
    errors: list[AssemblyError] = []
    offset = 0
    for number, line in enumerate(blank_comments(text).split("\n"), 1):
        scanner = Scanner(line, number)
        try:
            while (label := scanner.match(_LABEL)) is not None:
                if labels.setdefault(label[1], offset) != offset:
                    scanner.fail(f"the label '{label[1]}' is defined twice", 1)
            if scanner.at_end:
                continue
            statement = read_statement(platform, scanner)
            statements.append((offset, statement))
            offset += COMPACT_BYTES if statement.is_compact else WIDE_BYTES
        except AssemblyError as error:
            errors.append(error)
            offset += WIDE_BYTES
    code = b""
    for start, statement in statements:
        try:
            code += encode_native(statement.instruction(_distances(statement, start, labels)))
        except EncodeError as error:
            errors.append(AssemblyError(statement.line, 1, str(error)))
        except AssemblyError as error:
            errors.append(error)
    if errors:
        first, *others = sorted(errors, key=lambda error: (error.line, error.column))[:MAX_ERRORS]
        raise AssemblyError(first.line, first.column, first.message, tuple(others))
    return NativeAssembly(code, labels, {start: statement.line for start, statement in statements})


def _distances(statement: NativeStatement, start: int, labels: Mapping[str, int]) -> dict[str, int]:
    """Returns the distances from a statement to its targets, which are labels or the distances themselves."""
    distances = {}
    for name, (label, column) in statement.labels.items():
        if _NUMBER.fullmatch(label):
            distances[name] = int(label)
        elif label in labels:
            distances[name] = labels[label] - start
        else:
            raise AssemblyError(statement.line, column, f"the label '{label}' is not defined")
        if not -(1 << 31) <= distances[name] < 1 << 31:
            raise AssemblyError(statement.line, column, f"{label} is no distance of 32 bits")
    return distances
