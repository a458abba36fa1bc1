"""Inserts conversions where an operation needs a value in another distribution."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation

from passes.support.control_flow import passed
from passes.support.fragments import Assignment, Ownership
from passes.support.fragments.anchors import Accesses, ownership_of_vector
from passes.support.fragments.structure import elementwise_vectors, has_equal_elements
from passes.support.op_builder import OpBuilder
from passes.support.vectors.elementwise import is_elementwise
from passes.xegpu.propagate_sg_map.candidates import possible_maps
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import ConvertLayoutOp, DpasOp, SgMapAttr
from xegpu.targets import Target


def insert_conversions(function: FuncOp, target: Target) -> None:
    """Inserts `xegpu.convert_layout` in front of operations that need a vector in another distribution.

    Distributions that no map expresses stay: vectors of more than two dimensions, and the results of movements of
    elements, which exchange elements between lanes anyway.
    """
    assignment = Assignment(function, target, all_products=True)
    for op in list(function.walk()):
        for index, wanted in _wanted(op, assignment):
            value = op.operands[index]
            present = assignment.owned.get(value)
            if present is None or np.array_equal(present.elements, wanted.elements) or has_equal_elements(value):
                continue
            before, after = (_map_of(value.type, ownership, target) for ownership in (present, wanted))
            if before is not None and after is not None:
                op.operands[index] = OpBuilder(op).add(ConvertLayoutOp(value, before, after))


def _wanted(op: Operation, assignment: Assignment) -> Iterator[tuple[int, Ownership]]:
    """Yields the index of each operand of an operation with the distribution that it must have."""
    owned, needs = assignment.owned, assignment.needs.get(op, ())
    if isinstance(op, DpasOp):
        yield from zip(range(len(op.operands)), needs, strict=False)
    elif isinstance(op, Accesses):
        yield from ((i, need) for i, value in enumerate(op.operands) for need in needs if value is op.value)
    elif is_elementwise(op):
        vectors = set(elementwise_vectors(op))
        if (wanted := owned.get(op.results[0])) is not None:
            yield from ((index, wanted) for index, value in enumerate(op.operands) if value in vectors)
    else:
        takers = {giver: taker for taker, giver in passed(op)}
        for index, giver in enumerate(op.operands):
            if giver in takers and (wanted := owned.get(takers[giver])) is not None:
                yield index, wanted


def _map_of(type: Attribute, ownership: Ownership, target: Target) -> SgMapAttr | None:
    """Returns the map that expresses a distribution of a vector, if there is one."""
    if not isinstance(type, VectorType) or type.get_num_dims() not in (1, 2):
        return None
    rows, columns = (1, *type.get_shape())[-2:]
    for sg_map in possible_maps(target):
        if sg_map.lane_map.tiles((rows, columns)) and np.array_equal(
            ownership_of_vector(type, sg_map).elements, ownership.elements
        ):
            return sg_map
    return None
