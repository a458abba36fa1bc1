"""Atomic updates against numpy: by messages, by compare and exchange, in global and in shared local memory."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import DTYPES, Array, compile_one, kernel_text, run
from xegpu.targets import ARC, PVC, Target

TARGETS = pytest.mark.parametrize("target", [PVC, ARC], ids=["pvc", "arc"])
BUCKETS = 4
UFUNCS: dict[str, Callable[[Array], Array]] = {
    **dict.fromkeys(("addi", "addf"), np.add.reduce),
    **dict.fromkeys(("muli", "mulf"), np.multiply.reduce),
    **dict.fromkeys(("maxs", "maxu", "maximumf"), np.maximum.reduce),
    **dict.fromkeys(("mins", "minu", "minimumf"), np.minimum.reduce),
    "maxnumf": np.fmax.reduce,
    "minnumf": np.fmin.reduce,
    "andi": np.bitwise_and.reduce,
    "ori": np.bitwise_or.reduce,
    "xori": np.bitwise_xor.reduce,
}


def in_buckets(update: str, element: str, items: int) -> str:
    """Each work-item updates one of the buckets."""
    return kernel_text(
        f"%x: memref<{items}x{element}>, %o: memref<{BUCKETS}x{element}>",
        f"""
        %i = gpu.global_id x
        %n = arith.constant {BUCKETS} : index
        %v = memref.load %x[%i] : memref<{items}x{element}>
        %b = arith.remui %i, %n : index
        %r = {update}""",
        "",
    )


def in_shared_buckets(update: str, element: str, items: int) -> str:
    """As `in_buckets`, with the buckets in shared local memory in between."""
    shared = f"memref<{BUCKETS}x{element}, 3>"
    body = f"""
        %s = memref.alloc() : {shared}
        %i = gpu.thread_id x
        %n = arith.constant {BUCKETS} : index
        %first = arith.cmpi ult, %i, %n : index
        scf.if %first {{
          %w = memref.load %o[%i] : memref<{BUCKETS}x{element}>
          memref.store %w, %s[%i] : {shared}
        }}
        gpu.barrier
        %v = memref.load %x[%i] : memref<{items}x{element}>
        %b = arith.remui %i, %n : index
        %r = {update.replace("%o", "%s").replace(f"memref<{BUCKETS}x{element}>", shared)}
        gpu.barrier
        scf.if %first {{
          %w = memref.load %s[%i] : {shared}
          memref.store %w, %o[%i] : memref<{BUCKETS}x{element}>
        }}"""
    return kernel_text(f"%x: memref<{items}x{element}>, %o: memref<{BUCKETS}x{element}>", body, "")


def values(kind: str, element: str, items: int) -> Array:
    """Numbers whose sums and products are exact, so that order does not matter."""
    rng = np.random.default_rng(len(kind) + items)
    if kind.startswith("mul"):
        return np.where(rng.random(items) < 0.2, rng.integers(1, 4, items), 1).astype(DTYPES[element])
    return rng.integers(-9, 9, items).astype(DTYPES[element])


KINDS = [
    *((kind, "i32") for kind in ("addi", "muli", "maxs", "minu", "andi", "ori", "xori")),
    *((kind, "f32") for kind in ("addf", "mulf", "maximumf", "minnumf")),
    *(("addi", "i8"), ("maxs", "i8"), ("minu", "i8"), ("xori", "i8"), ("muli", "i16"), ("andi", "i16")),
    *(("addi", "i64"), ("maxu", "i64"), ("mins", "i16"), ("addf", "f16"), ("addf", "bf16"), ("minimumf", "f16")),
]


@pytest.mark.sampled(every=20)
@TARGETS
@pytest.mark.parametrize("shared", [False, True], ids=["global", "shared"])
@pytest.mark.parametrize(("kind", "element"), KINDS)
def test_updates(kind: str, element: str, shared: bool, target: Target) -> None:
    update = f"memref.atomic_rmw {kind} %v, %o[%b] : ({element}, memref<{BUCKETS}x{element}>) -> {element}"
    text = (in_shared_buckets if shared else in_buckets)(update, element, 45)
    kernel = compile_one(text, target)
    assert kernel.features.has_global_atomics is not shared
    x, start = values(kind, element, 45), values(kind, element, 50)[46:]
    unsigned = x.dtype if kind not in ("maxu", "minu") else np.dtype(f"u{x.itemsize}")
    parts = [np.array([start[b], *x[b::BUCKETS]]).view(unsigned) for b in range(BUCKETS)]
    expected = np.array([UFUNCS[kind](part) for part in parts], unsigned).view(x.dtype)
    assert run(kernel, x, start, local=(45, 1, 1), target=target)[1].tolist() == expected.tolist()


def test_nans_decide_maximumf_only() -> None:
    x = np.array([1, np.nan, 3, -1, 2, 5, 9, 9], np.float32)
    for kind, expected in (("maximumf", [2, np.nan, 9, 9]), ("maxnumf", [2, 5, 9, 9])):
        update = f"memref.atomic_rmw {kind} %v, %o[%b] : (f32, memref<4xf32>) -> f32"
        kernel = compile_one(in_buckets(update, "f32", 8))
        np.testing.assert_array_equal(run(kernel, x, np.zeros(4, np.float32), local=(8, 1, 1))[1], expected)


@pytest.mark.parametrize("mode", ["", "VectorComputeFunctionINTEL"], ids=["work-item", "subgroup"])
def test_old_values(mode: str) -> None:
    """Each that takes a number gets another one."""
    body = """
    %i = gpu.global_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %ticket = memref.atomic_rmw addi %one, %n[%c0] : (i32, memref<1xi32>) -> i32
    memref.store %ticket, %o[%i] : memref<50xi32>"""
    kernel = compile_one(kernel_text("%n: memref<1xi32>, %o: memref<50xi32>", body, mode))
    n, o = run(kernel, np.zeros(1, np.int32), np.zeros(50, np.int32), groups=(2, 1, 1), local=(25, 1, 1))
    assert n[0] == 50 and sorted(o) == list(range(50))


def test_under_a_condition() -> None:
    """Only the work-items that get there take part, also in a loop that compares and exchanges."""
    body = """
    %i = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c20 = arith.constant 20 : index
    %two = arith.constant 2.0 : f32
    %some = arith.cmpi ult, %i, %c20 : index
    scf.if %some {
      %a = memref.atomic_rmw addf %two, %o[%c0] : (f32, memref<2xf32>) -> f32
      %b = memref.atomic_rmw mulf %two, %o[%i] : (f32, memref<2xf32>) -> f32
    }"""
    body = body.replace("%o[%i]", "%o[%c1]").replace("%c20 =", "%c1 = arith.constant 1 : index\n%c20 =")
    kernel = compile_one(kernel_text("%o: memref<2xf32>", body, ""))
    assert run(kernel, np.ones(2, np.float32), local=(40, 1, 1))[0].tolist() == [41, 2.0**20]


@pytest.mark.parametrize("element", ["i16", "f32", "i64"])
@TARGETS
def test_generic_update(element: str, target: Target) -> None:
    """The body says what an element becomes: here twice what it was, and a number."""
    add, mul = ("arith.addf", "arith.mulf") if element == "f32" else ("arith.addi", "arith.muli")
    two = "2.0" if element == "f32" else "2"
    update = f"""memref.generic_atomic_rmw %o[%b] : memref<{BUCKETS}x{element}> {{
    ^bb0(%old: {element}):
      %two = arith.constant {two} : {element}
      %twice = {mul} %old, %two : {element}
      %new = {add} %twice, %v : {element}
      memref.atomic_yield %new : {element}
    }}"""
    kernel = compile_one(in_buckets(update, element, 20), target)
    x = np.ones(20, DTYPES[element])
    expected = np.full(BUCKETS, (1 << 5) - 1, x.dtype)
    assert (run(kernel, x, np.zeros(BUCKETS, x.dtype), local=(20, 1, 1), target=target)[1] == expected).all()


def test_histogram() -> None:
    """Counts per work-group in shared memory, then one sum for each bin."""
    body = """
    %s = memref.alloc() : memref<16xi32, 3>
    %t = gpu.thread_id x
    %i = gpu.global_id x
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %first = arith.cmpi ult, %t, %c16 : index
    scf.if %first {
      memref.store %zero, %s[%t] : memref<16xi32, 3>
    }
    gpu.barrier
    %v = memref.load %x[%i] : memref<400xi8>
    %b = arith.index_castui %v : i8 to index
    %ignored = memref.atomic_rmw addi %one, %s[%b] : (i32, memref<16xi32, 3>) -> i32
    gpu.barrier
    scf.if %first {
      %n = memref.load %s[%t] : memref<16xi32, 3>
      %old = memref.atomic_rmw addi %n, %o[%t] : (i32, memref<16xi32>) -> i32
    }"""
    x = np.random.default_rng(5).integers(0, 16, 400).astype(np.int8)
    kernel = compile_one(kernel_text("%x: memref<400xi8>, %o: memref<16xi32>", body, ""))
    o = run(kernel, x, np.zeros(16, np.int32), groups=(4, 1, 1), local=(100, 1, 1))[1]
    assert (o == np.bincount(x, minlength=16)).all()


@pytest.mark.parametrize("mode", ["", "VectorComputeFunctionINTEL"], ids=["work-item", "subgroup"])
def test_private_memory(mode: str) -> None:
    body = """
    %i = gpu.global_id x
    %c1 = arith.constant 1 : index
    %five = arith.constant 5 : i32
    %p = memref.alloca() : memref<3xi32>
    memref.store %five, %p[%c1] : memref<3xi32>
    %n = arith.index_cast %i : index to i32
    %old = memref.atomic_rmw muli %n, %p[%c1] : (i32, memref<3xi32>) -> i32
    %new = memref.atomic_rmw addi %old, %p[%c1] : (i32, memref<3xi32>) -> i32
    %after = memref.load %p[%c1] : memref<3xi32>
    %sum = arith.addi %after, %new : i32
    memref.store %sum, %o[%i] : memref<20xi32>"""
    kernel = compile_one(kernel_text("%o: memref<20xi32>", body, mode))
    (o,) = run(kernel, np.zeros(20, np.int32), local=(20, 1, 1))
    assert o.tolist() == [10 * i + 5 for i in range(20)]


def test_bytes_and_words_side_by_side() -> None:
    """Each work-item updates an element of its own; neighbors share a word. Old values are those of the elements."""
    body = """
    %i = gpu.global_id x
    %n = arith.index_cast %i : index to i8
    %old = memref.atomic_rmw addi %n, %b[%i] : (i8, memref<40xi8>) -> i8
    memref.store %old, %o[%i] : memref<40xi8>
    %half = arith.constant 0.5 : f16
    %f = memref.atomic_rmw mulf %half, %h[%i] : (f16, memref<40xf16>) -> f16"""
    kernel = compile_one(kernel_text("%b: memref<40xi8>, %o: memref<40xi8>, %h: memref<40xf16>", body, ""))
    start, halves = np.arange(100, 140).astype(np.int8), np.arange(40, dtype=np.float16)
    b, o, h = run(kernel, start, np.zeros(40, np.int8), halves, local=(40, 1, 1))
    assert o.tolist() == start.tolist()
    assert b.tolist() == (start + np.arange(40, dtype=np.int8)).tolist()
    assert h.tolist() == (halves / 2).tolist()
