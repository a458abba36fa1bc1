"""Primitives that count, find, reverse and move bits as LLVM instructions: on 32 bits, `dot4` on wider ones too."""

from __future__ import annotations

from collections.abc import Callable

from runtime.llvm import IRFunction, Value, constant, count_of, lanes, mangled, splat
from xegpu.isa import DataType

_FALSE = constant("i1", "false")
_BITS = 32


def _of(like: Value, number: int) -> Value:
    return splat(count_of(like.type), f"i{_BITS}", number)


def _leading_zeros(code: IRFunction, type: DataType, a: Value) -> Value:
    return code.call(mangled("ctlz", a.type), a.type, a, _FALSE)


def _or_none(code: IRFunction, bits: Value, found: Value) -> Value:
    """All ones where there is no bit."""
    return code.select(code.compare("icmp eq", bits, _of(bits, 0)), _of(bits, -1), found)


def _highest(code: IRFunction, type: DataType, a: Value) -> Value:
    if type.is_signed:
        a = code.binary("xor", a, code.binary("ashr", a, _of(a, _BITS - 1)))
    return _or_none(code, a, _leading_zeros(code, type, a))


def _lowest(code: IRFunction, type: DataType, a: Value) -> Value:
    return _or_none(code, a, code.call(mangled("cttz", a.type), a.type, a, _FALSE))


def _intrinsic(name: str) -> Callable[[IRFunction, DataType, Value], Value]:
    def emit(code: IRFunction, type: DataType, a: Value) -> Value:
        return code.call(mangled(name, a.type), a.type, a)

    return emit


def _count(code: IRFunction, a: Value) -> Value:
    return code.binary("and", a, _of(a, _BITS - 1))


def _ones(code: IRFunction, width: Value) -> Value:
    """As many low ones as a width says."""
    power = code.binary("shl", _of(width, 1), _count(code, width))
    return code.binary("sub", power, _of(width, 1))


def _extract(code: IRFunction, type: DataType, width: Value, offset: Value, value: Value) -> Value:
    shifted = code.binary("ashr" if type.is_signed else "lshr", value, _count(code, offset))
    mask = _ones(code, width)
    field = code.binary("and", shifted, mask)
    if not type.is_signed:
        return field
    top = code.binary("xor", mask, code.binary("lshr", mask, _of(mask, 1)))
    return code.binary("sub", code.binary("xor", field, top), top)


def _mask(code: IRFunction, type: DataType, width: Value, offset: Value) -> Value:
    return code.binary("shl", _ones(code, width), _count(code, offset))


def _insert(code: IRFunction, type: DataType, mask: Value, value: Value, base: Value) -> Value:
    place = _count(code, code.call(mangled("cttz", mask.type), mask.type, mask, _FALSE))
    inserted = code.binary("and", code.binary("shl", value, place), mask)
    kept = code.binary("and", base, code.binary("xor", mask, _of(mask, -1)))
    return code.binary("or", inserted, kept)


def _dot(signs: str) -> Callable[[IRFunction, DataType, Value, Value], Value]:
    """Sum of the products of four bytes of each; the signs are `s` or `u`."""

    def emit(code: IRFunction, type: DataType, a: Value, b: Value) -> Value:
        count, total = count_of(a.type), None

        def byte(value: Value, place: int, sign: str) -> Value:
            shifted = code.binary("lshr", value, splat(count, f"i{type.bits}", 8 * place))
            narrow = code.cast("trunc", shifted, lanes(count, "i8"))
            return code.cast("sext" if sign == "s" else "zext", narrow, value.type)

        for place in range(4):
            product = code.binary("mul", byte(a, place, signs[0]), byte(b, place, signs[1]))
            total = product if total is None else code.binary("add", total, product)
        assert total is not None
        return total

    return emit


BITS: dict[str, Callable[..., Value]] = {
    "lzd": _leading_zeros,
    "fbh": _highest,
    "fbl": _lowest,
    "cbit": _intrinsic("ctpop"),
    "bfrev": _intrinsic("bitreverse"),
    "bfe": _extract,
    "bfi1": _mask,
    "bfi2": _insert,
    **{f"dot4_{a}{b}": _dot(a + b) for a in "su" for b in "su"},
}
