"""Imports that happen when what they name is first used."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import NamedTuple


class _Note(NamedTuple):
    """Says where a public name is."""

    module: str
    name: str


class _Delayed(ModuleType):
    """Is what `from MODULE import` takes names from: they are notes."""

    def __getattr__(self, name: str) -> _Note:
        return _Note(self.__name__, name)


class _StandIn(ModuleType):
    """Is bound to the name of a module in place of it, until one of its names is asked for."""

    bound_to: tuple[dict[str, object], str] | None = None

    def __getattr__(self, name: str) -> object:
        if self.bound_to is None:  # `import a.b as c` takes `b` from what it gets for `a.b`
            return self
        namespace, own_name = self.bound_to
        namespace[own_name] = module = import_module(self.__name__)
        return getattr(module, name)


@contextmanager
def imports_on_demand(namespace: dict[str, object]) -> Iterator[None]:
    """Delays the `import` statements in its block, which is one of a module whose `globals()` are given.

        with imports_on_demand(globals()):
            import numpy as np
            from zebin.file import read as read

    `import ... as` binds a stand-in, which imports the module when one of its names is first asked for.
    `from ... import ... as` offers a name to others; it is imported when one first asks for it, and the module itself
    cannot use it.
    """
    import_now = builtins.__import__
    is_open = True

    def note(
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        if globals is namespace and is_open:
            return _Delayed(name) if fromlist else _StandIn(name)
        return import_now(name, globals, locals, fromlist or (), level)

    builtins.__import__ = note
    try:
        yield
    finally:
        builtins.__import__ = import_now
        is_open = False  # another thread's block may have kept `note`, and put it back
    for name, value in namespace.items():
        if isinstance(value, _StandIn):
            value.bound_to = namespace, name
    notes = {name: value for name, value in namespace.items() if isinstance(value, _Note)}
    if notes:
        _offer(namespace, notes)


def _offer(namespace: dict[str, object], notes: dict[str, _Note]) -> None:
    """Makes a module one that has the noted names for those who ask it."""
    for name in notes:
        del namespace[name]

    def __getattr__(name: str) -> object:  # noqa: N807 - becomes the module's
        if name == "__all__":
            return [known for known in __dir__() if not known.startswith("_")]
        if name not in notes:
            raise AttributeError(f"module '{namespace['__name__']}' has no attribute '{name}'")
        module, home_name = notes[name]
        namespace[name] = value = getattr(import_module(module), home_name)
        return value

    def __dir__() -> list[str]:  # noqa: N807
        return sorted({*namespace, *notes})

    namespace.update(__getattr__=__getattr__, __dir__=__dir__)


def import_names(package: ModuleType) -> None:
    """Imports all names of a package now."""
    for name in dir(package):
        getattr(package, name)
