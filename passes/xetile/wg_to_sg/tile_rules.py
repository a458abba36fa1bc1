"""Rules for the sharing of tiles, and of their values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.ir import Operation, SSAValue

from passes.support.tiles.webs import TileWeb, tile_webs
from passes.support.work_groups.inference import Inference
from passes.support.work_groups.rules import Known, Product, Rules, is_distributable_elementwise, is_leaf, is_vector
from passes.support.work_groups.sharing import Sharing
from passes.xetile.wg_to_sg.maps import map_of, sharing_by, sharing_of
from xegpu.dialects.upstream import BroadcastInterface, TransposeInterface
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xetile import (
    AtomicRMWOp,
    ConvertLayoutOp,
    InitTileOp,
    LoadOp,
    LoadTileOp,
    PrefetchTileOp,
    StoreOp,
    StoreTileOp,
    TileMMAOp,
    UpdateTileOffsetOp,
)

_ACCESSES: frozenset[type[Operation]] = frozenset({StoreTileOp, LoadOp, StoreOp, AtomicRMWOp})


class TileRules(Rules):
    """The rules for XeTile, given the sharings of the tiles of a kernel."""

    def __init__(self, tiles: Known):
        self._tiles = tiles

    def product(self, op: Operation) -> Product | None:
        return Product(op.a, op.b, op.c, op.output) if isinstance(op, TileMMAOp) else None

    def stated(self, op: Operation) -> Iterable[tuple[SSAValue, Sharing]]:
        if isinstance(op, LoadTileOp | LoadOp | AtomicRMWOp):
            tile = op.source if isinstance(op, LoadTileOp) else op.tile
            if tile in self._tiles:
                yield op.results[0], self._tiles[tile]
        elif isinstance(op, ConvertLayoutOp):
            yield op.result, sharing_of(op, "wg_map_result", op.wg_map_result, op.result)
        elif isinstance(op, TileMMAOp):
            if op.wg_map_c is not None:
                yield op.output, sharing_of(op, "wg_map_c", op.wg_map_c, op.output)
        elif (wg_map := map_of(op)) is not None:
            is_known = (
                is_leaf(op)
                or is_distributable_elementwise(op)
                or isinstance(op, TransposeInterface | BroadcastInterface)
            )
            yield from ((r, sharing_of(op, "map", wg_map, r)) for r in op.results if is_known and is_vector(r))

    def operand_sharing(self, op: Operation, index: int, known: Known) -> Sharing | None:
        if type(op) in _ACCESSES:
            return next((known[tile] for tile in op.operands if tile in known and not is_vector(tile)), None)
        result = known.get(op.results[0]) if op.results else None
        if isinstance(op, InitTileOp | UpdateTileOffsetOp):
            return result
        if isinstance(op, ConvertLayoutOp):
            return known.get(op.operands[index], result)
        return super().operand_sharing(op, index, known)


def infer(function: FuncOp) -> tuple[Inference, TileRules]:
    """Infers how the values of a kernel are shared."""
    webs = tile_webs(function)
    tiles = {
        tile: sharing_by(web.type.wg_map, web.type.get_shape())
        for web in webs
        if web.type.wg_map is not None
        for tile in web.values
    }
    rules = TileRules(tiles)
    inference = Inference(function, rules)
    inference.sharings.update(tiles)
    inference.run()
    for web in webs:
        if web.type.wg_map is not None and (sharing := _transposed(web, rules, inference.sharings)) is not None:
            for value in (*web.values, *(value for load in web.accesses for value in load.results)):
                inference.sharings[value] = sharing
    return inference, rules


def _transposed(web: TileWeb, rules: TileRules, known: Known) -> Sharing | None:
    """Returns the sharing with which tiles that are only loaded to be transposed need no exchange; else None."""
    if not all(isinstance(op, LoadTileOp | PrefetchTileOp) for op in web.accesses):
        return None
    users: Sequence[Operation] = [
        use.operation for load in web.accesses for value in load.results for use in value.uses
    ]
    if not users or not all(isinstance(user, TransposeInterface) for user in users):
        return None
    wanted = {rules.operand_sharing(user, 0, known) for user in users}
    return wanted.pop() if len(wanted) == 1 else None
