"""Passes that have the names of upstream's: what they and mlir-opt make of the same kernel computes the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from xdsl.context import Context

import passes
from passes.pipeline_text import parse_passes
from passes.support import apply_step
from tests.paths import ROOT
from tests.peer.mlir_opt import accepted, mlir_opt, needs
from tests.unit.passes.kernels.harness import Array, compile_one, kernel_text, random_array, run
from tests.unit.xegpu.dialects.support import custom, parse
from xegpu.diagnostics import CompileError
from xegpu.dialects import register_dialects
from xegpu.mlir import verify

_STAGES = {
    "inst": ("xegpu-propagate-layout{layout-kind=inst}", ("xegpu-blocking",)),
    "lane": ("xegpu-propagate-layout{layout-kind=lane}", ("xegpu-subgroup-distribute", "xegpu-vector-linearize")),
}


@dataclass(frozen=True)
class _Kernel:
    """A kernel of a subgroup, its buffers by shape and element type, and the stages that are run on it."""

    arguments: Sequence[tuple[tuple[int, ...], str]]
    body: str
    stages: Sequence[str]
    is_exact: bool = True
    """True if every order of operations gives the same bits."""
    has_peer: bool = True
    """True if mlir-opt's result can run: it cuts 8-bit products into steps that no matrix instruction has."""


def _gemm(
    element: str, total: str, shapes: tuple[int, int, int], stages: Sequence[str], *, has_peer: bool = True
) -> _Kernel:
    m, n, k = shapes
    a, b, c = f"{m}x{k}x{element}", f"{k}x{n}x{element}", f"{m}x{n}x{total}"
    add = "arith.addf" if total.startswith("f") else "arith.addi"
    return _Kernel(
        [((64, 64), element), ((64, 64), element), ((64, 64), total)],
        f"""
        %c0 = arith.constant 0 : index
        %step = arith.constant {k} : index
        %c64 = arith.constant 64 : index
        %m = arith.constant {m} : index
        %n = arith.constant {n} : index
        %x = gpu.block_id x
        %y = gpu.block_id y
        %i = arith.muli %x, %m : index
        %j = arith.muli %y, %n : index
        %ta = xegpu.create_nd_tdesc %0 : memref<64x64x{element}> -> !xegpu.tensor_desc<{a}>
        %tb = xegpu.create_nd_tdesc %1 : memref<64x64x{element}> -> !xegpu.tensor_desc<{b}>
        %tc = xegpu.create_nd_tdesc %2 : memref<64x64x{total}> -> !xegpu.tensor_desc<{c}>
        %z = xegpu.load_nd %tc[%i, %j] : !xegpu.tensor_desc<{c}> -> vector<{c}>
        %r = scf.for %l = %c0 to %c64 step %step iter_args(%acc = %z) -> vector<{c}> {{
          %av = xegpu.load_nd %ta[%i, %l] : !xegpu.tensor_desc<{a}> -> vector<{a}>
          %bv = xegpu.load_nd %tb[%l, %j] : !xegpu.tensor_desc<{b}> -> vector<{b}>
          %s = xegpu.dpas %av, %bv, %acc : vector<{a}>, vector<{b}>, vector<{c}> -> vector<{c}>
          scf.yield %s : vector<{c}>
        }}
        %e = {add} %r, %r : vector<{c}>
        xegpu.store_nd %e, %tc[%i, %j] : vector<{c}>, !xegpu.tensor_desc<{c}>
        """,
        stages,
        has_peer=has_peer,
    )


_F = "!xegpu.tensor_desc<8x16xf32>"

_KERNELS = {
    "gemm_f16": _gemm("f16", "f32", (8, 16, 16), ("lane", "inst")),
    "gemm_bf16_large": _gemm("bf16", "f32", (32, 32, 32), ("inst",)),
    "gemm_i8": _gemm("i8", "i32", (8, 16, 32), ("lane",)),
    "gemm_i8_large": _gemm("i8", "i32", (16, 32, 64), ("inst",), has_peer=False),
    "elementwise": _Kernel(
        [((64, 64), "f32"), ((64, 64), "f32")],
        """
        %two = arith.constant dense<2.0> : vector<16x32xf32>
        %s = xegpu.create_nd_tdesc %0 : memref<64x64xf32> -> !xegpu.tensor_desc<16x32xf32>
        %d = xegpu.create_nd_tdesc %1 : memref<64x64xf32> -> !xegpu.tensor_desc<16x32xf32>
        xegpu.prefetch_nd %s[0, 32] : !xegpu.tensor_desc<16x32xf32>
        %v = xegpu.load_nd %s[8, 16] : !xegpu.tensor_desc<16x32xf32> -> vector<16x32xf32>
        %m = arith.mulf %v, %two : vector<16x32xf32>
        %g = arith.cmpf ogt, %v, %two : vector<16x32xf32>
        %e = math.exp %m : vector<16x32xf32>
        %r = arith.select %g, %e, %v : vector<16x32xi1>, vector<16x32xf32>
        xegpu.store_nd %r, %d[0, 32] : vector<16x32xf32>, !xegpu.tensor_desc<16x32xf32>
        """,
        ("inst", "lane"),
    ),
    "rank_1": _Kernel(
        [((1024,), "f32"), ((1024,), "f32")],
        """
        %s = xegpu.create_nd_tdesc %0 : memref<1024xf32> -> !xegpu.tensor_desc<32xf32>
        %d = xegpu.create_nd_tdesc %1 : memref<1024xf32> -> !xegpu.tensor_desc<32xf32>
        %v = xegpu.load_nd %s[64] : !xegpu.tensor_desc<32xf32> -> vector<32xf32>
        %w = arith.addf %v, %v : vector<32xf32>
        xegpu.store_nd %w, %d[96] : vector<32xf32>, !xegpu.tensor_desc<32xf32>
        """,
        ("lane", "inst"),
    ),
    "gathers": _Kernel(
        [((1024,), "f32"), ((1024,), "f32")],
        """
        %seven = arith.constant dense<7> : vector<16xindex>
        %mask = arith.constant dense<true> : vector<16xi1>
        %step = vector.step : vector<16xindex>
        %o = arith.muli %step, %seven : vector<16xindex>
        %v = xegpu.load %0[%o], %mask : memref<1024xf32>, vector<16xindex>, vector<16xi1> -> vector<16xf32>
        %w = arith.addf %v, %v : vector<16xf32>
        xegpu.store %w, %1[%o], %mask : vector<16xf32>, memref<1024xf32>, vector<16xindex>, vector<16xi1>
        """,
        ("lane", "inst"),
    ),
    "chunks": _Kernel(
        [((1024,), "f32"), ((1024,), "f32")],
        """
        %o = arith.constant dense<[0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120]> : vector<16xindex>
        %mask = arith.constant dense<true> : vector<16xi1>
        %v = xegpu.load %0[%o], %mask <{chunk_size = 4 : i64}>
            : memref<1024xf32>, vector<16xindex>, vector<16xi1> -> vector<16x4xf32>
        xegpu.store %v, %1[%o], %mask <{chunk_size = 4 : i64}>
            : vector<16x4xf32>, memref<1024xf32>, vector<16xindex>, vector<16xi1>
        """,
        ("lane",),
    ),
    "columns": _Kernel(
        [((64, 64), "f32"), ((64, 64), "f32")],
        f"""
        %z = arith.constant dense<0.0> : vector<16xf32>
        %s = xegpu.create_nd_tdesc %0 : memref<64x64xf32> -> {_F}
        %d = xegpu.create_nd_tdesc %1 : memref<64x64xf32> -> {_F}
        %v = xegpu.load_nd %s[8, 16] : {_F} -> vector<8x16xf32>
        %r = vector.multi_reduction <maximumf>, %v, %z [0] : vector<8x16xf32> to vector<16xf32>
        %c = vector.shape_cast %r : vector<16xf32> to vector<1x16xf32>
        %b = vector.broadcast %c : vector<1x16xf32> to vector<8x16xf32>
        %e = arith.subf %v, %b : vector<8x16xf32>
        xegpu.store_nd %e, %d[0, 0] : vector<8x16xf32>, {_F}
        """,
        ("lane", "inst"),
    ),
    "rows": _Kernel(
        [((64, 64), "f32"), ((64, 64), "f32")],
        f"""
        %z = arith.constant dense<0.0> : vector<8xf32>
        %s = xegpu.create_nd_tdesc %0 : memref<64x64xf32> -> {_F}
        %d = xegpu.create_nd_tdesc %1 : memref<64x64xf32> -> {_F}
        %v = xegpu.load_nd %s[8, 16] : {_F} -> vector<8x16xf32>
        %r = vector.multi_reduction <add>, %v, %z [1] : vector<8x16xf32> to vector<8xf32>
        %c = vector.shape_cast %r : vector<8xf32> to vector<8x1xf32>
        %b = vector.broadcast %c : vector<8x1xf32> to vector<8x16xf32>
        %e = arith.divf %v, %b : vector<8x16xf32>
        xegpu.store_nd %e, %d[0, 0] : vector<8x16xf32>, {_F}
        """,
        ("lane", "inst"),
        is_exact=False,
    ),
    "matrices": _Kernel(
        [((64, 64), "f16"), ((64, 64), "f16")],
        """
        %slm = memref.alloc() : memref<8192xi8, 3>
        %m = xegpu.create_mem_desc %slm : memref<8192xi8, 3> -> !xegpu.mem_desc<64x64xf16>
        %s = xegpu.create_nd_tdesc %0 : memref<64x64xf16> -> !xegpu.tensor_desc<16x32xf16>
        %d = xegpu.create_nd_tdesc %1 : memref<64x64xf16> -> !xegpu.tensor_desc<16x32xf16>
        %v = xegpu.load_nd %s[8, 16] : !xegpu.tensor_desc<16x32xf16> -> vector<16x32xf16>
        xegpu.store_matrix %v, %m[8, 0] : vector<16x32xf16>, !xegpu.mem_desc<64x64xf16>
        gpu.barrier
        %w = xegpu.load_matrix %m[8, 0] : !xegpu.mem_desc<64x64xf16> -> vector<16x32xf16>
        xegpu.store_nd %w, %d[0, 0] : vector<16x32xf16>, !xegpu.tensor_desc<16x32xf16>
        """,
        ("inst", "lane"),
    ),
    "casts": _Kernel(
        [((64, 64), "f32"), ((64, 64), "f16")],
        """
        %s = xegpu.create_nd_tdesc %0 : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
        %d = xegpu.create_nd_tdesc %1 : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16>
        %v = xegpu.load_nd %s[8, 16] : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
        %h = arith.truncf %v : vector<8x16xf32> to vector<8x16xf16>
        xegpu.store_nd %h, %d[0, 0] : vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>
        """,
        ("lane",),
    ),
}
_BEYOND_UPSTREAM = ("chunks", "matrices", "rows")
"""Kernels that mlir-opt does not distribute over lanes completely."""

_MISREAD_UPSTREAM = {(23, "rank_1")}
"""Kernels whose layouts of rank 1 a version of mlir-opt makes ones of rank 8, with arbitrary numbers."""

_CASES = [
    pytest.param(version, name, stage, marks=needs(version))
    for version, stages in {22: ("inst", "lane"), 23: ("inst",)}.items()
    for name, kernel in _KERNELS.items()
    for stage in stages
    if stage in kernel.stages
]
"""LLVM 23 has no pass of the name that distributed subgroups over lanes before."""


def _text(kernel: _Kernel) -> str:
    arguments = ", ".join(f"%{n}: memref<{'x'.join(map(str, s))}x{e}>" for n, (s, e) in enumerate(kernel.arguments))
    text = kernel_text(arguments, kernel.body, "intel_reqd_sub_group_size = 16 : i32")
    return text.replace("gpu.module @m {", 'gpu.module @m [#xevm.target<chip = "pvc">] {')


def _ours(text: str, pipeline: str) -> str:
    context = Context()
    register_dialects(context)
    module = parse(text)
    for step in parse_passes(pipeline, passes.available(), context):
        apply_step(step, context, module)
        verify(module)
    return custom(module)


def _theirs(version: int, text: str, pipeline: str) -> str | None:
    """Returns what mlir-opt makes of a kernel; None for one that it does not handle completely."""
    # Upstream folds what is left of its warp operations by canonicalization.
    done = mlir_opt(version, text, f"--pass-pipeline=builtin.module(gpu.module({pipeline},canonicalize,cse))")
    return None if done.returncode or "warp_execute" in done.stdout else done.stdout


def _results(kernel: _Kernel, text: str, arrays: Sequence[Array]) -> list[bytes]:
    return [a.tobytes() for a in run(compile_one(text), *arrays, groups=(2, 2, 1), local=(16, 1, 1), engines=("jit",))]


def _check(kernel: _Kernel, want: list[bytes], got: list[bytes]) -> None:
    if kernel.is_exact:
        assert want == got
        return
    for a, b, (_, element) in zip(want, got, kernel.arguments, strict=True):
        assert element == "f32"
        # Sums of 16 elements in any order, and one division.
        np.testing.assert_allclose(np.frombuffer(a, np.float32), np.frombuffer(b, np.float32), rtol=2e-3, atol=1e-6)


@pytest.mark.sampled(every=12)
@pytest.mark.parametrize(("version", "name", "stage"), _CASES)
def test_both_results_compute_the_same(version: int, name: str, stage: str) -> None:
    kernel = _KERNELS[name]
    rng = np.random.default_rng(7)
    arrays = [random_array(rng, *argument) for argument in kernel.arguments]
    if not kernel.is_exact:
        arrays = [np.abs(array) for array in arrays]  # sums of positive numbers have small relative errors
    text = accepted(version, _text(kernel))
    want = _results(kernel, text, arrays)
    assert want[-1] != arrays[-1].tobytes()
    has_peer = kernel.has_peer and (version, name) not in _MISREAD_UPSTREAM
    propagate, following = _STAGES[stage]
    for pipeline in (propagate, *following):
        ours, theirs = _ours(text, pipeline), _theirs(version, text, pipeline) if has_peer else None
        _check(kernel, want, _results(kernel, ours, arrays))
        accepted(version, ours)
        if theirs is not None:
            _check(kernel, want, _results(kernel, theirs, arrays))
        else:
            assert not has_peer or name in _BEYOND_UPSTREAM
        text = theirs or ours


@needs(22)
@pytest.mark.parametrize(
    "path", sorted((ROOT / "tests" / "corpus" / "xegpu").glob("*.mlir")), ids=lambda path: path.stem
)
def test_what_becomes_llvm22_is_read_by_it(path: Path) -> None:
    """mlir-opt reads the corpus of the RFC after its conversion; the rest has no counterpart, and says so."""
    if path.stem in ("fragments", "gemm_prefetched"):
        with pytest.raises(CompileError, match="has no counterpart in LLVM 22"):
            _ours(path.read_text(), "xegpu-convert-generation{target=pvc to=llvm22}")
    else:
        accepted(22, _ours(path.read_text(), "xegpu-convert-generation{target=pvc to=llvm22}"))
