"""Attributes of `xe` instructions: how an operand is read or written, and the fields of a message."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from xegpu.isa.model import (
    ARRAY_LENGTHS,
    BY_TEXT,
    CHANNELS,
    CONTIGUOUS,
    COORDINATES,
    VECTOR_SIZES,
    AddressModel,
    AddressSize,
    BlockShape,
    CacheControl,
    DataSize,
    DataType,
    ImageMessage,
    Immediate,
    Message,
    Region,
    Unit,
    channel_text,
)


@dataclass(frozen=True)
class Read:
    """The part of a register that a source reads: from byte `offset` on, as `type`, through a region."""

    type: DataType
    offset: int = 0
    region: Region = CONTIGUOUS
    negate: bool = False
    absolute: bool = False


@dataclass(frozen=True)
class Write:
    """The part of a register that a result is written to: from byte `offset` on, every `stride`-th `type`."""

    type: DataType
    offset: int = 0
    stride: int = 1


def _parse_type(parser: AttrParser) -> DataType:
    position = parser.pos
    word = parser.parse_identifier(context_msg="an element type")
    if word not in BY_TEXT:
        parser.raise_error(f"unknown element type '{word}', expected one of {', '.join(BY_TEXT)}", position)
    return BY_TEXT[word]


@irdl_attr_definition
class ReadAttr(Data[Read]):
    """`#xe.read<f, 64, [0, 1, 0], neg, abs>`: type, byte offset, region V, W, H and the source modifiers."""

    name = "xe.read"

    def __post_init__(self) -> None:
        """Does nothing: the parser has checked the data, and there is nothing else to verify."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Read:
        with parser.in_angle_brackets():
            data_type = _parse_type(parser)
            offset, region, flags = 0, CONTIGUOUS, {"neg": False, "abs": False}
            while parser.parse_optional_punctuation(","):
                if (word := parser.parse_optional_identifier()) is not None:
                    if word not in flags:
                        parser.raise_error(f"unknown source modifier '{word}', expected neg or abs")
                    flags[word] = True
                elif (number := parser.parse_optional_integer(allow_boolean=False)) is not None:
                    offset = number
                else:
                    numbers = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
                    if len(numbers) != 3 or min(numbers) < 0 or max(numbers) > 32 or numbers[1] < 1:
                        parser.raise_error(
                            "a region has three numbers up to 32: vertical stride, width (from 1), horizontal stride"
                        )
                    region = Region(*numbers)
            return Read(data_type, offset, region, flags["neg"], flags["abs"])

    def print_parameter(self, printer: Printer) -> None:
        read = self.data
        parts = [read.type.text]
        if read.offset:
            parts.append(str(read.offset))
        if read.region != CONTIGUOUS:
            parts.append(f"[{read.region.vertical}, {read.region.width}, {read.region.horizontal}]")
        parts += [word for word, present in (("neg", read.negate), ("abs", read.absolute)) if present]
        with printer.in_angle_brackets():
            printer.print_string(", ".join(parts))


@irdl_attr_definition
class ImmediateAttr(Data[Immediate]):
    """`#xe.imm<f, 1065353216>`: a constant source by its type and bits."""

    name = "xe.imm"

    def __post_init__(self) -> None:
        """Does nothing: the parser has checked the data, and there is nothing else to verify."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Immediate:
        with parser.in_angle_brackets():
            data_type = _parse_type(parser)
            parser.parse_punctuation(",")
            position = parser.pos
            bits = parser.parse_integer()
            if not 0 <= bits < 1 << data_type.bits:
                parser.raise_error(f"{bits} does not fit {data_type.bits} bits", position)
            return Immediate(data_type, bits)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.data.type.text}, {self.data.bits}")


WRITE_STRIDES = (1, 2, 4)


@irdl_attr_definition
class WriteAttr(Data[Write]):
    """`#xe.write<f, 128, 2>`: type, byte offset and stride in elements of a result."""

    name = "xe.write"

    def __post_init__(self) -> None:
        """Does nothing: the parser has checked the data, and there is nothing else to verify."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Write:
        with parser.in_angle_brackets():
            data_type = _parse_type(parser)
            offset = parser.parse_integer() if parser.parse_optional_punctuation(",") else 0
            position = parser.pos
            stride = parser.parse_integer() if parser.parse_optional_punctuation(",") else 1
            if stride not in WRITE_STRIDES:
                parser.raise_error(f"stride {stride}: expected one of {', '.join(map(str, WRITE_STRIDES))}", position)
            return Write(data_type, offset, stride)

    def print_parameter(self, printer: Printer) -> None:
        write = self.data
        text = write.type.text
        if write.offset or write.stride != 1:
            text += f", {write.offset}"
        if write.stride != 1:
            text += f", {write.stride}"
        with printer.in_angle_brackets():
            printer.print_string(text)


_CHOICES: dict[str, dict[str, Enum]] = {
    "unit": {u.text: u for u in Unit},
    "size": {d.text: d for d in DataSize},
    "cache": {c.name.lower(): c for c in CacheControl},
    "address": {a.text: a for a in AddressSize},
    "model": {m.text: m for m in AddressModel},
}


_NUMBERS = {"vector": VECTOR_SIZES, "offset": range(-(1 << 19), 1 << 19)}
_BLOCK = {"width": range(1, 65), "height": range(1, 33), "count": ARRAY_LENGTHS}
"""The highest register numbers that the fields of an instruction hold; how many a target has is checked elsewhere."""


def _parse_number(parser: AttrParser, name: str, legal: Sequence[int]) -> int:
    position = parser.pos
    number = parser.parse_integer(allow_boolean=False)
    if number not in legal:
        parser.raise_error(f"{name} {number}, expected {_listed(legal)}", position)
    return number


def _listed(numbers: Sequence[int]) -> str:
    if isinstance(numbers, range):
        return f"{numbers[0]} to {numbers[-1]}"
    return f"one of {', '.join(map(str, numbers))}"


def _parse_block(parser: AttrParser) -> BlockShape:
    """`[16, 8, 1]`: width, height, count."""
    position = parser.pos
    limits = iter(_BLOCK.items())

    def number() -> int:
        name, legal = next(limits, ("", ()))
        if not name:
            parser.raise_error("block has three numbers: width, height, count", position)
        return _parse_number(parser, f"block {name}", legal)

    shape = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, number)
    if len(shape) != len(_BLOCK):
        parser.raise_error("block has three numbers: width, height, count", position)
    return BlockShape(*shape)


@irdl_attr_definition
class MessageAttr(Data[Message]):
    """`#xe.message<unit = ugm, size = d16, vnni, block = [16, 32, 2]>`: fields of a message, defaults left out."""

    name = "xe.message"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Message:
        words: dict[str, str] = {}
        numbers: dict[str, int] = {}
        flags: set[str] = set()
        seen: set[str] = set()
        blocks: list[BlockShape] = []

        def entry() -> None:
            position = parser.pos
            key = parser.parse_identifier(context_msg="a message field")
            if key in seen:
                parser.raise_error(f"{key} is given twice", position)
            seen.add(key)
            if key in _CHOICES:
                parser.parse_punctuation("=")
                words[key] = parser.parse_identifier()
                if words[key] not in _CHOICES[key]:
                    known = ", ".join(_CHOICES[key])
                    parser.raise_error(f"unknown {key} '{words[key]}', expected one of {known}", position)
            elif key in _NUMBERS:
                parser.parse_punctuation("=")
                numbers[key] = _parse_number(parser, key, _NUMBERS[key])
            elif key == "block":
                parser.parse_punctuation("=")
                blocks.append(_parse_block(parser))
            elif key in ("transposed", "vnni"):
                flags.add(key)
            else:
                parser.raise_error(f"unknown message field '{key}'", position)

        position = parser.pos
        parser.parse_comma_separated_list(parser.Delimiter.ANGLE, entry)
        if "unit" not in words or "size" not in words:
            parser.raise_error("a message names its unit and its data size", position)
        return Message(
            Unit[words["unit"].upper()] if words["unit"] != "gtwy" else Unit.GATEWAY,
            DataSize[words["size"].upper()],
            numbers.get("vector", 1),
            "transposed" in flags,
            "vnni" in flags,
            CacheControl[words.get("cache", "default").upper()],
            AddressSize[words.get("address", "a64").upper()],
            AddressModel.SCRATCH if words.get("model") == "ss" else AddressModel.FLAT,
            numbers.get("offset", 0),
            blocks[0] if blocks else None,
        )

    def print_parameter(self, printer: Printer) -> None:
        message = self.data
        parts = [f"unit = {message.unit.text}", f"size = {message.data_size.text}"]
        if message.vector != 1:
            parts.append(f"vector = {message.vector}")
        parts += [word for word in ("transposed", "vnni") if getattr(message, word)]
        if message.cache is not CacheControl.DEFAULT:
            parts.append(f"cache = {message.cache.name.lower()}")
        if message.address_size is not AddressSize.A64:
            parts.append(f"address = {message.address_size.text}")
        if message.model is not AddressModel.FLAT:
            parts.append(f"model = {message.model.text}")
        if message.offset:
            parts.append(f"offset = {message.offset}")
        if message.block is not None:
            block = message.block
            parts.append(f"block = [{block.width}, {block.height}, {block.count}]")
        with printer.in_angle_brackets():
            printer.print_string(", ".join(parts))


_COMPONENTS = {channel_text(mask): mask for mask in range(1, 1 << len(CHANNELS))}
_IMAGE_UNITS = {unit.text: unit for unit in (Unit.TYPED, Unit.SAMPLER)}


@irdl_attr_definition
class ImageAttr(Data[ImageMessage]):
    """`#xe.image<tgm, xyzw, uv, uc_ca>`: unit, components, coordinates and cache control of a message to an image."""

    name = "xe.image"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ImageMessage:
        def word(what: str, known: Iterable[str]) -> str:
            position = parser.pos
            found = parser.parse_identifier(context_msg=what)
            if found not in known:
                parser.raise_error(f"unknown {what} '{found}', expected one of {', '.join(known)}", position)
            return found

        with parser.in_angle_brackets():
            unit = _IMAGE_UNITS[word("unit", _IMAGE_UNITS)]
            parser.parse_punctuation(",")
            channels = _COMPONENTS[word("components", _COMPONENTS)]
            parser.parse_punctuation(",")
            coordinates = COORDINATES.index(word("coordinates", COORDINATES)) + 1
            cache = "default"
            if parser.parse_optional_punctuation(","):
                cache = word("cache", _CHOICES["cache"])
        return ImageMessage(unit, channels, coordinates, CacheControl[cache.upper()])

    def print_parameter(self, printer: Printer) -> None:
        image = self.data
        parts = [image.unit.text, channel_text(image.channels), COORDINATES[image.coordinates - 1]]
        if image.cache is not CacheControl.DEFAULT:
            parts.append(image.cache.name.lower())
        with printer.in_angle_brackets():
            printer.print_string(", ".join(parts))
