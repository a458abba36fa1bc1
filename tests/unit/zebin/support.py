"""Shared parts of the tests of `zebin`: samples, hand-made containers and the means to damage both."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

from xegpu.isa import ArgumentKind, CompiledKernel, ImplicitArgument, KernelArgument, KernelFacts
from zebin import Finding, FindingSeverity, Zebin, ZebinError, read, write
from zebin.elf.builder import ElfBuilder, RelocatedField
from zebin.elf.constants import (
    COMPAT_NOTE,
    VOID_PROGRAM,
    NoteType,
    RelocationType,
    SectionFlags,
    SectionType,
    SymbolBinding,
    SymbolType,
)
from zebin.elf.model import IDENT_SIZE, ElfClass, ElfFile, Section, StructureLayout, Symbol
from zebin.elf.notes import Note, write_notes
from zebin.elf.writer import write_elf
from zebin.errors import Report
from zebin.ze_info import ExecutionEnv, FunctionInfo, KernelInfo, KernelMiscInfo, ZeInfo
from zebin.ze_info.text import read_ze_info_text

DATA = Path(__file__).parents[2] / "data" / "zebin"
SAMPLES = sorted(DATA.glob("*.zebin"))
CODE = b"XeVISA\0\0" + bytes((1, 0, 0, 0, 64, 0, 0, 0))


def sample(name: str) -> bytes:
    return (DATA / name).read_bytes()


def records_of(text: str) -> ZeInfo:
    """The records of a text of `.ze_info` that need not describe kernels which a driver would accept."""
    return read_ze_info_text(text, Report())[0]


def findings(data: bytes, *, strict: bool = False) -> list[Finding]:
    """Everything that is found wrong with the file, readable or not."""
    try:
        return list(read(data, lenient=True, strict=strict).findings)
    except ZebinError as error:
        return list(error.findings)


def expect(data: bytes, severity: FindingSeverity, code: str, *, strict: bool = False) -> Finding:
    """The finding of this code; checks that the file is refused exactly when some finding is an error."""
    found = findings(data, strict=strict)
    matching = [finding for finding in found if finding.code == code]
    assert matching, f"expected {code}, got {[str(finding) for finding in found]}"
    assert severity in {finding.severity for finding in matching}
    refused = any(finding.severity is FindingSeverity.ERROR for finding in found)
    try:
        read(data, strict=strict)
    except ZebinError:
        assert refused
    else:
        assert not refused
    return next(finding for finding in matching if finding.severity is severity)


class Image:
    """A file whose fields can be overwritten by name."""

    def __init__(self, data: bytes):
        self.data = bytearray(data)
        self.elf = read(data, lenient=True).elf
        self.layouts = self.elf.elf_class.layouts
        self.table = self._get(self.layouts.header, IDENT_SIZE, "shoff")

    def _get(self, layout: StructureLayout, at: int, field: str) -> int:
        return layout.unpack(self.data, at)[field]

    def _set(self, layout: StructureLayout, at: int, changes: dict[str, int]) -> Image:
        self.data[at : at + layout.size] = layout.pack(**(layout.unpack(self.data, at) | changes))
        return self

    def index(self, section: str) -> int:
        return next(s.index for s in self.elf.sections if s.name == section)

    def ident(self, offset: int, value: int) -> Image:
        self.data[offset] = value
        return self

    def header(self, **changes: int) -> Image:
        return self._set(self.layouts.header, IDENT_SIZE, changes)

    def section(self, section: str | int, **changes: int) -> Image:
        index = section if isinstance(section, int) else self.index(section)
        return self._set(self.layouts.section, self.table + index * self.layouts.section.size, changes)

    def symbol(self, index: int, **changes: int) -> Image:
        at = self.elf.sections[self.index(".symtab")].offset
        return self._set(self.layouts.symbol, at + index * self.layouts.symbol.size, changes)

    def relocation(self, section: str, index: int, **changes: int) -> Image:
        at = self.elf.sections[self.index(section)].offset
        return self._set(self.layouts.rel, at + index * self.layouts.rel.size, changes)

    def content(self, section: str, offset: int, content: bytes) -> Image:
        at = self.elf.sections[self.index(section)].offset + offset
        self.data[at : at + len(content)] = content
        return self

    @property
    def bytes(self) -> bytes:
        return bytes(self.data)


VERSION_NOTE = Note.of_text(NoteType.ZEBIN_VERSION, "1.61")
NOTES = [
    Note.of_word(NoteType.PRODUCT_FAMILY, 1271),
    Note.of_word(NoteType.GFXCORE_FAMILY, 0xC08),
    Note.of_word(NoteType.TARGET_METADATA, 0),
    VERSION_NOTE,
]


def container(
    ze_info: str | bytes | None = None,
    *,
    texts: dict[str, bytes] | None = None,
    extra: list[Section] | None = None,
    symbols: list[Symbol] | None = None,
    notes: bytes | None = None,
    elf_class: ElfClass = ElfClass.ELF64,
) -> bytes:
    """A ZEBIN of hand-made parts: code sections by kernel name, then `extra`, then the usual tables.

    Without `ze_info`, the section is left out; without `symbols`, each kernel gets its own.
    """
    texts = {"k": CODE + bytes(176)} if texts is None else texts
    sections = [Section("", SectionType.NULL)]
    flags = SectionFlags.ALLOC | SectionFlags.EXECUTE
    sections += [Section(f".text.{name}", SectionType.PROGBITS, flags, code) for name, code in texts.items()]
    kernel_symbols = [Symbol("")]
    for index, name in enumerate(texts, start=1):
        kernel_symbols.append(Symbol(name, type=SymbolType.FUNC, section_index=index, size=16))
    sections += extra or []
    sections.append(Section(".symtab", SectionType.SYMTAB))
    if ze_info is not None:
        content = ze_info.encode() if isinstance(ze_info, str) else ze_info
        sections.append(Section(".ze_info", SectionType.ZEINFO, data=content))
    sections.append(Section(COMPAT_NOTE, SectionType.NOTE, data=write_notes(NOTES) if notes is None else notes))
    sections.append(Section(".strtab", SectionType.STRTAB))
    for index, section in enumerate(sections):
        section.index = index
    elf = ElfFile(
        sections,
        symbols=kernel_symbols if symbols is None else symbols,
        string_table=len(sections) - 1,
        symbol_table=next(section.index for section in sections if section.type == SectionType.SYMTAB),
        elf_class=elf_class,
    )
    return write_elf(elf)


def compiled_kernel(name: object = "gemm", **changes: object) -> CompiledKernel:
    """A kernel with an argument of each kind; `changes` are facts and other fields of the kernel."""
    pointer = ArgumentKind.POINTER
    facts = KernelFacts(
        simd_size=16,
        grf_count=128,
        arguments=(
            KernelArgument.at(32, 8, "a", "memref<256x256xbf16>", pointer, "readonly"),
            KernelArgument.at(40, 8, "c", "memref<?x8xf32>", pointer, "readwrite"),
            KernelArgument.at(48, 8, "c.size0", "index"),
            KernelArgument.at(56, 4, "alpha", "f32"),
        ),
        implicit_arguments=(ImplicitArgument("global_id_offset", 0, 12), ImplicitArgument("local_size", 12, 12)),
        local_id_dimensions=2,
    )
    names = {field.name for field in fields(KernelFacts)}
    changed = replace(facts, **{key: value for key, value in changes.items() if key in names})  # type: ignore[arg-type]
    others: dict[str, object] = {"name": name, "code": CODE + bytes(range(160)), "entry_offset": 16}
    others |= {key: value for key, value in changes.items() if key not in names}
    return CompiledKernel(facts=changed, **others)  # type: ignore[arg-type]


def with_external_function() -> bytes:
    """A module with a kernel, a function for other modules, constants, and relocations to both."""
    builder = ElfBuilder()
    flags = SectionFlags.ALLOC | SectionFlags.EXECUTE
    text = builder.add_section(".text.k", SectionType.PROGBITS, CODE + bytes(176), flags)
    shared = builder.add_section(f".text.{VOID_PROGRAM}", SectionType.PROGBITS, CODE + bytes(176), flags)
    constants = builder.add_section(".data.const", SectionType.PROGBITS, bytes(16), SectionFlags.ALLOC)
    builder.add_symbol("k", text, SymbolType.FUNC, size=64)
    builder.add_symbol("_entry", text, SymbolType.NOTYPE)
    builder.add_symbol(VOID_PROGRAM, shared, SymbolType.FUNC, size=32)
    function = builder.add_symbol("helper", shared, SymbolType.FUNC, 0, 32, SymbolBinding.GLOBAL)
    table = builder.add_symbol("table", constants, SymbolType.OBJECT, 0, 16, SymbolBinding.GLOBAL)
    builder.add_patches(text.index, [RelocatedField(32, RelocationType.SYM_ADDR, function)])
    builder.add_patches(constants.index, [RelocatedField(8, RelocationType.SYM_ADDR, table)])
    env = ExecutionEnv(grf_count=128, simd_size=16)
    ze_info = ZeInfo(
        version="1.61",
        kernels=[KernelInfo(name=name, execution_env=env) for name in ("k", VOID_PROGRAM)],
        functions=[FunctionInfo(name="helper", execution_env=env)],
        kernels_misc_info=[KernelMiscInfo(name=VOID_PROGRAM)],
    )
    file = builder.finish([Section(".ze_info", SectionType.ZEINFO), Section(COMPAT_NOTE, SectionType.NOTE)])
    return write(Zebin(file, NOTES, ze_info))
