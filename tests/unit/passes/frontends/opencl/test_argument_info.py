"""Arguments of kernels in `.ze_info`, as the source declares them and as Intel's compiler writes them."""

from __future__ import annotations

import pytest

from passes.frontends.opencl import find_compiler
from runtime import mux
from tests.peer.generations import either
from zebin import read

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs clang, which translates OpenCL C")

SOURCE = """
typedef float real;
struct S { int a; float b[3]; };
__attribute__((vec_type_hint(uint3))) __attribute__((work_group_size_hint(8, 2, 1))) kernel void
k(global const real *restrict a, real b, uint3 d, local float4 *e, struct S f, constant uchar *c,
  volatile global int *v, const long h, global void *p) {
  v[0] = f.a + c[0] + d.y;
}
kernel void plain(global int *p) { p[0] = 1; }
"""
EXPECTED = [
    ("a", "__global", "NONE", "real*;8", "restrict const"),
    ("b", "__private", "NONE", "real;4", "NONE"),
    ("d", "__private", "NONE", "uint3;16", "NONE"),
    ("e", "__local", "NONE", "float4*;8", "NONE"),
    ("f", "__private", "NONE", "struct S;16", "NONE"),
    ("c", "__constant", "NONE", "uchar*;8", "const"),
    ("v", "__global", "NONE", "int*;8", "volatile"),
    ("h", "__private", "NONE", "long;8", "NONE"),
    ("p", "__global", "NONE", "void*;8", "NONE"),
]


@pytest.mark.parametrize(
    "compiler",
    ["xegpu", pytest.param("igc", marks=pytest.mark.skipif(either("ocloc") is None, reason="needs ocloc"))],
)
def test_arguments_and_hints(compiler: str) -> None:
    ze_info = read(mux.compile_source(SOURCE, "pvc", "k.cl", "opencl", (), compiler)).ze_info
    first, second = ze_info.kernels
    assert first.user_attributes is not None
    assert first.user_attributes.vec_type_hint == "uint3"
    assert first.user_attributes.work_group_size_hint == (8, 2, 1)
    assert second.user_attributes is None or not second.user_attributes.vec_type_hint
    found = [
        (each.name, each.address_qualifier, each.access_qualifier, each.type_name, each.type_qualifiers)
        for each in ze_info.kernels_misc_info[0].args_info
    ]
    assert found == EXPECTED
    sources = {each.arg_index: each.source_offset for each in first.payload_arguments if each.arg_type == "arg_byvalue"}
    assert sources[4] == 0, "structures by value say which of their bytes they pass"
    assert {each for index, each in sources.items() if index != 4} <= {-1}


def test_images_and_samplers() -> None:
    text = "kernel void k(read_only image2d_t i, sampler_t s, write_only image3d_t o) { }"
    (info,) = read(mux.compile_source(text, "arc", "k.cl", "opencl", (), "xegpu")).ze_info.kernels_misc_info
    assert [(each.address_qualifier, each.access_qualifier, each.type_name) for each in info.args_info] == [
        ("__global", "__read_only", "image2d_t;8"),
        ("__private", "NONE", "sampler_t;8"),
        ("__global", "__write_only", "image3d_t;8"),
    ]
