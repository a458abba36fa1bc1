"""The types of C that parameters and members have."""

from __future__ import annotations

_CODES = {
    "char": "s",
    "uint8_t": "B",
    "ze_bool_t": "B",
    "int": "i",
    "int32_t": "i",
    "uint32_t": "I",
    "int64_t": "q",
    "uint64_t": "Q",
    "size_t": "Q",
    "float": "f",
    "double": "d",
}
"""Types and their codes in the module `struct`; other types are enumerations, of 32 bits or, if packed, 8."""


def code_of(type: str) -> str:
    """Returns the code of a type in the module `struct`, on a system with pointers of 64 bits."""
    if type.endswith("*") or is_handle(type):
        return "Q"
    if "_packed_" in type:
        return "B"
    return _CODES.get(type.removeprefix("const "), "I")


def is_handle(type: str) -> bool:
    """Returns whether a type is a handle. The handles of IPC are structures."""
    return type.endswith("_handle_t") and not type.startswith("ze_ipc_")


def pointee(type: str) -> str:
    """Returns the type that a pointer points to, without `const`."""
    return type.removesuffix("*").removeprefix("const ")
