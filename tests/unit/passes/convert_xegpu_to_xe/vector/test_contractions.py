"""Contractions, outer products and scans of vectors, and operations under masks."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import PRECISION, Array, kernel_text, random_array, refusal
from tests.unit.passes.kernels.vectors import LANES, Value, evaluate

MODES: list[tuple[int, str]] = [(1, ""), (LANES, "abc"), (LANES, "b")]
"""Work-items with their own values, and which values differ between them."""
MAPS = "(m, n, k) -> (m, k)", "(m, n, k) -> ({rhs})", "(m, n, k) -> (m, n)"


def contraction(rhs: str, kind: str = "add") -> str:
    """Attributes of a product of matrices; the dimensions of the second one are given."""
    maps = ", ".join(f"affine_map<{m.format(rhs=rhs)}>" for m in MAPS)
    iterators = '["parallel", "parallel", "reduction"]'
    return f"{{indexing_maps = [{maps}], iterator_types = {iterators}, kind = #vector.kind<{kind}>}}"


def values(lanes: int, *operands: Value) -> list[tuple[Value, Array]]:
    rng = np.random.default_rng(6)
    return [(value, random_array(rng, (value.count, lanes), value.element)) for value in operands]


def tolerance(element: str) -> float:
    return 4 * 2.0 ** -PRECISION[element] if element in PRECISION else 0


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize(("lanes", "divergent"), MODES)
@pytest.mark.parametrize(("factor", "result"), [("f16", "f32"), ("bf16", "bf16"), ("i8", "i32"), ("f64", "f64")])
def test_products_of_matrices(factor: str, result: str, lanes: int, divergent: str) -> None:
    a, b, c = Value("a", (2, 3), factor), Value("b", (3, 4), factor), Value("c", (2, 4), result)
    body = (
        f"%bt = vector.transpose %b, [1, 0] : {b.type} to vector<4x3x{factor}>\n"
        f"%r = vector.contract {contraction('k, n')} %a, %b, %c : {a.type}, {b.type} into {c.type}\n"
        f"%s = vector.contract {contraction('n, k')} %a, %bt, %c : {a.type}, vector<4x3x{factor}> into {c.type}"
    )
    outputs = [Value("r", (2, 4), result), Value("s", (2, 4), result)]
    wide = np.float64 if factor in PRECISION else np.int64
    for operands, (plain, transposed) in evaluate(values(lanes, a, b, c), body, outputs, lanes, divergent):
        left, right, start = (v.astype(wide) for v in operands)
        terms = np.abs(start) + np.abs(left) @ np.abs(right)
        difference = np.abs(plain.astype(wide) - (start + left @ right))
        assert (difference <= tolerance(result) * terms).all()
        assert plain.tobytes() == transposed.tobytes()


@pytest.mark.parametrize(("factor", "result"), [("f16", "f32"), ("i8", "i32"), ("f32", "f32")])
def test_products_with_constants(factor: str, result: str) -> None:
    """All elements of a constant are the same, and stand nowhere until they are needed."""
    a, c = Value("a", (2, 3), factor), Value("c", (2, 4), result)
    number = "-2" if factor == "i8" else "-2.0"
    body = (
        f"%b = arith.constant dense<{number}> : vector<3x4x{factor}>\n"
        f"%z = arith.constant dense<{'0' if factor == 'i8' else '0.0'}> : {c.type}\n"
        f"%r = vector.contract {contraction('k, n')} %a, %b, %z : {a.type}, vector<3x4x{factor}> into {c.type}"
    )
    for (left,), (found,) in evaluate(values(1, a), body, [Value("r", (2, 4), result)], 1, ""):
        wide = left.astype(found.dtype)
        np.testing.assert_allclose(found, wide @ np.full((3, 4), -2, found.dtype), rtol=1e-5)


def test_contractions_of_other_shapes() -> None:
    """A product of vectors, one with a batch, and a maximum of products."""
    a, b, c = Value("a", (2, 3), "f32"), Value("b", (2, 3), "f32"), Value("c", (2,), "f32")
    dot = (
        "indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], "
        'iterator_types = ["reduction"], kind = #vector.kind<add>'
    )
    batch = (
        "indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], "
        'iterator_types = ["parallel", "reduction"], kind = #vector.kind<{kind}>'
    )
    body = (
        "%x = vector.extract %a[0] : vector<3xf32> from vector<2x3xf32>\n"
        "%y = vector.extract %b[1] : vector<3xf32> from vector<2x3xf32>\n"
        "%z = vector.extract %c[0] : f32 from vector<2xf32>\n"
        f"%r = vector.contract {{{dot}}} %x, %y, %z : vector<3xf32>, vector<3xf32> into f32\n"
        f"%s = vector.contract {{{batch.format(kind='add')}}} %a, %b, %c : {a.type}, {b.type} into {c.type}\n"
        f"%t = vector.contract {{{batch.format(kind='maximumf')}}} %a, %b, %c : {a.type}, {b.type} into {c.type}"
    )
    outputs = [Value("r", (), "f32"), Value("s", (2,), "f32"), Value("t", (2,), "f32")]
    for lanes, divergent in MODES[:2]:
        for (left, right, start), got in evaluate(values(lanes, a, b, c), body, outputs, lanes, divergent):
            np.testing.assert_allclose(got[0], start[0] + left[0] @ right[1], rtol=1e-5, atol=1e-6)
            np.testing.assert_allclose(got[1], start + (left * right).sum(1), rtol=1e-5, atol=1e-6)
            assert got[2].tolist() == np.maximum(start, (left * right).max(1)).tolist()


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize(("lanes", "divergent"), MODES)
def test_outer_products(lanes: int, divergent: str) -> None:
    a, b, c = Value("a", (3,), "i16"), Value("b", (4,), "i16"), Value("c", (3, 4), "i16")
    body = (
        "%r = vector.outerproduct %a, %b : vector<3xi16>, vector<4xi16>\n"
        "%s = vector.outerproduct %a, %b, %c {kind = #vector.kind<minsi>} : vector<3xi16>, vector<4xi16>\n"
        "%e = vector.extract %b[2] : i16 from vector<4xi16>\n"
        "%t = vector.outerproduct %a, %e, %a {kind = #vector.kind<add>} : vector<3xi16>, i16"
    )
    outputs = [Value("r", (3, 4), "i16"), Value("s", (3, 4), "i16"), Value("t", (3,), "i16")]
    for (left, right, start), got in evaluate(values(lanes, a, b, c), body, outputs, lanes, divergent):
        assert got[0].tolist() == np.outer(left, right).tolist()
        assert got[1].tolist() == np.minimum(start, np.outer(left, right)).tolist()
        assert got[2].tolist() == (left * right[2] + left).tolist()


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(("lanes", "divergent"), MODES)
@pytest.mark.parametrize("along", [0, 1])
def test_scans(along: int, lanes: int, divergent: str) -> None:
    a, b = Value("a", (3, 4), "i32"), Value("b", (4,) if along == 0 else (3,), "i32")
    lines = [
        f"%{name}, %{name}l = vector.scan <add>, %a, %b {{inclusive = {word}, reduction_dim = {along} : i64}} : "
        f"{a.type}, {b.type}"
        for name, word in (("r", "true"), ("s", "false"))
    ]
    outputs = [Value(name, (3, 4) if len(name) == 1 else b.shape, "i32") for name in ("r", "rl", "s", "sl")]
    for (source, start), got in evaluate(values(lanes, a, b), "\n".join(lines), outputs, lanes, divergent):
        sums = np.cumsum(source, along, dtype=np.int32)
        shifted = np.roll(sums, 1, along)
        shifted[(slice(None),) * along + (0,)] = 0
        exclusive = shifted + np.expand_dims(start, along)
        assert got[0].tolist() == sums.tolist()
        assert got[1].tolist() == sums.take(-1, along).tolist()
        assert got[2].tolist() == exclusive.tolist()
        assert got[3].tolist() == exclusive.take(-1, along).tolist()


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("lanes", "divergent"), [(1, ""), (LANES, "n"), (LANES, "")])
def test_masks(lanes: int, divergent: str) -> None:
    n, m = Value("n", (), "index"), Value("m", (), "index")
    body = (
        "%k = vector.create_mask %m, %n : vector<3x5xi1>\n%f = vector.create_mask %n : vector<40xi1>\n"
        "%c = vector.constant_mask [2, 3] : vector<3x5xi1>\n%s = vector.step : vector<18xindex>\n"
        "%c2 = arith.constant 2 : index\n%c9 = arith.constant 9 : index\n"
        "%t = vector.create_mask %c2, %c9 : vector<3x5xi1>\n%o = arith.constant -4 : index\n"
        "%u = vector.create_mask %o, %n : vector<3x5xi1>"
    )
    shapes = {"k": (3, 5), "f": (40,), "c": (3, 5), "t": (3, 5), "u": (3, 5)}
    outputs = [Value(name, shape, "i1") for name, shape in shapes.items()] + [Value("s", (18,), "index")]
    bounds = (np.arange(lanes) * 3 + 1).reshape(1, lanes)
    rows = np.full((1, lanes), 2)
    for (columns, height), got in evaluate([(n, bounds), (m, rows)], body, outputs, lanes, divergent):
        i, j = np.indices((3, 5))
        expected = [(i < height) & (j < columns), np.arange(40) < columns, (i < 2) & (j < 3), i < 2, np.zeros((3, 5))]
        for mask, wanted in zip(got, expected, strict=False):
            assert mask.tolist() == wanted.astype(np.int8).tolist()
        assert got[-1].tolist() == list(range(18))


@pytest.mark.parametrize(("lanes", "divergent"), [(1, ""), (LANES, "akx")])
def test_operations_under_masks(lanes: int, divergent: str) -> None:
    a, k, x = Value("a", (2, 4), "f32"), Value("k", (2, 4), "i1"), Value("x", (4,), "f32")
    body = (
        "%r = vector.mask %k { vector.multi_reduction <maximumf>, %a, %x [0] : vector<2x4xf32> to vector<4xf32> } : "
        "vector<2x4xi1> -> vector<4xf32>\n"
        "%k0 = vector.extract %k[0] : vector<4xi1> from vector<2x4xi1>\n"
        "%s = vector.mask %k0 { vector.reduction <mul>, %x : vector<4xf32> into f32 } : vector<4xi1> -> f32\n"
        "%a0 = vector.extract_strided_slice %x {offsets = [1], sizes = [2], strides = [1]} : "
        "vector<4xf32> to vector<2xf32>\n"
        "%t = vector.mask %k { vector.outerproduct %a0, %x, %a {kind = #vector.kind<add>} : "
        "vector<2xf32>, vector<4xf32> } : vector<2x4xi1> -> vector<2x4xf32>"
    )
    outputs = [Value("r", (4,), "f32"), Value("s", (), "f32"), Value("t", (2, 4), "f32")]
    rng = np.random.default_rng(9)
    mask = rng.integers(0, 2, (8, lanes)).astype(np.int8)
    inputs = [*values(lanes, a), (k, mask), *values(lanes, x)]
    for (matrix, chosen, row), got in evaluate(inputs, body, outputs, lanes, divergent):
        there = chosen != 0
        assert got[0].tolist() == np.maximum(row, np.where(there, matrix, -np.inf).max(0)).tolist()
        np.testing.assert_allclose(got[1], np.prod(row, where=there[0]), rtol=1e-6)
        np.testing.assert_allclose(got[2], np.where(there, np.outer(row[1:3], row) + matrix, matrix), rtol=1e-6)


@pytest.mark.parametrize(
    ("element", "body", "message"),
    [
        (
            "i1",
            f"%r = vector.contract {contraction('k, n')} " + "%a, %a, %a : {t}, {t} into {t}",
            "'vector.contract' op of vector<2x2xi1>, vector<2x2xi1>, vector<2x2xi1> is not supported: products need",
        ),
        (
            "f16",
            "%w = arith.extf %a : {t} to vector<2x2xf32>\n"
            f"%r = vector.contract {contraction('k, n')} %w, %w, %a : "
            "vector<2x2xf32>, vector<2x2xf32> into {t}",
            "is not supported: an operand's elements do not fit",
        ),
        (
            "f32",
            "%n = arith.constant 1 : index\n%k = vector.create_mask %n, %n, %n : vector<2x2x2xi1>\n"
            f"%r = vector.mask %k {{ vector.contract {contraction('k, n')} "
            "%a, %a, %a : {t}, {t} into {t} } : vector<2x2x2xi1> -> {t}",
            "'vector.contract' op under a mask is not supported in a kernel",
        ),
    ],
)
def test_refusals(element: str, body: str, message: str) -> None:
    type = f"vector<2x2x{element}>"
    lines = f"%a = vector.broadcast %x : {element} to {type}\n{body.replace('{t}', type)}\n"
    lines += f"vector.print %r : {type}"
    assert message in refusal(kernel_text(f"%x: {element}", lines))
