"""Rules for payload arguments and the binding table (zeinfo 1.61, `payload_arguments`, `binding_table_indices`)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from operator import itemgetter
from typing import TypeAlias

from zebin.contract.payload import PAYLOAD, PayloadKind
from zebin.elf.model import ElfClass
from zebin.errors import excerpt
from zebin.rules.subject import Subject, check_conditions
from zebin.rules.values import SURFACE_LIMIT, check_values
from zebin.ze_info.schema import KernelInfo, PayloadArgument
from zebin.ze_info.vocabulary import (
    ARGUMENT_TYPES,
    PER_THREAD_TYPES,
    AddressMode,
    ArgType,
    ArgumentAddressSpace,
)

PAYLOAD_LIMIT = 0xFFE0
"""The largest end of a slot: drivers round it up to 32 bytes and keep it in 16 bits."""

ARG_INDEX_LIMIT = 4096

_INLINE_ONLY = (ArgType.SCRATCH_POINTER, ArgType.INDIRECT_DATA_POINTER)
_BASES = (ArgType.CONST_BASE, ArgType.GLOBAL_BASE)
_ANY = PayloadKind(None)

_NEED_ACCESS = (AddressMode.STATELESS, AddressMode.BINDLESS)
"""The addressing modes of memory of which drivers must know the accesses; they die without."""
_OBJECTS = (ArgumentAddressSpace.IMAGE, ArgumentAddressSpace.SAMPLER)

Argument: TypeAlias = Subject[PayloadArgument]


def check_arguments(kernel: Subject[KernelInfo], elf_class: ElfClass) -> None:
    """Checks each argument by itself, then their combination."""
    arguments = list(kernel.children("payload_arguments", kernel.record.payload_arguments))
    for argument in arguments:
        check_conditions(argument)
        check_values(argument)
        _check_slot(argument)
        _check_index(argument)
        if argument.record.arg_type == ArgType.ARG_BYPOINTER:
            _check_pointer(argument)
        if _is_address(argument.record):
            _check_address(argument, elf_class)
    _check_overlaps(arguments)
    _check_holes(kernel, arguments)
    _check_roles(arguments)
    _check_pieces(arguments)
    _check_modes(arguments)
    _check_inline(kernel, arguments)
    _check_binding_table(kernel, arguments)


def _check_slot(argument: Argument) -> None:
    """Checks the bytes that the argument occupies."""
    record = argument.record
    offset, size = record.offset, record.size
    if record.arg_type in PER_THREAD_TYPES:
        expected = "an entry in per_thread_payload_arguments"
        argument.error("arg.type", "not a cross-thread argument", "arg_type", found=record.arg_type, expected=expected)
    if offset < 0 or size < 0 or offset + size > PAYLOAD_LIMIT:
        found, expected = f"offset {offset}, size {size}", f"0 to {PAYLOAD_LIMIT}"
        argument.error("arg.range", "slot outside the payload", "offset", found=found, expected=expected)
    elif size not in (sizes := PAYLOAD.get(record.arg_type, _ANY).sizes or (size,)):
        message, expected = f"{record.arg_type} has a wrong size", " or ".join(map(str, sizes))
        argument.error("arg.slot-size", message, "size", found=size, expected=expected)
    elif record.arg_type == ArgType.ARG_BYVALUE and not size:
        argument.warning("arg.slot-size", "value without bytes", "size", found=size, expected="1 or more")


def _check_index(argument: Argument) -> None:
    record = argument.record
    if record.arg_index < 0 and record.arg_type in ARGUMENT_TYPES:
        argument.error(
            "arg.index", f"{record.arg_type} without an argument index", found=record.arg_index, expected="0 or more"
        )
    elif record.arg_index > ARG_INDEX_LIMIT:
        argument.error(
            "arg.index-range",
            "argument index is too large",
            "arg_index",
            found=record.arg_index,
            expected=f"at most {ARG_INDEX_LIMIT}",
        )


def _check_pointer(argument: Argument) -> None:
    """Checks that the addressing mode fits the address space."""
    record = argument.record
    if record.addrmode is None:
        argument.error("arg.addrmode", "pointer without an addressing mode", expected="addrmode")
    elif record.addrmode == AddressMode.STATELESS and record.addrspace in _OBJECTS:
        argument.error("arg.addrmode", f"{record.addrspace} without a surface", "addrmode", found=record.addrmode)
    elif record.addrmode == AddressMode.SLM and record.addrspace not in (None, ArgumentAddressSpace.LOCAL):
        message = "local memory in another address space"
        argument.error(
            "arg.combination",
            message,
            "addrspace",
            found=excerpt(record.addrspace),
            expected=ArgumentAddressSpace.LOCAL,
        )
    elif record.addrmode in _NEED_ACCESS and record.addrspace not in _OBJECTS and record.access_type is None:
        argument.error("arg.access", f"{record.addrmode} pointer without an access type", expected="access_type")
    if record.addrspace == ArgumentAddressSpace.SAMPLER and record.sampler_index < 0:
        argument.error("arg.combination", "sampler without an index", expected="sampler_index")


def _is_address(record: PayloadArgument) -> bool:
    """Returns True if the slot holds a pointer."""
    if record.arg_type == ArgType.ARG_BYPOINTER:
        return record.addrmode in (AddressMode.STATELESS, AddressMode.SLM)
    return record.arg_type == ArgType.BUFFER_ADDRESS


def _check_address(argument: Argument, elf_class: ElfClass) -> None:
    record, size = argument.record, elf_class.pointer_bytes
    if record.size != size or record.offset % size:
        found, expected = f"offset {record.offset}, size {record.size}", f"size {size}, aligned to it"
        argument.warning("arg.size", "unusual slot for a pointer", "size", found=found, expected=expected)


def _check_overlaps(arguments: Sequence[Argument]) -> None:
    slots = sorted(
        ((argument.record.offset, argument.record.offset + argument.record.size, argument) for argument in arguments),
        key=itemgetter(0, 1),
    )
    for (_, end, _), (start, _, argument) in pairwise(slot for slot in slots if slot[0] < slot[1]):
        if start < end:
            found, expected = f"offset {start}", f"at least {end}"
            argument.warning("arg.overlap", "slot overlaps another", "offset", found=found, expected=expected)


def _check_holes(kernel: Subject[KernelInfo], arguments: Sequence[Argument]) -> None:
    indices = (argument.record.arg_index for argument in arguments)
    described = {index for index in indices if 0 <= index <= ARG_INDEX_LIMIT}
    if described and len(described) <= max(described):
        missing = next(index for index in range(max(described)) if index not in described)
        kernel.warning("arg.index-range", f"argument {missing} is not described", "payload_arguments")


def _check_roles(arguments: Sequence[Argument]) -> None:
    """Checks that each kernel argument is either a value, a pointer, an image or a sampler in all of its slots."""
    roles: dict[int, str] = {}
    for argument in arguments:
        record = argument.record
        if record.arg_type == ArgType.ARG_BYPOINTER:
            role = str(record.addrspace) if record.addrspace in _OBJECTS else "pointer"
        else:
            role = PAYLOAD.get(record.arg_type, _ANY).role
        if not role:
            continue
        first = roles.setdefault(record.arg_index, role)
        if role != first:
            message = f"argument {record.arg_index} is described in two ways"
            argument.error("arg.combination", message, "arg_index", found=role, expected=first)


def _check_pieces(arguments: Sequence[Argument]) -> None:
    """Checks that all pieces of a value after the first state their offset in the value."""
    seen: set[int] = set()
    for argument in arguments:
        record = argument.record
        if record.arg_type != ArgType.ARG_BYVALUE:
            continue
        if record.source_offset < 0 and record.arg_index in seen:
            argument.error("arg.source", f"second piece of argument {record.arg_index}", expected="source_offset")
        seen.add(record.arg_index)


def _check_modes(arguments: Sequence[Argument]) -> None:
    """Warns of buffers or images accessed both bindless and stateful, which newer drivers refuse."""
    modes: dict[bool, set[str]] = {False: set(), True: set()}
    for argument in arguments:
        record = argument.record
        if record.arg_type in _BASES and record.bti_value >= 0:
            modes[False].add(AddressMode.STATEFUL)
        elif (
            record.arg_type == ArgType.ARG_BYPOINTER
            and record.addrspace != ArgumentAddressSpace.SAMPLER
            and record.addrmode
        ):
            modes[record.addrspace == ArgumentAddressSpace.IMAGE].add(record.addrmode)
        if any(used >= {AddressMode.BINDLESS, AddressMode.STATEFUL} for used in modes.values()):
            argument.warning("arg.mix", "bindless and stateful addressing in one kernel", "addrmode")
            return


def _check_inline(kernel: Subject[KernelInfo], arguments: Sequence[Argument]) -> None:
    """Checks that pointers followed by hardware are inline data, and that inline samplers are described."""
    inline = kernel.record.execution_env.inline_data_payload_size
    samplers = len(kernel.record.inline_samplers)
    for argument in arguments:
        record = argument.record
        if record.arg_type in _INLINE_ONLY and record.offset + record.size > inline:
            message, found = f"{record.arg_type} outside the inline data", f"end {record.offset + record.size}"
            argument.error("arg.inline", message, "offset", found=found, expected=f"at most {inline}")
        if record.arg_type == ArgType.INLINE_SAMPLER and not 0 <= record.sampler_index <= samplers:
            message, expected = "inline sampler that is not described", f"0 to {samplers}"
            argument.error("arg.sampler", message, "sampler_index", found=record.sampler_index, expected=expected)


def _check_binding_table(kernel: Subject[KernelInfo], arguments: Sequence[Argument]) -> None:
    pointers = {a.record.arg_index for a in arguments if a.record.arg_type == ArgType.ARG_BYPOINTER}
    surfaces: set[int] = set()
    described: set[int] = set()
    for entry in kernel.children("binding_table_indices", kernel.record.binding_table_indices):
        surface, index = entry.record.bti_value, entry.record.arg_index
        if not 0 <= surface <= SURFACE_LIMIT:
            expected = f"0 to {SURFACE_LIMIT}"
            entry.error("bti.range", "invalid surface index", "bti_value", found=surface, expected=expected)
        if index not in pointers:
            entry.error("bti.arg", "surface of an argument that is not a pointer", "arg_index", found=index)
        if surface in surfaces:
            entry.error("bti.duplicate", "surface is used twice", "bti_value", found=surface)
        if index in described:
            entry.error("bti.duplicate", "argument has two surfaces", "arg_index", found=index)
        surfaces.add(surface)
        described.add(index)
    for argument in arguments:
        record = argument.record
        stateful = record.arg_type == ArgType.ARG_BYPOINTER and record.addrmode == AddressMode.STATEFUL
        if stateful and record.addrspace != ArgumentAddressSpace.SAMPLER and record.arg_index not in described:
            message = f"argument {record.arg_index} is stateful but has no surface"
            argument.warning("bti.missing", message, "addrmode", expected="an entry in binding_table_indices")
