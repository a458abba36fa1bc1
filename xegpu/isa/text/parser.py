"""Reads one instruction in the notation that `xegpu.isa.text.disassembler` writes.

The following may be left out: subregister 0 (`r10` is `r10.0`), regions (`<1>` and `<1;1,0>`, or `<0;1,0>` for one
channel), the register counts of messages, and `(1|M0)` of instructions without operands. `<S>` on a source is short for
`<S;1,0>`.
"""

from __future__ import annotations

import re

from xegpu.isa.formats.spec import FORMATS
from xegpu.isa.model.instruction import Instruction, Predicate
from xegpu.isa.model.table import BY_MNEMONIC
from xegpu.isa.notation.reader import OperandContext, Reading, parse_control
from xegpu.isa.notation.scanner import Scanner
from xegpu.on_demand import dataclass

_MNEMONIC = re.compile(r"[A-Za-z_]\w*((?:\.\w+)*)")
_CHANNELS = re.compile(r"\(\s*(\d+)\s*\|\s*M(\d+)\s*\)")


@dataclass(frozen=True)
class Statement:
    """An instruction as written, with the labels in it: for each the field that it is for, its name and its column.

    The fields are those of distances, and `offset`: the constant of the instruction.
    """

    instruction: Instruction
    line: int
    column: int
    labels: tuple[tuple[str, str, int], ...] = ()


@dataclass(frozen=True)
class Head:
    """The beginning of an instruction: mask, predicate, and the parts of the name, which starts at column `start`."""

    no_mask: bool
    predicate: Predicate | None
    parts: tuple[str, ...]
    column: int
    start: int


def parse_head(scanner: Scanner) -> Head:
    """Reads `(W&f0.0) load.ugm.d32.a64`; raises `AssemblyError`."""
    column = scanner.column
    no_mask, predicate = parse_control(scanner)
    start = scanner.column
    match = scanner.expect_match(_MNEMONIC, "an instruction")
    return Head(no_mask, predicate, tuple(match.group().split(".")), column, start)


def parse_instruction(scanner: Scanner, context: OperandContext, head: Head) -> Statement:
    """Reads the rest of an instruction, which takes up the rest of the line; raises `AssemblyError`."""
    named = 2 if ".".join(head.parts[:2]) in BY_MNEMONIC else 1
    mnemonic, qualifiers = ".".join(head.parts[:named]), list(head.parts[named:])
    spec = BY_MNEMONIC.get(mnemonic)
    if spec is None:
        scanner.fail(f"unknown instruction '{mnemonic}'", head.start)
    format = FORMATS[spec.format]
    size, offset = (1, 0) if format.may_omit_channels and not scanner.at("(") else parse_channels(scanner)
    reading = Reading(scanner, context, qualifiers, head.start)
    instruction = format.parse(reading, Instruction(spec, size, offset, head.no_mask, head.predicate))
    scanner.expect_end()
    return Statement(instruction, scanner.line, head.column, tuple(reading.labels))


def parse_channels(scanner: Scanner) -> tuple[int, int]:
    """Reads `(16|M0)`: execution size and channel offset."""
    match = scanner.expect_match(_CHANNELS, "execution size and channel offset such as (16|M0)")
    return int(match[1]), int(match[2])
