"""Webs of tiles: tiles that may be the same one at run time, so that decisions about one hold for all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from xdsl.ir import Operation, Region, SSAValue

from passes.support.control_flow import branch_operands, loop_operands, region_operands
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xetile import InitTileOp, TileType, UpdateTileOffsetOp, tile_type


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
    return _Webs(function).webs


class _Webs:
    """Joins tiles that flow into one another (union-find, by representatives)."""

    def __init__(self, function: FuncOp):
        self._parents: dict[SSAValue, SSAValue] = {}
        values = [value for value in _values(function.body) if isinstance(value.type, TileType)]
        for argument in function.body.blocks[0].args:
            if isinstance(argument.type, TileType):
                raise CompileError(
                    function, f"argument #{argument.index} is a tile: expected tiles created in the kernel"
                )
        for op in function.walk():
            for target, source in _flows(op):
                if isinstance(target.type, TileType):
                    self._join(target, source)
        by_representative: dict[SSAValue, TileWeb] = {}
        for value in values:
            root = self._find(value)
            web = by_representative.setdefault(root, TileWeb(tile_type(root)))
            web.values.append(value)
        for op in function.walk():
            touched = [value for value in (*op.operands, *op.results) if isinstance(value.type, TileType)]
            for web in dict.fromkeys(by_representative[self._find(value)] for value in touched):
                if isinstance(op, InitTileOp):
                    web.inits.append(op)
                elif isinstance(op, UpdateTileOffsetOp):
                    web.updates.append(op)
                elif op.name.startswith("xetile."):
                    web.accesses.append(op)
        self.webs = list(by_representative.values())

    def _find(self, value: SSAValue) -> SSAValue:
        while (parent := self._parents.get(value, value)) is not value:
            self._parents[value] = self._parents.get(parent, parent)
            value = parent
        return value

    def _join(self, a: SSAValue, b: SSAValue) -> None:
        first, second = self._find(a), self._find(b)
        if first is not second:
            self._parents[first] = second


def _values(body: Region) -> Iterator[SSAValue]:
    for block in body.blocks:
        yield from block.args
        for op in block.ops:
            yield from op.results
            for region in op.regions:
                yield from _values(region)


def _flows(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Yields (tile, tile that it may be equal to or an update of)."""
    yield from branch_operands(op)
    yield from region_operands(op)
    yield from loop_operands(op)
    if isinstance(op, UpdateTileOffsetOp):
        yield op.result, op.tile
