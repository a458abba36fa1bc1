"""The 128-bit instruction word: its fields, and how numbers are put into them and taken out of them.

Every field of a layout has a name, a lowest bit and a width; bits that no field claims are reserved and must be zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from typing import NoReturn, TypeVar, cast

from xegpu.isa.model.instruction import (
    EXECUTION_SIZES,
    Combination,
    ConditionModifier,
    IllegalInstruction,
    Instruction,
    Predicate,
)
from xegpu.isa.model.operands import Flag
from xegpu.isa.model.table import Condition, OpSpec
from xegpu.on_demand import dataclass

T = TypeVar("T")

WORD_BYTES = 16
_WORD_MASK = (1 << 8 * WORD_BYTES) - 1


class EncodeError(IllegalInstruction):
    """The fields of an instruction do not fit the encoding."""


class DecodeError(ValueError):
    """Bytes are no legal instruction; `offset` is the byte offset in the decoded block."""

    def __init__(self, offset: int, reason: str):
        super().__init__(f"illegal instruction at offset {offset:#x}: {reason}")
        self.offset = offset
        self.reason = reason


@dataclass(frozen=True)
class Field:
    """Bits `lsb` to `lsb + width - 1` of the word."""

    lsb: int
    width: int


_PartReader = Callable[["Word", str], object]


@dataclass(frozen=True, eq=False)
class _WordPart:
    """Fields of a word, from bit `lsb` on; `known` is what was read from their bits."""

    lsb: int
    mask: int
    known: dict[int, object]


@cache
def _known(read: _PartReader, form: tuple[tuple[str, int, int], ...]) -> dict[int, object]:
    """Returns what a function has read from the bits of fields of a form, wherever in a word they are."""
    return {}


_MOST_KNOWN = 1 << 12
"""The operands of a form that are kept: more than the registers of a kernel in a few types and regions."""


class Layout(dict[str, Field]):
    """The fields of a word by name."""

    def __init__(self, fields: Mapping[str, Field] | None = None):
        super().__init__(fields or {})
        self._parts: dict[tuple[str, _PartReader], _WordPart] = {}

    def part(self, name: str, read: _PartReader, own: Sequence[str] = ()) -> _WordPart:
        """Returns the fields `name.…` and those of its `own`, as a function reads them."""
        found = self._parts.get((name, read))
        if found is None:
            fields = {field: place for field, place in self.items() if field.startswith(f"{name}.") or field in own}
            start = min(place.lsb for place in fields.values())
            form = tuple((field.removeprefix(name), place.lsb - start, place.width) for field, place in fields.items())
            mask = sum((1 << width) - 1 << lsb for _, lsb, width in form)
            found = self._parts[name, read] = _WordPart(start, mask, _known(read, form))
        return found

    @cached_property
    def reserved(self) -> int:
        """Returns the bits that no field claims."""
        claimed = 0
        for field in self.values():
            claimed |= ((1 << field.width) - 1) << field.lsb
        return _WORD_MASK & ~claimed

    def __or__(self, other: Mapping[str, Field]) -> Layout:  # type: ignore[override]
        return Layout({**self, **other})


def consecutive(start: int, *parts: tuple[str, int]) -> Layout:
    """Returns a layout of fields, given by name and width in bits, that follow each other from bit `start`."""
    fields = Layout()
    for name, width in parts:
        fields[name] = Field(start, width)
        start += width
    return fields


CONTROL = consecutive(
    0,
    ("opcode", 8),
    ("exec_size", 3),
    ("channel_offset", 3),
    ("no_mask", 1),
    ("predicate", 2),
    ("inverted", 1),
    ("flag", 2),
    ("flag_half", 1),
    ("condition", 4),
    ("saturate", 1),
)
"""The fields that all instructions begin with."""

FIRST_OWN_BIT = 26
"""The first bit after the fields that all instructions share."""

CHANNEL_OFFSETS = (0, 4, 8, 12, 16, 20, 24, 28)
"""Values of the field; the index is the code."""

_COMBINATIONS = {c.code: c for c in Combination}
_CONDITIONS = {c.code: c for c in Condition}


# Writing -------------------------------------------------------------------------------------------------------------


def pack(layout: Layout, values: Mapping[str, int]) -> int:
    """Returns the word with these values in its fields, and zero in the others.

    Raises:
        EncodeError: The layout has no such field, or a value does not fit its field.

    """
    word = 0
    for name, value in values.items():
        if (field := layout.get(name)) is None:
            raise EncodeError(f"takes no {name}")
        if not 0 <= value < 1 << field.width:
            raise EncodeError(f"{name} = {value} does not fit {field.width} bits")
        word |= value << field.lsb
    return word


def control_values(instruction: Instruction) -> dict[str, int]:
    """Returns the values of the fields that all instructions share."""
    spec, predicate, condition = instruction.spec, instruction.predicate, instruction.condition
    values = {
        "opcode": spec.opcode,
        "exec_size": index(EXECUTION_SIZES, instruction.exec_size, "execution size"),
        "channel_offset": index(CHANNEL_OFFSETS, instruction.channel_offset, "channel offset"),
        "no_mask": int(instruction.no_mask),
        "saturate": int(instruction.saturate),
    }
    flag = predicate.flag if predicate else condition.flag if condition else None
    if flag is not None:
        values |= {"flag": flag.number, "flag_half": flag.half}
    if predicate is not None:
        values |= {"predicate": predicate.combination.code, "inverted": int(predicate.inverted)}
    if condition is not None:
        values["condition"] = condition.condition.code
    return values


def index(choices: tuple[int, ...], value: int, what: str) -> int:
    """Returns the code of a value in a field whose values are listed; raises `EncodeError` if it is not among them."""
    try:
        return choices.index(value)
    except ValueError:
        raise EncodeError(f"{what} {value} is not one of {', '.join(map(str, choices))}") from None


def twos_complement(what: str, value: int, width: int) -> int:
    """Returns a number as `width` bits of two's complement; raises `EncodeError` if it does not fit."""
    if not -(1 << (width - 1)) <= value < 1 << (width - 1):
        raise EncodeError(f"{what} {value} does not fit {width} bits")
    return value & ((1 << width) - 1)


# Reading -------------------------------------------------------------------------------------------------------------


Control = tuple[int, int, bool, Predicate | None, ConditionModifier | None, bool]
"""The fields of `Instruction` from `exec_size` to `saturate`."""

_known_controls: dict[tuple[int, bool], Control] = {}
"""What was read from the bits that all instructions begin with, for instructions that choose by a condition or not."""

_CONTROL_MASK = (1 << FIRST_OWN_BIT) - 1


class Word:
    """The word at byte `offset` of `data`, which is being decoded; unknown values raise `DecodeError`."""

    def __init__(self, data: bytes, offset: int):
        self.data = data
        self.offset = offset
        self.layout = CONTROL
        self._value = int.from_bytes(data[offset : offset + WORD_BYTES], "little")

    def fail(self, reason: str) -> NoReturn:
        raise DecodeError(self.offset, reason)

    def use(self, layout: Layout) -> None:
        """Reads the fields of this layout from now on; raises `DecodeError` if reserved bits are set."""
        self.layout = layout
        if self._value & layout.reserved:
            self.fail(f"reserved bits are set: {self._value & layout.reserved:#x}")

    def get(self, name: str) -> int:
        """Returns the bits of a field as an unsigned number."""
        field = self.layout[name]
        return (self._value >> field.lsb) & ((1 << field.width) - 1)

    def signed(self, name: str) -> int:
        """Returns the number that the bits of a field stand for in two's complement."""
        return signed(self.get(name), self.layout[name].width)

    def once(self, name: str, read: Callable[[Word, str], T], own: Sequence[str] = ()) -> T:
        """Returns what a function reads from the fields `name.…` and those of its `own`, once for the same bits.

        It may look at nothing else. Kernels name few operands again and again, and to read one takes long.
        """
        part = self.layout.part(name, read, own)
        bits = self._value >> part.lsb & part.mask
        found = part.known.get(bits)
        if found is None:
            found = read(self, name)
            if len(part.known) >= _MOST_KNOWN:
                part.known.clear()
            part.known[bits] = found
        return cast("T", found)

    def bit(self, name: str) -> bool:
        return bool(self.get(name))

    def pick(self, name: str, choices: Mapping[int, T] | tuple[T, ...]) -> T:
        """Returns the value whose code is in a field."""
        code = self.get(name)
        if isinstance(choices, tuple):
            if code < len(choices):
                return choices[code]
        elif code in choices:
            return choices[code]
        self.fail(f"{name} has no value {code}")

    def control(self, spec: OpSpec) -> Control:
        """Returns the part common to all instructions, the fields of `Instruction` from `exec_size` to `saturate`."""
        bits = self._value & _CONTROL_MASK, spec.selects
        found = _known_controls.get(bits)
        if found is None:
            found = self._control(spec)
            if len(_known_controls) >= _MOST_KNOWN:
                _known_controls.clear()
            _known_controls[bits] = found
        return found

    def _control(self, spec: OpSpec) -> Control:
        flag = Flag(self.get("flag"), self.get("flag_half"))
        predicate = None
        if self.get("predicate"):
            predicate = Predicate(flag, self.bit("inverted"), self.pick("predicate", _COMBINATIONS))
        condition = None
        if self.get("condition"):
            code = self.pick("condition", _CONDITIONS)
            condition = ConditionModifier(code, None if spec.selects else flag)
        named = predicate is not None or (condition is not None and condition.flag is not None)
        if not named and flag != Flag(0, 0):
            self.fail("a flag is named but not used")
        if predicate is None and self.bit("inverted"):
            self.fail("an inversion without a predicate")
        exec_size = self.pick("exec_size", EXECUTION_SIZES)
        offset = self.get("channel_offset") * 4
        return exec_size, offset, self.bit("no_mask"), predicate, condition, self.bit("saturate")


def signed(bits: int, width: int) -> int:
    """Returns the number that `width` bits of two's complement stand for."""
    return bits - (1 << width) if bits >> (width - 1) else bits
