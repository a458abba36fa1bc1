"""Files with one change: a value of `.ze_info`, a field of the ELF structures, or a word of the notes.

`.ze_info` is cut into values by PyYAML, so that no change depends on the reader that is tested.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import yaml

import zebin
from zebin.elf.constants import COMPAT_NOTE, SectionType
from zebin.elf.model import IDENT_SIZE, ElfFile, StructureLayout
from zebin.elf.writer import write_elf
from zebin.ze_info import ZeInfo
from zebin.ze_info.kinds import BOOL, FLOAT, INT32, INT32X3, WordKind
from zebin.ze_info.records import ListKind, Record, RecordKind

_NUMBERS = (
    *("-2147483648", "-5", "-1", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "12", "15", "16", "17", "24", "31"),
    *("32", "33", "48", "63", "64", "96", "100", "127", "128", "192", "250", "254", "255", "256", "257", "511", "512"),
    *("1024", "4095", "4096", "4097", "32768", "65503", "65504", "65505", "65535", "65536", "16777216", "2147483647"),
    *("4294967295", "99999999999999999999", "0x10", "1.5", "true", "'8'", "x", ""),
)
_BOOLEANS = ("true", "false", "1", "0", "yes", "'true'", "x", "", "[ ]")
_VECTORS = (
    *("[ 0, 0, 0 ]", "[ 1, 1, 1 ]", "[ 16, 4, 2 ]", "[ 0, 1, 2 ]", "[ 2, 1, 0 ]", "[ 7, 7, 7 ]", "[ 1024, 1024, 64 ]"),
    *("[ 0, 1 ]", "[ 1, 2, 3, 4 ]", "[ 1, x, 2 ]", "[ 1, -1, 1 ]", "16", "[ 0, 0, 1 ]", "[ 8, 0, 0 ]", ""),
)
_TEXTS = ("''", "x", "'x y'", "a/b", "'*'", '"a\\tb"', "name", "1.61", "2.0", "1", "'1.x'", "none", "'none;x'", "12")
_FLOATS = ("0", "1.5", "-1", "x", "")
_CONTEXT = ("arg_type", "addrmode", "addrspace", "type", "usage", "address_qualifier")
"""Keys whose values tell what kind of record a mapping is."""

_KERNEL_TEXT = re.compile(r"(?<=\.text\.).+")
_WORDS = (
    *(0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 24, 63, 64, 65, 127, 128, 200, 255, 256, 1000, 1270, 1271, 4096),
    *(0xC07, 0xC08, 0xFFFF, 0x10000, 0xFF12, 0xFF000009, 0xFF000011, 0xFF000014, 0xFF0000FF),
    *(0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 32, 1 << 40, (1 << 63) - 1, (1 << 64) - 1),
)


@dataclass(frozen=True)
class Mutation:
    """A change of a file. `field` names what is changed, equal for equal changes of different files."""

    field: str
    value: str
    build: Callable[[], bytes]
    """Returns the changed file."""

    @property
    def key(self) -> tuple[str, str]:
        return self.field, self.value


def without_ir(data: bytes) -> bytes:
    """Returns the file with its SPIR-V modules hidden: drivers compile them instead of refusing the code."""
    elf = zebin.read(data, lenient=True).elf
    layouts = elf.elf_class.layouts
    for section in elf.of_type(SectionType.SPIRV):
        at = layouts.header.unpack(data, IDENT_SIZE)["shoff"] + section.index * layouts.section.size
        data = _patched(data, at, layouts.section.pack(**(layouts.section.unpack(data, at) | {"type": 0})))
    return data


def mutations(data: bytes) -> Iterator[Mutation]:
    """Yields all changes of a file."""
    elf = zebin.read(data, lenient=True).elf
    yield from _text_mutations(elf)
    yield from _field_mutations(data, elf)


def _patched(data: bytes, at: int, content: bytes) -> bytes:
    return data[:at] + content + data[at + len(content) :]


# .ze_info ------------------------------------------------------------------------------------------------------------


def _with_text(elf: ElfFile, text: str) -> bytes:
    """Returns the file with another text of `.ze_info`, in every other section unchanged."""
    content = text.encode()
    sections = [
        replace(section, data=content, size=-1) if section.type == SectionType.ZEINFO else section
        for section in elf.sections
    ]
    return write_elf(replace(elf, sections=sections))


def _text_mutations(elf: ElfFile) -> Iterator[Mutation]:
    for section in elf.of_type(SectionType.ZEINFO):
        text = bytes(section.data).decode()
        root = yaml.compose(text, Loader=yaml.CSafeLoader)
        assert isinstance(root, yaml.MappingNode)
        for field, value, changed in _mapping_changes(text, root, ZeInfo, ""):
            yield Mutation(field, value, partial(_with_text, elf, changed))


def _mapping_changes(
    text: str, node: yaml.MappingNode, record_type: type[Record], path: str
) -> Iterator[tuple[str, str, str]]:
    words = {key.value: value.value for key, value in node.value if isinstance(value, yaml.ScalarNode)}
    context = ",".join(words[key] for key in _CONTEXT if key in words)
    path = f"{path}({context})" if context else path
    starts = [key.start_mark.index for key, _ in node.value]
    column = node.value[0][0].start_mark.column
    for number, (key, value) in enumerate(node.value):
        field = f"{path}.{key.value}"
        start = key.start_mark.index
        if number + 1 < len(starts):
            whole = text[start : starts[number + 1]]
            yield field, "<deleted>", text[:start] + text[starts[number + 1] :]
            yield field, "<twice>", text[:start] + whole + text[start:]
        yield field, "<misspelt>", text[:start] + "x" + text[start:]
        row = record_type.by_key.get(key.value)
        kind = row.kind if row is not None else None
        if isinstance(kind, RecordKind) and isinstance(value, yaml.MappingNode):
            yield from _mapping_changes(text, value, kind.record_type, field)
        elif isinstance(kind, ListKind) and isinstance(value, yaml.SequenceNode):
            yield from _list_changes(text, value, kind.item.record_type, field)
        if isinstance(value, yaml.ScalarNode) or value.flow_style:
            for replacement in _values(kind):
                yield field, replacement, text[: value.start_mark.index] + replacement + text[value.end_mark.index :]
    for row in record_type.attributes:
        if row.key not in words and not isinstance(row.kind, RecordKind | ListKind):
            for replacement in _values(row.kind):
                added = f"{row.key}: {replacement}\n" + " " * column
                yield f"{path}.{row.key}", replacement, text[: starts[0]] + added + text[starts[0] :]


def _list_changes(
    text: str, node: yaml.SequenceNode, record_type: type[Record], path: str
) -> Iterator[tuple[str, str, str]]:
    starts = [text.rfind("-", 0, item.start_mark.index) for item in node.value]
    for number, item in enumerate(node.value):
        if number + 1 < len(starts):
            start, end = starts[number : number + 2]
            yield f"{path}[]", "<deleted>", text[:start] + text[end:]
            yield f"{path}[]", "<twice>", text[:start] + text[start:end] + text[start:]
        if isinstance(item, yaml.MappingNode):
            yield from _mapping_changes(text, item, record_type, f"{path}[]")


def _values(kind: object) -> Sequence[str]:
    if kind is INT32:
        return _NUMBERS
    if kind is BOOL:
        return _BOOLEANS
    if kind is INT32X3:
        return _VECTORS
    if kind is FLOAT:
        return _FLOATS
    if isinstance(kind, WordKind):
        return (*kind.words, "x", "''", "", "1")
    return _TEXTS


# ELF -----------------------------------------------------------------------------------------------------------------


def _field_mutations(data: bytes, elf: ElfFile) -> Iterator[Mutation]:
    layouts = elf.elf_class.layouts
    for offset in range(4, 9):
        for value in (0, 1, 2, 3, 255):
            yield Mutation(f"ident[{offset}]", str(value), partial(_patched, data, offset, bytes([value])))
    header = layouts.header.unpack(data, IDENT_SIZE)
    yield from _structure(data, layouts.header, IDENT_SIZE, "header")
    tables = {SectionType.SYMTAB: layouts.symbol, SectionType.REL: layouts.rel, SectionType.RELA: layouts.rela}
    for section in elf.sections:
        at = header["shoff"] + section.index * layouts.section.size
        what = f"section {re.sub(_KERNEL_TEXT, '*', section.name)}"
        yield from _structure(data, layouts.section, at, what, header["shnum"])
        for kind, layout in tables.items():
            if section.type == kind:
                for start in range(section.offset, section.offset + len(section.data), layout.size):
                    info = f"{layout.unpack(data, start)['info']:#x}" if kind == SectionType.SYMTAB else ""
                    yield from _structure(data, layout, start, f"{kind.name} entry {info}", header["shnum"])
        if section.name == COMPAT_NOTE:
            for start in range(0, len(section.data) - 3, 4):
                for value in _WORDS:
                    if value < 1 << 32:
                        change = partial(_patched, data, section.offset + start, value.to_bytes(4, "little"))
                        yield Mutation(f"note word {start // 4}", f"{value:#x}", change)


def _structure(data: bytes, layout: StructureLayout, at: int, what: str, sections: int = 0) -> Iterator[Mutation]:
    fields = layout.unpack(data, at)
    for name, old in fields.items():
        for value in {*_WORDS, *range(sections), old - 1, old + 1, 2 * old, len(data), len(data) + 1, len(data) - old}:
            if value == old or value < 0:
                continue
            try:
                changed = layout.pack(**(fields | {name: value}))
            except struct.error:  # the field is narrower
                continue
            near = abs(value - old) == 1
            shown = f"{value - old:+}" if near else f"{value:#x}" if value in _WORDS or value < sections else "end"
            yield Mutation(f"{what}.{name}", shown, partial(_patched, data, at, changed))
