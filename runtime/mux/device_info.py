"""The description of a device (specification: `mux_device_info_t`), derived from the GPU that it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, Flag, auto

from xegpu.isa.model import MAX_IMAGE_ARGUMENTS, MAX_SAMPLERS, SHAPES, SurfaceType
from xegpu.targets import Feature, Target

KHRONOS_VENDOR = 0x8086
"""The number of Intel, which Khronos takes from PCI."""


class AllocationCapabilities(Flag):
    """The memory that a device can allocate or use."""

    COHERENT_HOST = auto()
    CACHED_HOST = auto()
    ALLOC_DEVICE = auto()


class AddressCapabilities(Flag):
    """The addresses of a device."""

    BITS32 = auto()
    BITS64 = auto()
    LOGICAL = auto()


class CacheCapabilities(Flag):
    """The accesses that a device caches."""

    READ = auto()
    WRITE = auto()


class FloatingPointCapabilities(Flag):
    """The rules that floating-point arithmetic follows."""

    DENORM = auto()
    INF_NAN = auto()
    ROUND_TO_NEAREST = auto()
    ROUND_TO_ZERO = auto()
    ROUND_TO_INF = auto()
    FMA = auto()
    SOFT = auto()
    FULL = auto()


class IntegerCapabilities(Flag):
    """The widths of integers."""

    BITS8 = auto()
    BITS16 = auto()
    BITS32 = auto()
    BITS64 = auto()


class CustomBufferCapabilities(Flag):
    """The data that custom buffers hold: this device has none."""

    NONE = 0
    DATA = auto()
    ADDRESS_SPACE = auto()


class DeviceType(Enum):
    """The kinds of devices."""

    GPU_DISCRETE = "discrete GPU"
    GPU_VIRTUAL = "virtual GPU"


class SharedLocalMemoryType(Enum):
    """The places that the memory of a work-group can have."""

    PHYSICAL = "memory of its own"
    VIRTUAL = "part of the device's memory"


_EXACT = (
    FloatingPointCapabilities.DENORM
    | FloatingPointCapabilities.INF_NAN
    | FloatingPointCapabilities.ROUND_TO_NEAREST
    | FloatingPointCapabilities.ROUND_TO_ZERO
    | FloatingPointCapabilities.ROUND_TO_INF
    | FloatingPointCapabilities.FMA
)


@dataclass(frozen=True)
class DeviceInfo:
    """All that the specification tells about a device, under its names; sizes are bytes, clocks MHz.

    `native_vector_width` is that of an instruction, `max_work_width` the work-items that one thread executes.
    """

    id: int
    device_name: str
    target: str
    allocation_capabilities: AllocationCapabilities
    address_capabilities: AddressCapabilities
    cache_capabilities: CacheCapabilities
    half_capabilities: FloatingPointCapabilities
    float_capabilities: FloatingPointCapabilities
    double_capabilities: FloatingPointCapabilities
    integer_capabilities: IntegerCapabilities
    custom_buffer_capabilities: CustomBufferCapabilities
    endianness: str
    khronos_vendor_id: int
    shared_local_memory_type: SharedLocalMemoryType
    device_type: DeviceType
    builtin_kernel_declarations: str
    max_concurrent_work_items: int
    max_work_group_size_x: int
    max_work_group_size_y: int
    max_work_group_size_z: int
    max_work_width: int
    clock_frequency: int
    compute_units: int
    buffer_alignment: int
    memory_size: int
    allocation_size: int
    cache_size: int
    cacheline_size: int
    shared_local_memory_size: int
    native_vector_width: int
    preferred_vector_width: int
    image_support: bool
    image2d_array_writes: bool
    image3d_writes: bool
    max_image_dimension_1d: int
    max_image_dimension_2d: int
    max_image_dimension_3d: int
    max_image_array_layers: int
    max_storage_images: int
    max_sampled_images: int
    max_samplers: int
    queue_types: tuple[int, ...]
    device_priority: int
    query_counter_support: bool
    descriptors_updatable: bool
    can_clone_command_buffers: bool
    supports_builtin_kernels: bool
    sub_group_sizes: tuple[int, ...]
    max_sub_group_count: int
    sub_groups_support_ifp: bool
    max_hardware_counters: int
    supports_work_group_collectives: bool
    supports_generic_address_space: bool


def _image_limits() -> dict[str, int]:
    """Returns the limits of images, which all GPUs that have images share."""
    return {
        "max_image_dimension_1d": SHAPES[SurfaceType.IMAGE_1D].limits[0],
        "max_image_dimension_2d": SHAPES[SurfaceType.IMAGE_2D].limits[1],
        "max_image_dimension_3d": SHAPES[SurfaceType.IMAGE_3D].limits[2],
        "max_image_array_layers": SHAPES[SurfaceType.IMAGE_2D_ARRAY].limits[2],
        "max_storage_images": MAX_IMAGE_ARGUMENTS,
        "max_sampled_images": MAX_IMAGE_ARGUMENTS,
        "max_samplers": MAX_SAMPLERS,
    }


def device_info(number: int, target: Target) -> DeviceInfo:
    """Returns the description of a GPU, the one with a number among all."""
    images = _image_limits() if target.platform.has(Feature.IMAGES) else dict.fromkeys(_image_limits(), 0)
    widest = target.platform.max_group_items
    smallest = min(target.platform.subgroup_sizes)
    return DeviceInfo(
        id=number,
        device_name=target.title,
        target=target.name,
        allocation_capabilities=AllocationCapabilities.COHERENT_HOST | AllocationCapabilities.ALLOC_DEVICE,
        address_capabilities=AddressCapabilities.BITS64,
        cache_capabilities=CacheCapabilities.READ | CacheCapabilities.WRITE,
        half_capabilities=_EXACT,
        float_capabilities=_EXACT,
        double_capabilities=_EXACT if target.platform.has(Feature.FP64) else FloatingPointCapabilities(0),
        integer_capabilities=~IntegerCapabilities(0),
        custom_buffer_capabilities=CustomBufferCapabilities.NONE,
        endianness="little",
        khronos_vendor_id=KHRONOS_VENDOR,
        shared_local_memory_type=SharedLocalMemoryType.PHYSICAL,
        device_type=DeviceType.GPU_DISCRETE,
        builtin_kernel_declarations="",
        max_concurrent_work_items=widest,
        max_work_group_size_x=widest,
        max_work_group_size_y=widest,
        max_work_group_size_z=widest,
        max_work_width=max(target.platform.subgroup_sizes),
        clock_frequency=target.core_clock_mhz,
        compute_units=target.eus,
        buffer_alignment=target.platform.cache_line_bytes,
        memory_size=target.memory_bytes,
        allocation_size=target.max_allocation_bytes,
        cache_size=target.l2_bytes,
        cacheline_size=target.platform.cache_line_bytes,
        shared_local_memory_size=target.platform.max_slm_bytes,
        native_vector_width=target.platform.grf_bytes,
        preferred_vector_width=target.platform.grf_bytes,
        image_support=target.platform.has(Feature.IMAGES),
        image2d_array_writes=target.platform.has(Feature.IMAGES),
        image3d_writes=target.platform.has(Feature.IMAGES),
        **images,
        queue_types=(1,),
        device_priority=number,
        query_counter_support=False,
        descriptors_updatable=True,
        can_clone_command_buffers=True,
        supports_builtin_kernels=False,
        sub_group_sizes=tuple(sorted(target.platform.subgroup_sizes)),
        max_sub_group_count=min(max(map(target.max_group_threads, target.platform.grf_counts)), -(-widest // smallest)),
        sub_groups_support_ifp=False,
        max_hardware_counters=0,
        supports_work_group_collectives=True,
        supports_generic_address_space=True,
    )
