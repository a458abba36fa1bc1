"""Cross-thread data: the bytes, from arguments and launch geometry, that a kernel reads.

Everything here follows from the facts that `.ze_info` states. The bytes start zeroed, and each argument
overwrites its own.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from xegpu.isa.model import ArgumentKind
from xegpu.on_demand import dataclass
from zebin import contract

if TYPE_CHECKING:
    from xegpu.isa.model import Dim3, ImplicitArgument, KernelArgument, KernelFacts

POINTER_BYTES = 8
_WORD = 4
_WORDS = tuple(struct.Struct(f"<{count}I") for count in range(4))


class PayloadError(Exception):
    """A kernel whose payload cannot be supplied; the text says why."""


@dataclass(frozen=True)
class Geometry:
    """The geometry of a launch: work-items (or subgroups) of a work-group, work-groups, offset of global ids."""

    local_size: Dim3
    group_count: Dim3
    global_offset: Dim3


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


LAUNCH_NUMBERS: Mapping[str, Values] = {
    "local_size": lambda geometry: geometry.local_size,
    "enqueued_local_size": lambda geometry: geometry.local_size,
    "group_count": lambda geometry: geometry.group_count,
    "global_size": _global_size,
    "global_id_offset": lambda geometry: geometry.global_offset,
    "work_dimensions": _dimensions,
}
"""The numbers of a launch, by the type of the slot that has them."""

_ROLES = {"pointer": ArgumentKind.POINTER, "image": ArgumentKind.IMAGE, "sampler": ArgumentKind.SAMPLER}


def check_payload(facts: KernelFacts) -> None:
    """Raises `PayloadError` for implicit arguments that nothing here can supply."""
    for implicit in facts.implicit_arguments:
        kind = contract.PAYLOAD.get(implicit.kind)
        if kind is None or kind.source is None:
            raise PayloadError(f"this device does not supply '{implicit.kind}' arguments")
        is_address = kind.source in (contract.PayloadSource.LAUNCH_MEMORY, contract.PayloadSource.MODULE)
        sizes = (POINTER_BYTES,) if is_address else kind.sizes or (_WORD,)
        if implicit.size not in sizes:
            raise PayloadError(f"{implicit.kind}: {implicit.size} bytes, expected {' or '.join(map(str, sizes))}")
        if kind.source is contract.PayloadSource.OBJECT:
            _check_object(implicit, facts, _ROLES[kind.role])


def _check_object(implicit: ImplicitArgument, facts: KernelFacts, kind: ArgumentKind) -> None:
    index = -1 if implicit.argument is None else implicit.argument
    if not (0 <= index < len(facts.arguments) and facts.arguments[index].kind is kind):
        raise PayloadError(f"{implicit.kind}: argument {index} is not of kind {kind.name.lower()}")


def write_argument(data: bytearray, argument: KernelArgument, value: bytes) -> None:
    """Writes an argument's value to cross-thread data."""
    for slot in argument.slots:
        piece = value[slot.source : slot.source + slot.size]
        data[slot.offset : slot.offset + len(piece)] = piece


def write_properties(data: bytearray, facts: KernelFacts, index: int, properties: Mapping[str, int]) -> None:
    """Writes the numbers that describe the object of the argument `index` to cross-thread data."""
    for implicit in facts.implicit_arguments:
        if implicit.argument == index:
            _WORDS[1].pack_into(data, implicit.offset, properties[implicit.kind])


def write_geometry(data: bytearray, facts: KernelFacts, geometry: Geometry) -> None:
    """Writes the values of a launch to cross-thread data."""
    for implicit in facts.implicit_arguments:
        values = LAUNCH_NUMBERS.get(implicit.kind)
        if values is not None:
            count = implicit.size // _WORD
            _WORDS[count].pack_into(data, implicit.offset, *values(geometry)[:count])


def place_local(facts: KernelFacts, sizes: Mapping[int, int]) -> tuple[dict[int, int], int]:
    """Returns the offset of each argument's local memory, and the end of all.

    `sizes` are bytes by argument index. Offsets count from the end of the kernel's own, which its code adds.
    """
    offsets, end = {}, 0
    for index in sorted(sizes):
        alignment = facts.arguments[index].alignment
        offsets[index] = -(-end // alignment) * alignment
        end = offsets[index] + sizes[index]
    return offsets, end
