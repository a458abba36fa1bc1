"""Reads the facts of a kernel back from `.ze_info`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from xegpu.isa import WORD_BYTES, has_header
from xegpu.isa.model import (
    ArgumentKind,
    Binding,
    BindingKind,
    ImplicitArgument,
    KernelArgument,
    KernelFacts,
    KernelSampler,
    PayloadSlot,
)
from xegpu.targets import Target, local_id_row_bytes
from zebin.binary.model import ZebinKernel
from zebin.contract.implicit import PAYLOAD_SURFACE
from zebin.facts.writer import ADDRESSING, ATTRIBUTES, ENVIRONMENT, NO_SIZE
from zebin.ze_info.schema import ArgInfo, ExecutionEnv, PayloadArgument, UserAttributes
from zebin.ze_info.vocabulary import (
    AccessType,
    AddressMode,
    ArgType,
    ArgumentAddressSpace,
    SamplerAddressMode,
    SamplerFilterMode,
)

MAX_CROSS_THREAD = 1 << 16
"""Bytes of cross-thread payload that offsets may reach."""

_POINTER_BYTES = 8
_HANDLE_BYTES = (4, 8)
_BASES = (ArgType.CONST_BASE, ArgType.GLOBAL_BASE)

_HINTS = ("vec_type_hint", "work_group_size_hint")
_OF_ARGUMENTS = frozenset({ArgType.ARG_BYVALUE, ArgType.ARG_BYPOINTER, ArgType.BUFFER_ADDRESS})
"""The entries that hold an argument's value, or describe the argument."""

_NO_NUMBER = -1

_NUMBERED = {
    "image": (AddressMode.STATEFUL, ArgumentAddressSpace.IMAGE),
    "sampler": (AddressMode.STATEFUL, ArgumentAddressSpace.SAMPLER),
}
"""The kinds of objects that native code may name by numbers, and how `.ze_info` describes them then."""

_LOCAL_ID_BYTES = 2


class FactsError(Exception):
    """A kernel whose arguments make no sense, or are of a kind that nothing here supports; the text says why."""


def read_facts(kernel: ZebinKernel, target: Target) -> KernelFacts:
    """Returns the facts that `.ze_info` states about a kernel. Raises `FactsError`."""
    env, user = kernel.execution_env, kernel.info.user_attributes or UserAttributes()
    bound = _bound_objects(kernel)
    arguments, implicit = _read_arguments(kernel, bound)
    stated = _read(env, ENVIRONMENT) | _read(user, {name: ATTRIBUTES[name] for name in _HINTS})
    stated["vec_type_hint"] = user.vec_type_hint or ""
    private = 0 if kernel.private_memory else min(kernel.private_size, kernel.scratch)  # in scratch space
    spills = kernel.scratch - private
    stated |= {"private_size": private, "spill_size": spills, "barrier_count": env.barrier_count}
    stated["required_subgroup_size"] = env.required_sub_group_size or user.intel_reqd_sub_group_size
    return KernelFacts(
        **stated,
        arguments=arguments,
        implicit_arguments=implicit,
        local_id_dimensions=_local_id_dimensions(kernel, target),
        ordered_subgroups=any(user.intel_reqd_workgroup_walk_order),
        known_grid_size=kernel.known_grid_size,
        printf_strings=tuple(kernel.printf_strings),
        samplers=_samplers(kernel, bound),
        bindings=tuple(each.binding for each in bound),
    )


@dataclass(frozen=True)
class _Bound:
    """An object that native code names by a number, and the argument that is set to it; None: the kernel brings it.

    `base` is the type of the payload that has the address of the module's variables, if the object is these.
    """

    binding: Binding
    argument: int | None
    base: str = ""


def _bound_objects(kernel: ZebinKernel) -> list[_Bound]:
    """Returns the objects that code names by numbers. Their addresses lie behind the payload that `.ze_info` states."""
    surfaces = [
        _Named(BindingKind.SURFACE, entry.bti_value, entry.arg_index) for entry in kernel.info.binding_table_indices
    ]
    stated = [entry for entry in kernel.payload_arguments if entry.addrspace == ArgumentAddressSpace.SAMPLER]
    samplers = [
        _Named(BindingKind.SAMPLER, entry.sampler_index, entry.arg_index)
        for entry in stated
        if entry.addrmode == AddressMode.STATEFUL and entry.arg_type == ArgType.ARG_BYPOINTER
    ]
    if not any(entry.arg_type == ArgType.INLINE_SAMPLER for entry in stated):
        samplers += [_Named(BindingKind.SAMPLER, entry.sampler_index, None) for entry in kernel.info.inline_samplers]
    handles: dict[int | None, PayloadArgument] = {
        entry.arg_index: entry
        for entry in kernel.payload_arguments
        if _is_bindless_memory(entry) and entry.size in _HANDLE_BYTES
    }
    numbered = {each.argument for each in surfaces}
    surfaces = [each._replace(handle=handles.get(each.argument)) for each in surfaces]
    surfaces += [
        _Named(BindingKind.SURFACE, _NO_NUMBER, argument, entry)
        for argument, entry in handles.items()
        if argument not in numbered
    ]
    surfaces += [
        _Named(BindingKind.SURFACE, entry.bti_value, None, entry if entry.size else None, str(entry.arg_type))
        for entry in kernel.payload_arguments
        if _is_surface_of_variables(entry)
    ]
    objects = [] if has_header(bytes(kernel.code[:WORD_BYTES])) else list(_bindless_objects(kernel))
    surfaces += [each for each in objects if each.kind is BindingKind.SURFACE]
    samplers += [each for each in objects if each.kind is BindingKind.SAMPLER]
    if kernel.has_implicit_arguments:
        surfaces.append(_Named(BindingKind.SURFACE, PAYLOAD_SURFACE, None))
    end = max((entry.offset + entry.size for entry in kernel.payload_arguments), default=0)
    start = -(-end // Binding.SIZE) * Binding.SIZE
    return [
        _Bound(each.at(start + Binding.SIZE * index), each.argument, each.base)
        for index, each in enumerate((*surfaces, *samplers))
    ]


class _Named(NamedTuple):
    """An object before it has a place: its kind, number and argument, what code calls it by in the payload, and `base`
    as in `_Bound`.
    """

    kind: BindingKind
    number: int
    argument: int | None
    handle: PayloadArgument | None = None
    base: str = ""

    def at(self, offset: int) -> Binding:
        if self.handle is None:
            return Binding(self.kind, self.number, offset)
        return Binding(self.kind, self.number, offset, self.handle.offset, self.handle.size)


def _bindless_objects(kernel: ZebinKernel) -> Iterator[_Named]:
    """Yields the images and samplers that native code finds by what the payload says of them."""
    kinds = {ArgumentAddressSpace.IMAGE: BindingKind.SURFACE, ArgumentAddressSpace.SAMPLER: BindingKind.SAMPLER}
    for entry in kernel.payload_arguments:
        kind = next((kind for space, kind in kinds.items() if entry.addrspace == space), None)
        if entry.addrmode == AddressMode.BINDLESS and kind is not None and entry.size in _HANDLE_BYTES:
            is_own = entry.arg_type == ArgType.INLINE_SAMPLER
            number, argument = (entry.sampler_index, None) if is_own else (_NO_NUMBER, entry.arg_index)
            yield _Named(kind, number, argument, entry)


def _is_surface_of_variables(entry: PayloadArgument) -> bool:
    return entry.arg_type in _BASES and entry.addrmode in (AddressMode.BINDLESS, AddressMode.STATEFUL)


def _read(record: ExecutionEnv | UserAttributes, keys: Mapping[str, str]) -> dict[str, Any]:
    """Returns the facts that a record states: None for a size of which all is zero."""
    values = {fact: getattr(record, key) for fact, key in keys.items()}
    return {
        fact: None if fact.endswith(("group_size", "size_hint")) and value == NO_SIZE else value
        for fact, value in values.items()
    }


def _local_id_dimensions(kernel: ZebinKernel, target: Target) -> int:
    """Returns how many local ids a thread receives: rows of 16-bit lanes in whole registers, or packed numbers."""
    for argument in kernel.per_thread_payload_arguments:
        if argument.arg_type == ArgType.PACKED_LOCAL_IDS:
            return argument.size // _LOCAL_ID_BYTES
        if argument.arg_type == ArgType.LOCAL_ID:
            return argument.size // local_id_row_bytes(kernel.execution_env.simd_size, target.platform.grf_bytes)
    return 0


def _is_bindless_memory(entry: PayloadArgument) -> bool:
    spaces = (ArgumentAddressSpace.GLOBAL, ArgumentAddressSpace.CONSTANT)
    return entry.addrmode == AddressMode.BINDLESS and entry.addrspace in spaces


def _read_arguments(
    kernel: ZebinKernel, bound: Sequence[_Bound]
) -> tuple[tuple[KernelArgument, ...], tuple[ImplicitArgument, ...]]:
    """Returns the explicit arguments, each made of all its slots, and the implicit ones."""
    explicit: dict[int, list[PayloadArgument]] = {}
    implicit = []
    for entry in kernel.payload_arguments:
        if entry.offset < 0 or entry.size < 0 or entry.offset + entry.size > MAX_CROSS_THREAD:
            raise FactsError(f"{entry.arg_type}: {entry.size} bytes at offset {entry.offset} are out of range")
        if entry.arg_type == ArgType.INLINE_SAMPLER or _is_surface_of_variables(entry):
            continue
        if entry.arg_type in _OF_ARGUMENTS:
            explicit.setdefault(entry.arg_index, []).append(entry)
        else:
            index = entry.arg_index if entry.arg_index >= 0 else None
            implicit.append(ImplicitArgument(str(entry.arg_type), entry.offset, entry.size, index))
    if sorted(explicit) != list(range(len(explicit))):
        raise FactsError(f"argument indices are {sorted(explicit)}, expected 0 to {len(explicit) - 1} without holes")
    names = {argument.index: argument for argument in kernel.args_info}
    tables: dict[int, list[PayloadSlot]] = {}
    for each in bound:
        if each.argument is not None:
            tables.setdefault(each.argument, []).append(PayloadSlot(each.binding.offset, Binding.SIZE))
    if not tables.keys() <= explicit.keys():
        raise FactsError(f"the binding table names argument {max(tables)}, there are {len(explicit)}")
    arguments = (
        _read_argument(index, explicit[index], tables.get(index, []), names.get(index))
        for index in range(len(explicit))
    )
    implicit += [ImplicitArgument(each.base, each.binding.offset, Binding.SIZE) for each in bound if each.base]
    return tuple(arguments), tuple(implicit)


def _samplers(kernel: ZebinKernel, bound: Sequence[_Bound]) -> tuple[KernelSampler, ...]:
    """Returns the samplers that the kernel brings along, in the order of their numbers."""
    places = {
        each.binding.number: each.binding.offset
        for each in bound
        if each.argument is None and each.binding.kind is BindingKind.SAMPLER
    }
    for entry in kernel.payload_arguments:
        if entry.arg_type == ArgType.INLINE_SAMPLER and entry.sampler_index not in places:
            if entry.addrmode != AddressMode.BINDLESS or entry.size != KernelSampler.SIZE:
                raise FactsError(
                    f"inline sampler {entry.sampler_index}: {entry.size} bytes in mode {entry.addrmode}, "
                    f"expected {KernelSampler.SIZE} bytes in mode {AddressMode.BINDLESS}"
                )
            places[entry.sampler_index] = entry.offset
    found = []
    for sampler in sorted(kernel.info.inline_samplers, key=lambda each: each.sampler_index):
        offset = places.pop(sampler.sampler_index, None)
        if offset is None:
            raise FactsError(f"inline sampler {sampler.sampler_index} has no place in the payload")
        words = sampler.addrmode, sampler.filtermode
        if not isinstance(words[0], SamplerAddressMode) or not isinstance(words[1], SamplerFilterMode):
            raise FactsError(f"inline sampler {sampler.sampler_index}: {sampler.addrmode}, {sampler.filtermode}")
        found.append(KernelSampler(str(sampler.addrmode), str(sampler.filtermode), sampler.normalized, offset))
    if places:
        raise FactsError(f"inline sampler {min(places)} is not described")
    return tuple(found)


def _read_argument(
    index: int, entries: Sequence[PayloadArgument], table: Sequence[PayloadSlot], declared: ArgInfo | None
) -> KernelArgument:
    """Returns one argument from all of its entries; those of size 0 tell its kind and take no bytes."""
    kinds = {_kind_of(entry) for entry in entries}
    if len(kinds) > 1:
        raise FactsError(f"argument {index} is described in contradicting ways")
    (kind,) = kinds
    stated = (
        PayloadSlot(entry.offset, entry.size, max(entry.source_offset, 0))
        for entry in entries
        if entry.size and not (table and entry.addrmode == AddressMode.BINDLESS)
    )
    slots = (*stated, *table)
    size = max((slot.source + slot.size for slot in slots), default=0)
    if kind is not ArgumentKind.VALUE and any((slot.size, slot.source) != (_POINTER_BYTES, 0) for slot in slots):
        wrong = next(slot.size for slot in slots if (slot.size, slot.source) != (_POINTER_BYTES, 0))
        raise FactsError(f"argument {index}: a pointer of {wrong} bytes, expected {_POINTER_BYTES}")
    return KernelArgument(
        "" if declared is None else declared.name or "",
        "" if declared is None else declared.type_name,
        size if kind is ArgumentKind.VALUE else _POINTER_BYTES,
        slots,
        kind,
        str(next((entry.access_type for entry in entries if entry.access_type), AccessType.READWRITE)),
        is_address=any(entry.is_ptr for entry in entries),
        is_structure=any(entry.source_offset >= 0 for entry in entries),
        alignment=max(KernelArgument.alignment, *(entry.slm_alignment for entry in entries)),
    )


def _kind_of(entry: PayloadArgument) -> ArgumentKind:
    if entry.arg_type == ArgType.ARG_BYVALUE:
        return ArgumentKind.VALUE
    if entry.arg_type == ArgType.BUFFER_ADDRESS or _is_bindless_memory(entry):
        return ArgumentKind.POINTER
    for kind, addressing in (*ADDRESSING.items(), *(() if entry.size else _NUMBERED.items())):
        if (entry.addrmode, entry.addrspace) == addressing:
            return ArgumentKind(kind)
    if entry.addrspace in (ArgumentAddressSpace.GLOBAL, ArgumentAddressSpace.CONSTANT) and (
        entry.addrmode == AddressMode.STATELESS or not entry.size
    ):
        return ArgumentKind.POINTER
    raise FactsError(f"argument {entry.arg_index}: {entry.addrmode} {entry.addrspace} memory is not supported")
