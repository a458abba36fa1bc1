"""Operands of instructions: registers, regions and immediates."""

from __future__ import annotations

import math
import struct
from enum import Enum
from fractions import Fraction
from functools import lru_cache

from xegpu.isa.model.types import PACKED_AS, DataType
from xegpu.on_demand import dataclass


class RegisterFile(Enum):
    """The files of registers; the value is the code in the encoding of destinations.

    An indirect operand is a general register whose byte address is in an address register.
    """

    GRF = 0
    ARF = 1
    INDIRECT = 2

    __hash__ = object.__hash__
    """Enum's own hashes the name, in Python: encoding an operand looks its file up."""


@dataclass(frozen=True, slots=True)
class Architecture:
    """An architecture register: its name, its number in the encoding, its size in bytes, and its use by operands.

    Address registers and the timestamp have `elements`: of all others an operand names one element, for all channels.
    """

    text: str
    number: int
    size: int
    writable: bool = True
    elements: bool = False


_FLAG_NUMBER = 0x30

ADDRESS = Architecture("a0", 0x10, 32, elements=True)
CHANNEL_ENABLE = Architecture("ce0", 0x40, 4, writable=False)
STATE = Architecture("sr0", 0x70, 16, writable=False)
CONTROL = Architecture("cr0", 0x80, 4)
TIMESTAMP = Architecture("tm0", 0xC0, 16, writable=False, elements=True)
FLAGS = tuple(Architecture(f"f{number}", _FLAG_NUMBER + number, 4) for number in range(4))

ARCHITECTURE = {register.number: register for register in (ADDRESS, *FLAGS, CHANNEL_ENABLE, STATE, CONTROL, TIMESTAMP)}
"""The architecture registers that are operands, by number. `null` is number 0."""

DISPATCH_MASK = 2
"""The dword of `sr0` that holds the execution mask with which the thread started; the others are zero."""

TIMESTAMP_BYTES = 8
"""The bytes of `tm0` that count cycles; those behind them are zero, as no other thread ever takes the place of one."""

CONTROL_DEFAULT = 0x4C0
"""The initial value of `cr0.0`: rounding to nearest even; subnormal numbers of all types are kept."""

ADDRESS_WORDS = ADDRESS.size // 2
MIN_INDIRECT, MAX_INDIRECT = -512, 511
"""Limits of the constant that is added to an address register."""


@dataclass(frozen=True, slots=True)
class Register:
    """A location in a register file: register `number`, starting at byte `byte` in it.

    For an indirect operand they are the word of `a0` that holds the byte address, and a constant that is added to it.
    """

    file: RegisterFile
    number: int
    byte: int = 0

    @property
    def is_null(self) -> bool:
        return self.file is RegisterFile.ARF and self.number == 0

    @property
    def flag(self) -> int | None:
        """The number of the flag register that this is."""
        number = self.number - _FLAG_NUMBER
        return number if self.file is RegisterFile.ARF and 0 <= number < len(FLAGS) else None

    def is_part_of(self, architecture: Architecture) -> bool:
        return self.file is RegisterFile.ARF and self.number == architecture.number


NULL = Register(RegisterFile.ARF, 0)


@lru_cache(maxsize=1 << 14)
def grf(number: int, byte: int = 0) -> Register:
    """Returns general register `number`, from byte `byte` on. Kernels name few of them again and again."""
    return Register(RegisterFile.GRF, number, byte)


def indirect(word: int, offset: int = 0) -> Register:
    """Returns the general register at the byte address that a word of `a0` holds, plus `offset`."""
    return Register(RegisterFile.INDIRECT, word, offset)


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag register half: `f0.1` is bits 16 to 31 of the 32-bit flag `f0`."""

    number: int
    half: int = 0


WIDTHS = (1, 2, 4, 8, 16)
"""Channels in a row of a region."""

VXH = -1
"""Vertical stride of indirect regions whose rows each have an address of their own."""


@dataclass(frozen=True, slots=True)
class Region:
    """Source region `<V;W,H>`: channel i reads element `(i / W) * V + (i mod W) * H`.

    With `V = VXH`, written `<W,H>`, that is `(i mod W) * H` elements after the address of row `i / W`.
    """

    vertical: int
    width: int
    horizontal: int

    def element(self, channel: int) -> int:
        """Returns the index of the element, counted from the operand's start, that `channel` reads."""
        row = 0 if self.vertical == VXH else (channel // self.width) * self.vertical
        return row + (channel % self.width) * self.horizontal

    def span(self, channels: int) -> int:
        """Returns the number of elements from the first to the last one that `channels` channels touch."""
        last = self.element(channels - 1)
        return 1 + (last if channels <= self.width else max(last, self.element(self.width - 1)))


SCALAR = Region(0, 1, 0)
CONTIGUOUS = Region(1, 1, 0)


def strided(stride: int) -> Region:
    """Returns the region that takes every `stride`-th element (0: the same one for all channels)."""
    return Region(stride, 1, 0)


@dataclass(frozen=True, slots=True)
class Destination:
    """The operand that gets a result: channel i writes element `i * stride`."""

    register: Register
    type: DataType
    stride: int = 1


@dataclass(frozen=True, slots=True)
class SourceRegister:
    """A register operand. `negate` means bitwise not on logic instructions; `absolute` acts first."""

    register: Register
    type: DataType
    region: Region = CONTIGUOUS
    negate: bool = False
    absolute: bool = False


@dataclass(frozen=True, slots=True)
class Immediate:
    """A constant operand; `bits` are its bits, zero-extended, as wide as the type."""

    type: DataType
    bits: int

    @staticmethod
    def of(value: float, type: DataType) -> Immediate:
        """Returns the immediate of `type` for a Python number; integers wrap, floats round to nearest even."""
        if type.is_float:
            return Immediate(type, float_bits(float(value), type))
        return Immediate(type, int(value) & ((1 << type.bits) - 1))

    def value(self) -> int | float:
        """Returns the number that the bits stand for; of packed vectors, the bits themselves."""
        if self.type in PACKED_AS:
            return self.bits
        if self.type.is_float:
            return float_value(self.bits, self.type)
        sign = 1 << (self.type.bits - 1)
        return (self.bits ^ sign) - sign if self.type.is_signed else self.bits

    def lane(self, channel: int) -> int | float:
        """Returns the number that a channel reads: of packed vectors a nibble or a small float."""
        if self.type is DataType.VF:
            return _small_float(self.bits >> 8 * (channel % 4) & 0xFF)
        if self.type not in PACKED_AS:
            return self.value()
        nibble = (self.bits >> (4 * (channel % 8))) & 0xF
        return nibble - 16 if self.type is DataType.V and nibble > 7 else nibble

    def lane_bits(self, channel: int) -> int:
        """Returns the bits that a channel reads, in the type that elements of packed vectors are read as."""
        if self.type not in PACKED_AS:
            return self.bits
        return Immediate.of(self.lane(channel), PACKED_AS[self.type]).bits


def _small_float(bits: int) -> float:
    """Returns an element of `vf`: a sign, three bits of exponent (bias 3), four of fraction; zero if all are zero."""
    exponent, fraction = bits >> 4 & 7, bits & 15
    magnitude = (1 + fraction / 16) * 2.0 ** (exponent - 3) if exponent or fraction else 0.0
    return -magnitude if bits >> 7 else magnitude


_FORMATS = {  # exponent bits, fraction bits, left shift of the pattern in its register
    DataType.DF: (11, 52, 0),
    DataType.F: (8, 23, 0),
    DataType.HF: (5, 10, 0),
    DataType.BF: (8, 7, 0),
    DataType.TF32: (8, 10, 13),
}


def float_bits(value: float, type: DataType) -> int:
    """Returns the bits of `value` rounded once to a float type: to nearest even, and to infinity on overflow."""
    exponent_bits, fraction_bits, shift = _FORMATS[type]
    sign = 1 if math.copysign(1.0, value) < 0 else 0
    infinity = ((1 << exponent_bits) - 1) << fraction_bits
    if math.isnan(value):
        bits = infinity | 1 << (fraction_bits - 1)
    elif math.isinf(value):
        bits = infinity
    else:
        bias = (1 << (exponent_bits - 1)) - 1
        exponent = max(math.frexp(value)[1] - 1, 1 - bias) if value else 1 - bias
        # Scaling by a power of two is exact, so this is the only rounding; a carry moves into the exponent by itself.
        quanta = round(abs(Fraction(value)) / Fraction(2) ** (exponent - fraction_bits))
        bits = min(quanta + ((exponent + bias - 1) << fraction_bits), infinity)
    return (bits | sign << (exponent_bits + fraction_bits)) << shift


def float_value(bits: int, type: DataType) -> float:
    """Returns the number that `bits` of a float type stand for."""
    match type:
        case DataType.DF:
            code, pattern, size = "<d", bits, 8
        case DataType.HF:
            code, pattern, size = "<e", bits, 2
        case DataType.BF:
            code, pattern, size = "<f", bits << 16, 4
        case _:
            code, pattern, size = "<f", bits, 4
    return float(struct.unpack(code, pattern.to_bytes(size, "little"))[0])
