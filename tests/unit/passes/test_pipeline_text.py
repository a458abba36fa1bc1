"""Pipelines as text: the forms of mlir-opt and xdsl-opt, and what is wrong with other texts."""

from __future__ import annotations

import pytest
from xdsl.context import Context

import passes
from passes.pipeline_text import NestedPasses, PipelineError, parse_passes
from passes.pipelines import read_module
from xegpu.diagnostics import SourceBuffer
from xegpu.dialects import register_dialects

PROGRAM = """
func.func @host() -> i32 {
  %a = arith.constant 1 : i32
  %b = arith.constant 1 : i32
  %c = arith.addi %a, %b : i32
  return %c : i32
}
gpu.module @first {
  gpu.func @kernel(%m: memref<4xi32>) kernel {
    %a = arith.constant 2 : i32
    %b = arith.constant 2 : i32
    %i = arith.constant 0 : index
    memref.store %a, %m[%i] : memref<4xi32>
    memref.store %b, %m[%i] : memref<4xi32>
    gpu.return
  }
}
gpu.module @second {
}
func.func private @last()
"""


def context() -> Context:
    made = Context()
    register_dialects(made)
    return made


def spelled(text: str) -> str:
    return ",".join(str(step.spec()) for step in parse_passes(text, passes.available(), context()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        (" cse , dce ", "cse,dce"),
        ("builtin.module(cse,dce)", "cse,dce"),
        ("builtin.module()", ""),
        ("xe-pipeline{target=arc grf-count=256}", 'xe-pipeline{target="arc" grf_count=256}'),
        ("builtin.module(cse,gpu.module(canonicalize,cse),dce)", "cse,gpu.module(canonicalize,cse),dce"),
        ("gpu.module(gpu.func(cse))", "gpu.module(gpu.func(cse))"),
        (
            "builtin.module(gpu.module(xegpu-distribute-sg-map{target=arc}))",
            'gpu.module(xegpu-distribute-sg-map{target="arc"})',
        ),
    ],
)
def test_forms(text: str, expected: str) -> None:
    assert spelled(text) == expected
    assert spelled(expected) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("xetile-blockin", "there is no pass 'xetile-blockin'; did you mean 'xetile-blocking'?"),
        ("zzzzzz", "there is no pass 'zzzzzz'"),
        ("convert-xegpu-to-xevm", "there is no pass 'convert-xegpu-to-xevm': xe-pipeline{target=pvc}"),
        ("xegpu-optimize-peephole", "there is no pass 'xegpu-optimize-peephole': xegpu-optimize-transpose and"),
        ("xegpu-sg-to-lane-distribute{size=1}", "pass 'xegpu-subgroup-distribute' has no option 'size'"),
        ("xe-pipeline{grf-cont=128}", "pass 'xe-pipeline' has no option 'grf-cont'; did you mean 'grf-count'?"),
        ("xe-pipeline{zzz=1}", "pass 'xe-pipeline' has no option 'zzz'; its options: target, grf-count, "),
        ("cse{x=1}", "pass 'cse' has no option 'x'; its options: none"),
        ("xe-pipeline{grf-count=many}", "pass 'xe-pipeline': expected an integer as option 'grf-count', got many"),
        (
            "xe-pipeline{grf-count=128,256}",
            "pass 'xe-pipeline': expected an integer as option 'grf-count', got 128,256",
        ),
        ("xe-pipeline{target=pvc,foo}", "pass 'xe-pipeline': expected a word as option 'target', got pvc,foo"),
        ("xe-pipeline{target}", "pass 'xe-pipeline': expected a word as option 'target', got nothing"),
        ("builtin.module(cse", "expected ')' at the end of 'builtin.module(cse'"),
        ("cse}", "unexpected '}' after 'cse'"),
        ("gpu.modul(cse)", "'gpu.modul' is not an operation that passes can run on: 'gpu.modul(cse)'"),
        ("builtin.module(cse)dce", "expected ',' after the last ')' of 'builtin.module(cse)dce'"),
        ("cse,,dce", "expected a pass, found ''"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(PipelineError) as caught:
        spelled(text)
    assert message in str(caught.value)


def test_nested_passes_change_only_their_operations() -> None:
    made, module = read_module(SourceBuffer("test.mlir", PROGRAM))
    before = [str(op) for op in module.body.block.ops]
    (step,) = parse_passes("builtin.module(gpu.module(cse))", passes.available(), made)
    assert isinstance(step, NestedPasses)
    step.apply(made, module)
    module.verify()
    after = [str(op) for op in module.body.block.ops]
    assert [old == new for old, new in zip(before, after, strict=True)] == [True, False, True, True]
    assert (before[1].count("arith.constant"), after[1].count("arith.constant")) == (3, 2)


def test_nested_passes_leave_the_module_whole_when_they_fail() -> None:
    made, module = read_module(SourceBuffer("test.mlir", PROGRAM))
    before = str(module)
    (step,) = parse_passes("gpu.module(xe-pipeline{target=moon})", passes.available(), made)
    with pytest.raises(Exception, match="unknown target 'moon'"):
        step.apply(made, module)
    assert str(module) == before


def test_brackets_have_a_depth() -> None:
    deep = "builtin.module(" * 3000 + ")" * 3000
    with pytest.raises(PipelineError, match="more than 64 brackets in each other"):
        parse_passes(deep, {}, Context())
