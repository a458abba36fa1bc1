"""Images in OpenCL C: kernels in both engines against numpy, and what is refused."""

from __future__ import annotations

import re

import numpy as np
import pytest

from passes.frontends.opencl import find_compiler
from runtime import Device
from xegpu.diagnostics import CompileError

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs clang")

_EPS = float(np.finfo(np.float32).eps)


@pytest.fixture(scope="module", params=["jit", "interpreter"])
def device(request: pytest.FixtureRequest) -> Device:
    return Device("arc", request.param)


def texels(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).random(shape, np.float32)


@pytest.mark.parametrize("lanes", [8, 16, 32])
def test_every_subgroup_size(device: Device, lanes: int) -> None:
    source = f"""
    float4 both(read_only image2d_t a, read_only image2d_t b, int2 p) {{
      return read_imagef(a, p) * read_imagef(b, p);
    }}
    __attribute__((intel_reqd_sub_group_size({lanes})))
    kernel void k(read_only image2d_t a, read_only image2d_t b, write_only image2d_t c) {{
      int2 p = (int2)(get_global_id(0), get_global_id(1));
      if (p.x % 3) write_imagef(c, p, both(a, b, p));
    }}"""
    a, b = texels(3, 37, 4), texels(3, 37, 4)[::-1]
    images = [device.image(np.ascontiguousarray(values), "rgba32float") for values in (a, b)]
    out = device.empty_image((3, 37), "rgba32float")
    device.compile(source, "k.cl")["k"][(2, 3, 1), (32, 1, 1)](*images, out)
    expected = a * b
    expected[:, ::3] = 0
    assert (out.numpy() == expected).all()


def test_samplers_of_the_program_and_of_the_kernel(device: Device) -> None:
    source = """
    constant sampler_t edges = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    kernel void k(read_only image1d_t a, sampler_t given, global float *out, float step) {
      const sampler_t smooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
      int i = get_global_id(0);
      out[4 * i] = read_imagef(a, edges, i - 5).x;
      out[4 * i + 1] = read_imagef(a, smooth, i * step).x;
      out[4 * i + 2] = read_imagef(a, given, i - 4.75f).x;
      out[4 * i + 3] = read_imagef(a, i - 5).x;
    }"""
    a, i = texels(11), np.arange(16)
    found = np.zeros((16, 4), np.float32)
    step = np.float32(0.1875)
    border = device.sampler("clamp_border", "linear")
    device.compile(source, "k.cl")["k"][(1, 1, 1), (16, 1, 1)](device.image(a, "r32float"), border, found, step)
    np.testing.assert_array_equal(found[:, 0], a[np.clip(i - 5, 0, 10)])
    place = (i * float(step)) % 1 * 11 - 0.5
    below, weight = np.floor(place).astype(int), place - np.floor(place)
    np.testing.assert_allclose(found[:, 1], a[below % 11] * (1 - weight) + a[(below + 1) % 11] * weight, rtol=32 * _EPS)
    padded = np.concatenate([np.zeros(8), a, np.zeros(8)])
    np.testing.assert_allclose(
        found[:, 2], padded[i - 6 + 8] * 0.25 + padded[i - 5 + 8] * 0.75, rtol=4 * _EPS, atol=_EPS
    )
    np.testing.assert_array_equal(found[:, 3], padded[i - 5 + 8])


def test_levels_of_detail(device: Device) -> None:
    """An image has one level, which every sample finds."""
    source = """
    #pragma OPENCL EXTENSION cl_khr_mipmap_image : enable
    kernel void k(read_only image2d_t a, sampler_t s, global float4 *out, global int *levels, float level) {
      int i = get_global_id(0);
      out[i] = read_imagef(a, s, (float2)(i + 0.5f, 0.5f), level);
      levels[0] = get_image_num_mip_levels(a);
    }"""
    a, out, levels = texels(1, 16, 4), np.zeros((16, 4), np.float32), np.zeros(1, np.int32)
    kernel = device.compile(source, "k.cl")["k"]
    kernel[(1, 1, 1), (16, 1, 1)](device.image(a, "rgba32float"), device.sampler(), out, levels, np.float32(2))
    assert (out == a[0]).all()
    assert levels[0] == 1


def test_halfs_and_integers_are_converted(device: Device) -> None:
    source = """
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void k(read_only image1d_t a, write_only image1d_t b, read_only image1d_t c, write_only image1d_t d) {
      int i = get_global_id(0);
      write_imageh(b, i, read_imageh(a, i) * (half)2);
      write_imagei(d, i, read_imagei(c, i) * 300);
    }"""
    a = texels(16, 4)
    c = np.random.default_rng(1).integers(-128, 128, (16, 2), np.int8)
    b, d = device.empty_image(16, "rgba16float"), device.empty_image(16, "rg16sint")
    images = device.image(a, "rgba32float"), b, device.image(c, "rg8sint"), d
    device.compile(source, "k.cl")["k"][(1, 1, 1), (16, 1, 1)](*images)
    assert (b.numpy() == a.astype(np.float16) * np.float16(2)).all()
    assert (d.numpy() == np.clip(c.astype(int) * 300, -(1 << 15), (1 << 15) - 1)).all()


def test_texels_that_all_lanes_share(device: Device) -> None:
    source = """
    kernel void k(read_only image3d_t a, write_only image2d_array_t b, int x, global float4 *out) {
      float4 t = read_imagef(a, (int4)(x, x + 1, 1, 0));
      out[get_global_id(0)] = t;
      write_imagef(b, (int4)(x, 0, 1, 0), t + get_image_array_size(b));
    }"""
    a, out = texels(2, 4, 5, 4), np.zeros((16, 4), np.float32)
    b = device.empty_image((3, 2, 7), "rgba32float", "2d_array")
    device.compile(source, "k.cl")["k"][(1, 1, 1), (16, 1, 1)](device.image(a, "rgba32float"), b, 2, out)
    assert (out == a[1, 3, 2]).all()
    written = b.numpy()
    assert (written[1, 0, 2] == a[1, 3, 2] + 3).all()
    assert np.count_nonzero(written.any(axis=-1)) == 1


_GRADIENTS = """
#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable
kernel void k(read_only image2d_t a, sampler_t s, global float4 *out) {
  out[0] = read_imagef(a, s, (float2)(0), (float2)(1), (float2)(1));
}"""
_SAMPLES = """
#pragma OPENCL EXTENSION cl_khr_gl_msaa_sharing : enable
kernel void k(read_only image2d_msaa_t a, global float4 *out) { out[0] = read_imagef(a, (int2)(0), 1); }
"""
_LEVEL = """
#pragma OPENCL EXTENSION cl_khr_mipmap_image_writes : enable
kernel void k(write_only image2d_t a) { write_imagef(a, (int2)(0), 1, (float4)(0)); }
"""


@pytest.mark.parametrize(
    ("source", "target", "why"),
    [
        (_GRADIENTS, "arc", "k.cl:4:12: error: calls 'read_imagef' with 5 arguments: gradients, and levels other than"),
        (
            _SAMPLES,
            "arc",
            "k.cl:2:26: error: enables 'cl_khr_gl_msaa_sharing': images with several samples a texel are not",
        ),
        (
            _LEVEL,
            "arc",
            "k.cl:2:26: error: enables 'cl_khr_mipmap_image_writes': writes to a level of an image are not",
        ),
        ("kernel void k(read_only image2d_t a) {}", "pvc", "kernel argument 'a' is an image: pvc has no images"),
        ("kernel void k(sampler_t s) {}", "pvc", "kernel argument 's' is a sampler: pvc has no images"),
    ],
    ids=["gradients", "samples", "level", "image on pvc", "sampler on pvc"],
)
def test_refusals(source: str, target: str, why: str) -> None:
    with pytest.raises(CompileError, match=re.escape(why)):
        Device(target).compile(source, "k.cl")
