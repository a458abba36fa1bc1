"""Handles, and the checks of parameters that the functions of the API share."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from enum import IntEnum, IntFlag
from typing import ClassVar, SupportsIndex, TypeVar, cast

from runtime.concurrency import PROCESS, step
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.seed import SEED_VERSION
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    import numpy as np

_ids = itertools.count(1)

claimed: ContextVar[object] = ContextVar("claimed", default=None)
"""The mark of objects and memory that are created now, before anyone has a reference to them."""


class _HandleType(type):
    """Makes handles children of their parents when they are complete: one that fails in its constructor is nobody's."""

    def __call__(cls, *args: object, **kwargs: object) -> object:
        handle = super().__call__(*args, **kwargs)
        if handle.parent is not None:
            handle._join(handle.parent.children.add)
        return handle


class Handle(metaclass=_HandleType):
    """An object that the application refers to; `None` stands for the null handle.

    `id` is unique in the process and never used again. A handle keeps the objects created from it in `children`, which
    are destroyed with it. A constructor that raises an exception leaves nothing behind. `claim` is that of whoever
    creates it.
    """

    noun: ClassVar[str]

    def __init__(self, parent: Handle | None = None) -> None:
        self.id = next(_ids)
        self.alive = True
        self._forks = PROCESS.forks
        self.children: set[Handle] = set()
        self.parent = parent
        self.claim = claimed.get()
        self.went_with_parent = False
        """True if the handle was destroyed with what it was created from, which its owner may not know."""

    def __repr__(self) -> str:
        return f"<{self.noun} #{self.id}{'' if self.alive else ', destroyed'}>"

    @property
    def is_of_this_process(self) -> bool:
        """True unless the handle is a copy of one of the parent process."""
        return self._forks == PROCESS.forks

    @step
    def _join(self, add: Callable[[Handle], None]) -> None:
        """Becomes a child of its parent, whose children `add` adds to."""
        add(self)

    @step
    def _leave(self, discard: Callable[[Handle], object]) -> bool:
        """Becomes stale, and leaves its parent's children; returns False if it was stale already."""
        if not self.alive:
            return False
        self.alive = False
        discard(self)
        return True

    def retire(self) -> bool:
        """Makes the handle stale, with all that was created from it; returns False if it was stale already."""
        for child in tuple(self.children):
            child.went_with_parent = True
            child.retire()
        if not self._leave(bool if self.parent is None else self.parent.children.discard):
            return False
        for follow in tuple(FOLLOWERS):
            follow(self)
        return True

    @property
    def pending_use(self) -> str:
        """The work that has not ended and needs the handle, for reports; empty if there is none."""
        return ""

    @property
    def use(self) -> str:
        """The reason for which the handle should not be destroyed yet, for reports; empty if there is none."""
        if self.children:
            nouns = sorted({child.noun for child in self.children})
            return f"{self!r} still has {len(self.children)} live object(s): {', '.join(nouns)}"
        return self.pending_use

    def require_unused(self) -> None:
        """Raises `HANDLE_OBJECT_IN_USE` if the handle should not be destroyed yet."""
        if why := self.use:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, why)

    @property
    def has_pending_use(self) -> bool:
        """True while work that has not ended needs the handle, or what was created from it."""
        return bool(self.pending_use) or any(child.has_pending_use for child in tuple(self.children))


FOLLOWERS: list[Callable[[Handle], object]] = []
"""The functions that are called with each handle that becomes stale."""


class _Gone(Handle):
    noun: ClassVar[str] = "object that was destroyed with its parent"

    def __init__(self) -> None:
        super().__init__()
        self.alive = False
        self.went_with_parent = True


GONE = _Gone()
"""Stands for any handle that was destroyed with what it was created from."""


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
        if handle._forks != PROCESS.forks:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED, f"{handle!r} is of the process that forked: initialize anew"
            )
        return handle
    if handle is None:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_NULL_HANDLE, f"the handle is null, expected a {kind.noun}")
    if isinstance(handle, kind):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{kind.noun} #{handle.id} is already destroyed")
    raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{handle!r} is not a {kind.noun}")


def required(value: object, name: str) -> None:
    """Raises `INVALID_NULL_POINTER` for null."""
    if value is None:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_NULL_POINTER, f"{name} is null")


def integer(value: object, name: str, expected: str = "an integer") -> int:
    """Returns any integer, numpy's and enumerators included, as an `int`; raises `INVALID_ARGUMENT` for anything else.

    Only the result may be used: numpy's integers are of a fixed width, and their sums and products wrap around.
    """
    try:
        return int(operator.index(cast("SupportsIndex", value)))
    except Exception as error:
        # `__index__` is code of the caller, which may raise anything.
        why = "" if isinstance(error, TypeError) else f" ({type(error).__name__}: {error})"
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} is {value!r}, expected {expected}{why}"
        ) from None


def truth(value: object, name: str) -> bool:
    """Returns a truth value of Python or numpy, or an integer, as a `bool`; raises `INVALID_ARGUMENT` for anything
    else.
    """
    return bool(value) if isinstance(value, np.bool_) else integer(value, name) != 0


def byte_string(value: object, name: str) -> bytes:
    """Returns the bytes of a buffer; raises `INVALID_NULL_POINTER` for null, `INVALID_ARGUMENT` for anything else."""
    required(value, name)
    try:
        view = memoryview(cast("bytes", value))
    except (TypeError, ValueError):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} is a {type(value).__name__}, expected bytes"
        ) from None
    if "O" in view.format:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} holds Python objects, expected bytes")
    return view.tobytes()


def items(value: Iterable[T] | None, name: str) -> list[T]:
    """Returns the elements of an array; raises `INVALID_NULL_POINTER` for null, and `INVALID_ARGUMENT` for anything
    else.
    """
    required(value, name)
    try:
        if isinstance(value, Iterable) and not isinstance(value, str | bytes):
            return list(value)
    except TypeError:  # numpy's arrays without dimensions have `__iter__`
        pass
    raise ZeError(
        ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} is a {type(value).__name__}, expected an array"
    )


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


def known_flags(value: int, kind: type[F]) -> F:
    """Returns the flags of `kind` in `value`, without other bits, which a newer version may have."""
    known = 0
    for member in kind:
        known |= member.value
    return kind(value & known)


def flag_set(value: int, kind: type[F]) -> F:
    """Returns `value` as flags of `kind`; raises `INVALID_ENUMERATION` for a bit that is none of them."""
    known = int(known_flags(-1, kind))
    if value & ~known:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ENUMERATION, f"{value} has bits outside {kind.__name__} ({known:#x})"
        )
    return kind(value)


def require_version(structure: object) -> None:
    """Raises `UNSUPPORTED_VERSION` for a structure of 0.91 that is of a later version."""
    version = getattr(structure, "version", SEED_VERSION)
    if version > SEED_VERSION:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_VERSION,
            f"{type(structure).__name__} of version {version}, expected at most {SEED_VERSION}",
        )


def unsigned(value: int, name: str, bits: int = 32) -> int:
    """Returns `value` if it is not negative and has at most `bits` bits; raises `INVALID_ARGUMENT` otherwise."""
    if not 0 <= value < 1 << bits:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{name} is {value!r}, expected an unsigned {bits}-bit number",
        )
    return value
