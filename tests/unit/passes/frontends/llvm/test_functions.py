"""Builtin functions have one home: a body in LLVM IR, or a function that imports calls of them."""

from __future__ import annotations

from itertools import product

import pytest

import passes.frontends.llvm  # noqa: F401 - it fills the tables
from passes.frontends.builtins import BUILTINS, Lowering
from passes.frontends.builtins.bodies import WRITERS
from passes.frontends.llvm.importer.calls import BUILTINS as IMPORTED
from passes.frontends.llvm.importer.calls import PATTERNS

WITH_BODY = {row.name for row in BUILTINS.values() if row.lowering is Lowering.BODY}


def is_imported(name: str) -> bool:
    return name in IMPORTED or any(pattern.fullmatch(name) for pattern in PATTERNS)


def test_what_has_a_body_is_not_imported_as_well() -> None:
    """Symbols may have a number of components and a rounding mode behind the name of the row."""
    endings = ["".join(parts) for parts in product(("", "2", "3", "4", "8", "16"), ("", "_rte", "_rtz"))]
    aliases = {name.replace("atomic_", "atom_") for name in WITH_BODY}
    assert [name + end for name in sorted(WITH_BODY | aliases) for end in endings if is_imported(name + end)] == []


def test_rows_with_bodies_are_those_that_something_writes() -> None:
    assert set(WRITERS) == WITH_BODY


@pytest.mark.parametrize("name", ["exp", "isnan", "convert_int4_sat_rte", "__spirv_ControlBarrier"])
def test_the_tables_are_full(name: str) -> None:
    """An empty table would have no function twice."""
    assert is_imported(name)
