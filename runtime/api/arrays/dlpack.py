"""Arrays of other libraries that speak DLPack."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from typing_extensions import CapsuleType

_VERSION = (1, 0)

_name_of = ctypes.pythonapi.PyCapsule_GetName
_name_of.restype, _name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]


@runtime_checkable
class SupportsDLPack(Protocol):
    """An array of another library."""

    def __dlpack__(self, *, stream: None = None) -> CapsuleType: ...

    def __dlpack_device__(self) -> tuple[int, int]: ...


class _SupportsVersions(Protocol):
    def __dlpack__(self, *, max_version: tuple[int, int]) -> CapsuleType: ...


@dataclass(frozen=True)
class _Exported:
    """A capsule that was already made, for numpy."""

    capsule: CapsuleType
    device: tuple[int, int]

    def __dlpack__(self, **options: object) -> CapsuleType:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device


@dataclass(frozen=True)
class _Writable:
    """The memory of an array that numpy takes for read-only."""

    array: NDArray[np.generic]

    @property
    def __array_interface__(self) -> dict[str, object]:
        interface = self.array.__array_interface__
        return {**interface, "data": (interface["data"][0], False)}


def array_of_dlpack(value: SupportsDLPack) -> NDArray[np.generic]:
    """Returns the array of another library, in place.

    Before version 1 DLPack does not say whether memory is read-only, and numpy takes all of it for that; other
    libraries write it, and so may kernels.
    """
    try:
        capsule = cast(_SupportsVersions, value).__dlpack__(max_version=_VERSION)
    except TypeError:
        capsule = value.__dlpack__()
    is_versioned = _name_of(capsule) == b"dltensor_versioned"
    array: NDArray[np.generic] = np.from_dlpack(_Exported(capsule, value.__dlpack_device__()))
    return array if is_versioned or array.flags.writeable else np.asarray(_Writable(array))
