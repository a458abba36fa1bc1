"""Products of matrices of all types, whose parts the lanes of a subgroup hold, against numpy."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle, product

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from passes.frontends.opencl import find_compiler
from runtime import Device
from xegpu.diagnostics import CompileError

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="clang is not installed")
Numbers = NDArray[np.generic]
LANES = {"pvc": 16, "arc": 8}
FLOATS = {"f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16), "tf32": np.dtype(np.float32)}
SUMS = {"int": np.int32, "float": np.float32, "half": np.float16, "short": ml_dtypes.bfloat16}
INTEGERS = ("i8", "u8", "i4", "u4")
TYPES = {"char": np.int8, "short": np.int16, "int": np.int32, "float": np.float32}
NAMES = {8: "char", 16: "short", 32: "int"}


def bits(element: str) -> int:
    return int(element.lstrip("abcdefghijklmnopqrstuvwxyz"))


def vector(scalar: str, count: int) -> str:
    return scalar if count == 1 else f"{scalar}{count}"


def row_bytes(numbers: NDArray[np.int64], element: str) -> NDArray[np.uint8]:
    """The bytes of rows of numbers, the first one in the lowest bits."""
    if element in FLOATS:
        return numbers.astype(FLOATS[element]).view(np.uint8)
    if bits(element) == 8:
        return numbers.astype(np.uint8)
    return (numbers[:, ::2] & 15 | (numbers[:, 1::2] & 15) << 4).astype(np.uint8)


@dataclass
class Product:
    """A product of `rows` rows, in a kernel of its own."""

    a: str
    b: str
    rows: int
    sum: str
    lanes: int

    @property
    def depth(self) -> int:
        return 8 * min(32 // max(bits(self.a), bits(self.b)), 8)

    @property
    def part(self) -> int:
        """The values that a lane has of A."""
        return max(self.rows * self.depth // self.lanes, 1) if self.a == "tf32" else self.rows

    @property
    def single(self) -> str:
        """The type in C of a lane's part of a row of A."""
        return "float" if self.a == "tf32" else NAMES[self.depth * bits(self.a) // self.lanes]

    @property
    def word(self) -> str:
        """The type in C of a word of B."""
        return "float" if self.b == "tf32" else "int"

    def source(self, name: str) -> str:
        left, total = vector(self.single, self.part), vector(self.sum, self.rows)
        right = vector(self.word, self.depth * bits(self.b) // 32)
        return f"""
__attribute__((intel_reqd_sub_group_size({self.lanes})))
kernel void {name}(global {left} *a, global {right} *b, global {total} *c) {{
  int i = get_local_id(0);
  c[i] = intel_sub_group_{self.a}_{self.b}_matrix_mad_k{self.depth}(a[i], b[i], c[i]);
}}"""

    def numbers(self, element: str, shape: tuple[int, int]) -> NDArray[np.int64]:
        random, size = np.random.default_rng(7), 1 << bits(element) - 1
        low, high = (-8, 8) if element in FLOATS else (-size, size) if element[0] == "i" else (0, 2 * size)
        return random.integers(low, high, shape)

    def operands(self) -> tuple[NDArray[np.generic], NDArray[np.generic], Numbers, Numbers]:
        """The parts of A, B and C by lanes, and those of the result."""
        a, b = self.numbers(self.a, (self.rows, self.depth)), self.numbers(self.b, (self.depth, self.lanes))
        c = np.random.default_rng(8).integers(-99, 99, (self.rows, self.lanes))
        data = row_bytes(a, self.a).reshape(-1)
        size = self.part * self.lanes * (4 if self.a == "tf32" else self.depth * bits(self.a) // self.lanes // 8)
        left = np.concatenate([data, np.zeros(size - len(data), np.uint8)]).reshape(self.part, self.lanes, -1)
        want = (a @ b + c).T.astype(np.float64 if self.sum != "int" else np.int64)
        by_lane = np.ascontiguousarray(left.transpose(1, 0, 2)).reshape(-1)
        columns = row_bytes(np.ascontiguousarray(b.T), self.b).reshape(-1)
        return by_lane.view(TYPES[self.single]), columns.view(TYPES[self.word]), c.T, want


def products(gpu: str) -> list[Product]:
    lanes, rows = LANES[gpu], cycle((8, 4, 1, 2))
    found = [Product(a, b, next(rows), "int", lanes) for a, b in product(INTEGERS, repeat=2)]
    found += [Product(name, name, next(rows), "float", lanes) for name in ("f16", "bf16")]
    if gpu == "pvc":
        found += [Product("tf32", "tf32", count, "float", lanes) for count in (8, 1)]
        found += [Product("f16", "f16", 8, "half", lanes), Product("bf16", "bf16", 2, "short", lanes)]
    return found


@pytest.mark.sampled(every=9)
@pytest.mark.parametrize(("gpu", "case"), [(gpu, case) for gpu in LANES for case in products(gpu)])
def test_products(gpu: str, case: Product) -> None:
    """Integers of 4 and 8 bits, signed or not, go together in every way."""
    a, b, c, want = case.operands()
    dtype = np.dtype(SUMS[case.sum])
    for engine in ("jit", "interpreter"):
        found = np.ascontiguousarray(c).astype(dtype).view(np.uint16 if case.sum == "short" else dtype)
        module = Device(gpu, engine=engine).compile(case.source("k"), "k.cl")
        module["k"](a, b, found, grid=1, block=case.lanes)
        np.testing.assert_array_equal(found.view(dtype).astype(want.dtype), want.astype(dtype).astype(want.dtype))


SPIRV = """
{total} __spirv_SubgroupMatrixMultiplyAccumulateINTEL(int, {left}, int8, {total}, int);
__attribute__((intel_reqd_sub_group_size({lanes})))
kernel void k(global {left} *a, global int8 *b, global {total} *c) {{
  int i = get_local_id(0);
  c[i] = __spirv_SubgroupMatrixMultiplyAccumulateINTEL({depth}, a[i], b[i], c[i], {mask});
}}"""


@pytest.mark.parametrize(
    ("a", "b", "sum", "mask"),
    [
        ("i8", "u8", "int", 0x31),
        ("u4", "i4", "int", 0xC2),
        ("bf16", "bf16", "short", 0x300C),
        ("f16", "f16", "half", 0xC00),
    ],
)
def test_products_of_spirv(a: str, b: str, sum: str, mask: int) -> None:
    """Bits tell the elements of each factor, and whether they have signs."""
    case = Product(a, b, 8, sum, 16)
    pragma = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    source = pragma + SPIRV.format(left="short8", total=f"{sum}8", lanes=16, depth=case.depth, mask=mask)
    left, right, c, want = case.operands()
    dtype = np.dtype(SUMS[sum])
    found = np.ascontiguousarray(c).astype(dtype).view(np.uint16 if sum == "short" else dtype)
    Device("pvc").compile(source, "k.cl")["k"](left, right, found, grid=1, block=16)
    np.testing.assert_array_equal(found.view(dtype).astype(want.dtype), want.astype(dtype).astype(want.dtype))


@pytest.mark.parametrize(
    ("gpu", "depth", "mask", "total", "message"),
    [
        ("pvc", 32, 0x10, "int", "tell no elements of both factors"),
        ("pvc", 32, 0x70, "int", "tell no elements of both factors, or several"),
        ("pvc", 32, 0x40030, "int", "of which 0x40000 are not known"),
        ("pvc", 32, 0x31, "long", "for sums of type vector<8xi64>"),
        ("pvc", 16, 0x31, "int", "up to 8 rows of 32 s8 by 32x16 u8, in subgroups of 16"),
        ("pvc", 16, 0xC00, "int", "has no matrix product of hf"),
        ("arc", 32, 0x31, "int", "in subgroups of 16: arc multiplies up to 8 rows of 32 s8 by 32x8 u8"),
    ],
)
def test_refusals(gpu: str, depth: int, mask: int, total: str, message: str) -> None:
    source = SPIRV.format(left="short8", total=f"{total}8", lanes=16, depth=depth, mask=mask)
    with pytest.raises(CompileError, match=message):
        Device(gpu).compile(source, "k.cl")
