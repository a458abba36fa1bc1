"""The memory of the process, read and written at addresses.

One view covers all addresses that a process can have, so a structure is read without an object for it. A null pointer
stands for nothing; any other address must be the caller's to give.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from struct import Struct

from runtime.ze import ZeError, ze_result_t
from runtime.ze.driver import is_accessible

_ADDRESSES = 1 << 47

VIEW = memoryview((ctypes.c_ubyte * _ADDRESSES).from_address(0)).cast("B")
"""All addresses of a process."""

_WORD = Struct("<Q")

_NUMBER = Struct("<I")

_FLOAT = Struct("<d")

_UNCHECKED = 1 << 16
"""The bytes that are read without asking the system for them, which takes longer than to copy them."""


def read_bytes(address: int, size: int) -> bytes:
    """Returns a copy of some bytes.

    Raises:
        ZeError: `INVALID_SIZE` if many bytes are asked for, as by a size that nobody has set, and the process does not
            have them.
    """
    if size > _UNCHECKED and not (size <= _ADDRESSES - address and is_accessible(address, size)):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, f"there are no {size} bytes at {address:#x}")
    return VIEW[address : address + size].tobytes()


def write_bytes(address: int, data: bytes) -> None:
    """Writes some bytes."""
    VIEW[address : address + len(data)] = data


def read_text(address: int) -> str | None:
    """Returns the text that ends with a zero byte; None for null. Bytes that are not UTF-8 match no name."""
    return ctypes.string_at(address).decode("utf-8", "surrogateescape") if address else None


def read_word(address: int) -> int:
    """Returns 64 bits as a number."""
    word: int = _WORD.unpack_from(VIEW, address)[0]
    return word


def read_number(address: int) -> int:
    """Returns 32 bits as a number; 0 for null."""
    return int(_NUMBER.unpack_from(VIEW, address)[0]) if address else 0


def read_float(word: int) -> float:
    """Returns the number of double precision whose bits are those of a word."""
    number: float = _FLOAT.unpack(_WORD.pack(word))[0]
    return number


def write_word(address: int, value: int) -> None:
    """Writes 64 bits."""
    _WORD.pack_into(VIEW, address, value)


def read_numbers(address: int, count: int, code: str = "Q") -> Sequence[int] | None:
    """Returns an array of numbers, whose type is a code of the module `struct`; None for null."""
    return Struct(f"<{count}{code}").unpack_from(VIEW, address) if address else None


def write_numbers(address: int, values: Sequence[float], code: str = "Q") -> None:
    """Writes an array of numbers."""
    Struct(f"<{len(values)}{code}").pack_into(VIEW, address, *values)
