"""Runs in the explorer: results, findings and profiles."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.unit.tools.explore.requests import COPY, ENDLESS, answerer, ask, refusal
from tools.explore.protocol import AnswerKind, PageRequest, PageRequestKind
from tools.explore.start import examples

GEMM, TILES, *_ = examples()


def run(source=COPY, *, grid=(1,), **members):
    return ask(PageRequestKind.RUN, source=source, grid=grid, **members)


def run_example(example, **members):
    usual = {"grid": example.grid, "group": example.group, "arguments": example.arguments}
    return run(example.source, language=example.language, **{**usual, **members})


def test_results_are_shown_as_they_are():
    found = run(arguments=["arange:8x16xf32:1:2", "zeros:8x16xf32"])
    assert found["error"] is None
    for picture in found["results"]:
        np.testing.assert_array_equal(picture["cells"], np.arange(1, 257, 2).reshape(8, 16))
    assert (picture["name"], picture["type"], picture["least"], picture["most"]) == ("target", "8x16xfloat32", 1, 255)


@pytest.mark.exhaustive
def test_both_forms_of_a_gemm_agree():
    cells = [run_example(example)["results"][2]["cells"] for example in (GEMM, TILES)]
    np.testing.assert_allclose(cells[0], cells[1], rtol=1e-5)
    assert np.ptp(cells[0]) > 1


def test_large_arrays_are_shown_by_means():
    source = COPY.replace("memref<8x16xf32>", "memref<300x400xf32>")
    found = run(source, arguments=["ones:300x400xf32", "fill:300x400xf32:nan"])
    (ones, written) = found["results"]
    assert (ones["rows"], ones["columns"], ones["block"]) == (300, 400, [3, 4])
    assert np.shape(ones["cells"]) == (100, 100)
    assert np.all(np.asarray(ones["cells"]) == 1)
    assert written["not_finite"] == 300 * 400 - 8 * 16
    assert written["cells"][0][0] == 1
    assert written["cells"][99][99] is None


def test_arrays_without_elements_are_shown_as_nothing():
    source = COPY.replace("%target: memref<8x16xf32>", "%target: memref<8x16xf32>, %none: memref<0xf32>")
    picture = run(source, arguments=["ones:8x16xf32", "zeros:8x16xf32", "zeros:0xf32"])["results"][2]
    assert (picture["cells"], picture["least"], picture["not_finite"]) == ([], None, 0)


def test_the_profile_names_lines_of_the_source():
    (launch,) = run_example(GEMM)["launches"]
    profile = launch["profile"]
    dpas = next(number for number, text in enumerate(GEMM.source.split("\n"), 1) if "xegpu.dpas" in text)
    assert profile["lines"][str(dpas)] > 0
    assert profile["estimate"]["cycles"] > 0
    assert len(profile["timeline"]["slices"]) == 32
    assert "<svg" in profile["roofline"]


def test_findings_are_at_their_lines():
    scattered = """\
gpu.module @kernels {
  gpu.func @past(%a: memref<16xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %a[%i] : memref<16xf32>
    memref.store %v, %a[%i] : memref<16xf32>
    gpu.return
  }
}
"""
    found = run(scattered, group=[32], arguments=["ones:16xf32"], check="all")
    assert [each["line"] for each in found["findings"]][:1] == [4]
    assert "out-of-bounds" in found["findings"][0]["message"]
    assert found["results"] == []


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({}, "expects 2 arguments, got 0"),
        ({"arguments": ["ones:8x16xf32", "what"]}, "'what' is not a value"),
        ({"arguments": ["ones:8x16xf32", "/etc/passwd.npy"]}, "not read from files"),
        ({"arguments": ["ones:8x16xf32", "zeros:100000x100000xf32"]}, "100000"),
        ({"kernel": "other"}, "no kernel 'other'"),
        ({"check": "nothing"}, "nothing"),
        ({"grid": [1 << 31, 1 << 31, 1 << 31], "arguments": ["ones:8x16xf32"] * 2}, ""),
        ({"source": "gpu.module @m {}"}, "no binary"),
        ({"language": "xe-asm", "source": "eot"}, ".ze_info"),
        ({"language": "xe-asm", "source": "what"}, "see the messages"),
        ({"program": "main"}, "has no function 'main'"),
        ({"program": "main", "source": "func.func @main(%a: f32) { return }"}, "expects 1 arguments, got 0"),
        ({"program": "main", "source": "func.func @main() {"}, "see the messages"),
    ],
)
def test_what_cannot_be_run(members, message):
    found = run(**members)
    assert message in found["error"]
    assert found["results"] == []


def test_an_endless_kernel_ends():
    body = b'{"source": %s, "grid": [1], "arguments": ["zeros:16xf32"]}' % json.dumps(ENDLESS).encode()
    answer = answerer()(PageRequest(PageRequestKind.RUN, body, 1.0))
    assert answer.outcome is AnswerKind.ANSWERED
    assert b"time limit" in answer.body


@pytest.mark.parametrize(
    "body", [b'{"source": "", "grid": [0]}', b'{"source": "", "arguments": "x"}', b'{"source": "", "grid": 3}']
)
def test_malformed_runs_are_refused(body):
    assert refusal(PageRequestKind.RUN, body)[0] is AnswerKind.MALFORMED


KNOWN = COPY.replace(" kernel {", " kernel attributes {known_grid_size = array<i32: 3, 1, 1>} {")


def test_the_kernel_states_its_grid():
    (launch,) = run(KNOWN, grid=(), arguments=["ones:8x16xf32", "zeros:8x16xf32"])["launches"]
    assert "3 work-groups" in launch["summary"]
    assert "the kernel was made for (3, 1, 1)" in run(KNOWN, arguments=["ones:8x16xf32", "zeros:8x16xf32"])["error"]


def test_sizes_that_nobody_states():
    arguments = ["ones:8x16xf32", "zeros:8x16xf32"]
    assert run(grid=(), arguments=arguments)["error"].endswith("(known_grid_size): fill in 'Work-groups'")
