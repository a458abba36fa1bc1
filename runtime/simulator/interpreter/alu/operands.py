"""Operands of ALU instructions as functions on a thread's register file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.interpreter.alu.conversions import conversion
from runtime.simulator.interpreter.alu.float_modes import flushed
from runtime.simulator.interpreter.threads.thread import Thread
from runtime.simulator.interpreter.threads.values import DTYPES, Array, Bools, bits_dtype
from runtime.simulator.machine.rounding import FloatControl
from xegpu.isa import DataType, Destination, Immediate, Region, Register, RegisterFile, SourceRegister
from xegpu.isa.model import CHANNEL_ENABLE, PACKED_AS, VXH, Modifiers

Reader = Callable[[], Array]
Writer = Callable[[Array, Bools | None], None]


def raw_reader(thread: Thread, source: SourceRegister | Immediate, channels: int) -> Reader:
    """Returns a reader of an operand's bits, as unsigned integers: one element per channel, or one for all channels."""
    if isinstance(source, Immediate):
        constant = _immediate_bits(source, channels)
        return lambda: constant
    dtype = bits_dtype(source.type)
    if source.register.file is RegisterFile.INDIRECT:
        return _gatherer(thread, source, channels)
    if source.register.is_part_of(CHANNEL_ENABLE):
        first = source.register.byte // dtype.itemsize
        return lambda: np.array([thread.mask], np.uint32).view(dtype)[first : first + 1]
    elements = thread.file.view(dtype)
    positions = _elements(thread.byte(source.register) // dtype.itemsize, source.region, channels)
    if isinstance(positions, slice):
        view = elements[positions]
        return lambda: view
    return lambda: elements[positions]


def reader(
    thread: Thread,
    source: SourceRegister | Immediate,
    channels: int,
    modifiers: Modifiers,
    computed: DataType,
    control: FloatControl | None = None,
) -> Reader:
    """Returns a reader of an operand as values of the computation type, its modifiers applied; `control` may flush."""
    type = PACKED_AS.get(source.type, source.type)
    raw, dtype, convert = raw_reader(thread, source, channels), DTYPES[type], conversion(type, computed)
    if control is not None and control.flushes(type):
        return _modified(lambda: convert(flushed(raw().view(dtype), type)), source, modifiers, computed)
    return _modified(lambda: convert(raw().view(dtype)), source, modifiers, computed)


def _modified(read: Reader, source: SourceRegister | Immediate, modifiers: Modifiers, computed: DataType) -> Reader:
    if not isinstance(source, SourceRegister) or not (source.negate or source.absolute):
        return read
    modify = _modifier(source, modifiers, computed)
    return lambda: modify(read())


def writer(thread: Thread, destination: Destination, channels: int) -> Writer:
    """Returns a writer of elements, of the destination's size, to the channels of a mask (None: to all)."""
    if destination.register.is_null:
        return lambda values, mask: None
    dtype = bits_dtype(destination.type)
    if destination.register.file is RegisterFile.INDIRECT:
        return _scatterer(thread, destination, channels)
    first = thread.byte(destination.register) // dtype.itemsize
    last = first + (channels - 1) * destination.stride
    view = thread.file.view(dtype)[first : last + 1 : destination.stride]

    def write(values: Array, mask: Bools | None) -> None:
        # Source and destination of a copy may overlap, which numpy gets wrong for some pairs of strides.
        bits = values.view(dtype).copy()
        if mask is None:
            view[...] = bits
        else:
            np.copyto(view, bits, where=mask)

    return write


def indirect_addresses(
    thread: Thread, register: Register, type: DataType, elements: Sequence[int], rows: Sequence[int]
) -> Callable[[], NDArray[np.int64]]:
    """Returns the byte addresses of the elements of an indirect operand, relative to one address for each row."""
    words = register.number + np.array(rows)
    offsets = register.byte + type.size * np.array(elements, np.int64)
    return lambda: thread.addresses[words].astype(np.int64) + offsets


def source_addresses(thread: Thread, source: SourceRegister, channels: int) -> Callable[[], NDArray[np.int64]]:
    """Returns the byte address of each channel's element of an indirect source."""
    region = source.region
    elements = [region.element(channel) for channel in range(channels)]
    rows = [channel // region.width if region.vertical == VXH else 0 for channel in range(channels)]
    return indirect_addresses(thread, source.register, source.type, elements, rows)


def destination_addresses(thread: Thread, destination: Destination, channels: int) -> Callable[[], NDArray[np.int64]]:
    """Returns the byte address of each channel's element of an indirect destination."""
    elements = [channel * destination.stride for channel in range(channels)]
    return indirect_addresses(thread, destination.register, destination.type, elements, [0] * channels)


def _gatherer(thread: Thread, source: SourceRegister, channels: int) -> Reader:
    """Returns a reader of the elements at the addresses; those of disabled channels are undefined, wherever they
    are.
    """
    addresses, elements = source_addresses(thread, source, channels), thread.registers.view(bits_dtype(source.type))
    size = source.type.size
    return lambda: elements[np.clip(addresses() // size, 0, len(elements) - 1)]


def _scatterer(thread: Thread, destination: Destination, channels: int) -> Writer:
    addresses = destination_addresses(thread, destination, channels)
    elements, size = thread.registers.view(bits_dtype(destination.type)), destination.type.size

    def write(values: Array, mask: Bools | None) -> None:
        positions, bits = addresses() // size, np.broadcast_to(values.view(elements.dtype), channels).copy()
        if mask is None:
            elements[positions] = bits
        else:
            elements[positions[mask]] = bits[mask]

    return write


def _immediate_bits(immediate: Immediate, channels: int) -> NDArray[Any]:
    if immediate.type in PACKED_AS:
        bits = [immediate.lane_bits(channel) for channel in range(channels)]
        return np.array(bits, bits_dtype(PACKED_AS[immediate.type]))
    return np.array([immediate.bits], bits_dtype(immediate.type))


def _elements(first: int, region: Region, channels: int) -> slice | NDArray[np.int64]:
    """Returns the positions of the elements that a region reads: a slice if they are evenly spaced (or all the
    same).
    """
    positions = [first + region.element(channel) for channel in range(channels)]
    steps = {after - before for before, after in pairwise(positions)}
    if not steps or steps == {0}:
        return slice(first, first + 1)
    if len(steps) == 1 and (step := steps.pop()) > 0:
        return slice(first, positions[-1] + 1, step)
    return np.array(positions)


def _modifier(source: SourceRegister, modifiers: Modifiers, type: DataType) -> Callable[[Array], Array]:
    """Returns absolute value, then negation (or complement, for logic) of values of `type`."""
    if modifiers is Modifiers.LOGIC:
        return np.bitwise_not
    if type.is_float:
        return _sign_modifier(source, type)
    if source.absolute and source.negate:
        return lambda values: np.negative(np.abs(values))
    return np.abs if source.absolute else np.negative


def _sign_modifier(source: SourceRegister, type: DataType) -> Callable[[Array], Array]:
    """Applies a modifier to the sign bit alone, also of a NaN."""
    dtype = bits_dtype(type)
    sign = dtype.type(1 << (type.bits - 1))
    keep = ~sign if source.absolute else dtype.type((1 << type.bits) - 1)
    flip = sign if source.negate else dtype.type(0)
    return lambda values: ((values.view(dtype) & keep) ^ flip).view(values.dtype)
