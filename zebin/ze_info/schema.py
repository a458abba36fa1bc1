"""The records of ze_info: the schema from which reading, writing and documentation are derived.

Attributes are in the order in which compilers write them. The schema is that of version 1.61 of the ZEBIN
specification, "ZEInfo", with the attributes that later versions up to 1.73 added.
"""

from __future__ import annotations

from typing import Final

from zebin.errors import FindingSeverity
from zebin.ze_info.conditions import when
from zebin.ze_info.kinds import BOOL, FLOAT, INT32, INT32X3, TEXT, ReadContext, WordKind
from zebin.ze_info.records import ListKind, Record, RecordKind, attribute, record
from zebin.ze_info.vocabulary import (
    ARG_TYPE_SINCE,
    ARG_TYPES_UNKNOWN_TO_DRIVERS,
    ARGUMENT_TYPES,
    AccessType,
    AddressMode,
    AllocationType,
    ArgType,
    ArgumentAddressSpace,
    ImageType,
    L1CachePolicy,
    MemoryUsage,
    SamplerAddressMode,
    SamplerFilterMode,
    SamplerType,
    ThreadSchedulingMode,
)

MAJOR_VERSION: Final = 1
NEWEST_MINOR_VERSION: Final = 73

ARG_TYPE: Final = WordKind(
    ArgType,
    since=ARG_TYPE_SINCE,
    aliases={"group_size": ArgType.GROUP_COUNT},
    unknown_to_drivers=ARG_TYPES_UNKNOWN_TO_DRIVERS,
)


@record
class UserAttributes(Record):
    """Attributes that the programmer gave the kernel."""

    intel_reqd_sub_group_size: int = attribute(INT32, default=0)
    intel_reqd_workgroup_walk_order: tuple[int, int, int] = attribute(INT32X3, default=(0, 0, 0))
    invalid_kernel: str | None = attribute(TEXT, default=None)
    reqd_work_group_size: tuple[int, int, int] = attribute(INT32X3, default=(0, 0, 0))
    vec_type_hint: str | None = attribute(TEXT, default=None)
    work_group_size_hint: tuple[int, int, int] = attribute(INT32X3, default=(0, 0, 0))
    intel_reqd_thread_group_dispatch_size: int = attribute(INT32, default=0, since=41)

    @classmethod
    def severity_of_unknown(cls, key: str, context: ReadContext) -> FindingSeverity:
        """Drivers refuse an unknown attribute of any version, unless it is called a hint."""
        return FindingSeverity.WARNING if "_hint" in key or context.newer else FindingSeverity.ERROR


@record
class ExecutionEnv(Record):
    """The resources that a kernel or function needs. Sizes are in bytes."""

    barrier_count: int = attribute(INT32, default=0)
    disable_mid_thread_preemption: bool = attribute(BOOL, default=False)
    grf_count: int = attribute(INT32)
    has_4gb_buffers: bool = attribute(BOOL, default=False)
    has_device_enqueue: bool = attribute(BOOL, default=False, unknown_to_drivers=True)
    has_dpas: bool = attribute(BOOL, default=False, since=5)
    has_fence_for_image_access: bool = attribute(BOOL, default=False)
    has_global_atomics: bool = attribute(BOOL, default=False)
    has_multi_scratch_spaces: bool = attribute(BOOL, default=False)
    has_no_stateless_write: bool = attribute(BOOL, default=False)
    has_stack_calls: bool = attribute(BOOL, default=False, since=7)
    has_printf_calls: bool = attribute(BOOL, default=False, since=59)
    require_assert_buffer: bool = attribute(BOOL, default=False, since=61)
    require_sync_buffer: bool = attribute(BOOL, default=False, since=61)
    has_indirect_calls: bool = attribute(BOOL, default=False, since=59)
    require_disable_eufusion: bool = attribute(BOOL, default=False, since=11)
    indirect_stateless_count: int = attribute(INT32, default=0, since=21)
    inline_data_payload_size: int = attribute(INT32, default=0, since=8)
    offset_to_skip_per_thread_data_load: int = attribute(INT32, default=0)
    offset_to_skip_set_ffid_gp: int = attribute(INT32, default=0)
    required_sub_group_size: int = attribute(INT32, default=0)
    required_work_group_size: tuple[int, int, int] = attribute(INT32X3, default=(0, 0, 0))
    simd_size: int = attribute(INT32)
    slm_size: int = attribute(INT32, default=0)
    slm_alloc_mode: int = attribute(INT32, default=0, since=73)
    private_size: int = attribute(INT32, default=0, since=39)
    spill_size: int = attribute(INT32, default=0, since=39)
    subgroup_independent_forward_progress: bool = attribute(BOOL, default=False)
    thread_scheduling_mode: ThreadSchedulingMode | str | None = attribute(
        WordKind(ThreadSchedulingMode), default=None, since=10
    )
    work_group_walk_order_dimensions: tuple[int, int, int] = attribute(INT32X3, default=(0, 1, 2))
    eu_thread_count: int = attribute(INT32, default=0, since=24)
    has_sample: bool = attribute(BOOL, default=False, since=27)
    has_rtcalls: bool = attribute(BOOL, default=False, since=29)
    quantum_size: int = attribute(INT32, default=0, since=49, unknown_to_drivers=True)
    quantum_walk_order: int = attribute(INT32, default=0, since=49, unknown_to_drivers=True)
    quantum_partition_dimension: int = attribute(INT32, default=0, since=49, unknown_to_drivers=True)
    generate_local_id: bool = attribute(BOOL, default=False, since=50, unknown_to_drivers=True)
    has_lsc_stores_with_non_default_l1_cache_controls: bool = attribute(BOOL, default=False, since=52)
    require_iab: bool = attribute(BOOL, default=False, since=54, aliases=("implicit_arg_buffer_used_by_code",))
    """None if the key is absent: `false` is an error in a kernel with stack calls, absence is not."""
    has_bindless_image_read: bool = attribute(BOOL, default=False, since=67)

    @classmethod
    def severity_of_unknown(cls, key: str, context: ReadContext) -> FindingSeverity:
        """Drivers still accept two keys that the specification no longer has."""
        removed = key in ("hw_preemption_mode", "actual_kernel_start_offset")
        return FindingSeverity.WARNING if removed else Record.severity_of_unknown(key, context)


_POINTER = when(arg_type=ArgType.ARG_BYPOINTER)
_VALUE = when(arg_type=ArgType.ARG_BYVALUE)
_INLINE_SAMPLER = when(arg_type=ArgType.INLINE_SAMPLER)
_BASE = when(arg_type=(ArgType.CONST_BASE, ArgType.GLOBAL_BASE))
_LOCAL = when(arg_type=ArgType.ARG_BYPOINTER, addrmode=AddressMode.SLM, addrspace=ArgumentAddressSpace.LOCAL)
_IMAGE = when(arg_type=ArgType.ARG_BYPOINTER, addrspace=ArgumentAddressSpace.IMAGE)
_SAMPLER = when(arg_type=ArgType.ARG_BYPOINTER, addrspace=ArgumentAddressSpace.SAMPLER)
_MEMORY = when(
    arg_type=ArgType.ARG_BYPOINTER,
    addrspace=(
        ArgumentAddressSpace.GLOBAL,
        ArgumentAddressSpace.CONSTANT,
        ArgumentAddressSpace.LOCAL,
        ArgumentAddressSpace.IMAGE,
    ),
)


@record
class PayloadArgument(Record):
    """A slot of cross-thread data, or the description of an argument without a slot. Offset and size are in bytes."""

    arg_type: ArgType | str = attribute(ARG_TYPE, aliases=("argument_type",))
    offset: int = attribute(INT32)
    size: int = attribute(INT32)
    arg_index: int = attribute(INT32, default=-1, when=when(arg_type=ARGUMENT_TYPES))
    addrmode: AddressMode | str | None = attribute(
        WordKind(AddressMode, aliases={"shared_local_memory": AddressMode.SLM}),
        default=None,
        aliases=("memory_addressing_mode",),
        when=_POINTER | _BASE | _INLINE_SAMPLER,
    )
    addrspace: ArgumentAddressSpace | str | None = attribute(
        WordKind(ArgumentAddressSpace),
        default=None,
        aliases=("address_space",),
        when=_POINTER | _INLINE_SAMPLER,
        expected=_POINTER,
    )
    access_type: AccessType | str | None = attribute(
        WordKind(AccessType), default=None, when=_POINTER, expected=_MEMORY
    )
    sampler_index: int = attribute(INT32, default=-1, since=4, when=_SAMPLER | _INLINE_SAMPLER)
    source_offset: int = attribute(INT32, default=-1, since=9, when=_VALUE)
    slm_alignment: int = attribute(INT32, default=0, since=14, when=_LOCAL, expected=_LOCAL)
    image_type: ImageType | str | None = attribute(
        WordKind(ImageType, unknown_to_drivers=(ImageType.IMAGE_CUBE,)),
        default=None,
        since=15,
        when=_IMAGE,
        expected=_IMAGE,
    )
    image_transformable: bool = attribute(BOOL, default=False, since=15, when=_IMAGE)
    sampler_type: SamplerType | str | None = attribute(
        WordKind(SamplerType, unknown_to_drivers=(SamplerType.SAMPLE_8X8_MINMAX,)),
        default=None,
        since=15,
        when=_SAMPLER,
        expected=_SAMPLER,
    )
    is_pipe: bool = attribute(BOOL, default=False, since=23, when=_POINTER)
    is_ptr: bool = attribute(BOOL, default=False, since=25, when=_VALUE | _BASE)
    bti_value: int = attribute(INT32, default=-1, since=28, when=_BASE)


@record
class PerThreadPayloadArgument(Record):
    """Data that each hardware thread receives separately: local ids. Offset and size are in bytes."""

    arg_type: ArgType | str = attribute(ARG_TYPE, aliases=("argument_type",))
    offset: int = attribute(INT32)
    size: int = attribute(INT32)


@record
class BindingTableIndex(Record):
    """The binding table entry of a stateful argument."""

    bti_value: int = attribute(INT32)
    arg_index: int = attribute(INT32)


@record
class PerThreadMemoryBuffer(Record):
    """Memory that the runtime provides for each thread. The size is in bytes."""

    type: AllocationType | str = attribute(WordKind(AllocationType), aliases=("allocation_type",))
    usage: MemoryUsage | str = attribute(WordKind(MemoryUsage), aliases=("memory_usage",))
    size: int = attribute(INT32)
    slot: int = attribute(INT32, default=0, when=when(type=AllocationType.SCRATCH))
    is_simt_thread: bool = attribute(BOOL, default=False, when=when(type=AllocationType.GLOBAL))

    def thread_bytes(self, simd_size: int) -> int:
        """Returns the bytes that a hardware thread has, for all of its work-items."""
        return self.size * (simd_size if self.is_simt_thread else 1)


@record
class InlineSampler(Record):
    """A sampler that the code itself defines."""

    sampler_index: int = attribute(INT32)
    addrmode: SamplerAddressMode | str = attribute(WordKind(SamplerAddressMode), aliases=("sampler_desc_addrmode",))
    filtermode: SamplerFilterMode | str = attribute(WordKind(SamplerFilterMode), aliases=("sampler_desc_filtermode",))
    normalized: bool = attribute(BOOL, default=False)


@record
class ExperimentalProperties(Record):
    """Memory accesses that do not go through kernel arguments: 0 no, 1 yes, -1 unknown."""

    has_non_kernel_arg_load: int = attribute(INT32, default=-1)
    has_non_kernel_arg_store: int = attribute(INT32, default=-1)
    has_non_kernel_arg_atomic: int = attribute(INT32, default=-1)


@record
class DebugEnv(Record):
    """The location of the debugger's surface state."""

    sip_surface_bti: int = attribute(INT32, default=-1)
    sip_surface_offset: int = attribute(INT32, default=-1)


@record
class KernelInfo(Record):
    """Everything that a driver must know to launch a kernel."""

    name: str = attribute(TEXT)
    user_attributes: UserAttributes | None = attribute(RecordKind(UserAttributes), default=None, since=18)
    execution_env: ExecutionEnv = attribute(RecordKind(ExecutionEnv))
    payload_arguments: list[PayloadArgument] = attribute(ListKind(PayloadArgument), default_factory=list)
    per_thread_payload_arguments: list[PerThreadPayloadArgument] = attribute(
        ListKind(PerThreadPayloadArgument), default_factory=list
    )
    binding_table_indices: list[BindingTableIndex] = attribute(
        ListKind(BindingTableIndex), default_factory=list, aliases=("binding_table_indexes",)
    )
    per_thread_memory_buffers: list[PerThreadMemoryBuffer] = attribute(
        ListKind(PerThreadMemoryBuffer), default_factory=list
    )
    inline_samplers: list[InlineSampler] = attribute(ListKind(InlineSampler), default_factory=list, since=20)
    experimental_properties: ExperimentalProperties | None = attribute(
        RecordKind(ExperimentalProperties, or_list=True), default=None, since=1
    )
    debug_env: DebugEnv | None = attribute(RecordKind(DebugEnv), default=None, since=7)

    @property
    def argument_count(self) -> int:
        """The number of arguments that the application sets."""
        return 1 + max((argument.arg_index for argument in self.payload_arguments), default=-1)


@record
class FunctionInfo(Record):
    """The resources that a function callable from other modules needs."""

    name: str = attribute(TEXT)
    execution_env: ExecutionEnv = attribute(RecordKind(ExecutionEnv))


@record
class HostAccess(Record):
    """The name under which the host reaches a device variable."""

    device_name: str = attribute(TEXT)
    host_name: str = attribute(TEXT)


@record
class ArgInfo(Record):
    """A kernel argument as written in the source. `type_name` is the type, a semicolon and the size in bytes."""

    index: int = attribute(INT32)
    name: str | None = attribute(TEXT, default=None)
    address_qualifier: str = attribute(TEXT)
    access_qualifier: str = attribute(TEXT)
    type_name: str = attribute(TEXT)
    type_qualifiers: str = attribute(TEXT)

    @classmethod
    def severity_of_unknown(cls, key: str, context: ReadContext) -> FindingSeverity:
        """No driver refuses unknown keys here."""
        return FindingSeverity.WARNING


@record
class KernelMiscInfo(Record):
    """Information for queries, not needed to launch the kernel."""

    name: str = attribute(TEXT)
    args_info: list[ArgInfo] = attribute(ListKind(ArgInfo), default_factory=list)

    @classmethod
    def severity_of_unknown(cls, key: str, context: ReadContext) -> FindingSeverity:
        """No driver refuses unknown keys here."""
        return FindingSeverity.WARNING


@record
class CostArgument(Record):
    """A kernel argument on which the cost of a loop depends."""

    arg_no: int = attribute(INT32, key="argNo")
    byte_offset: int = attribute(INT32, key="byteOffset")
    size_in_bytes: int = attribute(INT32, key="sizeInBytes")
    is_indirect: bool = attribute(BOOL, key="isInDirect")


@record
class LoopCount(Record):
    """The trip count of a loop: `factor` times an argument, plus `constant`."""

    factor: float = attribute(FLOAT)
    argsym_index: int = attribute(INT32)
    constant: float = attribute(FLOAT, key="C")


@record
class LoopCost(Record):
    """The cost of one iteration of a loop, in cycles and bytes."""

    cycle: int = attribute(INT32)
    bytes_loaded: int = attribute(INT32)
    bytes_stored: int = attribute(INT32)
    num_loops: int = attribute(INT32)


@record
class KernelCostInfo(Record):
    """A compiler's estimate of a kernel's cost."""

    name: str = attribute(TEXT)
    kcm_args_sym: list[CostArgument] = attribute(ListKind(CostArgument), default_factory=list)
    kcm_loop_count_exps: list[LoopCount] = attribute(ListKind(LoopCount))
    kcm_loop_costs: list[LoopCost] = attribute(ListKind(LoopCost), key="Kcm_loop_costs", aliases=("kcm_loop_costs",))


@record
class ZeInfo(Record):
    """The complete `.ze_info` section."""

    version: str = attribute(TEXT, default="")
    kernels: list[KernelInfo] = attribute(ListKind(KernelInfo))
    functions: list[FunctionInfo] = attribute(ListKind(FunctionInfo), default_factory=list, since=13)
    global_host_access_table: list[HostAccess] = attribute(ListKind(HostAccess), default_factory=list, since=12)
    kernels_misc_info: list[KernelMiscInfo] = attribute(
        ListKind(KernelMiscInfo), default_factory=list, since=19, aliases=("kernel_misc_info",)
    )
    kernels_cost_info: list[KernelCostInfo] = attribute(
        ListKind(KernelCostInfo), default_factory=list, since=47, aliases=("kernel_cost_info",)
    )
    l1_cache_policy: L1CachePolicy | str | None = attribute(WordKind(L1CachePolicy), default=None, since=69)

    @classmethod
    def severity_of_unknown(cls, key: str, context: ReadContext) -> FindingSeverity:
        """Drivers accept a list that the specification does not have."""
        return FindingSeverity.WARNING if key == "required_libs" else Record.severity_of_unknown(key, context)
