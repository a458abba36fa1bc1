"""Errors that all passes on tiles of subgroups report."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation

from xegpu.diagnostics import CompileError
from xegpu.dialects.xetile import ConvertLayoutOp, TileType
from xegpu.targets import Target


def check_subgroup_operation(op: Operation, target: Target) -> None:
    """Raises `CompileError` for a work-group operation, and for tiles and vectors too large for a subgroup."""
    types = [value.type for value in (*op.operands, *op.results)]
    if isinstance(op, ConvertLayoutOp) or any(isinstance(type, TileType) and type.wg_map is not None for type in types):
        raise CompileError(op, "works on a whole work-group: run xetile-wg-to-sg first")
    for type in types:
        if (
            isinstance(type, TileType | VectorType)
            and (count := prod(type.get_shape())) > target.platform.max_scratch_bytes
        ):
            raise CompileError(
                op,
                f"has a {type} of {count} elements: a subgroup of {target.name} holds "
                f"{target.platform.max_scratch_bytes} bytes besides its registers",
            )
