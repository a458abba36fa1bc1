"""Constants and macros of the core API, under the names of the headers."""

from __future__ import annotations

ZE_MAX_IPC_HANDLE_SIZE = 64
ZE_MAX_UUID_SIZE = 16
ZE_MAX_DRIVER_UUID_SIZE = 16
ZE_MAX_DEVICE_UUID_SIZE = 16
ZE_MAX_NATIVE_KERNEL_UUID_SIZE = 16
ZE_MAX_KERNEL_UUID_SIZE = 16
ZE_MAX_MODULE_UUID_SIZE = 16
ZE_MAX_EXTENSION_NAME = 256
ZE_MAX_KERNEL_NAME = 256
ZE_MAX_DEVICE_NAME = 256
ZE_SUBGROUPSIZE_COUNT = 8


def ZE_MAKE_VERSION(_major: int, _minor: int) -> int:
    """Returns a version number, as drivers and extensions have it."""
    return _major << 16 | _minor & 0xFFFF


def ZE_MAJOR_VERSION(_ver: int) -> int:
    """Returns the major version in a version number."""
    return _ver >> 16


def ZE_MINOR_VERSION(_ver: int) -> int:
    """Returns the minor version in a version number."""
    return _ver & 0xFFFF


def ZE_BIT(_i: int) -> int:
    """Returns the number whose bit `_i` alone is set."""
    return 1 << _i
