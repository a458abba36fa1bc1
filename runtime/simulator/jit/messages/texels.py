"""Texels of images to components and back in compiled code: functions that all image messages of a kernel share.

They work on a copy of the surface state, which was checked: kernels may change the original at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.llvm.conversions import half_to_single, single_to_half
from runtime.llvm.text import IRFunction, IRModule, Value, constant, float_splat, integer, zero
from xegpu.isa import CANONICAL_NANS, DataType
from xegpu.isa.model.surface_states import (
    LAYOUTS,
    Border,
    ChannelType,
    Swizzle,
)

COMPONENTS = "<4 x i32>"

WIDTH, HEIGHT, DEPTH, BASE, ROW_PITCH, SLICE_PITCH = 12, 16, 20, 24, 32, 40
TYPE, LAYOUT, CHANNEL_TYPE, RESERVED, SWIZZLE = 4, 5, 6, 7, 8
"""Bytes of a surface state where fields begin."""

_ROW_WORDS = 16
_TYPES, _SHIFTS, _WIDTHS = 1, 2, 6

_ONE = 0x3F800000


def layout_row(code: IRFunction, layout: Value) -> Value:
    """What is known of a texel layout, an i32 that is a legal number."""
    words: list[int] = []
    for row in LAYOUTS:
        types = sum(1 << kind for kind in row.types)
        places = [row.shift(channel) if row.width(channel) else 0 for channel in range(4)]
        widths = [row.width(channel) for channel in range(4)]
        found = [row.texel_bytes, types, *places, *widths]
        words += found + [0] * (_ROW_WORDS - len(found))
    table = code.module.constant_data("image.layouts", words)
    return code.offset(table, code.binary("mul", code.cast("zext", layout, "i64"), integer(4 * _ROW_WORDS)))


def texel_bytes(code: IRFunction, row: Value) -> Value:
    """Bytes of a texel, i32."""
    return code.load("i32", row, 4)


def legal_types(code: IRFunction, row: Value) -> Value:
    """The channel types of a layout, a bit each in an i32."""
    return code.load("i32", code.offset(row, 4 * _TYPES), 4)


def field(code: IRFunction, record: Value, offset: int, size: int) -> Value:
    """A field of a state, zero-extended: bytes and dwords to i32, qwords as i64."""
    value = code.load(f"i{8 * size}", code.offset(record, offset), size)
    return value if size == 8 else code.cast("zext", value, "i32")


def _record() -> Value:
    return Value("ptr", "%record")


_PLACE = "i64 %x, i64 %y, i64 %z"


def read_texel(module: IRModule) -> str:
    """`<4 x i32> read(record, x, y, z, border)`: a texel's components, outside of the image those of the border."""
    return module.function("image.read", COMPONENTS, f"ptr %record, {_PLACE}, i32 %border", _read, inline=False)


def write_texel(module: IRModule) -> str:
    """`void write(record, x, y, z, components)`: nothing outside of the image."""
    return module.function(
        "image.write", "void", f"ptr %record, {_PLACE}, {COMPONENTS} %components", _write, inline=False
    )


def one_of(code: IRFunction, record: Value) -> Value:
    """Bits of a component that is one."""
    return code.select(_is_integer(code, record), constant("i32", 1), constant("i32", _ONE))


def _is_integer(code: IRFunction, record: Value) -> Value:
    return code.compare("icmp ule", field(code, record, CHANNEL_TYPE, 1), constant("i32", int(ChannelType.SINT)))


def _inside(code: IRFunction) -> Value:
    truth = constant("i1", "true")
    for name, offset in (("x", WIDTH), ("y", HEIGHT), ("z", DEPTH)):
        size = code.cast("zext", field(code, _record(), offset, 4), "i64")
        truth = code.binary("and", truth, code.compare("icmp ult", Value("i64", f"%{name}"), size))
    return truth


def _pointer(code: IRFunction, row: Value) -> Value:
    address = field(code, _record(), BASE, 8)
    pitches = (
        code.cast("zext", texel_bytes(code, row), "i64"),
        field(code, _record(), ROW_PITCH, 8),
        field(code, _record(), SLICE_PITCH, 8),
    )
    for name, pitch in zip("xyz", pitches, strict=True):
        address = code.binary("add", address, code.binary("mul", Value("i64", f"%{name}"), pitch))
    return code.cast("inttoptr", address, "ptr")


def _by_size(code: IRFunction, row: Value, visit: Callable[[int], Value | None], done: str) -> list[tuple[Value, str]]:
    """Goes to `done` by way of what `visit` emits for the texel's size; gives its values and blocks."""
    sizes = sorted({layout.texel_bytes for layout in LAYOUTS})
    labels = {size: code.new_label(f"texel.{size}") for size in sizes}
    cases = " ".join(f"i32 {size}, label %{labels[size]}" for size in sizes[:-1])
    code.line(f"switch {texel_bytes(code, row)}, label %{labels[sizes[-1]]} [{cases}]")
    found = []
    for size in sizes:
        code.label(labels[size])
        value = visit(size)
        if value is not None:
            found.append((value, code.block))
        code.jump(done)
    return found


def _width(code: IRFunction, row: Value, channel: int) -> Value:
    return code.load("i32", code.offset(row, 4 * (_WIDTHS + channel)), 4)


def _shift(code: IRFunction, row: Value, channel: int) -> Value:
    return code.cast("zext", code.load("i32", code.offset(row, 4 * (_SHIFTS + channel)), 4), "i128")


def _mask(code: IRFunction, width: Value) -> Value:
    """Ones in the low bits, i32; widths are 1 to 32."""
    unused = code.binary("and", code.binary("sub", constant("i32", 32), width), constant("i32", 31))
    return code.binary("lshr", constant("i32", -1), unused)


def _read(code: IRFunction) -> None:
    record = _record()
    row = layout_row(code, field(code, record, LAYOUT, 1))
    kind, one = field(code, record, CHANNEL_TYPE, 1), one_of(code, record)
    values = code.variable(f"[{len(Swizzle)} x i32]", "values", 4)
    code.branch(_inside(code), "inside", "outside")

    code.label("outside")
    border = Value("i32", "%border")
    code.branch(code.compare("icmp eq", border, constant("i32", int(Border.ZERO_BITS))), "decode", "colour")
    code.label("colour")
    white = code.compare("icmp eq", border, constant("i32", int(Border.OPAQUE_WHITE)))
    opaque = code.compare("icmp ne", border, constant("i32", int(Border.TRANSPARENT_BLACK)))
    colour = code.select(white, one, constant("i32", 0))
    code.give(_vector(code, [colour, colour, colour, code.select(opaque, one, constant("i32", 0))]))

    code.label("inside")
    pointer = _pointer(code, row)
    loaded = _by_size(
        code, row, lambda size: code.cast("zext", code.load(f"i{8 * size}", pointer, size), "i128"), "decode"
    )
    code.label("decode")
    raw = code.phi((zero("i128"), "outside"), *loaded)
    for swizzle in Swizzle:
        default = one if swizzle in (Swizzle.A, Swizzle.ONE) else constant("i32", 0)
        code.store(default, code.offset(values, 4 * swizzle), 4)
    for channel in range(4):
        width = _width(code, row, channel)
        stored, following = code.new_label("channel"), code.new_label("following")
        code.branch(code.compare("icmp ne", width, constant("i32", 0)), stored, following)
        code.label(stored)
        bits = code.cast("trunc", code.binary("lshr", raw, _shift(code, row, channel)), "i32")
        bits = code.binary("and", bits, _mask(code, width))
        found = code.call(_decode_channel(code.module), "i32", bits, width, kind)
        code.store(found, code.offset(values, 4 * channel), 4)
        code.jump(following)
        code.label(following)
    code.give(_vector(code, [_swizzled(code, values, record, number) for number in range(4)]))


def _swizzled(code: IRFunction, values: Value, record: Value, number: int) -> Value:
    swizzle = code.cast("zext", field(code, record, SWIZZLE + number, 1), "i64")
    return code.load("i32", code.offset(values, code.binary("shl", swizzle, integer(2))), 4)


def _vector(code: IRFunction, elements: Sequence[Value]) -> Value:
    value = zero(COMPONENTS)
    for number, element in enumerate(elements):
        value = code.value(COMPONENTS, f"insertelement {value}, {element}, i64 {number}")
    return value


def _write(code: IRFunction) -> None:
    record = _record()
    code.branch(_inside(code), "inside", "done")
    code.label("inside")
    row = layout_row(code, field(code, record, LAYOUT, 1))
    kind = field(code, record, CHANNEL_TYPE, 1)
    components = [code.extract(Value(COMPONENTS, "%components"), number) for number in range(4)]
    swizzles = [field(code, record, SWIZZLE + number, 1) for number in range(4)]
    texel = code.variable("i128", "texel", 16)
    code.store(zero("i128"), texel, 16)
    for channel in range(4):
        value, is_named = constant("i32", 0), constant("i1", "false")
        for component, swizzle in zip(reversed(components), reversed(swizzles), strict=True):
            same = code.compare("icmp eq", swizzle, constant("i32", channel))
            value, is_named = code.select(same, component, value), code.binary("or", is_named, same)
        width = _width(code, row, channel)
        has_bits = code.compare("icmp ne", width, constant("i32", 0))
        stored, following = code.new_label("channel"), code.new_label("following")
        code.branch(code.binary("and", is_named, has_bits), stored, following)
        code.label(stored)
        bits = code.call(_encode_channel(code.module), "i32", value, width, kind)
        placed = code.binary("shl", code.cast("zext", bits, "i128"), _shift(code, row, channel))
        code.store(code.binary("or", code.load("i128", texel, 16), placed), texel, 16)
        code.jump(following)
        code.label(following)
    raw, pointer = code.load("i128", texel, 16), _pointer(code, row)

    def store(size: int) -> None:
        code.store(code.cast("trunc", raw, f"i{8 * size}"), pointer, size)

    _by_size(code, row, store, "done")
    code.label("done")
    code.give()


# Channels ------------------------------------------------------------------------------------------------------------


_CHANNEL = "i32 %bits, i32 %width, i32 %kind"
_BITS, _CHANNEL_WIDTH = Value("i32", "%bits"), Value("i32", "%width")


def _decode_channel(module: IRModule) -> str:
    """`i32 decode(bits, width, kind)`: the component of a channel's bits, which are zero-extended."""
    return module.function("image.decode", "i32", _CHANNEL, lambda code: _convert(code, _DECODERS))


def _encode_channel(module: IRModule) -> str:
    """`i32 encode(component, width, kind)`: the bits of a channel, zero-extended."""
    return module.function("image.encode", "i32", _CHANNEL, lambda code: _convert(code, _ENCODERS))


def _convert(code: IRFunction, conversions: dict[ChannelType, Callable[[IRFunction], Value]]) -> None:
    """Channels of 32 bits are components as they are; others are converted by their type."""
    whole = code.compare("icmp eq", _CHANNEL_WIDTH, constant("i32", 32))
    code.branch(whole, "whole", "converted")
    code.label("whole")
    code.give(_BITS)
    code.label("converted")
    first, *others = ChannelType
    cases = " ".join(f"i32 {kind.value}, label %{kind.name}" for kind in others)
    code.line(f"switch i32 %kind, label %{first.name} [{cases}]")
    for kind in ChannelType:
        code.label(kind.name)
        code.give(conversions[kind](code))


def _signed(code: IRFunction) -> Value:
    unused = code.binary("sub", constant("i32", 32), _CHANNEL_WIDTH)
    return code.binary("ashr", code.binary("shl", _BITS, unused), unused)


def _single_bits(code: IRFunction, value: Value) -> Value:
    return code.cast("bitcast", value, "i32")


def _half_mask(code: IRFunction) -> Value:
    """The largest number of a signed channel."""
    return code.binary("lshr", _mask(code, _CHANNEL_WIDTH), constant("i32", 1))


def _from_unorm(code: IRFunction) -> Value:
    largest = code.cast("uitofp", _mask(code, _CHANNEL_WIDTH), "float")
    return _single_bits(code, code.binary("fdiv", code.cast("uitofp", _BITS, "float"), largest))


def _from_snorm(code: IRFunction) -> Value:
    value = code.binary(
        "fdiv", code.cast("sitofp", _signed(code), "float"), code.cast("sitofp", _half_mask(code), "float")
    )
    least = float_splat(1, "float", -1.0)
    return _single_bits(code, code.select(code.compare("fcmp olt", value, least), least, value))


def _from_float(code: IRFunction) -> Value:
    """Small floats lack the sign of hf and the end of its fraction."""
    missing = code.binary("sub", constant("i32", 15), _CHANNEL_WIDTH)
    is_half = code.compare("icmp eq", _CHANNEL_WIDTH, constant("i32", 16))
    half = code.binary("shl", _BITS, code.select(is_half, constant("i32", 0), missing))
    value = half_to_single(code, code.cast("trunc", half, "i16"))
    return _canonical(code, value, _single_bits(code, value), DataType.F)


def _canonical(code: IRFunction, value: Value, bits: Value, type: DataType) -> Value:
    nan = code.compare("fcmp uno", value, value)
    return code.select(nan, constant(bits.type, CANONICAL_NANS[type]), bits)


_DECODERS: dict[ChannelType, Callable[[IRFunction], Value]] = {
    ChannelType.UINT: lambda code: _BITS,
    ChannelType.SINT: _signed,
    ChannelType.UNORM: _from_unorm,
    ChannelType.SNORM: _from_snorm,
    ChannelType.FLOAT: _from_float,
}


def _to_uint(code: IRFunction) -> Value:
    return code.call("llvm.umin.i32", "i32", _BITS, _mask(code, _CHANNEL_WIDTH))


def _to_sint(code: IRFunction) -> Value:
    largest = _half_mask(code)
    smallest = code.binary("xor", largest, constant("i32", -1))
    limited = code.call("llvm.smin.i32", "i32", code.call("llvm.smax.i32", "i32", _BITS, smallest), largest)
    return code.binary("and", limited, _mask(code, _CHANNEL_WIDTH))


def _normalized(low: float, largest: Callable[[IRFunction], Value]) -> Callable[[IRFunction], Value]:
    """Clamped, scaled exactly in f64, and rounded; a NaN is zero."""

    def convert(code: IRFunction) -> Value:
        given = code.cast("fpext", code.cast("bitcast", _BITS, "float"), "double")
        nan = code.compare("fcmp uno", given, given)
        value = code.select(nan, float_splat(1, "double", 0.0), given)
        for op, limit in (("fcmp olt", low), ("fcmp ogt", 1.0)):
            bound = float_splat(1, "double", limit)
            value = code.select(code.compare(op, value, bound), bound, value)
        scaled = code.binary("fmul", value, code.cast("uitofp", largest(code), "double"))
        rounded = code.call("llvm.roundeven.f64", "double", scaled)
        return code.binary("and", code.cast("fptosi", rounded, "i32"), _mask(code, _CHANNEL_WIDTH))

    return convert


def _to_float(code: IRFunction) -> Value:
    value = code.cast("bitcast", _BITS, "float")
    code.branch(code.compare("icmp eq", _CHANNEL_WIDTH, constant("i32", 16)), "half", "small")
    code.label("half")
    half = _canonical(code, value, single_to_half(code, value), DataType.HF)
    code.give(code.cast("zext", half, "i32"))
    code.label("small")
    return _small_float(code, value)


def _small_float(code: IRFunction, value: Value) -> Value:
    """Bits of an unsigned float with the exponent of hf: `width` - 5 bits of fraction, rounded to nearest even."""

    def of(number: int) -> Value:
        return constant("i32", number)

    fraction = code.binary("sub", _CHANNEL_WIDTH, of(5))
    infinity = code.binary("shl", of(31), fraction)
    dropped = code.binary("sub", of(23), fraction)
    # Normal numbers: half a unit of the last bit that stays, then the bias of f32 is taken away.
    last = code.binary("and", code.binary("lshr", _BITS, dropped), of(1))
    half = code.binary("sub", code.binary("shl", of(1), code.binary("sub", dropped, of(1))), of(1))
    moved = code.binary("add", code.binary("add", _BITS, half), last)
    normal = code.binary("lshr", code.binary("sub", moved, of(112 << 23)), dropped)
    # Smaller ones are whole numbers of units of 2^-14 / 2^fraction.
    scale = code.cast("bitcast", code.binary("shl", code.binary("add", fraction, of(127 + 14)), of(23)), "float")
    units = code.call("llvm.roundeven.f32", "float", code.binary("fmul", value, scale))
    is_small = code.compare("fcmp olt", value, float_splat(1, "float", 2.0**-14))
    is_positive = code.compare("fcmp ogt", value, float_splat(1, "float", 0.0))
    bounded = code.select(code.binary("and", is_small, is_positive), units, float_splat(1, "float", 0.0))
    result = code.select(is_small, code.cast("fptoui", bounded, "i32"), normal)
    result = code.call("llvm.umin.i32", "i32", result, infinity)
    result = code.select(is_positive, result, of(0))
    quiet = code.binary("or", infinity, code.binary("shl", of(1), code.binary("sub", fraction, of(1))))
    return code.select(code.compare("fcmp uno", value, value), quiet, result)


_ENCODERS: dict[ChannelType, Callable[[IRFunction], Value]] = {
    ChannelType.UINT: _to_uint,
    ChannelType.SINT: _to_sint,
    ChannelType.UNORM: _normalized(0.0, lambda code: _mask(code, _CHANNEL_WIDTH)),
    ChannelType.SNORM: _normalized(-1.0, _half_mask),
    ChannelType.FLOAT: _to_float,
}
