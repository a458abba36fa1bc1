"""Runs of host programs, of assembly with a description of its kernel, and of kernels with images."""

from __future__ import annotations

import re

import numpy as np
import pytest

from passes.frontends.opencl import find_compiler
from tests.paths import ROOT
from tests.unit.tools.explore.requests import COPY, ask
from tools.explore.protocol import PageRequestKind

PROGRAM = (ROOT / "examples/programs/launch_in_place.mlir").read_text()
ARGUMENTS = ["arange:8x16xf32", "zeros:8x16xf32"]


def compiled(source, **members):
    return ask(PageRequestKind.COMPILE, source=source, **members)


def run(source, *, grid=(1,), **members):
    return ask(PageRequestKind.RUN, source=source, grid=grid, **members)


def test_a_host_program_runs_as_from_the_command_line():
    found = compiled(PROGRAM)
    assert found["programs"] == [{"name": "main", "arguments": [], "proposals": []}]
    assert [each["name"] for each in found["binary"]["kernels"]] == ["main_kernel"]
    assert "gpu-kernel-outlining" in [stage["title"] for stage in found["stages"]]
    ran = run(PROGRAM, program="main")
    assert ran["error"] is None
    assert "27 takes 111 steps" in ran["printed"]  # by the kernel
    assert "[111,   106,   118,   7]" in ran["printed"]  # by the host
    (launch,) = ran["launches"]
    assert launch["kernel"] == "main_kernel"
    loop = next(number for number, text in enumerate(PROGRAM.split("\n"), 1) if "arith.muli" in text)
    assert launch["profile"]["lines"][str(loop)] > 0


def test_arguments_of_host_functions():
    source = (
        "func.func @twice(%x: memref<2x3xf32>, %n: f32) {\n  %i = arith.constant 1 : index\n"
        "  memref.store %n, %x[%i, %i] : memref<2x3xf32>\n  return\n}"
    )
    (found,) = compiled(source)["programs"]
    assert (found["name"], found["arguments"]) == ("twice", ["x: memref<2x3xf32>", "n: f32"])
    assert found["proposals"] == ["random:2x3xf32", "f32:1"]
    (picture,) = run(source, program="twice", arguments=["zeros:2x3xf32", "f32:4"])["results"]
    assert picture["cells"] == [[0, 0, 0], [0, 4, 0]]


def test_a_failing_program_names_its_line():
    source = (
        "func.func @main() {\n  %c0 = arith.constant 0 : index\n  %false = arith.constant false\n"
        '  cf.assert %false, "never"\n  return\n}'
    )
    found = run(source, program="main")
    assert "never" in found["error"]
    assert [each["line"] for each in found["findings"]] == [4]


@pytest.mark.exhaustive
def test_what_is_printed_is_bounded():
    source = """\
func.func private @printI64(i64)
func.func @main() {
  %lower = arith.constant 0 : index
  %upper = arith.constant 40000 : index
  %one = arith.constant 1 : index
  scf.for %i = %lower to %upper step %one {
    %n = arith.index_cast %i : index to i64
    %large = arith.constant 1000000000000 : i64
    %sum = arith.addi %n, %large : i64
    func.call @printI64(%sum) : (i64) -> ()
  }
  return
}
"""
    found = run(source, program="main")
    assert found["error"] is None
    assert re.search(r"\n\.\.\. \d+ more characters$", found["printed"])


def sources():
    """The copy as assembly, virtual and native, as the page offers it to be edited."""
    (stage,) = [stage for stage in compiled(COPY)["stages"] if stage["title"] == "assembly"]
    yield stage["source"]
    yield ask(PageRequestKind.NATIVE, source=COPY)["source"]


def test_assembly_is_edited_and_run():
    for source in sources():
        found = compiled(source["text"], language=source["language"])
        assert found["diagnostics"] == []
        assert found["binary"]["kernels"][0]["name"] == "copy"
        ran = run(source["text"], language=source["language"], arguments=ARGUMENTS)
        assert ran["error"] is None
        np.testing.assert_array_equal(ran["results"][1]["cells"], np.arange(128).reshape(8, 16))
        (launch,) = ran["launches"]
        lines = source["text"].split("\n")
        spent = [lines[int(line) - 1] for line in launch["profile"]["lines"]]
        assert sum(" mov " in text for text in spent) > 5
    assert source["language"] == "xe-native"


def test_native_code_of_the_dump_is_shown_with_its_lines():
    *_, source = sources()
    text = source["text"].partition("/*")[0]
    found = compiled(text, language="xe-native")
    assert (found["diagnostics"], found["binary"]) == ([], None)
    (code,) = found["stages"]
    lines = text.split("\n")
    for shown, line in zip(code["text"].split("\n"), code["lines"], strict=True):
        assert not line or lines[line - 1].split() == shown.partition("*/")[2].split()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("grf_count:", "grf_cuont:", "unknown key"),
        ("_entry:", "", "no label '_entry'"),
        ("mov (16|M0)", "mvo (16|M0)", "no instruction 'mvo'"),
        (".ze_info\n", ".ze_info\n]\n", "found"),
        ("kernels_misc_info:\n  - name:            copy", "kernels_misc_info:\n  - name:    other", "unknown kernel"),
    ],
)
def test_errors_in_native_assembly(old, new, message):
    *_, source = sources()
    assert old in source["text"]
    text = source["text"].replace(old, new, 1)
    (first, *_) = compiled(text, language="xe-native")["diagnostics"]
    assert message in first["message"]
    assert first["line"] in (text.count("\n", 0, source["text"].index(old)) + offset for offset in (1, 2)) or (
        first["line"] == (1 if old == "_entry:" else text.count("\n", 0, text.index(".ze_info")) + 1)
    )


@pytest.mark.skipif(find_compiler() is None, reason="needs clang, which translates OpenCL C")
def test_images_are_shown_in_their_colours():
    source = """\
kernel void mirror(read_only image2d_t a, sampler_t s, write_only image2d_t b) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(b, p, read_imagef(a, s, (int2)(get_image_width(a) - 1 - p.x, p.y)).zyxw);
}
"""
    members = {"language": "opencl", "target": "arc", "grid": [1, 4], "group": [8]}
    given = ["image:bgra8unorm:arange:4x8x4xui8", "sampler:clamp_edge", "image:rgba8unorm:zeros:4x8x4xui8"]
    found = run(source, arguments=given, **members)
    assert found["error"] is None
    before, after = found["results"]
    assert (after["name"], after["rows"], after["columns"], after["white"]) == ("b", 4, 8, 255)
    texels = np.arange(128).reshape(4, 8, 4)
    np.testing.assert_array_equal(before["colours"], texels[..., [2, 1, 0, 3]])  # blue is the first in memory
    np.testing.assert_array_equal(after["colours"], texels[:, ::-1])  # and now the first component


@pytest.mark.skipif(find_compiler() is None, reason="needs clang, which translates OpenCL C")
def test_images_of_few_channels_are_heat_maps():
    source = (
        "kernel void f(write_only image2d_array_t b) { write_imagef(b, (int4)(1, 0, 1, 0), (float4)(2.5f, 3, 0, 0)); }"
    )
    found = run(
        source, language="opencl", target="arc", group=[1], arguments=["image:rg32float,2d_array:zeros:2x3x4x2xf32"]
    )
    assert found["error"] is None
    red, green = found["results"]
    assert (red["rows"], red["columns"], red["name"]) == (6, 4, "b, channel 0")  # the layers are below each other
    assert (red["cells"][3][1], green["cells"][3][1], red["most"]) == (2.5, 3, 2.5)
