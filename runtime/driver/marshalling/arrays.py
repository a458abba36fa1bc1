"""Arrays: those that a caller gives, and those whose length it asks for first; text and bytes with their size."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from struct import Struct

from runtime.driver.abi import layouts
from runtime.driver.marshalling.handles import HANDLES
from runtime.driver.marshalling.memory import VIEW, read_numbers, write_bytes, write_numbers
from runtime.driver.marshalling.structures import reader, writer
from runtime.ze import ZeError, ze_result_t
from runtime.ze.driver import Handle

_COUNT = Struct("<I")


def handles_at(address: int, count: int) -> list[object] | None:
    """Returns the objects of an array of handles; None for null.

    Raises:
        ZeError: `INVALID_SIZE` for null with a length.
    """
    if not address:
        if count:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, f"an array of {count} handles is null")
        return None
    return [HANDLES[number] for number in read_numbers(address, count) or ()]


def structures_at(address: int, count: int, name: str) -> list[object] | None:
    """Returns the objects of an array of structures; None for null."""
    read, size = reader(name), layouts()[name].size
    return [read(address + index * size) for index in range(count)] if address else None


def room(count_at: int, array: int, found: int) -> int:
    """Returns how many of the elements that were found an array takes, and writes that, or all if it takes none."""
    capacity: int = _COUNT.unpack_from(VIEW, count_at)[0]
    taken = min(capacity, found) if array and capacity else 0
    _COUNT.pack_into(VIEW, count_at, taken or found)
    return taken


def give_handles(count_at: int, array: int, found: Sequence[Handle]) -> None:
    """Writes an array of handles."""
    taken = room(count_at, array, len(found))
    write_numbers(array, [HANDLES.of(handle) for handle in found[:taken]])


def give_numbers(count_at: int, array: int, found: Sequence[float], code: str) -> None:
    """Writes an array of numbers, whose type is a code of the module `struct`."""
    write_numbers(array, found[: room(count_at, array, len(found))], code)


def give_structures(count_at: int, array: int, found: Sequence[object], name: str, size: int) -> None:
    """Writes an array of structures."""
    write = writer(name)
    for index in range(room(count_at, array, len(found))):
        write(array + index * size, found[index])


def give_bytes(size_at: int, place: int, data: bytes, code: str) -> None:
    """Writes some bytes and their number, or the number alone if there is no place for them."""
    capacity = (read_numbers(size_at, 1, code) or (0,))[0]
    taken = min(capacity, len(data)) if place else 0
    if taken:
        write_bytes(place, data[:taken])
    write_numbers(size_at, (taken or len(data),), code)


def give_text(size_at: int, place: int, text: str, code: str) -> None:
    """Writes a text, whose size counts the zero byte at its end; a place that is too small gets its beginning."""
    data = encoded(text)
    give_bytes(size_at, place, data, code)
    capacity = (read_numbers(size_at, 1, code) or (0,))[0]
    if place and 0 < capacity < len(data):
        write_bytes(place + capacity - 1, b"\0")


def encoded(text: str) -> bytes:
    """Returns a text as C has it, with a zero byte at its end."""
    return text.encode("utf-8", "surrogateescape") + b"\0"


_names: dict[str, ctypes.Array[ctypes.c_char]] = {}

_latest = threading.local()


def name_address(name: str) -> int:
    """Returns the address of a name, which stays as long as the process lives."""
    found = _names.get(name)
    if found is None:
        found = _names.setdefault(name, ctypes.create_string_buffer(encoded(name)))
    return ctypes.addressof(found)


def message_address(text: str) -> int:
    """Returns the address of a message, which stays until the thread asks for another one."""
    _latest.message = buffer = ctypes.create_string_buffer(encoded(text))
    return ctypes.addressof(buffer)
