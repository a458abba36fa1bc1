"""Single elements of memrefs: every type, shapes of any rank, strides and offsets, static and dynamic."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import DTYPES, Array, compile_one, kernel_text, random_array, refusal, run
from xegpu.isa import ArgumentKind, KernelArgument

ELEMENTS = ["i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64", "si16", "ui32", "tf32"]


def copy_text(memref: str, indices: str, mode: str = "", extra: str = "") -> str:
    return kernel_text(
        f"%a: {memref}, %b: {memref}{extra}",
        f"%i = gpu.global_id x\n%v = memref.load %a[{indices}] : {memref}\nmemref.store %v, %b[{indices}] : {memref}",
        mode,
    )


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("mode", ["", "VectorComputeFunctionINTEL"], ids=["work-item", "subgroup"])
@pytest.mark.parametrize("element", ELEMENTS)
def test_copy(element: str, mode: str) -> None:
    a = random_array(np.random.default_rng(9), 21, element)
    kernel = compile_one(copy_text(f"memref<21x{element}>", "%i", mode))
    assert run(kernel, a, np.zeros_like(a), local=(21, 1, 1))[1].tobytes() == a.tobytes()


def test_rank_zero() -> None:
    text = kernel_text(
        "%a: memref<f32>",
        "%x = memref.load %a[] : memref<f32>\n%y = arith.addf %x, %x : f32\nmemref.store %y, %a[] : memref<f32>",
    )
    assert run(compile_one(text), np.array(3, np.float32))[0] == 6


def places(memref: str, backing: Array, *sizes: int, extra: str = "") -> tuple[list[int], list[int]]:
    """Returns where `%a[i, j]` is in `backing`, which holds 0, 1, 2, ..., for i, j in 0..1; and memref.dim of both."""
    lines = ["%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index"]
    for n, (i, j) in enumerate([(0, 0), (0, 1), (1, 0), (1, 1)]):
        lines.append(f"%v{n} = memref.load %a[%c{i}, %c{j}] : {memref}\n%n{n} = arith.constant {n} : index")
        lines.append(f"memref.store %v{n}, %o[%n{n}] : memref<6xi32>")
    for n in range(2):
        lines.append(f"%d{n} = memref.dim %a, %c{n} : {memref}\n%e{n} = arith.index_cast %d{n} : index to i32")
        lines.append(f"%m{n} = arith.constant {4 + n} : index\nmemref.store %e{n}, %o[%m{n}] : memref<6xi32>")
    kernel = compile_one(kernel_text(f"%a: {memref}, %o: memref<6xi32>", "\n".join(lines)))
    result = run(kernel, backing, *sizes, np.zeros(6, np.int32))[1].tolist()
    return result[:4], result[4:]


def test_strides_and_offsets() -> None:
    backing = np.arange(100, dtype=np.int32)
    assert places("memref<4x5xi32>", backing) == ([0, 1, 5, 6], [4, 5])
    assert places("memref<?x5xi32>", backing, 7) == ([0, 1, 5, 6], [7, 5])
    assert places("memref<?x?xi32>", backing, 3, 9) == ([0, 1, 9, 10], [3, 9])
    assert places("memref<4x5xi32, strided<[10, 2], offset: 7>>", backing) == ([0, 2, 10, 12], [4, 5])
    assert places("memref<4x5xi32, strided<[?, 1], offset: ?>>", backing, 20, 3) == ([3, 4, 23, 24], [4, 5])
    assert places("memref<?x?xi32, strided<[?, ?]>>", backing, 2, 3, 11, 4) == ([0, 4, 11, 15], [2, 3])
    assert places("memref<4x5xi32, strided<[-5, 1], offset: ?>>", backing, 20) == ([20, 21, 15, 16], [4, 5])


@pytest.mark.parametrize("part", ["%a[%i, 2] [2, 2] [1, 1]", "%a[1, 2] [2, 2] [1, 1]"])
def test_metadata_of_a_part_with_the_pointer_in_front_of_it(part: str) -> None:
    """Pipelines of mlir-opt access the aligned pointer, at the offset in elements."""
    offset = "?" if "%i" in part else "7"
    view = f"memref<2x2xi32, strided<[5, 1], offset: {offset}>>"
    metadata = f"%b, %o, %m:2, %t:2 = memref.extract_strided_metadata %s : {view} -> memref<i32>"
    body = f"""%i = arith.constant 1 : index
        %n = arith.muli %k, %i : index
        %s = memref.subview {part.replace("%i", "%n")} : memref<4x5xi32> to {view}
        {metadata}, index, index, index, index, index
        %p = memref.extract_aligned_pointer_as_index %s : {view} -> index
        %q = memref.extract_aligned_pointer_as_index %a : memref<4x5xi32> -> index
        %d = arith.subi %p, %q : index
        %x = memref.load %b[] : memref<i32>
        %y = arith.index_cast %o : index to i32
        %z = arith.index_cast %d : index to i32
        %c0 = arith.constant 0 : index
        %c2 = arith.constant 2 : index
        memref.store %x, %r[%c0] : memref<3xi32>
        memref.store %y, %r[%i] : memref<3xi32>
        memref.store %z, %r[%c2] : memref<3xi32>"""
    kernel = compile_one(kernel_text("%a: memref<4x5xi32>, %r: memref<3xi32>, %k: index", body))
    backing = np.arange(3, 23, dtype=np.int32).reshape(4, 5)
    assert run(kernel, backing, np.zeros(3, np.int32), 1)[1].tolist() == [3, 7, 0]


def test_arguments_of_a_memref() -> None:
    kernel = compile_one(
        kernel_text(
            "%a: memref<?x8x?xf32, strided<[?, ?, 1], offset: ?>>, %s: f32, %flag: i1, %h: f16, %n: index, %q: i64", ""
        )
    )
    scalars = [("s", "f32", 4), ("flag", "i1", 1), ("h", "f16", 2), ("n", "index", 8), ("q", "i64", 8)]
    names = ["a", "a.size0", "a.size2", "a.stride0", "a.stride1", "a.offset"]
    assert [a.name for a in kernel.facts.arguments] == [*names, *(name for name, _, _ in scalars)]
    assert kernel.facts.arguments[0].type_name == "memref<?x8x?xf32, strided<[?, ?, 1], offset: ?>>"
    assert [(a.name, a.type_name, a.size) for a in kernel.facts.arguments[6:]] == scalars
    assert all(a.slots[0].offset % a.size == 0 for a in kernel.facts.arguments)
    assert [a.kind is ArgumentKind.POINTER for a in kernel.facts.arguments] == [True] + [False] * 10


def test_unnamed_arguments_are_numbered() -> None:
    text = "gpu.module @m {\ngpu.func @k(%0: memref<4xf32>, %1: i32) kernel {\ngpu.return\n}\n}\n"
    assert [a.name for a in compile_one(text).facts.arguments] == ["arg0", "arg1"]


def access_of(body: str) -> str:
    """Returns the access through the kernel's pointer, as compiled; `%t` is a descriptor of it, `%z` a vector."""
    desc = "!xegpu.tensor_desc<8x16xf32>"
    start = f"%t = xegpu.create_nd_tdesc %a[0, 0] : memref<64x64xf32> -> {desc}\n"
    start += "%z = arith.constant dense<0.0> : vector<8x16xf32>\n"
    text = kernel_text("%a: memref<64x64xf32>, %i: index", f"{start}{body.format(d=desc)}")
    argument: KernelArgument = compile_one(text).facts.arguments[0]
    return argument.access


def test_access_of_pointers() -> None:
    load = "%v = xegpu.load_nd %t : {d} -> vector<8x16xf32>\n"
    store, copy = (f"xegpu.store_nd {v}, %t : vector<8x16xf32>, {{d}}\n" for v in ("%z", "%v"))
    assert access_of(store) == "writeonly"
    assert access_of("xegpu.prefetch_nd %t : {d}") == "readonly"
    assert access_of(load + copy) == "readwrite"
    assert access_of("%u = xegpu.update_nd_offset %t, [1, 0] : {d}\nxegpu.prefetch_nd %u : {d}") == "readonly"


@pytest.mark.parametrize("element", ["i8", "f64", "i32"])
def test_divergent_values_at_divergent_places(element: str) -> None:
    """A permutation: lane i writes what it reads at 3 i + 1 modulo 16 to place i."""
    text = kernel_text(
        f"%a: memref<16x{element}>, %b: memref<16x{element}>",
        "%i = gpu.thread_id x\n%c3 = arith.constant 3 : index\n%c1 = arith.constant 1 : index\n"
        "%c16 = arith.constant 16 : index\n%x = arith.muli %i, %c3 : index\n%y = arith.addi %x, %c1 : index\n"
        f"%j = arith.remui %y, %c16 : index\n%v = memref.load %a[%j] : memref<16x{element}>\n"
        f"memref.store %v, %b[%i] : memref<16x{element}>",
        "",
    )
    a = random_array(np.random.default_rng(9), 16, element)
    result = run(compile_one(text), a, np.zeros_like(a), local=(16, 1, 1))[1]
    assert result.tobytes() == a[(3 * np.arange(16) + 1) % 16].tobytes()


def test_uniform_value_at_divergent_places_and_the_other_way() -> None:
    text = kernel_text(
        "%a: memref<20xf32>, %b: memref<1xi32>, %s: f32",
        "%i = gpu.thread_id x\n%c0 = arith.constant 0 : index\n%v = arith.index_cast %i : index to i32\n"
        "memref.store %s, %a[%i] : memref<20xf32>\nmemref.store %v, %b[%c0] : memref<1xi32>",
        "",
    )
    after = run(compile_one(text), np.zeros(20, np.float32), np.zeros(1, np.int32), np.float32(2.5), local=(20, 1, 1))
    assert after[0].tolist() == [2.5] * 20
    assert after[1][0] in (15, 19)  # the last lane of one of the two subgroups


def test_loads_are_not_moved_across_stores() -> None:
    text = kernel_text(
        "%a: memref<4xi32>, %i: index",
        "%x = memref.load %a[%i] : memref<4xi32>\n%y = arith.addi %x, %x : i32\n"
        "memref.store %y, %a[%i] : memref<4xi32>\n%z = memref.load %a[%i] : memref<4xi32>\n"
        "%w = arith.addi %x, %z : i32\nmemref.store %w, %a[%i] : memref<4xi32>",
    )
    assert run(compile_one(text), np.arange(4, dtype=np.int32), 3)[0].tolist() == [0, 1, 2, 9]


@pytest.mark.parametrize(("name", "value"), [("f32", 1.5), ("f16", -2.0), ("bf16", 0.5), ("f64", 1e300), ("i16", -7)])
def test_scalars_by_value(name: str, value: float) -> None:
    text = kernel_text(
        f"%m: memref<1x{name}>, %p: i8, %s: {name}",
        f"%c0 = arith.constant 0 : index\nmemref.store %s, %m[%c0] : memref<1x{name}>",
    )
    argument = np.array(value).astype(DTYPES[name])
    assert run(compile_one(text), np.zeros(1, argument.dtype), 1, argument[()])[0][0] == argument


def test_sizes_of_computed_dimensions() -> None:
    body = (
        "%o = arith.constant 0 : index\n%d = memref.dim %m, %i : memref<?x7x?xf32>\n"
        "memref.store %d, %r[%o] : memref<1xindex>"
    )
    kernel = compile_one(kernel_text("%m: memref<?x7x?xf32>, %r: memref<1xindex>, %i: index", body))
    sizes = [5, 7, 9]
    for dimension, size in enumerate(sizes):
        arrays = np.zeros((5, 7, 9), np.float32), np.zeros(1, np.int64)
        assert run(kernel, arrays[0], 5, 9, arrays[1], dimension)[1].tolist() == [size]


def test_prefetches_change_nothing() -> None:
    body = (
        "%i = gpu.thread_id x\nmemref.prefetch %m[%i], read, locality<3>, data : memref<16xf32>\n"
        "memref.prefetch %m[%i], write, locality<0>, instr : memref<16xf32>\n"
        "%v = memref.load %m[%i] : memref<16xf32>\n%w = arith.addf %v, %v : f32\n"
        "memref.store %w, %m[%i] : memref<16xf32>"
    )
    values = np.arange(16, dtype=np.float32)
    assert run(compile_one(kernel_text("%m: memref<16xf32>", body, "")), values)[0].tolist() == (values * 2).tolist()


def test_layouts_that_are_affine_maps() -> None:
    """Affine maps that amount to strides are accepted; a symbol is an offset that callers pass."""
    backing = np.arange(100, dtype=np.int32)

    def under(shape: str, layout: str, *sizes: int) -> tuple[list[int], list[int]]:
        return places(f"memref<{shape}xi32, affine_map<{layout}>>", backing, *sizes)

    assert under("4x5", "(i, j) -> (i, j)") == ([0, 1, 5, 6], [4, 5])
    assert under("4x5", "(i, j) -> (j, i)") == ([0, 4, 1, 5], [4, 5])
    assert under("4x5", "(i, j) -> (i * 10 + j * 2 + 7)") == ([0, 2, 10, 12], [4, 5])
    assert under("4x5", "(i, j) -> ((i + j * 3 + 1) * 2)") == ([0, 6, 2, 8], [4, 5])
    assert under("?x?", "(i, j)[o] -> (i * 11 + j + o)", 2, 3, 4) == ([4, 5, 15, 16], [2, 3])


@pytest.mark.parametrize("layout", ["(i, j) -> (i mod 2 + j)", "(i, j) -> (i floordiv 2, j)", "(i, j) -> (i, j, 0)"])
def test_layouts_without_strides(layout: str) -> None:
    message = refusal(kernel_text(f"%a: memref<4x4xf32, affine_map<{layout}>>", ""))
    assert "'gpu.func' op kernel argument 'a' of type memref<4x4xf32" in message
    assert message.endswith(" cannot be passed")


def test_permuted_layouts_of_unknown_sizes_are_refused() -> None:
    assert "cannot be passed" in refusal(kernel_text("%a: memref<?x?xf32, affine_map<(i, j) -> (j, i)>>", ""))


@pytest.mark.parametrize("mode", ["", "VectorComputeFunctionINTEL"], ids=["work-item", "subgroup"])
@pytest.mark.parametrize("flag", [False, True])
def test_booleans(mode: str, flag: bool) -> None:
    """An i1 takes a byte in every memory."""
    body = """
    %i = gpu.global_id x
    %v = memref.load %a[%i] : memref<20xi1>
    %n = arith.xori %v, %f : i1
    memref.store %n, %o[%i] : memref<20xi1>
    %c = arith.constant 2 : index
    %s = memref.alloc() : memref<20xi1, 3>
    memref.store %v, %s[%i] : memref<20xi1, 3>
    %w = memref.load %s[%i] : memref<20xi1, 3>
    %p = memref.alloca() : memref<3xi1>
    memref.store %w, %p[%c] : memref<3xi1>
    %x = memref.load %p[%c] : memref<3xi1>
    %true = arith.constant true
    memref.store %true, %q[%i] : memref<20xi1>
    scf.if %x {
      memref.store %f, %q[%i] : memref<20xi1>
    }"""
    arguments = "%a: memref<20xi1>, %o: memref<20xi1>, %q: memref<20xi1>, %f: i1"
    kernel = compile_one(kernel_text(arguments, body, mode))
    a = np.random.default_rng(1).integers(0, 2, 20).astype(bool)
    _, o, q = run(kernel, a, np.zeros(20, bool), np.zeros(20, bool), np.bool_(flag), local=(20, 1, 1))
    assert o.tolist() == (a ^ flag).tolist()
    assert q.tolist() == np.where(a, flag, True).tolist()
