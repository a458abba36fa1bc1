"""Differences of whole files: header and target, `.ze_info`, kernels with their code, other sections, symbols."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from zebin.binary.model import Zebin, ZebinKernel
from zebin.diff.change import Change, by_label, differing_values, merged_keys
from zebin.diff.code import difference_of_bytes, instruction_diff
from zebin.diff.records import differing_records
from zebin.elf.constants import COMPAT_NOTE, ENTRY_SYMBOL, TEXT_PREFIX, FileType, SectionType, SymbolBinding, name_of
from zebin.elf.model import Relocation, Section
from zebin.ze_info.schema import KernelCostInfo, KernelInfo, KernelMiscInfo, ZeInfo

_SHOWN_ELSEWHERE = (
    SectionType.NULL,
    SectionType.SYMTAB,
    SectionType.STRTAB,
    SectionType.REL,
    SectionType.RELA,
    SectionType.ZEINFO,
)
"""Sections that are compared by their meaning."""

_KERNEL_LISTS = frozenset(("kernels", "functions", "kernels_misc_info", "kernels_cost_info"))
_NAME = frozenset(("name",))
_TEXT_SHOWN = 200
_TABLE_LIMIT = 100_000
"""Symbols or relocations up to which they are compared; more are only counted, to save memory."""


def diff(old: Zebin, new: Zebin) -> list[Change]:
    """Returns all differences in the order of a dump.

    Kernels, functions and symbols are compared with those of the same name, code by its instructions. The result is
    empty if a driver could not tell the contents of the files apart.
    """
    return list(_differences(old, new))


def _differences(old: Zebin, new: Zebin) -> Iterator[Change]:
    yield from differing_values("file", "", _header(old), _header(new))
    yield from differing_values("target", "", _notes(old), _notes(new))
    before, after = old.ze_info or ZeInfo(kernels=[]), new.ze_info or ZeInfo(kernels=[])
    yield from differing_records("ze_info", "", before, after, without=_KERNEL_LISTS)
    yield from _kernels(_Side(old, before), _Side(new, after))
    # Code sections of kernels that only one file has are implied by the difference of the kernels.
    unpaired = frozenset(TEXT_PREFIX + name for name in old.kernels.keys() ^ new.kernels.keys())
    yield from _sections(old, new, unpaired)
    yield from differing_values("symbols", "", _symbols(old, unpaired), _symbols(new, unpaired))
    yield from _relocations(old, new, unpaired)


def _header(zebin: Zebin) -> dict[str, str]:
    elf = zebin.elf
    return {
        "class": f"ELF{elf.elf_class.bits}",
        "type": name_of(FileType, elf.file_type),
        "machine": str(elf.machine),
        "flags": f"{elf.flags:#x}",
        "ABI version": str(elf.abi_version),
    }


def _notes(zebin: Zebin) -> dict[str, str]:
    return {label: note.description for label, note in by_label(zebin.notes, lambda note: note.type_name).items()}


# Kernels and functions -----------------------------------------------------------------------------------------------


class _Side:
    """The kernel descriptions of one of the files, by name."""

    def __init__(self, zebin: Zebin, ze_info: ZeInfo):
        self.target = zebin.target
        self.code = zebin.kernels
        self.kernels = by_label(ze_info.kernels, lambda kernel: kernel.name)
        self.functions = by_label(ze_info.functions, lambda function: function.name)
        self.misc_info = by_label(ze_info.kernels_misc_info, lambda info: info.name)
        self.cost_info = by_label(ze_info.kernels_cost_info, lambda info: info.name)


def _kernels(old: _Side, new: _Side) -> Iterator[Change]:
    for name in merged_keys(old.kernels, new.kernels):
        subject = f"kernel {name}"
        before, after = old.kernels.get(name), new.kernels.get(name)
        if before is None or after is None:
            yield Change(subject, "", _summary(before, old.code.get(name)), _summary(after, new.code.get(name)))
            continue
        yield from differing_records(subject, "", before, after, without=_NAME)
        yield from _kernel_information(subject, name, old, new)
        yield from _code(subject, name, old, new)
    shared = [name for name in old.kernels if name in new.kernels]
    order = [name for name in new.kernels if name in old.kernels]
    if shared != order:
        yield Change("ze_info", "order of kernels", ", ".join(shared), ", ".join(order))
    for name in merged_keys(old.functions, new.functions):
        function, other = old.functions.get(name), new.functions.get(name)
        if function is None or other is None:
            yield Change(f"function {name}", "", _there(function), _there(other))
        else:
            yield from differing_records(f"function {name}", "", function, other)


def _there(thing: object) -> str | None:
    return None if thing is None else "described"


def _summary(info: KernelInfo | None, kernel: ZebinKernel | None) -> str | None:
    if info is None:
        return None
    env = info.execution_env
    size = f"{len(kernel.code)} bytes of code" if kernel is not None else "no code"
    return f"SIMD{env.simd_size}, {env.grf_count} registers, {info.argument_count} arguments, {size}"


def _kernel_information(subject: str, name: str, old: _Side, new: _Side) -> Iterator[Change]:
    """Yields the differences of argument and cost information. A record that one file lacks counts as empty."""
    misc: tuple[KernelMiscInfo | None, ...] = (old.misc_info.get(name), new.misc_info.get(name))
    cost: tuple[KernelCostInfo | None, ...] = (old.cost_info.get(name), new.cost_info.get(name))
    for before, after in (misc, cost):
        yield from differing_records(subject, "", before, after, without=_NAME)


def _code(subject: str, name: str, old: _Side, new: _Side) -> Iterator[Change]:
    before, after = old.code.get(name), new.code.get(name)
    if before is None or after is None:
        if before is not after:
            yield Change(subject, "code", _size(before), _size(after))
        return
    if before.entry_offset != after.entry_offset:
        yield Change(subject, "entry", f"{before.entry_offset:#x}", f"{after.entry_offset:#x}")
    if before.code != after.code:
        sizes = difference_of_bytes(before.code, after.code)
        yield Change(subject, "code", *sizes, instruction_diff(before, after, old.target, new.target))
    elif before.text != after.text:
        yield Change(subject, "section", *difference_of_bytes(before.text, after.text))


def _size(kernel: ZebinKernel | None) -> str | None:
    return None if kernel is None else f"{len(kernel.code)} bytes"


# Sections, symbols, relocations --------------------------------------------------------------------------------------


def _sections(old: Zebin, new: Zebin, unpaired: frozenset[str]) -> Iterator[Change]:
    before, after = _other_sections(old), _other_sections(new)
    for name in merged_keys(before, after):
        first, second = before.get(name), after.get(name)
        subject = f"section {name}"
        if name in unpaired:
            continue
        if first is None or second is None:
            yield Change(subject, "", _described(first), _described(second))
            continue
        yield from differing_values(subject, "", _attributes(first), _attributes(second))
        is_kernel = name.startswith(TEXT_PREFIX) and name.removeprefix(TEXT_PREFIX) in old.kernels
        if not is_kernel and first.data != second.data:
            texts = _text(first), _text(second)
            if texts[0] is not None and texts[1] is not None:
                yield Change(subject, "text", *texts)
            else:
                yield Change(subject, "contents", *difference_of_bytes(first.data, second.data))


def _other_sections(zebin: Zebin) -> dict[str, Section]:
    """Returns the sections that are compared byte by byte, by name."""
    shown = [s for s in zebin.sections if s.type not in _SHOWN_ELSEWHERE and s.name != COMPAT_NOTE]
    return by_label(shown, lambda section: section.name)


def _described(section: Section | None) -> str | None:
    return None if section is None else f"{section.type_name}, {section.size} bytes"


def _attributes(section: Section) -> dict[str, str]:
    """Returns the fields of a section header, without its offset in the file."""
    extent = {"size": f"{section.size:#x}"} if section.type == SectionType.NOBITS else {}
    return {"type": section.type_name, "flags": section.flag_letters or "none"} | extent


def _text(section: Section) -> str | None:
    """Returns the contents if they are a short text."""
    data = bytes(section.data[: _TEXT_SHOWN + 1])
    return repr(data.decode()) if len(data) <= _TEXT_SHOWN and data.isascii() and data.decode().isprintable() else None


def _symbols(zebin: Zebin, unpaired: frozenset[str]) -> dict[str, str]:
    """Returns the symbols that others may refer to, by name and section. The symbols of kernels belong to the
    kernels.
    """
    if len(zebin.symbols) > _TABLE_LIMIT:
        return {"count": f"{len(zebin.symbols)}, too many to compare"}
    shown: dict[str, str] = {}
    for symbol in zebin.symbols:
        section = _section_name(zebin, symbol.section_index)
        starts_kernel = section.startswith(TEXT_PREFIX) and symbol.name in (
            section.removeprefix(TEXT_PREFIX),
            ENTRY_SYMBOL,
        )
        is_anchor = symbol.binding == SymbolBinding.LOCAL and section.startswith(".debug")
        if symbol.name and not starts_kernel and not is_anchor and section not in unpaired:
            facts = f"{symbol.scope} {symbol.type_name}, value {symbol.value:#x}, size {symbol.size:#x}"
            shown[f"{symbol.name} in {section}" if section else symbol.name] = facts
    return shown


def _section_name(zebin: Zebin, index: int) -> str:
    if not index:
        return ""
    return zebin.sections[index].name if index < len(zebin.sections) else f"section {index:#x}"


def _relocations(old: Zebin, new: Zebin, unpaired: frozenset[str]) -> Iterator[Change]:
    before, after = _relocated_sections(old), _relocated_sections(new)
    for name in merged_keys(before, after):
        if name not in unpaired:
            yield from differing_values(f"relocations of {name}", "", before.get(name, {}), after.get(name, {}))


def _relocated_sections(zebin: Zebin) -> dict[str, Mapping[str, str]]:
    """Returns the relocations of each section as text."""
    return {
        _section_name(zebin, zebin.sections[index].info): _patches(zebin, entries)
        for index, entries in zebin.relocations.items()
    }


def _patches(zebin: Zebin, entries: Sequence[Relocation]) -> dict[str, str]:
    if len(entries) > _TABLE_LIMIT:
        return {"count": f"{len(entries)}, too many to compare"}
    patches = {}
    for entry in entries:
        name = zebin.symbols[entry.symbol].name if entry.symbol < len(zebin.symbols) else ""
        addend = f" + {entry.addend:#x}" if entry.addend else ""
        patches[f"{entry.offset:#x}"] = f"{entry.type_name} {name or f'symbol {entry.symbol}'}{addend}"
    return patches
