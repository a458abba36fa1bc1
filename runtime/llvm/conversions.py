"""Conversions between the bits of data types and the LLVM values that arithmetic is done with.

Integers are carried as integers of their size; hf, bf, tf32 and f as float; df as double.
"""

from __future__ import annotations

from collections.abc import Callable

from runtime.llvm.module import IRFunction
from runtime.llvm.values import Value, count_of, float_splat, lanes, mangled, splat
from xegpu.isa import CANONICAL_NANS, DataType

SMALLEST_NORMAL = 0x00800000
"""Bits of the smallest normal f32."""

_SIGN = 0x80000000
_INFINITY = 0x7F800000
_MAGNITUDE = 0x7FFFFFFF


def carrier(type: DataType) -> str:
    """Returns the LLVM type that values of `type` are carried in."""
    if not type.is_float:
        return f"i{type.bits}"
    return "double" if type is DataType.DF else "float"


def decode(code: IRFunction, raw: Value, type: DataType) -> Value:
    """Returns the values that bits represent; exact."""
    count = count_of(raw.type)
    match type:
        case DataType.HF:
            return half_to_single(code, raw)
        case DataType.BF:
            wide = code.cast("zext", raw, lanes(count, "i32"))
            return code.cast("bitcast", code.binary("shl", wide, splat(count, "i32", 16)), lanes(count, "float"))
    return code.cast("bitcast", raw, lanes(count, carrier(type)))


def widen(code: IRFunction, values: Value, source: DataType, target: DataType) -> Value:
    """Returns values in the type that instructions with such sources compute in: no narrower, and float if they are."""
    if source.is_float:
        return values
    return code.cast("sext" if source.is_signed else "zext", values, lanes(count_of(values.type), f"i{target.bits}"))


def encode(code: IRFunction, values: Value, source: DataType, target: DataType, *, saturate: bool = False) -> Value:
    """Returns the bits of `target` for carried values of `source`.

    Integers wrap, or clamp with `saturate`. Floats become integers by rounding toward zero, clamped to the type's
    range, NaN to 0. Everything else rounds once to nearest even; `saturate` clamps floats to [0, 1], NaN and -0 to +0.
    NaNs become the type's canonical one.
    """
    if source.is_float:
        if target.is_float:
            # From tf32 to itself nothing rounds, not even the bits that the format does not have.
            exact = DataType.F if source is target is DataType.TF32 and not saturate else target
            return _float_to_float(code, values, exact, saturate)
        bits = lanes(count_of(values.type), f"i{target.bits}")
        name = "fptosi.sat" if target.is_signed else "fptoui.sat"
        return code.call(mangled(name, bits, values.type), bits, values)
    if target.is_float:
        return _integer_to_float(code, values, source, target, saturate)
    return _integer_to_integer(code, values, source, target, saturate)


def _integer_to_integer(code: IRFunction, values: Value, source: DataType, target: DataType, saturate: bool) -> Value:
    count = count_of(values.type)
    if saturate:
        values = clamped(code, values, source, *_range(target))
    wanted = lanes(count, f"i{target.bits}")
    if target.bits < source.bits:
        return code.cast("trunc", values, wanted)
    return code.cast("sext" if source.is_signed else "zext", values, wanted)


def _range(type: DataType) -> tuple[int, int]:
    """Returns the smallest and largest value of an integer type."""
    if type.is_signed:
        return -(1 << type.bits - 1), (1 << type.bits - 1) - 1
    return 0, (1 << type.bits) - 1


def clamped(code: IRFunction, values: Value, type: DataType, low: int, high: int) -> Value:
    """Returns integers of `type` limited to a range; limits beyond the type's own have no effect."""
    least, most = _range(type)
    sign = "s" if type.is_signed else "u"
    for name, limit, active in ((f"{sign}max", low, low > least), (f"{sign}min", high, high < most)):
        if active:
            bound = splat(count_of(values.type), f"i{type.bits}", limit)
            values = code.call(mangled(name, values.type), values.type, values, bound)
    return values


def _integer_to_float(code: IRFunction, values: Value, source: DataType, target: DataType, saturate: bool) -> Value:
    count = count_of(values.type)
    op = "sitofp" if source.is_signed else "uitofp"
    if saturate:
        values = clamped(code, values, source, 0, 1)
    match target:
        case DataType.HF:
            # All beyond the range of hf becomes infinite; the rest converts to f32 exactly.
            values = clamped(code, values, source, -(1 << 16), 1 << 16)
            return single_to_half(code, code.cast(op, values, lanes(count, "float")))
        case DataType.BF:
            exact = sticky(code, values, source) if source.bits == 64 else values
            return single_to_bf(code, single_to_odd(code, code.cast(op, exact, lanes(count, "double"))))
    result = code.cast(op, values, lanes(count, carrier(target)))
    return code.cast("bitcast", result, lanes(count, f"i{target.bits}"))


def sticky(code: IRFunction, values: Value, type: DataType) -> Value:
    """Returns 64-bit integers that f64 holds exactly and that round to 24 bits or fewer as `values` do.

    Large ones keep their upper 52 bits and one sticky bit, which is set unless the bits below are zero.
    """
    count = count_of(values.type)

    def of(number: int) -> Value:
        return splat(count, "i64", number)

    low = code.compare("icmp ne", code.binary("and", values, of(0xFFF)), of(0))
    bit = code.binary("shl", code.cast("zext", low, values.type), of(11))
    rounded = code.binary("or", code.binary("and", values, of(-0x1000)), bit)
    distance = code.binary("add", values, of(1 << 52)) if type.is_signed else values
    return code.select(code.compare("icmp ult", distance, of(1 << 53)), values, rounded)


def _float_to_float(code: IRFunction, values: Value, target: DataType, saturate: bool) -> Value:
    if saturate:
        return _narrow(code, unit_interval(code, values), target)
    raw = _narrow(code, values, target)
    nan = code.compare("fcmp uno", values, values)
    return code.select(nan, splat(count_of(raw.type), f"i{target.bits}", CANONICAL_NANS[target]), raw)


def unit_interval(code: IRFunction, values: Value) -> Value:
    """Returns values clamped to [0, 1]; NaN and -0 become +0, because neither is greater than zero."""
    kind = "double" if "double" in values.type else "float"
    zero, one = (float_splat(count_of(values.type), kind, value) for value in (0.0, 1.0))
    below = code.select(code.compare("fcmp olt", values, one), values, one)
    return code.select(code.compare("fcmp ogt", values, zero), below, zero)


def _narrow(code: IRFunction, values: Value, target: DataType) -> Value:
    """Returns bits of a float type, rounded once to nearest even; NaNs stay NaNs or become any other number."""
    count = count_of(values.type)
    single = "double" not in values.type
    match target:
        case DataType.DF:
            wide = code.cast("fpext", values, lanes(count, "double"))
            return code.cast("bitcast", wide, lanes(count, "i64"))
        case DataType.F:
            narrow = values if single else code.cast("fptrunc", values, lanes(count, "float"))
            return code.cast("bitcast", narrow, lanes(count, "i32"))
    return _FROM_SINGLE[target](code, values if single else single_to_odd(code, values))


def single_to_odd(code: IRFunction, values: Value) -> Value:
    """Returns f64 as f32 rounded to odd, after which rounding to nearest gives what a single rounding would."""
    count = count_of(values.type)

    def of(number: int) -> Value:
        return splat(count, "i32", number)

    nearest = code.cast("fptrunc", values, lanes(count, "float"))
    back = code.cast("fpext", nearest, values.type)
    bits = code.cast("bitcast", nearest, lanes(count, "i32"))
    name = mangled("fabs", values.type)
    above = code.compare("fcmp ogt", code.call(name, back.type, back), code.call(name, values.type, values))
    truncated = code.binary("sub", bits, code.cast("zext", above, bits.type))
    inexact = code.cast("zext", code.compare("fcmp one", back, values), bits.type)
    return code.cast("bitcast", code.binary("or", truncated, inexact), nearest.type)


def single_to_bf(code: IRFunction, values: Value) -> Value:
    """Returns f32 as bits of bf16; not for NaNs."""
    count = count_of(values.type)
    rounded = _rounded_at(code, code.cast("bitcast", values, lanes(count, "i32")), 16)
    return code.cast("trunc", code.binary("lshr", rounded, splat(count, "i32", 16)), lanes(count, "i16"))


def single_to_tf32(code: IRFunction, values: Value) -> Value:
    """Returns f32 as bits of tf32, subnormals as zeros of their sign; not for NaNs."""
    count = count_of(values.type)
    bits = code.cast("bitcast", flushed(code, values), lanes(count, "i32"))
    return code.binary("and", _rounded_at(code, bits, 13), splat(count, "i32", -(1 << 13)))


def _rounded_at(code: IRFunction, bits: Value, place: int) -> Value:
    """Returns bits of f32 with half a unit added, so that truncating the low `place` bits rounds to nearest even."""
    count = count_of(bits.type)
    shifted = code.binary("lshr", bits, splat(count, "i32", place))
    odd = code.binary("and", shifted, splat(count, "i32", 1))
    half = code.binary("add", odd, splat(count, "i32", (1 << place - 1) - 1))
    return code.binary("add", bits, half)


def flushed(code: IRFunction, values: Value) -> Value:
    """Returns f32 with subnormal values replaced by zeros of their sign."""
    count = count_of(values.type)
    bits = code.cast("bitcast", values, lanes(count, "i32"))
    magnitude = code.binary("and", bits, splat(count, "i32", _MAGNITUDE))
    signed_zero = code.binary("and", bits, splat(count, "i32", -_SIGN))
    tiny = code.compare("icmp ult", magnitude, splat(count, "i32", SMALLEST_NORMAL))
    return code.cast("bitcast", code.select(tiny, signed_zero, bits), values.type)


def half_to_single(code: IRFunction, raw: Value) -> Value:
    """Returns bits of f16 as f32; exact."""
    count = count_of(raw.type)
    if code.module.cpu.converts_half:
        return code.cast("fpext", code.cast("bitcast", raw, lanes(count, "half")), lanes(count, "float"))

    def of(number: int) -> Value:
        return splat(count, "i32", number)

    wide = code.cast("zext", raw, lanes(count, "i32"))
    sign = code.binary("shl", code.binary("and", wide, of(0x8000)), of(16))
    magnitude = code.binary("shl", code.binary("and", wide, of(0x7FFF)), of(13))
    # With the exponent in place but biased as in hf, one exact product by 2^112 corrects the bias, of subnormals too.
    scaled = code.binary(
        "fmul", code.cast("bitcast", magnitude, lanes(count, "float")), float_splat(count, "float", 2.0**112)
    )
    special = code.binary("or", magnitude, of(_INFINITY))
    finite = code.compare("icmp ult", magnitude, of(0x7C00 << 13))
    bits = code.select(finite, code.cast("bitcast", scaled, magnitude.type), special)
    return code.cast("bitcast", code.binary("or", bits, sign), scaled.type)


def single_to_half(code: IRFunction, values: Value) -> Value:
    """Returns f32 as bits of f16; not for NaNs."""
    count = count_of(values.type)
    if code.module.cpu.converts_half:
        return code.cast("bitcast", code.cast("fptrunc", values, lanes(count, "half")), lanes(count, "i16"))

    def of(number: int) -> Value:
        return splat(count, "i32", number)

    bits = code.cast("bitcast", values, lanes(count, "i32"))
    sign = code.binary("lshr", code.binary("and", bits, of(-_SIGN)), of(16))
    magnitude = code.binary("and", bits, of(_MAGNITUDE))
    rebiased = code.binary("sub", _rounded_at(code, magnitude, 13), of(112 << 23))
    normal = code.binary("lshr", rebiased, of(13))
    # Adding 1/2 moves a value below the normal range of hf so that its last bits are those of hf; the addition rounds.
    moved = code.binary("fadd", code.cast("bitcast", magnitude, values.type), float_splat(count, "float", 0.5))
    subnormal = code.binary("sub", code.cast("bitcast", moved, bits.type), of(0x3F000000))
    result = code.select(code.compare("icmp ult", magnitude, of(113 << 23)), subnormal, normal)
    result = code.select(code.compare("icmp uge", magnitude, of(143 << 23)), of(0x7C00), result)
    return code.cast("trunc", code.binary("or", result, sign), lanes(count, "i16"))


_FROM_SINGLE: dict[DataType, Callable[[IRFunction, Value], Value]] = {
    DataType.HF: single_to_half,
    DataType.BF: single_to_bf,
    DataType.TF32: single_to_tf32,
}
