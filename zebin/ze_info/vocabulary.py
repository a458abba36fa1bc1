"""The words of ze_info enumerations, in the spelling of files."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class ArgType(StrEnum):
    """The contents of a payload argument. `ARG_BYVALUE` and `ARG_BYPOINTER` are arguments of the application."""

    PACKED_LOCAL_IDS = "packed_local_ids"
    LOCAL_ID = "local_id"
    LOCAL_SIZE = "local_size"
    GROUP_COUNT = "group_count"
    WORK_DIMENSIONS = "work_dimensions"
    GLOBAL_SIZE = "global_size"
    ENQUEUED_LOCAL_SIZE = "enqueued_local_size"
    GLOBAL_ID_OFFSET = "global_id_offset"
    PRIVATE_BASE_STATELESS = "private_base_stateless"
    BUFFER_ADDRESS = "buffer_address"
    BUFFER_OFFSET = "buffer_offset"
    BUFFER_SIZE = "buffer_size"
    PRINTF_BUFFER = "printf_buffer"
    IMPLICIT_ARG_BUFFER = "implicit_arg_buffer"
    SYNC_BUFFER = "sync_buffer"
    RT_GLOBAL_BUFFER = "rt_global_buffer"
    ASSERT_BUFFER = "assert_buffer"
    ARG_BYVALUE = "arg_byvalue"
    ARG_BYPOINTER = "arg_bypointer"
    IMAGE_HEIGHT = "image_height"
    IMAGE_WIDTH = "image_width"
    IMAGE_DEPTH = "image_depth"
    IMAGE_NUM_MIP_LEVELS = "image_num_mip_levels"
    IMAGE_CHANNEL_DATA_TYPE = "image_channel_data_type"
    IMAGE_CHANNEL_ORDER = "image_channel_order"
    IMAGE_SRGB_CHANNEL_ORDER = "image_srgb_channel_order"
    IMAGE_ARRAY_SIZE = "image_array_size"
    IMAGE_NUM_SAMPLES = "image_num_samples"
    FLAT_IMAGE_BASEOFFSET = "flat_image_baseoffset"
    FLAT_IMAGE_HEIGHT = "flat_image_height"
    FLAT_IMAGE_WIDTH = "flat_image_width"
    FLAT_IMAGE_PITCH = "flat_image_pitch"
    SAMPLER_ADDRESS = "sampler_address"
    SAMPLER_NORMALIZED = "sampler_normalized"
    SAMPLER_SNAP_WA = "sampler_snap_wa"
    INLINE_SAMPLER = "inline_sampler"
    VME_MB_BLOCK_TYPE = "vme_mb_block_type"
    VME_SUBPIXEL_MODE = "vme_subpixel_mode"
    VME_SAD_ADJUST_MODE = "vme_sad_adjust_mode"
    VME_SEARCH_PATH_TYPE = "vme_search_path_type"
    CONST_BASE = "const_base"
    GLOBAL_BASE = "global_base"
    INDIRECT_DATA_POINTER = "indirect_data_pointer"
    SCRATCH_POINTER = "scratch_pointer"
    REGION_GROUP_SIZE = "region_group_size"
    REGION_GROUP_DIMENSION = "region_group_dimension"
    REGION_GROUP_WG_COUNT = "region_group_wg_count"
    REGION_GROUP_BARRIER_BUFFER = "region_group_barrier_buffer"


ARG_TYPE_SINCE: Mapping[ArgType, int] = {
    ArgType.BUFFER_OFFSET: 2,
    ArgType.PRINTF_BUFFER: 3,
    ArgType.WORK_DIMENSIONS: 5,
    ArgType.IMPLICIT_ARG_BUFFER: 7,
    **{word: 15 for word in ArgType if word.startswith(("image_", "sampler_"))},
    ArgType.BUFFER_ADDRESS: 17,
    ArgType.SYNC_BUFFER: 22,
    ArgType.RT_GLOBAL_BUFFER: 26,
    ArgType.CONST_BASE: 28,
    ArgType.GLOBAL_BASE: 28,
    ArgType.ASSERT_BUFFER: 30,
    ArgType.INDIRECT_DATA_POINTER: 31,
    ArgType.SCRATCH_POINTER: 31,
    ArgType.REGION_GROUP_SIZE: 34,
    ArgType.REGION_GROUP_DIMENSION: 34,
    ArgType.REGION_GROUP_WG_COUNT: 34,
    ArgType.BUFFER_SIZE: 40,
    ArgType.REGION_GROUP_BARRIER_BUFFER: 43,
    ArgType.INLINE_SAMPLER: 44,
}
"""The minor version that introduced a word, if it is known."""

ARGUMENT_TYPES = tuple(
    word for word in ArgType if word.startswith(("arg_", "image_", "flat_image_", "sampler_", "buffer_"))
)
"""The types of slots that belong to a kernel argument."""

PER_THREAD_TYPES = (ArgType.LOCAL_ID, ArgType.PACKED_LOCAL_IDS)
"""The types of per-thread arguments."""

ARG_TYPES_UNKNOWN_TO_DRIVERS = frozenset(
    {
        ArgType.REGION_GROUP_SIZE,
        ArgType.REGION_GROUP_WG_COUNT,
        ArgType.REGION_GROUP_BARRIER_BUFFER,
        *(word for word in ArgType if word.startswith(("image_srgb", "flat_image_", "vme_"))),
    }
)
"""Words of the specification, and some of compilers alone, that current drivers refuse."""


class AddressMode(StrEnum):
    """The way in which code accesses the memory of a pointer argument."""

    STATELESS = "stateless"
    STATEFUL = "stateful"
    BINDLESS = "bindless"
    SLM = "slm"


class ArgumentAddressSpace(StrEnum):
    """The memory to which a pointer argument points, or the object that it stands for."""

    GLOBAL = "global"
    LOCAL = "local"
    CONSTANT = "constant"
    IMAGE = "image"
    SAMPLER = "sampler"


class AccessType(StrEnum):
    """The accesses of a kernel to the memory of a pointer argument."""

    READONLY = "readonly"
    WRITEONLY = "writeonly"
    READWRITE = "readwrite"


class ImageType(StrEnum):
    """The kind of an image argument."""

    IMAGE_BUFFER = "image_buffer"
    IMAGE_1D = "image_1d"
    IMAGE_1D_ARRAY = "image_1d_array"
    IMAGE_2D = "image_2d"
    IMAGE_2D_ARRAY = "image_2d_array"
    IMAGE_3D = "image_3d"
    IMAGE_CUBE = "image_cube"
    IMAGE_CUBE_ARRAY = "image_cube_array"
    IMAGE_2D_DEPTH = "image_2d_depth"
    IMAGE_2D_ARRAY_DEPTH = "image_2d_array_depth"
    IMAGE_2D_MSAA = "image_2d_msaa"
    IMAGE_2D_MSAA_DEPTH = "image_2d_msaa_depth"
    IMAGE_2D_ARRAY_MSAA = "image_2d_array_msaa"
    IMAGE_2D_ARRAY_MSAA_DEPTH = "image_2d_array_msaa_depth"
    IMAGE_2D_MEDIA = "image_2d_media"
    IMAGE_2D_MEDIA_BLOCK = "image_2d_media_block"


class SamplerType(StrEnum):
    """The kind of a sampler argument."""

    TEXTURE = "texture"
    SAMPLE_8X8 = "sample_8x8"
    SAMPLE_8X8_2DCONVOLVE = "sample_8x8_2dconvolve"
    SAMPLE_8X8_ERODE = "sample_8x8_erode"
    SAMPLE_8X8_DILATE = "sample_8x8_dilate"
    SAMPLE_8X8_MINMAXFILTER = "sample_8x8_minmaxfilter"
    SAMPLE_8X8_MINMAX = "sample_8x8_minmax"
    SAMPLE_8X8_CENTROID = "sample_8x8_centroid"
    SAMPLE_8X8_BOOL_CENTROID = "sample_8x8_bool_centroid"
    SAMPLE_8X8_BOOL_SUM = "sample_8x8_bool_sum"
    VME = "vme"
    VE = "ve"
    VD = "vd"


class AllocationType(StrEnum):
    """The memory in which a per-thread buffer is allocated."""

    GLOBAL = "global"
    SCRATCH = "scratch"
    SLM = "slm"


class MemoryUsage(StrEnum):
    """The purpose of a per-thread buffer."""

    PRIVATE_SPACE = "private_space"
    SPILL_FILL_SPACE = "spill_fill_space"
    SINGLE_SPACE = "single_space"


SCRATCH_SLOTS = (0, 1)
"""The slots of scratch buffers; each has a base address of its own."""


class SamplerAddressMode(StrEnum):
    """The treatment of coordinates outside the image by an inline sampler."""

    NONE = "none"
    CLAMP_BORDER = "clamp_border"
    CLAMP_EDGE = "clamp_edge"
    REPEAT = "repeat"
    MIRROR = "mirror"


class SamplerFilterMode(StrEnum):
    """The interpolation between pixels by an inline sampler."""

    NEAREST = "nearest"
    LINEAR = "linear"


class ThreadSchedulingMode(StrEnum):
    """The policy by which an EU selects the next thread."""

    AGE_BASED = "age_based"
    ROUND_ROBIN = "round_robin"
    ROUND_ROBIN_STALL = "round_robin_stall"


class L1CachePolicy(StrEnum):
    """Default policy of the L1 cache for stores."""

    WRITE_BYPASS = "wbp"
    UNCACHED = "uc"
    WRITE_BACK = "wb"
    WRITE_THROUGH = "wt"
    WRITE_STREAMING = "ws"
