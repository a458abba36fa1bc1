"""Operations that move elements of vectors: in subgroups, and in fragments that each work-item has of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import DTYPES, Array, compile_one, kernel_text, random_array, run
from tests.unit.passes.kernels.vectors import LANES, MODES, WORK_ITEMS, Value, evaluate

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Move:
    """`text` makes `{r}` from `{a}` and `{b}`, vectors of types `{A}` and `{B}`, as a `{R}`; `{e}` is their element."""

    name: str
    text: str
    a: Shape
    result: Shape
    expected: Callable[[Array, Array], Array]
    b: Shape = (1,)

    def __str__(self) -> str:
        return self.name


def slice_text(offsets: list[int], sizes: list[int]) -> str:
    """A slice; braces are doubled for `format`."""
    return (
        f"vector.extract_strided_slice {{a}} {{{{offsets = {offsets}, sizes = {sizes}, "
        f"strides = {[1] * len(offsets)}}}}} : {{A}} to {{R}}"
    )


MOVES = [
    Move("cast-to-flat", "vector.shape_cast {a} : {A} to {R}", (3, 4), (12,), lambda a, b: a.reshape(12)),
    Move("cast-to-3d", "vector.shape_cast {a} : {A} to {R}", (12,), (2, 3, 2), lambda a, b: a.reshape(2, 3, 2)),
    Move("broadcast-row", "vector.broadcast {a} : {A} to {R}", (4,), (3, 4), lambda a, b: np.broadcast_to(a, (3, 4))),
    Move("broadcast-column", "vector.broadcast {a} : {A} to {R}", (3, 1), (3, 4), lambda a, b: np.tile(a, (1, 4))),
    Move("broadcast-one", "vector.broadcast {a} : {A} to {R}", (1,), (2, 3), lambda a, b: np.full((2, 3), a[0])),
    Move("transpose", "vector.transpose {a}, [1, 0] : {A} to {R}", (3, 5), (5, 3), lambda a, b: a.T),
    Move(
        "transpose-3d",
        "vector.transpose {a}, [2, 0, 1] : {A} to {R}",
        (2, 3, 4),
        (4, 2, 3),
        lambda a, b: a.transpose(2, 0, 1),
    ),
    Move("extract-row", "vector.extract {a}[2] : {R} from {A}", (3, 5), (5,), lambda a, b: a[2]),
    Move("extract-plane", "vector.extract {a}[1] : {R} from {A}", (2, 3, 2), (3, 2), lambda a, b: a[1]),
    Move(
        "insert-row",
        "vector.insert {b}, {a}[1] : {B} into {A}",
        (3, 4),
        (3, 4),
        lambda a, b: np.stack([a[0], b, a[2]]),
        (4,),
    ),
    Move("slice", slice_text([1, 2], [2, 3]), (4, 6), (2, 3), lambda a, b: a[1:3, 2:5]),
    Move("slice-odd-start", slice_text([1], [9]), (12,), (9,), lambda a, b: a[1:10]),
    Move("slice-rows", slice_text([2], [2]), (5, 3), (2, 3), lambda a, b: a[2:4]),
    Move(
        "insert-slice",
        "vector.insert_strided_slice {b}, {a} {{offsets = [1, 2], strides = [1, 1]}} : {B} into {A}",
        (4, 6),
        (4, 6),
        lambda a, b: np.block([[a[:1]], [a[1:3, :2], b, a[1:3, 5:]], [a[3:]]]),
        (2, 3),
    ),
    Move(
        "insert-short-slice",
        "vector.insert_strided_slice {b}, {a} {{offsets = [1, 2], strides = [1]}} : {B} into {A}",
        (3, 6),
        (3, 6),
        lambda a, b: np.block([[a[:1]], [a[1:2, :2], b.reshape(1, 3), a[1:2, 5:]], [a[2:]]]),
        (3,),
    ),
    Move(
        "shuffle",
        "vector.shuffle {a}, {b} [6, 0, 5, 5, 1, 8, 2] : {A}, {B}",
        (5,),
        (7,),
        lambda a, b: np.concatenate([a, b])[[6, 0, 5, 5, 1, 8, 2]],
        (4,),
    ),
    Move(
        "shuffle-rows",
        "vector.shuffle {a}, {b} [2, 0, 3] : {A}, {B}",
        (2, 3),
        (3, 3),
        lambda a, b: np.concatenate([a, b])[[2, 0, 3]],
        (2, 3),
    ),
    Move(
        "interleave",
        "vector.interleave {a}, {b} : {A} -> {R}",
        (2, 3),
        (2, 6),
        lambda a, b: np.stack([a, b], axis=-1).reshape(2, 6),
        (2, 3),
    ),
    Move("interleave-flat", "vector.interleave {a}, {a} : {A} -> {R}", (5,), (10,), lambda a, b: np.repeat(a, 2)),
    Move("even", "vector.shuffle {a}, {a} [0, 2, 4, 6] : {A}, {A}", (8,), (4,), lambda a, b: a[::2]),
    Move("reversed", "vector.shuffle {a}, {a} [7, 6, 5, 4, 3, 2, 1, 0] : {A}, {A}", (8,), (8,), lambda a, b: a[::-1]),
]


def vector_type(shape: Shape, element: str) -> str:
    return f"vector<{'x'.join(map(str, (*shape, element)))}>"


def operation_text(move: Move, element: str) -> str:
    return "%r = " + move.text.format(
        a="%a",
        b="%b",
        A=vector_type(move.a, element),
        B=vector_type(move.b, element),
        R=vector_type(move.result, element),
        e=element,
    )


def subgroup_text(move: Move, element: str) -> str:
    """Operands are loaded from `%ma` and `%mb`, the result is stored to `%mr`; all of them flat."""
    lines: list[str] = []
    sizes = {"a": move.a, "b": move.b, "r": move.result}
    for name, shape in sizes.items():
        n = prod(shape)
        memref, desc = f"memref<{n}x{element}>", f"!xegpu.tensor_desc<{n}x{element}>"
        flat, whole = vector_type((n,), element), vector_type(shape, element)
        if name == "r":
            lines.append(operation_text(move, element))
        lines.append(f"%t{name} = xegpu.create_nd_tdesc %m{name}[0] : {memref} -> {desc}")
        if name == "r":
            lines.append(f"%fr = vector.shape_cast %r : {whole} to {flat}")
            lines.append(f"xegpu.store_nd %fr, %tr : {flat}, {desc}")
        else:
            lines.append(f"%f{name} = xegpu.load_nd %t{name} : {desc} -> {flat}")
            lines.append(f"%{name} = vector.shape_cast %f{name} : {flat} to {whole}")
    arguments = ", ".join(f"%m{name}: memref<{prod(shape)}x{element}>" for name, shape in sizes.items())
    return kernel_text(arguments, "\n".join(lines))


def work_item_text(move: Move, element: str, uniform: bool) -> str:
    """Element i of a lane's operand is at [i, lane] of `%ma` and `%mb`; where `uniform`, all lanes take lane 0's."""
    lines = ["%lane = gpu.lane_id"]
    lines.append("%from = arith.constant 0 : index" if uniform else "%from = arith.addi %lane, %zero : index")
    lines.insert(0, "%zero = arith.constant 0 : index")
    sizes = {"a": move.a, "b": move.b, "r": move.result}
    for name in "ab":
        n = prod(sizes[name])
        for i in range(n):
            lines.append(f"%i{name}{i} = arith.constant {i} : index")
            lines.append(f"%e{name}{i} = memref.load %m{name}[%i{name}{i}, %from] : memref<{n}x{LANES}x{element}>")
        elements = ", ".join(f"%e{name}{i}" for i in range(n))
        lines.append(f"%{name} = vector.from_elements {elements} : {vector_type(sizes[name], element)}")
    lines.append(operation_text(move, element))
    n = prod(move.result)
    for i, position in enumerate(np.ndindex(*move.result)):
        place = ", ".join(map(str, position))
        lines.append(f"%ir{i} = arith.constant {i} : index")
        lines.append(f"%er{i} = vector.extract %r[{place}] : {element} from {vector_type(move.result, element)}")
        lines.append(f"memref.store %er{i}, %mr[%ir{i}, %lane] : memref<{n}x{LANES}x{element}>")
    arguments = ", ".join(f"%m{name}: memref<{prod(s)}x{LANES}x{element}>" for name, s in sizes.items())
    return kernel_text(arguments, "\n".join(lines), WORK_ITEMS)


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("element", ["i8", "f16", "f32", "i64"])
@pytest.mark.parametrize("move", MOVES, ids=str)
def test_in_a_subgroup(move: Move, element: str) -> None:
    rng = np.random.default_rng(8)
    a, b = (random_array(rng, prod(shape), element) for shape in (move.a, move.b))
    result = run(compile_one(subgroup_text(move, element)), a, b, np.zeros(prod(move.result), a.dtype))[2]
    expected = move.expected(a.reshape(move.a), b.reshape(move.b))
    assert result.tobytes() == np.ascontiguousarray(expected).tobytes()


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("uniform", [False, True])
@pytest.mark.parametrize(("move", "element"), [(m, e) for i, m in enumerate(MOVES) for e in (["f16", "i32"][i % 2],)])
def test_in_fragments(move: Move, element: str, uniform: bool) -> None:
    rng = np.random.default_rng(8)
    a, b = (random_array(rng, (prod(shape), LANES), element) for shape in (move.a, move.b))
    kernel = compile_one(work_item_text(move, element, uniform))
    assert kernel.facts.simd_size == LANES
    result = run(kernel, a, b, np.zeros((prod(move.result), LANES), a.dtype))[2]
    for lane in range(LANES):
        origin = 0 if uniform else lane
        expected = move.expected(a[:, origin].reshape(move.a), b[:, origin].reshape(move.b))
        assert result[:, lane].tobytes() == np.ascontiguousarray(expected).tobytes(), lane


@pytest.mark.parametrize("lanes", MODES)
def test_vectors_taken_apart(lanes: int) -> None:
    vector = Value("v", (2, 4), "f16")
    body = (
        "%r, %s = vector.deinterleave %v : vector<2x4xf16> -> vector<2x2xf16>\n"
        "%w:8 = vector.to_elements %v : vector<2x4xf16>\n%x = arith.negf %w#5 : f16"
    )
    outputs = [Value("r", (2, 2), "f16"), Value("s", (2, 2), "f16"), Value("x", (), "f16")]
    values = np.arange(8 * lanes, dtype=np.float16).reshape(8, lanes)
    for (old,), (even, odd, one) in evaluate([(vector, values)], body, outputs, lanes, "v"):
        assert even.tolist() == old[:, ::2].tolist()
        assert odd.tolist() == old[:, 1::2].tolist()
        assert one == -old[1, 1]


STORE = "%o = xegpu.create_nd_tdesc %b[0] : memref<{n}x{e}> -> !xegpu.tensor_desc<{n}x{e}>\n"
STORE += "xegpu.store_nd %v, %o : vector<{n}x{e}>, !xegpu.tensor_desc<{n}x{e}>"


def value_of(body: str, count: int, element: str, arguments: str = "", *values: np.generic | int) -> Array:
    """The vector `%v` that a kernel computes."""
    text = kernel_text(f"%b: memref<{count}x{element}>{arguments}", f"{body}\n{STORE.format(n=count, e=element)}")
    return run(compile_one(text), np.zeros(count, DTYPES[element]), *values)[0]


def test_constants() -> None:
    for element, values in (("f32", [1.5, -0.0, 3.25e10]), ("i8", [-128, 127, 5]), ("bf16", [1.0, -2.0, 0.5])):
        body = f"%v = arith.constant dense<{values}> : vector<3x{element}>"
        assert value_of(body, 3, element).tobytes() == np.array(values).astype(DTYPES[element]).tobytes()
    assert value_of("%v = arith.constant dense<0x7FC00001> : vector<5xf32>", 5, "f32").view(np.uint32)[4] & 0x7FC00000


def test_constants_that_are_equal_as_numbers_keep_their_signs() -> None:
    body = "%p = arith.constant 0.0 : f32\n%n = arith.constant -0.0 : f32\n"
    body += "%v = vector.from_elements %p, %n, %n, %p : vector<4xf32>"
    assert np.signbit(value_of(body, 4, "f32")).tolist() == [False, True, True, False]


def test_elements_from_constants_and_values() -> None:
    body = "%c = arith.constant 7 : i32\n%d = arith.constant 9 : i32\n"
    body += (
        "%u = vector.from_elements %c, %d, %x, %c : vector<4xi32>\n%w = arith.constant dense<[1, 2]> : vector<2xi32>"
    )
    body += (
        "\n%v = vector.insert_strided_slice %w, %u {offsets = [2], strides = [1]} : vector<2xi32> into vector<4xi32>"
    )
    assert value_of(body, 4, "i32", ", %x: i32", 5).tolist() == [7, 9, 1, 2]


def test_rearranged_constants_of_two_values() -> None:
    body = "%c = arith.constant dense<1> : vector<2xi32>\n%d = arith.constant dense<2> : vector<2xi32>\n"
    body += "%v = vector.shuffle %c, %d [0, 2, 3, 1] : vector<2xi32>, vector<2xi32>"
    assert value_of(body, 4, "i32").tolist() == [1, 2, 2, 1]


@pytest.mark.parametrize(("origin", "element", "count"), [("i32", "i8", 12), ("f32", "f16", 6), ("i8", "f32", 3)])
def test_bitcast(origin: str, element: str, count: int) -> None:
    size = DTYPES[origin].itemsize
    length = count * DTYPES[element].itemsize // size
    source, target = f"vector<{length}x{origin}>", f"vector<{count}x{element}>"
    pattern = np.arange(length * size, dtype=np.uint8) + 1
    values = ", ".join(f"{v}" for v in pattern.view(f"i{size}").tolist())
    body = f"%c = arith.constant dense<[{values}]> : vector<{length}xi{8 * size}>\n"
    if origin[0] == "f":
        body += f"%k = arith.bitcast %c : vector<{length}xi{8 * size}> to {source}\n"
    body += f"%v = vector.bitcast %{'k' if origin[0] == 'f' else 'c'} : {source} to {target}"
    assert value_of(body, count, element).tobytes() == pattern.tobytes()


def test_bitcasts_of_a_lanes_vectors() -> None:
    """Elements of other sizes stay in their lane."""
    body = """%l = gpu.lane_id
%c0 = arith.constant 0 : index
%v = vector.load %x[%l, %c0] : memref<16x4xf32>, vector<4xf32>
%h = vector.bitcast %v : vector<4xf32> to vector<8xf16>
vector.store %h, %y[%l, %c0] : memref<16x8xf16>, vector<8xf16>
%b = vector.bitcast %h : vector<8xf16> to vector<16xi8>
%w = vector.bitcast %b : vector<16xi8> to vector<4xf32>
vector.store %w, %z[%l, %c0] : memref<16x4xf32>, vector<4xf32>"""
    text = kernel_text("%x: memref<16x4xf32>, %y: memref<16x8xf16>, %z: memref<16x4xf32>", body, WORK_ITEMS)
    x = random_array(np.random.default_rng(3), (16, 4), "f32")
    _, y, z = run(compile_one(text), x, np.zeros((16, 8), np.float16), np.zeros_like(x), local=(16, 1, 1))
    assert y.tobytes() == x.tobytes()
    assert z.tobytes() == x.tobytes()


def test_extraction_at_a_constant_index() -> None:
    body = "%i = arith.constant 2 : index\n%c = arith.constant dense<[4, 5, 6]> : vector<3xi32>\n"
    body += "%s = vector.extract %c[%i] : i32 from vector<3xi32>\n%v = vector.broadcast %s : i32 to vector<5xi32>"
    assert value_of(body, 5, "i32").tolist() == [6] * 5


def test_vector_of_rank_zero() -> None:
    body = "%z = vector.broadcast %x : f32 to vector<f32>\n%w = arith.addf %z, %z : vector<f32>\n"
    body += "%s = vector.extract %w[] : f32 from vector<f32>\n%v = vector.broadcast %s : f32 to vector<3xf32>"
    assert value_of(body, 3, "f32", ", %x: f32", np.float32(1.5)).tolist() == [3.0] * 3


@pytest.mark.parametrize(("start", "value"), [(8, 1.0), (20, 0.0)])
def test_selection_by_a_part_of_a_comparison(start: int, value: float) -> None:
    """A comparison is compared again where its outcome chooses: not where only a part of it does."""
    body = "%x = arith.constant dense<[" + ", ".join(f"{i}.0" for i in range(32)) + "]> : vector<32xf32>\n"
    body += "%l = arith.constant dense<18.0> : vector<32xf32>\n%p = arith.cmpf olt, %x, %l : vector<32xf32>\n"
    body += "%y = arith.constant dense<1.0> : vector<6xf32>\n%z = arith.constant dense<0.0> : vector<6xf32>\n"
    part = f"%q = vector.extract_strided_slice %p {{offsets = [{start}], sizes = [6], strides = [1]}}"
    chosen = f"{body}{part} : vector<32xi1> to vector<6xi1>\n"
    chosen += "%v = arith.select %q, %y, %z : vector<6xi1>, vector<6xf32>"
    assert value_of(chosen, 6, "f32").tolist() == [value] * 6
    one = f"{body}%q = vector.extract %p[{start}] : i1 from vector<32xi1>\n"
    one += "%v = arith.select %q, %y, %z : i1, vector<6xf32>"
    assert value_of(one, 6, "f32").tolist() == [value] * 6


def test_choice_of_a_vector_by_each_work_item() -> None:
    text = kernel_text(
        f"%m: memref<2x{LANES}xi32>",
        "%lane = gpu.lane_id\n%c5 = arith.constant 5 : index\n%p = arith.cmpi ult, %lane, %c5 : index\n"
        "%i = arith.index_cast %lane : index to i32\n%a = vector.from_elements %i, %i : vector<2xi32>\n"
        "%b = arith.constant dense<[100, 200]> : vector<2xi32>\n"
        "%s = arith.select %p, %a, %b : i1, vector<2xi32>\n"
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
        "%x = vector.extract %s[0] : i32 from vector<2xi32>\n%y = vector.extract %s[1] : i32 from vector<2xi32>\n"
        f"memref.store %x, %m[%c0, %lane] : memref<2x{LANES}xi32>\n"
        f"memref.store %y, %m[%c1, %lane] : memref<2x{LANES}xi32>",
        WORK_ITEMS,
    )
    result = run(compile_one(text), np.zeros((2, LANES), np.int32))[0]
    assert result.tolist() == [[0, 1, 2, 3, 4] + [100] * 11, [0, 1, 2, 3, 4] + [200] * 11]


def test_tf32_is_rounded() -> None:
    """Conversions and arithmetic leave 11 significant bits."""
    x = np.float32(1 / 3)
    body = "%t = arith.truncf %x : f32 to tf32\n%u = arith.addf %t, %t : tf32\n%w = arith.mulf %t, %t : tf32\n"
    body += "%c = arith.constant 0.1 : tf32\n"
    body += "".join(f"%{n}f = arith.extf %{n} : tf32 to f32\n" for n in "tuwc")
    body += "%v = vector.from_elements %tf, %uf, %wf, %cf : vector<4xf32>"
    result = value_of(body, 4, "f32", ", %x: f32", x)
    assert not (result.view(np.uint32) & 0x1FFF).any()
    third = result[0]
    assert abs(float(third) - 1 / 3) < 2.0**-12 / 3
    np.testing.assert_allclose(result, [third, third * 2, float(third) ** 2, 0.1], rtol=2.0**-11)
