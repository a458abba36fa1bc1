"""Handles, and the checks of parameters that the functions of the API share."""

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
        """Makes the handle stale; raises `HANDLE_OBJECT_IN_USE` while it has children."""
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
    """Returns `handle` if it is of the right kind and not destroyed.

    Raises:
        ZeError: `INVALID_NULL_HANDLE` or `INVALID_ARGUMENT`.
    """
    if isinstance(handle, kind) and handle.alive:
        return handle
    if handle is None:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_NULL_HANDLE, f"the handle is null, expected a {kind.noun}")
    if isinstance(handle, kind):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{kind.noun} #{handle.id} is already destroyed")
    raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{handle!r} is not a {kind.noun}")


def required(value: object, name: str, kind: type | None = None) -> None:
    """Raises `INVALID_NULL_POINTER` for null, and `INVALID_ARGUMENT` for a structure of another class than `kind`."""
    if value is None:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_NULL_POINTER, f"{name} is null")
    if kind is not None and not isinstance(value, kind):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{name} is a {type(value).__name__}, expected {kind.__name__}",
        )


def integer(value: int, name: str) -> int:
    """Returns `value` if it is an integer, numpy's included; raises `INVALID_ARGUMENT` otherwise."""
    try:
        return operator.index(value)
    except TypeError:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} is {value!r}, expected an integer"
        ) from None


def byte_string(value: object, name: str) -> bytes:
    """Returns the bytes of a buffer; raises `INVALID_NULL_POINTER` for null, `INVALID_ARGUMENT` for anything else."""
    required(value, name)
    try:
        return memoryview(cast("bytes", value)).tobytes()
    except TypeError:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} is a {type(value).__name__}, expected bytes"
        ) from None


def items(value: Iterable[T] | None, name: str) -> list[T]:
    """Returns the elements of an array; raises `INVALID_NULL_POINTER` for null, and `INVALID_ARGUMENT` for anything
    else.
    """
    required(value, name)
    if not isinstance(value, Iterable) or isinstance(value, str | bytes):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} is a {type(value).__name__}, expected an array"
        )
    return list(value)


def pointer(address: int | None, name: str) -> int:
    """Returns `address` if it is one and not null; raises `INVALID_NULL_POINTER` or `INVALID_ARGUMENT` otherwise."""
    if not address:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_NULL_POINTER, f"{name} is null")
    return unsigned(address, name, 64)


def enumerator(value: int, kind: type[E]) -> E:
    """Returns `value` as a member of `kind`; raises `INVALID_ENUMERATION` if it is none."""
    try:
        return kind(value)
    except ValueError:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ENUMERATION, f"{value!r} is not a value of {kind.__name__}"
        ) from None


def flag_set(value: int, kind: type[F]) -> F:
    """Returns `value` as flags of `kind`; raises `INVALID_ENUMERATION` for a bit that is none of them."""
    known = 0
    for member in kind:
        known |= member.value
    if not isinstance(value, int) or value & ~known:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ENUMERATION,
            f"{value!r} has bits outside {kind.__name__} ({known:#x})",
        )
    return kind(value)


def unsigned(value: int, name: str, bits: int = 32) -> int:
    """Returns `value` if it is an unsigned integer of at most `bits` bits; raises `INVALID_ARGUMENT` otherwise."""
    if not isinstance(value, int) or not 0 <= value < 1 << bits:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{name} is {value!r}, expected an unsigned {bits}-bit number",
        )
    return value
