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


@pytest.mark.sampled(every=5)
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
