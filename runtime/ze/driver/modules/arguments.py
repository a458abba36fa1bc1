"""The values of a kernel's arguments, from their setting to the launch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from runtime.ze.driver.handle import byte_string, live
from runtime.ze.driver.images.image import Image
from runtime.ze.driver.images.sampler import Sampler
from runtime.ze.driver.modules.payload import Geometry, place_local, write_argument, write_geometry, write_properties
from runtime.ze.spec.results import ZeError, ze_result_t
from xegpu.isa.model import ArgumentKind
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    import numpy as np

if TYPE_CHECKING:
    from runtime.simulator import Dispatch, KernelDescription
    from xegpu.isa.model import KernelArgument

if TYPE_CHECKING:
    ArgumentValue = bytes | bytearray | memoryview | np.generic | int | Image | Sampler | None
else:
    ArgumentValue = object
"""The values that an argument can be set to: its bytes, a numpy scalar, an integer or address (stored little-endian),
null.

Images and samplers are the values for arguments that are such objects.
"""

_OBJECTS: dict[ArgumentKind, type[Image] | type[Sampler]] = {
    ArgumentKind.IMAGE: Image,
    ArgumentKind.SAMPLER: Sampler,
}

_LOCAL_UNIT = 1 << 10
"""Shared local memory is allocated in units of this many bytes."""


class PreparedLaunch(NamedTuple):
    """A launch that was checked: `form` has everything that it depends on besides the arguments."""

    form: object
    dispatch: Dispatch
    pointers: frozenset[int]


class KernelArguments:
    """The arguments of one kernel: cross-thread data without the values of a launch, and the unset arguments."""

    def __init__(self, kernel: KernelDescription) -> None:
        self._kernel = kernel
        self._facts = kernel.facts
        self._data = bytearray(kernel.facts.cross_thread_size)
        self._local_sizes: dict[int, int] = {}
        self._pointers: dict[int, int] = {}
        self._images: dict[int, Image] = {}
        self._samplers: dict[int, Sampler] = {}
        self._missing = set(range(len(kernel.facts.arguments)))
        self.prepared: PreparedLaunch | None = None
        """The latest launch with these values."""

    def copy(self) -> KernelArguments:
        """Returns arguments with the same values, which later settings do not change."""
        other = KernelArguments(self._kernel)
        other._data[:] = self._data
        other._local_sizes = dict(self._local_sizes)
        other._missing = set(self._missing)
        return other

    @property
    def pointers(self) -> Mapping[int, int]:
        """The addresses that pointer arguments are set to, without nulls, by index."""
        return self._pointers

    @property
    def images(self) -> Mapping[int, Image]:
        """The images that arguments are set to, by index."""
        return self._images

    @property
    def addresses(self) -> frozenset[int]:
        """The memory that a launch uses: what pointers point to, and what images and samplers have."""
        found = {*self._pointers.values()}
        for image in self._images.values():
            found.update(image.addresses)
        for sampler in self._samplers.values():
            found.update(sampler.addresses)
        return frozenset(found)

    @property
    def local_bytes(self) -> int:
        """The shared local memory that the arguments take, in bytes."""
        return self._place_local()[1]

    def set(self, index: int, size: int, value: ArgumentValue) -> None:
        """Sets an argument to a value of `size` bytes; local memory has `size` bytes, and its value is ignored.

        Of a value that is longer or shorter than the argument, the bytes that both have are set. Addresses, images and
        samplers are taken whole, whatever `size` is.

        Raises:
            ZeError: `INVALID_KERNEL_ARGUMENT_INDEX`; `INVALID_KERNEL_ARGUMENT_SIZE` if a part of the argument lies
                behind the value; `INVALID_ARGUMENT` for a value that does not fit.
        """
        self.prepared = None
        arguments = self._facts.arguments
        if not 0 <= index < len(arguments):
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX,
                f"kernel '{self._kernel.name}' has {len(arguments)} argument(s), there is no argument {index}",
            )
        argument = arguments[index]
        if argument.kind is ArgumentKind.LOCAL:
            self._set_local(index, size)
        elif argument.slots:
            encoded = self._encode(index, argument, size, value)
            write_argument(self._data, argument, encoded)
            self._remember(index, argument, encoded, value)
            if isinstance(value, Image | Sampler):
                write_properties(self._data, self._facts, index, value.properties)
        self._missing.discard(index)

    def set_all(self, values: Sequence[ArgumentValue]) -> None:
        """Sets all arguments; for local memory, the value is its size in bytes. Raises `ZeError` as `set` does."""
        arguments = self._facts.arguments
        if len(values) != len(arguments):
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE,
                f"kernel '{self._kernel.name}' takes {len(arguments)} argument(s), {len(values)} given",
            )
        for index, (argument, value) in enumerate(zip(arguments, values, strict=True)):
            if argument.kind is ArgumentKind.LOCAL and isinstance(value, int | np.integer):
                self.set(index, int(value), None)
            else:
                self.set(index, argument.size, value)

    def require_complete(self) -> None:
        """Raises `INVALID_ARGUMENT`, naming the first argument that was not set."""
        if self._missing:
            index = min(self._missing)
            declared = self._facts.arguments[index].type_name
            type_name = f" of type {declared}" if declared else ""
            raise self._error(
                ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, index, f"was not set before the launch{type_name}"
            )

    def snapshot(self, geometry: Geometry) -> tuple[bytes, int]:
        """Returns the cross-thread data of a launch, and the bytes of shared local memory that its arguments take."""
        facts, data = self._facts, bytearray(self._data)
        offsets, local_bytes = self._place_local()
        for index, offset in offsets.items():
            write_argument(data, facts.arguments[index], offset.to_bytes(4, "little"))
        write_geometry(data, facts, geometry)
        return bytes(data), local_bytes

    def _place_local(self) -> tuple[dict[int, int], int]:
        """Returns the offset of each argument's local memory by index, and the size of all in whole units."""
        if not self._local_sizes:
            return {}, 0
        offsets, end = place_local(self._facts, self._local_sizes)
        return offsets, -(-end // _LOCAL_UNIT) * _LOCAL_UNIT

    def _remember(self, index: int, argument: KernelArgument, encoded: bytes, value: ArgumentValue) -> None:
        """Notes which memory the kernel uses, for `zeKernelGetAllocationPropertiesExp`."""
        self._pointers.pop(index, None)
        self._images.pop(index, None)
        self._samplers.pop(index, None)
        if isinstance(value, Image):
            self._images[index] = value
        elif isinstance(value, Sampler):
            self._samplers[index] = value
        elif argument.kind is ArgumentKind.POINTER and any(encoded):
            self._pointers[index] = int.from_bytes(encoded, "little")

    def _set_local(self, index: int, size: int) -> None:
        if size < 0:
            raise self._size_error(index, f"{size} bytes of local memory")
        self._local_sizes[index] = size

    def _encode(self, index: int, argument: KernelArgument, size: int, value: ArgumentValue) -> bytes:
        """Returns the bytes of a value of `size` bytes that the argument takes."""
        if argument.kind in _OBJECTS:
            return self._state(index, argument.kind, value).to_bytes(argument.size, "little")
        if isinstance(value, Image | Sampler):
            raise self._error(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, index, f"takes bytes, not a {value.noun}")
        is_value = argument.kind is ArgumentKind.VALUE
        taken = min(size, argument.size) if is_value else argument.size
        if taken <= max(slot.source for slot in argument.slots):
            raise self._size_error(index, f"{size} bytes given, {argument.size} expected")
        if value is None:
            return bytes(taken)
        if isinstance(value, int):
            given = size if is_value else argument.size
            if (value if value >= 0 else 2 * ~value).bit_length() > 8 * given:
                text = f"takes {given} bytes, {value} needs more"
                raise self._error(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, index, text)
            return (value & (1 << 8 * taken) - 1).to_bytes(taken, "little")
        data = byte_string(value, "pArgValue")
        if len(data) < taken:
            raise self._size_error(index, f"a size of {size} bytes is given with a value of {len(data)} bytes")
        return data[:taken]

    def _state(self, index: int, kind: ArgumentKind, value: ArgumentValue) -> int:
        """Returns the address of the state of an image or sampler; 0 for none."""
        wanted = _OBJECTS[kind]
        if value is None:
            return 0
        if not isinstance(value, wanted):
            raise self._error(
                ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, index, f"is of kind '{wanted.noun}', {value!r} is not"
            )
        return live(value, wanted).state

    def _size_error(self, index: int, text: str) -> ZeError:
        return self._error(ze_result_t.ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, index, f"has a wrong size: {text}")

    def _error(self, result: ze_result_t, index: int, text: str) -> ZeError:
        return ZeError(result, f"kernel '{self._kernel.name}', argument {self._facts.label(index)}: {text}")
