"""The registry finds the passes by their modules' names, and imports none of them before it is needed."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module
from pkgutil import walk_packages

from xdsl.passes import ModulePass

import passes
from passes.pipeline_text import NestedPasses


def _defined_passes() -> set[type[ModulePass]]:
    """Returns all concrete passes that any module of the package defines."""
    found = set()
    for info in walk_packages(passes.__path__, "passes."):
        module = import_module(info.name)
        for member in vars(module).values():
            if isinstance(member, type) and issubclass(member, ModulePass) and member.__module__.startswith("passes"):
                found.add(member)
    # Nested and private passes are steps of pipelines, which have no names of their own.
    named = {cls for cls in found if not cls.__name__.startswith("_") and not inspect.isabstract(cls)}
    return named - {NestedPasses}


def test_every_pass_is_registered_under_its_own_name() -> None:
    registered = {name: load() for name, load in passes.registry().items()}
    assert {name: cls.name for name, cls in registered.items()} == {name: name for name in registered}
    assert set(registered.values()) == _defined_passes()


def test_the_registry_imports_no_pass() -> None:
    code = "import passes, sys; passes.registry(); print(*(m for m in sys.modules if m.startswith('passes.')))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"
