"""The facts of a kernel as `.ze_info` states them: the only module that knows which key holds which fact."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from zebin.rules.resources import PACKED_SIZES
from zebin.ze_info.schema import (
    ArgInfo,
    ExecutionEnv,
    InlineSampler,
    KernelInfo,
    KernelMiscInfo,
    PayloadArgument,
    PerThreadMemoryBuffer,
    PerThreadPayloadArgument,
    UserAttributes,
)
from zebin.ze_info.vocabulary import (
    AccessType,
    AddressMode,
    AllocationType,
    ArgType,
    ArgumentAddressSpace,
    ImageType,
    MemoryUsage,
    SamplerAddressMode,
    SamplerFilterMode,
    SamplerType,
    ThreadSchedulingMode,
)

if TYPE_CHECKING:
    from xegpu.isa.code import CompiledKernel
    from xegpu.isa.model import KernelArgument, KernelFacts, KernelSampler, PayloadSlot, SourceArgument
    from xegpu.targets import Target

ENVIRONMENT = {
    "grf_count": "grf_count",
    "indirect_accesses": "indirect_stateless_count",
    "private_size": "private_size",
    "required_subgroup_size": "required_sub_group_size",
    "required_work_group_size": "required_work_group_size",
    "simd_size": "simd_size",
    "slm_size": "slm_size",
    "spill_size": "spill_size",
    "walk_order": "work_group_walk_order_dimensions",
}
"""Facts that `execution_env` states as they are, and their keys."""

ATTRIBUTES = {
    "required_subgroup_size": "intel_reqd_sub_group_size",
    "required_work_group_size": "reqd_work_group_size",
    "vec_type_hint": "vec_type_hint",
    "work_group_size_hint": "work_group_size_hint",
}
"""Facts that `user_attributes` states as they are, and their keys."""

NO_SIZE = (0, 0, 0)
_SPILL_SLOT, _PRIVATE_SLOT = 0, 1
ADDRESSING = {
    "global": (AddressMode.STATELESS, ArgumentAddressSpace.GLOBAL),
    "local": (AddressMode.SLM, ArgumentAddressSpace.LOCAL),
    "image": (AddressMode.BINDLESS, ArgumentAddressSpace.IMAGE),
    "sampler": (AddressMode.BINDLESS, ArgumentAddressSpace.SAMPLER),
}
"""The kinds of arguments that are addresses, and how `.ze_info` describes them."""

_QUALIFIERS = {"value": "__private", "local": "__local", "sampler": "__private"}
"""The address qualifiers of OpenCL C by kind of argument; `__global` for all other kinds."""

_ACCESS_QUALIFIERS = {
    AccessType.READONLY: "__read_only",
    AccessType.WRITEONLY: "__write_only",
    AccessType.READWRITE: "__read_write",
}


_IMAGE_TYPES = {
    kind.value.replace("image_", "image").replace("buffer", "1d_buffer"): kind
    for kind in ImageType
    if kind not in (ImageType.IMAGE_2D_MEDIA, ImageType.IMAGE_2D_MEDIA_BLOCK)
}
"""Kinds of images by the names of their types in OpenCL C, without `_t`."""


def kernel_info(target: Target, kernel: CompiledKernel) -> KernelInfo:
    """Returns the entry of `kernels` for a kernel."""
    facts = kernel.facts
    return KernelInfo(
        name=kernel.name,
        user_attributes=_user_attributes(facts),
        execution_env=_execution_env(target, kernel),
        inline_samplers=[_inline_sampler(index, sampler) for index, sampler in enumerate(facts.samplers)],
        payload_arguments=sorted(_payload_arguments(facts), key=lambda argument: argument.offset),
        per_thread_payload_arguments=list(_local_ids(target, facts)),
        per_thread_memory_buffers=list(_memory_buffers(facts)),
    )


def _stated(facts: KernelFacts, keys: Mapping[str, str]) -> dict[str, Any]:
    """Returns the values of keys: those of the facts, without what a kernel has none of."""
    values = {key: getattr(facts, fact) for fact, key in keys.items()}
    return {key: value for key, value in values.items() if value not in (None, "")}


def _user_attributes(facts: KernelFacts) -> UserAttributes | None:
    """Returns the attributes that the program asks for, and the order of work-items if the code relies on it."""
    order = facts.walk_order if facts.ordered_subgroups else NO_SIZE
    attributes = UserAttributes(intel_reqd_workgroup_walk_order=order, **_stated(facts, ATTRIBUTES))
    return None if attributes == UserAttributes() else attributes


def _execution_env(target: Target, kernel: CompiledKernel) -> ExecutionEnv:
    # A kernel with an impossible number of registers or barriers keeps it, for the reader to refuse by name.
    facts, features = kernel.facts, kernel.features
    barriers = [count for count in target.platform.barrier_counts if count >= facts.barrier_count]
    threads = target.platform.eu_threads.get(facts.grf_count, 0)
    return ExecutionEnv(
        **_stated(facts, ENVIRONMENT),
        barrier_count=min(barriers, default=facts.barrier_count),
        has_4gb_buffers=features.reaches_global,
        has_dpas=features.has_dpas,
        has_fence_for_image_access=features.fences_images,
        has_global_atomics=features.has_global_atomics,
        has_multi_scratch_spaces=bool(facts.spill_size and facts.private_size),
        has_no_stateless_write=not features.writes_global,
        has_printf_calls=bool(facts.printf_strings),
        subgroup_independent_forward_progress=True,
        thread_scheduling_mode=ThreadSchedulingMode.ROUND_ROBIN if features.waits_for_others else None,
        eu_thread_count=threads,
        offset_to_skip_per_thread_data_load=kernel.arguments_offset,
        has_sample=features.has_sample,
        has_lsc_stores_with_non_default_l1_cache_controls=features.overrides_l1,
        explicit=("work_group_walk_order_dimensions",) if facts.ordered_subgroups else (),
    )


def _payload_arguments(facts: KernelFacts) -> Iterator[PayloadArgument]:
    for implicit in facts.implicit_arguments:
        index = -1 if implicit.argument is None else implicit.argument
        yield PayloadArgument(
            arg_type=ArgType(implicit.kind), offset=implicit.offset, size=implicit.size, arg_index=index
        )
    for number, sampler in enumerate(facts.samplers):
        mode, space = ADDRESSING["sampler"]
        yield PayloadArgument(
            arg_type=ArgType.INLINE_SAMPLER,
            offset=sampler.offset,
            size=sampler.SIZE,
            addrmode=mode,
            addrspace=space,
            sampler_index=number,
        )
    samplers = itertools.count(len(facts.samplers))
    for index, argument in enumerate(facts.arguments):
        sampler_index = next(samplers) if argument.kind.value == "sampler" else -1
        for slot in argument.slots:
            if argument.kind.value in ADDRESSING:
                yield _address(index, argument, slot, sampler_index)
            else:
                yield PayloadArgument(
                    arg_type=ArgType.ARG_BYVALUE,
                    offset=slot.offset,
                    size=slot.size,
                    arg_index=index,
                    source_offset=slot.source if argument.is_structure else -1,
                    is_ptr=argument.is_address,
                )


def _address(index: int, argument: KernelArgument, slot: PayloadSlot, sampler_index: int) -> PayloadArgument:
    """Returns the slot of an address: that of memory, or that of the state of an image or sampler."""
    mode, space = ADDRESSING[argument.kind.value]
    return PayloadArgument(
        arg_type=ArgType.ARG_BYPOINTER,
        offset=slot.offset,
        size=slot.size,
        arg_index=index,
        addrmode=mode,
        addrspace=space,
        access_type=None if argument.kind.value == "sampler" else AccessType(argument.access or AccessType.READWRITE),
        slm_alignment=argument.alignment if argument.kind.value == "local" else 0,
        sampler_index=sampler_index,
        image_type=image_type(argument.type_name) if space is ArgumentAddressSpace.IMAGE else None,
        sampler_type=SamplerType.TEXTURE if space is ArgumentAddressSpace.SAMPLER else None,
    )


def image_type(name: str) -> ImageType | None:
    """Returns the kind of an image by the name of its type in OpenCL C; None for another name."""
    return _IMAGE_TYPES.get(name.removesuffix("_t"))


def _inline_sampler(index: int, sampler: KernelSampler) -> InlineSampler:
    return InlineSampler(
        sampler_index=index,
        addrmode=SamplerAddressMode(sampler.addressing),
        filtermode=SamplerFilterMode(sampler.filter),
        normalized=sampler.normalized,
    )


def _local_ids(target: Target, facts: KernelFacts) -> Iterator[PerThreadPayloadArgument]:
    """Yields the slot of local ids: packed for a kernel that works on whole subgroups, else a row a dimension."""
    if not facts.local_id_dimensions:
        return
    if facts.simd_size == 1:
        # The register holds x, y and z however many are read, and drivers abort when told of fewer.
        kind, size = ArgType.PACKED_LOCAL_IDS, max(PACKED_SIZES)
    else:
        kind, size = ArgType.LOCAL_ID, facts.local_id_bytes(target)
    yield PerThreadPayloadArgument(arg_type=kind, offset=0, size=size)


def _memory_buffers(facts: KernelFacts) -> Iterator[PerThreadMemoryBuffer]:
    for usage, slot, size in (
        (MemoryUsage.SPILL_FILL_SPACE, _SPILL_SLOT, facts.spill_size),
        (MemoryUsage.PRIVATE_SPACE, _PRIVATE_SLOT, facts.private_size),
    ):
        if size:
            yield PerThreadMemoryBuffer(type=AllocationType.SCRATCH, usage=usage, size=size, slot=slot)


def misc_info(kernel: CompiledKernel) -> KernelMiscInfo:
    """Returns the entry of `kernels_misc_info` for a kernel: its arguments as the program declares them."""
    arguments = kernel.facts.arguments
    return KernelMiscInfo(
        name=kernel.name,
        args_info=[
            _arg_info(index, argument, source)
            for index, (argument, source) in enumerate(
                itertools.zip_longest(arguments, kernel.facts.source_arguments[: len(arguments)])
            )
        ],
    )


def _arg_info(index: int, argument: KernelArgument, source: SourceArgument | None) -> ArgInfo:
    """Returns an argument as the source declares it, or as far as the kernel tells where the source does not."""
    info = ArgInfo(
        index=index,
        name=argument.name,
        address_qualifier=_QUALIFIERS.get(argument.kind.value, "__global"),
        access_qualifier=_access_qualifier(argument),
        type_name=f"{argument.type_name};{argument.size}",
        type_qualifiers="NONE",
    )
    if source is None:
        return info
    is_constant = source.address_qualifier == "constant" and argument.kind.value == "global"
    return replace(
        info,
        name=source.name or info.name,
        address_qualifier="__constant" if is_constant else info.address_qualifier,
        type_name=f"{source.type_name};{argument.size}" if source.type_name else info.type_name,
        type_qualifiers=source.type_qualifiers or info.type_qualifiers,
    )


def _access_qualifier(argument: KernelArgument) -> str:
    """Returns the access qualifier of OpenCL C, which images alone have."""
    is_image = argument.kind.value == "image"
    return _ACCESS_QUALIFIERS[AccessType(argument.access or AccessType.READWRITE)] if is_image else "NONE"
