"""Webs of tiles: tiles that may be the same one at run time, so that decisions about one hold for all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from passes.support.control_flow import passed, values_in
from passes.support.webs.disjoint_sets import DisjointSets
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xetile import InitTileOp, TileType, UpdateTileOffsetOp


@dataclass(eq=False)
class TileWeb:
    """Tiles that flow into one another through updates, loops, conditionals and branches. All have one type."""

    type: TileType
    values: list[SSAValue] = field(default_factory=list)
    inits: list[InitTileOp] = field(default_factory=list)
    updates: list[UpdateTileOffsetOp] = field(default_factory=list)
    accesses: list[Operation] = field(default_factory=list)
    """The operations that access the tiles, as opposed to updating or forwarding them; in program order."""


def tile_webs(function: FuncOp) -> list[TileWeb]:
    """Returns the webs of a kernel in program order. Raises `CompileError` if the kernel has tiles as arguments."""
    for argument in function.body.blocks[0].args:
        if isinstance(argument.type, TileType):
            raise CompileError(function, f"argument #{argument.index} is a tile: expected tiles created in the kernel")
    sets = DisjointSets[SSAValue]()
    for op in function.walk():
        for taker, giver in _flows(op):
            if isinstance(taker.type, TileType):
                sets.unite(taker, giver)
    webs: dict[SSAValue, TileWeb] = {}
    for value in values_in(function.body):
        if isinstance(value.type, TileType):
            webs.setdefault(sets.find(value), TileWeb(value.type)).values.append(value)
    for op in function.walk():
        touched = [value for value in (*op.operands, *op.results) if isinstance(value.type, TileType)]
        for web in dict.fromkeys(webs[sets.find(value)] for value in touched):
            if isinstance(op, InitTileOp):
                web.inits.append(op)
            elif isinstance(op, UpdateTileOffsetOp):
                web.updates.append(op)
            elif op.name.startswith("xetile."):
                web.accesses.append(op)
    return list(webs.values())


def _flows(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Yields (tile, tile that it may be equal to or an update of)."""
    yield from passed(op)
    if isinstance(op, UpdateTileOffsetOp):
        yield op.result, op.tile
