"""Division of constant vectors into blocks."""

from __future__ import annotations

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, VectorType
from xdsl.ir import Operation

from passes.xetile.blocking.grid import Grid
from xegpu.diagnostics import inherit_location


def separate_constants(root: Operation) -> None:
    """Clones constant vectors for each user, since the users' block sizes are independent."""
    for op in list(root.walk()):
        if isinstance(op, ConstantOp) and isinstance(op.result.type, VectorType):
            for use in list(op.result.uses)[1:]:
                own = op.clone()
                inherit_location(op, own)
                assert op.parent is not None
                op.parent.insert_op_after(own, op)
                use.operation.operands[use.index] = own.result


def constant_parts(constant: DenseIntOrFPElementsAttr, grid: Grid) -> list[DenseIntOrFPElementsAttr]:
    """Returns the blocks of a constant vector."""
    type = VectorType(constant.get_element_type(), grid.block)
    data = constant.data.data
    size = len(data) // len(constant)
    if constant.is_splat():
        return [DenseIntOrFPElementsAttr(type, BytesAttr(data[:size] * type.element_count()))] * grid.count
    elements = Grid(grid.shape, (1,) * len(grid.shape))
    inside = list(Grid(grid.block, (1,) * len(grid.block)).positions)

    def part(origin: tuple[int, ...]) -> DenseIntOrFPElementsAttr:
        positions = (tuple(a + b for a, b in zip(origin, position, strict=True)) for position in inside)
        starts = (elements.index(position) * size for position in positions)
        return DenseIntOrFPElementsAttr(type, BytesAttr(b"".join(data[start : start + size] for start in starts)))

    return list(map(part, grid.origins))
