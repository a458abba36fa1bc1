"""Handles, and the checks that every function makes on its parameters."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable
from enum import IntEnum, IntFlag
from typing import ClassVar, TypeVar, cast

from runtime.ze.spec.results import ZeError, ze_result_t

_ids = itertools.count(1)


class Handle:
    """An object that the application refers to; `None` stands for the null handle.

    `id` is unique in the process and never used again. A handle keeps the objects created from it in `children`, and
    cannot be destroyed before them.
    """

    noun: ClassVar[str]

    def __init__(self, parent: Handle | None = None) -> None:
        self.id = next(_ids)
        self.alive = True
        self.children: set[Handle] = set()
        self.parent = parent
        if parent is not None:
            parent.children.add(self)

    def __repr__(self) -> str:
        return f"<{self.noun} #{self.id}{'' if self.alive else ', destroyed'}>"

    def retire(self) -> None:
        """Make the handle stale; raises `ZeError` (object in use) while it has children."""
        if self.children:
            nouns = sorted({child.noun for child in self.children})
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE,
                f"{self!r} still has {len(self.children)} live object(s): {', '.join(nouns)}",
            )
        self.alive = False
        if self.parent is not None:
            self.parent.children.discard(self)


T = TypeVar("T")

H = TypeVar("H", bound=Handle)

E = TypeVar("E", bound=IntEnum)

F = TypeVar("F", bound=IntFlag)


def live(handle: Handle | None, kind: type[H]) -> H:
    """`handle`, checked: not null, of the right kind, not destroyed."""
    if isinstance(handle, kind) and handle.alive:
        return handle
    if handle is None:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_NULL_HANDLE, f"null handle in place of a {kind.noun}")
    if isinstance(handle, kind):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{kind.noun} #{handle.id} is already destroyed")
    raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{handle!r} in place of a {kind.noun}")


def required(value: object, name: str, kind: type | None = None) -> None:
    """Refuse a null pointer for a parameter that is not optional, and a structure of another class than `kind`."""
    if value is None:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_NULL_POINTER, f"{name} is null")
    if kind is not None and not isinstance(value, kind):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{name} is a {type(value).__name__}, expected {kind.__name__}",
        )


def integer(value: int, name: str) -> int:
    """`value`, checked to be an integer, numpy's included; raises invalid argument."""
    try:
        return operator.index(value)
    except TypeError:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} is {value!r}, no integer") from None


def byte_string(value: object, name: str) -> bytes:
    """The bytes of a buffer; raises invalid argument for anything else, and invalid null pointer for null."""
    required(value, name)
    try:
        return memoryview(cast("bytes", value)).tobytes()
    except TypeError:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} is a {type(value).__name__}, no bytes"
        ) from None


def items(value: Iterable[T] | None, name: str) -> list[T]:
    """The elements of an array; raises invalid null pointer for null, and invalid argument for what is no array."""
    required(value, name)
    if not isinstance(value, Iterable) or isinstance(value, str | bytes):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} is a {type(value).__name__}, no array")
    return list(value)


def pointer(address: int | None, name: str) -> int:
    """`address`, checked to be one and not null."""
    if not address:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_NULL_POINTER, f"{name} is null")
    return unsigned(address, name, 64)


def enumerator(value: int, kind: type[E]) -> E:
    """`value` as a member of `kind`; raises invalid enumeration."""
    try:
        return kind(value)
    except ValueError:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ENUMERATION, f"{value!r} is not a value of {kind.__name__}"
        ) from None


def flag_set(value: int, kind: type[F]) -> F:
    """`value` as flags of `kind`; raises invalid enumeration for a bit outside of them."""
    known = 0
    for member in kind:
        known |= member.value
    if not isinstance(value, int) or value & ~known:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ENUMERATION,
            f"{value!r} has bits that {kind.__name__} has not: {known:#x}",
        )
    return kind(value)


def unsigned(value: int, name: str, bits: int = 32) -> int:
    """`value`, checked to be an integer that fits `bits` unsigned bits."""
    if not isinstance(value, int) or not 0 <= value < 1 << bits:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{name} is {value!r}, expected an unsigned {bits}-bit number",
        )
    return value
