"""A ZEBIN as JSON values."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from zebin.binary.model import Zebin
from zebin.elf.model import ElfFile, Relocation
from zebin.elf.tables import TableView
from zebin.errors import Finding
from zebin.yaml import nodes
from zebin.ze_info.records import ListKind, Record, RecordKind

_SCALARS = (str, int, float)

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"


def as_json(zebin: Zebin) -> dict[str, Json]:
    """Returns everything that the dump shows. Attributes of `.ze_info` that have their default are left out, as in the
    file.

    Long lists are produced on demand, so that no description is larger than its file; use `json_chunks` to write them.
    """
    elf, target = zebin.elf, zebin.target
    return {
        "class": elf.elf_class.bits,
        "type": elf.file_type,
        "machine": elf.machine,
        "abi_version": elf.abi_version,
        "target": {
            "product_family": target.product_family,
            "gfx_core": target.gfx_core,
            "metadata": target.metadata_word,
            "product_config": target.product_config,
            "version": target.version,
        },
        "sections": _sections(elf),
        "notes": [
            {"type": note.type_name, "owner": _ascii(note.owner), "content": note.description} for note in zebin.notes
        ],
        "symbols": _symbols(elf),
        "imports": zebin.imports,
        "relocations": _relocations(elf),
        "ze_info": None if zebin.ze_info is None else record_json(zebin.ze_info),
    }


def _ascii(data: bytes) -> str:
    return data.rstrip(b"\0").decode("ascii", "backslashreplace")


def _sections(elf: ElfFile) -> Json:
    return [
        {
            "name": section.name,
            "type": section.type_name,
            "flags": section.flag_letters,
            "offset": section.offset,
            "size": section.size,
            "link": section.link,
            "info": section.info,
        }
        for section in elf.sections
    ]


def _symbols(elf: ElfFile) -> Json:
    def describe(index: int) -> Json:
        symbol = elf.symbols[index]
        return {
            "name": symbol.name,
            "binding": symbol.binding_name,
            "visibility": symbol.visibility.name,
            "type": symbol.type_name,
            "section": symbol.section_index,
            "value": symbol.value,
            "size": symbol.size,
        }

    return TableView(len(elf.symbols), describe)


def _relocations(elf: ElfFile) -> Json:
    return [
        {
            "section": index,
            "target": elf.sections[index].info,
            "entries": TableView(len(entries), partial(_relocation, entries)),
        }
        for index, entries in elf.relocations.items()
    ]


def _relocation(entries: Sequence[Relocation], index: int) -> Json:
    entry = entries[index]
    return {"offset": entry.offset, "type": entry.type_name, "symbol": entry.symbol, "addend": entry.addend}


def record_json(record: Record) -> dict[str, Json]:
    """Returns a record by the keys of the file, with typed numbers and booleans."""
    result: dict[str, Json] = {}
    for row in record.attributes:
        value = getattr(record, row.name)
        if row.required or value != row.default or row.name in record.explicit:
            if isinstance(row.kind, RecordKind):
                result[row.key] = record_json(value)
            elif isinstance(row.kind, ListKind):
                result[row.key] = TableView(len(value), partial(_item_json, value))
            else:
                result[row.key] = list(value) if isinstance(value, tuple) else value
    return result | {key: _node_json(node) for key, node in record.unknown.items()}


def _item_json(items: Sequence[Record], index: int) -> Json:
    return record_json(items[index])


def _node_json(node: nodes.Node) -> Json:
    match node:
        case nodes.Scalar(text):
            return text
        case nodes.Sequence(items):
            return [_node_json(item) for item in items]
        case nodes.Mapping(entries):
            return {key: _node_json(value) for key, value in entries.items()}


def finding_json(finding: Finding) -> dict[str, Json]:
    """Returns a finding with every part of its location."""
    location = finding.location
    return {
        "severity": finding.severity,
        "code": finding.code,
        "message": finding.message,
        "offset": location.offset,
        "section": location.section,
        "line": location.line,
        "path": location.path,
        "found": finding.found,
        "expected": finding.expected,
    }


def json_chunks(value: Json, indent: str = "\n") -> Iterator[str]:
    """Yields the text of a value in the layout of `json.dumps` with an indentation of 2, without holding all of it."""
    if isinstance(value, Mapping):
        yield from _parts("{", "}", indent, ((f"{json.dumps(key)}: ", child) for key, child in value.items()))
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield from _parts("[", "]", indent, (("", child) for child in value))
    else:
        yield json.dumps(value)


def _parts(opening: str, closing: str, indent: str, children: Iterator[tuple[str, Json]]) -> Iterator[str]:
    deeper = indent + "  "
    before = opening
    for label, child in children:
        if child is None or isinstance(child, _SCALARS):
            yield f"{before}{deeper}{label}{json.dumps(child)}"
        else:
            yield f"{before}{deeper}{label}"
            yield from json_chunks(child, deeper)
        before = ","
    yield f"{indent}{closing}" if before == "," else opening + closing
