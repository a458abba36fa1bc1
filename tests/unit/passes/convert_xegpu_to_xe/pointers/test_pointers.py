"""Memory behind pointers against numpy: units and alignments, address spaces, generic pointers, structures by value."""

from __future__ import annotations

import numpy as np
import pytest

import runtime
from runtime import Device

ABI = "kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>}"


def module(arguments: str, body: str, variables: str = "") -> str:
    """A kernel in which `%n` is the number of the work-item, as 64 bits."""
    return f"""
    gpu.module @m {{
      {variables}
      gpu.func @k({arguments}) {ABI} {{
        %i = gpu.global_id x
        %n = arith.index_cast %i : index to i64
        {body}
        gpu.return
      }}
    }}"""


def launch(device: Device, text: str, *values: runtime.Value, items: int = 16) -> None:
    device.compile(text)["k"][(items // 16, 1, 1), (16, 1, 1)](*values)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("target", ["pvc", "arc"])
@pytest.mark.parametrize(
    ("type", "size", "alignment", "used"),
    [
        ("i16", 2, 1, 2),
        ("i32", 4, 2, 4),
        ("i64", 8, 1, 8),
        ("vector<4xi8>", 4, 4, 4),
        ("vector<3xi8>", 4, 1, 3),
        ("vector<2xi16>", 4, 2, 4),
        ("vector<3xi32>", 16, 4, 12),
        ("vector<8xi32>", 32, 4, 32),
        ("vector<2xi64>", 16, 4, 16),
    ],
)
def test_units(type: str, size: int, alignment: int, used: int, target: str) -> None:
    """Values of any alignment arrive as they are, through private memory, under a condition."""
    start = alignment % size
    text = module(
        "%x: !llvm.ptr<1>, %y: !llvm.ptr<1>",
        f"""
        %c = arith.constant 1 : i32
        %p = llvm.alloca %c x !llvm.array<{size + 8} x i8> {{alignment = 8 : i64}} : (i32) -> !llvm.ptr
        %x0 = llvm.getelementptr %x[{start}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
        %y0 = llvm.getelementptr %y[{start}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
        %p0 = llvm.getelementptr %p[{start}] : (!llvm.ptr) -> !llvm.ptr, i8
        %xn = llvm.getelementptr %x0[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.array<{size} x i8>
        %yn = llvm.getelementptr %y0[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.array<{size} x i8>
        %v = llvm.load %xn {{alignment = {alignment} : i64}} : !llvm.ptr<1> -> {type}
        llvm.store %v, %p0 {{alignment = {alignment} : i64}} : {type}, !llvm.ptr
        %w = llvm.load %p0 {{alignment = {alignment} : i64}} : !llvm.ptr -> {type}
        %five = arith.constant 5 : i64
        %not = arith.cmpi ne, %n, %five : i64
        scf.if %not {{
          llvm.store %w, %yn {{alignment = {alignment} : i64}} : {type}, !llvm.ptr<1>
        }}""",
    )
    x = np.random.default_rng(0).integers(0, 256, 16 * size + 16, dtype=np.uint8)
    y = np.zeros_like(x)
    launch(Device(target), text, x, y)
    expected = np.zeros_like(x)
    for item in set(range(16)) - {5}:
        place = slice(start + item * size, start + item * size + used)
        expected[place] = x[place]
    np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("engine", ["jit", "interpreter"])
def test_generic_pointers(engine: str) -> None:
    """Lanes of one load point into private, shared and global memory; updates go where they belong."""
    text = module(
        "%x: !llvm.ptr<1>, %y: !llvm.ptr<1>",
        """
        %c = arith.constant 1 : i32
        %p = llvm.alloca %c x i32 {alignment = 4 : i64} : (i32) -> !llvm.ptr
        %s = llvm.mlir.addressof @shared : !llvm.ptr<3>
        %sn = llvm.getelementptr %s[%n] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
        %xn = llvm.getelementptr %x[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
        %v = llvm.load %xn : !llvm.ptr<1> -> i32
        llvm.store %v, %p : i32, !llvm.ptr
        llvm.store %v, %sn : i32, !llvm.ptr<3>
        %three = arith.constant 3 : i64
        %kind = arith.remui %n, %three : i64
        %zero = arith.constant 0 : i64
        %one = arith.constant 1 : i64
        %is0 = arith.cmpi eq, %kind, %zero : i64
        %is1 = arith.cmpi eq, %kind, %one : i64
        %gp = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<4>
        %gs = llvm.addrspacecast %sn : !llvm.ptr<3> to !llvm.ptr<4>
        %gx = llvm.addrspacecast %xn : !llvm.ptr<1> to !llvm.ptr<4>
        %a = arith.select %is1, %gs, %gx : !llvm.ptr<4>
        %g = arith.select %is0, %gp, %a : !llvm.ptr<4>
        %hundred = arith.constant 100 : i32
        %old = llvm.atomicrmw add %g, %hundred monotonic : !llvm.ptr<4>, i32
        %first = llvm.cmpxchg %g, %c, %c monotonic monotonic : !llvm.ptr<4>, i32
        %found = llvm.extractvalue %first[0] : !llvm.struct<(i32, i1)>
        %back = llvm.addrspacecast %g : !llvm.ptr<4> to !llvm.ptr<3>
        %px = llvm.load %p : !llvm.ptr -> i32
        %ps = llvm.load %sn : !llvm.ptr<3> -> i32
        %sum = arith.addi %px, %ps : i32
        %all = arith.addi %sum, %found : i32
        %yn = llvm.getelementptr %y[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
        llvm.store %all, %yn : i32, !llvm.ptr<1>""",
        "llvm.mlir.global internal @shared() {addr_space = 3 : i32} : !llvm.array<16 x i32>",
    )
    x = np.arange(16, dtype=np.int32)
    y = np.zeros_like(x)
    launch(Device(engine=engine), text, x, y)
    start, kind = np.arange(16), np.arange(16) % 3
    np.testing.assert_array_equal(x, start + 100 * (kind == 2))
    np.testing.assert_array_equal(y, 3 * start + 100 + 100 * (kind != 2))


def test_structures_and_tables() -> None:
    """A structure by value holds a pointer; a constant table is indexed; a byte is a boolean."""
    struct = "!llvm.struct<(i8, f32, !llvm.ptr<1>, !llvm.array<2 x i16>)>"
    text = module(
        f"%s: {struct}, %local: !llvm.ptr<3>, %y: !llvm.ptr<1>",
        f"""
        %b = llvm.extractvalue %s[0] : {struct}
        %f = llvm.extractvalue %s[1] : {struct}
        %p = llvm.extractvalue %s[2] : {struct}
        %h = llvm.extractvalue %s[3, 1] : {struct}
        %t = llvm.mlir.addressof @table : !llvm.ptr<2>
        %three = arith.constant 3 : i64
        %m = arith.andi %n, %three : i64
        %tm = llvm.getelementptr %t[%m] : (!llvm.ptr<2>, i64) -> !llvm.ptr<2>, i8
        %v = llvm.load %tm : !llvm.ptr<2> -> i8
        %odd = arith.trunci %v : i8 to i1
        %flag = llvm.getelementptr %local[%n] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
        llvm.store %odd, %flag : i1, !llvm.ptr<3>
        %back = llvm.load %flag : !llvm.ptr<3> -> i1
        %pn = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
        %w = llvm.load %pn : !llvm.ptr<1> -> f32
        %hw = arith.sitofp %h : i16 to f32
        %bw = arith.sitofp %b : i8 to f32
        %sum = arith.addf %f, %hw : f32
        %sum2 = arith.addf %sum, %bw : f32
        %sum3 = arith.addf %sum2, %w : f32
        %r = arith.select %back, %sum3, %f : f32
        %yn = llvm.getelementptr %y[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
        llvm.store %r, %yn : f32, !llvm.ptr<1>""",
        "llvm.mlir.global internal constant @table(dense<[1, 0, 1, 1]> : tensor<4xi8>) {addr_space = 2 : i32}"
        " : !llvm.array<4 x i8>",
    )
    device = Device()
    numbers = device.array(np.arange(16, dtype=np.float32))
    fields = np.dtype([("b", "i1"), ("f", "f4"), ("p", "u8"), ("h", "i2", 2)], align=True)
    value = np.zeros(1, fields)
    value["b"], value["f"], value["p"], value["h"] = -2, 0.5, numbers.address, [7, 30]
    y = np.zeros(16, np.float32)
    launch(device, text, value, 64, y)
    n = np.arange(16)
    np.testing.assert_array_equal(y, np.where(n % 4 == 1, 0.5, 28.5 + n))


@pytest.mark.parametrize("target", ["pvc", "arc"])
@pytest.mark.parametrize("type", ["i32", "i64"])
def test_a_shared_element_at_the_start_of_a_loop(type: str, target: str) -> None:
    """The registers of a message may be as large as those of all lanes, though it brings one element."""
    text = module(
        "%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %count: i32",
        f"""
        %zero = arith.constant 0 : i32
        %one = arith.constant 1 : i32
        %first = llvm.load %x : !llvm.ptr<1> -> {type}
        %xn = llvm.getelementptr %x[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, {type}
        cf.br ^loop(%zero, %first : i32, {type})
      ^loop(%k: i32, %sum: {type}):
        %v = llvm.load %xn : !llvm.ptr<1> -> {type}
        %more = arith.addi %sum, %v : {type}
        %next = arith.addi %k, %one : i32
        %again = arith.cmpi slt, %next, %count : i32
        cf.cond_br %again, ^loop(%next, %more : i32, {type}), ^end
      ^end:
        %yn = llvm.getelementptr %y[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, {type}
        llvm.store %more, %yn : {type}, !llvm.ptr<1>""",
    )
    x = np.arange(5, 21, dtype=f"i{int(type[1:]) // 8}")
    y = np.zeros_like(x)
    launch(Device(target), text, x, y, np.int32(3))
    np.testing.assert_array_equal(y, 5 + 3 * x)
