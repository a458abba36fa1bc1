"""Makes a ZEBIN of compiled kernels."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from zebin.cost import cost_info
from zebin.debug.writer import debug_sections
from zebin.elf.builder import ElfBuilder, RelocatedField
from zebin.elf.constants import (
    COMPAT_NOTE,
    ENTRY_SYMBOL,
    PRINTF_PREFIX,
    STRINGS,
    TEXT_PREFIX,
    ZE_INFO,
    NoteType,
    RelocationType,
    SectionFlags,
    SectionType,
    SymbolType,
)
from zebin.elf.model import Section, Symbol
from zebin.file import read, write
from zebin.model import Zebin
from zebin.notes import Note
from zebin.rules.code import TEXT_TAIL
from zebin.rules.resources import PACKED_SIZES, local_id_row_bytes
from zebin.variables import add_variables, host_access, variables_of
from zebin.ze_info.schema import (
    ArgInfo,
    ExecutionEnv,
    KernelInfo,
    KernelMiscInfo,
    PayloadArgument,
    PerThreadMemoryBuffer,
    PerThreadPayloadArgument,
    UserAttributes,
    ZeInfo,
)
from zebin.ze_info.vocabulary import (
    AccessType,
    AddressMode,
    AllocationType,
    ArgType,
    ArgumentAddressSpace,
    MemoryUsage,
    ThreadSchedulingMode,
)

if TYPE_CHECKING:
    from xegpu.isa.code import CompiledKernel, KernelArgument
    from xegpu.targets import Target

VERSION = "1.61"
_TEXT_ALIGNMENT = 64
_SLM_ALIGNMENT = 16
_WALK_ORDER = (0, 1, 2)
"""Work-items follow one another in x, then in y, then in z: code that relies on an order relies on this one."""
_SPILL_SLOT, _PRIVATE_SLOT = 0, 1
_OBJECTS = (ArgumentAddressSpace.IMAGE, ArgumentAddressSpace.SAMPLER)
_ACCESS_QUALIFIERS = {
    AccessType.READONLY: "__read_only",
    AccessType.WRITEONLY: "__write_only",
    AccessType.READWRITE: "__read_write",
}
_RELOCATIONS: Mapping[int, RelocationType] = {4: RelocationType.SYM_ADDR_32, 8: RelocationType.SYM_ADDR}


def build(target: Target, kernels: Sequence[CompiledKernel]) -> bytes:
    """One ZEBIN with all kernels, the same bytes for the same kernels.

    The result is read back before it is returned: raises `ZebinError` when the kernels do not make a ZEBIN that a
    driver would take, for example for two kernels of one name or more local memory than the target has.
    """
    builder = ElfBuilder()
    symbols = {kernel.name: _add_kernel(builder, kernel) for kernel in kernels}
    variables = add_variables(builder, variables_of(kernels))
    for kernel in kernels:
        builder.add_patches(symbols[kernel.name].section_index, _addresses(kernel, variables))
    _add_strings(builder, kernels)
    _add_debug_information(builder, kernels, symbols)
    file = builder.finish([Section(ZE_INFO, SectionType.ZEINFO), Section(COMPAT_NOTE, SectionType.NOTE)])
    data = write(Zebin(file, _notes(target), describe(target, kernels)))
    read(data, strict=True)
    return data


def _add_kernel(builder: ElfBuilder, kernel: CompiledKernel) -> Symbol:
    """The kernel's code, padded, with the symbols that belong to it: its own is returned."""
    padded = kernel.code + bytes(-len(kernel.code) % _TEXT_ALIGNMENT + TEXT_TAIL)
    flags = SectionFlags.ALLOC | SectionFlags.EXECUTE
    text = builder.add_section(TEXT_PREFIX + kernel.name, SectionType.PROGBITS, padded, flags)
    symbol = builder.add_symbol(kernel.name, text, SymbolType.FUNC, size=len(kernel.code))
    builder.add_symbol(ENTRY_SYMBOL, text, SymbolType.NOTYPE, kernel.entry_offset)
    return symbol


def _addresses(kernel: CompiledKernel, variables: Mapping[str, Symbol]) -> list[RelocatedField]:
    """The addresses of variables in the kernel's code."""
    return [RelocatedField(r.offset, RelocationType.SYM_ADDR, variables[r.symbol]) for r in kernel.references]


def _add_strings(builder: ElfBuilder, kernels: Sequence[CompiledKernel]) -> None:
    """The texts that kernels print, those of a kernel together."""
    texts = {k.name: b"".join(t.encode() + b"\0" for t in k.printf_strings) for k in kernels if k.printf_strings}
    if not texts:
        return
    section = builder.add_section(STRINGS, SectionType.PROGBITS, b"".join(texts.values()))
    offset = 0
    for name, data in texts.items():
        builder.add_symbol(PRINTF_PREFIX + name, section, SymbolType.OBJECT, offset, len(data))
        offset += len(data)


def _add_debug_information(
    builder: ElfBuilder, kernels: Sequence[CompiledKernel], symbols: Mapping[str, Symbol]
) -> None:
    """Debug sections, with relocations against symbols that stand for these and for the kernels' code."""
    parts = debug_sections(kernels)
    sections = {name: builder.add_section(name, SectionType.PROGBITS, part.data) for name, part in parts.items()}
    anchors = {name: builder.add_symbol(name, section, SymbolType.OBJECT) for name, section in sections.items()}
    known = {**symbols, **anchors}
    for name, part in parts.items():
        patches = [RelocatedField(p.offset, _RELOCATIONS[p.width], known[p.symbol], p.addend) for p in part.patches]
        builder.add_patches(sections[name].index, patches)


def _notes(target: Target) -> list[Note]:
    """The four records that every driver knows; the metadata word leaves stepping and generator open."""
    return [
        Note.of_word(NoteType.PRODUCT_FAMILY, target.product_family),
        Note.of_word(NoteType.GFXCORE_FAMILY, target.gfx_core),
        Note.of_word(NoteType.TARGET_METADATA, 0),
        Note.of_text(NoteType.ZEBIN_VERSION, VERSION),
    ]


def describe(target: Target, kernels: Sequence[CompiledKernel]) -> ZeInfo:
    """What `.ze_info` says of the kernels."""
    return ZeInfo(
        version=VERSION,
        kernels=[_kernel_info(target, kernel) for kernel in kernels],
        global_host_access_table=host_access(variables_of(kernels)),
        kernels_misc_info=[_misc_info(kernel) for kernel in kernels],
        kernels_cost_info=[info for kernel in kernels for info in cost_info(kernel)],
    )


def _kernel_info(target: Target, kernel: CompiledKernel) -> KernelInfo:
    return KernelInfo(
        name=kernel.name,
        user_attributes=_user_attributes(kernel),
        execution_env=_execution_env(target, kernel),
        payload_arguments=sorted(_payload_arguments(kernel), key=lambda argument: argument.offset),
        per_thread_payload_arguments=list(_local_ids(target, kernel)),
        per_thread_memory_buffers=list(_memory_buffers(kernel)),
    )


def _user_attributes(kernel: CompiledKernel) -> UserAttributes | None:
    """What the program asks for, and the order of work-items where code relies on it; None for nothing of these."""
    attributes = UserAttributes(
        intel_reqd_sub_group_size=kernel.required_subgroup_size,
        intel_reqd_workgroup_walk_order=_WALK_ORDER if kernel.ordered_subgroups else (0, 0, 0),
        reqd_work_group_size=kernel.required_work_group_size or (0, 0, 0),
        work_group_size_hint=kernel.work_group_size_hint or (0, 0, 0),
    )
    return None if attributes == UserAttributes() else attributes


def _execution_env(target: Target, kernel: CompiledKernel) -> ExecutionEnv:
    # A kernel with an impossible number of registers or barriers keeps it, for the reader to refuse by name.
    barriers = [count for count in target.barrier_counts if count >= kernel.barrier_count]
    threads = target.threads_per_eu(kernel.grf_count) if kernel.grf_count in target.grf_counts else 0
    features = kernel.features
    return ExecutionEnv(
        barrier_count=min(barriers, default=kernel.barrier_count),
        grf_count=kernel.grf_count,
        has_4gb_buffers=features.reaches_global,
        has_dpas=features.has_dpas,
        has_fence_for_image_access=features.fences_images,
        has_global_atomics=features.has_global_atomics,
        has_multi_scratch_spaces=bool(kernel.spill_size and kernel.private_size),
        has_no_stateless_write=not features.writes_global,
        has_printf_calls=bool(kernel.printf_strings),
        indirect_stateless_count=kernel.indirect_accesses,
        required_sub_group_size=kernel.required_subgroup_size,
        required_work_group_size=kernel.required_work_group_size or (0, 0, 0),
        simd_size=kernel.simd_size,
        slm_size=kernel.slm_size,
        private_size=kernel.private_size,
        spill_size=kernel.spill_size,
        subgroup_independent_forward_progress=True,
        thread_scheduling_mode=ThreadSchedulingMode.ROUND_ROBIN if features.waits_for_others else None,
        work_group_walk_order_dimensions=_WALK_ORDER,
        eu_thread_count=threads,
        has_sample=features.has_sample,
        has_lsc_stores_with_non_default_l1_cache_controls=features.overrides_l1,
        explicit=("work_group_walk_order_dimensions",) if kernel.ordered_subgroups else (),
    )


def _payload_arguments(kernel: CompiledKernel) -> Iterator[PayloadArgument]:
    for implicit in kernel.implicit_arguments:
        yield PayloadArgument(arg_type=ArgType(implicit.kind), offset=implicit.offset, size=implicit.size)
    samplers = itertools.count()
    for index, argument in enumerate(kernel.arguments):
        if argument.address_space in _OBJECTS:
            is_sampler = argument.address_space == ArgumentAddressSpace.SAMPLER
            yield _object(index, argument, next(samplers) if is_sampler else -1)
        elif argument.is_pointer:
            yield _pointer(index, argument)
        else:
            yield PayloadArgument(
                arg_type=ArgType.ARG_BYVALUE,
                offset=argument.offset,
                size=argument.size,
                arg_index=index,
                is_ptr=argument.is_address,
            )


def _pointer(index: int, argument: KernelArgument) -> PayloadArgument:
    local = argument.address_space == ArgumentAddressSpace.LOCAL
    return PayloadArgument(
        arg_type=ArgType.ARG_BYPOINTER,
        offset=argument.offset,
        size=argument.size,
        arg_index=index,
        addrmode=AddressMode.SLM if local else AddressMode.STATELESS,
        addrspace=ArgumentAddressSpace.LOCAL if local else ArgumentAddressSpace.GLOBAL,
        access_type=AccessType(argument.access or AccessType.READWRITE),
        slm_alignment=_SLM_ALIGNMENT if local else 0,
    )


def _object(index: int, argument: KernelArgument, sampler_index: int) -> PayloadArgument:
    """An image or sampler: the slot takes the address of its state."""
    access = None if sampler_index >= 0 else AccessType(argument.access or AccessType.READWRITE)
    return PayloadArgument(
        arg_type=ArgType.ARG_BYPOINTER,
        offset=argument.offset,
        size=argument.size,
        arg_index=index,
        addrmode=AddressMode.BINDLESS,
        addrspace=ArgumentAddressSpace(argument.address_space),
        access_type=access,
        sampler_index=sampler_index,
    )


def _local_ids(target: Target, kernel: CompiledKernel) -> Iterator[PerThreadPayloadArgument]:
    """Packed for a kernel that sees a subgroup as one, a row of lanes for each dimension otherwise."""
    if not kernel.local_id_dimensions:
        return
    if kernel.simd_size == 1:
        # The register holds x, y and z however many are read, and drivers abort when told of fewer.
        kind, size = ArgType.PACKED_LOCAL_IDS, max(PACKED_SIZES)
    else:
        row = local_id_row_bytes(kernel.simd_size, target.grf_bytes)
        kind, size = ArgType.LOCAL_ID, kernel.local_id_dimensions * row
    yield PerThreadPayloadArgument(arg_type=kind, offset=0, size=size)


def _memory_buffers(kernel: CompiledKernel) -> Iterator[PerThreadMemoryBuffer]:
    for usage, slot, size in (
        (MemoryUsage.SPILL_FILL_SPACE, _SPILL_SLOT, kernel.spill_size),
        (MemoryUsage.PRIVATE_SPACE, _PRIVATE_SLOT, kernel.private_size),
    ):
        if size:
            yield PerThreadMemoryBuffer(type=AllocationType.SCRATCH, usage=usage, size=size, slot=slot)


def _misc_info(kernel: CompiledKernel) -> KernelMiscInfo:
    return KernelMiscInfo(
        name=kernel.name,
        args_info=[
            ArgInfo(
                index=index,
                name=argument.name,
                address_qualifier=_address_qualifier(argument),
                access_qualifier=_access_qualifier(argument),
                type_name=f"{argument.type_name};{argument.size}",
                type_qualifiers="NONE",
            )
            for index, argument in enumerate(kernel.arguments)
        ],
    )


def _address_qualifier(argument: KernelArgument) -> str:
    if not argument.is_pointer:
        return "__private"
    return "__local" if argument.address_space == ArgumentAddressSpace.LOCAL else "__global"


def _access_qualifier(argument: KernelArgument) -> str:
    """Images have one."""
    is_image = argument.address_space == ArgumentAddressSpace.IMAGE
    return _ACCESS_QUALIFIERS[AccessType(argument.access or AccessType.READWRITE)] if is_image else "NONE"
