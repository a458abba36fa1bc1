"""Variables of LLVM IR: initial values with numbers, and with addresses that the loader computes."""

from __future__ import annotations

import numpy as np
import pytest

from runtime import Device
from xegpu.diagnostics import CompileError

KERNEL = """
define spir_kernel void @k(ptr addrspace(1) %out, i64 %where, i32 %count) {{
  br label %next
next:
  %i = phi i32 [ 0, %0 ], [ %following, %next ]
  %p = getelementptr ptr addrspace(1), ptr addrspace({space}) @rows, i64 %where
  %row = load ptr addrspace({space}), ptr addrspace({space}) %p
  %from = getelementptr i32, ptr addrspace({space}) %row, i32 %i
  %value = load i32, ptr addrspace({space}) %from
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %value, ptr addrspace(1) %to
  %following = add i32 %i, 1
  %again = icmp slt i32 %following, %count
  br i1 %again, label %next, label %end
end:
  ret void
}}
"""
NUMBERS = "@n = addrspace({space}) {kind} [6 x i32] [i32 10, i32 11, i32 12, i32 13, i32 14, i32 15]\n"
POINTER = "ptr addrspace({space})"


def outputs(text: str, where: int, space: int, kind: str) -> list[int]:
    source = (NUMBERS + text).format(space=space, kind=kind) + KERNEL.format(space=space)
    out = np.zeros(3, np.int32)
    Device().compile(source, "k.ll")["k"](out, where, 3, grid=1, block=1)
    return out.tolist()


@pytest.mark.parametrize(("space", "kind"), [(1, "global"), (2, "constant")])
@pytest.mark.parametrize(
    ("value", "first"),
    [
        ("@n", 10),
        ("getelementptr ([6 x i32], ptr addrspace({space}) @n, i64 0, i64 3)", 13),
        ("getelementptr (i8, ptr addrspace({space}) getelementptr (i32, ptr addrspace({space}) @n, i64 1), i64 8)", 13),
        ("getelementptr ({{ i32, [2 x i32] }}, ptr addrspace({space}) @n, i64 0, i32 1, i64 1)", 12),
        ("inttoptr (i64 add (i64 ptrtoint (ptr addrspace({space}) @n to i64), i64 4) to ptr addrspace({space}))", 11),
        ("inttoptr (i64 sub (i64 ptrtoint (ptr addrspace({space}) getelementptr (i32, ptr addrspace({space}) @n,"
         " i64 2) to i64), i64 8) to ptr addrspace({space}))", 10),
    ],
)  # fmt: skip
def test_addresses(value: str, first: int, space: int, kind: str) -> None:
    """The second of three rows, behind a number, is an address in another variable."""
    rows = f"@rows = addrspace({{space}}) {{kind}} {{{{ i64, {POINTER}, {POINTER} }}}} "
    rows += f"{{{{ i64 7, {POINTER} {value}, {POINTER} null }}}}\n"
    assert outputs(rows, 1, space, kind) == [first, first + 1, first + 2]


def test_an_address_of_the_variable_itself() -> None:
    text = "@rows = addrspace(1) global {{ ptr addrspace(1), [3 x i32] }} {{ ptr addrspace(1) getelementptr "
    text += "(i8, ptr addrspace(1) @rows, i64 8), [3 x i32] [i32 5, i32 6, i32 7] }}\n"
    assert outputs(text, 0, 1, "global") == [5, 6, 7]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@rows = addrspace(1) global <{ i8, ptr addrspace(1) }> <{ i8 1, ptr addrspace(1) @n }>",
         "'rows' holds an address in 8 bytes at offset 1: eight aligned bytes can"),
        ("@rows = addrspace(1) global ptr @f", "'rows' holds the address of @f, which is no variable of the module"),
        ("@l = internal addrspace(3) global i32 undef\n"
         "@rows = addrspace(1) global ptr addrspace(4) addrspacecast (ptr addrspace(3) @l to ptr addrspace(4))",
         "'rows' holds the address of @l, which lies in the local memory of a work-group"),
        ("@rows = addrspace(1) global i64 xor (i64 ptrtoint (ptr addrspace(1) @n to i64), i64 1)",
         "'rows' holds a number that a loader cannot compute from an address"),
        ("@rows = addrspace(1) global i32 ptrtoint (ptr addrspace(1) @n to i32)",
         "'rows' holds an address in 4 bytes at offset 0: eight aligned bytes can"),
        ("@rows = addrspace(1) global ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @n, i64 99999999999)",
         "'rows' holds an address 99999999999 bytes behind 'n'"),
    ],
)  # fmt: skip
def test_values_that_are_no_addresses(text: str, message: str) -> None:
    source = f"declare void @f()\n@n = addrspace(1) global i32 1\n{text}\n"
    source += (
        "define spir_kernel void @k(ptr addrspace(1) %out) {\n  store ptr addrspace(1) @rows, ptr addrspace(1) %out\n"
    )
    source += "  ret void\n}\n"
    with pytest.raises(CompileError) as caught:
        Device().compile(source, "k.ll")
    assert message in str(caught.value)


MODULE = """
gpu.module @m {
  llvm.mlir.global internal @n(dense<[3, 4, 5]> : tensor<3xi32>) {addr_space = 1 : i32} : !llvm.array<3 x i32>
  llvm.mlir.global external @rows() {addr_space = 1 : i32} : !llvm.struct<(i32, array<2 x ptr<1>>)> {
    %zero = llvm.mlir.zero : !llvm.struct<(i32, array<2 x ptr<1>>)>
    %seven = llvm.mlir.constant(7 : i32) : i32
    %first = llvm.insertvalue %seven, %zero[0] : !llvm.struct<(i32, array<2 x ptr<1>>)>
    %address = llvm.mlir.addressof @n : !llvm.ptr<1>
    %last = llvm.getelementptr %address[0, 2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, !llvm.array<3 x i32>
    %value = llvm.insertvalue %last, %first[1, 1] : !llvm.struct<(i32, array<2 x ptr<1>>)>
    llvm.return %value : !llvm.struct<(i32, array<2 x ptr<1>>)>
  }
  gpu.func @k(%out: !llvm.ptr<1>) kernel {
    %rows = llvm.mlir.addressof @rows : !llvm.ptr<1>
    %place = llvm.getelementptr %rows[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    %pointer = llvm.load %place : !llvm.ptr<1> -> !llvm.ptr<1>
    %a = llvm.load %pointer : !llvm.ptr<1> -> i32
    %b = llvm.load %rows : !llvm.ptr<1> -> i32
    %sum = arith.addi %a, %b : i32
    llvm.store %sum, %out : i32, !llvm.ptr<1>
    gpu.return
  }
}
"""


def test_regions_of_upstream() -> None:
    out = np.zeros(1, np.int32)
    Device().compile(MODULE)["k"](out, grid=1, block=1)
    assert out[0] == 12


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("llvm.return %value", "llvm.return %unknown"),
        ("%last, %first[1, 1]", "%last, %first[1, 2]"),
        ("%address[0, 2] :", "%address[%seven] :"),
    ],
)
def test_regions_that_a_loader_cannot_compute(old: str, new: str) -> None:
    unknown = '%unknown = "llvm.call_intrinsic"() : () -> !llvm.struct<(i32, array<2 x ptr<1>>)>'
    text = MODULE.replace(old, new).replace("%seven = ", f"{unknown}\n    %seven = ")
    if "[%seven]" in new:
        types = "(!llvm.ptr<1>{}) -> !llvm.ptr<1>, {}"
        text = text.replace(types.format("", "!llvm.array<3 x i32>"), types.format(", i32", "i32"))
    with pytest.raises(CompileError):
        Device().compile(text)


def test_an_unused_variable_that_no_loader_can_compute_does_not_matter() -> None:
    source = """
    gpu.module @m {
      llvm.mlir.global external @rows() {addr_space = 1 : i32} : !llvm.ptr<1> {
        llvm.return
      }
      gpu.func @k(%o: memref<1xi32>) kernel {
        %c = arith.constant 0 : index
        %v = arith.constant 7 : i32
        memref.store %v, %o[%c] : memref<1xi32>
        gpu.return
      }
    }
    """
    out = np.zeros(1, np.int32)
    Device().compile(source)["k"](out, grid=1, block=1)
    assert out.tolist() == [7]
