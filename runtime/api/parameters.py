"""Conversion of Python values to kernel arguments, checked against what the binary says about them.

A parameter is one value of a call. It stands for one kernel argument, or for several when it is an array of dynamic
shape: the pointer and the sizes and strides that follow it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import cast

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer as HostBuffer

from runtime.api.argument_types import (
    DTYPES,
    OF_OPENCL,
    MemRefType,
    parse_memref,
    parse_pointer,
    parse_unranked,
    row_major,
)
from runtime.api.arrays.array_view import ArrayView, view_array
from runtime.api.arrays.buffer import Buffer
from runtime.api.arrays.dlpack import SupportsDLPack, array_of_dlpack
from runtime.api.arrays.image import DeviceImage, DeviceSampler
from runtime.api.sessions.host_memory import HostArray
from runtime.api.sessions.session import Session
from runtime.simulator import KernelDescription, PointerAlignment
from runtime.ze import ZeError, ze_result_t
from runtime.ze.driver import ArgumentValue
from xegpu.isa.model import ArgumentKind, KernelArgument

Array = Buffer | NDArray[np.generic]
Value = Array | SupportsDLPack | HostBuffer | DeviceImage | DeviceSampler | np.generic | int | float
"""The values that a kernel can be called with: a device buffer, an array of numpy or another library or with the buffer
protocol, an image, a sampler, a scalar, an address.
"""

_ADDRESS_BITS = 64
_NUMBERS = frozenset(dtype for kinds in DTYPES.values() for dtype in kinds)
_READ_ONLY = "readonly"


class Mismatch(Exception):
    """A value that does not fit its parameter."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(f"expected {expected}, got {got}")


@dataclass(frozen=True, slots=True)
class Bound:
    """A value as kernel arguments; `lent` is the caller's memory behind the address that is the first of them."""

    arguments: tuple[ArgumentValue, ...]
    lent: HostArray | None = None


class Parameter(ABC):
    """One value of a call, which becomes `span` kernel arguments, of which `argument` is the first."""

    span = 1
    alignment = PointerAlignment(1, 1)
    """The alignment in bytes that the kernel needs of arrays."""

    def __init__(self, index: int, argument: KernelArgument) -> None:
        self.index = index
        self.argument = argument

    def __str__(self) -> str:
        type_name = self.argument.type_name.rpartition(";")[0] or self.argument.type_name
        return f"{self.name}: {type_name}" if type_name else self.name

    @property
    def name(self) -> str:
        """The argument's name, or its number if it has none."""
        return self.argument.name or f"#{self.index}"

    @abstractmethod
    def bind(self, value: Value, session: Session) -> Bound:
        """Returns the kernel arguments for `value`; raises `Mismatch`."""


class ArrayParameter(Parameter):
    """A memref: an array of the right element type, shape and layout, or an address if the shape is static."""

    def __init__(self, index: int, argument: KernelArgument, type: MemRefType) -> None:
        super().__init__(index, argument)
        self.span = 1 + type.hidden_count
        self._type = type
        self._fits: tuple[object, ...] = ()
        """The last array that was found to fit; launches repeat."""

    def bind(self, value: Value, session: Session) -> Bound:
        expected = self._type.text
        if _is_integer(value) and self.span == 1:
            return Bound((_integer(value, 0, (1 << _ADDRESS_BITS) - 1, expected),))
        array = _array(value, session, expected)
        view = _view(array, self.argument, expected)
        form = (view.dtype, view.shape, view.strides)
        strides = None
        if form != self._fits:
            reason = self._type.shape_mismatch(view.dtype, view.shape)
            if not reason:
                reason = self._type.stride_mismatch(view.shape, view.strides)
                can_copy = isinstance(array, np.ndarray) and self._type.takes_copy(view.shape, view.strides)
                if reason and can_copy:
                    strides, reason = self._type.layout(view.shape, view.strides), ""
            if reason:
                raise Mismatch(expected, f"{_describe(value)}: {reason}")
            self._fits = form if strides is None else ()
        hidden = self._type.hidden(view.shape, view.strides if strides is None else strides) if self.span > 1 else ()
        return Bound((view.address, *hidden), _lend(array, view, self, strides))


class UnrankedParameter(Parameter):
    """An unranked memref: an array of the right element type, of any number of dimensions, or of the expected one."""

    def __init__(
        self, index: int, argument: KernelArgument, type_name: str, dtypes: Collection[np.dtype[np.generic]], parts: int
    ) -> None:
        """`parts` is the number of kernel arguments that follow: a rank, if it is odd, then sizes and strides."""
        super().__init__(index, argument)
        self.span = 1 + parts
        self._type_name = type_name
        self._dtypes = dtypes
        self._asks_rank = parts % 2 == 1
        self._dimensions = parts // 2

    def bind(self, value: Value, session: Session) -> Bound:
        expected = self._type_name
        array = _array(value, session, expected)
        view = _view(array, self.argument, expected)
        if view.dtype not in self._dtypes:
            kinds = " or ".join(map(str, self._dtypes))
            raise Mismatch(expected, f"{_describe(value)}: element type {view.dtype}, expected {kinds}")
        rank = len(view.shape)
        if not self._asks_rank and rank != self._dimensions:
            raise Mismatch(f"{expected} of {self._dimensions} dimensions", _describe(value))
        numbers = [rank] if self._asks_rank else []
        for given in (view.shape, view.strides):
            numbers += [*given, *[0] * self._dimensions][: self._dimensions]
        return Bound((view.address, *numbers), _lend(array, view, self))


class PointerParameter(Parameter):
    """A pointer, as OpenCL C has them: an address, or an array of any shape with the elements that the pointer names.

    A contiguous array, row-major or column-major, is passed as it lies in memory, any other one as a row-major copy.
    """

    def __init__(self, index: int, argument: KernelArgument, type_name: str) -> None:
        super().__init__(index, argument)
        self._pointee = parse_pointer(type_name)
        self._expected = f"an array or address ({type_name or 'pointer'})"

    def bind(self, value: Value, session: Session) -> Bound:
        expected = self._expected
        if _is_integer(value):
            return Bound((_integer(value, 0, (1 << _ADDRESS_BITS) - 1, expected),))
        array = _array(value, session, expected)
        view = _view(array, self.argument, expected)
        if self._pointee is not None and not self._pointee.holds(view.dtype):
            reason = f"element type {view.dtype}, expected {self._pointee}; 'view' of an array changes the type"
            raise Mismatch(expected, f"{_describe(value)}: {reason}")
        is_contiguous = isinstance(array, Buffer) or array.flags.forc
        return Bound((view.address,), _lend(array, view, self, None if is_contiguous else row_major(view.shape)))


class LocalParameter(Parameter):
    """Shared local memory: its size in bytes."""

    def bind(self, value: Value, session: Session) -> Bound:
        return Bound((_integer(value, 1, (1 << 31) - 1, "a size of local memory in bytes"),))


class ObjectParameter(Parameter):
    """An image or a sampler."""

    def bind(self, value: Value, session: Session) -> Bound:
        wanted: type[DeviceImage | DeviceSampler] = DeviceImage
        made = "an image that Device.image makes"
        if self.argument.kind is ArgumentKind.SAMPLER:
            wanted, made = DeviceSampler, "a sampler that Device.sampler makes"
        if not isinstance(value, wanted):
            raise Mismatch(made, _describe(value))
        if value.session.context is not session.context:
            raise Mismatch(made, f"{value!r} of another device")
        try:
            return Bound((value.handle,))
        except ValueError as error:
            raise Mismatch(made, str(error)) from error


class IntegerParameter(Parameter):
    """An integer of `bits` bits. A signless one, with neither `si` nor `ui` in its type, takes signed and unsigned
    values.
    """

    def __init__(self, index: int, argument: KernelArgument, type_name: str, bits: int) -> None:
        super().__init__(index, argument)
        self._type_name = type_name
        self._least = 0 if type_name.startswith("ui") else -(1 << bits - 1) if bits > 1 else 0
        self._most = (1 << bits - 1) - 1 if type_name.startswith("si") else (1 << bits) - 1

    def bind(self, value: Value, session: Session) -> Bound:
        return Bound((_integer(value, self._least, self._most, self._type_name),))


class FloatParameter(Parameter):
    """A number, rounded to a floating-point type."""

    def __init__(self, index: int, argument: KernelArgument, type_name: str, dtype: np.dtype[np.generic]) -> None:
        super().__init__(index, argument)
        self._type_name = type_name
        self._dtype = dtype

    def bind(self, value: Value, session: Session) -> Bound:
        if not isinstance(value, int | float) and not (isinstance(value, np.generic) and value.dtype in _NUMBERS):
            raise Mismatch(self._type_name, _describe(value))
        try:
            number = float(value)
        except OverflowError:
            raise Mismatch(self._type_name, f"{_describe(value)}, which is too large for it") from None
        with np.errstate(over="ignore"):
            rounded = np.array(number).astype(self._dtype)
        if np.isinf(float(rounded)) and not np.isinf(number):
            raise Mismatch(self._type_name, f"{number}, which is too large for it")
        return Bound((rounded.tobytes(),))


class BytesParameter(Parameter):
    """A value of which only the size is known: a numpy scalar, an array or bytes of that size, or an integer."""

    def bind(self, value: Value, session: Session) -> Bound:
        size = self.argument.size
        expected = f"a numpy scalar, an array or bytes of size {size}, or an integer"
        if isinstance(value, np.generic | np.ndarray) and value.nbytes == size:
            return Bound((value.tobytes(),))
        if isinstance(value, bytes):
            if len(value) != size:
                raise Mismatch(expected, f"{len(value)} bytes")
            return Bound((value,))
        return Bound((_integer(value, -(1 << 8 * size - 1), (1 << 8 * size) - 1, expected),))


def parameters_of(kernel: KernelDescription, alignment: PointerAlignment) -> list[Parameter]:
    """Returns the parameters that stand for a kernel's arguments, whose memory needs an alignment.

    Raises:
        ZeError: `INVALID_NATIVE_BINARY` if the sizes and strides of an array do not follow its pointer.
    """
    parameters = []
    rest = iter(enumerate(kernel.facts.arguments))
    for index, argument in rest:
        parameter = _parameter(index, argument, kernel.facts.arguments)
        parameter.alignment = alignment
        parameters.append(parameter)
        if not _skip(rest, parameter.span - 1):
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_NATIVE_BINARY,
                f"kernel '{kernel.name}', argument {kernel.facts.label(index)}: "
                f"{argument.type_name} without its sizes and strides",
            )
    return parameters


def _skip(arguments: Iterator[tuple[int, KernelArgument]], count: int) -> bool:
    """Removes `count` 64-bit values from the front of `arguments`; returns whether they were there."""
    taken = [argument for _, argument in islice(arguments, count)]
    return len(taken) == count and all(
        argument.kind is ArgumentKind.VALUE and argument.size in (0, _ADDRESS_BITS // 8) for argument in taken
    )


def _parameter(index: int, argument: KernelArgument, arguments: Sequence[KernelArgument]) -> Parameter:
    type_name = argument.type_name.rpartition(";")[0] or argument.type_name
    if argument.kind is ArgumentKind.LOCAL:
        return LocalParameter(index, argument)
    if argument.kind is ArgumentKind.POINTER:
        if (element := parse_unranked(type_name)) is not None:
            parts = takewhile(lambda part: part.name.startswith(f"{argument.name}."), arguments[index + 1 :])
            return UnrankedParameter(index, argument, type_name, DTYPES[element], len(list(parts)))
        memref = parse_memref(type_name)
        return (
            PointerParameter(index, argument, type_name) if memref is None else ArrayParameter(index, argument, memref)
        )
    if argument.kind in (ArgumentKind.IMAGE, ArgumentKind.SAMPLER):
        return ObjectParameter(index, argument)
    kinds = DTYPES.get(OF_OPENCL.get(type_name, type_name))
    if kinds is None or argument.size not in (0, kinds[0].itemsize):
        return BytesParameter(index, argument)
    if kinds[0].kind in "biu":
        return IntegerParameter(index, argument, type_name, 1 if kinds[0].kind == "b" else 8 * kinds[0].itemsize)
    return FloatParameter(index, argument, type_name, kinds[0])


def _is_integer(value: Value) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _integer(value: Value, least: int, most: int, expected: str) -> int:
    if not isinstance(value, int | np.integer | np.bool_):
        raise Mismatch(expected, _describe(value))
    number = int(value)
    if not least <= number <= most:
        raise Mismatch(expected, f"{number}, which is outside of {least} to {most}")
    return number


def _array(value: Value, session: Session, expected: str) -> Array:
    """Returns `value` as an array that the device can use; raises `Mismatch` otherwise."""
    if not isinstance(value, Buffer | np.ndarray | np.generic):
        value = _from_dlpack(value, expected) if isinstance(value, SupportsDLPack) else _from_buffer(value)
    if not isinstance(value, Buffer | np.ndarray):
        raise Mismatch(expected, _describe(value))
    if isinstance(value, Buffer) and value.session.device is not session.device:
        raise Mismatch(expected, f"{_describe(value)} of another device")
    return value


def _from_dlpack(value: SupportsDLPack, expected: str) -> NDArray[np.generic]:
    """Returns the array of another library, in place."""
    try:
        return array_of_dlpack(value)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise Mismatch(expected, f"{type(value).__name__}: {error}") from error


def _from_buffer(value: Value) -> Value:
    """Returns an object with the buffer protocol (`memoryview`, `array.array`) as an array, and any other as it is."""
    try:
        return np.asarray(memoryview(cast(HostBuffer, value)))
    except (TypeError, ValueError, BufferError):
        return value


def _view(array: Array, argument: KernelArgument, expected: str) -> ArrayView:
    """Returns the view of an array, checked for what the kernel does with it."""
    try:
        view = array.view() if isinstance(array, Buffer) else view_array(array)
    except ValueError as error:
        raise Mismatch(expected, f"{_describe(array)}: {error}") from error
    if argument.access != _READ_ONLY and not view.writable:
        raise Mismatch(f"an array that can be written ({argument.access})", f"a read-only {_describe(array)}")
    return view


def _lend(
    array: Array, view: ArrayView, parameter: Parameter, strides: Sequence[int] | None = None
) -> HostArray | None:
    """Returns the memory that the launch must borrow from the caller: none for buffers and empty arrays.

    With `strides`, which count elements, the kernel needs a copy that has them.
    """
    if isinstance(array, Buffer) or not array.size:
        return None
    writes = parameter.argument.access != _READ_ONLY
    steps = None if strides is None else tuple(step * array.itemsize for step in strides)
    return HostArray(parameter.name, array, view.address, writes, parameter.alignment, steps)


def _describe(value: Value) -> str:
    """Returns the name of a value in messages: arrays by type and shape, scalars by type and value."""
    if isinstance(value, Buffer | np.ndarray):
        noun = "buffer" if isinstance(value, Buffer) else "array"
        return f"{value.dtype} {noun} of shape {tuple(value.shape)}"
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 40 else text[:37] + '...'}"
