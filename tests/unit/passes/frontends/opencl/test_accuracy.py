"""The functions of OpenCL.std, against exact results."""

from __future__ import annotations

from functools import cache

import pytest

from passes.frontends.builtins import BUILTINS, Lowering
from passes.frontends.opencl import find_compiler
from runtime import Device
from tests.bulk import opencl_accuracy as accuracy
from tests.paths import ROOT

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs clang, which translates OpenCL C")
_MEASUREMENTS = [(name, element) for name, function in accuracy.FUNCTIONS.items() for element in function.types]


@cache
def device() -> Device:
    return Device("pvc")


@pytest.mark.sampled(every=40)
@pytest.mark.parametrize(("name", "element"), _MEASUREMENTS)
def test_errors_are_within_the_bounds_of_opencl(name: str, element: str) -> None:
    error, where = accuracy.measure(name, element, 64, device())
    assert error <= accuracy.bound(name, element), where


@pytest.mark.docs
def test_the_page_has_all_functions_and_no_error_beyond_a_bound() -> None:
    section = (ROOT / "docs/opencl.md").read_text().partition("## Accuracy")[2]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == list(accuracy.FUNCTIONS)
    for row in rows:
        for cell in filter(None, (part.strip() for part in row.split("|")[2:-1])):
            error, _, allowed = cell.partition(" ≤ ")
            assert float(error) <= float(allowed or "inf"), row


def test_every_instruction_on_floats_is_measured() -> None:
    """All but two: the neighbor of a number depends on its type, and `lgamma_r` is `lgamma` and a sign."""
    scalar = {name for name, row in BUILTINS.items() if row.lowering is Lowering.SCALAR}
    measured = {name.partition(" ")[0] for name in accuracy.FUNCTIONS}
    assert scalar - measured == {"lgamma_r", "nextafter"}
