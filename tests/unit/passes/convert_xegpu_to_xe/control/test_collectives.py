"""Shuffles and reductions of subgroups, work-groups and vectors against numpy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import (
    DTYPES,
    Argument,
    Array,
    compile_one,
    kernel_text,
    random_array,
    refusal,
    run,
)
from xegpu.targets import ARC, PVC, Feature, Target

SOURCES: dict[str, Callable[[int, int], int]] = {
    "xor": lambda lane, offset: lane ^ offset,
    "up": lambda lane, offset: lane - offset,
    "down": lambda lane, offset: lane + offset,
    "idx": lambda lane, offset: offset,
}
SUBGROUPS = [(PVC, 16), (PVC, 32), (ARC, 8)]
MACHINES = pytest.mark.parametrize(("target", "lanes"), SUBGROUPS, ids=[f"{t.name}-{n}" for t, n in SUBGROUPS])
TARGETS = pytest.mark.parametrize("target", [PVC, ARC], ids=["pvc", "arc"])


def mode(lanes: int) -> str:
    return f"spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = {lanes}>"


def shuffle_text(kind: str, element: str, offset: str, width: str, lanes: int) -> str:
    body = f"""
    %i = gpu.thread_id x
    %offset = {offset}
    %width = {width}
    %a = memref.load %x[%i] : memref<64x{element}>
    %r, %ok = gpu.shuffle {kind} %a, %offset, %width : {element}
    memref.store %r, %y[%i] : memref<64x{element}>
    %v = arith.extui %ok : i1 to i32
    memref.store %v, %valid[%i] : memref<64xi32>"""
    arguments = f"%x: memref<64x{element}>, %y: memref<64x{element}>, %valid: memref<64xi32>, %p: i32, %q: i32"
    return kernel_text(arguments, body, mode(lanes))


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("known", [True, False], ids=["constant", "dynamic"])
@pytest.mark.parametrize(
    ("kind", "offset", "part", "element"),
    [("xor", 5, 1, "f32"), ("up", 3, 2, "i8"), ("down", 2, 1, "i64"), ("idx", 6, 1, "f16"), ("idx", 40, 1, "i16")],
)
@MACHINES
def test_shuffles(kind: str, offset: int, part: int, element: str, known: bool, target: Target, lanes: int) -> None:
    """Lanes that get none keep their own, though nobody may rely on that."""
    width = lanes // part
    if known:
        words = f"arith.constant {offset} : i32", f"arith.constant {width} : i32"
    else:
        words = "arith.addi %p, %p : i32", "arith.addi %q, %q : i32"
    x = random_array(np.random.default_rng(9), 64, element)
    kernel = compile_one(shuffle_text(kind, element, *words, lanes), target)
    half = (offset // 2, width // 2)
    distance = offset if known else 2 * half[0]
    outcome = run(kernel, x, np.zeros_like(x), np.zeros(64, np.int32), *half, local=(64, 1, 1), target=target)
    origins = [SOURCES[kind](i % lanes, distance) for i in range(64)]
    found = [x[i - i % lanes + s] if 0 <= s < lanes else x[i] for i, s in enumerate(origins)]
    assert outcome[1].tobytes() == np.array(found, x.dtype).tobytes()
    assert outcome[2].tolist() == [0 <= s < width for s in origins]


def test_shuffle_of_vectors_and_rotation() -> None:
    body = """
    %i = gpu.thread_id x
    %c1 = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    %a = memref.load %x[%i] : memref<16xf32>
    %b = arith.negf %a : f32
    %v = vector.from_elements %a, %b : vector<2xf32>
    %r, %ok = gpu.shuffle xor %v, %c1, %c16 : vector<2xf32>
    %e = vector.extract %r[1] : f32 from vector<2xf32>
    memref.store %e, %y[%i] : memref<16xf32>
    %w, %in = gpu.rotate %a, 3, 8 : f32
    memref.store %w, %z[%i] : memref<16xf32>"""
    x = random_array(np.random.default_rng(10), 16, "f32")
    kernel = compile_one(kernel_text("%x: memref<16xf32>, %y: memref<16xf32>, %z: memref<16xf32>", body, mode(16)))
    _, y, z = run(kernel, x, np.zeros_like(x), np.zeros_like(x))
    assert (y == -x[np.arange(16) ^ 1]).all()
    assert (z == np.concatenate([np.roll(x[:8], -3), x[8:]])).all()


def reduction_text(reduction: str, element: str, items: int, attributes: str) -> str:
    body = f"""
    %i = gpu.global_id x
    %a = memref.load %x[%i] : memref<{items}x{element}>
    %r = {reduction} : ({element}) -> {element}
    memref.store %r, %y[%i] : memref<{items}x{element}>"""
    return kernel_text(f"%x: memref<{items}x{element}>, %y: memref<{items}x{element}>", body, attributes)


REDUCTIONS: dict[str, Callable[[Array], Array]] = {
    "add": np.add.reduce,
    "mul": np.multiply.reduce,
    "maxsi": np.maximum.reduce,
    "minsi": np.minimum.reduce,
    "and": np.bitwise_and.reduce,
    "or": np.bitwise_or.reduce,
    "xor": np.bitwise_xor.reduce,
    "maximumf": np.maximum.reduce,
    "minnumf": np.fmin.reduce,
}
CASES = [("add", "i32"), ("add", "f32"), ("mul", "i64"), ("maxsi", "i16"), ("minsi", "i8"), ("and", "i32")]
CASES += [("or", "i64"), ("xor", "i8"), ("maximumf", "bf16"), ("minnumf", "f16")]


def inputs(kind: str, element: str, items: int) -> Array:
    """Numbers whose sums are exact in any order."""
    rng = np.random.default_rng(items)
    if kind == "add":
        return rng.integers(-9, 9, items).astype(DTYPES[element])
    return random_array(rng, items, element)


@pytest.mark.parametrize(("kind", "element", "target"), [*((*c, PVC) for c in CASES), *((*c, ARC) for c in CASES[1:4])])
def test_subgroups(kind: str, element: str, target: Target) -> None:
    """The lanes that are on take part: the last subgroup is not full."""
    lanes = target.platform.subgroup_size
    items = 2 * lanes + 5
    x = inputs(kind, element, items)
    kernel = compile_one(reduction_text(f"gpu.subgroup_reduce {kind} %a", element, items, mode(lanes)), target)
    y = run(kernel, x, np.zeros_like(x), local=(items, 1, 1), target=target)[1]
    parts = [x[start : start + lanes] for start in range(0, items, lanes)]
    expected = np.concatenate([np.full(len(part), REDUCTIONS[kind](part), x.dtype) for part in parts])
    assert y.tobytes() == expected.tobytes()


@TARGETS
def test_clusters(target: Target) -> None:
    x = inputs("add", "i32", 32)
    text = reduction_text(
        "gpu.subgroup_reduce add %a cluster(size = 4, stride = 2)", "i32", 32, mode(target.platform.subgroup_size)
    )
    y = run(compile_one(text, target), x, np.zeros_like(x), local=(32, 1, 1), target=target)[1]
    assert y.tolist() == [sum(x[(i & ~6) | (k << 1)] for k in range(4)) for i in range(32)]


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(("kind", "element"), CASES[1:5])
@pytest.mark.parametrize("whole", [False, True], ids=["work-items", "subgroups"])
@TARGETS
def test_work_groups(kind: str, element: str, whole: bool, target: Target) -> None:
    """Two groups, each with a result of its own."""
    items = 53
    x = inputs(kind, element, 2 * items)
    attributes = "VectorComputeFunctionINTEL" if whole else mode(target.platform.subgroup_size)
    text = reduction_text(f"gpu.all_reduce {kind} %a uniform {{}}", element, 2 * items, attributes)
    kernel = compile_one(text, target)
    arguments: list[Argument] = [x, np.zeros_like(x)]
    y = run(kernel, *arguments, groups=(2, 1, 1), local=(items, 1, 1), target=target)[1]
    expected = np.concatenate([np.full(items, REDUCTIONS[kind](part), x.dtype) for part in np.split(x, 2)])
    assert y.tobytes() == expected.tobytes()


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(("kind", "element"), [*CASES, ("maxui", "i16"), ("minui", "i32"), ("maxnumf", "f32")])
def test_vectors(kind: str, element: str) -> None:
    """All elements of a vector of an odd length, and those of each column of a matrix."""
    body = f"""
    %c0 = arith.constant 0 : index
    %t = xegpu.create_nd_tdesc %x[0] : memref<60x{element}> -> !xegpu.tensor_desc<60x{element}>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<60x{element}> -> vector<60x{element}>
    %start = vector.extract %v[0] : {element} from vector<60x{element}>
    %r = vector.reduction <{kind}>, %v, %start : vector<60x{element}> into {element}
    memref.store %r, %y[%c0] : memref<1x{element}>
    %m = vector.shape_cast %v : vector<60x{element}> to vector<5x12x{element}>
    %first = vector.extract %m[0] : vector<12x{element}> from vector<5x12x{element}>
    %s = vector.multi_reduction <{kind}>, %m, %first [0] : vector<5x12x{element}> to vector<12x{element}>
    %u = xegpu.create_nd_tdesc %z[0] : memref<12x{element}> -> !xegpu.tensor_desc<12x{element}>
    xegpu.store_nd %s, %u : vector<12x{element}>, !xegpu.tensor_desc<12x{element}>"""
    arguments = f"%x: memref<60x{element}>, %y: memref<1x{element}>, %z: memref<12x{element}>"
    x = inputs(kind, element, 60)
    ufuncs: dict[str, Callable[[Array], Array]] = {
        **REDUCTIONS,
        "maxnumf": np.fmax.reduce,
        "maxui": np.maximum.reduce,
        "minui": np.minimum.reduce,
    }
    view = x.view(f"u{x.itemsize}") if kind.endswith("ui") else x
    _, y, z = run(compile_one(kernel_text(arguments, body)), x, x[:1], x[:12])
    reduce = ufuncs[kind]
    assert y.tobytes() == np.array([reduce(np.array([reduce(view), view[0]]))], view.dtype).tobytes()
    rows = view.reshape(5, 12)
    expected = [reduce(np.array([*rows[:, column], rows[0, column]])) for column in range(12)]
    assert z.tobytes() == np.array(expected, view.dtype).tobytes()


def test_refusals() -> None:
    whole = "VectorComputeFunctionINTEL"
    assert "has no meaning in a kernel that works on whole subgroups" in refusal(
        reduction_text("gpu.subgroup_reduce add %a", "i32", 16, whole)
    )
    assert "has clusters of 16 lanes, 2 apart, in a kernel with subgroups of 16" in refusal(
        reduction_text("gpu.subgroup_reduce add %a cluster(size = 16, stride = 2)", "i32", 16, mode(16))
    )


def test_work_items_that_take_part() -> None:
    """In one side of a condition, these are the ones that went there."""
    body = """
    %i = gpu.thread_id x
    %c5 = arith.constant 5 : index
    %one = arith.constant 1 : i32
    %some = arith.cmpi ult, %i, %c5 : index
    scf.if %some {
      %r = gpu.subgroup_reduce add %one : (i32) -> i32
      memref.store %r, %y[%i] : memref<16xi32>
    }"""
    kernel = compile_one(kernel_text("%y: memref<16xi32>", body, mode(16)))
    assert run(kernel, np.zeros(16, np.int32))[0].tolist() == [5] * 5 + [0] * 11


BROADCASTS = [
    (target, lanes, element)
    for target, lanes in SUBGROUPS
    for element in ("f32", "i8", "f64", "vector<3xf16>")
    if element != "f64" or target.platform.has(Feature.FP64)
]


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("lane", ["constant", "dynamic", "first"])
@pytest.mark.parametrize(
    ("target", "lanes", "element"), BROADCASTS, ids=[f"{t.name}-{n}-{e}" for t, n, e in BROADCASTS]
)
def test_broadcasts_of_a_lane(element: str, lane: str, target: Target, lanes: int) -> None:
    """Among the lanes that take part: those of even number from the fourth on; the result is uniform."""
    count, scalar = (3, "f16") if element.startswith("vector") else (1, element)
    memref = f"memref<64x{count}x{scalar}>"
    kind = "first_active_lane" if lane == "first" else "specific_lane %lane"
    number = "arith.constant 6 : i32" if lane == "constant" else "arith.addi %p, %p : i32"
    load = "vector.load" if count > 1 else "memref.load"
    suffix = f"{memref}, {element}" if count > 1 else memref
    body = f"""
    %i = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %lane = {number}
    %a = {load} %x[%i, %c0] : {suffix}
    %own = gpu.lane_id
    %odd = arith.andi %own, %c1 : index
    %even = arith.cmpi eq, %odd, %c0 : index
    %late = arith.cmpi uge, %own, %c4 : index
    %on = arith.andi %even, %late : i1
    scf.if %on {{
      %r = gpu.subgroup_broadcast %a, {kind} : {element}
      {load.replace("load", "store")} %r, %y[%i, %c0] : {suffix}
    }}"""
    x = random_array(np.random.default_rng(9), (64, count), scalar)
    kernel = compile_one(kernel_text(f"%x: {memref}, %y: {memref}, %p: i32", body, mode(lanes)), target)
    result = run(kernel, x, np.zeros_like(x), 3, local=(64, 1, 1), target=target)[1]
    expected = np.zeros_like(x)
    for item in range(64):
        if item % lanes >= 4 and item % 2 == 0:
            expected[item] = x[item // lanes * lanes + (4 if lane == "first" else 6)]
    assert result.tobytes() == expected.tobytes()


def test_broadcasts_need_lanes() -> None:
    body = "%r = gpu.subgroup_broadcast %s, first_active_lane : f32\nmemref.store %r, %m[] : memref<f32>"
    assert "'gpu.subgroup_broadcast' op has no meaning in a kernel that works on whole subgroups" in refusal(
        kernel_text("%m: memref<f32>, %s: f32", body)
    )


REGIONS = {
    "i32": ("%s = arith.muli %p, %q : i32", np.multiply.reduce),
    "i16": (
        "%c = arith.cmpi slt, %p, %q : i16\n%m = arith.select %c, %q, %p : i16\n%z = arith.constant 0 : i16\n"
        "%s = arith.addi %m, %z : i16",
        np.max,
    ),
    "f64": ("%s = arith.minimumf %p, %q : f64", np.min),
}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("element", REGIONS)
@pytest.mark.parametrize("whole", [False, True], ids=["work-items", "subgroups"])
@pytest.mark.parametrize("items", [1, 5, 53])
def test_reductions_by_a_region(element: str, whole: bool, items: int) -> None:
    """Two groups, whose last subgroup is not full; there is no neutral element for lanes without a work-item."""
    body, reduce = REGIONS[element]
    x = inputs("mul", element, 2 * items) if element == "i32" else inputs("add", element, 2 * items)
    region = f"gpu.all_reduce %a {{\n^bb0(%p: {element}, %q: {element}):\n{body}\ngpu.yield %s : {element}\n}}"
    text = reduction_text(region, element, 2 * items, "VectorComputeFunctionINTEL" if whole else mode(16))
    y = run(compile_one(text), x, np.zeros_like(x), groups=(2, 1, 1), local=(items, 1, 1))[1]
    expected = np.concatenate([np.full(items, reduce(part), x.dtype) for part in np.split(x, 2)])
    assert y.tobytes() == expected.tobytes()


@pytest.mark.parametrize("element", ["i8", "i32", "i64"])
@MACHINES
def test_ballots(element: str, target: Target, lanes: int) -> None:
    """A lane of which the predicate holds has a bit; lanes that do not take part have none."""
    body = f"""
    %i = gpu.thread_id x
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %a = memref.load %x[%i] : memref<64xi32>
    %takes = arith.cmpi sge, %a, %zero : i32
    scf.if %takes {{
      %p = arith.cmpi sgt, %a, %one : i32
      %bits = gpu.ballot %p : {element}
      memref.store %bits, %y[%i] : memref<64x{element}>
    }}"""
    text = kernel_text(f"%x: memref<64xi32>, %y: memref<64x{element}>", body, mode(lanes))
    values = np.random.default_rng(lanes).integers(-1, 4, 64).astype(np.int32)
    dtype = DTYPES[element]
    _, found = run(compile_one(text, target), values, np.full(64, 77, dtype), local=(64, 1, 1), target=target)
    for start in range(0, 64, lanes):
        own = values[start : start + lanes]
        bits = sum(1 << lane for lane, value in enumerate(own.tolist()) if value > 1)
        expected = np.where(own < 0, 77, np.array(bits & (1 << 8 * dtype.itemsize) - 1, np.uint64).astype(dtype))
        np.testing.assert_array_equal(found[start : start + lanes], expected)
