"""Texels in compiled code: between their bytes and components, as `runtime.simulator.machine.images.texels` has it."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.llvm import IRFunction, Value, constant, decode, encode, float_splat, integer, mangled
from xegpu.isa.model import ChannelType, DataType, Swizzle, TexelLayout

_ONE = 0x3F800000
_NAN = 0x7FC00000
_HALF_EXPONENT = 5
_HALF_MAGNITUDE_BITS = 15


def dword(value: int) -> Value:
    """Returns a constant of 32 bits."""
    return constant("i32", value)


def load_texel(code: IRFunction, pointer: Value, size: int) -> list[Value]:
    """Returns the bytes of a texel as qwords."""
    if size > 8:
        return [code.load("i64", code.offset(pointer, place), 1) for place in range(0, size, 8)]
    return [code.cast("zext", code.load(f"i{8 * size}", pointer, 1), "i64")]


def store_texel(code: IRFunction, words: Sequence[Value], pointer: Value, size: int) -> None:
    """Stores the bytes of a texel."""
    for number, word in enumerate(words):
        bits = 8 * min(size - 8 * number, 8)
        code.store(code.cast("trunc", word, f"i{bits}"), code.offset(pointer, 8 * number), 1)


def components(
    code: IRFunction,
    words: Sequence[Value],
    layout: TexelLayout,
    kind: ChannelType,
    swizzle: Sequence[int],
    wanted: Sequence[int],
) -> list[Value]:
    """Returns the bits of the wanted components of a texel."""
    one = dword(1 if kind.is_integer else _ONE)
    found = []
    for number in wanted:
        source = Swizzle(swizzle[number])
        if source < len(layout.bits):
            found.append(_read(code, _bits(code, words, layout, source), layout.width(source), kind))
        else:
            found.append(one if source in (Swizzle.ONE, Swizzle.A) else dword(0))
    return found


def _bits(code: IRFunction, words: Sequence[Value], layout: TexelLayout, channel: int) -> Value:
    word, shift = divmod(layout.shift(channel), 64)
    moved = code.cast("trunc", code.binary("lshr", words[word], integer(shift)), "i32")
    width = layout.width(channel)
    return moved if width == 32 else code.binary("and", moved, dword((1 << width) - 1))


def _read(code: IRFunction, bits: Value, width: int, kind: ChannelType) -> Value:
    if kind is ChannelType.UINT or width == 32:
        return bits
    if kind is ChannelType.FLOAT:
        if width < 16:
            bits = code.binary("shl", bits, dword(_HALF_MAGNITUDE_BITS - width))
        single = decode(code, code.cast("trunc", bits, "i16"), DataType.HF)
        return canonical(code, single)
    if kind is ChannelType.UNORM:
        return _divided(code, code.cast("uitofp", bits, "float"), (1 << width) - 1)
    unused = dword(32 - width)
    signed = code.binary("ashr", code.binary("shl", bits, unused), unused)
    if kind is ChannelType.SINT:
        return signed
    number = code.cast("bitcast", _divided(code, code.cast("sitofp", signed, "float"), (1 << width - 1) - 1), "float")
    least = float_splat(1, "float", -1.0)
    return code.cast("bitcast", code.select(code.compare("fcmp ogt", number, least), number, least), "i32")


def _divided(code: IRFunction, number: Value, largest: int) -> Value:
    return code.cast("bitcast", code.binary("fdiv", number, float_splat(1, "float", largest)), "i32")


def canonical(code: IRFunction, single: Value) -> Value:
    """Returns the bits of an f32, of which there is one NaN."""
    is_nan = code.compare("fcmp uno", single, single)
    return code.select(is_nan, dword(_NAN), code.cast("bitcast", single, "i32"))


def texel_words(
    code: IRFunction, given: dict[int, Value], layout: TexelLayout, kind: ChannelType, swizzle: Sequence[int]
) -> list[Value]:
    """Returns the bytes of a texel with these components as qwords; the others are 0, and w is one."""
    words = [integer(0) for _ in range(0, layout.texel_bytes, 8)]
    for channel, width in enumerate(layout.bits):
        if channel not in swizzle:
            continue
        number = tuple(swizzle).index(channel)
        default = dword((1 if kind.is_integer else _ONE) if number == 3 else 0)
        bits = _written(code, given.get(number, default), width, kind)
        word, shift = divmod(layout.shift(channel), 64)
        moved = code.binary("shl", code.cast("zext", bits, "i64"), integer(shift))
        words[word] = code.binary("or", words[word], moved)
    return words


def _written(code: IRFunction, bits: Value, width: int, kind: ChannelType) -> Value:
    mask = (1 << width) - 1
    if width == 32:
        return bits
    match kind:
        case ChannelType.UINT:
            return code.call(mangled("umin", "i32"), "i32", bits, dword(mask))
        case ChannelType.SINT:
            low = code.call(mangled("smax", "i32"), "i32", bits, dword(-(1 << width - 1)))
            limited = code.call(mangled("smin", "i32"), "i32", low, dword(mask >> 1))
            return code.binary("and", limited, dword(mask))
        case ChannelType.FLOAT:
            if width < 16:
                return _small_float(code, bits, width - _HALF_EXPONENT)
            half = encode(code, code.cast("bitcast", bits, "float"), DataType.F, DataType.HF)
            return code.cast("zext", half, "i32")
    low_limit, largest = (0.0, mask) if kind is ChannelType.UNORM else (-1.0, mask >> 1)
    value = code.cast("fpext", code.cast("bitcast", bits, "float"), "double")
    least, most, zero = (float_splat(1, "double", limit) for limit in (low_limit, 1.0, 0.0))
    inside = code.select(code.compare("fcmp olt", value, least), least, value)
    inside = code.select(code.compare("fcmp ogt", inside, most), most, inside)
    inside = code.select(code.compare("fcmp uno", value, value), zero, inside)
    scaled = _rounded(code, code.binary("fmul", inside, float_splat(1, "double", largest)))
    return code.binary("and", code.cast("trunc", code.cast("fptosi", scaled, "i64"), "i32"), dword(mask))


def _rounded(code: IRFunction, number: Value) -> Value:
    return code.call(mangled("roundeven", number.type), number.type, number)


def _small_float(code: IRFunction, bits: Value, fraction_bits: int) -> Value:
    """Returns the bits of an unsigned float that has the exponent of hf, rounded to nearest even."""
    single = code.cast("bitcast", bits, "float")
    infinity, infinite = 31 << fraction_bits, float_splat(1, "float", float("inf"))
    is_positive = code.compare("fcmp ogt", single, float_splat(1, "float", 0.0))
    is_finite = code.binary("and", is_positive, code.compare("fcmp olt", single, infinite))
    number = code.select(is_finite, single, float_splat(1, "float", 1.0))
    field = code.binary("lshr", code.cast("bitcast", number, "i32"), dword(23))
    exponent = code.call(mangled("smax", "i32"), "i32", code.binary("sub", field, dword(127)), dword(-14))
    power = code.binary("sub", dword(1023 + fraction_bits), exponent)
    scale = code.cast("bitcast", code.binary("shl", code.cast("zext", power, "i64"), integer(52)), "double")
    scaled = _rounded(code, code.binary("fmul", code.cast("fpext", number, "double"), scale))
    quanta = code.cast("trunc", code.cast("fptosi", scaled, "i64"), "i32")
    steps = code.binary("shl", code.binary("add", exponent, dword(14)), dword(fraction_bits))
    stored = code.call(mangled("smin", "i32"), "i32", code.binary("add", quanta, steps), dword(infinity))
    stored = code.select(is_finite, stored, dword(0))
    stored = code.select(code.compare("fcmp oeq", single, infinite), dword(infinity), stored)
    is_nan = code.compare("fcmp uno", single, single)
    return code.select(is_nan, dword(infinity | 1 << fraction_bits - 1), stored)
