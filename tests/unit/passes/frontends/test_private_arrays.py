"""Small private arrays become values, if nothing but loads and stores of elements meets them."""

from __future__ import annotations

import numpy as np
import pytest

from passes.frontends.builtins import DATA_LAYOUT
from passes.frontends.optimisation import optimise
from runtime import Device

KERNEL = """target datalayout = "{layout}"
target triple = "spir64-unknown-unknown"
@table = internal addrspace(2) constant [16 x {type}] [{numbers}], align 8
declare spir_func i64 @_Z13get_global_idj(i32)
declare void @llvm.memcpy.p0.p2.i64(ptr, ptr addrspace(2), i64, i1)
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {{
  %a = alloca [{count} x {type}], align 8
  call void @llvm.memcpy.p0.p2.i64(ptr align 8 %a, ptr addrspace(2) align 8 @table, i64 {bytes}, i1 false)
  %n = call spir_func i64 @_Z13get_global_idj(i32 0)
  %own = getelementptr <2 x i32>, ptr addrspace(1) %in, i64 %n
  %pair = load <2 x i32>, ptr addrspace(1) %own
  %i = extractelement <2 x i32> %pair, i64 0
  %j = extractelement <2 x i32> %pair, i64 1
  %x = getelementptr [{count} x {type}], ptr %a, i64 0, i32 %i
  %odd = trunc i64 %n to i1
  br i1 %odd, label %change, label %end
change:
  store {type} {value}, ptr %x
  br label %end
end:
  %y = getelementptr [{count} x {type}], ptr %a, i64 0, i32 %j
  %v = load {type}, ptr %y
  %to = getelementptr {type}, ptr addrspace(1) %out, i64 %n
  store {type} %v, ptr addrspace(1) %to
  {more}
  ret void
}}
"""
TYPES = {"i32": np.int32, "i64": np.int64, "i16": np.int16, "float": np.float32, "double": np.float64}


def kernel(type: str, count: int, more: str = "") -> str:
    real = type in ("float", "double")
    numbers = ", ".join(f"{type} {3 * n + 1}{'.0' if real else ''}" for n in range(16))
    bytes_ = count * np.dtype(TYPES[type]).itemsize
    return KERNEL.format(
        layout=DATA_LAYOUT,
        type=type,
        count=count,
        numbers=numbers,
        bytes=bytes_,
        value="100.0" if real else "100",
        more=more,
    )


@pytest.mark.parametrize("engine", ["jit", "interpreter"])
@pytest.mark.parametrize(
    ("type", "count"), [("i32", 8), ("float", 2), ("double", 7), ("i64", 5), ("i16", 3), ("i32", 9)]
)
def test_elements_at_run_time(type: str, count: int, engine: str) -> None:
    """Loads and stores at indices that differ between lanes, under a condition; nine elements stay in memory."""
    text = kernel(type, count)
    assert ("alloca" in optimise(text)) == (count == 9)
    pairs = np.random.default_rng(0).integers(0, count, (32, 2)).astype(np.int32)
    pairs[:8, 1] = pairs[:8, 0]
    out = np.zeros(32, TYPES[type])
    Device(engine=engine).compile(text, language="llvm")["k"][(2, 1, 1), (16, 1, 1)](pairs, out)
    changed = (np.arange(32) % 2 == 1) & (pairs[:, 0] == pairs[:, 1])
    np.testing.assert_array_equal(out, np.where(changed, 100, 3 * pairs[:, 1] + 1))


@pytest.mark.parametrize(
    "more",
    [
        "%w = load volatile i32, ptr %x",
        "%w = load i16, ptr %x\n  store i16 %w, ptr addrspace(1) %out",
        "%w = ptrtoint ptr %x to i64\n  store i64 %w, ptr addrspace(1) %out",
        "%w = load atomic i32, ptr %x monotonic, align 4",
        "store volatile ptr %a, ptr %a",
    ],
)
def test_arrays_that_stay_in_memory(more: str) -> None:
    assert "alloca" in optimise(kernel("i32", 8, more))


@pytest.mark.parametrize("count", [8, 200])
def test_the_number_of_accesses(count: int) -> None:
    """Code grows with each access, so that an array with many of them stays in memory."""
    more = "\n".join(
        f"  %x{n} = getelementptr i32, ptr %a, i32 %i\n  %w{n} = load i32, ptr %x{n}\n"
        f"  %z{n} = add i32 %w{n}, {n}\n  store i32 %z{n}, ptr %x{n}\n  store i32 %z{n}, ptr addrspace(1) %out\n"
        "  call void @barrier()"
        for n in range(count)
    )
    text = kernel("i32", 8, more) + "declare void @barrier()\n"
    assert ("alloca" in optimise(text)) == (count == 200)
