"""Kernels of work-groups without layouts over subgroups: how many subgroups share their values."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation
from xdsl.utils.hints import isa

from passes.support.work_groups.uniformity import DIFFERENT_IDS
from passes.xegpu.infer_op_level import OP_LEVELS, OpLevel, is_of_lane, lanes_per_subgroup
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.vector import vector_type
from xegpu.dialects.xegpu import element_bits, is_of_llvm22
from xegpu.targets import Target


def implied_subgroups(function: FuncOp, level: str, target: Target) -> int | None:
    """Returns the number of subgroups that share the values of a kernel without layouts; None if none do.

    Where no id differs between them, all subgroups would compute the same: the kernel is one of a work-group. Raises
    `CompileError` for a vector that no subgroup holds alone, if the level is stated and nothing tells the number.
    """
    stated = OP_LEVELS.get(level)
    if not _is_of_work_group(function, stated):
        return None
    if function.block_size is not None:
        count = -(-prod(function.block_size) // lanes_per_subgroup(function))
        return count if count > 1 else None
    if stated is OpLevel.WORKGROUP:
        for op in function.walk():
            _verify_size(op, target)
    return None


def _is_of_work_group(function: FuncOp, level: OpLevel | None) -> bool:
    if level is None:
        is_candidate = is_of_llvm22(function) and "VectorComputeFunctionINTEL" not in function.attributes
    else:
        is_candidate = level is OpLevel.WORKGROUP
    if not is_candidate or any(isa(argument.type, VectorType) for argument in function.body.blocks[0].args):
        return False
    ops = list(function.walk())
    return (
        any(op.name.startswith("xegpu.") for op in ops)
        and any(isa(result.type, VectorType) for op in ops for result in op.results)
        and not any(type(op) in DIFFERENT_IDS or is_of_lane(op) for op in ops)
    )


def _verify_size(op: Operation, target: Target) -> None:
    """Requires that the registers of a subgroup hold each result of an operation."""
    most = max(target.platform.grf_counts) * target.platform.grf_bytes
    for result in op.results:
        if not isa(result.type, VectorType) or not op.operands:
            continue
        size = vector_type(result).element_count() * element_bits(vector_type(result).element_type) // 8
        if size > most:
            raise CompileError(
                op,
                f"{result.type} is more than the {most} bytes of registers of a subgroup, and nothing tells how many "
                "subgroups share it: give an access a layout with sg_layout, or the kernel a known_block_size",
            )
