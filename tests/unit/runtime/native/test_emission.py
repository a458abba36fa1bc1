"""Kernels in native code give the same bits as in virtual code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from passes.pipelines import read_module, run_to_kernels, xe_passes
from passes.xe.select_code import NATIVE, VIRTUAL
from runtime import Device
from tests.paths import ROOT
from xegpu.diagnostics import CompileError, SourceBuffer
from xegpu.isa import ArgumentKind, CompiledKernel, KernelArgument, KernelFacts, assemble_program, decode_program
from xegpu.isa.code import code_features
from xegpu.isa.model.types import BY_TEXT
from xegpu.isa.native import emit_native, find_hazards
from xegpu.targets import ARC, PVC, TARGETS, Target
from zebin import build

EXAMPLES = ROOT / "examples"
DTYPES = {"bf16": ml_dtypes.bfloat16, "tf32": np.float32, "index": np.int64, "i1": np.int8, "ui8": np.uint8}
KINDS = {"f": "float", "i": "int"}


def compiled(path: Path, code: str, target: Target = PVC) -> list[CompiledKernel]:
    context, module = read_module(SourceBuffer(str(path), path.read_text()))
    return run_to_kernels(context, module, xe_passes(target.name, code=code))


def arguments(kernel: CompiledKernel, *, whole: bool = False) -> list[np.ndarray]:
    """Returns random arrays of the types that the kernel's arguments have, whole numbers if sums shall be exact."""
    generator = np.random.default_rng(1)
    found = []
    for argument in kernel.facts.arguments:
        form = re.fullmatch(r"memref<((?:\d+x)*)(\w+)>", argument.type_name)
        assert form is not None
        shape = [int(size) for size in form[1].split("x") if size]
        dtype = np.dtype(DTYPES.get(form[2]) or f"{KINDS[form[2][0]]}{form[2][1:]}")
        draws_whole = whole or dtype.kind in "iu"
        numbers = generator.integers(0, 7, shape) if draws_whole else generator.standard_normal(shape)
        found.append(numbers.astype(dtype))
    return found


def outcome(kernel: CompiledKernel, data: Sequence[np.ndarray], engine: str, target: Target = PVC) -> list[bytes]:
    """The arrays after a launch of four groups, or of those that the kernel was made for."""
    given = [array.copy() for array in data]
    size = kernel.facts.required_work_group_size or (max(kernel.facts.simd_size, 1), 1, 1)
    grid = kernel.facts.known_grid_size or (2, 2, 1)
    Device(target.name, engine=engine).load(build(target, [kernel]))[kernel.name][grid, size](*given)
    return [array.tobytes() for array in given]


def check(path: Path, engine: str, target: Target = PVC) -> None:
    adds_in_any_order = "atomic_rmw addf" in path.read_text()
    for virtual, native in zip(compiled(path, VIRTUAL, target), compiled(path, NATIVE, target), strict=True):
        assert not find_hazards(target.platform, native.code)
        data = arguments(virtual, whole=adds_in_any_order)
        wanted = outcome(virtual, data, engine, target)
        assert wanted != [array.tobytes() for array in data]
        assert outcome(native, data, engine, target) == wanted


@pytest.mark.parametrize(
    "name",
    ["vector_add.mlir", "gallery/gemm_bf16/sg_xegpu.mlir", "gallery/transpose/wg_xetile.mlir"],
)
def test_kernels_of_the_gallery(name: str) -> None:
    check(EXAMPLES / name, "interpreter")


CORPUS = ROOT / "tests" / "corpus"


@pytest.mark.parametrize(
    "name",
    [
        "xetile/wg_gemm.mlir",
        *(
            pytest.param(f"xetile/{name}.mlir", marks=pytest.mark.exhaustive)
            for name in ("sg_gemm_bf16", "sg_gemm_batched")
        ),
    ],
)
def test_kernels_that_spill(name: str) -> None:
    assert all(kernel.facts.spill_size for kernel in compiled(CORPUS / name, NATIVE))
    check(CORPUS / name, "jit")


STATIC = sorted(
    path for path in (EXAMPLES / "gallery").glob("*/*.mlir") if ".arc." not in path.name and "dynamic" not in str(path)
)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "path",
    STATIC,
    ids=lambda path: f"{path.parent.name}-{path.name}",
)
def test_every_kernel_of_the_gallery(path: Path) -> None:
    check(path, "jit")


WITHOUT_MACROS = {"flash_attention", "flash_attention_causal", "gemm_gelu", "layer_norm", "softmax"}
"""The folders of kernels that divide floats, which there is no native code for on ARC."""

ON_ARC = [path for path in sorted((EXAMPLES / "gallery").glob("*/*.arc.mlir")) if path.parent.name != "gemm_dynamic"]


def test_kernel_on_arc() -> None:
    check(EXAMPLES / "vector_add.mlir", "jit", ARC)


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", ON_ARC, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_every_kernel_of_the_gallery_on_arc(path: Path) -> None:
    if path.parent.name not in WITHOUT_MACROS:
        check(path, "jit", ARC)
        return
    place = rf"{re.escape(path.name)}:\d+:\d+"
    with pytest.raises(CompileError, match=rf"{place}: error: .* needs macros, which Xe-HPG lacks"):
        compiled(path, NATIVE, ARC)


# Single instructions -------------------------------------------------------------------------------------------------

_A, _B, _C = "r8.0<1;1,0>", "r12.0<1;1,0>", "r16.0<1;1,0>"
_CONDITIONS = ("eq", "ne", "lt", "le", "gt", "ge")
INSTRUCTIONS = (
    *(f"(W) cmp (16|M0) ({c})f0.0 r20.0<1>:w {_A}:{t} {_B}:{t}" for c in _CONDITIONS for t in ("uq", "q", "d", "f")),
    *(f"(W) cmp (16|M0) ({c})f0.0 r20.0<1>:w {_A}:q 5:q" for c in _CONDITIONS),
    *(f"(W) cmp (16|M0) ({c})f1.0 null<1>:q {_A}:q -5:q\n(f1.0) mov (16|M0) r20.0<1>:ud 7:ud" for c in _CONDITIONS),
    *(f"(W) mul (16|M0) r20.0<1>:uq {_A}:uq {b}" for b in (f"{_B}:uq", "0x8:uq", "0x3:uq", "0x123456789a:uq")),
    f"(W) mul (16|M0) r20.0<1>:q {_A}:d -3:q",
    f"(W) mul (32|M0) r20.0<1>:ud {_A}:ud {_B}:ud",
    f"(W) mul (16|M0) r20.0<1>:d {_A}:d 0x12345:d",
    f"(W) mul (16|M0) r20.0<1>:d {_A}:d -7:d",
    f"(W) mul (16|M0) r20.0<1>:ud {_A}:uw {_B}:uw",
    f"(W) mad (16|M0) r20.0<1>:uq {_A}:uq {_B}:uq {_C}:uq",
    f"(W) mad (16|M0) r20.0<1>:d {_A}:d {_B}:d {_C}:d",
    f"(W) mad (16|M0) r20.0<1>:f {_A}:f {_B}:f -{_C}:f",
    *(f"(W) {op} (16|M0) r20.0<1>:uq {_A}:uq {b}" for op in ("and", "or", "xor") for b in (f"{_B}:uq", "0x7:uq")),
    f"(W) not (16|M0) r20.0<1>:uq {_A}:uq",
    *(f"(W) sel (16|M0) ({c}) r20.0<1>:{t} {_A}:{t} {_B}:{t}" for c in ("lt", "ge") for t in ("uq", "q", "d", "f")),
    f"(W) cmp (16|M0) (lt)f0.0 null<1>:d {_A}:d {_B}:d\n(W&f0.0) sel (16|M0) r20.0<1>:uq {_A}:uq {_B}:uq",
    *(f"(W) mov (16|M0) r20.0<1>:{t} {_A}:{s}" for t in ("uq", "q") for s in ("d", "ud", "w", "uw")),
    *(f"(W) mov (16|M0) r20.0<1>:{t} {_A}:{s}" for t in ("d", "uw") for s in ("q", "uq")),
    f"(W) mov (16|M0) (sat)r20.0<1>:d {_A}:q",
    f"(W) mov (16|M0) r20.0<1>:f {_A}:uw",
    f"(W) mov (16|M0) r20.0<1>:f {_A}:d",
    f"(W) mov (16|M0) r20.0<2>:hf {_A}:hf",
    f"(W) mov (16|M0) r20.0<1>:f {_A}:hf",
    "(W) mov (8|M0) r20.0<1>:ud r8.0<8;1,0>:ud",
    f"(W) mov (8|M0) r21.2<1>:uq {_A}:uq",
    "(W) mov (32|M0) r20.0<2>:ud r8.0<1;1,0>:ud",
    "(W) add (8|M0) r20.8<1>:f r8.8<1;1,0>:f r12.0<1;1,0>:f",
    "(W) mul (8|M0) r20.4<1>:f -r8.8<1;1,0>:f (abs)r12.0<0;1,0>:f",
    f"(W) add (16|M0) r20.0<1>:uq {_A}:uq 0xffffffffffffffff:uq",
    f"(W) add (16|M0) r20.0<1>:uq {_A}:uq 0x123456789abc:uq",
    f"(W) add (16|M0) r20.0<1>:q {_A}:q {_B}:d",
    f"(W) asr (16|M0) r20.0<1>:q {_A}:q 0x21:uq",
    f"(W) math.exp (16|M0) r20.0<1>:f {_A}:f",
    "(W) mov (1|M0) r20.0<1>:uq 0x123456789abcdef0:uq",
    # Bytes and words.
    f"(W) add (16|M0) r20.0<1>:ub {_A}:ub 0x81:ub",
    f"(W) add (32|M0) r20.0<1>:b {_A}:b r12.1<1;1,0>:b",
    "(W) xor (1|M0) r20.3<1>:ub r8.1<0;1,0>:ub r12.5<0;1,0>:ub",
    f"(W) mul (16|M0) r20.0<1>:b {_A}:b r12.7<1;1,0>:b",
    f"(W) mad (16|M0) r20.0<1>:ub {_A}:ub {_B}:ub {_C}:ub",
    "(W) mov (16|M0) r20.0<1>:ub 0x80:ub",
    *(f"(W) mov (16|M0) r20.0<1>:{t} r8.4<1;1,0>:{s}" for t in ("b", "uw") for s in ("d", "uq", "f")),
    f"(W) mov (32|M0) (sat)r20.0<1>:ub {_A}:d",
    "(W) mov (8|M0) r20.0<1>:w r8.0<8;4,2>:d",
    f"(W) sel (16|M0) (lt) r20.0<1>:b {_A}:b {_B}:b",
    f"(W) cmp (16|M0) (lt)f0.0 null<1>:b {_A}:b r12.1<1;1,0>:b\n(W&f0.0) sel (16|M0) r20.0<1>:ub {_A}:ub {_B}:ub",
    f"(W) cmp (16|M0) (lt)f0.0 null<1>:b {_A}:d {_B}:d\n(W&f0.0) add (16|M0) r20.0<1>:w {_A}:d {_B}:d",
    f"(W) add (16|M0) (ne)f0.0 r20.0<1>:ub {_A}:ub {_B}:ub\n(W) mov (1|M0) r21.0<1>:uw f0.0<0;1,0>:uw",
    # Numbers of 64 bits with changed signs, and onto themselves.
    f"(W) sel (16|M0) (ge) r20.0<1>:q {_A}:q -{_A}:q",
    f"(W) cmp (16|M0) (gt)f0.0 r20.0<1>:w {_A}:q -{_B}:q",
    f"(W) mov (8|M0) r20.0<1>:uq {_A}:uq\n(W) mov (4|M0) r20.0<1>:uq r20.0<2;1,0>:uq",
)

QUOTIENTS = (
    f"(W) div (32|M0) r20.0<1>:f {_A}:f {_B}:f",
    f"(W) div (16|M0) r20.0<1>:f -{_A}:f (abs){_B}:f",
    f"(W) div (16|M0) r8.0<1>:f {_A}:f {_B}:f\n(W) mov (16|M0) r20.0<1>:ud r8.0<1;1,0>:ud",
    "(W) div (8|M0) r20.8<1>:f r8.8<1;1,0>:f 64.0:f",
    "(W) div (8|M0) r20.3<2>:f r8.1<1;1,0>:f r12.2<2;1,0>:f",
    "(W) div (1|M0) r20.2<1>:f r8.2<0;1,0>:f r12.1<0;1,0>:f",
    f"(W) div (32|M0) r20.0<1>:f {_A}:f r12.3<0;1,0>:f",
    f"(W) cmp (16|M0) (lt)f3.0 null<1>:d {_A}:d {_B}:d\n(W&~f3.0) div (16|M0) r20.0<1>:f {_A}:f {_B}:f",
    f"(W) div (16|M0) r20.0<1>:hf {_A}:hf {_B}:hf",
    f"(W) div (16|M0) r20.0<2>:hf {_A}:f {_B}:hf",
    f"(W) div (32|M0) r20.0<1>:hf -{_A}:hf {_B}:hf",
    f"(W) div (16|M0) r20.0<1>:df {_A}:df {_B}:df",
    f"(W) div (8|M0) r21.0<1>:df {_A}:df 3.0:df",
    "(W) div (1|M0) r20.1<1>:df r8.2<0;1,0>:df r12.1<0;1,0>:df",
    f"(W) sqrtm (32|M0) r20.0<1>:f {_A}:f",
    f"(W) sqrtm (16|M0) (sat)r20.0<1>:f (abs){_A}:f",
    f"(W) sqrtm (16|M0) r20.0<1>:hf {_A}:hf",
    *(f"(W) div (16|M0) r20.0<1>:{t} {_A}:{t} 0x40:{t}" for t in ("ud", "uq", "uw")),
    f"(W) sqrtm (16|M0) r20.0<1>:df {_A}:df",
    "(W) sqrtm (1|M0) r20.1<1>:df (abs)r8.2<0;1,0>:df",
    f"(W) lrp (16|M0) r20.0<1>:f {_A}:f {_B}:f {_C}:f",
    f"(W) lrp (32|M0) (sat)r20.0<1>:f -{_A}:f {_B}:f {_C}:f",
    "(W) lrp (8|M0) r20.8<1>:f r8.8<1;1,0>:f r12.1<0;1,0>:f r16.0<1;1,0>:f",
)


_WHOLE = ("b", "ub", "w", "uw", "d", "ud", "q", "uq")
INTEGER_QUOTIENTS = (
    *(f"(W) {op} (16|M0) r20.0<1>:{t} {_A}:{t} {_B}:{t}" for op in ("div", "mod") for t in _WHOLE),
    *(f"(W) {op} (32|M0) r20.0<1>:{t} {_A}:{t} {_B}:{t}" for op in ("div", "mod") for t in ("d", "ud")),
    *(f"(W) {op} (1|M0) r20.1<1>:{t} r8.1<0;1,0>:{t} r12.2<0;1,0>:{t}" for op in ("div", "mod") for t in _WHOLE),
    *(
        f"(W) {op} (16|M0) r20.0<1>:{t} {_A}:{t} {c}:{t}"
        for op in ("div", "mod")
        for t in ("q", "d")
        for c in (-7, 1000, 0)
    ),
    *(f"(W) {op} (16|M0) r20.0<1>:q {_A}:d {_B}:q" for op in ("div", "mod")),
    *(f"(W) {op} (8|M0) r20.0<2>:d {_A}:d {_B}:ud" for op in ("div", "mod")),
    f"(W) cmp (16|M0) (lt)f3.0 null<1>:d {_A}:d {_B}:d\n(W&~f3.0) div (16|M0) r20.0<1>:d {_A}:d {_B}:d",
    *(f"(W) mulh (16|M0) r20.0<1>:{t} {_A}:{t} {_B}:{t}" for t in ("d", "ud", "q", "uq")),
    f"(W) mulh (32|M0) r20.0<1>:ud {_A}:ud {_B}:ud",
    "(W) mulh (1|M0) r20.3<1>:ud r8.1<0;1,0>:ud r12.5<0;1,0>:ud",
    *(f"(W) {op} (32|M0) r20.0<1>:ud r22.0<1>:ud {_A}:ud {_B}:ud" for op in ("addc", "subb")),
    *(f"(W) {op} (8|M0) r20.4<1>:ud r22.0<1>:ud r8.0<1;1,0>:ud {_B}:ud" for op in ("addc", "subb")),
)


@cache
def _kernel(instructions: tuple[str, ...], name: str = PVC.name) -> CompiledKernel:
    """A kernel that applies each instruction to two arrays, and stores 256 bytes for each."""
    target = TARGETS[name]
    of_64_bytes = 64 // target.platform.grf_bytes
    size = 4 * of_64_bytes
    lines = ["(W) mov (1|M0) r2.0<1>:uq r1.0<0;1,0>:uq", "(W) mov (1|M0) r3.0<1>:uq r1.1<0;1,0>:uq"]
    for register in (8, 12, 16):
        lines += [f"(W) load.ugm.d32x64t.a64 (1|M0) r{of_64_bytes * register}:{size} flat[r2]:1"]
        lines += ["(W) add (1|M0) r2.0<1>:uq r2.0<0;1,0>:uq 0x100:uq"]
    for instruction in instructions:
        first = 20 * of_64_bytes
        lines += [f"(W) mov (16|M0) r{first + number}.0<1>:ud 0x0:ud" for number in range(0, size, of_64_bytes)]
        lines += [instruction, f"(W) store.ugm.d32x64t.a64 (1|M0) flat[r3]:1 r{first}:{size}"]
        lines += ["(W) add (1|M0) r3.0<1>:uq r3.0<0;1,0>:uq 0x100:uq"]
    code = assemble_program("\n".join([*lines, "eot\n"]), grf_bytes=target.platform.grf_bytes).code
    inputs = KernelArgument.at(0, 8, "x", "memref<96xi64>", ArgumentKind.POINTER, "readonly")
    outputs = KernelArgument.at(8, 8, "y", f"memref<{len(instructions)}x32xi64>", ArgumentKind.POINTER, "writeonly")
    facts = KernelFacts(target.platform.subgroup_size, (inputs, outputs), grf_count=128)
    return CompiledKernel("k", facts, code, 16, code_features(decode_program(code), target, 128))


def _natively(kernel: CompiledKernel, target: Target = PVC) -> CompiledKernel:
    size = kernel.facts.cross_thread_size
    native = emit_native(target, decode_program(kernel.code), 128, 0, size)
    assert not find_hazards(target.platform, native.code)
    return replace(kernel, code=native.code, entry_offset=native.entry_offset)


def _on_arc(text: str) -> str | None:
    """The instruction with registers of 32 bytes, at the same places; None if ARC has none like it."""
    places = re.findall(r"r\d+\.(\d+)<[^>]*>:(\w+)", text)
    is_far = any(int(number) * BY_TEXT[type].size >= ARC.platform.grf_bytes for number, type in places)
    if is_far or ":df" in text or re.search(r"(div|sqrtm) .*:h?f|r21\.", text):
        return None
    return re.sub(r"\br(\d+)", lambda found: f"r{2 * int(found[1])}", text).replace("f3.0", "f1.0")


@pytest.mark.parametrize("engine", ["interpreter", pytest.param("jit", marks=pytest.mark.exhaustive)])
def test_each_instruction(engine: str) -> None:
    """Pairs of numbers are equal, differ in the low or the high half only, or have nothing to do with each other."""
    generator = np.random.default_rng(3)
    numbers = generator.integers(-(1 << 63), 1 << 63, 96, np.int64)
    numbers[32:40] = numbers[:8]
    numbers[40:44] = numbers[8:12] + np.array([1, -1, 5, 1 << 40])
    numbers[:4], numbers[4:8] = np.arange(4), -np.arange(4)
    assert _wrong(INSTRUCTIONS, [numbers], engine) == set()


@pytest.mark.parametrize("engine", ["interpreter", pytest.param("jit", marks=pytest.mark.exhaustive)])
def test_quotients(engine: str) -> None:
    """Pairs of zeros, subnormal and normal numbers at the ends of the range, infinities, NaNs, and random ones."""
    assert _wrong(QUOTIENTS, list(_pairs()), engine) == set()


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("first", range(8))
def test_quotients_of_integers(first: int) -> None:
    """Pairs of numbers of any sizes, among them zeros, those at the ends of the range, and multiples of others."""
    assert _wrong(INTEGER_QUOTIENTS[first::8], [*_pairs_of_integers(3)], "jit") == set()


@pytest.mark.exhaustive
def test_quotients_of_integers_are_interpreted() -> None:
    assert _wrong(INTEGER_QUOTIENTS, [*_pairs_of_integers(4)], "interpreter") == set()


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("first", range(24))
def test_instructions_on_arc(first: int) -> None:
    """The hardware has no integers of 64 bits."""
    texts = [_on_arc(text) for text in (*INSTRUCTIONS, *INTEGER_QUOTIENTS, *QUOTIENTS)]
    chosen = tuple(text for text in texts if text is not None)[first::24]
    assert len(chosen) > 5
    assert _wrong(chosen, [*_pairs_of_integers(2), *_pairs()], "jit", ARC) == set()


def _pairs_of_integers(count: int) -> Iterator[np.ndarray]:
    generator = np.random.default_rng(7)
    for _ in range(count):
        for bits in (16, 32, 64):
            ends = [0, 1, 2, 3, (1 << bits) - 1, (1 << bits) - 2, 1 << bits - 1, (1 << bits - 1) - 1, 1 << bits // 2]
            dtype = np.dtype(f"u{bits // 8}")
            size = 96 * 64 // bits
            shifts = generator.integers(0, bits, size).astype(dtype)
            numbers = generator.integers(0, (1 << bits) - 1, size, dtype) >> shifts
            numbers[::3] = generator.choice(np.array(ends, dtype), len(numbers[::3]))
            half = size // 3
            multiples = slice(half + 1, 2 * half, 7)
            numbers[1:half:7] = numbers[multiples] * generator.integers(
                0, 1 << bits // 2, len(numbers[multiples]), dtype
            )
            yield numbers.view(np.int64)


def _pairs() -> Iterator[np.ndarray]:
    generator = np.random.default_rng(5)
    for dtype in (np.float16, np.float32, np.float64):
        facts = np.finfo(dtype)
        ends = [0, facts.smallest_subnormal, facts.tiny, facts.tiny / 3, facts.max, facts.eps, np.inf, np.nan, 1, 3]
        values = np.array([sign * value for value in ends for sign in (1, -1)], dtype)
        for _ in range(2):
            yield generator.choice(values, 96 * 8 // values.itemsize).view(np.int64)
        yield np.ldexp(generator.uniform(-2, 2, 768 // values.itemsize), facts.minexp // 2).astype(dtype).view(np.int64)
    for _ in range(2):
        yield generator.integers(-(1 << 63), 1 << 63, 96, np.int64)


def _wrong(instructions: tuple[str, ...], data: Sequence[np.ndarray], engine: str, target: Target = PVC) -> set[str]:
    """The instructions whose native code computes other bits than their virtual code."""
    virtual = _kernel(instructions, target.name)
    device = Device(target.name, engine=engine)
    programs = [device.load(build(target, [kernel]))["k"] for kernel in (virtual, _natively(virtual, target))]
    wrong = set()
    for numbers in data:
        wanted, found = (np.zeros((len(instructions), 32), np.int64) for _ in programs)
        for program, results in zip(programs, (wanted, found), strict=True):
            program[1, target.platform.subgroup_size](numbers, results)
        assert np.count_nonzero(wanted.any(axis=1)) > len(instructions) * 0.5
        rows = zip(instructions, wanted, found, strict=True)
        wrong |= {text for text, a, b in rows if a.tobytes() != b.tobytes()}
    return wrong
