"""Modules of other projects that are imported when they are first used."""

from __future__ import annotations

import importlib


class _ModuleOnDemand:
    """Stands for a module; the first use of one of its names imports it."""

    def __init__(self, name: str) -> None:
        self._module = name

    def __getattr__(self, name: str) -> object:
        value: object = getattr(importlib.import_module(self._module), name)
        setattr(self, name, value)
        return value


def module_on_demand(name: str) -> object:
    """Returns a stand-in for a module of another project, which its first use imports.

    Type checkers take the module from an import below `TYPE_CHECKING`.
    """
    return _ModuleOnDemand(name)
