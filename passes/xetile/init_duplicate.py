"""`xetile-init-duplicate`: gives each kind of access a tile of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue, Use
from xdsl.passes import ModulePass

from passes.support.op_builder import OpBuilder
from passes.support.tiles.webs import tile_webs
from passes.support.value_expansion import ValueExpansion
from xegpu.diagnostics import inherit_location
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xetile import (
    AtomicRMWOp,
    InitTileOp,
    LoadOp,
    LoadTileOp,
    PrefetchTileOp,
    StoreOp,
    StoreTileOp,
    UpdateTileOffsetOp,
)

_PURPOSES: Mapping[type[Operation], str] = {
    AtomicRMWOp: "atomic",
    LoadOp: "load",
    LoadTileOp: "load",
    PrefetchTileOp: "prefetch",
    StoreOp: "store",
    StoreTileOp: "store",
}


@dataclass(frozen=True)
class XetileInitDuplicatePass(ModulePass):
    """Creates separate tiles for loads, stores, prefetches and atomic updates.

    Later passes choose block sizes for tiles, and the best size differs between kinds of accesses. Tiles that loops,
    conditionals and branches forward are forwarded once per kind. Tiles flow through the whole function, so this is no
    rewrite pattern.
    """

    name = "xetile-init-duplicate"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [o for o in op.walk() if isinstance(o, FuncOp)]:
            order = {o: number for number, o in enumerate(function.walk())}
            for init in [o for o in order if isinstance(o, InitTileOp)]:
                _clone_for_users(init, sorted(init.tile.uses, key=lambda use: order[use.operation]))
            _Split(function).run(function.body)


def _clone_for_users(init: InitTileOp, uses: Sequence[Use]) -> None:
    """Creates a tile per kind of direct access, and one for each operation that updates or forwards the tile."""
    groups: dict[object, list[Use]] = {}
    for use, number in zip(uses, count()):
        groups.setdefault(_PURPOSES.get(type(use.operation), number), []).append(use)
    assert init.next_op is not None
    builder = OpBuilder(init.next_op)
    for group in list(groups.values())[1:]:
        copy = init.clone()
        inherit_location(init, copy)
        clone = builder.add(copy)
        clone.name_hint = init.tile.name_hint
        for use in group:
            use.operation.operands[use.index] = clone


class _Split(ValueExpansion):
    """Splits webs of tiles that have several kinds of accesses."""

    def __init__(self, function: FuncOp) -> None:
        super().__init__()
        self._purposes: dict[SSAValue, list[str]] = {}
        for web in tile_webs(function):
            purposes = sorted({_PURPOSES[type(access)] for access in web.accesses})
            if len(purposes) > 1:
                self._purposes.update(dict.fromkeys(web.values, purposes))

    def types(self, value: SSAValue) -> Sequence[Attribute] | None:
        purposes = self._purposes.get(value)
        return None if purposes is None else [value.type] * len(purposes)

    def rewrite(self, op: Operation) -> bool:
        split = [value for value in (*op.operands, *op.results) if value in self._purposes]
        if not split or not isinstance(op, (InitTileOp, UpdateTileOffsetOp, *_PURPOSES)):
            return False
        builder, (value, *_) = OpBuilder(op), split
        if isinstance(op, InitTileOp):
            self.bind(op.tile, [builder.add(op.clone()) for _ in self._purposes[value]])
        elif isinstance(op, UpdateTileOffsetOp):
            self.bind(op.result, [builder.add(op.clone({op.tile: part})) for part in self.parts(op.tile)])
        else:
            part = self.parts(value)[self._purposes[value].index(_PURPOSES[type(op)])]
            op.operands[op.operands.index(value)] = part
            return False
        return True
