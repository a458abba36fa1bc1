"""The decorator for data classes that complete themselves."""

from __future__ import annotations

import dataclasses
import sys
import types
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

T = TypeVar("T")

_AWAITED = (
    "__dataclass_fields__",
    "__dataclass_params__",
    "__eq__",
    "__hash__",
    "__init__",
    "__match_args__",
    "__repr__",
)
"""The attributes that stand for themselves until the first of them is looked up."""

_DELAYED = {"eq", "frozen", "init", "kw_only", "match_args", "repr"}
"""The options under which `dataclasses.dataclass` returns the class that it is given, with those attributes only."""

_FURTHER = ("__doc__", "__replace__")
"""Attributes that the class gets besides, if it has none and Python's version makes them."""

_OWN = ("__dict__", "__weakref__")
"""The attributes that every class makes for itself."""


class _Awaited:
    """Stands for an attribute of a data class: completes the class when it is looked up, and gives the attribute."""

    __slots__ = ("complete", "name")

    def __init__(self, complete: Callable[[], None], name: str) -> None:
        self.complete = complete
        self.name = name

    def __get__(self, instance: object | None, owner: type) -> object:
        self.complete()
        return getattr(owner if instance is None else instance, self.name)


def _freeze(cls: type) -> None:
    """Refuses changes of instances, as `dataclasses.dataclass` does."""

    def is_fixed(instance: object, name: str) -> bool:
        return type(instance) is cls or name in {field.name for field in dataclasses.fields(cls)}

    def __setattr__(self: object, name: str, value: object) -> None:  # noqa: N807 - becomes the method
        if is_fixed(self, name):
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        object.__setattr__(self, name, value)

    def __delattr__(self: object, name: str) -> None:  # noqa: N807 - becomes the method
        if is_fixed(self, name):
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        object.__delattr__(self, name)

    for method in (__setattr__, __delattr__):
        setattr(cls, method.__name__, method)


def _delay(cls: type[T], options: dict[str, bool]) -> type[T]:
    """Returns the class, which becomes a data class when it is first used as one.

    The methods come from a twin of the class, so that those who use the class meanwhile find either what completes it
    or what is complete. Threads that complete it at the same time set the same, and need no lock, which a child of fork
    could inherit.
    """
    own = {name: value for name, value in vars(cls).items() if name not in _OWN}

    needed = {name: sys.modules[name] for name in (dataclasses.__name__, cls.__module__) if name in sys.modules}

    def complete() -> None:
        for name, module in needed.items():
            sys.modules.setdefault(name, module)  # when the interpreter ends they are taken out of it
        twin = types.new_class(cls.__name__, cls.__bases__, {"metaclass": type(cls)}, lambda names: names.update(own))
        made = vars(dataclasses.dataclass(**options)(twin))
        for name in (*_AWAITED, *_FURTHER, *(field.name for field in dataclasses.fields(twin))):
            if name in made:
                setattr(cls, name, made[name])
            elif isinstance(vars(cls).get(name), _Awaited | dataclasses.Field):
                # What an option leaves out, and `field()` without a default; another thread may come first.
                with suppress(AttributeError):
                    delattr(cls, name)

    for name in _AWAITED:
        if name not in own:
            setattr(cls, name, _Awaited(complete, name))
    if options.get("frozen"):
        _freeze(cls)
    return cls


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> object:
        """Returns the class as `dataclasses.dataclass` does; its methods are made when one of them is first used."""
        if cls is None:
            return lambda cls: dataclass(cls, **options)
        if options.keys() <= _DELAYED:
            return _delay(cls, options)
        return dataclasses.dataclass(**options)(cls)
