"""Register types of the `xe` dialect."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from xdsl.dialects.builtin import IntAttr, NoneAttr
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xegpu.isa.model import FLAGS

MAX_BLOCK_BYTES = 1 << 18
"""As much as registers and scratch space of a thread hold; the bound keeps a small text from making huge tables."""

_FLAG_HALVES = 2 * len(FLAGS)


@irdl_attr_definition
class GRFType(ParametrizedAttribute, TypeAttribute):
    """`!xe.grf<512, 64>`: a block of register bytes, its size and alignment; `!xe.grf<512, 64 at 1280>` once allocated.

    The number after `at` is the byte address in the thread's register file.
    """

    name = "xe.grf"

    size: IntAttr
    alignment: IntAttr
    place: IntAttr | NoneAttr

    def __init__(self, size: int, alignment: int, place: int | None = None):
        super().__init__(IntAttr(size), IntAttr(alignment), NoneAttr() if place is None else IntAttr(place))

    @staticmethod
    @cache
    def of(size: int, alignment: int, place: int | None = None) -> GRFType:
        """Returns the type of a register block. A kernel has few of them, and making one takes long."""
        return GRFType(size, alignment, place)

    @property
    def address(self) -> int | None:
        """Byte address in the register file; None before allocation."""
        return self.place.data if isinstance(self.place, IntAttr) else None

    def at(self, address: int) -> GRFType:
        """The same block, allocated at a byte address."""
        return GRFType.of(self.size.data, self.alignment.data, address)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            size = parser.parse_integer(allow_boolean=False)
            parser.parse_punctuation(",")
            alignment = parser.parse_integer(allow_boolean=False)
            place: Attribute = NoneAttr()
            if parser.parse_optional_keyword("at"):
                place = IntAttr(parser.parse_integer(allow_boolean=False))
            return [IntAttr(size), IntAttr(alignment), place]

    def print_parameters(self, printer: Printer) -> None:
        text = f"{self.size.data}, {self.alignment.data}"
        if self.address is not None:
            text += f" at {self.address}"
        with printer.in_angle_brackets():
            printer.print_string(text)

    def verify(self) -> None:
        size, alignment = self.size.data, self.alignment.data
        if not 1 <= size <= MAX_BLOCK_BYTES or not 1 <= alignment <= MAX_BLOCK_BYTES or alignment & (alignment - 1):
            raise VerifyException(
                f"a register block of {size} bytes aligned to {alignment}: expected 1 to {MAX_BLOCK_BYTES} bytes "
                "and a power of two"
            )
        if self.address is None:
            return
        if not 0 <= self.address <= MAX_BLOCK_BYTES or self.address % alignment:
            raise VerifyException(
                f"register address {self.address}: expected a multiple of {alignment} up to {MAX_BLOCK_BYTES}"
            )


@irdl_attr_definition
class FlagType(ParametrizedAttribute, TypeAttribute):
    """`!xe.flag`: sixteen or more predicate bits; `!xe.flag<3>` once allocated: half `3 mod 2` of `f(3 div 2)`."""

    name = "xe.flag"

    place: IntAttr | NoneAttr

    def __init__(self, place: int | None = None):
        super().__init__(NoneAttr() if place is None else IntAttr(place))

    @staticmethod
    @cache
    def of(place: int | None = None) -> FlagType:
        """Returns the type of a flag. There are few of them, and making one takes long."""
        return FlagType(place)

    @property
    def index(self) -> int | None:
        """Number of the flag half; None before allocation."""
        return self.place.data if isinstance(self.place, IntAttr) else None

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        if parser.parse_optional_punctuation("<") is None:
            return [NoneAttr()]
        place = IntAttr(parser.parse_integer(allow_boolean=False))
        parser.parse_punctuation(">")
        return [place]

    def print_parameters(self, printer: Printer) -> None:
        if self.index is not None:
            with printer.in_angle_brackets():
                printer.print_string(str(self.index))

    def verify(self) -> None:
        if self.index is not None and not 0 <= self.index < _FLAG_HALVES:
            raise VerifyException(f"flag {self.index}: expected 0 to {_FLAG_HALVES - 1}")


FLAG_BYTES = 4
"""Size of a whole flag register."""


def register_bytes(type: Attribute) -> int:
    """Bytes of a register block or of a flag."""
    return type.size.data if isinstance(type, GRFType) else FLAG_BYTES


def unplaced(type: Attribute) -> Attribute:
    """The type of a register that is like one of `type`, wherever it lies."""
    return GRFType.of(type.size.data, type.alignment.data) if isinstance(type, GRFType) else FlagType.of()


def register_type(value: SSAValue) -> GRFType:
    """The type of a value that is known to be a register block."""
    assert isinstance(value.type, GRFType)
    return value.type
