"""The stages that the explorer shows of a text."""

from __future__ import annotations

import json
import re
import shutil
from base64 import b64decode

import pytest

import zebin
from passes.frontends.opencl import find_compiler
from tests.paths import ROOT
from tests.unit.tools.explore.requests import COPY, ask, refusal
from tools.explore.protocol import AnswerKind, PageRequest, PageRequestKind
from tools.explore.service import serving
from tools.explore.start import examples

GEMM = (ROOT / "examples/gemm.mlir").read_text()


def stages(found):
    """The stages that differ from those before them, by their titles."""
    return {stage["title"]: stage for stage in found["stages"] if not stage["same"]}


def linked(found, title, pattern):
    """The source lines of the lines of a stage that a pattern finds."""
    stage = stages(found)[title]
    pairs = zip(stage["text"].split("\n"), stage["lines"], strict=False)
    return {line for text, line in pairs if re.search(pattern, text)}


def line_of(source, pattern):
    return next(number for number, text in enumerate(source.split("\n"), 1) if re.search(pattern, text))


def test_a_kernel_goes_through_all_stages():
    found = ask(PageRequestKind.COMPILE, source=GEMM)
    assert found["diagnostics"] == []
    titles = [stage["title"] for stage in found["stages"]]
    assert titles[0] == "as read"
    assert titles[-4:] == ["assembly", ".ze_info", "control flow", "registers"]
    assert {"xetile-blocking", "convert-xegpu-to-xe", "xe-allocate-registers"} <= set(titles)
    assert len(stages(found)) < len(titles)  # most passes change nothing, and their text is not repeated
    for stage in stages(found).values():
        assert not stage["lines"] or len(stage["lines"]) == len(stage["text"].split("\n"))


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("title", ["as read", "convert-xegpu-to-xe", "xe-allocate-registers", "assembly"])
def test_lines_are_linked_to_those_they_come_from(title):
    found = ask(PageRequestKind.COMPILE, source=GEMM)
    assert linked(found, title, r"\bdpas\b") == {line_of(GEMM, "xegpu.dpas")}


def test_native_code_is_linked_too():
    found = {"stages": [ask(PageRequestKind.NATIVE, source=GEMM)]}
    assert linked(found, "native code", r"\bdpas") == {line_of(GEMM, "xegpu.dpas")}


def test_the_binary_is_shown_with_its_parts_and_figures():
    binary = ask(PageRequestKind.COMPILE, source=GEMM)["binary"]
    data = b64decode(binary["bytes"])
    assert len(data) == binary["size"]
    kernel = zebin.read(data).kernels["gemm"]
    (shown,) = binary["kernels"]
    assert (shown["name"], shown["grf_count"]) == ("gemm", kernel.execution_env.grf_count)
    assert shown["mnemonics"]["dpas"] == 1
    assert 16 < shown["registers"] <= 128
    assert shown["cycles"] > 1000  # sixteen iterations that load
    ends = [0, *(part["end"] for part in binary["parts"])]
    assert [part["start"] for part in binary["parts"]] == ends[:-1]
    assert ends[-1] == len(data)
    code = next(part for part in binary["parts"] if part["content"] == "code")
    assert len(code["parts"]) == sum(shown["mnemonics"].values())
    assert "<svg" in binary["payload"]


def test_instructions_have_cycles_and_live_registers():
    assembly = stages(ask(PageRequestKind.COMPILE, source=GEMM))["assembly"]
    dpas = next(i for i, text in enumerate(assembly["text"].split("\n")) if " dpas" in text)
    assert assembly["columns"]["cycles"][dpas] > 0
    registers = assembly["columns"]["live registers"]
    assert registers[dpas] == max(filter(None, registers))


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("example", [e for e in examples() if e.language != "opencl"], ids=lambda e: e.title)
def test_examples_compile(example):
    found = ask(PageRequestKind.COMPILE, source=example.source, language=example.language)
    assert found["diagnostics"] == []
    assert "code" in stages(found) or found["binary"]["kernels"]


@pytest.mark.skipif(shutil.which("clang-22") is None, reason="needs clang-22")
def test_opencl_is_linked_through_llvm():
    (example,) = [each for each in examples() if each.language == "opencl"]
    found = ask(PageRequestKind.COMPILE, source=example.source, language="opencl")
    line = {line_of(example.source, r"a \* x")}
    assert linked(found, "LLVM IR", "call.*fmuladd") == linked(found, "assembly", r"\bmad\b") == line


def test_spirv_without_lines_is_linked_to_what_llvm_makes_of_it():
    (example,) = [each for each in examples() if each.language == "spirv"]
    found = ask(PageRequestKind.COMPILE, source=example.source, language="spirv")
    anchor = found["stages"][found["anchor"]]
    assert linked(found, "assembly", r"store\.") == {line_of(anchor["text"], "  store")}


def test_assembly_shows_its_words():
    source = (
        ".isa 2.0\n  // nothing\nL:\n  (W) add (8|M0) r8.0<1>:f r8.0<1;1,0>:f r9.0<1;1,0>:f\n  jmpi (1|M0) L\n  eot\n"
    )
    code = stages(ask(PageRequestKind.COMPILE, source=source, language="xe-asm"))["code"]
    assert code["lines"] == [0, 4, 5, 6]
    assert len(code["columns"]["cycles"]) == 4


@pytest.mark.parametrize(
    ("language", "source", "line", "message"),
    [
        ("mlir", COPY.replace("-> vector<8x16xf32>", "-> vector<8x8xf32>"), 6, ""),
        ("mlir", "gpu.module @m {\n  what\n}", 2, ""),
        ("xe-asm", "\n  (W) ad (8|M0) r8.0<1>:f\n", 2, "ad"),
        ("llvm", "define void @f() {\n  nonsense\n}", 2, ""),
        ("spirv", "OpCapability Kernel\nOpNonsense\n", 2, "OpNonsense"),
    ],
)
def test_errors_are_at_their_places(language, source, line, message):
    found = ask(PageRequestKind.COMPILE, source=source, language=language)
    (error, *_) = found["diagnostics"]
    assert (error["severity"], error["line"]) == ("error", line)
    assert message in error["message"]
    assert found["binary"] is None


def test_stages_up_to_the_failing_pass_are_shown():
    found = ask(PageRequestKind.COMPILE, source=next(e for e in examples() if "map" in e.title).source, target="arc")
    assert "a subgroup of arc has 8" in found["diagnostics"][0]["message"]
    assert [stage["title"] for stage in found["stages"]][-1] == "xegpu-combine-loads"


def test_options_of_the_pipeline():
    plain, unrolled = (ask(PageRequestKind.COMPILE, source=GEMM, unroll_factor=factor) for factor in (1, 2))
    counts = [found["binary"]["kernels"][0]["mnemonics"]["dpas"] for found in (plain, unrolled)]
    assert counts == [1, 2]
    large = ask(PageRequestKind.COMPILE, source=COPY, grf_count=256)
    assert large["binary"]["kernels"][0]["grf_count"] == 256


def test_a_pipeline_of_ones_own():
    found = ask(PageRequestKind.COMPILE, source=COPY, pipeline="cse,canonicalize")
    assert [stage["title"] for stage in found["stages"]] == ["as read", "cse", "canonicalize"]
    assert (found["binary"], found["diagnostics"]) == (None, [])
    wrong = ask(PageRequestKind.COMPILE, source=COPY, pipeline="csee")
    assert "did you mean 'cse'" in wrong["diagnostics"][0]["message"]


def test_native_code_that_there_is_none_of_says_why():
    assert "no native code" in ask(PageRequestKind.NATIVE, source="gpu.module @m { what }")["text"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"null",
        b"{}",
        b"[" * 100_000,
        b'{"source": 1}',
        b'{"source": "\\ud800"}',
        b'{"source": "", "language": "python"}',
        b'{"source": "", "target": "../pvc"}',
        b'{"source": "", "grf_count": true}',
        b'{"source": "", "grf_count": 1e999}',
        b'{"source": "", "unroll_factor": -1}',
        json.dumps({"source": "", "pipeline": "x" * 10_000}).encode(),
    ],
)
def test_malformed_requests_are_refused(body):
    outcome, reason = refusal(PageRequestKind.COMPILE, body)
    assert outcome is AnswerKind.MALFORMED
    assert reason


@pytest.mark.skipif(find_compiler() is None, reason="needs clang, which translates OpenCL C")
def test_an_explorer_without_includes():
    """A file that is there is not found."""
    body = json.dumps({"language": "opencl", "source": f'#include "{__file__}"\nkernel void k(void) {{}}\n'}).encode()
    answer = serving(includes=False)(PageRequest(PageRequestKind.COMPILE, body, 20.0))
    (message,) = json.loads(answer.body)["diagnostics"]
    assert message["message"].endswith("file not found")
