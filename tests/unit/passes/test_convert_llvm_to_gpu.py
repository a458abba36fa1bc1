"""Kernels of which upstream has lowered the arguments, but not yet what reaches into buffers."""

from __future__ import annotations

import numpy as np

from tests.unit.passes.kernels.harness import compile_one, run

_DESCRIPTOR = "!llvm.struct<(ptr<1>, ptr<1>, i64, array<2 x i64>, array<2 x i64>)>"
_PARTS = ", ".join(f"%{name}: {'!llvm.ptr<1>' if name in 'ab' else 'i64'}" for name in "abcdefg")
_PATHS = ("0", "1", "2", "3, 0", "3, 1", "4, 0", "4, 1")
_INSERTIONS = "\n".join(
    f"%s{number + 1} = llvm.insertvalue %{name}, %s{number}[{path}] : {_DESCRIPTOR}"
    for number, (name, path) in enumerate(zip("abcdefg", _PATHS, strict=True))
)


def _kernel(body: str) -> str:
    """A kernel with a buffer of rows and columns, in parts, and its lane `%i`."""
    return f"""gpu.module @m [#xevm.target<chip = "pvc">] {{
    llvm.func spir_funccc @_Z12get_local_id(i32) -> i64
    llvm.func spir_funccc @_Z18get_sub_group_size() -> i32
    llvm.func spir_kernelcc @k({_PARTS}) attributes {{gpu.kernel, reqd_work_group_size = array<i32: 16, 1, 1>}} {{
    %s0 = llvm.mlir.poison : {_DESCRIPTOR}
    {_INSERTIONS}
    %lane = xevm.local_id.x : i32
    %l = llvm.zext %lane : i32 to i64
    %i = builtin.unrealized_conversion_cast %l : i64 to index
    {body}
    llvm.return
    }}
    }}"""


def _results(body: str, array: np.ndarray, first: int = 0) -> np.ndarray:
    rows, columns = array.shape
    sizes = [np.int64(number) for number in (first, rows, columns, columns, 1)]
    return run(compile_one(_kernel(body)), array, array, *sizes)[1]


def test_views_of_descriptors() -> None:
    """A row of a plane is updated in place, through a view without the first dimension; offsets are dynamic."""
    x = np.arange(64, dtype=np.float32).reshape(4, 16)
    result = _results(
        f"""%m = builtin.unrealized_conversion_cast %s7
            : {_DESCRIPTOR} to memref<?x16xf32, strided<[16, 1], offset: ?>, 1>
        %c1 = arith.constant 1 : index
        %r = arith.addi %c1, %c1 : index
        %v = memref.subview %m[%r, 0] [1, 16] [1, 1]
            : memref<?x16xf32, strided<[16, 1], offset: ?>, 1> to memref<16xf32, strided<[1], offset: ?>, 1>
        %w = memref.subview %v[4] [8] [1]
            : memref<16xf32, strided<[1], offset: ?>, 1> to memref<8xf32, strided<[1], offset: ?>, 1>
        %x = memref.load %v[%i] : memref<16xf32, strided<[1], offset: ?>, 1>
        %size = memref.dim %m, %c1 : memref<?x16xf32, strided<[16, 1], offset: ?>, 1>
        %n = arith.index_cast %size : index to i32
        %float = arith.sitofp %n : i32 to f32
        %y = arith.mulf %x, %float : f32
        memref.store %y, %v[%i] : memref<16xf32, strided<[1], offset: ?>, 1>
        %z = memref.load %w[%c1] : memref<8xf32, strided<[1], offset: ?>, 1>""",
        x,
        first=16,
    )
    want = x.copy()
    want[3] *= 16
    np.testing.assert_array_equal(result, want)


def test_memory_of_a_work_group() -> None:
    """Elements go through shared memory, in reverse, and one is the largest of all, by an atomic update."""
    x = np.random.default_rng(1).standard_normal((2, 16)).astype(np.float32)
    result = _results(
        f"""%m = builtin.unrealized_conversion_cast %s7 : {_DESCRIPTOR} to memref<2x16xf32, 1>
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c15 = arith.constant 15 : index
        %slm = memref.alloca() : memref<16xf32, 3>
        %x = memref.load %m[%c0, %i] : memref<2x16xf32, 1>
        memref.store %x, %slm[%i] : memref<16xf32, 3>
        gpu.barrier
        %j = arith.subi %c15, %i : index
        %y = memref.load %slm[%j] : memref<16xf32, 3>
        memref.store %y, %m[%c0, %i] : memref<2x16xf32, 1>
        %o = memref.atomic_rmw maximumf %y, %m[%c1, %c1] : (f32, memref<2x16xf32, 1>) -> f32""",
        x,
    )
    want = x.copy()
    want[0] = x[0, ::-1]
    want[1, 1] = max(x[1, 1], x[0].max())
    np.testing.assert_array_equal(result, want)
