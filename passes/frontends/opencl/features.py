"""The extensions and optional features of OpenCL C: which ones kernels have, and which ones clang knows besides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_ATOMICS = tuple(
    f"cl_khr_{of}_{kind}_atomics" for of in ("global_int32", "local_int32") for kind in ("base", "extended")
)
EXTENSIONS: tuple[str, ...] = (
    *("cl_clang_storage_class_specifiers", "cl_ext_float_atomics"),
    *(
        "cl_intel_bfloat16_conversions",
        "cl_intel_media_block_io",
        "cl_intel_required_subgroup_size",
        "cl_intel_split_work_group_barrier",
    ),
    *("cl_intel_subgroup_2d_block_io", "cl_intel_subgroup_buffer_prefetch", "cl_intel_subgroup_local_block_io"),
    "cl_intel_subgroup_matrix_multiply_accumulate",
    *("cl_intel_subgroups", "cl_intel_subgroups_char", "cl_intel_subgroups_long", "cl_intel_subgroups_short"),
    *("cl_khr_3d_image_writes", "cl_khr_byte_addressable_store", "cl_khr_depth_images"),
    *("cl_khr_extended_bit_ops", "cl_khr_fp16", "cl_khr_fp64", *_ATOMICS),
    *(
        "cl_khr_int64_base_atomics",
        "cl_khr_int64_extended_atomics",
        "cl_khr_integer_dot_product",
        "cl_khr_kernel_clock",
        "cl_khr_mipmap_image",
    ),
    *("cl_khr_subgroup_ballot", "cl_khr_subgroup_clustered_reduce", "cl_khr_subgroup_extended_types"),
    *("cl_khr_subgroup_non_uniform_arithmetic", "cl_khr_subgroup_non_uniform_vote", "cl_khr_subgroup_rotate"),
    *("cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative", "cl_khr_subgroups"),
)
"""The extensions that kernels have."""
_DECLARED = (
    *("cl_intel_bfloat16_conversions", "cl_intel_media_block_io"),
    *("cl_intel_split_work_group_barrier", "cl_intel_subgroup_2d_block_io"),
    *("cl_intel_subgroup_matrix_multiply_accumulate", "cl_khr_kernel_clock"),
)
"""The extensions whose functions are declared here where clang does not know them."""
FEATURES: tuple[str, ...] = tuple(
    f"__opencl_c_{name}"
    for name in (
        *("3d_image_writes", "atomic_order_acq_rel", "atomic_order_seq_cst", "atomic_scope_all_devices"),
        *("atomic_scope_device", "ext_fp16_global_atomic_add", "ext_fp16_global_atomic_load_store"),
        *("ext_fp16_global_atomic_min_max", "ext_fp16_local_atomic_add", "ext_fp16_local_atomic_load_store"),
        *("ext_fp16_local_atomic_min_max", "ext_fp32_global_atomic_add", "ext_fp32_global_atomic_min_max"),
        *("ext_fp32_local_atomic_add", "ext_fp32_local_atomic_min_max", "ext_fp64_global_atomic_add"),
        *("ext_fp64_global_atomic_min_max", "ext_fp64_local_atomic_add", "ext_fp64_local_atomic_min_max", "fp64"),
        *("generic_address_space", "images", "int64", "integer_dot_product_input_4x8bit"),
        *("integer_dot_product_input_4x8bit_packed", "kernel_clock_scope_device", "kernel_clock_scope_sub_group"),
        *("kernel_clock_scope_work_group", "program_scope_global_variables", "read_write_images", "subgroups"),
        "work_group_collective_functions",
    )
)
"""The optional features of OpenCL C 3.0 that kernels have."""
REFUSED: Mapping[str, str] = {
    "cl_amd_media_ops": "functions of AMD",
    "cl_amd_media_ops2": "functions of AMD",
    "cl_arm_integer_dot_product_accumulate_int16": "functions of Arm",
    "cl_arm_integer_dot_product_accumulate_int8": "functions of Arm",
    "cl_arm_integer_dot_product_accumulate_saturate_int8": "functions of Arm",
    "cl_arm_integer_dot_product_int8": "functions of Arm",
    "cl_intel_device_side_avc_motion_estimation": "estimates of motion",
    "cl_khr_gl_msaa_sharing": "images with several samples a texel",
    "cl_khr_mipmap_image_writes": "writes to a level of an image",
    "cl_khr_srgb_image_writes": "formats of sRGB",
    "cl_khr_subgroup_named_barrier": "barriers of several subgroups",
    "__opencl_c_device_enqueue": "kernels that start kernels",
    "__opencl_c_ext_image_raw10_raw12": "formats of cameras",
    "__opencl_c_ext_image_unorm_int_2_101010": "formats of cameras",
    "__opencl_c_ext_image_unsigned_10x6_12x4_14x2": "formats of cameras",
    "__opencl_c_pipes": "pipes",
}
"""Lists what clang knows and kernels do not have, each with what it is about."""


def feature_option() -> str:
    """Returns clang's option that switches on what kernels have, and nothing else."""
    return ",".join(("-cl-ext=-all", *(f"+{name}" for name in (*EXTENSIONS, *FEATURES))))


def macros() -> Iterator[str]:
    """Yields the lines behind clang's header, which knows some extensions not at all, and has others in any case."""
    yield from (f"#define {name} 1" for name in _DECLARED)
    yield from (f"#undef {name}" for name in REFUSED)
