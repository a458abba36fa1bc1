"""ELF as ZEBIN uses it: a model of the file, a reader that checks every value, and a writer."""

from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    from zebin.elf.constants import (
        ENTRY_SYMBOL as ENTRY_SYMBOL,
        STRINGS as STRINGS,
        RelocationType as RelocationType,
        SectionType as SectionType,
        SymbolBinding as SymbolBinding,
        SymbolType as SymbolType,
        SymbolVisibility as SymbolVisibility,
    )
    from zebin.elf.model import (
        Buffer as Buffer,
        ElfClass as ElfClass,
        ElfFile as ElfFile,
        Relocation as Relocation,
        Section as Section,
        Symbol as Symbol,
    )
    from zebin.elf.reader import read_elf as read_elf
    from zebin.elf.writer import write_elf as write_elf
