"""Loads and stores through 1-D descriptors: every type, any length, any address that elements may have."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import DTYPES, Array, compile_one, kernel_text, random_array, run
from xegpu.isa import Instruction, decode_program
from xegpu.targets import ARC, PVC, Target

LENGTHS = [1, 2, 3, 5, 16, 31, 64, 100, 130]
ELEMENTS = ["i8", "i16", "bf16", "f16", "i32", "f32", "i64", "f64"]


def copy_text(element: str, length: int, start: str, extent: int, hints: str = "") -> str:
    """Copies `length` elements from `%a` at `start` to `%b` at the same place."""
    memref, desc = f"memref<{extent}x{element}>", f"!xegpu.tensor_desc<{length}x{element}>"
    return kernel_text(
        f"%a: {memref}, %b: {memref}, %i: index",
        f"%s = xegpu.create_nd_tdesc %a[{start}] : {memref} -> {desc}\n"
        f"%d = xegpu.create_nd_tdesc %b[{start}] : {memref} -> {desc}\n"
        f"xegpu.prefetch_nd %s : {desc}\n"
        f"%v = xegpu.load_nd %s{hints} : {desc} -> vector<{length}x{element}>\n"
        f"xegpu.store_nd %v, %d : vector<{length}x{element}>, {desc}",
    )


def check_copy(text: str, element: str, length: int, start: int, extent: int) -> None:
    a = random_array(np.random.default_rng(5), extent, element)
    b = np.zeros(extent, DTYPES[element])
    expected = b.copy()
    expected[start : start + length] = a[start : start + length]
    after = run(compile_one(text), a, b, start)
    assert after[0].tobytes() == a.tobytes()
    assert after[1].tobytes() == expected.tobytes()


@pytest.mark.sampled(every=12)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("element", ELEMENTS)
def test_copy_of_a_whole_buffer(element: str, length: int) -> None:
    check_copy(copy_text(element, length, "0", length), element, length, 0, length)


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("start", [1, 2, 3, 7, 64])
@pytest.mark.parametrize("element", ["i8", "f16", "f32", "f64"])
def test_copy_from_any_element(element: str, start: int) -> None:
    for text in (copy_text(element, 37, str(start), 110), copy_text(element, 37, "%i", 110)):
        check_copy(text, element, 37, start, 110)


def messages(text: str) -> list[Instruction]:
    program = decode_program(compile_one(text).code)
    return [i for i in program.instructions if i.message is not None]


def test_provably_aligned_lines_are_block_messages_only() -> None:
    index = "%n = arith.constant 32 : index\n%g = gpu.block_id x\n%i2 = arith.muli %g, %n : index\n"
    text = copy_text("f16", 32, "%i2", 64).replace("%s =", f"{index}%s =", 1)
    assert {(i.mnemonic, i.message.transposed) for i in messages(text) if i.message} == {
        ("load", True),
        ("prefetch", True),
        ("store", True),
    }


def test_length_decides_the_number_of_messages() -> None:
    loads = [i for i in messages(copy_text("f32", 128, "0", 128)) if i.mnemonic == "load"]
    assert [i.message.vector for i in loads if i.message] == [64, 64]


@pytest.mark.parametrize("hint", ["cached", "uncached", "streaming", "read_invalidate"])
def test_hints_change_no_value(hint: str) -> None:
    text = copy_text("f32", 20, "0", 20, f" <{{l1_hint = #xegpu.cache_hint<{hint}>}}>")
    check_copy(text, "f32", 20, 0, 20)


@pytest.mark.parametrize("element", ["i8", "f32"])
@pytest.mark.parametrize("count", [2, 3])
def test_several_blocks_lie_behind_each_other(element: str, count: int) -> None:
    total = 10 * count
    desc = f"!xegpu.tensor_desc<10x{element}, #xegpu.block_tdesc_attr<array_length = {count} : i64>>"
    flat = f"vector<{total}x{element}>"
    text = kernel_text(
        f"%a: memref<{total}x{element}>, %b: memref<{total}x{element}>",
        f"%s = xegpu.create_nd_tdesc %a[0] : memref<{total}x{element}> -> {desc}\n"
        f"%v = xegpu.load_nd %s : {desc} -> vector<{count}x10x{element}>\n"
        f"%f = vector.shape_cast %v : vector<{count}x10x{element}> to {flat}\n"
        f"%d = xegpu.create_nd_tdesc %b[0] : memref<{total}x{element}> -> !xegpu.tensor_desc<{total}x{element}>\n"
        f"xegpu.store_nd %f, %d : {flat}, !xegpu.tensor_desc<{total}x{element}>",
    )
    a = random_array(np.random.default_rng(5), total, element)
    assert run(compile_one(text), a, np.zeros_like(a))[1].tobytes() == a.tobytes()


@pytest.mark.parametrize("constant", [True, False])
def test_moves_of_a_line_add_up(constant: bool) -> None:
    moves = "%t1 = xegpu.update_nd_offset %t, [7] : {d}\n%t2 = xegpu.update_nd_offset %t1, [-3] : {d}"
    if not constant:
        moves = moves.replace("[7]", "[%i]").replace("[-3]", "[%j]")
    desc = "!xegpu.tensor_desc<12xf16>"
    text = kernel_text(
        "%a: memref<64xf16>, %b: memref<12xf16>, %i: index, %j: index",
        f"%t = xegpu.create_nd_tdesc %a[5] : memref<64xf16> -> {desc}\n{moves.format(d=desc)}\n"
        f"%v = xegpu.load_nd %t2 : {desc} -> vector<12xf16>\n"
        f"%o = xegpu.create_nd_tdesc %b[0] : memref<12xf16> -> {desc}\nxegpu.store_nd %v, %o : vector<12xf16>, {desc}",
    )
    a = random_array(np.random.default_rng(5), 64, "f16")
    assert run(compile_one(text), a, np.zeros(12, np.float16), 7, -3)[1].tobytes() == a[9:21].tobytes()


@pytest.mark.parametrize("explicit", [False, True])
def test_line_at_an_address(explicit: bool) -> None:
    extent = ", [64], [1]" if explicit else ""
    text = kernel_text(
        "%a: memref<64xf32>, %b: memref<20xf32>",
        "%p = memref.extract_aligned_pointer_as_index %a : memref<64xf32> -> index\n"
        "%q = arith.index_cast %p : index to i64\n"
        f"%t = xegpu.create_nd_tdesc %q[3]{extent} : i64 -> !xegpu.tensor_desc<20xf32>\n"
        "%v = xegpu.load_nd %t : !xegpu.tensor_desc<20xf32> -> vector<20xf32>\n"
        "%o = xegpu.create_nd_tdesc %b[0] : memref<20xf32> -> !xegpu.tensor_desc<20xf32>\n"
        "xegpu.store_nd %v, %o : vector<20xf32>, !xegpu.tensor_desc<20xf32>",
    )
    a = random_array(np.random.default_rng(5), 64, "f32")
    assert run(compile_one(text), a, np.zeros(20, np.float32))[1].tobytes() == a[3:23].tobytes()


def test_row_of_a_matrix() -> None:
    text = kernel_text(
        "%a: memref<5x24xi16>, %b: memref<20xi16>, %r: index",
        "%t = xegpu.create_nd_tdesc %a[%r, 3] : memref<5x24xi16> -> !xegpu.tensor_desc<20xi16>\n"
        "%v = xegpu.load_nd %t : !xegpu.tensor_desc<20xi16> -> vector<20xi16>\n"
        "%o = xegpu.create_nd_tdesc %b[0] : memref<20xi16> -> !xegpu.tensor_desc<20xi16>\n"
        "xegpu.store_nd %v, %o : vector<20xi16>, !xegpu.tensor_desc<20xi16>",
    )
    a = random_array(np.random.default_rng(5), (5, 24), "i16")
    assert run(compile_one(text), a, np.zeros(20, np.int16), 4)[1].tobytes() == a[4, 3:23].tobytes()


def vector_add_text(element: str, length: int, total: int) -> str:
    op = "arith.addf" if element[0] in "bf" else "arith.addi"
    memref, desc, type = f"memref<{total}x{element}>", f"!xegpu.tensor_desc<{length}x{element}>", f"{length}x{element}"
    lines = [f"%n = arith.constant {length} : index", "%g = gpu.block_id x", "%s = arith.muli %g, %n : index"]
    lines += [f"%t{x} = xegpu.create_nd_tdesc %{x}[%s] : {memref} -> {desc}" for x in "abc"]
    lines += [f"%v{x} = xegpu.load_nd %t{x} : {desc} -> vector<{type}>" for x in "ab"]
    lines += [f"%v = {op} %va, %vb : vector<{type}>", f"xegpu.store_nd %v, %tc : vector<{type}>, {desc}"]
    return kernel_text(f"%a: {memref}, %b: {memref}, %c: {memref}", "\n".join(lines))


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("length", [3, 17, 32])
@pytest.mark.parametrize("element", ELEMENTS)
def test_vector_add(element: str, length: int) -> None:
    rng, groups = np.random.default_rng(6), 4
    a, b = (random_array(rng, length * groups, element) for _ in range(2))
    kernel = compile_one(vector_add_text(element, length, length * groups))
    c: Array = run(kernel, a, b, np.zeros_like(a), groups=(groups, 1, 1))[2]
    assert c.tobytes() == (a + b).tobytes()


def test_pointers_are_found_wherever_they_lie_in_the_payload() -> None:
    """Some stand at the start of a register, most do not."""
    count = 20
    body = [f"%v = arith.constant dense<[{', '.join(map(str, range(8)))}]> : vector<8xi32>"]
    for n in range(count):
        body.append(f"%t{n} = xegpu.create_nd_tdesc %p{n}[{n}] : memref<28xi32> -> !xegpu.tensor_desc<8xi32>")
        body.append(f"xegpu.store_nd %v, %t{n} : vector<8xi32>, !xegpu.tensor_desc<8xi32>")
    text = kernel_text(", ".join(f"%p{n}: memref<28xi32>" for n in range(count)), "\n".join(body))
    after = run(compile_one(text), *[np.full(28, -1, np.int32) for _ in range(count)])
    for n, array in enumerate(after):
        assert array.tolist() == [-1] * n + [*range(8)] + [-1] * (20 - n)


# Bounds --------------------------------------------------------------------------------------------------------------


def check_bounds(text: str, target: Target, element: str, length: int, extent: int, *starts: int) -> None:
    """Runs a kernel that copies `length` elements of `%a` at `%i` to `%b` and to the same place of `%c`."""
    kernel = compile_one(text, target)
    a = random_array(np.random.default_rng(5), extent, element)
    for start in starts:
        inside = [at for at in range(start, start + length) if 0 <= at < extent]
        loaded, stored = np.zeros(length, a.dtype), np.ones_like(a)
        for at in inside:
            loaded[at - start] = stored[at] = a[at]
        sizes = [extent] if len(kernel.facts.arguments) > 4 else []
        arrays = a, *sizes, np.ones(length, a.dtype), np.ones_like(a), *sizes
        _, b, c = run(kernel, *arrays, start, target=target)
        assert (b.tobytes(), c.tobytes()) == (loaded.tobytes(), stored.tobytes()), start


def bounds_text(element: str, length: int, extent: int | str, index: str) -> str:
    """Copies through the descriptor of a block that starts at `%i`, which `index` computes, perhaps from `%i`."""
    memref, desc = f"memref<{extent}x{element}>", f"!xegpu.tensor_desc<{length}x{element}>"
    return kernel_text(
        f"%a: {memref}, %b: memref<{length}x{element}>, %c: {memref}, %i: index",
        f"{index}\n%t = xegpu.create_nd_tdesc %a[%s] : {memref} -> {desc}\n"
        f"%u = xegpu.create_nd_tdesc %c[%s] : {memref} -> {desc}\n"
        f"%o = xegpu.create_nd_tdesc %b[0] : memref<{length}x{element}> -> {desc}\n"
        f"xegpu.prefetch_nd %t : {desc}\n%v = xegpu.load_nd %t : {desc} -> vector<{length}x{element}>\n"
        f"xegpu.store_nd %v, %o : vector<{length}x{element}>, {desc}\n"
        f"xegpu.store_nd %v, %u : vector<{length}x{element}>, {desc}",
    )


@pytest.mark.parametrize("target", [PVC, ARC], ids=["pvc", "arc"])
@pytest.mark.parametrize(("element", "length", "extent"), [("f32", 16, 20), ("i8", 33, 61), ("i64", 12, 20)])
def test_blocks_that_leave_their_line(element: str, length: int, extent: int, target: Target) -> None:
    copied = "%z = arith.constant 0 : index\n%s = arith.addi %i, %z : index"
    for sizes in (extent, "?"):
        text = bounds_text(element, length, sizes, copied)
        check_bounds(text, target, element, length, extent, 3, extent - 5, extent, -length + 2, -length, 1 << 40)


@pytest.mark.parametrize("target", [PVC, ARC], ids=["pvc", "arc"])
@pytest.mark.parametrize(("element", "length"), [("f32", 40), ("f16", 24), ("i8", 7)])
def test_blocks_that_are_inside_or_outside_as_a_whole(element: str, length: int, target: Target) -> None:
    index = f"%n = arith.constant {length} : index\n%q = arith.divsi %i, %n : index\n%s = arith.muli %q, %n : index"
    text = bounds_text(element, length, 3 * length, index)
    check_bounds(text, target, element, length, 3 * length, *(length * n for n in (0, 2, 3, -1, 1 << 33)))


@pytest.mark.parametrize("target", [PVC, ARC], ids=["pvc", "arc"])
def test_blocks_that_loops_move_out_of_their_line(target: Target) -> None:
    desc = "!xegpu.tensor_desc<16xf32>"
    text = kernel_text(
        "%a: memref<40xf32>, %b: memref<64xf32>, %c: memref<40xf32>, %i: index",
        "%z = arith.constant 0 : index\n%one = arith.constant 1 : index\n"
        f"%t = xegpu.create_nd_tdesc %a[0] : memref<40xf32> -> {desc}\n"
        f"%o = xegpu.create_nd_tdesc %b[0] : memref<64xf32> -> {desc}\n"
        f"scf.for %n = %z to %i step %one iter_args(%x = %t, %y = %o) -> ({desc}, {desc}) {{\n"
        f"%v = xegpu.load_nd %x : {desc} -> vector<16xf32>\nxegpu.store_nd %v, %y : vector<16xf32>, {desc}\n"
        f"%x1 = xegpu.update_nd_offset %x, [16] : {desc}\n%y1 = xegpu.update_nd_offset %y, [16] : {desc}\n"
        f"scf.yield %x1, %y1 : {desc}, {desc}\n}}",
    )
    a = random_array(np.random.default_rng(5), 40, "f32")
    result = run(compile_one(text, target), a, np.ones(64, np.float32), a, 4, target=target)[1]
    assert result.tobytes() == np.concatenate([a, np.zeros(24, np.float32)]).tobytes()


@pytest.mark.parametrize("target", [PVC, ARC], ids=["pvc", "arc"])
@pytest.mark.parametrize(
    ("memref", "sizes", "pitch"),
    [
        ("memref<5x12xf32>", [], 12),
        ("memref<?x12xf32>", [5], 12),
        ("memref<?x?xf32>", [5, 12], 12),
        ("memref<5x12xf32, strided<[20, 1]>>", [], 20),
    ],
)
@pytest.mark.parametrize("length", [12, 20])
def test_blocks_go_on_from_row_to_row(memref: str, sizes: list[int], pitch: int, length: int, target: Target) -> None:
    """Bounds are those of the memory, up to its last element: a block reads the next row, and may be moved there."""
    desc = f"!xegpu.tensor_desc<{length}xf32>"
    text = kernel_text(
        f"%a: {memref}, %b: memref<{2 * length}xf32>, %c: {memref}, %i: index, %j: index",
        f"%t = xegpu.create_nd_tdesc %a[%i, %j] : {memref} -> {desc}\n"
        f"%s = xegpu.create_nd_tdesc %a[0, %j] : {memref} -> {desc}\n%n = arith.constant {pitch} : index\n"
        f"%far = arith.muli %i, %n : index\n%u = xegpu.update_nd_offset %s, [%far] : {desc}\n"
        f"%o = xegpu.create_nd_tdesc %b[0] : memref<{2 * length}xf32> -> {desc}\n"
        f"%p = xegpu.create_nd_tdesc %b[{length}] : memref<{2 * length}xf32> -> {desc}\n"
        f"%w = xegpu.create_nd_tdesc %c[%i, %j] : {memref} -> {desc}\n"
        f"%v = xegpu.load_nd %t : {desc} -> vector<{length}xf32>\n"
        f"xegpu.store_nd %v, %o : vector<{length}xf32>, {desc}\n"
        f"xegpu.store_nd %v, %w : vector<{length}xf32>, {desc}\n"
        f"%x = xegpu.load_nd %u : {desc} -> vector<{length}xf32>\n"
        f"xegpu.store_nd %x, %p : vector<{length}xf32>, {desc}",
    )
    kernel, end = compile_one(text, target), 4 * pitch + 12
    a = random_array(np.random.default_rng(5), 200, "f32")
    for row, column in ((0, 0), (1, 0), (2, 7), (4, 0), (4, 8), (0, -3)):
        places = np.arange(length) + row * pitch + column
        inside = places[(places >= 0) & (places < end)]
        loaded, stored = np.where((places >= 0) & (places < end), a[places], np.float32(0)), np.ones_like(a)
        stored[inside] = a[inside]
        arrays = a, *sizes, np.ones(2 * length, np.float32), np.ones_like(a), *sizes
        _, b, c = run(kernel, *arrays, row, column, target=target)
        assert b.tobytes() == 2 * loaded.tobytes(), (row, column)
        assert c.tobytes() == stored.tobytes(), (row, column)


def test_rows_in_reverse_have_no_bounds() -> None:
    memref, desc = "memref<5x16xf32, strided<[-16, 1], offset: 64>>", "!xegpu.tensor_desc<16xf32>"
    text = kernel_text(
        "%a: memref<80xf32>, %b: memref<16xf32>, %i: index, %j: index",
        "%m = memref.reinterpret_cast %a to offset: [64], sizes: [5, 16], strides: [-16, 1] : memref<80xf32> to "
        f"{memref}\n%t = xegpu.create_nd_tdesc %m[%i, %j] : {memref} -> {desc}\n"
        f"%o = xegpu.create_nd_tdesc %b[0] : memref<16xf32> -> {desc}\n"
        f"%v = xegpu.load_nd %t : {desc} -> vector<16xf32>\nxegpu.store_nd %v, %o : vector<16xf32>, {desc}",
    )
    a = random_array(np.random.default_rng(5), 80, "f32")
    assert run(compile_one(text), a, np.ones(16, np.float32), 3, 0)[1].tobytes() == a[16:32].tobytes()


def test_blocks_known_to_be_inside_are_not_checked() -> None:
    for index, checks in (("%i", True), ("%c", False)):
        setup = "%m = arith.constant 3 : index\n%c = arith.andi %i, %m : index\n"
        text = copy_text("f32", 16, index, 19).replace("%s =", f"{setup}%s =", 1)
        assert any(i.mnemonic == "cmp" for i in decode_program(compile_one(text).code).instructions) is checks
