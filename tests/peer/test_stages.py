"""A few cells of the table of stages: what upstream leaves of a kernel does here what the page says."""

from __future__ import annotations

import pytest

from tests.peer.mlir_opt import needs
from tests.peer.stages.page import Row, cells
from tests.peer.stages.programs import names, program
from tests.peer.stages.verdicts import judge

CELLS = [pytest.param(*cell, id="-".join((*cell[0], *map(str, cell[1:3]))), marks=needs(cell[1])) for cell in cells()]


def test_the_page_has_most_kernels() -> None:
    assert len({row for row, *_ in cells()}) > len(names()) // 2


@pytest.mark.sampled(every=600, all=12)
@pytest.mark.parametrize(("row", "version", "stage", "letter"), CELLS)
def test_a_stage(row: Row, version: int, stage: str, letter: str) -> None:
    found = judge(program(*row), version, stage)[stage]
    assert found.outcome.value == letter, found.reason
