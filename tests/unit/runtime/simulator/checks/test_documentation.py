"""The reports in docs/checks.md are those of real runs."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

from runtime import Device, ZeError
from runtime.simulator.checks import Check
from tests.paths import DOCS
from tests.unit.runtime.simulator.checks.support import Bench

pytestmark = pytest.mark.docs

PAGE = DOCS / "checks.md"
VARYING = re.compile(r"0x[0-9a-f]{9,}|'#[0-9]+'")
"""Addresses, and numbers of allocations, which count on in a process."""


def examples() -> dict[str, tuple[str, str]]:
    """Program and report by the name of the check in the headline."""
    sections = re.split(r"^## ", PAGE.read_text(), flags=re.MULTILINE)
    found = {}
    for section in sections:
        blocks = re.findall(r"^```\w+\n(.*?)^```$", section, flags=re.MULTILINE | re.DOTALL)
        if blocks:
            program, report = blocks
            found[re.findall(r"`(\w+)`", section.splitlines()[0])[0]] = program, report
    return found


def compiled(text: str, name: str, kind: type, groups: int, block: int, *, written: bool = True) -> str:
    """The report of a kernel that takes two arrays, with ones and zeros in them."""
    device = Device("pvc", checks=name)
    (kernel,) = device.compile(text, "kernel.mlir").values()
    first = device.array(np.ones(block, kind)) if written else device.empty(block, kind)
    second = device.array(np.zeros(block, kind))
    with pytest.raises(ZeError) as error:
        kernel[groups, (block,)](first, second)
    return str(error.value).split(": ", 1)[1]


def assembled(text: str, name: str, sizes: tuple[int, ...] = (), items: int = 16) -> str:
    return str(Bench(text, sizes, checks=name).finding(local=(items, 1, 1)))


RUNS: dict[str, Callable[[str], str]] = {
    "memory": lambda text: compiled(text, "memory", np.float32, 1, 16),
    "uninitialized": lambda text: compiled(text, "uninitialized", np.float32, 1, 16, written=False),
    "registers": lambda text: assembled(text, "registers", (64,)),
    "races": lambda text: compiled(text, "races", np.int32, 1, 32),
    "barriers": lambda text: assembled(text, "barriers", items=32),
    "arithmetic": lambda text: compiled(text, "arithmetic", np.int32, 1, 16),
    "layout": lambda text: assembled(text, "layout"),
}


def test_every_check_has_an_example() -> None:
    assert set(examples()) == set(RUNS) == {check.text for check in Check}


@pytest.mark.parametrize("name", RUNS)
def test_report(name: str) -> None:
    program, report = examples()[name]
    assert VARYING.sub("?", RUNS[name](program)).splitlines() == VARYING.sub("?", report).splitlines()


def test_every_check_is_in_the_table() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), flags=re.MULTILINE)
    assert rows == [check.text for check in Check]
