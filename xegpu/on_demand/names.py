"""Public names of packages that are imported when they are first used."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from types import ModuleType


def public_names(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Returns the `__getattr__` of a package, which imports the module of a name with the first use of the name.

    Type checkers take the names from imports below `TYPE_CHECKING`.

    Args:
        package: The name of the package.
        homes: The names that each module has, separated by blanks, by the name of the module; one that begins with a
            dot is a module of the package.
    """
    module_of = {name: module for module, names in homes.items() for name in names.split()}

    def get(name: str) -> object:
        if name not in module_of:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        value: object = getattr(importlib.import_module(module_of[name], package), name)
        setattr(sys.modules[package], name, value)
        return value

    return get


def import_names(package: ModuleType) -> None:
    """Imports the modules of all public names of a package now."""
    for name in package.__all__:
        getattr(package, name)
