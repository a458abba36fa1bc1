"""Kernels, and what belongs to them, that are made when they are first looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

T = TypeVar("T")


class OnUse(Mapping[str, T]):
    """Maps the names of kernels to what belongs to them, and makes what is not `known` when it is looked at.

    That raises what `make` raises.
    """

    def __init__(self, names: Iterable[str], make: Callable[[str], T], known: Mapping[str, T] | None = None) -> None:
        self._names = dict.fromkeys(names)
        self._make = make
        self._known = dict(known or {})

    def __getitem__(self, name: str) -> T:
        if name not in self._known:
            if name not in self._names:
                raise KeyError(name)
            self._known[name] = self._make(name)
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
