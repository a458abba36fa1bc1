"""Construction of operations in large numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Attribute, Block, Operation, SSAValue


def initialize(
    op: Operation,
    operands: Sequence[SSAValue | Operation] = (),
    result_types: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute | None] | None = None,
    successors: Sequence[Block] = (),
) -> None:
    """Does what `IRDLOperation.__init__` does, in a third of the time, but adds no sizes of segments.

    Operands, results and successors are given one by one, also those that the definition makes a group of. Properties
    that are None are left out.
    """
    Operation.__init__(
        op,
        operands=[SSAValue.get(operand) if isinstance(operand, Operation) else operand for operand in operands],
        result_types=result_types,
        properties={name: value for name, value in (properties or {}).items() if value is not None},
        successors=successors,
    )
