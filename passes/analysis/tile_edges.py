"""Edges of planes: whether tiles are known not to cross them."""

from __future__ import annotations

from passes.analysis.integers import IntegerFacts
from passes.support.op_builder import Index, known
from passes.support.tiles.offsets import Placement
from passes.support.tiles.webs import TileWeb

_FARTHEST = 1 << 16
"""The largest moves whose sum does not wrap around in any number of turns that a kernel takes."""


def stays_inside(web: TileWeb, placement: Placement, facts: IntegerFacts) -> bool:
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
        _is_multiple(start, extent, facts) for pair in starts for start, extent in zip(pair, shape, strict=True)
    ) and all(
        _is_multiple(move, extent, facts) and (_is_power_of_two(extent) or _is_short(move, facts))
        for pair in moves
        for move, extent in zip(pair, shape, strict=True)
    )


def _is_multiple(index: Index, number: int, facts: IntegerFacts) -> bool:
    index = known(index)
    return index % number == 0 if isinstance(index, int) else facts.of(index).is_multiple_of(number)


def _is_power_of_two(number: int) -> bool:
    return number & number - 1 == 0


def _is_short(move: Index, facts: IntegerFacts) -> bool:
    """Returns whether a tile takes too long to move through all numbers, of which only powers of two are divisors."""
    move = known(move)
    if isinstance(move, int):
        return abs(move) <= _FARTHEST
    fact = facts.of(move)
    return fact.least >= -_FARTHEST and fact.most <= _FARTHEST
