"""Parts of vectors at positions that the running kernel computes."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import Array, random_array
from tests.unit.passes.kernels.vectors import LANES, Value, evaluate

Shape = tuple[int, ...]

CASES: list[tuple[Shape, str, str, str]] = [
    ((5,), "p", "i16", ""),
    ((20,), "p", "f32", "vp"),
    ((3, 4), "p", "i64", "v"),
    ((3, 4), "pq", "i8", "vpqx"),
    ((3, 2), "1q", "f16", "q"),
    ((2, 3, 2), "p", "f32", "px"),
    ((2, 3, 2), "1q", "i16", "vqx"),
]
"""Shape, position along the outer dimensions (`p` and `q` are computed), element type, what differs in work-items."""


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(
    ("shape", "position", "element", "divergent"), [*CASES, *((s, p, e, None) for s, p, e, _ in CASES)]
)
def test_positions_that_are_computed(shape: Shape, position: str, element: str, divergent: str | None) -> None:
    lanes = 1 if divergent is None else LANES
    rng = np.random.default_rng(3)
    vector, part = Value("v", shape, element), Value("x", shape[len(position) :], element)
    read, written = Value("r", part.shape, element), Value("w", shape, element)
    inputs = [(value, random_array(rng, (value.count, lanes), element)) for value in (vector, part)]
    for name, size in zip("pq", shape, strict=False):
        inputs.append((Value(name, (), "index"), rng.integers(0, size, (1, lanes))))
    place = ", ".join(f"%{c}" if c.isalpha() else c for c in position)
    body = (
        f"%r = vector.extract %v[{place}] : {part.type} from {vector.type}\n"
        f"%w = vector.insert %x, %v[{place}] : {part.type} into {vector.type}"
    )
    for (old, new, *places), (got, changed) in evaluate(inputs, body, [read, written], lanes, divergent or ""):
        at = tuple(int(c) if c.isdigit() else int(places["pq".index(c)]) for c in position)
        assert got.tobytes() == old[at].tobytes()
        expected = old.copy()
        expected[at] = new
        assert changed.tobytes() == expected.tobytes()


@pytest.mark.parametrize("lanes", [1, LANES])
def test_element_operations_of_older_versions(lanes: int) -> None:
    vector, place = Value("v", (6,), "i32"), Value("p", (), "i16")
    inputs: list[tuple[Value, Array]] = [
        (vector, np.arange(6 * lanes, dtype=np.int32).reshape(6, lanes)),
        (place, (np.arange(lanes, dtype=np.int16) * 5 % 6).reshape(1, lanes)),
    ]
    body = (
        "%r = vector.extractelement %v[%p : i16] : vector<6xi32>\n%c = arith.constant -1 : i32\n"
        "%w = vector.insertelement %c, %v[%p : i16] : vector<6xi32>"
    )
    outputs = [Value("r", (), "i32"), Value("w", (6,), "i32")]
    for (old, at), (got, changed) in evaluate(inputs, body, outputs, lanes, "vp"):
        assert got == old[at]
        assert changed.tolist() == [-1 if i == at else e for i, e in enumerate(old)]


@pytest.mark.parametrize("lanes", [1, LANES])
def test_positions_outside_touch_nothing_else(lanes: int) -> None:
    """The result may be anything, but nothing else happens."""
    vector, place = Value("v", (4,), "i32"), Value("p", (), "index")
    inputs: list[tuple[Value, Array]] = [
        (vector, np.arange(4 * lanes, dtype=np.int32).reshape(4, lanes)),
        (place, np.full((1, lanes), -3)),
    ]
    body = "%r = vector.extract %v[%p] : i32 from vector<4xi32>"
    for (old, _), (got,) in evaluate(inputs, body, [Value("r", (), "i32")], lanes, "vp"):
        assert got in old


def test_constants_at_computed_positions() -> None:
    place = Value("p", (), "index")
    body = (
        "%c = arith.constant dense<7> : vector<4xi32>\n%r = vector.extract %c[%p] : i32 from vector<4xi32>\n"
        "%x = arith.constant 1 : i32\n%w = vector.insert %x, %c[%p] : i32 into vector<4xi32>"
    )
    outputs = [Value("r", (), "i32"), Value("w", (4,), "i32")]
    positions = (np.arange(LANES) % 4).reshape(1, LANES)
    for (at,), (got, changed) in evaluate([(place, positions)], body, outputs, LANES, "p"):
        assert got == 7
        assert changed.tolist() == [1 if i == at else 7 for i in range(4)]
