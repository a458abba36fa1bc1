"""Vectors in memory: whole, masked and padded, through views, gathered and scattered; in all kernel modes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import DTYPES, Array, random_array
from tests.unit.passes.kernels.vectors import LANES, Buffer, Value, execute
from xegpu.targets import ARC, PVC, Target

Shape = tuple[int, ...]
Inputs = dict[str, Array]
MODES: list[tuple[int, str]] = [(1, ""), (LANES, "ijkxn")]
"""Work-items with their own values, and which values differ between them."""
ALIKE = {"row", "padded", "gathered", "scattered"}
"""Accesses that are also tried in work-items that all do the same."""


@dataclass(frozen=True)
class Access:
    """A load of `%r` from `%b`, or a store of `%x` to it; `%i` and `%j` are places, `%k` is a mask, `%n` indexes."""

    name: str
    text: str
    vector: Shape
    element: str
    buffer: Shape
    load: Callable[[Array, Inputs], Array] | None = None
    store: Callable[[Array, Inputs], None] | None = None
    type: str = ""
    """Type of the buffer, if it is not a plain one."""

    def __str__(self) -> str:
        return self.name


def padded(b: Array, starts: list[Array], shape: Shape, padding: float, mask: Array | None = None) -> Array:
    """Elements from some place on, or the padding where there are none or the mask is false."""
    result = np.full(shape, padding, b.dtype)
    for index in np.ndindex(*shape):
        place = tuple(int(s) + i for s, i in zip(starts, index, strict=True))
        if all(0 <= p < n for p, n in zip(place, b.shape, strict=True)) and (mask is None or mask[index]):
            result[index] = b[place]
    return result


def put(b: Array, starts: list[Array], x: Array, mask: Array | None = None) -> None:
    """Writes elements where they are in the buffer and the mask is true."""
    for index in np.ndindex(*x.shape):
        place = tuple(int(s) + i for s, i in zip(starts, index, strict=True))
        if all(0 <= p < n for p, n in zip(place, b.shape, strict=True)) and (mask is None or mask[index]):
            b[place] = x[index]


LOADS = [
    Access(
        "row",
        "vector.load %b[%i, %j] : memref<12x9xf32>, vector<5xf32>",
        (5,),
        "f32",
        (12, 9),
        lambda b, v: padded(b, [v["i"], v["j"]], (1, 5), 0)[0],
    ),
    Access(
        "narrow-box",
        "vector.load %b[%i, %j] : memref<12x9xf16>, vector<2x3xf16>",
        (2, 3),
        "f16",
        (12, 9),
        lambda b, v: padded(b, [v["i"], v["j"]], (2, 3), 0),
    ),
    Access(
        "bytes",
        "vector.load %b[%i, %j] : memref<12x11xi8>, vector<7xi8>",
        (7,),
        "i8",
        (12, 11),
        lambda b, v: padded(b, [v["i"], v["j"]], (1, 7), 0)[0],
    ),
    Access(
        "whole",
        "vector.load %b[%lane0, %lane0] : memref<4x8xi64>, vector<4x8xi64>",
        (4, 8),
        "i64",
        (4, 8),
        lambda b, v: b,
    ),
    Access(
        "masked",
        "vector.maskedload %b[%i, %j], %k, %x : memref<12x9xi16>, vector<5xi1>, vector<5xi16> into vector<5xi16>",
        (5,),
        "i16",
        (12, 9),
        lambda b, v: np.where(v["k"] != 0, padded(b, [v["i"], v["j"]], (1, 5), 0)[0], v["x"]),
    ),
    Access(
        "padded",
        "vector.transfer_read %b[%i, %j], %p : memref<6x6xf32>, vector<3x5xf32>",
        (3, 5),
        "f32",
        (6, 6),
        lambda b, v: padded(b, [v["i"], v["j"]], (3, 5), 7),
    ),
    Access(
        "promised",
        "vector.transfer_read %b[%i, %j], %p {in_bounds = [true, true]} : memref<12x9xf32>, vector<2x3xf32>",
        (2, 3),
        "f32",
        (12, 9),
        lambda b, v: padded(b, [v["i"], v["j"]], (2, 3), 7),
    ),
    Access(
        "transposed-and-masked",
        "vector.transfer_read %b[%i, %j], %p, %k {permutation_map = affine_map<(a, b) -> (b, a)>} : "
        "memref<6x6xf16>, vector<2x3xf16>",
        (2, 3),
        "f16",
        (6, 6),
        lambda b, v: padded(b, [v["i"], v["j"]], (3, 2), 7, v["k"].reshape(3, 2)).T,
    ),
    Access(
        "column",
        "vector.transfer_read %b[%i, %j], %p {permutation_map = affine_map<(a, b) -> (a)>} : "
        "memref<6x6xi32>, vector<4xi32>",
        (4,),
        "i32",
        (6, 6),
        lambda b, v: padded(b, [v["i"], v["j"]], (4, 1), 7)[:, 0],
    ),
    Access(
        "repeated",
        "vector.transfer_read %b[%i, %j], %p {permutation_map = affine_map<(a, b) -> (0, b)>} : "
        "memref<6x6xi32>, vector<2x4xi32>",
        (2, 4),
        "i32",
        (6, 6),
        lambda b, v: np.repeat(padded(b, [v["i"], v["j"]], (1, 4), 7), 2, axis=0),
    ),
    Access(
        "strided",
        "vector.transfer_read %b[%i, %j], %p : memref<6x4xi32, strided<[9, 2]>>, vector<2x3xi32>",
        (2, 3),
        "i32",
        (6, 9),
        lambda b, v: padded(b[:, :8:2], [v["i"], v["j"]], (2, 3), 7),
        type="memref<6x4xi32, strided<[9, 2]>>",
    ),
    Access(
        "gathered",
        "vector.gather %b[%i, %j] [%n], %k, %x : memref<12x9xf32>, vector<2x3xi32>, vector<2x3xi1>, "
        "vector<2x3xf32> into vector<2x3xf32>",
        (2, 3),
        "f32",
        (12, 9),
        lambda b, v: np.where(v["k"] != 0, b.ravel()[v["i"] * 9 + v["j"] + v["n"]], v["x"]),
    ),
]


def _expanded(b: Array, v: Inputs) -> Array:
    row, chosen = b[int(v["i"]), int(v["j"]) :], v["k"] != 0
    result = v["x"].copy()
    result[chosen] = row[: chosen.sum()]
    return result


def _compress(b: Array, v: Inputs) -> None:
    values = v["x"][v["k"] != 0]
    b[int(v["i"]), int(v["j"]) : int(v["j"]) + len(values)] = values


LOADS.append(
    Access(
        "expanded",
        "vector.expandload %b[%i, %j], %k, %x : memref<12x11xf32>, vector<6xi1>, vector<6xf32> into vector<6xf32>",
        (6,),
        "f32",
        (12, 11),
        _expanded,
    )
)


def _scatter(b: Array, v: Inputs) -> None:
    for n, k, x in zip(v["n"].ravel(), v["k"].ravel(), v["x"].ravel(), strict=True):
        if k:
            b.ravel()[v["i"] * b.shape[1] + v["j"] + n] = x


STORES = [
    Access(
        "row",
        "vector.store %x, %b[%i, %j] : memref<200x9xf32>, vector<5xf32>",
        (5,),
        "f32",
        (200, 9),
        store=lambda b, v: put(b, [v["i"], v["j"]], v["x"].reshape(1, 5)),
    ),
    Access(
        "narrow-box",
        "vector.store %x, %b[%i, %j] : memref<200x9xi8>, vector<2x3xi8>",
        (2, 3),
        "i8",
        (200, 9),
        store=lambda b, v: put(b, [v["i"], v["j"]], v["x"]),
    ),
    Access(
        "masked",
        "vector.maskedstore %b[%i, %j], %k, %x : memref<200x9xf16>, vector<5xi1>, vector<5xf16>",
        (5,),
        "f16",
        (200, 9),
        store=lambda b, v: put(b, [v["i"], v["j"]], v["x"].reshape(1, 5), v["k"].reshape(1, 5)),
    ),
    Access(
        "transfer",
        "vector.transfer_write %x, %b[%i, %j] : vector<3x5xi16>, memref<197x9xi16>",
        (3, 5),
        "i16",
        (197, 9),
        store=lambda b, v: put(b, [v["i"], v["j"]], v["x"]),
    ),
    Access(
        "transposed",
        "vector.transfer_write %x, %b[%i, %j], %k {permutation_map = affine_map<(a, b) -> (b, a)>, "
        "in_bounds = [true, true]} : vector<2x3xi64>, memref<200x9xi64>",
        (2, 3),
        "i64",
        (200, 9),
        store=lambda b, v: put(b, [v["i"], v["j"]], v["x"].T, v["k"].reshape(3, 2)),
    ),
    Access(
        "scattered",
        "vector.scatter %b[%i, %j] [%n], %k, %x : memref<200x9xf32>, vector<2x3xi32>, vector<2x3xi1>, vector<2x3xf32>",
        (2, 3),
        "f32",
        (200, 9),
        store=_scatter,
    ),
    Access(
        "compressed",
        "vector.compressstore %b[%i, %j], %k, %x : memref<200x11xi16>, vector<6xi1>, vector<6xi16>",
        (6,),
        "i16",
        (200, 11),
        store=_compress,
    ),
]


def _inputs(access: Access, lanes: int) -> list[tuple[Value, Array]]:
    rng = np.random.default_rng(4)
    count = int(np.prod(access.vector))
    mask = access.vector[::-1] if "-> (b, a)" in access.text else access.vector
    rows = np.arange(lanes) * 12 if access.store is not None else rng.integers(0, 5, lanes)
    return [
        (Value("i", (), "index"), rows.reshape(1, lanes)),
        (Value("j", (), "index"), rng.integers(0, 5, (1, lanes))),
        (Value("k", mask, "i1"), rng.integers(0, 2, (count, lanes)).astype(np.int8)),
        (Value("x", access.vector, access.element), random_array(rng, (count, lanes), access.element)),
        (Value("n", access.vector, "i32"), np.array([rng.permutation(count) for _ in range(lanes)], np.int32).T),
    ]


def _buffer(access: Access) -> Buffer:
    plain = f"memref<{'x'.join(map(str, (*access.buffer, access.element)))}>"
    data = random_array(np.random.default_rng(5), access.buffer, access.element)
    return Buffer("b", access.type or plain, data)


def cases(accesses: list[Access]) -> list[tuple[Access, int, str]]:
    return [(a, *mode) for a in accesses for mode in (*MODES, (LANES, "")) if mode in MODES or a.name in ALIKE]


def check_load(access: Access, lanes: int, divergent: str, target: Target = PVC) -> None:
    result, padding = Value("r", access.vector, access.element), "7.0" if "f" in access.element else "7"
    body = f"%p = arith.constant {padding} : {access.element}\n%r = {access.text}"
    inputs, buffer = _inputs(access, lanes), _buffer(access)
    names = [value.name for value, _ in inputs]
    outcomes, _ = execute(inputs, body, [result], lanes, divergent, [buffer], target)
    assert access.load is not None
    for own, (got,) in outcomes:
        expected = access.load(buffer.data, dict(zip(names, own, strict=True)))
        assert np.ascontiguousarray(expected).astype(DTYPES[access.element]).tobytes() == got.tobytes()


def check_store(access: Access, lanes: int, divergent: str, target: Target = PVC) -> None:
    inputs, buffer = _inputs(access, lanes), _buffer(access)
    names = [value.name for value, _ in inputs]
    outcomes, (after,) = execute(inputs, access.text, [], lanes, divergent, [buffer], target)
    expected = buffer.data.copy()
    assert access.store is not None
    for own, _ in outcomes:
        access.store(expected, dict(zip(names, own, strict=True)))
    assert after.tobytes() == expected.tobytes()


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize(("access", "lanes", "divergent"), cases(LOADS), ids=str)
def test_loads(access: Access, lanes: int, divergent: str) -> None:
    check_load(access, lanes, divergent)


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(("access", "lanes", "divergent"), cases(STORES), ids=str)
def test_stores(access: Access, lanes: int, divergent: str) -> None:
    check_store(access, lanes, divergent)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(("lanes", "divergent"), MODES)
def test_narrower_registers(lanes: int, divergent: str) -> None:
    for access in LOADS[:2]:
        check_load(access, lanes, divergent, ARC)
    for access in STORES[:2]:
        check_store(access, lanes, divergent, ARC)


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("space", ["private", "shared"])
@pytest.mark.parametrize(("lanes", "divergent"), [(1, ""), (LANES, ""), (LANES, "ix")])
@pytest.mark.parametrize("element", ["f32", "i8"])
def test_memory_of_the_kernel(element: str, lanes: int, divergent: str, space: str) -> None:
    """Rows that are written one by one, read together, transposed and beyond the end."""
    row, box = Value("x", (3,), element), Value("r", (4, 3), element)
    # Work-items have places of their own in shared memory, too, if they write different values.
    own = lanes if space == "shared" and divergent else 1
    allocated = f"memref<{own}x2x3x{element}{', 3' if space == 'shared' else ''}>"
    place = "%lane" if own > 1 else "%o"
    padding, addition = ("9.0", "addf") if element == "f32" else ("9", "addi")
    body = (
        f"%a = memref.{'alloc' if space == 'shared' else 'alloca'}() : {allocated}\n"
        "%o = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
        f"%p = arith.constant {padding} : {element}\n%y = arith.{addition} %x, %x : {row.type}\n"
        f"vector.store %x, %a[{place}, %i, %o] : {allocated}, {row.type}\n%j = arith.subi %c1, %i : index\n"
        f"vector.store %y, %a[{place}, %j, %o] : {allocated}, {row.type}\n"
        f"%r = vector.transfer_read %a[{place}, %o, %o], %p : {allocated}, {box.type}\n"
        f"%t = vector.transfer_read %a[{place}, %o, %o], %p {{permutation_map = affine_map<(a, b, c) -> (c, b)>, "
        f"in_bounds = [true, true]}} : {allocated}, vector<3x2x{element}>\n"
        "%n = arith.constant dense<[5, 0]> : vector<2xi32>\n%k = arith.constant dense<true> : vector<2xi1>\n"
        f"%z = vector.broadcast %p : {element} to vector<2x{element}>\n"
        f"%g = vector.gather %a[{place}, %o, %o] [%n], %k, %z : {allocated}, vector<2xi32>, vector<2xi1>, "
        f"vector<2x{element}> into vector<2x{element}>"
    )
    rng = np.random.default_rng(7)
    inputs = [
        (row, random_array(rng, (3, lanes), element)),
        (Value("i", (), "index"), rng.integers(0, 2, (1, lanes))),
    ]
    outputs = [box, Value("t", (3, 2), element), Value("g", (2,), element)]
    outcomes, _ = execute(inputs, body, outputs, lanes, divergent)
    for (x, i), (read, transposed, gathered) in outcomes:
        expected = np.stack([x, x + x] if i == 0 else [x + x, x])
        assert read[:2].tobytes() == expected.tobytes()
        assert (read[2:] == 9).all()
        assert transposed.tobytes() == np.ascontiguousarray(expected.T).tobytes()
        assert gathered.tolist() == expected.ravel()[[5, 0]].tolist()
