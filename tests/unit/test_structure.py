"""Rooms, doors, names and docstrings: how the code is arranged."""

from __future__ import annotations

import ast

import pytest

from tests.structure import (
    assert_isinstance_in_handlers,
    classes_by_name,
    comparisons_with_gpus,
    deep_imports,
    folder_cycles,
    headless_docstrings,
    imports_in_functions,
    large_classes,
    modules_per_folder,
)

MOST_MODULES = 15
"""The largest number of modules in a folder, its `__init__` included."""

PUBLIC = frozenset({"Context", "Device", "Event", "Kernel", "Module", "Target"})
"""Names of the Python API that Level Zero's handles have, too, each under its own package's door."""

LANGUAGES = ("passes.frontends.",)
"""The packages that model other languages."""


NAMES_OF_GPUS = "zebin.products:"
"""The names that the file format and Intel's tools have for all of its GPUs, simulated or not."""


@pytest.mark.parametrize(("folder", "count"), sorted(modules_per_folder().items()))
def test_folders_are_not_crowded(folder: str, count: int) -> None:
    assert count <= MOST_MODULES


def test_packages_are_entered_by_their_doors() -> None:
    assert list(deep_imports()) == []


def test_there_is_one_way_to_import_late() -> None:
    """`imports_on_demand` shows at the top of a module what it needs, and why only then."""
    assert list(imports_in_functions()) == []


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


def test_code_asks_platforms_not_names_or_register_sizes() -> None:
    found = list(comparisons_with_gpus())
    assert any(row.startswith(NAMES_OF_GPUS) for row in found)
    assert [row for row in found if not row.startswith(NAMES_OF_GPUS)] == []


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("target.name == 'pvc'", True),
        ("buses = {'arc': 3}", True),
        ("platform == 'XE_HPC'", True),
        ("from xegpu.targets import PVC", True),
        ("platform.grf_bytes == 64", True),
        ("lanes = 16 if grf_bytes > 32 else 8", True),
        ("first.platform.grf_bytes < second.platform.grf_bytes", True),
        ("min(TARGETS.values(), key=lambda target: target.platform.grf_bytes)", True),
        ("size >= platform.grf_bytes", False),
        ("from xegpu.targets import TARGETS", False),
        ("name = 'architecture'", False),
    ],
)
def test_what_counts_as_a_comparison_with_a_gpu(text: str, counts: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.structure.trees", lambda: {"runtime.here": ast.parse(text)})
    assert bool(list(comparisons_with_gpus())) is counts


def test_handlers_declare_the_operations_they_take() -> None:
    assert list(assert_isinstance_in_handlers()) == []
