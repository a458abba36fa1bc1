"""Attributes that are calculated when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Self, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801 - a decorator
    """Decorates a method whose result becomes an attribute of the object.

    `functools.cached_property` holds a lock before CPython 3.12, one for all objects, which a child of fork may inherit
    locked. Here, two threads may both calculate the value, and one of the results stays.
    """

    def __init__(self, method: Callable[..., T]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object, owner: type) -> Self | T:
        if instance is None:
            return self
        value: T = vars(instance).setdefault(self._name, self._method(instance))
        return value
