"""Kernels of vector compute (ESIMD) in SPIR-V, on both engines, against numpy."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import ml_dtypes
import numpy as np
import pytest

from runtime.mux import compile_source, compile_spirv
from tests.paths import ROOT
from tests.unit.passes.frontends.spirv.vector_compute import Array, launched
from xegpu.diagnostics import CompileError

CORPUS = ROOT / "tests/corpus/spirv"
MODULE = (CORPUS / "vector_compute.llvm-spirv22.spv").read_bytes()
GENERATOR = np.random.default_rng(11)
EPSILON = float(np.finfo(np.float32).eps)


@pytest.fixture(scope="module")
def pvc() -> bytes:
    return compile_spirv(MODULE, "pvc")


def test_a_work_item_is_a_subgroup(pvc: bytes) -> None:
    a, b = (GENERATOR.standard_normal(8 * 4 * 16).astype(np.float32) for _ in range(2))
    *_, out = launched(pvc, "vector_add", (8,), (4,), a, b, np.zeros_like(a))
    np.testing.assert_array_equal(out, a + b)


def test_regions(pvc: bytes) -> None:
    a = GENERATOR.random(32).astype(np.float32)
    _, out = launched(pvc, "regions", (4,), (1,), a, np.zeros((4, 32), np.float32))
    np.testing.assert_array_equal(out, [regions(a, group) for group in range(4)])


def regions(a: Array, group: int) -> Array:
    """Returns what the kernel writes for a group, whose number moves the last regions."""
    even, box = a[::2], a.reshape(4, 8)[:, 2:6].ravel()
    smaller, result = even < box, a.copy()
    result[1::2][smaller] = box[smaller]
    moved = a[group : group + 16 : 2] + a[[group, 1, 15, 2, 3, 31, 0, 4]]
    result[group : group + 4], result[group + 8 : group + 12] = moved[:4], moved[4:]
    result[31] = smaller.any()
    return result


def test_messages(pvc: bytes) -> None:
    """Gathers bytes, turns them round in local memory, scatters pairs where lanes are on, and adds atomically."""
    given = GENERATOR.integers(0, 256, (4, 16)).astype(np.uint8)
    before = GENERATOR.integers(0, 1000, (4, 16, 2)).astype(np.int32)
    arrays = launched(pvc, "local_memory", (2,), (2,), given, before, np.zeros(16, np.int32))
    check_messages(given, before, *arrays[1:])


def check_messages(given: Array, before: Array, pairs: Array, counts: Array) -> None:
    turned = given[:, ::-1].astype(np.int32).reshape(2, 1, 2, 16).repeat(2, 1).reshape(4, 2, 16).swapaxes(1, 2)
    odd = np.arange(16) % 2 == 1
    np.testing.assert_array_equal(pairs, np.where(odd[:, None], before, turned) + turned)
    wanted = np.zeros(16, np.int32)
    values = given[given % 2 == 1]
    np.add.at(wanted, values & 15, values)
    np.testing.assert_array_equal(counts, wanted)


def test_blocks_and_products(pvc: bytes) -> None:
    depth = 64
    a, b = (GENERATOR.uniform(-1, 1, shape).astype(np.float16) for shape in ((32, depth), (depth, 64)))
    *_, c = launched(pvc, "gemm", (4, 4), (1, 1), a, b, np.zeros((32, 64), np.float32), depth)
    exact, sizes = a.astype(float) @ b.astype(float), np.abs(a.astype(float)) @ np.abs(b.astype(float))
    assert (np.abs(c - exact) <= depth * EPSILON * sizes).all()


def test_messages_with_packed_descriptors(pvc: bytes) -> None:
    """Payloads of blocks go around a loop; threads meet at a named barrier; lanes that are off keep what they had."""
    a, b = (GENERATOR.uniform(-1, 1, shape).astype(np.float16) for shape in ((32, 32), (16, 32)))
    given = a, b, np.zeros((32, 32), np.float32), np.zeros((4, 16), np.int32)
    *_, c, columns = launched(pvc, "packed_messages", (2,), (2,), *given)
    left, right = a[:, :16].astype(float), b.astype(float)
    assert (np.abs(c - left @ right) <= 16 * EPSILON * (np.abs(left) @ np.abs(right))).all()
    tiles = c[:, 0].view(np.int32).reshape(4, 8)
    np.testing.assert_array_equal(columns, np.hstack([tiles[[1, 0, 3, 2]], np.full((4, 8), 7)]))


REFUSED = {
    "call void @llvm.genx.media.st.v16i32(i32 0, i32 1, i32 0, i32 4, i32 0, i32 0, <16 x i32> zeroinitializer)": (
        "calls 'llvm.genx.media.st.v16i32', which kernels have no instruction for"
    ),
    "call void @llvm.genx.raw.send2.noresult.i1.v8i32(i8 0, i8 0, i1 true, i8 1, i8 2, i32 0, i32 4, "
    "<8 x i32> zeroinitializer)": "which sends 0x4 to unit 2, which is not supported",
    "call void @llvm.genx.svm.block.st.i64.v3i8(i64 0, <3 x i8> zeroinitializer)": "is not a number of dwords",
    "%x = call <8 x float> @llvm.genx.rdregionf.v8f32.v8f32.i16(<8 x float> zeroinitializer, i32 0, i32 8, i32 1, "
    "i16 4, i32 undef)": "for elements of vector<8xf32> from 1 to 8 at byte 4",
}
"""The parts of kernels that are refused, each with its error."""


@pytest.mark.parametrize("call", REFUSED)
def test_what_is_not_supported_is_named(call: str) -> None:
    name, arguments = call[call.index("@") :].split("(", 1)
    result = call.split("call ")[1].split(" @")[0]
    types = re.sub(r"((?:<.*?>|\bi\d+)) [^,)]+", r"\1", arguments)
    use = "" if result == "void" else f"store volatile {result} %x, ptr addrspace(1) %p"
    text = f"""target triple = "spir64-unknown-unknown"
declare {result} {name}({types}
define spir_kernel void @k(ptr addrspace(1) %p) #0 {{
  {call}
  {use}
  ret void
}}
attributes #0 = {{ "VCFunction" }}
"""
    with pytest.raises(CompileError, match=re.escape(REFUSED[call])):
        compile_source(text, "pvc", "kernels.ll")


A, B, C = (GENERATOR.integers(-(2**31), 2**31, 16).astype(np.int32) for _ in range(3))
A[:4], B[1] = (0, -1, 5, -70000), 3
X, Y = (GENERATOR.standard_normal(16) * 3).astype(np.float32), GENERATOR.uniform(0.1, 4, 16).astype(np.float32)
UA, UB = A.view(np.uint32), B.view(np.uint32)
WIDE_A, WIDE_B = UA.astype(np.uint64), UB.astype(np.uint64)
INT = np.iinfo(np.int32)


def bits(value: int) -> str:
    return f"{value & 0xFFFFFFFF:032b}"


def each(function: Callable[[int], int]) -> Array:
    return np.array([function(int(value)) for value in A])


def highest(value: int) -> int:
    return bits(value).find("1")


def rotated(distance: Array) -> Array:
    places = (distance & 31).astype(np.uint64)
    return (WIDE_A << places | WIDE_A >> (32 - places)).astype(np.uint32)


def dot(type: type[np.generic]) -> Array:
    factors = [each.view(type).reshape(16, 4).astype(np.int64) for each in (A, B)]
    total: Array = C + (factors[0] * factors[1]).sum(1)
    return total


def clipped(value: Array, least: int, most: int) -> Array:
    return value.astype(np.int64).clip(least, most)


INTEGERS: Mapping[str, Array] = {
    "absi": np.abs(A),
    "smax": np.maximum(A, B),
    "smin": np.minimum(A, B),
    "umax": np.maximum(UA, UB),
    "umin": np.minimum(UA, UB),
    "cbit": each(lambda value: bits(value).count("1")),
    "lzd": each(lambda value: highest(value) if value else 32),
    "fbl": each(lambda value: bits(value)[::-1].find("1")),
    "ufbh": each(highest),
    "sfbh": each(lambda value: highest(value ^ value >> 31)),
    "bfrev": each(lambda value: int(bits(value)[::-1], 2)),
    "rol": rotated(B),
    "ror": rotated(-B),
    "umulh": WIDE_A * WIDE_B >> np.uint64(32),
    "smulh": A.astype(np.int64) * B >> 32,
    "bfi": B & ~(31 << 7) | (A & 31) << 7,
    "sbfe": A << 20 >> 27,
    "ubfe": A >> 7 & 31,
    "ssdp4a": dot(np.int8),
    "uudp4a": dot(np.uint8),
    "bfn": ~A & ~C | (A | B) & C,
    "addc, carries": WIDE_A + WIDE_B >> np.uint64(32),
    "addc, sums": UA + UB,
    "subb, borrows": UA < UB,
    "subb, differences": UA - UB,
    "ssadd.sat": clipped(A.astype(np.int64) + B, INT.min, INT.max),
    "uuadd.sat": (WIDE_A + WIDE_B).clip(0, 2**32 - 1),
    "sstrunc.sat": clipped(A, -(2**15), 2**15 - 1),
    "ustrunc.sat": clipped(A, 0, 2**16 - 1).astype(np.int16),
    "uutrunc.sat": clipped(UA, 0, 2**16 - 1).astype(np.int16),
    "sutrunc.sat": clipped(UA, 0, 2**15 - 1),
    "ssshl": A << 5,
}
"""The rows of integers that each intrinsic makes, modulo 2^32."""
FLOATS: Mapping[str, tuple[Array, float]] = {
    "absf": (np.abs(X), 0),
    "fmax": (np.maximum(X, Y), 0),
    "fmin": (np.minimum(X, Y), 0),
    "ieee.div": (X / Y, 0),
    "pow": (Y.astype(float) ** Y, 16),
    "rndd": (np.floor(X), 0),
    "rndu": (np.ceil(X), 0),
    "rnde": (np.rint(X), 0),
    "rndz": (np.trunc(X), 0),
    "frc": (X - np.floor(X), 0),
    "sat": (X.clip(0, 1), 0),
    "sqrt": (np.sqrt(Y), 1),
    "ieee.sqrt": (np.sqrt(Y), 0.5),
    "inv": (1 / Y.astype(float), 1),
    "rsqrt": (1 / np.sqrt(Y.astype(float)), 2),
    "log": (np.log2(Y.astype(float)), 4),
    "exp": (np.exp2(Y.astype(float)), 4),
    "sin": (np.sin(Y.astype(float)), 4),
    "cos": (np.cos(Y.astype(float)), 4),
    "bf.cvt": (X.astype(ml_dtypes.bfloat16).astype(float), 0),
}
"""The rows of floats that each intrinsic makes, and by how many units in the last place of 1 they may differ."""


def test_arithmetic(pvc: bytes) -> None:
    given = np.stack([A, B, C, X.view(np.int32), Y.view(np.int32)])
    rows = np.zeros((len(INTEGERS) + len(FLOATS), 16), np.int32)
    _, rows = launched(pvc, "arithmetic", (1,), (1,), given, rows)
    for (name, wanted), row in zip(INTEGERS.items(), rows, strict=False):
        np.testing.assert_array_equal(row, wanted.astype(np.int64).astype(np.int32), name)
    for (name, (exact, units)), row in zip(FLOATS.items(), rows[len(INTEGERS) :].view(np.float32), strict=True):
        bound = units * EPSILON * np.maximum(np.abs(exact), 1)
        assert (np.abs(row.astype(float) - exact) <= bound).all(), name


def test_on_a_gpu_without_blocks_of_planes() -> None:
    """The text has the same kernels; those without blocks work."""
    text = (CORPUS / "vector_compute.ll").read_text()
    for kernel, message in (
        ("packed_messages", "'xegpu.alloc_nbarrier' op allocates 2 named barriers: a kernel of arc has at most 1"),
        ("gemm", "which is a message for blocks of planes, which arc does not have"),
    ):
        with pytest.raises(CompileError, match=message):
            compile_source(text, "arc", "kernels.ll")
        body = rf"^define spir_kernel void @{kernel}\b.*?^}}$"
        text = re.sub(body, "", text, flags=re.MULTILINE | re.DOTALL)
    binary = compile_source(text, "arc", "kernels.ll")
    given = GENERATOR.integers(0, 256, (4, 16)).astype(np.uint8)
    before = GENERATOR.integers(0, 1000, (4, 16, 2)).astype(np.int32)
    given_counts = np.zeros(16, np.int32)
    arrays = launched(binary, "local_memory", (2,), (2,), given, before, given_counts, target="arc")
    check_messages(given, before, *arrays[1:])
    a = GENERATOR.random(32).astype(np.float32)
    _, out = launched(binary, "regions", (4,), (1,), a, np.zeros((4, 32), np.float32), target="arc")
    np.testing.assert_array_equal(out, [regions(a, group) for group in range(4)])
