"""Primitives that count, find, reverse and extract bits, in LLVM IR: on 32 bits, `dot4` on wider integers too."""

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
    """Selects `found`, but all ones where `bits` has no 1."""
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


def _extract(code: IRFunction, type: DataType, width: Value, offset: Value, value: Value) -> Value:
    offset, width = (code.binary("and", count, _of(count, _BITS - 1)) for count in (offset, width))
    shifted = code.binary("ashr" if type.is_signed else "lshr", value, offset)
    mask = code.binary("sub", code.binary("shl", _of(width, 1), width), _of(width, 1))
    field = code.binary("and", shifted, mask)
    if not type.is_signed:
        return field
    # With `top` the highest bit of the field, `(field ^ top) - top` copies it to all bits above.
    top = code.binary("xor", mask, code.binary("lshr", mask, _of(mask, 1)))
    return code.binary("sub", code.binary("xor", field, top), top)


def _dot(signs: str) -> Callable[[IRFunction, DataType, Value, Value], Value]:
    """Returns the emitter of a dot product of four bytes; `signs` has `s` or `u` for each source."""

    def emit(code: IRFunction, type: DataType, a: Value, b: Value) -> Value:
        count, total = count_of(a.type), None

        def byte(value: Value, number: int, sign: str) -> Value:
            shifted = code.binary("lshr", value, splat(count, f"i{type.bits}", 8 * number))
            narrow = code.cast("trunc", shifted, lanes(count, "i8"))
            return code.cast("sext" if sign == "s" else "zext", narrow, value.type)

        for number in range(4):
            product = code.binary("mul", byte(a, number, signs[0]), byte(b, number, signs[1]))
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
    **{f"dot4_{a}{b}": _dot(a + b) for a in "su" for b in "su"},
}
