"""Constants of DWARF 4 that line tables need, and its variable-length integers (section 7.6)."""

from __future__ import annotations

from enum import IntEnum

VERSION = 4
ADDRESS_BYTES = 8


class DwarfTag(IntEnum):
    """Tags of entries in `.debug_info` (DWARF 4, section 7.5.3)."""

    COMPILE_UNIT = 0x11
    SUBPROGRAM = 0x2E


class DwarfAttribute(IntEnum):
    """Attributes of entries (DWARF 4, section 7.5.4)."""

    NAME = 0x03
    STMT_LIST = 0x10
    LOW_PC = 0x11
    HIGH_PC = 0x12
    LANGUAGE = 0x13
    COMP_DIR = 0x1B
    PRODUCER = 0x25
    DECL_FILE = 0x3A
    DECL_LINE = 0x3B


class DwarfForm(IntEnum):
    """Encodings of attribute values (DWARF 4, section 7.5.4)."""

    ADDR = 0x01
    DATA2 = 0x05
    DATA8 = 0x07
    STRING = 0x08
    UDATA = 0x0F
    SEC_OFFSET = 0x17


LANGUAGE_ASSEMBLER = 0x8001
"""`DW_LANG_Mips_Assembler`, which assemblers state for text of any instruction set. MLIR has no number of its own."""


class StandardOpcode(IntEnum):
    """Standard opcodes of a line program (DWARF 4, section 6.2.5.2)."""

    COPY = 1
    ADVANCE_PC = 2
    ADVANCE_LINE = 3
    SET_FILE = 4
    SET_COLUMN = 5
    NEGATE_STMT = 6
    SET_BASIC_BLOCK = 7
    CONST_ADD_PC = 8
    FIXED_ADVANCE_PC = 9
    SET_PROLOGUE_END = 10
    SET_EPILOGUE_BEGIN = 11
    SET_ISA = 12


STANDARD_LENGTHS = (0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1)
"""Number of LEB128 operands of each standard opcode."""


class ExtendedOpcode(IntEnum):
    """Extended opcodes of a line program (DWARF 4, section 6.2.5.3)."""

    END_SEQUENCE = 1
    SET_ADDRESS = 2
    DEFINE_FILE = 3
    SET_DISCRIMINATOR = 4


def uleb(value: int) -> bytes:
    """Returns the unsigned LEB128 encoding."""
    output = bytearray()
    while value > 0x7F:
        output.append(value & 0x7F | 0x80)
        value >>= 7
    output.append(value)
    return bytes(output)


def sleb(value: int) -> bytes:
    """Returns the signed LEB128 encoding."""
    output = bytearray()
    while not -0x40 <= value < 0x40:
        output.append(value & 0x7F | 0x80)
        value >>= 7
    output.append(value & 0x7F)
    return bytes(output)
