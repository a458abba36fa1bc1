"""Movements of elements within lanes."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from passes.support.fragments import Ownership
from passes.support.fragments.ownership import Indexes
from passes.support.fragments.structure import is_vector
from passes.support.op_builder import OpBuilder
from passes.xegpu.distribute_sg_map.forms import Forms, chosen, flat, value_type
from xegpu.dialects.upstream.vector import ShapeCastOp


def move_in_lanes(build: OpBuilder, forms: Forms, op: Operation, picks: Indexes, wanted: Ownership) -> SSAValue | None:
    """Returns the fragments of the result of `op`, whose element i is element `picks[i]` of all operands together.

    Converts operands where lanes need elements of other lanes. Returns None if lanes need elements of different
    operands at one position of the fragment.
    """
    needed = picks[wanted.elements]
    starts = np.cumsum([0, *(forms.whole_type(o).element_count() if is_vector(o) else 1 for o in op.operands)])
    numbers = np.searchsorted(starts, needed, side="right") - 1
    if (numbers != numbers[0]).any() or not all(is_vector(o) for o in op.operands):
        return None
    used = list(dict.fromkeys(int(number) for number in numbers[0]))
    positions = np.empty(needed.shape[1], np.int64)
    sources: list[SSAValue] = []
    offset = 0
    for number in used:
        columns = np.flatnonzero(numbers[0] == number)
        source, found = _lane_source(build, forms, op.operands[number], needed[:, columns] - starts[number])
        positions[columns] = np.array(found) + offset
        sources.append(source)
        offset += value_type(source).element_count()
    assert len(sources) <= 2
    moved = sources[0]
    if len(sources) > 1 or positions.tolist() != list(range(offset)):
        flattened = [flat(build, source) for source in sources]
        moved = chosen(build, flattened[0], flattened[-1], positions.tolist())
    return build.add(ShapeCastOp(moved, VectorType(value_type(moved).element_type, wanted.shape)))


def _lane_source(build: OpBuilder, forms: Forms, value: SSAValue, needed: Indexes) -> tuple[SSAValue, list[int]]:
    """Returns the value in a form in which each lane holds the elements that it needs, and their positions."""
    present = forms[value]
    if present is None and (needed == needed[0]).all():
        return value, needed[0].tolist()
    if present is None or (positions := present.positions_of(needed)) is None:
        columns = {column.tobytes(): column for column in needed.T.copy()}
        present = Ownership.of_columns(list(columns.values()))
        value = forms.convert(build, value, present)
        positions = present.positions_of(needed)
        assert positions is not None
    return value, positions
