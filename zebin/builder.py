"""Makes a ZEBIN of compiled kernels."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from zebin.cost import cost_info
from zebin.debug.writer import DebugSection, debug_sections
from zebin.elf.constants import (
    COMPAT_NOTE,
    ENTRY_SYMBOL,
    TEXT_PREFIX,
    ZE_INFO,
    NoteType,
    RelocationType,
    SectionFlags,
    SectionType,
    SymbolBinding,
    SymbolType,
)
from zebin.elf.model import ElfFile, Relocation, Section, Symbol
from zebin.model import Zebin
from zebin.notes import Note
from zebin.reader import read
from zebin.rules.code import TEXT_TAIL
from zebin.rules.resources import PACKED_SIZES, local_id_row_bytes
from zebin.writer import write
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
from zebin.ze_info.vocabulary import AccessType, AddressMode, AddressSpace, AllocationType, ArgType, MemoryUsage

if TYPE_CHECKING:
    from xegpu.isa.kernel import CompiledKernel, KernelArgument
    from xegpu.targets import Target

VERSION = "1.61"
_TEXT_ALIGNMENT = 64
_SLM_ALIGNMENT = 16
_SPILL_SLOT, _PRIVATE_SLOT = 0, 1
_OBJECTS = (AddressSpace.IMAGE, AddressSpace.SAMPLER)
_RELOCATIONS: Mapping[int, RelocationType] = {4: RelocationType.SYM_ADDR_32, 8: RelocationType.SYM_ADDR}


def build(target: Target, kernels: Sequence[CompiledKernel]) -> bytes:
    """One ZEBIN with all kernels, the same bytes for the same kernels.

    The result is read back before it is returned: raises `ZebinError` when the kernels do not make a ZEBIN that a
    driver would take, for example for two kernels of one name or more local memory than the target has.
    """
    file = ElfFile([Section("", SectionType.NULL)])
    symbols = [Symbol("")]
    for kernel in kernels:
        text = Section(
            TEXT_PREFIX + kernel.name,
            SectionType.PROGBITS,
            SectionFlags.ALLOC | SectionFlags.EXECUTE,
            kernel.code + bytes(-len(kernel.code) % _TEXT_ALIGNMENT + TEXT_TAIL),
        )
        _append(file, text)
        symbols += (
            _code_symbol(kernel.name, SymbolType.FUNC, text.index, 0, len(kernel.code)),
            _code_symbol(ENTRY_SYMBOL, SymbolType.NOTYPE, text.index, kernel.entry_offset, 0),
        )
    symtab = Section(".symtab", SectionType.SYMTAB)
    _append(file, symtab)
    file.symbol_table = symtab.index
    symbols += _append_debug_information(file, symbols, symtab, debug_sections(kernels))
    file.symbols = symbols
    _append(file, Section(ZE_INFO, SectionType.ZEINFO))
    _append(file, Section(COMPAT_NOTE, SectionType.NOTE))
    _append(file, Section(".strtab", SectionType.STRTAB))
    file.string_table = len(file.sections) - 1
    data = write(Zebin(file, _notes(target), describe(target, kernels)))
    read(data, strict=True)
    return data


def _append_debug_information(
    file: ElfFile, symbols: Sequence[Symbol], symtab: Section, parts: Mapping[str, DebugSection]
) -> list[Symbol]:
    """Adds debug sections and their relocations; returns the symbols that these need."""
    sections = {name: Section(name, SectionType.PROGBITS, data=part.data) for name, part in parts.items()}
    for section in sections.values():
        _append(file, section)
    anchors = [Symbol(name, SymbolBinding.LOCAL, SymbolType.OBJECT, s.index) for name, s in sections.items()]
    indexes = {symbol.name: index for index, symbol in enumerate((*symbols, *anchors))}
    entry_size = file.elf_class.layouts.rela.size
    for name, part in parts.items():
        if part.patches:
            target = sections[name].index
            relocations = Section(
                ".rela" + name, SectionType.RELA, link=symtab.index, info=target, entry_size=entry_size
            )
            _append(file, relocations)
            file.relocations[relocations.index] = [
                Relocation(patch.offset, _RELOCATIONS[patch.width], indexes[patch.symbol], patch.addend)
                for patch in part.patches
            ]
    return anchors


def _append(file: ElfFile, section: Section) -> None:
    section.index = len(file.sections)
    file.sections.append(section)


def _code_symbol(name: str, kind: SymbolType, section: int, value: int, size: int) -> Symbol:
    return Symbol(name, SymbolBinding.LOCAL, kind, section, value, size)


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
        kernels_misc_info=[_misc_info(kernel) for kernel in kernels],
        kernels_cost_info=[info for kernel in kernels for info in cost_info(kernel)],
    )


def _kernel_info(target: Target, kernel: CompiledKernel) -> KernelInfo:
    group_size = kernel.required_work_group_size
    return KernelInfo(
        name=kernel.name,
        user_attributes=UserAttributes(reqd_work_group_size=group_size) if group_size else None,
        execution_env=_execution_env(target, kernel),
        payload_arguments=sorted(_payload_arguments(kernel), key=lambda argument: argument.offset),
        per_thread_payload_arguments=list(_local_ids(target, kernel)),
        per_thread_memory_buffers=list(_memory_buffers(kernel)),
    )


def _execution_env(target: Target, kernel: CompiledKernel) -> ExecutionEnv:
    # A kernel with an impossible number of registers or barriers keeps it, for the reader to refuse by name.
    barriers = [count for count in target.barrier_counts if count >= kernel.barrier_count]
    threads = target.threads_per_eu(kernel.grf_count) if kernel.grf_count in target.grf_counts else 0
    pointers = [argument for argument in kernel.arguments if argument.is_pointer]
    return ExecutionEnv(
        barrier_count=min(barriers, default=kernel.barrier_count),
        grf_count=kernel.grf_count,
        has_4gb_buffers=True,
        has_dpas=kernel.has_dpas,
        has_global_atomics=kernel.has_global_atomics,
        has_no_stateless_write=not any(_is_written_stateless(argument) for argument in pointers),
        required_work_group_size=kernel.required_work_group_size or (0, 0, 0),
        simd_size=kernel.simd_size,
        slm_size=kernel.slm_size,
        private_size=kernel.private_size,
        spill_size=kernel.spill_size,
        subgroup_independent_forward_progress=True,
        eu_thread_count=threads,
    )


def _is_written_stateless(argument: KernelArgument) -> bool:
    return argument.address_space not in (AddressSpace.LOCAL, *_OBJECTS) and argument.access != AccessType.READONLY


def _payload_arguments(kernel: CompiledKernel) -> Iterator[PayloadArgument]:
    for implicit in kernel.implicit_arguments:
        yield PayloadArgument(arg_type=ArgType(implicit.kind), offset=implicit.offset, size=implicit.size)
    samplers = itertools.count()
    for index, argument in enumerate(kernel.arguments):
        if argument.address_space in _OBJECTS:
            is_sampler = argument.address_space == AddressSpace.SAMPLER
            yield _object(index, argument, next(samplers) if is_sampler else -1)
        elif argument.is_pointer:
            yield _pointer(index, argument)
        else:
            yield PayloadArgument(
                arg_type=ArgType.ARG_BYVALUE, offset=argument.offset, size=argument.size, arg_index=index
            )


def _pointer(index: int, argument: KernelArgument) -> PayloadArgument:
    local = argument.address_space == AddressSpace.LOCAL
    return PayloadArgument(
        arg_type=ArgType.ARG_BYPOINTER,
        offset=argument.offset,
        size=argument.size,
        arg_index=index,
        addrmode=AddressMode.SLM if local else AddressMode.STATELESS,
        addrspace=AddressSpace.LOCAL if local else AddressSpace.GLOBAL,
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
        addrspace=AddressSpace(argument.address_space),
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
                access_qualifier="NONE",
                type_name=f"{argument.type_name};{argument.size}",
                type_qualifiers="NONE",
            )
            for index, argument in enumerate(kernel.arguments)
        ],
    )


def _address_qualifier(argument: KernelArgument) -> str:
    if not argument.is_pointer:
        return "__private"
    return "__local" if argument.address_space == AddressSpace.LOCAL else "__global"
