"""Cross-thread data: the bytes, from arguments and launch geometry, that a kernel reads.

The layout comes from `.ze_info` (zeinfo 1.61, `kernels.payload_arguments`). The bytes are zero before each payload
argument writes its own.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from zebin.ze_info import PayloadArgument

CROSS_THREAD_UNIT = 32
"""The size of cross-thread data is a multiple of this many bytes."""

MAX_CROSS_THREAD = 1 << 16

POINTER_BYTES = 8

_WORD = 4

_PROPERTY = struct.Struct("<I")


class PayloadError(Exception):
    """A kernel whose payload cannot be supplied; the text says why."""


class ArgumentKind(Enum):
    """The kind of an argument.

    VALUE: bytes by value. POINTER: an address. LOCAL: shared local memory, of a size that the caller names. IMAGE and
    SAMPLER: objects, of whose states the kernel receives the addresses.
    """

    VALUE = auto()
    POINTER = auto()
    LOCAL = auto()
    IMAGE = auto()
    SAMPLER = auto()


@dataclass(frozen=True)
class PayloadSlot:
    """A slot for part of a value: its `size` bytes from offset `source` on go to `offset` in the cross-thread data."""

    offset: int
    size: int
    source: int = 0


@dataclass(frozen=True)
class Argument:
    """One explicit argument. `size` is that of its value in bytes; `alignment` and `access` concern pointers.

    `name` and `type_name` are those of the program; empty if they are not known.
    """

    index: int
    kind: ArgumentKind
    size: int
    slots: tuple[PayloadSlot, ...]
    access: str = ""
    alignment: int = 1
    name: str = ""
    type_name: str = ""

    def __str__(self) -> str:
        return f"{self.index} ('{self.name}')" if self.name else str(self.index)


@dataclass(frozen=True)
class Geometry:
    """The geometry of a launch: work-items (or subgroups) of a work-group, work-groups, offset of global ids."""

    local_size: tuple[int, int, int]
    group_count: tuple[int, int, int]
    global_offset: tuple[int, int, int]


Values = Callable[[Geometry], tuple[int, ...]]
"""Returns the 32-bit numbers of a launch that go into an implicit argument."""


def _global_size(geometry: Geometry) -> tuple[int, ...]:
    """Returns the work-items of the whole launch in each dimension, modulo 2^32."""
    sizes = zip(geometry.local_size, geometry.group_count, strict=True)
    return tuple(size * count & 0xFFFFFFFF for size, count in sizes)


def _dimensions(geometry: Geometry) -> tuple[int, ...]:
    """Returns the number of dimensions with more than one work-item, at least 1."""
    used = [index for index, size in enumerate(_global_size(geometry), 1) if size > 1]
    return (max(used, default=1),)


_IMPLICIT: Mapping[str, Values] = {
    "local_size": lambda geometry: geometry.local_size,
    "enqueued_local_size": lambda geometry: geometry.local_size,
    "group_count": lambda geometry: geometry.group_count,
    "global_size": _global_size,
    "global_id_offset": lambda geometry: geometry.global_offset,
    "work_dimensions": _dimensions,
}


@dataclass(frozen=True)
class ImplicitSlot:
    """The slot of an implicit argument: the first `count` of some values of a launch go to `offset`."""

    values: Values
    offset: int
    count: int
    packer: struct.Struct


@dataclass(frozen=True)
class PropertySlot:
    """The slot of a number that describes the object of argument `index`; `name` is the `arg_type` of `.ze_info`."""

    index: int
    name: str
    offset: int


@dataclass(frozen=True)
class PayloadLayout:
    """The layout of a kernel's cross-thread data.

    Attributes:
        size: Its size in bytes.
        arguments: The explicit arguments.
        implicit: The slots of values of the launch.
        properties: The slots of numbers that follow from the objects that arguments are set to.
        printf_buffer: The offset of the address of the printf buffer; None if the kernel prints nothing.
    """

    size: int
    arguments: tuple[Argument, ...]
    implicit: tuple[ImplicitSlot, ...]
    properties: tuple[PropertySlot, ...] = ()
    printf_buffer: int | None = None

    def write(self, data: bytearray, argument: Argument, value: bytes) -> None:
        """Writes an argument's value to cross-thread data."""
        for slot in argument.slots:
            piece = value[slot.source : slot.source + slot.size]
            data[slot.offset : slot.offset + len(piece)] = piece

    def write_properties(self, data: bytearray, argument: Argument, properties: Mapping[str, int]) -> None:
        """Writes the numbers that describe an argument's object to cross-thread data."""
        for slot in self.properties:
            if slot.index == argument.index:
                _PROPERTY.pack_into(data, slot.offset, properties[slot.name])

    def write_geometry(self, data: bytearray, geometry: Geometry) -> None:
        """Writes the values of a launch to cross-thread data."""
        for slot in self.implicit:
            slot.packer.pack_into(data, slot.offset, *slot.values(geometry)[: slot.count])

    def place_local(self, sizes: Mapping[int, int]) -> tuple[dict[int, int], int]:
        """Returns the offset of each argument's local memory, and the end of all.

        `sizes` are bytes by argument index. Offsets count from the end of the kernel's own local memory; its code adds
        that.
        """
        offsets, end = {}, 0
        for index in sorted(sizes):
            alignment = self.arguments[index].alignment
            offsets[index] = -(-end // alignment) * alignment
            end = offsets[index] + sizes[index]
        return offsets, end


_OBJECTS = {"image": ArgumentKind.IMAGE, "sampler": ArgumentKind.SAMPLER}


def _kind_of(entry: PayloadArgument) -> ArgumentKind:
    if entry.arg_type == "arg_byvalue":
        return ArgumentKind.VALUE
    if entry.addrmode == "bindless" and entry.addrspace in _OBJECTS:
        return _OBJECTS[entry.addrspace]
    if entry.addrspace == "local" and entry.addrmode == "slm":
        return ArgumentKind.LOCAL
    if entry.addrspace in ("global", "constant") and (entry.addrmode == "stateless" or not entry.size):
        return ArgumentKind.POINTER
    raise PayloadError(f"argument {entry.arg_index}: {entry.addrmode} {entry.addrspace} memory is not supported")


def _argument(index: int, entries: Sequence[PayloadArgument], names: tuple[str, str]) -> Argument:
    """Returns one argument from all of its entries; entries of size 0 tell its kind and have no slot."""
    kinds = {_kind_of(entry) for entry in entries}
    if len(kinds) > 1:
        raise PayloadError(f"argument {index} is described in contradicting ways")
    (kind,) = kinds
    slots = tuple(PayloadSlot(entry.offset, entry.size, max(entry.source_offset, 0)) for entry in entries if entry.size)
    size = max((slot.source + slot.size for slot in slots), default=0)
    if kind is not ArgumentKind.VALUE and any((slot.size, slot.source) != (POINTER_BYTES, 0) for slot in slots):
        raise PayloadError(f"argument {index}: a pointer of {size} bytes, expected {POINTER_BYTES}")
    return Argument(
        index,
        kind,
        size if kind is ArgumentKind.VALUE else POINTER_BYTES,
        slots,
        access=str(entries[0].access_type or "readwrite"),
        alignment=max(16, *(entry.slm_alignment for entry in entries)),
        name=names[0],
        type_name=names[1],
    )


_PROPERTIES = {
    "image_width": ArgumentKind.IMAGE,
    "image_height": ArgumentKind.IMAGE,
    "image_depth": ArgumentKind.IMAGE,
    "image_array_size": ArgumentKind.IMAGE,
    "sampler_address": ArgumentKind.SAMPLER,
    "sampler_normalized": ArgumentKind.SAMPLER,
    "sampler_snap_wa": ArgumentKind.SAMPLER,
}
"""The numbers that describe objects, and the kind of argument that they belong to."""


def _property_slot(entry: PayloadArgument, arguments: Sequence[Argument]) -> PropertySlot:
    kind, index = _PROPERTIES[entry.arg_type], entry.arg_index
    if entry.size != _WORD:
        raise PayloadError(f"{entry.arg_type}: {entry.size} bytes, expected {_WORD}")
    if not (0 <= index < len(arguments) and arguments[index].kind is kind):
        raise PayloadError(f"{entry.arg_type}: argument {index} is no {kind.name.lower()}")
    return PropertySlot(index, str(entry.arg_type), entry.offset)


def _implicit_slot(entry: PayloadArgument) -> ImplicitSlot:
    count = entry.size // _WORD
    limit = 1 if entry.arg_type == "work_dimensions" else 3
    if entry.size % _WORD or not 1 <= count <= limit:
        raise PayloadError(f"{entry.arg_type}: {entry.size} bytes, expected up to {limit} numbers of {_WORD} bytes")
    return ImplicitSlot(_IMPLICIT[entry.arg_type], entry.offset, count, struct.Struct(f"<{count}I"))


def payload_layout(entries: Sequence[PayloadArgument], names: Mapping[int, tuple[str, str]]) -> PayloadLayout:
    """Returns the layout that `.ze_info` describes; `names` has name and type name of arguments by index.

    Raises:
        PayloadError: An argument is incomplete, out of range, or of a kind that cannot be supplied.
    """
    explicit: dict[int, list[PayloadArgument]] = {}
    implicit, properties = [], []
    printf_buffer: int | None = None
    end = 0
    for entry in entries:
        if entry.offset < 0 or entry.size < 0 or entry.offset + entry.size > MAX_CROSS_THREAD:
            raise PayloadError(f"{entry.arg_type}: {entry.size} bytes at offset {entry.offset} are out of range")
        end = max(end, entry.offset + entry.size)
        if entry.arg_type in ("arg_byvalue", "arg_bypointer"):
            explicit.setdefault(entry.arg_index, []).append(entry)
        elif entry.arg_type in _IMPLICIT:
            implicit.append(_implicit_slot(entry))
        elif entry.arg_type in _PROPERTIES:
            properties.append(entry)
        elif entry.arg_type == "printf_buffer" and entry.size == POINTER_BYTES:
            printf_buffer = entry.offset
        else:
            raise PayloadError(f"this device does not supply '{entry.arg_type}' arguments")
    if sorted(explicit) != list(range(len(explicit))):
        raise PayloadError(f"argument indices are {sorted(explicit)}, expected 0 to {len(explicit) - 1} without holes")
    arguments = tuple(_argument(index, explicit[index], names.get(index, ("", ""))) for index in range(len(explicit)))
    size = -(-end // CROSS_THREAD_UNIT) * CROSS_THREAD_UNIT
    slots = tuple(_property_slot(entry, arguments) for entry in properties)
    return PayloadLayout(size, arguments, tuple(implicit), slots, printf_buffer)
