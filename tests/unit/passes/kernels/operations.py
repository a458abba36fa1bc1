"""Operations of MLIR on scalars: how each is written, and what it computes, in numpy and Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tests.unit.passes.kernels.harness import DTYPES, Array
from tests.unit.runtime.simulator.oracles.alu import decode, encode
from xegpu.isa import DataType

FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = ("i8", "i16", "i32", "i64")
_ISA_TYPES = {"f16": DataType.HF, "bf16": DataType.BF, "f32": DataType.F, "f64": DataType.DF}


@dataclass(frozen=True)
class Inputs:
    """Operands: any values (`x`, `y`, `z`), divisors that divide `x` without overflow (`d`), shift counts (`s`)."""

    x: Array
    y: Array
    z: Array
    d: Array
    s: Array


@dataclass(frozen=True)
class Operation:
    """`text` names operands as fields of `Inputs` in braces and their type as `{T}`; the result's type is `{R}`.

    `result` is the result's element type. `exact_zeros` says whether -0 and +0 are told apart. A second line makes the
    result from `{r}_p`, which are the `results` of the first one.
    """

    text: str
    result: str
    expected: Callable[[Inputs], Array]
    exact_zeros: bool = True
    results: int = 1


def inputs(element: str, values: Array) -> Inputs:
    """Each pair of values, with third operands, divisors and shift counts to go with them."""
    count = len(values)
    x, y = np.repeat(values, count), np.tile(values, count)
    z = np.roll(x, 7)
    if element in FLOATS:
        return Inputs(x, y, z, y, y)
    info = np.iinfo(x.dtype)
    d = np.where((y == 0) | ((y == -1) & (x == info.min)), 3, y).astype(x.dtype)
    return Inputs(x, y, z, d, y & (info.bits - 1))


# Integers ------------------------------------------------------------------------------------------------------------


def _wrapped(values: list[int], dtype: np.dtype[np.generic]) -> Array:
    mask = (1 << 8 * dtype.itemsize) - 1
    return np.array([v & mask for v in values], np.uint64).astype(f"u{dtype.itemsize}").view(dtype)


def _signed(compute: Callable[[int, int], int], second: str) -> Callable[[Inputs], Array]:
    def expected(v: Inputs) -> Array:
        pairs = zip(v.x.tolist(), getattr(v, second).tolist(), strict=True)
        return _wrapped([compute(a, b) for a, b in pairs], v.x.dtype)

    return expected


def _unsigned(compute: Callable[[int, int], int], second: str) -> Callable[[Inputs], Array]:
    def expected(v: Inputs) -> Array:
        mask = (1 << 8 * v.x.dtype.itemsize) - 1
        pairs = zip(v.x.tolist(), getattr(v, second).tolist(), strict=True)
        return _wrapped([compute(a & mask, b & mask) for a, b in pairs], v.x.dtype)

    return expected


def _truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_INTEGER_RULES: dict[str, tuple[str, str, Callable[[Inputs], Array]]] = {
    "add": ("addi", "y", _signed(lambda a, b: a + b, "y")),
    "sub": ("subi", "y", _signed(lambda a, b: a - b, "y")),
    "mul": ("muli", "y", _signed(lambda a, b: a * b, "y")),
    "and": ("andi", "y", _signed(lambda a, b: a & b, "y")),
    "or": ("ori", "y", _signed(lambda a, b: a | b, "y")),
    "xor": ("xori", "y", _signed(lambda a, b: a ^ b, "y")),
    "mins": ("minsi", "y", _signed(min, "y")),
    "maxs": ("maxsi", "y", _signed(max, "y")),
    "minu": ("minui", "y", _unsigned(min, "y")),
    "maxu": ("maxui", "y", _unsigned(max, "y")),
    "divs": ("divsi", "d", _signed(_truncated, "d")),
    "rems": ("remsi", "d", _signed(lambda a, b: a - b * _truncated(a, b), "d")),
    "divu": ("divui", "d", _unsigned(lambda a, b: a // b, "d")),
    "remu": ("remui", "d", _unsigned(lambda a, b: a % b, "d")),
    "floordivs": ("floordivsi", "d", _signed(lambda a, b: a // b, "d")),
    "ceildivs": ("ceildivsi", "d", _signed(lambda a, b: -(-a // b), "d")),
    "ceildivu": ("ceildivui", "d", _unsigned(lambda a, b: -(-a // b), "d")),
    "shl": ("shli", "s", _unsigned(lambda a, b: a << b, "s")),
    "shru": ("shrui", "s", _unsigned(lambda a, b: a >> b, "s")),
    "shrs": ("shrsi", "s", _signed(lambda a, b: a >> b, "s")),
}
"""Name in `index`: name in `arith`, second operand, meaning."""


def _bits(x: Array) -> Array:
    return x.view(f"u{x.dtype.itemsize}")


_COMPARISONS: dict[str, Callable[[Array, Array], Array]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "slt": np.less,
    "sle": np.less_equal,
    "sgt": np.greater,
    "sge": np.greater_equal,
    "ult": lambda x, y: np.less(_bits(x), _bits(y)),
    "ule": lambda x, y: np.less_equal(_bits(x), _bits(y)),
    "ugt": lambda x, y: np.greater(_bits(x), _bits(y)),
    "uge": lambda x, y: np.greater_equal(_bits(x), _bits(y)),
}


def _compared(compare: Callable[[Array, Array], Array]) -> Callable[[Inputs], Array]:
    return lambda v: compare(v.x, v.y).astype(np.int8)


def integer_operations(element: str) -> Iterator[Operation]:
    """Operations of `arith` on an integer type."""
    for name, second, expected in _INTEGER_RULES.values():
        yield Operation(f"arith.{name} {{x}}, {{{second}}} : {{T}}", element, expected)
    for name, compare in _COMPARISONS.items():
        yield Operation(f"arith.cmpi {name}, {{x}}, {{y}} : {{T}}", "i1", _compared(compare))
    yield from _extended(element)


def _extended(element: str) -> Iterator[Operation]:
    """Both results of operations that give more bits than their operands have."""
    bits = int(element[1:])
    for name, read in (("mulsi", _signed), ("mului", _unsigned)):
        for number, shift in enumerate((0, bits)):
            yield Operation(
                f"arith.{name}_extended {{x}}, {{y}} : {{T}}\n"
                f"{{r}} = arith.andi {{r}}_p#{number}, {{r}}_p#{number} : {{T}}",
                element,
                read(_shifted_product(shift), "y"),
                results=2,
            )
    for number, type in enumerate((element, "i1")):
        yield Operation(
            "arith.addui_extended {x}, {y} : {T}, {P}\n"
            f"{{r}} = arith.andi {{r}}_p#{number}, {{r}}_p#{number} : {{R}}",
            type,
            _unsigned_sum(type, bits),
            results=2,
        )


def _shifted_product(shift: int) -> Callable[[int, int], int]:
    return lambda a, b: a * b >> shift


def _unsigned_sum(type: str, bits: int) -> Callable[[Inputs], Array]:
    """The sum, or whether it overflows."""
    if type == "i1":
        return lambda v: _unsigned(lambda a, b: a + b >> bits, "y")(v).astype(np.int8)
    return _unsigned(lambda a, b: a + b, "y")


def index_operations() -> Iterator[Operation]:
    """Operations of `index`."""
    for name, (_, second, expected) in _INTEGER_RULES.items():
        yield Operation(f"index.{name} {{x}}, {{{second}}}", "index", expected)
    for name, compare in _COMPARISONS.items():
        yield Operation(f"index.cmp {name}({{x}}, {{y}})", "i1", _compared(compare))


# Floats --------------------------------------------------------------------------------------------------------------


def _numpy(compute: Callable[[Array, Array], Array]) -> Callable[[Inputs], Array]:
    return lambda v: compute(v.x, v.y).astype(v.x.dtype)


def _unary(compute: Callable[[Array], Array]) -> Callable[[Inputs], Array]:
    return _numpy(lambda x, y: compute(x))


def _extremum(x: Array, y: Array, larger: bool) -> Array:
    """NaN if one operand is, and -0 below +0."""
    chosen = np.where((x > y) == larger, x, y)
    equal = np.where(np.signbit(x) == larger, y, x)
    return np.where(np.isnan(x), x, np.where(np.isnan(y), y, np.where(x == y, equal, chosen)))


def _fused(element: str) -> Callable[[Inputs], Array]:
    """x * y + z rounded once; through f32 for bf16, whose products f32 holds exactly."""
    type = _ISA_TYPES[element]

    def one(x: float, y: float, z: float) -> int:
        if not all(map(math.isfinite, (x, y, z))):
            product = x * y
            return encode(product + z, type)
        exact = Fraction(x) * Fraction(y) + Fraction(z)
        negative = exact < 0 if exact else math.copysign(1, x) * math.copysign(1, y) < 0 and math.copysign(1, z) < 0
        if type is DataType.BF and exact:
            return encode(_through_f32(exact), type)
        return encode(exact, type, negative=negative)

    def expected(v: Inputs) -> Array:
        triples = zip(*(a.astype(np.float64).tolist() for a in (v.x, v.y, v.z)), strict=True)
        patterns = [one(*triple) for triple in triples]
        return np.array(patterns, np.uint64).astype(f"u{v.x.dtype.itemsize}").view(v.x.dtype)

    return expected


def _through_f32(exact: Fraction) -> float:
    return float(decode(encode(exact, DataType.F, negative=exact < 0), DataType.F))


_FLOAT_COMPARISONS: dict[str, Callable[[Array, Array], Array]] = {
    "oeq": lambda x, y: x == y,
    "ogt": lambda x, y: x > y,
    "oge": lambda x, y: x >= y,
    "olt": lambda x, y: x < y,
    "ole": lambda x, y: x <= y,
    "one": lambda x, y: (x < y) | (x > y),
    "ord": lambda x, y: ~(np.isnan(x) | np.isnan(y)),
    "ueq": lambda x, y: ~((x < y) | (x > y)),
    "ugt": lambda x, y: ~(x <= y),
    "uge": lambda x, y: ~(x < y),
    "ult": lambda x, y: ~(x >= y),
    "ule": lambda x, y: ~(x > y),
    "une": lambda x, y: ~(x == y),
    "uno": lambda x, y: np.isnan(x) | np.isnan(y),
    "true": lambda x, y: np.ones(x.shape, bool),
    "false": lambda x, y: np.zeros(x.shape, bool),
}


def float_operations(element: str) -> Iterator[Operation]:
    """Operations of `arith` and `math` on a float type."""
    for name, binary in (("addf", np.add), ("subf", np.subtract), ("mulf", np.multiply), ("divf", np.divide)):
        yield Operation(f"arith.{name} {{x}}, {{y}} : {{T}}", element, _numpy(binary))
    yield Operation("arith.minnumf {x}, {y} : {T}", element, _numpy(np.fmin), exact_zeros=False)
    yield Operation("arith.maxnumf {x}, {y} : {T}", element, _numpy(np.fmax), exact_zeros=False)
    yield Operation("arith.minimumf {x}, {y} : {T}", element, _numpy(lambda x, y: _extremum(x, y, False)))
    yield Operation("arith.maximumf {x}, {y} : {T}", element, _numpy(lambda x, y: _extremum(x, y, True)))
    yield Operation("arith.negf {x} : {T}", element, _unary(np.negative))
    unary = {"absf": np.abs, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "roundeven": np.rint}
    for name, compute in unary.items():
        yield Operation(f"math.{name} {{x}} : {{T}}", element, _unary(compute))
    yield Operation("math.fma {x}, {y}, {z} : {T}", element, _fused(element))
    for name, compare in _FLOAT_COMPARISONS.items():
        yield Operation(f"arith.cmpf {name}, {{x}}, {{y}} : {{T}}", "i1", _compared(compare))


def remainder(element: str) -> Operation:
    """The remainder of floats, which is much code for large vectors."""
    return Operation("arith.remf {x}, {y} : {T}", element, _numpy(np.fmod))


# Selection and conversion --------------------------------------------------------------------------------------------


def selections(element: str) -> Iterator[Operation]:
    """Choices by a comparison."""
    compare = "arith.cmpf olt" if element in FLOATS else "arith.cmpi slt"
    text = f"{compare}, {{x}}, {{y}} : {{T}}\n{{r}} = arith.select {{r}}_p, {{x}}, {{z}} : {{P}}, {{T}}"
    yield Operation(text, element, lambda v: np.where(v.x < v.y, v.x, v.z))


def conversions(element: str) -> Iterator[Operation]:
    """Conversions from a type to every other one that has more, fewer or other bits."""
    if element in FLOATS:
        yield from _float_conversions(element)
        return
    bits = int(element[1:])
    for other in INTEGERS:
        dtype, wide = DTYPES[other], int(other[1:])
        if wide > bits:
            yield Operation("arith.extsi {x} : {T} to {R}", other, _cast(dtype))
            yield Operation("arith.extui {x} : {T} to {R}", other, _cast_unsigned(dtype))
        elif wide < bits:
            yield Operation("arith.trunci {x} : {T} to {R}", other, _cast(dtype))
    yield Operation("arith.trunci {x} : {T} to {R}", "i1", lambda v: (v.x & 1).astype(np.int8))
    for other in FLOATS:
        yield Operation("arith.sitofp {x} : {T} to {R}", other, _from_integer(other, signed=True))
        yield Operation("arith.uitofp {x} : {T} to {R}", other, _from_integer(other, signed=False))
        if DTYPES[other].itemsize * 8 == bits and other != "bf16":
            yield Operation("arith.bitcast {x} : {T} to {R}", other, _view(DTYPES[other]))
    yield Operation("arith.index_cast {x} : {T} to {R}", "index", _cast(DTYPES["i64"]))
    yield Operation("arith.index_castui {x} : {T} to {R}", "index", _cast_unsigned(DTYPES["i64"]))


def _float_conversions(element: str) -> Iterator[Operation]:
    for other in FLOATS:
        size, own = DTYPES[other].itemsize, DTYPES[element].itemsize
        if size != own:
            name = "extf" if size > own else "truncf"
            yield Operation(f"arith.{name} {{x}} : {{T}} to {{R}}", other, _cast(DTYPES[other]))
    for other in INTEGERS:
        if DTYPES[other].itemsize == DTYPES[element].itemsize:
            yield Operation("arith.bitcast {x} : {T} to {R}", other, _view(DTYPES[other]))


def _cast(dtype: np.dtype[np.generic], operand: str = "x") -> Callable[[Inputs], Array]:
    return lambda v: getattr(v, operand).astype(dtype)


def _cast_unsigned(dtype: np.dtype[np.generic]) -> Callable[[Inputs], Array]:
    return lambda v: _bits(v.x).astype(f"u{dtype.itemsize}").view(dtype)


def _view(dtype: np.dtype[np.generic]) -> Callable[[Inputs], Array]:
    return lambda v: v.x.view(dtype)


def _from_integer(element: str, *, signed: bool) -> Callable[[Inputs], Array]:
    dtype, type = DTYPES[element], _ISA_TYPES[element]

    def expected(v: Inputs) -> Array:
        numbers = (v.x if signed else _bits(v.x)).tolist()
        return (
            np.array([encode(Fraction(n), type) for n in numbers], np.uint64).astype(f"u{dtype.itemsize}").view(dtype)
        )

    return expected


def to_integers(element: str) -> Iterator[Operation]:
    """Conversions of a float to integers, for operands that are in range of `i8`."""
    for other in INTEGERS:
        yield Operation("arith.fptosi {x} : {T} to {R}", other, _cast(DTYPES[other]))
        yield Operation("arith.fptoui {y} : {T} to {R}", other, _cast(DTYPES[other], "y"))
