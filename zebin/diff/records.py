"""Differences of `.ze_info`: records by key, items of lists by their identity instead of their position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from zebin.diff.change import Change, by_label, differing_values, merged_keys
from zebin.dump import inline
from zebin.ze_info.records import ListKind, Record, RecordAttribute, RecordKind, write_record
from zebin.ze_info.schema import (
    ArgInfo,
    BindingTableIndex,
    FunctionInfo,
    HostAccess,
    InlineSampler,
    KernelCostInfo,
    KernelInfo,
    KernelMiscInfo,
    PayloadArgument,
    PerThreadMemoryBuffer,
    PerThreadPayloadArgument,
)

IDENTITIES: Mapping[type[Record], tuple[str, ...]] = {
    KernelInfo: ("name",),
    FunctionInfo: ("name",),
    KernelMiscInfo: ("name",),
    KernelCostInfo: ("name",),
    HostAccess: ("device_name",),
    ArgInfo: ("index",),
    PayloadArgument: ("arg_type", "arg_index", "addrmode", "source_offset"),
    PerThreadPayloadArgument: ("arg_type",),
    BindingTableIndex: ("arg_index",),
    PerThreadMemoryBuffer: ("type", "usage"),
    InlineSampler: ("sampler_index",),
}
"""The keys that identify an item of a list; items of other lists are compared in order."""


def differing_records(
    subject: str, prefix: str, old: Record | None, new: Record | None, *, without: frozenset[str] = frozenset()
) -> Iterator[Change]:
    """Yields the differences of two records of one type; None stands for a record that states nothing.

    Keys in `without` are left out. Attributes that are not stated have their default.
    """
    one = old or new
    if one is None:
        return
    for row in one.attributes:
        if row.key not in without:
            yield from _differing_attributes(subject, prefix + row.key, row, old, new)
    yield from differing_values(subject, prefix, _unknown(old), _unknown(new))


def _differing_attributes(
    subject: str, path: str, row: RecordAttribute, old: Record | None, new: Record | None
) -> Iterator[Change]:
    before = row.default if old is None else getattr(old, row.name)
    after = row.default if new is None else getattr(new, row.name)
    if isinstance(row.kind, RecordKind):
        yield from differing_records(subject, f"{path}.", cast("Record | None", before), cast("Record | None", after))
    elif isinstance(row.kind, ListKind):
        yield from _differing_items(subject, path, cast("Sequence[Record]", before), cast("Sequence[Record]", after))
    elif before != after:
        yield Change(subject, path, _text(row, before), _text(row, after))


def _differing_items(subject: str, path: str, old: Sequence[Record], new: Sequence[Record]) -> Iterator[Change]:
    """Yields the differences of two lists of records."""
    before, after = by_label(old, _label), by_label(new, _label)
    for label in merged_keys(before, after):
        first, second = before.get(label), after.get(label)
        if first is not None and second is not None:
            yield from differing_records(subject, f"{path}[{label}].", first, second)
        else:
            yield Change(subject, f"{path}[{label}]", _summary(first), _summary(second))


def _label(record: Record) -> str:
    keys = IDENTITIES.get(type(record), ())
    parts = [(row, getattr(record, row.name)) for row in record.attributes if row.key in keys]
    return " ".join(_text(row, value) or "" for row, value in parts if row.required or value != row.default)


def _summary(record: Record | None) -> str | None:
    return None if record is None else inline(write_record(record))


def _text(row: RecordAttribute, value: object) -> str | None:
    return None if value is None else inline(row.kind.write(value))


def _unknown(record: Record | None) -> Mapping[str, str]:
    return {} if record is None else {key: inline(node) for key, node in record.unknown.items()}
