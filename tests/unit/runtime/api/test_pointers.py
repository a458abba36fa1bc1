"""Tests of arrays for pointers, of which a binary tells at most the name of the elements."""

from __future__ import annotations

from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from runtime import Device, Kernel
from tests.unit.runtime.ze.kernels import compiled, pointer

INCREMENT = """
gpu.module @m {
  gpu.func @increment(%p: !llvm.ptr<1>) kernel {
    %t = gpu.global_id x
    %i = arith.index_cast %t : index to i64
    %at = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %old = llvm.load %at : !llvm.ptr<1> -> i32
    %one = arith.constant 1 : i32
    %new = arith.addi %old, %one : i32
    llvm.store %new, %at : i32, !llvm.ptr<1>
    gpu.return
  }
}"""
FITTING = [
    ("float*", "f4"),
    ("int*", "u4"),
    ("uint*", "i4"),
    ("char*", "u1"),
    ("uchar*", "f4"),
    ("char4*", "i4"),
    ("half*", "f2"),
    ("double*", "f8"),
    ("size_t*", "u8"),
    ("float4*", "f4"),
    ("float2*", "c8"),
    ("float3*", [("x", "f4"), ("y", "f4"), ("z", "f4"), ("pad", "f4")]),
    ("int16*", "V64"),
    ("ushort*", ml_dtypes.bfloat16),
    ("uchar*", ml_dtypes.float8_e5m2),
    ("short2*", ml_dtypes.bfloat16),
    ("void*", "f8"),
    ("pair*", [("a", "i4"), ("b", "f4")]),
]
REFUSED = [
    ("float*", "f8", "element type float64, expected float32"),
    ("float*", "i4", "element type int32, expected float32"),
    ("float*", "c8", "element type complex64, expected float32"),
    ("int*", "M8[s]", r"element type datetime64\[s\], expected int32 or uint32"),
    ("int*", "f4", "element type float32, expected int32 or uint32"),
    ("long*", "m8[s]", r"element type timedelta64\[s\], expected int64 or uint64"),
    ("half*", ml_dtypes.bfloat16, "element type bfloat16, expected float16"),
    ("float4*", "V12", r"element type \|V12, expected float32"),
    ("float2*", "c16", "element type complex128, expected float32"),
    ("int8*", "u1", "element type uint8, expected int32 or uint32"),
]


@pytest.mark.parametrize(("name", "dtype"), FITTING)
def test_elements_that_fit(make_kernel: Callable[..., Kernel], name: str, dtype: object) -> None:
    make_kernel(compiled("k", [pointer("p", name, 0)]))[1](np.zeros(4, np.dtype(dtype)))


@pytest.mark.parametrize(("name", "dtype", "reason"), REFUSED)
def test_other_elements(
    make_kernel: Callable[..., Kernel], device: Device, name: str, dtype: object, reason: str
) -> None:
    kernel = make_kernel(compiled("k", [pointer("p", name, 0)]))
    array = np.zeros(4, np.dtype(dtype))
    values = [array] if array.dtype.kind in "mM" else [array, device.array(array)]
    for value in values:
        with pytest.raises(TypeError, match=f"{reason}; 'view' of an array changes the type"):
            kernel[1](value)


@pytest.mark.parametrize("name", ["int*", "pair*", "void*"])
@pytest.mark.parametrize("dtype", [object, [("a", "i4"), ("b", "O")]])
def test_objects(make_kernel: Callable[..., Kernel], name: str, dtype: object) -> None:
    """A kernel would overwrite references that the interpreter counts."""
    kernel = make_kernel(compiled("k", [pointer("p", name, 0)]))
    with pytest.raises(TypeError, match="elements are references to Python objects"):
        kernel[1](np.zeros(4, np.dtype(dtype)))


@pytest.mark.parametrize(
    "view",
    [
        lambda whole: whole[::2, 0],
        lambda whole: whole[::-1, 3],
        lambda whole: whole[1:4, 1:3],
        lambda whole: whole[:, ::3].T,
        lambda whole: whole.T,
        lambda whole: whole[2:4],
    ],
)
def test_nothing_outside_of_a_view_is_written(view: Callable[[NDArray[np.int32]], NDArray[np.int32]]) -> None:
    whole = np.arange(40, dtype=np.int32).reshape(8, 5)
    expected = whole.copy()
    view(expected)[...] += 1
    with Device() as device:
        kernel = device.compile(INCREMENT, "increment.mlir")["increment"]
        kernel[(1,), (view(whole).size,)](view(whole))
    np.testing.assert_array_equal(whole, expected)
