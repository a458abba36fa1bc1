"""Constants of ELF as ZEBIN uses it."""

from __future__ import annotations

from enum import IntEnum, IntFlag

MAGIC = b"\x7fELF"
MACHINE_INTELGT = 205
ABI_VERSIONS = (1, 2)
TEXT_PREFIX = ".text."
DEBUG_PREFIX = ".debug_"
ZE_INFO = ".ze_info"
COMPAT_NOTE = ".note.intelgt.compat"
METRICS_NOTE = ".note.intelgt.metrics"
"""The metrics note. Its size may describe data that is elsewhere while its offset points at 64 zero bytes."""

ENTRY_SYMBOL = "_entry"
STRINGS = ".data.const.string"
"""The section of printf format strings, each terminated by a zero byte. A local symbol `printf.<kernel>` covers those
of a kernel."""

PRINTF_PREFIX = "printf."
GRID_PREFIXES = tuple(f"known_grid_size.{dimension}." for dimension in "xyz")
"""Local absolute symbols `known_grid_size.x.<kernel>` and so on state how many work-groups a kernel was made for, which
`.ze_info` has no key for. A dimension that is not stated is 1."""

FUNCTION_PREFIX = "function_address."
"""Local absolute symbols `function_address.<function>` state the numbers by which code tells functions apart that the
host may name, where calls of them are inlined."""

VOID_PROGRAM = "Intel_Symbol_Table_Void_Program"
"""The pseudo kernel that owns the functions and variables that no kernel owns."""


def name_of(numbers: type[IntEnum], value: int) -> str:
    """Returns the name of `value` in an enumeration, its digits if it has none."""
    try:
        return numbers(value).name
    except ValueError:
        return f"{value:#x}"


ABSOLUTE = 0xFFF1
"""`SHN_ABS` (ELF gABI, chapter 4, "Special Section Indexes"): the symbol's value is a number and no address."""


class FileType(IntEnum):
    """`e_type` (ELF gABI, chapter 4, "ELF Header"). Drivers accept `REL` and `ZEBIN_EXE` only."""

    REL = 1
    EXEC = 2
    ZEBIN_REL = 0xFF11
    ZEBIN_EXE = 0xFF12
    ZEBIN_DYN = 0xFF13


class SectionType(IntEnum):
    """`sh_type` (ELF gABI, chapter 4, "Sections")."""

    NULL = 0
    PROGBITS = 1
    SYMTAB = 2
    STRTAB = 3
    RELA = 4
    NOTE = 7
    NOBITS = 8
    REL = 9
    SPIRV = 0xFF000009
    ZEINFO = 0xFF000011
    GTPIN_INFO = 0xFF000012
    VISAASM = 0xFF000013
    MISC = 0xFF000014
    PISA = 0xFF000015


class SectionFlags(IntFlag):
    """`sh_flags` (ELF gABI, chapter 4, "Sections")."""

    WRITE = 1
    ALLOC = 2
    EXECUTE = 4


class SymbolBinding(IntEnum):
    """The high half of `st_info` (ELF gABI, chapter 4, "Symbol Table")."""

    LOCAL = 0
    GLOBAL = 1
    WEAK = 2


class SymbolVisibility(IntEnum):
    """The low two bits of `st_other` (ELF gABI, chapter 4, "Symbol Table")."""

    DEFAULT = 0
    INTERNAL = 1
    HIDDEN = 2
    PROTECTED = 3


class SymbolType(IntEnum):
    """The low half of `st_info` (ELF gABI, chapter 4, "Symbol Table")."""

    NOTYPE = 0
    OBJECT = 1
    FUNC = 2
    SECTION = 3
    FILE = 4


class RelocationType(IntEnum):
    """The value that a relocation writes: an address, half of one, or a number that the runtime knows."""

    NONE = 0
    SYM_ADDR = 1
    SYM_ADDR_32 = 2
    SYM_ADDR_32_HI = 3
    PER_THREAD_PAYLOAD_OFFSET_32 = 4
    GLOBAL_IMM_32 = 5
    SEND = 6
    SYM_ADDR_16 = 7


class NoteType(IntEnum):
    """Record types of `.note.intelgt.compat`."""

    PRODUCT_FAMILY = 1
    GFXCORE_FAMILY = 2
    TARGET_METADATA = 3
    ZEBIN_VERSION = 4
    VISA_ABI_VERSION = 5
    PRODUCT_CONFIG = 6
    INDIRECT_ACCESS_DETECTION_VERSION = 7
    INDIRECT_ACCESS_BUFFER_MAJOR_VERSION = 8
