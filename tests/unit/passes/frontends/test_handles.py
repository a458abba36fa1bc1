"""Images and samplers in LLVM IR of clang 15, whose types are pointers to structures."""

from __future__ import annotations

import pytest

from passes.frontends.llvm import import_kernels

NAMES = {
    "image1d_ro": "image1d",
    "image1d_array_wo": "image1d_array",
    "image1d_buffer_rw": "image1d_buffer",
    "image2d_wo": "image2d",
    "image2d_depth_ro": "image2d_depth",
    "image2d_array_depth_ro": "image2d_array_depth",
    "image3d_ro": "image3d",
}


@pytest.mark.parametrize("name", NAMES)
def test_images(name: str) -> None:
    """Pointers to pointers, and names that the linker has numbered, occur in such modules, too."""
    function = f"_Z15get_image_width{len(name) + 4}ocl_{name}"
    text = f"""
    target triple = "spir64"
    %opencl.{name}_t.3 = type opaque
    define spir_kernel void @k(%opencl.{name}_t.3 addrspace(1)* %image, i32 addrspace(1)* %out) {{
      %variable = alloca %opencl.{name}_t.3 addrspace(1)*, align 8
      store %opencl.{name}_t.3 addrspace(1)* %image, %opencl.{name}_t.3 addrspace(1)** %variable, align 8
      %same = load %opencl.{name}_t.3 addrspace(1)*, %opencl.{name}_t.3 addrspace(1)** %variable, align 8
      %width = call spir_func i32 @{function}(%opencl.{name}_t.3 addrspace(1)* %same)
      store i32 %width, i32 addrspace(1)* %out
      ret void
    }}
    declare spir_func i32 @{function}(%opencl.{name}_t.3 addrspace(1)*)
    """
    access = {"ro": "readonly", "wo": "writeonly", "rw": "readwrite"}[name[-2:]]
    assert f"!image.surface<{NAMES[name]}, {access}>" in str(import_kernels(text))


def test_samplers() -> None:
    text = """
    target triple = "spir64"
    %opencl.image2d_ro_t = type opaque
    %opencl.sampler_t = type opaque
    define spir_kernel void @k(%opencl.image2d_ro_t addrspace(1)* %i, %opencl.sampler_t addrspace(2)* %s, float addrspace(1)* %out) {
      %texel = call spir_func <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(%opencl.image2d_ro_t addrspace(1)* %i,
        %opencl.sampler_t addrspace(2)* %s, <2 x i32> <i32 1, i32 2>)
      %first = extractelement <4 x float> %texel, i32 0
      store float %first, float addrspace(1)* %out
      ret void
    }
    declare spir_func <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(%opencl.image2d_ro_t addrspace(1)*,
      %opencl.sampler_t addrspace(2)*, <2 x i32>)
    """  # noqa: E501
    assert "!image.sampler" in str(import_kernels(text))
