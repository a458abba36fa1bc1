"""Products of all sizes in one operation: cut into matrix instructions, and their operands brought into place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import DTYPES, compile_one, kernel_text, run


@dataclass(frozen=True)
class Product:
    m: int
    n: int
    k: int
    element: str = "bf16"
    packed: bool = True
    wide_a: bool = False
    accumulates: bool = True

    @property
    def factor(self) -> int:
        return {"tf32": 1, "i8": 4, "ui8": 4}.get(self.element, 2)

    def text(self) -> str:
        """Operands are loaded from lines and cast to their shapes, as layouts in registers say."""
        m, n, k, factor, element = self.m, self.n, self.k, self.factor, self.element
        result = "i32" if "i8" in element else "f32"
        shapes = {
            "a": (f"{m}x{k // factor}x{factor}" if self.wide_a else f"{m}x{k}", m * k, element),
            "b": (f"{k // factor}x{n}x{factor}" if self.packed else f"{k}x{n}", k * n, element),
            "c": (f"{m}x{n}", m * n, result),
        }
        lines, vectors = [], {}
        for name, (shape, count, kind) in shapes.items():
            memref, desc, flat = (
                f"memref<{count}x{kind}>",
                f"!xegpu.tensor_desc<{count}x{kind}>",
                f"vector<{count}x{kind}>",
            )
            vectors[name] = f"vector<{shape}x{kind}>"
            lines.append(f"%t{name} = xegpu.create_nd_tdesc %m{name}[0] : {memref} -> {desc}")
            lines.append(f"%f{name} = xegpu.load_nd %t{name} : {desc} -> {flat}")
            lines.append(f"%{name} = vector.shape_cast %f{name} : {flat} to {vectors[name]}")
        start = ", %c" if self.accumulates else ""
        types = f"{vectors['a']}, {vectors['b']}" + (f", {vectors['c']}" if self.accumulates else "")
        lines.append(f"%d = xegpu.dpas %a, %b{start} : {types} -> {vectors['c']}")
        flat, desc = f"vector<{m * n}x{result}>", f"!xegpu.tensor_desc<{m * n}x{result}>"
        lines.append(f"%fd = vector.shape_cast %d : {vectors['c']} to {flat}\nxegpu.store_nd %fd, %tc : {flat}, {desc}")
        arguments = ", ".join(f"%m{name}: memref<{count}x{kind}>" for name, (_, count, kind) in shapes.items())
        return kernel_text(arguments, "\n".join(lines))


PRODUCTS = [
    *(Product(m, 16, 16) for m in range(1, 9)),
    Product(20, 16, 16),
    Product(8, 48, 16),
    Product(8, 16, 64),
    Product(12, 32, 32),
    Product(12, 32, 32, packed=False),
    Product(12, 32, 32, wide_a=True),
    Product(12, 32, 32, accumulates=False),
    Product(3, 32, 16, "tf32", packed=False),
    Product(9, 32, 16, "tf32", packed=False, accumulates=False),
    Product(10, 32, 64, "i8"),
    Product(10, 32, 64, "i8", packed=False),
    Product(5, 16, 64, "ui8", wide_a=True),
    Product(7, 32, 32, "f16"),
]


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("product", PRODUCTS, ids=str)
def test_product(product: Product) -> None:
    """Small integers as values: every sum is exact."""
    rng = np.random.default_rng(4)
    dtype = DTYPES[product.element]
    low = 0 if product.element == "ui8" else -9
    a = rng.integers(low, 9, (product.m, product.k)).astype(dtype)
    b = rng.integers(low, 9, (product.k, product.n)).astype(dtype)
    c = rng.integers(-50, 50, (product.m, product.n)).astype(np.int32 if "i8" in product.element else np.float32)
    image = b.reshape(-1, product.factor, product.n).swapaxes(1, 2) if product.packed else b
    result = run(compile_one(product.text()), a.reshape(-1), np.ascontiguousarray(image).reshape(-1), c.reshape(-1))[2]
    expected = a.astype(np.float64) @ b.astype(np.float64) + (c if product.accumulates else 0)
    np.testing.assert_array_equal(result.reshape(c.shape), expected)


def test_operands_may_be_constants() -> None:
    a, b, c = "vector<8x16xbf16>", "vector<8x16x2xbf16>", "vector<8x16xf32>"
    text = kernel_text(
        "%m: memref<8x16xf32>",
        f"%a = arith.constant dense<0.5> : {a}\n%b = arith.constant dense<3.0> : {b}\n"
        f"%c = arith.constant dense<1.0> : {c}\n%d = xegpu.dpas %a, %b, %c : {a}, {b}, {c} -> {c}\n"
        "%t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>\n"
        f"xegpu.store_nd %d, %t : {c}, !xegpu.tensor_desc<8x16xf32>",
    )
    assert run(compile_one(text), np.zeros((8, 16), np.float32))[0].tolist() == [[25.0] * 16] * 8


M, N, K = 8, 16, 16
MAPS = (
    "#plain = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>\n"
    "#pairs = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>\n"
)
MATRICES = {
    "a": ((M, K), "bf16", "plain", ""),
    "b": ((K, N), "bf16", "pairs", "<{packed}> "),
    "c": ((M, N), "f32", "plain", ""),
}
FORMS = {
    "whole": {"a": "vector<8x16xbf16>", "b": "vector<8x16x2xbf16>", "c": "vector<8x16xf32>"},
    "fragments": {"a": "vector<8x1xbf16>", "b": "vector<8x2xbf16>", "c": "vector<8x1xf32>"},
}
UNIFORM = {
    "broadcast": "%{name} = vector.broadcast %s{kind} : {kind} to {vector}",
    "constant": "%{name} = arith.constant dense<3.0> : {vector}",
    "carried": "%{name}s = vector.broadcast %s{kind} : {kind} to {vector}\n"
    "%{name} = scf.for %{name}i = %k0 to %n step %k1 iter_args(%{name}w = %{name}s) -> ({vector}) {{\n"
    "%{name}x = arith.addf %{name}w, %{name}w : {vector}\nscf.yield %{name}x : {vector}\n}}",
    "choice": "%{name}s = vector.broadcast %s{kind} : {kind} to {vector}\n"
    "%{name}t = arith.constant dense<5.0> : {vector}\n"
    "%{name}p = arith.cmpi ult, %n, %k1 : index\n"
    "%{name} = scf.if %{name}p -> ({vector}) {{\nscf.yield %{name}s : {vector}\n"
    "}} else {{\nscf.yield %{name}t : {vector}\n}}",
    "select": "%{name}s = vector.broadcast %s{kind} : {kind} to {vector}\n"
    "%{name}t = arith.constant dense<5.0> : {vector}\n"
    "%{name}p = arith.cmpi ult, %n, %k1 : index\n%{name} = arith.select %{name}p, %{name}s, %{name}t : {vector}",
}
"""Operands with the same elements in all lanes, by what computes them from the numbers 2 and 3."""
ELEMENTS = {"broadcast": 2.0, "constant": 3.0, "carried": 16.0, "choice": 5.0, "select": 5.0}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("uniform", ["a", "b", "c", "abc"])
@pytest.mark.parametrize("form", FORMS)
def test_operands_that_are_the_same_in_all_lanes(form: str, uniform: str) -> None:
    """A product reads the elements that each lane would hold, however few registers hold them."""
    types = FORMS[form]
    maps = "" if form == "whole" else "{sg_map_a = #plain, sg_map_b = #pairs, sg_map_c = #plain} "
    lines = ["%k0 = arith.constant 0 : index\n%k1 = arith.constant 1 : index"]
    for name, (shape, kind, sg_map, attribute) in MATRICES.items():
        tile = "x".join([*map(str, shape), kind])
        desc = f"!xegpu.tensor_desc<{tile}, #{sg_map}>"
        lines.append(f"%t{name} = xegpu.create_nd_tdesc %m{name}[%k0, %k0] : memref<{tile}> -> {desc}")
        lines.append(f"%{name} = xegpu.load_nd %t{name} {attribute}: {desc} -> {types[name]}")
    for number, text in enumerate(UNIFORM.values()):
        operands = {name: name for name in MATRICES}
        for name in uniform:
            operands[name] = f"{name}{number}"
            lines.append(text.format(name=operands[name], kind=MATRICES[name][1], vector=types[name]))
        a, b, c = (f"%{operands[name]}" for name in MATRICES)
        lines.append(f"%d{number} = xegpu.dpas {a}, {b}, {c} {maps}: {', '.join(types.values())} -> {types['c']}")
        lines.append(f"%row{number} = arith.constant {M * number} : index")
        desc = "!xegpu.tensor_desc<8x16xf32, #plain>"
        lines.append(
            f"%o{number} = xegpu.create_nd_tdesc %out[%row{number}, %k0] : memref<{M * len(UNIFORM)}x16xf32> -> {desc}"
        )
        lines.append(f"xegpu.store_nd %d{number}, %o{number} : {types['c']}, {desc}")
    arguments = ", ".join(f"%m{n}: memref<{s[0]}x{s[1]}x{kind}>" for n, (s, kind, _, _) in MATRICES.items())
    arguments += f", %out: memref<{M * len(UNIFORM)}x16xf32>, %sf32: f32, %sbf16: bf16, %n: index"
    kernel = compile_one(MAPS + kernel_text(arguments, "\n".join(lines), "known_block_size = array<i32: 16, 1, 1>"))
    rng = np.random.default_rng(7)
    matrices = {name: rng.integers(-5, 6, shape).astype(DTYPES[kind]) for name, (shape, kind, _, _) in MATRICES.items()}
    two = 2.0
    out = np.zeros((M * len(UNIFORM), N), np.float32)
    result = run(kernel, *matrices.values(), out, np.float32(two), DTYPES["bf16"].type(two), 3)[3]
    for number, source in enumerate(UNIFORM):
        a, b, c = (
            np.full(matrix.shape, ELEMENTS[source]) if name in uniform else matrix.astype(np.float64)
            for name, matrix in matrices.items()
        )
        np.testing.assert_array_equal(result[M * number : M * (number + 1)], a @ b + c, source)
