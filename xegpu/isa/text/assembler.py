"""Text to code: the program around the instructions.

    .isa 2.0                    version of the notation (optional)
    .grf 64                     bytes of a register; 64 if absent
    .reg acc = r32              a name for a register
    loop:                       a label
        (W&f0.0) jmpi (1|M0) loop

Comments are `// ...` and `/* ... */`; an instruction, directive or label ends with its line (a label may stand before
an instruction on the same line). `if`, loops and `halt` become gotos and joins: see `xegpu.isa.text.structured`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from xegpu.isa.code.program import VERSION, encode_header, instruction_offsets
from xegpu.isa.formats.codec import encode
from xegpu.isa.formats.parts.word import WORD_BYTES
from xegpu.isa.model.instruction import IllegalInstruction, Instruction
from xegpu.isa.model.operands import Immediate
from xegpu.isa.model.types import DataType
from xegpu.isa.notation.reader import MAX_REGISTER, NAME, REGISTER_NAME, RESERVED, OperandContext
from xegpu.isa.notation.scanner import AssemblyError, Scanner, blank_comments
from xegpu.isa.text.parser import Statement, parse_head, parse_instruction
from xegpu.isa.text.structured import WORDS, Structures
from xegpu.on_demand import dataclass
from xegpu.targets import register_sizes

MAX_ERRORS = 20
"""Errors that are collected before giving up."""

_LABEL = re.compile(r"([A-Za-z_]\w*)\s*:")
_DIRECTIVE = re.compile(r"\.([A-Za-z_]\w*)")
_VERSION = re.compile(r"(\d+)\.(\d+)")
_BYTES = re.compile(r"\d+")


@dataclass(frozen=True)
class Assembly:
    """An assembled program: its code, and the instructions with the line and column where each is written."""

    code: bytes
    grf_bytes: int
    instructions: tuple[Instruction, ...]
    places: tuple[tuple[int, int], ...]


def assemble(text: str, *, grf_bytes: int = 64) -> bytes:
    """Returns the code, header word and instructions, of a program.

    Registers have `grf_bytes` bytes unless the text has a `.grf` directive.

    Raises `AssemblyError` for the first error, with up to 19 more in `others`. What a certain target forbids is not an
    error here: see `xegpu.isa.validate`.
    """
    return assemble_program(text, grf_bytes=grf_bytes).code


def assemble_program(text: str, *, grf_bytes: int = 64) -> Assembly:
    """Assembles like `assemble`, and keeps the location of every instruction."""
    assembler = _Assembler(grf_bytes)
    try:
        for number, line in enumerate(blank_comments(text).split("\n"), 1):
            assembler.read_line(Scanner(line, number))
    except AssemblyError as error:
        assembler.report(error)
    return assembler.finish()


class _Assembler:
    """The state of one assembly: the statements read so far."""

    def __init__(self, grf_bytes: int):
        self.grf_bytes = grf_bytes
        self.names: dict[str, int] = {}
        self.labels: dict[str, int] = {}
        self.statements: list[Statement] = []
        self.structures = Structures(self.statements, self.labels)
        self.seen: set[str] = set()
        self.errors: list[AssemblyError] = []

    def report(self, error: AssemblyError) -> None:
        self.errors.append(error)

    def read_line(self, scanner: Scanner) -> None:
        """Reads a line; an error in it is remembered, the one too many is raised."""
        try:
            while (label := scanner.match(_LABEL)) is not None:
                self._define_label(scanner, label)
            if directive := scanner.match(_DIRECTIVE):
                self._directive(scanner, directive.group(1), directive.start() + 1)
            elif not scanner.at_end:
                self._instruction(scanner)
        except AssemblyError as error:
            if len(self.errors) == MAX_ERRORS - 1:
                raise
            self.report(error)

    def _define_label(self, scanner: Scanner, match: re.Match[str]) -> None:
        name = match.group(1)
        if name in self.labels:
            scanner.fail(f"label '{name}' is already defined", match.start() + 1)
        self.labels[name] = len(self.statements)

    def _instruction(self, scanner: Scanner) -> None:
        head = parse_head(scanner)
        if head.parts[0] in WORDS:
            self.structures.read(scanner, head)
            return
        statement = parse_instruction(scanner, OperandContext(self.grf_bytes, self.names), head)
        if statement.instruction.ends_thread:
            self.structures.before_eot(statement.line, statement.column)
        self.statements.append(statement)

    def _directive(self, scanner: Scanner, name: str, column: int) -> None:
        if name == "reg":
            self._name_register(scanner)
        elif name not in ("isa", "grf"):
            scanner.fail(f"unknown directive '.{name}', expected .isa, .grf or .reg", column)
        elif name in self.seen or self.statements:
            scanner.fail(f".{name} must come once, before the first instruction", column)
        elif name == "isa":
            self._check_version(scanner)
        else:
            self._set_register_size(scanner)
        self.seen.add(name)
        scanner.expect_end()

    def _check_version(self, scanner: Scanner) -> None:
        column = scanner.column
        match = scanner.expect_match(_VERSION, "a version such as 2.0")
        if (int(match[1]), int(match[2])) != VERSION:
            scanner.fail(f"version {match.group()}, this assembler knows {VERSION[0]}.{VERSION[1]}", column)

    def _set_register_size(self, scanner: Scanner) -> None:
        column = scanner.column
        size = int(scanner.expect_match(_BYTES, "bytes of a register").group())
        if size not in (known := register_sizes()):
            scanner.fail(f"no target has registers of {size} bytes: {' or '.join(map(str, known))}", column)
        self.grf_bytes = size

    def _name_register(self, scanner: Scanner) -> None:
        column = scanner.column
        name = scanner.expect_match(NAME, "a name").group()
        if name in RESERVED or REGISTER_NAME.fullmatch(name):
            scanner.fail(f"'{name}' is an operand and cannot be a name", column)
        if name in self.names:
            scanner.fail(f"register name '{name}' is already defined", column)
        scanner.expect("=")
        column = scanner.column
        number = int(scanner.expect_match(REGISTER_NAME, "a register")[1])
        if number > MAX_REGISTER:
            scanner.fail(f"no register r{number}: registers are r0 to r{MAX_REGISTER}", column)
        self.names[name] = number

    def finish(self) -> Assembly:
        """Resolves labels and encodes; raises the errors that were reported."""
        if not self.errors:
            self.errors += self.structures.finish()
        instructions = [] if self.errors else self._resolved()
        words = [] if self.errors else self._encoded(instructions)
        if self.errors:
            first, *others = sorted(self.errors, key=lambda error: (error.line, error.column))
            raise AssemblyError(first.line, first.column, first.message, tuple(others[: MAX_ERRORS - 1]))
        places = tuple((statement.line, statement.column) for statement in self.statements)
        code = encode_header(self.grf_bytes) + b"".join(words)
        return Assembly(code, self.grf_bytes, tuple(instructions), places)

    def _resolved(self) -> list[Instruction]:
        """Returns the instructions, with distances in place of labels."""
        offsets = instruction_offsets([statement.instruction for statement in self.statements])
        starts = set(offsets[:-1])
        instructions: list[Instruction] = []
        for statement, offset in zip(self.statements, offsets, strict=False):
            instruction = statement.instruction
            for field, label, column in statement.labels:
                index = self.labels.get(label)
                if index is None:
                    self.report(AssemblyError(statement.line, column, f"undefined label '{label}'"))
                elif field == "offset":
                    instruction = _with_offset(instruction, WORD_BYTES + offsets[index])
                else:
                    instruction = instruction.with_distance(field, offsets[index] - offset)
            if any(offset + distance not in starts for distance in instruction.distances):
                self.report(
                    AssemblyError(
                        statement.line, statement.column, "the branch does not go to an instruction of the program"
                    )
                )
            instructions.append(instruction)
        return instructions

    def _encoded(self, instructions: list[Instruction]) -> list[bytes]:
        words: list[bytes] = []
        for statement, instruction in zip(self.statements, instructions, strict=True):
            try:
                words.append(encode(instruction))
            except IllegalInstruction as error:
                self.report(AssemblyError(statement.line, statement.column, str(error)))
        return words


def _with_offset(instruction: Instruction, offset: int) -> Instruction:
    """Returns the instruction with a byte offset as its constant."""
    return replace(instruction, sources=(*instruction.sources[:-1], Immediate(DataType.UD, offset)))
