"""Modules that are found by where they lie: one that is put into such a package is known everywhere."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType


def import_modules(package: ModuleType) -> None:
    """Imports all modules in a package and in those below it, which enter what they define into tables."""
    for found in walk_packages(package.__path__, f"{package.__name__}."):
        import_module(found.name)
