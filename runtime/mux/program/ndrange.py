"""The launches that kernels are specialised for (specification: `mux_ndrange_options_t`, `mux_descriptor_info_t`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from runtime.mux.device_info import DeviceInfo
from runtime.mux.options.parsing import Size
from runtime.mux.results import MuxError, Result
from xegpu.isa.model import ArgumentKind, KernelFacts

_MOST_DIMENSIONS = 3


class DescriptorKind(Enum):
    """The kinds of arguments (specification: `mux_descriptor_info_type_e`)."""

    BUFFER = "buffer"
    IMAGE = "image"
    SAMPLER = "sampler"
    PLAIN_OLD_DATA = "plain old data"
    SHARED_LOCAL_BUFFER = "shared local buffer"
    NULL_BUFFER = "null buffer"
    CUSTOM_BUFFER = "custom buffer"


@dataclass(frozen=True)
class ArgumentDescriptor:
    """An argument of a launch: `data` of plain old data, `size` of a shared local buffer."""

    kind: DescriptorKind
    data: bytes = b""
    size: int = 0


_FITTING = {
    DescriptorKind.BUFFER: ArgumentKind.POINTER,
    DescriptorKind.NULL_BUFFER: ArgumentKind.POINTER,
    DescriptorKind.PLAIN_OLD_DATA: ArgumentKind.VALUE,
    DescriptorKind.SHARED_LOCAL_BUFFER: ArgumentKind.LOCAL,
    DescriptorKind.IMAGE: ArgumentKind.IMAGE,
    DescriptorKind.SAMPLER: ArgumentKind.SAMPLER,
}


@dataclass(frozen=True)
class NDRangeOptions:
    """A launch of a kernel (specification: `mux_ndrange_options_t`).

    Attributes:
        local_size: The work-items of a work-group in each of three dimensions.
        global_size: The work-items in each of `dimensions` dimensions.
        global_offset: The first global id in each of `dimensions` dimensions.
        dimensions: The number of dimensions (specification: `length`).
        descriptors: The arguments; None if they are not known.
        descriptors_length: The number of arguments; None for that of `descriptors`.

    """

    local_size: Sequence[int]
    global_size: Sequence[int] | None
    global_offset: Sequence[int] | None = (0, 0, 0)
    dimensions: int = _MOST_DIMENSIONS
    descriptors: Sequence[ArgumentDescriptor] | None = None
    descriptors_length: int | None = None

    def check(self, device: DeviceInfo) -> tuple[Size, Size, Size]:
        """Checks the specification's requirements on a launch. Returns its local and global size and its offset.

        Raises:
            MuxError: `INVALID_VALUE` with the rule that it breaks.
        """
        given = 0 if self.descriptors is None else len(self.descriptors)
        length = given if self.descriptors_length is None else self.descriptors_length
        if self.descriptors is not None and not length:
            raise _broken("there are descriptors, and their number is 0")
        if self.descriptors is None and length:
            raise _broken(f"there are no descriptors, and their number is {length}")
        if length != given:
            raise _broken(f"there are {given} descriptors, and their number is {length}")
        if not 1 <= self.dimensions <= _MOST_DIMENSIONS:
            raise _broken(f"{self.dimensions} dimensions: expected 1 to {_MOST_DIMENSIONS}")
        if self.global_offset is None:
            raise _broken("there is no global offset")
        if self.global_size is None:
            raise _broken("there is no global size")
        local = _size("local size", self.local_size, _MOST_DIMENSIONS, 1)
        whole = _size("global size", self.global_size, self.dimensions, 1)
        offset = _size("global offset", self.global_offset, self.dimensions, 0)
        for axis, size, part in zip("xyz", whole, local, strict=True):
            if not part or size % part:
                raise _broken(f"global size {size} in {axis} is no multiple of the local size {part}")
        if not device.custom_buffer_capabilities and any(
            each.kind is DescriptorKind.CUSTOM_BUFFER for each in self.descriptors or ()
        ):
            raise _broken("the device has no custom buffers")
        return local, whole, offset

    def constants(self, facts: KernelFacts) -> dict[int, bytes]:
        """Returns the bytes of the arguments that are the same at every launch, by their positions.

        Raises:
            MuxError: `INVALID_VALUE` for arguments that the kernel does not take.
        """
        if self.descriptors is None:
            return {}
        if len(self.descriptors) != len(facts.arguments):
            raise _broken(f"{len(self.descriptors)} descriptors: the kernel takes {len(facts.arguments)} arguments")
        found: dict[int, bytes] = {}
        for position, (given, taken) in enumerate(zip(self.descriptors, facts.arguments, strict=True)):
            if _FITTING.get(given.kind) is not taken.kind:
                raise _broken(f"argument {facts.label(position)} is a {given.kind.value}, expected {taken.kind.value}")
            if given.kind is DescriptorKind.PLAIN_OLD_DATA:
                if len(given.data) != taken.size:
                    raise _broken(f"argument {facts.label(position)} has {taken.size} bytes, got {len(given.data)}")
                found[position] = given.data
            elif given.kind is DescriptorKind.NULL_BUFFER:
                found[position] = bytes(taken.size)
        return found


def _size(what: str, given: Sequence[int], dimensions: int, least: int) -> Size:
    """Returns a size or an offset in three dimensions."""
    if len(given) < dimensions:
        raise _broken(f"{what} {tuple(given)} has less than {dimensions} dimensions")
    if any(extent < least for extent in given[:dimensions]):
        raise _broken(f"{what} {tuple(given)}: each dimension is at least {least}")
    x, y, z = (*given[:dimensions], *(_MOST_DIMENSIONS - dimensions) * (least,))
    return x, y, z


def _broken(rule: str) -> MuxError:
    return MuxError(Result.INVALID_VALUE, rule)
