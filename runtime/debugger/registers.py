"""Registers by their names in assembly: `r5.3:f`, `r13:4:bf`, `r2.0<8;8,1>:w`, `f0.1`, `a0`, `mask`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from runtime.debugger.errors import DebugError
from runtime.debugger.values import NUMBERS, Values
from runtime.simulator.interpreter import Thread
from runtime.simulator.interpreter.alu import Array, Bytes, bits_dtype
from xegpu.isa import DataType, Region, Register, RegisterFile
from xegpu.isa.model import ADDRESS, ARCHITECTURE, BY_TEXT, CHANNEL_ENABLE, FLAGS, Architecture

PATTERN = re.compile(
    r"\b(?:r(?P<number>\d{1,4})|(?P<architecture>a0|ce0|sr0|cr0|f[0-3])|(?P<mask>mask))\b"
    r"(?:\.(?P<element>\d{1,4})\b)?"
    r"(?::(?P<count>\d{1,4})\b)?"
    r"(?:<(?P<vertical>\d{1,2});(?P<width>\d{1,2}),(?P<horizontal>\d{1,2})>)?"
    r"(?::(?P<type>[a-z]\w*))?"
)
"""A register in an expression."""

_ARCHITECTURE = {register.text: register for register in ARCHITECTURE.values()}
_DEFAULT_TYPES: Mapping[Architecture | None, DataType] = {ADDRESS: DataType.UW}


def channels(thread: Thread) -> int:
    """Returns the number of channels of the kernel's threads."""
    return max(thread.dispatch_mask.bit_length(), 1)


def read(name: str, thread: Thread) -> Values:
    """Returns the current value of the register `name`.

    `r5:f` is a whole register, `r13:4:bf` four of them, `r5.3:f` one element, `r2.0<8;8,1>:w` the elements that the
    channels read through a region; without a type, general registers are shown as dwords in hexadecimal. `f0.1` is half
    a flag register, `f0` a whole one, `mask` the execution mask. Raises `DebugError` for registers that do not exist.
    """
    match = PATTERN.fullmatch(name)
    if match is None:
        raise DebugError(f"'{name}' is no register")
    architecture = _ARCHITECTURE.get(match["architecture"] or "")
    if match["mask"] is not None or architecture is CHANNEL_ENABLE:
        data = np.array([thread.mask], np.uint32).view(np.uint8)
    elif architecture is not None:
        start = thread.byte(Register(RegisterFile.ARF, architecture.number))
        data = thread.file[start : start + architecture.size]
    else:
        data = _general(match, thread)
    half = architecture in FLAGS and match["element"] is not None
    type = DataType.UW if half and match["type"] is None else _type(match["type"], architecture)
    is_raw = match["type"] is None
    size = bits_dtype(type).itemsize
    elements = data[: len(data) // size * size].copy().view(bits_dtype(type))
    element = int(match["element"] or 0)
    if element >= len(elements):
        raise DebugError(
            f"{name}: there is no element {element}, the last one of type {type.text} is {len(elements) - 1}"
        )
    if match["width"] is not None:
        return Values(
            name, type, elements[_positions(name, match, element, channels(thread), len(elements))], is_raw=is_raw
        )
    if match["element"] is not None:
        elements = elements[element : element + 1]
    return Values(name, type, elements, is_raw=is_raw)


def write(name: str, thread: Thread, value: Sequence[float]) -> None:
    """Sets the register `name`, written as for `read` but without a region, to one number or one for each element.

    Raises `DebugError` for registers that do not exist or cannot be written, and for numbers that do not fit.
    """
    old, match = read(name, thread), PATTERN.fullmatch(name)
    architecture = None if match is None else _ARCHITECTURE.get(match["architecture"] or "")
    is_fixed = architecture is not None and not architecture.writable
    if match is None or match["mask"] or match["width"] or is_fixed:
        raise DebugError(f"{name} cannot be set")
    start = int(match["element"] or 0) * old.bits.dtype.itemsize
    if architecture is None:
        start += int(match["number"]) * thread.target.platform.grf_bytes
    else:
        start += thread.byte(Register(RegisterFile.ARF, architecture.number))
    data = elements(value, old.type, len(old.bits)).view(np.uint8)
    thread.file[start : start + len(data)] = data


def elements(value: Sequence[float], type: DataType, count: int) -> Array:
    """Returns `count` elements of a type: one number, or as many. Raises `DebugError` for numbers that do not fit."""
    if len(value) not in (1, count):
        raise DebugError(f"{len(value)} values for {count} elements")
    dtype = NUMBERS[type]
    is_integer = dtype.kind in "biu"
    if is_integer and not all(isinstance(number, int) for number in value):
        raise DebugError(f"type {type.text} takes whole numbers")
    try:
        found = np.array([*value] * (count // len(value)), None if is_integer else np.float64)
        made = found.astype(dtype)
    except OverflowError:
        raise DebugError(f"a number does not fit into type {type.text}") from None
    if is_integer and made.tolist() != [*value] * (count // len(value)):
        raise DebugError(f"a number does not fit into type {type.text}")
    return made


def _general(match: re.Match[str], thread: Thread) -> Bytes:
    """Returns the bytes of general registers; from the start of a region to the last register."""
    number, count, grf_bytes = int(match["number"]), int(match["count"] or 1), thread.target.platform.grf_bytes
    total = len(thread.registers) // grf_bytes
    if number + count > total or not count:
        raise DebugError(f"{match[0]}: the kernel has registers r0 to r{total - 1}")
    end = total if match["width"] is not None else number + count
    return thread.registers[number * grf_bytes : end * grf_bytes]


def _positions(name: str, match: re.Match[str], first: int, channels: int, available: int) -> list[int]:
    """Returns the positions of the elements that the channels read through a region."""
    region = Region(int(match["vertical"]), int(match["width"]), int(match["horizontal"]))
    if not region.width:
        raise DebugError(f"{name}: rows of the region have no elements")
    positions = [first + region.element(channel) for channel in range(channels)]
    if max(positions) >= available:
        raise DebugError(f"{name}: the region leaves the registers")
    return positions


def _type(text: str | None, architecture: Architecture | None) -> DataType:
    if text is None:
        return _DEFAULT_TYPES.get(architecture, DataType.UD)
    if text not in BY_TEXT or BY_TEXT[text] not in NUMBERS:
        raise DebugError(f"there is no type '{text}', expected one of {', '.join(type.text for type in NUMBERS)}")
    return BY_TEXT[text]


def flag_text(thread: Thread) -> Iterator[str]:
    """Formats every flag register, with its two halves."""
    for number, flag in enumerate(thread.flags):
        bits = int(flag[0])
        yield f"f{number} = {bits:#010x} (f{number}.0 {bits & 0xFFFF:#06x}, f{number}.1 {bits >> 16:#06x})"
