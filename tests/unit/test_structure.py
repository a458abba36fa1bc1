"""Rooms, doors, names and docstrings: how the code is arranged."""

from __future__ import annotations

import pytest

from tests.structure import (
    assert_isinstance_in_handlers,
    classes_by_name,
    deep_imports,
    folder_cycles,
    headless_docstrings,
    large_classes,
    modules_per_folder,
)

MOST_MODULES = 15
"""The largest number of modules in a folder, its `__init__` included."""

PUBLIC = frozenset({"Context", "Device", "Event", "Kernel", "Module", "Target"})
"""Names of the Python API that Level Zero's handles have, too, each under its own package's door."""

LANGUAGES = ("passes.frontends.",)
"""The packages that model other languages."""


@pytest.mark.parametrize(("folder", "count"), sorted(modules_per_folder().items()))
def test_folders_are_not_crowded(folder: str, count: int) -> None:
    assert count <= MOST_MODULES


def test_packages_are_entered_by_their_doors() -> None:
    assert list(deep_imports()) == []


def test_class_names_are_unique_apart_from_terms_of_languages() -> None:
    """Dialects have operations and attributes of the same name, which their prefix tells apart in MLIR, and what reads
    another language names its parts as that language does.
    """
    own = {
        name: [module for module in modules if not module.startswith(LANGUAGES)]
        for name, modules in classes_by_name().items()
        if name not in PUBLIC and not all(module.startswith("xegpu.dialects.") for module in modules)
    }
    assert {name: modules for name, modules in own.items() if len(modules) > 1} == {}


def test_docstrings_have_a_subject_and_a_verb() -> None:
    assert list(headless_docstrings()) == []


def test_folders_form_an_order() -> None:
    """Folders that import each other cannot be read, tested or moved one without the other."""
    assert folder_cycles() == []


def test_classes_are_small() -> None:
    assert large_classes(25) == {}


def test_handlers_declare_the_operations_they_take() -> None:
    assert list(assert_isinstance_in_handlers()) == []
