"""Alignment of tiles: whether they are known to lie inside their plane."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import gcd
from operator import mul

from xdsl.dialects.scf import ForOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from passes.support.op_builder import Index, known
from passes.support.tiles.offsets import Placement
from passes.support.tiles.webs import TileWeb

_DEPTH = 32
"""The maximum length of chains of definitions that are followed."""


def stays_inside(web: TileWeb, placement: Placement) -> bool:
    """Returns whether no tile of a web crosses the edge of its plane.

    That holds if tiles start at multiples of their shape, and the shape divides the plane: each tile is either inside
    or entirely outside.
    """
    shape = placement.shape(web.type)
    if not all(
        isinstance(size, int) and size % extent == 0 for size, extent in zip(placement.plane, shape, strict=True)
    ):
        return False
    starts = [placement.in_memory_order(init.start[-2:]) for init in web.inits]
    moves = [placement.in_memory_order(update.moves) for update in web.updates]
    return all(
        divisor(index) % extent == 0 for pair in (*starts, *moves) for index, extent in zip(pair, shape, strict=True)
    )


def divisor(index: Index) -> int:
    """Returns a number that divides every possible value of an index: 0 for zero, 1 if nothing is known."""
    return _divisor(index, _DEPTH, {})


def _divisor(index: Index, depth: int, found: dict[SSAValue, int]) -> int:
    index = known(index)
    if isinstance(index, int):
        return abs(index)
    if index not in found:
        found[index] = _computed(index, depth, found) if depth else 1
    return found[index]


def _computed(value: SSAValue, depth: int, found: dict[SSAValue, int]) -> int:
    if isinstance(value, BlockArgument):
        loop = value.block.parent_op()
        if not isinstance(loop, ForOp) or value.index != 0:
            return 1
        return gcd(*(_divisor(bound, depth - 1, found) for bound in (loop.lb, loop.step)))
    op = value.owner
    assert isinstance(op, Operation)
    if (rule := _RULES.get(op.name)) is None:
        return 1
    return rule(*(_divisor(operand, depth - 1, found) for operand in op.operands))


_RULES: Mapping[str, Callable[..., int]] = {
    **dict.fromkeys(("arith.muli", "index.mul"), mul),
    **dict.fromkeys((f"arith.{name}" for name in ("addi", "subi", "remsi", "remui")), gcd),
    **dict.fromkeys((f"arith.{name}" for name in ("minsi", "minui", "maxsi", "maxui")), gcd),
    **dict.fromkeys((f"index.{name}" for name in ("add", "sub", "rems", "remu")), gcd),
    **dict.fromkeys((f"index.{name}" for name in ("mins", "minu", "maxs", "maxu")), gcd),
    **dict.fromkeys(("arith.index_cast", "arith.index_castui", "index.casts", "index.castu"), int),
    "arith.select": lambda condition, a, b: gcd(a, b),
}
"""The divisor of the result of integer operations, given those of the operands."""
