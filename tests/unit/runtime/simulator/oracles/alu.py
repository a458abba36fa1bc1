"""A scalar model of ALU instructions in Python integers and fractions: slow, obvious, and sharing no code with engines.

One element at a time: decode bits to a number, compute exactly, round once. Only the choice of the computation type and
the question whether an instruction copies bits are taken from `xegpu.isa.model.semantics`, which defines them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from fractions import Fraction

from xegpu.isa import (
    Combination,
    Condition,
    DataType,
    Immediate,
    Instruction,
    Predicate,
    Register,
    RegisterFile,
    SourceRegister,
)
from xegpu.isa.model.operands import ARCHITECTURE, VXH
from xegpu.isa.model.semantics import computation_type, is_bit_copy
from xegpu.isa.model.table import Modifiers
from xegpu.targets import Target

Number = int | float

FORMATS = {
    DataType.HF: (5, 10),
    DataType.BF: (8, 7),
    DataType.F: (8, 23),
    DataType.TF32: (8, 23),
    DataType.DF: (11, 52),
}
"""Exponent and fraction bits."""


# Bits and numbers ----------------------------------------------------------------------------------------------------


def decode(bits: int, type: DataType) -> Number:
    """The number that the bits of one element stand for."""
    if not type.is_float:
        return wrap(bits, type)
    exponent_bits, fraction_bits = FORMATS[type]
    bias = (1 << (exponent_bits - 1)) - 1
    fraction = bits & ((1 << fraction_bits) - 1)
    exponent = (bits >> fraction_bits) & ((1 << exponent_bits) - 1)
    sign = -1.0 if bits >> (exponent_bits + fraction_bits) else 1.0
    if exponent == (1 << exponent_bits) - 1:
        return math.nan if fraction else sign * math.inf
    if exponent:
        fraction |= 1 << fraction_bits
    return math.copysign(float(fraction * Fraction(2) ** (max(exponent, 1) - bias - fraction_bits)), sign)


def encode(value: Number | Fraction, type: DataType, *, negative: bool | None = None) -> int:
    """The bits of a number rounded once to nearest even; `negative` is the sign of a zero that is no float."""
    if not type.is_float:
        return int(value) & ((1 << type.bits) - 1)
    exponent_bits, fraction_bits = FORMATS[type]
    infinity = ((1 << exponent_bits) - 1) << fraction_bits
    if isinstance(value, float):
        negative = math.copysign(1.0, value) < 0
        if math.isnan(value):
            return infinity | 1 << (fraction_bits - 1)
        if math.isinf(value):
            return infinity | negative << (type.bits - 1)
    exact = abs(Fraction(value))
    negative = value < 0 or bool(negative)
    if type is DataType.TF32:
        tiny = exact < Fraction(2) ** -126
        bits = 0 if tiny else min(_quanta(exact, 8, 10) << 13, infinity)
    else:
        bits = min(_quanta(exact, exponent_bits, fraction_bits), infinity)
    return bits | negative << (type.bits - 1)


def _quanta(exact: Fraction, exponent_bits: int, fraction_bits: int) -> int:
    """The magnitude in units of its last place, exponent included: the pattern without its sign."""
    bias = (1 << (exponent_bits - 1)) - 1
    if not exact:
        return 0
    exponent = exact.numerator.bit_length() - exact.denominator.bit_length()
    exponent -= exact < Fraction(2) ** exponent
    exponent = min(max(exponent, 1 - bias), bias + 1)
    # round() of a Fraction rounds ties to even.
    return round(exact / Fraction(2) ** (exponent - fraction_bits)) + ((exponent + bias - 1) << fraction_bits)


def wrap(value: int, type: DataType) -> int:
    """An integer modulo the type's range."""
    value &= (1 << type.bits) - 1
    return value - (1 << type.bits) if type.is_signed and value >> (type.bits - 1) else value


def convert(value: Number, type: DataType, *, saturate: bool) -> int:
    """The bits of a number converted to a type."""
    if type.is_float:
        if saturate:
            value = 0.0 if math.isnan(value) else min(max(value, 0), 1) + 0.0 if value > 0 else 0.0
        return encode(value, type)
    low, high = (-(1 << (type.bits - 1)), (1 << (type.bits - 1)) - 1) if type.is_signed else (0, (1 << type.bits) - 1)
    if isinstance(value, float):
        if math.isnan(value):
            return 0
        whole = value if math.isinf(value) else math.trunc(value)
        return encode(low if whole < low else high if whole > high else int(whole), type)
    return encode(min(max(value, low), high) if saturate else value, type)


# Arithmetic ----------------------------------------------------------------------------------------------------------


def round_exact(exact: Fraction, like: float, type: DataType) -> float:
    """An exact result rounded once; an exact zero, or one that rounds to zero, takes its sign from `like` or itself."""
    negative = math.copysign(1.0, like) < 0 if not exact else exact < 0
    return float(decode(encode(exact, type, negative=negative), type))


def _finite(*values: float) -> bool:
    return all(map(math.isfinite, values))


def _float_add(a: float, b: float, t: DataType) -> float:
    return round_exact(Fraction(a) + Fraction(b), a + b, t) if _finite(a, b) else a + b


def _float_mul(a: float, b: float, t: DataType) -> float:
    return round_exact(Fraction(a) * Fraction(b), a * b, t) if _finite(a, b) else a * b


def float_mad(a: float, b: float, c: float, t: DataType) -> float:
    """a * b + c rounded once."""
    exact = _finite(a, b, c)
    if not exact:
        return a * b + c if _finite(a, b) is False else c
    return round_exact(Fraction(a) * Fraction(b) + Fraction(c), a * b + c, t)


def _float_div(a: float, b: float, t: DataType) -> float:
    sign = math.copysign(1.0, a) * math.copysign(1.0, b)
    if math.isnan(a) or math.isnan(b) or (a == 0 == b) or (math.isinf(a) and math.isinf(b)):
        return math.nan
    if b == 0 or math.isinf(a):
        return sign * math.inf
    if math.isinf(b) or a == 0:
        return sign * 0.0
    return round_exact(Fraction(a) / Fraction(b), sign, t)


def _integral(function: Callable[[float], int]) -> Callable[[float, DataType], float]:
    def apply(a: float, t: DataType) -> float:
        return math.copysign(float(function(a)), a) if math.isfinite(a) else a

    return apply


def _rotate(a: int, count: int, t: DataType) -> int:
    count %= t.bits
    return a << count | a >> (t.bits - count)


def _field(value: int, width: int, t: DataType) -> int:
    field = value & ((1 << width) - 1)
    return field - (1 << width) if t.is_signed and width and field >> (width - 1) else field


def _dot4(accumulator: int, a: int, b: int, instruction: Instruction) -> int:
    """The sum of an accumulator and four products of bytes."""
    signed = [source.type.is_signed for source in instruction.sources[1:]]

    def byte(value: int, place: int, sign: bool) -> int:
        return wrap(value >> 8 * place, DataType.B if sign else DataType.UB)

    return accumulator + sum(byte(a, k, signed[0]) * byte(b, k, signed[1]) for k in range(4))


def _int_div(a: int, b: int, t: DataType) -> int:
    return -1 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _int_mod(a: int, b: int, t: DataType) -> int:
    return a if b == 0 else abs(a) % abs(b) * (-1 if a < 0 else 1)


def _float_sqrt(a: float, t: DataType) -> float:
    if not a > 0 or math.isinf(a):
        return a if a == 0 or a > 0 else math.nan
    # A root of 130 bits, with the last one set if it is inexact, rounds as the exact one.
    exact = Fraction(a)
    scale = 2 * (130 + exact.denominator.bit_length())
    scaled = (exact.numerator << scale) // exact.denominator
    root = math.isqrt(scaled)
    odd = root | (root * root != scaled)
    return round_exact(Fraction(odd, 1 << scale // 2), 1.0, t)


def _float_fraction(a: float, t: DataType) -> float:
    if not math.isfinite(a):
        return a if math.isnan(a) else 0.0
    largest = float(decode(encode(1.0, t) - 1, t))
    return min(round_exact(Fraction(a) - math.floor(a), 1.0, t), largest)


def _lerp(a: float, b: float, c: float, t: DataType) -> float:
    return float_mad(a, b, _float_mul(_float_add(1.0, -a, t), c, t), t)


def _function(
    function: Callable[[Decimal], Decimal | float], domain: Callable[[float], float | None]
) -> Callable[[float, DataType], float]:
    """A function of real numbers, computed with 60 digits; `domain` has the results that need no computation."""

    def apply(a: float, t: DataType) -> float:
        if math.isnan(a):
            return a
        special = domain(a)
        if special is not None:
            return special
        with localcontext() as context:
            context.prec = 60
            context.Emax, context.Emin = MAX_EMAX, MIN_EMIN
            result = Decimal(function(Decimal(a)))
        return round_exact(Fraction(result), -1.0 if result.is_signed() else 1.0, t)

    return apply


def _limits(table: dict[float, float], negative: float | None = None) -> Callable[[float], float | None]:
    def special(a: float) -> float | None:
        if a in table:
            return math.copysign(table[a], a) if a == 0 and table[a] == 0 else table[a]
        return negative if a < 0 else None

    return special


def _rsqrt_limits(a: float) -> float | None:
    if a == 0:
        return math.copysign(math.inf, a)
    return math.nan if a < 0 else 0.0 if math.isinf(a) else None


def _exp2(a: Decimal) -> Decimal:
    return (min(max(a, Decimal(-4000)), Decimal(4000)) * Decimal(2).ln()).exp()


PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798")


def _sin(a: Decimal) -> Decimal:
    """The sine by its series, after whole turns are taken away with enough digits."""
    with localcontext() as context:
        context.prec = 100
        rest = a - (a / (2 * PI)).to_integral_value() * 2 * PI
        term, total, k = rest, rest, 1
        while abs(term) > Decimal(10) ** -80:
            term *= -rest * rest / ((k + 1) * (k + 2))
            total += term
            k += 2
    return total


def _cos(a: Decimal) -> Decimal:
    with localcontext() as context:
        context.prec = 100
        return _sin(a + PI / 2)


def _power(a: float, b: float, t: DataType) -> float:
    if a == 1 or b == 0:
        return 1.0
    if math.isnan(a) or math.isnan(b):
        return math.nan
    if a == 0 or math.isinf(a) or math.isinf(b):
        return _power_limit(a, b)
    whole = b == math.floor(b)
    if a < 0 and not whole:
        return math.nan
    with localcontext() as context:
        context.prec = 60
        context.Emax, context.Emin = MAX_EMAX, MIN_EMIN
        magnitude = _exp2(Decimal(b) * Decimal(abs(a)).ln() / Decimal(2).ln())
    negative = a < 0 and b % 2 == 1
    return round_exact(Fraction(-magnitude if negative else magnitude), 1.0, t)


def _power_limit(a: float, b: float) -> float:
    if a != 0 and not math.isinf(a):
        return 1.0 if abs(a) == 1 else math.inf if (abs(a) > 1) == (b > 0) else 0.0
    odd = not math.isinf(b) and b % 2 == 1
    result = math.inf if (a == 0) == (b < 0) else 0.0
    return math.copysign(result, a) if odd else result


def _minimum(a: Number, b: Number) -> Number:
    return a if a < b or b != b else b


def _maximum(a: Number, b: Number) -> Number:
    return a if a >= b or b != b else b


FLOAT_OPERATIONS: dict[str, Callable[..., float]] = {
    "mov": lambda a, t: a,
    "add": _float_add,
    "mul": _float_mul,
    "mad": float_mad,
    "div": _float_div,
    "frc": _float_fraction,
    "lrp": _lerp,
    "sqrtm": _float_sqrt,
    "pow": _power,
    "math.inv": lambda a, t: _float_div(1.0, a, t),
    "math.sqt": _float_sqrt,
    "math.rsqt": _function(lambda a: 1 / a.sqrt(), _rsqrt_limits),
    "math.log": _function(lambda a: a.ln() / Decimal(2).ln(), _limits({0.0: -math.inf, math.inf: math.inf}, math.nan)),
    "math.exp": _function(_exp2, _limits({math.inf: math.inf, -math.inf: 0.0})),
    "math.sin": _function(_sin, _limits({0.0: 0.0, math.inf: math.nan, -math.inf: math.nan})),
    "math.cos": _function(_cos, _limits({math.inf: math.nan, -math.inf: math.nan})),
    "rndd": _integral(math.floor),
    "rndu": _integral(math.ceil),
    "rndz": _integral(math.trunc),
    "rnde": _integral(round),
}

INTEGER_OPERATIONS: dict[str, Callable[..., int]] = {
    "mov": lambda a, t: a,
    "not": lambda a, t: ~a,
    "and": lambda a, b, t: a & b,
    "or": lambda a, b, t: a | b,
    "xor": lambda a, b, t: a ^ b,
    "shl": lambda a, b, t: a << (b % t.bits),
    "shr": lambda a, b, t: (a % (1 << t.bits)) >> (b % t.bits),
    "asr": lambda a, b, t: wrap(a, t) >> (b % t.bits),
    "add": lambda a, b, t: a + b,
    "mul": lambda a, b, t: a * b,
    "mad": lambda a, b, c, t: a * b + c,
    "mulh": lambda a, b, t: (a * b) >> t.bits,
    "div": _int_div,
    "mod": _int_mod,
    "add3": lambda a, b, c, t: a + b + c,
    "addc": lambda a, b, t: a + b,
    "subb": lambda a, b, t: a - b,
    "avg": lambda a, b, t: (a + b + 1) >> 1,
    "rol": _rotate,
    "ror": lambda a, b, t: _rotate(a, -b, t),
    "lzd": lambda a, t: t.bits - (a % (1 << t.bits)).bit_length(),
    "fbh": lambda a, t: t.bits - (~a if a < 0 else a).bit_length() if a not in (0, -1) else -1,
    "fbl": lambda a, t: (a & -a).bit_length() - 1,
    "cbit": lambda a, t: a.bit_count(),
    "bfrev": lambda a, t: int(f"{a:032b}"[::-1], 2),
    "bfe": lambda a, b, c, t: _field(c >> b % 32, a % 32, t),
    "bfi1": lambda a, b, t: ((1 << a % 32) - 1) << b % 32,
    "bfi2": lambda a, b, c, t: (b << max((a & -a).bit_length() - 1, 0)) & a | c & ~a,
}

CARRIES: dict[str, Callable[[int, int], int]] = {
    "addc": lambda a, b: (a + b) >> 32,
    "subb": lambda a, b: int(a < b),
}
"""The formulas for the second destination."""

CONDITIONS: dict[Condition, Callable[[Number, Number], bool]] = {
    Condition.EQ: lambda a, b: a == b,
    Condition.NE: lambda a, b: a != b,
    Condition.GT: lambda a, b: a > b,
    Condition.GE: lambda a, b: a >= b,
    Condition.LT: lambda a, b: a < b,
    Condition.LE: lambda a, b: a <= b,
    Condition.UN: lambda a, b: a != a or b != b,
}


# Instructions --------------------------------------------------------------------------------------------------------


def _modified(instruction: Instruction, source: SourceRegister, value: Number, computed: DataType) -> Number:
    if instruction.spec.modifiers is Modifiers.LOGIC:
        return ~int(value) if source.negate else value
    if source.absolute:
        value = abs(value)
    if source.negate:
        value = -value
    return value


class BadRegister(Exception):
    """An indirect operand is not in the register file: channel, address and size."""


@dataclass
class State:
    """The registers of a thread: those of the architecture by name, each as the bytes of one number."""

    registers: bytes
    architecture: dict[str, int]

    def element(self, register: Register, element: int, row: int, size: int, target: Target) -> tuple[bytes, int]:
        """The bytes that hold an element, and where it starts in them."""
        match register.file:
            case RegisterFile.ARF:
                name = ARCHITECTURE[register.number]
                return self.architecture[name.text].to_bytes(name.size, "little"), register.byte + element * size
            case RegisterFile.INDIRECT:
                word = self.architecture["a0"] >> 16 * (register.number + row) & 0xFFFF
                start = word + register.byte + element * size
                if start < 0 or start + size > len(self.registers) or start % size:
                    raise BadRegister(start, size)
                return self.registers, start
        return self.registers, register.number * target.platform.grf_bytes + register.byte + element * size


def _read(instruction: Instruction, index: int, channel: int, state: State, target: Target) -> tuple[int, Number]:
    """Bits, and value in the computation type with modifiers, of one source element."""
    source, computed = instruction.sources[index], computation_type(instruction)
    if isinstance(source, Immediate):
        value = source.lane(channel)
        return source.bits, value if computed.is_float else wrap(int(value), computed)
    region = source.region
    row, column = divmod(channel, region.width)
    if region.vertical == VXH:
        element = column * region.horizontal
    else:
        element, row = row * region.vertical + column * region.horizontal, 0
    data, start = state.element(source.register, element, row, source.type.size, target)
    bits = int.from_bytes(data[start : start + source.type.size], "little")
    value = decode(bits, source.type)
    if not computed.is_float:
        value = wrap(int(_modified(instruction, source, wrap(int(value), computed), computed)), computed)
        return bits, value
    return bits, _modified(instruction, source, value, computed)


def _compute(instruction: Instruction, bits: list[int], values: list[Number], chosen: bool) -> int:
    """The bits that one channel writes."""
    destination = instruction.destination
    assert destination is not None
    if is_bit_copy(instruction):
        return bits[0 if chosen else 1] if instruction.mnemonic == "sel" else bits[0]
    computed, condition = computation_type(instruction), instruction.condition
    result: Number
    if instruction.mnemonic == "sel":
        if condition is None:
            result = values[0] if chosen else values[1]
        else:
            result = (_minimum if condition.condition is Condition.LT else _maximum)(*values)
    elif instruction.mnemonic == "csel":
        assert condition is not None
        result = values[0] if CONDITIONS[condition.condition](values[2], 0) else values[1]
    elif instruction.mnemonic == "dp4a":
        a, b, c = map(int, values)
        result = wrap(_dot4(a, b, c, instruction), computed)
    elif instruction.mnemonic == "bfn":
        result = sum(
            (instruction.table >> sum((int(value) >> bit & 1) << k for k, value in enumerate(values)) & 1) << bit
            for bit in range(computed.bits)
        )
    elif computed.is_float:
        result = FLOAT_OPERATIONS[instruction.mnemonic](*values, computed)
    else:
        result = wrap(INTEGER_OPERATIONS[instruction.mnemonic](*values, computed), computed)
    return convert(result, destination.type, saturate=instruction.saturate)


def _predicate(instruction: Instruction, predicate: Predicate, flag: int, channel: int) -> bool:
    first = 16 * predicate.flag.half + instruction.channel_offset
    bits = [bool(flag >> first + i & 1) for i in range(instruction.exec_size)]
    combined = {Combination.NONE: bits[channel], Combination.ANY: any(bits), Combination.ALL: all(bits)}
    return combined[predicate.combination] != predicate.inverted


def execute(
    instruction: Instruction, registers: bytes, flags: tuple[int, ...], mask: int, target: Target
) -> tuple[bytes, tuple[int, ...]]:
    """Registers and flags behind an ALU instruction, the first one of a thread; raises `BadRegister`."""
    destination, predicate, condition = instruction.destination, instruction.predicate, instruction.condition
    assert destination is not None
    after, after_flags = bytearray(registers), list(flags)
    carries: list[tuple[int, int]] = []
    state = State(
        registers,
        {"a0": 0, "ce0": mask, "sr0": mask << 64, "cr0": 0x4C0} | {f"f{n}": flag for n, flag in enumerate(flags)},
    )
    for channel in range(instruction.exec_size):
        position = instruction.channel_offset + channel
        holds = True
        if predicate is not None:
            holds = _predicate(instruction, predicate, flags[predicate.flag.number], channel)
        enabled = instruction.no_mask or bool(mask >> position & 1)
        if not enabled or (not holds and instruction.mnemonic != "sel"):
            continue
        operands = [_read(instruction, i, channel, state, target) for i in range(len(instruction.sources))]
        bits, values = [o[0] for o in operands], [o[1] for o in operands]
        if instruction.mnemonic in ("cmp", "cmpn"):
            assert condition is not None
            outcome = CONDITIONS[condition.condition](values[0], values[1])
            outcome = outcome or (instruction.mnemonic == "cmpn" and values[1] != values[1])
            result = (1 << destination.type.bits) - 1 if outcome else 0
        else:
            result = _compute(instruction, bits, values, holds)
            if condition is not None and condition.flag is not None:
                outcome = CONDITIONS[condition.condition](decode(result, destination.type), 0)
        if condition is not None and condition.flag is not None:
            bit = 1 << (16 * condition.flag.half + position)
            after_flags[condition.flag.number] &= ~bit
            after_flags[condition.flag.number] |= bit if outcome else 0
        if destination.register.flag is not None:
            window = ((1 << destination.type.bits) - 1) << 8 * destination.register.byte
            number = destination.register.flag
            after_flags[number] = after_flags[number] & ~window | result << 8 * destination.register.byte
        elif destination.register.file is not RegisterFile.ARF:
            element, size = channel * destination.stride, destination.type.size
            _, start = state.element(destination.register, element, 0, size, target)
            after[start : start + size] = result.to_bytes(size, "little")
        if instruction.carry is not None:
            carries.append((channel, CARRIES[instruction.mnemonic](int(values[0]), int(values[1]))))
    for channel, carry in carries:  # written last, where the two destinations overlap
        assert instruction.carry is not None
        start = instruction.carry.number * target.platform.grf_bytes + instruction.carry.byte + 4 * channel
        after[start : start + 4] = carry.to_bytes(4, "little")
    return bytes(after), tuple(after_flags)
