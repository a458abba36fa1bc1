"""Declarations of ze_info records: the class body is the schema, from which everything else is derived.

    @record
    class BindingTableIndex(Record):
        bti_value: int = attribute(INT32)
        arg_index: int = attribute(INT32)

Reading, writing, JSON and documentation all use `BindingTableIndex.attributes`.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping as ReadOnly
from dataclasses import field, fields
from enum import Enum
from itertools import pairwise
from typing import ClassVar, Generic, TypedDict, TypeVar, Unpack, cast, dataclass_transform, overload

from xegpu.on_demand import dataclass
from zebin.errors import FindingSeverity, excerpt
from zebin.yaml.nodes import Mapping, Node, Sequence
from zebin.ze_info.conditions import AttributeCondition
from zebin.ze_info.kinds import ReadContext, ValueKind, describe

T = TypeVar("T")
R = TypeVar("R", bound="Record")

_DECLARATION = "declaration"
_LONGEST_KEY = 64
"""Characters of a key up to which it is compared with the known ones, for a suggestion."""


class _Unset(Enum):
    UNSET = 0


class AttributeDetails(TypedDict, total=False):
    """The options of a declaration besides type and default; see `attribute`."""

    key: str
    since: int
    aliases: tuple[str, ...]
    when: AttributeCondition
    expected: AttributeCondition
    unknown_to_drivers: bool


@dataclass(frozen=True, eq=False)
class RecordAttribute:
    """An attribute of a record type."""

    name: str
    kind: ValueKind[object]
    required: bool
    default: object
    key: str
    since: int = 0
    aliases: tuple[str, ...] = ()
    when: AttributeCondition | None = None
    expected: AttributeCondition | None = None
    unknown_to_drivers: bool = False


@dataclass(frozen=True)
class _Declaration:
    kind: ValueKind[object]
    required: bool
    details: AttributeDetails


@overload
def attribute(kind: ValueKind[T], **details: Unpack[AttributeDetails]) -> T: ...
@overload
def attribute(kind: ValueKind[T], *, default: T, **details: Unpack[AttributeDetails]) -> T: ...
@overload
def attribute(kind: ValueKind[T], *, default: None, **details: Unpack[AttributeDetails]) -> T | None: ...
@overload
def attribute(kind: ValueKind[T], *, default_factory: Callable[[], T], **details: Unpack[AttributeDetails]) -> T: ...
def attribute(
    kind: ValueKind[T],
    *,
    default: T | _Unset | None = _Unset.UNSET,
    default_factory: Callable[[], T] | None = None,
    **details: Unpack[AttributeDetails],
) -> T | None:
    """Declares an attribute of a record; one without a default is required.

    Args:
        kind: The type of its values.
        default: Its default.
        default_factory: Makes a mutable default.
        details: `key` is its spelling if that is no Python name, `since` the minor version that introduced it,
            `aliases` wrong spellings that are accepted. `when` is the condition under which it has a meaning,
            `expected` that under which it should be stated. `unknown_to_drivers` means that current drivers refuse it.
    """
    required = default is _Unset.UNSET and default_factory is None
    metadata = {_DECLARATION: _Declaration(cast("ValueKind[object]", kind), required, details)}
    # Like dataclasses.field, this function is declared to return the field's type although it returns a declaration.
    if default_factory is not None:
        return field(default_factory=default_factory, metadata=metadata)
    return cast("T", field(metadata=metadata) if required else field(default=default, metadata=metadata))


@dataclass_transform(kw_only_default=True, field_specifiers=(attribute,))
def record(cls: type[R]) -> type[R]:
    """Makes a class of attribute declarations a record type."""
    made = dataclass(slots=True, kw_only=True)(cls)
    made.attributes = tuple(
        _row(declared.name, declaration, declared.default)
        for declared in fields(made)
        if isinstance(declaration := declared.metadata.get(_DECLARATION), _Declaration)
    )
    made.conditional = tuple(row for row in made.attributes if row.when or row.expected)
    made.by_key = {spelling: row for row in made.attributes for spelling in (*row.aliases, row.key)}
    made.positions = {row.key: position for position, row in enumerate(made.attributes)}
    return made


def _row(name: str, declaration: _Declaration, default: object) -> RecordAttribute:
    kind, details = declaration.kind, AttributeDetails(key=name)
    details.update(declaration.details)
    return RecordAttribute(name, kind, declaration.required, [] if isinstance(kind, ListKind) else default, **details)


_NOTHING_UNKNOWN: ReadOnly[str, Node] = {}
"""Shared by the many records that have no unknown keys; hence read-only."""


@dataclass(slots=True, kw_only=True)
class Record:
    """The base class of ze_info records.

    `unknown` holds keys that this package does not know, `explicit` the attributes that were stated although they have
    their default, and `order` the keys of a text that did not follow the order of the schema, so that all are written
    back unchanged. `at` is the record's position in the text, -1 for new records; `incomplete` means that an attribute
    was missing or could not be read.
    """

    attributes: ClassVar[tuple[RecordAttribute, ...]] = ()
    """The attributes, in the order in which they are written."""
    by_key: ClassVar[dict[str, RecordAttribute]] = {}
    """The attributes by every accepted spelling."""
    conditional: ClassVar[tuple[RecordAttribute, ...]] = ()
    """The attributes that only some records may have."""
    positions: ClassVar[dict[str, int]] = {}
    """The position of each key in the schema."""

    unknown: ReadOnly[str, Node] = field(default_factory=lambda: _NOTHING_UNKNOWN, repr=False)
    explicit: tuple[str, ...] = field(default=(), compare=False, repr=False)
    order: tuple[str, ...] = field(default=(), compare=False, repr=False)
    at: int = field(default=-1, compare=False, repr=False)
    incomplete: bool = field(default=False, compare=False, repr=False)

    @classmethod
    def in_order(cls, keys: list[str]) -> bool:
        """Returns True if the keys follow the order of the schema, with unknown ones at the end."""
        positions = [cls.positions.get(key, len(cls.positions)) for key in keys]
        return all(first <= second for first, second in pairwise(positions))

    @classmethod
    def severity_of_unknown(cls, key: str, context: ReadContext) -> FindingSeverity:
        """Returns the severity of an unknown key: drivers that know the declared version refuse it."""
        return FindingSeverity.ERROR if context.strict and not context.newer else FindingSeverity.WARNING


def read_record(record_type: type[R], node: Mapping, context: ReadContext) -> R:
    """Returns the record that a mapping describes. Errors are reported; missing or wrong values get their default."""
    report, table = context.report, record_type.by_key
    values: dict[str, object] = {}
    unknown: dict[str, Node] = {}
    explicit: tuple[str, ...] = ()
    order: list[str] = []
    incomplete = False
    for key, child in node.entries.items():
        row = table.get(key)
        report.path.append(key)
        if row is None:
            unknown[key] = child
            order.append(key)
            _report_unknown(record_type, key, node, context)
        else:
            order.append(row.key)
            context.check_version(row.key, row.since, node.at)
            if row.unknown_to_drivers:
                context.check_driver(row.key, node.at)
            if key != row.key:
                _check_alias(row, key, node, context)
            value = row.kind.read(child, context)
            if value is None:
                incomplete = True
            else:
                values[row.name] = value
                if value == row.default:
                    explicit += (row.name,)
        report.path.pop()
    for row in record_type.attributes:
        if row.required and row.name not in values:
            values[row.name] = row.kind.blank()
            incomplete = True
            if row.key not in node.entries and not node.entries.keys() & set(row.aliases):
                report.error("key.missing", f"required key '{row.key}' is missing", node.at)
    if unknown:
        values["unknown"] = unknown
    if not record_type.in_order(order):
        values["order"] = context.orders.setdefault(tuple(order), tuple(order))
    if explicit:
        values["explicit"] = explicit
    if not context.budget.spend(record_type.__basicsize__, values.values(), unknown):
        expected = f"at most {context.budget.limit >> 20} MiB for a text of this size"
        raise report.fatal("yaml.limit", "records take too much memory", node.at, expected=expected)
    construct = cast("Callable[..., R]", record_type)
    return construct(**values, at=node.at, incomplete=incomplete)


def _report_unknown(record_type: type[Record], key: str, node: Mapping, context: ReadContext) -> None:
    """Reports a key that the record does not have, and suggests the closest one."""
    severity = record_type.severity_of_unknown(key, context)
    if context.report.drops(severity):
        return
    expected = ""
    if len(key) <= _LONGEST_KEY:
        close = difflib.get_close_matches(key, [row.key for row in record_type.attributes], n=1)
        expected = f"perhaps {close[0]}" if close else ""
    at = context.report.source.find_key(node.at, key)
    context.report.add(severity, "key.unknown", "unknown key", at, found=excerpt(key), expected=expected)


def _check_alias(row: RecordAttribute, key: str, node: Mapping, context: ReadContext) -> None:
    at = context.report.source.find_key(node.at, key)
    if row.key in node.entries:
        context.report.error("key.duplicate", f"another spelling of '{row.key}', which is also present", at, found=key)
    else:
        context.report.warning("key.misspelt", f"read as '{row.key}'", at, found=key, expected=row.key)


def write_record(value: Record) -> Mapping:
    """Returns the mapping that describes the record: attributes in order, without those that have their default.

    A nested record without contents is left out as well, because a key with nothing below it is no mapping. In a record
    with an order of its own, new attributes follow the one that precedes them in the schema.
    """
    node = Mapping()
    for row in value.attributes:
        content = getattr(value, row.name)
        if row.required or content != row.default or row.name in value.explicit:
            child = row.kind.write(content)
            if row.required or child != Mapping():
                node.entries[row.key] = child
    node.entries.update(value.unknown)
    if value.order:
        node.entries = {key: node.entries[key] for key in _merged(value.order, node.entries)}
    return node


def _merged(order: Iterable[str], entries: ReadOnly[str, Node]) -> list[str]:
    """Returns the keys of `entries`: those in `order` first, each other one after the key that precedes it."""
    merged = [key for key in order if key in entries]
    stated = set(merged)
    previous = None
    for key in entries:
        if key not in stated:
            merged.insert(0 if previous is None else merged.index(previous) + 1, key)
        previous = key
    return merged


class RecordKind(ValueKind[R], Generic[R]):
    """A mapping. With `or_list`, a list of mappings is accepted as well and read as one mapping."""

    def __init__(self, record_type: type[R], *, or_list: bool = False):
        self.name = record_type.__name__
        self.record_type, self.or_list = record_type, or_list

    def blank(self) -> R:
        required = {row.name: row.kind.blank() for row in self.record_type.attributes if row.required}
        return cast("Callable[..., R]", self.record_type)(**required)

    def read(self, node: Node, context: ReadContext) -> R | None:
        if isinstance(node, Mapping):
            return read_record(self.record_type, node, context)
        if self.or_list and isinstance(node, Sequence):
            parts = [item for item in node.items if isinstance(item, Mapping)]
            if len(parts) == len(node.items):
                entries = {key: value for part in parts for key, value in part.entries.items()}
                return read_record(self.record_type, Mapping(entries, node.at), context)
        context.report.error("type.map", "not a mapping", node.at, found=describe(node), expected="keys and values")
        return None

    def write(self, value: R) -> Node:
        return write_record(value)


class ListKind(ValueKind[list[R]], Generic[R]):
    """A list of mappings."""

    def __init__(self, record_type: type[R]):
        self.name = f"list of {record_type.__name__}"
        self.item = RecordKind(record_type)

    def blank(self) -> list[R]:
        return []

    def read(self, node: Node, context: ReadContext) -> list[R] | None:
        if not isinstance(node, Sequence):
            context.report.error("type.list", "not a list", node.at, found=describe(node), expected="a list")
            return None
        items = []
        for index, child in enumerate(node.items):
            context.report.path.append(index)
            item = self.item.read(child, context)
            context.report.path.pop()
            if item is not None:
                items.append(item)
        return items

    def write(self, value: list[R]) -> Node:
        return Sequence([self.item.write(item) for item in value])
