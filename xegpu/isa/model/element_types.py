"""Element types by their names in MLIR: the type that instructions read them as, and the arrays that hold them.

The names of numpy's types are strings, so that reading the table takes neither numpy nor ml_dtypes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xegpu.isa.model.types import DataType, integer
from xegpu.on_demand import dataclass


@dataclass(frozen=True)
class ElementType:
    """An element type of memrefs, vectors and kernel arguments."""

    name: str
    """The spelling in MLIR."""
    data_type: DataType | None
    """The type of the ISA; None where registers do not hold such elements."""
    dtypes: tuple[str, ...]
    """The types of numpy or ml_dtypes that hold the elements in memory, the usual one first."""


def _integers() -> Iterator[ElementType]:
    """Yields the integer types. Signless ones are unsigned in registers; arrays of either signedness hold them."""
    for bits in (8, 16, 32, 64):
        signed, unsigned = f"int{bits}", f"uint{bits}"
        yield ElementType(f"i{bits}", integer(bits, signed=False), (signed, unsigned))
        yield ElementType(f"si{bits}", integer(bits, signed=True), (signed,))
        yield ElementType(f"ui{bits}", integer(bits, signed=False), (unsigned,))


ELEMENT_TYPES: Mapping[str, ElementType] = {
    element.name: element
    for element in (
        ElementType("f64", DataType.DF, ("float64",)),
        ElementType("f32", DataType.F, ("float32",)),
        ElementType("tf32", DataType.TF32, ("float32",)),
        ElementType("f16", DataType.HF, ("float16",)),
        ElementType("bf16", DataType.BF, ("bfloat16",)),
        ElementType("f8E4M3FN", None, ("float8_e4m3fn",)),
        ElementType("f8E5M2", None, ("float8_e5m2",)),
        # A word per element, 0 or all ones, as `cmp` writes it.
        ElementType("i1", DataType.W, ("bool",)),
        *_integers(),
        ElementType("index", DataType.UQ, ("int64", "uint64")),
    )
}
